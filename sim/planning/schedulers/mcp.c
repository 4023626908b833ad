/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* MCP, modified critical path [Wu 1990]: in the order of rising latest start (ALAP), each task goes to the host where
   it starts first. Of tasks with the same ALAP, the one comes first whose descendants have the lexicographically
   smaller list of ALAPs, sorted upwards; a list that is the beginning of another comes before it.

   Time: one booking per entering edge and host; for the list, tasks and edges for each task that shares its ALAP with
   another, so quadratic at worst, as in the paper. Memory: for the tasks that share one ALAP, one bit for each task. */
#include "base/mem.h"
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

/* Descendants are a set of places in the order of rising ALAP: their sorted list is read off from the first place
   on. */
struct alaps {
    const struct dag *dag;
    double *alap_s; /* [place], rounded */
    int *place;     /* [task] */
    task_id *stack; /* for walks through the graph */
    size_t n_words; /* of a set */
};

struct candidate {
    const struct alaps *alaps;
    double alap_s;
    task_id task;
    uint64_t *descendants; /* a set; NULL: not needed */
};

static int by_alap(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->alap_s != y->alap_s)
        return x->alap_s < y->alap_s ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

/* ---- descendants ---- */

/* The first place of the set from `place` on; -1: there are no more. */
static int next_place(const struct alaps *x, const uint64_t *set, int place)
{
    size_t word = (size_t)place / 64;
    if (word >= x->n_words)
        return -1;
    uint64_t bits = set[word] & (UINT64_MAX << (place % 64));
    while (bits == 0 && ++word < x->n_words)
        bits = set[word];
    return bits == 0 ? -1 : (int)(64 * word) + __builtin_ctzll(bits);
}

static int by_descendants(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    const struct alaps *alaps = x->alaps;
    for (int i = -1, k = -1;;) {
        i = next_place(alaps, x->descendants, i + 1);
        k = next_place(alaps, y->descendants, k + 1);
        if (i < 0 || k < 0)
            return i >= 0 ? 1 : k >= 0 ? -1 : (x->task > y->task) - (x->task < y->task);
        if (alaps->alap_s[i] != alaps->alap_s[k])
            return alaps->alap_s[i] < alaps->alap_s[k] ? -1 : 1;
    }
}

static void find_descendants(struct candidate *x)
{
    const struct alaps *alaps = x->alaps;
    const struct dag *g = alaps->dag;
    int n = 0;
    x->descendants = mem_zalloc(alaps->n_words, sizeof *x->descendants);
    for (alaps->stack[n++] = x->task; n > 0;) {
        task_id t = alaps->stack[--n];
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++) {
            task_id s = g->edges[g->out[i]].dst;
            uint64_t *word = &x->descendants[alaps->place[s] / 64], bit = UINT64_C(1) << (alaps->place[s] % 64);
            if (!(*word & bit))
                alaps->stack[n++] = s;
            *word |= bit;
        }
    }
}

/* Sorts n tasks of one ALAP. */
static void sort_equals(struct candidate *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        find_descendants(&list[k]);
    qsort(list, n, sizeof *list, by_descendants);
    for (size_t k = 0; k < n; k++)
        free(list[k].descendants);
}

/* ---- the list ---- */

static void find_alaps(const struct problem *p, const char *edges, struct candidate *out)
{
    size_t n = (size_t)p->dag->n_tasks;
    double *level_s = core_bottom_levels(p, "mean", edges), longest_s = 0;
    for (size_t t = 0; t < n; t++)
        longest_s = fmax(longest_s, level_s[t]);
    for (size_t t = 0; t < n; t++)
        out[t] = (struct candidate){.alap_s = choose_rounded(longest_s - level_s[t]), .task = (task_id)t};
    free(level_s);
}

static void sort(const struct dag *g, struct candidate *list)
{
    size_t n = (size_t)g->n_tasks, n_equal;
    struct alaps x = {.dag = g, .n_words = n / 64 + 1};
    x.alap_s = mem_alloc(n * sizeof *x.alap_s);
    x.place = mem_alloc(n * sizeof *x.place);
    x.stack = mem_alloc(n * sizeof *x.stack);
    qsort(list, n, sizeof *list, by_alap);
    for (size_t k = 0; k < n; k++) {
        list[k].alaps = &x;
        x.alap_s[k] = list[k].alap_s;
        x.place[list[k].task] = (int)k;
    }
    for (size_t k = 0; k < n; k += n_equal) {
        for (n_equal = 1; k + n_equal < n && list[k + n_equal].alap_s == list[k].alap_s;)
            n_equal++;
        if (n_equal > 1)
            sort_equals(list + k, n_equal);
    }
    free(x.stack);
    free(x.place);
    free(x.alap_s);
}

static task_id *make_list(const struct problem *p, const char *edges)
{
    size_t n = (size_t)p->dag->n_tasks;
    struct candidate *sorted = mem_alloc(n * sizeof *sorted);
    double *value = mem_alloc(n * sizeof *value);
    find_alaps(p, edges, sorted);
    sort(p->dag, sorted);
    for (size_t k = 0; k < n; k++)
        value[sorted[k].task] = -(double)k;
    task_id *list = priority_list_of(p->dag, value);
    free(value);
    free(sorted);
    return list;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"mcp", p, ps, in, out, e};
    task_id *list = make_list(p, param_text(ps, "edges"));
    enum err_code code = core_plan_sequence(&call, list, true, core_least_start, NULL);
    free(list);
    return code;
}

extern const struct scheduler scheduler_mcp;
const struct scheduler scheduler_mcp = {
    .name = "mcp",
    .summary = "MCP: by rising latest start, each task goes where it starts first; gaps are filled",
    .source = "Wu, Gajski, IEEE TPDS 1(3), 1990",
    .params = params,
    .plan = plan,
};
