/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heads and tails of tasks on hosts, and the work that all hosts can do.

   A head is found from the heads of the predecessors on the hosts that are left for them. Each predecessor either runs
   on the same host: then the predecessors there run one after the other; or its data come from the best other host.
   Tails are the same backwards. Both hold under every belief: what occupies links and processors only makes dates
   later.

   Which predecessors are best on the same host? If data from other hosts are awaited until x, those with remote_s > x
   must be here and no others need be: more of them here only make their sequence longer. So it is enough to try x =
   each remote_s, and x = 0. */
#include "schedulers/optimal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void levels_init(struct levels *l, const struct facts *f)
{
    size_t n_tasks = (size_t)f->n_tasks, n = n_tasks * (size_t)f->n_hosts;
    *l = (struct levels){.facts = f, .hosts = mem_alloc(n_tasks * sizeof *l->hosts)};
    l->head_s = mem_alloc(n * sizeof *l->head_s);
    l->tail_s = mem_alloc(n * sizeof *l->tail_s);
    l->floor_head_s = mem_zalloc(n_tasks, sizeof *l->floor_head_s);
    l->floor_tail_s = mem_zalloc(n_tasks, sizeof *l->floor_tail_s);
    memcpy(l->hosts, f->may_run, n_tasks * sizeof *l->hosts);
}

void levels_clear(struct levels *l)
{
    free(l->hosts);
    free(l->head_s);
    free(l->tail_s);
    free(l->floor_head_s);
    free(l->floor_tail_s);
    *l = (struct levels){0};
}

void levels_copy(struct levels *to, const struct levels *from)
{
    const struct facts *f = from->facts;
    size_t n = (size_t)f->n_tasks * (size_t)f->n_hosts;
    memcpy(to->hosts, from->hosts, (size_t)f->n_tasks * sizeof *to->hosts);
    memcpy(to->head_s, from->head_s, n * sizeof *to->head_s);
    memcpy(to->tail_s, from->tail_s, n * sizeof *to->tail_s);
    memcpy(to->floor_head_s, from->floor_head_s, (size_t)f->n_tasks * sizeof *to->floor_head_s);
    memcpy(to->floor_tail_s, from->floor_tail_s, (size_t)f->n_tasks * sizeof *to->floor_tail_s);
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

/* Puts x[n] in its place among x[0 .. n-1], which are sorted by head; returns when all n + 1 can be done, one at a
   time. */
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
        return earlier_s(x[0].remote_s, x[0].head_s + x[0].work_s);
    sort_by_remote(x, n);
    double best_s = x[0].remote_s;
    for (int i = 0; i < n; i++) {
        double others_s = i + 1 < n ? x[i + 1].remote_s : 0, here_s = done_here_s(x, i);
        best_s = earlier_s(best_s, later_s(others_s, here_s));
        if (here_s >= best_s)
            break;
    }
    return best_s;
}

/* Forwards: heads, from predecessors. Backwards: tails, from successors, as if time ran from the end to the
   beginning. */
struct way {
    bool is_forward;
    double *level_s;       /* [task * n_hosts + host]: heads or tails */
    const double *floor_s; /* [task] */
    const int *start, *edges;
    const uint64_t *before; /* [task]: all ancestors, or all descendants */
};

static struct way way(const struct levels *l, bool is_forward)
{
    const struct facts *f = l->facts;
    return is_forward ? (struct way){true, l->head_s, l->floor_head_s, f->in_start, f->in, f->ancestors}
                      : (struct way){false, l->tail_s, l->floor_tail_s, f->out_start, f->out, f->descendants};
}

static int neighbour(const struct facts *f, const struct way *w, int e)
{
    return w->is_forward ? f->edges[e].src : f->edges[e].dst;
}

static struct levels_origin origin(const struct levels *l, const struct way *w, int e, int h)
{
    const struct facts *f = l->facts;
    int t = neighbour(f, w, e);
    const double *level_s = w->level_s + t * f->n_hosts, *compute_s = f->compute_s + t * f->n_hosts;
    struct levels_origin x = {INFINITY, INFINITY, 0};
    for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
        int g = __builtin_ctzll(left);
        double delay_s = w->is_forward ? facts_delay_s(f, e, g, h) : facts_delay_s(f, e, h, g);
        if (g == h)
            x = (struct levels_origin){x.remote_s, level_s[g], compute_s[g]};
        else
            x.remote_s = earlier_s(x.remote_s, level_s[g] + compute_s[g] + delay_s);
    }
    return x;
}

static double least_s(const struct levels *l, const double *values_s, int t)
{
    double least = INFINITY;
    for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1)
        least = earlier_s(least, values_s[t * l->facts->n_hosts + __builtin_ctzll(left)]);
    return least;
}

/* ---- loads before a task ---- */

/* Before a task starts, all its ancestors are done: those that cannot start before x, between x and its start, by all
   hosts together; and those on one host g that is known, one after the other there; if the task is elsewhere, the data
   of one of them still have to come. */
