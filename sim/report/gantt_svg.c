/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Gantt chart as SVG. All sizes are in pixels; x is proportional to time.

       title                                         Boxes of one lane and kind form a group that has their common
       model, scheduler, counts                      attributes: 500 tasks and 1,300 edges stay below 1 MB.

       [] task [] send [] receive [] transfer
            0        5        10 s                   Labels are drawn last, over lines and boxes, and only in
       p0   [ A ][A>B]   [ C ]                       boxes that hold them.
       p1        [A>B][   B   ]
       l0        [A>B]                                                                                         */
#include "report/gantt.h"

#include "base/mem.h"
#include "report/svg_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 14,
    LEAST_PLOT = 900,
    MOST_PLOT = 2600,
    PIXELS_PER_BAR = 40, /* on the busiest lane, if it fits into MOST_PLOT */
    PIXELS_PER_TICK = 90,
    MOST_LANE_LABEL = 170,
    LEAST_FONT = 7,
    LEAST_ROW = 6,
    LEAST_FRAMED = 3, /* a narrower box would be all frame */
    FEW_EDGES = 30,   /* with more edges no lines are drawn */
    MOST_NAME_EM = 60,
    PARTS_GAP = 10, /* between hosts and links */
};

/* Okabe and Ito's colours, which people with any kind of colour vision can distinguish. */
static const struct look {
    const char *css, *fill, *edge;
} looks[N_GANTT_KINDS] = {
    [GANTT_TASK] = {"task", "#56b4e9", "#20709f"},
    [GANTT_SEND] = {"send", "#e69f00", "#8a5f00"},
    [GANTT_RECEIVE] = {"receive", "#009e73", "#005a41"},
    [GANTT_TRANSFER] = {"transfer", "#cc79a7", "#7f4065"},
};

struct picture {
    const struct gantt *g;
    struct text *out;
    double left, plot_width, top; /* of the plot */
    double lane_height[2];        /* of hosts, of links */
    double lane_font[2];
    double bottom; /* of the last lane */
    double *lane_y;
};

static double x_of(const struct picture *p, double time_s)
{
    return p->left + (p->g->end_s > 0 ? time_s / p->g->end_s * p->plot_width : 0);
}

/* Transfers that share a link without contention need room for their rows. */
static double lane_height(const struct picture *p, const struct gantt_lane *lane)
{
    return fmax(p->lane_height[lane->is_link], 2 + LEAST_ROW * lane->n_rows);
}

static double row_height(const struct picture *p, const struct gantt_lane *lane)
{
    return (lane_height(p, lane) - 2) / lane->n_rows;
}

struct box {
    double x, y, width, height;
};

/* Boxes that are too narrow to see are made wider; a task of zero length is a tick. */
static struct box box_of(const struct picture *p, const struct gantt_bar *b)
{
    const struct gantt_lane *lane = &p->g->lanes[b->lane];
    struct box box = {.x = x_of(p, b->span.start_s), .height = row_height(p, lane)};
    double least = b->span.finish_s > b->span.start_s ? 0.6 : 2;
    box.width = fmax(x_of(p, b->span.finish_s) - box.x, least);
    box.y = p->lane_y[b->lane] + 1 + b->row * box.height;
    return box;
}

/* ---- small pieces ---- */

static void add(struct picture *p, const char *s)
{
    text_add(p->out, s, strlen(s));
}

static void add_attribute(struct picture *p, const char *name, double value)
{
    text_addf(p->out, " %s=\"", name);
    svg_add_number(p->out, value);
    add(p, "\"");
}

static void add_rect(struct picture *p, struct box box)
{
    add(p, "<rect");
    add_attribute(p, "x", box.x);
    add_attribute(p, "y", box.y);
    add_attribute(p, "width", box.width);
    add_attribute(p, "height", box.height);
}

static void add_line(struct picture *p, double x1, double y1, double x2, double y2)
{
    add(p, "<line");
    add_attribute(p, "x1", x1);
    add_attribute(p, "y1", y1);
    add_attribute(p, "x2", x2);
    add_attribute(p, "y2", y2);
    add(p, "/>\n");
}

/* Text, shortened to `most_width` pixels; `attributes` may be "". */
static void add_text(struct picture *p, double x, double y, double font, double most_width, const char *attributes,
                     const char *s)
{
    char *fitting = svg_shorten(s, most_width / font);
    add(p, "<text");
    add_attribute(p, "x", x);
    add_attribute(p, "y", y);
    add_attribute(p, "font-size", font);
    text_addf(p->out, "%s>", attributes);
    svg_add_escaped(p->out, fitting);
    add(p, "</text>\n");
    free(fitting);
}

