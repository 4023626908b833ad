/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The experiment of [S] 8.4.3 as it was done there: a graph is scheduled under a cost model, the schedule becomes a
   program with MPI, and the program runs, here on SimGrid's SMPI. Replay carries out the same schedule, beside it. */
#include "base/isolate.h"
#include "codegen/codegen.h"
#include "codegen/folder.h"
#include "engine/replay.h"
#include "models/world.h"
#include "runs/graph_rows.h"

#include <math.h>
#include <stdlib.h>

static const struct run_param rows[] = {
    GRAPH_ROWS,
    GRAPH_FILE_ROWS,
    WORLD_ROW("involvement", 0),
    WAITING_ROW(
        "passive", 0,
        "passive: the program sends with MPI_Isend, and all receives are posted before it starts; active: it sends "
        "with MPI_Ssend; rendezvous[progress=P,eager=BYTES]: with MPI_Isend, and receives with MPI_Recv; replay waits "
        "likewise (SMPI moves data as P hardware does)"),
    OCCUPATION_ROWS(0),
    {.is = {0}},
};

enum { PROGRAM = N_PLAN_METRICS, REPLAYED, ERROR, REPLAY_ERROR, DIFFERENCE, SPEEDUP, RANKS, SENT };
static const struct metric metrics[] = {
    GRAPH_METRICS,
    [PROGRAM] = {"makespan_s", "s", "of the program on SMPI, until its last task ends", BETTER_LOWER},
    [REPLAYED] = {"replayed_s", "s", "the same of replay", BETTER_LOWER},
    [ERROR] = {"estimation_error_ratio", "", "|program - planned| / planned", BETTER_LOWER},
    [REPLAY_ERROR] = {"replay_error_ratio", "", "|replayed - planned| / planned", BETTER_LOWER},
    [DIFFERENCE] = {"difference_ratio", "", "(program - replayed) / replayed", BETTER_NONE},
    [SPEEDUP] = {"speedup", "", "sequential over program", BETTER_HIGHER},
    [RANKS] = {"n_ranks", "ranks", "hosts that have a task", BETTER_NONE},
    [SENT] = {"sent_bytes", "bytes", "sent between ranks and received intact", BETTER_NONE},
    {0},
};

static void fill(const struct codegen_result *program, const struct replay_result *replayed, double *out)
{
    double planned_s = out[PLAN_LENGTH];
    out[PROGRAM] = program->makespan_s;
    out[REPLAYED] = replayed->makespan_s;
    /* Relative to the plan: it is the plan that was believed. */
    out[ERROR] = fabs(program->makespan_s - planned_s) / planned_s;
    out[REPLAY_ERROR] = fabs(replayed->makespan_s - planned_s) / planned_s;
    out[DIFFERENCE] = (program->makespan_s - replayed->makespan_s) / replayed->makespan_s;
    out[SPEEDUP] = out[PLAN_SEQUENTIAL] / program->makespan_s;
    out[RANKS] = (double)program->n_ranks;
    out[SENT] = program->bytes_checked;
}

struct work {
    const struct graph_point *g;
    const struct point *point;
    const char *folder; /* of the program */
    double *out;
};

static enum err_code write_and_run(const struct work *w, const struct codegen_options *how,
                                   const struct replay_result *replayed, struct codegen_result *out, struct err *e)
{
    enum { MAX_S = 600 }; /* a sweep that wants less limits its points itself */
    const struct codegen_run_options run = {.target = CODEGEN_SMPI,
                                            .replayed = replayed,
                                            .world = how->world,
                                            .waiting = how->waiting,
                                            .eager_bytes = how->eager_bytes,
                                            /* A limit of real time, for a program that hangs. */
                                            .deadline_s = MAX_S,
                                            .seconds_per_s = 1,
                                            .is_folder_temporary = true};
    enum err_code code = codegen_write(&w->g->schedule, how, w->folder, e);
    return code == ERR_NONE ? codegen_run(&w->g->schedule, w->folder, &run, out, e) : code;
}

static enum err_code replay_and_run(void *self, struct err *e)
{
    const struct work *w = self;
    struct replay_how how = {0};
    struct replay_result replayed = {0};
    struct codegen_result program;
    enum err_code code = replay_how_read(&how, w->point, e);
    /* Replay first: it is fast, it finds a schedule that cannot be carried out, and it shows how much memory
       SMPI needs. */
    if (code == ERR_NONE)
        code = replay_run(w->g->machine->engine, &w->g->schedule, &how.options, &replayed, e);
    if (code == ERR_NONE)
        code = write_and_run(w,
                             &(struct codegen_options){.world = how.options.world,
                                                       .waiting = how.options.waiting,
                                                       .eager_bytes = how.options.eager_bytes},
                             &replayed, &program, e);
    if (code == ERR_NONE) {
        fill(&program, &replayed, w->out);
        codegen_result_clear(&program);
    }
    replay_result_clear(&replayed);
    replay_how_clear(&how);
    return code;
}

/* The folder is made and removed here, outside the process that may crash. Both simulations run in one child: SMPI
   is a program of its own, so the child simulates once itself. */
static enum err_code run_in_folder(const struct graph_point *g, const struct point *p, double *out, struct err *e)
{
    char *folder;
    enum err_code code = folder_make_temporary(&folder, e);
    if (code == ERR_NONE) {
        code = isolate_run(replay_and_run, &(struct work){g, p, folder, out}, e);
        folder_discard(folder);
    }
    free(folder);
    return code;
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct graph_point g;
    enum err_code code = graph_point_init(&g, p, out, e);
    if (code == ERR_NONE)
        code = run_in_folder(&g, p, out, e);
    graph_point_clear(&g);
    return code;
}

static enum err_code check_machine(struct err *e)
{
    return codegen_check_installed(CODEGEN_SMPI, e);
}

const struct run_kind run_codegen = {
    .name = "codegen",
    .summary = "a task graph scheduled under a cost model, and the schedule run as a program with MPI on SMPI",
    .source = "[S] 8.4.3",
    .results_version = 2,
    .check_machine = check_machine,
    GRAPH_KIND,
};
