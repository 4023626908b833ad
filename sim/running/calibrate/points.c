/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points as they are measured, and as files have them. A point is one interval: two rates in MB/s (1e6 bytes),
   and how fast the host computed, in flop/s and as a share of its speed alone. The share is known only at the
   end, when the speed alone is. */
#include "calibrate/points.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double MB_BYTES = 1e6;

void points_init(struct measured *m, const char *name)
{
    *m = (struct measured){.alone_flop_per_s = NAN, /* what is not set later is unknown, and not 0 */
                           .alone_half_flop_per_s = NAN,
                           .overhead_send_s = NAN,
                           .overhead_recv_s = NAN,
                           .latency_s = NAN,
                           .busy = {NAN, NAN}};
    snprintf(m->name, sizeof m->name, "%s", name);
    m->points.source = mem_strdup(name);
}

void points_clear(struct measured *m)
{
    fit_points_clear(&m->points);
    free(m->start_s);
    *m = (struct measured){0};
}

enum err_code points_add(struct measured *m, double start_s, double send_bytes_per_s, double recv_bytes_per_s,
                         double flop_per_s, double cpu_ratio, struct err *e)
{
    struct fit_points *p = &m->points;
    if (p->n >= POINTS_MAX)
        return err_set(e, ERR_INPUT, "more than %d points", (int)POINTS_MAX);
    MEM_GROW(p->points, p->n, p->capacity);
    /* capacity is that of the points, which have just grown. */
    m->start_s = mem_resize(m->start_s, p->capacity, sizeof *m->start_s);
    m->start_s[p->n] = start_s;
    p->points[p->n++] = (struct fit_point){.send_MB_per_s = send_bytes_per_s / MB_BYTES,
                                           .recv_MB_per_s = recv_bytes_per_s / MB_BYTES,
                                           .compute_ratio = NAN,
                                           .compute_flop_per_s = flop_per_s,
                                           .cpu_ratio = cpu_ratio};
    return ERR_NONE;
}

/* Half the 95 % interval of the median of n sorted values that scatter normally, but for a few: by the middle half of
   them, of which a standard deviation is 1 / 1.349. The standard error of a median is 1.253 times that of a mean, the
   square root of pi / 2. Single values far out, when another program ran, do not widen it. */
static double half_interval(const double *sorted, size_t n)
{
    enum { LEAST = 4 }; /* quarters of fewer values mean nothing */
    if (n < LEAST)
        return NAN;
    double middle = sorted[n - 1 - n / 4] - sorted[n / 4];
    return student_t(0.95, n - 1) * 1.253 * middle / 1.349 / sqrt((double)n);
}

/* Without points that have no transfers both are NAN; callers decide whether that is a mistake (emit_check). */
static void set_alone(struct measured *m)
{
    double *rates = mem_zalloc(m->points.n + 1, sizeof *rates);
    size_t n = 0;
    for (size_t k = 0; k < m->points.n; k++) {
        const struct fit_point *p = &m->points.points[k];
        if (p->send_MB_per_s == 0 && p->recv_MB_per_s == 0 && !isnan(p->compute_flop_per_s))
            rates[n++] = p->compute_flop_per_s;
    }
    quantile_sort(rates, n);
    m->alone_flop_per_s = quantile_median(rates, n);
    m->alone_half_flop_per_s = half_interval(rates, n);
    free(rates);
}

enum err_code points_finish(struct measured *m, struct err *e)
{
    set_alone(m);
    if (!(m->alone_flop_per_s > 0))
        return err_set(e, ERR_INPUT, "%s: no measurement without transfers", m->name);
    for (size_t k = 0; k < m->points.n; k++)
        m->points.points[k].compute_ratio = m->points.points[k].compute_flop_per_s / m->alone_flop_per_s;
    return ERR_NONE;
}

enum err_code points_read(const char *path, const char *name, struct measured *out, struct err *e)
{
    points_init(out, name);
    fit_points_clear(&out->points); /* fit_points_read sets all of it */
    enum err_code code = fit_points_read(path, &out->points, e);
    if (code == ERR_NONE)
        set_alone(out);
    return code;
}

/* Unknown values are empty fields, as in all our CSV. */
static void add_number(struct text *t, const char *before, double value) /* after a point's first field, a comma */
{
    char number[TEXT_NUMBER_SIZE];
    text_addf(t, "%s%s", before, isnan(value) ? "" : text_number_short(value, number));
}

void points_write(const struct measured *m, struct text *out)
{
    text_addf(out, "start_s,send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio,compute_flop_per_s,cpu_ratio\n");
    for (size_t k = 0; k < m->points.n; k++) {
        const struct fit_point *p = &m->points.points[k];
        add_number(out, "", m->start_s[k]);
        add_number(out, ",", p->send_MB_per_s);
        add_number(out, ",", p->recv_MB_per_s);
        add_number(out, ",", p->compute_ratio);
        add_number(out, ",", p->compute_flop_per_s);
        add_number(out, ",", p->cpu_ratio);
        text_add(out, "\n", 1);
    }
}

double points_max_MB_per_s(const struct measured *m, enum fit_rate rate)
{
    double max = 0;
    for (size_t k = 0; k < m->points.n; k++) {
        const struct fit_point *p = &m->points.points[k];
        max = fmax(max, rate == FIT_RATE_SEND ? p->send_MB_per_s : p->recv_MB_per_s);
    }
    return max;
}
