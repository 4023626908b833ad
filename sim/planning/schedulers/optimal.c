/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Branch and bound over all schedules that `check` accepts: all hosts of all tasks, and all orders on all processors and
   links. It begins with the best schedule of other schedulers, looks for one that ends earlier, and proves that there is
   none ([Shahul 2010] searches best first under `classic`).

   Earlier means by more than one part in 10^12: what is proved optimal is so to this tolerance. Any valid schedule can be
   made semi-active without becoming longer: it keeps all orders, and every date becomes the earliest that they allow (gap
   elimination). So it is enough to try all hosts and all orders, under every belief. How, and what may be left out, is said in
   the files of the searches. */
#include "schedulers/optimal.h"

#include "plan/bounds.h"
#include "schedulers/parts.h"

#include <stdlib.h>

static const double tolerance_ratio = 1e-12;

static const struct param params[] = {
    {"seeds", PARAM_TEXT, "",
     "portfolio+list[technique=insertion]+list[approach=entering]+list[minimize=finish]+dls+etf+lookahead+bil", 0, 0,
     NULL, "schedulers whose best schedule is the first, separated by +"},
    {"nodes", PARAM_INTEGER, "", "2000000", 1, 1e15, NULL,
     "ends the search after so many steps; by default it takes a minute or two at most"},
    SEARCH_PARAM_SECONDS,
    {0},
};

extern const struct scheduler scheduler_optimal;

/* ---- the best so far ---- */

static void set_best(struct hunt *x)
{
    x->best_s = schedule_length_s(x->best);
    x->deadline_s = x->best_s * (1 - tolerance_ratio);
}

static void keep_shorter(struct schedule *best, struct schedule *other)
{
    if (schedule_length_s(other) < schedule_length_s(best)) {
        struct schedule longer = *best;
        *best = *other;
        *other = longer;
    }
    schedule_clear(other);
}

void hunt_found(struct hunt *x, struct schedule *found)
{
    if (schedule_compact(found, NULL) == ERR_NONE) {
        keep_shorter(x->best, found);
    } else { /* items that are lost in their dates stand in a circle: nothing is proved */
        schedule_clear(found);
        x->n_left = 0;
    }
    set_best(x);
}

/* ---- before the search ---- */

/* The latest deadline that heads, tails and loads refute, to a few last bits. */
static double refuted_s(const struct facts *f, double low_s, double high_s)
{
    enum { N_HALVINGS = 60 };
    struct levels l;
    levels_init(&l, f);
    for (int i = 0; i < N_HALVINGS && low_s < high_s; i++) {
        double middle_s = low_s + (high_s - low_s) / 2;
        memcpy(l.hosts, f->may_run, (size_t)f->n_tasks * sizeof *l.hosts);
        if (levels_narrow(&l, middle_s))
            high_s = middle_s;
        else
            low_s = middle_s;
    }
    levels_clear(&l);
    return low_s;
}

/* Whether it has been seen to the end that no schedule ends by the deadline. */
static bool is_refuted(struct hunt *x, double deadline_s, uint64_t n_steps)
{
    x->deadline_s = deadline_s;
    x->n_left = n_steps;
    optimal_search(x);
    return !x->search.is_over && x->n_left > 0;
}

/* Short searches for earlier deadlines, which are easier to refute: each raises the bound, finds a schedule, or shows nothing.
   They matter when the long search is not finished. */
static void narrow_gap(struct hunt *x)
{
    enum { N_SEARCHES = 8, N_STEPS = 2000 };
    double low_s = x->bound_s, high_s = x->best_s;
    for (int i = 0; i < N_SEARCHES && low_s < x->best_s * (1 - tolerance_ratio) && !x->search.is_over; i++) {
        double deadline_s = low_s + (high_s - low_s) / 2, before_s = x->best_s;
        bool refuted = is_refuted(x, deadline_s, N_STEPS);
        if (refuted)
            low_s = x->best_s < before_s ? x->best_s : deadline_s;
        else
            high_s = fmin(deadline_s, x->best_s);
        x->bound_s = low_s;
    }
}

static void search(struct hunt *x)
{
    x->bound_s = fmin(x->best_s, refuted_s(x->facts, x->bound_s, x->best_s));
    narrow_gap(x);
    set_best(x);
    if (x->bound_s > x->deadline_s || is_refuted(x, x->deadline_s, UINT64_MAX))
        x->bound_s = x->best_s;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    struct facts f;
    struct hunt x = {.facts = &f, .best = out};
    const struct core_call call = {"optimal", p, ps, in, out, e};
    schedule_clear(out); /* empty until a seed is planned */
    enum err_code code = parts_plan(&scheduler_optimal, &call, parts_keep_shorter, out);
    if (code != ERR_NONE)
        return code;
    set_best(&x);
    x.bound_s = fmin(x.best_s, problem_communication_bound_s(p));
    search_begin(&x.search, "nodes", (uint64_t)param_integer(ps, "nodes"), ps, in);
    if (facts_init(&f, p)) {
        if (orders_most_items(&f) <= OPTIMAL_MAX_ITEMS)
            search(&x);
        facts_clear(&f);
    }
    out->lower_bound_s = fmin(x.bound_s, x.best_s);
    return ERR_NONE;
}

const struct scheduler scheduler_optimal = {
    .name = "optimal",
    .summary = "a shortest schedule, with proof: branch and bound over all hosts and all orders; for small graphs",
    .source = "Shahul, Sinnen, J. Supercomput. 51(3), 2010; [S] 8.10",
    .params = params,
    .parts = "seeds",
    .plan = plan,
};
