/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/new_file.h"
#include "cli/command.h"
#include "report/compare_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct list {
    const char **items;
    size_t n;
};

struct options {
    struct list databases, wheres, ignored;
    const char *by, *metric, *reference, *csv, *profile;
    struct compare_settings settings;
    double floor;
    bool json;
};

enum {
    OPT_REFERENCE = 256,
    OPT_PAIRS,
    OPT_WHERE,
    OPT_IGNORE,
    OPT_BETTER,
    OPT_CONFIDENCE,
    OPT_BOOTSTRAP,
    OPT_SEED,
    OPT_TOLERANCE,
    OPT_FLOOR,
    OPT_WORST,
    OPT_CSV,
    OPT_PROFILE,
};

static const struct argp_option options[] = {
    {"by", 'b', "NAME", 0, "the parameter whose values are compared; with several databases these are compared", 0},
    {"metric", 'm', "NAME", 0, "the result column to compare", 0},
    {"reference", OPT_REFERENCE, "VALUE", 0,
     "what the others are compared with (default: the first in the order of numbers and letters; the first database)",
     0},
    {"pairs", OPT_PAIRS, "reference|all", 0, "against the reference only, or all with all (default: reference)", 0},
    {"where", OPT_WHERE, "NAME=VALUE", 0, "only such results; given again with the same name, any of the values", 0},
    {"ignore", OPT_IGNORE, "NAME", 0,
     "pairs need not agree in this parameter, which belongs to the variant (say, a model that goes with a scheduler)",
     0},
    {"better", OPT_BETTER, "lower|higher", 0, "which figures are better (default: as the metric says)", 0},
    {"confidence", OPT_CONFIDENCE, "C", 0, "of the intervals (default: 0.95)", 0},
    {"bootstrap", OPT_BOOTSTRAP, "N", 0, "resamples for an interval (default: 2000)", 0},
    {"seed", OPT_SEED, "S", 0, "of the resamples (default: 1)", 0},
    {"tolerance", OPT_TOLERANCE, "T", 0, "figures that differ by this part are a tie (default: 1e-9)", 0},
    {"floor", OPT_FLOOR, "X", 0,
     "figures below X count as X: for errors that are zero but for rounding, whose ratios mean nothing (default: 0)",
     0},
    {"worst", OPT_WORST, "K", 0, "list the K worst instances against the reference (default: 5)", 0},
    {"csv", OPT_CSV, "F.csv", 0, "write the first table, too; analysis/compare.py draws it and the profile", 0},
    {"profile", OPT_PROFILE, "F.csv", 0, "write the whole performance profile, too", 0},
    {"json", 'J', NULL, 0, "print JSON", 0},
    {0},
};

static void add(struct list *l, const char *item)
{
    l->items = mem_resize(l->items, l->n + 1, sizeof l->items[0]);
    l->items[l->n++] = item;
}

static bool choose(struct argp_state *state, const char *option, const char *arg, const char *no, const char *yes)
{
    if (strcmp(arg, no) != 0 && strcmp(arg, yes) != 0)
        argp_error(state, "--%s '%s' is neither '%s' nor '%s'", option, arg, no, yes);
    return strcmp(arg, yes) == 0;
}

static void check_arguments(struct argp_state *state, const struct options *o)
{
    const struct compare_settings *s = &o->settings;
    double least = ceil(2 / (1 - s->confidence) * (1 - 1e-12)) - 1;
    if (o->databases.n == 0)
        argp_error(state, "a database is missing");
    command_require(state, "metric", o->metric != NULL);
    if (o->databases.n == 1)
        command_require(state, "by", o->by != NULL);
    else if (o->by != NULL)
        argp_error(state,
                   "--by compares within one database; several are compared with each other (iasim merge unites them)");
    if ((double)s->n_resamples < least)
        argp_error(state, "--bootstrap %ld is too few for --confidence %g: at least %.0f", s->n_resamples,
                   s->confidence, least);
    if (o->csv != NULL && o->profile != NULL && strcmp(o->csv, o->profile) == 0)
        argp_error(state, "--csv and --profile are the same file");
}

