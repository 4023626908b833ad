/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim submit`: a scenario as an array of Slurm jobs and a job that unites their databases. Submitting again is the
   way to go on: what is done, waiting or running is found out (results/batch) and left alone. This file reads two kinds
   of words, iasim's and sbatch's, finds or begins the folder of the batch, and reports. */
#include "base/mem.h"
#include "base/shipped.h"
#include "batch/submit.h"
#include "cli/command.h"
#include "scenario/turn.h"
#include "store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *scenario, *out, *folder, *time_limit;
    struct words sets, for_sbatch;
    long n_parts; /* 0: not given */
    int n_jobs;
    bool dry_run;
};

/* The range is that of `iasim run --time-limit`. The text is kept as it was written, for the scripts. */
static enum err_code parse_time_limit(const char *arg, void *field, struct err *e)
{
    double limit_s = 0;
    if (!text_to_double(arg, &limit_s))
        return err_set(e, ERR_USAGE, "'%s' is not a finite number", arg);
    if (limit_s < 0.001 || limit_s > 1e9)
        return err_set(e, ERR_USAGE, "%s is out of range: it must be between 0.001 and 1e+09", arg);
    *(const char **)field = arg;
    return ERR_NONE;
}

static const struct command_option options[] = {
    {NULL, 0, "SCENARIO [--SBATCH-OPTION=VALUE...] [-- SBATCH-OPTION...]", "a scenario",
     OPTION_AT(struct options, scenario), .required = true, .values = "scenarios/ *.xml /"},
    {"tasks", 0, "N", "cut the scenario into N parts, from 1 to 10000 (required the first time)",
     OPTION_AT(struct options, n_parts), .min = 1, .max = BATCH_MAX_PARTS},
    {"set", 0, "NAME=VALUE[,VALUE..]", "as for `iasim run`", OPTION_AT(struct options, sets)},
    {"out", 'o', "R.db", "the database that unites the parts (default: NAME.db of the scenario, here)",
     OPTION_AT(struct options, out), .values = "*.db"},
    {"dir", 0, "FOLDER",
     "for scripts, databases of parts and the output of the jobs; all nodes must see it (default: NAME.shards, here)",
     OPTION_AT(struct options, folder), .values = "/"},
    {"jobs", 'J', "N",
     "processors and processes of each part (default: as many as Slurm gives it, for instance by --cpus-per-task)",
     OPTION_AT(struct options, n_jobs), .min = 1, .max = 1000},
    {"time-limit", 0, "S", "a point that takes longer fails (as for `iasim run`)",
     OPTION_AT(struct options, time_limit), .parse = parse_time_limit},
    {"dry-run", 0, NULL, "print the scripts and sbatch's command lines; write and submit nothing",
     OPTION_AT(struct options, dry_run)},
    {0},
};

/* --- which words are ours --- */

static const struct command_option *find_option(const char *word)
{
    return option_find(options, word, strcspn(word, "=")); /* --time is sbatch's, not short for --time-limit */
}

/* Help is iasim's; sbatch has its own. */
static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "usage") == 0;
}

/* Whether the word after this one is its value, so that "--out --dry-run" is not read as two options. */
static bool takes_next_word(const char *word)
{
    if (word[1] == '-') {
        const struct command_option *x = find_option(word + 2);
        return x != NULL && x->arg != NULL && strchr(word, '=') == NULL;
    }
    for (const struct command_option *x = options; x->help != NULL; x++)
        if (x->letter != 0 && word[1] == x->letter)
            return x->arg != NULL && word[2] == '\0'; /* "-J4" has its value */
    return false;
}

/* Long options that are not ours are sbatch's, and all that follows "--". What is left is for command_parse. Short
   options are ours: sbatch's own letters mean other things, so they must stand after "--". */
static int take_words_for_sbatch(int argc, char **argv, void *options_of_command)
{
    struct options *o = options_of_command;
    int n = 1;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0) {
            while (++i < argc)
                words_add(&o->for_sbatch, argv[i]);
        } else if (strncmp(word, "--", 2) == 0 && find_option(word + 2) == NULL && !is_help(word + 2)) {
            words_add(&o->for_sbatch, word);
        } else {
            argv[n++] = argv[i];
            if (word[0] == '-' && takes_next_word(word) && i + 1 < argc)
                argv[n++] = argv[++i];
        }
    }
    /* argv shrinks in place; words that were taken out are still borrowed from it. */
    argv[n] = NULL;
    return n;
}

/* --- what it is about --- */

struct submission {
    struct options *o;
    struct scenario s;
    struct batch b;
    int lock; /* of its folder; -1: none */
    struct batch_script script;
    char *program, *start, *data;
};

/* The scripts run on other machines, maybe in another folder, so every path in them is absolute. */
static char *absolute(const char *start, const char *path)
{
    return path[0] == '/' ? mem_strdup(path) : mem_format("%s/%s", start, path);
}

/* The scripts call this very program, not another iasim that a node may have in its PATH. */
static enum err_code find_program(struct submission *x, struct err *e)
{
    const char *data = getenv("IASIM_DATA");
    x->program = shipped_program();
    x->start = get_current_dir_name();
    if (x->start == NULL)
        return err_set(e, ERR_IO, "the current folder is unknown: %s", strerror(errno));
    if (x->program == NULL || access(x->program, X_OK) != 0)
        return err_set(e, ERR_IO, "the file of the program is unknown, or gone");
    x->data = data != NULL ? absolute(x->start, data) : NULL;
    return ERR_NONE;
}

/* A first submission: takes `folder`. The results of the parts are united in a new database; one that exists might be
   another sweep's. Nothing is written here. */
static enum err_code begin(struct submission *x, char *folder, struct err *e)
{
    const struct options *o = x->o;
    const struct rerun_words words = command_rerun_words(o->scenario, &o->sets);
    char *name = mem_format("%s.db", x->s.name);
    x->b = (struct batch){.folder = folder,
                          .out = absolute(x->start, o->out != NULL ? o->out : name),
                          .scenario = mem_strdup(x->s.name),
                          .digest = mem_strdup(x->s.digest),
                          .program = mem_strdup(store_program()),
                          .command = rerun_scenario(&words),
                          .n_runs = turn_count(&x->s),
                          .n_parts = o->n_parts};
    free(name);
    if (o->n_parts == 0)
        return err_set(e, ERR_USAGE, "option --tasks is missing: it says into how many parts the scenario is cut");
    /* Each part has at least one run. */
    if ((uint64_t)o->n_parts > x->b.n_runs)
        return err_set(e, ERR_USAGE, "--tasks %ld is more than the scenario has runs: %" PRIu64, o->n_parts,
                       x->b.n_runs);
    if (access(x->b.out, F_OK) == 0)
        return err_set_at(e, ERR_INPUT, o->out != NULL ? o->out : x->b.out, 0,
                          "already exists; choose another name with --out");
    return ERR_NONE;
}

/* Parts of different scenarios or versions of iasim cannot be united, so they may not share a folder. */
static enum err_code check_same(const struct submission *x, const char *what, const char *there, const char *now,
                                struct err *e)
{
    if (strcmp(there, now) == 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, x->b.folder, 0,
                      "was made for %s %s, this is %s; it holds parts of `%s`; choose another folder with --dir", what,
                      there, now, x->b.command);
}

/* A later submission to the same folder. --tasks may be left out then. --out may name another database: the parts are
   united there. */
static enum err_code go_on(struct submission *x, struct err *e)
{
    const struct options *o = x->o;
    char *there = mem_format("%s with digest %s", x->b.scenario, x->b.digest),
         *now = mem_format("%s with digest %s", x->s.name, x->s.digest);
    /* The digest: with other values the scenario's name is the same, the points are not. */
    enum err_code code = check_same(x, "scenario", there, now, e);
    if (code == ERR_NONE)
        code = check_same(x, "version", x->b.program, store_program(), e);
    if (code == ERR_NONE && o->n_parts != 0 && o->n_parts != x->b.n_parts)
        code = err_set_at(e, ERR_INPUT, x->b.folder, 0, "has %ld parts, not %ld; choose another folder with --dir",
                          x->b.n_parts, o->n_parts);
    if (code == ERR_NONE && o->out != NULL) {
        free(x->b.out);
        x->b.out = absolute(x->start, o->out);
    }
    free(there);
    free(now);
    return code;
}

/* The lock comes before batch.json is read, so that two submissions at a time do not submit the same parts (submit.h).
   A dry run changes nothing and takes none. */
static enum err_code find_batch(struct submission *x, struct err *e)
{
    char *name = mem_format("%s.shards", x->s.name),
         *folder = absolute(x->start, x->o->folder != NULL ? x->o->folder : name);
    free(name);
    enum err_code code = x->o->dry_run ? ERR_NONE : batch_lock(folder, &x->lock, e);
    if (code == ERR_NONE && !batch_exists(folder))
        return begin(x, folder, e);
    if (code == ERR_NONE)
        code = batch_read(folder, &x->b, e);
    free(folder);
    return code == ERR_NONE ? go_on(x, e) : code;
}

static void fill_script(struct submission *x)
{
    const struct options *o = x->o;
    x->script = (struct batch_script){.batch = &x->b,
                                      .program = x->program,
                                      .data = x->data,
                                      .start = x->start,
                                      .words = command_rerun_words(o->scenario, &o->sets),
                                      .n_jobs = o->n_jobs,
                                      .time_limit = o->time_limit,
                                      .options = o->for_sbatch.list,
                                      .n_options = o->for_sbatch.n};
}

/* --- Slurm --- */

/* A dry run works without Slurm, to see what would happen; what Slurm allows is then checked if it is here, and its
   failure to answer is ignored. */
static enum err_code check_slurm(const struct submission *x, struct err *e)
{
    long max_index = 0;
    bool is_here = slurm_is_here();
    if (!is_here && !x->o->dry_run)
        return err_set(e, ERR_IO,
                       "Slurm is not installed here: there is no program 'sbatch'. --dry-run shows what would be "
                       "submitted; without a scheduler GNU parallel runs the parts, as scenarios/README.md shows: "
                       "parallel iasim run %s --shard {}/N --resume --out part-{}.db ::: ...",
                       x->o->scenario);
    enum err_code code = is_here ? slurm_max_index(&max_index, x->o->dry_run ? NULL : e) : ERR_NONE;
    if (code == ERR_NONE && max_index > 0 && x->b.n_parts > max_index)
        return err_set(e, ERR_INPUT, "--tasks %ld is more than this cluster allows: at most %ld (MaxArraySize %ld)",
                       x->b.n_parts, max_index, max_index + 1);
    return x->o->dry_run ? ERR_NONE : code;
}

/* To submit, one must know what is in the queue; to show, one need not. */
static enum err_code make_plan(const struct submission *x, struct batch_status *status, struct batch_plan *plan,
                               struct err *e)
{
    struct slurm_task *queue = NULL;
    size_t n_tasks = 0;
    enum err_code code = ERR_NONE;
    if (x->b.n_arrays > 0 && slurm_is_here())
        code = slurm_queue(&queue, &n_tasks, x->o->dry_run ? NULL : e);
    if (code == ERR_NONE || x->o->dry_run)
        code = batch_survey(&x->b, queue, n_tasks, status, e);
    if (code == ERR_NONE)
        code = batch_plan(&x->b, status, plan, e);
    free(queue);
    return code;
}

/* --- reporting --- */

/* Takes `text`. */
static void print_script(const char *folder, const char *name, char *text)
{
    printf("# ---- %s/%s\n%s\n", folder, name, text);
    free(text);
}

static void print_command(const struct batch *b, const char *script, struct batch_options *given)
{
    struct text line = {0};
    char *path = batch_file(b, script);
    text_addf(&line, "sbatch --parsable");
    for (size_t i = 0; given->words[i] != NULL; i++) {
        text_addf(&line, " ");
        /* Quoted as a shell wants it, so that the line can be copied. */
        rerun_add_word(&line, given->words[i]);
    }
    text_addf(&line, " ");
    rerun_add_word(&line, path);
    puts(text_str(&line));
    text_clear(&line);
    free(path);
    batch_options_clear(given);
}

/* In the order in which submit would do it: the array, then the old uniting job is cancelled, then the new one waits
   for the array. */
static void print_plan(const struct submission *x, const struct batch_plan *p)
{
    struct batch_options given;
    print_script(x->b.folder, "task.sh", batch_task_script(&x->script));
    print_script(x->b.folder, "merge.sh", batch_merge_script(&x->script));
    puts("# ---- to be submitted (ARRAY is the number of the first job)");
    if (p->array != NULL) {
        batch_array_options(p, &given);
        print_command(&x->b, "task.sh", &given);
    }
    if (p->replaces_merge)
        printf("scancel %ld\n", x->b.merge_job);
    if (p->has_merge) {
        batch_merge_options(p, "ARRAY", &given);
        print_command(&x->b, "merge.sh", &given);
    }
}

static void report(const struct submission *x, const struct batch_plan *p)
{
    if (p->array != NULL)
        printf("job %ld: parts %s of %ld\n", x->b.arrays[x->b.n_arrays - 1], p->array, x->b.n_parts);
    if (p->has_merge)
        printf("job %ld: %s, when all parts have been run\n", x->b.merge_job, x->b.out);
}

/* Two reasons, and the user waits only in one of them. */
static void report_nothing(const struct batch_status *s)
{
    puts(s->is_complete || !s->is_merging ? "nothing to submit: everything has been run and united"
                                          : "nothing to submit: what is missing is in the queue");
}

/* --- all together --- */

/* The folder is made only now that there is something to submit; making it also locks it. */
static enum err_code hand_in(struct submission *x, const struct batch_plan *plan, struct err *e)
{
    enum err_code code = x->lock < 0 ? batch_make_folder(x->b.folder, &x->lock, e) : ERR_NONE;
    return code == ERR_NONE ? batch_submit(&x->b, &x->script, plan, e) : code;
}

static enum err_code submit(struct submission *x, struct err *e)
{
    struct batch_status status = {0};
    struct batch_plan plan = {0};
    enum err_code code = make_plan(x, &status, &plan, e);
    if (code == ERR_NONE && plan.array == NULL && !plan.has_merge)
        report_nothing(&status);
    else if (code == ERR_NONE && x->o->dry_run)
        print_plan(x, &plan);
    else if (code == ERR_NONE && (code = hand_in(x, &plan, e)) == ERR_NONE)
        report(x, &plan);
    batch_plan_clear(&plan);
    batch_status_clear(&status);
    return code;
}

static void submission_clear(struct submission *x)
{
    scenario_clear(&x->s);
    batch_clear(&x->b);
    free(x->program);
    free(x->start);
    free(x->data);
    free(x->o->for_sbatch.list);
    /* Closing unlocks. */
    if (x->lock >= 0)
        close(x->lock);
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct submission x = {.o = o, .lock = -1};
    enum err_code code = find_program(&x, e);
    if (code == ERR_NONE)
        code = command_read_scenario(o->scenario, &o->sets, &x.s, e);
    if (code == ERR_NONE)
        code = find_batch(&x, e);
    fill_script(&x);
    if (code == ERR_NONE)
        code = batch_script_check(&x.script, e);
    if (code == ERR_NONE)
        code = check_slurm(&x, e);
    if (code == ERR_NONE)
        code = submit(&x, e);
    submission_clear(&x);
    return code;
}

const struct command command_submit = {
    .name = "submit",
    .summary = "run a scenario on a cluster with Slurm, in parts",
    .size = sizeof(struct options),
    .options = options,
    .about = "Runs a scenario on a cluster with Slurm: an array of N jobs, each of which runs one part (`iasim run "
             "--shard`) into a database of its own, and a job that unites these when all parts have been run. Long "
             "options that are not below are sbatch's, and so is everything after --. Run again, it submits what is "
             "missing: parts that are done, waiting or running are left alone. If a part is stopped or lost, the "
             "uniting job does not run; it is submitted anew. `iasim status` shows how far it is.",
    .notes = "Without --dry-run, these need Slurm.",
    .examples = "# Ten parts of at most an hour.\n"
                "iasim submit kreaseck-fork --tasks 10 --partition=short \\\n"
                "  --time=1:00:00 --dry-run\n"
                "# The same with sbatch's short options.\n"
                "iasim submit kreaseck-fork --tasks 10 --dry-run \\\n"
                "  -- -p short -t 1:00:00\n",
    .run = run,
    .before = take_words_for_sbatch,
};
