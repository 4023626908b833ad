/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether anything under `iasim exec` has used SimGrid (used.c). Not installed. */
#ifndef IASIM_SIMGRID_USED_H
#define IASIM_SIMGRID_USED_H

/* `iasim exec` makes a file of this name in memory, and tells where it is: /proc/PID/fd/N, N from USED_FIRST_FD on
   because scripts use small numbers themselves. */
#define USED_VARIABLE "IASIM_EXEC"
#define USED_FILE "iasim-exec"
enum { USED_FIRST_FD = 200 };

/* This process has used SimGrid. */
void used_note(void);

/* At the end of a process: a message if it is the program's and nothing has been noted. */
void used_say(void);

#endif
