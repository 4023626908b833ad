/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What values of common rows mean: read here once, whichever kind has the row. Values have been checked by their
   rows before a run, so a value that cannot be read here is a bug or a file that has changed meanwhile. */
#include "runs/rows.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"
#include "engine/waiting.h"
#include "models/cost/cost.h"
#include "models/world.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum err_code row_check_world(const char *value, struct err *e)
{
    const struct world_model *world;
    return world_find(value, &world, e);
}

enum err_code row_check_world_of_networks(const char *value, struct err *e)
{
    const struct world_model *world;
    return world_find_of_networks(value, &world, e);
}

const struct origin *row_world_origin(const char *value)
{
    return world_origin(value);
}

enum err_code row_check_model(const char *value, struct err *e)
{
    const struct cost_model *model;
    return cost_model_find(value, &model, e);
}

const struct origin *row_model_origin(const char *value)
{
    const struct cost_model *model;
    return cost_model_find(value, &model, NULL) == ERR_NONE ? model->from : NULL;
}

/* ---- values ---- */

/* A kind without the row and a point without the value look alike to the callers: there is none. */
static const char *value_of(const struct param_set *params, const char *name)
{
    return param_is_known(params, name) ? param_text(params, name) : NULL;
}

bool row_is(const struct param_set *params, const char *name, const char *value)
{
    const char *given = value_of(params, name);
    return given != NULL && strcmp(given, value) == 0;
}

enum err_code row_check_noise(const char *value, struct err *e)
{
    /* The seed does not matter for whether it can be read. */
    struct noise noise;
    enum err_code code = noise_parse(value, 0, &noise, e);
    if (code == ERR_NONE)
        noise_clear(&noise);
    return code;
}

const struct noise *row_noise(const struct point *p, struct noise *storage)
{
    const char *given = value_of(p->params, "noise");
    *storage = (struct noise){0};
    if (given == NULL)
        return NULL;
    /* The stream number is the seed: it differs from replication to replication and agrees between variants
       (RUN_VARIANT), so that they are compared under the same noise. */
    enum err_code code = noise_parse(given, p->stream, storage, NULL);
    assert(code == ERR_NONE); /* its row has checked it */
    (void)code;
    return storage;
}

enum err_code row_check_waiting(const char *value, struct err *e)
{
    struct replay_options ignored = {0};
    return waiting_read(value, &ignored, e);
}

enum err_code replay_how_read(struct replay_how *out, const struct point *p, struct err *e)
{
    const struct param_set *ps = p->params;
    out->by = row_is(ps, "engine", "actors") ? REPLAY_ACTORS : REPLAY_EVENTS;
    /* Not given means fluid links and the engine's events, as the rows' help says. */
    out->options = (struct replay_options){
        .links = row_is(ps, "links", "exclusive") ? REPLAY_EXCLUSIVE : REPLAY_FLUID,
        .noise = row_noise(p, &out->noise),
    };
    enum err_code code = waiting_read(value_of(ps, "waiting"), &out->options, e);
    return code == ERR_NONE ? world_find(value_of(ps, "world"), &out->options.world, e) : code;
}

void replay_how_clear(struct replay_how *how)
{
    noise_clear(&how->noise);
}

/* The kind `interference` has result columns ir_send and ir_recv, so its rows have longer names. */
static const char *ir_of(const struct param_set *params, const char *name, const char *long_name)
{
    return value_of(params, param_is_known(params, name) ? name : long_name);
}

/* ---- bandwidths ---- */

static enum err_code set_bandwidth(struct engine *engine, const char *name, double bytes_per_s, struct err *e)
{
    const struct machine *m = engine_machine(engine);
    struct text known = {0};
    for (size_t l = 0; l < m->n_links; l++) {
        if (strcmp(m->links[l].name, name) == 0) {
            /* The engine takes a factor of the platform's bandwidth. */
            engine_scale_bandwidth(engine, (link_id)l, bytes_per_s / m->links[l].bandwidth_bytes_per_s);
            text_clear(&known);
            return ERR_NONE;
        }
        /* Collected while looking, for the message. With the link found they are dropped. */
        text_add_name(&known, m->links[l].name);
    }
    err_set(e, ERR_INPUT, "bandwidth: the platform has no link '%s'%s", name,
            hint_among(name, text_str(&known), NULL).text);
    text_clear(&known);
    return ERR_INPUT;
}

/* "uplink=11,stream=10.45"; without an engine it is only read. */
static enum err_code read_bandwidths(struct engine *engine, const char *value, struct err *e)
{
    char *copy = mem_strdup(value), *rest = copy;
    enum err_code code = ERR_NONE;
    /* Both separators: ',' is usual, and ';' is for scenarios, where ',' separates the values of an axis. */
    for (char *entry; code == ERR_NONE && (entry = strsep(&rest, ",;")) != NULL;) {
        /* strsep cuts the entry at its '=' and leaves the rate behind it; NULL: there was none. */
        char *rate = entry, *name = strsep(&rate, "=");
        double megabytes_per_s;
        if (rate == NULL || *name == '\0' || !text_to_double(rate, &megabytes_per_s) || !(megabytes_per_s > 0) ||
            megabytes_per_s > 1e12)
            code = err_set(e, ERR_INPUT, "bandwidth: '%s=%s'; expected LINK=MB/s, above 0 and at most 1e12", name,
                           rate != NULL ? rate : "");
        else if (engine != NULL)
            code = set_bandwidth(engine, name, megabytes_per_s * 1e6, e);
    }
    free(copy);
    return code;
}

enum err_code row_check_bandwidth(const char *value, struct err *e)
{
    return read_bandwidths(NULL, value, e);
}

enum err_code rows_override(struct engine *engine, const struct param_set *params, struct err *e)
{
    const struct machine_values values = {.ir_send = ir_of(params, "ir_send", "platform_ir_send"),
                                          .ir_recv = ir_of(params, "ir_recv", "platform_ir_recv"),
                                          .overhead = value_of(params, "overhead"),
                                          .involvement = value_of(params, "involvement")};
    const char *bandwidths = value_of(params, "bandwidth");
    /* Before anybody asks the engine for its machine: the snapshot is made once. */
    enum err_code code = engine_override(engine, &values, e);
    return code == ERR_NONE && bandwidths != NULL ? read_bandwidths(engine, bandwidths, e) : code;
}

enum err_code rows_open_machine(const struct param_set *params, struct engine **out, struct err *e)
{
    enum err_code code = engine_open(param_text(params, "platform"), out, e);
    return code == ERR_NONE ? rows_override(*out, params, e) : code;
}
