/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What list schedulers have in common, so that the file of one has its rule and nothing else:

       by a sequence   the order of the tasks is known beforehand; the rule chooses the host of each (HEFT, PEFT, ...)
       dynamically     of all ready tasks on all hosts, the rule chooses the next pair (ETF, Min-Min, ...)

   Tasks are placed by `direct` (plan/draft.h), with the technique of the parameter `technique`; gaps are eliminated at
   the end unless `compact` is off. Values that choose are compared as in base/choose.h. */
#ifndef IASIM_SCHEDULERS_CORE_H
#define IASIM_SCHEDULERS_CORE_H

#include "base/choose.h"
#include "plan/draft.h"
#include "schedulers/outlook.h"
#include "schedulers/scheduler.h"

#include <math.h>

/* ---- choosing ---- */

/* The best of what has been offered so far: the least value, among equals the least second value, then the first offer.
   What costs INFINITY is never chosen. */
struct best {
    double least, second;
    task_id task; /* -1: nothing yet */
    host_id host;
};
#define BEST_NONE ((struct best){INFINITY, INFINITY, -1, -1})

static inline void best_offer_by(struct best *b, double value, double second, task_id t, host_id h)
{
    double rounded = choose_rounded(value), rounded_second = choose_rounded(second);
    if (rounded == INFINITY || rounded > b->least || (rounded == b->least && rounded_second >= b->second))
        return;
    *b = (struct best){rounded, rounded_second, t, h};
}

static inline void best_offer(struct best *b, double value, task_id t, host_id h)
{
    best_offer_by(b, value, 0, t, h);
}

/* ---- planning ---- */

/* A schedule in the making. */
struct core {
    const struct problem *problem;
    struct draft *draft;
    host_id n_hosts;
    int pass;       /* the number of schedules that have been made before this one */
    task_id *ready; /* dynamic schedulers: the ready tasks, in the order of the file */
    int n_ready;
    struct core_tried **tried; /* dynamic schedulers: [task][host], of the ready tasks; NULL for others */
    void *self;                /* the scheduler's own data */
    struct outlook *outlook;   /* NULL: there is no limit */
};

/* Entries of a scheduler's table of parameters. `technique` is its default: "end" or "insertion". */
#define CORE_PARAMS(technique)                                                                                         \
    {"technique",                                                                                                      \
     PARAM_CHOICE,                                                                                                     \
     "",                                                                                                               \
     technique,                                                                                                        \
     0,                                                                                                                \
     0,                                                                                                                \
     "end|insertion",                                                                                                  \
     "book after the latest finish on a processor or link, or in the first gap that is long enough"},                  \
    {                                                                                                                  \
        "compact", PARAM_CHOICE, "", "on", 0, 0, "on|off", "eliminate gaps at the end, keeping the order"              \
    }

/* Entries of those whose source defines the cost of an edge between two hosts. */
#define CORE_PARAM_EDGES                                                                                               \
    {                                                                                                                  \
        "edges", PARAM_CHOICE, "", "pairs", 0, 0, "pairs|links",                                                       \
            "what an edge costs in ranks: the mean over all pairs of hosts of latency and time on the slowest link "   \
            "of the route, or the mean over all links of the time on one, as for list"                                 \
    }
/* Entries of those that rank tasks by a figure over the hosts where they may run. */
#define CORE_PARAM_RANK(figure)                                                                                        \
    {                                                                                                                  \
        "rank", PARAM_CHOICE, "", figure, 0, 0, "mean|median|best|worst",                                              \
            "what a rank counts as the time of a task: a figure over the hosts where it may run"                       \
    }

/* Entry of those that book entering edges in one of several orders. */
#define CORE_PARAM_EDGE_ORDER                                                                                          \
    {                                                                                                                  \
        "edge_order", PARAM_CHOICE, "", "placed", 0, 0, EDGE_ORDER_CHOICES,                                            \
            "the order in which the entering edges of a task are booked: as their origins were placed, as these "      \
            "finish, by falling or rising size, or as in the file"                                                     \
    }

/* What every plan function gets. */
struct core_call {
    const char *name; /* of the scheduler */
    const struct problem *problem;
    const struct param_set *params; /* with those of CORE_PARAMS; CORE_PARAM_EDGE_ORDER is optional */
    const struct scheduler_inputs *in;
    struct schedule *out;
    struct err *e;
};

/* Errors: ERR_INPUT if an order or an allocation is prescribed. */
enum err_code core_refuse_inputs(const char *name, const struct scheduler_inputs *in, struct err *e);

/* For those that book edges by formulas of their own. Errors: ERR_INPUT if the model aligns involvement with links. */
enum err_code core_refuse_aligned(const char *name, const struct problem *p, struct err *e);

/* Places the tasks in the order of `sequence`, each on the host that `choose` returns, one where it may run. `is_list`:
   the leaving edges of a task are in the order of their destinations in `sequence` (static lists); else in the order of
   the file. Errors: ERR_INPUT if an order or an allocation is prescribed, because these schedulers make their own. */
enum err_code core_plan_sequence(const struct core_call *call, const task_id *sequence, bool is_list,
                                 host_id (*choose)(struct core *c, task_id t), void *self);

/* The same again and again: `n_passes` schedules, each from nothing; the last one is the result. `choose` remembers in
   `self` what it learns from one for the next. Allocates no memory after the first. */
enum err_code core_plan_passes(const struct core_call *call, const task_id *sequence, bool is_list, int n_passes,
                               host_id (*choose)(struct core *c, task_id t), void *self);

/* List scheduling of a given allocation ([S] 8.4.2, phase 2): tasks by falling bottom level, each on allocation[task],
   where it may run; edges are booked by the parameter `approach`: one of the approaches for given allocations. */
enum err_code core_plan_allocation(const struct core_call *call, const host_id *allocation);

/* Places tasks by falling priority, each after its predecessors, on the host where its finish plus ahead_s[task *
   n_hosts + host] is least: rules that look ahead by a table (rank.h). Errors: the same. */
enum err_code core_plan_ahead(const struct core_call *call, const double *priority, double *ahead_s);

/* Places what `choose` returns, a ready task on a host where it may run, until all tasks are placed. Errors: the
   same. */
enum err_code core_plan_dynamic(const struct core_call *call, struct best (*choose)(struct core *c), void *self);

/* What draft_try returns for a ready task, for core_plan_dynamic: kept for the next step, which changes little. */
struct span core_try(const struct core *c, task_id t, host_id h);

/* The host where `t` finishes, or starts, first. For core_plan_sequence. */
host_id core_least_finish(struct core *c, task_id t);
host_id core_least_start(struct core *c, task_id t);

/* Keeps in *best the shorter of both, of equals the first, and the larger lower bound; clears *x. Either may be empty.
   The scheduler's name is lost: the caller of `plan` writes it. */
void core_keep_shorter(struct schedule *best, struct schedule *x);

/* Costs of tasks and edges for ranks. `rank` and `edges` are values of CORE_PARAM_RANK and CORE_PARAM_EDGES: the figure
   over hosts that stands for the time of a task, and problem_pair_costs or problem_mean_costs. The caller frees both
   arrays. */
void core_rank_costs(const struct problem *p, const char *rank, const char *edges, double **task_s, double **edge_s);
/* [task]: its bottom level with these costs. The caller frees it. */
double *core_bottom_levels(const struct problem *p, const char *rank, const char *edges);
/* The same where edges cost nothing. */
double *core_computation_levels(const struct problem *p, const char *rank);

#endif
