/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In which order processors and links take their steps.

   A processor: whatever has a length in the schedule, by (start, finish). What the schedule does not place, but
   takes time in this world (the sends and receives of a schedule whose model knows none), stands directly after its
   origin, or directly before its destination. What takes no time in either, or is lost in its dates (plan/span.h),
   keeps no order at all: it happens when its data are there. While waiting holds the processor (active, rendezvous)
   every send and receive takes time. A task without work has a place only for what stands next to it: by its start,
   after what finished by then, and after its predecessors.

   A program (sim/running/codegen) does one thing after the other. There all of these have a place: a send that takes
   no time before the task's other sends, a receive that takes none after the task's other receives.

   A link in `exclusive`: its transfers by their start on it, when the schedule has such dates and the link is no
   FATPIPE.

   In a valid schedule dates never fall from a step to one that waits for it, and of steps with one date the tasks'
   topological order decides, so no circle can be; any other schedule may have one, which is looked for before the run.
   So may a valid one while waiting is active and links keep an order: its dates know nothing of sends that wait. */
#include "engine/replay_steps.h"
#include "base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- chains ---- */

struct booking { /* of a processor or a link */
    int owner;
    struct span span;
    long rank; /* what comes first of what has one date: receives, their task, its sends; tasks in topological order */
    step_id step;
};

struct bookings {
    struct booking *list;
    size_t n, capacity;
};

/* By owner first, so that one sort orders all processors (or links, or ports). Exact comparisons: dates of one schedule
   that are meant to be equal are equal, and a tolerance would not be transitive. */
static int compare_bookings(const void *a, const void *b)
{
    const struct booking *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    if (x->span.start_s != y->span.start_s)
        return x->span.start_s < y->span.start_s ? -1 : 1;
    if (x->span.finish_s != y->span.finish_s)
        return x->span.finish_s < y->span.finish_s ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

static void add_booking(struct bookings *to, struct booking booking)
{
    MEM_GROW(to->list, to->n, to->capacity);
    to->list[to->n++] = booking;
}

static struct span end_span(const struct replay_plan *p, edge_id e, enum direction dir)
{
    return dir == DIR_SEND ? p->schedule->edges[e].send : p->schedule->edges[e].recv;
}

/* Whether the schedule's model gives it a length. */
static bool is_placed(const struct replay_plan *p, edge_id e, enum direction dir)
{
    const struct schedule *s = p->schedule;
    host_id src = edge_host(p, e, DIR_SEND), dst = edge_host(p, e, DIR_RECV);
    if (!s->edges[e].is_remote)
        return false;
    return span_occupies(end_span(p, e, dir), cost_end_busy_s(problem_end(&s->problem, e, src, dst, dir)));
}

/* Appends to the list of a processor or link that ends with *last. */
static void chain(struct replay_plan *p, step_id *last, step_id s)
{
    p->before[s] = *last;
    if (*last >= 0)
        p->after[*last] = s;
    else if (step_kind(p, s) != STEP_HOP)
        p->first[step_host(p, s)] = s;
    *last = s;
}

/* ---- what the schedule does not place ---- */

struct derived { /* a send or receive */
    int rank;
    double first_s, then_s;
    edge_id edge;
};

static int compare_derived(const void *a, const void *b)
{
    const struct derived *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->first_s != y->first_s)
        return x->first_s < y->first_s ? -1 : 1;
    if (x->then_s != y->then_s)
        return x->then_s < y->then_s ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

/* Receives in the order in which their data come. Sends in the order in which the plan uses their first links, and then
   by when their destinations begin. Those that take no time come before the other sends, and after the other receives:
   so nothing waits for a processor that it does not need. */
static struct derived derive(const struct replay_plan *p, edge_id e, enum direction dir)
{
    const struct schedule *s = p->schedule;
    if (dir == DIR_RECV)
        return (struct derived){!takes_processor(p, e, dir), schedule_arrival_s(s, e), 0, e};
    size_t n;
    schedule_route(s, e, &n);
    const struct span *spans = schedule_link_spans(s, e);
    double destination_s = s->tasks[p->dag->edges[e].dst].span.start_s;
    double start_s = spans != NULL && n > 0 ? spans[0].start_s : 0;
    return (struct derived){takes_processor(p, e, dir), start_s, destination_s, e};
}

/* The sends after a task, or the receives before it. */
static void chain_derived(struct replay_plan *p, step_id *last, task_id t, enum direction dir)
{
    const struct dag *g = p->dag;
    const int *starts = dir == DIR_SEND ? g->out_start : g->in_start;
    const edge_id *edges = dir == DIR_SEND ? g->out : g->in;
    struct derived *list = mem_alloc((size_t)(starts[t + 1] - starts[t] + 1) * sizeof *list);
    size_t n = 0;
    for (int i = starts[t]; i < starts[t + 1]; i++)
        if (p->schedule->edges[edges[i]].is_remote && !is_placed(p, edges[i], dir) &&
            (p->is_program || takes_processor(p, edges[i], dir)))
            list[n++] = derive(p, edges[i], dir);
    qsort(list, n, sizeof *list, compare_derived);
    for (size_t i = 0; i < n; i++)
        chain(p, last, dir == DIR_SEND ? step_of_send(p, list[i].edge) : step_of_recv(p, list[i].edge));
    free(list);
}

/* ---- processors and links ---- */

static bool task_occupies(const struct replay_plan *p, task_id t)
{
    const struct planned_task *x = &p->schedule->tasks[t];
    return span_occupies(x->span, problem_compute_s(&p->schedule->problem, t, x->host));
}

static bool hop_occupies(const struct replay_plan *p, edge_id e, link_id l, struct span span)
{
    const struct link *link = &p->machine->links[l];
    return link->sharing != LINK_FATPIPE &&
           span_occupies(span, p->dag->edges[e].size_bytes / link->bandwidth_bytes_per_s);
}

/* Ranks leave room around each task (3 i - 1, 3 i, 3 i + 1) for its receives and its sends. */
static void chain_processors(struct replay_plan *p)
{
    const struct schedule *s = p->schedule;
    struct bookings bookings = {0};
    long *rank = mem_zalloc((size_t)p->dag->n_tasks, sizeof *rank);
    for (int i = 0; i < p->dag->n_tasks; i++)
        rank[p->dag->order[i]] = 3L * i;
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        add_booking(&bookings, (struct booking){s->tasks[t].host, s->tasks[t].span, rank[t], t});
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        const struct edge *edge = &p->dag->edges[e];
        if (is_placed(p, e, DIR_SEND))
            add_booking(&bookings, (struct booking){edge_host(p, e, DIR_SEND), s->edges[e].send, rank[edge->src] + 1,
                                                    step_of_send(p, e)});
        if (is_placed(p, e, DIR_RECV))
            add_booking(&bookings, (struct booking){edge_host(p, e, DIR_RECV), s->edges[e].recv, rank[edge->dst] - 1,
                                                    step_of_recv(p, e)});
    }
    free(rank);
    qsort(bookings.list, bookings.n, sizeof *bookings.list, compare_bookings);
    step_id last = -1;
    for (size_t i = 0; i < bookings.n; i++) {
        step_id step = bookings.list[i].step;
        if (i > 0 && bookings.list[i].owner != bookings.list[i - 1].owner)
            last = -1;
        if (step_kind(p, step) == STEP_TASK)
            chain_derived(p, &last, step, DIR_RECV);
        if (step_kind(p, step) != STEP_TASK || p->is_program || task_occupies(p, step))
            chain(p, &last, step);
        if (step_kind(p, step) == STEP_TASK)
            chain_derived(p, &last, step, DIR_SEND);
    }
    free(bookings.list);
}

