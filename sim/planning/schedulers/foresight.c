/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Foresight: our answer to the question that ends [S] 8.4.3. List scheduling places a task without regard to the
   messages that will leave it, and under involvement these cost its processor as much as computing does. Only the whole
   schedule shows what a host costs, so here whole schedules decide:

   1. Starts. The best schedulers that make one pass plan: `list` in many variants, HEFT, PEFT, DLS, edge zeroing,
      `sequential` and others; up to MOST_TASKS_ALL tasks then all variants of all of them (variants.h), which give up
      when they see that they will not be shorter. The shortest schedule is kept, so the result is never longer than
      theirs.
   2. Descent. A solution is an allocation and a list; its length is that of one alloc1 pass with insertion
      (solution.h). It begins with the start that is shortest when it is passed so, in the order of bottom levels or
      of its own dates. A step changes one thing: a task moves to another host, preferably one that has a predecessor
      or a successor; with it a group of connected neighbours on the same host, mostly a small one, so that their
      messages need not cross; two tasks exchange hosts; or a task moves in the list. A change stays if the schedule
      does not become longer.
   3. The shorter of the two schedules is the result.

   Time: 130 to 280 times that of `list` with default parameters for 100 tasks on 8 hosts, less than 30 times above
   MOST_TASKS_EZ. The descent ends after a number of placed tasks, not by the clock, so the same input gives the same
   bytes. */
#include "base/mem.h"
#include "base/random.h"
#include "plan/bounds.h"
#include "schedulers/parts.h"
#include "schedulers/priority.h"
#include "schedulers/search.h"
#include "schedulers/solution.h"
#include "schedulers/variants.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"starts", PARAM_TEXT, "", NULL, 0, 0, NULL,
     "the schedulers that plan first, separated by +: heft+sequential; the result is not longer than theirs; default: "
     "all that make one pass up to 250 tasks, above the best of them"},
    {"evaluations", PARAM_INTEGER, "", NULL, 1, 1e15, NULL,
     "the search ends after this many starts and changes; default: as many as take about 200 times the time of list, "
     "or 30 above 2,000 tasks, unless `seconds` is given"},
    SEARCH_PARAM_SECONDS,
    {"seed", PARAM_INTEGER, "", "1", 0, 1e15, NULL, "seed of the random numbers"},
    {0},
};

extern const struct scheduler scheduler_foresight;

struct foresight {
    const struct problem *problem;
    const struct scheduler_inputs *in;
    int n_tasks;
    host_id n_hosts;
    struct search search;
    struct random_stream random;
    struct solution *solution;
    double current_s, bound_s; /* of the solution; no schedule is shorter */
    double n_placed, most_placed;
    struct schedule kept; /* the shortest of the starts */
    task_id *list;        /* of the solution that is best so far */
    host_id *host;
    task_id *group;            /* that moves together */
    double best_s, shortest_s; /* of it; of it and what is kept */
};

static bool is_going_on(struct foresight *x)
{
    return choose_rounded(x->shortest_s) > x->bound_s && x->n_placed < x->most_placed &&
           search_step(&x->search, x->shortest_s, x->bound_s);
}

static void remember(struct foresight *x, double length_s)
{
    x->best_s = length_s;
    x->shortest_s = fmin(x->shortest_s, length_s);
    memcpy(x->list, solution_list(x->solution), (size_t)x->n_tasks * sizeof *x->list);
    memcpy(x->host, solution_allocation(x->solution), (size_t)x->n_tasks * sizeof *x->host);
}

/* ---- how much time ---- */

/* Each of these is the only shortest one for some graphs; the first N_FEW most often. */
static const char *const cheap[] = {"heft",
                                    "list[technique=insertion]",
                                    "sequential",
                                    "list",
                                    "list[minimize=finish]",
                                    "lc[map=comm]",
                                    "peft",
                                    "list[technique=insertion,priority=computation_bottom_level]",
                                    "list[technique=insertion,minimize=finish,priority=computation_bottom_level]",
                                    "list[priority=computation_bottom_level]",
                                    "list[technique=insertion,priority=t_plus_b_level]",
                                    "list[technique=insertion,priority=top_level]",
                                    "list[technique=insertion,approach=entering,minimize=finish]",
                                    "list[technique=insertion,approach=entering,minimize=finish,"
                                    "priority=computation_bottom_level]",
                                    "ez",
                                    "ez[map=comm]"};
