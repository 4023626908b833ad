/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* DSC, dominant sequence clustering [Yang 1994], on mean costs. Tasks are examined one by one, each after its
   predecessors: always the free task (all predecessors examined) on the longest path, by its start as it would be alone
   plus its bottom level. It goes to the end of a cluster of a predecessor only if

       it starts earlier there than alone, and                                                                   (CT1)
       that cluster is not needed more by a task on a longer path that is not free yet: the partially free task  (CT2)
       with the longest path, if this could start earlier at the end of that cluster.

   The cluster is that of the predecessor whose data arrive last. If others would then be the last, these predecessors
   may follow into the cluster, as many as makes the start earliest: in the order of falling arrivals, as long as each
   has no other successor.

   Time: (tasks + edges) times a logarithm; where tasks may not run everywhere, times the hosts. */
#include "schedulers/clustering.h"

#include "base/heap.h"
#include "base/mem.h"
#include "dag/levels.h"

#include <stdbool.h>
#include <stdlib.h>

/* What is known of a task from its examined predecessors, all in other clusters. */
struct arrivals {
    double last_s; /* when the last data arrive */
    task_id from;  /* a predecessor that sends data that arrive then; -1: none is examined */
    bool is_tied;  /* predecessors in several clusters do */
    int n_open;    /* predecessors that are not examined */
    int place;     /* in `partly_free` */
};

/* A predecessor of the task that is examined. */
struct sender {
    task_id task;
    double arrival_s, rounded_s; /* of its data in another cluster */
    double start_s;              /* where it could follow into the cluster: its earliest start there */
    int rank, home;              /* among those that could follow: its place by falling arrivals; its old cluster */
};

struct dsc {
    struct clustering *c;
    const struct dag *g;
    double *level_s, *finish_s;     /* [task] */
    struct arrivals *arrivals;      /* [task] */
    task_id *last, *before, *after; /* last: [cluster]; its neighbours in the cluster: [task]; -1: there is none */
    struct heap free_tasks, partly_free;
    struct sender *senders, *followers; /* of one task; at most as many as there are tasks */
};

static double end_s(const struct dsc *d, int cluster)
{
    return d->last[cluster] >= 0 ? d->finish_s[d->last[cluster]] : 0;
}

/* ---- the order of tasks in clusters ---- */

static void append(struct dsc *d, int cluster, task_id t, double start_s)
{
    d->before[t] = d->last[cluster];
    d->after[t] = -1;
    if (d->before[t] >= 0)
        d->after[d->before[t]] = t;
    d->last[cluster] = t;
    d->finish_s[t] = start_s + d->c->task_s[t];
}

static void take_out(struct dsc *d, int cluster, task_id t)
{
    if (d->before[t] >= 0)
        d->after[d->before[t]] = d->after[t];
    if (d->after[t] >= 0)
        d->before[d->after[t]] = d->before[t];
    else
        d->last[cluster] = d->before[t];
}

/* ---- predecessors ---- */

static int by_falling_arrival(const void *a, const void *b)
{
    const struct sender *x = a, *y = b;
    return x->rounded_s != y->rounded_s ? (x->rounded_s < y->rounded_s) - (x->rounded_s > y->rounded_s)
                                        : (x->task > y->task) - (x->task < y->task);
}

static int by_start(const void *a, const void *b)
{
    const struct sender *x = a, *y = b;
    double x_s = choose_rounded(x->start_s), y_s = choose_rounded(y->start_s);
    return x_s != y_s ? (x_s > y_s) - (x_s < y_s) : (x->task > y->task) - (x->task < y->task);
}

static int find_senders(struct dsc *d, task_id t)
{
    int n = 0;
    for (int i = d->g->in_start[t]; i < d->g->in_start[t + 1]; i++) {
        task_id src = d->g->edges[d->g->in[i]].src;
        double arrival_s = d->finish_s[src] + d->c->edge_s[d->g->in[i]];
        d->senders[n++] = (struct sender){.task = src, .arrival_s = arrival_s, .rounded_s = choose_rounded(arrival_s)};
    }
    qsort(d->senders, (size_t)n, sizeof *d->senders, by_falling_arrival);
    return n;
}

/* When all data of an examined task would be in the cluster. */
static double data_in_cluster_s(const struct dsc *d, task_id t, int cluster)
{
    double ready_s = 0;
    for (int i = d->g->in_start[t]; i < d->g->in_start[t + 1]; i++) {
        task_id src = d->g->edges[d->g->in[i]].src;
        ready_s = fmax(ready_s, d->finish_s[src] + (d->c->of[src] == cluster ? 0 : d->c->edge_s[d->g->in[i]]));
    }
    return ready_s;
}

