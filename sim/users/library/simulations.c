/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Simulations of the face. An engine runs once in its process: each simulation is in a child of its own, and its
   figures come back in shared memory. */
#include "base/isolate.h"
#include "base/mem.h"
#include "engine/farm_run.h"
#include "engine/replay.h"
#include "farm/bound.h"
#include "library/call.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- replay ---- */

struct replay_work {
    const struct iasim_schedule *schedule;
    struct replay_options how;
    struct span *ran; /* shared: [task], and one more: the makespan is its finish */
};

static enum err_code replay_here(void *self, struct err *e)
{
    const struct replay_work *w = self;
    struct replay_result r;
    enum err_code code = replay_run(w->schedule->platform->engine, &w->schedule->schedule, &w->how, &r, e);
    if (code != ERR_NONE)
        return code;
    for (size_t t = 0; t < r.n_tasks; t++)
        w->ran[t] = r.tasks[t];
    w->ran[r.n_tasks] = (struct span){0, r.makespan_s};
    replay_result_clear(&r);
    return code;
}

static void give_tasks(const struct replay_work *w, struct iasim_task *tasks)
{
    for (size_t t = 0; tasks != NULL && iasim_schedule_task(w->schedule, t, &tasks[t]); t++) {
        tasks[t].start_s = w->ran[t].start_s;
        tasks[t].finish_s = w->ran[t].finish_s;
    }
}

enum err_code iasim_replay_with(const struct iasim_schedule *schedule, const struct iasim_replay_how *how,
                                double *makespan_s, struct iasim_task *tasks, struct err *e)
{
    locale_t before = call_begin(e);
    struct replay_work w = {schedule,
                            {.links = how->links == IASIM_EXCLUSIVE ? REPLAY_EXCLUSIVE : REPLAY_FLUID,
                             .waiting = how->waiting == IASIM_ACTIVE ? REPLAY_ACTIVE : REPLAY_PASSIVE},
                            NULL};
    size_t n = (size_t)schedule->schedule.problem.dag->n_tasks, size = (n + 1) * sizeof *w.ran;
    struct noise noise = {0};
    enum err_code code = world_find(how->world, &w.how.world, e);
    if (code == ERR_NONE && how->noise != NULL) {
        code = noise_parse(how->noise, how->seed, &noise, e);
        w.how.noise = &noise;
    }
    if (code == ERR_NONE && (w.ran = isolate_shared(size)) == NULL)
        code = err_set(e, ERR_INTERNAL, "no memory for the simulation of %zu tasks", n);
    if (code == ERR_NONE)
        code = call_in_child(replay_here, &w, schedule->platform->machine->source, e);
    if (code == ERR_NONE) {
        *makespan_s = w.ran[n].finish_s;
        give_tasks(&w, tasks);
        call_warn(e, world_warning(w.how.world, schedule->platform->machine));
    }
    isolate_unshare(w.ran, size);
    noise_clear(&noise);
    return call_end(before, code);
}

enum err_code iasim_replay(const struct iasim_schedule *schedule, const char *world, enum iasim_links links,
                           double *makespan_s, struct iasim_task *tasks, struct err *e)
{
    const struct iasim_replay_how how = {.world = world, .links = links};
    return iasim_replay_with(schedule, &how, makespan_s, tasks, e);
}

/* ---- farms ---- */

struct farm_work {
    const struct iasim_platform *platform;
    struct tree tree; /* as its file says: the child binds it */
    union {
        struct farm_run_options run;
        struct {
            enum bound_ports ports;
            enum bound_method method;
            struct farm_app app;
        } bound;
    } how;
    struct farm_answer {
        struct iasim_farm_result run;
        double bound_tasks_per_s;
        char warning[sizeof((struct err *)0)->text];
    } * answer; /* shared */
};

static enum err_code run_here(void *self, struct err *e)
{
    struct farm_work *w = self;
    struct farm_run_result r = {0};
    enum err_code code = tree_bind(&w->tree, w->platform->machine, e);
    if (code == ERR_NONE)
        code = farm_run(w->platform->engine, &w->tree, &w->how.run, &r, e);
    if (code == ERR_NONE)
        w->answer->run = (struct iasim_farm_result){r.makespan_s, r.throughput_tasks_per_s, r.steady_tasks_per_s,
                                                    r.phases.startup_end_s, r.phases.wind_down_start_s};
    farm_run_result_clear(&r);
    return code;
}

