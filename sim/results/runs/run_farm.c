/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task farm on a tree ([K] 4), with the bounds that its throughput cannot exceed.

   The same record (farm_outcome.h) serves a sweep and the command `iasim farm`. In a sweep the bounds are computed
   in the process of the worker, where they are remembered, and only the simulation runs in a child: SimGrid
   simulates once in a process. */
#include "actors/farm_actors.h"
#include "base/isolate.h"
#include "engine/farm_run.h"
#include "explain/farm_losses.h"
#include "farm/bound.h"
#include "farm/policy.h"
#include "models/world.h"
#include "runs/farm_outcome.h"
#include "runs/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum err_code check_policy(const char *value, struct err *e)
{
    struct policy_choice choice = {0};
    enum err_code code = policy_choose(value, &choice, e);
    policy_choice_clear(&choice);
    return code;
}

/* Chosen only to find the plugin; the choice is made again for the run. */
static const struct origin *origin_of_policy(const char *value)
{
    struct policy_choice choice = {0};
    const struct origin *from = policy_choose(value, &choice, NULL) == ERR_NONE ? policy_origin(choice.policy) : NULL;
    policy_choice_clear(&choice);
    return from;
}

static enum err_code check_actor(const char *value, struct err *e)
{
    const struct farm_actor *actor;
    return farm_actor_choose(value, &actor, e);
}

static const struct origin *origin_of_actor(const char *value)
{
    return farm_actor_origin(farm_actor_find(value));
}

static enum err_code check_arrival(const char *value, struct err *e)
{
    struct arrivals ignored;
    return arrivals_parse(value, &ignored, e);
}

static const struct run_param rows[] = {
    FARM_ROWS,
    {.is = {"policy", PARAM_TEXT, "", NULL, 0, 0, NULL,
            "which child a node serves next; `iasim list policies` lists them"},
     .check = check_policy,
     .origin = origin_of_policy,
     .letter = 'P',
     .arg = "NAME[k=v,..]",
     .values = "policies"},
    {.is = {"tasks", PARAM_INTEGER, "tasks", "1000", 1, 1e8, NULL, "tasks, all at the root unless they arrive"},
     .letter = 'n',
     .arg = "N"},
    {.is = {"buffers", PARAM_INTEGER, "tasks", "2", 1, 1e6, NULL, "task slots of every node but the root"},
     .letter = 'b',
     .arg = "B"},
    REQUEST_ROW("0", 0),
    WORLD_OF_NETWORKS_ROW("interference", 0),
    {.is = {"engine", PARAM_CHOICE, "", NULL, 0, 0, FARM_ENGINE_NAMES, FARM_ENGINE_MEANING},
     .facts = RUN_OPTIONAL | RUN_SHARED,
     .letter = 'e'},
    {.is = {"actor", PARAM_TEXT, "", NULL, 0, 0, NULL,
            "what runs at each node under the engine actors (farm_node if not given); `iasim list actors` lists them"},
     .facts = RUN_OPTIONAL,
     .check = check_actor,
     .origin = origin_of_actor,
     .arg = "NAME",
     .values = "actors"},
    NOISE_ROW,
    {.is = {"arrival", PARAM_TEXT, "", NULL, 0, 0, NULL, ARRIVALS_MEANING},
     .facts = RUN_OPTIONAL | RUN_RANDOM,
     .check = check_arrival,
     .arg = "KIND[k=v]"},
    {.is = {"bounds", PARAM_CHOICE, "", "on", 0, 0, "on|off|losses",
            "whether to compute the bounds as well, and by what the run loses against its own"}},
    IR_ROWS("", 0),
    OCCUPATION_ROWS(0),
    BANDWIDTH_ROW,
    {.is = {0}},
};

