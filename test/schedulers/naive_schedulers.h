/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Naive list schedulers, on the bookings of naive_list.h. Each is written from the words of its source and of
   doc/model.md, List scheduling; every candidate is placed on a copy of the whole plan. Nothing is shared with the real
   ones but the graph and the machine. */
#ifndef IASIM_TEST_SCHEDULERS_NAIVE_SCHEDULERS_H
#define IASIM_TEST_SCHEDULERS_NAIVE_SCHEDULERS_H

#include "naive_list.h"

#include <string.h>

struct naive_choice {
    int task, host;
};

struct naive_tables {
    double w_s[NAIVE_TASKS], c_s[NAIVE_EDGES];                     /* means */
    double bl[NAIVE_TASKS], sl[NAIVE_TASKS], tl[NAIVE_TASKS];      /* levels with w_s and c_s */
    double rank[NAIVE_TASKS][NAIVE_HOSTS], mean_rank[NAIVE_TASKS]; /* OCT, PCM or BIL */
    double key[NAIVE_TASKS];                                       /* priority: larger first */
    bool on_path[NAIVE_TASKS];
    int path_host, next_host;
    const int *drawn; /* random: [task] */
};
static struct naive_tables naive_tables;

/* ---- tables ---- */

/* A parameter of a request: "heft[rank=best,edges=links]" has "edges=links". */
static inline bool naive_has(const char *text, const char *parameter)
{
    return strstr(text, parameter) != NULL;
}

static inline void naive_find_costs(struct naive *n, const char *text)
{
    bool over_links = strncmp(text, "bsa", 3) == 0 || naive_has(text, "edges=links");
    for (int t = 0; t < n->dag->n_tasks; t++)
        naive_tables.w_s[t] = naive_mean_omega_s(n, t);
    for (int e = 0; e < n->dag->n_edges; e++)
        naive_tables.c_s[e] =
            naive_mean_overheads_s(n, e) + (over_links ? naive_mean_zeta_s(n, e) : naive_mean_route_s(n, e));
}

static inline void naive_find_three_levels(const struct naive *n)
{
    struct naive_tables *x = &naive_tables;
    memset(x->tl, 0, sizeof x->tl);
    for (int round = 0; round < n->dag->n_tasks; round++)
        for (int t = 0; t < n->dag->n_tasks; t++) {
            double below = 0, below_alone = 0;
            for (int k = 0, e; (e = naive_out(n, t, k)) >= 0; k++) {
                below = fmax(below, x->c_s[e] + x->bl[n->dag->edges[e].dst]);
                below_alone = fmax(below_alone, x->sl[n->dag->edges[e].dst]);
            }
            x->bl[t] = x->w_s[t] + below;
            x->sl[t] = x->w_s[t] + below_alone;
            for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++) {
                int src = n->dag->edges[e].src;
                x->tl[t] = fmax(x->tl[t], x->tl[src] + x->w_s[src] + x->c_s[e]);
            }
        }
}

/* What edge e adds to the rank of its origin on host h. */
static inline double naive_rank_through(const struct naive *n, int e, int h, char kind)
{
    double least = INFINITY;
    int s = n->dag->edges[e].dst;
    for (int g = 0; g < n->n_hosts; g++) {
        double value = naive_tables.rank[s][g] + (g == h ? 0 : naive_tables.c_s[e]);
        if (kind != 'B')
            value += naive_omega_s(n, s, g);
        least = fmin(least, value);
    }
    return least;
}

static inline void naive_find_ranks(const struct naive *n, char kind) /* O: OCT, P: PCM, B: BIL */
{
    for (int round = 0; round < n->dag->n_tasks; round++)
        for (int t = 0; t < n->dag->n_tasks; t++) {
            double sum = 0;
            int n_allowed = 0;
            for (int h = 0; h < n->n_hosts; h++) {
                double *rank = &naive_tables.rank[t][h], w_s = naive_omega_s(n, t, h);
                *rank = 0;
                for (int k = 0, e; (e = naive_out(n, t, k)) >= 0; k++)
                    *rank = fmax(*rank, naive_rank_through(n, e, h, kind));
                *rank += kind == 'O' ? 0 : w_s;
                sum += isinf(w_s) ? 0 : *rank;
                n_allowed += !isinf(w_s);
            }
            naive_tables.mean_rank[t] = sum / n_allowed;
        }
}

/* ---- tries ---- */

