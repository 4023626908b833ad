/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON for programs that ask why: what stole time from each task, what precedes each part on the critical chain, and
   what links carry when. What is known is computed by sim/users/explain; this file names it. */
#include "report/replay_details.h"

#include "base/mem.h"
#include "report/json_bytes.h"

#include <stdlib.h>

/* An edge has no name of its own: "A -> B". */
static json_t *edge_name(const struct replay_plan *p, edge_id e)
{
    char *name = explain_item_name(p->dag, (struct explain_item){-1, e});
    json_t *json = json_bytes(name);
    free(name);
    return json;
}

/* ---- chains ---- */

static json_t *place_json(const struct replay_plan *p, int place)
{
    static const char *const parts[] = {[STEP_SEND] = "send", [STEP_RECV] = "recv", [STEP_HOP] = "transfer"};
    /* A place is 2 * step, or 2 * step + 1 (explain.h). */
    step_id s = place / 2;
    if (place < 0)
        return json_null();
    if (step_kind(p, s) == STEP_TASK)
        return json_pack("{s:o}", "task", json_bytes(p->dag->tasks[s].name));
    return json_pack("{s:o, s:s}", "edge", edge_name(p, step_edge(p, s)), "part", parts[step_kind(p, s)]);
}

/* What is before the end of a step; a transfer's hops count as one, because users know edges, not hops. So hops of the
   same edge are passed over. */
static void set_before(const struct replay_plan *p, json_t *object, const int *before, step_id s)
{
    int place = before[2 * s];
    while (step_kind(p, s) == STEP_HOP && place >= 0 && step_kind(p, place / 2) == STEP_HOP &&
           step_edge(p, place / 2) == step_edge(p, s))
        place = before[place];
    json_object_set_new(object, "before", place_json(p, place));
}

/* ---- stolen ---- */

static json_t *taken_json(const struct replay_plan *p, const struct explain_tasks *x, task_id t)
{
    json_t *list = json_array();
    for (size_t i = x->start[t]; i < x->start[t + 1]; i++)
        json_array_append_new(list, json_pack("{s:o, s:s, s:f}", "edge", edge_name(p, x->list[i].edge), "direction",
                                              x->list[i].direction == DIR_SEND ? "send" : "receive", "s",
                                              x->list[i].taken_s));
    return list;
}

void replay_details_find(struct replay_details *d, const struct replay_record *record,
                         const struct replay_result *result, const struct world_model *world)
{
    d->plan = &record->plan;
    d->before = explain_before(record, result, world);
    explain_tasks_find(record, result, world, &d->taken);
}

void replay_details_clear(struct replay_details *d)
{
    explain_tasks_clear(&d->taken);
    free(d->before);
}

void replay_details_task(const struct replay_details *d, task_id t, json_t *task)
{
    json_object_set_new(task, "stolen", taken_json(d->plan, &d->taken, t));
    set_before(d->plan, task, d->before, t);
}

void replay_details_edge(const struct replay_details *d, edge_id e, json_t *edge)
{
    const struct replay_plan *p = d->plan;
    set_before(p, json_object_get(edge, "send"), d->before, step_of_send(p, e));
    set_before(p, json_object_get(edge, "transfer"), d->before, p->first_hop[e + 1] - 1); /* its last hop */
    set_before(p, json_object_get(edge, "recv"), d->before, step_of_recv(p, e));
}

/* ---- links ---- */

struct carried {
    link_id link;
    edge_id edge;
    double from_s, to_s, bytes_per_s;
};

struct carrying {
    struct carried *list;
    size_t n, capacity;
};

/* The last change of a hop is its end, with rate 0: it begins no interval. */
static void add_carried(struct carrying *to, const struct replay_record *r, link_id l, step_id hop)
{
    int series = record_of_hop(&r->plan, hop);
    for (size_t i = r->start[series]; i + 1 < r->start[series + 1]; i++) {
        const struct record_change *x = &r->changes[i];
        if (!(x->value > 0 && x[1].from_s > x->from_s)) /* no bytes, or no time */
            continue;
        MEM_GROW(to->list, to->n, to->capacity);
        to->list[to->n++] = (struct carried){l, step_edge(&r->plan, hop), x->from_s, x[1].from_s, x->value};
    }
}

static int compare_carried(const void *a, const void *b)
{
    const struct carried *x = a, *y = b;
    if (x->link != y->link)
        return x->link < y->link ? -1 : 1;
    if (x->from_s != y->from_s)
        return x->from_s < y->from_s ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

/* In `fluid` an edge has one hop, which is on all links of its route at once. */
static void collect(struct carrying *to, const struct replay_record *r)
{
    const struct replay_plan *p = &r->plan;
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        size_t n;
        const link_id *links = schedule_route(p->schedule, e, &n);
        for (size_t k = 0; k < n && p->schedule->edges[e].is_remote; k++)
            add_carried(to, r, links[k], p->first_hop[e] + (edge_has_links(p, e) ? (step_id)k : 0));
    }
    if (to->n > 0)
        qsort(to->list, to->n, sizeof *to->list, compare_carried);
}

/* A stream, because rates change often: under contention their number may grow with the square of the transfers. */
void replay_details_links(const struct replay_record *record, struct json_stream *to)
{
    struct carrying all = {0};
    collect(&all, record);
    json_stream_open(to, "links", '[');
    for (size_t i = 0; i < all.n; i++) {
        const struct carried *x = &all.list[i];
        if (i == 0 || x->link != x[-1].link) {
            json_stream_open(to, NULL, '{');
            json_stream_value(to, "link", json_bytes(record->plan.machine->links[x->link].name));
            json_stream_open(to, "carries", '[');
        }
        json_stream_value(to, NULL,
                          json_pack("{s:o, s:f, s:f, s:f}", "edge", edge_name(&record->plan, x->edge), "from_s",
                                    x->from_s, "to_s", x->to_s, "bytes_per_s", x->bytes_per_s));
        if (i + 1 == all.n || x[1].link != x->link) {
            json_stream_close(to, ']');
            json_stream_close(to, '}');
        }
    }
    json_stream_close(to, ']');
    free(all.list);
}
