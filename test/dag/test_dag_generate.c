/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Generators: counts and shapes of the literature, costs as the parameters say, the same graph from the same
 * seed. */
#include "dag/dag_generate.h"

#include "base/mem.h"
#include "generated.h"

#include <stdlib.h>

static bool has_edge(const struct dag *g, const char *src, const char *dst)
{
    task_id from = dag_task_id(g, src), to = dag_task_id(g, dst);
    for (int i = from < 0 ? 0 : g->out_start[from]; from >= 0 && i < g->out_start[from + 1]; i++)
        if (g->edges[g->out[i]].dst == to)
            return true;
    fprintf(stderr, "no edge %s -> %s\n", src, dst);
    return false;
}

/* ---- every generator ---- */

static bool has_sizes(const struct dag_generator *x)
{
    return param_find(x->params, "size_bytes") != NULL;
}

static void everything_is_described(void)
{
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        const struct dag_generator *x = dag_generators[i];
        CHECK(x->summary[0] != '\0' && x->source != NULL);
        CHECK(param_find(x->params, "work_flop") != NULL && param_find(x->params, "heterogeneity") != NULL);
        CHECK(has_sizes(x) || strcmp(x->name, "independent") == 0);
        for (const struct param *p = x->params; p->name != NULL; p++)
            CHECK(p->default_text != NULL && p->meaning[0] != '\0' && p->unit != NULL);
    }
}

/* And it can be written in any format: names are letters, digits and _, and do not begin with a digit. */
static bool is_in_order(const struct dag *g)
{
    for (task_id t = 0; t < g->n_tasks; t++) {
        const char *name = g->tasks[t].name;
        if (strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(name) || strchr("0123456789", name[0]))
            return false;
    }
    for (edge_id k = 0; k < g->n_edges; k++)
        if (g->edges[k].src >= g->edges[k].dst)
            return false;
    return true;
}

static void tasks_come_after_their_predecessors_and_seeds_decide(void)
{
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "%s[heterogeneity=0.5]", dag_generators[i]->name);
        for (unsigned long long seed = 0; seed < 50; seed++) {
            struct dag a = made(spec, seed), again = made(spec, seed), b = made(spec, seed + (1ull << 40));
            CHECK(is_in_order(&a));
            CHECK_TEXT(a.source, text_of("%s seed %llu", spec, seed));
            CHECK_TEXT(digest_of(&a, true), digest_of(&again, true));
            CHECK(strcmp(digest_of(&a, true), digest_of(&b, true)) != 0);
            dag_clear(&a);
            dag_clear(&again);
            dag_clear(&b);
        }
    }
}

static void only_random_structures_depend_on_the_seed(void)
{
    static const char *const random[] = {"layered", "series_parallel", "in_tree[shape=random]",
                                         "out_tree[shape=random]"};
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        struct dag a = made(dag_generators[i]->name, 1), b = made(dag_generators[i]->name, 2);
        bool same = strcmp(digest_of(&a, false), digest_of(&b, false)) == 0;
        CHECK(same ==
              (strcmp(dag_generators[i]->name, random[0]) != 0 && strcmp(dag_generators[i]->name, random[1]) != 0));
        dag_clear(&a);
        dag_clear(&b);
    }
    for (size_t i = 0; i < 4; i++) {
        struct dag a = made(random[i], 1), b = made(random[i], 2);
        CHECK(strcmp(digest_of(&a, false), digest_of(&b, false)) != 0);
        dag_clear(&a);
        dag_clear(&b);
    }
}

static void the_structure_does_not_depend_on_the_costs(void)
{
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        const char *name = dag_generators[i]->name;
        struct dag a = made(name, 3), b = made(text_of("%s[work_flop=5,heterogeneity=0.9]", name), 3);
        CHECK_TEXT(digest_of(&a, false), digest_of(&b, false));
        dag_clear(&a);
        dag_clear(&b);
    }
}

static bool has_kernels(const char *name)
{
    return strcmp(name, "gauss") == 0 || strcmp(name, "lu") == 0 || strcmp(name, "cholesky") == 0;
}

