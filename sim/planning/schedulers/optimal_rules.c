/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Orders that need not be tried, when the hosts of tasks are known: forks, joins and leaves of trees, and the parts of
   graphs that look like them.

   The fixed orders of [Sinnen 2014] sort the free tasks of a fork or join for a search that places task after task.
   Here hosts come first, and under `classic` edge finding leaves almost nothing to sort. Where messages occupy
   processors and links, other orders can be fixed. Each rule changes a valid schedule into a valid one that is not
   longer, has the same hosts, and keeps what the rules before it have fixed; the hosts may differ in everything.

   Exchange. Two tasks a and b on one host take the same time. Each entering edge of a is matched by one of b from the
   same task and of the same size, or it is local and from an ancestor of b; each leaving edge of b is matched by one
   of a, or it is local and to a descendant of a. Then a comes first, and messages of matched edges follow in that order
   on every processor, port and link. Proof: if b comes first, a takes the place of b, with its messages, and b that of
   a. What is not matched allows it: a waits for nothing that b has not waited for, and nobody waits for b who does not
   wait for a. Matched messages occupy the same resources for the same times; where the later task has the earlier
   message, they change labels from there to where they are in order again. The relation is transitive, and is used only
   along one list of all tasks (`precedes`), so an exchange of the closest two that are out of order leaves fewer such:
   this ends. This holds under every belief.

   The other rules move tasks and messages along a processor, which a port or a gap between messages would prevent: they
   are used only under beliefs without ports.

   Leaves last. All tasks of a host that have successors are ancestors of all its tasks that have none, and nothing
   arrives for the latter from elsewhere. After the last of the former is done, sends and leaves are all ready: the
   processor need not be idle, and leaves that come last, in any order, delay no send and end no later. Among
   themselves they are easy (below).

   Sources with their sends. No task of a host has predecessors, so all successors are elsewhere, and none has more
   than one. Then each is followed directly by its send. Proof: sort the tasks as their sends. Each send comes after its
   own task and all tasks and sends before it, as it did, and after nothing else: no send becomes later.

   Silent hosts. Nothing is sent from a host. Then only the end of its last task matters, and a processor that is never
   idle while something is ready ends first. Pairs of such a processor are easy: once all others are decided, the
   earliest comes first, and nothing else need be tried. */
#include "schedulers/optimal_orders.h"

/* ---- exchange ---- */

/* One list of all tasks. Tasks with fewer predecessors and more successors are those that can come first. */
static bool precedes(const struct facts *f, int a, int b)
{
    int rank_a = f->in_start[a + 1] - f->in_start[a] - (f->out_start[a + 1] - f->out_start[a]);
    int rank_b = f->in_start[b + 1] - f->in_start[b] - (f->out_start[b + 1] - f->out_start[b]);
    return rank_a != rank_b ? rank_a < rank_b : a < b;
}

static bool is_same_size(const struct facts *f, int e, int other)
{
    const struct edge *edges = f->problem->dag->edges;
    return edges[f->edges[e].id].size_bytes == edges[f->edges[other].id].size_bytes;
}

static bool has_match(const struct facts *f, int e, int t, bool is_in) /* an edge of t that is like e */
{
    const int *start = is_in ? f->in_start : f->out_start, *edges = is_in ? f->in : f->out;
    int end = is_in ? f->edges[e].src : f->edges[e].dst;
    for (int i = start[t]; i < start[t + 1]; i++)
        if ((is_in ? f->edges[edges[i]].src : f->edges[edges[i]].dst) == end && is_same_size(f, e, edges[i]))
            return true;
    return false;
}

/* Whether a, which precedes b in the list, may come first without loss; both are on host h. */
static bool may_come_first(const struct levels *l, int a, int b, int h)
{
    const struct facts *f = l->facts;
    if (facts_compute_s(f, a, h) != facts_compute_s(f, b, h) || ((f->ancestors[a] | f->descendants[a]) >> b & 1) != 0)
        return false;
    for (int i = f->in_start[a]; i < f->in_start[a + 1]; i++) {
        int src = f->edges[f->in[i]].src;
        bool is_before_b = levels_host(l, src) == h && (f->ancestors[b] >> src & 1) != 0;
        if (!is_before_b && !has_match(f, f->in[i], b, true))
            return false;
    }
    for (int i = f->out_start[b]; i < f->out_start[b + 1]; i++) {
        int dst = f->edges[f->out[i]].dst;
        bool is_after_a = levels_host(l, dst) == h && (f->descendants[a] >> dst & 1) != 0;
        if (!is_after_a && !has_match(f, f->out[i], a, false))
            return false;
    }
    return true;
}

