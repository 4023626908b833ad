/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What was measured of one host. */
#ifndef IASIM_CALIBRATE_POINTS_H
#define IASIM_CALIBRATE_POINTS_H

#include "base/text.h"
#include "calibrate/busy.h"
#include "calibrate/protocol.h"
#include "models/fits/fit.h"

struct measured {
    char name[PROTOCOL_NAME + 1];
    struct fit_points points;
    double *start_s; /* of each point, since the measurement began; NULL: unknown */
    /* NAN: unknown. */
    double alone_flop_per_s;
    double alone_half_flop_per_s; /* half the 95 % interval of the speed alone; NAN: it was given */
    double overhead_send_s, overhead_recv_s, latency_s; /* of small messages */
    struct busy busy;                                   /* while it was measured */
};

enum { POINTS_MAX = 100000 }; /* of one host that is measured */

void points_init(struct measured *m, const char *name);
void points_clear(struct measured *m);

/* Adds the point of an interval. The compute ratio is set by points_finish. Errors: ERR_INPUT: too many. */
enum err_code points_add(struct measured *m, double start_s, double send_bytes_per_s, double recv_bytes_per_s,
                         double flop_per_s, double cpu_ratio, struct err *e);

/* Sets the speed alone to the median of the points without transfers, so that a moment in which the host was busy
   with something else does not count, and each compute ratio to the point's rate over it. Errors: ERR_INPUT: no such
   points, or no computing in them. */
enum err_code points_finish(struct measured *m, struct err *e);

/* Points of `iasim fit`'s form (models/fits/fit.h), from wherever they are; the speed alone is the median of the
   compute_flop_per_s of those without transfers. Errors: those of fit_points_read. */
enum err_code points_read(const char *path, const char *name, struct measured *out, struct err *e);

/* Appends the points as CSV that points_read and `iasim fit` take. */
void points_write(const struct measured *m, struct text *out);

/* The highest rate of any point. */
double points_max_MB_per_s(const struct measured *m, enum fit_rate rate);

#endif
