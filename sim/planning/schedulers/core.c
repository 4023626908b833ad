/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loops that list schedulers share. They place the task that the rule chooses, and stop early under a limit
   (outlook.h); rules see the draft only through struct core. */
#include "schedulers/core.h"

#include "base/mem.h"
#include "dag/levels.h"
#include "schedulers/priority.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum err_code core_refuse_inputs(const char *name, const struct scheduler_inputs *in, struct err *e)
{
    if (in->order != NULL)
        return err_set(e, ERR_INPUT, "scheduler %s does not take an order (--order): it makes its own; list does",
                       name);
    if (in->allocation != NULL)
        return err_set(e, ERR_INPUT,
                       "scheduler %s does not take an allocation (--allocation): it chooses the hosts; list does",
                       name);
    return ERR_NONE;
}

enum err_code core_refuse_aligned(const char *name, const struct problem *p, struct err *e)
{
    if (!p->model->is_aligned)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "scheduler %s does not know %s: it books edges step by step; list and heft do know it",
                   name, cost_model_text(p->model));
}

/* The technique of `how` is the parameter's. */
static void begin(struct core *c, const struct core_call *call, struct draft_options how, void *self)
{
    how.technique = strcmp(param_text(call->params, "technique"), "end") == 0 ? TECHNIQUE_END : TECHNIQUE_INSERTION;
    if (param_is_known(call->params, "edge_order")) /* not all have it */
        how.edge_order = draft_edge_order(param_text(call->params, "edge_order"));
    *c = (struct core){.problem = call->problem, .n_hosts = (host_id)call->problem->machine->n_hosts, .self = self};
    c->draft = draft_create_by(call->out, &how);
    c->outlook = outlook_create(call->out, call->in->limit);
}

static enum err_code end(struct core *c, const struct core_call *call)
{
    bool is_too_long = outlook_is_too_long(c->outlook); /* ERR_NO: the schedule is not complete and must not be read */
    outlook_free(c->outlook);
    for (int i = 0; i < c->n_ready; i++) /* of a schedule that was given up */
        free(c->tried[c->ready[i]]);
    draft_free(c->draft);
    free(c->ready);
    free(c->tried);
    if (is_too_long)
        return err_set(call->e, ERR_NO, "scheduler %s makes no schedule that is shorter", call->name);
    return param_is_on(call->params, "compact") ? schedule_compact(call->out, call->e) : ERR_NONE;
}

static void place_on(struct core *c, task_id t, host_id h)
{
    draft_place(c->draft, t, h);
    outlook_place(c->outlook, t);
}

enum err_code core_plan_passes(const struct core_call *call, const task_id *sequence, bool is_list, int n_passes,
                               host_id (*choose)(struct core *c, task_id t), void *self)
{
    struct core c;
    if (core_refuse_inputs(call->name, call->in, call->e) != ERR_NONE)
        return ERR_INPUT;
    begin(&c, call, (struct draft_options){.list = is_list ? sequence : NULL}, self);
    if (n_passes > 1) { /* what the last one makes is not known before */
        outlook_free(c.outlook);
        c.outlook = NULL;
    }
    for (; c.pass < n_passes; c.pass++) {
        if (c.pass > 0)
            draft_reset(c.draft);
        for (int k = 0; k < c.problem->dag->n_tasks && !outlook_is_too_long(c.outlook); k++)
            place_on(&c, sequence[k], choose(&c, sequence[k]));
    }
    return end(&c, call);
}

enum err_code core_plan_sequence(const struct core_call *call, const task_id *sequence, bool is_list,
                                 host_id (*choose)(struct core *c, task_id t), void *self)
{
    return core_plan_passes(call, sequence, is_list, 1, choose, self);
}

enum err_code core_plan_allocation(const struct core_call *call, const host_id *allocation)
{
    struct core c;
    task_id *list = priority_list(call->problem, "bottom_level");
    enum approach approach = draft_approach(param_text(call->params, "approach"));
    begin(&c, call, (struct draft_options){.approach = approach, .list = list, .allocation = allocation}, NULL);
    for (int k = 0; k < c.problem->dag->n_tasks && !outlook_is_too_long(c.outlook); k++)
        place_on(&c, list[k], allocation[list[k]]);
    free(list);
    return end(&c, call);
}

/* A row of the table is what follows the task on each host. */
static host_id choose_ahead(struct core *c, task_id t)
{
    return draft_choose_host_ahead(c->draft, t, (const double *)c->self + (size_t)t * (size_t)c->n_hosts);
}

enum err_code core_plan_ahead(const struct core_call *call, const double *priority, double *ahead_s)
{
    task_id *order = priority_list_of(call->problem->dag, priority);
    enum err_code code = core_plan_sequence(call, order, false, choose_ahead, ahead_s);
    free(order);
    return code;
}

/* ---- ready tasks ---- */

struct core_tried {
    struct span span;
    uint64_t n_changes; /* when it was tried */
    bool is_known;
};

struct span core_try(const struct core *c, task_id t, host_id h)
{
    /* after a placement most answers are as before: without contention only those of the host that was used change */
    struct core_tried *x = &c->tried[t][h];
    if (!x->is_known || draft_try_has_changed(c->draft, t, h, x->n_changes))
        *x = (struct core_tried){draft_try(c->draft, t, h), draft_n_changes(c->draft), true};
    return x->span;
}

