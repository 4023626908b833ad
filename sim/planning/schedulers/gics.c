/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GICS, genetic involvement-contention scheduling ([S] 8.4.2, after Algorithm 20 of 6.5; [Sinnen 2006]): a chromosome
   is the allocation of the tasks to hosts, and its fitness is the length of the schedule that one pass of list
   scheduling makes with it, in the order of decreasing bottom levels, which is determined once. The first pool has the
   sequential allocation on every host that is the best for some task, the allocations of `list` and of the seeds, and
   random ones.

   The chapter calls the other components fairly standard and states none. Here: the pool is sorted by fitness. Two
   parents are chosen, each the better of two members drawn; the child takes the hosts of a stretch of the list from one
   and the rest from the other; then some tasks move, most of them to the host of a task with which they exchange data.
   A child that was evaluated before is no use (without a memory, more than a third are): its tasks move until it is
   new. The child replaces the worst member if it is better. So the best is never lost, and an evaluation may end as
   soon as it is not better than the worst.

   Not to lose against `list` or a seed, their schedules are kept too: a pass with their allocations may make longer
   ones, because they need not place tasks in the order of bottom levels.

   It ends early if the schedule is as short as a lower bound, or if nothing new is found. Time: one pass (pass.h) for
   each evaluation. */
#include "base/mem.h"
#include "base/random.h"
#include "plan/bounds.h"
#include "schedulers/parts.h"
#include "schedulers/pass.h"
#include "schedulers/priority.h"
#include "schedulers/search.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"population", PARAM_INTEGER, "allocations", "50", 2, 1e6, NULL, "size of the pool"},
    {"generations", PARAM_INTEGER, "", "200", 0, 1e9, NULL,
     "the search ends after the first pool and this many times `population` children"},
    {"evaluations", PARAM_INTEGER, "", NULL, 1, 1e15, NULL, "the search ends after this many allocations, if earlier"},
    SEARCH_PARAM_SECONDS,
    {"crossover", PARAM_NUMBER, "", "0.8", 0, 1, NULL, "probability that a child has two parents, not one"},
    {"mutation", PARAM_NUMBER, "tasks", "1", 0, 1e9, NULL, "mean number of tasks of a child that move to another host"},
    {"approach", PARAM_CHOICE, "", "alloc1", 0, 0, APPROACH_CHOICES,
     "when an edge is booked on source, links and destination"},
    {"seeds", PARAM_TEXT, "", NULL, 0, 0, NULL,
     "schedulers whose allocations join the first pool, separated by +: heft+peft; the result is not longer than "
     "theirs"},
    {"seed", PARAM_INTEGER, "", "1", 0, 1e15, NULL, "seed of the random numbers"},
    CORE_PARAMS("insertion"),
    {0},
};

struct member {
    double length_s; /* rounded, since it chooses */
    host_id *hosts;  /* [task] */
};

enum { N_SEEN = 1 << 16, MOST_TRIES = 1000 };

struct gics {
    const struct problem *problem;
    size_t n_tasks;
    const task_id *list;
    struct pass *pass;
    struct search search;
    struct random_stream random;
    struct member *pool; /* by length, among equals by age; behind the members there is room for a child */
    size_t population, n_members;
    double crossover_ratio, mutation_ratio; /* probabilities: that a child has two parents; that a task moves */
    double bound_s;                         /* no schedule is shorter */
    uint64_t
        *seen; /* [N_SEEN]: hashes of evaluated allocations, each in a place of its own until another one takes it */
    struct schedule kept; /* the shortest of `list` and the seeds; empty: none yet */
};

/* ---- the pool ---- */

static host_id *child_of(struct gics *x)
{
    return x->pool[x->n_members].hosts;
}

static double best_s(const struct gics *x)
{
    double kept_s = x->kept.tasks != NULL ? choose_rounded(schedule_length_s(&x->kept)) : INFINITY;
    return x->n_members > 0 ? fmin(x->pool[0].length_s, kept_s) : kept_s;
}

/* Notes that the child is going to be evaluated; false if it was before. */
static bool is_new(struct gics *x)
{
    uint64_t hash = 0;
    for (size_t t = 0; t < x->n_tasks; t++) {
        hash = (hash ^ (uint64_t)child_of(x)[t]) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        hash ^= hash >> 32;
    }
    uint64_t *place = &x->seen[hash % N_SEEN];
    bool is_new = *place != hash;
    *place = hash;
    return is_new;
}

/* Puts the child into the pool; behind a full one there is then what was its worst. */
static void add_child(struct gics *x, double length_s)
{
    size_t at = x->n_members;
    x->pool[at].length_s = length_s;
    for (; at > 0 && x->pool[at - 1].length_s > length_s; at--) {
        struct member longer = x->pool[at - 1];
        x->pool[at - 1] = x->pool[at];
        x->pool[at] = longer;
    }
    x->n_members += x->n_members < x->population;
}