static inline struct naive_span naive_try(struct naive *n, int t, int h)
{
    static struct naive_plan before;
    if (isinf(naive_omega_s(n, t, h)))
        return (struct naive_span){INFINITY, INFINITY};
    naive_copy_plan(n, &before, &n->plan);
    naive_place(n, t, h);
    struct naive_span span = n->plan.task[t];
    naive_copy_plan(n, &n->plan, &before);
    return span;
}

/* Whether `value` is less than the least so far, which it then replaces. */
static inline bool naive_is_least(struct naive *n, double value, double *least)
{
    if (isinf(value) && value > 0)
        return false;
    bool is_first = isinf(*least) && *least > 0;
    if (!is_first && !naive_is_chosen_before(value, *least, &n->narrowest_date))
        return false;
    *least = value;
    return true;
}

/* Differences of dates have no exact last bits: two that are very close are a matter of rounding. */
static inline double naive_difference(struct naive *n, double a, double b)
{
    if (a != b && fabs(a - b) < 1e-10 * fmax(fabs(a), fabs(b)))
        n->narrowest_date = 0;
    return a - b;
}

/* The host where value(t, h) is least. */
static inline int naive_host_of_least(struct naive *n, int t, double (*value)(struct naive *n, int t, int h))
{
    double least = INFINITY;
    int best = -1;
    for (int h = 0; h < n->n_hosts; h++)
        if (naive_is_least(n, value(n, t, h), &least))
            best = h;
    return best;
}

static inline double naive_eft(struct naive *n, int t, int h)
{
    return naive_try(n, t, h).finish_s;
}
static inline double naive_est(struct naive *n, int t, int h)
{
    return naive_try(n, t, h).start_s;
}
static inline double naive_eft_and_rank(struct naive *n, int t, int h)
{
    return naive_try(n, t, h).finish_s + naive_tables.rank[t][h];
}
static inline double naive_eft_and_rest(struct naive *n, int t, int h)
{
    if (isinf(naive_omega_s(n, t, h)))
        return INFINITY;
    return naive_try(n, t, h).finish_s + (naive_tables.rank[t][h] - naive_omega_s(n, t, h));
}
static inline double naive_bim(struct naive *n, int t, int h)
{
    return naive_try(n, t, h).start_s + naive_tables.rank[t][h];
}
static inline double naive_time(struct naive *n, int t, int h)
{
    return naive_omega_s(n, t, h);
}
static inline double naive_last_finish(struct naive *n, int t, int h)
{
    double last_s = 0;
    if (isinf(naive_omega_s(n, t, h)))
        return INFINITY;
    for (int b = 0; b < n->plan.n_bookings; b++)
        if (n->plan.bookings[b].resource == h)
            last_s = fmax(last_s, n->plan.bookings[b].span.finish_s);
    return last_s;
}

/* ---- the next task of a priority ---- */

static inline int naive_first_ready(const struct naive *n)
{
    int t = 0;
    while (!naive_is_ready(n, t))
        t++;
    return t;
}

static inline int naive_most_urgent(struct naive *n)
{
    int best = -1;
    for (int t = 0; t < n->dag->n_tasks; t++)
        if (naive_is_ready(n, t) &&
            (best < 0 || naive_is_chosen_before(naive_tables.key[best], naive_tables.key[t], &n->narrowest_level)))
            best = t;
    return best;
}

/* ---- pairs of a task and a host ---- */

static inline struct naive_choice naive_next_etf(struct naive *n)
{
    struct naive_choice best = {-1, -1};
    double least = INFINITY;
    for (int t = 0; t < n->dag->n_tasks; t++)
        for (int h = 0; naive_is_ready(n, t) && h < n->n_hosts; h++) {
            double est = naive_est(n, t, h);
            bool is_tie = best.task >= 0 && naive_forty_bits(est) == naive_forty_bits(least);
            if (naive_is_least(n, est, &least) ||
                (is_tie && naive_is_chosen_before(naive_tables.sl[best.task], naive_tables.sl[t], &n->narrowest_level)))
                best = (struct naive_choice){t, h};
        }
    return best;
}

static inline struct naive_choice naive_next_dls(struct naive *n)
{
    struct naive_choice best = {-1, -1};
    double least = INFINITY;
    for (int t = 0; t < n->dag->n_tasks; t++)
        for (int h = 0; naive_is_ready(n, t) && h < n->n_hosts; h++) {
            double w_s = naive_omega_s(n, t, h), est = naive_est(n, t, h);
            if (isinf(w_s))
                continue;
            double gain_s = naive_tables.w_s[t] - w_s;
            if (naive_is_least(n, -(naive_difference(n, naive_tables.sl[t], est) + gain_s), &least))
                best = (struct naive_choice){t, h};
        }
    return best;
}

