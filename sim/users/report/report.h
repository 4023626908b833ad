/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports on a scenario's results beyond the tables that it asks for. Each report is a file NAME_report.c, registered in
   reports.def; it fills a document, which is shown as text or JSON. */
#ifndef IASIM_REPORT_REPORT_H
#define IASIM_REPORT_REPORT_H

#include "report/document.h"
#include "store/store.h"

struct report_inputs {
    const struct scenario *scenario;
    struct store *results;
    const struct scenario *bounds; /* if the report needs bounds: a scenario of the experiment bound */
    struct store *bound_results;
};

struct report {
    const char *name, *summary, *source;
    const char *experiment; /* of the scenario */
    bool needs_bounds;
    /* OPTIONAL. Whether this report replaces the scenario's own tables if the user names no report. */
    bool (*is_default)(const struct scenario *s);
    /* REQUIRED. Errors: ERR_IO, ERR_PARSE for files; ERR_INPUT if the scenario does not sweep what the report compares. */
    enum err_code (*tell)(const struct report_inputs *in, struct document *d, struct err *e);
};

extern const struct report *const reports[]; /* ends with NULL; the order of reports.def */

/* The report called `name`. If `name` is NULL, the scenario's default report; *out is then NULL if it has none and its tables
   are to be shown. Errors: ERR_INPUT for an unknown name (the message lists the known ones) or a report for another
   experiment. */
enum err_code report_find(const char *name, const struct scenario *s, const struct report **out, struct err *e);

#endif
