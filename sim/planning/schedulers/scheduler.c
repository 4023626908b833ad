/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What lies around a call of a scheduler's `plan`: choosing it by a text, refusing numbers that would overflow, and,
   for those of plugins, judging what they made. Schedulers that come with iasim are not judged here: their tests do
   that. */
#include "schedulers/scheduler.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "base/registry.h"
#include "plan/check_made.h"

#include <stdlib.h>

#define SCHEDULER(name) extern const struct scheduler scheduler_##name;
#include "schedulers/schedulers.def"
#undef SCHEDULER

static const struct scheduler *const built_in[] = {
#define SCHEDULER(name) &scheduler_##name,
#include "schedulers/schedulers.def"
#undef SCHEDULER
    NULL,
};

const struct scheduler *const *schedulers = built_in;
static struct registry registered;

const struct scheduler *scheduler_find(const char *name)
{
    return registry_find(schedulers, name);
}

const struct origin *scheduler_origin(const struct scheduler *scheduler)
{
    return registry_origin(&registered, scheduler);
}

void scheduler_register(const struct scheduler *scheduler, const struct origin *from)
{
    schedulers = registry_add(&registered, schedulers, &scheduler, from);
}

/* ---- parts ---- */

/* A `+` within brackets belongs to the parameters of a part: "two_phase[allocation_of=heft+ez]". */
static const char *part_end(const char *list)
{
    int depth = 0;
    for (; *list != '\0' && (*list != '+' || depth > 0); list++)
        depth += (*list == '[') - (*list == ']');
    return list;
}

void scheduler_clear_parts(struct scheduler_choice *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        scheduler_choice_clear(&parts[i]);
    free(parts);
}

enum err_code scheduler_choose_parts(const struct scheduler *scheduler, const struct param_set *params,
                                     struct scheduler_choice **out, size_t *n, struct err *e)
{
    const char *at = scheduler->parts != NULL ? param_text(params, scheduler->parts) : NULL, *end;
    enum err_code code = ERR_NONE;
    *out = NULL;
    *n = 0;
    for (; at != NULL && code == ERR_NONE; at = *end == '+' ? end + 1 : NULL) {
        end = part_end(at);
        if (end == at) {
            code =
                err_set(e, ERR_INPUT, "scheduler %s: parameter %s is '%s'; a scheduler's name is missing beside a '+'",
                        scheduler->name, scheduler->parts, param_text(params, scheduler->parts));
            break;
        }
        char *text = mem_format("%.*s", (int)(end - at), at);
        *out = mem_resize(*out, *n + 1, sizeof **out);
        code = scheduler_choose(text, &(*out)[*n], e);
        *n += code == ERR_NONE;
        free(text);
    }
    if (code != ERR_NONE)
        scheduler_clear_parts(*out, *n);
    return code;
}

/* Results are kept under keys that contain the digest of one plugin, so there cannot be two. */
static enum err_code check_parts(struct scheduler_choice *c, struct err *e)
{
    struct scheduler_choice *parts;
    size_t n;
    enum err_code code = scheduler_choose_parts(c->scheduler, c->params, &parts, &n, e);
    if (code != ERR_NONE)
        return code;
    c->origin = scheduler_origin(c->scheduler); /* its own, or that of a part */
    for (size_t i = 0; i < n && code == ERR_NONE; i++) {
        const struct origin *from = parts[i].origin;
        if (from != NULL && c->origin != NULL && from != c->origin)
            code =
                err_set(e, ERR_INPUT, "scheduler %s: its parts come from two plugins, %s and %s; only one is possible",
                        c->scheduler->name, c->origin->path, from->path);
        c->origin = from != NULL ? from : c->origin;
    }
    scheduler_clear_parts(parts, n);
    return code;
}

/* ---- choosing ---- */

