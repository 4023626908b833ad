/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Small random graphs and machines. Whole: numbers with few binary digits, so sums are exact and ties are frequent.
   Real: arbitrary numbers, with ties only by construction. */
#ifndef IASIM_TEST_SCHEDULERS_SMALL_H
#define IASIM_TEST_SCHEDULERS_SMALL_H

#include "base/random.h"
#include "check.h"
#include "dag_text.h"
#include "machine_text.h"
#include "plan/task_costs.h"

enum small_kind { SMALL_WHOLE, SMALL_REAL };

static inline int small_int(struct random_stream *r, int low, int high) /* both included */
{
    return low + (int)random_below(r, (uint64_t)(high - low + 1));
}

static inline double small_number(struct random_stream *r, enum small_kind kind) /* 0 now and then */
{
    double whole = small_int(r, 0, 5);
    return whole == 0 || kind == SMALL_WHOLE ? whole : random_between(r, 0.1, 5);
}

/* Sorted: no task comes before one that it needs. */
static inline struct dag small_dag(struct random_stream *r, int n_tasks, bool is_sorted, enum small_kind kind)
{
    struct dag g = {0};
    struct err e = {0};
    int place[128]; /* more tasks than any test asks for */
    double density = random_between(r, 0.05, 0.6);
    dag_init(&g, "random");
    for (int t = 0; t < n_tasks; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, small_number(r, kind), 0, NULL, &e), e);
        int other = is_sorted ? t : small_int(r, 0, t);
        place[t] = place[other];
        place[other] = t;
    }
    for (int b = 1; b < n_tasks; b++)
        for (int a = 0; a < b; a++)
            if (random_unit(r) < density)
                CHECK_OK(dag_add_edge(&g, place[a], place[b], small_number(r, kind), 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

/* ---- machines ---- */

static inline double small_power(struct random_stream *r, enum small_kind kind) /* a speed, a bandwidth */
{
    return kind == SMALL_WHOLE ? ldexp(1, small_int(r, -1, 2)) : random_between(r, 0.5, 4);
}

static inline double small_part(struct random_stream *r, enum small_kind kind) /* a ratio, an overhead, a latency */
{
    int quarters = small_int(r, 0, 4);
    return quarters % 4 == 0 || kind == SMALL_WHOLE ? quarters / 4.0 : random_unit(r);
}

static inline enum link_sharing small_sharing(struct random_stream *r)
{
    int n = small_int(r, 0, 4);
    return n < 2 ? LINK_SHARED : n < 4 ? LINK_SPLITDUPLEX : LINK_FATPIPE;
}

static inline link_id small_link(struct machine *m, struct random_stream *r, enum small_kind kind,
                                 enum link_sharing sharing)
{
    char *name = mem_format("l%zu", m->n_links);
    double latency_s = random_below(r, 3) ? 0 : small_part(r, kind);
    size_t first = m->n_links;
    link_id l = machine_text_add_link(m, name, small_power(r, kind), latency_s, sharing);
    for (size_t k = first; k < m->n_links; k++)
        for (int dir = 0; dir < N_DIRECTIONS; dir++)
            machine_text_set_number(&m->links[k].involvement_ratio[dir],
                                    random_below(r, 4) ? NAN : small_part(r, kind));
    free(name);
    return l;
}

static inline void small_star(struct machine *m, struct random_stream *r, enum small_kind kind,
                              enum link_sharing sharing)
{
    link_id up[8], backbone = small_link(m, r, kind, random_below(r, 2) ? LINK_FATPIPE : LINK_SHARED);
    bool has_backbone = random_below(r, 3) == 0;
    int n = (int)m->n_hosts;
    for (int h = 0; h < n; h++)
        up[h] = small_link(m, r, kind, sharing);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            link_id far[] = {up[a], backbone, machine_text_back(m, up[b])}, near[] = {far[0], far[2]};
            machine_text_set_route(m, a, b, has_backbone ? far : near, a == b ? 0 : has_backbone ? 3 : 2);
        }
}

static inline void small_bus(struct machine *m, struct random_stream *r, enum small_kind kind)
{
    link_id bus = small_link(m, r, kind, LINK_SHARED);
    for (int a = 0; a < (int)m->n_hosts; a++)
        for (int b = 0; b < (int)m->n_hosts; b++)
            machine_text_set_route(m, a, b, &bus, a != b);
}

static inline void small_clique(struct machine *m, struct random_stream *r, enum small_kind kind)
{
    for (int a = 0; a < (int)m->n_hosts; a++)
        for (int b = 0; b < a; b++) {
            link_id there = small_link(m, r, kind, small_sharing(r)), back = machine_text_back(m, there);
            machine_text_set_route(m, a, b, &there, 1);
            machine_text_set_route(m, b, a, &back, 1);
        }
}

/* Hosts in a row, each a stop of the routes that go past it. */
static inline void small_line(struct machine *m, struct random_stream *r, enum small_kind kind)
{
    link_id next[8], hops[8];
    int n = (int)m->n_hosts;
    for (int h = 0; h + 1 < n; h++)
        next[h] = small_link(m, r, kind, small_sharing(r));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            size_t n_hops = 0;
            for (int h = a; h < b; h++)
                hops[n_hops++] = next[h];
            for (int h = a; h > b; h--)
                hops[n_hops++] = machine_text_back(m, next[h - 1]);
            machine_text_set_route(m, a, b, hops, n_hops);
        }
}