static const char *const costly[] = {"dls",
                                     "dls[technique=insertion]",
                                     "etf[technique=insertion]",
                                     "sufferage",
                                     "sufferage[technique=insertion]",
                                     "min_min",
                                     "bil",
                                     "lookahead"};
enum { N_CHEAP = sizeof cheap / sizeof cheap[0], N_COSTLY = sizeof costly / sizeof costly[0], N_FEW = 6 };

/* What is tried by default, in times of `list` as measured under involvement. Up to MOST_TASKS_ALL tasks everything
   that makes one pass, which takes 100 to 200 of them, then a descent. Above MOST_TASKS_EZ all together takes less than
   30: few starts, the first of the table, and a short descent. */
struct budget {
    bool has_all;    /* all variants of all schedulers that make one pass */
    bool has_costly; /* starts that try all ready tasks, or all successors on all hosts */
    size_t n_cheap;  /* starts of the table */
    double n_passes; /* of the descent */
};
enum { MOST_TASKS_ALL = 250, MOST_TASKS_EZ = 2000 };
enum { CHEAP_STARTS = 50, MOST_FOR_STARTS = 120, MOST_FOR_ALL = 130, FEW_STARTS = 18, MOST_FOR_LARGE = 22 };

static int n_levels_of(const struct dag *g)
{
    int *level = mem_zalloc((size_t)g->n_tasks, sizeof *level), n_levels = 1;
    for (int k = 0; k < g->n_tasks; k++)
        for (int i = g->out_start[g->order[k]]; i < g->out_start[g->order[k] + 1]; i++) {
            task_id dst = g->edges[g->out[i]].dst;
            level[dst] = level[g->order[k]] + 1 > level[dst] ? level[g->order[k]] + 1 : level[dst];
            n_levels = level[dst] + 1 > n_levels ? level[dst] + 1 : n_levels;
        }
    free(level);
    return n_levels;
}

static struct budget budget_of(const struct problem *p)
{
    double n_tasks = p->dag->n_tasks, n_hosts = (double)p->machine->n_hosts, n_edges = p->dag->n_edges / n_tasks;
    double all_starts = 10 + 1.1 * n_hosts * n_edges + 5.5 * n_tasks / n_levels_of(p->dag);
    double pass = (1.4 + n_edges) / (22 + 2.75 * n_hosts) * fmax(1, sqrt(sqrt(n_tasks / 100)));
    if (n_tasks > MOST_TASKS_EZ)
        return (struct budget){false, false, N_FEW, (MOST_FOR_LARGE - FEW_STARTS) / pass};
    bool has_costly = all_starts <= MOST_FOR_STARTS;
    double n_passes = (MOST_FOR_ALL - (has_costly ? all_starts : CHEAP_STARTS)) / pass;
    return (struct budget){n_tasks <= MOST_TASKS_ALL, has_costly, N_CHEAP, n_passes};
}

/* ---- starts ---- */

static void try_list(struct foresight *x, const task_id *list, const struct schedule *start)
{
    host_id *allocation = mem_alloc((size_t)x->n_tasks * sizeof *allocation);
    for (task_id t = 0; t < x->n_tasks; t++)
        allocation[t] = start->tasks[t].host;
    solution_set(x->solution, list, allocation);
    free(allocation);
    double length_s = solution_length_below_s(x->solution, x->best_s, NULL);
    if (choose_rounded(length_s) < choose_rounded(x->best_s))
        remember(x, length_s);
}

