/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the rows of a farm to a bound tree on a machine. Points of one process share the machine; the tree is kept as
   long as the deployment stays the same. */
#include "runs/farm_rows.h"

#include "actors/actors.h"
#include "base/mem.h"
#include "base/text.h"
#include "engine/engine.h"
#include "farm/farm_generate.h"
#include "runs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct farm_machine { /* what points share */
    enum farm_engine kind;
    struct engine *engine;
    struct bound_memory *bounds;
    struct tree tree;      /* of the generated farm, or of the last deployment; bound */
    char *deployment;      /* that file; NULL: none */
    struct text generated; /* else the deployment itself */
};

double farm_point_bytes(double megabytes)
{
    /* Whole bytes: a size in MB such as 0.1 is no exact number of bytes in binary, and both engines must move the
       same. */
    return rint(megabytes * 1e6);
}

static bool is_given(const struct param_set *ps, const char *name)
{
    return param_text(ps, name)[0] != '\0';
}

/* A generated farm has platform and deployment of its own; otherwise both must be given. */
enum err_code farm_rows_check_given(const struct param_set *ps, struct err *e)
{
    bool generated = is_given(ps, "generator");
    if (is_given(ps, "platform") == generated)
        return err_set(e, ERR_INPUT,
                       "a farm comes from files (platform and deployment) or from a generator: give one of the two");
    if (is_given(ps, "deployment") == generated)
        return err_set(e, ERR_INPUT,
                       generated ? "a generated farm has a deployment of its own: give no other"
                                 : "the parameter deployment is not given");
    return ERR_NONE;
}

enum err_code farm_row_check_request(const char *value, struct err *e)
{
    /* A number that cannot be read is refused by the row's type, with a better message. */
    double megabytes;
    if (text_to_double(value, &megabytes) && megabytes > 0 && megabytes < FARM_LEAST_MB)
        return err_set(e, ERR_INPUT, "request_size %s MB is less than a byte; it must be 0, or at least 1e-06", value);
    return ERR_NONE;
}

enum err_code farm_row_check_generator(const char *value, struct err *e)
{
    struct generate_options ignored;
    return value[0] != '\0' ? generate_choose(value, 0, &ignored, e) : ERR_NONE;
}

static enum farm_engine engine_of(const struct param_set *params)
{
    return row_is(params, "engine", "actors") ? FARM_ACTORS : FARM_EVENTS;
}

/* The same texts that `iasim generate` would write to files go through the same readers, so a generated farm is
   treated exactly as one from files. */
static enum err_code generate(struct farm_machine *m, const struct param_set *params, struct err *e)
{
    const char *generator = param_text(params, "generator");
    uint64_t seed = (uint64_t)param_integer(params, "instance");
    struct generate_options options;
    struct text platform = {0}, *deployment = &m->generated;
    enum err_code code = generate_choose(generator, seed, &options, e);
    if (code == ERR_NONE)
        code = generate_farm(&options, &platform, deployment, e);
    if (code == ERR_NONE)
        code = engine_open_text(generator, text_str(&platform), platform.size, &m->engine, e);
    if (code == ERR_NONE)
        code = rows_override(m->engine, params, e);
    if (code == ERR_NONE)
        code = deployment_parse(text_str(deployment), deployment->size, generator, &m->tree, e);
    /* Names of the deployment become hosts of this machine; before that the tree knows names only. */
    if (code == ERR_NONE)
        code = tree_bind(&m->tree, engine_machine(m->engine), e);
    text_clear(&platform);
    return code;
}

void *farm_rows_share(struct engine *engine)
{
    struct farm_machine *m = mem_zalloc(1, sizeof *m);
    m->engine = engine;
    return m;
}

void farm_rows_release(void *shared)
{
    struct farm_machine *m = shared;
    tree_clear(&m->tree);
    text_clear(&m->generated);
    bound_memory_free(m->bounds);
    free(m->deployment);
    free(m);
}

enum err_code farm_rows_prepare(const struct param_set *params, void **shared, struct err *e)
{
    struct farm_machine *m = *shared = farm_rows_share(NULL);
    /* Before the first point is forked, so that all points share it. */
    m->bounds = bound_memory_create();
    m->kind = engine_of(params);
    /* The platform that is opened afterwards is for actors. */
    if (m->kind == FARM_ACTORS && actors_prepare(e) != ERR_NONE)
        return ERR_INTERNAL;
    return is_given(params, "generator") ? generate(m, params, e) : rows_open_machine(params, &m->engine, e);
}

/* Most sweeps have one deployment, and a process serves many points, so the last tree is kept. By its path: files do
   not change during a sweep. */
static enum err_code read_deployment(struct farm_machine *m, const char *path, struct err *e)
{
    if (m->deployment != NULL && strcmp(m->deployment, path) == 0)
        return ERR_NONE;
    /* The old tree first: after an error there must be none that looks valid. */
    tree_clear(&m->tree);
    free(m->deployment);
    m->deployment = NULL;
    enum err_code code = deployment_read(path, &m->tree, e);
    if (code == ERR_NONE)
        code = tree_bind(&m->tree, engine_machine(m->engine), e);
    if (code == ERR_NONE)
        m->deployment = mem_strdup(path);
    return code;
}

enum err_code farm_point_init(struct farm_point *f, const struct point *p, struct err *e)
{
    struct farm_machine *m = p->shared;
    const char *deployment = param_text(p->params, "deployment");
    *f = (struct farm_point){.kind = m->kind,
                             .engine = m->engine,
                             .tree = &m->tree,
                             .bounds = m->bounds,
                             .task_bytes = farm_point_bytes(param_number(p->params, "send_size")),
                             .task_flop = param_number(p->params, "compute_size")};
    /* The tree of a generated farm was made in `prepare`. */
    bool is_generated = is_given(p->params, "generator");
    f->deployment = is_generated ? (struct farm_deployment){NULL, text_str(&m->generated), m->generated.size}
                                 : (struct farm_deployment){.path = deployment};
    return is_generated ? ERR_NONE : read_deployment(m, deployment, e);
}

struct farm_app farm_point_app(const struct farm_point *f, const struct param_set *ps)
{
    double request_mb = param_has(ps, "request_size") ? param_number(ps, "request_size") : 0;
    return (struct farm_app){
        .task_bytes = f->task_bytes, .task_flop = f->task_flop, .request_bytes = farm_point_bytes(request_mb)};
}
