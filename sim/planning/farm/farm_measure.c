/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The formulas stand in doc/model.md. Two things are not in them.

   What ends at one date may be reported in any order, but the averages depend on the order. So it is kept, and taken
   in before anything starts or a policy is asked: sends first, each list by number.

   A node that ends a task does not know how much of a transfer under way has passed. It assumes the usual rate; when
   the transfer ends, what is left of it counts for the task of that time. So every byte counts once.

   Cost per task: at the node that computes it O(children^2) up to 62 of them, and beyond that what grows with those
   that have been sent to meanwhile; O(1) for a send. */
#include "farm/farm_measure.h"

#include "base/mem.h"
#include "farm/farm_costs.h"

#include <math.h>
#include <stdlib.h>

static const double fading_ratio = 15.0 / 16; /* of what was sated and not, for each request */
static const double step = 1.0 / 8;           /* by which averages move to a new value */
static const double slowed_ratio = 0.97;      /* a transfer below this share of its rate was slowed down */
static const double lost_ratio = 0.9;         /* and below this one by what the limit does not explain */
static const double crowded_ratio = 0.25;     /* the least part of a transfer that says something of the limit */
static const double growth_ratio = 1.02;      /* of a limit that does not slow anything down */
static const double doubt_ratio = 1.25;       /* a rate so far above the limit of all is not true any more */

enum end { SENDER, RECEIVER, N_ENDS };

struct transfer {
    double rate_bytes_per_s, usual_bytes_per_s; /* 0: not measured yet */
    bool is_under_way;
    bool is_noted, is_changed; /* in the parent's lists `carrying`, `changed` */
    double start_s, end_s, bytes;
    double crowded_at_start_s, wanted_at_start_bytes, crowded_wanted_at_start_bytes; /* the node's sums then */
    double counted_s[N_ENDS], counted_bytes[N_ENDS]; /* of this transfer: in tasks that have ended */
    double task_bytes[N_ENDS];                       /* within the task in progress */
};

struct wishes {                     /* of a child */
    double request_s, sated_from_s; /* its last request; NAN: it is not sated */
    double sated_s, sated_before_s, before_s;
};

struct list {
    node_id *nodes;
    int n;
};

struct node {
    bool has_computed;
    node_id alone;                 /* the child whose send is under way and was so alone; -1: none */
    struct list carrying, changed; /* children of which bytes may count for the next task; whose cost has changed */
    bool all_changed;
    double start_s, end_s;
    struct farm_costs costs; /* of a task, of receiving, of sending to each child; s/byte but the first: s */
    double limit_bytes_per_s;
    int n_sending;
    double wanted_bytes_per_s; /* the sum of the rates of all that is under way */
    double summed_s;           /* until when the integrals are: */
    double wanted_bytes, crowded_s, crowded_wanted_bytes;
};

struct farm_measure {
    const struct tree *tree;
    double task_bytes, *amounts; /* all 0 but those of `some`, which is increasing */
    int *some, n_some, *place;   /* place: of each node among its parent's children */
    struct transfer *transfers;  /* by receiver */
    struct wishes *wishes;
    struct node *nodes;
    struct list sent, computed; /* at this date, not taken in yet */
    double ended_s;
};

struct farm_measure *farm_measure_create(const struct policy *policy, const struct tree *t, double task_bytes)
{
    if (!policy->measures)
        return NULL;
    size_t n = (size_t)t->n_nodes;
    struct farm_measure *m = mem_zalloc(1, sizeof *m);
    *m = (struct farm_measure){.tree = t,
                               .task_bytes = task_bytes,
                               .amounts = mem_zalloc(n + 1, sizeof(double)),
                               .some = mem_zalloc(n + 1, sizeof(int)),
                               .place = mem_zalloc(n, sizeof(int)),
                               .transfers = mem_zalloc(n, sizeof *m->transfers),
                               .wishes = mem_zalloc(n, sizeof *m->wishes),
                               .nodes = mem_zalloc(n, sizeof *m->nodes),
                               .sent = {mem_zalloc(n, sizeof(node_id)), 0},
                               .computed = {mem_zalloc(n, sizeof(node_id)), 0}};
    for (node_id i = 0; i < t->n_nodes; i++) {
        m->nodes[i].limit_bytes_per_s = INFINITY;
        m->wishes[i].sated_from_s = NAN;
        size_t n_children = (size_t)t->nodes[i].n_children;
        m->nodes[i].alone = -1;
        m->nodes[i].carrying.nodes = mem_zalloc(n_children, sizeof(node_id));
        m->nodes[i].changed.nodes = mem_zalloc(n_children, sizeof(node_id));
        for (int c = 0; c < t->nodes[i].n_children; c++)
            m->place[t->nodes[i].children[c]] = c;
    }
    return m;
}