/* "A" for a task, "A -> B" for a communication. The caller frees it. */
static char *bar_name(const struct picture *p, const struct gantt_bar *b, const char *arrow)
{
    const struct dag *dag = p->g->schedule->problem.dag;
    if (b->kind == GANTT_TASK)
        return svg_shorten(dag->tasks[b->id].name, MOST_NAME_EM);
    char *src = svg_shorten(dag->tasks[dag->edges[b->id].src].name, MOST_NAME_EM);
    char *dst = svg_shorten(dag->tasks[dag->edges[b->id].dst].name, MOST_NAME_EM);
    char *name = mem_format("%s%s%s", src, arrow, dst);
    free(src);
    free(dst);
    return name;
}

/* ---- layout ---- */

static void set_lane_sizes(struct picture *p)
{
    static const struct {
        int at_most;
        double host, link;
    } sizes[] = {{6, 36, 24}, {12, 30, 20}, {24, 25, 17}, {48, 20, 15}, {96, 16, 13}, {1 << 30, 12, 11}};
    size_t i = 0;
    while (p->g->n_lanes > sizes[i].at_most)
        i++;
    p->lane_height[0] = sizes[i].host;
    p->lane_height[1] = sizes[i].link;
    for (int is_link = 0; is_link < 2; is_link++)
        p->lane_font[is_link] = fmin(13, p->lane_height[is_link] - 2.5);
}

static void place_lanes(struct picture *p)
{
    double y = p->top;
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        if (l > 0 && lane->is_link && !p->g->lanes[l - 1].is_link)
            y += PARTS_GAP;
        p->lane_y[l] = y;
        y += lane_height(p, lane);
    }
    p->bottom = y;
}

static void lay_out(struct picture *p)
{
    double label = 40;
    size_t most_bars = 0;
    set_lane_sizes(p);
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        label = fmax(label, svg_width_em(lane->name) * p->lane_font[lane->is_link]);
        most_bars = lane->n > most_bars ? lane->n : most_bars;
    }
    p->left = MARGIN + fmin(label, MOST_LANE_LABEL) + 8;
    p->plot_width = fmin(fmax((double)most_bars * PIXELS_PER_BAR, LEAST_PLOT), MOST_PLOT);
    p->top = 100;
    place_lanes(p);
}

/* ---- frame ---- */

static void add_style(struct picture *p)
{
    add(p, "<style>\n"
           "text { font-family: sans-serif; fill: #222; }\n"
           ".lane { fill: #f3f3f3; } .link { fill: #faf3f7; }\n"
           ".grid { stroke: #d8d8d8; stroke-width: 1; }\n"
           ".ways { stroke: #222; stroke-width: 1; stroke-opacity: .6; fill: none; }\n"
           ".labels text { text-anchor: middle; fill: #000; pointer-events: none; }\n");
    for (int k = 0; k < N_GANTT_KINDS; k++)
        text_addf(p->out, ".%s { fill: %s; stroke: %s; stroke-width: .5; }\n", looks[k].css, looks[k].fill,
                  looks[k].edge);
    add(p, ".thin { stroke: none; }\n</style>\n");
}

static void add_head(struct picture *p, double width, double height)
{
    struct text title = {0};
    gantt_add_title(p->g, &title);
    add(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"");
    svg_add_escaped(p->out, text_str(&title));
    text_addf(p->out, "\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n", width, height, width, height);
    add_style(p);
    add_rect(p, (struct box){0, 0, width, height});
    add(p, " fill=\"#fff\"/>\n");
    add_text(p, MARGIN, 26, 17, width - 2 * MARGIN, " font-weight=\"bold\"", text_str(&title));
    title.size = 0;
    gantt_add_subtitle(p->g, &title);
    add_text(p, MARGIN, 46, 12, width - 2 * MARGIN, "", text_str(&title));
    text_clear(&title);
}

static void add_legend(struct picture *p)
{
    double x = MARGIN;
    for (int k = 0; k < N_GANTT_KINDS; k++) {
        if (p->g->n_of_kind[k] == 0)
            continue;
        text_addf(p->out, "<g class=\"%s\">", looks[k].css);
        add_rect(p, (struct box){x, 57, 16, 12});
        add(p, "/></g>\n");
        add_text(p, x + 21, 67, 12, 100, "", gantt_kind_names[k]);
        x += 21 + 12 * svg_width_em(gantt_kind_names[k]) + 18;
    }
}

