/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks through the tables of parameters, so a scheduler or a choice that is added later is tried without a word here.
   What cannot matter is known by the names of parameters; a name that is not known is taken to matter. */
#include "schedulers/variants.h"

#include "base/mem.h"
#include "schedulers/scheduler.h"

#include <stdlib.h>
#include <string.h>

struct variants {
    bool hosts_are_alike, edges_are_alike, edges_book_nothing;
    char **texts;
    size_t n, capacity;
};

/* ---- what cannot matter ---- */

static bool hosts_are_alike(const struct problem *p)
{
    const struct host *hosts = p->machine->hosts;
    bool are = p->costs == NULL;
    for (size_t h = 1; h < p->machine->n_hosts && are; h++)
        are = hosts[h].speed_flop_per_s == hosts[0].speed_flop_per_s;
    return are;
}

/* Whether edges cost the same as means over pairs of hosts and over links. */
static bool edges_are_alike(const struct problem *p)
{
    size_t n_edges = (size_t)p->dag->n_edges;
    double *task_s = mem_alloc((size_t)p->dag->n_tasks * sizeof *task_s);
    double *links_s = mem_alloc(2 * (n_edges + 1) * sizeof *links_s), *pairs_s = links_s + n_edges + 1;
    problem_mean_costs(p, task_s, links_s);
    problem_pair_costs(p, pairs_s);
    /* to the last bit: nearly alike edges may still order two tasks differently */
    bool are = memcmp(links_s, pairs_s, n_edges * sizeof *links_s) == 0;
    free(links_s);
    free(task_s);
    return are;
}

static bool is_one_of(const char *value, const char *const *values)
{
    for (; *values != NULL; values++)
        if (strcmp(value, *values) == 0)
            return true;
    return false;
}

/* Without a default in the table the first choice is what a scheduler takes. */
static bool is_default_of(const struct param *p, const char *value)
{
    size_t n = p->default_text != NULL ? strlen(p->default_text) : strcspn(p->choices, "|");
    return strncmp(p->default_text != NULL ? p->default_text : p->choices, value, n) == 0 && value[n] == '\0';
}

static bool may_matter(const struct variants *x, const struct param *p, const char *value)
{
    static const char *const given[] = {"alloc1", "alloc2", "alloc3", NULL};
    bool is_default = is_default_of(p, value);
    if (strcmp(p->name, "compact") == 0 || strcmp(p->name, "edge_order") == 0 || strcmp(p->name, "aware") == 0 ||
        (strcmp(p->name, "rank") == 0 && x->hosts_are_alike) || (strcmp(p->name, "edges") == 0 && x->edges_are_alike))
        return is_default;
    if (strcmp(p->name, "approach") == 0 && strstr(p->choices, "direct") != NULL)
        return strcmp(value, "direct") == 0 ||
               (!x->edges_book_nothing && !is_one_of(value, given)); /* hosts are not given */
    if (strcmp(p->name, "approach") == 0)
        return is_default || !x->edges_book_nothing;
    if (strcmp(p->name, "priority") == 0)
        return strcmp(value, "alap") != 0; /* the order of bottom levels */
    return scheduler_find(value) == NULL;  /* a clustering that is a scheduler, too */
}

/* ---- the list ---- */

/* Adds the choices of `p` and of the parameters behind it to what is said so far: "heft" or "heft[rank=best". */
static void add(struct variants *x, const char *said, const struct param *p)
{
    while (p != NULL && p->name != NULL && p->type != PARAM_CHOICE)
        p++;
    if (p == NULL || p->name == NULL) {
        MEM_GROW(x->texts, x->n, x->capacity);
        x->texts[x->n++] = mem_format("%s%s", said, strchr(said, '[') != NULL ? "]" : "");
        return;
    }
    char *choices = mem_strdup(p->choices), *rest;
    for (char *value = strtok_r(choices, "|", &rest); value != NULL; value = strtok_r(NULL, "|", &rest)) {
        if (!may_matter(x, p, value))
            continue;
        char *text = is_default_of(p, value)
                         ? mem_strdup(said)
                         : mem_format("%s%c%s=%s", said, strchr(said, '[') != NULL ? ',' : '[', p->name, value);
        add(x, text, p + 1);
        free(text);
    }
    free(choices);
}

/* A search can be ended by the clock; what only runs others has some by default. */
static bool makes_one_pass(const struct scheduler *s)
{
    for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, "seconds") == 0 ||
            (s->parts != NULL && strcmp(p->name, s->parts) == 0 && p->default_text != NULL))
            return false;
    return scheduler_origin(s) == NULL;
}

char **variants_of_one_pass(const struct problem *p, size_t *n)
{
    struct variants x = {hosts_are_alike(p), edges_are_alike(p), cost_is_plain_delay(p->model), NULL, 0, 0};
    for (size_t i = 0; schedulers[i] != NULL; i++)
        if (makes_one_pass(schedulers[i]))
            add(&x, schedulers[i]->name, schedulers[i]->params);
    *n = x.n;
    return x.texts;
}

void variants_free(char **texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    free(texts);
}
