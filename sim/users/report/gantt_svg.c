/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Gantt chart as SVG. All sizes are in pixels; x is proportional to time.

       title                                         Boxes of one lane and kind form a group that has their common
       model, scheduler, counts                      attributes: 500 tasks and 1,300 edges stay below 1 MB.

       [] task [] send [] receive [] transfer
            0        5        10 s                   Labels are drawn last, over lines and boxes, and only in
       p0   [ A ][A>B]   [ C ]                       boxes that hold them.
       p1        [A>B][   B   ]
       l0        [A>B]                                                                                         */
#include "report/gantt_svg.h"

#include "base/mem.h"
#include "report/svg_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Sizes in pixels. Smaller text than LEAST_FONT cannot be read, and lower rows than LEAST_ROW cannot be told
       apart. */
    MARGIN = 14,
    LEAST_PLOT = 900,
    MOST_PLOT = 2600,
    BINS_PLOT = 1200,
    PIXELS_PER_BAR = 40, /* on the busiest lane, if it fits into MOST_PLOT */
    PIXELS_PER_TICK = 90,
    MOST_LANE_LABEL = 170,
    LEAST_FONT = 7,
    LEAST_ROW = 6,
    LABELLED_ROW = 11,
    FEW_LANES = 48,
    LEAST_FRAMED = 3, /* a narrower box would be all frame */
    MOST_NAME_EM = 60,
    PARTS_GAP = 10, /* between hosts and links */
    PAIRS_GAP = 5,  /* between the pairs of lanes of two layers */
    DELAY_HEIGHT = 3,
};

/* Okabe and Ito's colours, which people with any kind of colour vision can distinguish. */
const struct picture_look picture_looks[N_GANTT_KINDS] = {
    [GANTT_TASK] = {"task", "#56b4e9", "#20709f"},       [GANTT_SEND] = {"send", "#e69f00", "#8a5f00"},
    [GANTT_RECEIVE] = {"receive", "#009e73", "#005a41"}, [GANTT_TRANSFER] = {"transfer", "#cc79a7", "#7f4065"},
    [GANTT_STARVED] = {"starved", "#f0e442", "#a89f2a"}, [GANTT_DONE] = {"done", "#e2e2e2", "#bbbbbb"},
    [GANTT_DELAY] = {"delay", "#999999", "#555555"},     [GANTT_STOLEN] = {"stolen", "url(#hatch)", "none"},
};

/* A chart without length has everything at its left. */
double picture_x(const struct picture *p, double time_s)
{
    return p->left + (p->g->end_s > 0 ? time_s / p->g->end_s * p->plot_width : 0);
}

static enum picture_lane kind_of(const struct gantt_lane *lane)
{
    return lane->is_link ? PICTURE_LINK : lane->is_part ? PICTURE_PART : PICTURE_HOST;
}

/* Transfers that share a link without contention need room for their rows, and, on a chart of a few nodes, for labels.
   Bins have no rows: overlapping transfers count once there. */
double picture_lane_height(const struct picture *p, const struct gantt_lane *lane)
{
    double row = p->g->schedule == NULL && p->g->n_lanes <= FEW_LANES ? LABELLED_ROW : LEAST_ROW;
    return fmax(p->lane_height[kind_of(lane)], p->has_bins ? 0 : 2 + row * lane->n_rows);
}

static double row_height(const struct picture *p, const struct gantt_lane *lane)
{
    return (picture_lane_height(p, lane) - 2) / lane->n_rows;
}

/* Boxes that are too narrow to see are made wider, and then may cover the beginning of the next one; a task of zero
   length is a tick. Stolen time is as high a part of the lane as it is of the processor. */
struct box picture_box(const struct picture *p, const struct gantt_bar *b)
{
    const struct gantt_lane *lane = &p->g->lanes[b->lane];
    struct box box = {.x = picture_x(p, b->span.start_s), .height = row_height(p, lane)};
    double least = b->span.finish_s > b->span.start_s ? 0.6 : 2;
    box.width = fmax(picture_x(p, b->span.finish_s) - box.x, least);
    box.y = p->lane_y[b->lane] + 1 + b->row * box.height;
    /* Overlays stand on the bottom of the lane, over all its rows. */
    if (gantt_is_overlay(b->kind)) {
        double height = picture_lane_height(p, lane) - 2, bottom = p->lane_y[b->lane] + 1 + height;
        box.height = b->kind == GANTT_STOLEN ? b->ratio * height : DELAY_HEIGHT;
        box.y = bottom - box.height;
    }
    return box;
}

