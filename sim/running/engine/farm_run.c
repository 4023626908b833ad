/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Carries out what the farm's state machine asks for, and tells it what has ended. The farm knows no dates to come and
   no rates but those it asks for; noise is added here, between what the farm asks for and what the engine does, so
   policies cannot see it. The protocol has no recovery: the first failure ends the run. */
#include "engine/farm_run.h"

#include "base/mem.h"
#include "farm/farm_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tag { /* what an activity of the engine is to the farm */
    enum farm_run_activity kind;
    node_id node; /* where it computes; the receiver; who requests */
};

struct run {
    struct engine *engine;
    const struct tree *tree;
    const struct farm_run_options *options;
    struct farm *farm;
    struct farm_recorder *recorder; /* NULL: nothing is recorded */
    node_id *node_on;               /* [host]; -1: none. Only where rates are watched */
    struct requests {
        double bytes_per_s;
        int n;
    } * requests; /* [node], likewise: those under way, once their latency is over */
    struct farm_noise *noise;
    long n_tasks;
    double task_bytes;
    double asked_s;        /* the last arrival that the engine was asked to wake us at */
    struct tag (*tags)[3]; /* by node and kind */
    struct err failure;
};

static void compute(void *self, node_id node, double flop)
{
    struct run *r = self;
    engine_exec_start(r->engine, r->tree->nodes[node].host, farm_noise_flop(r->noise, node, flop),
                      &r->tags[node][FARM_RUN_COMPUTES]);
}

static double task_bytes(void *self, node_id to)
{
    struct run *r = self;
    return farm_noise_bytes(r->noise, to, r->task_bytes);
}

/* The farm keeps the result as its name for the transfer, and asks by it for the rate. */
static void *send(void *self, node_id from, node_id to, double bytes, double limit_bytes_per_s)
{
    struct run *r = self;
    return engine_comm_start_limited(r->engine, r->tree->nodes[from].host, r->tree->nodes[to].host, bytes,
                                     limit_bytes_per_s, &r->tags[to][FARM_RUN_RECEIVES]);
}

static void request(void *self, node_id child, double bytes)
{
    struct run *r = self;
    const struct tree_node *c = &r->tree->nodes[child];
    engine_comm_start(r->engine, c->host, r->tree->nodes[c->parent].host, bytes, &r->tags[child][FARM_RUN_REQUESTS]);
}

static double rate_bytes_per_s(void *self, void *comm)
{
    (void)self;
    return engine_comm_rate_bytes_per_s(comm);
}

enum err_code farm_run_refuse_failure(const struct engine *engine, double now_s, const char *host_name,
                                      enum farm_run_activity what, struct err *e)
{
    static const char *const words[] = {"computing a task", "receiving a task from its parent", "sending a request"};
    return err_set_at(
        e, ERR_INPUT, engine_machine(engine)->source, 0,
        "at %.9g s host '%s' or a link that it uses failed while it was %s; the farm's protocol does not recover",
        now_s, host_name, words[what]);
}

static void on_ended(void *self, void *owner, enum engine_end end)
{
    struct run *r = self;
    const struct tag *tag = owner;
    double now_s = engine_now_s(r->engine);
    if (end == ENGINE_FAILED)
        farm_run_refuse_failure(r->engine, now_s, r->tree->nodes[tag->node].host_name, tag->kind, &r->failure);
    else if (tag->kind == FARM_RUN_COMPUTES)
        farm_computed(r->farm, now_s, tag->node);
    else if (tag->kind == FARM_RUN_RECEIVES)
        farm_sent(r->farm, now_s, r->tree->nodes[tag->node].parent, tag->node);
    else
        farm_requested(r->farm, now_s, tag->node);
}

/* ---- for those who watch ---- */

static void on_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    struct run *r = self;
    if (r->options->trace != NULL)
        r->options->trace(r->options->trace_self, now_s, node, event, task, other);
    farm_recorder_event(r->recorder, now_s, node, event, task, other);
}

