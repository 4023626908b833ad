/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All orders on all resources, when the hosts of tasks are known: branch and bound on a disjunctive graph ([Carlier 1989],
   [Brucker 1994]).

   Items are tasks, and the steps of edges between two hosts: send, one hop for each link, receive. Arcs say "starts at least
   lag_s after the start of": what plan/compact.c computes is a longest path in the same graph, so the earliest dates for
   given orders are a valid schedule, and no valid schedule with these orders has an earlier date. Two items that occupy the
   same resource form a pair, which is decided one way or the other. What does not fit any more before the deadline is decided
   the other way; when neither fits, there is no schedule. When the earliest dates do not overlap anywhere, they are a
   schedule, however many pairs are undecided. Else a pair that overlaps is decided both ways, one after the other: every
   order on every resource is covered, also those that no list scheduler reaches.

   head_s: an item starts no earlier. tail_s: from its start, the schedule goes on at least for this.

   Memory: the pairs, and what has changed since the first decision. */
#include "schedulers/optimal.h"

#include "base/mem.h"

#include <stdlib.h>

static const double tolerance_ratio = 1e-13; /* of the deadline: dates that are equal but for rounding */

struct arc {
    int from, to, next_out, next_in; /* -1: last */
    double lag_s;
};

struct use {
    int item;
    double busy_s;
};

struct pair {
    int a, b;        /* items on the same resource */
    double a_s, b_s; /* how long they occupy it */
    bool is_decided;
};

struct change { /* of a head, a tail, or a pair (item: its number) */
    enum { OF_HEAD, OF_TAIL, OF_PAIR, OF_ARC } kind;
    int item;
    double was_s;
};

struct decision {
    int pair;
    bool is_second; /* the second way */
    bool a_was_first;
    size_t n_changes;
};

struct seen { /* a use, forwards or backwards */
    int item;
    double head_s, busy_s, end_s, raised_s, done_s; /* end_s: of its time; done_s: of it and those behind, in the set */
};

struct orders {
    struct hunt *hunt;
    const struct levels *levels;
    int n_items, most_items;
    double *head_s, *tail_s;
    int *first_out, *first_in; /* [item]: arcs */
    int *edge_item;            /* [edge]: its first item; -1: it has none */
    struct arc *arcs;
    struct use *uses; /* of all resources, in the order in which they are found */
    int *use_resource;
    struct use *on; /* grouped by resource */
    size_t *start;  /* [resource] */
    struct pair *pairs;
    struct change *changes;
    struct decision *decisions;
    struct seen *seen;
    int *waiting;
    size_t n_arcs, arcs_capacity, n_uses, uses_capacity, n_pairs, pairs_capacity, n_changes, changes_capacity,
        n_decisions, decisions_capacity, n_resources;
};

size_t orders_most_items(const struct facts *f)
{
    size_t n = (size_t)f->n_tasks;
    for (int e = 0; e < f->n_edges; e++) {
        size_t most = 0;
        for (int g = 0; g < f->n_hosts; g++)
            for (int h = 0; h < f->n_hosts; h++) {
                size_t n_links = g == h ? 0 : facts_passage(f->problem, e, f->host[g], f->host[h]).n_links;
                most = n_links > most ? n_links : most;
            }
        n += most + 2;
    }
    return n;
}

struct orders *orders_create(struct hunt *x)
{
    struct orders *o = mem_zalloc(1, sizeof *o);
    size_t n = orders_most_items(x->facts);
    o->hunt = x;
    o->most_items = (int)n;
    o->n_resources = problem_n_resources(x->facts->problem);
    o->head_s = mem_alloc(n * sizeof *o->head_s);
    o->tail_s = mem_alloc(n * sizeof *o->tail_s);
    o->first_out = mem_alloc(n * sizeof *o->first_out);
    o->first_in = mem_alloc(n * sizeof *o->first_in);
    o->waiting = mem_alloc((n + 1) * sizeof *o->waiting);
    o->edge_item = mem_alloc(((size_t)x->facts->n_edges + 1) * sizeof *o->edge_item);
    o->uses = mem_alloc(2 * n * sizeof *o->uses);
    o->use_resource = mem_alloc(2 * n * sizeof *o->use_resource);
    o->on = mem_alloc(2 * n * sizeof *o->on);
    o->seen = mem_alloc(2 * n * sizeof *o->seen);
    o->start = mem_alloc((o->n_resources + 2) * sizeof *o->start);
    return o;
}

