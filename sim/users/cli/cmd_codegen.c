/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim codegen`: a schedule as a C program with MPI; on demand it is compiled and run, on SimGrid's SMPI or on a real
   MPI, and its dates are set against the plan and against replay ([S] 8.4.3). The program and its runs are
   running/codegen's; here are the options and the comparison. A replay is always made: the output compares with it, and
   it tells how much memory a run on SMPI needs. */
#include "base/mem.h"
#include "cli/command.h"
#include "cli/schedule_inputs.h"
#include "codegen/codegen.h"
#include "engine/waiting.h"
#include "report/json_bytes.h"
#include "report/table.h"
#include "runs/graph_rows.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum run { RUN_NOTHING, RUN_SMPI, RUN_MPI };

struct options {
    struct run_given given;
    const char *world, *out, *hostfile, *mca, *schedules[MOST_SCHEDULES];
    struct words tasks;
    enum run run;
    bool blocking, no_default_tasks, match_bandwidth, json;
    double deadline_s, seconds_per_s;
};

static const struct command_option options[] = {
    {"out", 'o', "DIR", "the folder to write, which must be new or empty", OPTION_AT(struct options, out),
     .required = true, .values = "/"},
    {"world", 'w', "WORLD",
     "what messages take of the processors, as in replay (default: what the schedule believes; none if it believes "
     "that they take nothing)",
     OPTION_AT(struct options, world), .values = "models:world"},
    {"blocking", 'b', NULL,
     "send with MPI_Ssend, so that the processor waits for the message to arrive, in place of MPI_Isend: the same as "
     "--waiting active",
     OPTION_AT(struct options, blocking)},
    {"tasks", 't', "FILE.c|sleep",
     "your own functions for tasks; may be given several times; or the word sleep: tasks leave their core to others (a "
     "file of that name is ./sleep)",
     OPTION_AT(struct options, tasks), .values = "*.c"},
    {"no-default-tasks", 0, NULL, "each task must have a function in the files of --tasks",
     OPTION_AT(struct options, no_default_tasks)},
    {"run", 'r', "smpi|mpi", "smpi: compile the program and run it on SimGrid's SMPI; mpi: on the MPI of this machine",
     OPTION_AT(struct options, run), .min = RUN_SMPI},
    {"deadline", 0, "S", "end the compiler or the program if it takes longer (default 600)",
     OPTION_AT(struct options, deadline_s), .min = 1e-3, .max = 1e9},
    {"hostfile", 0, "FILE", "mpi: where ranks run, as mpirun takes it (default: all here)",
     OPTION_AT(struct options, hostfile), .values = "*"},
    {"seconds-per-s", 0, "X",
     "mpi: how long a second of the schedule lasts, in seconds (default 1); its dates are still printed in those of "
     "the schedule",
     OPTION_AT(struct options, seconds_per_s), .min = 1e-9, .max = 1e9},
    {"match-bandwidth", 0, NULL,
     "mpi: a second of the schedule lasts as long as MPI takes, here and now, for the bytes that the platform moves in "
     "it",
     OPTION_AT(struct options, match_bandwidth)},
    {"mca", 0, "NAME=VALUE;..", "mpi: parameters for Open MPI, as of mpirun --mca (btl=self,tcp)",
     OPTION_AT(struct options, mca)},
    OPTION_JSON(struct options),
    {NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedules[0]), .required = true, .shipped = true,
     .values = "*.json"},
    {0},
};

/* ---- printing ---- */

struct comparison { /* all that is printed */
    const struct options *options;
    const struct schedule *schedule;
    const struct replay_result *replayed;
    const struct codegen_result *ran; /* NULL: nothing was run */
};

static const char *const run_names[] = {[RUN_SMPI] = "smpi", [RUN_MPI] = "mpi"};

/* Dates of the run; empty without --run. The plan's and replay's are in the output of other commands. */
static json_t *tasks_json(const struct comparison *c)
{
    const struct schedule *s = c->schedule;
    json_t *list = json_array();
    for (task_id t = 0; c->ran != NULL && t < s->problem.dag->n_tasks; t++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "name", json_bytes(s->problem.dag->tasks[t].name),
                                              "host", json_bytes(s->problem.machine->hosts[s->tasks[t].host].name),
                                              "start_s", json_finite(c->ran->tasks[t].start_s), "finish_s",
                                              json_finite(c->ran->tasks[t].finish_s)));
    return list;
}

static void print_json(const struct comparison *c)
{
    const struct codegen_result *ran = c->ran;
    json_t *root = json_pack("{s:I}", "ranks", (json_int_t)codegen_n_ranks(c->schedule));
    json_object_set_new(root, "bytes_checked",
                        ran != NULL ? json_integer((json_int_t)ran->bytes_checked) : json_null());
    json_object_set_new(root, "planned_s", json_finite(schedule_length_s(c->schedule)));
    json_object_set_new(root, "replayed_s", json_finite(c->replayed->makespan_s));
    /* Both keys are always there, null for the one that was not run, so that scripts need not ask. */
    for (enum run run = RUN_SMPI; run <= RUN_MPI; run++) {
        char *key = mem_format("%s_s", run_names[run]);
        json_object_set_new(root, key, c->options->run == run ? json_finite(ran->makespan_s) : json_null());
        free(key);
    }
    json_object_set_new(root, "tasks", tasks_json(c));
    command_print_json(root);
}

/* Of the tasks of a host: how many, when the last one ends, and the largest difference of a date to replay. */
struct host_row {
    int n_tasks;
    double planned_s, replayed_s, ran_s, difference_s;
};

/* Makespans alone would hide a host that is late as long as another one is later. */
static struct host_row find_row(const struct comparison *c, host_id h)
{
    const struct schedule *s = c->schedule;
    struct host_row row = {0};
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++) {
        if (s->tasks[t].host != h)
            continue;
        struct span replayed = c->replayed->tasks[t], ran = c->ran->tasks[t];
        row.n_tasks++;
        row.planned_s = fmax(row.planned_s, s->tasks[t].span.finish_s);
        row.replayed_s = fmax(row.replayed_s, replayed.finish_s);
        row.ran_s = fmax(row.ran_s, ran.finish_s);
        /* Start and end count, so that a shift shows even where all tasks take as long as they should. */
        row.difference_s =
            fmax(row.difference_s, fmax(fabs(ran.start_s - replayed.start_s), fabs(ran.finish_s - replayed.finish_s)));
    }
    return row;
}

static void print_table(const struct comparison *c)
{
    const struct machine *m = c->schedule->problem.machine;
    char *ran = mem_format("%s_s", run_names[c->options->run]);
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "host");
    table_column(t, TABLE_RIGHT, "tasks");
    table_column(t, TABLE_RIGHT, "planned_s");
    table_column(t, TABLE_RIGHT, "replayed_s");
    table_column(t, TABLE_RIGHT, ran);
    table_column(t, TABLE_RIGHT, "difference_s");
    for (host_id h = 0; (size_t)h < m->n_hosts; h++) {
        struct host_row row = find_row(c, h);
        if (row.n_tasks == 0)
            continue;
        table_cell(t, m->hosts[h].name);
        table_cellf(t, "%d", row.n_tasks);
        table_number(t, row.planned_s, 9);
        table_number(t, row.replayed_s, 9);
        table_number(t, row.ran_s, 9);
        table_number(t, row.difference_s, 3);
    }
    table_print(t, stdout);
    table_free(t);
    free(ran);
    puts("dates: when the host's last task ends; difference: the largest of a task's dates to those of replay\n");
}

/* Without --run only the lengths: there is nothing to compare host by host. */
static void print_text(const struct comparison *c)
{
    const struct schedule *s = c->schedule;
    if (c->ran != NULL)
        print_table(c);
    printf("planned %.9g s, replayed %.9g s", schedule_length_s(s), c->replayed->makespan_s);
    if (c->ran != NULL)
        printf(", %s %.9g s; %.15g bytes arrived intact", run_names[c->options->run], c->ran->makespan_s,
               c->ran->bytes_checked);
    printf("\n%s: %zu ranks, %d tasks\n", c->options->out, codegen_n_ranks(s), s->problem.dag->n_tasks);
}

/* ---- work ---- */

/* The world of replay and program, so that both can keep the plan's promise: what the schedule believes. A belief
   without costs at the ends (classic, contention) is no name of a world; its processors pay nothing. */
static enum err_code find_world(const char *given, const struct cost_model *believed, const struct world_model **out,
                                struct err *e)
{
    return world_find(given != NULL ? given : cost_has_ends(believed) ? cost_model_text(believed) : "none", out, e);
}

static enum err_code write_and_run(struct comparison *c, const struct codegen_options *how, struct err *e)
{
    const struct options *o = c->options;
    struct codegen_run_options run = {.target = o->run == RUN_MPI ? CODEGEN_MPI : CODEGEN_SMPI,
                                      .n_task_files = how->n_task_files,
                                      .has_no_defaults = how->has_no_defaults,
                                      .deadline_s = o->deadline_s,
                                      .hostfile = o->hostfile,
                                      .replayed = c->replayed,
                                      .world = how->world,
                                      .waiting = how->waiting,
                                      .eager_bytes = how->eager_bytes,
                                      .mca = o->mca,
                                      /* 0 asks codegen_run to measure it. */
                                      .seconds_per_s = o->match_bandwidth ? 0 : o->seconds_per_s};
    struct codegen_result ran = {0};
    enum err_code code = codegen_write(c->schedule, how, o->out, e);
    if (code == ERR_NONE && o->run != RUN_NOTHING) {
        code = codegen_run(c->schedule, o->out, &run, &ran, e);
        /* Printed below, while `ran` lives. */
        c->ran = &ran;
    }
    if (code == ERR_NONE && o->json)
        print_json(c);
    else if (code == ERR_NONE)
        print_text(c);
    codegen_result_clear(&ran);
    return code;
}

/* The word "sleep" among the files of --tasks. */
static bool tasks_sleep(const struct options *o)
{
    for (size_t i = 0; i < o->tasks.n; i++)
        if (strcmp(o->tasks.list[i], "sleep") == 0)
            return true;
    return false;
}

static enum err_code generate(const struct options *o, struct engine *engine, const struct schedule *s, struct err *e)
{
    struct replay_options replay = {.links = REPLAY_FLUID, .schedule_path = o->schedules[0]};
    /* check() has made sure that --waiting does not say otherwise where --blocking is given. */
    enum err_code code = waiting_read(o->blocking ? "active" : param_text(o->given.params, "waiting"), &replay, e);
    struct codegen_options how = {.waiting = replay.waiting,
                                  .eager_bytes = replay.eager_bytes,
                                  .schedule_path = o->schedules[0],
                                  .task_files = o->tasks.list,
                                  /* The word is no file; check() refuses it beside files. */
                                  .n_task_files = tasks_sleep(o) ? 0 : o->tasks.n,
                                  .tasks_sleep = tasks_sleep(o),
                                  .has_no_defaults = o->no_default_tasks};
    if (code == ERR_NONE)
        code = find_world(o->world, s->problem.model, &how.world, e);
    if (code != ERR_NONE)
        return code;
    run_options_warn(world_warning(how.world, engine_machine(engine)));
    replay.world = how.world;
    struct replay_result replayed;
    code = replay_run(engine, s, &replay, &replayed, e);
    if (code != ERR_NONE)
        return code;
    struct comparison c = {.options = o, .schedule = s, .replayed = &replayed};
    code = write_and_run(&c, &how, e);
    replay_result_clear(&replayed);
    return code;
}

/* Before the platform is loaded. Options of one target are refused with the other, instead of being ignored. */
static enum err_code check(const struct options *o, struct err *e)
{
    const char *waiting = param_text(o->given.params, "waiting");
    if (o->blocking && strcmp(waiting, "passive") != 0 && strcmp(waiting, "active") != 0)
        return err_set(e, ERR_USAGE, "--blocking is --waiting active; --waiting is '%s'", waiting);
    if (o->run != RUN_MPI && (o->hostfile != NULL || o->seconds_per_s != 1 || o->mca != NULL || o->match_bandwidth))
        return err_set(e, ERR_USAGE, "--hostfile, --seconds-per-s, --match-bandwidth and --mca are for --run mpi");
    if (o->match_bandwidth && o->seconds_per_s != 1)
        return err_set(e, ERR_USAGE,
                       "--match-bandwidth and --seconds-per-s both say how long a second of the schedule lasts");
    if (tasks_sleep(o) && o->run == RUN_SMPI)
        return err_set(e, ERR_USAGE, "--tasks sleep is for a real MPI: on SMPI tasks take no time of a core");
    if (tasks_sleep(o) && o->tasks.n > 1)
        return err_set(e, ERR_USAGE,
                       "--tasks sleep cannot be combined with functions of your own: data are made before date 0");
    if (o->mca != NULL && codegen_check_mca(o->mca, e) != ERR_NONE)
        return ERR_INPUT;
    if (o->hostfile != NULL && access(o->hostfile, R_OK) != 0)
        return err_set_at(e, ERR_IO, o->hostfile, 0, "cannot open: %s", strerror(errno));
    return ERR_NONE;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct schedules s = {0};
    enum err_code code = check(o, e);
    if (code == ERR_NONE)
        code = schedules_open(&s, &o->given, o->schedules, e);
    if (code == ERR_NONE)
        code = generate(o, s.graph.machine->engine, &s.list[0], e);
    schedules_close(&s);
    return code;
}

const struct command command_codegen = {
    .name = "codegen",
    .summary = "write a schedule as a program with MPI, and run it",
    /* Its world is what the schedule believes, unless it is given; --blocking is --waiting active. */
    .kind = &run_codegen,
    .without = REPLAY_WITHOUT " world",
    .planned = "platform graph",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.deadline_s = 600, .seconds_per_s = 1},
    .options = options,
    .about =
        "Writes a C program with MPI that carries out a schedule: one rank for each host that the schedule uses, which "
        "does its tasks, sends and receives in the schedule's order. With --run, compiles and runs it, and compares it "
        "with the plan and with replay.",
    .notes = "Messages have the sizes of the graph's edges, in whole bytes, at least 16. The folder's README.md "
             "describes the program.",
    .examples = "# A plan, as a program on the simulated machine: with the dates of replay.\n"
                "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model involvement --out s.json\n"
                "iasim codegen --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --out program --run smpi s.json\n",
    .run = run,
    .simulates = true,
};