static void chain_links(struct replay_plan *p)
{
    struct bookings bookings = {0};
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        const struct span *spans = schedule_link_spans(p->schedule, e);
        if (!p->schedule->edges[e].is_remote || spans == NULL || !edge_has_links(p, e))
            continue;
        size_t n;
        const link_id *links = schedule_route(p->schedule, e, &n);
        for (size_t k = 0; k < n; k++)
            if (hop_occupies(p, e, links[k], spans[k]))
                add_booking(&bookings, (struct booking){links[k], spans[k], 0, p->first_hop[e] + (step_id)k});
    }
    if (bookings.n > 0)
        qsort(bookings.list, bookings.n, sizeof *bookings.list, compare_bookings);
    step_id last = -1;
    for (size_t i = 0; i < bookings.n; i++) {
        if (i > 0 && bookings.list[i].owner != bookings.list[i - 1].owner)
            last = -1;
        chain(p, &last, bookings.list[i].step);
    }
    free(bookings.list);
}

/* When the schedule has a step; what it does not place stands after its origin, or before its destination. */
static double date_of_step_s(const struct replay_plan *p, step_id step)
{
    const struct schedule *s = p->schedule;
    if (step_kind(p, step) == STEP_TASK)
        return s->tasks[step].span.start_s;
    edge_id e = step_edge(p, step);
    const struct edge *edge = &p->dag->edges[e];
    enum direction dir = step_kind(p, step) == STEP_SEND ? DIR_SEND : DIR_RECV;
    bool is_dated = cost_has_ends(s->problem.model) && (is_placed(p, e, dir) || !takes_processor(p, e, dir));
    if (is_dated)
        return end_span(p, e, dir).start_s;
    return dir == DIR_SEND ? s->tasks[edge->src].span.finish_s : s->tasks[edge->dst].span.start_s;
}