static enum err_code choose(const struct spec *spec, struct scheduler_choice *out, struct err *e)
{
    static const struct param none[] = {{0}};
    out->scheduler = registry_choose(schedulers, "scheduler", spec->name, e);
    enum err_code code = out->scheduler != NULL ? ERR_NONE : ERR_INPUT;
    if (code != ERR_NONE)
        return code;
    char *owner = mem_format("scheduler %s", out->scheduler->name);
    out->params = param_set_create(out->scheduler->params != NULL ? out->scheduler->params : none);
    code = param_set_spec(out->params, owner, spec, e);
    free(owner);
    return code == ERR_NONE ? check_parts(out, e) : code;
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

/* ---- planning ---- */

/* Turns any code and text that a plugin returns into an error that names the plugin. */
static enum err_code call_plugin(const struct scheduler_choice *c, const struct origin *from,
                                 const struct scheduler_inputs *in, struct schedule *out, struct err *e)
{
    struct err found = {0};
    char *owner = mem_format("scheduler %s", c->scheduler->name);
    const struct problem p = out->problem; /* a copy, because the plugin may change `out` */
    foreign_enter(from, "plan", owner);
    enum err_code code = c->scheduler->plan(&p, c->params, in, out, &found);
    bool left_nothing = foreign_leave();
    /* before the schedule is looked at: what a process that is left behind might still do cannot be known */
    if (!left_nothing)
        code = err_set(e, ERR_INPUT, "%s of plugin %s has left a process behind", owner, from->path);
    else if (code < ERR_NONE || code > ERR_INTERNAL)
        code = err_set(e, ERR_INPUT, "%s of plugin %s returns %d, which is not a code of base/err.h", owner, from->path,
                       (int)code);
    else if (code != ERR_NONE)
        code = err_set(e, ERR_INPUT, "%s of plugin %s: %s", owner, from->path,
                       found.text[0] != '\0' ? found.text : err_code_text(code));
    free(owner);
    return code;
}

/* `out` was the plugin's: its problem is set again before anything is read through it. */
static enum err_code judge(const struct scheduler_choice *c, const struct origin *from, const struct problem *p,
                           const struct scheduler_inputs *in, struct schedule *out, struct check_result *violations,
                           struct err *e)
{
    out->problem = *p;
    enum err_code code = check_made_schedule(out, in->allocation, violations, e);
    if (code != ERR_NONE || violations->n == 0)
        return code;
    const struct violation *first = &violations->list[0];
    char *more = mem_format(" (and %zu more)", violations->n - 1);
    err_set(e, ERR_NO, "scheduler %s of plugin %s made an invalid schedule: %s: %s%s", c->scheduler->name, from->path,
            first->condition, first->text, violations->n > 1 ? more : "");
    free(more);
    return ERR_NO;
}

static enum err_code plan(const struct scheduler_choice *c, const struct problem *p, const struct scheduler_inputs *in,
                          struct schedule *out, struct check_result *violations, struct err *e)
{
    const struct origin *from = scheduler_origin(c->scheduler);
    if (from == NULL)
        return c->scheduler->plan(p, c->params, in, out, e);
    enum err_code code = call_plugin(c, from, in, out, e);
    return code == ERR_NONE ? judge(c, from, p, in, out, violations, e) : code;
}

/* A prescribed host where the task may not run would give it a time of INFINITY. */
static enum err_code check_allocation(const struct problem *p, const host_id *allocation, struct err *e)
{
    for (task_id t = 0; allocation != NULL && t < p->dag->n_tasks; t++)
        if (!problem_may_run(p, t, allocation[t]))
            return err_set_at(e, ERR_INPUT, p->costs->source, 0,
                              "task '%.100s' may not run on host '%.100s', which the allocation prescribes",
                              p->dag->tasks[t].name, p->machine->hosts[allocation[t]].name);
    return ERR_NONE;
}

enum err_code scheduler_plan_judged(const struct scheduler_choice *c, const struct problem *p,
                                    const struct scheduler_inputs *in, struct schedule *out,
                                    struct check_result *violations, struct err *e)
{
    static const struct scheduler_inputs nothing;
    *out = (struct schedule){0};
    *violations = (struct check_result){0};
    if (problem_check_times(p, e) != ERR_NONE)
        return ERR_INPUT;
    if (in != NULL && check_allocation(p, in->allocation, e) != ERR_NONE)
        return ERR_INPUT;
    schedule_init(out, p);
    /* cost models of plugins may have been asked by any scheduler */
    enum err_code code = foreign_judge(plan(c, p, in != NULL ? in : &nothing, out, violations, e), e);
    if (code == ERR_NONE)
        out->scheduler = mem_strdup(c->text);
    else
        schedule_clear(out);
    return code;
}

enum err_code scheduler_plan(const struct scheduler_choice *c, const struct problem *p,
                             const struct scheduler_inputs *in, struct schedule *out, struct err *e)
{
    struct check_result violations;
    enum err_code code = scheduler_plan_judged(c, p, in, out, &violations, e);
    check_result_clear(&violations);
    return code;
}
