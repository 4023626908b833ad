/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be said of a scenario's results beside the tables that it asks for. One file NAME_report.c each, registered in
   reports.def; each fills a document, which is text or JSON. */
#ifndef IASIM_REPORT_REPORT_H
#define IASIM_REPORT_REPORT_H

#include "report/document.h"
#include "store/store.h"

struct report_inputs {
    const struct scenario *scenario;
    struct store *results;
    const struct scenario *bounds; /* for a report that needs bounds: a scenario of experiment bound */
    struct store *bound_results;
};

struct report {
    const char *name, *summary, *source;
    const char *experiment; /* of the scenario */
    bool needs_bounds;
    /* OPTIONAL. Whether this report takes the place of the scenario's own tables where none is asked for. */
    bool (*is_default)(const struct scenario *s);
    /* REQUIRED. Errors: ERR_IO, ERR_PARSE for files; ERR_INPUT when the scenario does not sweep what the report compares. */
    enum err_code (*tell)(const struct report_inputs *in, struct document *d, struct err *e);
};

extern const struct report *const reports[]; /* ends with NULL; the order of reports.def */

/* The report called `name`; with NULL the one that the scenario has by default, *out NULL: its tables. Errors: ERR_INPUT for
   an unknown name, with the known ones, or one for another experiment. */
enum err_code report_find(const char *name, const struct scenario *s, const struct report **out, struct err *e);

#endif
