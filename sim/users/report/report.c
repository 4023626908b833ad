/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/report.h"

#include "base/text.h"

#include <string.h>

#define REPORT(name) extern const struct report report_##name;
#include "report/reports.def"
#undef REPORT

const struct report *const reports[] = {
#define REPORT(name) &report_##name,
#include "report/reports.def"
#undef REPORT
    NULL,
};

static bool is_default(const struct report *r, const struct scenario *s)
{
    return strcmp(r->experiment, s->experiment->name) == 0 && r->is_default != NULL && r->is_default(s);
}

static enum err_code unknown(const char *name, struct err *e)
{
    struct text known = {0};
    for (const struct report *const *r = reports; *r != NULL; r++)
        text_addf(&known, "%s%s", known.size ? ", " : "", (*r)->name);
    err_set(e, ERR_INPUT, "unknown report '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

enum err_code report_find(const char *name, const struct scenario *s, const struct report **out, struct err *e)
{
    *out = NULL;
    for (const struct report *const *r = reports; *out == NULL && *r != NULL; r++)
        if (name != NULL ? strcmp((*r)->name, name) == 0 : is_default(*r, s))
            *out = *r;
    if (name == NULL)
        return ERR_NONE;
    if (*out == NULL)
        return unknown(name, e);
    if (strcmp((*out)->experiment, s->experiment->name) == 0)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "report %s needs experiment %s; scenario %s has experiment %s", name,
                   (*out)->experiment, s->name, s->experiment->name);
}
