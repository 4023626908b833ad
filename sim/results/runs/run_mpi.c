/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which of our machines is a real MPI? A graph is scheduled, the schedule becomes a program whose tasks sleep, and the
   program runs under the MPI of this machine. Beside it, replay carries out the same schedule with each way of waiting:
   those of [S] 8.4.3, and messages that need both ends after [White 1999].

   Bandwidth is matched first: a second of the schedule lasts as long as MPI takes, between two ranks and just before
   date 0, for the bytes that the platform moves in it. So all figures are in the schedule's seconds. */
#include "base/choose.h"
#include "base/isolate.h"
#include "base/mem.h"
#include "codegen/codegen.h"
#include "codegen/folder.h"
#include "engine/waiting.h"
#include "models/world.h"
#include "runs/graph_rows.h"

#include <math.h>
#include <stdlib.h>

/* The repeats of a point are kept on the stack. */
enum { MOST_REPEATS = 1000 };

static enum err_code check_mca(const char *value, struct err *e)
{
    return codegen_check_mca(value, e);
}

static const struct run_param rows[] = {
    GRAPH_ROWS,
    GRAPH_FILE_ROWS,
    WORLD_ROW("involvement", 0),
    WAITING_ROW(
        "passive", 0,
        "of the program. passive: it receives with MPI_Irecv, all of which come before date 0; "
        "rendezvous: with MPI_Recv, when the receive is reached; active: as passive, and it sends with MPI_Ssend"),
    {.is = {"transport", PARAM_CHOICE, "", "any", 0, 0, "any|memory|tcp",
            "of Open MPI. any: it chooses; memory: shared memory; tcp: TCP on the loopback"}},
    {.is = {"mca", PARAM_TEXT, "", "", 0, 0, NULL, "NAME=VALUE;..: parameters for Open MPI, as of mpirun --mca"},
     .check = check_mca,
     .arg = "NAME=VALUE;.."},
    {.is = {"repeats", PARAM_INTEGER, "runs", "1", 1, MOST_REPEATS, NULL,
            "how often the program runs; its makespan is the median"},
     .arg = "N"},
    OCCUPATION_ROWS(0),
    {.is = {0}},
};

/* The MCA parameters of the rows. The component of shared memory has another name in each version of Open MPI, so it
   is chosen by excluding TCP. */
static char *make_mca(const struct param_set *params)
{
    const char *mca = param_text(params, "mca"), *separator = mca[0] != '\0' ? ";" : "";
    if (row_is(params, "transport", "memory"))
        return mem_format("pml=ob1;btl=^tcp%s%s", separator, mca);
    if (row_is(params, "transport", "tcp"))
        return mem_format("pml=ob1;btl=self,tcp;btl_tcp_if_include=lo%s%s", separator, mca);
    return mem_strdup(mca);
}

/* The machines, in the world none and then in the world of the row: what waiting alone explains, and what the world
   adds. */
static const char *const machines[] = {"passive", "active", "rendezvous[progress=hardware]",
                                       "rendezvous[progress=calls]", "rendezvous[progress=polls]"};
enum { N_MACHINES = sizeof machines / sizeof machines[0] };
enum { REAL = N_PLAN_METRICS, FASTEST, SLOWEST, SCALE, RANKS, SENT, PREDICTED };

#define PREDICTED_METRICS(suffix, in_world)                                                                            \
    {"passive" suffix, "s", "predicted by passive waiting" in_world, BETTER_NONE},                                     \
        {"active" suffix, "s", "by active waiting" in_world, BETTER_NONE},                                             \
        {"hardware" suffix, "s", "by a rendezvous that nobody need attend" in_world, BETTER_NONE},                     \
        {"calls" suffix, "s", "by one that holds the source's call" in_world, BETTER_NONE},                            \
    {                                                                                                                  \
        "polls" suffix, "s", "by one that moves in the source's calls" in_world, BETTER_NONE                           \
    }
static const struct metric metrics[] = {
    GRAPH_METRICS,
    [REAL] = {"makespan_s", "s", "measured: until the last task ends, in the schedule's seconds", BETTER_NONE},
    [FASTEST] = {"fastest_s", "s", "the shortest of the repeats", BETTER_NONE},
    [SLOWEST] = {"slowest_s", "s", "the longest", BETTER_NONE},
    [SCALE] = {"seconds_per_s", "", "how long a second of the schedule lasted", BETTER_NONE},
    [RANKS] = {"n_ranks", "ranks", "hosts that have a task", BETTER_NONE},
    [SENT] = {"sent_bytes", "bytes", "sent between ranks and received intact", BETTER_NONE},
    [PREDICTED] = PREDICTED_METRICS("_s", ", world none"),
    PREDICTED_METRICS("_world_s", ", in the given world"),
    {0},
};