/* Evaluates the child, which is new; false when the search is over. */
static bool evaluate(struct gics *x)
{
    bool is_full = x->n_members == x->population;
    double worst_s = is_full ? x->pool[x->n_members - 1].length_s : INFINITY;
    if (best_s(x) <= x->bound_s || !search_step(&x->search, best_s(x), x->bound_s))
        return false;
    double length_s = choose_rounded(pass_length_below_s(x->pass, child_of(x), worst_s));
    if (length_s < worst_s)
        add_child(x, length_s);
    return true;
}

/* ---- hosts ---- */

static host_id best_host(const struct gics *x, task_id t)
{
    struct best best = BEST_NONE;
    for (host_id h = 0; h < (host_id)x->problem->machine->n_hosts; h++)
        best_offer(&best, problem_compute_s(x->problem, t, h), t, h);
    return best.host;
}

static host_id random_host(struct gics *x, task_id t)
{
    host_id h;
    do
        h = (host_id)random_below(&x->random, x->problem->machine->n_hosts);
    while (!problem_may_run(x->problem, t, h));
    return h;
}

/* The host of a task that sends data to `t` or gets data from it. */
static host_id near_host(struct gics *x, task_id t)
{
    const struct dag *g = x->problem->dag;
    int n_in = g->in_start[t + 1] - g->in_start[t], n_out = g->out_start[t + 1] - g->out_start[t];
    if (n_in + n_out == 0)
        return random_host(x, t);
    int i = (int)random_below(&x->random, (uint64_t)(n_in + n_out));
    task_id other =
        i < n_in ? g->edges[g->in[g->in_start[t] + i]].src : g->edges[g->out[g->out_start[t] + i - n_in]].dst;
    host_id h = child_of(x)[other];
    return problem_may_run(x->problem, t, h) ? h : random_host(x, t);
}

static void move(struct gics *x, task_id t)
{
    child_of(x)[t] = random_below(&x->random, 4) > 0 ? near_host(x, t) : random_host(x, t);
}

/* ---- the first pool ---- */

/* False when the search is over. */
static bool try_first(struct gics *x)
{
    return !is_new(x) || evaluate(x);
}

static void try_sequential(struct gics *x, host_id h)
{
    for (task_id t = 0; t < x->problem->dag->n_tasks; t++)
        child_of(x)[t] = problem_may_run(x->problem, t, h) ? h : best_host(x, t);
    try_first(x);
}

/* First the host on which all tasks together take the least time, so that no end comes before it. */
static void try_sequential_hosts(struct gics *x)
{
    host_id first;
    size_t n_hosts = x->problem->machine->n_hosts;
    bool *is_best = mem_zalloc(n_hosts, sizeof *is_best);
    for (task_id t = 0; t < x->problem->dag->n_tasks; t++)
        is_best[best_host(x, t)] = true;
    problem_sequential_s(x->problem, &first);
    if (first >= 0)
        try_sequential(x, first);
    for (host_id h = 0; h < (host_id)n_hosts; h++)
        if (is_best[h] && h != first)
            try_sequential(x, h);
    free(is_best);
}

/* The allocation joins the pool, and the schedule is kept if it is the shortest. */
static void take_schedule(void *self, struct schedule *made)
{
    struct gics *x = self;
    for (size_t t = 0; t < x->n_tasks; t++)
        child_of(x)[t] = made->tasks[t].host;
    core_keep_shorter(&x->kept, made);
    try_first(x);
}

static enum err_code try_list(struct gics *x, struct err *e)
{
    struct scheduler_choice list;
    struct schedule made;
    enum err_code code = scheduler_choose("list", &list, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&list, x->problem, NULL, &made, e);
    if (code == ERR_NONE)
        take_schedule(x, &made);
    scheduler_choice_clear(&list);
    return code;
}

extern const struct scheduler scheduler_gics;

static enum err_code fill_pool(struct gics *x, const struct core_call *call)
{
    try_sequential_hosts(x);
    enum err_code code = try_list(x, call->e);
    if (code == ERR_NONE)
        code = parts_plan(&scheduler_gics, call, take_schedule, x);
    bool is_going_on = code == ERR_NONE;
    for (size_t i = x->n_members; i < x->population && is_going_on; i++) {
        for (size_t t = 0; t < x->n_tasks; t++)
            child_of(x)[t] = random_host(x, (task_id)t);
        is_going_on = try_first(x);
    }
    return code;
}

/* ---- children ---- */

static const host_id *choose_parent(struct gics *x)
{
    size_t a = random_below(&x->random, x->n_members), b = random_below(&x->random, x->n_members);
    return x->pool[a < b ? a : b].hosts;
}

