/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For tests of readers: a graph from a text in some format, and questions about it. */
#ifndef IASIM_TEST_DAG_READING_H
#define IASIM_TEST_DAG_READING_H

#include "check.h"
#include "dag/format.h"

#include <string.h>

static inline const struct dag_format *format_named(const char *name)
{
    const struct dag_format *format = NULL;
    struct err e = {0};
    CHECK_OK(dag_format_find(name, &format, &e), e);
    return format;
}

static inline struct dag read_text(const char *format, const char *text)
{
    struct dag g;
    struct err e = {0};
    CHECK_OK(dag_parse(text, strlen(text), "text", format_named(format), NULL, &g, &e), e);
    return g;
}

/* "a:1 b:2 | a>b:5 b>c:0": tasks and edges in their order, as dag_text.h writes them. */
static inline void describe(const struct dag *g, struct text *out)
{
    for (int t = 0; t < g->n_tasks; t++)
        text_addf(out, "%s%s:%g", t ? " " : "", g->tasks[t].name, g->tasks[t].work_flop);
    text_addf(out, " |");
    for (int i = 0; i < g->n_edges; i++)
        text_addf(out, " %s>%s:%g", g->tasks[g->edges[i].src].name, g->tasks[g->edges[i].dst].name,
                  g->edges[i].size_bytes);
}

#define CHECK_GRAPH(format, written, want)                                                                             \
    do {                                                                                                               \
        struct dag graph_ = read_text((format), (written));                                                            \
        struct text got_ = {0};                                                                                        \
        describe(&graph_, &got_);                                                                                      \
        CHECK_TEXT(text_str(&got_), (want));                                                                           \
        text_clear(&got_);                                                                                             \
        dag_clear(&graph_);                                                                                            \
    } while (0)

static inline bool is_same_graph(const struct dag *a, const struct dag *b)
{
    bool same = a->n_tasks == b->n_tasks && a->n_edges == b->n_edges;
    for (int t = 0; same && t < a->n_tasks; t++)
        same = strcmp(a->tasks[t].name, b->tasks[t].name) == 0 && a->tasks[t].work_flop == b->tasks[t].work_flop;
    for (int i = 0; same && i < a->n_edges; i++)
        same = a->edges[i].src == b->edges[i].src && a->edges[i].dst == b->edges[i].dst &&
               a->edges[i].size_bytes == b->edges[i].size_bytes;
    return same;
}

#endif
