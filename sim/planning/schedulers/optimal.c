/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Branch and bound over all schedules that `check` accepts: all hosts of all tasks, and all orders on all processors
   and links. It begins with the best schedule of other schedulers, looks for one that ends earlier, and proves that
   there is none ([Shahul 2010] searches best first under `classic`).

   Earlier means by more than one part in 10^12: what is proved optimal is so to this tolerance. Any valid schedule can
   be made semi-active without becoming longer: it keeps all orders, and every date becomes the earliest that they allow
   (gap elimination). So it is enough to try all hosts and all orders, under every belief. How, and what may be left
   out, is said in the files of the searches. */
#include "schedulers/optimal.h"

#include "base/mem.h"
#include "plan/bounds.h"
#include "schedulers/parts.h"

#include <inttypes.h>
#include <stdlib.h>

static const double tolerance_ratio = 1e-12;

static const struct param params[] = {
    {"seeds", PARAM_TEXT, "", "foresight+gics", 0, 0, NULL,
     "schedulers whose best schedule is the first, separated by +; the result is not longer than theirs"},
    {"nodes", PARAM_INTEGER, "", "2000000", 1, 1e15, NULL,
     "ends the search after so many steps; by default it takes a minute or two at most"},
    SEARCH_PARAM_SECONDS,
    {0},
};

extern const struct scheduler scheduler_optimal;

/* ---- the best so far ---- */

/* With a grain no schedule can end between best_s - grain_s and best_s: half of it is safe from rounding on both
   sides. */
static void set_best(struct hunt *x)
{
    x->best_s = schedule_length_s(x->best);
    x->deadline_s = x->grain_s > 0 ? x->best_s - x->grain_s / 2 : x->best_s * (1 - tolerance_ratio);
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

/* Short searches for earlier deadlines, which are easier to refute: each raises the bound, finds a schedule, or shows
   nothing. They matter when the long search is not finished. */
static void narrow_gap(struct hunt *x)
{
    enum { N_SEARCHES = 8, N_STEPS = 2000 };
    double low_s = x->bound_s, high_s = x->best_s;
    for (int i = 0; i < N_SEARCHES && low_s < x->best_s * (1 - tolerance_ratio) && !x->search.is_over; i++) {
        double deadline_s = low_s + (high_s - low_s) / 2, before_s = x->best_s;
        bool refuted = is_refuted(x, deadline_s, N_STEPS);
        if (refuted)
            low_s = x->best_s < before_s ? x->best_s : fmin(optimal_round_up_s(deadline_s, x->grain_s), x->best_s);
        else
            high_s = fmin(deadline_s, x->best_s);
        x->bound_s = low_s;
    }
}

static void search(struct hunt *x)
{
    x->bound_s = refuted_s(x->facts, x->bound_s, x->best_s);
    x->bound_s = fmin(x->best_s, optimal_round_up_s(x->bound_s, x->grain_s));
    narrow_gap(x);
    set_best(x);
    if (x->bound_s > x->deadline_s || is_refuted(x, x->deadline_s, UINT64_MAX))
        x->bound_s = x->best_s;
}

/* A graph that is too large for the search: as many steps of foresight as its nodes would place tasks. */
static enum err_code search_without_proof(struct hunt *x, const struct core_call *call)
{
    const struct problem *p = call->problem;
    uint64_t n_steps = 1 + (uint64_t)param_integer(call->params, "nodes") / (uint64_t)p->dag->n_tasks;
    char *text = param_has(call->params, "seconds")
                     ? mem_format("foresight[seconds=%.17g]", param_number(call->params, "seconds"))
                     : mem_format("foresight[evaluations=%" PRIu64 "]", n_steps);
    struct scheduler_choice choice;
    struct schedule made;
    enum err_code code = scheduler_choose(text, &choice, call->e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, p, call->in, &made, call->e);
    scheduler_choice_clear(&choice);
    if (code == ERR_NONE)
        core_keep_shorter(x->best, &made);
    free(text);
    return code;
}

static bool is_proved(const struct hunt *x)
{
    return x->bound_s > x->deadline_s;
}

static char *describe(const struct hunt *x, bool was_searched)
{
    int n_tasks = x->best->problem.dag->n_tasks;
    if (is_proved(x))
        return NULL;
    if (n_tasks > OPTIMAL_MAX_TASKS)
        return mem_format("not proved: %d tasks are too many for the search of all schedules, which takes %d; "
                          "foresight searched longer instead",
                          n_tasks, OPTIMAL_MAX_TASKS);
    if (!was_searched)
        return mem_strdup("not proved: there are too many hosts or messages for the search of all schedules; "
                          "foresight searched longer instead");
    if (x->search.is_stopped)
        return mem_strdup("not proved: the search was stopped before its end");
    return mem_format("not proved: the search ended after %" PRIu64 " nodes", x->search.n_steps);
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    struct facts f;
    struct hunt x = {.facts = &f, .best = out};
    const struct core_call call = {"optimal", p, ps, in, out, e};
    schedule_clear(out); /* empty until a seed is planned */
    if (core_refuse_aligned("optimal", p, e) != ERR_NONE)
        return ERR_INPUT;
    enum err_code code = parts_plan(&scheduler_optimal, &call, parts_keep_shorter, out);
    if (code != ERR_NONE)
        return code;
    x.grain_s = optimal_grain_s(p);
    set_best(&x);
    x.bound_s = fmin(x.best_s, optimal_round_up_s(problem_communication_bound_s(p), x.grain_s));
    search_begin(&x.search, "nodes", (uint64_t)param_integer(ps, "nodes"), ps, in);
    bool has_facts = facts_init(&f, p), is_small = has_facts && orders_most_items(&f) <= OPTIMAL_MAX_ITEMS;
    if (is_small && !is_proved(&x))
        search(&x);
    else if (!is_small && !is_proved(&x))
        code = search_without_proof(&x, &call);
    if (has_facts)
        facts_clear(&f);
    if (code != ERR_NONE)
        return code;
    set_best(&x);
    out->lower_bound_s = is_proved(&x) ? x.best_s : fmin(x.bound_s, x.best_s);
    out->note = describe(&x, is_small);
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
