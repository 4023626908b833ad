/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedules of the interface: making, reading, writing, judging them. Planning runs in this process, not in a child:
   schedulers do not ask SimGrid. A schedule borrows its platform and graph. */
#include "base/mem.h"
#include "library/call.h"
#include "plan/check.h"
#include "plan/schedule_json.h"
#include "schedulers/scheduler.h"

#include <stdlib.h>

/* What planning and reading have in common: everything but the model, which a schedule file names itself. */
static enum err_code state_problem(struct iasim_platform *platform, const struct iasim_graph *graph,
                                   struct problem *out, struct err *e)
{
    *out = (struct problem){
        .dag = &graph->dag, .machine = platform->machine, .routes = &platform->routes, .costs = graph_costs(graph)};
    return platform_need_routes(platform, e);
}

/* Hands `schedule` out if all went well. */
static enum err_code hand_out(struct iasim_schedule *schedule, enum err_code code, struct iasim_schedule **out)
{
    if (code == ERR_NONE)
        *out = schedule;
    else
        free(schedule);
    return code;
}

enum err_code iasim_plan(struct iasim_platform *platform, const struct iasim_graph *graph, const char *model,
                         const char *scheduler, struct iasim_schedule **out, struct err *e)
{
    locale_t before = call_begin(e);
    struct iasim_schedule *made = mem_zalloc(1, sizeof *made);
    struct scheduler_choice choice = {0};
    struct problem problem;
    /* A replay of the schedule will need the engine behind it. */
    made->platform = platform;
    enum err_code code = state_problem(platform, graph, &problem, e);
    if (code == ERR_NONE)
        code = cost_model_find(model, &problem.model, e);
    if (code == ERR_NONE)
        code = scheduler_choose(scheduler, &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, &problem, NULL, &made->schedule, e);
    if (code == ERR_NONE)
        call_warn(e, cost_model_warning(problem.model, platform->machine));
    scheduler_choice_clear(&choice);
    return call_end(before, hand_out(made, code, out));
}

enum err_code iasim_schedule_read(const char *path, struct iasim_platform *platform, const struct iasim_graph *graph,
                                  struct iasim_schedule **out, struct err *e)
{
    locale_t before = call_begin(e);
    struct iasim_schedule *read = mem_zalloc(1, sizeof *read);
    struct problem problem;
    char *found = command_data_path(path);
    read->platform = platform;
    enum err_code code = state_problem(platform, graph, &problem, e);
    if (code == ERR_NONE)
        code = schedule_read_json(found, &problem, &read->schedule, e);
    free(found);
    return call_end(before, hand_out(read, code, out));
}

enum err_code iasim_schedule_write(const struct iasim_schedule *schedule, const char *path, struct err *e)
{
    locale_t before = call_begin(e);
    struct text text = {0};
    schedule_write_json(&schedule->schedule, &text);
    enum err_code code = text_write_file(path, text_str(&text), text.size, e);
    text_clear(&text);
    return call_end(before, code);
}

void iasim_schedule_free(struct iasim_schedule *schedule)
{
    if (schedule != NULL)
        schedule_clear(&schedule->schedule);
    free(schedule);
}

double iasim_schedule_length_s(const struct iasim_schedule *schedule)
{
    return schedule_length_s(&schedule->schedule);
}

bool iasim_schedule_task(const struct iasim_schedule *schedule, size_t i, struct iasim_task *out)
{
    const struct problem *p = &schedule->schedule.problem;
    if (i >= (size_t)p->dag->n_tasks)
        return false;
    const struct planned_task *t = &schedule->schedule.tasks[i];
    *out =
        (struct iasim_task){p->dag->tasks[i].name, p->machine->hosts[t->host].name, t->span.start_s, t->span.finish_s};
    return true;
}

struct check_work {
    const char *path;
    const struct iasim_platform *platform;
    const struct iasim_graph *graph;
};

/* In a child: only whether SimGrid survives the routes that the schedule asks for. */
static enum err_code try_to_check(void *self, struct err *e)
{
    const struct check_work *w = self;
    struct check_result r;
    enum err_code code = check_schedule(w->path, &w->graph->dag, w->platform->machine, graph_costs(w->graph), &r, e);
    if (code == ERR_NONE)
        check_result_clear(&r);
    return code;
}

enum err_code iasim_check(const char *path, const struct iasim_platform *platform, const struct iasim_graph *graph,
                          iasim_violation *violation, void *self, struct err *e)
{
    locale_t before = call_begin(e);
    struct check_result r;
    char *found = command_data_path(path);
    struct check_work w = {found, platform, graph};
    /* With all routes known SimGrid has been asked for them, in a child, too (platform_need_routes). */
    enum err_code code =
        platform->has_routes ? ERR_NONE : call_in_child(try_to_check, &w, platform->machine->source, e);
    if (code == ERR_NONE)
        code = check_schedule(found, &graph->dag, platform->machine, graph_costs(graph), &r, e);
    if (code == ERR_NONE) {
        /* The texts are the result's and gone after the call (iasim.h). */
        for (size_t i = 0; violation != NULL && i < r.n; i++)
            violation(self, r.list[i].line, r.list[i].condition, r.list[i].text);
        if (r.n > 0)
            code =
                err_set_at(e, ERR_NO, found, 0, "the schedule is invalid: %zu violation%s", r.n, r.n == 1 ? "" : "s");
        check_result_clear(&r);
    }
    free(found);
    return call_end(before, code);
}
