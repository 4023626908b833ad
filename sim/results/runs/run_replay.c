/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task graph scheduled under a cost model, and the schedule carried out on the simulated machine ([S] 8.4.3): how
   far off was the plan, and what has it cost to believe it? The point runs in a process of its own (`simulates`),
   because SimGrid simulates once in a process. */
#include "runs/graph_rows.h"

#include <math.h>

static const struct run_param rows[] = {
    GRAPH_ROWS,
    GRAPH_FILE_ROWS,
    WORLD_ROW("involvement", 0),
    {.is = {"links", PARAM_CHOICE, "", "fluid", 0, 0, "fluid|exclusive",
            "fluid: transfers share bandwidth; exclusive: a link carries one at a time, in the schedule's order"},
     .letter = 'l'},
    WAITING_ROW(NULL, RUN_OPTIONAL, WAITING_MEANING),
    {.is = {"engine", PARAM_CHOICE, "", NULL, 0, 0, "events|actors",
            "a state machine (if not given), or one SimGrid actor per host that the schedule uses"},
     .facts = RUN_OPTIONAL | RUN_SHARED,
     .letter = 'e'},
    NOISE_ROW,
    IR_ROWS("", 0),
    OCCUPATION_ROWS(0),
    {.is = {0}},
};

enum { SIMULATED = N_PLAN_METRICS, ERROR, SPEEDUP, BUSY, STOLEN, IDLE };
static const struct metric metrics[] = {
    GRAPH_METRICS,
    [SIMULATED] = {"makespan_s", "s", "until the last task ends, simulated", BETTER_LOWER},
    [ERROR] = {"estimation_error_ratio", "", "|simulated - planned| / planned", BETTER_LOWER},
    [SPEEDUP] = {"speedup", "", "sequential over simulated", BETTER_HIGHER},
    [BUSY] = {"busy_s", "s", "computing, summed over hosts", BETTER_NONE},
    [STOLEN] = {"stolen_s", "s", "of processors, taken by communication, summed over hosts", BETTER_NONE},
    [IDLE] = {"idle_s", "s", "of processors, until the makespan, summed over hosts", BETTER_NONE},
    {0},
};

/* Errors and speed-ups refer to figures of the plan, which stand before them in the same row. */
static void fill(const struct replay_result *r, double *out)
{
    out[SIMULATED] = r->makespan_s;
    out[ERROR] = fabs(r->makespan_s - out[PLAN_LENGTH]) / out[PLAN_LENGTH];
    out[SPEEDUP] = out[PLAN_SEQUENTIAL] / r->makespan_s;
    out[BUSY] = out[STOLEN] = out[IDLE] = 0;
    for (size_t h = 0; h < r->n_hosts; h++) {
        out[BUSY] += r->hosts[h].busy_s;
        out[STOLEN] += r->hosts[h].stolen_s;
        out[IDLE] += r->hosts[h].idle_s;
    }
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    /* All zero, so that everything can be cleared whichever step has failed. */
    struct graph_point g;
    struct replay_how how = {0};
    struct replay_result result = {0};
    enum err_code code = graph_point_init(&g, p, out, e);
    if (code == ERR_NONE)
        code = replay_how_read(&how, p, e);
    if (code == ERR_NONE)
        code = replay_run_by(how.by, g.machine->engine, &g.schedule, &how.options, &result, e);
    if (code == ERR_NONE)
        fill(&result, out);
    replay_result_clear(&result);
    replay_how_clear(&how);
    graph_point_clear(&g);
    return code;
}

const struct run_kind run_replay = {
    .name = "replay",
    .summary = "a task graph scheduled under a cost model, and the schedule simulated",
    .source = "[S] 8.4.3",
    .results_version = 2,
    .simulates = true,
    GRAPH_KIND,
};
