/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/runtime_policy.h"

#include "base/mem.h"
#include "base/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define RUNTIME_POLICY(name) extern const struct runtime_policy runtime_policy_##name;
#include "runtime/policies/runtime_policies.def"
#undef RUNTIME_POLICY

const struct runtime_policy *const runtime_policies[] = {
#define RUNTIME_POLICY(name) &runtime_policy_##name,
#include "runtime/policies/runtime_policies.def"
#undef RUNTIME_POLICY
    NULL,
};

/* Papers write F1, FDWS, OWM. NULL: not found. */
static const struct runtime_policy *find_in_any_case(const char *name)
{
    for (size_t i = 0; runtime_policies[i] != NULL; i++)
        if (strcasecmp(runtime_policies[i]->name, name) == 0)
            return runtime_policies[i];
    return NULL;
}

enum err_code runtime_policy_choose(const char *text, struct runtime_policy_choice *out, struct err *e)
{
    struct spec spec;
    *out = (struct runtime_policy_choice){0};
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    out->policy = find_in_any_case(spec.name);
    if (out->policy == NULL)
        out->policy = registry_choose(runtime_policies, "runtime policy", spec.name, e);
    if (out->policy != NULL) {
        char owner[128];
        snprintf(owner, sizeof owner, "runtime policy %s", out->policy->name);
        out->params = param_set_create(out->policy->params);
        code = param_set_spec(out->params, owner, &spec, e);
        out->text = mem_strdup(text);
    } else {
        code = ERR_INPUT;
    }
    spec_clear(&spec);
    if (code != ERR_NONE)
        runtime_policy_choice_clear(out);
    return code;
}

void runtime_policy_choice_clear(struct runtime_policy_choice *c)
{
    param_set_free(c->params);
    free(c->text);
    *c = (struct runtime_policy_choice){0};
}

void runtime_put_ready(struct runtime *r, const struct runtime_event *events, size_t n,
                       host_id (*host_of)(struct runtime *r, work_id w))
{
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != EVENT_READY)
            continue;
        host_id h = host_of(r, events[i].work);
        if (h >= 0)
            runtime_put(r, events[i].work, h, -1);
    }
}