static void try_start(struct foresight *x, struct schedule *start, const task_id *bottom_levels)
{
    double *value = mem_alloc((size_t)x->n_tasks * sizeof *value);
    for (task_id t = 0; t < x->n_tasks; t++)
        value[t] = -start->tasks[t].span.start_s;
    task_id *by_start = priority_list_of(x->problem->dag, value);
    try_list(x, bottom_levels, start);
    try_list(x, by_start, start);
    core_keep_shorter(&x->kept, start);
    x->shortest_s = fmin(x->shortest_s, schedule_length_s(&x->kept));
    free(by_start);
    free(value);
}

/* Under a limit only a shorter schedule is a start. Where messages cost processors nothing, involvement must find the
   schedule of contention, but a variant gives up later under it: so a longer one that was finished must not count. */
static bool is_start(const struct schedule *s, const struct scheduler_limit *limit)
{
    return limit == NULL || choose_rounded(schedule_length_s(s)) < choose_rounded(limit->length_s);
}

static enum err_code try_scheduler(struct foresight *x, const struct scheduler_choice *choice,
                                   const struct scheduler_limit *limit, const task_id *bottom_levels, struct err *e)
{
    struct schedule start;
    const struct scheduler_inputs in = {.watch = x->in->watch, .limit = limit};
    enum err_code code = scheduler_plan(choice, x->problem, &in, &start, e);
    if (code != ERR_NONE)
        return code;
    if (is_start(&start, limit))
        try_start(x, &start, bottom_levels);
    else
        schedule_clear(&start);
    return ERR_NONE;
}

static enum err_code try_starts(struct foresight *x, const struct scheduler_choice *starts, size_t n_starts,
                                struct err *e)
{
    task_id *bottom_levels = priority_list(x->problem, "bottom_level");
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < n_starts && code == ERR_NONE && (is_going_on(x) || x->kept.tasks == NULL); i++)
        if (!parts_leave_out(starts, n_starts, i, x->problem))
            code = try_scheduler(x, &starts[i], NULL, bottom_levels, e);
    free(bottom_levels);
    return code;
}

static bool has_been_tried(const char *text, const struct scheduler_choice *starts, size_t n_starts)
{
    for (size_t i = 0; i < n_starts; i++)
        if (strcmp(starts[i].text, text) == 0)
            return true;
    return false;
}

static enum err_code try_variant(struct foresight *x, const char *text, const struct scheduler_limit *limit,
                                 const task_id *bottom_levels, struct err *e)
{
    struct scheduler_choice choice;
    enum err_code code = scheduler_choose(text, &choice, e);
    if (code != ERR_NONE)
        return code;
    struct err said = {0};
    code = try_scheduler(x, &choice, limit, bottom_levels, &said);
    scheduler_choice_clear(&choice);
    if (code != ERR_NONE && code != ERR_NO)
        *e = said;
    return code == ERR_NO ? ERR_NONE : code;
}

/* All other variants: one that is shorter becomes a start like those before. They give up as soon as they will not
   be. */
static enum err_code try_variants(struct foresight *x, const struct scheduler_choice *starts, size_t n_starts,
                                  struct err *e)
{
    size_t n;
    char **texts = variants_of_one_pass(x->problem, &n);
    task_id *bottom_levels = priority_list(x->problem, "bottom_level");
    double *after_s = mem_alloc((size_t)x->n_tasks * sizeof *after_s);
    enum err_code code = ERR_NONE;
    problem_least_after_s(x->problem, after_s);
    for (size_t i = 0; i < n && code == ERR_NONE; i++) {
        const struct scheduler_limit limit = {x->shortest_s, after_s};
        if (!has_been_tried(texts[i], starts, n_starts) && is_going_on(x))
            code = try_variant(x, texts[i], &limit, bottom_levels, e);
    }
    free(after_s);
    free(bottom_levels);
    variants_free(texts, n);
    return code;
}

static enum err_code choose_all(const char *const *texts, size_t n_texts, struct scheduler_choice *out, size_t *n,
                                struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < n_texts && code == ERR_NONE; i++) {
        code = scheduler_choose(texts[i], &out[*n], e);
        *n += code == ERR_NONE;
    }
    return code;
}