void orders_free(struct orders *o)
{
    free(o->head_s);
    free(o->tail_s);
    free(o->first_out);
    free(o->first_in);
    free(o->waiting);
    free(o->edge_item);
    free(o->uses);
    free(o->use_resource);
    free(o->on);
    free(o->seen);
    free(o->start);
    free(o->arcs);
    free(o->pairs);
    free(o->changes);
    free(o->decisions);
    free(o);
}

/* ---- changes that can be undone ---- */

static void change(struct orders *o, int kind, int item, double was_s)
{
    MEM_GROW(o->changes, o->n_changes, o->changes_capacity);
    o->changes[o->n_changes].kind = kind;
    o->changes[o->n_changes].item = item;
    o->changes[o->n_changes++].was_s = was_s;
}

static void add_arc(struct orders *o, int from, int to, double lag_s)
{
    MEM_GROW(o->arcs, o->n_arcs, o->arcs_capacity);
    o->arcs[o->n_arcs] = (struct arc){from, to, o->first_out[from], o->first_in[to], lag_s};
    o->first_out[from] = o->first_in[to] = (int)o->n_arcs++;
}

static void undo(struct orders *o, size_t n_changes)
{
    while (o->n_changes > n_changes) {
        const struct change *c = &o->changes[--o->n_changes];
        const struct arc *arc = &o->arcs[o->n_arcs - 1];
        switch (c->kind) {
        case OF_HEAD:
            o->head_s[c->item] = c->was_s;
            break;
        case OF_TAIL:
            o->tail_s[c->item] = c->was_s;
            break;
        case OF_PAIR:
            o->pairs[c->item].is_decided = false;
            break;
        case OF_ARC:
            o->first_out[arc->from] = arc->next_out;
            o->first_in[arc->to] = arc->next_in;
            o->n_arcs--;
            break;
        }
    }
}

/* ---- longest paths ---- */

static int add_waiting(struct orders *o, int n, int item) /* returns how many items wait */
{
    int k = 0;
    while (k < n && o->waiting[k] != item)
        k++;
    o->waiting[k] = item;
    return k == n ? n + 1 : n;
}

/* Raises the head of an item and what follows from it. If a longer path comes back to `closing`, the arc that was added last
   closes a cycle: there was none before. -1: no arc was added. */
static bool raise_head(struct orders *o, int item, double head_s, int closing)
{
    int n = 0;
    double deadline_s = o->hunt->deadline_s;
    if (head_s <= o->head_s[item])
        return true;
    change(o, OF_HEAD, item, o->head_s[item]);
    o->head_s[item] = head_s;
    for (o->waiting[n++] = item; n > 0;) {
        int now = o->waiting[--n];
        if (now == closing || o->head_s[now] + o->tail_s[now] > deadline_s)
            return false;
        for (int i = o->first_out[now]; i >= 0; i = o->arcs[i].next_out) {
            const struct arc *arc = &o->arcs[i];
            double later = o->head_s[now] + arc->lag_s;
            if (later <= o->head_s[arc->to])
                continue;
            change(o, OF_HEAD, arc->to, o->head_s[arc->to]);
            o->head_s[arc->to] = later;
            n = add_waiting(o, n, arc->to);
        }
    }
    return true;
}

static bool raise_tail(struct orders *o, int item, double tail_s, int closing)
{
    int n = 0;
    double deadline_s = o->hunt->deadline_s;
    if (tail_s <= o->tail_s[item])
        return true;
    change(o, OF_TAIL, item, o->tail_s[item]);
    o->tail_s[item] = tail_s;
    for (o->waiting[n++] = item; n > 0;) {
        int now = o->waiting[--n];
        if (now == closing || o->head_s[now] + o->tail_s[now] > deadline_s)
            return false;
        for (int i = o->first_in[now]; i >= 0; i = o->arcs[i].next_in) {
            const struct arc *arc = &o->arcs[i];
            double longer = o->tail_s[now] + arc->lag_s;
            if (longer <= o->tail_s[arc->from])
                continue;
            change(o, OF_TAIL, arc->from, o->tail_s[arc->from]);
            o->tail_s[arc->from] = longer;
            n = add_waiting(o, n, arc->from);
        }
    }
    return true;
}

