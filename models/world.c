/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Worlds by their texts. A world with given parameters is a copy of the plain one, made once and kept until the program
   ends: engines and results hold pointers to it, and the same text must be the same world. */
#include "models/world.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/param.h"
#include "base/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD(name) extern const struct world_model world_##name;
#include "models/models.def"
#undef WORLD

static const struct world_model *const built_in[] = {
#define WORLD(name) &world_##name,
#include "models/models.def"
#undef WORLD
    NULL,
};

const struct world_model *const *world_models = built_in;
static struct registry registered;

static struct world_model **made; /* worlds with given parameters */
static size_t n_made, made_capacity;

const struct param *world_params(const struct world_model *w)
{
    return w->params == NULL && w->charges != NULL ? w->charges->params : w->params;
}

/* A plugin's cost model is known by the copy that was registered. */
void world_register(const struct world_model *w, const struct origin *from)
{
    struct world_model *ours = mem_alloc(sizeof *ours);
    *ours = *w;
    /* what a plugin may have left in the fields of iasim */
    ours->text = NULL;
    ours->values = NULL;
    ours->from = from;
    if (w->charges != NULL)
        ours->charges = registry_find(cost_models, w->charges->name);
    world_models = registry_add(&registered, world_models, &ours, from);
}

static const struct world_model *find_made(const char *text)
{
    for (size_t i = 0; i < n_made; i++)
        if (strcmp(made[i]->text, text) == 0)
            return made[i];
    return NULL;
}

static const struct world_model *make(const struct world_model *plain, const char *text)
{
    struct world_model *world = mem_alloc(sizeof *world);
    *world = *plain;
    world->text = mem_strdup(text);
    MEM_GROW(made, n_made, made_capacity);
    return made[n_made++] = world;
}

/* With the parameters of the model that it charges. */
static enum err_code find_charging(const struct world_model *plain, const char *text, const struct world_model **out,
                                   struct err *e)
{
    const struct cost_model *charges = NULL;
    char *model = mem_format("%s%s", plain->charges->name, text + strlen(plain->name));
    enum err_code code = cost_model_find(model, &charges, e);
    free(model);
    if (code != ERR_NONE)
        return code;
    struct world_model world = *plain;
    world.charges = charges;
    *out = make(&world, text);
    return ERR_NONE;
}

static enum err_code find_own(const struct world_model *plain, const struct spec *spec, const char *text,
                              const struct world_model **out, struct err *e)
{
    char *owner = mem_format("world %s", plain->name);
    struct param_set *ps = param_set_create(plain->params);
    enum err_code code = param_set_spec(ps, owner, spec, e);
    if (code == ERR_NONE) {
        struct world_model world = *plain;
        world.values = param_numbers(ps, plain->params);
        *out = make(&world, text);
    }
    param_set_free(ps);
    free(owner);
    return code;
}

/* A world has parameters of its own, or those of the model that it charges, or none; plugin_check refuses both at
   once. */
static enum err_code find(const struct spec *spec, const char *text, const struct world_model **out, struct err *e)
{
    const struct world_model *plain = registry_choose(world_models, "world model", spec->name, e);
    if (plain == NULL)
        return ERR_INPUT;
    *out = plain;
    if (plain->params != NULL)
        return find_own(plain, spec, text, out, e);
    if (world_params(plain) != NULL)
        return find_charging(plain, text, out, e);
    if (spec->n > 0)
        return err_set(e, ERR_INPUT, "world %s has no parameter '%s': it takes none", plain->name, spec->keys[0]);
    return ERR_NONE;
}

enum err_code world_find(const char *text, const struct world_model **out, struct err *e)
{
    struct spec spec;
    *out = find_made(text);
    if (*out != NULL)
        return ERR_NONE;
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    code = find(&spec, text, out, e);
    spec_clear(&spec);
    return code;
}

/* The worlds that a SimGrid program can be given: "none, interference". */
static void add_names_of_speeds(struct text *t)
{
    for (size_t i = 0; world_models[i] != NULL; i++)
        if (world_models[i]->charges == NULL)
            text_add_name(t, world_models[i]->name);
}