static void add_ticks(struct picture *p)
{
    double unit_s, end_s = p->g->end_s, tick_s = gantt_tick_s(end_s, (int)(p->plot_width / PIXELS_PER_TICK));
    const char *unit = gantt_unit(end_s, &unit_s);
    bool is_tall = p->bottom - p->top > 400;
    for (int i = 0; i == 0 || (tick_s > 0 && i * tick_s <= end_s * (1 + 1e-9)); i++) {
        double x = x_of(p, i * tick_s);
        char *number = mem_format("%.10g%s%s", i * tick_s / unit_s, i == 0 ? " " : "", i == 0 ? unit : "");
        add(p, "<g class=\"grid\">");
        add_line(p, x, p->top - 4, x, p->bottom + 4);
        add(p, "</g>");
        add_text(p, x, p->top - 8, 11, PIXELS_PER_TICK, " text-anchor=\"middle\"", number);
        if (is_tall)
            add_text(p, x, p->bottom + 16, 11, PIXELS_PER_TICK, " text-anchor=\"middle\"", number);
        free(number);
    }
}

static void add_lane_names(struct picture *p)
{
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        double height = lane_height(p, lane), font = p->lane_font[lane->is_link];
        text_addf(p->out, "<g class=\"%s\">", lane->is_link ? "link" : "lane");
        add_rect(p, (struct box){p->left, p->lane_y[l] + 1, p->plot_width, height - 2});
        add(p, "/></g>");
        add_text(p, p->left - 8, p->lane_y[l] + height / 2 + font * 0.36, font, MOST_LANE_LABEL, " text-anchor=\"end\"",
                 lane->name);
    }
}

/* ---- boxes, lines, labels ---- */

static void add_bar(struct picture *p, const struct gantt_bar *b)
{
    char *name = bar_name(p, b, " \xE2\x86\x92 ");
    struct box box = box_of(p, b);
    add_rect(p, box);
    add(p, box.width < LEAST_FRAMED ? " class=\"thin\"><title>" : "><title>");
    svg_add_escaped(p->out, name);
    text_addf(p->out, "%s%s: %.7g to %.7g s</title></rect>\n", b->kind == GANTT_TASK ? "" : ", ",
              b->kind == GANTT_TASK ? "" : gantt_kind_names[b->kind], b->span.start_s, b->span.finish_s);
    free(name);
}

static void add_lane_bars(struct picture *p, const struct gantt_lane *lane)
{
    for (int k = 0; k < N_GANTT_KINDS; k++) {
        bool is_open = false;
        for (size_t i = lane->first; i < lane->first + lane->n; i++) {
            if ((int)p->g->bars[i].kind != k)
                continue;
            if (!is_open)
                text_addf(p->out, "<g class=\"%s\">\n", looks[k].css);
            is_open = true;
            add_bar(p, &p->g->bars[i]);
        }
        if (is_open)
            add(p, "</g>\n");
    }
}

/* Adds a label in the largest font that fits, or none. */
static void add_label(struct picture *p, const struct gantt_bar *b)
{
    struct box box = box_of(p, b);
    double font = fmin(b->kind == GANTT_TASK ? 12 : 10, box.height * 0.75);
    if (box.width < LEAST_FONT || font < LEAST_FONT)
        return;
    char *name = bar_name(p, b, "\xE2\x86\x92");
    double width_em = svg_width_em(name);
    font = fmin(font, floor((box.width - 4) / width_em * 2) / 2);
    if (font >= LEAST_FONT)
        add_text(p, box.x + box.width / 2, box.y + box.height / 2 + font * 0.36, font, font * (width_em + 1), "", name);
    free(name);
}

static void add_labels(struct picture *p)
{
    add(p, "<g class=\"labels\">\n");
    for (size_t i = 0; i < p->g->n_bars; i++)
        add_label(p, &p->g->bars[i]);
    add(p, "</g>\n");
}

struct point {
    double x, y;
};

/* Lines cross boxes near their left end, beside the labels. */
static struct point inside(const struct picture *p, const struct gantt_bar *b)
{
    struct box box = box_of(p, b);
    return (struct point){box.x + fmin(3, box.width / 2), box.y + box.height / 2};
}

static struct point end_of(const struct picture *p, const struct gantt_bar *b)
{
    struct box box = box_of(p, b);
    return (struct point){box.x + box.width, box.y + box.height / 2};
}

static struct point begin_of(const struct picture *p, const struct gantt_bar *b)
{
    struct box box = box_of(p, b);
    return (struct point){box.x, box.y + box.height / 2};
}

