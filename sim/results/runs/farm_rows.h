/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What kinds of run about task farms share: their machine, their tree, the size of a task. Internal to this folder. */
#ifndef IASIM_RUNS_FARM_ROWS_H
#define IASIM_RUNS_FARM_ROWS_H

#include "actors/farm_actors.h"
#include "farm/tree.h"
#include "runs/bound_memory.h"
#include "runs/run.h"

/* The rows of such a kind. `instance` is the seed of the generated farm: points that differ in nothing that makes the farm have
   the same one, so that variants are compared on the same farms. */
/* clang-format off */
#define FARM_ROWS                                                                                                      \
    {.is = {"platform", PARAM_TEXT, "file", "", 0, 0, NULL, "SimGrid platform: the machine; else `generator` makes one"}, \
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_FILE | RUN_FILE_OF_FILES, .folder = "platforms"},                        \
    {.is = {"deployment", PARAM_TEXT, "file", "", 0, 0, NULL, "SimGrid deployment: the tree and what is believed"},    \
     .facts = RUN_INSTANCE | RUN_FILE, .folder = "deployments"},                                                       \
    {.is = {"generator", PARAM_TEXT, "", "", 0, 0, NULL,                                                               \
            "star[hosts=N,..] or tree[hosts=N,..]: platform and deployment of a random farm"},                         \
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_SEEDED, .check = farm_row_check_generator},                              \
    {.is = {"instance", PARAM_INTEGER, "", "1", 0, 9e15, NULL, "seed of the generator: which random farm"},            \
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_SEED},                                                                   \
    {.is = {"send_size", PARAM_NUMBER, "MB", NULL, 1e-6, 9e9, NULL, "size of a task, taken to the whole byte"}},       \
    {.is = {"compute_size", PARAM_NUMBER, "work units", NULL, 1e-9, 1e18, NULL, "work of a task"}}
/* clang-format on */

enum err_code farm_row_check_generator(const char *value, struct err *e);

double farm_point_bytes(double megabytes); /* whole ones */

/* For `check_given` and `prepare` of such a kind. */
enum err_code farm_rows_check_given(const struct param_set *params, struct err *e);
enum err_code farm_rows_prepare(const struct param_set *params, void **shared, struct err *e);

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