static inline struct naive_choice naive_next_by_eft(struct naive *n, const char *rule)
{
    struct naive_choice best = {-1, -1};
    double least = INFINITY;
    for (int t = 0; t < n->dag->n_tasks; t++) {
        if (!naive_is_ready(n, t))
            continue;
        int h = naive_host_of_least(n, t, naive_eft);
        double first = naive_eft(n, t, h), second = INFINITY, value = first;
        for (int g = 0; g < n->n_hosts; g++)
            second = g == h ? second : fmin(second, naive_eft(n, t, g));
        if (strcmp(rule, "max_min") == 0)
            value = -first;
        if (strcmp(rule, "sufferage") == 0)
            value = -naive_difference(n, second, first);
        if (naive_is_least(n, value, &least))
            best = (struct naive_choice){t, h};
    }
    return best;
}

static inline int naive_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int naive_n_ready(const struct naive *n)
{
    int n_ready = 0;
    for (int t = 0; t < n->dag->n_tasks; t++)
        n_ready += naive_is_ready(n, t);
    return n_ready;
}

static inline double naive_bim_with_queue(struct naive *n, int t, int h)
{
    double queue = fmax((double)naive_n_ready(n) / n->n_hosts - 1, 0), w_s = naive_omega_s(n, t, h);
    return isinf(w_s) ? INFINITY : naive_bim(n, t, h) + w_s * queue;
}

static inline struct naive_choice naive_next_bil(struct naive *n)
{
    int best = -1, n_ready = naive_n_ready(n);
    double least = INFINITY, bim[NAIVE_HOSTS];
    for (int t = 0; t < n->dag->n_tasks; t++) {
        if (!naive_is_ready(n, t))
            continue;
        for (int h = 0; h < n->n_hosts; h++)
            bim[h] = naive_bim(n, t, h);
        qsort(bim, (size_t)n->n_hosts, sizeof bim[0], naive_by_value);
        if (naive_is_least(n, -bim[(n_ready < n->n_hosts ? n_ready : n->n_hosts) - 1], &least))
            best = t;
    }
    return (struct naive_choice){best, naive_host_of_least(n, best, naive_bim_with_queue)};
}

/* ---- lookahead ---- */

/* The child that comes next in the list after place `after`; -1: there are no more. */
static inline int naive_next_child(const struct naive *n, int t, int after)
{
    int best = -1;
    for (int k = 0, e; (e = naive_out(n, t, k)) >= 0; k++) {
        int child = n->dag->edges[e].dst;
        if (n->pos[child] > after && (best < 0 || n->pos[child] < n->pos[best]))
            best = child;
    }
    return best;
}

static inline double naive_look_ahead(struct naive *n, int t, int h)
{
    static struct naive_plan before;
    double latest_s = 0;
    if (isinf(naive_omega_s(n, t, h)))
        return INFINITY;
    naive_copy_plan(n, &before, &n->plan);
    naive_place(n, t, h);
    for (int child, after = -1; (child = naive_next_child(n, t, after)) >= 0; after = n->pos[child]) {
        int host = naive_host_of_least(n, child, naive_eft);
        latest_s = fmax(latest_s, naive_eft(n, child, host));
        naive_place(n, child, host);
    }
    if (naive_out(n, t, 0) < 0)
        latest_s = n->plan.task[t].finish_s;
    naive_copy_plan(n, &n->plan, &before);
    return latest_s;
}

/* ---- priorities ---- */

/* w(t) for other ranks than the mean. */
static inline double naive_figure(const struct naive *n, int t, const char *rank)
{
    double w_s[NAIVE_HOSTS];
    int m = 0;
    for (int h = 0; h < n->n_hosts; h++)
        if (!isinf(naive_omega_s(n, t, h)))
            w_s[m++] = naive_omega_s(n, t, h);
    qsort(w_s, (size_t)m, sizeof w_s[0], naive_by_value);
    if (strcmp(rank, "best") == 0)
        return w_s[0];
    if (strcmp(rank, "worst") == 0)
        return w_s[m - 1];
    return m % 2 ? w_s[m / 2] : (w_s[m / 2] + w_s[m / 2 - 1]) / 2;
}

static inline int naive_descendants(const struct naive *n, int t, bool *is_below)
{
    int m = 0;
    for (int k = 0, e; (e = naive_out(n, t, k)) >= 0; k++) {
        int s = n->dag->edges[e].dst;
        if (is_below[s])
            continue;
        is_below[s] = true;
        m += 1 + naive_descendants(n, s, is_below);
    }
    return m;
}

