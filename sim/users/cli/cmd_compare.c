/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim compare`: which variant is better, by paired statistics over databases (results/compare has the definitions).
   This file checks and splits options, runs the steps (read, choose the direction, compute, report) and draws. With
   --explain schedules are compared instead, which is another command (cmd_explain.c). */
#include "base/mem.h"
#include "cli/cmd_explain.h"
#include "cli/command.h"
#include "report/compare_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct words databases, wheres, ignored;
    const char *by, *metric, *predictor, *reference, *among, *instance, *groups, *csv, *profile, *predictions, *picture;
    char *chosen;                        /* what --among says, as a condition */
    char *picture_csv, *picture_profile; /* for the picture, where --csv and --profile name no others */
    struct compare_settings settings;
    double floor;
    bool explain, json;
};

static const struct command_option options[] = {
    {"by", 'b', "A,B,..",
     "the parameters whose values, or combinations of values, are compared; with several databases these are compared",
     OPTION_AT(struct options, by)},
    {"metric", 'm', "NAME", "the result column to compare", OPTION_AT(struct options, metric), .required = true},
    {"predicted-by", 0, "NAME",
     "another result column that predicts the metric (planned_s for makespan_s): also shows how much larger the metric "
     "is, and whether this column picks the same best variant and the same order",
     OPTION_AT(struct options, predictor)},
    {"reference", 0, "VALUE",
     "the variant that the others are compared with (default: the first in numerical or alphabetical order; of "
     "databases, the first)",
     OPTION_AT(struct options, reference)},
    {"against", 0, "reference|all", "compare with the reference only, or all with all (default: reference)",
     OPTION_AT(struct options, settings.all_variants)},
    {"among", 0, "V1,V2,..",
     "only these values of --by, and the reference: leaves trivial ones out of the profile and the worst cases",
     OPTION_AT(struct options, among)},
    {"pairs", 0, "instance|all",
     "what counts as one sample: an instance, by the geometric mean of its ratios in all settings; or each case, as if "
     "the settings of an instance were independent (default: instance)",
     OPTION_AT(struct options, settings.all_cases)},
    {"instance", 0, "A,B,..",
     "the parameters that name an instance (default: what the experiment draws or reads, a graph or a farm)",
     OPTION_AT(struct options, instance)},
    {"group-by", 0, "P1,P2,..", "compare separately for each value of these parameters (for example ccr,platform)",
     OPTION_AT(struct options, groups)},
    {"where", 0, "NAME=V,LOW:HIGH,..",
     "only results with one of these values or in one of these ranges; may be given several times",
     OPTION_AT(struct options, wheres)},
    {"ignore", 0, "NAME",
     "cases need not agree in this parameter, which belongs to the variant (for example a model that goes with a "
     "scheduler)",
     OPTION_AT(struct options, ignored)},
    {"better", 0, "lower|higher", "which figures are better (default: as the metric says)",
     OPTION_AT(struct options, settings.better), .min = BETTER_LOWER},
    {"confidence", 0, "C", "confidence level of the intervals (default: 0.95)",
     OPTION_AT(struct options, settings.confidence), .min = 0.5, .max = 0.9999},
    {"bootstrap", 0, "N", "bootstrap resamples per interval (default: 2000)",
     OPTION_AT(struct options, settings.n_resamples), .min = 1, .max = 10000000},
    {"seed", 0, "S", "seed of the resamples (default: 1)", OPTION_AT(struct options, settings.seed),
     .max = 9000000000000000},
    {"tolerance", 0, "T", "figures that differ by at most this fraction are a tie (default: 1e-9)",
     OPTION_AT(struct options, settings.tolerance), .max = 1},
    {"floor", 0, "X",
     "figures below X count as X: for errors that are zero except for rounding, whose ratios mean nothing (default: 0)",
     OPTION_AT(struct options, floor), .max = 1e300},
    {"worst", 0, "K", "list the K worst cases against the reference (default: 5)",
     OPTION_AT(struct options, settings.n_worst), .max = 10000},
    {"csv", 0, "F.csv", "also write the first table", OPTION_AT(struct options, csv), .output = true,
     .values = "*.csv"},
    {"profile", 0, "F.csv", "also write the whole performance profile", OPTION_AT(struct options, profile),
     .output = true, .values = "*.csv"},
    {"predictions", 0, "F.csv", "also write the tables of --predicted-by", OPTION_AT(struct options, predictions),
     .output = true, .values = "*.csv"},
    {"picture", 0, "NAME",
     "draw NAME.svg and NAME.png, from NAME.csv and NAME-profile.csv; with --group-by P1,P2 lines over P1, a panel for "
     "each P2 (needs python3-matplotlib)",
     OPTION_AT(struct options, picture), .prefix = true, .values = "*"},
    COMPARE_OPTION_EXPLAIN(struct options, explain),
    {"json", 'j', NULL, "print JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, databases), .required = true, .values = "*.db"},
    {0},
};

static enum err_code check(const struct options *o, struct err *e)
{
    const struct compare_settings *s = &o->settings;
    /* A percentile interval takes the k-th smallest and largest resample, k = (n + 1) (1 - C) / 2; with fewer than this
       k is below 1 (stats/bootstrap.c). The factor absorbs the rounding of 1 - C: 39 suffice for 0.95. */
    double least = ceil(2 / (1 - s->confidence) * (1 - 1e-12)) - 1;
    if (o->databases.n == 1 && o->by == NULL)
        return err_set(e, ERR_USAGE, "option --by is missing");
    if (o->databases.n > 1 && o->by != NULL)
        return err_set(
            e, ERR_USAGE,
            "--by compares within one database; several are compared with each other (iasim merge unites them)");
    if (o->among != NULL && o->by == NULL)
        return err_set(e, ERR_USAGE,
                       "--among chooses among the values of --by; with several databases, name only those to compare");
    if (o->among != NULL && strchr(o->by, ',') != NULL)
        return err_set(e, ERR_USAGE, "--among needs a single parameter in --by; --where chooses values of several");
    if ((double)s->n_resamples < least)
        return err_set(e, ERR_USAGE, "--bootstrap %ld is too few for --confidence %g: at least %.0f", s->n_resamples,
                       s->confidence, least);
    if (o->predictions != NULL && o->predictor == NULL)
        return err_set(e, ERR_USAGE, "--predictions writes the tables of --predicted-by, which is missing");
    return ERR_NONE;
}

/* The metric's own direction, unless --better says another. A database of an unknown metric has none, and wins without
   a direction mean nothing. */
static enum err_code find_better(const struct compare_data *d, struct compare_settings *s, struct err *e)
{
    if (s->better == BETTER_NONE)
        s->better = d->better;
    if (s->better != BETTER_NONE)
        return ERR_NONE;
    return err_set(e, ERR_INPUT,
                   "for the metric %s neither direction is better: give --better lower or --better higher", d->metric);
}

/* Files before the terminal: what is printed last says that all is done. */
static enum err_code report(const struct options *o, const struct compare_report *r, struct err *e)
{
    enum err_code code = ERR_NONE;
    if (o->csv != NULL)
        code = compare_report_csv(r, o->csv, e);
    if (code == ERR_NONE && o->profile != NULL)
        code = compare_report_profile(r, o->profile, e);
    if (code == ERR_NONE && o->predictions != NULL)
        code = compare_report_prediction(r, o->predictions, e);
    if (code == ERR_NONE && o->json)
        command_print_json(compare_report_json(r));
    else if (code == ERR_NONE)
        compare_report_print(r, stdout);
    return code;
}

/* --among is a --where on the compared parameter, "policy=bwc,ia_multi,fcfs", with the reference added: without its
   rows there would be nothing to compare with. */
static void choose_variants(struct options *o)
{
    if (o->among == NULL)
        return;
    o->chosen = mem_format("%s=%s%s%s", o->by, o->among, o->reference ? "," : "", o->reference ? o->reference : "");
    words_add(&o->wheres, o->chosen);
}

struct names { /* the words of "a,b" */
    char *text;
    struct words words;
};

/* strsep cuts the copy in place; the words point into it. NULL has no words, "" has one empty word. */
static struct names split(const char *list)
{
    struct names n = {.text = list != NULL ? mem_strdup(list) : NULL};
    for (char *rest = n.text; rest != NULL;)
        words_add(&n.words, strsep(&rest, ","));
    return n;
}

static void names_clear(struct names *n)
{
    free(n->words.list);
    free(n->text);
}

/* The picture is drawn from the two CSV files by a script, so they must exist; they keep the names that the user
   gave. */
static void name_files(struct options *o)
{
    if (o->picture == NULL)
        return;
    o->picture_csv = mem_format("%s.csv", o->picture);
    o->picture_profile = mem_format("%s-profile.csv", o->picture);
    o->csv = o->csv != NULL ? o->csv : o->picture_csv;
    o->profile = o->profile != NULL ? o->profile : o->picture_profile;
}

/* The figures are safe in their files by now, so a missing matplotlib costs only the picture; the script has printed
   why. */
static enum err_code draw(const struct options *o, struct err *e)
{
    const char *const args[] = {o->csv, o->profile, "--out", o->picture, NULL};
    if (o->picture == NULL || command_run_script("analysis/compare.py", args))
        return ERR_NONE;
    return err_set(e, ERR_IO, "%s.svg was not drawn; %s and %s have the figures", o->picture, o->csv, o->profile);
}

static enum err_code compare(struct options *o, struct compare_data *d, struct err *e)
{
    struct names by = split(o->by), instance = split(o->instance), groups = split(o->groups);
    const struct compare_query q = {.databases = o->databases.list,
                                    .n_databases = o->databases.n,
                                    .by = by.words.list,
                                    .n_by = by.words.n,
                                    .metric = o->metric,
                                    .predictor = o->predictor,
                                    .wheres = o->wheres.list,
                                    .n_wheres = o->wheres.n,
                                    .ignored = o->ignored.list,
                                    .n_ignored = o->ignored.n,
                                    .instance = instance.words.list,
                                    .n_instance = instance.words.n,
                                    .groups = groups.words.list,
                                    .n_groups = groups.words.n,
                                    .floor = o->floor};
    struct compare_result result = {0};
    struct prediction prediction = {0};
    /* The settings are read through o->settings: find_better and the reference are filled in on the way. */
    enum err_code code = compare_read(&q, d, e);
    if (code == ERR_NONE)
        code = find_better(d, &o->settings, e);
    if (code == ERR_NONE && o->reference != NULL)
        code = compare_find_variant(d, o->reference, &o->settings.reference, e);
    if (code == ERR_NONE)
        code = compare_compute(d, &o->settings, &result, e);
    if (code == ERR_NONE && o->predictor != NULL)
        prediction_compute(d, &o->settings, &prediction);
    if (code == ERR_NONE)
        code =
            report(o, &(struct compare_report){d, &o->settings, &result, o->predictor != NULL ? &prediction : NULL}, e);
    /* Before the script prints to the same place. */
    fflush(stdout);
    if (code == ERR_NONE)
        code = draw(o, e);
    compare_result_clear(&result);
    prediction_clear(&prediction);
    names_clear(&by);
    names_clear(&instance);
    names_clear(&groups);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct compare_data d = {0};
    name_files(o);
    enum err_code code = check(o, e);
    if (code == ERR_NONE) {
        choose_variants(o);
        code = compare(o, &d, e);
    }
    compare_data_clear(&d);
    free(o->chosen);
    free(o->picture_csv);
    free(o->picture_profile);
    return code;
}

/* Schedules have other options than databases: the whole line is for the other command. An abbreviation of --explain
   counts from "--ex" on. */
static const struct command *instead(int argc, char **argv)
{
    static const char option[] = "--explain";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strlen(argv[i]) >= sizeof "--ex" - 1 && strncmp(option, argv[i], strlen(argv[i])) == 0)
            return &command_compare_schedules;
    return NULL;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compare results: which is better, by paired statistics",
    .size = sizeof(struct options),
    .defaults =
        &(const struct options){
            .settings = {.tolerance = 1e-9, .confidence = 0.95, .n_resamples = 2000, .seed = 1, .n_worst = 5}},
    .options = options,
    .about =
        "Which is better? Compares the results of `iasim run` for the values of a parameter, or for the combinations "
        "of values of several, or those of several databases. Results that agree in every other parameter and in the "
        "replication are a case. What a case is about is its instance: the graph or farm that was drawn or read. The "
        "other parameters are its setting: the CCR, a size, the world. Instances are the sample, because settings of "
        "one instance are not independent: each instance gives one pair, the geometric mean of its ratios over all "
        "settings. Prints, for each variant, the median ratio of the pairs with a bootstrap confidence interval, wins, "
        "ties and losses, and the p-value of Wilcoxon's signed-rank test with Holm's correction; then a performance "
        "profile of the cases (Dolan and More), in which a run that failed is never within any factor; and the worst "
        "cases, with the commands that run them again. --predicted-by adds how well another column predicts the "
        "metric: the ratio of the two for each variant, and for all variants Spearman's rank correlation of their "
        "orders, how often the best one by that column is the best one, and what choosing it costs.",
    .examples = "# The policies on random trees.\n"
                "iasim run random-trees\n"
                "iasim compare random-trees.db --by policy --metric makespan_s \\\n"
                "  --reference fcfs --among bwc,ia_single,ia_multi\n"
                "# The same for each size of transfers and of computing; for some trees.\n"
                "iasim compare random-trees.db --by policy --metric makespan_s \\\n"
                "  --reference fcfs --group-by send_size,compute_size\n"
                "iasim compare random-trees.db --by policy --metric makespan_s \\\n"
                "  --reference fcfs --where send_size=1,5 --where instance=1:20\n"
                "# A scheduler with what it believes, against another one.\n"
                "iasim run sinnen-smoke\n"
                "iasim compare sinnen-smoke.db --by scheduler,model \\\n"
                "  --metric makespan_s \\\n"
                "  --reference 'list[technique=insertion] involvement'\n"
                "# Do plans keep their promise? In the world, is the shortest plan still the\n"
                "# shortest, and are the schedulers in the same order?\n"
                "iasim compare sinnen-smoke.db --by scheduler,model \\\n"
                "  --metric makespan_s --predicted-by planned_s --group-by ccr\n"
                "# Two versions of a scheduler.\n"
                "iasim run sinnen-smoke --out before.db\n"
                "iasim run sinnen-smoke --set 'scheduler=list[compact=off]' \\\n"
                "  --out after.db\n"
                "iasim compare before.db after.db --metric makespan_s \\\n"
                "  --where 'scheduler=list[technique=end],list[compact=off]' \\\n"
                "  --ignore scheduler\n" COMPARE_EXPLAIN_EXAMPLE,
    .run = run,
    .instead = instead,
};