static void add_point(struct picture *p, char command, struct point at)
{
    text_add(p->out, &command, 1);
    svg_add_number(p->out, at.x);
    add(p, " ");
    svg_add_number(p->out, at.y);
}

/* A line from the send (or the end of the source task) through the links to the receive (or the start of the destination). */
static void add_way(struct picture *p, edge_id e, const size_t *stops, size_t n, const size_t *bar_of_task)
{
    const struct edge *edge = &p->g->schedule->problem.dag->edges[e];
    const struct gantt_bar *bars = p->g->bars;
    bool has_send = n > 0 && bars[stops[0]].kind == GANTT_SEND;
    bool has_receive = n > 0 && bars[stops[n - 1]].kind == GANTT_RECEIVE;
    add(p, "<path d=\"");
    if (!has_send)
        add_point(p, 'M', end_of(p, &bars[bar_of_task[edge->src]]));
    for (size_t i = 0; i < n; i++)
        add_point(p, i == 0 && has_send ? 'M' : 'L', inside(p, &bars[stops[i]]));
    if (!has_receive)
        add_point(p, 'L', begin_of(p, &bars[bar_of_task[edge->dst]]));
    add(p, "\" marker-end=\"url(#arrow)\"/>\n");
}

struct stop { /* a bar through which the line of an edge goes */
    edge_id edge;
    enum gantt_kind kind;
    int hop;
    size_t bar;
};

/* Send, links in the route's order, receive. */
static int compare_stops(const void *a, const void *b)
{
    static const int place[N_GANTT_KINDS] = {[GANTT_SEND] = 0, [GANTT_TRANSFER] = 1, [GANTT_RECEIVE] = 2};
    const struct stop *x = a, *y = b;
    if (x->edge != y->edge)
        return x->edge < y->edge ? -1 : 1;
    if (x->kind != y->kind)
        return place[x->kind] < place[y->kind] ? -1 : 1;
    if (x->hop != y->hop)
        return x->hop < y->hop ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

static void add_ways(struct picture *p)
{
    const struct gantt *g = p->g;
    const struct dag *dag = g->schedule->problem.dag;
    if (g->n_remote_edges == 0 || g->n_remote_edges > FEW_EDGES)
        return;
    struct stop *stops = mem_zalloc(g->n_bars + 1, sizeof *stops);
    size_t *bar_of_task = mem_zalloc((size_t)dag->n_tasks, sizeof *bar_of_task);
    size_t *of_edge = mem_zalloc(g->n_bars + 1, sizeof *of_edge), n_stops = 0, at = 0;
    for (size_t i = 0; i < g->n_bars; i++) {
        const struct gantt_bar *b = &g->bars[i];
        if (b->kind == GANTT_TASK)
            bar_of_task[b->id] = i;
        else
            stops[n_stops++] = (struct stop){b->id, b->kind, b->hop, i};
    }
    qsort(stops, n_stops, sizeof *stops, compare_stops);
    add(p, "<marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"7\" markerHeight=\"7\" "
           "orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#222\"/></marker>\n<g class=\"ways\">\n");
    for (edge_id e = 0; e < dag->n_edges; e++) {
        size_t n = 0;
        while (at < n_stops && stops[at].edge == e)
            of_edge[n++] = stops[at++].bar;
        if (g->schedule->edges[e].is_remote)
            add_way(p, e, of_edge, n, bar_of_task);
    }
    add(p, "</g>\n");
    free(stops);
    free(bar_of_task);
    free(of_edge);
}

void gantt_add_svg(const struct schedule *s, struct text *out)
{
    struct gantt g;
    struct text left_out = {0};
    gantt_init(&g, s, GANTT_MANY_LINKS);
    gantt_add_left_out(&g, &left_out);
    struct picture p = {.g = &g, .out = out, .lane_y = mem_zalloc((size_t)g.n_lanes + 1, sizeof *p.lane_y)};
    lay_out(&p);
    double width = p.left + p.plot_width + 40;
    add_head(&p, width, p.bottom + (left_out.size > 0 ? 50 : 28));
    add_legend(&p);
    add_lane_names(&p);
    add_ticks(&p);
    for (int l = 0; l < g.n_lanes; l++)
        add_lane_bars(&p, &g.lanes[l]);
    add_ways(&p);
    add_labels(&p);
    if (left_out.size > 0)
        add_text(&p, MARGIN, p.bottom + 38, 11, width - 2 * MARGIN, "", text_str(&left_out));
    add(&p, "</svg>\n");
    free(p.lane_y);
    text_clear(&left_out);
    gantt_clear(&g);
}
