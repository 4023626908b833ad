/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "actors/actors.h"

/* Programs that never use actors must not pay for loading these objects, and must run where the objects are missing. So
   both are opened when actors are asked for, before the platform: the layer has to be there when SimGrid announces it.
   They are never closed: SimGrid calls into them. */
#include "engine/engine.h"
#include "engine/shared_object.h"
#include "simgrid/preload.h"

#include <string.h>

const struct actors *actors;
layer_take *actors_layer_take;
layer_host_use *actors_layer_host_use;
const struct layer_loads *actors_layer_loads;

static const char *no_file(void)
{
    return NULL;
}

enum err_code actors_prepare(struct err *e)
{
    static const char what[] = "the part of iasim that runs SimGrid actors";
    const struct actors *(*get)(void) = NULL;
    layer_start *start = NULL;
    if (actors != NULL) /* a process prepares once */
        return ERR_NONE;
    void *layer = object_symbol("libiasim-layer.so", "iasim_layer_start", what, e);
    void *table = layer != NULL ? object_symbol("libiasim-actors.so", "iasim_actors", what, e) : NULL;
    if (table == NULL)
        return ERR_INTERNAL;
    void *take = object_symbol("libiasim-layer.so", "iasim_layer_take", what, e);
    void *use = take != NULL ? object_symbol("libiasim-layer.so", "iasim_layer_host_use", what, e) : NULL;
    void *loads = use != NULL ? object_symbol("libiasim-layer.so", "iasim_layer_loads", what, e) : NULL;
    /* One message for whatever is missing: object_symbol has written it. */
    if (loads == NULL)
        return ERR_INTERNAL;
    actors_layer_loads = loads;
    /* ISO C has no cast from an object pointer to a function pointer */
    memcpy(&actors_layer_take, &take, sizeof take);
    memcpy(&actors_layer_host_use, &use, sizeof use);
    memcpy(&start, &layer, sizeof start);
    memcpy(&get, &table, sizeof get);
    /* the world is named later (actors_layer_take); this one only decides that speeds may change */
    if (start("interference", no_file) != 0)
        return err_set(e, ERR_INTERNAL, "%s cannot be used", what);
    get()->prepare();
    engine_leave_to_actors();
    actors = get();
    return ERR_NONE;
}
