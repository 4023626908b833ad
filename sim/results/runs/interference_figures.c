/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The figures of [K] 2 and 3.1 from measured points. Ratios are of the highest compute rate, so an error of 0.01 is
   one percent of a processor whatever the host. Figures that a mode does not have stay NAN. */
#include "runs/interference_figures.h"

#include "base/mem.h"
#include "models/fits/fit.h"

#include <math.h>
#include <stdlib.h>

/* ---- points ---- */

/* Adds the points of a phase. */
static void take_phase(const struct measure_result *r, size_t phase, struct fit_points *out)
{
    for (size_t k = 0; k < r->n_points; k++) {
        const struct measure_point *p = &r->points[k];
        if (p->phase != phase)
            continue;
        MEM_GROW(out->points, out->n, out->capacity);
        out->points[out->n++] = (struct fit_point){.send_MB_per_s = p->rate_bytes_per_s[DIR_SEND] / 1e6,
                                                   .recv_MB_per_s = p->rate_bytes_per_s[DIR_RECV] / 1e6,
                                                   .compute_ratio = p->compute_ratio};
    }
}

/* The points of a part, together with those without communication: a line needs the rate 0. */
static struct fit_points points_of(const struct measure_result *r, size_t phase)
{
    struct fit_points all = {.source = mem_strdup("the measured points")};
    take_phase(r, 0, &all);
    if (phase > 0)
        take_phase(r, phase, &all);
    return all;
}

/* Leaves only points without the other direction: a message that was under way when a part began belongs to neither
   part. */
static void keep_only(struct fit_points *p, enum direction dir)
{
    size_t n = 0;
    for (size_t k = 0; k < p->n; k++)
        if ((dir == DIR_SEND ? p->points[k].recv_MB_per_s : p->points[k].send_MB_per_s) == 0)
            p->points[n++] = p->points[k];
    p->n = n;
}

/* ---- errors of a formula ---- */

struct plane {
    double constant, ir_recv, ir_send;
};

struct errors {
    size_t n;
    double sum, squares, max;
};

static void add_error(struct errors *s, double error)
{
    s->n++;
    s->sum += fabs(error);
    s->squares += error * error;
    s->max = fmax(s->max, fabs(error));
}

/* No points, no error: NAN, not 0, which would look like a perfect fit. */
static double mean(const struct errors *s)
{
    return s->n > 0 ? s->sum / (double)s->n : NAN;
}

static double largest(const struct errors *s)
{
    return s->n > 0 ? s->max : NAN;
}

/* The corners' (send, receive) rates: (0, 0), (0, alone_recv), (send, recv). Inside the triangle the three-point
   model interpolates, outside it extrapolates. */
struct triangle {
    double alone_recv, send, recv;
};

static bool is_inside(const struct triangle *t, const struct fit_point *p)
{
    /* Position along the send axis, 0 to 1. The slack keeps the corners themselves inside in spite of rounding. */
    double part = p->send_MB_per_s / t->send, slack = 1e-9 * t->alone_recv;
    double low = part * t->recv, high = t->alone_recv + part * (t->recv - t->alone_recv);
    return part <= 1 + 1e-9 && p->recv_MB_per_s >= low - slack && p->recv_MB_per_s <= high + slack;
}

/* Over the points inside `t`; over all when it is NULL. */
static struct errors errors_of(const struct plane *f, const struct fit_points *p, const struct triangle *t)
{
    struct errors s = {0};
    for (size_t k = 0; k < p->n; k++) {
        const struct fit_point *q = &p->points[k];
        if (t == NULL || is_inside(t, q))
            add_error(&s,
                      q->compute_ratio - f->constant + f->ir_recv * q->recv_MB_per_s + f->ir_send * q->send_MB_per_s);
    }
    return s;
}

/* ---- fits ---- */

static enum err_code compute_fit(const char *name, enum fit_rate rate, const struct fit_points *p,
                                 struct fit_result *out, struct err *e)
{
    const struct fit *fit;
    enum err_code code = fit_find(name, &fit, e);
    return code == ERR_NONE ? fit->compute(p, rate, out, e) : code;
}

/* Lines and parabolas over one rate. Where a parabola cannot be fitted its figures stay NAN and that is no error:
   under constant load there are two rates only. */