static void costs_have_the_mean_and_without_heterogeneity_are_equal(void)
{
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        const struct dag_generator *x = dag_generators[i];
        struct dag g =
            made(text_of("%s[heterogeneity=0,work_flop=7e8%s]", x->name, has_sizes(x) ? ",size_bytes=300" : ""), 1);
        CHECK_CLOSE(dag_work_flop(&g), 7e8 * g.n_tasks, 1e-12);
        CHECK_CLOSE(dag_volume_bytes(&g), 300.0 * g.n_edges, 1e-12);
        for (task_id t = 0; t < g.n_tasks && !has_kernels(x->name); t++)
            CHECK_CLOSE(g.tasks[t].work_flop, 7e8, 0);
        for (edge_id k = 0; k < g.n_edges && strcmp(x->name, "gauss") != 0; k++)
            CHECK_CLOSE(g.edges[k].size_bytes, 300, 0);
        dag_clear(&g);
    }
}

/* Means of 200,000 uniform numbers between 0.4 and 1.6: 10 standard deviations are 0.008. */
static void heterogeneity_spreads_costs_evenly_around_the_mean(void)
{
    struct dag g = made("chain[tasks=200000,heterogeneity=0.6,work_flop=10,size_bytes=10]", 4);
    double least = INFINITY, most = 0;
    for (task_id t = 0; t < g.n_tasks; t++) {
        least = fmin(least, g.tasks[t].work_flop);
        most = fmax(most, g.tasks[t].work_flop);
    }
    CHECK(least >= 4 && least < 4.01 && most <= 16 && most > 15.99);
    CHECK_CLOSE(dag_work_flop(&g) / g.n_tasks, 10, 0.008);
    CHECK_CLOSE(dag_volume_bytes(&g) / g.n_edges, 10, 0.008);
    dag_clear(&g);
    g = made("cholesky[tiles=3,heterogeneity=1,work_flop=0,size_bytes=0]", 4);
    CHECK(dag_work_flop(&g) == 0 && dag_volume_bytes(&g) == 0);
    dag_clear(&g);
}

/* ---- what is refused ---- */

static void refused(const char *spec, const char *why)
{
    struct dag g;
    struct err e = {0}, checked = {0};
    CHECK(dag_generate(spec, 1, &g, &e) == ERR_INPUT);
    CHECK(dag_generate_check(spec, &checked) == ERR_INPUT);
    CHECK_CONTAINS(e.text, why);
    CHECK_TEXT(checked.text, e.text);
}

static void every_bound_holds(void)
{
    struct err e = {0};
    for (size_t i = 0; dag_generators[i] != NULL; i++) {
        const char *name = dag_generators[i]->name;
        for (const struct param *p = dag_generators[i]->params; p->name != NULL; p++) {
            refused(text_of("%s[%s=x]", name, p->name), p->name);
            refused(text_of("%s[%s=nan]", name, p->name), p->name);
            if (p->type == PARAM_CHOICE)
                continue;
            refused(text_of("%s[%s=%.17g]", name, p->name, p->min - 1), "must be between");
            refused(text_of("%s[%s=%.17g]", name, p->name, p->max + fmax(1, p->max)), "must be between");
            if (strcmp(p->name, "tasks") != 0) /* layered's width has a default */
                CHECK_OK(dag_generate_check(text_of("%s[%s=%.17g]", name, p->name, p->min), &e), e);
        }
    }
}

static void what_does_not_fit_together_is_refused(void)
{
    refused("", "a name is missing");
    refused("ring", "unknown generator 'ring'; `iasim list generators` shows all");
    refused("chain[length=3]", "generator chain has no parameter 'length'; known: tasks, work_flop");
    refused("chain[tasks=3", "is not of the form");
    refused("independent[size_bytes=3]", "no parameter");
    refused("fft[points=12]", "generator fft: points is 12; it must be a power of 2");
    refused("layered[tasks=5]", "generator layered: width is 10 tasks, but the graph has only 5");
    refused("layered[tasks=100000,width=50000,density=1]", "about 2.5e+09 edges; the limit is 30000000");
    refused("layered[tasks=100000,width=1000,density=1,jump=1000000]", "edges; the limit is");
    refused("fork_join[branches=5000,stages=5000]", "about 2.5e+07 tasks; the limit is 10000000");
    refused("fork_join[branches=10000000]", "tasks; the limit is 10000000");
    refused("stencil[width=5000,steps=5000]", "about 2.5e+07 tasks; the limit is 10000000");
}

