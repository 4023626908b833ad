/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A plane over both rates: sending and receiving at once cost less than the sum of each alone ([K] 2.5). */
#include "models/fits/fit.h"

static enum err_code compute(const struct fit_points *p, enum fit_rate rate, struct fit_result *out, struct err *e)
{
    static const struct fit_term terms[] = {{"ir_recv", "per MB/s", fit_recv_rate},
                                            {"ir_send", "per MB/s", fit_send_rate}};
    (void)rate;
    return fit_least_squares(p, terms, 2, "three points whose (send, receive) rates are not on one line", out, e);
}

extern const struct fit fit_planar;
const struct fit fit_planar = {
    .name = "planar",
    .summary = "a plane over the send and the receive rate",
    .source = "[K] 2.5",
    .formula = "constant - ir_recv * receive rate - ir_send * send rate",
    .compute = compute,
};
