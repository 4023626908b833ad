/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/new_file.h"
#include "cli/command.h"
#include "store/store.h"

struct options {
    const char *database, *out;
};

static const struct command_option options[] = {
    {"out", 'o', "F.csv", "the file to write (default: standard output)", OPTION_AT(struct options, out),
     .values = "*.csv"},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, database), .required = true, .values = "*.db"},
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about = "Writes the results of `iasim run` as CSV: a row for each point and replication, sorted by key, numbers "
             "with 17 digits. Equal results give equal bytes, regardless of the order in which they were computed.",
    .examples = "iasim run smoke\n"
                "iasim export smoke.db --out smoke.csv\n",
};

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    command_parse(&usage, argc, argv, &o);
    enum err_code code = new_file_check_not_input(o.out, &o.database, 1, e);
    return code == ERR_NONE ? store_export(o.database, o.out, e) : code;
}

extern const struct command command_export;
const struct command command_export = {
    .name = "export",
    .summary = "write the results of a run as CSV",
    .usage = &usage,
    .run = run,
};
