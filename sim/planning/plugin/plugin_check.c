/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything in a plugin that iasim will rely on without asking again, checked once when it is loaded, so that users
   learn of a mistake by a sentence about the plugin and not by a crash in the middle of a run. What functions do cannot
   be checked here: schedules are validated when they are made (plan/check_made.h), answers of worlds and models when
   they are given (base/foreign.h). */
#include "plugin/plugin_check.h"

#include "base/foreign.h"
#include "base/registry.h"

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

/* In the order in which IASIM_PLUGIN writes them. */
static const char *const names[] = {
#define X(name) #name,
    IASIM_PLUGIN_STRUCTS(X)
#undef X
};
static const unsigned sizes[] = {IASIM_PLUGIN_STRUCTS(IASIM_PLUGIN_SIZE)};

size_t iasim_plugin_size_of(const char *name)
{
    for (size_t i = 0; i < IASIM_PLUGIN_N_STRUCTS; i++)
        if (strcmp(names[i], name) == 0)
            return sizes[i];
    return 0;
}

/* The version is compared first: where it differs, the sizes that follow may be anything. Sizes catch what the version
   misses: a header that was changed without a new version, or other options of the compiler. */
static enum err_code check_version(const struct iasim_plugin *plugin, const char *path, struct err *e)
{
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

/* Names stand in specs, keys and CSV, and behind `known:` in messages: nothing in them needs quoting. Strings of a
   plugin may lack their end, so that they are read no further than they may go. */
static bool is_name(const char *name)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz", more[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t n = name != NULL ? strnlen(name, MAX_NAME + 1) : 0;
    return n > 0 && n <= MAX_NAME && strchr(small, name[0]) != NULL && strspn(name, more) == n;
}

/* One line of UTF-8: it is printed in tables and written to JSON, whose library refuses other bytes. */
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
    /* a name is repeated in the message only if that can be printed */
    bool shows = name != NULL && name[0] != '\0' && strnlen(name, MAX_NAME + 1) <= MAX_NAME && is_line(name);
    return err_set_at(
        l->e, ERR_INPUT, l->path, 0,
        "the name of %s %d of the plugin is %s%s%s; a name is at most %d lower-case letters, digits and _, beginning "
        "with a letter",
        kind, i + 1, shows ? "'" : "", shows ? name : "missing or unreadable", shows ? "'" : "", MAX_NAME);
}

/* Two things of one name would make keys of results ambiguous, so the second is refused, wherever the first comes
   from. */
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

/* PARAM_STEPS has no choices; the field says which of the two forms its values have. */
static bool is_form_of_steps(const char *text)
{
    return text != NULL && (strcmp(text, STEPS_LINEAR) == 0 || strcmp(text, STEPS_SHARE) == 0);
}

/* What users would otherwise find out when they give the parameter, or never. */
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

/* The default goes the way of a given value, so that it obeys the same rules. */
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
    /* MAX_PARAMS bounds the walk: a list without its last entry would run into other memory */
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

/* ---- what all kinds have ---- */

struct words { /* the structure of each kind begins with these */
    const char *name, *summary, *source;
};

/* Copied, because the lists have entries of different types: reading them through another one would be undefined. */
static struct words words_at(const void *list, int i)
{
    const void *entry;
    struct words words;
    memcpy(&entry, (const char *)list + (size_t)i * sizeof entry, sizeof entry);
    memcpy(&words, entry, sizeof words);
    return words;
}

/* What the checks of names need to know of schedulers, policies, actors, models and worlds alike. */
struct kind {
    const char *name;
    const void *list;  /* of the plugin */
    const void *known; /* the list of those that there are */
    const struct origin *(*origin)(const void *known);
};

/* Fills the text by which messages call the i-th of its kind. */
static enum err_code check_words(const struct look *l, const struct kind *kind, int i, char owner[100])
{
    struct words x = words_at(kind->list, i);
    enum err_code code = check_name(l, kind->name, i, x.name);
    if (code != ERR_NONE)
        return code;
    snprintf(owner, 100, "%s %s", kind->name, x.name);
    const void *taken = registry_find(kind->known, x.name);
    if (taken != NULL)
        return refuse_clash(l, kind->name, x.name, kind->origin(taken));
    for (int k = 0; k < i; k++)
        if (strcmp(words_at(kind->list, k).name, x.name) == 0)
            return refuse_twice(l, kind->name, x.name);
    code = check_line(l, owner, "summary", x.summary, true);
    return code == ERR_NONE ? check_line(l, owner, "source", x.source, false) : code;
}

