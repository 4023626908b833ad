/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files that evaluate a claims.xml ask of each other. Not installed. */
#ifndef IASIM_REPORT_CLAIMS_PARTS_H
#define IASIM_REPORT_CLAIMS_PARTS_H

#include "base/text.h"
#include "report/document.h"
#include "report/formula.h"

#include <libxml/tree.h>

struct claims { /* a claims.xml that is being evaluated */
    const char *path;
    struct figures *figures;
    char *setting, *first_setting; /* "waiting active": the values of what `each` names; NULL: nothing */
};

/* ---- claims_text.c: "within {max(abs(error)) * 100|%.2f} %". After | stands a format of printf for one number,
   `interval` (the mean over graphs and its 95 % interval), or `interval by PARAMETER`; without it three digits are
   shown. {PARAMETER} is its value where figures are taken, {setting} all that `each` names; {, setting} with a comma
   before it, if there is any. ---- */

/* Errors: ERR_INPUT with the element's line, for a mistake in a formula or format. The caller clears *out. */
enum err_code claims_text(const struct claims *c, const xmlNode *where, const char *template, struct text *out,
                          struct err *e);

struct formula claims_formula(const struct claims *c, const xmlNode *where, const char *text);

/* "%.2f" or "%.3g": nothing else may reach printf. */
bool claims_is_format(const char *format);

/* Three digits, or all before the point. Rounding errors are not shown: 4e-14 is 0. */
void claims_add_number(struct text *out, double value);

/* The value of a parameter where figures are taken, without a file's folder; "" if the scenario does not give it. */
const char *claims_label(const struct figures *f, const char *param);

/* ---- claims_define.c: what a claims.xml defines for its formulas, and what it needs of results ---- */

/* A file that an element names, which is in the folder of the element's. The caller's. */
char *claims_file(const struct claims *c, const char *name);

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

/* ---- claims_table.c: a row for each combination of the values of some parameters, a column for each formula.

       <table title="Estimation error" rows="world ccr model" labels="world,CCR,belief">
         <column kind="interval" name="mean" unit=" %" value="100 * estimation_error_ratio"/>
         <column name="maximum" unit=" %" value="100 * max(estimation_error_ratio by world ccr model)"/>
       </table>
*/

/* Rows without any figure are left out. Errors: ERR_INPUT with the line. */
enum err_code claims_table(const struct claims *c, const xmlNode *element, struct document *d, struct err *e);

/* ---- claims_conditions.c ---- */

/* Whether all <holds> and <order> of a claim hold. Appends to `rule` how that is decided, in words, and the result. The
   caller clears it. Errors: ERR_INPUT with the line, also if there are no results to examine. */
enum err_code claims_examine(struct claims *c, const xmlNode *claim, bool *holds, struct text *rule, struct err *e);

/* ---- claims_order.c: the order in which a policy serves the root's children, which no run is needed for ---- */

/* The names of the children's hosts, first served first, for tasks of 1 MB. The farm is that of the scenario's first
   point. The caller frees *out. Errors: those of the deployment; ERR_INPUT if the scenario has none, or for an unknown
   policy. */
enum err_code claims_order(const struct scenario *s, const char *policy, char **out, struct err *e);

#endif
