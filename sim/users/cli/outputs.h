/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that a command writes, before it works: so that nothing is lost, and no work is in vain. */
#ifndef IASIM_CLI_OUTPUTS_H
#define IASIM_CLI_OUTPUTS_H

#include "cli/options.h"

/* Of each file that an option with `output` names, `into` being the options: it is none of the inputs, can be written,
   and ends as its options' `values` say if it is a chart; no two are the same file, by whatever names. Errors:
   ERR_USAGE, ERR_IO. */
enum err_code outputs_check(const struct command_option *options, const void *into, struct err *e);

#endif