/* Which of two tasks on one host comes first; -1: not known. */
static int first_task(const struct levels *l, int a, int b)
{
    const struct facts *f = l->facts;
    int h = levels_host(l, a), first = precedes(f, a, b) ? a : b, second = first == a ? b : a;
    if (h < 0 || h != levels_host(l, b))
        return -1;
    return may_come_first(l, first, second, h) ? first : -1;
}

/* ---- shapes of hosts ---- */

static bool is_leaf(const struct facts *f, int t)
{
    return f->out_start[t] == f->out_start[t + 1];
}

static bool has_leaves_last(const struct levels *l, uint64_t tasks, int h)
{
    const struct facts *f = l->facts;
    uint64_t inner = 0;
    for (uint64_t left = tasks; left != 0; left &= left - 1)
        inner |= is_leaf(f, __builtin_ctzll(left)) ? 0 : left & -left;
    for (uint64_t left = tasks & ~inner; left != 0; left &= left - 1) {
        int t = __builtin_ctzll(left);
        if ((inner & ~f->ancestors[t]) != 0)
            return false;
        for (int i = f->in_start[t]; i < f->in_start[t + 1]; i++)
            if (levels_host(l, f->edges[f->in[i]].src) != h)
                return false;
    }
    return true;
}

static bool has_sources_only(const struct levels *l, uint64_t tasks)
{
    const struct facts *f = l->facts;
    for (uint64_t left = tasks; left != 0; left &= left - 1) {
        int t = __builtin_ctzll(left);
        if (f->in_start[t] != f->in_start[t + 1] || f->out_start[t + 1] - f->out_start[t] > 1)
            return false;
    }
    return true;
}

static bool is_silent(const struct levels *l, uint64_t tasks, int h)
{
    const struct facts *f = l->facts;
    for (uint64_t left = tasks; left != 0; left &= left - 1) {
        int t = __builtin_ctzll(left);
        for (int i = f->out_start[t]; i < f->out_start[t + 1]; i++)
            if (levels_host(l, f->edges[f->out[i]].dst) != h)
                return false;
    }
    return true;
}

bool orders_have_alike(const struct facts *f)
{
    for (int t = 0; t < f->n_tasks; t++)
        for (int u = 0; u < t; u++)
            for (int h = 0; h < f->n_hosts; h++)
                if (facts_compute_s(f, t, h) == facts_compute_s(f, u, h) && isfinite(facts_compute_s(f, t, h)))
                    return true;
    return false;
}

void orders_find_shapes(struct orders *o)
{
    const struct levels *l = o->levels;
    const struct facts *f = l->facts;
    o->leaves_last = o->sources_only = o->silent = 0;
    for (int h = 0; h < f->n_hosts && !f->problem->model->books_ports; h++) {
        uint64_t tasks = 0, bit = UINT64_C(1) << h;
        for (int t = 0; t < f->n_tasks; t++)
            tasks |= (l->hosts[t] >> h & 1) << t;
        o->leaves_last |= has_leaves_last(l, tasks, h) ? bit : 0;
        o->sources_only |= has_sources_only(l, tasks) ? bit : 0;
        o->silent |= is_silent(l, tasks, h) ? bit : 0;
    }
}

/* ---- pairs ---- */

/* Of two steps of messages. Where it is known which of the tasks at their other ends is first, their sizes match. */
static int first_step(const struct orders *o, int a, int b)
{
    const struct facts *f = o->levels->facts;
    int e = o->item_edge[a], other = o->item_edge[b], first = -1;
    if (a - o->edge_item[e] != b - o->edge_item[other])
        return -1;
    if (f->edges[e].src == f->edges[other].src) {
        first = first_task(o->levels, f->edges[e].dst, f->edges[other].dst);
        return first < 0 ? -1 : first == f->edges[e].dst ? a : b;
    }
    if (f->edges[e].dst == f->edges[other].dst)
        first = first_task(o->levels, f->edges[e].src, f->edges[other].src);
    return first < 0 ? -1 : first == f->edges[e].src ? a : b;
}

int orders_first(const struct orders *o, int a, int b)
{
    const struct levels *l = o->levels;
    int n = l->facts->n_tasks, task = a < n ? a : b, step = a < n ? b : a;
    if (a >= n && b >= n)
        return o->some_alike ? first_step(o, a, b) : -1;
    if (a < n && b < n)
        return o->some_alike ? first_task(l, a, b) : -1;
    int h = levels_host(l, task);
    bool is_known = (o->leaves_last >> h & 1) != 0 && is_leaf(l->facts, task) &&
                    levels_host(l, l->facts->edges[o->item_edge[step]].src) == h;
    return is_known ? step : -1;
}

bool orders_are_easy(const struct orders *o, int a, int b, int h)
{
    const struct facts *f = o->levels->facts;
    if ((o->silent >> h & 1) != 0)
        return true;
    return (o->leaves_last >> h & 1) != 0 && a < f->n_tasks && b < f->n_tasks && is_leaf(f, a) && is_leaf(f, b);
}
