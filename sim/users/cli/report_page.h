/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The page of `iasim report --html`: the results, then what the scenario and its reports say about them. */
#ifndef IASIM_CLI_REPORT_PAGE_H
#define IASIM_CLI_REPORT_PAGE_H

#include "cli/results_input.h"
#include "report/report.h"

/* The reports are all that fit the scenario. One that needs bounds is left out
   where NAME-bound.db is not here. Errors: ERR_IO, ERR_INPUT for a database that is too large (results_html.h). */
enum err_code report_page_write(const struct results_input *in, const char *path, struct err *e);

/* Whether it compares with results of a scenario of the experiment bound. Errors: those of claims_say. */
enum err_code report_needs_bounds(const struct report *r, const struct scenario *s, bool *out, struct err *e);

/* Tells a report from its claims.xml, beside the scenario or shipped; `in` needs no path. Errors: those of
   claims_tell. */
enum err_code report_tell(const struct report *r, struct claims_inputs in, struct document *d, struct err *e);

#endif