/* Returns their rate; rounding leaves nothing behind. */
static double change_requests(struct requests *x, double before_bytes_per_s, double bytes_per_s)
{
    x->n += (bytes_per_s > 0) - (before_bytes_per_s > 0);
    x->bytes_per_s = x->n > 0 ? x->bytes_per_s + (bytes_per_s - before_bytes_per_s) : 0;
    return x->bytes_per_s;
}

static void on_rate(void *self, void *owner, double before_bytes_per_s, double bytes_per_s)
{
    struct run *r = self;
    const struct tag *tag = owner;
    double now_s = engine_now_s(r->engine);
    node_id parent = r->tree->nodes[tag->node].parent;
    bool is_request = tag->kind == FARM_RUN_REQUESTS;
    if (is_request)
        farm_recorder_rate(r->recorder, now_s, tag->node, FARM_FLOW_REQUEST,
                           change_requests(&r->requests[tag->node], before_bytes_per_s, bytes_per_s));
    else
        farm_recorder_rate(r->recorder, now_s, tag->node, FARM_FLOW_TASK, bytes_per_s);
    if (r->options->trace_rate != NULL)
        r->options->trace_rate(r->options->trace_self, now_s, is_request ? tag->node : parent,
                               is_request ? parent : tag->node, before_bytes_per_s, bytes_per_s);
}

static void on_speed(void *self, host_id h, double factor_ratio, double flop_per_s)
{
    struct run *r = self;
    node_id node = r->node_on[h];
    double now_s = engine_now_s(r->engine);
    if (node < 0)
        return;
    farm_recorder_charge(r->recorder, now_s, node, 1 - factor_ratio);
    if (r->options->trace_speed != NULL)
        r->options->trace_speed(r->options->trace_self, now_s, node, factor_ratio, flop_per_s);
}

static bool is_watched(const struct farm_run_options *o)
{
    return o->record != NULL || o->trace_rate != NULL || o->trace_speed != NULL;
}

static void prepare_to_watch(struct run *r)
{
    size_t n_hosts = engine_machine(r->engine)->n_hosts;
    r->recorder = farm_recorder_create(r->options->record, r->tree->n_nodes);
    r->requests = mem_zalloc((size_t)r->tree->n_nodes, sizeof *r->requests);
    r->node_on = mem_alloc(n_hosts * sizeof *r->node_on);
    for (size_t h = 0; h < n_hosts; h++)
        r->node_on[h] = -1;
    for (node_id n = 0; n < r->tree->n_nodes; n++)
        r->node_on[r->tree->nodes[n].host] = n;
}

/* ---- the run ---- */

/* Tasks that arrive over time are events of the farm's own: the engine must let time pass to the next, and is asked
   once for each. */
static bool decide(void *self, double now_s)
{
    struct run *r = self;
    bool again = r->failure.code == ERR_NONE && farm_decide(r->farm, now_s);
    double next_s = farm_next_arrival_s(r->farm);
    if (isfinite(next_s) && next_s > r->asked_s && r->failure.code == ERR_NONE) {
        r->asked_s = next_s;
        engine_wake_at(r->engine, next_s);
    }
    return again;
}

static void count(void *self, uint64_t *n_done, uint64_t *n_total)
{
    const struct run *r = self;
    long n;
    farm_completion_dates_s(r->farm, &n);
    *n_done = (uint64_t)n;
    *n_total = (uint64_t)r->n_tasks;
}

