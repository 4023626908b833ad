/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What kinds of run about task farms share: their machine, their tree, the size of a task. */
#ifndef IASIM_RUNS_FARM_ROWS_H
#define IASIM_RUNS_FARM_ROWS_H

#include "actors/farm_actors.h"
#include "farm/tree.h"
#include "runs/bound_memory.h"
#include "runs/run.h"

/* The rows of such a kind. `instance` is the seed of the generated farm: points that differ in nothing that makes
   the farm have the same one, so that variants are compared on the same farms. */
/* clang-format off */
#define FARM_ROWS                                                                                                      \
    {.is = {"platform", PARAM_TEXT, "file", "", 0, 0, NULL, "SimGrid platform"},                                       \
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_FILE | RUN_FILE_OF_FILES, .folder = "platforms",                         \
     .letter = 'p', .arg = "FILE", .values = "platforms/ *.xml"},                                                      \
    {.is = {"deployment", PARAM_TEXT, "file", "", 0, 0, NULL, "tree of the farm and what the scheduler believes"},     \
     .facts = RUN_INSTANCE | RUN_FILE, .folder = "deployments",                                                        \
     .letter = 'd', .arg = "FILE", .values = "deployments/ *.xml"},                                                    \
    {.is = {"generator", PARAM_TEXT, "", "", 0, 0, NULL,                                                               \
            "star[hosts=N,..] or tree[hosts=N,..]: platform and deployment of a random farm, in place of files"},      \
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_SEEDED, .check = farm_row_check_generator},                              \
    {.is = {"instance", PARAM_INTEGER, "", "1", 0, 9e15, NULL, "seed of the generator: which random farm"},            \
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_SEED},                                                                   \
    {.is = {"send_size", PARAM_NUMBER, "MB", NULL, 1e-6, 9e9, NULL, "size of a task, taken to the whole byte"},        \
     .arg = "MB"},                                                                                                     \
    {.is = {"compute_size", PARAM_NUMBER, "work units", NULL, 1e-9, 1e18, NULL, "work of a task; a unit is 1 flop"},   \
     .arg = "UNITS"}
#define FARM_LEAST_MB 1e-6 /* a byte */
#define REQUEST_ROW(by_default, other_facts)                                                                           \
    {.is = {"request_size", PARAM_NUMBER, "MB", by_default, 0, 9e9, NULL, "size of a request; 0 takes no time"},       \
     .facts = other_facts, .check = farm_row_check_request, .arg = "MB", .above_zero = FARM_LEAST_MB}
/* clang-format on */

enum err_code farm_row_check_generator(const char *value, struct err *e);
enum err_code farm_row_check_request(const char *value, struct err *e);

double farm_point_bytes(double megabytes); /* whole ones */

/* For `check_given`, `prepare` and `release` of such a kind. */
enum err_code farm_rows_check_given(const struct param_set *params, struct err *e);
enum err_code farm_rows_prepare(const struct param_set *params, void **shared, struct err *e);
void farm_rows_release(void *shared);
/* Of the struct run_kind of such a kind, with its `rows`, `metrics` and `run`. */
#define FARM_KIND                                                                                                      \
    .rows = rows, .metrics = metrics, .check_given = farm_rows_check_given, .prepare = farm_rows_prepare,              \
    .release = farm_rows_release, .run = run

/* What `prepare` makes, on a machine that is loaded already. */
void *farm_rows_share(struct engine *engine);

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

/* Sizes of a task and of a request; the rest is 0. */
struct farm_app farm_point_app(const struct farm_point *f, const struct param_set *params);

#endif
