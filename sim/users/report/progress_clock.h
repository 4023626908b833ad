/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Progress of commands that do not know how far they are: on a terminal, after one second, one line with the elapsed
   time. A separate thread draws it, so long computations need not call anything. */
#ifndef IASIM_REPORT_PROGRESS_CLOCK_H
#define IASIM_REPORT_PROGRESS_CLOCK_H

/* Shows "WHAT: 0:07" on stderr, if that is a terminal, until the clock is stopped. If standard output is a terminal
   too, it is held back until it is flushed or has a megabyte, so the two do not mix. A process has one clock. */
void progress_clock_start(const char *what);
/* What the line shows behind the time from now on, at most 100 characters. */
void progress_clock_show(const char *state);
/* Removes the line. Without a clock it does nothing. */
void progress_clock_stop(void);

#endif
