/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is to be scheduled, where, and what is believed of communication: read-only for schedulers. */
#ifndef IASIM_PLAN_PROBLEM_H
#define IASIM_PLAN_PROBLEM_H

#include "base/api.h"
#include "dag/dag.h"
#include "machine/routes.h"
#include "models/cost/cost.h"

struct problem {
    const struct dag *dag;
    const struct machine *machine;
    const struct route_table *routes; /* of the machine */
    const struct cost_model *model;
};

/* omega(n, P): seconds of a task on a host. */
static inline double problem_compute_s(const struct problem *p, task_id t, host_id h)
{
    return p->dag->tasks[t].work_flop / p->machine->hosts[h].speed_flop_per_s;
}
/* How long an edge from src to dst occupies the processor and the port of src (DIR_SEND) or dst (DIR_RECV): o_s and i_s,
   o_r and i_r. 0 what the model does not book. */
static inline struct cost_end problem_end(const struct problem *p, edge_id e, host_id src, host_id dst,
                                          enum direction dir)
{
    size_t n;
    const link_id *links = route_links(p->routes, src, dst, &n);
    return cost_end(p->model, p->machine, dir == DIR_SEND ? src : dst, dir, machine_end_link(links, n, dir),
                    p->dag->edges[e].size_bytes);
}
/* Of the processor alone: overhead and involvement together. */
static inline double cost_end_busy_s(struct cost_end end)
{
    return end.overhead_s + end.involvement_s;
}

/* What can be occupied, numbered: processors, links, and under a model that books ports two for each host, that of what
   it sends and that of what it receives. */
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

/* Mean costs ([S] 7.4.1, 8.2.3): per task, the mean over hosts of omega; per edge, O + cbar. Arrays of the caller. */
IASIM_API void problem_mean_costs(const struct problem *p, double *task_s, double *edge_s);

/* Communication-to-computation ratio: the sum of cbar over edges over the sum of mean omega over tasks. NAN without
   work. */
IASIM_API double dag_ccr(const struct dag *g, const struct route_table *routes);
/* Scales the edges so that the CCR is this. Errors: ERR_INPUT: the graph has no work or no data, or no link is between
   two hosts, or problem_check_times says no. */
IASIM_API enum err_code dag_set_ccr(struct dag *g, const struct route_table *routes, double ccr, struct err *e);

/* Errors: ERR_INPUT when dates of a schedule, or the mean costs, might not be finite numbers: a host, a link or a latency
   is out of all proportion to the graph. `model` may be NULL: nothing is believed of communication but what links
   tell. */
IASIM_API enum err_code problem_check_times(const struct problem *p, struct err *e);

/* Lower bounds on the length of any schedule of any model: the costliest path, each task on the fastest host; and all
   work at the speed of all hosts together. */
IASIM_API double problem_critical_path_s(const struct problem *p);
IASIM_API double problem_work_bound_s(const struct problem *p);
/* All tasks on the host where that takes least. */
IASIM_API double problem_sequential_s(const struct problem *p, host_id *host);

#endif
