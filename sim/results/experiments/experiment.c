/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "experiments/experiment.h"

#include "base/registry.h"

#include <string.h>

#define EXPERIMENT(name) extern const struct experiment experiment_##name;
#include "experiments/experiments.def"
#undef EXPERIMENT

const struct experiment *const experiments[] = {
#define EXPERIMENT(name) &experiment_##name,
#include "experiments/experiments.def"
#undef EXPERIMENT
    NULL,
};

const char *const better_names[] = {[BETTER_NONE] = "neither", [BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher"};

enum err_code experiment_find(const struct experiment *const *list, const char *name, const struct experiment **out,
                              struct err *e)
{
    const struct experiment *found = registry_choose(list, "experiment", name, e);
    if (found == NULL)
        return ERR_INPUT;
    *out = found;
    return ERR_NONE;
}

enum err_code experiment_find_param(const struct experiment *x, const char *name, const struct param **out,
                                    struct err *e)
{
    *out = param_find(x->params, name);
    if (*out != NULL)
        return ERR_NONE;
    struct text known = {0};
    for (const struct param *p = x->params; p->name != NULL; p++)
        text_add_name(&known, p->name);
    err_set(e, ERR_INPUT, "experiment %s has no parameter '%s'; known: %s", x->name, name, text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

size_t experiment_n_metrics(const struct experiment *x)
{
    size_t n = 0;
    while (x->metrics[n].name != NULL)
        n++;
    return n;
}

const struct metric *experiment_metric(const struct experiment *x, const char *name)
{
    for (const struct metric *m = x->metrics; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

const struct experiment_file *experiment_file(const struct experiment *x, const char *param)
{
    for (const struct experiment_file *f = x->files; f != NULL && f->param != NULL; f++)
        if (strcmp(f->param, param) == 0)
            return f;
    return NULL;
}

enum err_code experiment_check_machine(const struct experiment *x, struct err *e)
{
    return x->check_machine != NULL ? x->check_machine(e) : ERR_NONE;
}

bool experiment_is_optional(const struct experiment *x, const char *param)
{
    for (const char *const *name = x->optional_params; name != NULL && *name != NULL; name++)
        if (strcmp(*name, param) == 0)
            return true;
    return false;
}

bool experiment_is_foreign(const struct experiment *x, const struct param_set *params)
{
    for (const struct param *p = x->params; x->origin != NULL && p->name != NULL; p++) {
        const char *value = p->type == PARAM_TEXT ? param_text(params, p->name) : NULL;
        if (value != NULL && x->origin(p->name, value) != NULL)
            return true;
    }
    return false;
}