static enum err_code fit_one_rate(const struct fit_points *p, enum direction dir, double *out, struct err *e)
{
    enum fit_rate rate = dir == DIR_SEND ? FIT_RATE_SEND : FIT_RATE_RECV;
    struct fit_result line = {0}, parabola = {0};
    enum err_code code = compute_fit("linear", rate, p, &line, e);
    if (code == ERR_NONE) {
        out[IR] = line.coefficients[0].value;
        out[CONSTANT] = line.constant;
        out[STDEV] = line.standard_deviation;
        out[MAX_ERROR] = line.max_abs_error;
        out[MEAN_ERROR] = line.mean_abs_error;
        /* Of the points that were fitted: beyond it the line is not supported by a measurement. */
        out[MAX_RATE] = 0;
        for (size_t k = 0; k < p->n; k++)
            out[MAX_RATE] =
                fmax(out[MAX_RATE], dir == DIR_SEND ? p->points[k].send_MB_per_s : p->points[k].recv_MB_per_s);
    }
    if (code == ERR_NONE && compute_fit("quadratic", rate, p, &parabola, NULL) == ERR_NONE) {
        out[QUADRATIC_STDEV] = parabola.standard_deviation;
        out[QUADRATIC_MAX_ERROR] = parabola.max_abs_error;
    }
    fit_result_clear(&line);
    fit_result_clear(&parabola);
    return code;
}

/* ---- one direction ---- */

/* The interference rate of one of several peers, from the part in which it is the only one. An interval in which
   another peer's message was still under way is left out: then the rate of all is not that of the peer. */
static enum err_code fit_peer(const struct measure_result *r, size_t peer, enum direction dir, double *ir,
                              struct err *e)
{
    struct fit_points points = {.source = mem_strdup("the points of one peer")};
    double figures[N_ONE_RATE];
    for (size_t k = 0; k < r->n_points; k++) {
        const struct measure_point *p = &r->points[k];
        double rate = p->peer_bytes_per_s[peer];
        /* Phase 0 is alone; phase peer + 1 is this peer by itself (plan_one_way). */
        if ((p->phase != 0 && p->phase != peer + 1) || rate != p->rate_bytes_per_s[dir])
            continue;
        MEM_GROW(points.points, points.n, points.capacity);
        /* One rate in both fields: the fit reads the one of its direction, and the other one is not used. */
        points.points[points.n++] = (struct fit_point){
            .send_MB_per_s = rate / 1e6, .recv_MB_per_s = rate / 1e6, .compute_ratio = p->compute_ratio};
    }
    enum err_code code = fit_one_rate(&points, dir, figures, e);
    *ir = code == ERR_NONE ? figures[IR] : NAN;
    fit_points_clear(&points);
    return code;
}

/* Do interference rates that were measured one by one add up ([K] 2.3, 2.4)? The prediction begins at 1, not at a
   fitted constant, because it is made without the points that it is judged on. */
static enum err_code predict(const struct measure_result *r, const struct measure_options *o, enum direction dir,
                             double *out, struct err *e)
{
    double *ir = mem_zalloc(o->n_peers, sizeof *ir);
    struct errors s = {0};
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < o->n_peers && code == ERR_NONE; i++)
        code = fit_peer(r, i, dir, &ir[i], e);
    for (size_t k = 0; k < r->n_points; k++) {
        double error = r->points[k].compute_ratio - 1;
        for (size_t i = 0; i < o->n_peers; i++)
            error += ir[i] * r->points[k].peer_bytes_per_s[i] / 1e6;
        /* The last part: all peers together. */
        if (r->points[k].phase == o->n_phases - 1)
            add_error(&s, error);
    }
    free(ir);
    out[PREDICTED_MEAN_ERROR] = mean(&s);
    out[PREDICTED_MAX_ERROR] = largest(&s);
    out[PREDICTED_STDEV] = s.n > 0 ? sqrt(s.squares / (double)s.n) : NAN;
    return code;
}

enum err_code figures_one_way(const struct measure_result *r, const struct measure_options *o, enum direction dir,
                              double *out, struct err *e)
{
    struct fit_points all = points_of(r, o->n_phases - 1);
    out[N_POINTS] = (double)r->n_points;
    enum err_code code = fit_one_rate(&all, dir, out + (dir == DIR_SEND ? OF_SEND : OF_RECV), e);
    if (code == ERR_NONE && o->n_peers > 1)
        code = predict(r, o, dir, out, e);
    fit_points_clear(&all);
    return code;
}

/* ---- both directions ---- */

static enum err_code fit_separately(const struct measure_result *r, enum part part, enum direction dir, double *out,
                                    struct err *e)
{
    struct fit_points points = points_of(r, part);
    keep_only(&points, dir);
    enum err_code code = fit_one_rate(&points, dir, out, e);
    fit_points_clear(&points);
    return code;
}

/* The mean of a part without its first point: the compute rate of an interval is that of the tasks that end in it,
   and the first of them began before the part. */