enum {
    MAKESPAN,
    THROUGHPUT,
    STEADY,
    STARTUP,
    WIND_DOWN,
    ROOT_SHARE,
    SENT,
    BUSY,
    STOLEN,
    ROOT_STOLEN,
    STOLEN_FLOP,
    BOUND_OF_MULTI, /* these two are remembered together */
    BOUND_OF_SINGLE,
    BOUND_OF_PORTS,
    REACHED,
    FIRST_LOSS, /* enum farm_loss */
    ARRIVING = FIRST_LOSS + N_FARM_LOSSES,
    RESPONSE_MEAN,
    RESPONSE_MEDIAN,
    RESPONSE_P95,
    RESPONSE_MAX,
    GROWTH,
};
static const struct metric metrics[] = {
    [MAKESPAN] = {"makespan_s", "s", "until the last task is computed", BETTER_LOWER},
    [THROUGHPUT] = {"throughput_tasks_per_s", "tasks/s", "tasks over makespan", BETTER_HIGHER},
    [STEADY] = {"steady_tasks_per_s", "tasks/s", "throughput between start-up and wind-down, if anything is between",
                BETTER_HIGHER},
    [STARTUP] = {"startup_s", "s", "until every node that computes has begun", BETTER_NONE},
    [WIND_DOWN] = {"wind_down_s", "s", "from when the root has no task left to give to the end", BETTER_NONE},
    [ROOT_SHARE] = {"root_task_ratio", "", "part of the tasks that the root computed", BETTER_NONE},
    [SENT] = {"sent_bytes", "bytes", "sent by all nodes together", BETTER_NONE},
    [BUSY] = {"busy_s", "s", "computing in progress, summed over nodes", BETTER_NONE},
    [STOLEN] = {"stolen_s", "s", "of that, what communication took, summed over nodes", BETTER_NONE},
    [ROOT_STOLEN] = {"root_stolen_s", "s", "of that, at the root", BETTER_NONE},
    [STOLEN_FLOP] = {"stolen_flop", "flop", "work that communication kept from being done, summed over nodes",
                     BETTER_NONE},
    [BOUND_OF_MULTI] = {"bound_multi_tasks_per_s", "tasks/s",
                        "no run with multi-ported sending exceeds it (in the world interference, without curves)",
                        BETTER_NONE},
    [BOUND_OF_SINGLE] = {"bound_single_tasks_per_s", "tasks/s",
                         "no run with single-ported sending exceeds it (likewise)", BETTER_NONE},
    [BOUND_OF_PORTS] = {"bound_tasks_per_s", "tasks/s", "that of these two which is for the ports of the policy",
                        BETTER_NONE},
    [REACHED] = {"reached_ratio", "", "steady_tasks_per_s over bound_tasks_per_s", BETTER_HIGHER},
#define X(id, name, sentence)                                                                                          \
    [FIRST_LOSS + (id)] = {"lost_" name "_ratio", "", "part of that bound lost by " sentence, BETTER_NONE},
    FARM_LOSS_LIST(X)
#undef X
        [ARRIVING] = {"arrival_tasks_per_s", "tasks/s", "at which tasks arrive, on average; of runs with `arrival`",
                      BETTER_NONE},
    [RESPONSE_MEAN] = {"response_mean_s", "s", "from when a task arrives until it has been computed, of these runs",
                       BETTER_LOWER},
    [RESPONSE_MEDIAN] = {"response_median_s", "s", "likewise", BETTER_LOWER},
    [RESPONSE_P95] = {"response_p95_s", "s", "what 95 % of the tasks do not exceed", BETTER_LOWER},
    [RESPONSE_MAX] = {"response_max_s", "s", "of the task that stays longest", BETTER_LOWER},
    [GROWTH] = {"growth_ratio", "",
                "by how many tasks the farm fills while the second half of the tasks arrives, over these",
                BETTER_LOWER},
    {0},
};

/* Everything that a run says without its bound. */
static void fill_run(const struct farm_run_result *r, const struct tree *t, long n_tasks, double *out)
{
    out[MAKESPAN] = r->makespan_s;
    out[THROUGHPUT] = r->throughput_tasks_per_s;
    out[STEADY] = r->steady_tasks_per_s;
    out[STARTUP] = r->phases.startup_end_s;
    /* What is left of the makespan after the root has given its last task away: a drain, whatever the policy. */
    out[WIND_DOWN] = r->makespan_s - r->phases.wind_down_start_s;
    out[ROOT_SHARE] = (double)r->nodes[t->root].farm.tasks_computed / (double)n_tasks;
    out[ROOT_STOLEN] = r->nodes[t->root].use.stolen_s;
    /* Sums over nodes begin at 0. All other figures are NAN until they are known. */
    out[SENT] = out[BUSY] = out[STOLEN] = out[STOLEN_FLOP] = 0;
    for (int n = 0; n < r->n_nodes; n++) {
        out[SENT] += r->nodes[n].farm.sent_bytes;
        out[BUSY] += r->nodes[n].use.busy_s;
        out[STOLEN] += r->nodes[n].use.stolen_s;
        out[STOLEN_FLOP] += r->nodes[n].use.stolen_flop;
    }
}

