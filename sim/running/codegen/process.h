/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs another program in a folder, with a deadline. */
#ifndef IASIM_CODEGEN_PROCESS_H
#define IASIM_CODEGEN_PROCESS_H

#include "base/err.h"

#include <stdbool.h>

struct process_end {
    bool was_late; /* it was ended because the deadline had passed */
    int status;    /* of waitpid */
};

/* Runs words[0], found in the PATH, in `folder`; what it prints goes to the file `log` there. When `deadline_s` has
   passed, or this process gets a signal to end, the program and its children are asked to end (SIGTERM) and then
   made to (SIGKILL), and so are processes that it leaves behind. After a signal this process ends, too. Errors:
   ERR_IO. */
enum err_code process_run(const char *const *words, const char *folder, const char *log, double deadline_s,
                          struct process_end *end, struct err *e);

#endif