static double largest(const char *name, const char *param)
{
    for (size_t i = 0; dag_generators[i] != NULL; i++)
        if (strcmp(dag_generators[i]->name, name) == 0)
            return param_find(dag_generators[i]->params, param)->max;
    return 0;
}

static double cholesky_tasks(double t)
{
    return t * (t + 1) * (t + 2) / 6;
}
static double lu_tasks(double t)
{
    return t * (t + 1) * (2 * t + 1) / 6;
}
static double gauss_tasks(double m)
{
    return (m * m + m - 2) / 2;
}
static double fft_tasks(double m)
{
    return 2 * m - 1 + m * log2(m);
}

static void the_largest_matrices_give_ten_million_tasks(void)
{
    double t = largest("cholesky", "tiles"), u = largest("lu", "tiles"), m = largest("gauss", "size");
    CHECK(cholesky_tasks(t) <= 1e7 && cholesky_tasks(t + 1) > 1e7 && (t - 1) * t * (t + 1) / 2 <= 3e7);
    CHECK(lu_tasks(u) <= 1e7 && lu_tasks(u + 1) > 1e7 && u * (u - 1) * (2 * u + 1) / 2 <= 3e7);
    CHECK(gauss_tasks(m) <= 1e7 && gauss_tasks(m + 1) > 1e7);
    double points = largest("fft", "points");
    CHECK(fft_tasks(points) <= 1e7 && fft_tasks(2 * points) > 1e7);
}

/* ---- counts and shapes by formula ---- */

static void simple_shapes_have_their_counts(void)
{
    for (int n = 1; n < 40; n += 1 + n / 3) {
        shaped(text_of("fork[branches=%d]", n), n + 1, n, 2, n, 1, n);
        shaped(text_of("join[branches=%d]", n), n + 1, n, 2, n, n, 1);
        shaped(text_of("chain[tasks=%d]", n), n, n - 1, n, 1, 1, 1);
        shaped(text_of("independent[tasks=%d]", n), n, 0, 1, n, n, n);
        for (int stages = 1; stages < 5; stages++)
            shaped(text_of("fork_join[branches=%d,stages=%d]", n, stages), stages * (n + 1) + 1, 2 * n * stages,
                   2 * stages + 1, n, 1, 1);
    }
}

static void complete_trees_have_their_counts(void)
{
    for (int degree = 2; degree < 5; degree++)
        for (int depth = 1, n = 1, leaves = 1; depth < 6; depth++, leaves *= degree, n += leaves) {
            shaped(text_of("out_tree[tasks=%d,degree=%d]", n, degree), n, n - 1, depth, leaves, 1, leaves);
            /* levels count from the leaves: all leaves of the complete tree have the same */
            shaped(text_of("in_tree[tasks=%d,degree=%d]", n, degree), n, n - 1, depth, leaves, leaves, 1);
        }
    shaped("out_tree[tasks=9,degree=1]", 9, 8, 9, 1, 1, 1);
    shaped("in_tree[tasks=9,degree=1,shape=random]", 9, 8, 9, 1, 1, 1);
}

static void random_trees_keep_their_degree(void)
{
    for (unsigned long long seed = 0; seed < 50; seed++) {
        struct dag down = made("out_tree[tasks=200,degree=3,shape=random]", seed);
        struct dag up = made("in_tree[tasks=200,degree=3,shape=random]", seed);
        CHECK_INT(down.n_edges, 199);
        CHECK_INT(up.n_edges, 199);
        for (task_id t = 0; t < 200; t++) {
            CHECK_INT(down.in_start[t + 1] - down.in_start[t], t > 0);
            CHECK_INT(up.out_start[t + 1] - up.out_start[t], t < 199);
            CHECK(down.out_start[t + 1] - down.out_start[t] <= 3 && up.in_start[t + 1] - up.in_start[t] <= 3);
        }
        dag_clear(&down);
        dag_clear(&up);
    }
}