/* ---- small pieces ---- */

void picture_add(struct picture *p, const char *s)
{
    text_add(p->out, s, strlen(s));
}

static void add_attribute(struct picture *p, const char *name, double value)
{
    text_addf(p->out, " %s=\"", name);
    svg_add_number(p->out, value);
    picture_add(p, "\"");
}

void picture_rect(struct picture *p, struct box box)
{
    picture_add(p, "<rect");
    add_attribute(p, "x", box.x);
    add_attribute(p, "y", box.y);
    add_attribute(p, "width", box.width);
    add_attribute(p, "height", box.height);
}

static void add_line(struct picture *p, double x1, double y1, double x2, double y2)
{
    picture_add(p, "<line");
    add_attribute(p, "x1", x1);
    add_attribute(p, "y1", y1);
    add_attribute(p, "x2", x2);
    add_attribute(p, "y2", y2);
    picture_add(p, "/>\n");
}

/* Text, shortened to `most_width` pixels; `attributes` may be "". */
void picture_text(struct picture *p, double x, double y, double font, double most_width, const char *attributes,
                  const char *s)
{
    /* Widths are estimates, so texts are cut rather than allowed to run out of the picture. */
    char *fitting = svg_shorten(s, most_width / font);
    picture_add(p, "<text");
    add_attribute(p, "x", x);
    add_attribute(p, "y", y);
    add_attribute(p, "font-size", font);
    text_addf(p->out, "%s>", attributes);
    svg_add_escaped(p->out, fitting);
    picture_add(p, "</text>\n");
    free(fitting);
}

/* ---- layout ---- */

/* The more lanes, the lower: a chart should fit a screen while it can. Hosts are higher than links and parts
   because their boxes have labels. */
static void set_lane_sizes(struct picture *p)
{
    static const struct { /* the last row is for any number */
        int at_most;
        double of[N_PICTURE_LANES];
    } sizes[] = {{6, {36, 24, 24}},  {12, {30, 20, 20}}, {24, {25, 17, 17}},
                 {48, {20, 15, 15}}, {96, {16, 13, 10}}, {1 << 30, {12, 11, 6}}};
    size_t i = 0;
    while (p->g->n_lanes > sizes[i].at_most)
        i++;
    for (enum picture_lane kind = PICTURE_HOST; kind < N_PICTURE_LANES; kind++) {
        p->lane_height[kind] = sizes[i].of[kind];
        p->lane_font[kind] = fmin(13, sizes[i].of[kind] - 2.5);
    }
}

static void place_lanes(struct picture *p)
{
    double y = p->top;
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        /* Hosts are set apart from links; the lanes of one resource stay together. */
        if (l > 0 && lane->is_link && !p->g->lanes[l - 1].is_link)
            y += PARTS_GAP;
        else if (l > 0 && lane->n_group > 0 && (p->g->subject->n_layers > 1 || p->g->lanes[l - 1].is_part))
            y += PAIRS_GAP;
        p->lane_y[l] = y;
        y += picture_lane_height(p, lane);
    }
    p->bottom = y;
}

/* Wide enough that the labels of the busiest lane have a chance, within what a screen scrolls well. */
static double plot_width(const struct picture *p, size_t most_bars)
{
    return p->has_bins ? BINS_PLOT : fmin(fmax((double)most_bars * PIXELS_PER_BAR, LEAST_PLOT), MOST_PLOT);
}

static void lay_out(struct picture *p)
{
    double label = 40;
    size_t most_bars = 0;
    /* Heights come first: the font of the names follows from them. */
    set_lane_sizes(p);
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        label = fmax(label, svg_width_em(lane->name) * p->lane_font[kind_of(lane)]);
        most_bars = lane->n > most_bars ? lane->n : most_bars;
    }
    p->left = MARGIN + fmin(label, MOST_LANE_LABEL) + 8;
    p->plot_width = plot_width(p, most_bars);
    p->top = 100;
    place_lanes(p);
}

/* ---- frame ---- */

/* One style sheet for all, so that a box needs no attributes of its own. Labels have a pale outline, to be read over
   lines; the pointer passes through them to the tooltips of the boxes. */
