/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What changed against a baseline: how many runs, which metrics, and the worst changes, each with the command that
   makes the run again. */
#ifndef IASIM_REPORT_BASELINE_REPORT_H
#define IASIM_REPORT_BASELINE_REPORT_H

#include "baseline/baseline_diff.h"

#include <jansson.h>
#include <stdio.h>

struct baseline_report {
    const struct baseline_comparison *comparison;
    const char *path;    /* of the baseline */
    const char *command; /* rerun_scenario(); NULL: no commands */
    const char *save;    /* the command that makes the found results the baseline; NULL: no advice */
    size_t n_worst;      /* the most runs that are listed */
};

/* Parameters are shown in the order of the experiment, as "send_size=2 policy=bwc", without those that have one value
   everywhere. */
void baseline_report_print(const struct baseline_report *r, FILE *out);

/* {"scenario","baseline","holds","expected_runs","found_runs","runs":{VERDICT: number},"keys_changed",
     "metrics":[{"name","better_is","relative","absolute","runs":{VERDICT: number},"largest_change","geometric_mean"}],
     "changes":[{"verdict","parameters","replication","key","rerun","expected_error","found_error",
                 "metrics":[{"name","verdict","expected","found","relative_difference"}]}]}; the caller's. */
json_t *baseline_report_json(const struct baseline_report *r);

#endif
