/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The comparison of [K] 4.3 (Figure 5) from simulated results: tables normalised to RootComputes, with the steady-state bound,
   and for each of the paper's claims whether the simulation supports it, and by how much. */
#ifndef IASIM_REPORT_KREASECK_REPORT_H
#define IASIM_REPORT_KREASECK_REPORT_H

#include "farm/tree.h"
#include "report/report.h"

struct kreaseck_inputs {
    const struct scenario *farms; /* experiment farm; sweeps send_size, compute_size, policy */
    struct store *farm_results;
    const struct scenario *bounds; /* experiment bound; the same sizes, both ports */
    struct store *bound_results;
    const struct tree *tree; /* the farms' deployment, with its beliefs */
};

/* Errors: ERR_INPUT if the results lack a policy or a size that the paper compares, or have failures. */
enum err_code kreaseck_report_tell(const struct kreaseck_inputs *in, struct document *d, struct err *e);

#endif
