/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plugin/plugin_check.h"

#include "base/foreign.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 60, MAX_WORDS = 500, MAX_PARAMS = 100 };

struct look {
    const struct iasim_plugin_lists *lists;
    const char *path;
    struct err *e;
};

/* ---- the version ---- */

static enum err_code check_version(const struct iasim_plugin *plugin, const char *path, struct err *e)
{
    static const char *const names[] = {
#define X(name) #name,
        IASIM_PLUGIN_STRUCTS(X)
#undef X
    };
    static const unsigned sizes[] = {IASIM_PLUGIN_STRUCTS(IASIM_PLUGIN_SIZE)};
    if (plugin->abi != IASIM_PLUGIN_ABI)
        return err_set_at(e, ERR_INPUT, path, 0,
                          "the plugin was built for version %u of iasim's plugin interface, but this iasim has "
                          "version %u; rebuild the plugin with the headers of this iasim",
                          plugin->abi, IASIM_PLUGIN_ABI);
    if (plugin->size != sizeof *plugin)
        return err_set_at(e, ERR_INPUT, path, 0,
                          "the plugin was built with a struct iasim_plugin of %u bytes, but this iasim has one "
                          "of %zu; rebuild the plugin with the headers of this iasim",
                          plugin->size, sizeof *plugin);
    for (size_t i = 0; i < IASIM_PLUGIN_N_STRUCTS; i++)
        if (plugin->sizes[i] != sizes[i])
            return err_set_at(
                e, ERR_INPUT, path, 0,
                "the plugin was built with a struct %s of %u bytes, but this iasim has one of %u; rebuild the plugin "
                "with the headers of this iasim",
                names[i], plugin->sizes[i], sizes[i]);
    return ERR_NONE;
}

/* ---- names and texts ---- */

static bool is_name(const char *name)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz", more[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t n = name != NULL ? strnlen(name, MAX_NAME + 1) : 0;
    return n > 0 && n <= MAX_NAME && strchr(small, name[0]) != NULL && strspn(name, more) == n;
}

/* One line of UTF-8. */
static bool is_line(const char *words)
{
    size_t n = strnlen(words, MAX_WORDS + 1);
    bool ok = n <= MAX_WORDS;
    for (size_t i = 0; ok && i < n; i++)
        ok = (unsigned char)words[i] >= ' ' && words[i] != 0x7f;
    json_t *text = ok ? json_stringn(words, n) : NULL;
    json_decref(text);
    return text != NULL;
}

static enum err_code check_line(const struct look *l, const char *owner, const char *what, const char *words,
                                bool required)
{
    if (words == NULL && !required)
        return ERR_NONE;
    if (words == NULL || words[0] == '\0')
        return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s has no %s", owner, what);
    if (!is_line(words))
        return err_set_at(l->e, ERR_INPUT, l->path, 0, "the %s of %s is not one line of UTF-8 of at most %d bytes",
                          what, owner, MAX_WORDS);
    return ERR_NONE;
}

/* Checks the i-th name of its kind. */
static enum err_code check_name(const struct look *l, const char *kind, int i, const char *name)
{
    if (is_name(name))
        return ERR_NONE;
    bool shows = name != NULL && name[0] != '\0' && strnlen(name, MAX_NAME + 1) <= MAX_NAME && is_line(name);
    return err_set_at(
        l->e, ERR_INPUT, l->path, 0,
        "the name of %s %d of the plugin is %s%s%s; a name is at most %d lower-case letters, digits and _, beginning "
        "with a letter",
        kind, i + 1, shows ? "'" : "", shows ? name : "missing or unreadable", shows ? "'" : "", MAX_NAME);
}

static enum err_code refuse_clash(const struct look *l, const char *kind, const char *name, const struct origin *from)
{
    bool is_ours = from == NULL;
    return err_set_at(l->e, ERR_INPUT, l->path, 0, "there is already %s %s '%s', which comes %s%s",
                      kind[0] == 'a' ? "an" : "a", kind, name, is_ours ? "with iasim" : "from plugin ",
                      is_ours ? "" : from->path);
}

