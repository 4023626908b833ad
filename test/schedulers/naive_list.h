/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An independent list scheduler, written only from doc/model.md, List scheduling, and the chapter ([S] Definitions 7.9
   and 8.3 to 8.7, Algorithms 23 and 24): one heap of bookings, copied as a whole for every tentative placement; gaps
   are closed by moving things until nothing moves. As slow as it is plain.

   Naive answers to what the text leaves open:
   - an edge without bytes is an edge: it takes its links' latencies and its processors' overheads;
   - with one host there is no first link, so a provisional SEND lasts o_s;
   - a SEND that becomes shorter keeps its start, even when nothing of it is left. */
#ifndef IASIM_TEST_SCHEDULERS_NAIVE_LIST_H
#define IASIM_TEST_SCHEDULERS_NAIVE_LIST_H

#include "dag/dag.h"
#include "machine/machine.h"
#include "naive_steps.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    NAIVE_TASKS = 32,
    NAIVE_EDGES = 160,
    NAIVE_HOSTS = 8,
    NAIVE_LINKS = 64,
    NAIVE_HOPS = 8,
    NAIVE_BOOKINGS = NAIVE_TASKS + NAIVE_EDGES * (NAIVE_HOPS + 2)
};
enum naive_model { NAIVE_CLASSIC, NAIVE_CONTENTION, NAIVE_INVOLVEMENT, N_NAIVE_MODELS };
enum naive_approach { NAIVE_DIRECT, NAIVE_ENTERING, NAIVE_ALLOC1, NAIVE_ALLOC2, NAIVE_ALLOC3, N_NAIVE_APPROACHES };
static const char *const naive_model_names[] = {"classic", "contention", "involvement"};
static const char *const naive_approach_names[] = {"direct", "entering", "alloc1", "alloc2", "alloc3"};

enum naive_edge_order { NAIVE_PLACED, NAIVE_FINISH, NAIVE_LARGEST, NAIVE_SMALLEST, NAIVE_FILE, N_NAIVE_EDGE_ORDERS };
static const char *const naive_edge_order_names[] = {"placed", "finish", "largest", "smallest", "file"};

struct naive_wish {
    enum naive_model model;
    enum naive_approach approach;
    bool inserts, minimizes_finish, compacts;
    const int *order;      /* NULL: decreasing bottom level */
    const int *allocation; /* [task]; for alloc1 to alloc3 */
    const double *costs_s; /* [task * n_hosts + host], INFINITY: forbidden; NULL: work / speed */
    bool leaves_in_file_order;
    enum naive_edge_order edge_order; /* of entering edges */
    bool is_aligned;                  /* involvement at the time of the first and the last link; whole numbers only */
};

struct naive_span {
    double start_s, finish_s;
};

/* What occupies a resource: hosts are resources 0, 1, ..., links follow. */
enum naive_part { NAIVE_TASK, NAIVE_SEND, NAIVE_RECV, NAIVE_LINK };
struct naive_booking {
    int resource;
    enum naive_part part;
    int id, hop; /* the task or the edge; the link's place in its route */
    struct naive_span span;
};

struct naive_edge {
    struct naive_span send, recv, links[NAIVE_HOPS];
};

struct naive_plan {
    int host[NAIVE_TASKS]; /* -1: not placed yet */
    struct naive_span task[NAIVE_TASKS];
    struct naive_edge edge[NAIVE_EDGES]; /* of remote edges */
    double length_s;
    int n_bookings;
    struct naive_booking bookings[NAIVE_BOOKINGS]; /* last: only the used ones are copied */
};

struct naive {
    const struct dag *dag;
    const struct machine *machine;
    struct naive_wish wish;
    int n_hosts;
    struct route route[NAIVE_HOSTS][NAIVE_HOSTS];
    double level_s[NAIVE_TASKS];
    int list[NAIVE_TASKS], pos[NAIVE_TASKS];
    struct naive_plan plan;
    /* The least relative difference, not zero, that decided whether something fits, or 1e-14 where a choice hangs on
       the last bits: below about 1e-12 the same formulas in another order of operations may decide otherwise. */
    double narrowest_date, narrowest_level;
};

static inline bool naive_less(double a, double b, double *narrowest)
{
    if (a != b)
        *narrowest = fmin(*narrowest, fabs(a - b) / fmax(fabs(a), fabs(b)));
    return a < b;
}

