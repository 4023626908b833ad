/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Progress of commands that cannot say how far they are: on a terminal, from the second second on, one line with the
   time that has passed. A thread of its own draws it, so that no long computation has to be asked. */
#ifndef IASIM_REPORT_PROGRESS_CLOCK_H
#define IASIM_REPORT_PROGRESS_CLOCK_H

/* Shows "WHAT: 0:07" on stderr if that is a terminal, until the clock is stopped. Standard output, if it is a terminal,
   too, is held back until it is flushed or a megabyte long, so that both do not mix. One clock in a process. */
void progress_clock_start(const char *what);
/* The line goes. Without a clock it does nothing. */
void progress_clock_stop(void);

#endif
