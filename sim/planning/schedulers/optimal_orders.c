/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All orders on all resources, when the hosts of tasks are known: branch and bound on a disjunctive graph ([Carlier
   1989], [Brucker 1994]).

   Items are tasks, and the steps of edges between two hosts: send, one hop for each link, receive. Arcs say "starts at
   least lag_s after the start of": what plan/compact.c computes is a longest path in the same graph, so the earliest
   dates for given orders are a valid schedule, and no valid schedule with these orders has an earlier date. Two items
   that occupy the same resource form a pair, which is decided one way or the other. What does not fit any more before
   the deadline is decided the other way; when neither fits, there is no schedule. When the earliest dates do not
   overlap anywhere, they are a schedule, however many pairs are undecided. Else a pair that overlaps is decided both
   ways, one after the other: every order on every resource is covered, also those that no list scheduler reaches.

   head_s: an item starts no earlier. tail_s: from its start, the schedule goes on at least for this.

   Memory: the pairs, and what has changed since the first decision. */
#include "schedulers/optimal_orders.h"

#include "base/mem.h"

#include <stdlib.h>

/* The longest route counts: which hosts an edge connects is not known before the search. */
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
    o->some_alike = orders_have_alike(x->facts);
    o->head_s = mem_alloc(n * sizeof *o->head_s);
    o->tail_s = mem_alloc(n * sizeof *o->tail_s);
    o->first_out = mem_alloc(n * sizeof *o->first_out);
    o->first_in = mem_alloc(n * sizeof *o->first_in);
    o->waiting = mem_alloc((n + 1) * sizeof *o->waiting);
    o->edge_item = mem_alloc(((size_t)x->facts->n_edges + 1) * sizeof *o->edge_item);
    o->item_edge = mem_alloc(n * sizeof *o->item_edge);
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
    free(o->item_edge);
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

/* ---- items ---- */

static int add_item(struct orders *o, double head_s, double tail_s)
{
    int i = o->n_items++;
    o->head_s[i] = head_s;
    o->tail_s[i] = tail_s;
    o->first_out[i] = o->first_in[i] = -1;
    return i;
}

static void add_use(struct orders *o, int item, size_t resource, double before_s, double busy_s)
{
    /* what takes no time occupies nothing, and so is in no pair */
    if (before_s + busy_s <= 0)
        return;
    o->use_resource[o->n_uses] = (int)resource;
    o->uses[o->n_uses++] = (struct use){item, before_s, busy_s};
}

static bool is_bundled(const struct orders *o, int h) /* a task there and its send occupy the processor as one */
{
    return (o->sources_only >> h & 1) != 0;
}

static int add_end(struct orders *o, int number, enum direction dir, struct cost_end end)
{
    const struct problem *p = o->hunt->facts->problem;
    host_id h = o->hunt->facts->host[number];
    int i = add_item(o, 0, 0);
    if (dir == DIR_RECV || !is_bundled(o, number))
        add_use(o, i, problem_processor(h), 0, cost_end_busy_s(end));
    if (p->model->books_ports)
        add_use(o, i, problem_port(p, h, dir), end.port_before_s, end.port_s);
    return i;
}

/* The hops of an edge, after item `last` by lag_s. Returns the last hop; *lag_s: from its start to the last byte. A
   hop starts no earlier than the one before, and ends no earlier (schedule_hop_release_s): both as one lag between
   starts. */
