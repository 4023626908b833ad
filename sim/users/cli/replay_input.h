/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of commands that carry schedules out: those of a problem, --world, --links, --waiting, --noise. */
#ifndef IASIM_CLI_REPLAY_INPUT_H
#define IASIM_CLI_REPLAY_INPUT_H

#include "cli/noise_input.h"
#include "cli/problem_input.h"
#include "engine/replay.h"

#include <string.h>

struct replay_input { /* begins as REPLAY_INPUT_DEFAULTS */
    struct graph_input problem;
    const char *costs; /* NULL: not given */
    const char *world, *links, *waiting;
    struct noise_input noise;
};

#define REPLAY_INPUT_DEFAULTS                                                                                          \
    {                                                                                                                  \
        .problem = GRAPH_INPUT_DEFAULTS, .links = "fluid", .waiting = "passive", .noise = {                            \
            .seed = NOISE_INPUT_NO_SEED                                                                                \
        }                                                                                                              \
    }

/* clang-format off */
/* Entries of a command's table, `in` being its struct replay_input. */
#define REPLAY_INPUT_OPTIONS(of, in)                                                                                   \
    GRAPH_INPUT_OPTIONS(of, in.problem),                                                                               \
    OPTION_COSTS(of, in.costs),                                                                                        \
    OPTIONS_IR(of, in.problem.values),                                                                                 \
    {"world", 'w', "WORLD", "what communication costs the processor", OPTION_AT(of, in.world), .required = true,       \
     .values = "models:world"},                                                                                        \
    {"links", 'l', "fluid|exclusive",                                                                                  \
     "fluid (default): transfers share bandwidth; exclusive: a link carries one at a time, in the schedule's order",   \
     OPTION_AT(of, in.links)},                                                                                         \
    {"waiting", 'a', "passive|active",                                                                                 \
     "passive (default): a processor is free while data are under way; active: communication blocks, a send and a "    \
     "receive hold their processor until the last byte has arrived", OPTION_AT(of, in.waiting)},                       \
    OPTIONS_NOISE(of, in.noise)
/* clang-format on */

/* How to replay: `how` points into it, and it must stay where it is. */
struct replay_setup {
    struct problem_input input;
    struct noise noise;
    struct replay_options how; /* the schedule's path is not set */
};

/* Warns if the world finds nothing in the platform that it needs. `out`, to be cleared by the caller, is {0} after errors.
   Errors: those of world_find, noise_input_read, problem_input_open. */
enum err_code replay_input_open(const struct replay_input *in, struct replay_setup *out, struct err *e);
void replay_setup_clear(struct replay_setup *s);

static inline bool replay_input_is_active(const struct replay_input *in)
{
    return strcmp(in->waiting, "active") == 0;
}

#endif