static inline int naive_list_of_alaps(const struct naive *n, int t, const double *alap, double *out)
{
    bool is_below[NAIVE_TASKS] = {false};
    int m = 0, n_below = naive_descendants(n, t, is_below);
    for (int s = 0; s < n->dag->n_tasks; s++)
        if (is_below[s])
            out[m++] = naive_forty_bits(alap[s]);
    assert(m == n_below);
    (void)n_below;
    qsort(out, (size_t)m, sizeof out[0], naive_by_value);
    return m;
}

/* Whether MCP's list has a before b. */
static inline bool naive_mcp_before(struct naive *n, int a, int b, const double *alap)
{
    double x[NAIVE_TASKS], y[NAIVE_TASKS];
    if (naive_is_chosen_before(alap[a], alap[b], &n->narrowest_level))
        return true;
    if (naive_is_chosen_before(alap[b], alap[a], &n->narrowest_level))
        return false;
    int n_x = naive_list_of_alaps(n, a, alap, x), n_y = naive_list_of_alaps(n, b, alap, y);
    for (int i = 0; i < n_x && i < n_y; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return n_x < n_y;
}

/* key[t]: how many tasks come after t. */
static inline void naive_find_mcp_keys(struct naive *n)
{
    double alap[NAIVE_TASKS], longest = 0;
    for (int t = 0; t < n->dag->n_tasks; t++)
        longest = fmax(longest, naive_tables.bl[t]);
    for (int t = 0; t < n->dag->n_tasks; t++)
        alap[t] = longest - naive_tables.bl[t];
    for (int t = 0; t < n->dag->n_tasks; t++) {
        naive_tables.key[t] = 0;
        for (int u = 0; u < n->dag->n_tasks; u++)
            naive_tables.key[t] += u != t && naive_mcp_before(n, t, u, alap);
    }
}

static inline void naive_find_critical_path(struct naive *n)
{
    struct naive_tables *x = &naive_tables;
    int at = -1;
    for (int t = 0; t < n->dag->n_tasks; t++) {
        x->key[t] = x->tl[t] + x->bl[t];
        x->on_path[t] = false;
    }
    for (int t = 0; t < n->dag->n_tasks; t++)
        if (naive_in(n, t, 0) < 0 && (at < 0 || naive_is_chosen_before(x->key[at], x->key[t], &n->narrowest_level)))
            at = t;
    while (at >= 0) {
        bool is_next[NAIVE_TASKS] = {false};
        x->on_path[at] = true;
        for (int k = 0, e; (e = naive_out(n, at, k)) >= 0; k++)
            is_next[n->dag->edges[e].dst] = true;
        at = -1;
        for (int t = 0; t < n->dag->n_tasks; t++)
            if (is_next[t] && (at < 0 || naive_is_chosen_before(x->key[at], x->key[t], &n->narrowest_level)))
                at = t;
    }
    double least = INFINITY;
    x->path_host = -1;
    for (int h = 0; h < n->n_hosts; h++) {
        double sum_s = 0;
        for (int t = 0; t < n->dag->n_tasks; t++)
            sum_s += x->on_path[t] ? naive_omega_s(n, t, h) : 0;
        if (naive_is_least(n, sum_s, &least))
            x->path_host = h;
    }
}

static inline void naive_find_keys(struct naive *n, const char *rule, const char *text)
{
    struct naive_tables *x = &naive_tables;
    const char *rank = strcmp(rule, "dls") == 0 ? "median" : "mean";
    for (int i = 0; i < 4; i++) {
        static const char *const ranks[] = {"mean", "median", "best", "worst"};
        char wanted[16];
        snprintf(wanted, sizeof wanted, "rank=%s", ranks[i]);
        rank = naive_has(text, wanted) ? ranks[i] : rank;
    }
    for (int t = 0; t < n->dag->n_tasks && strcmp(rank, "mean") != 0; t++)
        x->w_s[t] = naive_figure(n, t, rank);
    naive_find_three_levels(n);
    if (strcmp(rule, "peft") == 0)
        naive_find_ranks(n, 'O');
    if (strstr(rule, "ppts") != NULL)
        naive_find_ranks(n, 'P');
    if (strcmp(rule, "bil") == 0)
        naive_find_ranks(n, 'B');
    for (int t = 0; t < n->dag->n_tasks; t++) {
        int n_out = 0;
        while (naive_out(n, t, n_out) >= 0)
            n_out++;
        x->key[t] = strcmp(rule, "hlfet") == 0                               ? x->sl[t]
                    : strcmp(rule, "peft") == 0 || strcmp(rule, "ppts") == 0 ? x->mean_rank[t]
                    : strcmp(rule, "ippts") == 0                             ? x->mean_rank[t] * (n_out > 0 ? n_out : 1)
                                                                             : x->bl[t];
    }
    if (strcmp(rule, "mcp") == 0)
        naive_find_mcp_keys(n);
    if (strcmp(rule, "cpop") == 0)
        naive_find_critical_path(n);
}

/* ---- the rules ---- */

static inline int naive_next_in_turn(struct naive *n, int t)
{
    int h = naive_tables.next_host;
    while (isinf(naive_omega_s(n, t, h)))
        h = (h + 1) % n->n_hosts;
    naive_tables.next_host = (h + 1) % n->n_hosts;
    return h;
}

static inline int naive_host_by(struct naive *n, const char *rule, int t)
{
    if (strcmp(rule, "hlfet") == 0 || strcmp(rule, "mcp") == 0)
        return naive_host_of_least(n, t, naive_est);
    if (strcmp(rule, "peft") == 0 || strcmp(rule, "ppts") == 0)
        return naive_host_of_least(n, t, naive_eft_and_rank);
    if (strcmp(rule, "ippts") == 0)
        return naive_host_of_least(n, t, naive_eft_and_rest);
    if (strcmp(rule, "lookahead") == 0)
        return naive_host_of_least(n, t, naive_look_ahead);
    if (strcmp(rule, "met") == 0)
        return naive_host_of_least(n, t, naive_time);
    if (strcmp(rule, "olb") == 0)
        return naive_host_of_least(n, t, naive_last_finish);
    if (strcmp(rule, "round_robin") == 0)
        return naive_next_in_turn(n, t);
    if (strcmp(rule, "random") == 0)
        return naive_tables.drawn[t];
    if (strcmp(rule, "cpop") == 0 && naive_tables.on_path[t] && naive_tables.path_host >= 0)
        return naive_tables.path_host;
    return naive_host_of_least(n, t, naive_eft);
}

static inline bool naive_is_any(const char *rule, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(rule, *names) == 0)
            return true;
    return false;
}

