/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cost models by their texts, as world.c has worlds. A plugin's model is registered as a copy whose formulas are ours:
   they call the plugin's, note that they do, and replace what is not a time. */
#include "models/cost/cost.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "base/registry.h"
#include "base/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COST_MODEL(name) extern const struct cost_model cost_model_##name;
#include "models/cost/cost.def"
#undef COST_MODEL

static const struct cost_model *const built_in[] = {
#define COST_MODEL(name) &cost_model_##name,
#include "models/cost/cost.def"
#undef COST_MODEL
    NULL,
};

const struct cost_model *const *cost_models = built_in;
static struct registry registered;

static const struct cost_model **made; /* models with given parameters */
static size_t n_made, made_capacity;

/* ---- names ---- */

const char *cost_model_text(const struct cost_model *model)
{
    return model->text != NULL ? model->text : model->name;
}

static const struct steps *given_steps(const struct cost_model *model, size_t i)
{
    static const struct steps none = {0};
    return model->steps != NULL ? &model->steps[i] : &none;
}

/* Two texts may say the same: "logp[L=6]", and "logp[L=6.0]". */
bool cost_model_is(const struct cost_model *model, const struct cost_model *other)
{
    if (strcmp(model->name, other->name) != 0)
        return false;
    for (size_t i = 0; i < param_count(model->params); i++)
        if (!steps_are_equal(given_steps(model, i), given_steps(other, i)))
            return false;
    return true;
}

unsigned cost_model_reads(const struct cost_model *model)
{
    for (size_t i = 0; i < param_count(model->params); i++)
        /* such a parameter is given in place of the hosts' property */
        if (model->params[i].default_text == NULL && given_steps(model, i)->is_given)
            return 0;
    return model->reads;
}

char *cost_model_warning(const struct cost_model *model, const struct machine *m)
{
    return machine_missing_properties(m, cost_model_reads(model), "model", model->name);
}

static const struct cost_model *find_made(const char *text)
{
    for (size_t i = 0; i < n_made; i++)
        if (strcmp(made[i]->text, text) == 0)
            return made[i];
    return NULL;
}

/* ---- models of plugins ---- */

/* `x` if it is a time. */
static double time_or_fault(const struct cost_model *m, const char *what, double x, double least)
{
    if (isfinite(x) && x >= least)
        return x;
    const char *odd = foreign_odd_number(x);
    char *words = odd != NULL ? mem_format("gives %s as %s of a message; it must be a finite number", odd, what)
                              : mem_format("gives %g s as %s of a message; it must not be negative", x, what);
    foreign_refuse(m->from, "model", cost_model_text(m), words);
    free(words);
    return 0;
}

static struct cost_end their_end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                                 enum direction dir, link_id link, double bytes)
{
    foreign_ask(self->from, "end", "model", self->name);
    struct cost_end end = self->theirs->end(self, m, src, dst, dir, link, bytes);
    foreign_answered();
    /* One after the other: the first fault is the one that is shown. */
    end.overhead_s = time_or_fault(self, "the overhead", end.overhead_s, 0);
    end.involvement_s = time_or_fault(self, "the involvement", end.involvement_s, 0);
    end.port_s = time_or_fault(self, "the port's time", end.port_s, 0);
    end.port_before_s = time_or_fault(self, "the port's time before", end.port_before_s, 0);
    return end;
}

static double their_transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                              double bytes)
{
    foreign_ask(self->from, "transit_s", "model", self->name);
    double transit_s = self->theirs->transit_s(self, m, src, dst, bytes);
    foreign_answered();
    return time_or_fault(self, "the time under way", transit_s, -INFINITY);
}

static enum err_code their_check(const struct cost_model *self, const struct machine *m, double bytes, struct err *e)
{
    foreign_ask(self->from, "check", "model", self->name);
    enum err_code code = self->theirs->check(self, m, bytes, e);
    foreign_answered();
    return code == ERR_NONE ? code : err_set(e, ERR_INPUT, "model %s does not say what is wrong", self->name);
}

void cost_model_register(const struct cost_model *model, const struct origin *from)
{
    if (from != NULL) {
        struct cost_model *ours = mem_alloc(sizeof *ours);
        *ours = *model;
        ours->text = NULL;
        ours->values = NULL;
        ours->steps = NULL;
        ours->from = from;
        ours->theirs = model;
        ours->end = model->end != NULL ? their_end : NULL;
        ours->transit_s = model->transit_s != NULL ? their_transit_s : NULL;
        ours->check = model->check != NULL ? their_check : NULL;
        /* not asked of plugins: every pair of hosts is then looked at, which is right for any formula */
        ours->is_uniform = NULL;
        model = ours;
    }
    cost_models = registry_add(&registered, cost_models, &model, from);
}

/* ---- parameters ---- */

static const struct cost_model *make(const struct cost_model *plain, const char *text, const struct param_set *ps)
{
    struct cost_model *model = mem_alloc(sizeof *model);
    *model = *plain;
    model->text = mem_strdup(text);
    model->values = param_numbers(ps, plain->params);
    model->steps = param_steps(ps, plain->params);
    model->is_aligned = param_is_known(ps, "aligned") && param_number(ps, "aligned") == 1;
    MEM_GROW(made, n_made, made_capacity);
    return made[n_made++] = model;
}

static enum err_code find(const struct spec *spec, const char *text, const struct cost_model **out, struct err *e)
{
    static const struct param none[] = {{0}};
    const struct cost_model *plain = registry_choose(cost_models, "model", spec->name, e);
    if (plain == NULL)
        return ERR_INPUT;
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

enum err_code cost_model_find_of_file(const char *text, const struct cost_model **out, struct err *e)
{
    char *name = mem_format("%.*s", (int)strcspn(text, "["), text);
    bool is_known = registry_find(cost_models, name) != NULL;
    struct err why = {0};
    enum err_code code = cost_model_find(text, out, &why);
    if (code != ERR_NONE)
        err_set(e, code, "%.800s%s", why.text,
                is_known ? "" : "; if a plugin has it, load that first: iasim --plugin FILE ...");
    free(name);
    return code;
}
