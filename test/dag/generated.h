/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Generated graphs for tests, their digests and shapes. */
#ifndef IASIM_TEST_DAG_GENERATED_H
#define IASIM_TEST_DAG_GENERATED_H

#include "base/digest.h"
#include "base/text.h"
#include "check.h"
#include "dag/dag_generate.h"
#include "dag/levels.h"

#include <stdarg.h>

static inline struct dag made(const char *spec, unsigned long long seed)
{
    struct dag g = {0};
    struct err e = {0};
    CHECK_OK(dag_generate(spec, seed, &g, &e), e);
    return g;
}

static inline char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline char *text_of(const char *format, ...)
{
    static char text[8][256]; /* the last eight stay */
    static unsigned turn;
    char *out = text[turn++ % 8];
    va_list args;
    va_start(args, format);
    vsnprintf(out, sizeof text[0], format, args);
    va_end(args);
    return out;
}

/* Of everything but the source; `costs` tells whether work and sizes count. */
static inline const char *digest_of(const struct dag *g, bool costs)
{
    static char hex[4][DIGEST_HEX_SIZE];
    static unsigned turn;
    char *out = hex[turn++ % 4], number[TEXT_NUMBER_SIZE];
    struct digest d;
    digest_init(&d);
    for (task_id t = 0; t < g->n_tasks; t++) {
        digest_add_text(&d, g->tasks[t].name);
        digest_add_text(&d, costs ? text_number(g->tasks[t].work_flop, number) : "");
    }
    for (edge_id k = 0; k < g->n_edges; k++) {
        digest_add_text(&d, g->tasks[g->edges[k].src].name);
        digest_add_text(&d, g->tasks[g->edges[k].dst].name);
        digest_add_text(&d, costs ? text_number(g->edges[k].size_bytes, number) : "");
    }
    digest_finish(&d, out);
    return out;
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}
static inline int most(int a, int b)
{
    return a > b ? a : b;
}

/* Its counts and shape: depth, width, sources, sinks. */
static inline void shaped(const char *spec, double tasks, double edges, int depth, int width, int sources, int sinks)
{
    struct dag g = made(spec, 5);
    struct dag_shape s = dag_shape(&g);
    if (g.n_tasks != tasks || g.n_edges != edges || s.depth != depth || s.width != width || s.n_sources != sources ||
        s.n_sinks != sinks)
        fprintf(stderr, "of %s:\n", spec);
    CHECK_INT(g.n_tasks, tasks);
    CHECK_INT(g.n_edges, edges);
    CHECK_INT(s.depth, depth);
    CHECK_INT(s.width, width);
    CHECK_INT(s.n_sources, sources);
    CHECK_INT(s.n_sinks, sinks);
    dag_clear(&g);
}

#endif
