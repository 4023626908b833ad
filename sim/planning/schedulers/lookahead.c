/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lookahead [Bittencourt 2010]: HEFT's order; each task is placed on every host for trial, then its successors as HEFT
   would, one after the other in that order, with the data of those origins that are placed. The task goes to the host
   where the last of them finishes first. An exit goes where it finishes first.

   Time: for each task on each host, one booking per edge that enters a successor, on each host: quadratic in the
   hosts. */
#include "base/mem.h"
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

/* Like the dag's `out`, but destinations, in the order of the list. Takes the tasks in the order of the list and
   appends each to the children of its predecessors. */
static task_id *sort_children(const struct dag *g, const task_id *list)
{
    task_id *children = mem_alloc(((size_t)g->n_edges + 1) * sizeof *children);
    int *n = mem_zalloc((size_t)g->n_tasks, sizeof *n);
    for (int k = 0; k < g->n_tasks; k++)
        for (int i = g->in_start[list[k]]; i < g->in_start[list[k] + 1]; i++) {
            task_id parent = g->edges[g->in[i]].src;
            children[g->out_start[parent] + n[parent]++] = list[k];
        }
    free(n);
    return children;
}

/* The latest finish of its successors if `t` is on `h`; for an exit its own. If that is not before `enough_s`, it may
   be any date from `enough_s` on. */
static double look_ahead_s(const struct core *c, task_id t, host_id h, double enough_s)
{
    const struct dag *g = c->problem->dag;
    const task_id *children = c->self;
    struct draft_mark mark = draft_mark(c->draft);
    double finish_s = draft_place(c->draft, t, h), latest_s = 0;
    for (int i = g->out_start[t]; i < g->out_start[t + 1] && latest_s < enough_s; i++) {
        host_id best = draft_choose_host_early(c->draft, children[i], DRAFT_LEAST_FINISH);
        latest_s = fmax(latest_s, draft_place_early(c->draft, children[i], best));
    }
    draft_rollback(c->draft, mark);
    return g->out_start[t] == g->out_start[t + 1] ? finish_s : latest_s;
}

static host_id choose(struct core *c, task_id t)
{
    struct best best = BEST_NONE;
    for (host_id h = 0; h < c->n_hosts; h++)
        if (problem_may_run(c->problem, t, h))
            best_offer(&best, look_ahead_s(c, t, h, best.least), t, h);
    return best.host;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"lookahead", p, ps, in, out, e};
    double *level_s = core_bottom_levels(p, "mean", param_text(ps, "edges"));
    task_id *list = priority_list_of(p->dag, level_s);
    task_id *children = sort_children(p->dag, list);
    enum err_code code = core_plan_sequence(&call, list, true, choose, children);
    free(children);
    free(list);
    free(level_s);
    return code;
}

extern const struct scheduler scheduler_lookahead;
const struct scheduler scheduler_lookahead = {
    .name = "lookahead",
    .summary = "Lookahead: each task goes where its successors can finish first; quadratic in the hosts",
    .source = "Bittencourt, Sakellariou, Madeira, PDP 2010",
    .params = params,
    .plan = plan,
};
