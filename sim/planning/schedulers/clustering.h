/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clusterings: which tasks should share a host, whichever it is, so that their edges cost nothing ([S] 5.3, 8.4.2).
   They work on mean costs and know no hosts, except that the tasks of a cluster must have one on which all of them may
   run. */
#ifndef IASIM_SCHEDULERS_CLUSTERING_H
#define IASIM_SCHEDULERS_CLUSTERING_H

#include "schedulers/core.h"

#include <stdbool.h>

struct clustering {
    const struct problem *problem;
    double *task_s, *edge_s; /* mean costs */
    int *of;                 /* [task]: its cluster; at first every task is alone, in the cluster of its own number */
    int *n_barred; /* [cluster * n_hosts + host]: its tasks that may not run there; NULL: all run everywhere */
};

/* The clusterings that are built in. On entry every task is alone. */
void cluster_lc(struct clustering *c);
void cluster_ez(struct clustering *c);
void cluster_dsc(struct clustering *c);

/* `edges`: a value of CORE_PARAM_EDGES; `aware`: of the parameter of that name ([S] 7.5.3, 8.4.2). Time: tasks and
   edges; with involvement, edges times pairs of hosts. */
void clustering_init(struct clustering *c, const struct problem *p, const char *edges, const char *aware);
void clustering_clear(struct clustering *c);

/* Whether some host may run all tasks of both clusters. Time: constant, or the hosts where tasks may not run
   everywhere. */
bool clustering_may_share(const struct clustering *c, int a, int b);

/* The same time. */
void clustering_move(struct clustering *c, task_id t, int cluster);

/* Parameters of clustering_plan. */
#define CLUSTERING_PARAMS(map)                                                                                         \
    {"map",                                                                                                            \
     PARAM_CHOICE,                                                                                                     \
     "",                                                                                                               \
     map,                                                                                                              \
     0,                                                                                                                \
     0,                                                                                                                \
     "load|comm",                                                                                                      \
     "clusters by falling work, each to the host with the least load, or with the least sum of load and edges to "     \
     "clusters on other hosts"},                                                                                       \
        {"approach",                                                                                                   \
         PARAM_CHOICE,                                                                                                 \
         "",                                                                                                           \
         "alloc1",                                                                                                     \
         0,                                                                                                            \
         0,                                                                                                            \
         "alloc1|alloc2|alloc3",                                                                                       \
         "the steps of an edge that are booked with its origin: the send; also the links; all"},                       \
        {"aware",                                                                                                      \
         PARAM_CHOICE,                                                                                                 \
         "",                                                                                                           \
         "none",                                                                                                       \
         0,                                                                                                            \
         0,                                                                                                            \
         "none|involvement|contention|both",                                                                           \
         "what an edge also costs while clusters are made: the involvement of both processors, its time on links as "  \
         "often as others share them, or both"},                                                                       \
        CORE_PARAM_EDGES, CORE_PARAMS("end")

/* Both phases ([S] Algorithm 13): `cluster` makes the clusters (NULL: every task stays alone), which are mapped to
   hosts; then list scheduling of that allocation. Errors: ERR_INPUT if an order or an allocation is prescribed. */
enum err_code clustering_plan(const struct core_call *call, void (*cluster)(struct clustering *c));

/* The scheduler NAME: two_phase with the clustering cluster_NAME. */
#define CLUSTERING_SCHEDULER(NAME, SUMMARY, SOURCE)                                                                    \
    static const struct param params[] = {CLUSTERING_PARAMS("load"), {0}};                                             \
    static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,  \
                              struct schedule *out, struct err *e)                                                     \
    {                                                                                                                  \
        const struct core_call call = {#NAME, p, ps, in, out, e};                                                      \
        return clustering_plan(&call, cluster_##NAME);                                                                 \
    }                                                                                                                  \
    extern const struct scheduler scheduler_##NAME;                                                                    \
    const struct scheduler scheduler_##NAME = {                                                                        \
        .name = #NAME, .summary = SUMMARY, .source = SOURCE, .params = params, .plan = plan}

#endif