static void add_style(struct picture *p)
{
    picture_add(p,
                "<style>\n"
                "text { font-family: sans-serif; fill: #222; }\n"
                ".lane { fill: #f3f3f3; } .link { fill: #faf3f7; }\n"
                ".mark { stroke: #000; stroke-width: 1; stroke-dasharray: 5 3; } .phase { font-style: italic; }\n"
                ".grid { stroke: #d8d8d8; stroke-width: 1; }\n"
                ".ways { stroke: #222; stroke-width: 1; stroke-opacity: .6; fill: none; }\n"
                ".delays { stroke-dasharray: 4 3; } .upper .bars, .upper.ways { opacity: .55; }\n"
                ".labels text { text-anchor: middle; fill: #000; pointer-events: none; stroke: #fff; stroke-width: 3; "
                "stroke-opacity: .6; stroke-linejoin: round; paint-order: stroke; }\n");
    for (int k = 0; k < N_GANTT_KINDS; k++)
        text_addf(p->out, ".%s { fill: %s; stroke: %s; stroke-width: .5; }\n", picture_looks[k].css,
                  picture_looks[k].fill, picture_looks[k].edge);
    picture_add(p, ".thin { stroke: none; }\n</style>\n");
}

/* The same words three times, on purpose: as the name that screen readers say (aria-label, title,
   desc) and as visible text. */
static void add_head(struct picture *p, double width, double height)
{
    struct text title = {0};
    gantt_add_title(p->g, &title);
    picture_add(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"");
    svg_add_escaped(p->out, text_str(&title));
    text_addf(p->out, "\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n", width, height, width, height);
    add_style(p);
    picture_add(p, "<title>");
    svg_add_escaped(p->out, text_str(&title));
    picture_add(p, "</title>\n<desc>");
    title.size = 0;
    gantt_add_subtitle(p->g, &title);
    svg_add_escaped(p->out, text_str(&title));
    picture_add(p, "</desc>\n");
    if (p->g->n_of_kind[GANTT_STOLEN] > 0) /* an id that nothing uses is left out */
        picture_add(
            p, "<pattern id=\"hatch\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" "
               "patternTransform=\"rotate(45)\"><path d=\"M0 0V4\" stroke=\"#000\" stroke-width=\"2.4\"/></pattern>\n");
    title.size = 0;
    gantt_add_title(p->g, &title);
    picture_rect(p, (struct box){0, 0, width, height});
    picture_add(p, " fill=\"#fff\"/>\n");
    picture_text(p, MARGIN, 26, 17, width - 2 * MARGIN, " font-weight=\"bold\"", text_str(&title));
    title.size = 0;
    gantt_add_subtitle(p->g, &title);
    picture_text(p, MARGIN, 46, 12, width - 2 * MARGIN, "", text_str(&title));
    text_clear(&title);
}

/* Only kinds that occur: an empty entry would be looked for in the chart. */
static void add_legend(struct picture *p)
{
    double x = MARGIN;
    for (int k = 0; k < N_GANTT_KINDS; k++) {
        if (p->g->n_of_kind[k] == 0)
            continue;
        text_addf(p->out, "<g class=\"%s\">", picture_looks[k].css);
        picture_rect(p, (struct box){x, 57, 16, 12});
        picture_add(p, "/></g>\n");
        picture_text(p, x + 21, 67, 12, 100, "", gantt_kind_names[k]);
        x += 21 + 12 * svg_width_em(gantt_kind_names[k]) + 18;
    }
    const struct gantt_layer *layers = p->g->subject->layers;
    if (p->g->subject->n_layers == 1)
        return;
    char *words = mem_format("each lane twice: above, paler, %s; below %s", layers[0].name, layers[1].name);
    picture_text(p, x, 67, 12, p->left + p->plot_width - x, "", words);
    free(words);
}

/* What the times between the marks are, above the dates, which no line crosses. */
static void add_marks(struct picture *p)
{
    double from = p->left;
    for (int i = 0; i < p->g->n_marks; i++) {
        const struct gantt_mark *mark = &p->g->marks[i];
        double to = picture_x(p, mark->date_s), font = 11, width = font * svg_width_em(mark->before);
        /* The end of the last phase is the end of the chart and needs no line. */
        if (i + 1 < p->g->n_marks) {
            picture_add(p, "<g class=\"mark\">");
            add_line(p, to, p->top - 28, to, p->top - 18);
            add_line(p, to, p->top - 4, to, p->bottom + 4);
            picture_add(p, "</g>\n");
        }
        if (width + 6 <= to - from) /* a phase that is too short for its name is left without one */
            picture_text(p, (from + to) / 2, p->top - 20, font, width + font, " text-anchor=\"middle\" class=\"phase\"",
                         mark->before);
        from = to;
    }
}

