/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What claims.xml defines for its formulas, and what it needs of results. */
#ifndef IASIM_REPORT_CLAIMS_DEFINE_H
#define IASIM_REPORT_CLAIMS_DEFINE_H

#include "report/claims_text.h"

/* A file that an element names, which is in the folder of the element's. The caller's. */
char *claims_file(const struct claims *c, const char *name);

bool claims_has_parameter(const struct claims *c, const char *name);

/* Adds the axes that an attribute names, of those that the scenario sweeps. Errors, also of all others: ERR_INPUT with
   the line. */
enum err_code claims_axes(const struct claims *c, const xmlNode *n, const char *attribute, struct cube_set *out,
                          struct err *e);

/* <claims repeats="instance" repeats_by="FIGURE ..">: graphs whose generator draws nothing are the same at each
   instance. They count once: an instance that repeats an earlier one in all these figures has none. */
enum err_code claims_find_copies(struct claims *c, const xmlNode *root, struct err *e);

/* <let name="error" value="FORMULA"/> */
enum err_code claims_let(struct claims *c, const xmlNode *n, struct err *e);

/* <paper table="table2.csv" rows="peers"/>: the first column has values of a parameter, the others become the figures
   paper.COLUMN. Errors: ERR_IO, ERR_PARSE with the line of the table. */
enum err_code claims_paper(struct claims *c, const xmlNode *n, struct err *e);

/* <complete value="FORMULA" where="FORMULA"/>: every place where `where` is a number (every place, without it) needs a
   figure. */
enum err_code claims_complete(struct claims *c, const xmlNode *n, struct err *e);

#endif
