/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the rows of a point to a graph, a problem and a schedule. The machine with its routes is made once for all
   points that share a platform, because routes take the square of the hosts; the graph is made for each point,
   because points differ in it. */
#include "runs/graph_rows.h"

#include "actors/actors.h"
#include "base/mem.h"
#include "dag/dag_generate.h"
#include "dag/format.h"
#include "plan/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stream of its own, so that drawn times are independent of the graph that the same seed makes. */
static const uint64_t stream_of_costs = 0x636f737473; /* "costs" */

enum err_code graph_rows_prepare(const struct param_set *params, void **shared, struct err *e)
{
    struct graph_machine *m = mem_zalloc(1, sizeof *m);
    m->has_actors = row_is(params, "engine", "actors");
    enum err_code code = m->has_actors ? actors_prepare(e) : ERR_NONE;
    if (code == ERR_NONE)
        code = rows_open_machine(params, &m->engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&m->routes, engine_machine(m->engine), e);
    /* Set also after an error: the caller releases what there is. */
    *shared = m;
    return code;
}

void graph_rows_release(void *shared)
{
    /* The engine stays: SimGrid can be loaded once in a process. */
    struct graph_machine *m = shared;
    route_table_clear(&m->routes);
    free(m);
}

enum err_code graph_row_check_generator(const char *value, struct err *e)
{
    return value[0] != '\0' ? dag_generate_check(value, e) : ERR_NONE;
}

enum err_code graph_row_check_format(const char *value, struct err *e)
{
    const struct dag_format *format;
    return dag_format_find(value, &format, e);
}

enum err_code graph_row_check_scheduler(const char *value, struct err *e)
{
    struct scheduler_choice choice = {0};
    enum err_code code = scheduler_choose(value, &choice, e);
    scheduler_choice_clear(&choice);
    return code;
}

const struct origin *graph_row_scheduler_origin(const char *value)
{
    struct scheduler_choice choice = {0};
    const struct origin *from = scheduler_choose(value, &choice, NULL) == ERR_NONE ? choice.origin : NULL;
    scheduler_choice_clear(&choice);
    return from;
}

/* Both are texts that may be empty, so "neither" and "both" are one mistake. */
enum err_code graph_rows_check_given(const struct param_set *ps, struct err *e)
{
    if ((param_text(ps, "graph")[0] != '\0') == (param_text(ps, "generator")[0] != '\0'))
        return err_set(e, ERR_INPUT, "a graph comes from a file or from a generator: give one of the two");
    if (param_has(ps, "costs") && param_has(ps, "unrelated"))
        return err_set(
            e, ERR_INPUT,
            "times on unrelated hosts come from a file (costs) or are drawn (unrelated): give one of the two");
    return ERR_NONE;
}

enum err_code graph_rows_read(const struct param_set *ps, struct dag *out, struct err *e)
{
    struct dag_read_options reading = {.reference_flop_per_s = DAG_REFERENCE_FLOP_PER_S};
    const struct dag_format *format = NULL;
    if (param_has(ps, "flop_per_s"))
        reading.reference_flop_per_s = param_number(ps, "flop_per_s");
    enum err_code code = param_has(ps, "format") ? dag_format_find(param_text(ps, "format"), &format, e) : ERR_NONE;
    return code == ERR_NONE ? dag_read(param_text(ps, "graph"), format, &reading, out, e) : code;
}

static enum err_code make_graph(struct graph_point *g, const struct param_set *ps, struct err *e)
{
    const char *generator = param_text(ps, "generator");
    double ccr = param_number(ps, "ccr");
    /* Only generators use the seed; for a file it changes nothing (RUN_SEED). */
    enum err_code code = generator[0] == '\0'
                             ? graph_rows_read(ps, &g->dag, e)
                             : dag_generate(generator, (unsigned long long)param_integer(ps, "instance"), &g->dag, e);
    /* The ratio of a graph is one on a platform, so it is set when the machine is known. 0 keeps the sizes of the
       file. */
    if (code == ERR_NONE && ccr > 0)
        code = dag_set_ccr(&g->dag, &g->machine->routes, ccr, e);
    return code;
}

/* Times on unrelated hosts, the same for all points with the same graph. Edges are scaled again: the CCR counts the
   times that were given or drawn, and the first scaling could only know work over speed. */
