/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/replay_details.h"

#include "base/mem.h"
#include "report/json_bytes.h"

#include <stdlib.h>

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
    step_id s = place / 2;
    if (place < 0)
        return json_null();
    if (step_kind(p, s) == STEP_TASK)
        return json_pack("{s:o}", "task", json_bytes(p->dag->tasks[s].name));
    return json_pack("{s:o, s:s}", "edge", edge_name(p, step_edge(p, s)), "part", parts[step_kind(p, s)]);
}

/* What is before the end of a step; a transfer's hops count as one. */
static void set_before(const struct replay_plan *p, json_t *object, const int *before, step_id s)
{
    int place = before[2 * s];
    while (step_kind(p, s) == STEP_HOP && place >= 0 && step_kind(p, place / 2) == STEP_HOP &&
           step_edge(p, place / 2) == step_edge(p, s))
        place = before[place];
    json_object_set_new(object, "before", place_json(p, place));
}

static void add_chains(json_t *tasks, json_t *edges, const struct replay_plan *p, const int *before)
{
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        set_before(p, json_array_get(tasks, (size_t)t), before, t);
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        json_t *edge = json_array_get(edges, (size_t)e);
        if (!p->schedule->edges[e].is_remote)
            continue;
        set_before(p, json_object_get(edge, "send"), before, step_of_send(p, e));
        set_before(p, json_object_get(edge, "transfer"), before, p->first_hop[e + 1] - 1);
        set_before(p, json_object_get(edge, "recv"), before, step_of_recv(p, e));
    }
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

void replay_details_add(json_t *tasks, json_t *edges, const struct replay_record *record,
                        const struct replay_result *result, const struct world_model *world)
{
    struct explain_tasks taken;
    int *before = explain_before(record, result, world);
    explain_tasks_find(record, result, world, &taken);
    for (task_id t = 0; t < record->plan.dag->n_tasks; t++)
        json_object_set_new(json_array_get(tasks, (size_t)t), "stolen", taken_json(&record->plan, &taken, t));
    add_chains(tasks, edges, &record->plan, before);
    explain_tasks_clear(&taken);
    free(before);
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

static void add_carried(struct carrying *to, const struct replay_record *r, link_id l, step_id hop)
{
    int series = record_of_hop(&r->plan, hop);
    for (size_t i = r->start[series]; i + 1 < r->start[series + 1]; i++) {
        const struct record_change *x = &r->changes[i];
        if (!(x->value > 0 && x[1].from_s > x->from_s))
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

json_t *replay_details_links(const struct replay_record *record)
{
    struct carrying all = {0};
    json_t *links = json_array(), *carries = NULL;
    collect(&all, record);
    for (size_t i = 0; i < all.n; i++) {
        const struct carried *x = &all.list[i];
        if (i == 0 || x->link != x[-1].link) {
            carries = json_array();
            json_array_append_new(links,
                                  json_pack("{s:o, s:o}", "link", json_bytes(record->plan.machine->links[x->link].name),
                                            "carries", carries));
        }
        json_array_append_new(carries, json_pack("{s:o, s:f, s:f, s:f}", "edge", edge_name(&record->plan, x->edge),
                                                 "from_s", x->from_s, "to_s", x->to_s, "bytes_per_s", x->bytes_per_s));
    }
    free(all.list);
    return links;
}
