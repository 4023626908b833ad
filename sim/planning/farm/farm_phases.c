/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Phases of a run. While nodes still wait for their first task, and after the root has given its last one, the throughput
   shows little about the policy.

       0 ------------- startup_end ------------------------- wind_down_start ------- makespan
         not all compute yet |        steady phase                 | the pool is empty
*/
#include "farm/farm.h"

#include "base/instant.h"

#include <math.h>

struct farm_phases farm_find_phases(const struct farm *f)
{
    struct farm_phases p = {0, farm_wind_down_start_s(f)};
    for (node_id n = 0; n < farm_n_nodes(f); n++) {
        double first_start_s = farm_node_result(f, n).first_start_s;
        if (!isnan(first_start_s))
            p.startup_end_s = fmax(p.startup_end_s, first_start_s);
    }
    return p;
}

double phases_steady_tasks_per_s(struct farm_phases p, const double *dates_s, long n)
{
    long first = 0, last = n - 1;
    while (first < n && !instant_has_come(p.startup_end_s, dates_s[first]))
        first++;
    while (last > first && !instant_has_come(dates_s[last], p.wind_down_start_s))
        last--;
    if (last - first < n / 4) { /* too short to be meaningful: use the middle half */
        first = n / 4;
        last = n - 1 - n / 4;
    }
    /* n completions delimit n - 1 intervals */
    if (last > first && dates_s[last] > dates_s[first])
        return (double)(last - first) / (dates_s[last] - dates_s[first]);
    return n > 0 && dates_s[n - 1] > 0 ? (double)n / dates_s[n - 1] : NAN;
}

double farm_steady_tasks_per_s(const struct farm *f)
{
    long n;
    const double *dates_s = farm_completion_dates_s(f, &n);
    return phases_steady_tasks_per_s(farm_find_phases(f), dates_s, n);
}
