/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options --noise and --seed, of commands that simulate what was planned. */
#ifndef IASIM_CLI_NOISE_INPUT_H
#define IASIM_CLI_NOISE_INPUT_H

#include "cli/options.h"
#include "models/noise.h"

struct noise_input {
    const char *text; /* NULL: not given */
    uint64_t seed;
};

/* For a command's defaults: no --seed given. */
#define NOISE_INPUT_NO_SEED UINT64_MAX

/* clang-format off */
#define OPTIONS_NOISE(of, in)                                                                                          \
    {"noise", 'N', "KIND=CV,..", NOISE_SYNTAX ": " NOISE_MEANING, OPTION_AT(of, in.text), .values = "noise"},                             \
    {"seed", 's', "S", "of --noise: the same seed gives the same noise (default 1)", OPTION_AT(of, in.seed),           \
     .max = 9223372036854774784.0}
/* clang-format on */

/* `out` is {0}, no noise, if --noise is not given. Errors: ERR_INPUT for --seed alone, those of noise_parse. */
enum err_code noise_input_read(const struct noise_input *in, struct noise *out, struct err *e);

#endif