/* ---- how many predecessors follow into a cluster ---- */

struct option { /* to start `t` at the end of a cluster */
    task_id t;
    int cluster, n_senders;
    int n_followers;  /* predecessors elsewhere that could follow: the first ones by falling arrivals */
    double arrival_s; /* of the first predecessor elsewhere that could not; 0: all could */
};

/* Counts the followers and moves them to the cluster, to see whether one host may run them all. */
static void gather_followers(struct dsc *d, struct option *o)
{
    for (int k = 0; k < o->n_senders; k++) {
        struct sender *x = &d->senders[k];
        bool is_last_use = d->g->out_start[x->task + 1] - d->g->out_start[x->task] == 1;
        if (d->c->of[x->task] == o->cluster)
            continue;
        x->start_s = is_last_use ? data_in_cluster_s(d, x->task, o->cluster) : 0;
        x->rank = o->n_followers;
        x->home = d->c->of[x->task];
        if (is_last_use)
            clustering_move(d->c, x->task, o->cluster);
        if (!is_last_use || !clustering_may_share(d->c, o->cluster, o->t)) {
            clustering_move(d->c, x->task, x->home);
            o->arrival_s = x->arrival_s;
            return;
        }
        d->followers[o->n_followers++] = *x;
    }
}

/* When the cluster ends if `n` predecessors follow; `followers` are sorted by start. */
static double end_after_s(const struct dsc *d, const struct option *o, int n)
{
    double at_s = end_s(d, o->cluster);
    for (int k = 0; k < o->n_followers; k++)
        if (d->followers[k].rank < n)
            at_s = fmax(at_s, d->followers[k].start_s) + d->c->task_s[d->followers[k].task];
    return at_s;
}

/* When the last data from elsewhere arrive if `n` predecessors follow. `arrival_s`: of the followers, by rank. */
static double arrival_after_s(const struct option *o, const double *arrival_s, int n)
{
    return n < o->n_followers ? arrival_s[n] : o->arrival_s;
}

/* The least number of followers with the earliest start. While more of them follow, the cluster ends later and the data
   from elsewhere arrive earlier, so the earliest start is where the two cross, or one before. */
static int best_number(const struct dsc *d, const struct option *o, const double *arrival_s, double *start_s)
{
    int low = 0, high = o->n_followers;
    while (low < high) {
        int middle = (low + high) / 2;
        if (choose_rounded(end_after_s(d, o, middle)) >= choose_rounded(arrival_after_s(o, arrival_s, middle)))
            high = middle;
        else
            low = middle + 1;
    }
    *start_s = fmax(end_after_s(d, o, low), arrival_after_s(o, arrival_s, low));
    if (low == 0 || choose_rounded(arrival_s[low - 1]) > choose_rounded(*start_s))
        return low;
    low--;
    while (low > 0 && choose_rounded(arrival_s[low - 1]) == choose_rounded(arrival_s[low]))
        low--;
    *start_s = fmax(end_after_s(d, o, low), arrival_s[low]);
    return low;
}

/* ---- examining a task ---- */

/* The cluster that must be left for the partially free task with the longest path; -1: none. */
static int reserved_cluster(const struct dsc *d, double key)
{
    const struct heap_entry *first = heap_first(&d->partly_free);
    if (first == NULL || first->key >= key) /* keys are falling lengths */
        return -1;
    const struct arrivals *x = &d->arrivals[first->number];
    int cluster = d->c->of[x->from];
    bool is_earlier = !x->is_tied && choose_rounded(end_s(d, cluster)) < choose_rounded(x->last_s);
    return is_earlier && clustering_may_share(d->c, cluster, (int)first->number) ? cluster : -1;
}

/* Moves the first `n` followers to the end of the cluster and the others home. */
static void follow(struct dsc *d, const struct option *o, int n)
{
    for (int k = 0; k < o->n_followers; k++) {
        const struct sender *x = &d->followers[k];
        if (x->rank >= n) {
            clustering_move(d->c, x->task, x->home);
            continue;
        }
        take_out(d, x->home, x->task);
        append(d, o->cluster, x->task, fmax(end_s(d, o->cluster), x->start_s));
    }
}

