/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One piece of work in a process of its own, so that a crash or a call of exit costs only itself. What it
   prints is held back and becomes the words of the error. Differs from engine/guard.h, which serves a command
   whose output goes to the user: here nothing is shown, and memory may be shared. */
#ifndef IASIM_BASE_ISOLATE_H
#define IASIM_BASE_ISOLATE_H

#include "base/err.h"
#include "base/foreign.h"

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

/* "crashed with SIGSEGV (Segmentation fault): the line that says why" from how a process ended; and in which function of a
   plug-in, if `note` (or NULL) says that it was in one. */
enum err_code said_explain(const struct said *s, const struct foreign_note *note, int wait_status, struct err *e);

/* Memory that children forked later share with this process. NULL: there is none left. */
void *isolate_shared(size_t size);
void isolate_unshare(void *memory, size_t size);

typedef enum err_code isolate_work(void *self, struct err *e);

/* `work(self, e)` in a forked child, which has no open file of this process; its code and error come back. Errors of its
   own: ERR_INTERNAL for a child that crashed or ended otherwise before its time. The child dies with this process: who
   limits its time kills that. */
enum err_code isolate_run(isolate_work *work, void *self, struct err *e);

/* The same for work that calls plug-ins. Errors of its own besides: ERR_INPUT when it is not done after `time_limit_s` (0: no limit).
   Processes that it leaves behind are ended; this process must be a reaper for that (base/strays.h), and have no other
   children. */
enum err_code isolate_run_foreign(isolate_work *work, void *self, double time_limit_s, struct err *e);

/* In a new child of `parent`: dies with it, leaves signals of the terminal to it, reads nothing, prints into `said_fd`. Of
   other files only `kept_fd` stays open, as descriptor 3; -1: none. */
void isolate_become_child(pid_t parent, int said_fd, int kept_fd);

#endif
