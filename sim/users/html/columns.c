/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "html/columns.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double columns_tick_s(double end_s)
{
    char power[32];
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
    memset(shares, 0, N_SHARES * sizeof *shares);
    return list;
}
