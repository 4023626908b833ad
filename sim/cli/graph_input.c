/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/graph_input.h"

#include "cli/command.h"

enum { OPT_FLOP_PER_S = 0x1000 }; /* apart from those of commands */

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "SimGrid platform (required)", 0},
    {"graph", 'g', "FILE", 0, "task graph (required)", 0},
    {"format", 'f', "NAME", 0, "of the graph; by default its name and content tell", 0},
    {"flop-per-s", OPT_FLOP_PER_S, "SPEED", 0,
     "the work of a second, for graphs that give times instead of work (default 1e9)", 0},
    {0},
};

double graph_input_flop_per_s(struct argp_state *state, const char *arg)
{
    return command_number(state, "flop-per-s", arg, 1e-3, 1e18);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct graph_input *in = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        in->reading.reference_flop_per_s = DAG_REFERENCE_FLOP_PER_S;
        return 0;
    case 'p':
        in->platform = command_input(arg);
        return 0;
    case 'g':
        in->graph = command_input(arg);
        return 0;
    case 'f':
        in->format = arg;
        return 0;
    case OPT_FLOP_PER_S:
        in->reading.reference_flop_per_s = graph_input_flop_per_s(state, arg);
        return 0;
    case ARGP_KEY_END:
        command_require(state, "platform", in->platform != NULL);
        command_require(state, "graph", in->graph != NULL);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

const struct argp_child graph_input_argp[] = {{&argp, 0, NULL, 0}, {0}};

enum err_code graph_input_read(const struct graph_input *in, struct dag *out, struct err *e)
{
    const struct dag_format *format = NULL;
    enum err_code code = in->format != NULL ? dag_format_find(in->format, &format, e) : ERR_NONE;
    return code == ERR_NONE ? dag_read(in->graph, format, &in->reading, out, e) : code;
}