static enum err_code refuse_missing(const struct look *l, const char *owner, const char *function)
{
    return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s: its function %s is NULL", owner, function);
}

/* ---- the kinds ---- */

static const struct origin *origin_of_policy(const void *x)
{
    return policy_origin(x);
}

/* One that sends must say to whom, in one way. */
static enum err_code check_policy(const struct look *l, int i)
{
    const struct policy *x = l->lists->policies[i];
    char owner[100];
    enum err_code code =
        check_words(l, &(struct kind){"policy", l->lists->policies, policies, origin_of_policy}, i, owner);
    if (code == ERR_NONE && x->sends && x->priority == NULL && x->choose == NULL)
        code =
            err_set_at(l->e, ERR_INPUT, l->path, 0, "%s sends, but its functions priority and choose are NULL", owner);
    if (code == ERR_NONE && x->priority != NULL && x->choose != NULL)
        code = err_set_at(l->e, ERR_INPUT, l->path, 0, "%s has both priority and choose; give it one of them", owner);
    if (code == ERR_NONE && (x->variant != NULL || x->bounds != NULL || x->note != NULL))
        code = err_set_at(l->e, ERR_INPUT, l->path, 0, "%s has %s, which only built-in policies have", owner,
                          x->variant != NULL ? "variants" : "bounds or notes");
    for (const struct param *p = policy_params; code == ERR_NONE && x->params != NULL && p->name != NULL; p++)
        if (param_find(x->params, p->name) == NULL)
            code = err_set_at(l->e, ERR_INPUT, l->path, 0,
                              "%s has no parameter '%s': its list must have those of POLICY_PARAMS", owner, p->name);
    return code == ERR_NONE ? check_params(l, owner, x->params) : code;
}

/* Schedulers that are made of others name them in a text parameter (struct scheduler, parts). */
static enum err_code check_parts(const struct look *l, const char *owner, const struct scheduler *x)
{
    const struct param *p = x->parts != NULL && x->params != NULL ? param_find(x->params, x->parts) : NULL;
    if (x->parts == NULL || (p != NULL && p->type == PARAM_TEXT))
        return ERR_NONE;
    return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s: its parts are named by '%.100s', which is not a text parameter",
                      owner, x->parts);
}

static const struct origin *origin_of_scheduler(const void *x)
{
    return scheduler_origin(x);
}

static enum err_code check_scheduler(const struct look *l, int i)
{
    const struct scheduler *x = l->lists->schedulers[i];
    char owner[100];
    enum err_code code =
        check_words(l, &(struct kind){"scheduler", l->lists->schedulers, schedulers, origin_of_scheduler}, i, owner);
    if (code == ERR_NONE && x->plan == NULL)
        code = refuse_missing(l, owner, "plan");
    if (code == ERR_NONE)
        code = check_params(l, owner, x->params);
    return code == ERR_NONE ? check_parts(l, owner, x) : code;
}

static const struct origin *origin_of_actor(const void *x)
{
    return farm_actor_origin(x);
}

static enum err_code check_actor(const struct look *l, int i)
{
    char owner[100];
    enum err_code code =
        check_words(l, &(struct kind){"actor", l->lists->actors, farm_actors, origin_of_actor}, i, owner);
    return code == ERR_NONE && l->lists->actors[i]->run == NULL ? refuse_missing(l, owner, "run") : code;
}

/* Formulas find numbers, those of models steps, too. */
static enum err_code check_numbers(const struct look *l, const char *owner, const struct param *params, bool or_steps)
{
    enum err_code code = check_params(l, owner, params);
    for (size_t i = 0; code == ERR_NONE && i < param_count(params); i++)
        if (params[i].type != PARAM_NUMBER && params[i].type != PARAM_INTEGER &&
            !(or_steps && params[i].type == PARAM_STEPS))
            code = err_set_at(l->e, ERR_INPUT, l->path, 0,
                              "parameter '%s' of %s is not a number: its type must be PARAM_NUMBER%s or PARAM_INTEGER",
                              params[i].name, owner, or_steps ? ", PARAM_STEPS" : "");
    return code;
}

