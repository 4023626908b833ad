/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads and compares steps. A message gives the number of the step and its text, because such values are long and
   written by programs. The look-up is in the header, where it can be inlined. */
#include "base/steps.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 3, SHOWN = 60 /* bytes of a step in a message */ };

struct reading {
    struct steps_form form;
    size_t n_fields; /* of a step */
    struct steps found;
    struct err *e;
};

static size_t count(const char *text, char c)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == c;
    return n;
}

/* Field 0 is a size in bytes; the others are what the step charges, within the bounds of the form. */
static enum err_code read_field(const struct reading *r, const char *step, const char *field, size_t i, double *out)
{
    size_t number = r->found.n + 1;
    if (!text_to_double(field, out))
        return err_set(r->e, ERR_INPUT, "step %zu, '%.*s': '%.*s' is not a finite number", number, SHOWN, step, SHOWN,
                       field);
    /* Sizes are never negative. Costs may be, where the form allows it. */
    if (*out < 0 && (i == 0 || r->form.least == 0))
        return err_set(r->e, ERR_INPUT, "step %zu, '%.*s': %.*s is negative; sizes%s are at least 0", number, SHOWN,
                       step, SHOWN, field, r->form.least == 0 ? " and costs" : "");
    if (i > 0 && (*out > r->form.most || *out < r->form.least))
        return err_set(r->e, ERR_INPUT, "step %zu, '%.*s': %.*s is too %s; it must be between %g and %g", number, SHOWN,
                       step, SHOWN, field, *out < 0 ? "low" : "large", r->form.least, r->form.most);
    return ERR_NONE;
}

static enum err_code check_order(const struct reading *r, const char *text, double above_bytes)
{
    size_t n = r->found.n;
    /* Strictly larger: of two steps for one size the second would never hold. */
    if (n == 0 || above_bytes > r->found.list[n - 1].above_bytes)
        return ERR_NONE;
    return err_set(r->e, ERR_INPUT,
                   "step %zu, '%.*s', does not begin above the %g bytes of the previous step; sort the steps by "
                   "MIN_BYTES, each given once",
                   n + 1, SHOWN, text, r->found.list[n - 1].above_bytes);
}

static enum err_code add_step(struct reading *r, char *text)
{
    double fields[MOST_FIELDS] = {0};
    size_t n = count(text, ':') + 1;
    if (text[0] == '\0')
        return err_set(r->e, ERR_INPUT, "step %zu is empty; steps are %s, with one ';' between two", r->found.n + 1,
                       r->form.text);
    /* Too many fields are refused here, so fields[] cannot overflow. */
    if (n != r->n_fields)
        return err_set(r->e, ERR_INPUT, "step %zu, '%.*s', has %zu number%s; a step is %s", r->found.n + 1, SHOWN, text,
                       n, n == 1 ? "" : "s", r->form.text);
    /* strsep writes into its text, and the messages need it whole. */
    char *copy = mem_strdup(text), *rest = copy;
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < n; i++)
        code = read_field(r, text, strsep(&rest, ":"), i, &fields[i]);
    free(copy);
    if (code == ERR_NONE)
        code = check_order(r, text, fields[0]);
    if (code != ERR_NONE)
        return code;
    r->found.list[r->found.n++] = (struct step){fields[0], fields[1], fields[2]};
    return ERR_NONE;
}

bool steps_are_in(const char *text)
{
    /* No number has a colon or semicolon, so one parameter can take both forms. */
    return strpbrk(text, ":;") != NULL;
}

enum err_code steps_read(struct steps *out, struct steps_form form, const char *text, struct err *e)
{
    struct reading r = {.form = form, .n_fields = count(form.text, ':') + 1, .e = e};
    char *copy = mem_strdup(text), *rest = copy;
    enum err_code code = ERR_NONE;
    /* As many as there are semicolons, and one: an upper bound, so the list need not grow. */
    r.found = (struct steps){.is_given = true, .list = mem_zalloc(count(text, ';') + 1, sizeof *r.found.list)};
    /* Ends where the rest is empty, so a ';' after the last step is accepted, as by SimGrid. Between two steps an empty
       piece is an error. */
    do
        code = add_step(&r, strsep(&rest, ";"));
    while (code == ERR_NONE && rest != NULL && rest[0] != '\0');
    free(copy);
    /* The old value is kept until the new one is known to be good. */
    if (code == ERR_NONE)
        steps_clear(out);
    else
        steps_clear(&r.found);
    if (code == ERR_NONE)
        *out = r.found;
    return code;
}

void steps_clear(struct steps *s)
{
    free(s->list);
    *s = (struct steps){0};
}

/* As numbers, not as text: 1e6 and 1000000 are one step. */
bool steps_are_equal(const struct steps *a, const struct steps *b)
{
    bool is_same = a->is_given == b->is_given && a->number == b->number && a->n == b->n;
    for (size_t i = 0; is_same && i < a->n; i++)
        is_same = a->list[i].above_bytes == b->list[i].above_bytes && a->list[i].constant == b->list[i].constant &&
                  a->list[i].per_byte == b->list[i].per_byte;
    return is_same;
}
