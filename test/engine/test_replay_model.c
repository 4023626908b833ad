/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A world that charges what a cost model says: a schedule made under the model comes out as planned. */
#include "base/mem.h"
#include "dag_text.h"
#include "engine/replay.h"
#include "fork_engine.h"
#include "schedulers/scheduler.h"
#include "toy_logp.h"

static const char platform[] =
    "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
    "<config><prop id=\"network/model\" value=\"CM02\"/><prop id=\"network/crosstraffic\" value=\"0\"/></config>"
    "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"2f\"/><host id=\"c\" "
    "speed=\"1f\"/>"
    "<link id=\"l\" bandwidth=\"1Bps\" latency=\"0s\"/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>"
    "<route src=\"a\" dst=\"c\"><link_ctn id=\"l\"/></route><route src=\"b\" dst=\"c\"><link_ctn id=\"l\"/></route>"
    "</zone></platform>";

struct trial {
    const char *path, *graph, *model, *scheduler;
    const char *world; /* NULL: of the model, and then it must come out as planned; else it must only come to its end */
    enum replay_links links;
};

static enum err_code run(const struct trial *t, const struct dag *g, struct text *report, struct err *e)
{
    struct engine *engine;
    struct route_table routes = {0};
    struct problem p = {.dag = g, .routes = &routes};
    struct scheduler_choice choice = {0};
    struct schedule s = {0};
    struct replay_result r = {0};
    const struct cost_model *charges = NULL;
    cost_model_register(&toy, NULL);
    enum err_code code = engine_open(t->path, &engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&routes, p.machine = engine_machine(engine), e);
    if (code == ERR_NONE)
        code = cost_model_find(t->model, &p.model, e);
    if (code == ERR_NONE)
        code = cost_model_find(t->world != NULL ? t->world : t->model, &charges, e);
    if (code == ERR_NONE)
        code = scheduler_choose(t->scheduler, &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, &p, NULL, &s, e);
    if (code != ERR_NONE)
        goto done;
    const struct world_model world = {.name = "toy", .charges = charges};
    code = replay_run(engine, &s, &(struct replay_options){.world = &world, .links = t->links}, &r, e);
    for (task_id x = 0; code == ERR_NONE && t->world == NULL && x < g->n_tasks; x++) {
        double want_s = s.tasks[x].span.finish_s, got_s = r.tasks[x].finish_s;
        if (fabs(want_s - got_s) > 1e-9 * want_s)
            text_addf(report, "task %s ends at %.12g, planned %.12g\n", g->tasks[x].name, got_s, want_s);
    }
    int n_remote = 0;
    for (edge_id x = 0; x < g->n_edges; x++)
        n_remote += s.edges[x].is_remote;
    if (n_remote == 0)
        text_addf(report, "nothing is sent\n");
done:
    replay_result_clear(&r);
    schedule_clear(&s);
    scheduler_choice_clear(&choice);
    route_table_clear(&routes);
    return code;
}

static void tell_trial(void *self, int fd)
{
    const struct trial *t = self;
    struct dag g = dag_from_text(t->graph);
    struct text report = {0};
    struct err e = {0};
    if (run(t, &g, &report, &e) != ERR_NONE)
        text_addf(&report, "error: %s\n", e.text);
    tell(fd, text_str(&report), report.size);
    tell(fd, "x", 1);
    text_clear(&report);
    dag_clear(&g);
}

static void check_trial(const char *model, const char *world, const char *scheduler, enum replay_links links)
{
    static const char graph[] = "A:3 B:40 C:40 D:3 E:40 F:4 | A>B:2 A>C:2 B>D:3 B>F:2 C>E:1 D>F:3 E>F:3 A>E:5";
    struct text said = {0};
    char *path = file_with("platform.xml", platform);
    struct trial t = {path, graph, model, scheduler, world, links};
    CHECK_INT(in_child(tell_trial, &t, 60, &said), ENDED_WELL);
    CHECK_TEXT(text_str(&said), "x");
    text_clear(&said);
    free(path);
}

/* Processors, ports or both are what messages wait for. The last two: a transit that is negative. */
static void a_plan_comes_out_in_the_world_of_its_model(void)
{
    static const char *const models[] = {"toy[L=6,o=2]", "toy[L=6,o=2,g=2]",   "toy[o=1.5]",
                                         "toy[L=4]",     "toy[L=6,o=2,g=4]",   "toy[L=3,g=5]",
                                         "toy[o=1,g=9]", "toy[L=0.5,o=2,M=2]", "toy[L=1,o=1,g=1,M=1]"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        for (int links = 0; links < 2; links++) {
            check_trial(models[i], NULL, "list[technique=end]", links ? REPLAY_EXCLUSIVE : REPLAY_FLUID);
            check_trial(models[i], NULL, "list[technique=insertion]", links ? REPLAY_EXCLUSIVE : REPLAY_FLUID);
        }
}

static void any_plan_can_be_carried_out_there(void)
{
    static const char *const models[] = {"classic", "contention", "involvement", "toy[L=1,o=0.5,g=8]"};
    static const char *const worlds[] = {"toy[L=6,o=2,g=4]", "toy[L=3,g=5]"};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++)
            for (int links = 0; links < 2; links++)
                check_trial(models[i], worlds[k], "list", links ? REPLAY_EXCLUSIVE : REPLAY_FLUID);
}

static const struct test tests[] = {
    {"a plan comes out in the world of its model", a_plan_comes_out_in_the_world_of_its_model},
    {"any plan can be carried out there", any_plan_can_be_carried_out_there},
};
TEST_MAIN(tests)
