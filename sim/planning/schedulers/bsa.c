/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* BSA, bubble scheduling and allocation [Kwok 2000]: all tasks begin on one host, in the order of their importance for
   the critical path; then, host by host, tasks leave it for where they start earlier. Each host is the pivot once, the
   nearest ones to the first host first: the whole schedule is booked anew, and each task that is on the pivot moves to
   the host where it starts first, if that is earlier than on the pivot.

   Time: for each host one booking per entering edge, and for each task on the pivot one on each host. */
#include "base/mem.h"
#include "dag/levels.h"
#include "schedulers/core.h"
#include "schedulers/critical_path.h"
#include "schedulers/priority.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {CORE_PARAMS("insertion"), {0}};

/* ---- the order of tasks ---- */

/* Tasks of the critical path in order, each after its ancestors that are not listed yet: larger bottom levels first,
   then smaller top levels; all others by falling bottom level. */
struct place {
    task_id task;
    int group;             /* the task of the critical path that it is or comes before; after the last: the others */
    double level_s, top_s; /* rounded as in base/choose.h; top_s decides only before the path's end */
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->group != y->group)
        return x->group - y->group;
    if (x->level_s != y->level_s || x->top_s != y->top_s)
        return x->level_s != y->level_s ? compare(y->level_s, x->level_s) : compare(x->top_s, y->top_s);
    return compare(x->task, y->task);
}

/* `t` and its ancestors that have no group yet. */
static void set_groups(const struct dag *g, struct place *places, task_id t, int group, task_id *stack)
{
    int n = 0;
    for (stack[n++] = t; n > 0;) {
        task_id at = stack[--n];
        places[at].group = group;
        for (int i = g->in_start[at]; i < g->in_start[at + 1]; i++) {
            task_id src = g->edges[g->in[i]].src;
            if (places[src].group < 0) {
                places[src].group = group;
                stack[n++] = src;
            }
        }
    }
}

static void find_groups(const struct problem *p, struct place *places)
{
    const struct dag *g = p->dag;
    double *length_s = critical_path_lengths(p, "links");
    task_id *stack = mem_alloc((size_t)g->n_tasks * sizeof *stack);
    int group = 0;
    for (task_id t = 0; t < g->n_tasks; t++)
        places[t].group = -1;
    for (task_id t = critical_path_first(g, length_s); t >= 0; t = critical_path_next(g, length_s, t))
        set_groups(g, places, t, group++, stack);
    for (task_id t = 0; t < g->n_tasks; t++)
        if (places[t].group < 0) {
            places[t].group = group;
            places[t].top_s = 0;
        }
    free(stack);
    free(length_s);
}

static task_id *find_sequence(const struct problem *p)
{
    size_t n = (size_t)p->dag->n_tasks;
    struct place *places = mem_zalloc(n, sizeof *places);
    double *task_s, *edge_s, *level_s = mem_alloc(2 * n * sizeof *level_s), *top_s = level_s + n;
    core_rank_costs(p, "mean", "links", &task_s, &edge_s);
    dag_bottom_levels(p->dag, task_s, edge_s, level_s);
    dag_top_levels(p->dag, task_s, edge_s, top_s);
    for (size_t t = 0; t < n; t++)
        places[t] = (struct place){
            .task = (task_id)t, .level_s = choose_rounded(level_s[t]), .top_s = choose_rounded(top_s[t])};
    find_groups(p, places);
    qsort(places, n, sizeof *places, by_place);
    for (size_t k = 0; k < n; k++)
        level_s[places[k].task] = -(double)k;
    task_id *out = priority_list_of(p->dag, level_s); /* successors come later, also where levels are equal */
    free(edge_s);
    free(task_s);
    free(level_s);
    free(places);
    return out;
}

/* ---- the order of hosts ---- */

struct near_host {
    host_id host;
    size_t n_links;
};

static int by_distance(const void *a, const void *b)
{
    const struct near_host *x = a, *y = b;
    return x->n_links != y->n_links ? (x->n_links > y->n_links) - (x->n_links < y->n_links) : x->host - y->host;
}

/* Where all tasks take least; if no host may run them all, the first of the platform. */
static host_id first_host(const struct problem *p)
{
    struct best best = BEST_NONE;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++) {
        double sum_s = 0;
        for (task_id t = 0; t < p->dag->n_tasks; t++)
            sum_s += problem_compute_s(p, t, h);
        best_offer(&best, sum_s, 0, h);
    }
    return best.task >= 0 ? best.host : 0;
}

static host_id *find_pivots(const struct problem *p, host_id first)
{
    host_id n = (host_id)p->machine->n_hosts, *out = mem_alloc((size_t)n * sizeof *out);
    struct near_host *hosts = mem_alloc((size_t)n * sizeof *hosts);
    for (host_id h = 0; h < n; h++) {
        hosts[h].host = h;
        route_links(p->routes, first, h, &hosts[h].n_links);
        hosts[h].n_links += h != first; /* itself first, even where routes have no links */
    }
    qsort(hosts, (size_t)n, sizeof *hosts, by_distance);
    for (host_id h = 0; h < n; h++)
        out[h] = hosts[h].host;
    free(hosts);
    return out;
}

/* ---- passes ---- */

struct bubble {
    host_id *allocation; /* [task] */
    host_id *pivots;     /* [pass - 1]; in pass 0 all tasks go to the first of them */
};

static host_id choose(struct core *c, task_id t)
{
    struct bubble *x = c->self;
    if (c->pass == 0)
        x->allocation[t] = problem_may_run(c->problem, t, x->pivots[0]) ? x->pivots[0] : core_least_finish(c, t);
    else if (x->allocation[t] == x->pivots[c->pass - 1]) {
        host_id best = core_least_start(c, t), here = x->allocation[t];
        double here_s = draft_try(c->draft, t, here).start_s, best_s = draft_try(c->draft, t, best).start_s;
        if (choose_rounded(best_s) < choose_rounded(here_s))
            x->allocation[t] = best;
    }
    return x->allocation[t];
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"bsa", p, ps, in, out, e};
    struct bubble x = {mem_alloc((size_t)p->dag->n_tasks * sizeof *x.allocation), find_pivots(p, first_host(p))};
    task_id *sequence = find_sequence(p);
    int n_passes = 1 + (int)p->machine->n_hosts;
    enum err_code code = core_plan_passes(&call, sequence, true, n_passes, choose, &x);
    free(sequence);
    free(x.pivots);
    free(x.allocation);
    return code;
}

extern const struct scheduler scheduler_bsa;
const struct scheduler scheduler_bsa = {
    .name = "bsa",
    .summary = "BSA: all tasks on one host, then host by host each moves to where it starts earlier",
    .source = "Kwok, Ahmad, Cluster Computing 3(2), 2000",
    .params = params,
    .plan = plan,
};
