/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values come as text and stay text: their one canonical form is what tables, results and keys show, so the same
   value is recognised however it was written. A value is checked when it is added, so a mistake has the line where
   it stands.

   Files are found when they are added and digested once all are there: a value that the command line replaces need
   not exist. */
#include "scenario/axis.h"

#include "base/mem.h"
#include "base/shipped.h"
#include "base/text.h"
#include "machine/platform_xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *axis_key_text(const struct scenario_value *v)
{
    return v->key_text != NULL ? v->key_text : v->text;
}

static void value_clear(struct scenario_value *v)
{
    free(v->text);
    free(v->path);
    free(v->key_text);
}

void axis_clear(struct scenario_axis *a)
{
    for (size_t i = 0; i < a->n_values; i++)
        value_clear(&a->values[i]);
    free(a->values);
    /* The parameter stays: the axis is filled again by what replaces its values. */
    *a = (struct scenario_axis){.param = a->param};
}

static enum err_code refuse(const struct axis_source *from, int line, enum err_code code, const char *text,
                            struct err *e)
{
    return err_set_at(e, code, from->path, line, "%s", text);
}

/* 10, 10.0 and 1e1 are one value. `text` has passed its param's check. */
static char *canonical(const struct param *p, const char *text)
{
    char number[TEXT_NUMBER_SIZE];
    if (param_is_number(p, text))
        return mem_strdup(text_number_short(strtod(text, NULL), number));
    /* "1e3" and "1000" are one whole number, too. Steps and text stay as they were written. */
    long whole;
    if (p->type == PARAM_INTEGER && text_to_whole(text, &whole))
        return mem_format("%ld", whole);
    return mem_strdup(text);
}

static enum err_code check_value(const struct param *p, const struct axis_source *from, const char *text, struct err *e)
{
    const struct run_kind *x = from->experiment;
    char owner[128];
    snprintf(owner, sizeof owner, "experiment %s", x->name);
    /* Tried on a scratch set, which checks type and range; its values are not used. */
    enum err_code code = param_set_value(from->scratch, owner, p->name, text, e);
    return code == ERR_NONE ? run_check_value(run_row(x, p->name), text, e) : code;
}

/* A file of the user's comes first: beside the scenario, or in the current folder for the command line; else one that
   comes with the program, by its path or its name. */
static char *find_path(const struct axis_source *from, const struct run_param *file, const char *text)
{
    bool is_as_given = text[0] == '/' || from->folder[0] == '\0';
    char *path = is_as_given ? mem_strdup(text) : mem_format("%s/%s", from->folder, text), *shipped = NULL;
    /* F_OK, not R_OK: a file that may not be read is still the one that was meant, and reading it gives the message. */
    if (text[0] != '/' && access(path, F_OK) != 0)
        shipped = shipped_path(text);
    /* By its name alone: "fork" or "fork.xml" in the folder of platforms. */
    if (shipped == NULL && file->folder != NULL && strchr(text, '/') == NULL && access(path, F_OK) != 0)
        shipped = shipped_file(file->folder, text);
    /* The path as given, so the message about a missing file names it. */
    if (shipped == NULL)
        return path;
    free(path);
    return shipped;
}

enum err_code axis_add(struct scenario_axis *a, const struct axis_source *from, const char *text, int line,
                       struct err *e)
{
    struct err found = {0};
    if (a->n_values >= AXIS_MAX_VALUES)
        return err_set_at(e, ERR_INPUT, from->path, line, "parameter %s has more than %d values", a->param->name,
                          AXIS_MAX_VALUES);
    enum err_code code = check_value(a->param, from, text, &found);
    if (code != ERR_NONE)
        return refuse(from, line, code, found.text, e);
    struct scenario_value v = {.text = canonical(a->param, text), .line = line};
    const struct run_param *file = run_file(from->experiment, a->param->name);
    /* "" is the value "no file", as for a graph that a generator makes. */
    if (file != NULL && text[0] != '\0')
        v.path = find_path(from, file, text);
    MEM_GROW(a->values, a->n_values, a->capacity);
    a->values[a->n_values++] = v;
    return ERR_NONE;
}

