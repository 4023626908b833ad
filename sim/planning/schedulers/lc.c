/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LC, linear clustering [Kim 1988]: again and again the longest path, with mean costs, of the tasks that are left
   becomes a cluster. The path starts at the task with the highest level, and goes on to the successor with the largest
   sum of edge and level. It ends where no host may run all of its tasks.

   Time: tasks and edges, for each cluster: quadratic. */
#include "schedulers/clustering.h"

#include "base/mem.h"

#include <stdlib.h>

struct rest {
    const struct clustering *c;
    task_id *order; /* the tasks that are left, each after its predecessors */
    int n;
    bool *is_left;   /* [task] */
    double *level_s; /* [task]: the longest path that starts with it, among those that are left */
};

/* The successor that is left with the largest sum of edge and level; -1: none is left. */
static task_id next_on_path(const struct rest *r, task_id t)
{
    const struct dag *g = r->c->problem->dag;
    struct best best = BEST_NONE;
    for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
        task_id s = g->edges[g->out[i]].dst;
        if (r->is_left[s])
            best_offer_by(&best, -(r->c->edge_s[g->out[i]] + r->level_s[s]), s, s, 0);
    }
    return best.task;
}

static void find_levels(struct rest *r)
{
    const struct dag *g = r->c->problem->dag;
    for (int k = r->n - 1; k >= 0; k--) {
        task_id t = r->order[k];
        double below_s = 0;
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            task_id s = g->edges[g->out[i]].dst;
            if (r->is_left[s])
                below_s = fmax(below_s, r->c->edge_s[g->out[i]] + r->level_s[s]);
        }
        r->level_s[t] = r->c->task_s[t] + below_s;
    }
}

static task_id highest(const struct rest *r)
{
    struct best best = BEST_NONE;
    for (int k = 0; k < r->n; k++)
        best_offer_by(&best, -r->level_s[r->order[k]], r->order[k], r->order[k], 0);
    return best.task;
}

static void forget_clustered(struct rest *r)
{
    int n = 0;
    for (int k = 0; k < r->n; k++)
        if (r->is_left[r->order[k]])
            r->order[n++] = r->order[k];
    r->n = n;
}

void cluster_lc(struct clustering *c)
{
    const struct dag *g = c->problem->dag;
    size_t n = (size_t)g->n_tasks;
    struct rest r = {c, mem_alloc(n * sizeof *r.order), g->n_tasks, mem_alloc(n * sizeof *r.is_left),
                     mem_alloc(n * sizeof *r.level_s)};
    for (size_t t = 0; t < n; t++) {
        r.order[t] = g->order[t];
        r.is_left[t] = true;
    }
    for (; r.n > 0; forget_clustered(&r)) {
        find_levels(&r);
        task_id first = highest(&r);
        for (task_id t = first; t >= 0 && clustering_may_share(c, first, t); t = next_on_path(&r, t)) {
            clustering_move(c, t, first);
            r.is_left[t] = false;
        }
    }
    free(r.level_s);
    free(r.is_left);
    free(r.order);
}

CLUSTERING_SCHEDULER(lc, "LC: longest paths become clusters (linear clustering), as in two_phase[cluster=lc]",
                     "Kim, Browne, ICPP 1988");
