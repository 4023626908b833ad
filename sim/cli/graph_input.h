/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of commands that take a task graph and a platform: --platform, --graph, --format, --flop-per-s. */
#ifndef IASIM_CLI_GRAPH_INPUT_H
#define IASIM_CLI_GRAPH_INPUT_H

#include "dag/format.h"

#include <argp.h>

struct graph_input {              /* begins as {0} */
    const char *platform, *graph; /* not NULL after parsing: both are required */
    const char *format;           /* NULL: name and content tell */
    struct dag_read_options reading;
};

/* A child of the command's argp, whose parser hands it its graph_input at ARGP_KEY_INIT: state->child_inputs[0]. */
extern const struct argp_child graph_input_argp[];

/* The argument of --flop-per-s. */
double graph_input_flop_per_s(struct argp_state *state, const char *arg);

/* Errors: those of dag_format_find and dag_read. */
enum err_code graph_input_read(const struct graph_input *in, struct dag *out, struct err *e);

#endif