/* ---- items ---- */

static int add_item(struct orders *o, double head_s, double tail_s)
{
    int i = o->n_items++;
    o->head_s[i] = head_s;
    o->tail_s[i] = tail_s;
    o->first_out[i] = o->first_in[i] = -1;
    return i;
}

static void add_use(struct orders *o, int item, size_t resource, double busy_s)
{
    if (busy_s <= 0)
        return;
    o->use_resource[o->n_uses] = (int)resource;
    o->uses[o->n_uses++] = (struct use){item, busy_s};
}

static int add_end(struct orders *o, host_id h, enum direction dir, struct cost_end end)
{
    const struct problem *p = o->hunt->facts->problem;
    int i = add_item(o, 0, 0);
    add_use(o, i, problem_processor(h), cost_end_busy_s(end));
    if (p->model->books_ports)
        add_use(o, i, problem_port(p, h, dir), end.port_s);
    return i;
}

/* The hops of an edge, after item `last` by lag_s. Returns the last hop; *lag_s: from its start to the last byte. */
static int add_hops(struct orders *o, int e, const struct facts_passage *x, int last, double *lag_s)
{
    const struct problem *p = o->hunt->facts->problem;
    double before_s = 0;
    for (size_t k = 0; k < x->n_links; k++) {
        const struct link *l = &p->machine->links[x->links[k]];
        double time_s = p->dag->edges[e].size_bytes / l->bandwidth_bytes_per_s;
        int hop = add_item(o, 0, 0);
        if (l->sharing != LINK_FATPIPE)
            add_use(o, hop, problem_link(p, x->links[k]), time_s);
        add_arc(o, last, hop, k == 0 ? *lag_s : *lag_s + later_s(0, before_s - time_s));
        before_s = time_s;
        *lag_s = l->latency_s;
        last = hop;
    }
    *lag_s += before_s;
    return last;
}

static void add_edge(struct orders *o, int e)
{
    const struct facts *f = o->hunt->facts;
    int src = f->edges[e].src, dst = f->edges[e].dst, g = levels_host(o->levels, src), h = levels_host(o->levels, dst),
        last = src;
    o->edge_item[e] = -1;
    if (g < 0 || h < 0)
        return;
    double lag_s = facts_compute_s(f, src, g);
    if (g != h) {
        struct facts_passage x = facts_passage(f->problem, e, f->host[g], f->host[h]);
        o->edge_item[e] = o->n_items;
        if (cost_has_ends(f->problem->model)) {
            last = add_end(o, f->host[g], DIR_SEND, x.send);
            add_arc(o, src, last, lag_s);
            lag_s = x.send.overhead_s;
        }
        if (x.n_links > 0)
            last = add_hops(o, e, &x, last, &lag_s);
        else
            lag_s += x.lag_s;
        if (cost_has_ends(f->problem->model)) {
            int recv = add_end(o, f->host[h], DIR_RECV, x.recv);
            add_arc(o, last, recv, lag_s - x.recv.involvement_s);
            last = recv;
            lag_s = x.recv.involvement_s + x.recv.overhead_s;
        }
    }
    add_arc(o, last, dst, lag_s);
}

static void add_tasks(struct orders *o)
{
    const struct facts *f = o->hunt->facts;
    for (int t = 0; t < f->n_tasks; t++) {
        int h = levels_host(o->levels, t), at = t * f->n_hosts + h;
        if (h < 0) {
            add_item(o, 0, 0);
            continue;
        }
        double compute_s = f->compute_s[at];
        add_item(o, o->levels->head_s[at], compute_s + o->levels->tail_s[at]);
        add_use(o, t, problem_processor(f->host[h]), compute_s);
    }
}

