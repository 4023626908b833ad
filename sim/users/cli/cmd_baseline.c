/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim baseline save|check`: a text file with the results that a scenario should give, for version control. `save`
   renews a baseline that exists: its --set, metrics and tolerances stay unless the command line gives others. All
   checks of files come before the scenario runs; nothing is written if it is interrupted. */
#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "plugin/load.h"
#include "report/baseline_report.h"
#include "report/progress.h"
#include "scenario/rerun.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum verb { SAVE, CHECK };

struct options {
    enum verb verb;
    const char *scenario, *out, *baseline, *metrics;
    struct words sets, tolerances;
    struct pool_options pool;
    /* Negative, because 0 asks for none. */
    long n_worst;     /* -1: not given */
    double aggregate; /* percent; NAN: not given */
    bool quiet, json;
};

enum { WORST_SHOWN = 10 };

static const struct command_option options[] = {
    {NULL, 0, "save|check", "what to do", OPTION_AT(struct options, verb), .required = true},
    {NULL, 0, "SCENARIO", "a scenario", OPTION_AT(struct options, scenario), .required = true,
     .values = "scenarios/ *.xml /"},
    {"out", 'o', "FILE", "the baseline to write (default: baseline.txt beside the scenario)",
     OPTION_AT(struct options, out), .output = true, .values = "*", .verbs = VERB(SAVE)},
    {"baseline", 'b', "FILE", "the baseline to compare with (default: baseline.txt beside the scenario)",
     OPTION_AT(struct options, baseline), .values = "*", .verbs = VERB(CHECK)},
    {"set", 0, "NAME=VALUE[,VALUE..]",
     "as for `iasim run`; the baseline remembers it. Relative file names refer to the current directory, now and later",
     OPTION_AT(struct options, sets), .verbs = VERB(SAVE)},
    {"metrics", 0, "A,B,..", "only these metrics, or `all` (default: those of the existing baseline, else all)",
     OPTION_AT(struct options, metrics), .verbs = VERB(SAVE)},
    {"tolerance", 't', "METRIC=REL[,ABS]",
     "how far a figure may be off: REL times the expected figure, or ABS if that is larger. save: stored in the "
     "baseline (initially 1e-9, and 1e-12 of the metric's largest figure); check: overrides what is stored there",
     OPTION_AT(struct options, tolerances)},
    {"aggregate", 0, "X",
     "exit 1 only when the geometric mean of a metric over all runs is worse by more than X percent, not for every "
     "figure that is worse",
     OPTION_AT(struct options, aggregate), .max = 1e6, .verbs = VERB(CHECK)},
    {"worst", 'w', "K", "name at most K changed runs (default: 10; with --json all)",
     OPTION_AT(struct options, n_worst), .max = BASELINE_MAX_RUNS},
    {"jobs", 'J', "N", "run N points at a time (default: one per processor)", OPTION_AT(struct options, pool.n_jobs),
     .min = 1, .max = 1000},
    {"time-limit", 0, "S", "a point that takes longer fails (default: no limit; 60 with --plugin)",
     OPTION_AT(struct options, pool.time_limit_s), .min = 0.001, .max = 1e9},
    {"quiet", 'q', NULL,
     "no progress bar; check prints nothing (its exit status has the answer), save only what failed",
     OPTION_AT(struct options, quiet)},
    {"json", 'j', NULL, "print JSON", OPTION_AT(struct options, json), .verbs = VERB(CHECK)},
    {0},
};

/* ---- the steps ---- */

struct job {
    const struct options *o;
    char *scenario_path, *path; /* of the baseline */
    struct scenario scenario;
    bool has_old;
    struct baseline old, new;
    struct words sets; /* those in force */
};

/* `sets` borrows its words from the options or from `old`, so only the list is freed. */
static void clear(struct job *j)
{
    baseline_clear(&j->old);
    baseline_clear(&j->new);
    scenario_clear(&j->scenario);
    free(j->scenario_path);
    free(j->path);
    free(j->sets.list);
}

static enum err_code find_files(struct job *j, struct err *e)
{
    const char *given = j->o->verb == SAVE ? j->o->out : j->o->baseline;
    enum err_code code = command_scenario_path(j->o->scenario, &j->scenario_path, e);
    if (code != ERR_NONE)
        return code;
    /* Beside the scenario, so that both are committed together; a scenario without a folder is in the current one. */
    const char *slash = strrchr(j->scenario_path, '/');
    int n_folder = slash != NULL ? (int)(slash + 1 - j->scenario_path) : 0;
    j->path = given != NULL ? mem_strdup(given) : mem_format("%.*sbaseline.txt", n_folder, j->scenario_path);
    return ERR_NONE;
}

/* The command that makes what is found now the baseline; fresh. Renewing keeps the rest of what it says. */
static char *save_command(const struct options *o)
{
    struct text out = {0};
    const char *place = o->verb == SAVE ? o->out : o->baseline;
    text_addf(&out, "iasim");
    for (int i = 0; i < plugin_count(); i++)
        rerun_add_option(&out, "--plugin", plugin_paths()[i]);
    rerun_add_option(&out, "baseline save", o->scenario);
    if (place != NULL)
        rerun_add_option(&out, "--out", place);
    return text_take(&out);
}

/* The baseline as it is, if there is one. `check` needs it. `save` renews it, and refuses a file that is no baseline:
   the user may have named a file by mistake, which would be lost. */
static enum err_code read_old(struct job *j, struct err *e)
{
    struct err found = {0};
    struct stat st;
    j->has_old =
        stat(j->path, &st) == 0 && (j->o->verb == CHECK || S_ISREG(st.st_mode)); /* pipes hold nothing to renew */
    if (!j->has_old && j->o->verb == SAVE)
        return ERR_NONE;
    if (!j->has_old) {
        char *command = save_command(j->o);
        err_set_at(e, ERR_IO, j->path, 0, "there is no baseline; `%s` makes one", command);
        free(command);
        return ERR_IO;
    }
    enum err_code code = baseline_read(j->path, run_kinds, &j->old, &found);
    if (code == ERR_NONE)
        return code;
    return err_set_at(e, code, found.source, found.line, "%s%s", found.text,
                      j->o->verb == SAVE ? "; save overwrites nothing but baselines: repair or remove the file" : "");
}

/* Before the scenario runs, which may take long; here because the table of options does not know the default. */
static enum err_code check_writable(const char *path, struct err *e)
{
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0) /* renaming over it would work, but is not meant */
        return err_set_at(e, ERR_IO, path, 0, "cannot write: it is read-only");
    return new_file_check(path, e);
}

/* --set replaces what the baseline remembers, all of it: a mixture of both would be no scenario that anyone wrote. */
static void choose_sets(struct job *j)
{
    for (size_t i = 0; i < j->o->sets.n; i++)
        words_add(&j->sets, j->o->sets.list[i]);
    for (size_t i = 0; j->o->sets.n == 0 && i < j->old.n_sets; i++)
        words_add(&j->sets, j->old.sets[i].words);
}

/* A --set that the baseline remembers is an input of that file: the message then names the baseline and its line, not
   an option that the user has not given. scenario_read marks such errors by their beginning, "--set NAME=..". */
static enum err_code blame(const struct job *j, const struct err *found, struct err *e)
{
    for (size_t i = 0; j->o->sets.n == 0 && i < j->old.n_sets; i++) {
        const struct baseline_set *set = &j->old.sets[i];
        size_t n = strlen(set->words);
        if (strncmp(found->text, "--set ", 6) == 0 && strncmp(found->text + 6, set->words, n) == 0)
            return err_set_at(e, found->code, j->path, set->line, "%s", found->text);
    }
    return err_set_at(e, found->code, found->source, found->line, "%s", found->text);
}

static enum err_code read_scenario(struct job *j, struct err *e)
{
    struct err found = {0};
    choose_sets(j);
    const struct scenario_options how = {.sets = j->sets.list, .n_sets = j->sets.n};
    if (scenario_read(j->scenario_path, &how, &j->scenario, &found) != ERR_NONE)
        return blame(j, &found, e);
    if (!j->has_old)
        return ERR_NONE;
    /* The file says which scenario it belongs to; another one's figures have other keys and parameters. */
    if (strcmp(j->old.scenario, j->scenario.name) != 0)
        return err_set_at(e, ERR_INPUT, j->path, j->old.scenario_line, "the baseline of scenario %s, not of %s",
                          j->old.scenario, j->scenario.name);
    if (j->old.experiment != j->scenario.experiment)
        return err_set_at(e, ERR_INPUT, j->path, j->old.scenario_line,
                          "scenario %s belonged to experiment %s; now it belongs to %s", j->scenario.name,
                          j->old.experiment->name, j->scenario.experiment->name);
    return ERR_NONE;
}

/* For the baseline that is written and, when checking, also for the old one: the expected side decides what is
   equal. */
static enum err_code tolerate(const struct words *tolerances, struct baseline *b, struct err *e)
{
    struct err found = {0};
    for (size_t i = 0; i < tolerances->n; i++)
        if (baseline_tolerate(b, tolerances->list[i], &found) != ERR_NONE)
            return err_set(e, ERR_USAGE, "--tolerance: %s", found.text);
    return ERR_NONE;
}

static enum err_code prepare_new(struct job *j, struct err *e)
{
    struct err found = {0};
    const char *names = j->o->metrics;
    bool all = names != NULL && strcmp(names, "all") == 0;
    baseline_init(&j->new, &j->scenario);
    if (names != NULL && !all && baseline_choose(&j->new, names, &found) != ERR_NONE)
        return err_set(e, ERR_USAGE, "--metrics: %s", found.text);
    /* --metrics chooses among all; without it the old baseline's choice stays. In both cases the old tolerances
       stay. */
    if (j->has_old)
        baseline_take_metrics(&j->new, &j->old, names == NULL);
    for (size_t i = 0; i < j->sets.n; i++)
        baseline_add_set(&j->new, j->sets.list[i], 0);
    return tolerate(&j->o->tolerances, &j->new, e);
}

static void show(void *self, const struct baseline_progress *p)
{
    const struct progress_counts counts = {.n_total = p->n_total, .n_done = p->n_done, .n_failed = p->n_failed};
    progress_show(self, &counts);
}

static enum err_code make_new(struct job *j, struct err *e)
{
    struct progress bar;
    struct err found = {0};
    const struct baseline_options how = {.pool = j->o->pool, .progress = show, .progress_self = &bar};
    progress_init(&bar, stderr, j->o->quiet ? PROGRESS_NONE : PROGRESS_AUTO);
    enum err_code code = baseline_make(&j->new, &j->scenario, &how, &found);
    progress_end(&bar);
    if (code == ERR_INTERRUPTED)
        return err_set(e, code, "interrupted: nothing was %s", j->o->verb == SAVE ? "saved" : "compared");
    return code == ERR_NONE ? code : err_set_at(e, code, found.source, found.line, "%s", found.text);
}

static char *rerun_command(const struct job *j)
{
    const struct rerun_words words = command_rerun_words(j->o->scenario, &j->sets);
    return rerun_scenario(&words);
}

static void report(const struct job *j, const struct baseline_comparison *c)
{
    char *rerun = rerun_command(j), *save = save_command(j->o);
    const struct baseline_report r = {
        .comparison = c,
        .path = j->path,
        .command = rerun,
        .save = j->o->verb == CHECK ? save : NULL,
        /* For people few lines; a program gets all. */
        .n_worst = j->o->n_worst >= 0 ? (size_t)j->o->n_worst
                   : j->o->json       ? SIZE_MAX
                                      : WORST_SHOWN,
    };
    if (j->o->json)
        command_print_json(baseline_report_json(&r));
    else if (!j->o->quiet)
        baseline_report_print(&r, stdout);
    free(rerun);
    free(save);
}

/* ---- check, save ---- */

static enum err_code check(struct job *j, struct err *e)
{
    struct baseline_comparison c;
    enum err_code code = tolerate(&j->o->tolerances, &j->old, e);
    if (code != ERR_NONE)
        return code;
    baseline_compare(&j->old, &j->new, &c);
    /* NAN if --aggregate was not given: then every figure counts (baseline_diff.h). */
    c.limit = j->o->aggregate / 100;
    report(j, &c);
    /* No message: the report has the answer, or --quiet asked for the exit status alone. */
    code = baseline_holds(&c) ? ERR_NONE : ERR_NO;
    baseline_comparison_clear(&c);
    return code;
}

/* Returns how many runs failed; the first few are shown. */
static size_t print_failures(const struct job *j)
{
    enum { SHOWN = 5 };
    size_t n_failed = 0;
    for (size_t i = 0; i < j->new.n_runs; i++) {
        const struct baseline_run *r = &j->new.runs[i];
        if (r->error != NULL && n_failed++ < SHOWN)
            fprintf(stderr, "  failed: %s/%ld: %s\n", r->key, r->replication, r->error);
    }
    if (n_failed > SHOWN)
        fprintf(stderr, "  and %zu more\n", n_failed - SHOWN);
    return n_failed;
}

/* Written even if runs failed: that they fail is a result, and `check` reports when it changes. */
static enum err_code save(struct job *j, struct err *e)
{
    enum err_code code = baseline_write(&j->new, j->path, e);
    if (code != ERR_NONE)
        return code;
    if (!j->o->quiet)
        fprintf(stderr, "%s: %zu run%s of %s, %zu metric%s\n", j->path, j->new.n_runs, j->new.n_runs == 1 ? "" : "s",
                j->new.scenario, j->new.n_metrics, j->new.n_metrics == 1 ? "" : "s");
    size_t n_failed = print_failures(j);
    /* What the renewal changes, as `check` would have said it; the user sees it before committing the file. */
    if (j->has_old) {
        struct baseline_comparison c;
        if (!j->o->quiet)
            printf("Compared with what it held before:\n");
        baseline_compare(&j->old, &j->new, &c);
        report(j, &c);
        baseline_comparison_clear(&c);
    }
    return n_failed > 0 ? ERR_NO : ERR_NONE;
}

/* In this order because each step needs the one before: where the files are, what the old baseline remembers, the
   scenario with that, and only then runs. */
static enum err_code work(struct job *j, struct err *e)
{
    enum err_code code = find_files(j, e);
    if (code == ERR_NONE)
        code = read_old(j, e);
    if (code == ERR_NONE)
        code = read_scenario(j, e);
    if (code == ERR_NONE && j->o->verb == SAVE)
        code = check_writable(j->path, e);
    if (code == ERR_NONE)
        code = prepare_new(j, e);
    if (code == ERR_NONE)
        code = make_new(j, e);
    if (code != ERR_NONE)
        return code;
    return j->o->verb == SAVE ? save(j, e) : check(j, e);
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct job j = {.o = o};
    enum err_code code = work(&j, e);
    clear(&j);
    return code;
}

const struct command command_baseline = {
    .name = "baseline",
    .summary = "save expected results in a text file, and check against them",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.n_worst = -1, .aggregate = NAN},
    .options = options,
    .about =
        "Did my change break anything? `save` runs a scenario and writes its results to a text file, the baseline, for "
        "version control; for an existing baseline it updates the figures, keeps its --set, metrics and tolerances, "
        "and reports what has changed. `check` runs the scenario again and compares, run by run, by the values of the "
        "parameters.\n\nExit status of check: 0 when every figure is within its tolerance or better, 1 when one is "
        "worse, or different where neither direction is better, or a run is missing or newly fails. Better figures, "
        "new runs and runs that no longer fail are reported. With --aggregate X, 1 when a metric is worse on average. "
        "Exit status of save: 1 when it is written and some of its runs failed.",
    .examples = "# Record what a scenario gives now, and check later that it still does.\niasim baseline save smoke "
                "--out smoke.txt\niasim baseline check smoke --baseline smoke.txt\n",
    .run = run,
    .has_progress = true,
};