static void take_results(const struct run *r, struct farm_run_result *out)
{
    out->makespan_s = farm_makespan_s(r->farm);
    const double *dates_s = farm_completion_dates_s(r->farm, &out->n_completions);
    size_t size = (size_t)out->n_completions * sizeof *dates_s;
    out->throughput_tasks_per_s = (double)out->n_completions / out->makespan_s;
    out->steady_tasks_per_s = farm_meter_steady_tasks_per_s(farm_phases_of(r->farm));
    out->phases = farm_meter_phases(farm_phases_of(r->farm));
    out->n_nodes = r->tree->n_nodes;
    out->nodes = mem_zalloc((size_t)out->n_nodes, sizeof *out->nodes);
    for (node_id n = 0; n < out->n_nodes; n++) {
        out->nodes[n].farm = farm_node_result(r->farm, n);
        out->nodes[n].use = engine_host_use(r->engine, r->tree->nodes[n].host);
        /* a host that computes faster by noise was given less work at the platform's speed (farm_noise_flop): what was
           stolen is counted in the same flop as tasks */
        out->nodes[n].use.stolen_flop *= farm_noise_rate_ratio(r->noise, n);
        if (!r->options->splits_stolen)
            out->nodes[n].use.stolen_recv_s = NAN;
    }
    out->completions_s = mem_alloc(size);
    memcpy(out->completions_s, dates_s, size);
    const double *ends_s = farm_ends_s(r->farm);
    /* all tasks were there at 0 */
    if (ends_s == NULL)
        return;
    out->ends_s = mem_alloc(size);
    memcpy(out->ends_s, ends_s, size);
}

static enum err_code run_farm(struct run *r, struct farm_run_result *out, struct err *e)
{
    const struct farm_run_options *options = r->options;
    struct engine_client client = {.self = r,
                                   .ended = on_ended,
                                   .decide = decide,
                                   .count = count,
                                   .watches_rates = farm_watches_rates(r->farm),
                                   .splits_stolen = r->options->splits_stolen,
                                   .note_rate = is_watched(options) ? on_rate : NULL,
                                   .note_speed = is_watched(options) ? on_speed : NULL};
    enum err_code code = engine_run(r->engine, options->world, &client, e);
    /* after a failure the farm starts nothing, so the engine's own error is a deadlock that follows from it */
    if (r->failure.code != ERR_NONE) {
        if (e != NULL)
            *e = r->failure;
        return r->failure.code;
    }
    if (code == ERR_NONE && !farm_is_over(r->farm))
        code = err_set(e, ERR_INTERNAL, "the farm stopped before all tasks were computed");
    if (code == ERR_NONE)
        take_results(r, out);
    return code;
}

enum err_code farm_run(struct engine *engine, const struct tree *t, const struct farm_run_options *options,
                       struct farm_run_result *out, struct err *e)
{
    struct run r = {.engine = engine,
                    .tree = t,
                    .n_tasks = options->app.n_tasks,
                    .task_bytes = options->app.task_bytes,
                    .asked_s = -1,
                    .options = options};
    bool has_events = options->trace != NULL || options->record != NULL;
    struct farm_ops ops = {&r, compute, send, request, rate_bytes_per_s, has_events ? on_event : NULL, &r, task_bytes};
    *out = (struct farm_run_result){0};
    enum err_code code = farm_noise_create(options->noise, t, &r.noise, e);
    if (code == ERR_NONE)
        code = farm_create(t, &options->app, options->policy, &ops, &r.farm, e);
    if (code != ERR_NONE) {
        farm_noise_free(r.noise);
        return code;
    }
    r.tags = mem_zalloc((size_t)t->n_nodes, sizeof *r.tags);
    for (node_id n = 0; n < t->n_nodes; n++)
        for (enum farm_run_activity kind = FARM_RUN_COMPUTES; kind <= FARM_RUN_REQUESTS; kind++)
            r.tags[n][kind] = (struct tag){kind, n};
    if (is_watched(options))
        prepare_to_watch(&r);
    code = run_farm(&r, out, e);
    farm_recorder_end(r.recorder, out->makespan_s);
    if (code != ERR_NONE && options->record != NULL)
        farm_record_clear(options->record);
    farm_free(r.farm);
    farm_noise_free(r.noise);
    free(r.tags);
    free(r.node_on);
    free(r.requests);
    return code;
}

void farm_run_result_clear(struct farm_run_result *r)
{
    free(r->nodes);
    free(r->completions_s);
    free(r->ends_s);
    *r = (struct farm_run_result){0};
}
