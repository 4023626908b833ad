/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second opinion on the physics (doc/model.md, World), written from its rules alone and as plainly as possible: flows
   share links max-min (by progressive filling, with weights), latencies pass first, processors are slowed by the rates.
   Everything is looked at in every step. */
#ifndef IASIM_TEST_ENGINE_NAIVE_FLUID_H
#define IASIM_TEST_ENGINE_NAIVE_FLUID_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FLUID_HOSTS = 40, FLUID_LINKS = 1000, FLUID_PATH = 4 };

/* What a platform may give of traffic in one direction; NAN: not given. The first that is given of duplex_of, duplex
   (both only while the host sends and receives), of and all counts. */
struct fluid_forms {
    double all, of[FLUID_HOSTS]; /* by peer */
    double duplex, duplex_of[FLUID_HOSTS];
};

struct fluid_curve {
    struct fluid_forms gamma, at_bytes_per_s; /* never of both directions at once */
};

struct fluid_host {
    double flop_per_s; /* of a core */
    int n_cores;
    double floor;
    struct fluid_forms ir_send, ir_recv;       /* s/byte */
    struct fluid_forms start_send, start_recv; /* the factor begins at the lowest of those whose data move */
    struct fluid_curve curve_send, curve_recv;
};

enum fluid_kind { FLUID_EXEC, FLUID_FLOW };

struct fluid_item { /* an execution or a flow */
    enum fluid_kind kind;
    int host, dst; /* where; source and destination */
    bool is_unfelt_by_src, is_unfelt_by_dst;
    bool stands_still; /* as if it were not there, with its latency and its bytes as they are */
    int path[FLUID_PATH], n_path;
    double latency_s;         /* still to pass */
    double weight;            /* of a flow: 1 / latency of its route, or 1 */
    double limit_bytes_per_s; /* it never has more; 0: no limit */
    double remaining, rate;   /* flop or bytes; per second */
    int tag;
};

struct fluid {
    struct fluid_host hosts[FLUID_HOSTS];
    double link_bytes_per_s[FLUID_LINKS];
    double link_latency_s[FLUID_LINKS];
    double change_s, ratio; /* a date at which all bandwidths are multiplied by this, once; 0: never */
    int n_hosts, n_links;
    double now_s;
    struct fluid_item *items; /* in progress */
    int n_items, capacity;
};

static inline struct fluid_forms fluid_not_given(void)
{
    struct fluid_forms f = {.all = NAN, .duplex = NAN};
    for (int peer = 0; peer < FLUID_HOSTS; peer++)
        f.of[peer] = f.duplex_of[peer] = NAN;
    return f;
}

static inline struct fluid_host fluid_host_of(double flop_per_s, int n_cores)
{
    struct fluid_forms none = fluid_not_given();
    return (struct fluid_host){flop_per_s, n_cores, 0, none, none, none, none, {none, none}, {none, none}};
}

static inline double fluid_value(const struct fluid_forms *f, int peer, bool is_duplex, double absent)
{
    const double candidates[] = {is_duplex ? f->duplex_of[peer] : NAN, is_duplex ? f->duplex : NAN, f->of[peer],
                                 f->all};
    for (int i = 0; i < 4; i++)
        if (!isnan(candidates[i]))
            return candidates[i];
    return absent;
}

static inline struct fluid_item *fluid_add(struct fluid *f, struct fluid_item item)
{
    if (f->n_items == f->capacity) {
        f->capacity = 2 * f->capacity + 8;
        f->items = realloc(f->items, (size_t)f->capacity * sizeof item);
    }
    item.weight = 1;
    for (int i = 0; i < item.n_path; i++)
        item.latency_s += f->link_latency_s[item.path[i]];
    if (item.latency_s > 0)
        item.weight = 1 / item.latency_s;
    f->items[f->n_items] = item;
    return &f->items[f->n_items++];
}

static inline bool fluid_is_flowing(const struct fluid_item *x)
{
    return x->kind == FLUID_FLOW && x->latency_s <= 0 && !x->stands_still;
}

static inline bool fluid_passes(const struct fluid_item *x, int link)
{
    for (int i = 0; i < x->n_path; i++)
        if (x->path[i] == link)
            return true;
    return false;
}

/* How far the rates of the flows not yet fixed can rise, per weight, until this link is full. */
static inline double fluid_level(const struct fluid *f, int link, const bool *is_fixed)
{
    double left = f->link_bytes_per_s[link], weight = 0;
    for (int i = 0; i < f->n_items; i++) {
        const struct fluid_item *x = &f->items[i];
        if (!fluid_is_flowing(x) || !fluid_passes(x, link))
            continue;
        if (is_fixed[i])
            left -= x->rate;
        else
            weight += x->weight;
    }
    return weight > 0 ? fmax(left, 0) / weight : INFINITY;
}

/* Of the flows not yet fixed, the one that is the first to have all that it may have; -1: none may not have it all. */
static inline int fluid_first_limited(const struct fluid *f, const bool *is_fixed, double *level)
{
    int first = -1;
    for (int i = 0; i < f->n_items; i++) {
        const struct fluid_item *x = &f->items[i];
        bool may = !is_fixed[i] && fluid_is_flowing(x) && x->limit_bytes_per_s > 0;
        if (may && (first < 0 || x->limit_bytes_per_s / x->weight < *level)) {
            first = i;
            *level = x->limit_bytes_per_s / x->weight;
        }
    }
    return first;
}

