/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/world.h"

#include "base/mem.h"
#include "base/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD(name) extern const struct world_model world_##name;
#include "models/models.def"
#undef WORLD

const struct world_model *const world_models[] = {
#define WORLD(name) &world_##name,
#include "models/models.def"
#undef WORLD
    NULL,
};

static const struct world_model **made; /* with the parameters that were given to them */
static size_t n_made, made_capacity;
static char **made_texts; /* [made] */

static enum err_code find_plain(const char *name, const struct world_model **out, struct err *e)
{
    const struct world_model *found = registry_choose(world_models, "world model", name, e);
    if (found == NULL)
        return ERR_INPUT;
    *out = found;
    return ERR_NONE;
}

/* `parameters` are those of the model that it charges, with their brackets. */
static enum err_code make(const struct world_model *plain, const char *text, const char *parameters,
                          const struct world_model **out, struct err *e)
{
    const struct cost_model *charges = NULL;
    char *model = mem_format("%s%s", plain->charges->name, parameters);
    enum err_code code = cost_model_find(model, &charges, e);
    free(model);
    if (code != ERR_NONE)
        return code;
    struct world_model *world = mem_alloc(sizeof *world);
    *world = *plain;
    world->charges = charges;
    made_texts = mem_resize(made_texts, n_made + 1, sizeof *made_texts);
    made_texts[n_made] = mem_strdup(text);
    MEM_GROW(made, n_made, made_capacity);
    made[n_made++] = *out = world;
    return ERR_NONE;
}

static enum err_code find(const struct spec *spec, const char *text, const struct world_model **out, struct err *e)
{
    enum err_code code = find_plain(spec->name, out, e);
    if (code != ERR_NONE)
        return code;
    if ((*out)->charges != NULL && (*out)->charges->params != NULL)
        return make(*out, text, text + strlen(spec->name), out, e);
    if (spec->n > 0)
        return err_set(e, ERR_INPUT, "world %s has no parameter '%s'; known: none", (*out)->name, spec->keys[0]);
    return ERR_NONE;
}

enum err_code world_find(const char *text, const struct world_model **out, struct err *e)
{
    struct spec spec;
    for (size_t i = 0; i < n_made; i++)
        if (strcmp(made_texts[i], text) == 0) {
            *out = made[i];
            return ERR_NONE;
        }
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    code = find(&spec, text, out, e);
    spec_clear(&spec);
    return code;
}

char *world_warning(const struct world_model *w, const struct machine *m)
{
    char *who = mem_format("world %s", w->name), *sentence = machine_missing_properties(m, w->reads, who);
    free(who);
    return sentence;
}

double world_factor_ratio(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                          size_t n_flows)
{
    if (w->speed_factor_ratio == NULL || n_flows == 0)
        return 1;
    double factor = w->speed_factor_ratio(h, flows, n_flows);
    return fmin(1, fmax(h->ir_floor_ratio, factor));
}
