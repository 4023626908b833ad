/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times one plan or one replay without reading and writing files. The script `run` in this folder makes the inputs and calls

       bench_graphs plan PLATFORM GRAPH MODEL SCHEDULER [OUT.json]
       bench_graphs replay PLATFORM GRAPH SCHEDULE.json WORLD fluid|exclusive events|actors

   and prints processor seconds and the peak of memory as JSON. */
#include "actors/actors.h"
#include "actors/replay_actors.h"
#include "dag/format.h"
#include "engine/replay.h"
#include "plan/schedule_json.h"
#include "schedulers/scheduler.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct bench {
    struct dag graph;
    struct engine *engine;
    struct route_table routes;
    struct problem problem;
    struct schedule schedule;
    double since_s; /* end of the last phase */
};

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void end_phase(struct bench *b, const char *name)
{
    double now_s = cpu_s();
    printf("\"%s\": %.6f, ", name, now_s - b->since_s);
    b->since_s = cpu_s();
}

static enum err_code read_inputs(struct bench *b, char **args, struct err *e)
{
    enum err_code code = engine_open(args[0], &b->engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&b->routes, engine_machine(b->engine), e);
    end_phase(b, "platform_s");
    if (code == ERR_NONE)
        code = dag_read(args[1], NULL, NULL, &b->graph, e);
    end_phase(b, "graph_s");
    if (code == ERR_NONE)
        b->problem = (struct problem){.dag = &b->graph, .machine = engine_machine(b->engine), .routes = &b->routes};
    return code;
}

static enum err_code write_schedule(struct bench *b, const char *path, struct err *e)
{
    struct text json = {0};
    schedule_write_json(&b->schedule, &json);
    FILE *f = fopen(path, "w");
    bool ok = f != NULL && fwrite(text_str(&json), 1, json.size, f) == json.size;
    text_clear(&json);
    if (f != NULL && fclose(f) == 0 && ok)
        return ERR_NONE;
    return err_set(e, ERR_IO, "%s cannot be written", path);
}

static enum err_code plan(struct bench *b, int n, char **args, struct err *e)
{
    struct scheduler_choice choice;
    enum err_code code = read_inputs(b, args, e);
    if (code == ERR_NONE)
        code = cost_model_find(args[2], &b->problem.model, e);
    if (code == ERR_NONE)
        code = scheduler_choose(args[3], &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, &b->problem, NULL, &b->schedule, e);
    end_phase(b, "work_s");
    if (code == ERR_NONE && n > 4)
        code = write_schedule(b, args[4], e);
    return code;
}

static enum err_code replay(struct bench *b, char **args, struct err *e)
{
    struct replay_options how = {.links = strcmp(args[4], "exclusive") == 0 ? REPLAY_EXCLUSIVE : REPLAY_FLUID};
    struct replay_result result;
    enum replay_engine by = strcmp(args[5], "actors") == 0 ? REPLAY_ACTORS : REPLAY_EVENTS;
    enum err_code code = by == REPLAY_ACTORS ? actors_prepare(e) : ERR_NONE;
    if (code == ERR_NONE)
        code = read_inputs(b, args, e);
    if (code == ERR_NONE)
        code = world_find(args[3], &how.world, e);
    if (code == ERR_NONE)
        code = schedule_read_json(args[2], &b->problem, &b->schedule, e);
    end_phase(b, "schedule_s");
    if (code == ERR_NONE)
        code = replay_run_by(by, b->engine, &b->schedule, &how, &result, e);
    end_phase(b, "work_s");
    if (code == ERR_NONE)
        replay_result_clear(&result);
    return code;
}

int main(int argc, char **argv)
{
    struct bench b = {.since_s = cpu_s()};
    struct err e = {0};
    enum err_code code = ERR_USAGE;
    struct rusage use;
    char said[1400];
    printf("{");
    if (argc >= 6 && strcmp(argv[1], "plan") == 0)
        code = plan(&b, argc - 2, argv + 2, &e);
    else if (argc == 8 && strcmp(argv[1], "replay") == 0)
        code = replay(&b, argv + 2, &e);
    getrusage(RUSAGE_SELF, &use);
    printf("\"memory_mb\": %.1f}\n", (double)use.ru_maxrss / 1000);
    if (code != ERR_NONE)
        fprintf(stderr, "bench_graphs: %s\n",
                e.code == ERR_NONE ? "wrong arguments" : err_describe(&e, said, sizeof said));
    return err_exit_status(code);
}