static void add_ticks(struct picture *p)
{
    double unit_s, end_s = p->g->end_s, tick_s = gantt_tick_s(end_s, (int)(p->plot_width / PIXELS_PER_TICK));
    const char *unit = gantt_unit(end_s, &unit_s);
    bool is_tall = p->bottom - p->top > 400; /* a tall chart has the dates at both ends */
    /* i * tick_s, not a sum: 0.1 added ten times is not 1. */
    for (int i = 0; i == 0 || (tick_s > 0 && i * tick_s <= end_s * (1 + 1e-9)); i++) {
        double x = picture_x(p, i * tick_s);
        char *number = mem_format("%.10g%s%s", i * tick_s / unit_s, i == 0 ? " " : "", i == 0 ? unit : "");
        picture_add(p, "<g class=\"grid\">");
        add_line(p, x, p->top - 4, x, p->bottom + 4);
        picture_add(p, "</g>");
        picture_text(p, x, p->top - 8, 11, PIXELS_PER_TICK, " text-anchor=\"middle\"", number);
        if (is_tall)
            picture_text(p, x, p->bottom + 16, 11, PIXELS_PER_TICK, " text-anchor=\"middle\"", number);
        free(number);
    }
}

/* Of the lanes of one resource that begin with lane l. The name stands beside their common middle. */
static double group_bottom(const struct picture *p, int l)
{
    int last = l + p->g->lanes[l].n_group - 1;
    return p->lane_y[last] + picture_lane_height(p, &p->g->lanes[last]);
}

static void add_lane_names(struct picture *p)
{
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        double height = picture_lane_height(p, lane), font = p->lane_font[kind_of(lane)];
        text_addf(p->out, "<g class=\"%s\">", lane->is_link ? "link" : "lane");
        picture_rect(p, (struct box){p->left, p->lane_y[l] + 1, p->plot_width, height - 2});
        picture_add(p, "/></g>");
        if (lane->n_group == 0) /* not the first lane of its resource: the name is there already */
            continue;
        double middle = (p->lane_y[l] + group_bottom(p, l)) / 2;
        picture_text(p, p->left - 8, middle + font * 0.36, font, MOST_LANE_LABEL, " text-anchor=\"end\"", lane->name);
    }
}

/* ---- boxes, lines, labels ---- */

static void add_bar(struct picture *p, const struct gantt_bar *b)
{
    char *name = gantt_bar_name(p->g, b, " \xE2\x86\x92 ", MOST_NAME_EM, GANTT_NAME);
    struct box box = picture_box(p, b);
    picture_rect(p, box);
    /* The frame is drawn half inside the box and would hide its colour. */
    picture_add(p, box.width < LEAST_FRAMED ? " class=\"thin\"><title>" : "><title>");
    svg_add_escaped(p->out, name);
    text_addf(p->out, "%s%s: %.7g to %.7g s</title></rect>\n", b->kind == GANTT_TASK ? "" : ", ",
              b->kind == GANTT_TASK ? "" : gantt_kind_names[b->kind], b->span.start_s, b->span.finish_s);
    free(name);
}

/* By kind, not by date: one group for each kind. Later kinds are drawn over earlier ones, so overlays
   come last in the enumeration. */
static void add_lane_bars(struct picture *p, const struct gantt_lane *lane)
{
    for (int k = 0; k < N_GANTT_KINDS; k++) {
        bool is_open = false;
        for (size_t i = lane->first; i < lane->first + lane->n; i++) {
            if ((int)p->g->bars[i].kind != k)
                continue;
            if (!is_open)
                text_addf(p->out, "<g class=\"%s\">\n", picture_looks[k].css);
            is_open = true;
            add_bar(p, &p->g->bars[i]);
        }
        if (is_open)
            picture_add(p, "</g>\n");
    }
}

/* The middle of a label that no line touches, as near to the middle of its box as there is one; NAN: there is none.
   Tries places to both sides in steps of half a letter; at most as many as the label has room. */
static double label_x(const struct picture *p, struct box box, double width, double font)
{
    double middle = box.x + box.width / 2, room = (box.width - width) / 2 - 2, y = box.y + (box.height - font) / 2;
    for (double away = 0; away == 0 || away <= room; away += font / 2)
        for (int side = -1; side <= 1; side += 2) {
            double x = middle + side * away;
            if (!picture_has_way(p, (struct box){x - width / 2, y, width, font}))
                return x;
        }
    return NAN;
}

