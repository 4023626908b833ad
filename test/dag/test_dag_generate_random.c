/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The random generators: each parameter means what it says, and what is drawn is drawn evenly. */
#include "dag/dag_generate.h"

#include "base/mem.h"
#include "generated.h"

#include <stdlib.h>

/* ---- layered ---- */

static int level_of(const struct dag *g, task_id t)
{
    return atoi(strchr(g->tasks[t].name, '_') + 1);
}

static void a_level_is_a_depth(void)
{
    for (unsigned long long seed = 0; seed < 100; seed++) {
        struct dag g = made("layered[tasks=300,width=9,density=0.2,jump=4,regularity=0]", seed);
        double ones[300], depth[300];
        for (int t = 0; t < 300; t++)
            ones[t] = 1;
        dag_top_levels(&g, ones, NULL, depth);
        for (int t = 0; t < 300; t++)
            CHECK_INT(level_of(&g, t), depth[t]);
        CHECK_INT(g.n_tasks, 300);
        dag_clear(&g);
    }
}

static void regular_levels_have_the_width(void)
{
    for (int n = 20; n < 100; n += 7) {
        struct dag g = made(text_of("layered[tasks=%d,width=8,regularity=1]", n), 2);
        struct dag_shape s = dag_shape(&g);
        CHECK_INT(s.depth, (n + 7) / 8);
        CHECK_INT(s.width, 8);
        dag_clear(&g);
    }
}

/* Sizes of levels: between 4 and 12, each of the nine about as often. */
static void levels_vary_evenly_around_the_width(void)
{
    struct dag g = made("layered[tasks=80000,width=8,regularity=0.5,density=0]", 2);
    int size = 0, counts[13] = {0};
    for (task_id t = 0; t < g.n_tasks; t++) {
        size++;
        if (t + 1 < g.n_tasks && level_of(&g, t + 1) != level_of(&g, t)) {
            CHECK(size >= 4 && size <= 12);
            counts[least(size, 12)]++;
            size = 0;
        }
    }
    for (int i = 4; i <= 12; i++)
        CHECK_CLOSE(counts[i], 10000 / 9.0, 0.3); /* 10 standard deviations are 0.28 */
    dag_clear(&g);
}

/* Levels of 10 tasks: 90 tasks have a parent; all others come from density. */
static void density_is_the_share_of_possible_parents(void)
{
    struct dag none = made("layered[tasks=100,width=10,regularity=1,density=0,jump=9]", 3);
    struct dag all = made("layered[tasks=100,width=10,regularity=1,density=1]", 3);
    struct dag all_of_two = made("layered[tasks=100,width=10,regularity=1,density=1,jump=2]", 3);
    CHECK_INT(none.n_edges, 90);
    CHECK_INT(all.n_edges, 900);
    CHECK_INT(all_of_two.n_edges, 100 + 80 * 20);
    dag_clear(&none);
    dag_clear(&all);
    dag_clear(&all_of_two);
    for (int tenths = 1; tenths < 10; tenths++) {
        struct dag g = made(text_of("layered[tasks=50000,width=10,regularity=1,density=0.%d]", tenths), 3);
        double mean = (g.n_edges / 49990.0 - 1) / 9;
        CHECK_CLOSE(mean, tenths / 10.0, 0.03); /* 10 standard deviations are 0.026 of the mean at most */
        dag_clear(&g);
    }
}

static void no_edge_jumps_further(void)
{
    for (int jump = 1; jump < 6; jump++) {
        struct dag g = made(text_of("layered[tasks=2000,width=10,density=0.2,jump=%d]", jump), 4);
        int counts[8] = {0};
        for (edge_id k = 0; k < g.n_edges; k++) {
            int levels = level_of(&g, g.edges[k].dst) - level_of(&g, g.edges[k].src);
            CHECK(levels >= 1 && levels <= jump);
            counts[least(levels, 7)]++;
        }
        for (int levels = 1; levels <= jump; levels++)
            CHECK(counts[levels] > 100);
        dag_clear(&g);
    }
}

/* Each possible parent is as likely as any other: levels of two tasks, one parent each. */
static void parents_are_drawn_evenly(void)
{
    int counts[5] = {0}, n = 0;
    for (unsigned long long seed = 0; seed < 4000; seed++) {
        struct dag g = made("layered[tasks=10,width=5,regularity=1,density=0.5]", seed);
        for (edge_id k = 0; k < g.n_edges; k++, n++)
            counts[g.edges[k].src]++;
        dag_clear(&g);
    }
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(counts[i], n / 5.0, 0.05);
}

/* ---- series-parallel ---- */

