/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a Gantt chart shows of a farm: for each node a lane of its processor, one of what it receives and one of what it
   sends, if it does; then a lane for each link that several children share. Nodes that neither compute nor pass tasks
   on are counted, not shown. Stolen time is that of `iasim farm --explain`: what transfers take while the node
   computes. */
#include "report/gantt.h"

#include "base/mem.h"
#include "report/svg_text.h"

#include <math.h>
#include <stdlib.h>

/* The lanes of a node, in this order. The first exists even if it is empty: a node that only passes tasks on is
   idle. */
enum part { PROCESSOR, RECEIVES, SENDS, N_PARTS };

static const struct farm_record *record_of(const struct gantt *g)
{
    return g->subject->farm->options->record;
}

static size_t lane_of(node_id n, enum part part)
{
    return (size_t)n * N_PARTS + part;
}

/* ---- bars ---- */

/* Nodes that saw no task. Their bars would be one long "starved". */
static bool is_active(const struct gantt *g, node_id n)
{
    const struct farm_node_result *x = &g->subject->farm->result->nodes[n].farm;
    return x->tasks_computed > 0 || x->tasks_forwarded > 0 || x->received_bytes > 0;
}

static void add_processor(struct gantt *g, node_id n)
{
    static const enum gantt_kind kinds[] = {
        [FARM_COMPUTES] = GANTT_TASK, [FARM_STARVES] = GANTT_STARVED, [FARM_IS_DONE] = GANTT_DONE};
    const struct farm_stretches *doings = &record_of(g)->doings;
    for (size_t i = doings->first[n]; i < doings->first[n + 1]; i++) {
        const struct farm_stretch *x = &doings->list[i];
        gantt_add_bar(g, 0, lane_of(n, PROCESSOR), /* tasks count from 1 in records, from 0 in bars */
                      (struct gantt_bar){.kind = kinds[x->kind], .id = (int)x->task - 1, .hop = n, .span = x->span});
    }
}

/* The part of each charge in which the node computes any task. Both lists are by date and do not overlap themselves, so
   one pass over both finds the intersections. Time: the sum of their lengths. */
static void add_stolen(struct gantt *g, node_id n)
{
    const struct farm_stretches *doings = &record_of(g)->doings, *charges = &record_of(g)->charges;
    size_t at = charges->first[n];
    for (size_t i = doings->first[n]; i < doings->first[n + 1]; i++) {
        if (doings->list[i].kind != FARM_COMPUTES)
            continue;
        struct span busy = doings->list[i].span;
        /* Tasks without a gap between them are one busy time: a charge is not cut at each task's end. */
        while (i + 1 < doings->first[n + 1] && doings->list[i + 1].kind == FARM_COMPUTES)
            busy.finish_s = doings->list[++i].span.finish_s;
        /* A charge that ended before this busy time gives a bar of negative length, which is dropped. */
        for (; at < charges->first[n + 1] && charges->list[at].span.start_s < busy.finish_s; at++) {
            const struct farm_stretch *charge = &charges->list[at];
            struct gantt_bar bar = {
                .kind = GANTT_STOLEN,
                .id = n,
                .span = {fmax(busy.start_s, charge->span.start_s), fmin(busy.finish_s, charge->span.finish_s)},
                .ratio = charge->value};
            if (bar.span.finish_s > bar.span.start_s)
                gantt_add_bar(g, 0, lane_of(n, PROCESSOR), bar);
            if (charge->span.finish_s > busy.finish_s)
                break; /* it goes on in the next one */
        }
    }
}

/* Links that children share, as a mark on each: how many children's tasks pass it. A fat pipe (LINK_FATPIPE) gives each
   transfer its full rate, so nothing is shared there. */
static int *count_children(const struct gantt *g, struct route *routes)
{
    const struct gantt_farm *farm = g->subject->farm;
    int *n_children = mem_zalloc(farm->machine->n_links + 1, sizeof *n_children);
    for (node_id n = 0; n < farm->tree->n_nodes; n++) {
        node_id parent = farm->tree->nodes[n].parent;
        if (parent < 0)
            continue;
        machine_route(farm->machine, farm->tree->nodes[parent].host, farm->tree->nodes[n].host, &routes[n], NULL);
        for (size_t k = 0; k < routes[n].n_links; k++)
            n_children[routes[n].links[k]] += farm->machine->links[routes[n].links[k]].sharing != LINK_FATPIPE;
    }
    return n_children;
}

static void add_transfers(struct gantt *g, node_id n, const struct route *route, const int *n_children)
{
    const struct farm_stretches *transfers = &record_of(g)->transfers;
    node_id parent = g->subject->farm->tree->nodes[n].parent;
    /* Lanes of links come after those of all nodes. */
    size_t first_link = lane_of(record_of(g)->n_nodes, 0);
    for (size_t i = transfers->first[n]; i < transfers->first[n + 1]; i++) {
        const struct farm_stretch *x = &transfers->list[i];
        struct gantt_bar bar = {.kind = GANTT_RECEIVE, .id = (int)x->task - 1, .hop = n, .span = x->span};
        gantt_add_bar(g, 0, lane_of(n, RECEIVES), bar);
        /* The same transfer is drawn where it comes from, where it goes to, and on the links
           between, if these are shared. */
        bar.kind = GANTT_SEND;
        gantt_add_bar(g, 0, lane_of(parent, SENDS), bar);
        bar.kind = GANTT_TRANSFER;
        for (size_t k = 0; k < route->n_links; k++)
            if (n_children[route->links[k]] > 1)
                gantt_add_bar(g, 0, first_link + (size_t)route->links[k], bar);
    }
}