/* Values that are compared in order to choose have 40 bits of mantissa. */
static inline double naive_forty_bits(double value)
{
    int exponent;
    double mantissa = frexp(value, &exponent); /* 1/2 <= |mantissa| < 1 */
    return isinf(value) ? value : ldexp(round(ldexp(mantissa, 40)), exponent - 40);
}

/* A choice depends on rounding if a change of the last bits would change it. */
static inline bool naive_is_chosen_before(double a, double b, double *narrowest)
{
    const double bits = 1e-14;
    bool is_less = naive_forty_bits(a) < naive_forty_bits(b);
    for (int sign = -1; sign <= 1; sign += 2)
        if ((naive_forty_bits(a + sign * bits * fabs(a)) < naive_forty_bits(b - sign * bits * fabs(b))) != is_less)
            *narrowest = fmin(*narrowest, bits);
    return is_less;
}

static inline int naive_in(const struct naive *n, int task, int k) /* k-th entering edge; -1: no more */
{
    int at = n->dag->in_start[task] + k;
    return at < n->dag->in_start[task + 1] ? n->dag->in[at] : -1;
}

static inline int naive_out(const struct naive *n, int task, int k)
{
    int at = n->dag->out_start[task] + k;
    return at < n->dag->out_start[task + 1] ? n->dag->out[at] : -1;
}

/* ---- costs ---- */

static inline double naive_omega_s(const struct naive *n, int task, int host)
{
    if (n->wish.costs_s)
        return n->wish.costs_s[task * n->n_hosts + host];
    return n->dag->tasks[task].work_flop / n->machine->hosts[host].speed_flop_per_s;
}

static inline double naive_zeta_s(const struct naive *n, int edge, int link)
{
    return n->dag->edges[edge].size_bytes / n->machine->links[link].bandwidth_bytes_per_s;
}

static inline int naive_end_link(const struct naive *n, int src, int dst, enum direction dir)
{
    const struct route *r = &n->route[src][dst];
    return r->n_links == 0 ? -1 : dir == DIR_SEND ? r->links[0] : r->links[r->n_links - 1];
}

/* o_s(e, src) or o_r(e, dst), which a link may have of its own; i_s(e, first link) or i_r(e, last link) */
static inline double naive_o_s(const struct naive *n, int edge, int src, int dst, enum direction dir)
{
    if (n->wish.model != NAIVE_INVOLVEMENT)
        return 0;
    return naive_overhead_s(n->machine, dir == DIR_SEND ? src : dst, dir, naive_end_link(n, src, dst, dir),
                            n->dag->edges[edge].size_bytes);
}

static inline double naive_i_s(const struct naive *n, int edge, int src, int dst, enum direction dir)
{
    if (n->wish.model != NAIVE_INVOLVEMENT)
        return 0;
    return naive_involvement_s(n->machine, dir == DIR_SEND ? src : dst, dir, naive_end_link(n, src, dst, dir),
                               n->dag->edges[edge].size_bytes);
}

static inline double naive_end_s(const struct naive *n, int edge, int src, int dst, enum direction dir)
{
    return naive_o_s(n, edge, src, dst, dir) + naive_i_s(n, edge, src, dst, dir);
}

static inline double naive_longest_send_s(const struct naive *n, int edge, int src) /* Definition 8.7 */
{
    double longest_s = n->n_hosts == 1 ? naive_o_s(n, edge, src, src, DIR_SEND) : 0;
    for (int dst = 0; dst < n->n_hosts; dst++)
        if (dst != src)
            longest_s = fmax(longest_s, naive_end_s(n, edge, src, dst, DIR_SEND));
    return longest_s;
}

/* ---- the list ---- */

static inline bool naive_is_link_used(const struct naive *n, int link)
{
    for (int a = 0; a < n->n_hosts; a++)
        for (int b = 0; b < n->n_hosts; b++)
            for (size_t k = 0; a != b && k < n->route[a][b].n_links; k++)
                if (n->route[a][b].links[k] == link)
                    return true;
    return false;
}

static inline double naive_mean_zeta_s(const struct naive *n, int edge)
{
    double sum_s = 0;
    int n_used = 0;
    for (int l = 0; l < (int)n->machine->n_links; l++)
        if (naive_is_link_used(n, l)) {
            sum_s += naive_zeta_s(n, edge, l);
            n_used++;
        }
    return n_used ? sum_s / n_used : 0;
}

