/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One point of a scenario, run alone: its parameters and its metrics. */
#ifndef IASIM_REPORT_POINT_REPORT_H
#define IASIM_REPORT_POINT_REPORT_H

#include "sweep/only.h"

#include <jansson.h>
#include <stdio.h>

void point_report_print(const struct scenario *s, const struct only_result *r, FILE *out);

/* {"scenario","experiment","key","replication","parameters":{NAME: value},"metrics":{NAME: number or null},
   "error": text or null}; the caller's. */
json_t *point_report_json(const struct scenario *s, const struct only_result *r);

/* The optional parameters that are given: {NAME: value}, but those called `without` (ends with NULL). The caller's. */
json_t *point_report_given(const struct run_kind *k, const struct param_set *ps, const char *const *without);

#endif