/* Two points of the list; tasks that are placed one after the other keep their hosts together. */
static void cross(struct gics *x, const host_id *other)
{
    size_t from = random_below(&x->random, x->n_tasks), n = random_below(&x->random, x->n_tasks);
    for (size_t i = 0; i < n; i++) {
        task_id t = x->list[(from + i) % x->n_tasks];
        child_of(x)[t] = other[t];
    }
}

static void mutate(struct gics *x)
{
    for (size_t t = 0; t < x->n_tasks; t++)
        if (random_unit(&x->random) < x->mutation_ratio)
            move(x, (task_id)t);
}

/* False if no new child is found. */
static bool make_child(struct gics *x)
{
    int n_tries = 0;
    memcpy(child_of(x), choose_parent(x), x->n_tasks * sizeof(host_id));
    if (random_unit(&x->random) < x->crossover_ratio)
        cross(x, choose_parent(x));
    mutate(x);
    while (!is_new(x) && ++n_tries < MOST_TRIES)
        move(x, (task_id)random_below(&x->random, x->n_tasks));
    return n_tries < MOST_TRIES;
}

/* ---- planning ---- */

static uint64_t most_evaluations(const struct param_set *ps)
{
    uint64_t population = (uint64_t)param_integer(ps, "population"), n;
    n = population * (1 + (uint64_t)param_integer(ps, "generations"));
    if (param_has(ps, "evaluations") && (uint64_t)param_integer(ps, "evaluations") < n)
        n = (uint64_t)param_integer(ps, "evaluations");
    return n;
}

static void gics_init(struct gics *x, const struct problem *p, const struct param_set *ps,
                      const struct scheduler_inputs *in, const struct draft_options *how)
{
    *x = (struct gics){.problem = p, .n_tasks = (size_t)p->dag->n_tasks, .list = how->list};
    x->pass = pass_create(p, how);
    x->population = (size_t)param_integer(ps, "population");
    x->crossover_ratio = param_number(ps, "crossover");
    x->mutation_ratio = param_number(ps, "mutation") / (double)x->n_tasks;
    x->bound_s = choose_rounded(problem_communication_bound_s(p));
    x->seen = mem_zalloc(N_SEEN, sizeof *x->seen);
    x->pool = mem_alloc((x->population + 1) * sizeof *x->pool);
    for (size_t i = 0; i <= x->population; i++)
        x->pool[i].hosts = mem_zalloc(x->n_tasks, sizeof(host_id));
    random_init(&x->random, (uint64_t)param_integer(ps, "seed"), 0);
    search_begin(&x->search, "evaluations", most_evaluations(ps), ps, in);
}

static void gics_clear(struct gics *x)
{
    for (size_t i = 0; i <= x->population; i++)
        free(x->pool[i].hosts);
    free(x->pool);
    free(x->seen);
    pass_free(x->pass);
    schedule_clear(&x->kept);
}

/* The schedule of the best allocation, or the one kept if that is shorter. If the search ended before its first
   evaluation, the best is the last allocation that was to be evaluated. */
static enum err_code write_best(struct gics *x, bool is_compact, struct schedule *out, struct err *e)
{
    pass_write(x->pass, x->pool[0].hosts, out);
    enum err_code code = is_compact ? schedule_compact(out, e) : ERR_NONE;
    core_keep_shorter(out, &x->kept);
    return code;
}

static enum err_code search(struct gics *x, const struct core_call *call)
{
    enum err_code code = fill_pool(x, call);
    if (code != ERR_NONE)
        return code;
    while (x->n_members > 0 && make_child(x) && evaluate(x))
        ;
    return write_best(x, param_is_on(call->params, "compact"), call->out, call->e);
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"gics", p, ps, in, out, e};
    struct gics x;
    if (core_refuse_inputs("gics", in, e) != ERR_NONE || core_refuse_aligned("gics", p, e) != ERR_NONE)
        return ERR_INPUT;
    task_id *list = priority_list(p, "bottom_level");
    bool is_end = strcmp(param_text(ps, "technique"), "end") == 0;
    const struct draft_options how = {.technique = is_end ? TECHNIQUE_END : TECHNIQUE_INSERTION,
                                      .approach = draft_approach(param_text(ps, "approach")),
                                      .list = list};
    gics_init(&x, p, ps, in, &how);
    enum err_code code = search(&x, &call);
    gics_clear(&x);
    free(list);
    return code;
}

const struct scheduler scheduler_gics = {
    .name = "gics",
    .summary = "GICS: a genetic algorithm over the allocations of tasks to hosts; list scheduling evaluates them",
    .source = "[S] 8.4.2; Sinnen, Sousa, Sandnes, IEEE TPDS 17(3), 2006",
    .params = params,
    .parts = "seeds",
    .plan = plan,
};
