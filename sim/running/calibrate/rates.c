/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fits for each direction, and what is derived from them. Signs: a fit's coefficient is the decrease of the compute
   ratio per MB/s, so an interference rate is positive where communication slows computing down (models/fits). */
#include "calibrate/rates.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

const char *const rate_words[N_RATE_DIRECTIONS] = {"send", "recv", "both"};
static const char *const activities[N_RATE_DIRECTIONS] = {"sending", "receiving", "sending and receiving at once"};
static const double confidence = 0.95;

/* Points without transfers anchor every line at the speed alone. */
static bool belongs(const struct fit_point *p, enum rate_direction d)
{
    bool sends = p->send_MB_per_s > 0, receives = p->recv_MB_per_s > 0;
    return (!sends && !receives) || (sends == (d != RATE_RECV) && receives == (d != RATE_SEND));
}

/* The points of a direction; false: none of them has a transfer. */
static bool select_points(const struct fit_points *all, enum rate_direction d, struct fit_points *out)
{
    bool is_any = false;
    /* At most all. */
    *out = (struct fit_points){.source = all->source, .points = mem_zalloc(all->n, sizeof *out->points)};
    for (size_t k = 0; k < all->n; k++) {
        const struct fit_point *p = &all->points[k];
        if (belongs(p, d)) {
            out->points[out->n++] = *p;
            is_any = is_any || p->send_MB_per_s > 0 || p->recv_MB_per_s > 0;
        }
    }
    return is_any;
}

static double max_rate(const struct fit_points *p)
{
    double max = 0;
    for (size_t k = 0; k < p->n; k++)
        max = fmax(max, p->points[k].send_MB_per_s + p->points[k].recv_MB_per_s);
    return max;
}

static enum err_code fit_by(const char *name, const struct fit_points *p, enum fit_rate over, struct fit_result *out,
                            struct err *e)
{
    const struct fit *fit;
    *out = (struct fit_result){0};
    enum err_code code = fit_find(name, &fit, e);
    return code == ERR_NONE ? fit->compute(p, over, out, e) : code;
}

/* Student's t [Student 1908] with as many degrees of freedom as points exceed what was fitted:
   the slopes and the constant. */
static double half_interval(const struct fit_result *f, const struct fit_coefficient *c)
{
    return student_t(confidence, f->n_points - f->n_coefficients - 1) * c->standard_error;
}

static void set_rate(struct rate *r, const struct fit_result *f, const struct fit_coefficient *c)
{
    double half = half_interval(f, c);
    r->is_known = true;
    r->ir = c->value;
    r->low = c->value - half;
    r->high = c->value + half;
    r->constant = f->constant;
    r->r2 = f->r2;
    r->n = f->n_points;
    r->stolen = NAN; /* set where it is measured */
}

/* The slope of the line over one of the rates, with `ratio` in place of the compute ratio, and half its interval; NAN:
   not determined. */
static double slope(const struct fit_points *p, enum fit_rate over, double (*ratio)(const struct fit_point *, double),
                    double argument, double *half)
{
    struct fit_points changed = {.points = mem_zalloc(p->n, sizeof *changed.points), .n = p->n};
    struct fit_result f = {0};
    double value = NAN;
    bool is_known = true;
    *half = NAN;
    for (size_t k = 0; k < p->n; k++) {
        changed.points[k] = p->points[k];
        changed.points[k].compute_ratio = ratio(&p->points[k], argument);
        is_known = is_known && !isnan(changed.points[k].compute_ratio);
    }
    /* One point without the figure makes the slope unknown: points of some runs only would be another sample. */
    if (is_known && fit_by("linear", &changed, over, &f, NULL) == ERR_NONE) {
        value = f.coefficients[0].value;
        *half = half_interval(&f, &f.coefficients[0]);
    }
    fit_result_clear(&f);
    free(changed.points);
    return value;
}

static double cpu_ratio(const struct fit_point *p, double unused)
{
    (void)unused;
    return p->cpu_ratio;
}

static double stolen_slope(const struct fit_points *p, enum fit_rate over)
{
    double unused;
    return slope(p, over, cpu_ratio, 0, &unused);
}

/* What remains of the loss when receiving is taken out at its rate alone is due to sending while receiving. */
static double without_receiving(const struct fit_point *p, double ir_recv)
{
    return p->compute_ratio + ir_recv * p->recv_MB_per_s;
}

