/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* By which causes, hosts and links the critical chains of two schedules differ, as text and as JSON. */
#ifndef IASIM_REPORT_EXPLAIN_DIFFERENCE_H
#define IASIM_REPORT_EXPLAIN_DIFFERENCE_H

#include "explain/explain.h"

#include <jansson.h>
#include <stdio.h>

struct explain_sums { /* of one of the two */
    const char *name;
    double makespan_s, by_cause_s[N_CAUSES];
    double *by_host_s, *by_link_s; /* borrowed */
};

/* A sentence, then the largest differences. */
void explain_difference_print(const struct machine *m, const struct explain_sums sums[2], FILE *out);

/* {"schedules": [A, B], "makespan_s": [a, b], "by_cause": {cause: [a, b], ..}, "by_host": .., "by_link": ..}. The
 * caller's. */
json_t *explain_difference_json(const struct machine *m, const struct explain_sums sums[2]);

#endif
