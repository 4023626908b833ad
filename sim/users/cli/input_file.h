/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files that a command line names: here, or among those that come with iasim; and whether they are what is asked
   for. */
#ifndef IASIM_CLI_INPUT_FILE_H
#define IASIM_CLI_INPUT_FILE_H

#include "base/err.h"

/* The path of the file `given`: itself if it exists, else below the data folder, by its path or, where `values` (struct
   command_option) has a folder, by its name alone ("kreaseck-fork"). It lives until the program ends, as arguments do.
   NULL: there is no file of that name, without '/' and '.' (ERR_IO). Others are for their readers to refuse. */
const char *input_file(const char *values, const char *given, struct err *e);

/* Refuses a file that is of another kind than `values` asks for: a platform in place of a task graph, a database in
   place of a scenario. Accepts what it does not recognise. Errors: ERR_INPUT. */
enum err_code input_file_check(const char *values, const char *path, struct err *e);

#endif
