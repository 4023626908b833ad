/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A child process around everything that uses SimGrid. SimGrid aborts on some inputs and prints pages while doing
   so; the guard turns that into an ordinary error, and nothing of the caller is lost. */
#ifndef IASIM_ENGINE_GUARD_H
#define IASIM_ENGINE_GUARD_H

#include "base/err.h"

/* Runs `work(self, e)` in a forked child and gives back its code and error. The child writes to the same stdout and
   stderr (through its own stdio buffers, flushed at its end); what SimGrid itself says on stderr is held back and
   shown only if the child does not end in good order. If `work` calls exit (argp does, for --help and for wrong
   options), so does the guard, with the same status. Errors of the guard: ERR_INPUT when SimGrid aborted (with its
   words, and the file), ERR_INTERNAL for any other death of the child. */
enum err_code guard_run(enum err_code (*work)(void *self, struct err *e), void *self, struct err *e);

/* In the child: the file that messages name when SimGrid aborts from now on. Does nothing where there is no guard. */
void guard_set_file(const char *name);

/* In the child: between these two, which may nest, `stderr` is what is held back. SimGrid writes there, and
   remembers it when loaded. */
void guard_enter_simgrid(void);
void guard_leave_simgrid(void);

#endif
