/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all fits share: their list, the figures that tell how good a fit is, and which rate a fit over one rate
   takes. */
#include "models/fits/fit.h"

#include "base/mem.h"
#include "base/registry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define FIT(name) extern const struct fit fit_##name;
#include "models/fits/fits.def"
#undef FIT

const struct fit *const fits[] = {
#define FIT(name) &fit_##name,
#include "models/fits/fits.def"
#undef FIT
    NULL,
};

enum err_code fit_find(const char *name, const struct fit **out, struct err *e)
{
    *out = registry_choose(fits, "fit", name, e);
    return *out != NULL ? ERR_NONE : ERR_INPUT;
}

void fit_result_clear(struct fit_result *r)
{
    free(r->coefficients);
    *r = (struct fit_result){0};
}

void fit_result_add(struct fit_result *r, const char *unit, double value, const char *name_format, ...)
{
    r->coefficients = mem_resize(r->coefficients, r->n_coefficients + 1, sizeof *r->coefficients);
    struct fit_coefficient *c = &r->coefficients[r->n_coefficients++];
    *c = (struct fit_coefficient){.unit = unit, .value = value, .standard_error = NAN};
    va_list args;
    va_start(args, name_format);
    vsnprintf(c->name, sizeof c->name, name_format, args);
    va_end(args);
}

void fit_result_set_errors(struct fit_result *r, const double *residuals, size_t n, size_t n_fitted)
{
    double squares = 0, sum = 0, max = 0;
    for (size_t k = 0; k < n; k++) {
        squares += residuals[k] * residuals[k];
        sum += fabs(residuals[k]);
        max = fmax(max, fabs(residuals[k]));
    }
    r->n_points = n;
    r->max_abs_error = max;
    r->mean_abs_error = sum / (double)n;
    r->standard_deviation = n > n_fitted ? sqrt(squares / (double)(n - n_fitted)) : NAN;
    /* for fits that pass through their points; least squares sets it */
    r->r2 = NAN;
}

double fit_send_rate(const struct fit_point *p)
{
    return p->send_MB_per_s;
}

double fit_recv_rate(const struct fit_point *p)
{
    return p->recv_MB_per_s;
}

static bool varies(const struct fit_points *p, double (*rate)(const struct fit_point *))
{
    for (size_t k = 1; k < p->n; k++)
        if (rate(&p->points[k]) != rate(&p->points[0]))
            return true;
    return false;
}

/* A file of points usually varies one rate only, so that users need not say which. */
enum err_code fit_choose_rate(const struct fit_points *p, enum fit_rate *rate, struct err *e)
{
    if (*rate != FIT_RATE_ANY)
        return ERR_NONE;
    bool send = varies(p, fit_send_rate), recv = varies(p, fit_recv_rate);
    if (send && recv)
        return err_set_at(e, ERR_INPUT, p->source, 0,
                          "both the send and the receive rate vary; choose one (rate send or recv) or fit planar");
    /* one point alone is left to the fit, whose message says how many it needs */
    if (!send && !recv && p->n > 1)
        return err_set_at(e, ERR_INPUT, p->source, 0,
                          "neither rate varies: all %zu points have send rate %g and receive rate %g MB/s", p->n,
                          p->points[0].send_MB_per_s, p->points[0].recv_MB_per_s);
    *rate = recv ? FIT_RATE_RECV : FIT_RATE_SEND;
    return ERR_NONE;
}
