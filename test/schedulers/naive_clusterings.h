/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Naive clusterings, two_phase and BSA, written from the words of their sources. Whatever is asked is found anew by
   looking at all tasks. Nothing is shared with the real ones but the graph and the machine. */
#ifndef IASIM_TEST_SCHEDULERS_NAIVE_CLUSTERINGS_H
#define IASIM_TEST_SCHEDULERS_NAIVE_CLUSTERINGS_H

#include "naive_schedulers.h"

struct naive_clusters {
    int of[NAIVE_TASKS];         /* [task]: its cluster; -1: not clustered yet */
    double start_s[NAIVE_TASKS]; /* dsc: of examined tasks */
    double bl[NAIVE_TASKS];
};
static struct naive_clusters naive_clusters;

/* Whether one host may run all tasks whose mark is set. */
static inline bool naive_have_a_host(const struct naive *n, const bool *marked)
{
    for (int h = 0; h < n->n_hosts; h++) {
        bool may = true;
        for (int t = 0; t < n->dag->n_tasks; t++)
            may = may && (!marked[t] || !isinf(naive_omega_s(n, t, h)));
        if (may)
            return true;
    }
    return false;
}

static inline void naive_mark_cluster(const struct naive *n, int cluster, bool *marked)
{
    for (int t = 0; t < n->dag->n_tasks; t++)
        marked[t] = marked[t] || naive_clusters.of[t] == cluster;
}

static inline bool naive_larger(struct naive *n, double a, double b)
{
    return naive_is_chosen_before(b, a, &n->narrowest_level);
}

/* ---- lc ---- */

static inline double naive_rest_level(const struct naive *n, int t)
{
    double below = 0;
    for (int k = 0, e; (e = naive_out(n, t, k)) >= 0; k++)
        if (naive_clusters.of[n->dag->edges[e].dst] < 0)
            below = fmax(below, naive_tables.c_s[e] + naive_rest_level(n, n->dag->edges[e].dst));
    return naive_tables.w_s[t] + below;
}

static inline void naive_cluster_lc(struct naive *n)
{
    for (int cluster = 0;; cluster++) {
        bool marked[NAIVE_TASKS] = {false};
        double level[NAIVE_TASKS];
        int at = -1;
        for (int t = 0; t < n->dag->n_tasks; t++)
            if (naive_clusters.of[t] < 0) {
                level[t] = naive_rest_level(n, t);
                if (at < 0 || naive_larger(n, level[t], level[at]))
                    at = t;
            }
        if (at < 0)
            return;
        while (at >= 0) {
            marked[at] = true;
            if (!naive_have_a_host(n, marked))
                break;
            naive_clusters.of[at] = cluster;
            int next = -1;
            double longest = 0;
            for (int t = 0; t < n->dag->n_tasks; t++)
                for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++) {
                    if (n->dag->edges[e].src != at || naive_clusters.of[t] >= 0)
                        continue;
                    double value = naive_tables.c_s[e] + level[t];
                    if (next < 0 || naive_larger(n, value, longest)) {
                        next = t;
                        longest = value;
                    }
                }
            at = next;
        }
    }
}

/* ---- ez ---- */

/* One host for each cluster, tasks by falling bottom level. */
static inline double naive_unbounded_length_s(const struct naive *n)
{
    double finish_s[NAIVE_TASKS], length_s = 0;
    for (int i = 0; i < n->dag->n_tasks; i++) {
        int t = n->list[i];
        double start_s = 0;
        for (int k = 0; k < i; k++)
            if (naive_clusters.of[n->list[k]] == naive_clusters.of[t])
                start_s = fmax(start_s, finish_s[n->list[k]]);
        for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++) {
            int src = n->dag->edges[e].src;
            bool is_local = naive_clusters.of[src] == naive_clusters.of[t];
            start_s = fmax(start_s, finish_s[src] + (is_local ? 0 : naive_tables.c_s[e]));
        }
        finish_s[t] = start_s + naive_tables.w_s[t];
        length_s = fmax(length_s, finish_s[t]);
    }
    return length_s;
}

