/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables are checked when the scenario is read, so that a misspelt metric is found before the sweep and not after
   it. Their names are copied: the document is freed after reading. */
#include "scenario/wanted.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/xml.h"
#include "scenario/element.h"

#include <stdlib.h>
#include <string.h>

static void names_clear(struct scenario_names *n)
{
    for (size_t i = 0; i < n->n; i++)
        free(n->names[i]);
    free(n->names);
}

void wanted_clear(struct scenario_table *t)
{
    names_clear(&t->rows);
    names_clear(&t->best_of);
    names_clear(&t->means);
    free(t->title);
    free(t->columns);
    free(t->metric);
    free(t->relative_to);
}

static enum err_code check_table_param(const struct scenario *s, const xmlNode *element, const char *name,
                                       struct err *e)
{
    /* The message is made without a place, and gets the element's. */
    struct err found = {0};
    const struct param *p;
    enum err_code code = run_find_param(s->experiment, name, &p, &found);
    return code == ERR_NONE ? code : xml_refuse(e, s->path, element, "%s", found.text);
}

static enum err_code check_metric(const struct scenario *s, const xmlNode *element, const char *name, struct err *e)
{
    if (run_metric(s->experiment, name) != NULL)
        return ERR_NONE;
    struct text known = {0};
    for (const struct metric *m = s->experiment->metrics; m->name != NULL; m++)
        text_add_name(&known, m->name);
    xml_refuse(e, s->path, element, "experiment %s has no metric '%s'%s", s->experiment->name, name,
               hint_among(name, text_str(&known), "experiment").text);
    text_clear(&known);
    return ERR_INPUT;
}

/* The names of an attribute, each accepted by `check`. */
static enum err_code
split_names(const struct scenario *s, struct scenario_names *out, const xmlNode *element, const char *attribute_name,
            enum err_code (*check)(const struct scenario *, const xmlNode *, const char *, struct err *), struct err *e)
{
    enum err_code code = ERR_NONE;
    char *all = element_attribute(element, attribute_name), *rest = all, *name;
    while (code == ERR_NONE && (name = strsep(&rest, " \t\r\n")) != NULL) {
        /* strsep gives an empty piece for each further blank. */
        if (name[0] == '\0')
            continue;
        out->names = mem_resize(out->names, out->n + 1, sizeof out->names[0]);
        out->names[out->n++] = mem_strdup(name);
        code = check(s, element, name, e);
    }
    free(all);
    return code;
}

static enum err_code check_relative(const struct scenario *s, const struct scenario_table *t, const xmlNode *element,
                                    struct err *e)
{
    /* Axes that stand below the table in the file are not known yet; wanted_check looks once more whether they are
       there. */
    const struct scenario_axis *a = scenario_axis(s, t->columns);
    if (a != NULL && a->n_values == 0) /* --set will replace it */
        return ERR_NONE;
    for (size_t i = 0; a != NULL && i < a->n_values; i++)
        if (strcmp(a->values[i].text, t->relative_to) == 0)
            return ERR_NONE;
    return xml_refuse(e, s->path, element, "relative_to is '%s', which is not a value of %s here", t->relative_to,
                      t->columns);
}

/* What can be divided by what, and what the columns are. */
static enum err_code check_table_form(const struct scenario *s, const struct scenario_table *t, const xmlNode *element,
                                      struct err *e)
{
    const char *path = s->path;
    if (t->columns == NULL && t->best_of.n == 0)
        return xml_refuse(e, path, element, "a table needs `columns`, or `best_of`, or both");
    if (t->columns != NULL && t->means.n > 0)
        return xml_refuse(e, path, element, "a table with `columns` shows one metric; `means` is for a table without");
    if (t->relative_to != NULL && t->best_of.n > 0)
        return xml_refuse(e, path, element, "a table has `relative_to` or `best_of`, not both");
    /* "Best" needs a direction. */
    if (t->best_of.n > 0 && run_metric(s->experiment, t->metric)->better == BETTER_NONE)
        return xml_refuse(e, path, element, "`best_of` needs a metric with a better and a worse; %s has neither",
                          t->metric);
    return ERR_NONE;
}

enum err_code wanted_read(struct scenario *s, const xmlNode *element, struct err *e)
{
    /* Counted at once: after an error scenario_clear frees what the table has so far. */
    MEM_GROW(s->tables, s->n_tables, s->tables_capacity);
    struct scenario_table *t = &s->tables[s->n_tables++];
    *t = (struct scenario_table){.line = xml_line(element),
                                 .title = element_attribute(element, "title"),
                                 .columns = element_attribute(element, "columns"),
                                 .metric = element_attribute(element, "metric"),
                                 .relative_to = element_attribute(element, "relative_to")};
    enum err_code code = split_names(s, &t->rows, element, "rows", check_table_param, e);
    if (code == ERR_NONE && t->columns != NULL)
        code = check_table_param(s, element, t->columns, e);
    if (code == ERR_NONE)
        code = split_names(s, &t->best_of, element, "best_of", check_table_param, e);
    if (code == ERR_NONE)
        code = check_metric(s, element, t->metric, e);
    if (code == ERR_NONE)
        code = split_names(s, &t->means, element, "means", check_metric, e);
    if (code == ERR_NONE)
        code = check_table_form(s, t, element, e);
    if (code == ERR_NONE && t->relative_to != NULL)
        code = check_relative(s, t, element, e);
    return code;
}

/* An optional parameter that is not given has no column in the results, so no table can show it. */
static enum err_code check_table_axis(const struct scenario *s, const struct scenario_table *t, const char *name,
                                      struct err *e)
{
    if (name == NULL || scenario_axis(s, name) != NULL)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, s->path, t->line, "a table shows the parameter %s, which is not given", name);
}

enum err_code wanted_check(const struct scenario *s, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (const struct scenario_table *t = s->tables; code == ERR_NONE && t < s->tables + s->n_tables; t++) {
        code = check_table_axis(s, t, t->columns, e);
        for (size_t i = 0; code == ERR_NONE && i < t->rows.n; i++)
            code = check_table_axis(s, t, t->rows.names[i], e);
        for (size_t i = 0; code == ERR_NONE && i < t->best_of.n; i++)
            code = check_table_axis(s, t, t->best_of.names[i], e);
    }
    return code;
}