void farm_measure_free(struct farm_measure *m)
{
    if (m == NULL)
        return;
    for (node_id i = 0; i < m->tree->n_nodes; i++) {
        farm_costs_clear(&m->nodes[i].costs);
        free(m->nodes[i].carrying.nodes);
        free(m->nodes[i].changed.nodes);
    }
    free(m->amounts);
    free(m->some);
    free(m->place);
    free(m->transfers);
    free(m->wishes);
    free(m->nodes);
    free(m->sent.nodes);
    free(m->computed.nodes);
    free(m);
}

/* ---- rates ---- */

static bool is_crowded(const struct node *s)
{
    return s->n_sending > 1 && (isinf(s->limit_bytes_per_s) || s->wanted_bytes_per_s > s->limit_bytes_per_s);
}

/* What a transfer adds to what is wanted; one that takes no time is never beside others. */
static double wanted_by(const struct transfer *x)
{
    return isfinite(x->rate_bytes_per_s) ? x->rate_bytes_per_s : 0;
}

/* Sums up to now what has been under way. */
static void sum(struct node *s, double now_s)
{
    double wanted_bytes = s->wanted_bytes_per_s * (now_s - s->summed_s);
    if (is_crowded(s)) {
        s->crowded_s += now_s - s->summed_s;
        s->crowded_wanted_bytes += wanted_bytes;
    }
    s->wanted_bytes += wanted_bytes;
    s->summed_s = now_s;
}

static void approach(double *value, double other, double share)
{
    *value += share * (other - *value);
}

/* A transfer has ended that was not alone. */
static void measure_limit(struct node *s, const struct transfer *x)
{
    double lasted_s = x->end_s - x->start_s, crowded_s = s->crowded_s - x->crowded_at_start_s;
    double got_ratio = x->bytes / lasted_s / x->rate_bytes_per_s;
    double wanted_bytes_per_s = (s->wanted_bytes - x->wanted_at_start_bytes) / lasted_s;
    if (crowded_s >= crowded_ratio * lasted_s) {
        double crowded_bytes = fmax(0, x->bytes - x->rate_bytes_per_s * (lasted_s - crowded_s));
        double full_bytes = x->rate_bytes_per_s * crowded_s; /* had it been alone */
        double all_wanted = (s->crowded_wanted_bytes - x->crowded_wanted_at_start_bytes) / crowded_s;
        double all_bytes_per_s = all_wanted * crowded_bytes / full_bytes;
        if (isfinite(s->limit_bytes_per_s))
            approach(&s->limit_bytes_per_s, all_bytes_per_s, fmin(0.5, step * full_bytes / x->bytes));
        else if (got_ratio < slowed_ratio)
            s->limit_bytes_per_s = all_bytes_per_s;
    } else if (got_ratio < lost_ratio) {
        if (isfinite(s->limit_bytes_per_s))
            approach(&s->limit_bytes_per_s, fmin(s->limit_bytes_per_s, got_ratio * wanted_bytes_per_s), step);
    } else if (got_ratio >= slowed_ratio && wanted_bytes_per_s > slowed_ratio * s->limit_bytes_per_s) {
        s->limit_bytes_per_s *= growth_ratio;
    }
}

static void take_sent(struct farm_measure *m, node_id child)
{
    struct transfer *x = &m->transfers[child];
    struct node *s = &m->nodes[m->tree->nodes[child].parent];
    double lasted_s = x->end_s - x->start_s;
    bool is_alone = s->alone == child;
    for (enum end end = SENDER; end < N_ENDS; end++)
        x->task_bytes[end] += x->bytes - x->counted_bytes[end];
    if (lasted_s <= 0) {
        x->rate_bytes_per_s = INFINITY;
        return;
    }
    double rate = x->bytes / lasted_s;
    if (x->usual_bytes_per_s > 0)
        approach(&x->usual_bytes_per_s, rate, step);
    else
        x->usual_bytes_per_s = rate;
    if (is_alone || rate > x->rate_bytes_per_s)
        x->rate_bytes_per_s = rate;
    if (is_alone) {
        s->limit_bytes_per_s = fmax(s->limit_bytes_per_s, rate);
        return;
    }
    measure_limit(s, x);
    if (x->rate_bytes_per_s > doubt_ratio * s->limit_bytes_per_s)
        x->rate_bytes_per_s = 0;
}