struct work {
    const struct graph_point *g;
    const struct point *point;
    const char *waiting, *world; /* of a prediction */
    double *makespan_s;
};

static enum err_code predict(void *self, struct err *e)
{
    const struct work *w = self;
    struct replay_options options = {.links = REPLAY_FLUID};
    struct replay_result result = {0};
    enum err_code code = waiting_read(w->waiting, &options, e);
    if (code == ERR_NONE)
        code = world_find(w->world, &options.world, e);
    if (code == ERR_NONE)
        code = replay_run(w->g->machine->engine, &w->g->schedule, &options, &result, e);
    if (code == ERR_NONE)
        *w->makespan_s = result.makespan_s;
    replay_result_clear(&result);
    return code;
}

static enum err_code predict_all(const struct graph_point *g, const struct point *p, double *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    /* Each prediction is a simulation, and a process can simulate once: a child for each, which writes its figure
       into shared memory. */
    for (size_t i = 0; i < 2 * (size_t)N_MACHINES && code == ERR_NONE; i++)
        code = isolate_run(predict,
                           &(struct work){.g = g,
                                          .waiting = machines[i % N_MACHINES],
                                          .world = i < N_MACHINES ? "none" : param_text(p->params, "world"),
                                          .makespan_s = &out[PREDICTED + i]},
                           e);
    return code;
}

/* The mean of the middle two where n is even. Sorts, so that afterwards the ends are the fastest and the slowest. */
static double find_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, choose_ascending);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static enum err_code run_repeatedly(const struct schedule *s, const char *folder, struct codegen_run_options *options,
                                    size_t n, double *out, struct err *e)
{
    double makespans_s[MOST_REPEATS], scales[MOST_REPEATS];
    for (size_t i = 0; i < n; i++) {
        struct codegen_result result;
        enum err_code code = codegen_run(s, folder, options, &result, e);
        if (code != ERR_NONE)
            return code;
        makespans_s[i] = result.makespan_s;
        scales[i] = result.seconds_per_s;
        out[RANKS] = (double)result.n_ranks;
        out[SENT] = result.bytes_checked;
        codegen_result_clear(&result);
        /* Compiled once: repeats measure the run, not the compiler. */
        options->is_compiled = true;
    }
    out[REAL] = find_median(makespans_s, n);
    out[SCALE] = find_median(scales, n);
    /* Sorted by find_median. */
    out[FASTEST] = makespans_s[0];
    out[SLOWEST] = makespans_s[n - 1];
    return ERR_NONE;
}

/* The program charges nothing for messages: MPI itself takes what it takes. */
static enum err_code measure(const struct graph_point *g, const struct point *p, const char *folder, double *out,
                             struct err *e)
{
    /* A program that hangs must end before a night's sweep does. */
    enum { MAX_S = 600 };
    char *mca = make_mca(p->params);
    struct replay_options waits = {0};
    struct codegen_options how = {.tasks_sleep = true};
    /* Scale 0: the program measures how long a second lasts (see above). Tasks sleep instead of computing, so that
       there may be more ranks than cores. */
    struct codegen_run_options options = {
        .target = CODEGEN_MPI, .deadline_s = MAX_S, .seconds_per_s = 0, .mca = mca, .is_folder_temporary = true};
    enum err_code code = waiting_read(param_text(p->params, "waiting"), &waits, e);
    how.waiting = waits.waiting;
    how.eager_bytes = waits.eager_bytes;
    if (code == ERR_NONE)
        code = world_find("none", &how.world, e);
    if (code == ERR_NONE)
        code = codegen_write(&g->schedule, &how, folder, e);
    if (code == ERR_NONE)
        code = run_repeatedly(&g->schedule, folder, &options, (size_t)param_integer(p->params, "repeats"), out, e);
    free(mca);
    return code;
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct graph_point g;
    char *folder = NULL;
    enum err_code code = graph_point_init(&g, p, out, e);
    /* Before the program, so that a schedule that cannot be replayed costs no minutes. */
    if (code == ERR_NONE)
        code = predict_all(&g, p, out, e);
    if (code == ERR_NONE)
        code = folder_make_temporary(&folder, e);
    if (code == ERR_NONE) {
        code = measure(&g, p, folder, out, e);
        folder_discard(folder);
    }
    free(folder);
    graph_point_clear(&g);
    return code;
}

static enum err_code check_machine(struct err *e)
{
    return codegen_check_installed(CODEGEN_MPI, e);
}

const struct run_kind run_mpi = {
    .name = "mpi",
    .summary = "a schedule run as a program under the MPI of this machine, beside what each way of waiting predicts",
    .source = "[S] 8.4.3, [White 1999]",
    .results_version = 1,
    .check_machine = check_machine,
    GRAPH_KIND,
};
