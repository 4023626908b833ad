/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of a replay by date. A replay is over when it is traced, so activities are collected, cut into their
   starts and ends, and sorted. Memory: two moments for each activity. */
#include "base/mem.h"
#include "report/trace_format.h"

#include <math.h>
#include <stdlib.h>

struct slice { /* an activity of a host, from start to finish */
    enum trace_what what;
    struct span span;
    host_id host, peer; /* peer -1: none */
    task_id task;       /* or -1, and */
    edge_id edge;
};

struct slices {
    const struct schedule *schedule;
    const struct replay_result *result;
    struct slice *list;
    size_t n;
};

static char *name_of(const struct schedule *s, const struct slice *x)
{
    const struct dag *g = s->problem.dag;
    if (x->task >= 0)
        return mem_strdup(g->tasks[x->task].name);
    return mem_format("%s -> %s", g->tasks[g->edges[x->edge].src].name, g->tasks[g->edges[x->edge].dst].name);
}

static void collect_slices(const struct schedule *s, const struct replay_result *r, struct slices *out)
{
    const struct dag *g = s->problem.dag;
    /* At most: of an edge a send, a transfer, a receive. */
    *out = (struct slices){s, r, mem_alloc((r->n_tasks + 3 * r->n_edges + 1) * sizeof *out->list), 0};
    for (task_id t = 0; t < g->n_tasks; t++)
        out->list[out->n++] = (struct slice){TRACE_COMPUTE, r->tasks[t], s->tasks[t].host, -1, t, -1};
    for (edge_id e = 0; e < g->n_edges; e++) {
        host_id src = s->tasks[g->edges[e].src].host, dst = s->tasks[g->edges[e].dst].host;
        if (!s->edges[e].is_remote)
            continue;
        out->list[out->n++] = (struct slice){TRACE_SEND, r->edges[e].send, src, dst, -1, e};
        out->list[out->n++] = (struct slice){TRACE_TRANSFER, r->edges[e].transfer, src, dst, -1, e};
        out->list[out->n++] = (struct slice){TRACE_RECEIVE, r->edges[e].recv, dst, src, -1, e};
    }
}

/* ---- dates ---- */

/* An order in which a viewer's stack stays right: what ends at a date is closed before anything begins, and an activity
   of no length opens and closes in between. */
struct moment {
    double time_s;
    int rank; /* at one date: first ends, then activities of zero length, then starts */
    size_t slice;
    bool ends;
};

static bool is_empty(struct span span)
{
    return !(span.finish_s > span.start_s);
}

static int compare_moments(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->slice != y->slice)
        return x->slice < y->slice ? -1 : 1;
    return x->ends - y->ends; /* false before true: of one slice, the start comes first */
}

static struct moment *sort_moments(const struct slices *slices)
{
    struct moment *moments = mem_alloc((2 * slices->n + 1) * sizeof *moments);
    for (size_t i = 0; i < 2 * slices->n; i++) {
        struct span span = slices->list[i / 2].span;
        int rank = is_empty(span) ? 1 : i % 2 ? 0 : 2;
        moments[i] = (struct moment){i % 2 ? span.finish_s : span.start_s, rank, i / 2, i % 2};
    }
    qsort(moments, 2 * slices->n, sizeof *moments, compare_moments);
    return moments;
}

/* ---- flows: from the send, over the transfer, to the receive; one of them that takes no time cannot be seen, and then
   the transfer, or the task that uses the data, is in its place ---- */

/* A flow of which nothing could be seen at one of its ends would lead from nothing, or to nothing. */
static bool has_flow(const struct slices *x, edge_id e)
{
    const struct replayed_edge *edge = &x->result->edges[e];
    bool is_sent = !is_empty(edge->send) || !is_empty(edge->transfer);
    return is_sent && (!is_empty(edge->recv) || !is_empty(x->result->tasks[x->schedule->problem.dag->edges[e].dst]));
}

static void put_flow(const struct slices *x, struct trace *t, struct trace_event event, enum trace_phase phase,
                     edge_id e)
{
    char id[16];
    if (!has_flow(x, e))
        return;
    /* A number: names of edges need not be unique. */
    snprintf(id, sizeof id, "%d", e);
    event.id = id;
    event.phase = phase;
    trace_put(t, &event);
}

/* Under active waiting a receive begins before its data come; the flow then ends in it as soon as they are on their
   way. A flow's points must be in order of time, so it cannot end at the start of the receive, which has passed. */
