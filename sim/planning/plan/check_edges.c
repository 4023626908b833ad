/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The conditions on single edges ([S] 7.1, 8.1, 8.2; doc/model.md, Beliefs).

       origin   [task][ o_s |  i_s  ]            (8.3) the send starts after the task
       link 1          ......[ zeta_1 ]          (8.4) the first link after the overhead
       link 2                 .[ zeta_2 ]        starts and finishes after the previous link, plus its latency
       destination               [ i_r | o_r ]   (8.5) starts i_r before the last byte arrives
                                              [task]

   Edges are checked by pairs of hosts, so each route is looked up once. Time: O(n log n). */
#include "base/mem.h"
#include "base/text.h"
#include "plan/checked_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An edge between two hosts, with what the platform determines for it. */
struct judged {
    struct check *c;
    edge_id id;
    const struct check_edge *edge;
    const struct check_item *src, *dst; /* its tasks */
    const char *src_name, *dst_name;
    double bytes;
    const struct route *route;
    struct cost_end ends[N_DIRECTIONS];
    bool route_is_right; /* in the file; otherwise its times have no meaning */
};

static bool is_usable(const struct check_item *item)
{
    return item->is_there && item->is_timed;
}

/* `item` should start at `release_s` or later. */
static bool is_early(const struct check_item *item, double release_s)
{
    return date_is_before(item->start_s, release_s, check_length_s(item));
}

static double link_s(const struct check *c, link_id l, double bytes)
{
    return bytes / c->machine->links[l].bandwidth_bytes_per_s;
}

/* ---- durations ---- */

