/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/new_file.h"
#include "cli/command.h"
#include "store/store.h"

struct options {
    const char *database, *out;
};

static const struct argp_option options[] = {
    {"out", 'o', "F.csv", 0, "the file to write (default: standard output)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o':
        o->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (o->database != NULL)
            argp_error(state, "one database at a time: '%s' is a second one (iasim merge unites them)", arg);
        o->database = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->database == NULL)
            argp_error(state, "a database is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "R.db",
    "Writes the results of `iasim run` as CSV: a row for each point and replication, sorted by key, numbers "
    "with 17 "
    "digits. The same results are the same bytes, in whatever order they were computed.\v"
    "Example:\n"
    "  iasim export kreaseck-fork.db --out kreaseck-fork.csv\n",
    NULL,
    NULL,
    NULL};

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    command_parse(&argp, argc, argv, &o);
    enum err_code code = new_file_check_not_input(o.out, &o.database, 1, e);
    return code == ERR_NONE ? store_export(o.database, o.out, e) : code;
}

extern const struct command command_export;
const struct command command_export = {
    .name = "export",
    .summary = "write the results of a run as CSV",
    .run = run,
};
