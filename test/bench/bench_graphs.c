/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times one plan or one replay without reading and writing files. The script `run` in this folder makes the inputs
   and calls

       bench_graphs plan PLATFORM GRAPH MODEL SCHEDULER [OUT.json]
       bench_graphs replay PLATFORM GRAPH SCHEDULE.json WORLD fluid|exclusive events|actors|explained
       bench_graphs pass PLATFORM GRAPH MODEL APPROACH end|insertion crossed|moved

   and prints processor seconds and the peak of memory as JSON. `pass` evaluates allocations (schedulers/pass.h) for
   about a second: each is that of list[minimize=finish] with a third of its hosts drawn anew, or the last one with
   one host drawn anew. */
#include "actors/actors.h"
#include "actors/replay_actors.h"
#include "base/mem.h"
#include "base/random.h"
#include "dag/format.h"
#include "engine/replay.h"
#include "explain/explain.h"
#include "plan/schedule_json.h"
#include "schedulers/pass.h"
#include "schedulers/priority.h"
#include "schedulers/scheduler.h"

#include <stdio.h>
#include <stdlib.h>
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
    struct replay_record record = {0};
    struct explanation found;
    bool is_explained = strcmp(args[5], "explained") == 0;
    enum replay_engine by = strcmp(args[5], "actors") == 0 ? REPLAY_ACTORS : REPLAY_EVENTS;
    enum err_code code = by == REPLAY_ACTORS ? actors_prepare(e) : ERR_NONE;
    if (code == ERR_NONE)
        code = read_inputs(b, args, e);
    if (code == ERR_NONE)
        code = world_find(args[3], &how.world, e);
    if (code == ERR_NONE)
        code = schedule_read_json(args[2], &b->problem, &b->schedule, e);
    end_phase(b, "schedule_s");
    how.record = is_explained ? &record : NULL;
    if (code == ERR_NONE)
        code = replay_run_by(by, b->engine, &b->schedule, &how, &result, e);
    end_phase(b, "work_s");
    if (code == ERR_NONE && is_explained) {
        explain_find(&record, &result, how.world, NULL, &found);
        end_phase(b, "explain_s");
        explanation_clear(&found);
        replay_record_clear(&record);
    }
    if (code == ERR_NONE)
        replay_result_clear(&result);
    return code;
}

/* ---- passes ---- */

static void draw_host(const struct bench *b, struct random_stream *r, host_id *allocation, task_id t)
{
    allocation[t] = (host_id)random_below(r, b->problem.machine->n_hosts);
}

static void evaluate(struct bench *b, struct pass *pass, const host_id *first, bool is_moved)
{
    struct random_stream r;
    size_t n = (size_t)b->graph.n_tasks;
    host_id *allocation = mem_alloc(n * sizeof *allocation);
    double end_s = cpu_s() + 1, sum_s = 0;
    int n_done = 0;
    random_init(&r, 1, 0);
    memcpy(allocation, first, n * sizeof *allocation);
    while (n_done % 64 != 0 || cpu_s() < end_s) {
        if (is_moved)
            draw_host(b, &r, allocation, (task_id)random_below(&r, n));
        for (task_id t = 0; t < b->graph.n_tasks && !is_moved; t++) {
            allocation[t] = first[t];
            if (random_below(&r, 3) == 0)
                draw_host(b, &r, allocation, t);
        }
        sum_s += pass_length_s(pass, allocation);
        n_done++;
    }
    printf("\"evaluations\": %d, \"mean_s\": %.9g, \"tasks\": %zu, ", n_done, sum_s / n_done, n);
    free(allocation);
}

static enum err_code pass(struct bench *b, char **args, struct err *e)
{
    enum err_code code = read_inputs(b, args, e);
    if (code == ERR_NONE)
        code = cost_model_find(args[2], &b->problem.model, e);
    if (code != ERR_NONE)
        return code;
    struct scheduler_choice choice;
    code = scheduler_choose("list[minimize=finish]", &choice, e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, &b->problem, NULL, &b->schedule, e);
    if (code != ERR_NONE)
        return code;
    task_id *list = priority_list(&b->problem, "bottom_level");
    host_id *first = mem_alloc((size_t)b->graph.n_tasks * sizeof *first);
    for (task_id t = 0; t < b->graph.n_tasks; t++)
        first[t] = b->schedule.tasks[t].host;
    const struct draft_options how = {
        .technique = strcmp(args[4], "end") == 0 ? TECHNIQUE_END : TECHNIQUE_INSERTION,
        .approach = draft_approach(args[3]),
        .list = list,
    };
    struct pass *p = pass_create(&b->problem, &how);
    end_phase(b, "begin_s");
    evaluate(b, p, first, strcmp(args[5], "moved") == 0);
    end_phase(b, "work_s");
    pass_free(p);
    free(first);
    free(list);
    return ERR_NONE;
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
    else if (argc == 8 && strcmp(argv[1], "pass") == 0)
        code = pass(&b, argv + 2, &e);
    getrusage(RUSAGE_SELF, &use);
    printf("\"memory_mb\": %.1f}\n", (double)use.ru_maxrss / 1000);
    if (code != ERR_NONE)
        fprintf(stderr, "bench_graphs: %s\n",
                e.code == ERR_NONE ? "wrong arguments" : err_describe(&e, said, sizeof said));
    return err_exit_status(code);
}
