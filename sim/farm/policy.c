/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "farm/policy.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLICY(name) extern const struct policy policy_##name;
#include "farm/policies/policies.def"
#undef POLICY

const struct policy *const policies[] = {
#define POLICY(name) &policy_##name,
#include "farm/policies/policies.def"
#undef POLICY
    NULL,
};

const struct param policy_params[] = {
    {"chunk", PARAM_NUMBER, "MB", "0", 0, 1e9, NULL,
     "send in chunks of this size and decide anew after each; 0: whole tasks"},
    {"prune", PARAM_CHOICE, "", NULL, 0, 0, "on|off",
     "never send to a child for which IR_s Z C >= 1; default: off, opt_single: on"},
    {0},
};

static const struct policy *find(const char *name, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; policies[i] != NULL; i++) {
        if (strcmp(policies[i]->name, name) == 0) {
            text_clear(&known);
            return policies[i];
        }
        text_addf(&known, "%s%s", i ? ", " : "", policies[i]->name);
    }
    err_set(e, ERR_INPUT, "unknown policy '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return NULL;
}

enum err_code policy_choose(const char *text, struct policy_choice *out, struct err *e)
{
    struct spec spec;
    *out = (struct policy_choice){0};
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    out->policy = find(spec.name, e);
    if (out->policy != NULL) {
        char owner[128];
        snprintf(owner, sizeof owner, "policy %s", out->policy->name);
        out->params = param_set_create(out->policy->sends ? policy_params : NULL);
        code = param_set_spec(out->params, owner, &spec, e);
        out->text = mem_strdup(text);
    } else {
        code = ERR_INPUT;
    }
    spec_clear(&spec);
    if (code != ERR_NONE)
        policy_choice_clear(out);
    return code;
}

void policy_choice_clear(struct policy_choice *c)
{
    param_set_free(c->params);
    free(c->text);
    *c = (struct policy_choice){0};
}

double policy_chunk_bytes(const struct policy_choice *c)
{
    return c->policy->sends ? param_number(c->params, "chunk") * 1e6 : 0;
}

bool policy_prunes(const struct policy_choice *c)
{
    if (!c->policy->sends)
        return false;
    return param_has(c->params, "prune") ? param_is_on(c->params, "prune") : c->policy->prunes_by_default;
}
