/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An explanation of a replay, and by which causes, hosts and links the critical chains of two schedules differ: as text
   and as JSON. */
#ifndef IASIM_REPORT_EXPLAIN_REPORT_H
#define IASIM_REPORT_EXPLAIN_REPORT_H

#include "explain/what_if.h"

#include <jansson.h>
#include <stdio.h>

struct explain_report {
    const struct explanation *explanation;
    const struct what_if *what_ifs; /* best first */
    size_t n_what_ifs, n_left_out;  /* hosts, links and edges of the chain that were not tried */
};

/* A few sentences; the chain, item by item, of which the shorter parts are folded where it is long; what each cause,
   host and link sums up to; and the what-ifs. */
void explain_report_print(const struct explain_report *r, FILE *out);

/* {"makespan_s", "segments": [..], "by_cause": {..}, "by_host": {..}, "by_link": {..}, "what_if": [..]}: all segments;
   of the sums those above 0. The caller's. */
json_t *explain_report_json(const struct explain_report *r);

struct explain_sums { /* of one of two schedules */
    const char *name;
    double makespan_s, *sums_s; /* as in struct explanation; borrowed */
};

/* A sentence, then the largest differences. */
void explain_difference_print(const struct machine *m, const struct explain_sums sums[2], FILE *out);

/* {"schedules": [A, B], "makespan_s": [a, b], "by_cause": {cause: [a, b], ..}, "by_host": .., "by_link": ..}. The
   caller's. */
json_t *explain_difference_json(const struct machine *m, const struct explain_sums sums[2]);

#endif
