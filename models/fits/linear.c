/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The paper's definition of an interference rate ([K] 1, 2.3, 2.4): the negative slope of the least-squares line
   through the compute ratios over one rate. */
#include "models/fits/fit.h"

static enum err_code compute(const struct fit_points *p, enum fit_rate rate, struct fit_result *out, struct err *e)
{
    static const struct fit_term send = {"ir_send", "per MB/s", fit_send_rate};
    static const struct fit_term recv = {"ir_recv", "per MB/s", fit_recv_rate};
    enum err_code code = fit_choose_rate(p, &rate, e);
    if (code != ERR_NONE)
        return code;
    return fit_least_squares(p, rate == FIT_RATE_SEND ? &send : &recv, 1, "two different rates", out, e);
}

extern const struct fit fit_linear;
const struct fit fit_linear = {
    .name = "linear",
    .summary = "a line over the send or the receive rate; its negative slope is the interference rate",
    .source = "[K] 2.3, 2.4",
    .formula = "constant - ir * rate",
    .takes_one_rate = true,
    .compute = compute,
};
