/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which changes of the machine or the world are worth simulating, and how. A change keeps the order of the schedule on
   every processor and link, so it shows what this schedule would gain, not what a new plan would. */
#include "explain/what_if.h"

#include "base/choose.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- links with two directions ---- */

/* A split-duplex link is two links in SimGrid, NAME_UP and NAME_DOWN. The length of the name without that ending; all
   of it for other links. */
static size_t stem_length(const struct link *l)
{
    size_t n = strlen(l->name);
    if (l->sharing == LINK_SPLITDUPLEX && n > 3 && strcmp(l->name + n - 3, "_UP") == 0)
        return n - 3;
    return l->sharing == LINK_SPLITDUPLEX && n > 5 && strcmp(l->name + n - 5, "_DOWN") == 0 ? n - 5 : n;
}

bool what_if_is_same_link(const struct machine *m, link_id a, link_id b)
{
    const struct link *x = &m->links[a], *y = &m->links[b];
    size_t n = stem_length(x);
    return a == b || (x->sharing == LINK_SPLITDUPLEX && y->sharing == LINK_SPLITDUPLEX && n == stem_length(y) &&
                      /* Two links of other kinds are never one, even if their names begin alike. */
                      n < strlen(x->name) && memcmp(x->name, y->name, n) == 0);
}

char *what_if_name(const struct schedule *s, const struct what_if *w)
{
    const struct problem *p = &s->problem;
    static const char *const without[] = {[WITHOUT_INTERFERENCE] = "without interference",
                                          [WITHOUT_CONTENTION] = "without contention",
                                          [WITHOUT_OVERHEADS] = "without overheads",
                                          [WITHOUT_INVOLVEMENT] = "without involvement",
                                          [WITHOUT_PORTS] = "without ports"};
    if (w->kind == FASTER_HOST)
        return mem_format("host %s twice as fast", p->machine->hosts[w->id].name);
    if (w->kind == WIDER_LINK)
        return mem_format("link %.*s twice as wide", (int)stem_length(&p->machine->links[w->id]),
                          p->machine->links[w->id].name);
    if (w->kind != LOCAL_EDGE)
        return mem_strdup(without[w->kind]);
    char *edge = explain_item_name(p->dag, (struct explain_item){-1, w->id});
    char *name = mem_format("edge %s local", edge);
    free(edge);
    return name;
}

/* ---- which ---- */

struct wanted {
    struct what_if *list;
    size_t n, capacity, n_left_out;
};

static void want(struct wanted *w, enum what_if_kind kind, int id)
{
    MEM_GROW(w->list, w->n, w->capacity);
    w->list[w->n++] = (struct what_if){.kind = kind, .id = id, .makespan_s = NAN};
}

/* Those with the largest sums; of equal ones the lowest number, so that the choice is always the same. Those without a
   share of the chain are no candidates, and not counted as left out. */
static void want_largest(struct wanted *w, enum what_if_kind kind, struct choose_ranked *sums, size_t n, int n_each)
{
    size_t n_there = 0;
    qsort(sums, n, sizeof *sums, choose_largest_first);
    while (n_there < n && sums[n_there].value > 0)
        n_there++;
    for (size_t i = 0; i < n_there && i < (size_t)n_each; i++)
        want(w, kind, sums[i].id);
    w->n_left_out += n_there > (size_t)n_each ? n_there - (size_t)n_each : 0;
}

/* Both directions of a link are widened together, so their sums are added up first. Time: links of the chain
   squared. */
static void want_links(struct wanted *w, const struct explanation *x, struct choose_ranked *sums, int n_each)
{
    const struct machine *m = x->plan->machine;
    const double *by_link_s = x->sums_s + explain_first_sum(m, BY_LINK);
    size_t n = 0;
    for (size_t l = 0; l < m->n_links; l++) {
        size_t at = 0;
        if (!(by_link_s[l] > 0))
            continue;
        while (at < n && !what_if_is_same_link(m, sums[at].id, (link_id)l))
            at++;
        if (at == n)
            sums[n++] = (struct choose_ranked){.id = (int)l};
        sums[at].value += by_link_s[l];
    }
    want_largest(w, WIDER_LINK, sums, n, n_each);
}

static void want_edges(struct wanted *w, const struct explanation *x, struct choose_ranked *sums, int n_each)
{
    int n_edges = x->plan->dag->n_edges;
    for (edge_id e = 0; e < n_edges; e++)
        sums[e] = (struct choose_ranked){.id = e};
    for (size_t i = 0; i < x->n; i++) {
        const struct explain_segment *s = &x->segments[i];
        /* An edge that waited for another item would still wait if it were local. */
        if (s->item.edge >= 0 && s->cause != CAUSE_WAITING && s->cause != CAUSE_PORT)
            sums[s->item.edge].value += s->to_s - s->from_s;
    }
    want_largest(w, LOCAL_EDGE, sums, (size_t)n_edges, n_each);
}

static bool any_is_remote(const struct replay_plan *p)
{
    bool any = false;
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        any = any || p->schedule->edges[e].is_remote;
    return any;
}