static void matrices_have_the_counts_of_the_literature(void)
{
    for (int t = 1; t <= 12; t++) {
        double n = t;
        shaped(text_of("cholesky[tiles=%d]", t), cholesky_tasks(n), (n - 1) * n * (n + 1) / 2, 3 * t - 2,
               most(1, t * (t - 1) / 2), 1, 1);
        shaped(text_of("lu[tiles=%d]", t), lu_tasks(n), n * (n - 1) * (2 * n + 1) / 2, 3 * t - 2,
               most(most(1, 2 * (t - 1)), (t - 1) * (t - 1)), 1, 1);
        if (t > 1)
            shaped(text_of("gauss[size=%d]", t), gauss_tasks(n), n * n - n - 1, 2 * (t - 1), t - 1, 1, 1);
    }
    shaped("gauss[size=5]", 14, 19, 8, 4, 1, 1); /* the figure of Topcuoglu et al. */
}

static void transforms_have_the_counts_of_the_literature(void)
{
    for (int m = 2, log = 1; m <= 64; m *= 2, log++)
        shaped(text_of("fft[points=%d]", m), fft_tasks(m), 2 * m - 2 + 2.0 * m * log, 2 * log + 1, m, 1, m);
    shaped("fft[points=4]", 15, 22, 5, 4, 1, 4); /* the figure of Topcuoglu et al. has 15 tasks */
}

static void stencils_have_their_counts(void)
{
    for (int w = 1; w < 8; w++)
        for (int s = 1; s < 8; s++) {
            shaped(text_of("stencil[width=%d,steps=%d]", w, s), w * s, 2 * w * s - w - s, w + s - 1, least(w, s), 1, 1);
            shaped(text_of("stencil[width=%d,steps=%d,pattern=three_point]", w, s), w * s, (s - 1) * (3 * w - 2), s, w,
                   w, w);
        }
}

/* ---- the edges themselves, from the rules by name: with the counts above, there are no others ---- */

static void cholesky_follows_its_tiles(void)
{
    enum { T = 7 };
    struct dag g = made("cholesky[tiles=7]", 1);
    for (int k = 0; k < T; k++)
        for (int i = k + 1; i < T; i++) {
            CHECK(has_edge(&g, text_of("potrf_%d", k), text_of("trsm_%d_%d", k, i)));
            CHECK(has_edge(&g, text_of("trsm_%d_%d", k, i), text_of("syrk_%d_%d", k, i)));
            CHECK(has_edge(&g, text_of("syrk_%d_%d", k, i),
                           i == k + 1 ? text_of("potrf_%d", i) : text_of("syrk_%d_%d", k + 1, i)));
            for (int j = k + 1; j < i; j++) {
                char *gemm = text_of("gemm_%d_%d_%d", k, i, j);
                CHECK(has_edge(&g, text_of("trsm_%d_%d", k, i), gemm));
                CHECK(has_edge(&g, text_of("trsm_%d_%d", k, j), gemm));
                CHECK(has_edge(&g, gemm,
                               j == k + 1 ? text_of("trsm_%d_%d", j, i) : text_of("gemm_%d_%d_%d", k + 1, i, j)));
            }
        }
    dag_clear(&g);
}

static char *lu_task(int k, int i, int j) /* that overwrites tile i, j in step k */
{
    if (i == k && j == k)
        return text_of("getrf_%d", k);
    if (i == k)
        return text_of("trsmu_%d_%d", k, j);
    return j == k ? text_of("trsml_%d_%d", k, i) : text_of("gemm_%d_%d_%d", k, i, j);
}

