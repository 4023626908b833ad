/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the experiments about task graphs share: a machine with its routes, a graph, a planner and what it believes.
   Internal to this folder. */
#ifndef IASIM_EXPERIMENTS_GRAPH_POINT_H
#define IASIM_EXPERIMENTS_GRAPH_POINT_H

#include "engine/replay.h"
#include "experiments/experiment.h"
#include "schedulers/scheduler.h"

/* For the list of parameters of such an experiment. `instance` is the seed of the graph: points that differ in nothing
   that makes the graph have the same one, so that variants are compared on the same graphs. */
/* clang-format off */
#define GRAPH_POINT_PARAMS                                                                                   \
    {"platform", PARAM_TEXT, "file", NULL, 0, 0, NULL, "SimGrid platform: the machine"},                     \
    {"graph", PARAM_TEXT, "file", "", 0, 0, NULL, "task graph; else `generator` makes one"},                 \
    {"generator", PARAM_TEXT, "", "", 0, 0, NULL, "NAME[k=v,..] of a graph generator; `iasim list` lists them"}, \
    {"instance", PARAM_INTEGER, "", "1", 0, 9e15, NULL, "seed of the generator: which random graph"},        \
    {"ccr", PARAM_NUMBER, "", "0", 0, 1e12, NULL,                                                            \
     "communication-to-computation ratio to scale the edges to; 0: as they are"},                            \
    {"costs", PARAM_TEXT, "file", NULL, 0, 0, NULL,                                                          \
     "seconds of each task on each host (CSV, as --costs of `iasim schedule`), instead of work / speed"},    \
    {"unrelated", PARAM_NUMBER, "", NULL, 0, 2, NULL,                                                        \
     "draws the time of each task on each host from its mean (1 +- half of this)"},                          \
    {"scheduler", PARAM_TEXT, "", "list", 0, 0, NULL, "NAME[k=v,..] of a scheduler"},                        \
    {"model", PARAM_TEXT, "", NULL, 0, 0, NULL, "the cost model that the planner believes"}
/* clang-format on */

/* Those of the list above that enter keys only where they are given. */
#define GRAPH_POINT_OPTIONAL "costs", "unrelated"

/* An optional parameter of experiments that replay. */
/* clang-format off */
#define WAITING_PARAM                                                                                        \
    {"waiting", PARAM_CHOICE, "", NULL, 0, 0, "passive|active",                                              \
     "whether a send and a receive hold their processor until the data have arrived; passive unless given"}
/* clang-format on */
enum replay_waiting graph_point_waiting(const struct param_set *params);

extern const struct experiment_file graph_point_files[];

/* Metrics of a plan, in this order. */
enum {
    PLAN_LENGTH,
    PLAN_SEQUENTIAL,
    PLAN_SPEEDUP,
    PLAN_CRITICAL_PATH,
    PLAN_WORK_BOUND,
    PLAN_COMMUNICATION_BOUND,
    PLAN_CCR,
    PLAN_REMOTE_EDGES,
    PLAN_SLR,
    PLAN_GAP,
    N_PLAN_METRICS,
};
/* clang-format off */
#define GRAPH_POINT_METRICS                                                                                  \
    [PLAN_LENGTH] = {"planned_s", "s", "length of the schedule, as planned", BETTER_LOWER},                  \
    [PLAN_SEQUENTIAL] = {"sequential_s", "s", "all tasks on the fastest host", BETTER_NONE},                 \
    [PLAN_SPEEDUP] = {"planned_speedup", "", "sequential over planned length", BETTER_HIGHER},               \
    [PLAN_CRITICAL_PATH] = {"critical_path_s", "s", "lower bound: the longest path on the fastest host", BETTER_NONE}, \
    [PLAN_WORK_BOUND] = {"work_bound_s", "s", "lower bound: all work at the speed of all hosts", BETTER_NONE}, \
    [PLAN_COMMUNICATION_BOUND] = {"communication_bound_s", "s",                                              \
                                  "lower bound that counts communication, under the model", BETTER_NONE},    \
    [PLAN_CCR] = {"graph_ccr", "", "communication-to-computation ratio of the graph on the platform", BETTER_NONE}, \
    [PLAN_REMOTE_EDGES] = {"n_remote_edges", "edges", "between two hosts", BETTER_NONE},                     \
    [PLAN_SLR] = {"slr", "", "schedule length ratio: planned length over critical_path_s", BETTER_LOWER},    \
    [PLAN_GAP] = {"gap_ratio", "", "(planned - bound) / bound, if the scheduler proved a lower bound; 0: optimal", BETTER_LOWER}
/* clang-format on */

struct graph_machine { /* what `prepare` makes */
    struct engine *engine;
    bool has_actors; /* the platform is for SimGrid's own actors (sim/running/actors) */
    struct route_table routes;
};
enum err_code graph_point_check_given(const struct param_set *params, struct err *e);
extern const char *const graph_point_instance[];
enum err_code graph_point_prepare(const struct param_set *params, void **shared, struct err *e);
enum err_code graph_point_check(const char *name, const char *value, struct err *e);
const struct origin *graph_point_origin(const char *name, const char *value);

/* What the table of such an experiment has in common with the others. */
#define GRAPH_POINT_EXPERIMENT                                                                                         \
    .files = graph_point_files, .check = graph_point_check, .origin = graph_point_origin,                              \
    .check_given = graph_point_check_given, .seed_param = "instance", .seeded_param = "generator",                     \
    .instance_params = graph_point_instance, .prepare = graph_point_prepare

struct graph_point {
    struct graph_machine *machine;
    struct dag dag;
    struct task_costs costs; /* empty: work / speed */
    struct problem problem;
    struct schedule schedule;
};
/* Makes the graph and the schedule, and fills the first N_PLAN_METRICS metrics. */
enum err_code graph_point_init(struct graph_point *g, const struct point *p, double *metrics, struct err *e);
void graph_point_clear(struct graph_point *g);

#endif
