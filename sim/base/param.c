/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values are kept as the text they were given in, since that text is what keys, results and messages quote; they are
   converted at each request. All are checked when they are set, so a request cannot fail.

   Lookups are linear: lists have a few dozen entries, and callers in inner loops keep the number. */
#include "base/param.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/steps.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct param_set {
    const struct param *params;
    size_t n;
    char *values[]; /* one for each of params; NULL: absent */
};

size_t param_count(const struct param *params)
{
    size_t n = 0;
    while (params != NULL && params[n].name != NULL)
        n++;
    return n;
}

const struct param *param_find(const struct param *params, const char *name)
{
    for (size_t i = 0; i < param_count(params); i++)
        if (strcmp(params[i].name, name) == 0)
            return &params[i];
    return NULL;
}

struct param_set *param_set_create(const struct param *params)
{
    size_t n = param_count(params);
    struct param_set *ps = mem_zalloc(1, sizeof *ps + n * sizeof ps->values[0]);
    ps->params = params;
    ps->n = n;
    for (size_t i = 0; i < n; i++)
        if (params[i].default_text != NULL)
            ps->values[i] = mem_strdup(params[i].default_text);
    return ps;
}

void param_set_free(struct param_set *ps)
{
    if (ps == NULL)
        return;
    for (size_t i = 0; i < ps->n; i++)
        free(ps->values[i]);
    free(ps);
}

static enum err_code check_number(const struct param *p, const char *owner, const char *value, struct err *e)
{
    double x;
    long whole;
    bool ok = p->type == PARAM_INTEGER ? text_to_whole(value, &whole) : text_to_double(value, &x);
    if (!ok)
        return err_set(e, ERR_INPUT, "%s: parameter %s is '%s', which is not %s%s", owner, p->name, value,
                       p->type == PARAM_INTEGER ? "a whole number" : "a finite number", hint_unit(value, p->unit).text);
    /* Bounds are compared as doubles. A whole number beyond 2^53 is rounded here, but no bound is that large. */
    if (p->type == PARAM_INTEGER)
        x = (double)whole;
    int n_digits = p->type == PARAM_INTEGER ? 17 : 6; /* whole numbers are given as they are read, without exponents */
    if (x < p->min || x > p->max)
        return err_set(e, ERR_INPUT, "%s: parameter %s is %s; it must be between %.*g and %.*g%s%s", owner, p->name,
                       value, n_digits, p->min, n_digits, p->max, p->unit[0] ? " " : "", p->unit);
    return ERR_NONE;
}

static enum err_code check_steps(const struct param *p, const char *owner, const char *value, struct err *e)
{
    /* The steps are read to find mistakes, and again by whoever needs them: a set keeps texts alone. */
    struct steps ignored = {0};
    struct err why = {0};
    enum err_code code = steps_read(&ignored, (struct steps_form){p->choices, p->max, p->min}, value, &why);
    steps_clear(&ignored);
    /* The message of steps.c knows neither owner nor parameter. They are put in front. */
    return code == ERR_NONE ? code : err_set(e, code, "%s: parameter %s: %s", owner, p->name, why.text);
}

static enum err_code check(const struct param *p, const char *owner, const char *value, struct err *e)
{
    switch (p->type) {
    case PARAM_NUMBER:
    case PARAM_INTEGER:
        return check_number(p, owner, value, e);
    case PARAM_CHOICE:
        if (text_choice(p->choices, value) < 0)
            return err_set(e, ERR_INPUT, "%s: unknown %s '%s'%s", owner, p->name, value,
                           hint_among(value, p->choices, NULL).text);
        return ERR_NONE;
    case PARAM_STEPS:
        return steps_are_in(value) ? check_steps(p, owner, value, e) : check_number(p, owner, value, e);
    case PARAM_TEXT:
        return ERR_NONE;
    }
    /* For compilers that do not know that the switch is complete. */
    return ERR_NONE;
}

enum err_code param_set_value(struct param_set *ps, const char *owner, const char *name, const char *value,
                              struct err *e)
{
    const struct param *p = param_find(ps->params, name);
    if (p == NULL) {
        struct text known = {0};
        for (size_t i = 0; i < ps->n; i++)
            text_add_name(&known, ps->params[i].name);
        err_set(e, ERR_INPUT, "%s has no parameter '%s'%s", owner, name,
                hint_among(name, text_str(&known), owner).text);
        text_clear(&known);
        return ERR_INPUT;
    }
    enum err_code code = check(p, owner, value, e);
    if (code == ERR_NONE) {
        /* Copied before the old value is freed: `value` may be that value. */
        char *fresh = mem_strdup(value);
        free(ps->values[p - ps->params]);
        ps->values[p - ps->params] = fresh;
    }
    return code;
}

static const char *value_of(const struct param_set *ps, const char *name)
{
    const struct param *p = param_find(ps->params, name);
    assert(p != NULL);
    return ps->values[p - ps->params];
}

bool param_is_known(const struct param_set *ps, const char *name)
{
    return param_find(ps->params, name) != NULL;
}

bool param_has(const struct param_set *ps, const char *name)
{
    return value_of(ps, name) != NULL;
}

double param_number(const struct param_set *ps, const char *name)
{
    const char *text = value_of(ps, name);
    assert(text != NULL);
    return strtod(text, NULL);
}

