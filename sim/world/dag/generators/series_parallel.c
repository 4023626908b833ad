/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random two-terminal series-parallel graphs [Valdes 1982], built by the recursion that defines them. A
   block of n tasks lies between two others, a and z:

       0 tasks    an edge from a to z
       series     a block, one task m, a block:  a --block-- m --block-- z
       parallel   several blocks, each of one task or more, all between a and z

   A branch of a parallel block is not itself parallel (that would only add a branch). Time: linear in tasks. */
#include "dag/generators/build.h"

#include "base/mem.h"

#include <stdlib.h>

enum { MOST_BRANCHES = 100 };

static const struct param params[] = {
    {"tasks", PARAM_INTEGER, "tasks", "100", 2, BUILD_MAX_TASKS, NULL,
     "number of tasks, including the first and the last, between which all others lie"},
    {"parallel", PARAM_NUMBER, "", "0.5", 0, 1, NULL,
     "probability that two or more tasks between two others are in parallel rather than in series; 0: a chain"},
    {"branches", PARAM_INTEGER, "", "4", 2, MOST_BRANCHES, NULL,
     "the most parallel branches; their number is drawn uniformly from 2 to this, and all divisions of the tasks among "
     "them are equally likely"},
    BUILD_COST_PARAMS("0.5"),
};

/* A step that remains to be done. Places number the tasks before they are ordered: 0 is the first task, 1 the last. */
struct step {
    int n_tasks; /* of a block; -1: the step ranks the task `from` */
    int from, to;
    int is_branch;
};

struct builder {
    struct random_stream *random;
    double parallel;
    int most_branches;
    struct step *steps; /* a stack: the last one is next */
    size_t n_steps, steps_capacity;
    int *rank, n_ranked, n_places; /* [place] */
    int (*edges)[2];
    int n_edges;
    size_t edges_capacity;
};

static void push(struct builder *b, struct step s)
{
    MEM_GROW(b->steps, b->n_steps, b->steps_capacity);
    b->steps[b->n_steps++] = s;
}

static void add_edge(struct builder *b, int from, int to)
{
    MEM_GROW(b->edges, b->n_edges, b->edges_capacity);
    b->edges[b->n_edges][0] = from;
    b->edges[b->n_edges++][1] = to;
}

/* The left block, the task and the right block are done in this order, so each task comes after its predecessors.
   They are pushed in reverse. A stack in place of recursion: a chain of ten million tasks is as deep as it is long. */
static void in_series(struct builder *b, struct step block)
{
    int middle = b->n_places++, left = (int)random_below(b->random, (uint64_t)block.n_tasks);
    push(b, (struct step){block.n_tasks - 1 - left, middle, block.to, 0});
    push(b, (struct step){-1, middle, middle, 0});
    push(b, (struct step){left, block.from, middle, 0});
}

static int by_number(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

/* n - 1 different numbers from 1 to total - 1 in order (Floyd's algorithm [Bentley 1987]), with 0 before and total
   after them. */
static void draw_cuts(struct random_stream *random, int total, int n, int *cuts)
{
    cuts[0] = 0;
    for (int i = 1, last = total - n + 1; i < n; i++, last++) {
        int cut = 1 + (int)random_below(random, (uint64_t)last), is_new = 1;
        for (int j = 1; j < i; j++)
            /* At most 100 cuts, so comparing each with each is fast enough. */
            is_new &= cuts[j] != cut;
        cuts[i] = is_new ? cut : last;
    }
    qsort(cuts + 1, (size_t)n - 1, sizeof cuts[0], by_number);
    cuts[n] = total;
}

static void in_parallel(struct builder *b, struct step block)
{
    int cuts[MOST_BRANCHES + 1];
    /* Each branch has at least one task, so there cannot be more branches than tasks. */
    int most = b->most_branches < block.n_tasks ? b->most_branches : block.n_tasks;
    int n = 2 + (int)random_below(b->random, (uint64_t)most - 1);
    draw_cuts(b->random, block.n_tasks, n, cuts);
    /* From the last branch to the first, so the first is on top of the stack and gets the lowest ranks. */
    for (int i = n - 1; i >= 0; i--)
        push(b, (struct step){cuts[i + 1] - cuts[i], block.from, block.to, 1});
}

static void take_step(struct builder *b)
{
    struct step s = b->steps[--b->n_steps];
    if (s.n_tasks < 0)
        b->rank[s.from] = b->n_ranked++;
    else if (s.n_tasks == 0)
        add_edge(b, s.from, s.to);
    else if (s.n_tasks > 1 && !s.is_branch && random_unit(b->random) < b->parallel)
        in_parallel(b, s);
    else
        in_series(b, s);
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e; /* a series-parallel graph has less than twice as many edges as tasks */
    int n = (int)param_integer(ps, "tasks");
    struct builder b = {.random = random,
                        .parallel = param_number(ps, "parallel"),
                        .most_branches = (int)param_integer(ps, "branches"),
                        .rank = mem_alloc((size_t)n * sizeof b.rank[0]),
                        .n_places = 2};
    push(&b, (struct step){-1, 1, 1, 0});
    push(&b, (struct step){n - 2, 0, 1, 0});
    push(&b, (struct step){-1, 0, 0, 0});
    while (b.n_steps > 0)
        take_step(&b);
    for (int i = 0; i < n; i++)
        /* Now every place has its rank: tasks are created in that order, and edges translated. */
        build_task(out, 1, "task_%d", i);
    for (int k = 0; k < b.n_edges; k++)
        build_edge(out, b.rank[b.edges[k][0]], b.rank[b.edges[k][1]], 1);
    build_costs(out, ps, random);
    free(b.steps);
    free(b.rank);
    free(b.edges);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_series_parallel;
const struct dag_generator dag_generator_series_parallel = {
    .name = "series_parallel",
    .summary = "random, two-terminal series-parallel",
    .source = "[Valdes 1982]",
    .params = params,
    .generate = generate,
};