static void collect_bars(struct gantt *g)
{
    size_t n_nodes = (size_t)record_of(g)->n_nodes;
    struct route *routes = mem_zalloc(n_nodes, sizeof *routes);
    int *n_children = count_children(g, routes);
    /* Transfers belong to the node that receives. A sender is active, too, so no lane is missing. */
    for (node_id n = 0; n < (node_id)n_nodes; n++) {
        if (!is_active(g, n))
            continue;
        add_processor(g, n);
        add_stolen(g, n);
        add_transfers(g, n, &routes[n], n_children);
    }
    gantt_sort_bars(g);
    for (size_t n = 0; n < n_nodes; n++)
        free(routes[n].links);
    free(routes);
    free(n_children);
}

/* ---- lanes ---- */

static void add_lane(struct gantt *g, struct gantt_lane lane)
{
    for (size_t i = lane.first; i < lane.first + lane.n; i++)
        g->bars[i].lane = g->n_lanes;
    gantt_set_rows(g, &lane);
    g->lanes[g->n_lanes++] = lane;
}

/* `at` is where this node's bars begin; returns where those of the next one do. */
static size_t add_node(struct gantt *g, node_id node, size_t at)
{
    int group = g->n_lanes;
    if (!is_active(g, node)) {
        g->n_left_out_hosts++;
        return at;
    }
    for (enum part part = PROCESSOR; part < N_PARTS; part++) {
        size_t n = gantt_count_bars(g, at, lane_of(node, part));
        /* A node that never sends has no lane for it. */
        if (n > 0 || part == PROCESSOR)
            add_lane(g, (struct gantt_lane){.name = g->subject->farm->tree->nodes[node].host_name,
                                            .is_part = part != PROCESSOR,
                                            .first = at,
                                            .n = n});
        at += n;
    }
    g->lanes[group].n_group = g->n_lanes - group;
    return at;
}

static void choose_lanes(struct gantt *g)
{
    const struct gantt_farm *farm = g->subject->farm;
    size_t at = 0, n_lanes = lane_of(farm->tree->n_nodes, 0) + farm->machine->n_links;
    g->lanes = mem_zalloc(n_lanes + 1, sizeof *g->lanes);
    for (node_id n = 0; n < farm->tree->n_nodes; n++)
        at = add_node(g, n, at);
    for (size_t l = 0; l < farm->machine->n_links; l++) {
        size_t n = gantt_count_bars(g, at, lane_of(farm->tree->n_nodes, 0) + l);
        if (n > 0)
            add_lane(g, (struct gantt_lane){
                            .name = farm->machine->links[l].name, .is_link = true, .n_group = 1, .first = at, .n = n});
        at += n;
    }
}

/* Without a steady phase (a farm of a few tasks) the phases overlap and mean nothing. */
static void mark_phases(struct gantt *g)
{
    struct farm_phases phases = g->subject->farm->result->phases;
    if (phases.startup_end_s >= phases.wind_down_start_s)
        return;
    /* Each mark names the time before it. */
    g->marks[g->n_marks++] = (struct gantt_mark){phases.startup_end_s, "start-up"};
    g->marks[g->n_marks++] = (struct gantt_mark){phases.wind_down_start_s, "steady"};
    g->marks[g->n_marks++] = (struct gantt_mark){g->end_s, "wind-down"};
}

void gantt_init_farm(struct gantt *g)
{
    collect_bars(g);
    choose_lanes(g);
    mark_phases(g);
}

/* ---- words ---- */

/* In order of length: "task 7 -> host", "7 -> host", then what a narrow box can hold: for a send the receiver, for a
   receive the task. */
char *gantt_farm_bar_name(const struct gantt *g, const struct gantt_bar *b, const char *arrow, double most_em,
                          enum gantt_name length)
{
    const struct tree_node *nodes = g->subject->farm->tree->nodes, *node = &nodes[b->hop];
    const char *task = length == GANTT_NAME ? "task " : "";
    if (b->kind == GANTT_STARVED || b->kind == GANTT_DONE)
        return length > GANTT_NAME        ? NULL
               : b->kind == GANTT_STARVED ? mem_strdup("waits for a task")
                                          : mem_strdup("has computed its last task");
    if (b->kind == GANTT_TASK || (b->kind == GANTT_RECEIVE && length == GANTT_SHORTEST_NAME))
        return mem_format("%s%d", task, b->id + 1);
    char *peer = svg_shorten(b->kind == GANTT_RECEIVE ? nodes[node->parent].host_name : node->host_name, most_em);
    if (length == GANTT_SHORTEST_NAME)
        return peer;
    char *name = b->kind == GANTT_RECEIVE ? mem_format("%s%s%s%d", peer, arrow, task, b->id + 1)
                                          : mem_format("%s%d%s%s", task, b->id + 1, arrow, peer);
    free(peer);
    return name;
}

void gantt_add_farm_title(const struct gantt *g, struct text *out)
{
    const struct gantt_farm *farm = g->subject->farm;
    text_addf(out, "farm of %s on %s: %.6g s", gantt_base_name(farm->tree->source),
              gantt_base_name(farm->machine->source), farm->result->makespan_s);
}

void gantt_add_farm_subtitle(const struct gantt *g, struct text *out)
{
    const struct gantt_farm *farm = g->subject->farm;
    const struct farm_app *app = &farm->options->app;
    text_addf(out, "policy %s, world %s, %ld task%s of %.6g MB and %.6g work units", farm->options->policy->text,
              world_text(farm->options->world), app->n_tasks, app->n_tasks == 1 ? "" : "s", app->task_bytes / 1e6,
              app->task_flop);
    text_addf(out, "; %.6g tasks/s", farm->result->throughput_tasks_per_s);
    if (!isnan(farm->result->steady_tasks_per_s))
        text_addf(out, ", steady %.6g", farm->result->steady_tasks_per_s);
}
