/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "html/columns.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The exponent is that of the power of ten at or above end_s, less 7: a tick is between 1e-7 and 1e-6 of the end. */
double columns_tick_s(double end_s)
{
    char power[32];
    /* An end of 0, or so near to it that a tick would be denormal: any tick will do. */
    if (!(end_s >= DBL_MIN / 1e-7 && isfinite(end_s)))
        return 1;
    snprintf(power, sizeof power, "1e%d", (int)ceil(log10(end_s)) - 7);
    return strtod(power, NULL); /* pow() need not be exact */
}

json_int_t columns_ticks(double date_s, double tick_s)
{
    return isfinite(date_s) ? (json_int_t)llround(date_s / tick_s) : 0;
}

void columns_add(json_t *column, json_int_t value)
{
    json_array_append_new(column, json_integer(value));
}

/* Only the intervals that `at` touches are looked at; of the first and the last a part counts. */
void shares_add(double shares[N_SHARES], double end_s, struct span at, double value)
{
    double each_s = end_s / N_SHARES;
    int first = (int)fmax(0, floor(at.start_s / each_s)), last = (int)fmin(N_SHARES - 1, floor(at.finish_s / each_s));
    for (int i = first; i <= last; i++) {
        double from_s = fmax(at.start_s, i * each_s), to_s = fmin(at.finish_s, (i + 1) * each_s);
        shares[i] += value * fmax(0, to_s - from_s) / each_s;
    }
}

json_t *shares_percent(double shares[N_SHARES], double whole)
{
    json_t *list = json_array();
    for (int i = 0; i < N_SHARES; i++)
        columns_add(list, whole > 0 ? lround(100 * fmin(1, shares[i] / whole)) : 0);
    /* For the next kind of the same lane, so that one array serves all. */
    memset(shares, 0, N_SHARES * sizeof *shares);
    return list;
}
