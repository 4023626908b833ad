/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Simulations of the interface on a platform that is loaded: the kinds of run of sim/results/runs, whose parameters
   stand in structs here. They become text and pass through the checks of those kinds, so a value that a scenario
   refuses is refused here with the same words. An engine runs once in its process: each simulation is in a child of its
   own, and its figures come back in shared memory. */
#include "base/mem.h"
#include "library/call.h"
#include "runs/farm_outcome.h"
#include "runs/rows.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- parameters from structs ---- */

struct given { /* the first error stays */
    const struct run_kind *kind;
    struct param_set *params;
    enum err_code code;
    struct err *e;
};

static struct given given_of(const struct run_kind *kind, struct err *e)
{
    return (struct given){kind, param_set_create(run_params(kind)), ERR_NONE, e};
}

/* NULL: its default. */
static void give(struct given *g, const char *name, const char *value)
{
    if (g->code == ERR_NONE && value != NULL)
        g->code = param_set_value(g->params, g->kind->name, name, value, g->e);
}

/* 17 digits are the number itself: reading them back gives the same bits. */
static void give_number(struct given *g, const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    give(g, name, text);
}

static enum err_code check_given(const struct given *g)
{
    return g->code == ERR_NONE ? run_check_values(g->kind, g->params, g->e) : g->code;
}

/* ---- replay ---- */

struct replay_work {
    const struct iasim_schedule *schedule;
    struct replay_options how;
    struct span *ran; /* shared: [task], and one more: the makespan is its finish */
};

/* In the child: copies what the caller wants of the result, whose own memory ends with the child. */
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

/* Names and hosts are those of the plan, only the dates are the replay's. */
static void give_tasks(const struct replay_work *w, struct iasim_task *tasks)
{
    for (size_t t = 0; tasks != NULL && iasim_schedule_task(w->schedule, t, &tasks[t]); t++) {
        tasks[t].start_s = w->ran[t].start_s;
        tasks[t].finish_s = w->ran[t].finish_s;
    }
}

static enum err_code replay(struct replay_work *w, double *makespan_s, struct iasim_task *tasks, struct err *e)
{
    const struct machine *m = w->schedule->platform->machine;
    size_t n = (size_t)w->schedule->schedule.problem.dag->n_tasks, size = (n + 1) * sizeof *w->ran;
    if ((w->ran = isolate_shared(size)) == NULL)
        return err_set(e, ERR_INTERNAL, "no memory for the simulation of %zu tasks", n);
    enum err_code code = call_in_child(replay_here, w, m->source, e);
    if (code == ERR_NONE) {
        *makespan_s = w->ran[n].finish_s;
        give_tasks(w, tasks);
        /* In this process, since a child that succeeds brings no text back. */
        call_warn(e, world_warning(w->how.world, m));
    }
    isolate_unshare(w->ran, size);
    return code;
}

static char *waiting_of(const struct iasim_replay_how *how) /* fresh; NULL: passive */
{
    if (how->waiting != IASIM_RENDEZVOUS)
        return how->waiting == IASIM_ACTIVE ? mem_strdup("active") : NULL;
    /* Calls is 0, so a struct of zeros has the default. */
    const char *progress = how->progress == IASIM_HARDWARE ? "hardware"
                           : how->progress == IASIM_POLLS  ? "polls"
                                                           : "calls";
    return mem_format("rendezvous[progress=%s,eager=%.17g]", progress, how->eager_bytes);
}

enum err_code iasim_replay_with(const struct iasim_schedule *schedule, const struct iasim_replay_how *how,
                                double *makespan_s, struct iasim_task *tasks, struct err *e)
{
    locale_t before = call_begin(e);
    struct given g = given_of(&run_replay, e);
    struct replay_how read = {0};
    give(&g, "world", how->world);
    give(&g, "links", how->links == IASIM_EXCLUSIVE ? "exclusive" : "fluid");
    /* param_set_value copies values. */
    char *waiting = waiting_of(how);
    give(&g, "waiting", waiting);
    free(waiting);
    give(&g, "noise", how->noise);
    enum err_code code = check_given(&g);
    if (code == ERR_NONE)
        code = replay_how_read(&read, &(struct point){.params = g.params, .stream = how->seed}, e);
    if (code == ERR_NONE)
        code = replay(&(struct replay_work){.schedule = schedule, .how = read.options}, makespan_s, tasks, e);
    replay_how_clear(&read);
    param_set_free(g.params);
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
    struct point point;
    struct farm_answer {
        struct iasim_farm_result run;
        double bound_tasks_per_s;
        /* By value: pointers of the child mean nothing here. */
        char warning[sizeof((struct err *)0)->text];
    } * answer; /* shared */
};