static int add_hops(struct orders *o, int e, const struct facts_passage *x, int last, double *lag_s)
{
    const struct problem *p = o->hunt->facts->problem;
    double before_s = 0;
    for (size_t k = 0; k < x->n_links; k++) {
        const struct link *l = &p->machine->links[x->links[k]];
        double time_s = p->dag->edges[e].size_bytes / l->bandwidth_bytes_per_s;
        int hop = add_item(o, 0, 0);
        if (l->sharing != LINK_FATPIPE)
            add_use(o, hop, problem_link(p, x->links[k]), 0, time_s);
        orders_add_arc(o, last, hop, k == 0 ? *lag_s : *lag_s + later_s(0, before_s - time_s));
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
    /* one end may still be on several hosts: what is certain of its delay is in the levels */
    if (g < 0 || h < 0)
        return;
    double lag_s = facts_compute_s(f, src, g);
    if (g != h) {
        struct facts_passage x = facts_passage(f->problem, e, f->host[g], f->host[h]);
        o->edge_item[e] = o->n_items;
        if (cost_has_ends(f->problem->model)) {
            last = add_end(o, g, DIR_SEND, x.send);
            orders_add_arc(o, src, last, lag_s);
            lag_s = x.send.overhead_s;
        }
        if (x.n_links > 0)
            last = add_hops(o, e, &x, last, &lag_s);
        else
            lag_s += x.lag_s;
        if (cost_has_ends(f->problem->model)) {
            int recv = add_end(o, h, DIR_RECV, x.recv);
            orders_add_arc(o, last, recv, lag_s - x.recv.involvement_s);
            last = recv;
            lag_s = x.recv.involvement_s + x.recv.overhead_s;
        }
    }
    orders_add_arc(o, last, dst, lag_s);
    for (int i = o->edge_item[e]; i >= 0 && i < o->n_items; i++)
        o->item_edge[i] = e;
}

/* What follows a task without a gap on its processor. */
static double bundled_send_s(const struct orders *o, int t, int g)
{
    const struct facts *f = o->hunt->facts;
    if (!is_bundled(o, g) || f->out_start[t] == f->out_start[t + 1])
        return 0;
    int e = f->out[f->out_start[t]], h = levels_host(o->levels, f->edges[e].dst);
    return h < 0 ? 0 : cost_end_busy_s(problem_end(f->problem, e, f->host[g], f->host[h], DIR_SEND));
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
        add_use(o, t, problem_processor(f->host[h]), 0, compute_s + bundled_send_s(o, t, h));
    }
}

/* Heads and tails along the arcs that are not decisions: the tasks are in topological order, the items of an edge
   too. */
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

static int host_of_processor(const struct orders *o, size_t resource) /* -1: it is none */
{
    const struct facts *f = o->hunt->facts;
    for (int h = 0; h < f->n_hosts; h++)
        if (problem_processor(f->host[h]) == resource)
            return h;
    return -1;
}

/* From the start of one to the start of the other: it must be over, and the other may take the resource before it
   starts (a port). */
static void pair_uses(struct orders *o)
{
    o->n_pairs = 0;
    for (size_t r = 0; r < o->n_resources; r++) {
        int h = host_of_processor(o, r);
        for (size_t i = o->start[r]; i < o->start[r + 1]; i++)
            for (size_t k = o->start[r]; k < i; k++) {
                MEM_GROW(o->pairs, o->n_pairs, o->pairs_capacity);
                o->pairs[o->n_pairs++] = (struct pair){o->on[k].item,
                                                       o->on[i].item,
                                                       o->on[k].busy_s + o->on[i].before_s,
                                                       o->on[i].busy_s + o->on[k].before_s,
                                                       false,
                                                       h >= 0 && orders_are_easy(o, o->on[k].item, o->on[i].item, h)};
            }
    }
}

/* Decides the pairs that need not be tried. False: then no schedule ends by the deadline. */
static bool use_rules(struct orders *o)
{
    bool have_leaves = o->leaves_last != 0 && cost_has_ends(o->hunt->facts->problem->model);
    if (!o->some_alike && !have_leaves)
        return true;
    for (size_t i = 0; i < o->n_pairs; i++) {
        int first = orders_first(o, o->pairs[i].a, o->pairs[i].b);
        if (first >= 0 && !orders_decide(o, (int)i, first == o->pairs[i].a))
            return false;
    }
    return true;
}