static const char *range_fault(const struct axis_range *r)
{
    /* Both NAN, or neither. */
    if (isnan(r->step) == isnan(r->factor))
        return "a range has either a step or a factor";
    if (!isfinite(r->from) || !isfinite(r->to) || isinf(r->step) || isinf(r->factor))
        return "a range is made of finite numbers";
    if (r->to < r->from)
        return "a range goes upwards: from must not be above to";
    if (r->step <= 0)
        return "the step of a range is above 0";
    /* A comparison with NAN is false, so a range with a step passes. */
    if (r->factor <= 1 || (!isnan(r->factor) && r->from <= 0))
        return "the factor of a range is above 1, and its first value above 0";
    return NULL;
}

/* How many values lie between the first and the last, about: good enough to refuse a range of millions before it is
   made. */
static double range_length(const struct axis_range *r)
{
    return isnan(r->factor) ? (r->to - r->from) / r->step : log(r->to / r->from) / log(r->factor);
}

/* Each value from the first one, not from the one before: rounding errors do not add up. */
static double range_value(const struct axis_range *r, int i)
{
    return isnan(r->factor) ? r->from + i * r->step : r->from * pow(r->factor, i);
}

static void format_value(const struct param *p, double value, char out[TEXT_NUMBER_SIZE])
{
    /* Whole numbers in full; "%.12g" would write 10^12 and more with an exponent. */
    bool is_whole = p->type == PARAM_INTEGER && value == floor(value) && fabs(value) < 1e16;
    snprintf(out, TEXT_NUMBER_SIZE, is_whole ? "%.0f" : "%.12g", value);
}

enum err_code axis_add_range(struct scenario_axis *a, const struct axis_source *from, const struct axis_range *range,
                             int line, struct err *e)
{
    if (range_fault(range) != NULL)
        return refuse(from, line, ERR_INPUT, range_fault(range), e);
    if (!(range_length(range) < AXIS_MAX_VALUES))
        return err_set_at(e, ERR_INPUT, from->path, line, "a range has at most %d values", AXIS_MAX_VALUES);
    /* a sum of rounded steps may end a little above the last value; fmin takes a NAN step for none */
    double last = range->to + fmin(1e-9 * fabs(range->to), 1e-3 * range->step);
    enum err_code code = ERR_NONE;
    /* 12 digits (format_value) hide what rounding leaves: 0.1 + 2 * 0.1 becomes 0.3. */
    for (int i = 0; code == ERR_NONE && range_value(range, i) <= last; i++) {
        char text[TEXT_NUMBER_SIZE];
        format_value(a->param, range_value(range, i), text);
        code = axis_add(a, from, text, line, e);
    }
    return code;
}

/* "1:10", "1:10:2", "1:1000:x10" */
static enum err_code read_range(const char *text, struct axis_range *out, struct err *e)
{
    char *copy = mem_strdup(text), *rest = copy;
    /* "1:10:2:3" leaves a colon in the step, which is then not a number. */
    const char *from = strsep(&rest, ":"), *to = strsep(&rest, ":"), *step = rest;
    bool is_factor = step != NULL && step[0] == 'x', ok;
    *out = (struct axis_range){.step = is_factor ? NAN : 1, .factor = NAN};
    ok = text_to_double(from, &out->from) && text_to_double(to, &out->to);
    ok = ok && (step == NULL || text_to_double(step + is_factor, is_factor ? &out->factor : &out->step));
    free(copy);
    return ok ? ERR_NONE
              : err_set(e, ERR_INPUT, "'%s' is not a range: FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR, all numbers",
                        text);
}

enum err_code axis_add_piece(struct scenario_axis *a, const struct axis_source *from, const char *text, struct err *e)
{
    struct axis_range range;
    bool is_text = a->param->type == PARAM_TEXT || a->param->type == PARAM_CHOICE;
    /* Text may hold a colon (a path); steps of a quantity have both. */
    if (is_text || strchr(text, ':') == NULL || strchr(text, ';') != NULL) /* a ';' makes steps of a range */
        return axis_add(a, from, text, 0, e);
    enum err_code code = read_range(text, &range, e);
    return code == ERR_NONE ? axis_add_range(a, from, &range, 0, e) : code;
}

/* The files that a platform refers to also determine the result. Of a platform that cannot be parsed only its own
   bytes count: its points fail, not the scenario. */