/* Any links in any order, sometimes one twice. */
static inline void small_tangle(struct machine *m, struct random_stream *r, enum small_kind kind)
{
    link_id hops[4];
    int n_links = small_int(r, 1, 6);
    for (int l = 0; l < n_links; l++)
        small_link(m, r, kind, small_sharing(r));
    for (int a = 0; a < (int)m->n_hosts; a++)
        for (int b = 0; b < (int)m->n_hosts; b++) {
            size_t n_hops = (size_t)small_int(r, 1, 4);
            for (size_t k = 0; k < n_hops; k++)
                hops[k] = small_int(r, 0, (int)m->n_links - 1);
            machine_text_set_route(m, a, b, hops, a == b ? 0 : n_hops);
        }
}

/* Two or three, with thresholds among the sizes of small_dag. */
static inline void small_steps(struct steps *out, struct random_stream *r, enum small_kind kind, bool is_share)
{
    int n = small_int(r, 2, 3);
    steps_clear(out);
    *out = (struct steps){.is_given = true, .n = (size_t)n, .list = mem_zalloc((size_t)n, sizeof *out->list)};
    for (int i = 0; i < n; i++)
        out->list[i] =
            (struct step){small_int(r, 0, 1) + 2 * i, small_part(r, kind), is_share ? 0 : small_part(r, kind) / 4};
}

/* In place of some numbers, in every second machine. Draws from a copy of the stream. */
static inline void small_add_steps(struct machine *m, struct random_stream r, enum small_kind kind)
{
    bool has_steps = random_below(&r, 2);
    for (int dir = 0; dir < N_DIRECTIONS && has_steps; dir++) {
        for (size_t h = 0; h < m->n_hosts; h++) {
            if (random_below(&r, 2))
                small_steps(&m->hosts[h].overhead_s[dir], &r, kind, false);
            if (random_below(&r, 2))
                small_steps(&m->hosts[h].involvement_ratio[dir], &r, kind, true);
        }
        for (size_t l = 0; l < m->n_links; l++) {
            if (random_below(&r, 4) == 0)
                small_steps(&m->links[l].overhead_s[dir], &r, kind, false);
            if (random_below(&r, 4) == 0)
                small_steps(&m->links[l].involvement_ratio[dir], &r, kind, true);
        }
    }
}

static inline void small_make_communication_free_for_hosts(struct machine *m)
{
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        for (size_t h = 0; h < m->n_hosts; h++) {
            steps_clear(&m->hosts[h].overhead_s[dir]);
            steps_clear(&m->hosts[h].involvement_ratio[dir]);
        }
        for (size_t l = 0; l < m->n_links; l++) {
            steps_clear(&m->links[l].overhead_s[dir]);
            steps_clear(&m->links[l].involvement_ratio[dir]);
        }
    }
}

/* Of overheads nothing is left; a share is then the same for all sizes. */
static inline void small_drop_steps(struct steps *s, bool is_share)
{
    double number = s->n == 0 ? s->number : s->list[0].constant;
    if (s->is_given)
        machine_text_set_number(s, is_share ? number : 0);
}

/* Nothing takes time but what is in proportion to work or to the size of data. */
static inline void small_make_proportional(struct machine *m)
{
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        for (size_t h = 0; h < m->n_hosts; h++) {
            small_drop_steps(&m->hosts[h].overhead_s[dir], false);
            small_drop_steps(&m->hosts[h].involvement_ratio[dir], true);
        }
        for (size_t l = 0; l < m->n_links; l++) {
            small_drop_steps(&m->links[l].overhead_s[dir], false);
            small_drop_steps(&m->links[l].involvement_ratio[dir], true);
        }
    }
    for (size_t l = 0; l < m->n_links; l++)
        m->links[l].latency_s = 0;
}

/* Costs are the same for messages of all sizes. */
static inline struct machine small_machine_of_numbers(struct random_stream *r, int n_hosts, enum small_kind kind)
{
    struct machine m = machine_text_hosts(n_hosts, 1);
    bool is_homogeneous = random_below(r, 3) == 0, is_free = random_below(r, 5) == 0;
    for (int h = 0; h < n_hosts; h++) {
        m.hosts[h].speed_flop_per_s = is_homogeneous ? 1 : small_power(r, kind);
        for (int dir = 0; dir < N_DIRECTIONS && !is_free; dir++) {
            machine_text_set_number(&m.hosts[h].overhead_s[dir], random_below(r, 2) ? 0 : small_part(r, kind));
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], small_part(r, kind));
        }
    }
    switch (random_below(r, 6)) {
    case 0:
        small_star(&m, r, kind, LINK_SHARED);
        break;
    case 1:
        small_star(&m, r, kind, LINK_SPLITDUPLEX);
        break;
    case 2:
        small_bus(&m, r, kind);
        break;
    case 3:
        small_clique(&m, r, kind);
        break;
    case 4:
        small_line(&m, r, kind);
        break;
    default:
        small_tangle(&m, r, kind);
        break;
    }
    return m;
}

static inline struct machine small_machine(struct random_stream *r, int n_hosts, enum small_kind kind)
{
    struct machine m = small_machine_of_numbers(r, n_hosts, kind);
    if (m.hosts[0].overhead_s[DIR_SEND].is_given)
        small_add_steps(&m, *r, kind);
    return m;
}

/* Times on unrelated hosts; every third host is forbidden, but never all of them. */
static inline void small_costs(struct task_costs *out, struct random_stream *r, int n_tasks, int n_hosts,
                               enum small_kind kind)
{
    out->source = mem_strdup("costs.csv");
    out->compute_s = mem_alloc((size_t)n_tasks * (size_t)n_hosts * sizeof *out->compute_s);
    for (int t = 0; t < n_tasks; t++) {
        double *row = out->compute_s + t * n_hosts;
        for (int h = 0; h < n_hosts; h++)
            row[h] = random_below(r, 3) ? small_number(r, kind) : INFINITY;
        row[small_int(r, 0, n_hosts - 1)] = small_number(r, kind);
    }
}

#endif
