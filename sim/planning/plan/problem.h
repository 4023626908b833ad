/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The graph to schedule, the machine, and the cost model of communication: read-only for schedulers. */
#ifndef IASIM_PLAN_PROBLEM_H
#define IASIM_PLAN_PROBLEM_H

#include "base/api.h"
#include "dag/dag.h"
#include "machine/routes.h"
#include "models/cost/cost.h"
#include "plan/task_costs.h"

#include <math.h>
#include <stdbool.h>

struct problem {
    const struct dag *dag;
    const struct machine *machine;
    const struct route_table *routes; /* of the machine */
    const struct cost_model *model;
    const struct task_costs *costs; /* NULL: tasks take work / speed, and may run on every host */
    /* [host]: until when its processor has something else to do; NULL: nothing. Drafts (plan/draft.h) and
       schedule_compact know of these two; bounds and the validator do not. */
    const double *busy_until_s;
    /* [task * n_hosts + host]: when data from outside the graph that it needs are there; NULL: from the beginning. */
    const double *data_s;
};

/* omega(n, P): seconds of a task on a host; INFINITY: it may not run there. */
static inline double problem_compute_s(const struct problem *p, task_id t, host_id h)
{
    if (p->costs != NULL)
        return p->costs->compute_s[(size_t)t * p->machine->n_hosts + (size_t)h];
    return p->dag->tasks[t].work_flop / p->machine->hosts[h].speed_flop_per_s;
}
/* What an execution of it there takes. */
static inline double problem_compute_flop(const struct problem *p, task_id t, host_id h)
{
    if (p->costs != NULL)
        return problem_compute_s(p, t, h) * p->machine->hosts[h].speed_flop_per_s;
    return p->dag->tasks[t].work_flop;
}
/* Before this date the task cannot start there, because of data from outside the graph. */
static inline double problem_release_s(const struct problem *p, task_id t, host_id h)
{
    return p->data_s != NULL ? p->data_s[(size_t)t * p->machine->n_hosts + (size_t)h] : 0;
}
static inline bool problem_may_run(const struct problem *p, task_id t, host_id h)
{
    return p->costs == NULL || isfinite(problem_compute_s(p, t, h));
}
/* How long an edge from src to dst occupies the processor and the port of src (DIR_SEND) or dst (DIR_RECV): o_s and
   i_s, o_r and i_r. Parts that the model does not book are 0. */
static inline struct cost_end problem_end(const struct problem *p, edge_id e, host_id src, host_id dst,
                                          enum direction dir)
{
    size_t n;
    const link_id *links = route_links(p->routes, src, dst, &n);
    return cost_end(p->model, p->machine, src, dst, dir, machine_end_link(links, n, dir), p->dag->edges[e].size_bytes);
}
/* The processor only: overhead plus involvement. */
static inline double cost_end_busy_s(struct cost_end end)
{
    return end.overhead_s + end.involvement_s;
}

/* Numbers of resources: processors, then links, then, if the model books ports, two for each host: for sending and for
   receiving. */
IASIM_API size_t problem_n_resources(const struct problem *p);
static inline size_t problem_processor(host_id h)
{
    return (size_t)h;
}
static inline size_t problem_link(const struct problem *p, link_id l)
{
    return p->machine->n_hosts + (size_t)l;
}
static inline size_t problem_port(const struct problem *p, host_id h, enum direction dir)
{
    return p->machine->n_hosts + p->machine->n_links + 2 * (size_t)h + (size_t)dir;
}

/* Mean costs ([S] 7.4.1, 8.2.3): per task, the mean of omega over the hosts on which it may run; per edge, O + cbar.
   The caller provides the arrays. */
IASIM_API void problem_mean_costs(const struct problem *p, double *task_s, double *edge_s);
/* The same for edges as the papers on heterogeneous hosts define it ([Topcuoglu 2002]): O + the mean over all ordered
   pairs of different hosts of the latency of the route and the time on its slowest link. The caller provides the
   array. */
IASIM_API void problem_pair_costs(const struct problem *p, double *edge_s);

/* Communication-to-computation ratio: the sum of cbar over edges divided by the sum of mean omega over tasks. NAN
   without work. */
IASIM_API double dag_ccr(const struct dag *g, const struct route_table *routes);
/* The same with the mean times of unrelated hosts, if there are any. */
IASIM_API double problem_ccr(const struct problem *p);
/* Scales the edges to the given CCR. Errors: ERR_INPUT: the graph has no work or no data, no two hosts are connected by
   links; errors of problem_check_times. */
IASIM_API enum err_code dag_set_ccr(struct dag *g, const struct route_table *routes, double ccr, struct err *e);

/* Whether the machine's properties make sense to a model, for all edges, of these sizes (NULL: the graph's). Errors:
   ERR_INPUT, with the platform's file. */
IASIM_API enum err_code problem_check_model(const struct problem *p, const struct cost_model *model,
                                            const double *bytes, struct err *e);
/* Errors: those of problem_check_model; ERR_INPUT if dates of a schedule or mean costs might not be finite because a
   host, a link or a latency is out of all proportion to the graph. With `model` NULL only the links count as
   communication. */
IASIM_API enum err_code problem_check_times(const struct problem *p, struct err *e);

/* Lower bounds on the length of any schedule under any model: the costliest path with each task on its fastest host;
   and all work divided by the speed of all hosts (of unrelated hosts: the least time of all tasks, divided by the
   number of hosts). */
IASIM_API double problem_critical_path_s(const struct problem *p);
IASIM_API double problem_work_bound_s(const struct problem *p);
/* Per task, the least time from its finish to the end of any schedule: the costliest path below it, each task on its
   fastest host. The caller provides the array. Time: tasks times hosts, and edges. */
IASIM_API void problem_least_after_s(const struct problem *p, double *after_s);
/* The time of all tasks on the fastest host, or on the one of unrelated hosts where it is least. INFINITY, and host -1,
   if no host may run all of them. `host` may be NULL. */
IASIM_API double problem_sequential_s(const struct problem *p, host_id *host);

#endif
