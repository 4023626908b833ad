/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files that draw a Gantt chart as SVG ask of each other. Not installed. */
#ifndef IASIM_REPORT_GANTT_SVG_H
#define IASIM_REPORT_GANTT_SVG_H

#include "report/gantt.h"
#include "report/svg_text.h"

struct point {
    double x, y;
};

struct segment {
    struct point from, to;
};

enum picture_lane { PICTURE_HOST, PICTURE_LINK, PICTURE_PART, N_PICTURE_LANES };

struct picture {
    const struct gantt *g;
    struct text *out;
    double left, plot_width, top; /* of the plot */
    double lane_height[N_PICTURE_LANES], lane_font[N_PICTURE_LANES];
    double bottom; /* of the last lane */
    double *lane_y;
    struct segment *ways; /* lines that have been drawn */
    size_t n_ways, ways_capacity;
    bool has_bins; /* shares of time are drawn, not bars */
};

struct box {
    double x, y, width, height;
};

extern const struct picture_look {
    const char *css, *fill, *edge;
} picture_looks[N_GANTT_KINDS];

double picture_x(const struct picture *p, double time_s);
double picture_lane_height(const struct picture *p, const struct gantt_lane *lane);
struct box picture_box(const struct picture *p, const struct gantt_bar *b);

void picture_add(struct picture *p, const char *s);
void picture_rect(struct picture *p, struct box box); /* leaves the element open */
/* Text, shortened to `most_width` pixels; `attributes` may be "". */
void picture_text(struct picture *p, double x, double y, double font, double most_width, const char *attributes,
                  const char *s);

/* gantt_svg_ways.c: a line for each remote edge, if they are few. */
void picture_ways(struct picture *p);
/* Whether a part of one of them lies in the box. */
bool picture_has_way(const struct picture *p, struct box box);

/* gantt_svg_bins.c: which share of each bin of time a lane spends on what. */
int picture_n_bins(const struct picture *p);
void picture_lane_bins(struct picture *p, const struct gantt_lane *lane);

#endif
