/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A lane with more bars than can be seen: time is cut into bins, and what takes a share of a bin takes this share of
   the lane's height. Transfers that overlap count once. The size of the picture depends on bins and lanes, not on bars.

   Levels are rounded to hundredths of a pixel as integers, so that neighbours can be compared exactly and joined. */
#include "report/gantt_svg.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A bin of 1200 / 300 pixels is 4 wide. BINS_OF_ALL_LANES bounds the file where there are many lanes. */
enum { MOST_BINS = 300, LEAST_BINS = 100, BINS_OF_ALL_LANES = 30000 };

struct bins {
    const struct gantt *gantt;
    int n;
    double bin_s;
    double *amount_s[N_GANTT_KINDS];
    double sum_s[N_GANTT_KINDS]; /* over all bins */
    size_t count[N_GANTT_KINDS]; /* bars */
};

int picture_n_bins(const struct picture *p)
{
    int n = BINS_OF_ALL_LANES / (p->g->n_lanes > 0 ? p->g->n_lanes : 1);
    return n < LEAST_BINS ? LEAST_BINS : n > MOST_BINS ? MOST_BINS : n;
}

/* A bar that covers several bins gives each its part. fmin before the conversion: the last date lies at the end of the
   last bin, and would be in one that does not exist. */
static void spread(struct bins *bins, enum gantt_kind kind, struct span span, double ratio)
{
    int first = (int)fmin(span.start_s / bins->bin_s, bins->n - 1),
        last = (int)fmin(span.finish_s / bins->bin_s, bins->n - 1);
    for (int i = first; i <= last; i++) {
        double length_s = fmin(span.finish_s, (i + 1) * bins->bin_s) - fmax(span.start_s, i * bins->bin_s);
        if (length_s > 0)
            bins->amount_s[kind][i] += ratio * length_s;
    }
    bins->sum_s[kind] += ratio * (span.finish_s - span.start_s);
}

/* Bars come by their start, so what lies before the latest end of its kind has been counted. Only what
   is left of a bar is added. */
static void fill(struct bins *bins, const struct gantt_lane *lane)
{
    double until_s[N_GANTT_KINDS] = {0};
    for (size_t i = lane->first; i < lane->first + lane->n; i++) {
        const struct gantt_bar *b = &bins->gantt->bars[i];
        struct span left = {fmax(b->span.start_s, until_s[b->kind]), b->span.finish_s};
        bins->count[b->kind]++;
        if (left.finish_s > left.start_s)
            spread(bins, b->kind, left, b->kind == GANTT_STOLEN ? b->ratio : 1);
        until_s[b->kind] = fmax(until_s[b->kind], b->span.finish_s);
    }
}

struct level { /* of a bin, in hundredths of a pixel from the bottom of the lane */
    long from, to;
};

static struct level level_of(const struct bins *bins, enum gantt_kind kind, int i, double height)
{
    double below_s = 0;
    /* Kinds are stacked in their order, overlays (delay, stolen) stand on the ground over them. */
    for (int k = 0; k < (int)kind && !gantt_is_overlay(kind); k++)
        below_s += bins->amount_s[k][i];
    /* Rounding could pile up to more than the bin. */
    double from = fmin(1, below_s / bins->bin_s), to = fmin(1, (below_s + bins->amount_s[kind][i]) / bins->bin_s);
    return (struct level){lrint(100 * height * from), lrint(100 * height * to)};
}

static void add_number_after(struct picture *p, const char *before, double value)
{
    picture_add(p, before);
    svg_add_number(p->out, value);
}

/* Neighbours of one level are one box, and all boxes of a kind one path with one tooltip for the lane. */
static void add_path(struct picture *p, const struct bins *bins, enum gantt_kind kind, double bottom, double height)
{
    double width = p->plot_width / bins->n;
    picture_add(p, "<path d=\"");
    for (int i = 0, n; i < bins->n; i += n) {
        struct level level = level_of(bins, kind, i, height), next = level;
        for (n = 1; i + n < bins->n; n++) {
            next = level_of(bins, kind, i + n, height);
            if (next.from != level.from || next.to != level.to)
                break;
        }
        if (level.to == level.from)
            continue;
        add_number_after(p, "M", p->left + i * width);
        add_number_after(p, " ", bottom - (double)level.from / 100);
        add_number_after(p, "V", bottom - (double)level.to / 100);
        add_number_after(p, "H", p->left + (i + n) * width);
        add_number_after(p, "V", bottom - (double)level.from / 100);
        picture_add(p, "z");
    }
}

static void add_kind(struct picture *p, const struct bins *bins, const struct gantt_lane *lane, enum gantt_kind kind)
{
    double height = kind == GANTT_DELAY ? 3 : picture_lane_height(p, lane) - 2; /* a line, as in the chart of bars */
    double bottom = p->lane_y[lane - p->g->lanes] + 1 + picture_lane_height(p, lane) - 2;
    text_addf(p->out, "<g class=\"%s thin\">", picture_looks[kind].css);
    add_path(p, bins, kind, bottom, height);
    picture_add(p, "\"><title>");
    svg_add_escaped(p->out, lane->name);
    if (p->g->subject->n_layers > 1) {
        picture_add(p, ", ");
        svg_add_escaped(p->out, p->g->subject->layers[lane->layer].name);
    }
    text_addf(p->out, ": %s, %.7g s in %zu bar%s, %.3g %% of the time</title></path></g>\n", gantt_kind_names[kind],
              bins->sum_s[kind], bins->count[kind], bins->count[kind] == 1 ? "" : "s",
              100 * bins->sum_s[kind] / p->g->end_s);
}

void picture_lane_bins(struct picture *p, const struct gantt_lane *lane)
{
    struct bins bins = {.gantt = p->g, .n = picture_n_bins(p)};
    bins.bin_s = p->g->end_s / bins.n;
    for (int k = 0; k < N_GANTT_KINDS; k++)
        bins.amount_s[k] = mem_zalloc((size_t)bins.n, sizeof(double));
    if (bins.bin_s > 0) /* an empty chart has bins of length 0 */
        fill(&bins, lane);
    for (int k = 0; k < N_GANTT_KINDS; k++)
        if (bins.sum_s[k] > 0)
            add_kind(p, &bins, lane, (enum gantt_kind)k);
    for (int k = 0; k < N_GANTT_KINDS; k++)
        free(bins.amount_s[k]);
}