/* Over all ordered pairs of hosts: latency, and the time on the slowest link. */
static inline double naive_mean_route_s(const struct naive *n, int edge)
{
    double sum_s = 0;
    for (int a = 0; a < n->n_hosts; a++)
        for (int b = 0; b < n->n_hosts; b++) {
            double slowest_s = 0;
            for (size_t k = 0; a != b && k < n->route[a][b].n_links; k++)
                slowest_s = fmax(slowest_s, naive_zeta_s(n, edge, n->route[a][b].links[k]));
            sum_s += a != b ? n->route[a][b].latency_s + slowest_s : 0;
        }
    return n->n_hosts > 1 ? sum_s / (n->n_hosts * (n->n_hosts - 1)) : 0;
}

static inline double naive_mean_omega_s(const struct naive *n, int task)
{
    double sum_s = 0;
    int n_allowed = 0;
    for (int h = 0; h < n->n_hosts; h++)
        if (!isinf(naive_omega_s(n, task, h))) {
            sum_s += naive_omega_s(n, task, h);
            n_allowed++;
        }
    return sum_s / n_allowed;
}

/* Over hosts; if links have overheads of their own, over pairs of hosts. */
static inline double naive_mean_overheads_s(const struct naive *n, int edge)
{
    double sum_s = 0, sum_of_pairs_s = 0;
    bool is_of_links = false;
    for (int l = 0; l < (int)n->machine->n_links; l++)
        is_of_links |=
            n->machine->links[l].overhead_s[DIR_SEND].is_given || n->machine->links[l].overhead_s[DIR_RECV].is_given;
    for (int a = 0; a < n->n_hosts; a++)
        for (int b = 0; b < n->n_hosts; b++) {
            double both_s = naive_o_s(n, edge, a, b, DIR_SEND) + naive_o_s(n, edge, a, b, DIR_RECV);
            sum_s += a == b ? both_s : 0; /* no links there */
            sum_of_pairs_s += a != b ? both_s : 0;
        }
    return is_of_links && n->n_hosts > 1 ? sum_of_pairs_s / n->n_hosts / (n->n_hosts - 1) : sum_s / n->n_hosts;
}

static inline void naive_find_levels(struct naive *n)
{
    for (int round = 0; round < n->dag->n_tasks; round++) /* a path has no more tasks than that */
        for (int t = 0; t < n->dag->n_tasks; t++) {
            double below_s = 0;
            for (int k = 0, e; (e = naive_out(n, t, k)) >= 0; k++)
                below_s = fmax(below_s, naive_mean_overheads_s(n, e) + naive_mean_zeta_s(n, e) +
                                            n->level_s[n->dag->edges[e].dst]);
            n->level_s[t] = naive_mean_omega_s(n, t) + below_s;
        }
}

static inline bool naive_is_ready(const struct naive *n, int task)
{
    if (n->pos[task] >= 0)
        return false;
    for (int k = 0, e; (e = naive_in(n, task, k)) >= 0; k++)
        if (n->pos[n->dag->edges[e].src] < 0)
            return false;
    return true;
}

static inline void naive_make_list(struct naive *n)
{
    for (int t = 0; t < n->dag->n_tasks; t++)
        n->pos[t] = -1;
    for (int i = 0; i < n->dag->n_tasks; i++) {
        int best = -1;
        for (int t = 0; t < n->dag->n_tasks; t++)
            if (naive_is_ready(n, t) &&
                (best < 0 || naive_is_chosen_before(n->level_s[best], n->level_s[t], &n->narrowest_level)))
                best = t;
        n->list[i] = n->wish.order ? n->wish.order[i] : best;
        n->pos[n->list[i]] = i;
    }
}

/* ---- bookings ---- */

static inline bool naive_is_exclusive(const struct naive *n, int resource)
{
    return resource < n->n_hosts || n->machine->links[resource - n->n_hosts].sharing != LINK_FATPIPE;
}

static inline int naive_by_start(const void *a, const void *b)
{
    double x = ((const struct naive_span *)a)->start_s, y = ((const struct naive_span *)b)->start_s;
    return (x > y) - (x < y);
}