static void lu_follows_its_tiles(void)
{
    enum { T = 6 };
    struct dag g = made("lu[tiles=6]", 1);
    for (int k = 0; k < T; k++)
        for (int i = k + 1; i < T; i++) {
            CHECK(has_edge(&g, lu_task(k, k, k), lu_task(k, k, i)));
            CHECK(has_edge(&g, lu_task(k, k, k), lu_task(k, i, k)));
            for (int j = k + 1; j < T; j++) {
                CHECK(has_edge(&g, lu_task(k, i, k), lu_task(k, i, j)));
                CHECK(has_edge(&g, lu_task(k, k, j), lu_task(k, i, j)));
                CHECK(has_edge(&g, lu_task(k, i, j), lu_task(k + 1, i, j)));
            }
        }
    dag_clear(&g);
}

static void gauss_follows_its_columns(void)
{
    enum { M = 8 };
    struct dag g = made("gauss[size=8]", 1);
    for (int k = 1; k < M; k++)
        for (int j = k + 1; j <= M; j++) {
            char *update = text_of("update_%d_%d", k, j);
            CHECK(has_edge(&g, text_of("pivot_%d", k), update));
            if (k + 1 < M)
                CHECK(has_edge(&g, update, j == k + 1 ? text_of("pivot_%d", j) : text_of("update_%d_%d", k + 1, j)));
        }
    dag_clear(&g);
}

/* Leaves of the tree of calls are points, and in log2 m rounds every point reaches every result. */
static void every_point_reaches_every_result(void)
{
    enum { M = 16 };
    struct dag g = made("fft[points=16]", 1);
    unsigned *points = mem_zalloc((size_t)g.n_tasks, sizeof *points);
    for (int i = 0; i < M; i++)
        points[dag_task_id(&g, text_of("split_4_%d", i))] = 1u << i;
    for (edge_id k = 0; k < g.n_edges; k++) /* tasks are in order, and edges by the task they enter */
        points[g.edges[k].dst] |= points[g.edges[k].src];
    for (int i = 0; i < M; i++)
        CHECK_INT(points[dag_task_id(&g, text_of("butterfly_4_%d", i))], (1u << M) - 1);
    CHECK(has_edge(&g, "butterfly_1_5", "butterfly_2_7"));
    free(points);
    dag_clear(&g);
}

static double work_of(const struct dag *g, const char *name)
{
    return g->tasks[dag_task_id(g, name)].work_flop;
}

static void kernels_work_by_their_flop(void)
{
    struct dag g = made("cholesky[tiles=4]", 1);
    CHECK_CLOSE(work_of(&g, "trsm_0_2"), 3 * work_of(&g, "potrf_3"), 1e-15);
    CHECK_CLOSE(work_of(&g, "syrk_1_2"), 3 * work_of(&g, "potrf_0"), 1e-15);
    CHECK_CLOSE(work_of(&g, "gemm_0_3_1"), 6 * work_of(&g, "potrf_1"), 1e-15);
    dag_clear(&g);
    g = made("lu[tiles=4]", 1);
    CHECK_CLOSE(work_of(&g, "trsml_0_2"), 1.5 * work_of(&g, "getrf_3"), 1e-15);
    CHECK_CLOSE(work_of(&g, "trsmu_0_2"), 1.5 * work_of(&g, "getrf_0"), 1e-15);
    CHECK_CLOSE(work_of(&g, "gemm_0_3_1"), 3 * work_of(&g, "getrf_1"), 1e-15);
    dag_clear(&g);
    g = made("gauss[size=6]", 1);
    CHECK_CLOSE(work_of(&g, "update_2_4"), 2 * work_of(&g, "pivot_2"), 1e-15);
    CHECK_CLOSE(work_of(&g, "pivot_1"), 5 * work_of(&g, "pivot_5"), 1e-15);
    CHECK_CLOSE(g.edges[g.out[g.out_start[dag_task_id(&g, "pivot_1")]]].size_bytes,
                5 * g.edges[g.out[g.out_start[dag_task_id(&g, "pivot_5")]]].size_bytes, 1e-15);
    dag_clear(&g);
}

