/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heads and tails of tasks on hosts, and the work that all hosts can do.

   A head is found from the heads of the predecessors on the hosts that are left for them. Each predecessor either runs on
   the same host: then the predecessors there run one after the other; or its data come from the best other host. Tails
   are the same backwards. Both hold under every belief: what occupies links and processors only makes dates later.

   Which predecessors are best on the same host? If data from other hosts are awaited until x, those with remote_s > x must
   be here and no others need be: more of them here only make their sequence longer. So it is enough to try x = each
   remote_s, and x = 0. */
#include "schedulers/optimal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void levels_init(struct levels *l, const struct facts *f)
{
    size_t n = (size_t)f->n_tasks * (size_t)f->n_hosts;
    *l = (struct levels){f, mem_alloc((size_t)f->n_tasks * sizeof *l->hosts), mem_alloc(n * sizeof *l->head_s),
                         mem_alloc(n * sizeof *l->tail_s)};
    memcpy(l->hosts, f->may_run, (size_t)f->n_tasks * sizeof *l->hosts);
}

void levels_clear(struct levels *l)
{
    free(l->hosts);
    free(l->head_s);
    free(l->tail_s);
    *l = (struct levels){0};
}

void levels_copy(struct levels *to, const struct levels *from)
{
    const struct facts *f = from->facts;
    size_t n = (size_t)f->n_tasks * (size_t)f->n_hosts;
    memcpy(to->hosts, from->hosts, (size_t)f->n_tasks * sizeof *to->hosts);
    memcpy(to->head_s, from->head_s, n * sizeof *to->head_s);
    memcpy(to->tail_s, from->tail_s, n * sizeof *to->tail_s);
}

/* ---- joins and forks ---- */

static void sort_by_remote(struct levels_origin *x, int n) /* falling */
{
    for (int i = 1; i < n; i++) {
        struct levels_origin now = x[i];
        int k = i;
        for (; k > 0 && x[k - 1].remote_s < now.remote_s; k--)
            x[k] = x[k - 1];
        x[k] = now;
    }
}

/* Puts x[n] in its place among x[0 .. n-1], which are sorted by head; returns when all n + 1 can be done, one at a time. */
static double done_here_s(struct levels_origin *x, int n)
{
    struct levels_origin now = x[n];
    int k = n;
    for (; k > 0 && x[k - 1].head_s > now.head_s; k--)
        x[k] = x[k - 1];
    x[k] = now;
    double done_s = 0;
    for (int i = 0; i <= n; i++)
        done_s = later_s(done_s, x[i].head_s) + x[i].work_s;
    return done_s;
}

double levels_join_s(struct levels_origin *x, int n)
{
    if (n == 0)
        return 0;
    if (n == 1)
        return fmin(x[0].remote_s, x[0].head_s + x[0].work_s);
    sort_by_remote(x, n);
    double best_s = x[0].remote_s;
    for (int i = 0; i < n; i++) {
        double others_s = i + 1 < n ? x[i + 1].remote_s : 0, here_s = done_here_s(x, i);
        best_s = fmin(best_s, later_s(others_s, here_s));
        if (here_s >= best_s)
            break;
    }
    return best_s;
}

static struct levels_origin origin(const struct levels *l, int e, int h)
{
    const struct facts *f = l->facts;
    int t = f->edges[e].src;
    const double *head_s = l->head_s + t * f->n_hosts, *compute_s = f->compute_s + t * f->n_hosts;
    struct levels_origin x = {INFINITY, INFINITY, 0};
    for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
        int g = __builtin_ctzll(left);
        if (g == h)
            x = (struct levels_origin){x.remote_s, head_s[g], compute_s[g]};
        else
            x.remote_s = fmin(x.remote_s, head_s[g] + compute_s[g] + facts_delay_s(f, e, g, h));
    }
    return x;
}

static struct levels_origin destination(const struct levels *l, int e, int h)
{
    const struct facts *f = l->facts;
    int t = f->edges[e].dst;
    const double *tail_s = l->tail_s + t * f->n_hosts, *compute_s = f->compute_s + t * f->n_hosts;
    struct levels_origin x = {INFINITY, INFINITY, 0};
    for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
        int g = __builtin_ctzll(left);
        if (g == h)
            x = (struct levels_origin){x.remote_s, tail_s[g], compute_s[g]};
        else
            x.remote_s = fmin(x.remote_s, tail_s[g] + compute_s[g] + facts_delay_s(f, e, h, g));
    }
    return x;
}

static void find_heads(struct levels *l)
{
    const struct facts *f = l->facts;
    struct levels_origin x[OPTIMAL_MAX_TASKS];
    for (int t = 0; t < f->n_tasks; t++)
        for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
            int h = __builtin_ctzll(left), n = 0;
            for (int i = f->in_start[t]; i < f->in_start[t + 1]; i++)
                x[n++] = origin(l, f->in[i], h);
            l->head_s[t * f->n_hosts + h] = levels_join_s(x, n);
        }
}

static void find_tails(struct levels *l)
{
    const struct facts *f = l->facts;
    struct levels_origin x[OPTIMAL_MAX_TASKS];
    for (int t = f->n_tasks; t-- > 0;)
        for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
            int h = __builtin_ctzll(left), n = 0;
            for (int i = f->out_start[t]; i < f->out_start[t + 1]; i++)
                x[n++] = destination(l, f->out[i], h);
            l->tail_s[t * f->n_hosts + h] = levels_join_s(x, n);
        }
}

/* ---- hosts that are left ---- */

