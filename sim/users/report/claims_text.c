/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of claims.xml with formulas in braces: "{max(gain)|%.2f}". A brace cannot be written as itself;
   none of the texts needs one.

   Formats are given by the file, which may come from anywhere: only "%.Nf" and "%.Ng" reach printf. */
#include "report/claims_parts.h"

#include "base/mem.h"
#include "base/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct formula claims_formula(const struct claims *c, const xmlNode *where, const char *text)
{
    return (struct formula){text, c->path, xml_line(where)};
}

void claims_add_number(struct text *out, double value)
{
    /* 999.5 is where three digits would begin to round to 1e+03. Below 1e-9 are rounding errors of differences of
       means, whose figures are seconds or ratios. */
    text_addf(out, fabs(value) < 999.5 ? "%.3g" : "%.0f", fabs(value) < 1e-9 ? 0 : value);
}

/* `fixed` is read even for axes that are not fixed: callers put the place there that they want to name. */
const char *claims_label(const struct figures *f, const char *param)
{
    long at = cube_axis(&f->axes, param);
    const struct scenario_axis *a = figures_axis(f, param);
    if (a == NULL)
        return "";
    const struct scenario_value *v = &a->values[a->n_values > 1 ? f->fixed.at[at] : 0];
    /* A table shows which file, not where it is. */
    const char *slash = v->path != NULL ? strrchr(v->text, '/') : NULL;
    return slash != NULL ? slash + 1 : v->text;
}

bool claims_is_format(const char *format)
{
    return strlen(format) == 4 && format[0] == '%' && format[1] == '.' && isdigit((unsigned char)format[2]) &&
           strchr("fg", format[3]) != NULL;
}

static void add_formatted(struct text *out, const char *format, double value)
{
    char *text = NULL;
    if (format == NULL)
        claims_add_number(out, value);
    else if (asprintf(&text, format, value) >= 0) /* claims_is_format has seen it */
        text_addf(out, "%s", text);
    free(text);
}

/* "1.07 (1.05 to 1.1)". */
static void add_sample(struct text *out, const struct figures *f, const struct cube *c)
{
    struct sample s = figures_sample(f, c);
    claims_add_number(out, s.mean);
    text_addf(out, " (");
    claims_add_number(out, s.low);
    text_addf(out, " to ");
    claims_add_number(out, s.high);
    text_addf(out, ")");
}

/* One interval, or one for each value of `param`, in the order of its values. A figure that does
   not vary along it has one. */
static void add_intervals(struct text *out, const struct figures *f, const struct cube *c, const char *param)
{
    long axis = param != NULL ? cube_axis(&f->axes, param) : -1;
    if (axis < 0 || c->step[axis] == 0) {
        add_sample(out, f, c);
        return;
    }
    for (size_t i = 0; i < f->axes.list[axis]->n_values; i++) {
        struct cube part = cube_slice(cube_copy(c), (size_t)axis, i);
        text_addf(out, "%s", i > 0 ? ", " : "");
        add_sample(out, f, &part);
        cube_clear(&part);
    }
}

static enum err_code add_value(const struct claims *c, const xmlNode *where, const char *formula, const char *format,
                               struct text *out, struct err *e)
{
    struct cube value;
    enum err_code code = formula_value(c->figures, claims_formula(c, where, formula), &value, e);
    const char *by = format != NULL && strncmp(format, "interval by ", 12) == 0 ? format + 12 : NULL;
    if (code == ERR_NONE && by != NULL && run_row(c->figures->scenario->experiment, by) == NULL)
        code = xml_refuse(e, c->path, where, "interval by: unknown parameter '%s'", by);
    else if (code == ERR_NONE && format != NULL && (by != NULL || strcmp(format, "interval") == 0))
        add_intervals(out, c->figures, &value, by);
    else if (code == ERR_NONE && format != NULL && !claims_is_format(format))
        code = xml_refuse(e, c->path, where, "unknown format '%s'; expected %%.Nf, %%.Ng or interval", format);
    else
        /* A formula that still varies gives a list: the text names all places, or the author takes a mean. */
        for (size_t i = 0; code == ERR_NONE && i < value.n_cells; i++) {
            text_addf(out, "%s", i > 0 ? ", " : "");
            add_formatted(out, format, value.cells[i]);
        }
    cube_clear(&value);
    return code;
}

static enum err_code add_field(const struct claims *c, const xmlNode *where, char *field, struct text *out,
                               struct err *e)
{
    /* The format follows the last |, unless that stands in a selection: {mean(gain[policy:bwc|fcfs])}. */
    char *format = strrchr(field, '|'), *bracket = strrchr(field, ']');
    if (format != NULL && (bracket == NULL || format > bracket))
        *format++ = '\0';
    else
        format = NULL; /* that | is in a selection */
    /* "{, setting}" has its comma only if there is a setting. */
    size_t prefix = strspn(field, ",; ");
    if (strcmp(field + prefix, "setting") == 0 || strcmp(field + prefix, "first_setting") == 0) {
        const char *setting = field[prefix] == 's' ? c->setting : c->first_setting;
        if (setting != NULL && *setting != '\0')
            text_addf(out, "%.*s%s", (int)prefix, field, setting);
        return ERR_NONE;
    }
    /* A parameter by its name alone is text ("fcfs"), before it could be a figure made of its values. */
    if (run_row(c->figures->scenario->experiment, field) != NULL) {
        text_addf(out, "%s", claims_label(c->figures, field));
        return ERR_NONE;
    }
    return add_value(c, where, field, format, out, e);
}

enum err_code claims_text(const struct claims *c, const xmlNode *where, const char *template, struct text *out,
                          struct err *e)
{
    enum err_code code = ERR_NONE;
    for (const char *at = template; *at != '\0' && code == ERR_NONE;) {
        /* A formula has no braces, so the next } ends the field. */
        size_t n = strcspn(at, "{"), m = at[n] == '{' ? strcspn(at + n, "}") : 0;
        text_add(out, at, n);
        at += n;
        if (*at == '\0')
            break;
        if (at[m] == '\0')
            return xml_refuse(e, c->path, where, "'}' is missing after '%s'", at);
        char *field = mem_format("%.*s", (int)m - 1, at + 1);
        code = add_field(c, where, field, out, e);
        free(field);
        at += m + 1;
    }
    return code;
}