/* The definition: tasks in series become an edge, equal edges become one, and one edge is left. Quadratic. */
static bool is_series_parallel(const struct dag *g)
{
    int n = g->n_tasks;
    char *joined = mem_zalloc((size_t)n * (size_t)n, 1); /* [src * n + dst] */
    for (edge_id k = 0; k < g->n_edges; k++)
        joined[g->edges[k].src * n + g->edges[k].dst] = 1;
    int left = n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = 1; t < n - 1; t++) {
            int n_in = 0, n_out = 0, from = 0, to = 0;
            for (int u = 0; u < n; u++) {
                n_in += joined[u * n + t];
                n_out += joined[t * n + u];
                from = joined[u * n + t] ? u : from;
                to = joined[t * n + u] ? u : to;
            }
            if (n_in != 1 || n_out != 1)
                continue;
            joined[from * n + t] = joined[t * n + to] = 0;
            joined[from * n + to] = 1;
            left--;
            changed = true;
        }
    }
    free(joined);
    return left == 2;
}

static void series_parallel_graphs_reduce_to_an_edge(void)
{
    for (unsigned long long seed = 0; seed < 60; seed++)
        for (int tenths = 1; tenths <= 10; tenths += 3) {
            struct dag g = made(
                text_of("series_parallel[tasks=%d,branches=%d,parallel=%g]", 2 + (int)seed, 2 + tenths, tenths / 10.0),
                seed);
            struct dag_shape s = dag_shape(&g);
            CHECK_INT(g.n_tasks, 2 + (int)seed);
            CHECK_INT(s.n_sources, 1);
            CHECK_INT(s.n_sinks, 1);
            CHECK(is_series_parallel(&g));
            CHECK(g.n_edges <= 2 * g.n_tasks);
            dag_clear(&g);
        }
    struct dag crossed = made("fft[points=4]", 1); /* the test's own test */
    CHECK(!is_series_parallel(&crossed));
    dag_clear(&crossed);
}

static void never_parallel_is_a_chain_and_always_parallel_begins_with_a_fork(void)
{
    shaped("series_parallel[tasks=2]", 2, 1, 2, 1, 1, 1);
    shaped("series_parallel[tasks=50,parallel=0]", 50, 49, 50, 1, 1, 1);
    for (unsigned long long seed = 0; seed < 50; seed++) {
        struct dag g = made("series_parallel[tasks=30,parallel=1,branches=5]", seed);
        CHECK(g.out_start[1] - g.out_start[0] >= 2 && g.in_start[30] - g.in_start[29] >= 2);
        dag_clear(&g);
    }
}

/* Five tasks in two branches: 1+4, 2+3, 3+2, 4+1 equally often. The first branch's tasks come first. */
static void divisions_are_drawn_evenly(void)
{
    int counts[6] = {0};
    for (unsigned long long seed = 0; seed < 4000; seed++) {
        struct dag g = made("series_parallel[tasks=7,parallel=1,branches=2]", seed);
        int first_of_second = g.n_tasks; /* the last task that the first one leads to within the outer fork */
        for (task_id t = 1; t < 6; t++) {
            bool cut = true; /* no edge from the tasks before t to t and those behind it, but the ends */
            for (edge_id k = 0; k < g.n_edges; k++)
                cut &= g.edges[k].src == 0 || g.edges[k].dst == 6 || g.edges[k].src >= t || g.edges[k].dst < t;
            if (cut && t > 1 && first_of_second == g.n_tasks)
                first_of_second = t;
        }
        counts[least(first_of_second - 1, 5)]++;
        dag_clear(&g);
    }
    CHECK_INT(counts[0] + counts[5], 0);
    for (int i = 1; i <= 4; i++)
        CHECK_CLOSE(counts[i], 1000, 0.27); /* 10 standard deviations are 0.27 */
}

static const struct test tests[] = {
    {"a level is a depth", a_level_is_a_depth},
    {"regular levels have the width", regular_levels_have_the_width},
    {"levels vary evenly around the width", levels_vary_evenly_around_the_width},
    {"density is the share of possible parents", density_is_the_share_of_possible_parents},
    {"no edge jumps further", no_edge_jumps_further},
    {"parents are drawn evenly", parents_are_drawn_evenly},
    {"series-parallel graphs reduce to an edge", series_parallel_graphs_reduce_to_an_edge},
    {"never parallel is a chain, always parallel begins with a fork",
     never_parallel_is_a_chain_and_always_parallel_begins_with_a_fork},
    {"divisions are drawn evenly", divisions_are_drawn_evenly},
};
TEST_MAIN(tests)