static struct fit_point settled_mean(const struct measure_result *r, enum part part)
{
    struct fit_points of_part = {0};
    struct fit_point m = {0};
    take_phase(r, part, &of_part);
    for (size_t k = 1; k < of_part.n; k++) {
        m.send_MB_per_s += of_part.points[k].send_MB_per_s / (double)(of_part.n - 1);
        m.recv_MB_per_s += of_part.points[k].recv_MB_per_s / (double)(of_part.n - 1);
        m.compute_ratio += of_part.points[k].compute_ratio / (double)(of_part.n - 1);
    }
    fit_points_clear(&of_part);
    return m;
}

/* The three corners are measured without load, as somebody would who wants the model from three short measurements
   ([K] 3.1). */
static enum err_code fit_three_points(const struct measure_result *r, struct plane *out, struct triangle *corners,
                                      struct err *e)
{
    struct fit_point three[] = {settled_mean(r, ALONE), settled_mean(r, RECV_FREELY), settled_mean(r, BOTH_FREELY)};
    char source[] = "the three points";
    struct fit_points points = {.source = source, .points = three, .n = 3};
    struct fit_result model = {0};
    enum err_code code = compute_fit("three_point", FIT_RATE_ANY, &points, &model, e);
    if (code == ERR_NONE)
        *out = (struct plane){model.constant, model.coefficients[0].value, model.coefficients[1].value};
    *corners = (struct triangle){three[1].recv_MB_per_s, three[2].send_MB_per_s, three[2].recv_MB_per_s};
    fit_result_clear(&model);
    return code;
}

static enum err_code fit_plane(const struct fit_points *all, struct plane *out, double *figures, struct err *e)
{
    struct fit_result model = {0};
    enum err_code code = compute_fit("planar", FIT_RATE_ANY, all, &model, e);
    if (code == ERR_NONE) {
        *out = (struct plane){model.constant, model.coefficients[0].value, model.coefficients[1].value};
        figures[PLANAR_CONSTANT] = out->constant;
        figures[PLANAR_IR_RECV] = out->ir_recv;
        figures[PLANAR_IR_SEND] = out->ir_send;
        figures[PLANAR_STDEV] = model.standard_deviation;
        figures[PLANAR_MEAN_ERROR] = model.mean_abs_error;
        figures[PLANAR_MAX_ERROR] = model.max_abs_error;
    }
    fit_result_clear(&model);
    return code;
}

static void compare_models(const struct fit_points *all, const struct plane *plane, const struct plane *three_point,
                           const struct triangle *corners, double *out)
{
    /* Sending and receiving as if neither knew of the other: the sum of what each alone takes. */
    struct plane separate = {1, out[OF_RECV + IR], out[OF_SEND + IR]};
    struct errors sum = errors_of(&separate, all, NULL), model = errors_of(three_point, all, NULL);
    struct errors hull_plane = errors_of(plane, all, corners), hull_model = errors_of(three_point, all, corners);
    out[SUM_MEAN_ERROR] = mean(&sum);
    out[SUM_MAX_ERROR] = largest(&sum);
    out[THREE_POINT_IR_RECV] = three_point->ir_recv;
    out[THREE_POINT_IR_SEND] = three_point->ir_send;
    out[THREE_POINT_MEAN_ERROR] = mean(&model);
    out[THREE_POINT_MAX_ERROR] = largest(&model);
    out[N_HULL_POINTS] = (double)hull_model.n;
    out[HULL_PLANAR_MEAN_ERROR] = mean(&hull_plane);
    out[HULL_PLANAR_MAX_ERROR] = largest(&hull_plane);
    out[HULL_THREE_POINT_MEAN_ERROR] = mean(&hull_model);
    out[HULL_THREE_POINT_MAX_ERROR] = largest(&hull_model);
}

/* The plane is fitted, and all formulas are judged, on the points with both directions at once and alone. Both
   one-way fits come first, because the comparison needs their rates. */
enum err_code figures_both(const struct measure_result *r, double *out, struct err *e)
{
    struct fit_points all = points_of(r, BOTH);
    struct plane plane, three_point;
    struct triangle corners;
    out[N_POINTS] = (double)r->n_points;
    enum err_code code = fit_separately(r, SEND, DIR_SEND, out + OF_SEND, e);
    if (code == ERR_NONE)
        code = fit_separately(r, RECV, DIR_RECV, out + OF_RECV, e);
    if (code == ERR_NONE)
        code = fit_plane(&all, &plane, out, e);
    if (code == ERR_NONE)
        code = fit_three_points(r, &three_point, &corners, e);
    if (code == ERR_NONE) {
        compare_models(&all, &plane, &three_point, &corners, out);
        out[AT_ONCE_SEND_RATIO] = corners.send / out[OF_SEND + MAX_RATE];
        out[AT_ONCE_RECV_RATIO] = corners.recv / out[OF_RECV + MAX_RATE];
    }
    fit_points_clear(&all);
    return code;
}