static enum err_code refuse_twice(const struct look *l, const char *kind, const char *name)
{
    return err_set_at(l->e, ERR_INPUT, l->path, 0, "the plugin has the %s '%s' twice", kind, name);
}

/* ---- parameters ---- */

/* Whether the choices can be written in specs: name[k=v,k=v]. */
static bool are_choices(const char *choices)
{
    if (choices == NULL || choices[0] == '\0' || !is_line(choices) || choices[strcspn(choices, "[]=, '")] != '\0')
        return false;
    return choices[0] != '|' && choices[strlen(choices) - 1] != '|' && strstr(choices, "||") == NULL;
}

static bool is_form_of_steps(const char *text)
{
    return text != NULL && (strcmp(text, STEPS_LINEAR) == 0 || strcmp(text, STEPS_SHARE) == 0);
}

static const char *param_fault(const struct param *p)
{
    bool is_number = p->type == PARAM_NUMBER || p->type == PARAM_INTEGER || p->type == PARAM_STEPS;
    if (!is_number && p->type != PARAM_CHOICE && p->type != PARAM_TEXT)
        return "has no type of enum param_type";
    if (p->unit == NULL || !is_line(p->unit))
        return "has no unit; use \"\" for a parameter without one";
    if (p->meaning == NULL || p->meaning[0] == '\0' || !is_line(p->meaning))
        return "has no one-line meaning";
    if (p->type == PARAM_CHOICE && !are_choices(p->choices))
        return "has no choices of the form \"this|that\"";
    if (p->type == PARAM_STEPS && !is_form_of_steps(p->choices))
        return "has neither STEPS_LINEAR nor STEPS_SHARE as its choices";
    if (is_number && !(isfinite(p->min) && isfinite(p->max) && p->min <= p->max))
        return "has no bounds min <= max";
    if (p->default_text != NULL && !is_line(p->default_text))
        return "has a default that is not one line of UTF-8";
    return NULL;
}

static enum err_code check_default(const struct look *l, const char *owner, const struct param *params,
                                   const struct param *p)
{
    struct err found = {0};
    if (p->default_text == NULL)
        return ERR_NONE;
    struct param_set *scratch = param_set_create(params);
    enum err_code code = param_set_value(scratch, owner, p->name, p->default_text, &found);
    param_set_free(scratch);
    return code == ERR_NONE ? code : err_set_at(l->e, ERR_INPUT, l->path, 0, "the default is wrong: %s", found.text);
}

static enum err_code check_params(const struct look *l, const char *owner, const struct param *params)
{
    int n = 0;
    for (; params != NULL && params[n].name != NULL; n++) {
        const struct param *p = &params[n];
        if (n >= MAX_PARAMS)
            return err_set_at(l->e, ERR_INPUT, l->path, 0,
                              "%s has more than %d parameters; the list must end with an entry whose name is NULL",
                              owner, MAX_PARAMS);
        char *kind = mem_format("%s's parameter", owner);
        enum err_code code = check_name(l, kind, n, p->name);
        free(kind);
        if (code != ERR_NONE)
            return code;
        for (int k = 0; k < n; k++)
            if (strcmp(params[k].name, p->name) == 0)
                return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s has the parameter '%s' twice", owner, p->name);
        if (param_fault(p) != NULL)
            return err_set_at(l->e, ERR_INPUT, l->path, 0, "parameter '%s' of %s %s", p->name, owner, param_fault(p));
    }
    enum err_code code = ERR_NONE;
    for (int i = 0; code == ERR_NONE && i < n; i++)
        code = check_default(l, owner, params, &params[i]);
    return code;
}

/* ---- policies, schedulers, actors ---- */

