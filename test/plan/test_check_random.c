/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random graphs on machines of every kind: what the list scheduler makes is valid; and of random damage the validator
   says what a third reading of the rules says, here with plain loops over the schedule in memory. All costs are
   multiples of 1/16 s and so are the damages: nothing is near the tolerance. */
#include "base/random.h"
#include "check.h"
#include "dag_text.h"
#include "machine_text.h"
#include "naive_steps.h"
#include "plan/check.h"
#include "plan/schedule_json.h"
#include "schedulers/scheduler.h"

#include <stdlib.h>

enum { N_MACHINES = 7, N_MODELS = 3, N_GRAPHS = 8, N_DAMAGES = 12 };

static const char *const models[N_MODELS] = {"classic", "contention", "involvement"};
static const char *const wishes[] = {
    "list[technique=end,approach=direct]",
    "list[technique=insertion,approach=direct]",
    "list[technique=end,approach=entering]",
    "list[technique=insertion,approach=entering,minimize=finish]",
    "list[technique=end,approach=direct,compact=on]",
    "list[technique=end,approach=alloc1]",
    "list[technique=insertion,approach=alloc2]",
    "list[technique=insertion,approach=alloc3,compact=on]",
};
enum { N_WISHES = sizeof wishes / sizeof wishes[0] };

static struct machine make_machine(int kind)
{
    static const char *const lines[2] = {
        "A:1 B:2,overhead_send=1,involvement_recv=0.5 C:4 | l:1,0.25 m:2,0,split,involvement_send=0.25 f:4,1,fatpipe | "
        "A-B:l A-C:m_UP,l B-C:f,m_DOWN,l",
        "A:1,overhead_recv=1 B:1 C:1 D:2 | ab:2,0.5 bc:1,0.25 cd:2 | "
        "A-B:ab B-C:bc C-D:cd A-C:ab,bc B-D:bc,cd A-D:ab,bc,cd"};
    struct machine m;
    switch (kind) {
    case 0:
        m = machine_star(4, 1, 2, 0, LINK_SPLITDUPLEX);
        break;
    case 1:
        m = machine_star(3, 1, 1, 0.25, LINK_SHARED);
        break;
    case 2:
        m = machine_star(3, 2, 1, 0.5, LINK_FATPIPE);
        break;
    case 3:
        m = machine_bus(4, 1, 4, 0.25);
        break;
    case 4:
        m = machine_clique(3, 1, 1, 0, LINK_SPLITDUPLEX);
        break;
    default:
        return machine_from_text(lines[kind - 5]);
    }
    machine_text_set_all(&m, "overhead_send", kind == 3 ? "0" : kind == 0 ? "0:0.5:0;2:0.25:0.125" : "0.5");
    machine_text_set_all(&m, "overhead_recv", "0.25");
    machine_text_set_all(&m, "involvement_send", kind == 4 ? "1" : "0.5");
    machine_text_set_all(&m, "involvement_recv", kind == 1 ? "0" : kind == 0 ? "0:0.75;1:0.5;3:0" : "0.75");
    return m;
}

/* Whole sizes, some 0; edges from lower to higher numbers. */
static struct dag make_graph(struct random_stream *r)
{
    struct dag g;
    struct err e = {0};
    dag_init(&g, "random graph");
    int n = 1 + (int)random_below(r, 14);
    for (int t = 0; t < n; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        dag_text_require(dag_add_task(&g, name, (double)random_below(r, 9), 0, NULL, &e) == ERR_NONE, e.text, name);
    }
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (random_below(r, 4) == 0)
                dag_add_edge(&g, a, b, (double)random_below(r, 9), 0, &e);
    dag_text_require(dag_seal(&g, &e) == ERR_NONE, e.text, "sealing");
    return g;
}

/* ---- the third reading ---- */

struct use { /* of a host, or a link */
    bool is_link;
    int id;
    struct span span;
};

static bool overlap(struct use a, struct use b)
{
    return a.is_link == b.is_link && a.id == b.id && a.span.start_s < b.span.finish_s &&
           b.span.start_s < a.span.finish_s && a.span.start_s < a.span.finish_s && b.span.start_s < b.span.finish_s;
}

static bool lasts(struct span s, double want_s)
{
    return s.finish_s - s.start_s == want_s;
}

