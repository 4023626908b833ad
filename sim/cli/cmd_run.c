/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "cli/command.h"
#include "plugin/plugin.h"
#include "report/point_report.h"
#include "report/progress.h"
#include "report/summary.h"
#include "scenario/rerun.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
    const char *scenario, *out, *only;
    const char **sets;
    size_t n_sets;
    struct run_options run;
    enum progress_style progress;
    bool json;
};

enum { OPT_SET = 256, OPT_SHARD, OPT_RESUME, OPT_TIME_LIMIT, OPT_ONLY, OPT_PROGRESS };

static const struct argp_option options[] = {
    {"out", 'o', "R.db", 0, "the database for the results (default: NAME.db of the scenario, here)", 0},
    {"jobs", 'j', "N", 0, "points run at a time (default: one for each processor)", 0},
    {"set", OPT_SET, "NAME=VALUE[,VALUE..]", 0,
     "replaces what the scenario gives the parameter NAME; several values are a sweep. `seed` and "
     "`replications` can be "
     "set, too. File names start at the current folder",
     0},
    {"shard", OPT_SHARD, "I/N", 0, "run only part I, from 1, of N equal parts; `iasim merge` unites their databases",
     0},
    {"resume", OPT_RESUME, NULL, 0, "go on with a database that exists: what is missing or failed is run", 0},
    {"time-limit", OPT_TIME_LIMIT, "S", 0,
     "a point that takes longer has failed (default: none; 60 where --plugin is used)", 0},
    {"only", OPT_ONLY, "KEY[/REPLICATION]", 0,
     "run that one point and print its parameters and figures; the first 6 digits of the key will do where they say "
     "which. Nothing is stored without --out",
     0},
    {"progress", OPT_PROGRESS, "bar|json|none", 0,
     "how far it is, on stderr (default: a bar on a terminal, else nothing). json: at most two lines a second and one "
     "at "
     "the end, each an object of done, total, passed (of those done: stored before), failed, rate_per_s, elapsed_s, "
     "remaining_s (null: not known)",
     0},
    {"quiet", 'q', NULL, 0, "the same as --progress none", 0},
    {"json", 'J', NULL, 0, "print the summary as JSON", 0},
    {0},
};

static void parse_shard(struct argp_state *state, const char *arg, struct run_options *run)
{
    char *text = mem_strdup(arg), *slash = strchr(text, '/');
    if (slash == NULL)
        argp_error(state, "--shard '%s' is not of the form I/N", arg);
    *slash = '\0';
    run->n_shards = command_integer(state, "shard", slash + 1, 1, SCENARIO_MAX_POINTS);
    run->shard = command_integer(state, "shard", text, 1, run->n_shards);
    run->single_file = true; /* parts are run on clusters */
    free(text);
}