static bool remove_hosts(struct levels *l, int t, double deadline_s, bool *has_changed)
{
    const struct facts *f = l->facts;
    for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
        int h = __builtin_ctzll(left), at = t * f->n_hosts + h;
        if (l->head_s[at] + f->compute_s[at] + l->tail_s[at] > deadline_s) {
            l->hosts[t] &= ~(UINT64_C(1) << h);
            *has_changed = true;
        }
    }
    return l->hosts[t] != 0;
}

static double least_s(const struct levels *l, const double *values_s, int t)
{
    double least = INFINITY;
    for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1)
        least = fmin(least, values_s[t * l->facts->n_hosts + __builtin_ctzll(left)]);
    return least;
}

/* A set of tasks is done between the earliest that one of them can start on a host and the latest that one can finish there,
   on all hosts together. For all sets of tasks that can start nowhere before x, and after whose finish at least y passes. */
static bool hosts_can_do(const struct levels *l, double from_s, const int *by_tail, const double *least_head_s,
                         double deadline_s)
{
    const struct facts *f = l->facts;
    double head_s[OPTIMAL_MAX_HOSTS], tail_s[OPTIMAL_MAX_HOSTS], work = 0;
    for (int h = 0; h < f->n_hosts; h++)
        head_s[h] = tail_s[h] = INFINITY;
    for (int k = 0; k < f->n_tasks; k++) {
        int t = by_tail[k];
        if (least_head_s[t] < from_s)
            continue;
        work += f->work[t];
        for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
            int h = __builtin_ctzll(left);
            head_s[h] = fmin(head_s[h], l->head_s[t * f->n_hosts + h]);
            tail_s[h] = fmin(tail_s[h], l->tail_s[t * f->n_hosts + h]);
        }
        double room = 0;
        for (int h = 0; h < f->n_hosts; h++)
            room += f->speed[h] * later_s(0, deadline_s - head_s[h] - tail_s[h]);
        if (work > room * (1 + 1e-12))
            return false;
    }
    return true;
}

static bool hosts_can_do_all(const struct levels *l, double deadline_s)
{
    const struct facts *f = l->facts;
    double head_s[OPTIMAL_MAX_TASKS], tail_s[OPTIMAL_MAX_TASKS];
    int by_tail[OPTIMAL_MAX_TASKS];
    for (int t = 0; t < f->n_tasks; t++) {
        int k = t;
        head_s[t] = least_s(l, l->head_s, t);
        tail_s[t] = least_s(l, l->tail_s, t);
        for (; k > 0 && tail_s[by_tail[k - 1]] < tail_s[t]; k--)
            by_tail[k] = by_tail[k - 1];
        by_tail[k] = t;
    }
    for (int t = 0; t < f->n_tasks; t++)
        if (!hosts_can_do(l, head_s[t], by_tail, head_s, deadline_s))
            return false;
    return true;
}

/* ---- loads of single hosts ---- */

/* What task t on g occupies of the processor of h: itself, and the ends there of messages to and from tasks whose hosts are known. */
static double part_s(const struct levels *l, int t, int g, int h)
{
    const struct facts *f = l->facts;
    double sum_s = g == h ? facts_compute_s(f, t, h) : 0;
    for (int i = f->in_start[t]; i < f->in_start[t + 1]; i++) {
        int e = f->in[i], src = levels_host(l, f->edges[e].src);
        if (src >= 0 && src != g && (src == h || g == h))
            sum_s += g == h ? f->recv_s[facts_edge_at(f, e, src, h)] : f->send_s[facts_edge_at(f, e, h, g)];
    }
    for (int i = f->out_start[t]; i < f->out_start[t + 1]; i++) {
        int e = f->out[i], dst = levels_host(l, f->edges[e].dst);
        if (dst >= 0 && dst != g && (dst == h || g == h))
            sum_s += g == h ? f->send_s[facts_edge_at(f, e, h, dst)] : f->recv_s[facts_edge_at(f, e, g, h)];
    }
    return sum_s;
}

/* The processor of h does what tasks and messages that are known occupy there, and of each other task at least the least
   that it may be, wherever it runs. */
static bool host_can_do(const struct levels *l, int h, double deadline_s)
{
    const struct facts *f = l->facts;
    double load_s = 0;
    for (int t = 0; t < f->n_tasks; t++) {
        double least = INFINITY;
        if (levels_host(l, t) >= 0) {
            load_s += levels_host(l, t) == h ? facts_compute_s(f, t, h) : 0;
            continue;
        }
        for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1)
            least = fmin(least, part_s(l, t, __builtin_ctzll(left), h));
        load_s += least;
    }
    for (int e = 0; e < f->n_edges; e++) {
        int src = levels_host(l, f->edges[e].src), dst = levels_host(l, f->edges[e].dst);
        if (src >= 0 && dst >= 0 && src != dst && (src == h || dst == h))
            load_s += (src == h ? f->send_s : f->recv_s)[facts_edge_at(f, e, src, dst)];
    }
    return load_s <= deadline_s;
}

bool levels_narrow(struct levels *l, double deadline_s)
{
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        find_heads(l);
        find_tails(l);
        for (int t = 0; t < l->facts->n_tasks; t++)
            if (!remove_hosts(l, t, deadline_s, &has_changed))
                return false;
    }
    bool can = hosts_can_do_all(l, deadline_s);
    for (int h = 0; h < l->facts->n_hosts && can; h++)
        can = host_can_do(l, h, deadline_s);
    return can;
}