static int place_of(const struct core *c, task_id t) /* the first of the ready tasks that is not before t in the file */
{
    int low = 0, high = c->n_ready;
    while (low < high) {
        int middle = (low + high) / 2;
        if (c->ready[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Kept in the order of the file, so that among equals the first offer is the task that is first there. Moving is cheap
   beside the tries of a step. */
static void add_ready(struct core *c, task_id t)
{
    int at = place_of(c, t);
    memmove(c->ready + at + 1, c->ready + at, (size_t)(c->n_ready - at) * sizeof *c->ready);
    c->ready[at] = t;
    c->tried[t] = mem_zalloc((size_t)c->n_hosts, sizeof *c->tried[t]);
    c->n_ready++;
}

static void remove_ready(struct core *c, task_id t)
{
    int at = place_of(c, t);
    assert(at < c->n_ready && c->ready[at] == t);
    free(c->tried[t]);
    c->n_ready--;
    memmove(c->ready + at, c->ready + at + 1, (size_t)(c->n_ready - at) * sizeof *c->ready);
}

static void place(struct core *c, task_id t, host_id h)
{
    const struct dag *g = c->problem->dag;
    place_on(c, t, h);
    remove_ready(c, t);
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
        /* true once for each task: when the last of its predecessors has been placed */
        if (draft_is_ready(c->draft, g->edges[g->out[i]].dst))
            add_ready(c, g->edges[g->out[i]].dst);
}

enum err_code core_plan_dynamic(const struct core_call *call, struct best (*choose)(struct core *c), void *self)
{
    struct core c;
    if (core_refuse_inputs(call->name, call->in, call->e) != ERR_NONE)
        return ERR_INPUT;
    begin(&c, call, (struct draft_options){0}, self);
    c.ready = mem_alloc((size_t)c.problem->dag->n_tasks * sizeof *c.ready);
    c.tried = mem_alloc((size_t)c.problem->dag->n_tasks * sizeof *c.tried);
    for (task_id t = 0; t < c.problem->dag->n_tasks; t++)
        if (draft_is_ready(c.draft, t))
            add_ready(&c, t);
    while (c.n_ready > 0 && !outlook_is_too_long(c.outlook)) {
        struct best next = choose(&c);
        place(&c, next.task, next.host);
    }
    return end(&c, call);
}

/* ---- common rules ---- */

host_id core_least_finish(struct core *c, task_id t)
{
    return draft_choose_host(c->draft, t, DRAFT_LEAST_FINISH);
}

host_id core_least_start(struct core *c, task_id t)
{
    return draft_choose_host(c->draft, t, DRAFT_LEAST_START);
}

/* Rounded lengths: a schedule that differs in last bits only must not replace an earlier one, or the result would
   depend on the compiler. Bounds hold whoever has proved them, so the larger one stays. */
void core_keep_shorter(struct schedule *best, struct schedule *x)
{
    double bound_s = fmax(best->lower_bound_s, x->lower_bound_s);
    bool has_both = best->tasks != NULL && x->tasks != NULL;
    bool is_shorter =
        has_both ? choose_rounded(schedule_length_s(x)) < choose_rounded(schedule_length_s(best)) : best->tasks == NULL;
    if (is_shorter) {
        struct schedule longer = *best;
        *best = *x;
        *x = longer;
    }
    schedule_clear(x);
    free(best->scheduler);
    best->scheduler = NULL;
    best->lower_bound_s = bound_s;
}

/* ---- costs ---- */

/* A figure of the times of a task, which are sorted; n: the number of hosts where it may run. The median of an even
   number is the mean of the middle two. */
static double figure(const double *sorted_s, size_t n, const char *rank)
{
    if (strcmp(rank, "best") == 0)
        return sorted_s[0];
    if (strcmp(rank, "worst") == 0)
        return sorted_s[n - 1];
    return n % 2 == 1 ? sorted_s[n / 2] : (sorted_s[n / 2 - 1] + sorted_s[n / 2]) / 2;
}

static void find_figures(const struct problem *p, const char *rank, double *task_s)
{
    double *sorted_s = mem_alloc(p->machine->n_hosts * sizeof *sorted_s);
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        size_t n = 0;
        for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
            if (problem_may_run(p, t, h))
                sorted_s[n++] = problem_compute_s(p, t, h);
        qsort(sorted_s, n, sizeof *sorted_s, choose_ascending);
        task_s[t] = figure(sorted_s, n, rank);
    }
    free(sorted_s);
}

void core_rank_costs(const struct problem *p, const char *rank, const char *edges, double **task_s, double **edge_s)
{
    *task_s = mem_alloc((size_t)p->dag->n_tasks * sizeof **task_s);
    *edge_s = mem_alloc(((size_t)p->dag->n_edges + 1) * sizeof **edge_s);
    problem_mean_costs(p, *task_s, *edge_s);
    if (strcmp(rank, "mean") != 0)
        find_figures(p, rank, *task_s);
    if (strcmp(edges, "pairs") == 0)
        problem_pair_costs(p, *edge_s);
}

static double *find_levels(const struct problem *p, const char *rank, const char *edges, bool has_edges)
{
    double *task_s, *edge_s, *level_s = mem_alloc((size_t)p->dag->n_tasks * sizeof *level_s);
    core_rank_costs(p, rank, edges, &task_s, &edge_s);
    dag_bottom_levels(p->dag, task_s, has_edges ? edge_s : NULL, level_s);
    free(edge_s);
    free(task_s);
    return level_s;
}

double *core_bottom_levels(const struct problem *p, const char *rank, const char *edges)
{
    return find_levels(p, rank, edges, true);
}

double *core_computation_levels(const struct problem *p, const char *rank)
{
    return find_levels(p, rank, "links", false);
}