static enum progress_style parse_progress(struct argp_state *state, const char *arg)
{
    static const struct {
        const char *name;
        enum progress_style style;
    } known[] = {{"bar", PROGRESS_BAR}, {"json", PROGRESS_JSON}, {"none", PROGRESS_NONE}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(arg, known[i].name) == 0)
            return known[i].style;
    argp_error(state, "--progress '%s' is unknown; known: bar, json, none", arg);
    return PROGRESS_AUTO;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o':
        o->out = arg;
        return 0;
    case 'j':
        o->run.pool.n_jobs = (int)command_integer(state, "jobs", arg, 1, 1000);
        return 0;
    case OPT_SET:
        o->sets = mem_resize(o->sets, o->n_sets + 1, sizeof o->sets[0]);
        o->sets[o->n_sets++] = arg;
        return 0;
    case OPT_SHARD:
        parse_shard(state, arg, &o->run);
        return 0;
    case OPT_RESUME:
        o->run.resume = true;
        return 0;
    case OPT_TIME_LIMIT:
        o->run.pool.time_limit_s = command_number(state, "time-limit", arg, 0.001, 1e9);
        return 0;
    case OPT_PROGRESS:
        o->progress = parse_progress(state, arg);
        return 0;
    case OPT_ONLY:
        o->only = arg;
        return 0;
    case 'q':
        o->progress = PROGRESS_NONE;
        return 0;
    case 'J':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->scenario != NULL)
            argp_error(state, "one scenario at a time: '%s' is a second one", arg);
        o->scenario = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->scenario == NULL)
            argp_error(state, "a scenario is missing");
        if (o->only != NULL && o->run.n_shards > 1)
            argp_error(state, "--only is one point, --shard a part of all: give one of them");
        if (o->only != NULL && o->run.resume && o->out == NULL)
            argp_error(state, "--resume goes on with a database: --only stores nothing without --out");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "SCENARIO",
    "Runs every point of a scenario and stores the results. SCENARIO is a scenario file, its folder, or the "
    "name of one "
    "that comes with iasim. The first Ctrl-C lets the points under way finish, then it exits with status 75; "
    "a second one "
    "drops them. Exit status 1: some points failed.\v"
    "Example: the paper's comparison, with two processes and only two of its policies:\n"
    "  iasim run kreaseck-fork --jobs 2 --set policy=ia_multi,root_computes\n"
    "  iasim export kreaseck-fork.db --out kreaseck-fork.csv\n"
    "One of its points again, by its key in that table:\n"
    "  iasim run kreaseck-fork --set policy=ia_multi,root_computes --only KEY\n",
    NULL,
    NULL,
    NULL};

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

static enum err_code conclude(const struct options *o, const struct summary *s, enum err_code code, struct err *e)
{
    const struct run_progress *p = s->progress;
    if (code == ERR_INTERRUPTED)
        return err_set(e, code, "interrupted: %" PRIu64 " of %" PRIu64 " runs are in %s; --resume goes on",
                       p->n_passed + p->n_done, p->n_total, s->database);
    code = print(o, s, e);
    return code == ERR_NONE && p->n_failed > 0 ? ERR_NO : code;
}

static enum err_code run_and_conclude(struct options *o, const struct scenario *s, const char *database, struct err *e)
{
    struct progress bar;
    struct run_progress progress;
    struct store *store = NULL;
    struct err found = {0};
    o->run.database = database;
    o->run.progress = show;
    o->run.progress_self = &bar;
    progress_init(&bar, stderr, o->progress);
    enum err_code code = run_scenario(s, &o->run, &progress, &store, &found);
    progress_end(&bar);
    if (code != ERR_NONE && code != ERR_INTERRUPTED) {
        *e = found;
        return code;
    }
    const struct summary summary = {s, store, &progress, database, o->run.n_shards == 1};
    code = conclude(o, &summary, code, e);
    enum err_code closing = store_close(store, e);
    return code == ERR_NONE ? closing : code;
}

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

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.run = {.pool = {.n_jobs = pool_default_jobs()}, .shard = 1, .n_shards = 1}};
    struct scenario s = {0};
    command_parse(&argp, argc, argv, &o);
    signal(SIGXFSZ, SIG_IGN); /* a quota is an error like a full disk, not our end */
    const struct scenario_options reading = {.sets = o.sets, .n_sets = o.n_sets};
    const struct rerun_words words = {.plugins = plugin_paths(),
                                      .n_plugins = (size_t)plugin_count(),
                                      .scenario = o.scenario,
                                      .sets = o.sets,
                                      .n_sets = o.n_sets};
    char *path = NULL, *command = rerun_scenario(&words);
    o.run.command = command;
    enum err_code code = command_scenario_path(o.scenario, &path, e);
    if (code == ERR_NONE)
        code = scenario_read(path, &reading, &s, e);
    if (code == ERR_NONE)
        code = o.only != NULL ? run_only(&o, &s, e) : run_everything(&o, &s, e);
    scenario_clear(&s);
    free(command);
    free(path);
    free(o.sets);
    return code;
}

extern const struct command command_run;
const struct command command_run = {
    .name = "run",
    .summary = "run all points of a scenario and store the results",
    .run = run,
};