static void put_flow_out(const struct slices *x, struct trace *t, const struct slice *slice, struct trace_event event)
{
    const struct replayed_edge *edge = &x->result->edges[slice->edge];
    bool is_first = slice->what == TRACE_SEND || is_empty(edge->send);
    bool is_last = slice->what == TRACE_TRANSFER || is_empty(edge->transfer);
    put_flow(x, t, event, is_first ? TRACE_FLOW_FROM : TRACE_FLOW_OVER, slice->edge);
    if (!is_last || is_empty(edge->recv) || edge->recv.start_s >= event.time_s) /* put_flow_in does it */
        return;
    event.what = TRACE_RECEIVE;
    event.at = slice->peer;
    event.peer = slice->host;
    event.key = -1;
    put_flow(x, t, event, TRACE_FLOW_TO, slice->edge);
}

/* The other case: the receive begins when, or after, the data are on their way. */
static void put_flow_in(const struct slices *x, struct trace *t, const struct slice *slice, struct trace_event event)
{
    const struct replayed_edge *edge = &x->result->edges[slice->edge];
    double out_s = is_empty(edge->transfer) ? edge->send.start_s : edge->transfer.start_s;
    if (event.time_s >= out_s)
        put_flow(x, t, event, TRACE_FLOW_TO, slice->edge);
}

static void put_flows(const struct slices *x, struct trace *t, const struct slice *slice, struct trace_event event)
{
    const struct dag *g = x->schedule->problem.dag;
    if (slice->what == TRACE_RECEIVE)
        put_flow_in(x, t, slice, event);
    else if (slice->what != TRACE_COMPUTE)
        put_flow_out(x, t, slice, event);
    else
        /* A receive that takes no time cannot be the end of the flow: the task that uses the data is. */
        for (int i = g->in_start[slice->task]; i < g->in_start[slice->task + 1]; i++)
            if (x->schedule->edges[g->in[i]].is_remote && is_empty(x->result->edges[g->in[i]].recv))
                put_flow(x, t, event, TRACE_FLOW_TO, g->in[i]);
}

/* ---- the whole ---- */

static void put_moment(const struct slices *slices, struct trace *t, const struct moment *m)
{
    const struct slice *x = &slices->list[m->slice];
    char *name = name_of(slices->schedule, x);
    struct trace_event event = {.time_s = m->time_s,
                                .what = x->what,
                                .phase = m->ends ? TRACE_ENDS : TRACE_STARTS,
                                .at = x->host,
                                .peer = x->peer,
                                .name = name,
                                .key = x->what == TRACE_TRANSFER ? x->edge : -1,
                                .is_empty = is_empty(x->span)};
    trace_put(t, &event);
    /* Only with the start of something visible: a flow's point belongs to the slice that is open at its date. */
    if (!event.is_empty && !m->ends)
        put_flows(slices, t, x, event);
    free(name);
}

enum err_code trace_write_replay(const char *path, const struct schedule *s, const struct replay_result *r,
                                 const struct replay_record *record, const struct world_model *world, struct err *e)
{
    struct trace *t;
    struct slices slices;
    if (trace_is_wfcommons(path))
        return trace_write_wfcommons(path, s, r, e);
    const struct machine *m = s->problem.machine;
    /* Without a record no rates are known, and no links are named. */
    struct trace_names names = trace_names_of(m->n_hosts, record != NULL ? m : NULL);
    names.n_keys = s->problem.dag->n_edges;
    names.task_prefix = "";
    for (size_t h = 0; h < m->n_hosts; h++)
        names.hosts[h] = m->hosts[h].name;
    enum err_code code = trace_create(path, &names, &t, e);
    if (code != ERR_NONE)
        return code;
    struct trace_rates *rates = record != NULL ? trace_rates_create(record, world) : NULL;
    collect_slices(s, r, &slices);
    struct moment *moments = sort_moments(&slices);
    for (size_t i = 0; i < 2 * slices.n; i++) {
        /* Rates up to and including this date come first, so that a counter shows what the activity begins with. */
        if (rates != NULL)
            trace_rates_put_until(rates, moments[i].time_s, t);
        put_moment(&slices, t, &moments[i]);
    }
    trace_rates_free(rates);
    free(moments);
    free(slices.list);
    return trace_close(t, true, e);
}