/* Heads and tails along the arcs that are not decisions: the tasks are in topological order, the items of an edge too. */
static bool spread(struct orders *o)
{
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (size_t i = 0; i < o->n_arcs; i++) {
            const struct arc *x = &o->arcs[i];
            double head_s = o->head_s[x->from] + x->lag_s;
            has_changed = has_changed || head_s > o->head_s[x->to];
            o->head_s[x->to] = later_s(o->head_s[x->to], head_s);
        }
        for (size_t i = o->n_arcs; i-- > 0;) {
            const struct arc *x = &o->arcs[i];
            double tail_s = o->tail_s[x->to] + x->lag_s;
            has_changed = has_changed || tail_s > o->tail_s[x->from];
            o->tail_s[x->from] = later_s(o->tail_s[x->from], tail_s);
        }
    }
    for (int i = 0; i < o->n_items; i++)
        if (o->head_s[i] + o->tail_s[i] > o->hunt->deadline_s)
            return false;
    return true;
}

static void group_uses(struct orders *o)
{
    for (size_t r = 0; r <= o->n_resources + 1; r++)
        o->start[r] = 0;
    for (size_t i = 0; i < o->n_uses; i++)
        o->start[o->use_resource[i] + 2]++;
    for (size_t r = 2; r <= o->n_resources + 1; r++)
        o->start[r] += o->start[r - 1];
    for (size_t i = 0; i < o->n_uses; i++)
        o->on[o->start[o->use_resource[i] + 1]++] = o->uses[i];
}

static void pair_uses(struct orders *o)
{
    o->n_pairs = 0;
    for (size_t r = 0; r < o->n_resources; r++)
        for (size_t i = o->start[r]; i < o->start[r + 1]; i++)
            for (size_t k = o->start[r]; k < i; k++) {
                MEM_GROW(o->pairs, o->n_pairs, o->pairs_capacity);
                o->pairs[o->n_pairs++] =
                    (struct pair){o->on[k].item, o->on[i].item, o->on[k].busy_s, o->on[i].busy_s, false};
            }
}

/* ---- what cannot be otherwise ---- */

static bool decide(struct orders *o, int number, bool a_is_first)
{
    struct pair *x = &o->pairs[number];
    int from = a_is_first ? x->a : x->b, to = a_is_first ? x->b : x->a;
    double lag_s = a_is_first ? x->a_s : x->b_s;
    x->is_decided = true;
    change(o, OF_PAIR, number, 0);
    add_arc(o, from, to, lag_s);
    change(o, OF_ARC, 0, 0);
    return raise_head(o, to, o->head_s[from] + lag_s, from) && raise_tail(o, from, o->tail_s[to] + lag_s, to);
}

/* How long the schedule becomes at least if the pair is decided so. */
static double a_first_s(const struct orders *o, const struct pair *x)
{
    return o->head_s[x->a] + x->a_s + o->tail_s[x->b];
}
static double b_first_s(const struct orders *o, const struct pair *x)
{
    return o->head_s[x->b] + x->b_s + o->tail_s[x->a];
}

static bool decide_all_forced(struct orders *o, bool *has_changed)
{
    double deadline_s = o->hunt->deadline_s;
    for (size_t i = 0; i < o->n_pairs; i++) {
        const struct pair *x = &o->pairs[i];
        if (x->is_decided)
            continue;
        bool a_fits = a_first_s(o, x) <= deadline_s, b_fits = b_first_s(o, x) <= deadline_s;
        if (a_fits && b_fits)
            continue;
        *has_changed = true;
        if ((!a_fits && !b_fits) || !decide(o, (int)i, a_fits))
            return false;
    }
    return true;
}

/* Edge finding on one resource ([Baptiste 2001]): for a set of uses, and one that is not among them: if all together cannot be
   between the earliest head and the least rest of the set, this one comes last, so after all of the set. Of all sets
   that end by a date, and begin at one, the necessary ones are met in O(n^2). Heads and rests are those of `by_head`, or, seen
   backwards, tails and heads. False: some set does not fit. */