bool orders_set(struct orders *o, const struct levels *l)
{
    const struct facts *f = o->hunt->facts;
    o->levels = l;
    o->n_items = 0;
    o->n_arcs = o->n_uses = o->n_changes = o->n_decisions = 0;
    orders_find_shapes(o);
    add_tasks(o);
    for (int t = 0; t < f->n_tasks; t++) /* in topological order */
        for (int i = f->in_start[t]; i < f->in_start[t + 1]; i++)
            add_edge(o, f->in[i]);
    if (!spread(o))
        return false;
    group_uses(o);
    pair_uses(o);
    return use_rules(o) && orders_settle(o);
}

bool orders_raise_floors(const struct orders *o, struct levels *l)
{
    const struct facts *f = l->facts;
    bool any = false;
    for (int t = 0; t < f->n_tasks; t++) {
        int h = levels_host(l, t), at = t * f->n_hosts + h;
        double least_s = o->hunt->deadline_s * ORDERS_TOLERANCE;
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

static bool overlaps(const struct orders *o, const struct pair *x)
{
    return !x->is_decided && o->head_s[x->a] + x->a_s > o->head_s[x->b] && o->head_s[x->b] + x->b_s > o->head_s[x->a];
}

/* Of easy pairs that overlap, the one with the earliest item; -1: none overlaps. */
static int choose_easy(const struct orders *o)
{
    int best = -1;
    double best_s = INFINITY;
    for (size_t i = 0; i < o->n_pairs; i++) {
        const struct pair *x = &o->pairs[i];
        double head_s = earlier_s(o->head_s[x->a], o->head_s[x->b]);
        if (head_s < best_s && overlaps(o, x)) {
            best = (int)i;
            best_s = head_s;
        }
    }
    return best;
}

/* The pair that overlaps and whose better decision costs most; -1: none overlaps. The more both ways cost, the sooner
   both are refuted: so the tree stays small. */
static int choose_pair(const struct orders *o)
{
    int best = -1;
    double best_s = 0, best_other_s = 0;
    for (size_t i = 0; i < o->n_pairs; i++) {
        const struct pair *x = &o->pairs[i];
        if (x->is_easy || !overlaps(o, x))
            continue;
        double a_s = pair_a_first_s(o, x), b_s = pair_b_first_s(o, x), least_s = fmin(a_s, b_s),
               other_s = fmax(a_s, b_s);
        if (best < 0 || least_s > best_s || (least_s == best_s && other_s > best_other_s)) {
            best = (int)i;
            best_s = least_s;
            best_other_s = other_s;
        }
    }
    return best >= 0 ? best : choose_easy(o);
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

/* Takes back decisions until one can be made the other way. False: there is none. Depth first without recursion: a
   search may decide thousands of pairs, one below the other. */
static bool turn_back(struct orders *o)
{
    while (o->n_decisions > 0) {
        struct decision *d = &o->decisions[o->n_decisions - 1];
        orders_undo(o, d->n_changes);
        if (!d->is_second) {
            d->is_second = true;
            if (orders_decide(o, d->pair, !d->a_was_first) && orders_settle(o))
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
    bool a_is_first = x->is_easy ? o->head_s[x->a] <= o->head_s[x->b] : pair_a_first_s(o, x) <= pair_b_first_s(o, x);
    MEM_GROW(o->decisions, o->n_decisions, o->decisions_capacity);
    o->decisions[o->n_decisions++] = (struct decision){pair, x->is_easy, a_is_first, o->n_changes};
    return (orders_decide(o, pair, a_is_first) && orders_settle(o)) || turn_back(o);
}

void orders_search(struct orders *o)
{
    bool is_open = true;
    while (is_open && hunt_step(o->hunt)) {
        int pair = choose_pair(o);
        /* earliest dates without overlap: a schedule; the deadline falls with it, and the search goes on below it */
        if (pair < 0)
            write_schedule(o);
        is_open = pair >= 0 ? go_on(o, pair) : turn_back(o);
    }
}