/* A line with fewer than two rates has no slope: the fit reports it. */
static enum err_code fit_one(const struct fit_points *p, enum rate_direction d, struct rate *out, struct err *e)
{
    enum fit_rate over = d == RATE_SEND ? FIT_RATE_SEND : FIT_RATE_RECV;
    struct fit_result f;
    enum err_code code = fit_by("linear", p, over, &f, e);
    if (code == ERR_NONE) {
        set_rate(out, &f, &f.coefficients[0]);
        out->stolen = stolen_slope(p, over);
    }
    fit_result_clear(&f);
    return code;
}

/* Replaces the rates s, r by their sum t and by the departure from the mean mix, z = (s R - r S) / (S + R): the plane
   over t and z has the slopes (a S + b R) / (S + R), the answer, and a - b. Returns R / (S + R). */
static double turn_plane(struct fit_points *p)
{
    double send = 0, recv = 0;
    for (size_t k = 0; k < p->n; k++) {
        send += p->points[k].send_MB_per_s;
        recv += p->points[k].recv_MB_per_s;
    }
    double recv_ratio = recv / (send + recv);
    for (size_t k = 0; k < p->n; k++) {
        struct fit_point *q = &p->points[k];
        double s = q->send_MB_per_s, r = q->recv_MB_per_s;
        double departure = s * recv_ratio - r * (1 - recv_ratio);
        q->send_MB_per_s = s + r;
        q->recv_MB_per_s = fabs(departure) > 1e-12 * (s + r) ? departure : 0; /* else it is rounding */
    }
    return recv_ratio;
}

/* In the planar fit the receive rate comes first. After turn_plane its coefficient is a - b, and that of the send rate
   is the answer: the mean rate of both directions together. */
static enum err_code fit_both(struct fit_points *p, struct rates *out, struct err *e)
{
    struct fit_result f;
    double recv_ratio = turn_plane(p);
    /* NULL: that there is no plane is not an error here; the line below may still exist. */
    enum err_code code = fit_by("planar", p, FIT_RATE_ANY, &f, NULL);
    if (code == ERR_NONE) {
        set_rate(&out->of[RATE_BOTH], &f, &f.coefficients[1]);
        out->plane_send = f.coefficients[1].value + f.coefficients[0].value * recv_ratio;
        out->plane_recv = f.coefficients[1].value - f.coefficients[0].value * (1 - recv_ratio);
        out->of[RATE_BOTH].stolen = stolen_slope(p, FIT_RATE_SEND);
        fit_result_clear(&f);
        return ERR_NONE;
    }
    fit_result_clear(&f);
    /* Usually all departures are 0 then, and the sum of the rates alone is the abscissa (turn_plane). */
    return fit_one(p, RATE_SEND, &out->of[RATE_BOTH], e);
}

static enum err_code fit_direction(const struct fit_points *all, enum rate_direction d, struct rates *out,
                                   struct err *e)
{
    struct fit_points p;
    struct err why = {0};
    enum err_code code = ERR_NONE;
    if (select_points(all, d, &p)) {
        /* Needs the rate of receiving alone, which is fitted before: RATE_BOTH is the last direction. */
        if (d == RATE_BOTH && out->of[RATE_RECV].is_known) {
            double duplex =
                slope(&p, FIT_RATE_SEND, without_receiving, fmax(0, out->of[RATE_RECV].ir), &out->send_duplex_half);
            out->send_duplex = duplex < 0 ? 0 : duplex;
        }
        double max = max_rate(&p); /* fitting both changes the points */
        code = d == RATE_BOTH ? fit_both(&p, out, &why) : fit_one(&p, d, &out->of[d], &why);
        out->of[d].max_MB_per_s = max;
    }
    free(p.points);
    /* The message of the fit says why; the direction says where to look. */
    if (code != ERR_NONE)
        err_set_at(e, code, all->source, 0, "the rate of %s cannot be fitted: %s", activities[d], why.text);
    return code;
}

enum err_code rates_fit(const struct fit_points *p, struct rates *out, struct err *e)
{
    *out = (struct rates){.plane_send = NAN, .plane_recv = NAN, .send_duplex = NAN, .send_duplex_half = NAN};
    bool is_any = false;
    for (enum rate_direction d = 0; d < N_RATE_DIRECTIONS; d++) {
        enum err_code code = fit_direction(p, d, out, e);
        if (code != ERR_NONE)
            return code;
        is_any = is_any || out->of[d].is_known;
    }
    return is_any ? ERR_NONE : err_set_at(e, ERR_INPUT, p->source, 0, "no point has a send or receive rate above 0");
}