static bool find_edges(struct seen *x, int n, double deadline_s)
{
    for (int k = 0; k < n; k++) {
        double sum_s = 0, done_s = -INFINITY, before_s = -INFINITY, end_s = x[k].end_s;
        for (int i = n; i-- > 0;) {
            if (x[i].end_s <= end_s) {
                sum_s += x[i].busy_s;
                done_s = later_s(done_s, x[i].head_s + sum_s);
            }
            x[i].done_s = done_s;
        }
        if (done_s > end_s + deadline_s * tolerance_ratio)
            return false;
        double allowed_s = end_s + deadline_s * tolerance_ratio;
        for (int i = 0; i < n; i++) {
            if (x[i].end_s <= end_s) {
                before_s = later_s(before_s, x[i].head_s + sum_s);
                sum_s -= x[i].busy_s;
                continue;
            }
            if (x[i].head_s + sum_s + x[i].busy_s > allowed_s)
                x[i].raised_s = later_s(x[i].raised_s, x[i].done_s);
            if (before_s + x[i].busy_s > allowed_s)
                x[i].raised_s = later_s(x[i].raised_s, done_s);
        }
    }
    return true;
}

static void sort_by_head(struct seen *x, int n)
{
    for (int i = 1; i < n; i++) {
        struct seen now = x[i];
        int k = i;
        for (; k > 0 && x[k - 1].head_s > now.head_s; k--)
            x[k] = x[k - 1];
        x[k] = now;
    }
}

/* Backwards, time begins at the deadline. */
static bool settle_resource(struct orders *o, const struct use *on, int n, bool backwards, bool *has_changed)
{
    double deadline_s = o->hunt->deadline_s;
    struct seen *x = o->seen;
    for (int i = 0; i < n; i++) {
        double head_s = o->head_s[on[i].item], rest_s = o->tail_s[on[i].item] - on[i].busy_s;
        x[i] = (struct seen){
            on[i].item, backwards ? rest_s : head_s, on[i].busy_s, deadline_s - (backwards ? head_s : rest_s), 0, 0};
    }
    sort_by_head(x, n);
    if (!find_edges(x, n, deadline_s))
        return false;
    for (int i = 0; i < n; i++) {
        double raised_s = x[i].raised_s;
        if (raised_s <= x[i].head_s + deadline_s * tolerance_ratio)
            continue;
        *has_changed = true;
        if (backwards ? !raise_tail(o, x[i].item, raised_s + x[i].busy_s, -1) : !raise_head(o, x[i].item, raised_s, -1))
            return false;
    }
    return true;
}

static bool settle(struct orders *o)
{
    bool has_changed = true;
    while (has_changed) {
        while (has_changed) {
            has_changed = false;
            if (!decide_all_forced(o, &has_changed))
                return false;
        }
        for (size_t r = 0; r < o->n_resources; r++) {
            int n = (int)(o->start[r + 1] - o->start[r]);
            const struct use *on = o->on + o->start[r];
            if (n > 2 &&
                (!settle_resource(o, on, n, false, &has_changed) || !settle_resource(o, on, n, true, &has_changed)))
                return false;
        }
    }
    return true;
}

bool orders_set(struct orders *o, const struct levels *l)
{
    const struct facts *f = o->hunt->facts;
    o->levels = l;
    o->n_items = 0;
    o->n_arcs = o->n_uses = o->n_changes = o->n_decisions = 0;
    add_tasks(o);
    for (int t = 0; t < f->n_tasks; t++) /* in topological order */
        for (int i = f->in_start[t]; i < f->in_start[t + 1]; i++)
            add_edge(o, f->in[i]);
    if (!spread(o))
        return false;
    group_uses(o);
    pair_uses(o);
    return settle(o);
}

bool orders_raise_floors(const struct orders *o, struct levels *l)
{
    const struct facts *f = l->facts;
    bool any = false;
    for (int t = 0; t < f->n_tasks; t++) {
        int h = levels_host(l, t), at = t * f->n_hosts + h;
        double least_s = o->hunt->deadline_s * tolerance_ratio;
        if (h < 0)
            continue;
        double head_s = o->head_s[t], tail_s = o->tail_s[t] - facts_compute_s(f, t, h);
        any = any || head_s > l->head_s[at] + least_s || tail_s > l->tail_s[at] + least_s;
        l->floor_head_s[t] = later_s(l->floor_head_s[t], head_s);
        l->floor_tail_s[t] = later_s(l->floor_tail_s[t], tail_s);
    }
    return any;
}

