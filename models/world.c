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

static const struct world_model **made; /* worlds with parameters: those of the cost model that they charge */
static size_t n_made, made_capacity;

/* The same world for the same model. */
static const struct world_model *with_charges(const struct world_model *plain, const struct cost_model *charges)
{
    for (size_t i = 0; i < n_made; i++)
        if (made[i]->name == plain->name && made[i]->charges == charges)
            return made[i];
    struct world_model *world = mem_alloc(sizeof *world);
    *world = *plain;
    world->charges = charges;
    MEM_GROW(made, n_made, made_capacity);
    return made[n_made++] = world;
}

/* `parameters` have their brackets. */
static enum err_code find(const struct spec *spec, const char *parameters, const struct world_model **out,
                          struct err *e)
{
    const struct world_model *plain = registry_choose(world_models, "world model", spec->name, e);
    const struct cost_model *charges = plain != NULL ? plain->charges : NULL;
    if (plain == NULL)
        return ERR_INPUT;
    *out = plain;
    if (charges == NULL || charges->params == NULL)
        return spec->n == 0
                   ? ERR_NONE
                   : err_set(e, ERR_INPUT, "world %s has no parameter '%s': it takes none", plain->name, spec->keys[0]);
    char *model = mem_format("%s%s", charges->name, parameters);
    enum err_code code = cost_model_find(model, &charges, e);
    free(model);
    if (code == ERR_NONE)
        *out = with_charges(plain, charges);
    return code;
}

enum err_code world_find(const char *text, const struct world_model **out, struct err *e)
{
    struct spec spec;
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    code = find(&spec, text + strlen(spec.name), out, e);
    spec_clear(&spec);
    return code;
}

static bool has_known_name(const char *text)
{
    size_t n = strcspn(text, "[");
    char *name = mem_format("%.*s", (int)n, text);
    bool is_known = registry_find(world_models, name) != NULL;
    free(name);
    return is_known;
}

enum err_code world_find_of_speeds(const char *text, const struct world_model **out, struct err *e)
{
    if (!has_known_name(text))
        return err_set(e, ERR_INPUT, "there is no world '%s' for a SimGrid program; known: interference, none", text);
    if (world_find(text, out, e) != ERR_NONE)
        return ERR_INPUT;
    if ((*out)->charges != NULL)
        return err_set(e, ERR_INPUT,
                       "world '%s' occupies processors; a SimGrid program can be given one that changes the speed of "
                       "hosts: interference, or none",
                       text);
    return ERR_NONE;
}

char *world_warning(const struct world_model *w, const struct machine *m)
{
    return machine_missing_properties(m, w->reads, "world", w->name);
}

struct world_flow world_flow_of(const struct machine *m, host_id host, enum direction dir, host_id peer)
{
    struct world_flow flow = {.direction = dir};
    for (enum regime regime = 0; regime < N_REGIMES; regime++) {
        flow.ir_s_per_byte[regime] = machine_ir_s_per_byte(m, host, regime, dir, peer);
        flow.constant_ratio[regime] = machine_ir_constant_ratio(m, host, regime, dir, peer);
    }
    return flow;
}

enum regime world_regime(const struct world_flow *flows, size_t n_flows)
{
    bool goes[N_DIRECTIONS] = {false, false};
    for (size_t i = 0; i < n_flows; i++)
        goes[flows[i].direction] = goes[flows[i].direction] || flows[i].rate_bytes_per_s > 0;
    return goes[DIR_SEND] && goes[DIR_RECV] ? REGIME_DUPLEX : REGIME_ONE_WAY;
}

double world_factor_ratio(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                          size_t n_flows)
{
    if (w->speed_factor_ratio == NULL || n_flows == 0)
        return 1;
    double factor = w->speed_factor_ratio(h, flows, n_flows);
    return fmin(1, fmax(h->ir_floor_ratio, factor));
}