/* One remote edge; its uses are added to `uses`. */
static bool edge_is_right(const struct schedule *s, edge_id id, struct use *uses, size_t *n_uses)
{
    const struct machine *m = s->problem.machine;
    const struct edge *e = &s->problem.dag->edges[id];
    const struct planned_edge *p = &s->edges[id];
    host_id src = s->tasks[e->src].host, dst = s->tasks[e->dst].host;
    struct span from = s->tasks[e->src].span, to = s->tasks[e->dst].span;
    size_t n;
    const link_id *route = schedule_route(s, id, &n);
    bool occupies = cost_has_ends(s->problem.model);
    double slowest_s = 0, latency_s = 0;
    for (size_t k = 0; k < n; k++) {
        slowest_s = fmax(slowest_s, e->size_bytes / m->links[route[k]].bandwidth_bytes_per_s);
        latency_s += m->links[route[k]].latency_s;
    }
    if (!s->problem.model->books_links)
        return to.start_s >= from.finish_s + slowest_s + latency_s;
    const struct span *on = s->links + p->first_link;
    double o_s = naive_overhead_s(m, src, DIR_SEND, route[0], e->size_bytes);
    double o_r = naive_overhead_s(m, dst, DIR_RECV, route[n - 1], e->size_bytes);
    double leave_s = occupies ? p->send.start_s + o_s : from.finish_s;
    bool is_right = on[0].start_s >= leave_s;
    for (size_t k = 0; k < n; k++) {
        const struct link *l = &m->links[route[k]];
        is_right = is_right && lasts(on[k], e->size_bytes / l->bandwidth_bytes_per_s);
        if (k + 1 < n)
            is_right = is_right && on[k + 1].start_s >= on[k].start_s + l->latency_s &&
                       on[k + 1].finish_s >= on[k].finish_s + l->latency_s;
        if (l->sharing != LINK_FATPIPE)
            uses[(*n_uses)++] = (struct use){true, route[k], on[k]};
    }
    double last_s = on[n - 1].finish_s + m->links[route[n - 1]].latency_s;
    if (!occupies)
        return is_right && to.start_s >= last_s;
    double i_s = naive_involvement_s(m, src, DIR_SEND, route[0], e->size_bytes);
    double i_r = naive_involvement_s(m, dst, DIR_RECV, route[n - 1], e->size_bytes);
    uses[(*n_uses)++] = (struct use){false, src, p->send};
    uses[(*n_uses)++] = (struct use){false, dst, p->recv};
    return is_right && p->send.start_s >= from.finish_s && lasts(p->send, o_s + i_s) &&
           p->recv.start_s >= last_s - i_r && lasts(p->recv, o_r + i_r) && to.start_s >= p->recv.finish_s;
}

