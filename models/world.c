/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/world.h"

#include "base/mem.h"
#include "base/text.h"

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

enum err_code world_find(const char *name, const struct world_model **out, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; world_models[i] != NULL; i++) {
        if (strcmp(world_models[i]->name, name) == 0) {
            *out = world_models[i];
            text_clear(&known);
            return ERR_NONE;
        }
        text_addf(&known, "%s%s", i ? ", " : "", world_models[i]->name);
    }
    err_set(e, ERR_INPUT, "unknown world model '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
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
