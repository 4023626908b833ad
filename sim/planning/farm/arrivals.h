/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When tasks come to the root of a farm, and how long they stay (doc/model.md, Farms). */
#ifndef IASIM_FARM_ARRIVALS_H
#define IASIM_FARM_ARRIVALS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum arrivals_kind { ARRIVALS_AT_ONCE, ARRIVALS_POISSON, ARRIVALS_PERIODIC };

/* For help texts and lists of parameters. */
#define ARRIVALS_MEANING                                                                                               \
    "when tasks come to the root: at_once (if not given), all at 0; poisson, with independent exponential gaps; "      \
    "periodic, at even gaps from 0 on. load=L: L times as many per second as the physical bound of the policy's "      \
    "ports; rate=R: R per second"

struct arrivals {
    enum arrivals_kind kind;
    double load_ratio, tasks_per_s; /* one of them; the other is NAN. Both are, at once */
};

/* Errors: ERR_INPUT; the message says what is wrong with the arrival. */
enum err_code arrivals_parse(const char *text, struct arrivals *out, struct err *e);

/* The dates of n tasks, increasing, in fresh memory; NULL: all at once. The draws depend on the seed and the number of
   the task alone; another rate stretches them. */
double *arrivals_draw_s(const struct arrivals *a, double tasks_per_s, uint64_t seed, long n);

/* From when tasks arrive until they have been computed. */
struct arrivals_responses {
    double mean_s, median_s, p95_s, max_s; /* p95_s: the least that 95 % do not exceed */
    /* While the second half of the tasks arrives (the larger one of an odd number), by how many tasks more there are in
       the farm at the end than at the beginning, over those that arrive. In a farm that keeps up it is near 0, and the
       nearer the more tasks there are; else it is the part of the tasks that the farm cannot take. */
    double growth_ratio;
};

/* By task, in the order of arrival: n > 0 dates. */
struct arrivals_responses arrivals_responses_of(const double *arrivals_s, const double *ends_s, long n);

#endif