static void add_referred(struct digest *d, const char *path)
{
    struct platform_xml *platform = NULL;
    /* Left to the points: each of them then fails with SimGrid's or our message, and other platforms of the
       sweep run. */
    if (platform_xml_read(path, &platform, NULL) != ERR_NONE)
        return;
    for (size_t i = 0; i < platform_xml_n_files(platform); i++)
        /* A name that is there later changes the key: the platform is another one then. */
        if (digest_add_file(d, platform_xml_file(platform, i), NULL) != ERR_NONE)
            digest_add_text(d, "missing");
    platform_xml_free(platform);
}

static enum err_code digest_value(struct scenario_value *v, const struct run_param *file,
                                  const struct axis_source *from, struct err *e)
{
    struct digest d;
    struct err found = {0};
    char hex[DIGEST_HEX_SIZE];
    /* Without a path the text "" enters keys. */
    if (v->path == NULL)
        return ERR_NONE; /* "no file" is a value as well */
    digest_init(&d);
    if (digest_add_file(&d, v->path, &found) != ERR_NONE)
        return err_set_at(e, found.code, from->path, v->line, "parameter %s: %s: %s", file->is.name, v->path,
                          found.text);
    if ((file->facts & RUN_FILE_OF_FILES) != 0)
        add_referred(&d, v->path);
    digest_finish(&d, hex);
    /* The bytes, not the name: a renamed file gives the same keys, and an edited one others. */
    v->key_text = mem_strdup(hex);
    return ERR_NONE;
}

/* A plugin that has changed gives other results under the same name. */
static void add_plugin(struct scenario_value *v, const struct origin *from)
{
    if (from != NULL)
        v->key_text = mem_format("%s of plugin %s", v->text, from->digest);
}

bool axis_uses_plugin(const struct scenario_axis *a, const struct run_kind *x)
{
    const struct run_param *row = run_row(x, a->param->name);
    for (size_t i = 0; i < a->n_values; i++)
        if (run_origin(row, a->values[i].text) != NULL)
            return true;
    return false;
}

/* By what enters keys, then by place: two files with the same bytes are twins, even under two names. */
static int compare_values(const void *a, const void *b)
{
    const struct scenario_value *x = *(const struct scenario_value *const *)a;
    const struct scenario_value *y = *(const struct scenario_value *const *)b;
    int order = strcmp(axis_key_text(x), axis_key_text(y));
    return order != 0 ? order : (x > y) - (x < y);
}

static enum err_code check_twins(const struct scenario_axis *a, const struct axis_source *from, struct err *e)
{
    enum err_code code = ERR_NONE;
    const struct scenario_value **sorted = mem_zalloc(a->n_values, sizeof *sorted);
    for (size_t i = 0; i < a->n_values; i++)
        sorted[i] = &a->values[i];
    /* Sorted, because an axis may have a million values. */
    qsort(sorted, a->n_values, sizeof *sorted, compare_values);
    for (size_t i = 1; code == ERR_NONE && i < a->n_values; i++) {
        const struct scenario_value *x = sorted[i - 1], *y = sorted[i];
        if (strcmp(axis_key_text(x), axis_key_text(y)) != 0)
            continue;
        bool same_text = strcmp(x->text, y->text) == 0;
        code = err_set_at(e, ERR_INPUT, from->path, y->line, "parameter %s has the value %s twice%s%s", a->param->name,
                          y->text, same_text ? "" : ": it holds the same as ", same_text ? "" : x->text);
    }
    free(sorted);
    return code;
}

enum err_code axis_finish(struct scenario_axis *a, const struct axis_source *from, struct err *e)
{
    const struct run_param *row = run_row(from->experiment, a->param->name);
    bool is_file = (row->facts & RUN_FILE) != 0;
    enum err_code code = ERR_NONE;
    /* Files first: twins are found by their digests. */
    for (size_t i = 0; is_file && code == ERR_NONE && i < a->n_values; i++)
        code = digest_value(&a->values[i], row, from, e);
    for (size_t i = 0; !is_file && i < a->n_values; i++)
        add_plugin(&a->values[i], run_origin(row, a->values[i].text));
    return code == ERR_NONE ? check_twins(a, from, e) : code;
}
