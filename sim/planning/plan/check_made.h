/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks a schedule in memory, made by a scheduler that may be wrong (a plugin). */
#ifndef IASIM_PLAN_CHECK_MADE_H
#define IASIM_PLAN_CHECK_MADE_H

#include "plan/check.h"
#include "plan/schedule.h"

/* Lists what `s` violates. If it contains something that no file can hold (hosts that do not exist, times that are not
   numbers, missing spans on links), only that is listed. Otherwise the validator checks the file that `s` would be
   written to, and `line` refers to that file. `allocation`: the prescribed hosts, or NULL. Errors: ERR_INTERNAL. */
enum err_code check_made_schedule(const struct schedule *s, const host_id *allocation, struct check_result *out,
                                  struct err *e);

#endif
