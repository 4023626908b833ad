/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay of actors looks like that of replay.c: the same options, the same result, the same errors. What hosts did
   is put together here from three sources: spans of tasks, spans of sends and receives, and the layer's books of
   what rates took. */
#include "actors/replay_actors.h"

#include "actors/actors.h"
#include "base/foreign.h"
#include "engine/guard.h"

/* Beside what rates took while nothing held the processor (hosts[].stolen_s as the actors left it). */
static void take_results(const struct replay_plan *plan, struct replay_result *x)
{
    for (size_t t = 0; t < x->n_tasks; t++)
        x->hosts[plan->schedule->tasks[t].host].busy_s += x->tasks[t].finish_s - x->tasks[t].start_s;
    for (size_t h = 0; h < x->n_hosts; h++) {
        /* an execution that transfers slow down lasts longer, so what they took is in its span, too */
        struct layer_use use = actors_layer_host_use((int)h);
        x->hosts[h].busy_s -= use.stolen_s;
        x->hosts[h].stolen_s += use.charged_s;
    }
    replay_result_end(x, plan);
}

static void show_progress(void *self, int n_done, int n_tasks)
{
    engine_show_progress(self, (uint64_t)n_done, (uint64_t)n_tasks);
}

static enum err_code run(struct engine *engine, const struct replay_plan *plan, const struct replay_options *options,
                         struct replay_result *out, struct err *e)
{
    const struct actors_replay given = {.plan = plan,
                                        .route = schedule_route,
                                        .route_latency_s = replay_route_latency_s,
                                        .loads = options->world->speed_factor_ratio ? actors_layer_loads : NULL,
                                        .host_use = actors_layer_host_use,
                                        .progress = show_progress,
                                        .progress_self = engine};
    /* A copy without charges: sends and receives that hold the processor are the actors' sleeps, and
       would else be taken twice. */
    struct world_model world = *options->world;
    struct actors_replay_end end;
    world.charges = NULL; /* that is done by the actors */
    replay_result_init(out, plan);
    /* Before the first actor runs, after the platform has been loaded (preload.h). */
    actors_layer_take(plan->machine, &world, world_factor_ratio);
    /* SimGrid may print pages and abort: until guard_leave_simgrid its stderr is held back. */
    guard_enter_simgrid();
    actors->replay_run(&given, out, &end);
    guard_leave_simgrid();
    engine_end_progress(engine);
    /* A plugin's world may have given numbers that are none during the run. */
    if (foreign_judge(ERR_NONE, e) != ERR_NONE)
        return ERR_INPUT;
    if (!end.is_done)
        return err_set_at(e, ERR_INPUT, plan->machine->source, 0, "%s", end.why);
    take_results(plan, out);
    return ERR_NONE;
}

enum err_code replay_actors_run(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                                struct replay_result *out, struct err *e)
{
    struct replay_plan plan;
    *out = (struct replay_result){0};
    /* Refused here and not by the plan, which both engines share. */
    if (options->waiting == REPLAY_RENDEZVOUS && options->progress == REPLAY_POLLS)
        return err_set(e, ERR_INPUT,
                       "waiting 'rendezvous' with progress 'polls' needs engine 'events': SimGrid's transfers cannot "
                       "stand still");
    enum err_code code = replay_plan_init(&plan, s, options, e);
    if (code == ERR_NONE)
        code = run(engine, &plan, options, out, e);
    if (code != ERR_NONE)
        replay_result_clear(out);
    replay_plan_clear(&plan);
    return code;
}

enum err_code replay_run_by(enum replay_engine by, struct engine *engine, const struct schedule *s,
                            const struct replay_options *options, struct replay_result *out, struct err *e)
{
    return by == REPLAY_ACTORS ? replay_actors_run(engine, s, options, out, e) : replay_run(engine, s, options, out, e);
}