/* ---- costs ---- */

/* The bytes that have passed since this was asked last, which then begin anew. */
static double take_bytes(struct transfer *x, enum end end, double now_s)
{
    if (x->is_under_way) {
        double bytes = x->usual_bytes_per_s * (now_s - x->counted_s[end]);
        bytes = fmin(bytes, x->bytes - x->counted_bytes[end]);
        x->counted_s[end] = now_s;
        x->counted_bytes[end] += bytes;
        x->task_bytes[end] += bytes;
    }
    double bytes = x->task_bytes[end];
    x->task_bytes[end] = 0;
    return bytes;
}

static int compare_ids(const void *a, const void *b)
{
    node_id x = *(const node_id *)a, y = *(const node_id *)b;
    return (x > y) - (x < y);
}

static void sort(struct list *list)
{
    if (list->n > 1)
        qsort(list->nodes, (size_t)list->n, sizeof list->nodes[0], compare_ids);
}

static void add_amount(struct farm_measure *m, int i, double amount)
{
    m->amounts[i] = amount;
    m->some[m->n_some++] = i;
}

/* In tasks, so that all costs are of the same order. Children to which nothing has been sent meanwhile are left out.
   Children are in the order of the deployment, which is that of their numbers. */
static void take_amounts(struct farm_measure *m, node_id n, double now_s)
{
    struct list *carrying = &m->nodes[n].carrying;
    int n_left = 0;
    for (int k = 0; k < m->n_some; k++)
        m->amounts[m->some[k]] = 0;
    m->n_some = 0;
    add_amount(m, 0, 1);
    add_amount(m, 1, take_bytes(&m->transfers[n], RECEIVER, now_s) / m->task_bytes);
    sort(carrying);
    for (int k = 0; k < carrying->n; k++) {
        node_id child = carrying->nodes[k];
        struct transfer *x = &m->transfers[child];
        add_amount(m, m->place[child] + 2, take_bytes(x, SENDER, now_s) / m->task_bytes);
        x->is_noted = x->is_under_way;
        if (x->is_noted)
            carrying->nodes[n_left++] = child;
    }
    carrying->n = n_left;
}

static void note_changes(struct farm_measure *m, node_id n)
{
    struct node *s = &m->nodes[n];
    s->all_changed = s->all_changed || !s->costs.is_diagonal;
    for (int k = 2; k < m->n_some && !s->all_changed; k++) {
        node_id child = m->tree->nodes[n].children[m->some[k] - 2];
        if (!m->transfers[child].is_changed)
            s->changed.nodes[s->changed.n++] = child;
        m->transfers[child].is_changed = true;
    }
}

static void take_computed(struct farm_measure *m, node_id n)
{
    struct node *s = &m->nodes[n];
    double lasted_s = s->end_s - s->start_s;
    take_amounts(m, n, s->end_s);
    if (!s->has_computed) {
        farm_costs_init(&s->costs, m->tree->nodes[n].n_children + 2);
        s->costs.costs[0] = lasted_s;
    }
    s->has_computed = true;
    farm_costs_learn(&s->costs, m->amounts, m->some, m->n_some, lasted_s);
    note_changes(m, n);
}

/* ---- what ends and starts ---- */

static void take_list(struct farm_measure *m, struct list *list, void (*take)(struct farm_measure *, node_id))
{
    sort(list);
    for (int i = 0; i < list->n; i++)
        take(m, list->nodes[i]);
    list->n = 0;
}

static void take_ended(struct farm_measure *m)
{
    take_list(m, &m->sent, take_sent);
    take_list(m, &m->computed, take_computed);
}

static void add_ended(struct farm_measure *m, struct list *list, double now_s, node_id n)
{
    if (now_s > m->ended_s)
        take_ended(m);
    m->ended_s = now_s;
    list->nodes[list->n++] = n;
}

