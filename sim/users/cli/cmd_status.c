/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim status`: how far a sweep is, from the database of one process, or from the folder of parts that `iasim submit`
   has made. Nothing is written or repaired, so it can run beside everything else. Status 1 means "not yet" for scripts
   that wait. */
#include "base/mem.h"
#include "cli/command.h"
#include "report/batch_report.h"
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *what;
    bool all, json;
};

static const struct command_option options[] = {
    {"all", 0, NULL, "list every part; by default, of more than 50 parts those that are done are left out",
     OPTION_AT(struct options, all)},
    {"json", 'j', NULL, "print JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "SCENARIO|FOLDER|R.db", "a scenario, a folder of parts or a database", OPTION_AT(struct options, what),
     .required = true, .values = "scenarios/ *.db /"},
    {0},
};

/* --- a database by itself --- */

static enum err_code show_database(const struct options *o, const char *path, struct err *e)
{
    struct survey s;
    enum err_code code = survey_database(path, &s, e);
    if (code == ERR_NONE && !s.exists)
        code = err_set_at(e, ERR_IO, path, 0, "there is no such file");
    if (code == ERR_NONE && o->json)
        command_print_json(survey_report_json(&s, path));
    else if (code == ERR_NONE)
        survey_report_print(&s, path, stdout);
    /* A database that does not say how many runs the scenario has (n_runs 0) cannot be known to be complete. */
    if (code == ERR_NONE && (s.in_use || s.is_torn || s.n_runs == 0 || s.n_done < s.n_runs))
        code = ERR_NO;
    survey_clear(&s);
    return code;
}

/* --- a folder of parts --- */

/* Without Slurm there is no queue: then, and where it does not answer, the parts' databases alone are shown, and what
   is waiting looks missing. The latter is reported. */
static void ask_queue(const struct batch *b, struct slurm_task **queue, size_t *n)
{
    struct err e = {0};
    char line[2048];
    if (b->n_arrays == 0 || !slurm_is_here() || slurm_queue(queue, n, &e) == ERR_NONE)
        return;
    fprintf(stderr, "iasim status: %s; which parts are waiting or running is unknown\n",
            err_describe(&e, line, sizeof line));
}

static enum err_code show_folder(const struct options *o, const char *folder, struct err *e)
{
    struct batch b;
    struct batch_status s = {0};
    struct slurm_task *queue = NULL;
    size_t n_tasks = 0;
    enum err_code code = batch_read(folder, &b, e);
    if (code == ERR_NONE) {
        ask_queue(&b, &queue, &n_tasks);
        code = batch_survey(&b, queue, n_tasks, &s, e);
    }
    if (code == ERR_NONE && o->json)
        command_print_json(batch_report_json(&b, &s));
    else if (code == ERR_NONE)
        batch_report_print(&b, &s, folder, o->all, stdout);
    if (code == ERR_NONE && !s.is_complete)
        code = ERR_NO;
    batch_status_clear(&s);
    batch_clear(&b);
    free(queue);
    return code;
}

/* --- which it is --- */

/* A name stands for what `iasim submit` or `iasim run` makes of it in this folder; the parts come first, since the
   united database only appears when they are done. */
static enum err_code show_scenario(const struct options *o, struct err *e)
{
    struct scenario s = {0};
    char *folder = NULL, *database = NULL;
    enum err_code code = command_read_scenario(o->what, NULL, &s, e);
    if (code == ERR_NONE) {
        folder = mem_format("%s.shards", s.name);
        database = mem_format("%s.db", s.name);
        if (batch_exists(folder))
            code = show_folder(o, folder, e);
        else if (access(database, F_OK) == 0)
            code = show_database(o, database, e);
        else
            code = err_set(e, ERR_IO, "neither %s nor %s is here; name the folder or the database", folder, database);
    }
    scenario_clear(&s);
    free(folder);
    free(database);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    if (batch_exists(o->what))
        return show_folder(o, o->what, e);
    return survey_is_database(o->what) ? show_database(o, o->what, e) : show_scenario(o, e);
}

const struct command command_status = {
    .name = "status",
    .summary = "show which parts of a scenario are done, running or missing",
    .size = sizeof(struct options),
    .options = options,
    .about =
        "Shows the progress of a scenario: for each of the parts that `iasim submit` has submitted, whether it is "
        "waiting, running, done, stopped or missing, and how many of its runs succeeded and failed. SCENARIO stands "
        "for its folder here, NAME.shards, or else its database, NAME.db. Nothing is written; where Slurm is "
        "installed, its queue is queried. Exit status 0: every run succeeded and is in one database; 1: not yet.",
    .notes = "`iasim status NAME.shards --json` is for scripts that watch a batch.",
    .examples = "iasim run smoke\n"
                "iasim status smoke\n"
                "iasim status smoke.db --json\n",
    .run = run,
};
