/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of commands that take a task graph and a platform: --platform, --graph, --format,
   --flop-per-s, --overhead, --involvement. */
#ifndef IASIM_CLI_GRAPH_INPUT_H
#define IASIM_CLI_GRAPH_INPUT_H

#include "cli/machine_input.h"
#include "cli/options.h"
#include "dag/format.h"

struct graph_input {              /* begins as GRAPH_INPUT_DEFAULTS */
    const char *platform, *graph; /* not NULL after parsing: both are required */
    const char *format;           /* NULL: from name and content */
    struct dag_read_options reading;
    struct machine_values values; /* of all hosts */
};

#define GRAPH_INPUT_DEFAULTS                                                                                           \
    {                                                                                                                  \
        .reading = { DAG_REFERENCE_FLOP_PER_S }                                                                        \
    }

/* clang-format off */
#define OPTION_FLOP_PER_S(of, field)                                                                                   \
    {"flop-per-s", 0, "SPEED", "the work of a second, for graphs that give times instead of work (default 1e9)",       \
     OPTION_AT(of, field), .min = 1e-3, .max = 1e18}
#define OPTION_COSTS(of, field)                                                                                        \
    {"costs", 0, "FILE.csv", "seconds of each task on each host, instead of work / speed: a header task,HOST,HOST,..., "\
     "then a line for each task; an empty cell forbids the host", OPTION_AT(of, field), .shipped = true,               \
     .values = "*.csv"}
#define GRAPH_FILES "*.dot *.dax *.xml *.json *.stg"

/* Entries of a command's table, `in` being its struct graph_input. */
#define GRAPH_INPUT_OPTIONS(of, in)                                                                                    \
    OPTION_PLATFORM(of, in.platform),                                                                                  \
    {"graph", 'g', "FILE", "task graph", OPTION_AT(of, in.graph), .required = true, .shipped = true,                   \
     .values = GRAPH_FILES},                                                                                           \
    {"format", 'f', "NAME", "format of the graph (default: what its name and content say)",                            \
     OPTION_AT(of, in.format), .values = "graph_formats"},                                                             \
    OPTION_FLOP_PER_S(of, in.reading.reference_flop_per_s),                                                            \
    OPTIONS_OCCUPATION(of, in.values)
/* clang-format on */

/* Errors: those of dag_format_find and dag_read. */
enum err_code graph_input_read(const struct graph_input *in, struct dag *out, struct err *e);

#endif