double *param_numbers(const struct param_set *ps, const struct param *params)
{
    size_t n = param_count(params);
    /* At least one, so that an empty list gives memory that can be freed like any other. */
    double *values = mem_alloc((n + 1) * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        const char *text = value_of(ps, params[i].name);
        assert(params[i].type != PARAM_CHOICE && params[i].type != PARAM_TEXT);
        /* Steps have no single number. NAN says so, because every finite number may be a value. */
        values[i] = text != NULL && !(params[i].type == PARAM_STEPS && steps_are_in(text))
                        ? param_number(ps, params[i].name)
                        : NAN;
    }
    return values;
}

struct steps *param_steps(const struct param_set *ps, const struct param *params)
{
    size_t n = param_count(params);
    double *numbers = param_numbers(ps, params);
    struct steps *steps = mem_zalloc(n + 1, sizeof *steps);
    for (size_t i = 0; i < n; i++) {
        const struct param *p = &params[i];
        const char *text = value_of(ps, p->name);
        if (!isnan(numbers[i]))
            steps[i] = (struct steps){.is_given = true, .number = numbers[i]};
        else if (text != NULL) /* it has been checked */
            steps_read(&steps[i], (struct steps_form){p->choices, p->max, p->min}, text, NULL);
    }
    free(numbers);
    return steps;
}

long param_integer(const struct param_set *ps, const char *name)
{
    const char *text = value_of(ps, name);
    long value = 0;
    /* Asserted, not returned: 0 would be a value like another. */
    bool is_whole = text != NULL && text_to_whole(text, &value);
    assert(is_whole);
    (void)is_whole;
    return value;
}

const char *param_text(const struct param_set *ps, const char *name)
{
    return value_of(ps, name);
}

bool param_is_number(const struct param *p, const char *value)
{
    return p->type == PARAM_NUMBER || (p->type == PARAM_STEPS && !steps_are_in(value));
}

bool param_is_on(const struct param_set *ps, const char *name)
{
    const char *text = value_of(ps, name);
    return text != NULL && strcmp(text, "on") == 0;
}

static char *piece(const char *from, const char *to)
{
    char *copy = mem_alloc((size_t)(to - from) + 1);
    memcpy(copy, from, (size_t)(to - from));
    copy[to - from] = '\0';
    return copy;
}

static enum err_code add_pair(struct spec *s, const char *whole, const char *from, const char *to, struct err *e)
{
    const char *equals = memchr(from, '=', (size_t)(to - from));
    if (equals == NULL || equals == from || equals + 1 == to)
        return err_set(e, ERR_INPUT, "'%s': '%.*s' is not of the form name=value", whole, (int)(to - from), from);
    size_t length = (size_t)(equals - from);
    /* With their lengths, so that `a` is not taken for the beginning of `ab`. */
    for (size_t i = 0; i < s->n; i++)
        if (strlen(s->keys[i]) == length && strncmp(s->keys[i], from, length) == 0)
            return err_set(e, ERR_INPUT, "'%s': parameter %s is given twice", whole, s->keys[i]);
    s->keys = mem_resize(s->keys, s->n + 1, sizeof s->keys[0]);
    s->values = mem_resize(s->values, s->n + 1, sizeof s->values[0]);
    s->keys[s->n] = piece(from, equals);
    s->values[s->n] = piece(equals + 1, to);
    s->n++;
    return ERR_NONE;
}

/* The bracket that closes the first one of `text`; NULL: there is none. Values may hold specs with brackets of their
   own: "believes=linear[alpha=2]". */
static const char *matching_bracket(const char *text)
{
    int depth = 0;
    for (; *text != '\0'; text++) {
        depth += (*text == '[') - (*text == ']');
        if (depth == 0)
            return text;
    }
    return NULL;
}

enum err_code spec_parse(struct spec *s, const char *text, struct err *e)
{
    *s = (struct spec){0};
    size_t n = strcspn(text, "[");
    if (n == 0)
        return err_set(e, ERR_INPUT, "'%s': a name is missing", text);
    s->name = piece(text, text + n);
    if (text[n] == '\0')
        return ERR_NONE;
    const char *close = matching_bracket(text + n);
    enum err_code code = ERR_NONE;
    /* Three mistakes with one message: an unclosed bracket, text behind the last one, and "name[]". */
    if (close == NULL || close[1] != '\0' || close == text + n + 1)
        code = err_set(e, ERR_INPUT, "'%s' is not of the form name[parameter=value,...]", text);
    /* One turn for each comma, and one for the end: "a=1," leaves an empty piece, which add_pair refuses. */
    for (const char *from = text + n + 1; code == ERR_NONE && from <= close;) {
        /* Stops at a comma outside of inner brackets. In the last pair it runs past the closing bracket, because the
           opening one is not part of what it sees. */
        const char *to = text_item_end(from); /* at the comma, or past the end */
        to = to < close ? to : close;
        code = add_pair(s, text, from, to, e);
        from = to + 1;
    }
    if (code != ERR_NONE)
        spec_clear(s);
    return code;
}

void spec_clear(struct spec *s)
{
    free(s->name);
    for (size_t i = 0; i < s->n; i++) {
        free(s->keys[i]);
        free(s->values[i]);
    }
    free(s->keys);
    free(s->values);
    *s = (struct spec){0};
}

enum err_code param_set_spec(struct param_set *ps, const char *owner, const struct spec *s, struct err *e)
{
    /* After an error the values before the wrong one stay set: the set is then of no use to the caller. */
    for (size_t i = 0; i < s->n; i++)
        if (param_set_value(ps, owner, s->keys[i], s->values[i], e) != ERR_NONE)
            return ERR_INPUT;
    return ERR_NONE;
}