/* On a port by the schedule's dates, and at one date as on the processor. A step is as late as all that its
   processor does before it: tasks without work may lie within others. */
static void chain_ports(struct replay_plan *p)
{
    struct bookings bookings = {0};
    long *place = mem_zalloc((size_t)p->n_steps, sizeof *place); /* on the chain of its processor, from 1 */
    double *date_s = mem_alloc((size_t)p->n_steps * sizeof *date_s);
    for (step_id first = 0; first < p->first_hop[0]; first++) {
        long n = 0;
        bool is_chained = p->after[first] >= 0 || p->before[first] >= 0;
        for (step_id step = first; p->before[first] < 0 && step >= 0; step = p->after[step]) {
            place[step] = is_chained ? ++n : 0;
            date_s[step] = fmax(date_of_step_s(p, step), step == first ? 0 : date_s[p->before[step]]);
        }
    }
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && p->schedule->edges[e].is_remote; dir++) {
            step_id step = dir == DIR_SEND ? step_of_send(p, e) : step_of_recv(p, e);
            struct span at = {date_s[step], date_s[step]};
            if (p->passages[e].port_before_s[dir] + p->passages[e].port_s[dir] > 0)
                add_booking(&bookings, (struct booking){2 * edge_host(p, e, dir) + (int)dir, at, place[step], step});
        }
    free(date_s);
    free(place);
    if (bookings.n > 0)
        qsort(bookings.list, bookings.n, sizeof *bookings.list, compare_bookings);
    for (size_t i = 1; i < bookings.n; i++)
        if (bookings.list[i].owner == bookings.list[i - 1].owner) {
            p->port_before[bookings.list[i].step] = bookings.list[i - 1].step;
            p->port_after[bookings.list[i - 1].step] = bookings.list[i].step;
        }
    free(bookings.list);
}

/* ---- steps ---- */

int replay_plan_n_before(const struct replay_plan *p, step_id s)
{
    /* a task waits for all its edges; a send for its task, a hop for its send or the hop before, a receive for its
       data */
    int data = step_kind(p, s) == STEP_TASK ? p->dag->in_start[s + 1] - p->dag->in_start[s] : 1;
    return data + (p->before[s] >= 0) + (step_before_on_port(p, s) >= 0);
}

double replay_route_latency_s(const struct replay_plan *p, edge_id e)
{
    struct route route = {0};
    machine_route(p->machine, edge_host(p, e, DIR_SEND), edge_host(p, e, DIR_RECV), &route, NULL);
    free(route.links);
    return route.latency_s;
}

const char *replay_edge_name(const struct replay_plan *p, edge_id e, char out[256])
{
    const struct edge *edge = &p->dag->edges[e];
    snprintf(out, 256, "%.120s -> %.120s", p->dag->tasks[edge->src].name, p->dag->tasks[edge->dst].name);
    return out;
}

/* Bytes are those of the world, with noise; but whether an end has a length at all is asked of the schedule's dates. */
static struct passage find_passage(const struct replay_plan *p, const struct cost_model *charges, edge_id e)
{
    size_t n;
    const link_id *links = schedule_route(p->schedule, e, &n);
    double bytes = p->amounts.bytes[e];
    host_id src = edge_host(p, e, DIR_SEND), dst = edge_host(p, e, DIR_RECV);
    struct passage passage = {0};
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
        struct cost_end end = cost_end(charges, p->machine, src, dst, dir, machine_end_link(links, n, dir), bytes);
        passage.overhead_s[dir] = end.overhead_s;
        passage.involvement_s[dir] = end.involvement_s;
        passage.port_s[dir] = end.port_s;
        passage.port_before_s[dir] = end.port_before_s;
        if (p->is_rendezvous && !edge_is_eager(p, e))
            passage.involvement_s[dir] = end.involvement_s = 0; /* its ends are held otherwise */
        if (!span_occupies(end_span(p, e, dir), end.overhead_s + end.involvement_s))
            passage.overhead_s[dir] = passage.involvement_s[dir] = 0; /* of what is lost nothing is felt */
    }
    if (charges->transit_s != NULL)
        passage.transit_s = charges->transit_s(charges, p->machine, src, dst, bytes);
    return passage;
}

