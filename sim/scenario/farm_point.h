/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the experiments about task farms share: their machine, their tree, the size of a task. Internal to
 * this folder. */
#ifndef IASIM_SCENARIO_FARM_POINT_H
#define IASIM_SCENARIO_FARM_POINT_H

#include "farm/tree.h"
#include "scenario/bound_memory.h"
#include "scenario/experiment.h"

/* For the list of parameters of such an experiment. */
/* clang-format off */
#define FARM_POINT_PARAMS                                                                                    \
    {"platform", PARAM_TEXT, "file", NULL, 0, 0, NULL, "SimGrid platform: the machine"},                     \
    {"deployment", PARAM_TEXT, "file", NULL, 0, 0, NULL, "SimGrid deployment: the tree and what is believed"}, \
    {"send_size", PARAM_NUMBER, "MB", NULL, 1e-6, 9e9, NULL, "size of a task, taken to the whole byte"},     \
    {"compute_size", PARAM_NUMBER, "work units", NULL, 1e-9, 1e18, NULL, "work of a task"}
/* clang-format on */

extern const struct experiment_file farm_point_files[];

double farm_point_bytes(double megabytes); /* whole ones */

struct farm_machine { /* what `prepare` makes */
    struct engine *engine; /* with the platform */
    struct bound_memory *bounds;
};
enum err_code farm_point_prepare(const char *platform_path, void **shared, struct err *e);

struct farm_point {
    struct engine *engine;
    struct bound_memory *bounds;
    struct tree tree; /* bound to the engine's machine */
    double task_bytes, task_flop;
};
enum err_code farm_point_init(struct farm_point *f, const struct point *p, struct err *e);
void farm_point_clear(struct farm_point *f);

#endif
