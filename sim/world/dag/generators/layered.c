/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random graphs by levels in the manner of daggen [Suter 2013], with an exact definition of each parameter:

       level 0   o o o o      every task below has one parent in the level directly above it, so its level is its
       level 1   o o o        depth; its further parents are any tasks of the `jump` levels above it
       level 2   o o o o o

   Time: linear in tasks and edges. */
#include "dag/generators/build.h"

#include "base/mem.h"

#include <stdlib.h>

static const struct param params[] = {
    {"tasks", PARAM_INTEGER, "tasks", "100", 1, BUILD_MAX_TASKS, NULL, "number of tasks"},
    {"width", PARAM_INTEGER, "tasks", "10", 1, BUILD_MAX_TASKS, NULL, "mean number of tasks of a level"},
    {"regularity", PARAM_NUMBER, "", "0.5", 0, 1, NULL,
     "the size of a level is drawn uniformly between regularity * width (at least 1) and (2 - regularity) * width; "
     "the last level has the remaining tasks"},
    {"density", PARAM_NUMBER, "", "0.3", 0, 1, NULL,
     "mean share of the tasks in the `jump` levels above that become parents of a task, in addition to its one parent "
     "in the level directly above; 0: no others, 1: all"},
    {"jump", PARAM_INTEGER, "levels", "1", 1, 1000000, NULL, "the most levels that an edge spans"},
    BUILD_COST_PARAMS("0.5"),
};

struct plan {
    struct dag *dag;
    struct random_stream *random;
    double density;
    long jump;
    int *level_start; /* the tasks of level l are level_start[l] to level_start[l + 1] - 1 */
    int n_levels;
    int *parents, n_parents; /* of one task */
    /* 0 at first, which no chooser has: task 0 is in level 0, and that has no parents. */
    int *chosen_by; /* [task]: the last task that chose it as its parent */
};

static enum err_code check(const struct param_set *ps, struct err *e)
{
    double n = (double)param_integer(ps, "tasks"), width = (double)param_integer(ps, "width");
    double above = width * (double)param_integer(ps, "jump"); /* tasks that may be parents */
    /* No level could have the mean width. */
    if (width > n)
        return err_set(e, ERR_INPUT, "generator layered: width is %.0f tasks, but the graph has only %.0f", width, n);
    above = above < n ? above : n;
    /* The expected number of edges. The graph may have a few more; add_edges checks the limit again. */
    return build_check_size("layered", n, n > width ? (n - width) * (1 + param_number(ps, "density") * (above - 1)) : 0,
                            e);
}

static void plan_levels(struct plan *p, const struct param_set *ps)
{
    int n = (int)param_integer(ps, "tasks"), width = (int)param_integer(ps, "width");
    int spread = (int)((1 - param_number(ps, "regularity")) * width + 0.5);
    size_t capacity = 0;
    for (int start = 0; start < n;) {
        /* Symmetric about the width, so its mean is the width. */
        int size = width - spread + (int)random_below(p->random, 2 * (uint64_t)spread + 1);
        MEM_GROW(p->level_start, p->n_levels + 1, capacity);
        p->level_start[p->n_levels++] = start;
        size = size > 1 ? size : 1;
        start += size < n - start ? size : n - start;
    }
    p->level_start[p->n_levels] = n;
}

/* Drawn uniformly from the widest interval around density * n_candidates that stays between 0 and n_candidates. A
   fraction is rounded up or down at random, with itself as the probability. */
static int draw_further(const struct plan *p, int n_candidates)
{
    double mean = p->density * n_candidates, half = mean < n_candidates - mean ? mean : n_candidates - mean;
    double amount = mean + half * (2 * random_unit(p->random) - 1);
    int whole = (int)amount;
    whole += random_unit(p->random) < amount - whole;
    return whole < n_candidates ? whole : n_candidates;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void choose(struct plan *p, int task, int parent)
{
    p->chosen_by[parent] = task;
    p->parents[p->n_parents++] = parent;
}

/* Floyd's algorithm [Bentley 1987] for a sample of k different candidates: the tasks from `first` on, without the
   parent that is already chosen. */
static void choose_further(struct plan *p, int task, int first, int n_candidates, int k)
{
    int already = p->parents[0];
    /* Candidates are numbered without the parent already chosen: numbers from it on move up by one. */
    for (int last = n_candidates - k; last < n_candidates; last++) {
        int a = first + (int)random_below(p->random, (uint64_t)last + 1), b = first + last;
        a += a >= already;
        b += b >= already;
        /* Floyd: a number already taken is replaced by the last one of this round, which cannot have been taken. No
           memory but the marks, and time k, not n_candidates. */
        choose(p, task, p->chosen_by[a] == task ? b : a);
    }
}

static void choose_parents(struct plan *p, int level, int task)
{
    int first = p->level_start[level > p->jump ? level - p->jump : 0];
    int above = p->level_start[level - 1], here = p->level_start[level];
    p->n_parents = 0;
    choose(p, task, above + (int)random_below(p->random, (uint64_t)(here - above)));
    int n_candidates = here - first - 1;
    choose_further(p, task, first, n_candidates, draw_further(p, n_candidates));
    /* In the order of tasks, so the edges do not show in which order they were drawn. */
    qsort(p->parents, (size_t)p->n_parents, sizeof p->parents[0], by_number);
}

static enum err_code add_edges(struct plan *p, struct err *e)
{
    for (int level = 1; level < p->n_levels; level++)
        for (int t = p->level_start[level]; t < p->level_start[level + 1]; t++) {
            choose_parents(p, level, t);
            if (p->n_parents > BUILD_MAX_EDGES - p->dag->n_edges)
                return build_check_size("layered", 0, (double)p->dag->n_edges + p->n_parents, e);
            for (int i = 0; i < p->n_parents; i++)
                build_edge(p->dag, p->parents[i], t, 1);
        }
    return ERR_NONE;
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    size_t n = (size_t)param_integer(ps, "tasks");
    struct plan p = {.dag = out,
                     .random = random,
                     .density = param_number(ps, "density"),
                     .jump = param_integer(ps, "jump"),
                     .parents = mem_alloc(n * sizeof p.parents[0]),
                     .chosen_by = mem_zalloc(n, sizeof p.chosen_by[0])};
    plan_levels(&p, ps);
    for (int level = 0; level < p.n_levels; level++)
        for (int t = p.level_start[level]; t < p.level_start[level + 1]; t++)
            build_task(out, 1, "task_%d_%d", level, t - p.level_start[level]);
    enum err_code code = add_edges(&p, e);
    if (code == ERR_NONE)
        build_costs(out, ps, random);
    free(p.level_start);
    free(p.parents);
    free(p.chosen_by);
    return code;
}

extern const struct dag_generator dag_generator_layered;
const struct dag_generator dag_generator_layered = {
    .name = "layered",
    .summary = "random, level by level: task_LEVEL_NUMBER",
    .source = "after daggen [Suter 2013]",
    .params = params,
    .check = check,
    .generate = generate,
};
