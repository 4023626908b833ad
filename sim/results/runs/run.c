/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Questions about a kind of run that its table answers. Nothing here knows a kind by name: what differs between
   kinds is a fact of a row, so that commands, scenarios and the library treat a new kind without a change. */
#include "runs/run.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/registry.h"
#include "engine/engine.h"

#include <string.h>

const struct run_kind *const run_kinds[] = {
#define RUN(name) &run_##name,
#include "runs/runs.def"
#undef RUN
    NULL,
};

const char *const better_names[] = {[BETTER_NONE] = "neither", [BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher"};

enum err_code run_kind_find(const struct run_kind *const *list, const char *name, const struct run_kind **out,
                            struct err *e)
{
    /* "experiment" is what users call a kind of run, in scenarios and in `iasim list`. */
    const struct run_kind *found = registry_choose(list, "experiment", name, e);
    if (found == NULL)
        return ERR_INPUT;
    *out = found;
    return ERR_NONE;
}

enum err_code run_check_machine(const struct run_kind *k, struct err *e)
{
    return k->check_machine != NULL ? k->check_machine(e) : ERR_NONE;
}

/* ---- rows ---- */

/* Sets of parameters want them without the rest of their rows. Made when first asked for; there are few kinds. */
const struct param *run_params(const struct run_kind *k)
{
    /* Kept until the program ends and never freed: sets of parameters borrow them. */
    static struct made {
        const struct run_param *rows;
        struct param *params;
        struct made *next;
    } * all;
    for (struct made *m = all; m != NULL; m = m->next)
        if (m->rows == k->rows)
            return m->params;
    size_t n = 0;
    while (k->rows[n].is.name != NULL)
        n++;
    struct made *m = mem_alloc(sizeof *m);
    *m = (struct made){k->rows, mem_zalloc(n + 1, sizeof *m->params), all};
    for (size_t i = 0; i < n; i++)
        m->params[i] = k->rows[i].is;
    all = m;
    return m->params;
}

enum err_code run_find_param(const struct run_kind *k, const char *name, const struct param **out, struct err *e)
{
    *out = param_find(run_params(k), name);
    if (*out != NULL)
        return ERR_NONE;
    struct text known = {0};
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        text_add_name(&known, r->is.name);
    /* Only the names of this kind: a parameter of another kind is as wrong as a misspelt one. */
    err_set(e, ERR_INPUT, "experiment %s has no parameter '%s'%s", k->name, name,
            hint_among(name, text_str(&known), "experiment").text);
    text_clear(&known);
    return ERR_INPUT;
}

const struct run_param *run_row(const struct run_kind *k, const char *name)
{
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        if (strcmp(r->is.name, name) == 0)
            return r;
    return NULL;
}

bool run_param_is(const struct run_kind *k, const char *name, enum run_fact fact)
{
    const struct run_param *r = run_row(k, name);
    return r != NULL && (r->facts & fact) != 0;
}

const struct run_param *run_file(const struct run_kind *k, const char *name)
{
    return run_param_is(k, name, RUN_FILE) ? run_row(k, name) : NULL;
}

const struct run_param *run_row_that_is(const struct run_kind *k, enum run_fact fact)
{
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        if ((r->facts & fact) != 0)
            return r;
    return NULL;
}

char *run_names_that_are(const struct run_kind *k, enum run_fact fact, const char *before)
{
    struct text names = {0};
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        if ((r->facts & fact) != 0)
            text_addf(&names, "%s%s%s", names.size > 0 ? " or " : "", before, r->is.name);
    return text_take(&names);
}

bool run_is_random(const struct run_kind *k, bool (*is_given)(const void *self, const char *name), const void *self)
{
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        if ((r->facts & RUN_RANDOM) != 0 && is_given(self, r->is.name))
            return true;
    return k->is_random;
}

enum err_code run_check_value(const struct run_param *row, const char *value, struct err *e)
{
    return row->check != NULL ? row->check(value, e) : ERR_NONE;
}

const struct origin *run_origin(const struct run_param *row, const char *value)
{
    return row->origin != NULL ? row->origin(value) : NULL;
}

/* All values on their own first, then (run_begin) whether they fit together: a message about one value is the more
   precise one. */
enum err_code run_check_values(const struct run_kind *k, const struct param_set *params, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (const struct run_param *r = k->rows; code == ERR_NONE && r->is.name != NULL; r++)
        if (param_has(params, r->is.name))
            code = run_check_value(r, param_text(params, r->is.name), e);
    return code;
}

enum err_code run_begin(const struct run_kind *k, const struct param_set *params, struct point *out, struct err *e)
{
    out->params = params;
    /* One run by hand is the first replication of a scenario of one point. */
    out->replication = 1;
    enum err_code code = run_check_values(k, params, e);
    if (code == ERR_NONE && k->check_given != NULL)
        code = k->check_given(params, e);
    if (code == ERR_NONE && k->prepare != NULL)
        code = k->prepare(params, &out->shared, e);
    /* Also after an error `shared` may be set, as far as it came. run_end releases it. */
    return code;
}

void run_end(const struct run_kind *k, struct point *p)
{
    /* After an error before `prepare` there is nothing to release. */
    if (k->release != NULL && p->shared != NULL)
        k->release(p->shared);
    p->shared = NULL;
}

bool run_is_foreign(const struct run_kind *k, const struct param_set *params)
{
    for (const struct run_param *r = k->rows; r->is.name != NULL; r++)
        /* One plugin is enough: whoever runs the point then watches its process. */
        if (param_has(params, r->is.name) && run_origin(r, param_text(params, r->is.name)) != NULL)
            return true;
    return false;
}

/* ---- figures ---- */

void run_load(const struct run_kind *k)
{
    /* Kinds with `prepare` load a platform, and loading SimGrid takes longer than most points run. Done once before
       forking, it is paid once. */
    if (k->prepare != NULL) /* of a platform */
        engine_load();
}

size_t run_n_metrics(const struct run_kind *k)
{
    size_t n = 0;
    while (k->metrics[n].name != NULL)
        n++;
    return n;
}

const struct metric *run_metric(const struct run_kind *k, const char *name)
{
    for (const struct metric *m = k->metrics; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}