/* When the resource is free for that long. */
static inline double naive_fit(struct naive *n, int resource, double release_s, double length_s)
{
    struct naive_span taken[NAIVE_BOOKINGS];
    size_t n_taken = 0;
    if (length_s == 0)
        return release_s;
    for (int b = 0; b < n->plan.n_bookings; b++)
        if (n->plan.bookings[b].resource == resource)
            taken[n_taken++] = n->plan.bookings[b].span;
    qsort(taken, n_taken, sizeof taken[0], naive_by_start);
    double idle_from_s = 0;
    for (size_t b = 0; b < n_taken; b++) {
        double finish_s = fmax(idle_from_s, release_s) + length_s;
        if (n->wish.inserts && !naive_less(taken[b].start_s, finish_s, &n->narrowest_date))
            break;
        idle_from_s = fmax(idle_from_s, taken[b].finish_s);
    }
    return fmax(idle_from_s, release_s);
}

static inline struct naive_span naive_book(struct naive *n, int resource, enum naive_part part, int id, int hop,
                                           double release_s, double length_s)
{
    struct naive_span span = {release_s, release_s + length_s};
    if (!naive_is_exclusive(n, resource))
        return span;
    span.start_s = naive_fit(n, resource, release_s, length_s);
    span.finish_s = span.start_s + length_s;
    if (length_s > 0)
        n->plan.bookings[n->plan.n_bookings++] = (struct naive_booking){resource, part, id, hop, span};
    return span;
}

static inline void naive_remove(struct naive *n, enum naive_part part, int id)
{
    int kept = 0;
    for (int b = 0; b < n->plan.n_bookings; b++)
        if (n->plan.bookings[b].part != part || n->plan.bookings[b].id != id)
            n->plan.bookings[kept++] = n->plan.bookings[b];
    n->plan.n_bookings = kept;
}

/* ---- the steps of an edge ---- */

static inline void naive_send(struct naive *n, int edge, int src, double length_s)
{
    double ready_s = n->plan.task[n->dag->edges[edge].src].finish_s;
    n->plan.edge[edge].send = naive_book(n, src, NAIVE_SEND, edge, 0, ready_s, length_s);
}

static inline void naive_shorten_send(struct naive *n, int edge, int src, int dst)
{
    struct naive_span *send = &n->plan.edge[edge].send;
    double length_s = naive_end_s(n, edge, src, dst, DIR_SEND);
    send->finish_s = send->start_s + length_s;
    naive_remove(n, NAIVE_SEND, edge);
    if (length_s > 0)
        n->plan.bookings[n->plan.n_bookings++] = (struct naive_booking){src, NAIVE_SEND, edge, 0, *send};
}

/* When the edge may start on link number `hop` of its route; behind the last one: when its first byte could be
   there. */
static inline double naive_link_release_s(const struct naive *n, int edge, int src, int dst, int hop, double zeta_s)
{
    const struct naive_edge *x = &n->plan.edge[edge];
    if (hop == 0)
        return x->send.start_s + naive_o_s(n, edge, src, dst, DIR_SEND);
    return fmax(x->links[hop - 1].start_s, x->links[hop - 1].finish_s - zeta_s) +
           n->machine->links[n->route[src][dst].links[hop - 1]].latency_s;
}

static inline void naive_pass_links(struct naive *n, int edge, int src, int dst)
{
    const struct route *r = &n->route[src][dst];
    if (n->wish.model == NAIVE_CLASSIC)
        return;
    for (int hop = 0; hop < (int)r->n_links; hop++) {
        double zeta_s = naive_zeta_s(n, edge, r->links[hop]);
        n->plan.edge[edge].links[hop] = naive_book(n, n->n_hosts + r->links[hop], NAIVE_LINK, edge, hop,
                                                   naive_link_release_s(n, edge, src, dst, hop, zeta_s), zeta_s);
    }
}

/* When the last byte is at the destination's end of the last link. */
static inline double naive_through_s(const struct naive *n, int edge, int src, int dst)
{
    const struct route *r = &n->route[src][dst];
    if (r->n_links == 0)
        return naive_link_release_s(n, edge, src, dst, 0, 0);
    size_t last = r->n_links - 1;
    return n->plan.edge[edge].links[last].finish_s + n->machine->links[r->links[last]].latency_s;
}

static inline void naive_recv(struct naive *n, int edge, int src, int dst)
{
    double involvement_s = naive_i_s(n, edge, src, dst, DIR_RECV);
    if (n->wish.model != NAIVE_CLASSIC)
        n->plan.edge[edge].recv =
            naive_book(n, dst, NAIVE_RECV, edge, 0, naive_through_s(n, edge, src, dst) - involvement_s,
                       naive_end_s(n, edge, src, dst, DIR_RECV));
}