static enum err_code choose_starts(const struct param_set *ps, const struct budget *b, struct scheduler_choice **out,
                                   size_t *n, struct err *e)
{
    *n = 0;
    if (param_has(ps, "starts"))
        return scheduler_choose_parts(&scheduler_foresight, ps, out, n, e);
    *out = mem_zalloc(N_CHEAP + N_COSTLY, sizeof **out);
    enum err_code code = choose_all(cheap, b->n_cheap, *out, n, e);
    return code == ERR_NONE && b->has_costly ? choose_all(costly, N_COSTLY, *out, n, e) : code;
}

/* ---- changes ---- */

static int draw(struct foresight *x, int n)
{
    return (int)random_below(&x->random, (uint64_t)n);
}

/* A host other than its own: with nine chances in ten that of a neighbour, if there is one elsewhere. */
static host_id draw_host(struct foresight *x, task_id t)
{
    const struct dag *g = x->problem->dag;
    const host_id *host = solution_allocation(x->solution);
    int n_in = g->in_start[t + 1] - g->in_start[t], n_out = g->out_start[t + 1] - g->out_start[t];
    if (n_in + n_out > 0 && draw(x, 10) > 0) {
        int i = draw(x, n_in + n_out);
        task_id other =
            i < n_in ? g->edges[g->in[g->in_start[t] + i]].src : g->edges[g->out[g->out_start[t] + i - n_in]].dst;
        if (host[other] != host[t])
            return host[other];
    }
    host_id h = draw(x, x->n_hosts - 1);
    return h + (h >= host[t]);
}

/* Whether `t` now belongs to the group that moves. */
static bool join(struct foresight *x, int n, task_id t, host_id from, host_id to)
{
    if (solution_allocation(x->solution)[t] != from || !problem_may_run(x->problem, t, to))
        return false;
    solution_move(x->solution, t, to);
    x->group[n] = t;
    return true;
}

/* After a task has moved: its neighbours that it left behind, their neighbours, and so on. The size is drawn with about
   the same chance for each doubling, so small groups are frequent and very large ones possible. */
static void move_group(struct foresight *x, task_id first, host_id from, host_id to)
{
    const struct dag *g = x->problem->dag;
    int n_doublings = 1, n = 1;
    while (2 << n_doublings <= x->n_tasks)
        n_doublings++;
    int size = 1 << draw(x, n_doublings);
    size += 1 + draw(x, size);
    x->group[0] = first;
    for (int k = 0; k < n && n < size; k++) {
        task_id t = x->group[k];
        for (int i = g->in_start[t]; i < g->in_start[t + 1] && n < size; i++)
            n += join(x, n, g->edges[g->in[i]].src, from, to);
        for (int i = g->out_start[t]; i < g->out_start[t + 1] && n < size; i++)
            n += join(x, n, g->edges[g->out[i]].dst, from, to);
    }
}

/* After a task has moved: one of those that were there takes its place. */
static void move_back_another(struct foresight *x, task_id first, host_id from, host_id to)
{
    task_id other = -1;
    int n = 0;
    for (task_id t = 0; t < x->n_tasks; t++)
        if (t != first && solution_allocation(x->solution)[t] == to && draw(x, ++n) == 0)
            other = t;
    if (other >= 0 && problem_may_run(x->problem, other, from))
        solution_move(x->solution, other, from);
}

/* Returns whether there is a change. */
static bool change_hosts(struct foresight *x, task_id t)
{
    if (x->n_hosts == 1)
        return false;
    host_id from = solution_allocation(x->solution)[t], to = draw_host(x, t);
    if (!problem_may_run(x->problem, t, to))
        return false;
    solution_move(x->solution, t, to);
    int kind = draw(x, 10);
    if (kind < 1)
        move_back_another(x, t, from, to);
    else if (kind < 5)
        move_group(x, t, from, to);
    return true;
}