static inline void fluid_share_links(struct fluid *f)
{
    bool *is_fixed = calloc((size_t)f->n_items + 1, sizeof *is_fixed);
    for (;;) {
        double least = INFINITY;
        int narrowest = -1;
        for (int l = 0; l < f->n_links; l++) {
            double level = fluid_level(f, l, is_fixed);
            if (level < least) {
                least = level;
                narrowest = l;
            }
        }
        double limited_level = INFINITY;
        int limited = fluid_first_limited(f, is_fixed, &limited_level);
        if (limited >= 0 && limited_level < least) {
            f->items[limited].rate = f->items[limited].limit_bytes_per_s;
            is_fixed[limited] = true;
            continue;
        }
        if (narrowest < 0)
            break;
        for (int i = 0; i < f->n_items; i++) {
            struct fluid_item *x = &f->items[i];
            if (!is_fixed[i] && fluid_is_flowing(x) && fluid_passes(x, narrowest)) {
                x->rate = least * x->weight;
                is_fixed[i] = true;
            }
        }
    }
    free(is_fixed);
}

static inline bool fluid_is_duplex(const struct fluid *f, int h)
{
    bool sends = false, receives = false;
    for (int i = 0; i < f->n_items; i++) {
        const struct fluid_item *x = &f->items[i];
        bool moves = fluid_is_flowing(x) && x->rate > 0;
        sends = sends || (moves && x->host == h && !x->is_unfelt_by_src);
        receives = receives || (moves && x->dst == h && !x->is_unfelt_by_dst);
    }
    return sends && receives;
}

/* Of the line at its rate, as much as (rate / its rate) to the power of gamma says. */
static inline double fluid_cost(const struct fluid_forms *ir, const struct fluid_curve *c, int peer, bool is_duplex,
                                double rate)
{
    double gamma = fluid_value(&c->gamma, peer, false, 1), at = fluid_value(&c->at_bytes_per_s, peer, false, 1e6);
    return fluid_value(ir, peer, is_duplex, 0) * at * exp(gamma * log(rate / at));
}

static inline double fluid_factor(const struct fluid *f, int h)
{
    const struct fluid_host *host = &f->hosts[h];
    bool is_duplex = fluid_is_duplex(f, h);
    double start = INFINITY, taken = 0;
    for (int i = 0; i < f->n_items; i++) {
        const struct fluid_item *x = &f->items[i];
        if (!fluid_is_flowing(x) || x->rate <= 0)
            continue;
        if (x->host == h && !x->is_unfelt_by_src) {
            taken += fluid_cost(&host->ir_send, &host->curve_send, x->dst, is_duplex, x->rate);
            start = fmin(start, fluid_value(&host->start_send, x->dst, is_duplex, 1));
        }
        if (x->dst == h && !x->is_unfelt_by_dst) {
            taken += fluid_cost(&host->ir_recv, &host->curve_recv, x->host, is_duplex, x->rate);
            start = fmin(start, fluid_value(&host->start_recv, x->host, is_duplex, 1));
        }
    }
    return fmin(1, fmax(host->floor, (isinf(start) ? 1 : start) - taken));
}

static inline void fluid_share_processors(struct fluid *f)
{
    for (int h = 0; h < f->n_hosts; h++) {
        int n = 0;
        for (int i = 0; i < f->n_items; i++)
            n += f->items[i].kind == FLUID_EXEC && f->items[i].host == h;
        double share = fmin(1, (double)f->hosts[h].n_cores / fmax(n, 1));
        double rate = n > 0 ? fluid_factor(f, h) * f->hosts[h].flop_per_s * share : 0;
        for (int i = 0; i < f->n_items; i++)
            if (f->items[i].kind == FLUID_EXEC && f->items[i].host == h)
                f->items[i].rate = rate;
    }
}

static inline void fluid_solve(struct fluid *f)
{
    if (f->change_s > 0 && f->now_s >= f->change_s) {
        for (int l = 0; l < f->n_links; l++)
            f->link_bytes_per_s[l] *= f->ratio;
        f->change_s = 0;
    }
    for (int i = 0; i < f->n_items; i++)
        f->items[i].rate = 0;
    fluid_share_links(f);
    fluid_share_processors(f);
}

static inline double fluid_time_left_s(const struct fluid_item *x)
{
    if (x->stands_still)
        return INFINITY;
    if (x->latency_s > 0)
        return x->latency_s;
    if (x->remaining <= 0)
        return 0;
    return x->rate > 0 ? x->remaining / x->rate : INFINITY;
}

/* Time until something ends, with the rates of the last solution; INFINITY: never. */
static inline double fluid_next_s(const struct fluid *f)
{
    double next_s = f->change_s > f->now_s ? f->change_s - f->now_s : INFINITY;
    for (int i = 0; i < f->n_items; i++)
        next_s = fmin(next_s, fluid_time_left_s(&f->items[i]));
    return next_s;
}

/* Lets time pass, no farther than to the next end. What ends within rounding of it ends there. */
static inline void fluid_advance(struct fluid *f, double passed_s)
{
    for (int i = 0; i < f->n_items; i++) {
        struct fluid_item *x = &f->items[i];
        if (x->stands_still)
            continue;
        bool ends = fluid_time_left_s(x) <= passed_s + 1e-12 * f->now_s;
        if (x->latency_s > 0)
            x->latency_s = ends ? 0 : x->latency_s - passed_s;
        else
            x->remaining = ends ? 0 : x->remaining - x->rate * passed_s;
    }
    f->now_s += passed_s;
}

/* Takes out one that is over: its tag, or -1 if there is none. */
static inline int fluid_take_ended(struct fluid *f)
{
    for (int i = 0; i < f->n_items; i++)
        if (f->items[i].latency_s <= 0 && f->items[i].remaining <= 0) {
            int tag = f->items[i].tag;
            f->n_items--;
            for (int j = i; j < f->n_items; j++)
                f->items[j] = f->items[j + 1];
            return tag;
        }
    return -1;
}

#endif
