/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A name of letters, digits and underscores that is not too long stays as it is. Any other becomes its first letters
   and digits, with its number in the graph. Names that stay come first, so no other name takes theirs away. */
#include "codegen/identifiers.h"

#include "base/mem.h"
#include "base/name_index.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 60 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_plain(const char *name)
{
    size_t n = 0;
    while (is_letter(name[n]))
        n++;
    return name[n] == '\0' && n > 0 && n <= MAX_LENGTH;
}

/* BASE_NUMBER, with the next number that is free. Another task may be called so: "a-b" is
   number 7, and there is "a_b_7". */
static char *numbered(struct name_index *taken, const char *base, int number)
{
    for (int next = number;; next++) {
        char *candidate = mem_format("%s_%d", base, next);
        if (name_index_find(taken, candidate) < 0)
            return candidate;
        free(candidate);
    }
}

static char *simplified(struct name_index *taken, const char *name, int number)
{
    char base[MAX_LENGTH / 2 + 1];
    size_t n = 0;
    for (; n < sizeof base - 1 && name[n] != '\0'; n++)
        base[n] = is_letter(name[n]) ? name[n] : '_';
    base[n] = '\0';
    return numbered(taken, base, number);
}

static void name_tasks(struct identifiers *x, const struct dag *g)
{
    struct name_index *taken = name_index_create();
    /* Two passes, so that plain names are taken before any other name is made. */
    for (int pass = 0; pass < 2; pass++)
        for (task_id t = 0; t < g->n_tasks; t++) {
            const char *name = g->tasks[t].name;
            if (is_plain(name) == (pass > 0))
                continue;
            x->tasks[t] = pass == 0 ? mem_strdup(name) : simplified(taken, name, t + 1);
            name_index_add(taken, x->tasks[t], t);
        }
    name_index_free(taken);
}

static void name_edges(struct identifiers *x, const struct dag *g)
{
    struct name_index *taken = name_index_create();
    for (edge_id e = 0; e < g->n_edges; e++) {
        /* Two edges may collide: a__b -> c and a -> b__c are both a__b__c. */
        char *name = mem_format("%s__%s", x->tasks[g->edges[e].src], x->tasks[g->edges[e].dst]);
        if (name_index_find(taken, name) >= 0) {
            char *other = numbered(taken, name, e + 1);
            free(name);
            name = other;
        }
        x->edges[e] = name;
        name_index_add(taken, name, e);
    }
    name_index_free(taken);
}

void identifiers_init(struct identifiers *x, const struct dag *g)
{
    x->n_tasks = g->n_tasks;
    x->n_edges = g->n_edges;
    x->tasks = mem_zalloc((size_t)g->n_tasks + 1, sizeof *x->tasks);
    x->edges = mem_zalloc((size_t)g->n_edges + 1, sizeof *x->edges);
    name_tasks(x, g);
    name_edges(x, g);
}

void identifiers_clear(struct identifiers *x)
{
    for (int t = 0; t < x->n_tasks; t++)
        free(x->tasks[t]);
    for (int e = 0; e < x->n_edges; e++)
        free(x->edges[e]);
    free(x->tasks);
    free(x->edges);
    *x = (struct identifiers){0};
}

/* Octal escapes end after three digits; '?' could begin a trigraph. */
void text_add_c_string(struct text *out, const char *bytes)
{
    text_add(out, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)bytes; *at != '\0'; at++)
        if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\' || *at == '?')
            text_addf(out, "\\%03o", *at);
        else
            text_add(out, (const char *)at, 1);
    text_add(out, "\"", 1);
}
