/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "schedulers/scheduler.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SCHEDULER(name) extern const struct scheduler scheduler_##name;
#include "schedulers/schedulers.def"
#undef SCHEDULER

const struct scheduler *const schedulers[] = {
#define SCHEDULER(name) &scheduler_##name,
#include "schedulers/schedulers.def"
#undef SCHEDULER
    NULL,
};

static enum err_code find(const char *name, const struct scheduler **out, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; schedulers[i] != NULL; i++) {
        if (strcmp(schedulers[i]->name, name) == 0) {
            *out = schedulers[i];
            text_clear(&known);
            return ERR_NONE;
        }
        text_addf(&known, "%s%s", i ? ", " : "", schedulers[i]->name);
    }
    err_set(e, ERR_INPUT, "unknown scheduler '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

static enum err_code choose(const struct spec *spec, struct scheduler_choice *out, struct err *e)
{
    static const struct param none[] = {{0}};
    enum err_code code = find(spec->name, &out->scheduler, e);
    if (code != ERR_NONE)
        return code;
    char *owner = mem_format("scheduler %s", out->scheduler->name);
    out->params = param_set_create(out->scheduler->params != NULL ? out->scheduler->params : none);
    code = param_set_spec(out->params, owner, spec, e);
    free(owner);
    return code;
}

enum err_code scheduler_choose(const char *text, struct scheduler_choice *out, struct err *e)
{
    struct spec spec = {0};
    *out = (struct scheduler_choice){0};
    enum err_code code = spec_parse(&spec, text, e);
    if (code == ERR_NONE)
        code = choose(&spec, out, e);
    spec_clear(&spec);
    if (code == ERR_NONE)
        out->text = mem_strdup(text);
    else
        scheduler_choice_clear(out);
    return code;
}

void scheduler_choice_clear(struct scheduler_choice *c)
{
    param_set_free(c->params);
    free(c->text);
    *c = (struct scheduler_choice){0};
}

enum err_code scheduler_plan(const struct scheduler_choice *c, const struct problem *p,
                             const struct scheduler_inputs *in, struct schedule *out, struct err *e)
{
    static const struct scheduler_inputs nothing;
    *out = (struct schedule){0};
    if (problem_check_times(p, e) != ERR_NONE)
        return ERR_INPUT;
    schedule_init(out, p);
    enum err_code code = c->scheduler->plan(p, c->params, in != NULL ? in : &nothing, out, e);
    if (code == ERR_NONE)
        out->scheduler = mem_strdup(c->text);
    else
        schedule_clear(out);
    return code;
}
