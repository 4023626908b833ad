/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the experiments about task farms share: their machine, their tree, the size of a task. Internal to
 * this folder. */
#ifndef IASIM_EXPERIMENTS_FARM_POINT_H
#define IASIM_EXPERIMENTS_FARM_POINT_H

#include "actors/farm_actors.h"
#include "experiments/bound_memory.h"
#include "experiments/experiment.h"
#include "farm/tree.h"

/* For the list of parameters of such an experiment. `instance` is the seed of the generated farm: points that differ in
   nothing that makes the farm have the same one, so that variants are compared on the same farms. */
/* clang-format off */
#define FARM_POINT_PARAMS                                                                                    \
    {"platform", PARAM_TEXT, "file", "", 0, 0, NULL, "SimGrid platform: the machine; else `generator` makes one"}, \
    {"deployment", PARAM_TEXT, "file", "", 0, 0, NULL, "SimGrid deployment: the tree and what is believed"}, \
    {"generator", PARAM_TEXT, "", "", 0, 0, NULL,                                                            \
     "star[hosts=N,..] or tree[hosts=N,..]: platform and deployment of a random farm"},                      \
    {"instance", PARAM_INTEGER, "", "1", 0, 9e15, NULL, "seed of the generator: which random farm"},         \
    {"send_size", PARAM_NUMBER, "MB", NULL, 1e-6, 9e9, NULL, "size of a task, taken to the whole byte"},     \
    {"compute_size", PARAM_NUMBER, "work units", NULL, 1e-9, 1e18, NULL, "work of a task"}
/* clang-format on */
#define FARM_POINT_SHARED "platform", "generator", "instance"

extern const struct experiment_file farm_point_files[];

double farm_point_bytes(double megabytes); /* whole ones */

/* For an experiment's `check`, `check_given` and `prepare`. */
enum err_code farm_point_check(const char *name, const char *value, struct err *e);
enum err_code farm_point_check_given(const struct param_set *params, struct err *e);
extern const char *const farm_point_instance[];
enum err_code farm_point_prepare(const struct param_set *params, void **shared, struct err *e);

struct farm_point {
    enum farm_engine kind;
    struct engine *engine;
    struct bound_memory *bounds; /* of all points on this machine */
    const struct tree *tree;     /* bound to the engine's machine */
    struct farm_deployment deployment;
    double task_bytes, task_flop;
};
/* Borrows everything from what the points share: valid until the next point. */
enum err_code farm_point_init(struct farm_point *f, const struct point *p, struct err *e);

#endif
