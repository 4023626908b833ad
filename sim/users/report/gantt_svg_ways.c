/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines along which data go: through their sends, links and receives. They show what waits for what, which boxes alone
   do not. The segments are kept, because labels avoid them (picture_has_way). */
#include "report/gantt_svg.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum { FEW_EDGES = 30 }; /* with more edges no lines are drawn */

/* Lines cross boxes near their left end, beside the labels; a box narrower than 6 pixels in its middle. */
static struct point inside(const struct picture *p, const struct gantt_bar *b)
{
    struct box box = picture_box(p, b);
    return (struct point){box.x + fmin(3, box.width / 2), box.y + box.height / 2};
}

static struct point end_of(const struct picture *p, const struct gantt_bar *b)
{
    struct box box = picture_box(p, b);
    return (struct point){box.x + box.width, box.y + box.height / 2};
}

static struct point begin_of(const struct picture *p, const struct gantt_bar *b)
{
    struct box box = picture_box(p, b);
    return (struct point){box.x, box.y + box.height / 2};
}

/* "M" begins a line, "L" goes on to a point. */
static void add_point(struct picture *p, struct point *last, char command, struct point at)
{
    text_add(p->out, &command, 1);
    svg_add_number(p->out, at.x);
    picture_add(p, " ");
    svg_add_number(p->out, at.y);
    if (command == 'L') { /* only what has been drawn, not where a line begins */
        MEM_GROW(p->ways, p->n_ways, p->ways_capacity);
        p->ways[p->n_ways++] = (struct segment){*last, at};
    }
    *last = at;
}

/* By cutting the segment at the sides of the box, one after the other (Liang and Barsky). */
static bool is_touched(struct segment s, struct box box)
{
    double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y, from = 0, to = 1;
    const double speed[] = {-dx, dx, -dy, dy}, room[] = {s.from.x - box.x, box.x + box.width - s.from.x,
                                                         s.from.y - box.y, box.y + box.height - s.from.y};
    for (int side = 0; side < 4; side++) {
        /* Parallel to this side and outside of it. */
        if (speed[side] == 0 && room[side] < 0)
            return false;
        if (speed[side] < 0) /* enters the box at this side */
            from = fmax(from, room[side] / speed[side]);
        else if (speed[side] > 0) /* leaves it */
            to = fmin(to, room[side] / speed[side]);
    }
    return from <= to;
}

bool picture_has_way(const struct picture *p, struct box box)
{
    for (size_t i = 0; i < p->n_ways; i++)
        if (is_touched(p->ways[i], box))
            return true;
    return false;
}

struct stop { /* a bar through which the line of an edge goes */
    edge_id edge;
    enum gantt_kind kind;
    int hop;
    size_t bar;
};

/* Send, links in the route's order, receive. Kinds are compared by `place` because their numbers are in another
   order. */
static int compare_stops(const void *a, const void *b)
{
    static const int place[N_GANTT_KINDS] = {
        [GANTT_SEND] = 0, [GANTT_TRANSFER] = 1, [GANTT_DELAY] = 2, [GANTT_RECEIVE] = 3};
    const struct stop *x = a, *y = b;
    if (x->edge != y->edge)
        return x->edge < y->edge ? -1 : 1;
    if (x->kind != y->kind)
        return place[x->kind] < place[y->kind] ? -1 : 1;
    if (x->hop != y->hop)
        return x->hop < y->hop ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

/* A line from the send (or the end of the source task) through the links to the receive (or the start of the
   destination). */
static void add_way(struct picture *p, edge_id e, const struct stop *stops, size_t n, const size_t *bar_of_task)
{
    const struct edge *edge = &p->g->schedule->problem.dag->edges[e];
    const struct gantt_bar *bars = p->g->bars;
    /* Stops are sorted, so a send is the first and a receive the last. */
    bool has_send = n > 0 && bars[stops[0].bar].kind == GANTT_SEND;
    bool has_receive = n > 0 && bars[stops[n - 1].bar].kind == GANTT_RECEIVE;
    struct point last = {0, 0};
    bool has_delay = n > 0 && bars[stops[n - 1].bar].kind == GANTT_DELAY;
    picture_add(p, has_delay ? "<path class=\"delays\" d=\"" : "<path d=\"");
    /* A model without overheads has no send: the line begins with the data, at the end of the task. */
    if (!has_send)
        add_point(p, &last, 'M', end_of(p, &bars[bar_of_task[edge->src]]));
    for (size_t i = 0; i < n; i++)
        add_point(p, &last, i == 0 && has_send ? 'M' : 'L',
                  /* A delay lies on the receiver's lane already: the line leads to its end, when the data arrive. */
                  has_delay ? end_of(p, &bars[stops[i].bar]) : inside(p, &bars[stops[i].bar]));
    if (!has_receive && !has_delay)
        add_point(p, &last, 'L', begin_of(p, &bars[bar_of_task[edge->dst]]));
    picture_add(p, "\" marker-end=\"url(#arrow)\"/>\n");
}

/* The stops of a layer by edge, and its tasks' bars. Returns the number of stops. */
static size_t find_stops(const struct gantt *g, int layer, struct stop *stops, size_t *bar_of_task)
{
    /* Stolen time belongs to a host, not to an edge. */
    size_t n = 0;
    for (size_t i = 0; i < g->n_bars; i++) {
        const struct gantt_bar *b = &g->bars[i];
        if (g->lanes[b->lane].layer != layer || b->kind == GANTT_STOLEN)
            continue;
        if (b->kind == GANTT_TASK)
            bar_of_task[b->id] = i;
        else
            stops[n++] = (struct stop){b->id, b->kind, b->hop, i};
    }
    qsort(stops, n, sizeof *stops, compare_stops);
    return n;
}

static void add_layer(struct picture *p, int layer, struct stop *stops, size_t *bar_of_task)
{
    const struct schedule *s = p->g->subject->layers[layer].schedule;
    size_t n_stops = find_stops(p->g, layer, stops, bar_of_task), at = 0;
    picture_add(p, layer + 1 < p->g->subject->n_layers ? "<g class=\"upper ways\">\n" : "<g class=\"ways\">\n");
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++) {
        size_t first = at;
        /* An edge without stops (all of zero length) still has a line, from task to task. */
        while (at < n_stops && stops[at].edge == e)
            at++;
        if (s->edges[e].is_remote)
            add_way(p, e, stops + first, at - first, bar_of_task);
    }
    picture_add(p, "</g>\n");
}

void picture_ways(struct picture *p)
{
    const struct gantt *g = p->g;
    if (g->schedule == NULL || g->n_remote_edges == 0 || g->n_remote_edges > FEW_EDGES)
        return;
    /* One for all layers: each call fills them anew. */
    struct stop *stops = mem_zalloc(g->n_bars + 1, sizeof *stops);
    size_t *bar_of_task = mem_zalloc((size_t)g->schedule->problem.dag->n_tasks, sizeof *bar_of_task);
    picture_add(p,
                "<marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"7\" markerHeight=\"7\" "
                "orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#222\"/></marker>\n");
    for (int layer = 0; layer < g->subject->n_layers; layer++)
        add_layer(p, layer, stops, bar_of_task);
    free(stops);
    free(bar_of_task);
}