static enum err_code bound_here(void *self, struct err *e)
{
    struct farm_work *w = self;
    struct bound b = {0};
    const struct farm_app *app = &w->how.bound.app;
    enum err_code code = tree_bind(&w->tree, w->platform->machine, e);
    if (code == ERR_NONE)
        code = bound_compute_of(&w->tree, app, w->how.bound.ports, w->how.bound.method, &b, e);
    if (code == ERR_NONE)
        code = bound_check_links(&b, &w->tree, w->platform->machine, app->task_bytes, e);
    w->answer->bound_tasks_per_s = b.throughput_tasks_per_s;
    if (b.warning != NULL)
        snprintf(w->answer->warning, sizeof w->answer->warning, "%s", b.warning);
    bound_clear(&b);
    return code;
}

/* Reads the tree and lets `work` answer. */
static enum err_code ask(isolate_work *work, struct farm_work *w, const char *deployment, struct farm_answer *out,
                         struct err *e)
{
    char *path = call_path(deployment);
    enum err_code code = deployment_read(path, &w->tree, e);
    free(path);
    if (code == ERR_NONE && (w->answer = isolate_shared(sizeof *w->answer)) == NULL)
        code = err_set(e, ERR_INTERNAL, "no memory for the simulation");
    if (code == ERR_NONE)
        code = call_in_child(work, w, w->platform->machine->source, e);
    if (code == ERR_NONE)
        *out = *w->answer;
    isolate_unshare(w->answer, sizeof *w->answer);
    tree_clear(&w->tree);
    return code;
}

enum err_code iasim_farm_run(const struct iasim_platform *platform, const struct iasim_farm *farm,
                             struct iasim_farm_result *out, struct err *e)
{
    locale_t before = call_begin(e);
    struct policy_choice policy = {0};
    struct farm_answer answer;
    struct noise noise = {0};
    struct farm_work w = {.platform = platform, .how.run.policy = &policy};
    w.how.run.app = (struct farm_app){farm->n_tasks, farm->task_bytes, farm->task_flop,
                                      farm->n_buffers == 0 ? 2 : farm->n_buffers, farm->request_bytes};
    enum err_code code = policy_choose(farm->policy, &policy, e);
    if (code == ERR_NONE)
        code = world_find_of_networks(farm->world != NULL ? farm->world : "interference", &w.how.run.world, e);
    if (code == ERR_NONE && farm->noise != NULL) {
        code = noise_parse(farm->noise, farm->seed, &noise, e);
        w.how.run.noise = &noise;
    }
    if (code == ERR_NONE)
        code = ask(run_here, &w, farm->deployment, &answer, e);
    if (code == ERR_NONE) {
        *out = answer.run;
        call_warn(e, world_warning(w.how.run.world, platform->machine));
    }
    policy_choice_clear(&policy);
    noise_clear(&noise);
    return call_end(before, code);
}

enum err_code iasim_farm_bound(const struct iasim_platform *platform, const struct iasim_farm *farm,
                               enum iasim_ports ports, const char *method, double *tasks_per_s, struct err *e)
{
    locale_t before = call_begin(e);
    struct farm_answer answer;
    struct farm_work w = {.platform = platform};
    enum err_code code = ERR_NONE;
    w.how.bound.ports = ports == IASIM_SINGLE_PORT ? BOUND_SINGLE : BOUND_MULTI;
    w.how.bound.app = (struct farm_app){
        .task_bytes = farm->task_bytes, .task_flop = farm->task_flop, .request_bytes = farm->request_bytes};
    if (!bound_method_find(method, &w.how.bound.method))
        code = err_set(e, ERR_INPUT, "unknown method '%s' of a bound; known: greedy, lp, physical", method);
    if (code == ERR_NONE)
        code = ask(bound_here, &w, farm->deployment, &answer, e);
    if (code == ERR_NONE) {
        *tasks_per_s = answer.bound_tasks_per_s;
        call_warn(e, answer.warning[0] != '\0' ? mem_strdup(answer.warning) : NULL);
    }
    return call_end(before, code);
}