static void fill_responses(const struct farm_outcome *x, double *out)
{
    const struct arrivals_responses *r = &x->responses;
    /* Without arrivals there are no responses: the figures stay NAN, that is empty cells. */
    if (x->arrivals_s == NULL)
        return;
    out[ARRIVING] = x->arriving_tasks_per_s;
    out[RESPONSE_MEAN] = r->mean_s;
    out[RESPONSE_MEDIAN] = r->median_s;
    out[RESPONSE_P95] = r->p95_s;
    out[RESPONSE_MAX] = r->max_s;
    out[GROWTH] = r->growth_ratio;
}

static enum err_code fill_bound(const struct farm_point *f, const struct param_set *ps, enum bound_ports ports,
                                double *out, struct err *e)
{
    /* The physical bound, since only that one is not exceeded by any run. */
    struct bound b = {0};
    const struct farm_app app = farm_point_app(f, ps);
    enum err_code code = bound_compute_of(f->tree, &app, ports, BOUND_PHYSICAL, &b, e);
    if (code == ERR_NONE)
        *out = b.throughput_tasks_per_s;
    bound_clear(&b);
    return code;
}

static enum err_code fill_bounds(const struct farm_point *f, const struct param_set *ps, double *out, struct err *e)
{
    /* A bound does not depend on the policy or the world, so points that differ only in these share one
       (bound_memory_key). */
    double *both = &out[BOUND_OF_MULTI];
    char key[DIGEST_HEX_SIZE];
    bound_memory_key(ps, key);
    if (bound_memory_get(f->bounds, key, both))
        return ERR_NONE;
    enum err_code code = fill_bound(f, ps, BOUND_MULTI, &out[BOUND_OF_MULTI], e);
    if (code == ERR_NONE)
        code = fill_bound(f, ps, BOUND_SINGLE, &out[BOUND_OF_SINGLE], e);
    if (code == ERR_NONE)
        bound_memory_put(f->bounds, key, both);
    return code;
}

/* From memory, if it has been found for this point or one before. */
static enum err_code recall_bound(const struct farm_point *f, const struct param_set *ps, enum bound_ports ports,
                                  double *out, struct err *e)
{
    double both[2];
    char key[DIGEST_HEX_SIZE];
    bound_memory_key(ps, key);
    if (!bound_memory_get(f->bounds, key, both))
        return fill_bound(f, ps, ports, out, e);
    *out = both[ports == BOUND_MULTI ? 0 : 1];
    return ERR_NONE;
}

/* A load is a part of the bound that `iasim bound` shows for the ports of the policy: at load 1 tasks arrive as fast
   as the farm can work in the long run. */
static enum err_code draw_arrivals(struct farm_outcome *out, const struct point *p, struct err *e)
{
    struct arrivals a;
    enum err_code code = arrivals_parse(param_text(p->params, "arrival"), &a, e);
    if (code != ERR_NONE || a.kind == ARRIVALS_AT_ONCE)
        return code;
    out->arriving_tasks_per_s = a.tasks_per_s;
    /* NAN: the rate was given in tasks/s. */
    if (!isnan(a.load_ratio)) {
        enum bound_ports ports = policy_is_multi_port(&out->policy) ? BOUND_MULTI : BOUND_SINGLE;
        code = recall_bound(&out->point, p->params, ports, &out->arriving_tasks_per_s, e);
        out->arriving_tasks_per_s *= a.load_ratio;
    }
    /* Drawn here, before the run, so that all variants with this stream see the same arrivals. */
    if (code == ERR_NONE)
        out->arrivals_s = arrivals_draw_s(&a, out->arriving_tasks_per_s, p->stream, out->how.app.n_tasks);
    out->how.app.arrivals_s = out->arrivals_s;
    return code;
}

