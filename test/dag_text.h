/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Task graphs from one line of text:

       struct dag g = dag_from_text("a:10 b:20 c:0 | a>b:5 a>c:0");

   tasks NAME:FLOP, then edges SRC>DST:BYTES, words between blanks; sealed. A mistake ends the test program with a
   message. */
#ifndef IASIM_TEST_DAG_TEXT_H
#define IASIM_TEST_DAG_TEXT_H

#include "base/mem.h"
#include "base/text.h"
#include "dag/dag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void dag_text_require(bool ok, const char *what, const char *word)
{
    if (ok)
        return;
    fprintf(stderr, "dag_text: %s: '%s'\n", what, word);
    abort();
}

static inline double dag_text_cut_number(char *word)
{
    double value = 0;
    char *colon = strrchr(word, ':');
    dag_text_require(colon != NULL && text_to_double(colon + 1, &value), "no colon and number in", word);
    *colon = '\0';
    return value;
}

static inline void dag_text_add_edge(struct dag *g, char *word)
{
    struct err e = {0};
    double bytes = dag_text_cut_number(word);
    char *sign = strchr(word, '>');
    dag_text_require(sign != NULL, "no > in", word);
    *sign = '\0';
    task_id src = dag_task_id(g, word), dst = dag_task_id(g, sign + 1);
    dag_text_require(src >= 0 && dst >= 0, "unknown task in the edge from", word);
    dag_text_require(dag_add_edge(g, src, dst, bytes, 0, &e) == ERR_NONE, e.text, word);
}

static inline struct dag dag_from_text(const char *text)
{
    struct dag g = {0};
    struct err e = {0};
    bool in_edges = false;
    char *copy = mem_strdup(text), *rest;
    dag_init(&g, "test graph");
    for (char *word = strtok_r(copy, " \t\n", &rest); word != NULL; word = strtok_r(NULL, " \t\n", &rest)) {
        if (strcmp(word, "|") == 0) {
            in_edges = true;
        } else if (in_edges) {
            dag_text_add_edge(&g, word);
        } else {
            double flop = dag_text_cut_number(word);
            dag_text_require(dag_add_task(&g, word, flop, 0, NULL, &e) == ERR_NONE, e.text, word);
        }
    }
    dag_text_require(dag_seal(&g, &e) == ERR_NONE, e.text, text);
    free(copy);
    return g;
}

#endif
