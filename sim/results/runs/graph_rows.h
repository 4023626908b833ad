/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What kinds of run about task graphs share: a machine with its routes, a graph, a planner and what it believes. */
#ifndef IASIM_RUNS_GRAPH_ROWS_H
#define IASIM_RUNS_GRAPH_ROWS_H

#include "engine/replay.h"
#include "runs/rows.h"
#include "schedulers/scheduler.h"

/* The rows of such a kind. `instance` is the seed of the graph: points that differ in nothing that makes the graph
   have the same one, so that variants are compared on the same graphs. */
/* clang-format off */
#define MACHINE_ROW                                                                                                    \
    {.is = {"platform", PARAM_TEXT, "file", NULL, 0, 0, NULL, "SimGrid platform"},                                     \
     .facts = RUN_SHARED | RUN_FILE | RUN_FILE_OF_FILES, .folder = "platforms",                                        \
     .letter = 'p', .arg = "FILE", .values = "platforms/ *.xml"}
#define GRAPH_ROWS                                                                                                     \
    MACHINE_ROW,                                                                                                       \
    {.is = {"graph", PARAM_TEXT, "file", "", 0, 0, NULL, "task graph"},                                                \
     .facts = RUN_INSTANCE | RUN_FILE, .letter = 'g', .arg = "FILE", .values = GRAPH_FILES},                           \
    {.is = {"generator", PARAM_TEXT, "", "", 0, 0, NULL,                                                               \
            "NAME[k=v,..] of a generator that makes the graph; `iasim list generators` lists them"},                   \
     .facts = RUN_INSTANCE | RUN_SEEDED, .check = graph_row_check_generator},                                          \
    {.is = {"instance", PARAM_INTEGER, "", "1", 0, 9e15, NULL, "seed of the generator: which random graph"},           \
     .facts = RUN_INSTANCE | RUN_SEED},                                                                                \
    {.is = {"ccr", PARAM_NUMBER, "", "0", 0, 1e12, NULL,                                                               \
            "communication-to-computation ratio to scale the edges to; 0: as they are"}},                              \
    {.is = {"costs", PARAM_TEXT, "file", NULL, 0, 0, NULL,                                                             \
            "seconds of each task on each host, instead of work / speed: a header task,HOST,HOST,..., "                \
            "then a line for each task; an empty cell forbids the host"},                                              \
     .facts = RUN_OPTIONAL | RUN_INSTANCE | RUN_FILE, .arg = "FILE.csv", .values = "*.csv"},                           \
    {.is = {"unrelated", PARAM_NUMBER, "", NULL, 0, 2, NULL,                                                           \
            "draws the time of each task on each host from its mean (1 +- half of this)"},                             \
     .facts = RUN_OPTIONAL | RUN_INSTANCE},                                                                            \
    {.is = {"scheduler", PARAM_TEXT, "", "list", 0, 0, NULL, "what plans the schedule"},                               \
     .check = graph_row_check_scheduler, .origin = graph_row_scheduler_origin,                                         \
     .letter = 's', .arg = "NAME[k=v,..]", .values = "schedulers"},                                                    \
    MODEL_ROW(NULL, "what the scheduler believes about communication")
/* Of graph files: detected from name and content, unless it is given; and what they call a second, in those that
   give times. */
#define GRAPH_FILE_ROWS                                                                                                \
    {.is = {"format", PARAM_TEXT, "", NULL, 0, 0, NULL,                                                                \
            "format of the graph (default: detected from name and content)"},                                          \
     .facts = RUN_OPTIONAL | RUN_INSTANCE, .check = graph_row_check_format,                                            \
     .letter = 'f', .arg = "NAME", .values = "graph_formats"},                                                         \
    {.is = {"flop_per_s", PARAM_NUMBER, "flop/s", NULL, 1e-3, 1e18, NULL,                                              \
            "the work done in a second, for graphs that give run times (default 1e9)"},                                \
     .facts = RUN_OPTIONAL | RUN_INSTANCE, .arg = "SPEED"}
#define GRAPH_FILES "*.dot *.dax *.xml *.json *.stg"
/* clang-format on */

enum err_code graph_row_check_generator(const char *value, struct err *e);
enum err_code graph_row_check_format(const char *value, struct err *e);
enum err_code graph_row_check_scheduler(const char *value, struct err *e);
const struct origin *graph_row_scheduler_origin(const char *value);

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
#define GRAPH_METRICS                                                                                                  \
    [PLAN_LENGTH] = {"planned_s", "s", "length of the schedule, as planned", BETTER_LOWER},                            \
    [PLAN_SEQUENTIAL] = {"sequential_s", "s", "all tasks on the fastest host", BETTER_NONE},                           \
    [PLAN_SPEEDUP] = {"planned_speedup", "", "sequential over planned length", BETTER_HIGHER},                         \
    [PLAN_CRITICAL_PATH] = {"critical_path_s", "s", "lower bound: the longest path on the fastest host", BETTER_NONE}, \
    [PLAN_WORK_BOUND] = {"work_bound_s", "s", "lower bound: all work at the speed of all hosts", BETTER_NONE},         \
    [PLAN_COMMUNICATION_BOUND] = {"communication_bound_s", "s",                                                        \
                                  "lower bound that counts communication, under the model", BETTER_NONE},              \
    [PLAN_CCR] = {"graph_ccr", "", "communication-to-computation ratio of the graph on the platform", BETTER_NONE},    \
    [PLAN_REMOTE_EDGES] = {"n_remote_edges", "edges", "between two hosts", BETTER_NONE},                               \
    [PLAN_SLR] = {"slr", "", "schedule length ratio: planned length over critical_path_s", BETTER_LOWER},              \
    [PLAN_GAP] = {"gap_ratio", "", "(planned - bound) / bound, if the scheduler proved a lower bound; 0: optimal",     \
                  BETTER_LOWER}
/* clang-format on */

/* Fills those of a schedule. */
void graph_rows_figures(const struct schedule *s, double *out);

struct graph_machine { /* what `prepare` makes */
    struct engine *engine;
    bool has_actors; /* the platform is for SimGrid's own actors (sim/running/actors) */
    struct route_table routes;
};
/* For `check_given`, `prepare` and `release` of such a kind. */
enum err_code graph_rows_check_given(const struct param_set *params, struct err *e);
enum err_code graph_rows_prepare(const struct param_set *params, void **shared, struct err *e);
void graph_rows_release(void *shared);
/* Of the struct run_kind of such a kind, with its `rows`, `metrics` and `run`. */
#define GRAPH_KIND                                                                                                     \
    .rows = rows, .metrics = metrics, .check_given = graph_rows_check_given, .prepare = graph_rows_prepare,            \
    .release = graph_rows_release, .run = run

struct graph_point {
    struct graph_machine *machine;
    struct dag dag;
    struct task_costs costs; /* empty: work / speed */
    struct problem problem;
    struct schedule schedule;
};
/* The graph of the parameters, from a file: generators need the platform. Errors: those of dag_read. */
enum err_code graph_rows_read(const struct param_set *params, struct dag *out, struct err *e);
/* Makes the graph and the problem, which has no cost model yet. `g` is cleared by the caller, also after errors. */
enum err_code graph_point_problem(struct graph_point *g, const struct point *p, struct err *e);
/* Makes the graph and the schedule, and fills the first N_PLAN_METRICS metrics. */
enum err_code graph_point_init(struct graph_point *g, const struct point *p, double *metrics, struct err *e);
void graph_point_clear(struct graph_point *g);

#endif
