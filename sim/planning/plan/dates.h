/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When two dates of a schedule file count as equal. Files may come from other programs, and the last bits of a date
   depend on the order of additions. The tolerance depends on the item, never on the schedule. */
#ifndef IASIM_PLAN_DATES_H
#define IASIM_PLAN_DATES_H

#include <math.h>
#include <stdbool.h>

#define DATES_TOLERANCE 1e-9
#define DATES_NOTHING_S 1e-15 /* a date at most this far below 0 counts as 0, even if the item is very short */

/* `length_s` is the length of the item that has these dates. */
static inline bool dates_agree(double a_s, double b_s, double length_s)
{
    return fabs(a_s - b_s) <= DATES_TOLERANCE * fmax(fmax(fabs(a_s), fabs(b_s)), length_s);
}

static inline bool date_is_before(double a_s, double b_s, double length_s)
{
    return a_s < b_s && !dates_agree(a_s, b_s, length_s);
}

static inline bool date_is_negative(double a_s, double length_s)
{
    return a_s < -DATES_NOTHING_S && date_is_before(a_s, 0, length_s);
}

#endif
