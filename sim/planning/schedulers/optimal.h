/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of the scheduler `optimal` share.

       optimal.c          the scheduler: first schedules, the bound before the search, what is returned
       optimal_facts.c    the problem as numbers: times of tasks, least delays of edges, hosts and tasks that are alike
       optimal_grain.c    the number of which all dates are multiples
       optimal_levels.c   how early and how late a task can be on each host, which hosts are left for it, loads
       optimal_hosts.c    the search: first the hosts of all tasks, one after the other,
       optimal_orders.c   then the orders on all processors, ports and links,
       optimal_rules.c    those that are fixed without a trial, as in forks, joins and trees,
       optimal_settle.c   and what follows from each decision about these

   All of them ask one question again and again: is there a schedule that ends by the deadline, a little before the best
   one that is known? A part of the search is left out only if the answer is no, or if an equal part is searched. */
#ifndef IASIM_SCHEDULERS_OPTIMAL_H
#define IASIM_SCHEDULERS_OPTIMAL_H

#include "plan/schedule.h"
#include "schedulers/search.h"

#include <stdbool.h>
#include <stdint.h>

/* Sets of tasks and of hosts are words of 64 bits. */
enum { OPTIMAL_MAX_TASKS = 64, OPTIMAL_MAX_HOSTS = 64, OPTIMAL_MAX_ITEMS = 1024 };

struct facts_edge {
    int src, dst; /* as numbered here */
    edge_id id;
};

/* Tasks are numbered in topological order, hosts by their order in the platform, without those that cannot be needed:
   of hosts that are alike only as many as there are tasks. */
struct facts {
    const struct problem *problem;
    int n_tasks, n_hosts, n_edges;
    task_id *task;                        /* [n_tasks]: their numbers in the graph */
    host_id *host;                        /* [n_hosts]: their numbers in the machine */
    struct facts_edge *edges;             /* as in the graph */
    int *in_start, *in, *out_start, *out; /* of each task: places in `edges` */
    double *compute_s;                    /* [task * n_hosts + host]; INFINITY: it may not run there */
    double *delay_s;         /* [(edge * n_hosts + src) * n_hosts + dst]: from the finish of the origin to the
                                                 arrival, if nothing else is communicated */
    double *send_s, *recv_s; /* [the same]: how long the edge occupies the processors of src (before
                                             its destination starts) and of dst */
    uint64_t *may_run;       /* [task]: hosts */
    int *alike;              /* [host]: the first of the hosts that are like it */
    int *twin;               /* [task]: the last earlier task that is like it; -1: none */
    double *work, *speed;    /* [task], [host]: a task takes at least work / speed on a host */
    double all_speed;
    double *least_delay_s;             /* [edge]: between any two hosts */
    uint64_t *ancestors, *descendants; /* [task] */
};

static inline double facts_compute_s(const struct facts *f, int t, int h)
{
    return f->compute_s[t * f->n_hosts + h];
}
static inline size_t facts_edge_at(const struct facts *f, int e, int src, int dst)
{
    return ((size_t)e * (size_t)f->n_hosts + (size_t)src) * (size_t)f->n_hosts + (size_t)dst;
}
static inline double facts_delay_s(const struct facts *f, int e, int src, int dst)
{
    return f->delay_s[facts_edge_at(f, e, src, dst)];
}

/* False: the problem is too large for a search (more than OPTIMAL_MAX_TASKS tasks, or than OPTIMAL_MAX_HOSTS hosts that
   are not alike, or tables that are too large); then there is nothing to clear. */
bool facts_init(struct facts *f, const struct problem *p);
void facts_clear(struct facts *f);

/* The times of an edge between two hosts (numbers of the machine). */
struct facts_passage {
    struct cost_end send, recv;
    const link_id *links;
    size_t n_links; /* 0: the links are not booked */
    double lag_s;   /* n_links 0: from the end of the overhead to the last byte */
};
struct facts_passage facts_passage(const struct problem *p, edge_id e, host_id src, host_id dst);

/* The number of which the dates of all schedules without gaps are multiples; 0: none was found. And the least multiple
   of it that is not below a bound; the bound itself if the number is 0. */
double optimal_grain_s(const struct problem *p);
double optimal_round_up_s(double bound_s, double grain_s);

/* ---- one search ---- */

struct hunt {
    const struct facts *facts;
    struct schedule *best;
    double best_s, deadline_s, bound_s; /* bound_s: no schedule is shorter */
    double grain_s;                     /* optimal_grain_s */
    struct search search;
    uint64_t n_left; /* steps of this search; 0: it was given up */
};

static inline bool hunt_step(struct hunt *x)
{
    if (x->n_left == 0 || !search_step(&x->search, x->best_s, x->bound_s))
        return false;
    x->n_left--;
    return x->n_left > 0;
}

/* A schedule that ends by the deadline: hosts (numbers of the machine) and spans are complete but for gaps, which are
   eliminated here. It becomes the best, and the deadline moves. */
void hunt_found(struct hunt *x, struct schedule *found);

/* Returns when no schedule ends by the deadline, or when the search is over or given up. */
void optimal_search(struct hunt *x);

/* ---- levels ---- */

/* Lower bounds on when a task on a host can start, and on how long the schedule goes on after its finish. */
struct levels {
    const struct facts *facts;
    uint64_t *hosts;                     /* [task]: those that are left */
    double *head_s, *tail_s;             /* [task * n_hosts + host] */
    double *floor_head_s, *floor_tail_s; /* [task]: at least this, wherever it runs: known from elsewhere; 0 at first */
};

static inline int levels_host(const struct levels *l, int t) /* -1: more than one is left */
{
    uint64_t hosts = l->hosts[t];
    return (hosts & (hosts - 1)) == 0 ? __builtin_ctzll(hosts) : -1;
}

void levels_init(struct levels *l, const struct facts *f);
void levels_clear(struct levels *l);
void levels_copy(struct levels *to, const struct levels *from);

/* Finds head_s and tail_s from `hosts`, and takes away hosts on which a task could not end by the deadline, until
   nothing changes. False: some task has no host left, or the tasks are too much work for all hosts together. */
bool levels_narrow(struct levels *l, double deadline_s);

/* When tasks or messages that are known before can all be there, if each of n entering edges takes whichever is better:
   data arrive from another host at remote_s, or the origin runs here, from head_s on for work_s, one at a time. Changes
   the order of the arrays. */
struct levels_origin {
    double remote_s, head_s, work_s; /* INFINITY: not possible */
};
double levels_join_s(struct levels_origin *origins, int n);

/* ---- orders ---- */

struct orders;
struct orders *orders_create(struct hunt *x);
void orders_free(struct orders *o);
/* Takes the tasks that have one host left, and the edges between them. False: no order of these ends by the
   deadline. */
bool orders_set(struct orders *o, const struct levels *l);
/* After orders_set: raises the floors of *l to the heads and tails that follow from the orders. Whether any was. */
bool orders_raise_floors(const struct orders *o, struct levels *l);
/* After orders_set with all tasks: tries all orders, and calls hunt_found. */
void orders_search(struct orders *o);
size_t orders_most_items(const struct facts *f);

#endif
