/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rate of each link and the speed factor of each host. What changes several times at one date is written once: when
   a flow ends, many others may change, and each change passes through here.

   Cost: that of the changes, not of the links; a large machine may have many that never carry anything. */
#include "base/mem.h"
#include "report/trace_format.h"

#include <math.h>
#include <stdlib.h>

struct counter {
    enum trace_what what;
    int at;
    double now, written; /* written: NAN at first */
    int n_on;            /* of a link: transfers with a rate */
    bool has_changed;
};

struct trace_counters {
    struct counter *list; /* of hosts, then of links */
    size_t n_hosts, n;
    int *changed, n_changed;
};

struct trace_counters *trace_counters_create(size_t n_hosts, size_t n_links)
{
    struct trace_counters *x = mem_zalloc(1, sizeof *x);
    x->n_hosts = n_hosts;
    x->n = n_hosts + n_links;
    x->list = mem_zalloc(x->n + 1, sizeof *x->list);
    x->changed = mem_zalloc(x->n + 1, sizeof *x->changed);
    for (size_t i = 0; i < x->n; i++) {
        bool is_host = i < n_hosts;
        x->list[i] = (struct counter){
            .what = is_host ? TRACE_FACTOR : TRACE_RATE, .at = (int)(is_host ? i : i - n_hosts), .written = NAN};
    }
    return x;
}

void trace_counters_free(struct trace_counters *x)
{
    if (x == NULL)
        return;
    free(x->list);
    free(x->changed);
    free(x);
}

/* Once on the list, however often it changes. */
static struct counter *mark(struct trace_counters *x, size_t i)
{
    if (!x->list[i].has_changed)
        x->changed[x->n_changed++] = (int)i;
    x->list[i].has_changed = true;
    return &x->list[i];
}

void trace_counters_set_factor(struct trace_counters *x, int host, double factor_ratio)
{
    mark(x, (size_t)host)->now = factor_ratio;
}

void trace_counters_change_rate(struct trace_counters *x, link_id l, double before_bytes_per_s, double bytes_per_s)
{
    /* A link's rate is a sum that is kept up by differences, because a link may carry many transfers. */
    struct counter *c = mark(x, x->n_hosts + (size_t)l);
    c->n_on += (bytes_per_s > 0) - (before_bytes_per_s > 0);
    c->now = c->n_on == 0 ? 0 : fmax(0, c->now + (bytes_per_s - before_bytes_per_s)); /* no rounding stays behind */
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* By number, so the order within a date does not depend on which change came first. */
void trace_counters_put(struct trace_counters *x, double date_s, struct trace *t)
{
    if (x->n_changed > 1)
        qsort(x->changed, (size_t)x->n_changed, sizeof *x->changed, compare_ints);
    for (int i = 0; i < x->n_changed; i++) {
        struct counter *c = &x->list[x->changed[i]];
        c->has_changed = false;
        /* Changed and changed back, or without a limit: neither JSON nor Paje has a number for infinity. */
        if (c->now == c->written || !isfinite(c->now))
            continue;
        c->written = c->now;
        trace_put(t, &(struct trace_event){date_s, c->what, TRACE_HAS_CHANGED, c->at, .peer = -1, .key = -1,
                                           .value = c->now});
    }
    x->n_changed = 0;
}