/* ---- the search ---- */

/* The pair that overlaps and whose better decision costs most; -1: none overlaps. */
static int choose_pair(const struct orders *o)
{
    int best = -1;
    double best_s = 0, best_other_s = 0;
    for (size_t i = 0; i < o->n_pairs; i++) {
        const struct pair *x = &o->pairs[i];
        if (x->is_decided || o->head_s[x->a] + x->a_s <= o->head_s[x->b] || o->head_s[x->b] + x->b_s <= o->head_s[x->a])
            continue;
        double a_s = a_first_s(o, x), b_s = b_first_s(o, x), least_s = fmin(a_s, b_s), other_s = fmax(a_s, b_s);
        if (best < 0 || least_s > best_s || (least_s == best_s && other_s > best_other_s)) {
            best = (int)i;
            best_s = least_s;
            best_other_s = other_s;
        }
    }
    return best;
}

static struct span span_of(const struct orders *o, int item, double time_s)
{
    double start_s = o->head_s[item];
    bool is_lost = span_is_lost_at(start_s, time_s);
    return (struct span){start_s, is_lost ? start_s : span_finish_s(start_s, time_s)};
}

static void write_edge(const struct orders *o, struct schedule *s, int e)
{
    const struct facts *f = o->hunt->facts;
    const struct problem *p = f->problem;
    host_id src = s->tasks[p->dag->edges[e].src].host, dst = s->tasks[p->dag->edges[e].dst].host;
    int item = o->edge_item[e];
    s->edges[e].is_remote = src != dst;
    if (src == dst)
        return;
    struct facts_passage x = facts_passage(p, e, src, dst);
    if (cost_has_ends(p->model))
        s->edges[e].send = span_of(o, item++, cost_end_busy_s(x.send));
    struct span *spans = p->model->books_links ? schedule_add_link_spans(s, e, src, dst) : NULL;
    for (size_t k = 0; k < x.n_links; k++)
        spans[k] =
            span_of(o, item++, p->dag->edges[e].size_bytes / p->machine->links[x.links[k]].bandwidth_bytes_per_s);
    if (cost_has_ends(p->model))
        s->edges[e].recv = span_of(o, item, cost_end_busy_s(x.recv));
}

static void write_schedule(struct orders *o)
{
    const struct facts *f = o->hunt->facts;
    struct schedule found;
    schedule_init(&found, f->problem);
    for (int t = 0; t < f->n_tasks; t++) {
        int h = levels_host(o->levels, t);
        found.tasks[f->task[t]] = (struct planned_task){f->host[h], span_of(o, t, facts_compute_s(f, t, h))};
    }
    for (int e = 0; e < f->n_edges; e++)
        write_edge(o, &found, e);
    hunt_found(o->hunt, &found);
}

/* Takes back decisions until one can be made the other way. False: there is none. */
static bool turn_back(struct orders *o)
{
    while (o->n_decisions > 0) {
        struct decision *d = &o->decisions[o->n_decisions - 1];
        undo(o, d->n_changes);
        if (!d->is_second) {
            d->is_second = true;
            if (decide(o, d->pair, !d->a_was_first) && settle(o))
                return true;
        } else {
            o->n_decisions--;
        }
    }
    return false;
}

static bool go_on(struct orders *o, int pair)
{
    const struct pair *x = &o->pairs[pair];
    bool a_is_first = a_first_s(o, x) <= b_first_s(o, x);
    MEM_GROW(o->decisions, o->n_decisions, o->decisions_capacity);
    o->decisions[o->n_decisions++] = (struct decision){pair, false, a_is_first, o->n_changes};
    return (decide(o, pair, a_is_first) && settle(o)) || turn_back(o);
}

void orders_search(struct orders *o)
{
    bool is_open = true;
    while (is_open && hunt_step(o->hunt)) {
        int pair = choose_pair(o);
        if (pair < 0)
            write_schedule(o);
        is_open = pair >= 0 ? go_on(o, pair) : turn_back(o);
    }
}
