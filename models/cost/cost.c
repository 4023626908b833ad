/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/cost.h"

#include "base/text.h"

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

enum err_code cost_model_find(const char *name, const struct cost_model **out, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; cost_models[i] != NULL; i++) {
        if (strcmp(cost_models[i]->name, name) == 0) {
            *out = cost_models[i];
            text_clear(&known);
            return ERR_NONE;
        }
        text_addf(&known, "%s%s", i ? ", " : "", cost_models[i]->name);
    }
    err_set(e, ERR_INPUT, "unknown model '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}
