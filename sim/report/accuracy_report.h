/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The experiment of [S] 8.4.3 from simulated results: how far plans were off under each belief, what believing it has
   cost, and which of the chapter's claims this machine shows. */
#ifndef IASIM_REPORT_ACCURACY_REPORT_H
#define IASIM_REPORT_ACCURACY_REPORT_H

#include "report/report.h"

struct accuracy_inputs {
    const struct scenario *scenario; /* experiment replay; sweeps world, ccr and model (classic and involvement among
                                        them), and whatever else */
    struct store *results;
};

/* Errors: ERR_IO when the results cannot be read; ERR_INPUT when the scenario has no such sweeps. */
enum err_code accuracy_report_tell(const struct accuracy_inputs *in, struct document *d, struct err *e);

#endif
