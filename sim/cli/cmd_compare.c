/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/new_file.h"
#include "cli/command.h"
#include "report/compare_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct words databases, wheres, ignored;
    const char *by, *metric, *reference, *csv, *profile;
    struct compare_settings settings;
    double floor;
    bool json;
};

static const struct command_option options[] = {
    {"by", 'b', "NAME", "the parameter whose values are compared; with several databases these are compared",
     OPTION_AT(struct options, by)},
    {"metric", 'm', "NAME", "the result column to compare", OPTION_AT(struct options, metric), .required = true},
    {"reference", 0, "VALUE",
     "what the others are compared with (default: the first in the order of numbers and letters; the first database)",
     OPTION_AT(struct options, reference)},
    {"pairs", 0, "reference|all", "against the reference only, or all with all (default: reference)",
     OPTION_AT(struct options, settings.all_pairs)},
    {"where", 0, "NAME=VALUE", "only such results; given again with the same name, any of the values",
     OPTION_AT(struct options, wheres)},
    {"ignore", 0, "NAME",
     "pairs need not agree in this parameter, which belongs to the variant (say, a model that goes with a scheduler)",
     OPTION_AT(struct options, ignored)},
    {"better", 0, "lower|higher", "which figures are better (default: as the metric says)",
     OPTION_AT(struct options, settings.better), .min = BETTER_LOWER},
    {"confidence", 0, "C", "of the intervals (default: 0.95)", OPTION_AT(struct options, settings.confidence),
     .min = 0.5, .max = 0.9999},
    {"bootstrap", 0, "N", "resamples for an interval (default: 2000)", OPTION_AT(struct options, settings.n_resamples),
     .min = 1, .max = 10000000},
    {"seed", 0, "S", "of the resamples (default: 1)", OPTION_AT(struct options, settings.seed),
     .max = 9000000000000000},
    {"tolerance", 0, "T", "figures that differ by this part are a tie (default: 1e-9)",
     OPTION_AT(struct options, settings.tolerance), .max = 1},
    {"floor", 0, "X",
     "figures below X count as X: for errors that are zero but for rounding, whose ratios mean nothing (default: 0)",
     OPTION_AT(struct options, floor), .max = 1e300},
    {"worst", 0, "K", "list the K worst instances against the reference (default: 5)",
     OPTION_AT(struct options, settings.n_worst), .max = 10000},
    {"csv", 0, "F.csv", "write the first table, too; analysis/compare.py draws it and the profile",
     OPTION_AT(struct options, csv), .values = "*.csv"},
    {"profile", 0, "F.csv", "write the whole performance profile, too", OPTION_AT(struct options, profile),
     .values = "*.csv"},
    {"json", 'J', NULL, "print JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, databases), .required = true, .values = "*.db"},
    {0},
};

static enum err_code check(const struct options *o, struct err *e)
{
    const struct compare_settings *s = &o->settings;
    double least = ceil(2 / (1 - s->confidence) * (1 - 1e-12)) - 1;
    if (o->databases.n == 1 && o->by == NULL)
        return err_set(e, ERR_USAGE, "option --by is missing");
    if (o->databases.n > 1 && o->by != NULL)
        return err_set(
            e, ERR_USAGE,
            "--by compares within one database; several are compared with each other (iasim merge unites them)");
    if ((double)s->n_resamples < least)
        return err_set(e, ERR_USAGE, "--bootstrap %ld is too few for --confidence %g: at least %.0f", s->n_resamples,
                       s->confidence, least);
    if (o->csv != NULL && o->profile != NULL && strcmp(o->csv, o->profile) == 0)
        return err_set(e, ERR_USAGE, "--csv and --profile are the same file");
    return ERR_NONE;
}

static const struct command_line usage = {
    .options = options,
    .about =
        "Which is better? Compares the results of `iasim run` for the values of one parameter, or those of several "
        "databases. Results are paired: two that agree in every other parameter and the replication are one "
        "instance. Prints, for each pair, the median ratio with a bootstrap confidence interval, wins, ties and "
        "losses, and Wilcoxon's signed-rank test with Holm's correction; then a performance profile (Dolan and "
        "More), in which a run that failed is never within any factor; and the worst instances, with the commands "
        "that run them again. A test takes instances for an independent sample of those one cares about: it says "
        "nothing about others, and is too sure where one graph or tree makes several (in several sizes, say), of "
        "which --where can choose one.",
    .examples = "# The policies of a farm, against the fixed one.\n"
                "iasim run smoke\n"
                "iasim compare smoke.db --by policy --metric makespan_s \\\n"
                "  --reference root_computes\n"
                "# Two versions of a scheduler.\n"
                "iasim run sinnen-smoke --out before.db\n"
                "iasim run sinnen-smoke --set 'scheduler=list[compact=off]' \\\n"
                "  --out after.db\n"
                "iasim compare before.db after.db --metric makespan_s \\\n"
                "  --where 'scheduler=list[technique=end]' \\\n"
                "  --where 'scheduler=list[compact=off]' --ignore scheduler\n",
};

static enum err_code find_better(const struct compare_data *d, struct compare_settings *s, struct err *e)
{
    if (s->better == BETTER_NONE)
        s->better = d->better;
    if (s->better != BETTER_NONE)
        return ERR_NONE;
    return err_set(e, ERR_INPUT,
                   "the metric %s does not say which figures are better: --better lower or --better higher does",
                   d->metric);
}

static enum err_code report(const struct options *o, const struct compare_report *r, struct err *e)
{
    enum err_code code = ERR_NONE;
    if (o->csv != NULL)
        code = compare_report_csv(r, o->csv, e);
    if (code == ERR_NONE && o->profile != NULL)
        code = compare_report_profile(r, o->profile, e);
    if (code == ERR_NONE && o->json)
        command_print_json(compare_report_json(r));
    else if (code == ERR_NONE)
        compare_report_print(r, stdout);
    return code;
}

static enum err_code compare(struct options *o, struct compare_data *d, struct err *e)
{
    const struct compare_query q = {.databases = o->databases.list,
                                    .n_databases = o->databases.n,
                                    .by = o->by,
                                    .metric = o->metric,
                                    .wheres = o->wheres.list,
                                    .n_wheres = o->wheres.n,
                                    .ignored = o->ignored.list,
                                    .n_ignored = o->ignored.n,
                                    .floor = o->floor};
    struct compare_result result = {0};
    enum err_code code = compare_read(&q, d, e);
    if (code == ERR_NONE)
        code = find_better(d, &o->settings, e);
    if (code == ERR_NONE && o->reference != NULL)
        code = compare_find_variant(d, o->reference, &o->settings.reference, e);
    if (code == ERR_NONE)
        code = compare_compute(d, &o->settings, &result, e);
    if (code == ERR_NONE)
        code = report(o, &(struct compare_report){d, &o->settings, &result}, e);
    compare_result_clear(&result);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {
        .settings = {.tolerance = 1e-9, .confidence = 0.95, .n_resamples = 2000, .seed = 1, .n_worst = 5}};
    struct compare_data d = {0};
    command_parse(&usage, argc, argv, &o);
    enum err_code code = check(&o, e);
    if (code == ERR_NONE)
        code = new_file_check_not_input(o.csv, o.databases.list, o.databases.n, e);
    if (code == ERR_NONE)
        code = new_file_check_not_input(o.profile, o.databases.list, o.databases.n, e);
    if (code == ERR_NONE)
        code = compare(&o, &d, e);
    compare_data_clear(&d);
    free(o.databases.list);
    free(o.wheres.list);
    free(o.ignored.list);
    return code;
}

extern const struct command command_compare;
const struct command command_compare = {
    .name = "compare",
    .summary = "which is better: paired statistics of results",
    .usage = &usage,
    .run = run,
};