static void judge_duration(struct check *c, const struct check_item *item, double want_s, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void judge_duration(struct check *c, const struct check_item *item, double want_s, const char *format, ...)
{
    double got_s = check_length_s(item);
    va_list args;
    if (dates_agree(item->finish_s, item->start_s + want_s, want_s))
        return;
    va_start(args, format);
    char *who = mem_vformat(format, args);
    va_end(args);
    check_find(c, CHECK_duration, item->place, "%s takes %.9g s instead of %.9g s, %.3g s too %s", who, got_s, want_s,
               fabs(got_s - want_s), got_s < want_s ? "little" : "much");
    free(who);
}

/* Of the steps that begin below `bytes` the last one counts, or else the first one. */
static double value_of(const struct steps *f, double bytes)
{
    size_t i = f->n;
    if (i == 0)
        return f->number;
    for (i--; i > 0 && f->list[i].above_bytes >= bytes;)
        i--;
    return f->list[i].per_byte * bytes + f->list[i].constant;
}

/* o_s or o_r, and i_s or i_r (8.12, 8.13): a fraction of the time on the first or last link. What is given at the link
   wins over the host's. */
static struct cost_end machine_end(const struct judged *j, host_id host, enum direction dir, link_id l)
{
    const struct machine *m = j->c->machine;
    const struct steps *overhead = &m->hosts[host].overhead_s[dir], *part = &m->hosts[host].involvement_ratio[dir];
    /* a route without links: no link to take a fraction of */
    if (l < 0)
        return (struct cost_end){.overhead_s = value_of(overhead, j->bytes)};
    if (m->links[l].overhead_s[dir].is_given)
        overhead = &m->links[l].overhead_s[dir];
    if (m->links[l].involvement_ratio[dir].is_given)
        part = &m->links[l].involvement_ratio[dir];
    return (struct cost_end){value_of(overhead, j->bytes), value_of(part, j->bytes) * link_s(j->c, l, j->bytes), 0, 0};
}

/* What the model books at a host for the edge. */
static struct cost_end end_of(const struct judged *j, enum direction dir)
{
    const struct cost_model *model = j->c->model;
    host_id host = dir == DIR_SEND ? j->src->id : j->dst->id;
    size_t n = j->route->n_links;
    link_id l = n == 0 ? -1 : j->route->links[dir == DIR_SEND ? 0 : n - 1];
    if (!cost_has_ends(model))
        return (struct cost_end){0};
    struct cost_end end = model->end != NULL
                              ? model->end(model, j->c->machine, j->src->id, j->dst->id, dir, l, j->bytes)
                              : machine_end(j, host, dir, l);
    return (struct cost_end){model->books_processors ? end.overhead_s : 0,
                             model->books_processors ? end.involvement_s : 0, model->books_ports ? end.port_s : 0,
                             model->books_ports ? end.port_before_s : 0};
}

static void judge_durations(const struct judged *j)
{
    struct check *c = j->c;
    const struct cost_end *ends = j->ends;
    bool has_ends = cost_has_ends(c->model);
    if (has_ends && is_usable(&j->edge->send))
        judge_duration(c, &j->edge->send, ends[DIR_SEND].overhead_s + ends[DIR_SEND].involvement_s,
                       "send of '%s' -> '%s'", j->src_name, j->dst_name);
    if (has_ends && is_usable(&j->edge->recv))
        judge_duration(c, &j->edge->recv, ends[DIR_RECV].overhead_s + ends[DIR_RECV].involvement_s,
                       "recv of '%s' -> '%s'", j->src_name, j->dst_name);
    for (size_t k = 0; c->model->books_links && k < j->edge->n_links; k++) {
        const struct check_item *item = &c->links[j->edge->first_link + k];
        if (is_usable(item) && item->id >= 0)
            judge_duration(c, item, link_s(c, item->id, j->bytes), "edge '%s' -> '%s' on link %s", j->src_name,
                           j->dst_name, c->link_names[item->id]);
    }
}

/* ---- which parts, where ---- */

static void judge_part(const struct judged *j, const char *part, bool is_there, bool should)
{
    struct check *c = j->c;
    if (is_there == should)
        return;
    check_find(c, CHECK_parts, j->edge->place, "edge '%s' -> '%s' %s '%s', which the model %s%s", j->src_name,
               j->dst_name, is_there ? "has" : "has no", part, is_there ? "does not book" : "books",
               is_there && j->edge->is_local ? " in a local edge" : "");
}

static void judge_parts(const struct judged *j)
{
    const struct cost_model *model = j->c->model;
    /* what an unknown model books is not known; a local edge has no parts under any model */
    if (model == NULL && !j->edge->is_local)
        return;
    bool links = !j->edge->is_local && model->books_links, ends = !j->edge->is_local && cost_has_ends(model);
    judge_part(j, "send", j->edge->send.is_there, ends);
    judge_part(j, "links", j->edge->has_links, links);
    judge_part(j, "recv", j->edge->recv.is_there, ends);
}

static void judge_endpoint(const struct judged *j, const char *part, const struct check_item *item,
                           const struct check_item *task, const char *task_name)
{
    const struct host *hosts = j->c->machine->hosts;
    if (item->is_there && item->id >= 0 && item->id != task->id)
        check_find(j->c, CHECK_endpoint, item->place, "%s of '%s' -> '%s' is on host %s, but task '%s' is on %s", part,
                   j->src_name, j->dst_name, hosts[item->id].name, task_name, hosts[task->id].name);
}

/* "l0 up, l1 down" */
static char *link_list(const struct check *c, const struct check_item *items, const link_id *ids, size_t n)
{
    struct text out = {0};
    for (size_t k = 0; k < n; k++)
        text_add_name(&out, c->link_names[items != NULL ? items[k].id : ids[k]]);
    return out.data != NULL ? out.data : mem_strdup("no link");
}

static bool judge_route(const struct judged *j)
{
    const struct check_item *items = j->c->links + j->edge->first_link;
    const struct machine *m = j->c->machine;
    size_t n = j->edge->n_links;
    bool is_right = n == j->route->n_links;
    for (size_t k = 0; k < n; k++)
        if (items[k].id < 0)
            return false; /* reported when it was read */
    for (size_t k = 0; k < n && is_right; k++)
        is_right = items[k].id == j->route->links[k];
    if (is_right)
        return true;
    char *has = link_list(j->c, items, NULL, n), *wants = link_list(j->c, NULL, j->route->links, j->route->n_links);
    check_find(j->c, CHECK_route, n > 0 ? items[0].place : j->edge->place,
               "edge '%s' -> '%s' passes %s; the route from %s to %s is %s", j->src_name, j->dst_name, has,
               m->hosts[j->src->id].name, m->hosts[j->dst->id].name, wants);
    free(wants);
    free(has);
    return false;
}

/* ---- when ---- */

static void judge_send_start(const struct judged *j)
{
    const struct check_item *send = &j->edge->send;
    if (is_usable(send) && j->src->is_timed && is_early(send, j->src->finish_s))
        check_find(j->c, CHECK_send_start, send->place,
                   "send of '%s' -> '%s' starts at %.9g, %.3g s before task '%s' finishes at %.9g", j->src_name,
                   j->dst_name, send->start_s, j->src->finish_s - send->start_s, j->src_name, j->src->finish_s);
}

/* When the data leave the origin: after the overhead, if there is one. */
static bool departure(const struct judged *j, double *out)
{
    if (cost_has_ends(j->c->model)) {
        *out = j->edge->send.start_s + j->ends[DIR_SEND].overhead_s;
        return is_usable(&j->edge->send);
    }
    *out = j->src->finish_s;
    return j->src->is_timed;
}

static void judge_first_link(const struct judged *j)
{
    double leave_s;
    const struct check_item *first = &j->c->links[j->edge->first_link];
    if (j->edge->n_links > 0 && is_usable(first) && departure(j, &leave_s) && is_early(first, leave_s))
        check_find(j->c, CHECK_first_link, first->place,
                   "edge '%s' -> '%s' starts on link %s at %.9g, %.3g s before its data can leave at %.9g", j->src_name,
                   j->dst_name, j->c->link_names[first->id], first->start_s, leave_s - first->start_s, leave_s);
}

/* Cut-through: the first byte may follow at once, but the last one cannot be earlier than it comes (doc/model.md,
   Beliefs). */
static void judge_hop(const struct judged *j, const struct check_item *before, const struct check_item *item)
{
    const struct link *links = j->c->machine->links;
    double latency_s = links[before->id].latency_s;
    double start_s = before->start_s + latency_s, finish_s = before->finish_s + latency_s;
    if (!is_usable(before) || !is_usable(item))
        return;
    if (is_early(item, start_s))
        check_find(j->c, CHECK_next_link, item->place,
                   "edge '%s' -> '%s' starts on link %s at %.9g, %.3g s before it can come from link %s at %.9g",
                   j->src_name, j->dst_name, j->c->link_names[item->id], item->start_s, start_s - item->start_s,
                   j->c->link_names[before->id], start_s);
    if (date_is_before(item->finish_s, finish_s, check_length_s(item)))
        check_find(j->c, CHECK_next_link, item->place,
                   "edge '%s' -> '%s' finishes on link %s at %.9g, %.3g s before its end can come from link %s at %.9g",
                   j->src_name, j->dst_name, j->c->link_names[item->id], item->finish_s, finish_s - item->finish_s,
                   j->c->link_names[before->id], finish_s);
}

/* From the departure to the last byte, if links are not booked: the time on the slowest link plus the latency, unless
   the model defines this time. */
static double transit_s(const struct judged *j)
{
    const struct cost_model *model = j->c->model;
    double slowest_s = 0;
    if (model->transit_s != NULL)
        return model->transit_s(model, j->c->machine, j->src->id, j->dst->id, j->bytes);
    for (size_t k = 0; k < j->route->n_links; k++)
        slowest_s = fmax(slowest_s, link_s(j->c, j->route->links[k], j->bytes));
    return slowest_s + j->route->latency_s;
}

/* When the last byte arrives at the destination's host. */
static bool last_byte(const struct judged *j, double *out)
{
    if (!j->c->model->books_links || j->edge->n_links == 0) {
        bool is_known = departure(j, out);
        *out += transit_s(j);
        return is_known;
    }
    const struct check_item *last = &j->c->links[j->edge->first_link + j->edge->n_links - 1];
    *out = last->finish_s + j->c->machine->links[last->id].latency_s;
    return is_usable(last);
}

static void judge_recv_start(const struct judged *j)
{
    double last_s, involved_s = j->ends[DIR_RECV].involvement_s;
    const struct check_item *recv = &j->edge->recv;
    if (is_usable(recv) && last_byte(j, &last_s) && is_early(recv, last_s - involved_s))
        check_find(j->c, CHECK_recv_start, recv->place,
                   "recv of '%s' -> '%s' starts at %.9g, %.3g s too early: its last byte comes at %.9g, i_r is %.9g s",
                   j->src_name, j->dst_name, recv->start_s, last_s - involved_s - recv->start_s, last_s, involved_s);
}

/* Whether `item` is where it should be: its part `from_s` after its start begins at `date_s`. */
static void judge_alignment(const struct judged *j, const struct check_item *item, double from_s, double date_s,
                            const char *what)
{
    double should_s = date_s - from_s;
    if (is_early(item, should_s) || date_is_before(should_s, item->start_s, check_length_s(item)))
        check_find(j->c, CHECK_aligned, item->place,
                   "%s of '%s' -> '%s' starts at %.9g; to be aligned, it should at %.9g", what, j->src_name,
                   j->dst_name, item->start_s, should_s);
}

static void judge_aligned(const struct judged *j)
{
    double last_s;
    const struct check_item *first = &j->c->links[j->edge->first_link];
    if (j->edge->n_links == 0)
        return;
    if (is_usable(&j->edge->send) && is_usable(first))
        judge_alignment(j, &j->edge->send, j->ends[DIR_SEND].overhead_s, first->start_s, "send");
    if (is_usable(&j->edge->recv) && last_byte(j, &last_s))
        judge_alignment(j, &j->edge->recv, j->ends[DIR_RECV].involvement_s, last_s, "receive");
}

/* When the data are ready for the destination's task (8.16). False: unknown because of another violation. */
static bool arrival(const struct judged *j, double *out)
{
    *out = j->edge->recv.finish_s;
    if (cost_has_ends(j->c->model))
        return is_usable(&j->edge->recv);
    return (j->route_is_right || !j->c->model->books_links) && last_byte(j, out);
}

static void judge_precedence(const struct judged *j, double arrival_s)
{
    if (j->dst->is_timed && is_early(j->dst, arrival_s))
        check_find(j->c, CHECK_precedence, j->dst->place,
                   "task '%s' starts at %.9g, %.3g s before the data of '%s' are there at %.9g", j->dst_name,
                   j->dst->start_s, arrival_s - j->dst->start_s, j->src_name, arrival_s);
}

/* ---- one edge ---- */

static void judge_remote_edge(struct judged *j)
{
    double arrival_s;
    struct check *c = j->c;
    bool has_ends = cost_has_ends(c->model), has_links = c->model->books_links;
    for (enum direction dir = 0; dir < N_DIRECTIONS; dir++) {
        j->ends[dir] = end_of(j, dir);
        c->edges[j->id].port_s[dir] = j->ends[dir].port_s;
        c->edges[j->id].port_before_s[dir] = j->ends[dir].port_before_s;
    }
    if (has_ends) {
        judge_endpoint(j, "send", &j->edge->send, j->src, j->src_name);
        judge_endpoint(j, "recv", &j->edge->recv, j->dst, j->dst_name);
        judge_send_start(j);
    }
    judge_durations(j);
    j->route_is_right = has_links && j->edge->has_links && judge_route(j);
    if (j->route_is_right) {
        judge_first_link(j);
        for (size_t k = 1; k < j->edge->n_links; k++)
            judge_hop(j, &c->links[j->edge->first_link + k - 1], &c->links[j->edge->first_link + k]);
    }
    if (has_ends && (j->route_is_right || !has_links))
        judge_recv_start(j);
    if (c->model->is_aligned && j->route_is_right)
        judge_aligned(j);
    if (arrival(j, &arrival_s))
        judge_precedence(j, arrival_s);
}

static struct judged judged_of(struct check *c, edge_id e)
{
    const struct edge *edge = &c->dag->edges[e];
    return (struct judged){
        .c = c,
        .id = e,
        .edge = &c->edges[e],
        .src = &c->tasks[edge->src],
        .dst = &c->tasks[edge->dst],
        .src_name = c->dag->tasks[edge->src].name,
        .dst_name = c->dag->tasks[edge->dst].name,
        .bytes = edge->size_bytes,
    };
}

/* Checks everything that needs no route. Returns whether to check the rest: the edge must be remote, as the file says,
   with two known hosts. */
static bool judge_without_route(struct check *c, edge_id e)
{
    struct judged j = judged_of(c, e);
    if (!j.edge->is_there || !j.edge->has_flag || !j.src->is_there || !j.dst->is_there || j.src->id < 0 ||
        j.dst->id < 0)
        return false;
    bool is_local = j.src->id == j.dst->id;
    if (is_local != j.edge->is_local) {
        check_find(c, CHECK_local, j.edge->place, "edge '%s' -> '%s' is %s, but its tasks are on %s%s%s", j.src_name,
                   j.dst_name, is_local ? "not local" : "local", c->machine->hosts[j.src->id].name,
                   is_local ? "" : " and ", is_local ? ", both" : c->machine->hosts[j.dst->id].name);
        return false;
    }
    judge_parts(&j);
    if (is_local && j.src->is_timed)
        judge_precedence(&j, j.src->finish_s);
    return !is_local && c->model != NULL;
}

/* ---- all edges, by pairs of hosts ---- */

static int compare_hosts(const void *a, const void *b, void *context)
{
    const struct check *c = context;
    edge_id x = *(const edge_id *)a, y = *(const edge_id *)b;
    const struct edge *ex = &c->dag->edges[x], *ey = &c->dag->edges[y];
    int hx[] = {c->tasks[ex->src].id, c->tasks[ex->dst].id, x}, hy[] = {c->tasks[ey->src].id, c->tasks[ey->dst].id, y};
    for (int i = 0; i < 3; i++)
        if (hx[i] != hy[i])
            return hx[i] < hy[i] ? -1 : 1;
    return 0;
}

/* Checks the edges at the beginning of `edges` that have the same two hosts; returns their number. */
static size_t judge_pair(struct check *c, const edge_id *edges, size_t n)
{
    struct judged first = judged_of(c, edges[0]);
    struct route route = {0};
    size_t done = 0;
    bool has_route = machine_route(c->machine, first.src->id, first.dst->id, &route, NULL) == ERR_NONE;
    for (; done < n; done++) {
        struct judged j = judged_of(c, edges[done]);
        if (j.src->id != first.src->id || j.dst->id != first.dst->id)
            break;
        j.route = &route;
        if (has_route)
            judge_remote_edge(&j);
        else
            check_find(c, CHECK_route, j.edge->place, "edge '%s' -> '%s': there is no route from %s to %s", j.src_name,
                       j.dst_name, c->machine->hosts[j.src->id].name, c->machine->hosts[j.dst->id].name);
    }
    if (has_route)
        free(route.links);
    return done;
}

void check_judge_edges(struct check *c)
{
    size_t n = 0;
    edge_id *remote = mem_zalloc((size_t)c->dag->n_edges + 1, sizeof *remote);
    for (edge_id e = 0; e < c->dag->n_edges; e++)
        if (judge_without_route(c, e))
            remote[n++] = e;
    qsort_r(remote, n, sizeof *remote, compare_hosts, c);
    for (size_t at = 0; at < n;)
        at += judge_pair(c, remote + at, n - at);
    free(remote);
}
