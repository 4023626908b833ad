/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The run shows what the error of a plan is: a plan under classic, which knows of no contention, in the world
   involvement. */
#include "cli/demo_page.h"

#include "base/mem.h"
#include "cli/command.h"
#include "cli/study.h"
#include "dag/dag_generate.h"
#include "engine/engine.h"
#include "engine/guard.h"
#include "html/html.h"
#include "html/run_html.h"
#include "schedulers/scheduler.h"

#include <stdlib.h>

static const char graph[] = "layered[tasks=40,width=8,density=0.1,work_flop=1e6]",
                  platform[] = "platforms/sinnen-star-full.xml", scheduler[] = "list[technique=insertion]",
                  belief[] = "classic", world[] = "involvement";

static const double graph_ccr = 1;

/* ---- one run ---- */

static enum err_code add_replay(struct engine *engine, const struct schedule *s, struct html_page *page, struct err *e)
{
    struct replay_options how = {.links = REPLAY_FLUID};
    struct study study = {.engine = engine, .schedule = s, .how = &how, .n_each = STUDY_WHAT_IFS};
    struct replay_result result = {0};
    struct replay_record record = {0};
    struct explanation explanation = {0};
    enum err_code code = world_find(world, &how.world, e);
    if (code == ERR_NONE)
        code = study_ask(&study, e);
    if (code == ERR_NONE)
        code = study_explain(&study, &result, &record, &explanation, e);
    if (code == ERR_NONE)
        html_page_add(page, "run", "One run in full: a plan that knows of no contention, and what happened",
                      run_html_json(&(struct run_html){s, &result, &record, how.world, &explanation,
                                                       study.answers->what_ifs, study.answers->n_what_ifs}));
    explanation_clear(&explanation);
    replay_record_clear(&record);
    replay_result_clear(&result);
    study_close(&study);
    return code;
}

static enum err_code plan(const struct problem *p, struct schedule *out, struct err *e)
{
    struct scheduler_choice choice = {0};
    enum err_code code = scheduler_choose(scheduler, &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, p, NULL, out, e);
    scheduler_choice_clear(&choice);
    return code;
}

static enum err_code add_run(struct html_page *page, struct err *e)
{
    struct engine *engine = NULL;
    struct route_table routes = {0};
    struct dag dag = {0};
    struct schedule schedule;
    struct problem problem = {.dag = &dag, .routes = &routes};
    char *file = command_data_path(platform);
    enum err_code code = engine_open(file, &engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&routes, problem.machine = engine_machine(engine), e);
    if (code == ERR_NONE)
        code = dag_generate(graph, 1, &dag, e);
    if (code == ERR_NONE)
        code = dag_set_ccr(&dag, &routes, graph_ccr, e);
    if (code == ERR_NONE)
        code = cost_model_find(belief, &problem.model, e);
    if (code == ERR_NONE && (code = plan(&problem, &schedule, e)) == ERR_NONE) {
        code = add_replay(engine, &schedule, page, e);
        schedule_clear(&schedule);
    }
    dag_clear(&dag);
    route_table_clear(&routes);
    free(file);
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

/* In a child of its own, because it simulates. */
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
    enum err_code code = html_check(path, NULL, 0, e);
    return code == ERR_NONE ? guard_run(write_page, &(struct writing){d, path}, e) : code;
}
