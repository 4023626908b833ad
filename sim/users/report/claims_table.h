/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of claims.xml: a row for each combination of the values of some parameters, a column for each formula.

       <table title="Estimation error" rows="world ccr model" labels="world CCR belief">
         <column kind="interval" name="mean" unit=" %" value="100 * estimation_error_ratio"/>
         <column name="maximum" unit=" %" value="100 * max(estimation_error_ratio by world ccr model)"/>
       </table>
*/
#ifndef IASIM_REPORT_CLAIMS_TABLE_H
#define IASIM_REPORT_CLAIMS_TABLE_H

#include "report/claims_text.h"
#include "report/document.h"

/* Rows without any figure are left out. Errors: ERR_INPUT with the line. */
enum err_code claims_table(const struct claims *c, const xmlNode *element, struct document *d, struct err *e);

#endif