/* A matrix of t x t tiles of b x b takes as many flop as one of 1 x 1 tiles of tb x tb: the kernels leave
 * nothing out. */
static void tiles_take_the_flop_of_the_whole_matrix(void)
{
    for (int t = 2; t < 9; t++) {
        struct dag c = made(text_of("cholesky[tiles=%d]", t), 1), l = made(text_of("lu[tiles=%d]", t), 1);
        double cube = (double)t * t * t;
        CHECK_CLOSE(dag_work_flop(&c) / work_of(&c, "potrf_0"), cube, 1e-12);
        CHECK_CLOSE(dag_work_flop(&l) / work_of(&l, "getrf_0"), cube, 1e-12);
        dag_clear(&c);
        dag_clear(&l);
    }
}

/* ---- a pin ---- */

/* What was generated when this was written. A difference is no fault by itself, but whoever has stored a seed
   will get another graph: it must be meant, and said. */
static void generated_graphs_stay_as_they_were(void)
{
    static const struct pin {
        const char *spec, *digest;
    } pins[] = {
        {"layered[tasks=50,width=8]", "228940997baac4b67e710cb2b4245015"},
        {"layered[tasks=500,width=20,density=0.7,jump=3,regularity=0,heterogeneity=1]",
         "30734019557bc8063faaa9bef310b331"},
        {"series_parallel", "029f55c2760b28a94033a2229eed161d"},
        {"out_tree[tasks=100,degree=4,shape=random,heterogeneity=0.3]", "190b0d011c7cd97ecf0296905a8d13d4"},
        {"gauss[size=9,heterogeneity=0.1]", "290c2c8a7d8d6bf4bbb2676fbecf84f1"},
        {"lu[tiles=6,heterogeneity=0.1]", "bdb7a8702efcac795d7b1974f2e4d5f6"},
        {"cholesky[tiles=6,work_flop=1e10,size_bytes=8e6]", "88af0f7600b57f2ae434762e0e62e334"},
    };
    for (size_t i = 0; i < sizeof pins / sizeof pins[0]; i++) {
        struct dag g = made(pins[i].spec, 7);
        CHECK_TEXT(digest_of(&g, true), pins[i].digest);
        dag_clear(&g);
    }
}

static const struct test tests[] = {
    {"everything is described", everything_is_described},
    {"tasks come after their predecessors and seeds decide", tasks_come_after_their_predecessors_and_seeds_decide},
    {"only random structures depend on the seed", only_random_structures_depend_on_the_seed},
    {"the structure does not depend on the costs", the_structure_does_not_depend_on_the_costs},
    {"costs have the mean and without heterogeneity are equal",
     costs_have_the_mean_and_without_heterogeneity_are_equal},
    {"heterogeneity spreads costs evenly around the mean", heterogeneity_spreads_costs_evenly_around_the_mean},
    {"every bound holds", every_bound_holds},
    {"what does not fit together is refused", what_does_not_fit_together_is_refused},
    {"the largest matrices give ten million tasks", the_largest_matrices_give_ten_million_tasks},
    {"simple shapes have their counts", simple_shapes_have_their_counts},
    {"complete trees have their counts", complete_trees_have_their_counts},
    {"random trees keep their degree", random_trees_keep_their_degree},
    {"matrices have the counts of the literature", matrices_have_the_counts_of_the_literature},
    {"transforms have the counts of the literature", transforms_have_the_counts_of_the_literature},
    {"stencils have their counts", stencils_have_their_counts},
    {"Cholesky follows its tiles", cholesky_follows_its_tiles},
    {"LU follows its tiles", lu_follows_its_tiles},
    {"Gauss follows its columns", gauss_follows_its_columns},
    {"every point reaches every result", every_point_reaches_every_result},
    {"kernels work by their flop", kernels_work_by_their_flop},
    {"tiles take the flop of the whole matrix", tiles_take_the_flop_of_the_whole_matrix},
    {"generated graphs stay as they were", generated_graphs_stay_as_they_were},
};
TEST_MAIN(tests)
