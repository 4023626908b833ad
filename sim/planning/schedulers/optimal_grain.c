/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The number of which all dates of a problem are multiples, if there is one: the greatest common divisor of all that
   takes time. Semi-active schedules have no other dates, so a bound may be rounded up to it: 30 tasks of whole seconds
   on 4 hosts whose work is 202 cannot end at 50.5.

   Times are quotients and have last bits, so the divisor is found and checked with a tolerance. A path adds at most
   some thousand times, of which each misses a multiple by at most `missed_ratio`. */
#include "schedulers/optimal.h"

#include <math.h>

static const double missed_ratio = 1e-8, smallest_ratio = 1e-6;
static const double most_times = 1e6; /* more would take too long to look at */

struct grain {
    double s, longest_s;
    bool is_checked, is_none;
};

static double divisor_s(double a, double b, double nothing)
{
    while (b > nothing) {
        double rest = fmod(a, b);
        a = b;
        b = b - rest < nothing ? 0 : rest;
    }
    return a;
}

static void take(struct grain *g, double time_s)
{
    double x = fabs(time_s);
    if (x == 0 || g->is_none)
        return;
    if (g->is_checked) {
        g->is_none = fabs(x / g->s - round(x / g->s)) > missed_ratio;
        return;
    }
    g->longest_s = fmax(g->longest_s, x);
    g->s = divisor_s(fmax(x, g->s), fmin(x, g->s), smallest_ratio / 2 * g->longest_s);
    g->is_none = g->s < smallest_ratio * g->longest_s;
}

static void take_end(struct grain *g, struct cost_end end)
{
    take(g, end.overhead_s);
    take(g, end.involvement_s);
    take(g, end.port_s);
    take(g, end.port_before_s);
}

static void take_edge(struct grain *g, const struct problem *p, edge_id e, host_id src, host_id dst)
{
    struct facts_passage x = facts_passage(p, e, src, dst);
    take_end(g, x.send);
    take_end(g, x.recv);
    take(g, x.lag_s);
    for (size_t k = 0; k < x.n_links; k++) {
        const struct link *l = &p->machine->links[x.links[k]];
        take(g, p->dag->edges[e].size_bytes / l->bandwidth_bytes_per_s);
        take(g, l->latency_s);
    }
}

static void take_all(struct grain *g, const struct problem *p)
{
    host_id n_hosts = (host_id)p->machine->n_hosts;
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        for (host_id h = 0; h < n_hosts; h++)
            if (problem_may_run(p, t, h))
                take(g, problem_compute_s(p, t, h));
    for (edge_id e = 0; e < p->dag->n_edges && !g->is_none; e++)
        for (host_id src = 0; src < n_hosts; src++)
            for (host_id dst = 0; dst < n_hosts; dst++)
                if (src != dst)
                    take_edge(g, p, e, src, dst);
}

double optimal_grain_s(const struct problem *p)
{
    struct grain g = {0, 0, false, false};
    double n_hosts = (double)p->machine->n_hosts;
    if (p->dag->n_edges * n_hosts * n_hosts + p->dag->n_tasks * n_hosts > most_times)
        return 0;
    take_all(&g, p);
    if (g.is_none || g.s == 0)
        return 0;
    g.s = g.longest_s / round(g.longest_s / g.s); /* the longest has the fewest errors for its size */
    g.is_checked = true;
    take_all(&g, p);
    return g.is_none ? 0 : g.s;
}

double optimal_round_up_s(double bound_s, double grain_s)
{
    const double slack = 1e-3; /* what a long path may miss, in multiples */
    return grain_s > 0 ? fmax(bound_s, ceil(bound_s / grain_s - slack) * grain_s) : bound_s;
}