static enum err_code make_costs(struct graph_point *g, const struct param_set *ps, struct err *e)
{
    const struct machine *m = g->machine->routes.machine;
    double ccr = param_number(ps, "ccr");
    struct random_stream r;
    enum err_code code = ERR_NONE;
    random_init(&r, (uint64_t)param_integer(ps, "instance"), stream_of_costs);
    if (param_has(ps, "costs"))
        code = task_costs_read(param_text(ps, "costs"), &g->dag, m, &g->costs, e);
    else if (param_has(ps, "unrelated"))
        task_costs_draw(&g->dag, m, param_number(ps, "unrelated"), &r, &g->costs);
    if (code != ERR_NONE || g->costs.compute_s == NULL)
        return code;
    g->problem.costs = &g->costs;
    /* A graph without data has the ratio 0 at any scale. */
    if (ccr > 0 && problem_ccr(&g->problem) > 0)
        dag_scale_edges(&g->dag, ccr / problem_ccr(&g->problem));
    return ERR_NONE;
}

static enum err_code make_plan(struct graph_point *g, const struct param_set *ps, struct err *e)
{
    struct scheduler_choice choice = {0};
    enum err_code code = cost_model_find(param_text(ps, "model"), &g->problem.model, e);
    if (code == ERR_NONE)
        code = scheduler_choose(param_text(ps, "scheduler"), &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, &g->problem, NULL, &g->schedule, e);
    scheduler_choice_clear(&choice);
    return code;
}

void graph_rows_figures(const struct schedule *s, double *out)
{
    const struct problem *p = &s->problem;
    out[PLAN_LENGTH] = schedule_length_s(s);
    double sequential_s = problem_sequential_s(p, NULL);
    /* A host that may not run some task (an empty cell of the costs) cannot run all of them. */
    out[PLAN_SEQUENTIAL] = isfinite(sequential_s) ? sequential_s : NAN; /* no host may run all tasks */
    out[PLAN_SPEEDUP] = out[PLAN_SEQUENTIAL] / out[PLAN_LENGTH];
    out[PLAN_CRITICAL_PATH] = problem_critical_path_s(p);
    out[PLAN_WORK_BOUND] = problem_work_bound_s(p);
    out[PLAN_COMMUNICATION_BOUND] = problem_communication_bound_s(p);
    /* A graph whose tasks all take no time has no such ratio. */
    out[PLAN_SLR] = out[PLAN_CRITICAL_PATH] > 0 ? out[PLAN_LENGTH] / out[PLAN_CRITICAL_PATH] : NAN;
    /* Schedulers that prove nothing leave 0. A schedule may undercut the bound by the last bits, hence fmax. */
    double bound_s = s->lower_bound_s;
    out[PLAN_GAP] = bound_s > 0 ? fmax(0, out[PLAN_LENGTH] - bound_s) / bound_s : NAN;
    out[PLAN_CCR] = problem_ccr(p);
    out[PLAN_REMOTE_EDGES] = 0;
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        out[PLAN_REMOTE_EDGES] += s->edges[e].is_remote;
}

enum err_code graph_point_problem(struct graph_point *g, const struct point *p, struct err *e)
{
    /* All zero first, so that graph_point_clear is right whatever fails. */
    *g = (struct graph_point){.machine = p->shared};
    enum err_code code = make_graph(g, p->params, e);
    g->problem = (struct problem){.dag = &g->dag, .machine = g->machine->routes.machine, .routes = &g->machine->routes};
    return code == ERR_NONE ? make_costs(g, p->params, e) : code;
}

enum err_code graph_point_init(struct graph_point *g, const struct point *p, double *metrics, struct err *e)
{
    enum err_code code = graph_point_problem(g, p, e);
    if (code == ERR_NONE)
        code = make_plan(g, p->params, e);
    if (code == ERR_NONE)
        graph_rows_figures(&g->schedule, metrics);
    /* A plugin may have answered with nonsense that the scheduler could use all the same. The plan is then not worth
       reporting. */
    return foreign_judge(code, e);
}

void graph_point_clear(struct graph_point *g)
{
    schedule_clear(&g->schedule);
    task_costs_clear(&g->costs);
    dag_clear(&g->dag);
}