static enum err_code check_groups(const struct look *l, const char *owner, unsigned reads)
{
    static const unsigned all =
        PROPERTIES_INTERFERENCE | PROPERTIES_OVERHEAD | PROPERTIES_INVOLVEMENT | PROPERTIES_LOGP;
    if ((reads & ~all) == 0)
        return ERR_NONE;
    return err_set_at(l->e, ERR_INPUT, l->path, 0, "%s reads %#x, which are not groups of enum property_group", owner,
                      reads);
}

static const struct origin *origin_of_model(const void *x)
{
    const struct cost_model *model = x;
    return model->from;
}

/* Contradictions: a time that nobody would ever ask for. */
static const char *model_fault(const struct cost_model *x)
{
    if (x->end != NULL && !x->books_processors && !x->books_ports)
        return "has the function end, but books neither processors nor ports";
    if (x->transit_s != NULL && x->books_links)
        return "has the function transit_s, but books links, whose times count";
    return NULL;
}

static enum err_code check_model(const struct look *l, int i)
{
    const struct cost_model *x = l->lists->models[i];
    char owner[100];
    enum err_code code =
        check_words(l, &(struct kind){"model", l->lists->models, cost_models, origin_of_model}, i, owner);
    if (code == ERR_NONE)
        code = check_numbers(l, owner, x->params, true);
    if (code == ERR_NONE)
        code = check_groups(l, owner, x->reads);
    if (code == ERR_NONE && model_fault(x) != NULL)
        code = err_set_at(l->e, ERR_INPUT, l->path, 0, "%s %s", owner, model_fault(x));
    return code;
}

static const struct origin *origin_of_world(const void *x)
{
    const struct world_model *world = x;
    return world->from;
}

/* The model that a world charges is registered, too: planners must be able to believe what the world does. */
static bool has_model(const struct look *l, const struct cost_model *model)
{
    for (int i = 0; i < IASIM_PLUGIN_MAX && l->lists->models[i] != NULL; i++)
        if (l->lists->models[i] == model)
            return true;
    return false;
}

/* A world's values have room for one list of parameters, its own or its model's. */
static const char *world_fault(const struct look *l, const struct world_model *x)
{
    if (x->charges != NULL && !has_model(l, x->charges))
        return "charges a cost model that is not among the plugin's .models";
    if (x->charges != NULL && x->params != NULL && x->charges->params != NULL)
        return "has parameters, and the cost model that it charges has others; only one of the two can have them";
    if (x->speed_factor_ratio == NULL && x->charges == NULL)
        return "does nothing: its function speed_factor_ratio is NULL, and it charges no cost model";
    return NULL;
}

static enum err_code check_world(const struct look *l, int i)
{
    const struct world_model *x = l->lists->worlds[i];
    char owner[100];
    enum err_code code =
        check_words(l, &(struct kind){"world", l->lists->worlds, world_models, origin_of_world}, i, owner);
    if (code == ERR_NONE)
        code = check_numbers(l, owner, x->params, false);
    if (code == ERR_NONE)
        code = check_groups(l, owner, x->reads);
    if (code == ERR_NONE && world_fault(l, x) != NULL)
        code = err_set_at(l->e, ERR_INPUT, l->path, 0, "%s %s", owner, world_fault(l, x));
    return code;
}

/* ---- all of them ---- */

enum err_code plugin_check(const struct iasim_plugin *plugin, const char *path, struct err *e)
{
    const struct iasim_plugin_lists *all = &plugin->lists;
    const struct look l = {all, path, e};
    enum err_code code = check_version(plugin, path, e);
    if (code != ERR_NONE)
        return code;
    /* most likely a forgotten list: loading nothing in silence would look like success */
    if (all->policies[0] == NULL && all->schedulers[0] == NULL && all->actors[0] == NULL && all->models[0] == NULL &&
        all->worlds[0] == NULL)
        return err_set_at(e, ERR_INPUT, path, 0,
                          "the plugin names no schedulers, policies, actors, models or worlds in IASIM_PLUGIN()");
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && all->policies[i] != NULL; i++)
        code = check_policy(&l, i);
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && all->schedulers[i] != NULL; i++)
        code = check_scheduler(&l, i);
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && all->actors[i] != NULL; i++)
        code = check_actor(&l, i);
    /* worlds come after models, which they may charge */
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && all->models[i] != NULL; i++)
        code = check_model(&l, i);
    for (int i = 0; code == ERR_NONE && i < IASIM_PLUGIN_MAX && all->worlds[i] != NULL; i++)
        code = check_world(&l, i);
    return code;
}
