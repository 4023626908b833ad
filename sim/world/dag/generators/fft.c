/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The recursive fast Fourier transform of m points [Topcuoglu 2002]: a binary tree of calls splits the points down to
   single ones; then follow log2 m rounds of m butterflies, each of which combines its own point with the point whose
   number differs in one bit, which depends on the round:

       split      o            2m - 1 tasks, 2m - 2 edges
                 / \
                o   o
       round 1  |\ /|          m log2 m tasks, 2 m log2 m edges
                | X |
                |/ \|
                o   o

   All paths from the first task to the last ones have the same length. */
#include "dag/generators/build.h"

enum { MOST_POINTS = 1 << 18 }; /* 20 m - 1 tasks */

static const struct param params[] = {
    {"points", PARAM_INTEGER, "", "16", 2, MOST_POINTS, NULL, "points to transform, a power of 2"},
    BUILD_COST_PARAMS("0"),
};

static enum err_code check(const struct param_set *ps, struct err *e)
{
    long m = param_integer(ps, "points");
    return (m & (m - 1)) == 0 ? ERR_NONE
                              : err_set(e, ERR_INPUT, "generator fft: points is %ld; it must be a power of 2", m);
}

static void add_calls(struct dag *g, int m)
{
    build_task(g, 1, "split_0_0");
    for (int level = 1, width = 2; width <= m; level++, width *= 2)
        for (int i = 0; i < width; i++) {
            task_id t = build_task(g, 1, "split_%d_%d", level, i);
            build_edge(g, (t - 1) / 2, t, 1); /* numbered level by level */
        }
}

static enum err_code generate(const struct param_set *ps, struct random_stream *random, struct dag *out, struct err *e)
{
    (void)e;
    int m = (int)param_integer(ps, "points");
    add_calls(out, m);
    for (int round = 1, bit = 1; bit < m; round++, bit *= 2) {
        /* The m tasks of the round before, or the leaves of the calls. */
        task_id above = out->n_tasks - m;
        for (int i = 0; i < m; i++) {
            task_id t = build_task(out, 1, "butterfly_%d_%d", round, i);
            build_edge(out, above + i, t, 1);
            build_edge(out, above + (i ^ bit), t, 1);
        }
    }
    build_costs(out, ps, random);
    return ERR_NONE;
}

extern const struct dag_generator dag_generator_fft;
const struct dag_generator dag_generator_fft = {
    .name = "fft",
    .summary = "fast Fourier transform of m points: 2m - 1 + m log2 m tasks, split_LEVEL_NUMBER, "
               "butterfly_ROUND_NUMBER",
    .source = "[Topcuoglu 2002] 5.3.2",
    .params = params,
    .check = check,
    .generate = generate,
};