struct what_if *what_if_choose(const struct explanation *x, const struct world_model *world, int n_each, size_t *n,
                               size_t *n_left_out)
{
    const struct machine *m = x->plan->machine;
    size_t n_edges = (size_t)x->plan->dag->n_edges, most = n_edges > m->n_links ? n_edges : m->n_links;
    /* One array serves hosts, links and edges in turn: as long as all of them need. */
    struct choose_ranked *sums = mem_alloc((most + m->n_hosts + 1) * sizeof *sums);
    const struct cost_model *charges = any_is_remote(x->plan) ? world->charges : NULL;
    struct wanted w = {0};
    /* Only what this world has can be left out of it. */
    if (any_is_remote(x->plan) && world->speed_factor_ratio != NULL)
        want(&w, WITHOUT_INTERFERENCE, -1);
    if (any_is_remote(x->plan) && !x->plan->has_transit)
        want(&w, WITHOUT_CONTENTION, -1);
    if (charges != NULL && charges->books_processors)
        want(&w, WITHOUT_OVERHEADS, -1);
    if (charges != NULL && charges->books_processors && charges->end == NULL)
        want(&w, WITHOUT_INVOLVEMENT, -1);
    if (charges != NULL && charges->books_ports)
        want(&w, WITHOUT_PORTS, -1);
    for (size_t h = 0; h < m->n_hosts; h++)
        sums[h] = (struct choose_ranked){(int)h, x->sums_s[explain_first_sum(m, BY_HOST) + h]};
    want_largest(&w, FASTER_HOST, sums, m->n_hosts, n_each);
    want_links(&w, x, sums, n_each);
    want_edges(&w, x, sums, n_each);
    free(sums);
    *n = w.n;
    *n_left_out = w.n_left_out;
    return w.list;
}

/* ---- the changes ---- */

/* Of a model with costs of its own (LogP and its kin), without one of its parts: a function of the model gives them, so
   another function is put around it. Models without such a function take overhead and involvement of the machine, which
   change_machine overrides. The function has no argument for what is left out, hence the static variables: each what-if
   has a process of its own. */
static const struct cost_model *charged;
static enum what_if_kind left_out;

static struct cost_end end_without(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                                   enum direction dir, link_id link, double bytes)
{
    struct cost_end end = cost_end(charged, m, src, dst, dir, link, bytes);
    (void)self;
    if (left_out == WITHOUT_OVERHEADS)
        end.overhead_s = 0;
    if (left_out == WITHOUT_INVOLVEMENT)
        end.involvement_s = 0;
    if (left_out == WITHOUT_PORTS)
        end.port_s = end.port_before_s = 0;
    return end;
}

static void change_world(enum what_if_kind kind, struct world_model *world)
{
    /* Static, because the world points at it as long as the replay runs. */
    static struct cost_model changed;
    if (kind == WITHOUT_INTERFERENCE)
        world->speed_factor_ratio = NULL;
    bool is_part = kind == WITHOUT_OVERHEADS || kind == WITHOUT_INVOLVEMENT || kind == WITHOUT_PORTS;
    if (!is_part || world->charges->end == NULL)
        return;
    charged = world->charges;
    left_out = kind;
    changed = *charged;
    changed.end = end_without;
    world->charges = &changed;
}

static void change_machine(struct engine *engine, const struct what_if *w)
{
    /* The text "0", as a user would give it: it replaces the hosts' own values. */
    static const struct machine_values no_overhead = {.overhead = "0"}, no_involvement = {.involvement = "0"};
    const struct machine *m = engine_machine(engine);
    if (w->kind == WITHOUT_OVERHEADS)
        engine_override(engine, &no_overhead, NULL);
    if (w->kind == WITHOUT_INVOLVEMENT)
        engine_override(engine, &no_involvement, NULL);
    if (w->kind == FASTER_HOST)
        engine_scale_speed(engine, w->id, 2);
    for (size_t l = 0; l < m->n_links && w->kind == WIDER_LINK; l++)
        if (what_if_is_same_link(m, w->id, (link_id)l))
            engine_scale_bandwidth(engine, (link_id)l, 2);
    if (w->kind == WITHOUT_CONTENTION)
        engine_unshare_links(engine);
}

enum err_code what_if_replay(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                             struct what_if *w, struct err *e)
{
    struct world_model world = *options->world;
    struct replay_options changed = *options;
    struct schedule copy = *s;
    struct route_table routes;
    struct replay_result result;
    size_t size = ((size_t)s->problem.dag->n_edges + 1) * sizeof *copy.edges;
    changed.world = &world;
    /* Only the makespan is wanted. */
    changed.record = NULL;
    change_world(w->kind, &world);
    change_machine(engine, w);
    enum err_code code = route_table_init(&routes, engine_machine(engine), e);
    if (code != ERR_NONE)
        return code;
    /* Made anew, since a route's bandwidth is that of its links, which may just have been widened. */
    copy.problem.routes = &routes;
    copy.edges = mem_alloc(size);
    /* All other arrays are shared with the schedule, which stays as it is. */
    memcpy(copy.edges, s->edges, size - sizeof *copy.edges);
    /* An edge that is not remote has no send, transfer and receive: its destination may start when its origin ends. */
    if (w->kind == LOCAL_EDGE)
        copy.edges[w->id].is_remote = false;
    code = replay_run(engine, &copy, &changed, &result, e);
    w->makespan_s = code == ERR_NONE ? result.makespan_s : NAN;
    replay_result_clear(&result);
    free(copy.edges);
    route_table_clear(&routes);
    return code;
}

static int compare_what_ifs(const void *a, const void *b)
{
    const struct what_if *x = a, *y = b;
    if (isnan(x->makespan_s) != isnan(y->makespan_s))
        return isnan(x->makespan_s) ? 1 : -1;
    if (x->makespan_s != y->makespan_s && !isnan(x->makespan_s))
        return x->makespan_s < y->makespan_s ? -1 : 1;
    /* Equal makespans are common (changes off the chain): a fixed order keeps the output the same. */
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

void what_if_sort(struct what_if *list, size_t n)
{
    if (n > 0)
        qsort(list, n, sizeof *list, compare_what_ifs);
}