static bool change_place(struct foresight *x, task_id t)
{
    int first, last;
    solution_range(x->solution, t, &first, &last);
    if (first == last)
        return false;
    int to = first + draw(x, last - first);
    solution_shift(x->solution, t, to + (to >= solution_place(x->solution, t)));
    return true;
}

/* The change stays if the schedule is not longer. */
static void judge(struct foresight *x)
{
    int n_placed;
    double length_s = solution_length_below_s(x->solution, x->current_s, &n_placed);
    x->n_placed += n_placed;
    if (isinf(length_s)) {
        solution_take_back(x->solution);
        return;
    }
    solution_keep(x->solution);
    x->current_s = length_s;
    if (choose_rounded(length_s) < choose_rounded(x->best_s))
        remember(x, length_s);
}

static void descend(struct foresight *x)
{
    solution_set(x->solution, x->list, x->host);
    x->current_s = x->best_s;
    while (is_going_on(x)) {
        task_id t = draw(x, x->n_tasks);
        x->n_placed += 5; /* what a change costs without a pass */
        if (draw(x, 10) == 0 ? change_place(x, t) : change_hosts(x, t))
            judge(x);
    }
}

/* ---- planning ---- */

static void foresight_init(struct foresight *x, const struct problem *p, const struct param_set *ps,
                           const struct scheduler_inputs *in, double n_passes)
{
    size_t n = (size_t)p->dag->n_tasks;
    bool is_limited = param_has(ps, "evaluations");
    *x = (struct foresight){.problem = p,
                            .in = in,
                            .n_tasks = p->dag->n_tasks,
                            .n_hosts = (host_id)p->machine->n_hosts,
                            .best_s = INFINITY,
                            .shortest_s = INFINITY,
                            .most_placed =
                                is_limited || param_has(ps, "seconds") ? INFINITY : n_passes * p->dag->n_tasks};
    x->solution = solution_create(p);
    x->bound_s = choose_rounded(problem_communication_bound_s(p));
    x->list = mem_alloc(n * sizeof *x->list);
    x->host = mem_alloc(n * sizeof *x->host);
    x->group = mem_alloc(n * sizeof *x->group);
    random_init(&x->random, (uint64_t)param_integer(ps, "seed"), 0);
    search_begin(&x->search, "evaluations", is_limited ? (uint64_t)param_integer(ps, "evaluations") : 0, ps, in);
}

static void foresight_clear(struct foresight *x)
{
    solution_free(x->solution);
    schedule_clear(&x->kept);
    free(x->group);
    free(x->host);
    free(x->list);
}

static void write_best(struct foresight *x, struct schedule *out)
{
    solution_set(x->solution, x->list, x->host);
    solution_write(x->solution, out);
    core_keep_shorter(out, &x->kept);
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    struct scheduler_choice *starts;
    size_t n_starts;
    struct foresight x;
    struct budget budget = budget_of(p);
    if (core_refuse_inputs("foresight", in, e) != ERR_NONE || core_refuse_aligned("foresight", p, e) != ERR_NONE)
        return ERR_INPUT;
    enum err_code code = choose_starts(ps, &budget, &starts, &n_starts, e);
    if (code != ERR_NONE)
        return code;
    foresight_init(&x, p, ps, in, budget.n_passes);
    code = try_starts(&x, starts, n_starts, e);
    if (code == ERR_NONE && budget.has_all && !param_has(ps, "starts"))
        code = try_variants(&x, starts, n_starts, e);
    if (code == ERR_NONE) {
        descend(&x);
        write_best(&x, out);
    }
    foresight_clear(&x);
    scheduler_clear_parts(starts, n_starts);
    return code;
}

const struct scheduler scheduler_foresight = {
    .name = "foresight",
    .summary =
        "the shortest of all one-pass schedules, then a descent by whole schedules; about 200 times the time of list",
    .source = "iasim, in answer to [S] 8.4.3",
    .params = params,
    .parts = "starts",
    .plan = plan,
};