/* Sends and receives are numbered for local edges, too: then the number of a step says what it is without a table. */
static enum err_code number_steps(struct replay_plan *p, struct err *e)
{
    size_t n_edges = (size_t)p->dag->n_edges, next = (size_t)p->dag->n_tasks + 2 * n_edges;
    p->first_hop = mem_alloc((n_edges + 1) * sizeof *p->first_hop);
    for (edge_id edge = 0; edge <= p->dag->n_edges; edge++) {
        size_t n = 0;
        if (next > INT_MAX)
            return err_set(e, ERR_INPUT, "the schedule is too large: %d edges take more than %d steps", p->dag->n_edges,
                           INT_MAX);
        p->first_hop[edge] = (step_id)next;
        if (edge == p->dag->n_edges || !p->schedule->edges[edge].is_remote)
            continue;
        schedule_route(p->schedule, edge, &n);
        next += edge_has_links(p, edge) ? n : 1;
    }
    p->n_steps = (int)next;
    p->edge_of_hop = mem_alloc((size_t)(p->n_steps - p->first_hop[0] + 1) * sizeof *p->edge_of_hop);
    for (edge_id edge = 0; edge < p->dag->n_edges; edge++)
        for (step_id s = p->first_hop[edge]; s < p->first_hop[edge + 1]; s++)
            p->edge_of_hop[s - p->first_hop[0]] = edge;
    return ERR_NONE;
}

/* Where a transfer has links for itself, or a world says how long it is under way, it cannot wait for its ends. */
static enum err_code check_rendezvous(const struct replay_options *options, struct err *e)
{
    const struct cost_model *charges = options->world->charges;
    if (options->waiting != REPLAY_RENDEZVOUS)
        return ERR_NONE;
    if (options->links == REPLAY_EXCLUSIVE)
        return err_set(e, ERR_INPUT,
                       "waiting 'rendezvous' is not for links 'exclusive': transfers share links (fluid)");
    if (charges != NULL && (charges->transit_s != NULL || charges->books_ports))
        return err_set(
            e, ERR_INPUT,
            "waiting 'rendezvous' is not for world '%s', which has %s: its messages cannot wait on their way",
            options->world->name, charges->transit_s != NULL ? "a time under way of its own" : "ports");
    return ERR_NONE;
}

enum err_code replay_plan_init(struct replay_plan *p, const struct schedule *s, const struct replay_options *options,
                               struct err *e)
{
    const struct cost_model *charges = options->world->charges;
    *p = (struct replay_plan){.schedule = s,
                              .dag = s->problem.dag,
                              .machine = s->problem.machine,
                              .has_transit = charges != NULL && charges->transit_s != NULL,
                              .is_active = options->waiting == REPLAY_ACTIVE,
                              .is_rendezvous = options->waiting == REPLAY_RENDEZVOUS,
                              .is_held = options->waiting != REPLAY_PASSIVE,
                              .progress = options->progress,
                              .eager_bytes = options->eager_bytes,
                              .is_program = options->is_program};
    p->is_exclusive = options->links == REPLAY_EXCLUSIVE || p->has_transit;
    enum err_code code = check_rendezvous(options, e);
    if (code == ERR_NONE)
        code = amounts_init(&p->amounts, s, options, e);
    if (code == ERR_NONE && charges != NULL)
        code = problem_check_model(&s->problem, charges, p->amounts.bytes, e);
    if (code == ERR_NONE)
        code = number_steps(p, e);
    if (code != ERR_NONE)
        return code;
    p->passages = mem_zalloc((size_t)p->dag->n_edges + 1, sizeof *p->passages);
    p->before = mem_alloc((size_t)p->n_steps * sizeof *p->before);
    p->after = mem_alloc((size_t)p->n_steps * sizeof *p->after);
    p->first = mem_alloc(p->machine->n_hosts * sizeof *p->first);
    for (step_id step = 0; step < p->n_steps; step++)
        p->before[step] = p->after[step] = -1;
    for (size_t h = 0; h < p->machine->n_hosts; h++)
        p->first[h] = -1;
    for (edge_id edge = 0; edge < p->dag->n_edges && charges != NULL; edge++)
        if (s->edges[edge].is_remote)
            p->passages[edge] = find_passage(p, charges, edge);
    /* processors before ports: at one date a port follows the order of its processor */
    chain_processors(p);
    if (charges != NULL && charges->books_ports) {
        p->port_before = mem_alloc((size_t)p->n_steps * sizeof *p->port_before);
        p->port_after = mem_alloc((size_t)p->n_steps * sizeof *p->port_after);
        for (step_id step = 0; step < p->n_steps; step++)
            p->port_before[step] = p->port_after[step] = -1;
        chain_ports(p);
    }
    if (p->is_exclusive)
        chain_links(p);
    return replay_plan_check_circles(p, options->schedule_path, e);
}

void replay_plan_clear(struct replay_plan *p)
{
    amounts_clear(&p->amounts);
    free(p->passages);
    free(p->first_hop);
    free(p->edge_of_hop);
    free(p->first);
    free(p->before);
    free(p->after);
    free(p->port_before);
    free(p->port_after);
    *p = (struct replay_plan){0};
}
