/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order in which a policy serves the root's children, which no run is needed for. */
#ifndef IASIM_REPORT_CLAIMS_ORDER_H
#define IASIM_REPORT_CLAIMS_ORDER_H

#include "scenario/scenario.h"

/* The names of the children's hosts, first served first, for tasks of 1 MB. The farm is that of the scenario's first
   point. The caller frees *out. Errors: those of the deployment; ERR_INPUT if the scenario has none, or for an unknown
   policy. */
enum err_code claims_order(const struct scenario *s, const char *policy, char **out, struct err *e);

#endif
