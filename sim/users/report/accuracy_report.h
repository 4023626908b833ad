/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The experiment of [S] 8.4.3 from simulated results: how far plans were off under each belief, what each belief cost, and
   which of the chapter's claims hold on the simulated machine. */
#ifndef IASIM_REPORT_ACCURACY_REPORT_H
#define IASIM_REPORT_ACCURACY_REPORT_H

#include "report/report.h"

struct accuracy_inputs {
    const struct scenario *scenario; /* experiment replay; sweeps at least world, ccr and model, which has classic and
                                        involvement */
    struct store *results;
};

/* Errors: ERR_IO if the results cannot be read; ERR_INPUT if the scenario has no such sweeps. */
enum err_code accuracy_report_tell(const struct accuracy_inputs *in, struct document *d, struct err *e);

#endif