static void warn(const struct farm_work *w, const char *warning)
{
    if (warning != NULL)
        snprintf(w->answer->warning, sizeof w->answer->warning, "%s", warning);
}

static enum err_code run_here(void *self, struct err *e)
{
    const struct farm_work *w = self;
    struct farm_outcome x;
    enum err_code code = farm_outcome_init(&x, &w->point, e);
    if (code == ERR_NONE)
        code = farm_outcome_run(&x, e);
    if (code == ERR_NONE) {
        const struct farm_run_result *r = &x.result;
        char *warning = world_warning(x.how.world, w->platform->machine);
        w->answer->run = (struct iasim_farm_result){r->makespan_s, r->throughput_tasks_per_s, r->steady_tasks_per_s,
                                                    r->phases.startup_end_s, r->phases.wind_down_start_s};
        warn(w, warning);
        free(warning);
    }
    farm_outcome_clear(&x);
    return code;
}

/* A bound simulates nothing, but bound_check_links asks SimGrid for routes, which may abort. */
static enum err_code bound_here(void *self, struct err *e)
{
    const struct farm_work *w = self;
    struct bound_outcome x;
    enum err_code code = bound_outcome_find(&x, &w->point, e);
    if (code == ERR_NONE)
        code = bound_check_links(&x.bound, x.point.tree, w->platform->machine, x.point.task_bytes, e);
    w->answer->bound_tasks_per_s = x.bound.throughput_tasks_per_s;
    warn(w, x.bound.warning);
    bound_outcome_clear(&x);
    return code;
}

static void give_farm(struct given *g, const struct iasim_farm *farm)
{
    char *deployment = command_data_path(farm->deployment);
    give(g, "deployment", deployment);
    /* The kind's unit is MB (1e6 bytes), the interface's is bytes. Division and multiplication by 1e6 may change the
       last bit. */
    give_number(g, "send_size", farm->task_bytes / 1e6);
    give_number(g, "compute_size", farm->task_flop);
    give_number(g, "request_size", farm->request_bytes / 1e6);
    free(deployment);
}

/* What farms and bounds share: checks what is given, runs `work` in a child, hands out its answer and warning. Frees
   the parameters that are given. `out` is filled if all goes well. */
static enum err_code ask(struct given *g, isolate_work *work, const struct iasim_platform *platform, uint64_t seed,
                         struct farm_answer *out)
{
    struct farm_work w = {.platform = platform, .point = {.params = g->params, .stream = seed}};
    /* In place of the kind's `prepare`, which would load a platform: this process has one. */
    w.point.shared = farm_rows_share(platform->engine);
    enum err_code code = check_given(g);
    if (code == ERR_NONE && (w.answer = isolate_shared(sizeof *w.answer)) == NULL)
        code = err_set(g->e, ERR_INTERNAL, "no memory for the simulation");
    if (code == ERR_NONE)
        code = call_in_child(work, &w, platform->machine->source, g->e);
    if (code == ERR_NONE) {
        *out = *w.answer;
        call_warn(g->e, out->warning[0] != '\0' ? mem_strdup(out->warning) : NULL);
    }
    isolate_unshare(w.answer, sizeof *w.answer);
    farm_rows_release(w.point.shared);
    param_set_free(g->params);
    return code;
}

enum err_code iasim_farm_run(const struct iasim_platform *platform, const struct iasim_farm *farm,
                             struct iasim_farm_result *out, struct err *e)
{
    locale_t before = call_begin(e);
    struct given g = given_of(&run_farm, e);
    struct farm_answer answer;
    give_farm(&g, farm);
    give(&g, "policy", farm->policy);
    give(&g, "world", farm->world);
    give(&g, "noise", farm->noise);
    give_number(&g, "tasks", (double)farm->n_tasks);
    /* 0 stands for the default, whatever that is. */
    if (farm->n_buffers != 0)
        give_number(&g, "buffers", farm->n_buffers);
    enum err_code code = ask(&g, run_here, platform, farm->seed, &answer);
    if (code == ERR_NONE)
        *out = answer.run;
    return call_end(before, code);
}

enum err_code iasim_farm_bound(const struct iasim_platform *platform, const struct iasim_farm *farm,
                               enum iasim_ports ports, const char *method, double *tasks_per_s, struct err *e)
{
    locale_t before = call_begin(e);
    struct given g = given_of(&run_bound, e);
    struct farm_answer answer;
    give_farm(&g, farm);
    give(&g, "ports", ports == IASIM_SINGLE_PORT ? "single" : "multi");
    give(&g, "method", method);
    enum err_code code = ask(&g, bound_here, platform, 0, &answer);
    if (code == ERR_NONE)
        *tasks_per_s = answer.bound_tasks_per_s;
    return call_end(before, code);
}