/* Both messages end with what would be right: the worlds that only change speeds. */
static enum err_code refuse_for_program(const char *text, bool is_known, struct err *e)
{
    struct text known = {0};
    add_names_of_speeds(&known);
    if (is_known)
        err_set(e, ERR_INPUT,
                "world '%s' occupies processors; a SimGrid program can be given one that only changes the speed of "
                "hosts: %s",
                text, text_str(&known));
    else
        err_set(e, ERR_INPUT, "there is no world '%s' for a SimGrid program%s", text,
                hint_among(text, text_str(&known), NULL).text);
    text_clear(&known);
    return ERR_INPUT;
}

enum err_code world_find_of_speeds(const char *text, const struct world_model **out, struct err *e)
{
    /* whether there is such a world at all decides which message helps */
    char *name = mem_format("%.*s", (int)strcspn(text, "["), text);
    bool is_known = registry_find(world_models, name) != NULL;
    free(name);
    if (!is_known)
        return refuse_for_program(text, false, e);
    if (world_find(text, out, e) != ERR_NONE)
        return ERR_INPUT;
    return (*out)->charges == NULL ? ERR_NONE : refuse_for_program(text, true, e);
}

const struct origin *world_origin(const char *text)
{
    const struct world_model *world;
    return world_find(text, &world, NULL) == ERR_NONE ? world->from : NULL;
}

const char *world_text(const struct world_model *w)
{
    return w->text != NULL ? w->text : w->name;
}

bool world_has_ports_or_transit(const struct world_model *w)
{
    return w->charges != NULL && (w->charges->books_ports || w->charges->transit_s != NULL);
}

enum err_code world_find_of_networks(const char *text, const struct world_model **out, struct err *e)
{
    if (world_find(text, out, e) != ERR_NONE)
        return ERR_INPUT;
    if (world_has_ports_or_transit(*out))
        return err_set(
            e, ERR_INPUT,
            "world '%s' has ports, or its own times for data under way, and uses no links; only a replay can be "
            "carried out in it",
            text);
    return ERR_NONE;
}

char *world_warning(const struct world_model *w, const struct machine *m)
{
    /* parameters of the model stand for properties of the platform */
    unsigned reads = w->charges != NULL && cost_model_reads(w->charges) == 0 ? 0 : w->reads;
    return machine_missing_properties(m, reads, "world", w->name);
}

struct world_flow world_flow_of(const struct machine *m, host_id host, enum direction dir, host_id peer)
{
    struct world_flow flow = {.direction = dir, .peer = peer, .curve = machine_ir_curve(m, host, dir, peer)};
    for (enum regime regime = 0; regime < N_REGIMES; regime++) {
        flow.ir_s_per_byte[regime] = machine_ir_s_per_byte(m, host, regime, dir, peer);
        flow.constant_ratio[regime] = machine_ir_constant_ratio(m, host, regime, dir, peer);
    }
    return flow;
}

/* What a plugin's world reads is not known, so it may. */
bool world_may_slow(const struct world_model *w, const struct machine *m, host_id host)
{
    return w->speed_factor_ratio != NULL && (w->from != NULL || machine_host_has_ir(m, host));
}

/* What the function of a plugin says. */
static double their_factor(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                           size_t n_flows)
{
    foreign_ask(w->from, "speed_factor_ratio", "world", w->name);
    double factor = w->speed_factor_ratio(w, h, flows, n_flows);
    foreign_answered();
    if (isfinite(factor))
        return factor;
    /* the run goes on with 1 to an end at which the fault is reported: a formula has no way to stop the engine */
    char *words = mem_format("gives host '%.200s' the speed factor %s; it must be a finite number", h->name,
                             foreign_odd_number(factor));
    foreign_refuse(w->from, "world", world_text(w), words);
    free(words);
    return 1;
}

double world_factor_ratio(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                          size_t n_flows)
{
    /* without flows exactly 1, whatever the formula */
    if (w->speed_factor_ratio == NULL || n_flows == 0)
        return 1;
    double factor = w->from != NULL ? their_factor(w, h, flows, n_flows) : w->speed_factor_ratio(w, h, flows, n_flows);
    return fmin(1, fmax(h->ir_floor_ratio, factor));
}