static error_t parse_statistics(int key, char *arg, struct argp_state *state, struct compare_settings *s)
{
    switch (key) {
    case OPT_PAIRS:
        s->all_pairs = choose(state, "pairs", arg, "reference", "all");
        return 0;
    case OPT_BETTER:
        s->better = choose(state, "better", arg, "lower", "higher") ? BETTER_HIGHER : BETTER_LOWER;
        return 0;
    case OPT_CONFIDENCE:
        s->confidence = command_number(state, "confidence", arg, 0.5, 0.9999);
        return 0;
    case OPT_BOOTSTRAP:
        s->n_resamples = command_integer(state, "bootstrap", arg, 1, 10000000);
        return 0;
    case OPT_SEED:
        s->seed = (uint64_t)command_integer(state, "seed", arg, 0, 9000000000000000);
        return 0;
    case OPT_TOLERANCE:
        s->tolerance = command_number(state, "tolerance", arg, 0, 1);
        return 0;
    case OPT_WORST:
        s->n_worst = (size_t)command_integer(state, "worst", arg, 0, 10000);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'b':
        o->by = arg;
        return 0;
    case 'm':
        o->metric = arg;
        return 0;
    case OPT_REFERENCE:
        o->reference = arg;
        return 0;
    case OPT_WHERE:
        add(&o->wheres, arg);
        return 0;
    case OPT_IGNORE:
        add(&o->ignored, arg);
        return 0;
    case OPT_FLOOR:
        o->floor = command_number(state, "floor", arg, 0, 1e300);
        return 0;
    case OPT_CSV:
        o->csv = arg;
        return 0;
    case OPT_PROFILE:
        o->profile = arg;
        return 0;
    case 'J':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        add(&o->databases, arg);
        return 0;
    case ARGP_KEY_END:
        check_arguments(state, o);
        return 0;
    default:
        return parse_statistics(key, arg, state, &o->settings);
    }
}

static const struct argp argp = {
    options,
    parse,
    "R.db\nA.db B.db ...",
    "Which is better? Compares the results of `iasim run` for the values of one parameter, or those of several "
    "databases. Results are paired: two that agree in every other parameter and the replication are one instance. "
    "Prints, for each pair, the median ratio with a bootstrap confidence interval, wins, ties and losses, and "
    "Wilcoxon's "
    "signed-rank test with Holm's correction; then a performance profile (Dolan and More), in which a run that "
    "failed is never within any factor; and the worst instances, with the commands that run them again. A test "
    "takes instances for an independent sample of those one cares about: it says nothing about others, and is too "
    "sure where one graph or tree makes several (in several sizes, say), of which --where can choose one.\v"
    "Example: the policies of a farm, against the fixed one:\n"
    "  iasim run kreaseck-fork\n"
    "  iasim compare kreaseck-fork.db --by policy --metric makespan_s --reference root_computes\n"
    "Two versions of a scheduler:\n"
    "  iasim run sinnen-smoke --out before.db\n"
    "  iasim run sinnen-smoke --set scheduler=list[compact=off] --out after.db\n"
    "  iasim compare before.db after.db --metric makespan_s --where scheduler=list[technique=end]\n"
    "      --where scheduler=list[compact=off] --ignore scheduler\n",
    NULL,
    NULL,
    NULL};

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
    const struct compare_query q = {.databases = o->databases.items,
                                    .n_databases = o->databases.n,
                                    .by = o->by,
                                    .metric = o->metric,
                                    .wheres = o->wheres.items,
                                    .n_wheres = o->wheres.n,
                                    .ignored = o->ignored.items,
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
    command_parse(&argp, argc, argv, &o);
    enum err_code code = new_file_check_not_input(o.csv, o.databases.items, o.databases.n, e);
    if (code == ERR_NONE)
        code = new_file_check_not_input(o.profile, o.databases.items, o.databases.n, e);
    if (code == ERR_NONE)
        code = compare(&o, &d, e);
    compare_data_clear(&d);
    free(o.databases.items);
    free(o.wheres.items);
    free(o.ignored.items);
    return code;
}

extern const struct command command_compare;
const struct command command_compare = {
    .name = "compare",
    .summary = "which is better: paired statistics of results",
    .run = run,
};
