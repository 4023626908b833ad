/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readers of task graphs, one fuzzer for each FORMAT: a refusal has a message; what is accepted is a graph whose
   numbers are in range and whose order fits its edges; what is written of it is read again as the same (work
   may move by a bit in formats that give times), unless the format says that it cannot hold it. */
#ifndef IASIM_FUZZ_DAG_H
#define IASIM_FUZZ_DAG_H

#include "base/mem.h"
#include "dag/format.h"
#include "fuzz.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern const struct dag_format FORMAT;

static void is_in_range(const struct dag *g)
{
    int *place = mem_zalloc((size_t)g->n_tasks, sizeof *place);
    require(g->n_tasks > 0);
    for (int t = 0; t < g->n_tasks; t++) {
        require(g->tasks[t].name[0] != '\0' && g->tasks[t].work_flop >= 0 && isfinite(g->tasks[t].work_flop));
        require(g->tasks[t].line >= 0 && dag_task_id(g, g->tasks[t].name) == t);
        place[g->order[t]] = t;
    }
    for (int i = 0; i < g->n_edges; i++) {
        require(g->edges[i].size_bytes >= 0 && isfinite(g->edges[i].size_bytes) && g->edges[i].line >= 0);
        require(place[g->edges[i].src] < place[g->edges[i].dst]);
    }
    free(place);
}

static int edge_between(const struct dag *g, int src, int dst)
{
    for (int i = g->out_start[src]; i < g->out_start[src + 1]; i++)
        if (g->edges[g->out[i]].dst == dst)
            return g->out[i];
    return -1;
}

static int is_near(double a, double b)
{
    return fabs(a - b) <= 2.3e-16 * fabs(b) + 1e-300;
}

static void is_same(const struct dag *a, const struct dag *b, int to_the_last_bit)
{
    require(a->n_tasks == b->n_tasks && a->n_edges == b->n_edges);
    for (int t = 0; t < a->n_tasks; t++)
        require(strcmp(a->tasks[t].name, b->tasks[t].name) == 0 &&
                (to_the_last_bit ? a->tasks[t].work_flop == b->tasks[t].work_flop
                                 : is_near(a->tasks[t].work_flop, b->tasks[t].work_flop)));
    for (int i = 0; i < a->n_edges; i++) {
        int again = edge_between(b, a->edges[i].src, a->edges[i].dst);
        require(again >= 0 && b->edges[again].size_bytes == a->edges[i].size_bytes);
    }
}

static void comes_back(const struct dag *g, const struct dag_format *format)
{
    const struct dag_read_options usual = {.reference_flop_per_s = DAG_REFERENCE_FLOP_PER_S};
    struct text t = {0};
    struct dag back;
    struct err e = {0};
    if (format->write == NULL)
        return;
    if (format->write(g, &usual, &t, &e) != ERR_NONE) {
        require(e.code == ERR_INPUT && e.text[0] != '\0');
    } else {
        require(dag_parse(text_str(&t), t.size, "again", format, &usual, &back, &e) == ERR_NONE);
        is_same(g, &back, strcmp(format->name, "dot") == 0);
        dag_clear(&back);
    }
    text_clear(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct dag g;
    struct err e = {0};
    for (int i = 0; dag_formats[i] != NULL; i++)
        dag_formats[i]->looks_like((const char *)bytes, n);
    if (dag_parse((const char *)bytes, n, "fuzz", &FORMAT, NULL, &g, &e) != ERR_NONE) {
        require(e.code != ERR_NONE && e.text[0] != '\0' && g.tasks == NULL);
        return 0;
    }
    is_in_range(&g);
    for (int i = 0; dag_formats[i] != NULL; i++)
        comes_back(&g, dag_formats[i]);
    dag_clear(&g);
    return 0;
}

#endif