static inline struct naive_choice naive_next(struct naive *n, const char *rule)
{
    if (strcmp(rule, "etf") == 0)
        return naive_next_etf(n);
    if (strcmp(rule, "dls") == 0)
        return naive_next_dls(n);
    if (strcmp(rule, "bil") == 0)
        return naive_next_bil(n);
    if (naive_is_any(rule, (const char *const[]){"min_min", "max_min", "sufferage", NULL}))
        return naive_next_by_eft(n, rule);
    bool in_file_order = naive_is_any(rule, (const char *const[]){"mct", "met", "olb", "random", "round_robin", NULL});
    int t = in_file_order ? naive_first_ready(n) : naive_most_urgent(n);
    return (struct naive_choice){t, naive_host_by(n, rule, t)};
}

/* Static lists are made before the first task is placed. */
static inline void naive_find_list(struct naive *n)
{
    for (int i = 0; i < n->dag->n_tasks; i++) {
        n->list[i] = naive_most_urgent(n);
        n->pos[n->list[i]] = i;
    }
}

/* `text`: the scheduler with its own parameters, "heft[rank=best]"; `wish`: model, inserts, compacts, costs_s. `drawn`:
   the hosts of random, else NULL. */
static inline void naive_schedule(struct naive *n, const struct dag *g, const struct machine *m, struct naive_wish wish,
                                  const char *text, const int *drawn)
{
    char rule[32] = "";
    memcpy(rule, text, strcspn(text, "["));
    bool is_static = naive_is_any(rule, (const char *const[]){"heft", "hlfet", "mcp", "lookahead", NULL});
    wish.approach = NAIVE_DIRECT;
    wish.leaves_in_file_order = !is_static;
    naive_begin(n, g, m, wish);
    naive_tables = (struct naive_tables){.drawn = drawn};
    naive_find_costs(n, text);
    naive_find_keys(n, rule, text);
    for (int t = 0; t < g->n_tasks; t++)
        n->pos[t] = -1;
    if (is_static)
        naive_find_list(n);
    for (int i = 0; i < g->n_tasks; i++) {
        struct naive_choice next =
            is_static ? (struct naive_choice){n->list[i], naive_host_by(n, rule, n->list[i])} : naive_next(n, rule);
        n->list[i] = next.task;
        n->pos[next.task] = i;
        naive_place(n, next.task, next.host);
    }
    if (wish.compacts)
        naive_compact(n);
    for (int t = 0; t < g->n_tasks; t++)
        n->plan.length_s = fmax(n->plan.length_s, n->plan.task[t].finish_s);
}

#endif
