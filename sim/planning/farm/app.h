/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application of a task farm: independent, equal tasks ([K] 3). */
#ifndef IASIM_FARM_APP_H
#define IASIM_FARM_APP_H

#include "base/err.h"

struct farm_app {
    long n_tasks;             /* all at the root */
    double task_bytes;        /* Z */
    double task_flop;         /* W */
    int n_buffers;            /* task slots of every other node */
    double request_bytes;     /* 0: a request takes no time */
    const double *arrivals_s; /* dates of the tasks at the root, not decreasing; NULL: all are there at 0. Borrowed */
};

/* Errors: ERR_INPUT for a figure out of range. */
enum err_code farm_app_check(const struct farm_app *app, struct err *e);

#endif
