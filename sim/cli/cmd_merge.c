/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/new_file.h"
#include "cli/command.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    const char *out;
    const char **inputs;
    size_t n_inputs;
    struct store_merge_options how;
};

enum { OPT_ANY_VERSION = 256, OPT_COMPLETE, OPT_REPLACE };

static const struct argp_option options[] = {
    {"out", 'o', "ALL.db", 0, "the database to make (required); it must not exist", 0},
    {"replace", OPT_REPLACE, NULL, 0, "replace ALL.db if it exists and holds results of the same scenario", 0},
    {"complete", OPT_COMPLETE, NULL, 0, "refuse when a run of the scenario is in none of the databases", 0},
    {"any-version", OPT_ANY_VERSION, NULL, 0, "unite results of different versions of iasim", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o':
        o->out = arg;
        return 0;
    case OPT_ANY_VERSION:
        o->how.any_version = true;
        return 0;
    case OPT_COMPLETE:
        o->how.complete = true;
        return 0;
    case OPT_REPLACE:
        o->how.replace = true;
        return 0;
    case ARGP_KEY_ARG:
        o->inputs = mem_resize(o->inputs, o->n_inputs + 1, sizeof o->inputs[0]);
        o->inputs[o->n_inputs++] = arg;
        return 0;
    case ARGP_KEY_END:
        command_require(state, "out", o->out != NULL);
        if (o->n_inputs == 0)
            argp_error(state, "databases to merge are missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options,
                                 parse,
                                 "A.db B.db ...",
                                 "Unites databases of one scenario: parts made by `iasim run --shard`. A "
                                 "result that is in several must be the same "
                                 "in all; one that failed in one and worked in another has worked.\v"
                                 "Example: two halves, made on two machines:\n"
                                 "  iasim run kreaseck-fork --shard 1/2 --out 1.db\n"
                                 "  iasim run kreaseck-fork --shard 2/2 --out 2.db\n"
                                 "  iasim merge --complete --out all.db 1.db 2.db\n",
                                 NULL,
                                 NULL,
                                 NULL};

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    uint64_t n_rows = 0;
    command_parse(&argp, argc, argv, &o);
    enum err_code code = new_file_check_not_input(o.out, o.inputs, o.n_inputs, e);
    if (code == ERR_NONE)
        code = store_merge(o.out, o.inputs, o.n_inputs, &o.how, &n_rows, e);
    if (code == ERR_NONE)
        fprintf(stderr, "%" PRIu64 " runs in %s\n", n_rows, o.out);
    free(o.inputs);
    return code;
}

extern const struct command command_merge;
const struct command command_merge = {
    .name = "merge",
    .summary = "unite the databases of a scenario's parts",
    .run = run,
};
