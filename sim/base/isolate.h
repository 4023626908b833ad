/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One piece of work in a process of its own, so that a crash or a call of exit costs only itself. What it
   prints is held back and becomes the words of the error. Differs from engine/guard.h, which serves a command
   whose output goes to the user: here nothing is shown, and memory may be shared. */
#ifndef IASIM_BASE_ISOLATE_H
#define IASIM_BASE_ISOLATE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a process said on its standard error: the beginning is kept, the rest thrown away. */
struct said {
    char text[4096];
    size_t size;
};

/* Reads what there is. False: nothing more will come. Errors are the end, too. */
bool said_read(struct said *s, int fd);

/* "crashed with SIGSEGV (Segmentation fault): the line that says why" from how a process ended. */
enum err_code said_explain(const struct said *s, int wait_status, struct err *e);

/* Memory that children forked later share with this process. NULL: there is none left. */
void *isolate_shared(size_t size);
void isolate_unshare(void *memory, size_t size);

/* `work(self, e)` in a forked child; its code and error come back. Errors of its own: ERR_INTERNAL for a child
   that crashed or ended otherwise before its time. The child dies with this process: who limits its time kills that. */
enum err_code isolate_run(enum err_code (*work)(void *self, struct err *e), void *self, struct err *e);

/* In a new child of `parent`: dies with it, leaves signals of the terminal to it, prints into `said_fd` only.
 */
void isolate_become_child(pid_t parent, int said_fd);

#endif
