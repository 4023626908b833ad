/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of claims.xml with figures in braces: "within {max(abs(error)) * 100|%.2f} %". After | stands a format of
   printf for one number, `interval` (the mean over graphs and its 95 % interval), or `interval by PARAMETER`; without
   it three digits are shown. {PARAMETER} is its value where figures are taken, {setting} all that `each` names; {,
   setting} with a comma before it, if there is any. */
#ifndef IASIM_REPORT_CLAIMS_TEXT_H
#define IASIM_REPORT_CLAIMS_TEXT_H

#include "base/text.h"
#include "report/formula.h"

#include <libxml/tree.h>

struct claims { /* a claims.xml that is being told */
    const char *path;
    struct figures *figures;
    char *setting, *first_setting; /* "waiting active": the values of what `each` names; NULL: nothing */
};

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

#endif