static enum err_code check_policy(const struct look *l, int i)
{
    const struct policy *x = l->lists->policies[i];
    char owner[100];
    enum err_code code = check_name(l, "policy", i, x->name);
    if (code != ERR_NONE)
        return code;
    snprintf(owner, sizeof owner, "policy %s", x->name);
    if (policy_find(x->name) != NULL)
        return refuse_clash(l, "policy", x->name, policy_origin(policy_find(x->name)));
    for (int k = 0; k < i; k++)
        if (strcmp(l->lists->policies[k]->name, x->name) == 0)
            return refuse_twice(l, "policy", x->name);
    if (x->sends && x->priority == NULL)
        return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s sends, but its function priority is NULL", owner);
    code = check_line(l, owner, "summary", x->summary, true);
    return code == ERR_NONE ? check_line(l, owner, "source", x->source, false) : code;
}

static enum err_code check_parts(const struct look *l, const char *owner, const struct scheduler *x)
{
    const struct param *p = x->parts != NULL && x->params != NULL ? param_find(x->params, x->parts) : NULL;
    if (x->parts == NULL || (p != NULL && p->type == PARAM_TEXT))
        return ERR_NONE;
    return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s: its parts are named by '%.100s', which is not a text parameter",
                      owner, x->parts);
}

static enum err_code check_scheduler(const struct look *l, int i)
{
    const struct scheduler *x = l->lists->schedulers[i];
    char owner[100];
    enum err_code code = check_name(l, "scheduler", i, x->name);
    if (code != ERR_NONE)
        return code;
    snprintf(owner, sizeof owner, "scheduler %s", x->name);
    if (scheduler_find(x->name) != NULL)
        return refuse_clash(l, "scheduler", x->name, scheduler_origin(scheduler_find(x->name)));
    for (int k = 0; k < i; k++)
        if (strcmp(l->lists->schedulers[k]->name, x->name) == 0)
            return refuse_twice(l, "scheduler", x->name);
    if (x->plan == NULL)
        return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s: its function plan is NULL", owner);
    code = check_line(l, owner, "summary", x->summary, true);
    if (code == ERR_NONE)
        code = check_line(l, owner, "source", x->source, false);
    if (code == ERR_NONE)
        code = check_params(l, owner, x->params);
    return code == ERR_NONE ? check_parts(l, owner, x) : code;
}

static enum err_code check_actor(const struct look *l, int i)
{
    const struct farm_actor *x = l->lists->actors[i];
    char owner[100];
    enum err_code code = check_name(l, "actor", i, x->name);
    if (code != ERR_NONE)
        return code;
    snprintf(owner, sizeof owner, "actor %s", x->name);
    if (farm_actor_find(x->name) != NULL)
        return refuse_clash(l, "actor", x->name, farm_actor_origin(farm_actor_find(x->name)));
    for (int k = 0; k < i; k++)
        if (strcmp(l->lists->actors[k]->name, x->name) == 0)
            return refuse_twice(l, "actor", x->name);
    if (x->run == NULL)
        return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s: its function run is NULL", owner);
    code = check_line(l, owner, "summary", x->summary, true);
    return code == ERR_NONE ? check_line(l, owner, "source", x->source, false) : code;
}

enum err_code plugin_check(const struct iasim_plugin *plugin, const char *path, struct err *e)
{
    const struct look l = {&plugin->lists, path, e};
    enum err_code code = check_version(plugin, path, e);
    if (code != ERR_NONE)
        return code;
    if (plugin->lists.policies[0] == NULL && plugin->lists.schedulers[0] == NULL && plugin->lists.actors[0] == NULL)
        return err_set_at(e, ERR_INPUT, path, 0,
                          "the plugin names no schedulers, policies or actors in IASIM_PLUGIN()");
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && plugin->lists.policies[i] != NULL; i++)
        code = check_policy(&l, i);
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && plugin->lists.schedulers[i] != NULL; i++)
        code = check_scheduler(&l, i);
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && plugin->lists.actors[i] != NULL; i++)
        code = check_actor(&l, i);
    return code;
}