enum err_code farm_outcome_init(struct farm_outcome *out, const struct point *p, struct err *e)
{
    const struct param_set *ps = p->params;
    *out = (struct farm_outcome){.seed = p->stream};
    enum err_code code = farm_point_init(&out->point, p, e);
    /* Options point into `out`, so the record must not be moved from here on (farm_outcome.h). */
    out->how = (struct farm_run_options){.policy = &out->policy, .noise = row_noise(p, &out->noise)};
    out->how.app = farm_point_app(&out->point, ps);
    out->how.app.n_tasks = param_integer(ps, "tasks");
    out->how.app.n_buffers = (int)param_integer(ps, "buffers");
    if (code == ERR_NONE)
        code = policy_choose(param_text(ps, "policy"), &out->policy, e);
    if (code == ERR_NONE)
        code = world_find_of_networks(param_text(ps, "world"), &out->how.world, e);
    if (code == ERR_NONE)
        code = farm_actor_choose(param_has(ps, "actor") ? param_text(ps, "actor") : "farm_node", &out->actor, e);
    if (code == ERR_NONE)
        code = farm_engine_check(out->point.kind, out->how.world, out->actor, e);
    return code == ERR_NONE && param_has(ps, "arrival") ? draw_arrivals(out, p, e) : code;
}

enum err_code farm_outcome_run(struct farm_outcome *x, struct err *e)
{
    const struct farm_point *f = &x->point;
    enum err_code code = f->kind == FARM_ACTORS
                             ? farm_actors_run(f->engine, f->tree, &f->deployment, x->actor, &x->how, &x->result, e)
                             : farm_run(f->engine, f->tree, &x->how, &x->result, e);
    if (code == ERR_NONE && x->arrivals_s != NULL)
        x->responses = arrivals_responses_of(x->arrivals_s, x->result.ends_s, x->how.app.n_tasks);
    return code;
}

void farm_outcome_clear(struct farm_outcome *x)
{
    farm_run_result_clear(&x->result);
    policy_choice_clear(&x->policy);
    noise_clear(&x->noise);
    free(x->arrivals_s);
}

struct simulation {
    const struct point *p;
    double *out;
};

static void fill_reached(const struct policy_choice *policy, double *out)
{
    /* Which bound is the fair one depends on whether the policy sends to several children at a time. */
    out[BOUND_OF_PORTS] = out[policy_is_multi_port(policy) ? BOUND_OF_MULTI : BOUND_OF_SINGLE];
    /* NAN without a steady phase, where STEADY is NAN, and with bounds=off, where the bound is. */
    out[REACHED] = out[STEADY] / out[BOUND_OF_PORTS];
}

static enum err_code fill_losses(const struct farm_outcome *x, double *out, struct err *e)
{
    /* `losses` is filled also on errors, so it can be cleared in any case. */
    struct farm_losses losses;
    enum err_code code =
        farm_losses_find(x->point.tree, engine_machine(x->point.engine), &x->how, &x->result, &losses, e);
    for (int i = 0; code == ERR_NONE && i < N_FARM_LOSSES; i++)
        out[FIRST_LOSS + i] = losses.lost_tasks_per_s[i] / losses.bound_tasks_per_s;
    farm_losses_clear(&losses);
    return code;
}

static enum err_code simulate(void *self, struct err *e)
{
    const struct simulation *s = self;
    struct farm_outcome x;
    enum err_code code = farm_outcome_init(&x, s->p, e);
    if (code == ERR_NONE)
        code = farm_outcome_run(&x, e);
    if (code == ERR_NONE) {
        fill_run(&x.result, x.point.tree, x.how.app.n_tasks, s->out);
        fill_reached(&x.policy, s->out);
        fill_responses(&x, s->out);
    }
    if (code == ERR_NONE && row_is(s->p->params, "bounds", "losses"))
        code = fill_losses(&x, s->out, e);
    farm_outcome_clear(&x);
    return code;
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct farm_point f;
    struct simulation x = {p, out};
    /* Reads the deployment before the child is made, so that the next point of this process finds it read. */
    enum err_code code = farm_point_init(&f, p, e);
    if (code == ERR_NONE && !row_is(p->params, "bounds", "off"))
        code = fill_bounds(&f, p->params, out, e);
    /* `out` is memory that the child shares (worker_live), so the figures that it fills in arrive here. */
    if (code == ERR_NONE)
        code = p->is_last ? simulate(&x, e) : isolate_run(simulate, &x, e);
    return code;
}

const struct run_kind run_farm = {
    .name = "farm",
    .summary = "a task farm on a tree of hosts, simulated",
    .source = "[K] 4",
    .results_version = 3,
    FARM_KIND,
};