static inline double naive_arrival_s(const struct naive *n, int edge, int src, int dst)
{
    double origin_s = n->plan.task[n->dag->edges[edge].src].finish_s, slowest_s = 0;
    const struct route *r = &n->route[src][dst];
    if (src == dst)
        return origin_s;
    if (n->wish.model == NAIVE_INVOLVEMENT)
        return n->plan.edge[edge].recv.finish_s;
    if (n->wish.model == NAIVE_CONTENTION)
        return naive_through_s(n, edge, src, dst);
    for (size_t k = 0; k < r->n_links; k++)
        slowest_s = fmax(slowest_s, naive_zeta_s(n, edge, r->links[k]));
    return origin_s + slowest_s + r->latency_s;
}

/* ---- aligned edges: of all dates at which something ends, the first at which all parts have room ---- */

struct naive_part_of_edge { /* `after_s` from the common start on */
    int resource;
    double after_s, length_s;
};

static inline bool naive_all_fit(struct naive *n, const struct naive_part_of_edge *parts, int n_parts, double start_s)
{
    for (int i = 0; i < n_parts; i++) {
        double from_s = start_s + parts[i].after_s;
        if (naive_is_exclusive(n, parts[i].resource) &&
            naive_fit(n, parts[i].resource, from_s, parts[i].length_s) > from_s)
            return false;
    }
    return true;
}

static inline double naive_fit_together(struct naive *n, const struct naive_part_of_edge *parts, int n_parts,
                                        double release_s)
{
    double least_s = naive_all_fit(n, parts, n_parts, release_s) ? release_s : INFINITY;
    for (int b = 0; b < n->plan.n_bookings; b++)
        for (int i = 0; i < n_parts; i++) {
            double start_s = n->plan.bookings[b].span.finish_s - parts[i].after_s;
            if (start_s > release_s && start_s < least_s && naive_all_fit(n, parts, n_parts, start_s))
                least_s = start_s;
        }
    return least_s;
}

/* Three cases: no link; the only link; the first and the last of several. */
static inline void naive_align(struct naive *n, int edge, int src, int dst)
{
    const struct route *r = &n->route[src][dst];
    struct naive_edge *x = &n->plan.edge[edge];
    double origin_s = n->plan.task[n->dag->edges[edge].src].finish_s, o_s = naive_o_s(n, edge, src, dst, DIR_SEND);
    double sends_s = naive_end_s(n, edge, src, dst, DIR_SEND), receives_s = naive_end_s(n, edge, src, dst, DIR_RECV);
    double i_r = naive_i_s(n, edge, src, dst, DIR_RECV);
    int n_links = (int)r->n_links;
    for (int hop = 0; hop < n_links; hop++) {
        int link = n->n_hosts + r->links[hop];
        double zeta_s = naive_zeta_s(n, edge, r->links[hop]), before_s = hop == 0 ? o_s : 0;
        struct naive_part_of_edge parts[3] = {{link, before_s, zeta_s}};
        int n_parts = 1;
        if (hop == 0)
            parts[n_parts++] = (struct naive_part_of_edge){src, 0, sends_s};
        if (hop == n_links - 1)
            parts[n_parts++] = (struct naive_part_of_edge){
                dst, before_s + zeta_s + n->machine->links[r->links[hop]].latency_s - i_r, receives_s};
        double release_s = hop == 0 ? origin_s : naive_link_release_s(n, edge, src, dst, hop, zeta_s);
        double start_s = naive_fit_together(n, parts, n_parts, release_s);
        if (hop == 0)
            x->send = naive_book(n, src, NAIVE_SEND, edge, 0, start_s, sends_s);
        x->links[hop] = naive_book(n, link, NAIVE_LINK, edge, hop, start_s + before_s, zeta_s);
        if (hop == n_links - 1)
            x->recv = naive_book(n, dst, NAIVE_RECV, edge, 0, start_s + parts[n_parts - 1].after_s, receives_s);
    }
    if (n_links == 0) {
        x->send = naive_book(n, src, NAIVE_SEND, edge, 0, origin_s, sends_s);
        x->recv = naive_book(n, dst, NAIVE_RECV, edge, 0, naive_through_s(n, edge, src, dst) - i_r, receives_s);
    }
}

/* ---- a task and its edges (Algorithm 23) ---- */

/* The leaving edge whose destination has the smallest pos above `after`; -1: no more. */
static inline int naive_next_leaving(const struct naive *n, int task, int after)
{
    int best = -1, best_pos = n->dag->n_tasks;
    for (int k = 0, e; (e = naive_out(n, task, k)) >= 0; k++) {
        int pos = n->pos[n->dag->edges[e].dst];
        if (pos > after && pos < best_pos) {
            best = e;
            best_pos = pos;
        }
    }
    return best;
}

