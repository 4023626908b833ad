/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether a claim holds: its <holds> and <order>, and in words how that was decided. A verdict is never shown without
   the rule and the figures that led to it, so readers can disagree.

   A claim holds if all its conditions hold, each at all places where it has figures. */
#include "report/claims_parts.h"

#include "base/mem.h"
#include "base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct relation {
    const char *name;
    int sign; /* 1: the value is below the limit, -1: above, 0: between half of it and twice it */
    bool may_be_equal;
} relations[] = {{"below", 1, false},
                 {"at most", 1, true},
                 {"above", -1, false},
                 {"at least", -1, true},
                 {"of the size of", 0, true}};

static bool holds(const struct relation *r, double value, double limit)
{
    /* "Of the size of" is for statements like "about as much", which name no tolerance. The factor of two
       is the same for all claims. */
    if (r->sign == 0)
        return value >= limit / 2 && value <= 2 * limit;
    /* Exact: a tolerance would decide close claims by itself. */
    return r->may_be_equal ? r->sign * value <= r->sign * limit : r->sign * value < r->sign * limit;
}

struct condition {
    const xmlNode *n;
    struct cube value, limit;
    const char *unit;
    const struct relation *relation; /* NULL: it grows */
    size_t n_places, n_held;
    struct text exceptions; /* the places where it does not hold */
    struct text rule;       /* how it is decided, and with what result */
};

static void condition_clear(struct condition *x)
{
    cube_clear(&x->value);
    cube_clear(&x->limit);
    text_clear(&x->exceptions);
    text_clear(&x->rule);
}

/* Ratios are shown in percent if the unit says so; other figures are in the unit that the author writes. */
static void add_with_unit(const struct condition *x, struct text *out, double value)
{
    claims_add_number(out, strchr(x->unit, '%') != NULL ? 100 * value : value);
    text_addf(out, "%s%s", *x->unit != '\0' ? " " : "", x->unit);
}

/* Texts take parameters where figures are taken, so the place is set for the time of the text. */
static enum err_code add_exception(struct claims *c, struct condition *x, const struct cube_place *p, struct err *e)
{
    struct figures *f = c->figures;
    const char *cell = xml_attribute(x->n->parent, "cell");
    const struct cube_place before = f->fixed;
    f->fixed = *p;
    text_addf(&x->exceptions, "%s", x->exceptions.size > 0 ? ", " : "");
    enum err_code code = cell != NULL ? claims_text(c, x->n, cell, &x->exceptions, e) : ERR_NONE;
    f->fixed = before;
    return code;
}

/* Place by place; places without figures do not count. Both vary along all axes of either, so a limit may be one number
   or a figure of its own at each place. */
static enum err_code compare(struct claims *c, struct condition *x, struct err *e)
{
    struct cube_set along = cube_set_of(&x->value), more = cube_set_of(&x->limit);
    /* Axes that neither varies along keep the place of the setting: exceptions then name it. */
    struct cube_place p = c->figures->fixed;
    enum err_code code = ERR_NONE;
    for (size_t a = 0; a < c->figures->axes.n; a++) {
        along.has[a] = along.has[a] || more.has[a];
        p.at[a] = along.has[a] ? 0 : p.at[a];
    }
    do {
        double value = *cube_at(&x->value, &p), limit = *cube_at(&x->limit, &p);
        if (isnan(value) || isnan(limit)) /* left out by a formula; what must be there, <complete> has checked */
            continue;
        x->n_places++;
        if (holds(x->relation, value, limit))
            x->n_held++;
        else
            code = add_exception(c, x, &p, e);
    } while (code == ERR_NONE && cube_next(&c->figures->axes, along, &p));
    return code;
}

/* Each figure has to be above the one before, along the one axis. A missing figure is not above anything, so the claim
   fails rather than skip it; if all are missing there is nothing to examine. */
static enum err_code look_for_growth(const struct claims *c, struct condition *x, struct err *e)
{
    size_t n_axes = 0;
    for (size_t a = 0; a < c->figures->axes.n; a++)
        n_axes += x->value.step[a] > 0;
    if (n_axes > 1)
        return xml_refuse(e, c->path, x->n, "growing with: the value varies along %zu parameters, not one", n_axes);
    x->n_held = x->value.n_cells > 1; /* one figure alone shows no growth */
    for (size_t i = 0; i < x->value.n_cells; i++) {
        if (!isnan(x->value.cells[i]))
            x->n_places = 1;
        if (i > 0 && !(x->value.cells[i] > x->value.cells[i - 1]))
            x->n_held = 0;
    }
    return ERR_NONE;
}

static void add_limit(struct condition *x)
{
    const char *says = xml_attribute(x->n, "limit_says");
    if (says != NULL)
        text_addf(&x->rule, " %s", says);
    else if (x->limit.n_cells == 1) {
        /* A limit that varies has no one number to show; its author describes it (limit_says). */
        text_addf(&x->rule, " ");
        text_addf(&x->rule, "%.6g%s%s", (strchr(x->unit, '%') != NULL ? 100 : 1) * x->limit.cells[0],
                  *x->unit != '\0' ? " " : "", x->unit);
    }
}

