/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A parabola over one rate, to see whether a line is good enough ([K] 2.3, 2.4). `ir` is the negative slope at rate
   0. */
#include "models/fits/fit.h"

static double send_squared(const struct fit_point *p)
{
    return p->send_MB_per_s * p->send_MB_per_s;
}

static double recv_squared(const struct fit_point *p)
{
    return p->recv_MB_per_s * p->recv_MB_per_s;
}

static enum err_code compute(const struct fit_points *p, enum fit_rate rate, struct fit_result *out, struct err *e)
{
    static const struct fit_term send[] = {{"ir_send", "per MB/s", fit_send_rate},
                                           {"ir_send_quadratic", "per (MB/s)^2", send_squared}};
    static const struct fit_term recv[] = {{"ir_recv", "per MB/s", fit_recv_rate},
                                           {"ir_recv_quadratic", "per (MB/s)^2", recv_squared}};
    enum err_code code = fit_choose_rate(p, &rate, e);
    if (code != ERR_NONE)
        return code;
    return fit_least_squares(p, rate == FIT_RATE_SEND ? send : recv, 2, "three different rates", out, e);
}

extern const struct fit fit_quadratic;
const struct fit fit_quadratic = {
    .name = "quadratic",
    .summary = "a parabola over the send or the receive rate",
    .source = "[K] 2.3, 2.4",
    .formula = "constant - ir * rate - ir_quadratic * rate^2",
    .takes_one_rate = true,
    .compute = compute,
};
