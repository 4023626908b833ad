/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is drawn as shares of time: how much of each of N_SHARES equal intervals from 0 to an end is taken. */
#ifndef IASIM_HTML_HTML_SHARES_H
#define IASIM_HTML_HTML_SHARES_H

#include "plan/span.h"

#include <jansson.h>

enum { N_SHARES = 1000 };

/* Adds `value` times the share of each interval that lies in `at`. */
void shares_add(double shares[N_SHARES], double end_s, struct span at, double value);

/* Whole percents of `whole`, 100 at most; all 0 where it is 0. The shares are then 0 again. */
json_t *shares_percent(double shares[N_SHARES], double whole);

#endif
