/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Phases of a run. While nodes still wait for their first task, and after the root has given its last one, the
   throughput shows little about the policy.

       0 ------------- startup_end ------------------------- wind_down_start ------- makespan
         not all compute yet |        steady phase                 | the pool is empty

   A task that is in progress when the phase begins or ends counts by the part of its time within the phase. Counting
   whole completions would favour phases that begin and end with one: n completions delimit n - 1 intervals, but not if
   several come at once.

   A phase also computes tasks that nodes had in store when it began. A node that ends the phase with a smaller store
   has computed more than came in, which no machine can go on doing, so the difference does not count. What is left came
   in, was passed on and was computed within the phase: it satisfies the constraints of the bound, however short the
   phase.

   When start-up ends is known only when the run is over, as each node that begins may be the last. So every count keeps
   its value at the latest such date, and takes it when it changes for the first time after that date. */
#include "farm/farm_phases.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum side { BEGIN, END, N_SIDES }; /* of the steady phase */

struct count {
    double tasks;
    double at[N_SIDES];    /* at the latest mark, as far as it is known */
    long mark_of[N_SIDES]; /* the number of that mark */
};

struct node_counts {
    struct count computed, received, sent;
};

struct mark {
    double date_s;
    long number; /* 0: not set yet */
};

struct farm_meter {
    struct node_counts *nodes;
    int n_nodes;
    struct mark marks[N_SIDES];
};

struct farm_meter *farm_meter_create(int n_nodes)
{
    struct farm_meter *m = mem_zalloc(1, sizeof *m);
    *m = (struct farm_meter){.nodes = mem_zalloc((size_t)n_nodes, sizeof *m->nodes), .n_nodes = n_nodes};
    return m;
}

void farm_meter_free(struct farm_meter *m)
{
    if (m == NULL)
        return;
    free(m->nodes);
    free(m);
}

static void set_mark(struct farm_meter *m, enum side side, double now_s)
{
    m->marks[side] = (struct mark){now_s, m->marks[side].number + 1};
}

void farm_meter_node_begins(struct farm_meter *m, double now_s)
{
    if (m->marks[END].number == 0)
        set_mark(m, BEGIN, now_s);
    else
        set_mark(m, BEGIN, m->marks[END].date_s); /* too late: no steady phase */
}

void farm_meter_root_is_empty(struct farm_meter *m, double now_s)
{
    set_mark(m, END, now_s);
}

static double part_before(double date_s, double begin_s, double end_s)
{
    if (end_s <= date_s)
        return 1;
    return begin_s < date_s ? (date_s - begin_s) / (end_s - begin_s) : 0;
}

static void add(const struct farm_meter *m, struct count *c, double begin_s, double end_s, double tasks)
{
    for (enum side side = BEGIN; side < N_SIDES; side++) {
        const struct mark *mark = &m->marks[side];
        if (mark->number == 0)
            continue;
        if (c->mark_of[side] < mark->number)
            c->at[side] = c->tasks;
        c->mark_of[side] = mark->number;
        c->at[side] += tasks * part_before(mark->date_s, begin_s, end_s);
    }
    c->tasks += tasks;
}

void farm_meter_computed(struct farm_meter *m, double now_s, node_id node, double begin_s)
{
    add(m, &m->nodes[node].computed, begin_s, now_s, 1);
}

void farm_meter_sent(struct farm_meter *m, double now_s, node_id from, node_id to, double begin_s, double share_ratio)
{
    add(m, &m->nodes[from].sent, begin_s, now_s, share_ratio);
    add(m, &m->nodes[to].received, begin_s, now_s, share_ratio);
}

static double value_at(const struct farm_meter *m, const struct count *c, enum side side)
{
    return c->mark_of[side] < m->marks[side].number ? c->tasks : c->at[side];
}

static double within_phase(const struct farm_meter *m, const struct count *c)
{
    return value_at(m, c, END) - value_at(m, c, BEGIN);
}

struct farm_phases farm_meter_phases(const struct farm_meter *m)
{
    return (struct farm_phases){m->marks[BEGIN].date_s, m->marks[END].date_s};
}

double farm_meter_steady_tasks_per_s(const struct farm_meter *m)
{
    double length_s = m->marks[END].date_s - m->marks[BEGIN].date_s, tasks = 0;
    for (node_id n = 0; n < m->n_nodes; n++) {
        const struct node_counts *x = &m->nodes[n];
        double computed = within_phase(m, &x->computed);
        tasks += computed;
        if (x->received.tasks > 0) /* never at the root, whose store is the pool */
            tasks -= fmax(0, computed + within_phase(m, &x->sent) - within_phase(m, &x->received));
    }
    return length_s > 0 && tasks > 0 ? tasks / length_s : NAN;
}
