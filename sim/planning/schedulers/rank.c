/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One table for three papers: they differ in whether the time of the successor and that of the task itself are in it
   (rank.h). */
#include "schedulers/rank.h"

#include "base/mem.h"
#include "schedulers/core.h"

#include <stdlib.h>

/* Raises `below`, of the origin of an edge that costs c between hosts; x: of its destination on each host. The minimum
   over all hosts g for one h is either g = h, without the edge, or the least of all plus the edge: so a row costs
   O(hosts), not O(hosts squared). If the least is on h itself, the first term is smaller anyway. */
static void raise_below(double *below, const double *x, double c, size_t n_hosts)
{
    double least = INFINITY;
    for (size_t g = 0; g < n_hosts; g++)
        least = fmin(least, x[g]);
    for (size_t h = 0; h < n_hosts; h++)
        below[h] = fmax(below[h], fmin(x[h], least + c));
}

double *rank_table(const struct problem *p, enum rank_kind kind, const char *edges)
{
    const struct dag *g = p->dag;
    size_t n_hosts = p->machine->n_hosts;
    double *out = mem_zalloc((size_t)g->n_tasks * n_hosts, sizeof *out), *x = mem_alloc(n_hosts * sizeof *x);
    double *task_s, *edge_s;
    core_rank_costs(p, "mean", edges, &task_s, &edge_s);
    for (int k = g->n_tasks - 1; k >= 0; k--) {
        task_id t = g->order[k];
        double *row = out + (size_t)t * n_hosts;
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            task_id s = g->edges[g->out[i]].dst;
            for (size_t h = 0; h < n_hosts; h++)
                /* forbidden hosts have INFINITY, and never are the least */
                x[h] = out[(size_t)s * n_hosts + h] + (kind == RANK_BIL ? 0 : problem_compute_s(p, s, (host_id)h));
            raise_below(row, x, edge_s[g->out[i]], n_hosts);
        }
        for (size_t h = 0; h < n_hosts && kind != RANK_OCT; h++)
            row[h] += problem_compute_s(p, t, (host_id)h);
    }
    free(edge_s);
    free(task_s);
    free(x);
    return out;
}

double *rank_means(const struct problem *p, const double *table)
{
    host_id n_hosts = (host_id)p->machine->n_hosts;
    double *out = mem_zalloc((size_t)p->dag->n_tasks, sizeof *out);
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        int n = 0;
        for (host_id h = 0; h < n_hosts; h++)
            if (problem_may_run(p, t, h)) {
                out[t] += table[(size_t)t * (size_t)n_hosts + (size_t)h];
                n++;
            }
        out[t] /= n;
    }
    return out;
}

enum err_code rank_plan_ahead(const struct core_call *call, enum rank_kind kind)
{
    double *table = rank_table(call->problem, kind, param_text(call->params, "edges"));
    double *priority = rank_means(call->problem, table);
    enum err_code code = core_plan_ahead(call, priority, table);
    free(priority);
    free(table);
    return code;
}