static inline void naive_cluster_ez(struct naive *n)
{
    bool is_done[NAIVE_EDGES] = {false};
    double of_list_s[NAIVE_TASKS]; /* the levels of `list`; those of ez have c_s */
    memcpy(of_list_s, n->level_s, sizeof of_list_s);
    memcpy(n->level_s, naive_tables.bl, sizeof n->level_s);
    naive_make_list(n);
    for (int t = 0; t < n->dag->n_tasks; t++)
        naive_clusters.of[t] = t;
    for (int round = 0; round < n->dag->n_edges; round++) {
        struct naive_clusters before = naive_clusters;
        bool marked[NAIVE_TASKS] = {false};
        int best = -1;
        for (int e = 0; e < n->dag->n_edges; e++)
            if (!is_done[e] && (best < 0 || naive_larger(n, naive_tables.c_s[e], naive_tables.c_s[best])))
                best = e;
        is_done[best] = true;
        int a = before.of[n->dag->edges[best].src], b = before.of[n->dag->edges[best].dst];
        double before_s = naive_unbounded_length_s(n);
        naive_mark_cluster(n, a, marked);
        naive_mark_cluster(n, b, marked);
        for (int t = 0; t < n->dag->n_tasks; t++)
            naive_clusters.of[t] = before.of[t] == b ? a : before.of[t];
        if (naive_larger(n, naive_unbounded_length_s(n), before_s) || !naive_have_a_host(n, marked))
            naive_clusters = before;
    }
    memcpy(n->level_s, of_list_s, sizeof n->level_s);
    naive_make_list(n);
}

/* ---- dsc ---- */

static inline double naive_dsc_finish(int t)
{
    return naive_clusters.start_s[t] + naive_tables.w_s[t];
}

static inline double naive_dsc_end(const struct naive *n, int cluster)
{
    double end_s = 0;
    for (int t = 0; t < n->dag->n_tasks; t++)
        if (naive_clusters.of[t] == cluster)
            end_s = fmax(end_s, naive_dsc_finish(t));
    return end_s;
}

/* When the data of its examined predecessors are there; those of predecessors in `cluster` are there at once. */
static inline double naive_dsc_data(const struct naive *n, int t, int cluster)
{
    double ready_s = 0;
    for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++) {
        int src = n->dag->edges[e].src, there = naive_clusters.of[src];
        if (there >= 0)
            ready_s = fmax(ready_s, naive_dsc_finish(src) + (there == cluster ? 0 : naive_tables.c_s[e]));
    }
    return ready_s;
}

/* Its start if it were alone: all data take their time. */
static inline double naive_dsc_alone(const struct naive *n, int t)
{
    return naive_dsc_data(n, t, -2);
}

/* The most urgent task that is free, or partially free; -1: there is none. */
static inline int naive_dsc_head(struct naive *n, bool is_free)
{
    int best = -1;
    for (int t = 0; t < n->dag->n_tasks; t++) {
        int n_in = 0, n_examined = 0;
        for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++, n_in++)
            n_examined += naive_clusters.of[n->dag->edges[e].src] >= 0;
        if (naive_clusters.of[t] >= 0 || (is_free ? n_examined < n_in : n_examined == 0 || n_examined == n_in))
            continue;
        double length = naive_dsc_alone(n, t) + naive_clusters.bl[t];
        if (best < 0 || naive_larger(n, length, naive_dsc_alone(n, best) + naive_clusters.bl[best]))
            best = t;
    }
    return best;
}

/* The examined predecessors by falling arrival of their data. */
static inline int naive_dsc_senders(struct naive *n, int t, int *edges)
{
    bool is_listed[NAIVE_EDGES] = {false};
    for (int i = 0;; i++) {
        int best = -1;
        for (int src = 0; src < n->dag->n_tasks; src++)
            for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++) {
                if (n->dag->edges[e].src != src || naive_clusters.of[src] < 0 || is_listed[e])
                    continue;
                if (best < 0 || naive_larger(n, naive_dsc_finish(src) + naive_tables.c_s[e],
                                             naive_dsc_finish(n->dag->edges[best].src) + naive_tables.c_s[best]))
                    best = e;
            }
        if (best < 0)
            return i;
        edges[i] = best;
        is_listed[best] = true;
    }
}

/* Whether the most urgent partially free task wants this cluster for itself. */
static inline bool naive_dsc_is_wanted(struct naive *n, int t, int cluster)
{
    int y = naive_dsc_head(n, false), edges[NAIVE_EDGES];
    if (y < 0 ||
        !naive_larger(n, naive_dsc_alone(n, y) + naive_clusters.bl[y], naive_dsc_alone(n, t) + naive_clusters.bl[t]))
        return false;
    naive_dsc_senders(n, y, edges);
    if (naive_clusters.of[n->dag->edges[edges[0]].src] != cluster)
        return false;
    bool marked[NAIVE_TASKS] = {false};
    naive_mark_cluster(n, cluster, marked);
    marked[y] = true;
    double there_s = naive_dsc_end(n, cluster);
    for (int k = 0, e; (e = naive_in(n, y, k)) >= 0; k++) {
        int src = n->dag->edges[e].src;
        if (naive_clusters.of[src] >= 0 && naive_clusters.of[src] != cluster)
            there_s = fmax(there_s, naive_dsc_finish(src) + naive_tables.c_s[e]);
    }
    return naive_larger(n, naive_dsc_alone(n, y), there_s) && naive_have_a_host(n, marked);
}

