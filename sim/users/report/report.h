/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports on a scenario's results beyond the tables that it asks for. A report is a claims.xml (claims.h), beside the
   scenario or shipped with another one of the same experiment. */
#ifndef IASIM_REPORT_REPORT_H
#define IASIM_REPORT_REPORT_H

#include "report/claims.h"

struct report {
    const char *name, *scenario; /* the shipped scenario whose claims.xml it is */
    const char *experiment;
    const char *summary, *source;
};

extern const struct report reports[]; /* ends with a NULL name; the order of reports.def */

/* The report called `name`. If `name` is NULL, the one that the scenario shows in place of its tables: its own
   claims.xml with default="yes"; *out is NULL if there is none. Errors: ERR_INPUT for an unknown name (the message
   lists the known ones) or a report for another experiment; ERR_IO, ERR_PARSE for its own claims.xml. */
enum err_code report_find(const char *name, const struct scenario *s, const struct report **out, struct err *e);

/* Its claims.xml: that beside the scenario, else `scenarios/NAME/claims.xml` of what is shipped. The caller's. */
char *report_path(const struct report *r, const struct scenario *s);

#endif
