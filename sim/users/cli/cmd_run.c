/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim run`: a sweep. The points and their order are the scenario's, processes and storage are results/sweep's; here
   are options, progress, the summary at the end and what an interruption or failed points mean for the exit status. */
#include "base/mem.h"
#include "cli/command.h"
#include "report/point_report.h"
#include "report/progress.h"
#include "report/summary.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
    const char *scenario, *out, *only;
    struct words sets;
    struct run_options run;
    enum progress_style progress;
    bool quiet, json;
};

/* "2/10": the second of ten parts. Both numbers go to fields of one struct, so the option has a reader of its own. */
static enum err_code parse_shard(const char *arg, void *field, struct err *e)
{
    struct run_options *run = field;
    char *text = mem_strdup(arg), *slash = strchr(text, '/');
    enum err_code code = ERR_NONE;
    if (slash != NULL)
        *slash = '\0';
    if (slash == NULL || !text_to_long(text, &run->shard) || !text_to_long(slash + 1, &run->n_shards))
        code = err_set(e, ERR_USAGE, "'%s' is not of the form I/N", arg);
    /* No scenario has more points, so further parts would be empty. */
    else if (run->n_shards < 1 || run->n_shards > SCENARIO_MAX_POINTS || run->shard < 1 || run->shard > run->n_shards)
        code = err_set(e, ERR_USAGE, "%s is out of range: I of I/N must be between 1 and N, N between 1 and %lld", arg,
                       (long long)SCENARIO_MAX_POINTS);
    run->single_file = true; /* parts are run on clusters */
    free(text);
    return code;
}

static const struct command_option options[] = {
    {"out", 'o', "R.db", "the database for the results (default: NAME.db of the scenario, here)",
     OPTION_AT(struct options, out), .values = "*.db"},
    {"jobs", 'J', "N", "run N points at a time (default: one per processor)",
     OPTION_AT(struct options, run.pool.n_jobs), .min = 1, .max = 1000},
    {"set", 0, "NAME=VALUE[,VALUE..]",
     "replaces the scenario's values of the parameter NAME; several values make a sweep, and so does a range of "
     "numbers: FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR. `seed` and `replications` can be set as well. Relative file "
     "names refer to the current directory",
     OPTION_AT(struct options, sets)},
    {"shard", 0, "I/N", "run only part I (1 to N) of N equal parts; `iasim merge` unites their databases",
     OPTION_AT(struct options, run), .parse = parse_shard},
    {"resume", 0, NULL,
     "continue with an existing database: run what is missing or failed. The sweep may be wider than before",
     OPTION_AT(struct options, run.resume)},
    {"time-limit", 0, "S", "a point that takes longer fails (default: no limit; 60 with --plugin)",
     OPTION_AT(struct options, run.pool.time_limit_s), .min = 0.001, .max = 1e9},
    {"only", 0, "KEY[/REPLICATION]",
     "run only this point and print its parameters and figures; the first 6 digits of the key suffice where they are "
     "unique. Nothing is stored without --out",
     OPTION_AT(struct options, only)},
    {"progress", 0, "none|bar|json",
     "show progress on stderr (default: a bar on a terminal, else nothing). json: at most two lines a second and one "
     "at the end, each an object of done, total, passed (of those done: stored before), failed, rate_per_s, elapsed_s, "
     "remaining_s (null: not known)",
     OPTION_AT(struct options, progress), .min = PROGRESS_NONE},
    {"quiet", 'q', NULL, "the same as --progress none", OPTION_AT(struct options, quiet)},
    {"json", 'j', NULL, "print the summary as JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "SCENARIO", "a scenario", OPTION_AT(struct options, scenario), .required = true,
     .values = "scenarios/ *.xml /"},
    {0},
};

static enum err_code check(const struct options *o, struct err *e)
{
    if (o->only != NULL && o->run.n_shards > 1)
        return err_set(e, ERR_USAGE, "--only runs one point and --shard a part of all points: give one of them");
    if (o->only != NULL && o->run.resume && o->out == NULL)
        return err_set(e, ERR_USAGE, "--resume continues a database, but --only stores nothing without --out");
    return ERR_NONE;
}

static void show(void *self, const struct run_progress *p)
{
    const struct progress_counts counts = {p->n_total, p->n_passed, p->n_done, p->n_failed};
    progress_show(self, &counts);
}

static enum err_code print(const struct options *o, const struct summary *s, struct err *e)
{
    json_t *root = NULL;
    if (!o->json)
        return summary_print(s, stdout, e);
    enum err_code code = summary_json(s, &root, e);
    if (code == ERR_NONE)
        command_print_json(root);
    return code;
}

/* Failed points are results, stored with their messages; the summary says how many, and the status is 1. After an
   interruption there is no summary: it would be one of some runs. */
static enum err_code conclude(const struct options *o, const struct summary *s, enum err_code code, struct err *e)
{
    const struct run_progress *p = s->progress;
    if (code == ERR_INTERRUPTED)
        return err_set(e, code, "interrupted: %" PRIu64 " of %" PRIu64 " runs are in %s; --resume continues",
                       p->n_passed + p->n_done, p->n_total, s->database);
    code = print(o, s, e);
    return code == ERR_NONE && p->n_failed > 0 ? ERR_NO : code;
}

static enum err_code run_and_conclude(struct options *o, const struct scenario *s, const char *database, struct err *e)
{
    struct progress bar;
    struct run_progress progress;
    struct store *store = NULL;
    /* Its own error, so that an interruption, which is no failure of the sweep, leaves `e` free for its message. */
    struct err found = {0};
    o->run.database = database;
    o->run.progress = show;
    o->run.progress_self = &bar;
    progress_init(&bar, stderr, o->quiet ? PROGRESS_NONE : o->progress);
    enum err_code code = run_scenario(s, &o->run, &progress, &store, &found);
    progress_end(&bar);
    if (code != ERR_NONE && code != ERR_INTERRUPTED) {
        *e = found;
        return code;
    }
    /* Tables make sense only of all points, so a part shows none. */
    const struct summary summary = {s, store, &progress, database, o->run.n_shards == 1};
    code = conclude(o, &summary, code, e);
    /* What cannot be committed at the end is an error even if every point worked. */
    enum err_code closing = store_close(store, e);
    return code == ERR_NONE ? closing : code;
}

/* One point in full, for a key that a report or `iasim compare` names. */
static enum err_code run_only(struct options *o, const struct scenario *s, struct err *e)
{
    uint64_t turn = 0;
    struct only_result result = {0};
    enum err_code code = only_find(s, o->only, &turn, e);
    if (code != ERR_NONE)
        return code;
    o->run.database = o->out;
    o->run.pool.n_jobs = 1;
    code = only_run(s, turn, &o->run, &result, e);
    if (code == ERR_NONE && o->json)
        command_print_json(point_report_json(s, &result));
    else if (code == ERR_NONE)
        point_report_print(s, &result, stdout);
    if (code == ERR_NONE && result.error != NULL)
        code = ERR_NO;
    only_result_clear(&result);
    return code;
}

static enum err_code run_everything(struct options *o, const struct scenario *s, struct err *e)
{
    char *database = o->out != NULL ? mem_strdup(o->out) : mem_format("%s.db", s->name);
    enum err_code code = run_and_conclude(o, s, database, e);
    free(database);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct scenario s = {0};
    signal(SIGXFSZ, SIG_IGN); /* a quota is an error like a full disk, not our end */
    const struct rerun_words words = command_rerun_words(o->scenario, &o->sets);
    /* Kept in the database: `iasim report R.db` and the commands that run points again start from it. */
    char *command = rerun_scenario(&words);
    o->run.command = command;
    enum err_code code = check(o, e);
    if (code == ERR_NONE)
        code = command_read_scenario(o->scenario, &o->sets, &s, e);
    if (code == ERR_NONE)
        code = o->only != NULL ? run_only(o, &s, e) : run_everything(o, &s, e);
    scenario_clear(&s);
    free(command);
    return code;
}

const struct command command_run = {
    .name = "run",
    .summary = "run all points of a scenario and store the results",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.run = {.shard = 1, .n_shards = 1}},
    .options = options,
    .about = "Runs every point of a scenario and stores the results. SCENARIO is a scenario file, its folder, or the "
             "name of one that comes with iasim. The first Ctrl-C lets the running points finish, then iasim exits "
             "with status 75; a second one abandons them. Exit status 1: some points failed.",
    .examples = "# The paper's comparison, with two processes and only two of its policies.\n"
                "iasim run kreaseck-fork --jobs 2 --set policy=ia_multi,root_computes\n"
                "iasim export kreaseck-fork.db --out kreaseck-fork.csv\n"
                "# One of its points again, by its key in that table.\n"
                "iasim run kreaseck-fork --set policy=ia_multi,root_computes \\\n"
                "  --only $(tail -n 1 kreaseck-fork.csv | cut -d, -f1)\n",
    .run = run,
    .has_progress = true,
};
