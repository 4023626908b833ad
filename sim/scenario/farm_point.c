/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/farm_point.h"

#include "base/mem.h"
#include "engine/engine.h"

#include <math.h>

const struct experiment_file farm_point_files[] = {
    {"platform", FILE_PLATFORM},
    {"deployment", FILE_PLAIN},
    {NULL, FILE_PLAIN},
};

double farm_point_bytes(double megabytes)
{
    return rint(megabytes * 1e6);
}

enum err_code farm_point_prepare(const char *platform_path, void **shared, struct err *e)
{
    struct farm_machine *m = mem_zalloc(1, sizeof *m);
    m->bounds = bound_memory_create();
    *shared = m;
    return engine_open(platform_path, &m->engine, e);
}

enum err_code farm_point_init(struct farm_point *f, const struct point *p, struct err *e)
{
    const struct farm_machine *m = p->shared;
    *f = (struct farm_point){.engine = m->engine,
                             .bounds = m->bounds,
                             .task_bytes = farm_point_bytes(param_number(p->params, "send_size")),
                             .task_flop = param_number(p->params, "compute_size")};
    enum err_code code = deployment_read(param_text(p->params, "deployment"), &f->tree, e);
    return code == ERR_NONE ? tree_bind(&f->tree, engine_machine(f->engine), e) : code;
}

void farm_point_clear(struct farm_point *f)
{
    tree_clear(&f->tree);
}
