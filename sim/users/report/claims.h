/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports that are data: a claims.xml beside a scenario has the tables to show, and what a paper claims of which
   figures; this evaluates them on results. scenarios/README.md has the format. */
#ifndef IASIM_REPORT_CLAIMS_H
#define IASIM_REPORT_CLAIMS_H

#include "report/document.h"
#include "store/store.h"

struct claims_inputs {
    const char *path; /* of claims.xml; the files that it names are in its folder */
    const struct scenario *scenario;
    struct store *results;
    const struct scenario *bounds; /* of the experiment bound; NULL: none are given */
    struct store *bound_results;
};

/* Whether the file says "yes" in an attribute of its root: `default` (it is shown in place of the scenario's tables) or
   `bounds` (it compares with results of a scenario of the experiment bound). Errors, with line: ERR_IO, ERR_PARSE. */
enum err_code claims_say(const char *path, const char *attribute, bool *out, struct err *e);

/* Errors, with line: ERR_IO, ERR_PARSE; ERR_INPUT for a mistake in the file, if the scenario lacks what is compared, or
   if results that a claim needs are missing or failed. */
enum err_code claims_tell(const struct claims_inputs *in, struct document *d, struct err *e);

#endif
