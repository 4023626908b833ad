/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a measurement of interference comes to: the figures of the experiment `interference`, and how they are
   found from the points. Internal to this folder. */
#ifndef IASIM_RUNS_INTERFERENCE_FIGURES_H
#define IASIM_RUNS_INTERFERENCE_FIGURES_H

#include "base/err.h"
#include "engine/measure.h"

/* Of the fits over one rate; the receive rate's follow the send rate's, in the same order. */
enum one_rate {
    IR,
    CONSTANT,
    STDEV,
    MAX_ERROR,
    MEAN_ERROR,
    QUADRATIC_STDEV,
    QUADRATIC_MAX_ERROR,
    MAX_RATE,
    N_ONE_RATE
};
enum {
    N_POINTS,
    OF_SEND,
    OF_RECV = OF_SEND + N_ONE_RATE,
    PREDICTED_MEAN_ERROR = OF_RECV + N_ONE_RATE,
    PREDICTED_MAX_ERROR,
    PREDICTED_STDEV,
    PLANAR_CONSTANT,
    PLANAR_IR_RECV,
    PLANAR_IR_SEND,
    PLANAR_STDEV,
    PLANAR_MEAN_ERROR,
    PLANAR_MAX_ERROR,
    SUM_MEAN_ERROR,
    SUM_MAX_ERROR,
    THREE_POINT_IR_RECV,
    THREE_POINT_IR_SEND,
    THREE_POINT_MEAN_ERROR,
    THREE_POINT_MAX_ERROR,
    N_HULL_POINTS,
    HULL_PLANAR_MEAN_ERROR,
    HULL_PLANAR_MAX_ERROR,
    HULL_THREE_POINT_MEAN_ERROR,
    HULL_THREE_POINT_MAX_ERROR,
    AT_ONCE_SEND_RATIO,
    AT_ONCE_RECV_RATIO,
};

/* The parts of a measurement in one direction: alone; each peer by itself, if there are several; all
 * together. */
enum err_code figures_one_way(const struct measure_result *r, const struct measure_options *o, enum direction dir,
                              double *out, struct err *e);

/* The parts of one in both, of which the first peer is received from and the second sent to. Those without
   load come first, since load that has begun ends its messages. */
enum part { ALONE, RECV_FREELY, BOTH_FREELY, BOTH, RECV, SEND, N_PARTS };
enum err_code figures_both(const struct measure_result *r, double *out, struct err *e);

#endif
