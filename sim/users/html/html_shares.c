/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "html/html_shares.h"

#include "html/columns.h"

#include <math.h>
#include <string.h>

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