/* Whether the task has joined a cluster. */
static bool join(struct dsc *d, task_id t, int n_senders, int reserved)
{
    struct option o = {.t = t, .n_senders = n_senders};
    double start_s, *arrival_s;
    if (n_senders == 0)
        return false;
    o.cluster = d->c->of[d->senders[0].task];
    if (o.cluster == reserved || !clustering_may_share(d->c, o.cluster, t))
        return false;
    gather_followers(d, &o);
    arrival_s = mem_alloc(((size_t)o.n_followers + 1) * sizeof *arrival_s);
    for (int k = 0; k < o.n_followers; k++)
        arrival_s[k] = d->followers[k].arrival_s;
    qsort(d->followers, (size_t)o.n_followers, sizeof *d->followers, by_start);
    int n = best_number(d, &o, arrival_s, &start_s);
    bool is_earlier = choose_rounded(start_s) < d->senders[0].rounded_s;
    follow(d, &o, is_earlier ? n : 0);
    if (is_earlier) {
        clustering_move(d->c, t, o.cluster);
        append(d, o.cluster, t, start_s);
    }
    free(arrival_s);
    return is_earlier;
}

static void add_arrival(struct dsc *d, task_id t, task_id from, double arrival_s)
{
    struct arrivals *x = &d->arrivals[t];
    double rounded_s = choose_rounded(arrival_s), last_s = choose_rounded(x->last_s);
    if (x->from < 0 || rounded_s > last_s) {
        x->from = from;
        x->is_tied = false;
    } else if (rounded_s == last_s && d->c->of[x->from] != d->c->of[from]) {
        x->is_tied = true;
    }
    x->last_s = fmax(x->last_s, arrival_s);
}

static double key_of(const struct dsc *d, task_id t) /* the longest path comes first */
{
    return -choose_rounded(d->arrivals[t].last_s + d->level_s[t]);
}

static void update_successor(struct dsc *d, task_id t, task_id from, double arrival_s)
{
    struct arrivals *x = &d->arrivals[t];
    add_arrival(d, t, from, arrival_s);
    if (--x->n_open == 0) {
        if (x->place >= 0)
            heap_remove(&d->partly_free, x->place);
        heap_add(&d->free_tasks, (struct heap_entry){.key = key_of(d, t), .number = t});
    } else if (x->place >= 0) {
        heap_move(&d->partly_free, x->place, key_of(d, t));
    } else {
        heap_add(&d->partly_free, (struct heap_entry){.key = key_of(d, t), .number = t, .place = &x->place});
    }
}

static void examine(struct dsc *d, struct heap_entry entry)
{
    task_id t = (task_id)entry.number;
    int n_senders = find_senders(d, t);
    if (!join(d, t, n_senders, reserved_cluster(d, entry.key)))
        append(d, t, t, d->arrivals[t].last_s);
    for (int i = d->g->out_start[t]; i < d->g->out_start[t + 1]; i++) {
        edge_id e = d->g->out[i];
        update_successor(d, d->g->edges[e].dst, t, d->finish_s[t] + d->c->edge_s[e]);
    }
}

void cluster_dsc(struct clustering *c)
{
    const struct dag *g = c->problem->dag;
    size_t n = (size_t)g->n_tasks;
    struct dsc d = {.c = c, .g = g};
    d.level_s = mem_alloc(n * sizeof *d.level_s);
    d.finish_s = mem_alloc(n * sizeof *d.finish_s);
    d.arrivals = mem_alloc(n * sizeof *d.arrivals);
    d.last = mem_alloc(3 * n * sizeof *d.last);
    d.before = d.last + n;
    d.after = d.before + n;
    d.senders = mem_alloc(2 * n * sizeof *d.senders);
    d.followers = d.senders + n;
    dag_bottom_levels(g, c->task_s, c->edge_s, d.level_s);
    for (task_id t = 0; t < g->n_tasks; t++) {
        d.last[t] = -1;
        d.arrivals[t] = (struct arrivals){.from = -1, .n_open = g->in_start[t + 1] - g->in_start[t], .place = -1};
        if (d.arrivals[t].n_open == 0)
            heap_add(&d.free_tasks, (struct heap_entry){.key = key_of(&d, t), .number = t});
    }
    while (d.free_tasks.n > 0)
        examine(&d, heap_take(&d.free_tasks));
    heap_clear(&d.free_tasks);
    heap_clear(&d.partly_free);
    free(d.senders);
    free(d.last);
    free(d.arrivals);
    free(d.finish_s);
    free(d.level_s);
}

CLUSTERING_SCHEDULER(dsc,
                     "DSC: tasks on the longest path join clusters where they start earlier (dominant sequence), as in "
                     "two_phase[cluster=dsc]",
                     "Yang, Gerasoulis, IEEE TPDS 5(9), 1994");