struct loads {
    double any_s;                     /* on all hosts */
    double here_s[OPTIMAL_MAX_HOSTS]; /* if the task is on g */
    double away_s[OPTIMAL_MAX_HOSTS]; /* if it is not */
};

static double least_delay_s(const struct facts *f, const struct way *w, int t, int neighbour_task)
{
    for (int i = w->start[t]; i < w->start[t + 1]; i++)
        if (neighbour(f, w, w->edges[i]) == neighbour_task)
            return f->least_delay_s[w->edges[i]];
    return 0; /* an ancestor of an ancestor */
}

/* by_level: tasks before t in the way's direction, by rising level. */
static void find_loads(const struct levels *l, const struct way *w, int t, const int *by_level,
                       const double *least_level_s, int n, struct loads *out)
{
    const struct facts *f = l->facts;
    double work = 0, sum_s[OPTIMAL_MAX_HOSTS], delay_s[OPTIMAL_MAX_HOSTS];
    out->any_s = 0;
    for (int g = 0; g < f->n_hosts; g++) {
        out->here_s[g] = out->away_s[g] = sum_s[g] = 0;
        delay_s[g] = INFINITY;
    }
    for (int k = n; k-- > 0;) {
        int a = by_level[k], g = levels_host(l, a);
        if ((w->before[t] >> a & 1) == 0)
            continue;
        work += f->work[a];
        out->any_s = later_s(out->any_s, least_level_s[a] + work / f->all_speed);
        if (g < 0)
            continue;
        sum_s[g] += facts_compute_s(f, a, g);
        delay_s[g] = earlier_s(delay_s[g], least_delay_s(f, w, t, a));
        out->here_s[g] = later_s(out->here_s[g], least_level_s[a] + sum_s[g]);
        out->away_s[g] = later_s(out->away_s[g], least_level_s[a] + sum_s[g] + delay_s[g]);
    }
}

static double load_before_s(const struct facts *f, const struct loads *x, int h)
{
    double load_s = later_s(x->any_s, x->here_s[h]);
    for (int g = 0; g < f->n_hosts; g++)
        load_s = g == h ? load_s : later_s(load_s, x->away_s[g]);
    return load_s;
}

static void find_levels(struct levels *l, bool is_forward)
{
    const struct facts *f = l->facts;
    const struct way w = way(l, is_forward);
    struct levels_origin x[OPTIMAL_MAX_TASKS];
    struct loads loads;
    double least_level_s[OPTIMAL_MAX_TASKS];
    int by_level[OPTIMAL_MAX_TASKS];
    for (int n = 0; n < f->n_tasks; n++) {
        int t = is_forward ? n : f->n_tasks - 1 - n, k = n;
        find_loads(l, &w, t, by_level, least_level_s, n, &loads);
        for (uint64_t left = l->hosts[t]; left != 0; left &= left - 1) {
            int h = __builtin_ctzll(left), n_origins = 0;
            for (int i = w.start[t]; i < w.start[t + 1]; i++)
                x[n_origins++] = origin(l, &w, w.edges[i], h);
            w.level_s[t * f->n_hosts + h] =
                later_s(later_s(levels_join_s(x, n_origins), load_before_s(f, &loads, h)), w.floor_s[t]);
        }
        least_level_s[t] = least_s(l, w.level_s, t);
        for (; k > 0 && least_level_s[by_level[k - 1]] > least_level_s[t]; k--)
            by_level[k] = by_level[k - 1];
        by_level[k] = t;
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

/* A set of tasks is done between the earliest that one of them can start on a host and the latest that one can finish
   there, on all hosts together. For all sets of tasks that can start nowhere before x, and after whose finish at least
   y passes. */
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
            head_s[h] = earlier_s(head_s[h], l->head_s[t * f->n_hosts + h]);
            tail_s[h] = earlier_s(tail_s[h], l->tail_s[t * f->n_hosts + h]);
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
    for (int t = 0; t < f->n_tasks; t++) {
        bool is_new = true;
        for (int u = 0; u < t && is_new; u++)
            is_new = head_s[u] != head_s[t];
        if (is_new && !hosts_can_do(l, head_s[t], by_tail, head_s, deadline_s))
            return false;
    }
    return true;
}

/* ---- loads of single hosts ---- */

/* What task t on g occupies of the processor of h: itself, and the ends there of messages to and from tasks whose hosts
   are known. */
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

/* The processor of h does what tasks and messages that are known occupy there, and of each other task at least the
   least that it may be, wherever it runs. */
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
            least = earlier_s(least, part_s(l, t, __builtin_ctzll(left), h));
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
    for (int h = 0; h < l->facts->n_hosts; h++)
        if (!host_can_do(l, h, deadline_s))
            return false;
    while (has_changed) {
        has_changed = false;
        find_levels(l, true);
        find_levels(l, false);
        for (int t = 0; t < l->facts->n_tasks; t++)
            if (!remove_hosts(l, t, deadline_s, &has_changed))
                return false;
    }
    return hosts_can_do_all(l, deadline_s);
}