/* Moves tasks to the end of the cluster, the one with the earliest data first. */
static inline void naive_dsc_follow(struct naive *n, int cluster, const int *tasks, int n_tasks)
{
    double data_s[NAIVE_TASKS];
    bool is_moved[NAIVE_TASKS] = {false};
    for (int i = 0; i < n_tasks; i++)
        data_s[tasks[i]] = naive_dsc_data(n, tasks[i], cluster);
    for (int i = 0; i < n_tasks; i++) {
        int best = -1;
        for (int t = 0; t < n->dag->n_tasks; t++)
            for (int k = 0; k < n_tasks; k++)
                if (tasks[k] == t && !is_moved[t] && (best < 0 || naive_larger(n, data_s[best], data_s[t])))
                    best = t;
        is_moved[best] = true;
        naive_clusters.of[best] = -1;
        naive_clusters.start_s[best] = fmax(naive_dsc_end(n, cluster), data_s[best]);
        naive_clusters.of[best] = cluster;
    }
}

/* The predecessors that may follow t into the cluster. */
static inline int naive_dsc_followers(struct naive *n, int t, int cluster, int *out)
{
    int edges[NAIVE_EDGES], n_senders = naive_dsc_senders(n, t, edges), n_out = 0;
    bool marked[NAIVE_TASKS] = {false};
    naive_mark_cluster(n, cluster, marked);
    marked[t] = true;
    for (int i = 0; i < n_senders; i++) {
        int src = n->dag->edges[edges[i]].src;
        if (naive_clusters.of[src] == cluster)
            continue;
        marked[src] = true;
        if (naive_out(n, src, 1) >= 0 || !naive_have_a_host(n, marked))
            break;
        out[n_out++] = src;
    }
    return n_out;
}

static inline void naive_dsc_examine(struct naive *n, int t, int number)
{
    int edges[NAIVE_EDGES], followers[NAIVE_TASKS], n_followers = 0, cluster = -1;
    double least_s = naive_dsc_alone(n, t);
    bool marked[NAIVE_TASKS] = {false};
    struct naive_clusters before = naive_clusters, best = naive_clusters;
    best.of[t] = number;
    best.start_s[t] = least_s;
    if (naive_dsc_senders(n, t, edges) > 0) {
        cluster = naive_clusters.of[n->dag->edges[edges[0]].src];
        naive_mark_cluster(n, cluster, marked);
        marked[t] = true;
        n_followers = naive_dsc_followers(n, t, cluster, followers);
    }
    if (cluster >= 0 && naive_have_a_host(n, marked) && !naive_dsc_is_wanted(n, t, cluster))
        for (int k = 0; k <= n_followers; k++) {
            naive_clusters = before;
            naive_dsc_follow(n, cluster, followers, k);
            double start_s = fmax(naive_dsc_end(n, cluster), naive_dsc_data(n, t, cluster));
            if (!naive_larger(n, least_s, start_s))
                continue;
            least_s = start_s;
            naive_clusters.of[t] = cluster;
            naive_clusters.start_s[t] = start_s;
            best = naive_clusters;
        }
    naive_clusters = best;
}

static inline void naive_cluster_dsc(struct naive *n)
{
    for (int i = 0, t; (t = naive_dsc_head(n, true)) >= 0; i++)
        naive_dsc_examine(n, t, i);
}

/* ---- clusters to hosts ---- */

static inline int naive_heaviest_cluster(struct naive *n, const int *allocation)
{
    int best = -1;
    double most_s = 0;
    for (int t = 0; t < n->dag->n_tasks; t++) {
        double work_s = 0;
        for (int u = 0; u < n->dag->n_tasks; u++)
            work_s += naive_clusters.of[u] == naive_clusters.of[t] ? naive_tables.w_s[u] : 0;
        if (allocation[t] < 0 && (best < 0 || naive_larger(n, work_s, most_s))) {
            best = naive_clusters.of[t];
            most_s = work_s;
        }
    }
    return best;
}

