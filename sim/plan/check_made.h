/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Judges a schedule that is not in a file: one that somebody else's scheduler has just made. */
#ifndef IASIM_PLAN_CHECK_MADE_H
#define IASIM_PLAN_CHECK_MADE_H

#include "plan/check.h"
#include "plan/schedule.h"

/* What `s` violates: first what no file could hold (hosts that do not exist, times that are no numbers, spans on links
   that are not there), in which case that is all; else what the validator finds in the file that it would make, `line`
   being that of this file. `allocation`: the hosts that were prescribed, or NULL. Errors: ERR_INTERNAL. */
enum err_code check_made_schedule(const struct schedule *s, const host_id *allocation, struct check_result *out,
                                  struct err *e);

#endif
