/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The run shows what the error of a plan is: a plan under classic, which knows of no contention, in the world
   involvement. */
#include "cli/demo_page.h"

#include "base/mem.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/study.h"
#include "engine/guard.h"
#include "html/html.h"
#include "html/run_html.h"
#include "runs/graph_rows.h"

#include <stdlib.h>

/* Small enough to see every task, and with CCR 1, where plan and reality differ visibly. */
static const char *const values[][2] = {{"generator", "layered[tasks=40,width=8,density=0.1,work_flop=1e6]"},
                                        {"ccr", "1"},
                                        {"scheduler", "list[technique=insertion]"},
                                        {"model", "classic"},
                                        {"world", "involvement"}};

/* ---- one run ---- */

static enum err_code add_replay(const struct graph_point *g, const struct replay_options *how, struct html_page *page,
                                struct err *e)
{
    struct study study = {.engine = g->machine->engine, .schedule = &g->schedule, .how = how, .n_each = STUDY_WHAT_IFS};
    struct study_found found = {0};
    enum err_code code = study_ask(&study, e);
    if (code == ERR_NONE)
        code = study_explain(&study, &found, e);
    if (code == ERR_NONE)
        html_page_add(
            page, "run", "One run in full: a plan that knows of no contention, and what happened",
            run_html_json(&(struct run_html){&g->schedule, &found.result, &found.record, how->world, &found.explanation,
                                             study.answers->what_ifs, study.answers->n_what_ifs}));
    study_found_clear(&found);
    study_close(&study);
    return code;
}

static enum err_code add_run(struct html_page *page, struct err *e)
{
    struct run_given given;
    struct graph_point g = {0};
    struct replay_how how = {0};
    /* graph_point_init fills the figures of a sweep; the page has them from the schedule. */
    double ignored[N_PLAN_METRICS];
    char *platform = command_data_path("platforms/sinnen-star-full.xml");
    /* As the command `iasim replay` does with options, but with a generated graph: files would have to be shipped. */
    run_given_init(&given, &run_replay);
    enum err_code code = param_set_value(given.params, "the demo", "platform", platform, e);
    for (size_t i = 0; code == ERR_NONE && i < sizeof values / sizeof values[0]; i++)
        code = param_set_value(given.params, "the demo", values[i][0], values[i][1], e);
    if (code == ERR_NONE)
        code = run_given_begin(&given, e);
    if (code == ERR_NONE)
        code = graph_point_init(&g, &given.point, ignored, e);
    if (code == ERR_NONE)
        code = replay_how_read(&how, &given.point, e);
    if (code == ERR_NONE)
        code = add_replay(&g, &how.options, page, e);
    replay_how_clear(&how);
    graph_point_clear(&g);
    run_given_clear(&given);
    free(platform);
    return code;
}

/* ---- the page ---- */

static enum err_code add_results(const struct results_source *from, struct html_page *page, struct err *e)
{
    json_t *data;
    enum err_code code = results_html(from, &data, e);
    if (code != ERR_NONE)
        return code;
    char *title = mem_format("Runs of %s", from->scenario->name);
    html_page_add(page, "results", title, data);
    free(title);
    return ERR_NONE;
}

struct writing {
    const struct demo_page *demo;
    const char *path;
};

/* In a child of its own, because it simulates, and a process simulates once: the demo must not depend on what runs
   next. The database's figures are read there, too, so that only the file comes out of it. */
static enum err_code write_page(void *self, struct err *e)
{
    const struct writing *w = self;
    struct html_page *page = html_page_create("iasim demo: the comparisons of two papers, recomputed");
    enum err_code code = ERR_NONE;
    html_page_add(page, "document", "What came out", document_blocks_json(w->demo->report));
    for (size_t i = 0; i < w->demo->n_results && code == ERR_NONE; i++)
        code = add_results(&w->demo->results[i], page, e);
    if (code == ERR_NONE)
        code = add_run(page, e);
    if (code == ERR_NONE)
        code = html_page_write(page, w->path, e);
    html_page_free(page);
    return code;
}

enum err_code demo_page_write(const struct demo_page *d, const char *path, struct err *e)
{
    enum err_code code = html_check(path, e);
    return code == ERR_NONE ? guard_run(write_page, &(struct writing){d, path}, e) : code;
}