static inline double naive_map_cost(const struct naive *n, const int *allocation, int cluster, int h, bool counts_edges)
{
    double cost_s = 0;
    for (int t = 0; t < n->dag->n_tasks; t++)
        if (allocation[t] == h || naive_clusters.of[t] == cluster)
            cost_s += naive_omega_s(n, t, h);
    for (int e = 0; e < n->dag->n_edges && counts_edges; e++) {
        int a = n->dag->edges[e].src, b = n->dag->edges[e].dst;
        bool a_is_in = naive_clusters.of[a] == cluster, b_is_in = naive_clusters.of[b] == cluster;
        int other = a_is_in ? allocation[b] : allocation[a];
        if (a_is_in != b_is_in && other >= 0 && other != h)
            cost_s += naive_tables.c_s[e];
    }
    return cost_s;
}

static inline void naive_map(struct naive *n, bool counts_edges, int *allocation)
{
    for (int t = 0; t < n->dag->n_tasks; t++)
        allocation[t] = -1;
    for (int cluster; (cluster = naive_heaviest_cluster(n, allocation)) >= 0;) {
        double least_s = INFINITY;
        int best = -1;
        for (int h = 0; h < n->n_hosts; h++)
            if (naive_is_least(n, naive_map_cost(n, allocation, cluster, h, counts_edges), &least_s))
                best = h;
        for (int t = 0; t < n->dag->n_tasks; t++)
            if (naive_clusters.of[t] == cluster)
                allocation[t] = best;
    }
}

static inline void naive_cluster(struct naive *n, const char *rule)
{
    naive_clusters = (struct naive_clusters){0};
    for (int t = 0; t < n->dag->n_tasks; t++) {
        naive_clusters.of[t] = -1;
        naive_clusters.bl[t] = naive_tables.bl[t];
    }
    if (strncmp(rule, "lc", 2) == 0 || strstr(rule, "cluster=lc") != NULL)
        naive_cluster_lc(n);
    else if (strncmp(rule, "ez", 2) == 0 || strstr(rule, "cluster=ez") != NULL)
        naive_cluster_ez(n);
    else if (strstr(rule, "cluster=none") == NULL)
        naive_cluster_dsc(n);
    else
        for (int t = 0; t < n->dag->n_tasks; t++)
            naive_clusters.of[t] = t;
}

/* ---- bsa ---- */

static inline bool naive_is_ancestor(const struct naive *n, int a, int t)
{
    for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++)
        if (n->dag->edges[e].src == a || naive_is_ancestor(n, a, n->dag->edges[e].src))
            return true;
    return false;
}

/* Lists the tasks that are marked: of those whose predecessors are listed, that with the largest bottom level next. */
static inline int naive_list_marked(struct naive *n, const bool *marked, bool by_top_level, int n_listed)
{
    const struct naive_tables *x = &naive_tables;
    for (int best;; n->list[n_listed] = best, n->pos[best] = n_listed++) {
        best = -1;
        for (int t = 0; t < n->dag->n_tasks; t++) {
            if (!marked[t] || !naive_is_ready(n, t))
                continue;
            bool is_tie = best >= 0 && naive_forty_bits(x->bl[t]) == naive_forty_bits(x->bl[best]);
            if (best < 0 || naive_larger(n, x->bl[t], x->bl[best]) ||
                (is_tie && by_top_level && naive_larger(n, x->tl[best], x->tl[t])))
                best = t;
        }
        if (best < 0)
            return n_listed;
    }
}

static inline void naive_find_bsa_list(struct naive *n)
{
    int n_listed = 0;
    bool all[NAIVE_TASKS];
    for (int t = 0; t < n->dag->n_tasks; t++)
        n->pos[t] = -1;
    for (int t = 0; t < n->dag->n_tasks; t++)
        all[t] = true;
    naive_find_critical_path(n);
    for (;;) {
        bool marked[NAIVE_TASKS] = {false};
        int first = -1; /* the first task of the path that is not listed: an ancestor of all others */
        for (int t = 0; t < n->dag->n_tasks; t++)
            if (naive_tables.on_path[t] && n->pos[t] < 0 && (first < 0 || naive_is_ancestor(n, t, first)))
                first = t;
        if (first < 0)
            break;
        for (int t = 0; t < n->dag->n_tasks; t++)
            marked[t] = naive_is_ancestor(n, t, first);
        n_listed = naive_list_marked(n, marked, true, n_listed);
        n->list[n_listed] = first;
        n->pos[first] = n_listed++;
    }
    n_listed = naive_list_marked(n, all, false, n_listed);
    assert(n_listed == n->dag->n_tasks);
}

