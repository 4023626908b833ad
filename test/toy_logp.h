/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A cost model that does not come with iasim, in one file: LogP ([S] 8.1.3, [Culler 1993]) with parameters alone. A
   message of c bytes is n = ceil(c/M) messages of LogP; o(c) = o + (n - 1) max(o, g), g(c) = n max(o, g), L(c) = L - (n
   - 1) max(o, g). */
#ifndef IASIM_TEST_TOY_LOGP_H
#define IASIM_TEST_TOY_LOGP_H

#include "models/cost/cost.h"

#include <math.h>

static const struct param toy_params[] = {
    {"L", PARAM_NUMBER, "s", "0", 0, 1e9, NULL, "latency"},
    {"o", PARAM_NUMBER, "s", "0", 0, 1e9, NULL, "overhead of a message at both processors"},
    {"g", PARAM_NUMBER, "s", "0", 0, 1e9, NULL, "gap between messages at a port"},
    {"M", PARAM_NUMBER, "bytes", "1e9", 1e-9, 1e18, NULL, "size of the largest message; longer data take several"},
    {0},
};
enum { TOY_L, TOY_O, TOY_G, TOY_M };

static inline double toy_n_messages(const struct cost_model *self, double bytes)
{
    return fmax(1, ceil(bytes / self->values[TOY_M]));
}

static inline double toy_step_s(const struct cost_model *self)
{
    return fmax(self->values[TOY_O], self->values[TOY_G]);
}

static inline struct cost_end toy_end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                                      enum direction dir, link_id link, double bytes)
{
    double n = toy_n_messages(self, bytes);
    (void)m;
    (void)src;
    (void)dst;
    (void)dir;
    (void)link;
    return (struct cost_end){self->values[TOY_O] + (n - 1) * toy_step_s(self), 0, n * toy_step_s(self), 0};
}

static inline double toy_transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                                   double bytes)
{
    (void)m;
    (void)src;
    (void)dst;
    return self->values[TOY_L] - (toy_n_messages(self, bytes) - 1) * toy_step_s(self);
}

static const struct cost_model toy = {
    .name = "toy",
    .summary = "LogP",
    .source = "[S] 8.1.3",
    .params = toy_params,
    .books_processors = true,
    .books_ports = true,
    .end = toy_end,
    .transit_s = toy_transit_s,
};

#endif
