/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "html/columns.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