/* Whether edge `a` enters before `b`, by the wish; ties: the origin that was placed first. */
static inline bool naive_enters_before(struct naive *n, int a, int b)
{
    const struct edge *x = &n->dag->edges[a], *y = &n->dag->edges[b];
    double fx = n->plan.task[x->src].finish_s, fy = n->plan.task[y->src].finish_s;
    if (n->wish.edge_order == NAIVE_FILE)
        return a < b;
    if (n->wish.edge_order == NAIVE_LARGEST && x->size_bytes != y->size_bytes)
        return x->size_bytes > y->size_bytes;
    if (n->wish.edge_order == NAIVE_SMALLEST && x->size_bytes != y->size_bytes)
        return x->size_bytes < y->size_bytes;
    if (n->wish.edge_order == NAIVE_FINISH && naive_forty_bits(fx) != naive_forty_bits(fy))
        return naive_is_chosen_before(fx, fy, &n->narrowest_date);
    return n->pos[x->src] < n->pos[y->src];
}

/* The next of the entering edges whose origins are placed; -1: no more. */
static inline int naive_next_entering(struct naive *n, int task, const bool *entered)
{
    int best = -1;
    for (int k = 0, e; (e = naive_in(n, task, k)) >= 0; k++)
        if (!entered[e] && n->plan.host[n->dag->edges[e].src] >= 0 && (best < 0 || naive_enters_before(n, e, best)))
            best = e;
    return best;
}

static inline double naive_enter(struct naive *n, int edge, int src, int dst)
{
    enum naive_approach approach = n->wish.approach;
    if (n->wish.is_aligned) {
        if (src != dst && approach != NAIVE_ALLOC2 && approach != NAIVE_ALLOC3)
            naive_align(n, edge, src, dst);
        return naive_arrival_s(n, edge, src, dst);
    }
    if (src != dst && approach == NAIVE_DIRECT)
        naive_shorten_send(n, edge, src, dst);
    if (src != dst && approach == NAIVE_ENTERING)
        naive_send(n, edge, src, naive_end_s(n, edge, src, dst, DIR_SEND));
    if (src != dst && approach != NAIVE_ALLOC2 && approach != NAIVE_ALLOC3)
        naive_pass_links(n, edge, src, dst);
    if (src != dst && approach != NAIVE_ALLOC3)
        naive_recv(n, edge, src, dst);
    return naive_arrival_s(n, edge, src, dst);
}

static inline void naive_leave(struct naive *n, int edge, int src)
{
    enum naive_approach approach = n->wish.approach;
    int dst = n->wish.allocation ? n->wish.allocation[n->dag->edges[edge].dst] : -1;
    if (n->wish.is_aligned) {
        if (src != dst && (approach == NAIVE_ALLOC2 || approach == NAIVE_ALLOC3))
            naive_align(n, edge, src, dst);
        return;
    }
    if (approach == NAIVE_DIRECT)
        naive_send(n, edge, src, naive_longest_send_s(n, edge, src));
    if (approach == NAIVE_DIRECT || approach == NAIVE_ENTERING || src == dst)
        return;
    naive_send(n, edge, src, naive_end_s(n, edge, src, dst, DIR_SEND));
    if (approach == NAIVE_ALLOC2 || approach == NAIVE_ALLOC3)
        naive_pass_links(n, edge, src, dst);
    if (approach == NAIVE_ALLOC3)
        naive_recv(n, edge, src, dst);
}

static inline void naive_place(struct naive *n, int task, int host)
{
    double ready_s = 0;
    bool entered[NAIVE_EDGES] = {false};
    for (int k = 0, e; (e = naive_in(n, task, k)) >= 0; k++)
        if (n->wish.approach == NAIVE_DIRECT && n->plan.host[n->dag->edges[e].src] == host)
            naive_remove(n, NAIVE_SEND, e);
    for (int e; (e = naive_next_entering(n, task, entered)) >= 0; entered[e] = true)
        ready_s = fmax(ready_s, naive_enter(n, e, n->plan.host[n->dag->edges[e].src], host));
    n->plan.host[task] = host;
    n->plan.task[task] = naive_book(n, host, NAIVE_TASK, task, 0, ready_s, naive_omega_s(n, task, host));
    for (int k = 0, e; n->wish.leaves_in_file_order && (e = naive_out(n, task, k)) >= 0; k++)
        naive_leave(n, e, host);
    for (int e, after = -1; !n->wish.leaves_in_file_order && (e = naive_next_leaving(n, task, after)) >= 0;
         after = n->pos[n->dag->edges[e].dst])
        naive_leave(n, e, host);
}

