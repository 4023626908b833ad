/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs one piece of work in a separate process, so a crash or a call of exit loses only that piece. What the process
   prints is not shown; it becomes part of the error message. (engine/guard.h is for a command whose output goes to the
   user; here nothing is shown, and memory may be shared.) */
#ifndef IASIM_BASE_ISOLATE_H
#define IASIM_BASE_ISOLATE_H

#include "base/err.h"
#include "base/foreign.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a process printed on standard error: the beginning is kept, the rest is dropped. */
struct said {
    char text[4096];
    size_t size;
};

/* Reads the available bytes. False: nothing more will come. A read error counts as the end. */
bool said_read(struct said *s, int fd);

/* Sets an error like "crashed with SIGSEGV (Segmentation fault): the line that says why" from a process's wait status.
   Addresses in that line become "0x...". If `note` (may be NULL) shows that the process was inside a plugin, the
   message names the function. */
enum err_code said_explain(const struct said *s, const struct foreign_note *note, int wait_status, struct err *e);

/* Memory that children forked later share with this process. NULL: out of memory. */
void *isolate_shared(size_t size);
void isolate_unshare(void *memory, size_t size);

typedef enum err_code isolate_work(void *self, struct err *e);

/* Calls `work(self, e)` in a forked child that has none of this process's files open, and returns the child's code and
   error. Additional errors: ERR_INTERNAL if the child crashed or ended early. The child dies with this process, so a
   caller that limits its time kills this process. */
enum err_code isolate_run(isolate_work *work, void *self, struct err *e);

/* The same for work that calls plugins. Additional errors: ERR_INPUT if the work is not finished after `time_limit_s`
   (0: no limit). Processes that the work leaves behind are ended; this requires that the calling process is a reaper
   (base/orphans.h) and has no other children. */
enum err_code isolate_run_foreign(isolate_work *work, void *self, double time_limit_s, struct err *e);

/* Call in a new child of `parent`. The child will die with its parent, ignore signals from the terminal, read nothing
   and print into `said_fd`. Of all other files only `kept_fd` stays open, as descriptor 3; -1: no file. */
void isolate_become_child(pid_t parent, int said_fd, int kept_fd);

#endif
