/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What edges between groups cost at least, against all divisions of small graphs. */
#include "dag/split.h"

#include "base/random.h"
#include "check.h"
#include "dag_text.h"

#include <math.h>

enum { MOST = 7 };

/* Costs are the sizes of the edges. */
static void split(const struct dag *g, struct dag_parts *parts, double *sum)
{
    double *cost = mem_zalloc((size_t)g->n_edges + 1, sizeof *cost);
    for (edge_id e = 0; e < g->n_edges; e++)
        cost[e] = g->edges[e].size_bytes;
    edge_id *falling = dag_edges_by_falling_cost(g, cost);
    for (int i = 1; i < g->n_edges; i++)
        CHECK(cost[falling[i - 1]] >= cost[falling[i]]);
    dag_split_costs(g, cost, falling, parts, sum);
    free(falling);
    free(cost);
}

static void check_split(const char *graph, const double *want)
{
    struct dag g = dag_from_text(graph);
    struct dag_parts parts = {0};
    double sum[MOST + 1];
    dag_parts_begin(&parts, g.n_tasks);
    split(&g, &parts, sum);
    for (int k = 1; k <= g.n_tasks; k++)
        CHECK_CLOSE(sum[k], want[k - 1], 0);
    dag_parts_clear(&parts);
    dag_clear(&g);
}

static void trees_are_cut_where_they_are_cheapest(void)
{
    check_split("a:1", (double[]){0});
    check_split("a:1 b:1 c:1", (double[]){0, 0, 0});
    check_split("a:1 b:1 c:1 d:1 | a>b:5 b>c:2 b>d:3", (double[]){0, 2, 5, 10});
    check_split("a:1 b:1 c:1 d:1 e:1 | a>b:5 b>c:2 d>e:3", (double[]){0, 0, 2, 5, 10});
}

/* Circles could not be cut so cheaply: (1 + 2) and 7, 2. */
static void with_circles_it_is_a_lower_bound(void)
{
    check_split("a:1 b:1 c:1 d:1 | a>b:4 b>c:1 c>d:2 a>d:8", (double[]){0, 2, 6, 15});
    check_split("a:1 b:1 c:1 | a>b:1 b>c:1 a>c:1", (double[]){0, 1, 3});
}

/* Two forests: a>b, b>c, c>d, and a>c, b>d, a>d. */
static void several_forests_are_added(void)
{
    check_split("a:1 b:1 c:1 d:1 | a>b:6 b>c:5 c>d:4 a>c:3 b>d:2 a>d:1", (double[]){0, 5, 12, 21});
}

static void parts_stay_together(void)
{
    struct dag g = dag_from_text("a:1 b:1 c:1 d:1 | a>b:1 b>c:2 c>d:4 a>d:8");
    struct dag_parts parts = {0};
    double sum[5];
    dag_parts_begin(&parts, 4);
    dag_parts_join(&parts, 0, 1);
    dag_parts_join(&parts, 1, 0);
    CHECK_INT(parts.n, 3);
    CHECK_INT(dag_parts_root(&parts, 0), dag_parts_root(&parts, 1));
    split(&g, &parts, sum);
    CHECK_CLOSE(sum[2], 4, 0);
    CHECK_CLOSE(sum[3], 14, 0);
    dag_parts_clear(&parts);
    dag_clear(&g);
}

/* The least over all divisions into groups, by trying each task in each group. */
static void try_all(const struct dag *g, struct dag_parts *parts, int *group, task_id t, int n_groups, double *least)
{
    if (t == g->n_tasks) {
        double cut = 0;
        for (edge_id e = 0; e < g->n_edges; e++)
            cut += group[g->edges[e].src] != group[g->edges[e].dst] ? g->edges[e].size_bytes : 0;
        least[n_groups] = fmin(least[n_groups], cut);
        return;
    }
    for (int x = 0; x <= n_groups; x++) {
        bool fits = true;
        for (task_id other = 0; other < t; other++)
            if (dag_parts_root(parts, other) == dag_parts_root(parts, t))
                fits = fits && group[other] == x;
        group[t] = x;
        if (fits)
            try_all(g, parts, group, t + 1, n_groups + (x == n_groups), least);
    }
}

static struct dag random_graph(struct random_stream *r)
{
    struct dag g = {0};
    struct err e = {0};
    dag_init(&g, "random");
    int n = 1 + (int)random_below(r, MOST);
    double density = random_unit(r);
    for (int t = 0; t < n; t++) {
        char name[2] = {(char)('a' + t), '\0'};
        CHECK_OK(dag_add_task(&g, name, 1, 0, NULL, &e), e);
        for (int other = 0; other < t; other++)
            if (random_unit(r) < density)
                CHECK_OK(dag_add_edge(&g, other, t, (double)random_below(r, 8), 0, &e), e);
    }
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

static void no_division_costs_less(void)
{
    int n_compared = 0, n_exact = 0;
    for (uint64_t i = 0; i < 400; i++) {
        struct random_stream r;
        random_init(&r, 11, i);
        struct dag g = random_graph(&r);
        struct dag_parts parts = {0};
        double sum[MOST + 1], least[MOST + 2];
        int group[MOST];
        dag_parts_begin(&parts, g.n_tasks);
        for (int k = (int)random_below(&r, 3); k > 0; k--)
            dag_parts_join(&parts, (task_id)random_below(&r, (uint64_t)g.n_tasks),
                           (task_id)random_below(&r, (uint64_t)g.n_tasks));
        for (int k = 0; k < MOST + 2; k++)
            least[k] = INFINITY;
        try_all(&g, &parts, group, 0, 0, least);
        split(&g, &parts, sum);
        for (int k = 1; k <= parts.n; k++) {
            CHECK(sum[k] <= least[k]);
            n_compared++;
            n_exact += sum[k] == least[k];
        }
        CHECK_CLOSE(sum[parts.n], least[parts.n], 0); /* each part by itself: all edges between parts */
        dag_parts_clear(&parts);
        dag_clear(&g);
    }
    fprintf(stderr, "%d of %d are the least\n", n_exact, n_compared);
    CHECK(n_exact > n_compared / 2);
}

static const struct test tests[] = {
    {"trees are cut where they are cheapest", trees_are_cut_where_they_are_cheapest},
    {"with circles it is a lower bound", with_circles_it_is_a_lower_bound},
    {"several forests are added", several_forests_are_added},
    {"parts stay together", parts_stay_together},
    {"no division costs less", no_division_costs_less},
};
TEST_MAIN(tests)