static inline void naive_copy_plan(const struct naive *n, struct naive_plan *to, const struct naive_plan *from)
{
    int n_bookings = from->n_bookings;
    for (int b = 0; b < n_bookings; b++)
        to->bookings[b] = from->bookings[b];
    to->n_bookings = n_bookings;
    for (int t = 0; t < n->dag->n_tasks; t++) {
        to->host[t] = from->host[t];
        to->task[t] = from->task[t];
    }
    for (int e = 0; e < n->dag->n_edges; e++)
        to->edge[e] = from->edge[e];
}

static inline int naive_choose_host(struct naive *n, int task)
{
    static struct naive_plan before;
    double least_s = INFINITY;
    int best = -1;
    if (n->wish.allocation && n->wish.approach >= NAIVE_ALLOC1)
        return n->wish.allocation[task];
    naive_copy_plan(n, &before, &n->plan);
    for (int h = 0; h < n->n_hosts; h++) {
        if (isinf(naive_omega_s(n, task, h)))
            continue;
        naive_place(n, task, h);
        double date_s = n->wish.minimizes_finish ? n->plan.task[task].finish_s : n->plan.task[task].start_s;
        if (best < 0 || naive_is_chosen_before(date_s, least_s, &n->narrowest_date)) {
            best = h;
            least_s = date_s;
        }
        naive_copy_plan(n, &n->plan, &before);
    }
    return best;
}

/* ---- gap elimination ---- */

/* When the one before it on its resource is over, by the order of the bookings and the present dates. */
static inline double naive_before_s(const struct naive *n, int resource, enum naive_part part, int id, int hop,
                                    const struct naive_booking *sorted, int n_sorted)
{
    const struct naive_booking *before = NULL;
    for (int b = 0; b < n_sorted; b++) {
        const struct naive_booking *x = &sorted[b];
        if (x->resource != resource)
            continue;
        if (x->part == part && x->id == id && x->hop == hop)
            break;
        before = x;
    }
    if (before == NULL)
        return 0;
    const struct naive_edge *e = &n->plan.edge[before->id];
    return before->part == NAIVE_TASK   ? n->plan.task[before->id].finish_s
           : before->part == NAIVE_SEND ? e->send.finish_s
           : before->part == NAIVE_RECV ? e->recv.finish_s
                                        : e->links[before->hop].finish_s;
}

static inline int naive_bookings_by_start(const void *a, const void *b)
{
    return naive_by_start(&((const struct naive_booking *)a)->span, &((const struct naive_booking *)b)->span);
}

/* Starts `span` at its release, or behind its predecessor on the resource if it occupies one. Whether it moved. */
static inline bool naive_pull(const struct naive *n, struct naive_span *span, int resource, enum naive_part part,
                              int id, int hop, double release_s, double length_s, const struct naive_booking *sorted,
                              int n_sorted)
{
    double start_s = release_s;
    if (length_s > 0 && naive_is_exclusive(n, resource))
        start_s = fmax(start_s, naive_before_s(n, resource, part, id, hop, sorted, n_sorted));
    bool moved = start_s != span->start_s || start_s + length_s != span->finish_s;
    *span = (struct naive_span){start_s, start_s + length_s};
    return moved;
}

static inline bool naive_pull_edge(struct naive *n, int e, const struct naive_booking *sorted, int n_sorted)
{
    int src = n->plan.host[n->dag->edges[e].src], dst = n->plan.host[n->dag->edges[e].dst];
    struct naive_edge *x = &n->plan.edge[e];
    if (src == dst || n->wish.model == NAIVE_CLASSIC)
        return false;
    bool moved = naive_pull(n, &x->send, src, NAIVE_SEND, e, 0, n->plan.task[n->dag->edges[e].src].finish_s,
                            naive_end_s(n, e, src, dst, DIR_SEND), sorted, n_sorted);
    for (int hop = 0; hop < (int)n->route[src][dst].n_links; hop++) {
        int link = n->route[src][dst].links[hop];
        double zeta_s = naive_zeta_s(n, e, link);
        moved |= naive_pull(n, &x->links[hop], n->n_hosts + link, NAIVE_LINK, e, hop,
                            naive_link_release_s(n, e, src, dst, hop, zeta_s), zeta_s, sorted, n_sorted);
    }
    moved |= naive_pull(n, &x->recv, dst, NAIVE_RECV, e, 0,
                        naive_through_s(n, e, src, dst) - naive_i_s(n, e, src, dst, DIR_RECV),
                        naive_end_s(n, e, src, dst, DIR_RECV), sorted, n_sorted);
    return moved;
}