/* With several places: how many held, and where not. With one: the figures themselves. */
static void add_result(struct condition *x)
{
    const char *of = xml_attribute(x->n, "of");
    if (x->value.n_cells > 1 || of != NULL) {
        text_addf(&x->rule, " in all %zu %s: in %zu here", x->n_places, of != NULL ? of : "cases", x->n_held);
        if (x->exceptions.size > 0)
            text_addf(&x->rule, ", not at %s", text_str(&x->exceptions));
        return;
    }
    text_addf(&x->rule, ": ");
    add_with_unit(x, &x->rule, x->value.cells[0]);
    if (xml_attribute(x->n, "limit_says") != NULL) {
        text_addf(&x->rule, " and ");
        add_with_unit(x, &x->rule, x->limit.cells[0]);
    }
    text_addf(&x->rule, " here");
}

static void add_growth(struct condition *x)
{
    text_addf(&x->rule, " grows with the %s: ", xml_attribute(x->n, "limit"));
    for (size_t i = 0; i < x->value.n_cells; i++) {
        text_addf(&x->rule, "%s", i > 0 ? ", " : "");
        add_with_unit(x, &x->rule, x->value.cells[i]);
    }
    text_addf(&x->rule, " here");
}

/* "growing with" compares the figures with each other, so it has no limit and no relation. */
static enum err_code find_relation(const struct claims *c, struct condition *x, struct err *e)
{
    const char *is = xml_attribute(x->n, "is");
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (strcmp(relations[i].name, is) == 0)
            x->relation = &relations[i];
    if (x->relation != NULL || strcmp(is, "growing with") == 0)
        return ERR_NONE;
    return xml_refuse(e, c->path, x->n,
                      "unknown relation '%s'; known: above, at least, at most, below, growing with, of the size of",
                      is);
}

static enum err_code read_condition(struct claims *c, struct condition *x, struct err *e)
{
    static const char *const known[] = {"what", "value", "is", "limit", "limit_says", "unit", "of", NULL},
                             *const required[] = {"what", "value", "is", "limit", NULL};
    enum err_code code = xml_check_attributes(x->n, c->path, known, required, e);
    if (code == ERR_NONE)
        code = find_relation(c, x, e);
    if (code == ERR_NONE)
        code = formula_value(c->figures, claims_formula(c, x->n, xml_attribute(x->n, "value")), &x->value, e);
    /* "growing with": limit is a word, not a formula. */
    if (code == ERR_NONE && x->relation != NULL)
        code = formula_value(c->figures, claims_formula(c, x->n, xml_attribute(x->n, "limit")), &x->limit, e);
    x->unit = xml_attribute(x->n, "unit") != NULL ? xml_attribute(x->n, "unit") : ""; /* never NULL from here on */
    return code;
}

/* <holds what="the mean error" value="FORMULA" is="below" limit="FORMULA" unit="%"/> */
static enum err_code examine(struct claims *c, const xmlNode *n, bool *holds, struct text *rule, struct err *e)
{
    struct condition x = {.n = n, .unit = ""};
    enum err_code code = read_condition(c, &x, e);
    if (code == ERR_NONE && x.relation != NULL)
        code = compare(c, &x, e);
    else if (code == ERR_NONE)
        code = look_for_growth(c, &x, e);
    /* No places at all would hold of everything. */
    if (code == ERR_NONE && x.n_places == 0)
        code = xml_refuse(e, c->path, n, "there are no results to examine: points are missing or failed");
    if (code == ERR_NONE) {
        text_addf(rule, "%s%s", rule->size > 0 ? " And if " : "Holds if ", xml_attribute(n, "what"));
        if (x.relation == NULL)
            add_growth(&x);
        else {
            text_addf(&x.rule, " is %s", xml_attribute(n, "is"));
            add_limit(&x);
            add_result(&x);
        }
        text_addf(rule, "%s.", text_str(&x.rule));
        *holds = *holds && x.n_held == x.n_places;
    }
    condition_clear(&x);
    return code;
}

/* <order policy="bwc" is="Lab4 Lab3 .."/> */
static enum err_code examine_order(struct claims *c, const xmlNode *n, bool *holds, struct text *rule, struct err *e)
{
    static const char *const known[] = {"policy", "is", NULL};
    char *found = NULL;
    enum err_code code = xml_check_attributes(n, c->path, known, known, e);
    if (code == ERR_NONE)
        code = claims_order(c->figures->scenario, xml_attribute(n, "policy"), &found, e);
    if (code == ERR_NONE) {
        bool is_same = strcmp(found, xml_attribute(n, "is")) == 0;
        text_addf(rule, "Holds if the root serves its children in this order: %s; ", xml_attribute(n, "is"));
        text_addf(rule, is_same ? "it does." : "here it is %s.", found);
        *holds = *holds && is_same;
    }
    free(found);
    return code;
}

enum err_code claims_examine(struct claims *c, const xmlNode *claim, bool *holds, struct text *rule, struct err *e)
{
    /* All are examined even after one has failed: the rule shows each result. */
    enum err_code code = ERR_NONE;
    *holds = true;
    for (const xmlNode *n = xml_first(claim); n != NULL && code == ERR_NONE; n = xml_next(n))
        if (xml_is(n, "holds"))
            code = examine(c, n, holds, rule, e);
        else if (xml_is(n, "order"))
            code = examine_order(c, n, holds, rule, e);
        else if (!xml_is(n, "note") && !xml_is(n, "cause"))
            code =
                xml_refuse(e, c->path, n, "<%s> in a claim; expected <cause>, <holds>, <note> or <order>", xml_name(n));
    if (code == ERR_NONE && rule->size == 0) /* a claim that nothing decides would always hold */
        code = xml_refuse(e, c->path, claim, "a claim needs <holds> or <order>");
    return code;
}
