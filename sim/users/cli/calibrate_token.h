/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The token of a calibration, as its two sides are given it. The words of a command are in the list of processes, which
   every user of the machine can read; files and the environment are not. */
#ifndef IASIM_CLI_CALIBRATE_TOKEN_H
#define IASIM_CLI_CALIBRATE_TOKEN_H

#include "base/err.h"
#include "calibrate/protocol.h"

/* `out` is --token, what is in the file of --token-file, or the environment variable IASIM_TOKEN; "": none of them is
   given. Errors: ERR_USAGE: two are, or it is not a token; ERR_IO: the file cannot be read. */
enum err_code calibrate_find_token(const char *option, const char *file, char out[PROTOCOL_TOKEN + 1], struct err *e);

#endif
