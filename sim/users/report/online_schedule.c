/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/online_schedule.h"

#include "base/mem.h"
#include "dag/format.h"
#include "plan/schedule_json.h"

#include <math.h>
#include <stdlib.h>

static enum err_code add_job(struct dag *out, const struct runtime_job *j, struct err *e)
{
    const struct dag *g = j->problem.dag;
    enum err_code code = ERR_NONE;
    for (task_id t = 0; t < g->n_tasks && code == ERR_NONE; t++) {
        char *name = mem_format("%s/%s", j->name, g->tasks[t].name);
        code = dag_add_task(out, name, g->tasks[t].work_flop, 0, NULL, e);
        free(name);
    }
    for (edge_id k = 0; k < g->n_edges && code == ERR_NONE; k++)
        code = dag_add_edge(out, j->first_work + g->edges[k].src, j->first_work + g->edges[k].dst,
                            g->edges[k].size_bytes, 0, e);
    return code;
}

/* Numbers of tasks and edges are those of the run: jobs come one after the other. */
static void take_dates(struct online_schedule *s, const struct online_outcome *x)
{
    static const struct span never = {NAN, NAN};
    const struct online_result *r = &x->result;
    struct replay_result *to = &s->result;
    to->n_tasks = (size_t)s->dag.n_tasks;
    to->n_edges = (size_t)s->dag.n_edges;
    to->n_hosts = s->problem.machine->n_hosts;
    to->makespan_s = r->makespan_s;
    to->tasks = mem_alloc((to->n_tasks + 1) * sizeof *to->tasks);
    to->edges = mem_alloc((to->n_edges + 1) * sizeof *to->edges);
    to->hosts = mem_zalloc(to->n_hosts, sizeof *to->hosts);
    for (work_id w = 0; w < x->runtime.n_works; w++) {
        to->tasks[w] = r->works[w];
        s->schedule.tasks[w] = (struct planned_task){r->hosts[w], r->works[w]};
    }
    for (data_id d = 0; d < x->runtime.n_data; d++)
        to->edges[d] = (struct replayed_edge){never, never, never};
    for (size_t i = 0; i < r->n_copies; i++) {
        const struct online_copy *c = &r->copies[i];
        if (!c->is_used)
            continue;
        to->edges[c->data] = (struct replayed_edge){c->send, c->transfer, c->recv};
        s->schedule.edges[c->data].is_remote = true;
    }
}

enum err_code online_schedule_make(struct online_schedule *out, const struct online_outcome *x, const char *source,
                                   struct err *e)
{
    *out = (struct online_schedule){0};
    dag_init(&out->dag, source);
    out->problem = (struct problem){.dag = &out->dag, .machine = x->runtime.machine, .routes = x->runtime.routes};
    enum err_code code = cost_model_find("classic", &out->problem.model, e);
    for (int j = 0; j < x->n_jobs && code == ERR_NONE; j++)
        code = add_job(&out->dag, &x->jobs[j], e);
    if (code == ERR_NONE)
        code = dag_seal(&out->dag, e);
    if (code != ERR_NONE)
        return code;
    schedule_init(&out->schedule, &out->problem);
    out->schedule.scheduler = mem_format("online %s", x->policy.text);
    take_dates(out, x);
    return ERR_NONE;
}

void online_schedule_clear(struct online_schedule *s)
{
    replay_result_clear(&s->result);
    schedule_clear(&s->schedule);
    dag_clear(&s->dag);
}

static enum err_code write_graph(const struct dag *g, const char *path, struct err *e)
{
    const struct dag_format *dot;
    struct text out = {0};
    enum err_code code = dag_format_find("dot", &dot, e);
    if (code == ERR_NONE)
        code = dot->write(g, NULL, &out, e);
    if (code == ERR_NONE)
        code = text_write_file(path, text_str(&out), out.size, e);
    text_clear(&out);
    return code;
}

enum err_code online_schedule_write(const struct online_outcome *x, const char *prefix, struct err *e)
{
    char *graph = mem_format("%s.dot", prefix), *plan = mem_format("%s.json", prefix);
    struct online_schedule s;
    struct text out = {0};
    enum err_code code = online_schedule_make(&s, x, graph, e);
    if (code == ERR_NONE)
        code = write_graph(&s.dag, graph, e);
    if (code == ERR_NONE) {
        schedule_write_json(&s.schedule, &out);
        code = text_write_file(plan, text_str(&out), out.size, e);
    }
    text_clear(&out);
    online_schedule_clear(&s);
    free(graph);
    free(plan);
    return code;
}