static inline bool naive_pull_task(struct naive *n, int t, const struct naive_booking *sorted, int n_sorted)
{
    double ready_s = 0;
    int host = n->plan.host[t];
    for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++)
        ready_s = fmax(ready_s, naive_arrival_s(n, e, n->plan.host[n->dag->edges[e].src], host));
    return naive_pull(n, &n->plan.task[t], host, NAIVE_TASK, t, 0, ready_s, naive_omega_s(n, t, host), sorted,
                      n_sorted);
}

/* Puts everything at date 0 and delays items until all rules hold, which gives the earliest dates. */
static inline void naive_compact(struct naive *n)
{
    static struct naive_booking sorted[NAIVE_BOOKINGS];
    int n_sorted = n->plan.n_bookings, rounds = 0;
    for (int b = 0; b < n_sorted; b++)
        sorted[b] = n->plan.bookings[b];
    qsort(sorted, (size_t)n_sorted, sizeof sorted[0], naive_bookings_by_start);
    for (int t = 0; t < n->dag->n_tasks; t++)
        n->plan.task[t] = (struct naive_span){0, 0};
    for (int e = 0; e < n->dag->n_edges; e++)
        n->plan.edge[e] = (struct naive_edge){0};
    for (bool moved = true; moved;) {
        moved = false;
        assert(rounds++ < 10 * NAIVE_BOOKINGS); /* else the order waits for itself */
        for (int t = 0; t < n->dag->n_tasks; t++)
            moved |= naive_pull_task(n, t, sorted, n_sorted);
        for (int e = 0; e < n->dag->n_edges; e++)
            moved |= naive_pull_edge(n, e, sorted, n_sorted);
    }
}

/* ---- the whole schedule ---- */

static inline bool naive_is_remote(const struct naive *n, int edge)
{
    return n->plan.host[n->dag->edges[edge].src] != n->plan.host[n->dag->edges[edge].dst];
}

static inline void naive_find_routes(struct naive *n)
{
    struct err e = {0};
    for (int a = 0; a < n->n_hosts; a++)
        for (int b = 0; b < n->n_hosts; b++) {
            enum err_code code = a == b ? ERR_NONE : machine_route(n->machine, a, b, &n->route[a][b], &e);
            assert(code == ERR_NONE && n->route[a][b].n_links <= NAIVE_HOPS);
            (void)code;
        }
}

/* The list is made, nothing is placed yet. naive_clear ends it. */
static inline void naive_begin(struct naive *n, const struct dag *g, const struct machine *m, struct naive_wish wish)
{
    assert(g->n_tasks <= NAIVE_TASKS && g->n_edges <= NAIVE_EDGES && m->n_hosts <= NAIVE_HOSTS);
    *n = (struct naive){.dag = g,
                        .machine = m,
                        .wish = wish,
                        .n_hosts = (int)m->n_hosts,
                        .narrowest_date = INFINITY,
                        .narrowest_level = INFINITY};
    naive_find_routes(n);
    naive_find_levels(n);
    naive_make_list(n);
    for (int t = 0; t < g->n_tasks; t++)
        n->plan.host[t] = -1;
}

static inline void naive_place_next(struct naive *n, int i)
{
    naive_place(n, n->list[i], naive_choose_host(n, n->list[i]));
}

static inline void naive_list(struct naive *n, const struct dag *g, const struct machine *m, struct naive_wish wish)
{
    naive_begin(n, g, m, wish);
    for (int i = 0; i < g->n_tasks; i++)
        naive_place_next(n, i);
    if (wish.compacts)
        naive_compact(n);
    for (int t = 0; t < g->n_tasks; t++)
        n->plan.length_s = fmax(n->plan.length_s, n->plan.task[t].finish_s);
}

static inline void naive_clear(struct naive *n)
{
    for (int a = 0; a < n->n_hosts; a++)
        for (int b = 0; b < n->n_hosts; b++)
            free(n->route[a][b].links);
}

#endif
