/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim merge`: one database from those of parts. The rules (which results may stand beside each other, which of two
   for one point wins) are store_merge's; the flags here loosen them one by one. */
#include "cli/command.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>

struct options {
    const char *out;
    struct words inputs;
    struct store_merge_options how;
};

static const struct command_option options[] = {
    {"out", 'o', "ALL.db", "the database to make; it must not exist", OPTION_AT(struct options, out), .output = true,
     .required = true, .values = "*.db"},
    {"replace", 0, NULL, "replace ALL.db if it exists and holds results of the same scenario",
     OPTION_AT(struct options, how.replace)},
    {"complete", 0, NULL, "refuse when a run of the scenario is in none of the databases",
     OPTION_AT(struct options, how.complete)},
    {"any-version", 0, NULL, "unite results of different versions of iasim",
     OPTION_AT(struct options, how.any_version)},
    {"any-points", 0, NULL, "unite results of one scenario with other values, files or plugins (--set, --plugin)",
     OPTION_AT(struct options, how.any_points)},
    {NULL, 0, "A.db", "a database", OPTION_AT(struct options, inputs), .required = true, .values = "*.db"},
    {0},
};

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    uint64_t n_rows = 0;
    enum err_code code = ERR_NONE;
    /* Completeness is asked of one list of points; databases of other points have several. */
    if (o->how.complete && o->how.any_points)
        code = err_set(e, ERR_USAGE, "--complete needs databases of the same points; --any-points unites others");
    if (code == ERR_NONE)
        code = store_merge(o->out, o->inputs.list, o->inputs.n, &o->how, &n_rows, e);
    if (code == ERR_NONE)
        fprintf(stderr, "%" PRIu64 " runs in %s\n", n_rows, o->out);
    return code;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "unite the databases of a scenario's parts",
    .size = sizeof(struct options),
    .options = options,
    .about = "Unites databases of one scenario: parts made by `iasim run --shard`. A result that is in several must be "
             "the same in all; one that failed in one and worked in another has worked.",
    .examples = "# Two halves, as if made on two machines.\n"
                "iasim run smoke --shard 1/2 --out 1.db\n"
                "iasim run smoke --shard 2/2 --out 2.db\n"
                "iasim merge --complete --out all.db 1.db 2.db\n"
                "\n"
                "# Two sweeps of other points, to compare their results.\n"
                "iasim run smoke --set policy=bwc --out bwc.db\n"
                "iasim run smoke --set policy=fcfs --out fcfs.db\n"
                "iasim merge --any-points --out both.db bwc.db fcfs.db\n",
    .run = run,
};