static bool is_right(const struct schedule *s)
{
    const struct dag *g = s->problem.dag;
    struct use *uses = mem_zalloc((size_t)g->n_tasks + 8 * (size_t)g->n_edges, sizeof *uses);
    size_t n = 0;
    bool right = true;
    for (task_id t = 0; t < g->n_tasks; t++) {
        const struct planned_task *p = &s->tasks[t];
        right = right && lasts(p->span, g->tasks[t].work_flop / s->problem.machine->hosts[p->host].speed_flop_per_s);
        uses[n++] = (struct use){false, p->host, p->span};
    }
    for (edge_id e = 0; e < g->n_edges; e++) {
        const struct edge *edge = &g->edges[e];
        bool is_fine = s->edges[e].is_remote ? edge_is_right(s, e, uses, &n)
                                             : s->tasks[edge->dst].span.start_s >= s->tasks[edge->src].span.finish_s;
        right = right && is_fine;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            right = right && !overlap(uses[i], uses[k]);
    free(uses);
    return right;
}

/* ---- schedules and damage ---- */

static size_t n_violations(const struct schedule *s, const char *only, bool *has_only)
{
    struct text json = {0};
    struct check_result r;
    struct err e = {0};
    schedule_write_json(s, &json);
    CHECK_OK(check_schedule_text(json.data, json.size, "s.json", s->problem.dag, s->problem.machine, s->problem.costs,
                                 &r, &e),
             e);
    size_t n = r.n;
    *has_only = false;
    for (size_t i = 0; i < n; i++)
        *has_only = *has_only || strcmp(r.list[i].condition, only) == 0;
    check_result_clear(&r);
    text_clear(&json);
    return n;
}

/* A random span that the model books. */
static struct span *pick(struct schedule *s, struct random_stream *r)
{
    const struct dag *g = s->problem.dag;
    uint64_t at = random_below(r, (uint64_t)(g->n_tasks + g->n_edges));
    if (at < (uint64_t)g->n_tasks || !s->edges[at - (uint64_t)g->n_tasks].is_remote || !s->problem.model->books_links)
        return &s->tasks[at % (uint64_t)g->n_tasks].span;
    edge_id e = (edge_id)at - g->n_tasks;
    size_t n;
    schedule_route(s, e, &n);
    uint64_t part_at = random_below(r, n + 2);
    if (part_at >= n && cost_has_ends(s->problem.model))
        return part_at == n ? &s->edges[e].send : &s->edges[e].recv;
    return &s->links[s->edges[e].first_link + part_at % n];
}

struct tally {
    int n_schedules, n_harmless, n_harmful, n_disagree;
};

static void damage(struct schedule *s, struct random_stream *r, struct tally *tally)
{
    struct span *span = pick(s, r), before = *span;
    double by_s = ((double)random_below(r, 129) - 64) / 16, longer_s = random_below(r, 4) == 0 ? 0.0625 : 0;
    span->start_s = fmax(0, before.start_s + by_s);
    span->finish_s = span->start_s + (before.finish_s - before.start_s) + longer_s;
    bool right = is_right(s), names_duration;
    size_t n = n_violations(s, "duration", &names_duration);
    *(right ? &tally->n_harmless : &tally->n_harmful) += 1;
    tally->n_disagree += (n == 0) != right || names_duration != (longer_s > 0);
    *span = before;
}

static void one_case(const struct problem *p, const char *wish, struct random_stream *r, struct tally *tally)
{
    struct scheduler_choice choice = {0};
    struct schedule s;
    struct err e = {0};
    bool unused;
    size_t n_tasks = (size_t)p->dag->n_tasks;
    host_id *allocation = mem_zalloc(n_tasks, sizeof *allocation);
    for (size_t t = 0; t < n_tasks; t++)
        allocation[t] = (host_id)random_below(r, p->machine->n_hosts);
    struct scheduler_inputs in = {.allocation = strstr(wish, "alloc") != NULL ? allocation : NULL};
    CHECK_OK(scheduler_choose(wish, &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, p, &in, &s, &e), e);
    tally->n_schedules++;
    bool right = is_right(&s);
    size_t n = n_violations(&s, "", &unused);
    if (!right || n > 0)
        fprintf(stderr, "%s under %s: %zu violations, %s\n", wish, p->model->name, n, right ? "right" : "wrong");
    CHECK(right && n == 0);
    for (int i = 0; i < N_DAMAGES; i++)
        damage(&s, r, tally);
    schedule_clear(&s);
    scheduler_choice_clear(&choice);
    free(allocation);
}

static void random_schedules_are_valid_and_random_damage_is_seen(void)
{
    struct tally tally = {0};
    struct random_stream r;
    random_init(&r, 3, 1);
    for (int kind = 0; kind < N_MACHINES; kind++) {
        struct machine m = make_machine(kind);
        struct route_table routes;
        struct err e = {0};
        CHECK_OK(route_table_init(&routes, &m, &e), e);
        for (int i = 0; i < N_GRAPHS; i++) {
            struct dag g = make_graph(&r);
            for (int k = 0; k < N_MODELS * N_WISHES; k++) {
                struct problem p = {.dag = &g, .machine = &m, .routes = &routes};
                CHECK_OK(cost_model_find(models[k % N_MODELS], &p.model, &e), e);
                one_case(&p, wishes[k / N_MODELS], &r, &tally);
            }
            dag_clear(&g);
        }
        route_table_clear(&routes);
        machine_text_clear(&m);
    }
    fprintf(stderr, "%d schedules; of the damages %d were harmless, %d not\n", tally.n_schedules, tally.n_harmless,
            tally.n_harmful);
    CHECK_INT(tally.n_schedules, N_MACHINES * N_GRAPHS * N_MODELS * N_WISHES);
    CHECK_INT(tally.n_disagree, 0);
    CHECK(tally.n_harmless > 1000 && tally.n_harmful > 1000);
}

static const struct test tests[] = {
    {"random schedules are valid, and random damage is seen", random_schedules_are_valid_and_random_damage_is_seen},
};
TEST_MAIN(tests)
