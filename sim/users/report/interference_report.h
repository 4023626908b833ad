/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measurements of [K] 2 from simulated results: Table 2 or 3 node by node beside the paper's, and the claims
   of sections 2.3 to 2.5 and 3.1 with the paper's numbers and ours. */
#ifndef IASIM_REPORT_INTERFERENCE_REPORT_H
#define IASIM_REPORT_INTERFERENCE_REPORT_H

#include "report/report.h"

struct interference_inputs {
    const struct scenario *scenario; /* experiment interference; sweeps peers and mode (table 3: no `both`) */
    struct store *results;
    const char *table_path; /* the paper's values, CSV (scenarios/kreaseck-interference/table2.csv) */
    int table;              /* 2 or 3: which table of [K] they are */
};

/* Errors: ERR_IO, ERR_PARSE for the paper's values; ERR_INPUT if the scenario has no such sweeps, or if a node has no
   results. */
enum err_code interference_report_tell(const struct interference_inputs *in, struct document *d, struct err *e);

#endif