/* Books the whole schedule anew. In pass -1 all tasks go to the first host that may run them or finish first. */
static inline void naive_bsa_pass(struct naive *n, int *allocation, int pivot, bool is_first)
{
    n->plan = (struct naive_plan){0};
    for (int t = 0; t < n->dag->n_tasks; t++)
        n->plan.host[t] = -1;
    for (int i = 0; i < n->dag->n_tasks; i++) {
        int t = n->list[i];
        if (is_first)
            allocation[t] = isinf(naive_omega_s(n, t, pivot)) ? naive_host_of_least(n, t, naive_eft) : pivot;
        else if (allocation[t] == pivot) {
            int best = naive_host_of_least(n, t, naive_est);
            if (naive_is_chosen_before(naive_est(n, t, best), naive_est(n, t, pivot), &n->narrowest_date))
                allocation[t] = best;
        }
        naive_place(n, t, allocation[t]);
    }
}

static inline void naive_bsa(struct naive *n)
{
    int first = -1, allocation[NAIVE_TASKS];
    bool was_pivot[NAIVE_HOSTS] = {false};
    double least_s = INFINITY;
    for (int h = 0; h < n->n_hosts; h++) {
        double sum_s = 0;
        for (int t = 0; t < n->dag->n_tasks; t++)
            sum_s += naive_omega_s(n, t, h);
        if (naive_is_least(n, sum_s, &least_s))
            first = h;
    }
    if (first < 0) /* no host may run them all */
        first = 0;
    naive_find_bsa_list(n);
    naive_bsa_pass(n, allocation, first, true);
    for (int pivot = first; pivot >= 0;) {
        naive_bsa_pass(n, allocation, pivot, false);
        was_pivot[pivot] = true;
        pivot = -1;
        for (int h = 0; h < n->n_hosts; h++)
            if (!was_pivot[h] && (pivot < 0 || n->route[first][h].n_links < n->route[first][pivot].n_links))
                pivot = h;
    }
}

/* ---- the whole schedule ---- */

static inline bool naive_is_clustered(const char *rule)
{
    static const char *const rules[] = {"two_phase", "lc", "ez", "dsc", "bsa"};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strncmp(rule, rules[i], strlen(rules[i])) == 0 && strchr("[", rule[strlen(rules[i])]) != NULL)
            return true;
    return false;
}

static inline void naive_find_allocation(struct naive *n, const char *rule, int *allocation)
{
    static struct naive other;
    if (strstr(rule, "allocation_of=heft") != NULL) {
        struct naive_wish w = {.model = n->wish.model, .inserts = true, .compacts = true, .costs_s = n->wish.costs_s};
        naive_schedule(&other, n->dag, n->machine, w, "heft", NULL);
        for (int t = 0; t < n->dag->n_tasks; t++)
            allocation[t] = other.plan.host[t];
        n->narrowest_date = fmin(n->narrowest_date, other.narrowest_date);
        n->narrowest_level = fmin(n->narrowest_level, other.narrowest_level);
        naive_clear(&other);
        return;
    }
    naive_cluster(n, rule);
    naive_map(n, strstr(rule, "map=comm") != NULL, allocation);
}

/* `rule`: the scheduler with its own parameters; `wish` as for naive_schedule. */
static inline void naive_clustered_schedule(struct naive *n, const struct dag *g, const struct machine *m,
                                            struct naive_wish wish, const char *rule)
{
    int allocation[NAIVE_TASKS];
    bool is_bsa = strncmp(rule, "bsa", 3) == 0;
    wish.approach = is_bsa                            ? NAIVE_DIRECT
                    : strstr(rule, "approach=alloc2") ? NAIVE_ALLOC2
                    : strstr(rule, "approach=alloc3") ? NAIVE_ALLOC3
                                                      : NAIVE_ALLOC1;
    wish.allocation = allocation;
    naive_begin(n, g, m, wish);
    naive_tables = (struct naive_tables){0};
    naive_find_costs(n, rule);
    naive_find_three_levels(n);
    if (is_bsa)
        naive_bsa(n);
    else {
        naive_find_allocation(n, rule, allocation);
        for (int i = 0; i < g->n_tasks; i++)
            naive_place(n, n->list[i], allocation[n->list[i]]);
    }
    if (wish.compacts)
        naive_compact(n);
    for (int t = 0; t < g->n_tasks; t++)
        n->plan.length_s = fmax(n->plan.length_s, n->plan.task[t].finish_s);
    n->wish.allocation = NULL;
}

#endif
