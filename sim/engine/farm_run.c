/* SPDX-License-Identifier: LGPL-2.1-or-later */
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
    struct farm *farm;
    struct farm_noise *noise;
    long n_tasks;
    double task_bytes;
    bool splits_stolen;
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

static void *send(void *self, node_id from, node_id to, double bytes)
{
    struct run *r = self;
    return engine_comm_start(r->engine, r->tree->nodes[from].host, r->tree->nodes[to].host, bytes,
                             &r->tags[to][FARM_RUN_RECEIVES]);
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

static bool decide(void *self, double now_s)
{
    struct run *r = self;
    return r->failure.code == ERR_NONE && farm_decide(r->farm, now_s);
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
    out->steady_tasks_per_s = farm_steady_tasks_per_s(r->farm);
    out->phases = farm_find_phases(r->farm);
    out->n_nodes = r->tree->n_nodes;
    out->nodes = mem_zalloc((size_t)out->n_nodes, sizeof *out->nodes);
    for (node_id n = 0; n < out->n_nodes; n++) {
        out->nodes[n].farm = farm_node_result(r->farm, n);
        out->nodes[n].use = engine_host_use(r->engine, r->tree->nodes[n].host);
        out->nodes[n].use.stolen_flop *= farm_noise_rate_ratio(r->noise, n);
        if (!r->splits_stolen)
            out->nodes[n].use.stolen_recv_s = NAN;
    }
    out->completions_s = mem_alloc(size);
    memcpy(out->completions_s, dates_s, size);
}

static enum err_code run_farm(struct run *r, const struct farm_run_options *options, struct farm_run_result *out,
                              struct err *e)
{
    struct engine_client client = {.self = r,
                                   .ended = on_ended,
                                   .decide = decide,
                                   .count = count,
                                   .watches_rates = farm_watches_rates(r->farm),
                                   .splits_stolen = r->splits_stolen};
    enum err_code code = engine_run(r->engine, options->world, &client, e);
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
                    .splits_stolen = options->splits_stolen};
    struct farm_ops ops = {&r,        compute, send, request, rate_bytes_per_s, options->trace, options->trace_self,
                           task_bytes};
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
    code = run_farm(&r, options, out, e);
    farm_free(r.farm);
    farm_noise_free(r.noise);
    free(r.tags);
    return code;
}

void farm_run_result_clear(struct farm_run_result *r)
{
    free(r->nodes);
    free(r->completions_s);
    *r = (struct farm_run_result){0};
}
