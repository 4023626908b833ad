/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/cost.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COST_MODEL(name) extern const struct cost_model cost_model_##name;
#include "models/cost/cost.def"
#undef COST_MODEL

const struct cost_model *const cost_models[] = {
#define COST_MODEL(name) &cost_model_##name,
#include "models/cost/cost.def"
#undef COST_MODEL
    NULL,
};

static const struct cost_model **more; /* registered models, and models with given parameters */
static size_t n_more, more_capacity;

/* ---- names ---- */

const char *cost_model_text(const struct cost_model *model)
{
    return model->text != NULL ? model->text : model->name;
}

bool cost_model_is(const struct cost_model *model, const struct cost_model *other)
{
    if (strcmp(model->name, other->name) != 0)
        return false;
    for (size_t i = 0; i < param_count(model->params); i++) {
        double a = model->values[i], b = other->values[i];
        if (a != b && !(isnan(a) && isnan(b)))
            return false;
    }
    return true;
}

char *cost_model_warning(const struct cost_model *model, const struct machine *m)
{
    return machine_missing_properties(m, model->reads, "model", model->name);
}

void cost_model_register(const struct cost_model *model)
{
    MEM_GROW(more, n_more, more_capacity);
    more[n_more++] = model;
}

static const struct cost_model *find_made(const char *text)
{
    for (size_t i = 0; i < n_more; i++)
        if (more[i]->text != NULL && strcmp(more[i]->text, text) == 0)
            return more[i];
    return NULL;
}

static const struct cost_model *find_plain(const char *name)
{
    for (size_t i = 0; cost_models[i] != NULL; i++)
        if (strcmp(cost_models[i]->name, name) == 0)
            return cost_models[i];
    for (size_t i = 0; i < n_more; i++)
        if (more[i]->text == NULL && strcmp(more[i]->name, name) == 0)
            return more[i];
    return NULL;
}

static enum err_code refuse(const char *name, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; cost_models[i] != NULL; i++)
        text_add_name(&known, cost_models[i]->name);
    for (size_t i = 0; i < n_more; i++)
        if (more[i]->text == NULL)
            text_add_name(&known, more[i]->name);
    err_set(e, ERR_INPUT, "unknown model '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

/* ---- parameters ---- */

static const struct cost_model *make(const struct cost_model *plain, const char *text, const struct param_set *ps)
{
    struct cost_model *made = mem_alloc(sizeof *made);
    size_t n = param_count(plain->params);
    double *values = mem_alloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        const struct param *p = &plain->params[i];
        assert(p->type == PARAM_NUMBER || p->type == PARAM_INTEGER);
        values[i] = param_has(ps, p->name) ? param_number(ps, p->name) : NAN;
    }
    *made = *plain;
    made->text = mem_strdup(text);
    made->values = values;
    cost_model_register(made);
    return made;
}

static enum err_code find(const struct spec *spec, const char *text, const struct cost_model **out, struct err *e)
{
    static const struct param none[] = {{0}};
    const struct cost_model *plain = find_plain(spec->name);
    if (plain == NULL)
        return refuse(spec->name, e);
    char *owner = mem_format("model %s", plain->name);
    struct param_set *ps = param_set_create(plain->params != NULL ? plain->params : none);
    enum err_code code = param_set_spec(ps, owner, spec, e);
    if (code == ERR_NONE)
        *out = plain->params != NULL ? make(plain, text, ps) : plain;
    param_set_free(ps);
    free(owner);
    return code;
}

enum err_code cost_model_find(const char *text, const struct cost_model **out, struct err *e)
{
    struct spec spec;
    *out = find_made(text);
    if (*out != NULL)
        return ERR_NONE;
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    code = find(&spec, text, out, e);
    spec_clear(&spec);
    return code;
}
