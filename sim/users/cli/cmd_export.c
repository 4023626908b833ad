/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim export`: a database as CSV. All is in store_export, whose rows are sorted by key, so that databases with equal
   results give equal files whatever the order of their runs. */
#include "cli/command.h"
#include "store/store.h"

struct options {
    const char *database, *out;
};

static const struct command_option options[] = {
    {"out", 'o', "F.csv", "the file to write (default: standard output)", OPTION_AT(struct options, out),
     .output = true, .values = "*.csv"},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, database), .required = true, .values = "*.db"},
    {0},
};

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    return store_export(o->database, o->out, e);
}

const struct command command_export = {
    .name = "export",
    .summary = "write the results of a run as CSV",
    .size = sizeof(struct options),
    .options = options,
    .about = "Writes the results of `iasim run` as CSV: a row for each point and replication, sorted by key, numbers "
             "with 17 digits. Equal results give equal bytes, regardless of the order in which they were computed.",
    .examples = "iasim run smoke\n"
                "iasim export smoke.db --out smoke.csv\n",
    .run = run,
};