/* Adds a name in the largest font that fits, if it does. A name is never cut to fit: "t1" of
   "t17" would be another task. */
static bool fits(struct picture *p, struct box box, double font, const char *name)
{
    double width_em = svg_width_em(name), x = NAN;
    font = fmin(font, floor((box.width - 4) / width_em * 2) / 2); /* half pixels are the finest step */
    for (; font >= LEAST_FONT && isnan(x); font--) {
        x = label_x(p, box, font * width_em, font);
        if (!isnan(x))
            picture_text(p, x, box.y + box.height / 2 + font * 0.36, font, font * (width_em + 1), "", name);
    }
    return !isnan(x);
}

static void add_label(struct picture *p, const struct gantt_bar *b)
{
    struct box box = picture_box(p, b);
    double font = fmin(b->kind == GANTT_TASK ? 12 : 10, box.height * 0.75);
    /* Too small for a single letter; the tooltip has the name. */
    bool is_done = gantt_is_overlay(b->kind) || box.width < LEAST_FONT || font < LEAST_FONT;
    /* The tooltip has the full name; the label tries the short one ("7 -> host"), then the shortest ("7"). */
    for (enum gantt_name length = GANTT_SHORT_NAME; length <= GANTT_SHORTEST_NAME && !is_done; length++) {
        char *name = gantt_bar_name(p->g, b, "\xE2\x86\x92", MOST_NAME_EM, length);
        is_done = name == NULL || fits(p, box, font, name);
        free(name);
    }
}

static void add_labels(struct picture *p)
{
    picture_add(p, "<g class=\"labels\">\n");
    for (size_t i = 0; i < p->g->n_bars; i++)
        add_label(p, &p->g->bars[i]);
    picture_add(p, "</g>\n");
}

static void add_bars(struct picture *p)
{
    for (int l = 0; l < p->g->n_lanes; l++) {
        const struct gantt_lane *lane = &p->g->lanes[l];
        /* The upper one of two layers is paler, so that pairs of lanes can be told apart. */
        bool is_upper = lane->layer + 1 < p->g->subject->n_layers;
        if (is_upper)
            picture_add(p, "<g class=\"upper\"><g class=\"bars\">\n");
        if (p->has_bins)
            picture_lane_bins(p, lane);
        else
            add_lane_bars(p, lane);
        if (is_upper)
            picture_add(p, "</g></g>\n");
    }
    /* A bin holds many bars: there is nothing to label, and lines would start nowhere. */
    if (p->has_bins)
        return;
    /* Before the labels, which go where no line is. */
    picture_ways(p);
    add_labels(p);
}

static void add_notes(struct picture *p, struct text *out)
{
    if (p->has_bins)
        text_addf(out,
                  "%zu bars are too many to be drawn one by one: a lane shows what takes which share of each %.3g s",
                  p->g->n_bars, p->g->end_s / picture_n_bins(p));
    struct text left_out = {0};
    gantt_add_left_out(p->g, &left_out);
    if (left_out.size > 0)
        text_addf(out, "%s%s", out->size > 0 ? ". " : "", text_str(&left_out));
    text_clear(&left_out);
}

void gantt_add_svg(const struct gantt_subject *subject, struct text *out)
{
    struct gantt g;
    struct text notes = {0};
    gantt_init(&g, subject, GANTT_MANY_LINKS);
    struct picture p = {.g = &g,
                        .out = out,
                        .lane_y = mem_zalloc((size_t)g.n_lanes + 1, sizeof *p.lane_y),
                        .has_bins = g.n_bars > GANTT_MANY_BARS};
    /* Bins are decided by the number of bars, before the layout, which depends on it. */
    lay_out(&p);
    add_notes(&p, &notes);
    double width = p.left + p.plot_width + 40;
    /* The note is one more line at the bottom. */
    add_head(&p, width, p.bottom + (notes.size > 0 ? 50 : 28));
    add_legend(&p);
    add_lane_names(&p);
    add_ticks(&p);
    add_marks(&p);
    add_bars(&p);
    if (notes.size > 0)
        picture_text(&p, MARGIN, p.bottom + 38, 11, width - 2 * MARGIN, "", text_str(&notes));
    picture_add(&p, "</svg>\n");
    free(p.lane_y);
    free(p.ways);
    text_clear(&notes);
    gantt_clear(&g);
}
