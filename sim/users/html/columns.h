/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates and lengths for a page: whole numbers of ticks, which are short and deflate well. A tick is a power of ten
   seconds, at most 1e-6 of the time that the page shows, so a bar is drawn and named with six digits or more. */
#ifndef IASIM_HTML_COLUMNS_H
#define IASIM_HTML_COLUMNS_H

#include "plan/span.h"

#include <jansson.h>

/* For times from 0 to end_s. */
double columns_tick_s(double end_s);

/* The number of ticks; 0 where the date is not finite. */
json_int_t columns_ticks(double date_s, double tick_s);

void columns_add(json_t *column, json_int_t value);

/* What is drawn as shares of time: how much of each of N_SHARES equal intervals from 0 to an end is taken. */
enum { N_SHARES = 1000 };

/* Adds `value` times the share of each interval that lies in `at`. */
void shares_add(double shares[N_SHARES], double end_s, struct span at, double value);

/* Whole percents of `whole`, 100 at most; all 0 where it is 0. The shares are then 0 again. */
json_t *shares_percent(double shares[N_SHARES], double whole);

#endif