void farm_measure_request(struct farm_measure *m, double now_s, node_id child)
{
    if (m == NULL)
        return;
    struct wishes *w = &m->wishes[child];
    if (!isnan(w->sated_from_s))
        w->sated_s += now_s - w->sated_from_s;
    w->sated_before_s = fading_ratio * w->sated_before_s + w->sated_s;
    w->before_s = fading_ratio * w->before_s + (now_s - w->request_s);
    w->sated_s = 0;
    w->sated_from_s = NAN;
    w->request_s = now_s;
}

void farm_measure_computed(struct farm_measure *m, double now_s, node_id node)
{
    if (m == NULL)
        return;
    add_ended(m, &m->computed, now_s, node);
    m->nodes[node].end_s = now_s;
}

void farm_measure_sent(struct farm_measure *m, double now_s, node_id child, bool wants_nothing)
{
    if (m == NULL)
        return;
    struct transfer *x = &m->transfers[child];
    struct node *s = &m->nodes[m->tree->nodes[child].parent];
    add_ended(m, &m->sent, now_s, child);
    sum(s, now_s);
    s->n_sending--;
    s->wanted_bytes_per_s = s->n_sending > 0 ? s->wanted_bytes_per_s - wanted_by(x) : 0;
    x->is_under_way = false;
    x->end_s = now_s;
    if (wants_nothing)
        m->wishes[child].sated_from_s = now_s;
}

void farm_measure_compute(struct farm_measure *m, double now_s, node_id node)
{
    if (m == NULL)
        return;
    take_ended(m);
    take_amounts(m, node, now_s); /* what passed while the node was idle cost nothing */
    m->nodes[node].start_s = now_s;
}

void farm_measure_send(struct farm_measure *m, double now_s, node_id child, double bytes)
{
    if (m == NULL)
        return;
    take_ended(m);
    node_id parent = m->tree->nodes[child].parent;
    struct transfer *x = &m->transfers[child];
    struct node *s = &m->nodes[parent];
    sum(s, now_s);
    s->alone = s->n_sending == 0 ? child : -1;
    if (!x->is_noted)
        s->carrying.nodes[s->carrying.n++] = child;
    x->is_noted = x->is_under_way = true;
    x->start_s = now_s;
    x->bytes = bytes;
    x->crowded_at_start_s = s->crowded_s;
    x->wanted_at_start_bytes = s->wanted_bytes;
    x->crowded_wanted_at_start_bytes = s->crowded_wanted_bytes;
    for (enum end end = SENDER; end < N_ENDS; end++) {
        x->counted_s[end] = now_s;
        x->counted_bytes[end] = 0;
    }
    s->n_sending++;
    s->wanted_bytes_per_s += wanted_by(x);
}

/* ---- what has been measured ---- */

void farm_measure_tell_state(struct farm_measure *m, struct policy_state *state)
{
    if (m == NULL)
        return;
    take_ended(m);
    const struct node *s = &m->nodes[state->node];
    state->task_s = s->has_computed ? s->costs.costs[0] : NAN;
    state->receive_cost_s_per_byte = s->has_computed ? s->costs.costs[1] / m->task_bytes : 0;
    state->limit_bytes_per_s = s->limit_bytes_per_s;
}

void farm_measure_tell_child(const struct farm_measure *m, struct policy_child *child)
{
    if (m == NULL)
        return;
    const struct node *s = &m->nodes[m->tree->nodes[child->node].parent];
    const struct wishes *w = &m->wishes[child->node];
    child->rate_bytes_per_s = m->transfers[child->node].rate_bytes_per_s;
    child->cost_s_per_byte = s->has_computed ? s->costs.costs[m->place[child->node] + 2] / m->task_bytes : 0;
    child->sated_ratio = w->before_s > 0 ? w->sated_before_s / w->before_s : 0;
}

void farm_measure_tell(struct farm_measure *m, struct policy_state *state, struct policy_child *children)
{
    farm_measure_tell_state(m, state);
    for (int i = 0; i < state->n_children; i++)
        farm_measure_tell_child(m, &children[i]);
}

bool farm_measure_changed(struct farm_measure *m, node_id node, node_id *child)
{
    if (m == NULL)
        return false;
    struct node *s = &m->nodes[node];
    *child = -1;
    if (s->changed.n > 0)
        *child = s->changed.nodes[--s->changed.n];
    if (*child >= 0)
        m->transfers[*child].is_changed = false;
    else if (!s->all_changed)
        return false;
    else
        s->all_changed = false;
    return true;
}
