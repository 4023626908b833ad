/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What actors of a farm need of iasim is looked up here, before SimGrid runs: routes, priorities, which children are
   never served. The shared object that holds them knows SimGrid, but of iasim's rooms only base; everything else
   reaches it as data or as functions in struct actors_farm. */
#include "actors/farm_actors.h"

#include "actors/actors.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "base/text.h"
#include "engine/guard.h"
#include "engine/in_progress.h"
#include "farm/farm_noise.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One run. Everything is owned, except what the caller gave (engine, world, tree). */
struct run {
    struct engine *engine;
    const struct world_model *world;
    const struct tree *tree;
    struct actors_farm farm;
    struct farm_noise *noise;
    struct policy_view view;
    double *priority;
    bool *is_pruned, *is_near;
    const char **links;
    size_t n_links, links_capacity;
    struct actors_farm_result result;
};

enum err_code farm_engine_check(enum farm_engine engine, const struct world_model *world,
                                const struct farm_actor *actor, struct err *e)
{
    if (engine == FARM_EVENTS && farm_actor_origin(actor) != NULL)
        return err_set(e, ERR_INPUT, "actor %s is a SimGrid actor: it needs the engine actors", actor->name);
    if (engine == FARM_ACTORS && world->charges != NULL)
        return err_set(e, ERR_INPUT,
                       "world %s occupies processors; the engine actors has worlds that only change their speed, such "
                       "as interference",
                       world_text(world));
    return ERR_NONE;
}

/* ---- what the actors are given ---- */

static void add_link(struct run *r, const char *name)
{
    MEM_GROW(r->links, r->n_links, r->links_capacity);
    r->links[r->n_links++] = name;
}

/* Links on the way from a parent to its child are watched for a loss of bandwidth; those of requests are not. */
static enum err_code look_at_node(struct run *r, const struct farm_run_options *o, node_id n, struct err *e)
{
    const struct tree_node *node = &r->tree->nodes[n];
    struct route route = {0};
    if (node->parent < 0)
        return ERR_NONE;
    host_id parent = r->tree->nodes[node->parent].host;
    enum err_code code = machine_route(engine_machine(r->engine), parent, node->host, &route, e);
    /* SimGrid aborts on a transfer that takes no time */
    r->is_near[n] = route.n_links == 0 && route.latency_s <= 0;
    r->is_pruned[n] = policy_prunes(o->policy) && tree_is_pruned(r->tree, n, o->app.task_bytes, o->app.task_flop);
    for (size_t i = 0; code == ERR_NONE && i < route.n_links; i++)
        add_link(r, engine_machine(r->engine)->links[route.links[i]].name);
    free(route.links);
    return code;
}

static enum err_code look_at_nodes(struct run *r, const struct farm_run_options *o, struct err *e)
{
    size_t n = (size_t)r->tree->n_nodes;
    r->priority = mem_zalloc(n, sizeof *r->priority);
    r->is_pruned = mem_zalloc(n, sizeof *r->is_pruned);
    r->is_near = mem_zalloc(n, sizeof *r->is_near);
    enum err_code code = policy_view_init(&r->view, r->tree, &o->app, o->policy, e);
    if (code == ERR_NONE)
        code = policy_rank(o->policy->policy, &r->view, r->priority, e);
    for (node_id i = 0; code == ERR_NONE && i < r->tree->n_nodes; i++)
        code = look_at_node(r, o, i, e);
    add_link(r, NULL); /* ends with NULL */
    return code;
}

/* SimGrid aborts on a message without a route, and on one that takes no time: both are "no route" here. */
static bool has_route(void *self, node_id from, node_id to)
{
    const struct run *r = self;
    struct route route = {0};
    enum err_code code =
        machine_route(engine_machine(r->engine), r->tree->nodes[from].host, r->tree->nodes[to].host, &route, NULL);
    free(route.links);
    return code == ERR_NONE && (route.n_links > 0 || route.latency_s > 0);
}

static double next_flop(void *self, node_id node)
{
    const struct run *r = self;
    return farm_noise_flop(r->noise, node, r->farm.app->task_flop);
}

static double next_bytes(void *self, node_id to)
{
    const struct run *r = self;
    return farm_noise_bytes(r->noise, to, r->farm.app->task_bytes);
}

static void show_progress(void *self, long n_computed)
{
    const struct run *r = self;
    engine_show_progress(r->engine, (uint64_t)n_computed, (uint64_t)r->farm.app->n_tasks);
}

/* SimGrid reads files: a deployment in memory becomes one, without a name in any folder that could be left behind.
   Returns a descriptor to close, or -1. */
static int give_deployment(const struct farm_deployment *d, char path[64], struct err *e)
{
    int fd = memfd_create("deployment.xml", MFD_CLOEXEC);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    for (size_t done = 0; fd >= 0 && done < d->size;) {
        ssize_t n = write(fd, d->text + done, d->size - done);
        /* a short write to memory happens when a signal comes */
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            close(fd);
            fd = -1;
        }
    }
    if (fd < 0)
        err_set(e, ERR_IO, "no memory for the deployment: %s", strerror(errno));
    return fd;
}

/* ---- what comes back ---- */

/* By number of the host; -1: none is on it. */
static node_id *nodes_by_host(const struct tree *t, size_t n_hosts)
{
    node_id *node_on = mem_alloc(n_hosts * sizeof *node_on);
    for (size_t h = 0; h < n_hosts; h++)
        node_on[h] = -1;
    for (node_id n = 0; n < t->n_nodes; n++)
        node_on[t->nodes[n].host] = n;
    return node_on;
}

/* The same words as those of the engine events, in the same order. */
static enum err_code refuse_deadlock(const struct run *r, struct err *e)
{
    const struct machine *m = engine_machine(r->engine);
    const struct tree_node *nodes = r->tree->nodes;
    struct in_progress list = {0};
    node_id *node_on = nodes_by_host(r->tree, m->n_hosts);
    for (size_t h = 0; h < m->n_hosts; h++) {
        if (node_on[h] < 0)
            continue;
        const struct tree_node *node = &nodes[node_on[h]];
        const struct actors_node_result *x = &r->result.nodes[node_on[h]];
        if (x->is_computing)
            in_progress_add_executions(&list, 1, node->host_name);
        for (int i = 0; i < node->n_children; i++)
            if (r->result.nodes[node->children[i]].is_receiving)
                in_progress_add_transfer(&list, node->host_name, nodes[node->children[i]].host_name);
        for (int i = 0; i < x->n_requesting; i++)
            in_progress_add_transfer(&list, node->host_name, nodes[node->parent].host_name);
    }
    err_set_at(e, ERR_INPUT, m->source, 0, "%s", in_progress_sentence(&list));
    text_clear(&list.text);
    free(node_on);
    return ERR_INPUT;
}

static enum err_code refuse(const struct run *r, struct err *e)
{
    const struct actors_farm_result *x = &r->result;
    const struct farm_actor *actor = r->farm.actor;
    const struct origin *from = farm_actor_origin(actor);
    const char *host = r->tree->nodes[x->failed_node].host_name;
    char who[256];
    snprintf(who, sizeof who, "actor %s%s%s", actor->name, from ? " of plugin " : "", from ? from->path : "");
    switch (x->end) {
    case ACTORS_DONE:
        return ERR_NONE;
    case ACTORS_FAILED:
        return farm_run_refuse_failure(r->engine, x->end_s, host, x->failed_what, e);
    case ACTORS_STUCK:
        /* Of farm_node, which cannot wait for itself, it is the platform's fault; of a plugin its own. */
        if (from == NULL)
            return refuse_deadlock(r, e);
        return err_set(e, ERR_INPUT,
                       "%s: deadlock: its actors wait for each other; %ld of %ld tasks have been computed", who,
                       x->n_completions, r->farm.app->n_tasks);
    case ACTORS_CLOSED:
        return err_set_at(
            e, ERR_INPUT, engine_machine(r->engine)->source, 0,
            "at %.9g s link '%s' loses its bandwidth, and SimGrid's transfers cannot wait for it: use --engine events",
            x->end_s, x->failed_link);
    case ACTORS_GONE:
        return err_set(e, ERR_INPUT, "%s: all its actors have ended by %.9g s, but only %ld of %ld tasks were computed",
                       who, x->end_s, x->n_completions, r->farm.app->n_tasks);
    case ACTORS_TOO_MANY:
        return err_set(e, ERR_INPUT, "%s: at %.9g s host '%s' computes more tasks than the %ld that exist", who,
                       x->end_s, host, r->farm.app->n_tasks);
    case ACTORS_TWICE:
        return err_set(e, ERR_INPUT, "%s: at %.9g s host '%s' begins a task while it computes another one", who,
                       x->end_s, host);
    }
    return ERR_INTERNAL;
}

/* The time in use is the actors' own: the layer looks only at hosts that transfers can slow down, and does not look at
   the direction of what slows them. So what receives alone took is not known (NAN). */
static struct engine_use use_of(const struct run *r, node_id n)
{
    struct layer_use use = actors_layer_host_use(r->tree->nodes[n].host);
    return (struct engine_use){.busy_s = r->result.nodes[n].farm.compute_busy_s,
                               .stolen_s = use.stolen_s,
                               .stolen_recv_s = NAN,
                               /* Under noise a host's real speed differs from the platform's,
                                  which the layer counts by. */
                               .stolen_flop = use.stolen_flop * farm_noise_rate_ratio(r->noise, n)};
}

static void take_results(struct run *r, const struct farm_run_options *o, struct farm_run_result *out)
{
    struct actors_farm_result *x = &r->result;
    out->n_nodes = r->tree->n_nodes;
    out->nodes = mem_zalloc((size_t)out->n_nodes, sizeof *out->nodes);
    out->phases = x->phases;
    out->steady_tasks_per_s = x->steady_tasks_per_s;
    for (node_id n = 0; n < out->n_nodes; n++) {
        out->nodes[n].farm = x->nodes[n].farm;
        out->nodes[n].use = use_of(r, n);
    }
    out->completions_s = x->completions_s;
    out->n_completions = x->n_completions;
    out->ends_s = x->ends_s;
    /* The arrays change owners; the clean-up below frees NULL. */
    x->completions_s = x->ends_s = NULL;
    /* Completions come by date, so the last one is the makespan. */
    out->makespan_s = out->completions_s[out->n_completions - 1];
    out->throughput_tasks_per_s = (double)o->app.n_tasks / out->makespan_s;
}

/* ---- a run ---- */

static enum err_code run_farm(struct run *r, struct err *e)
{
    const struct farm_actor *actor = r->farm.actor;
    char owner[128];
    snprintf(owner, sizeof owner, "actor %s", actor->name);
    r->result.completions_s = mem_zalloc((size_t)r->farm.app->n_tasks, sizeof(double));
    if (r->farm.app->arrivals_s != NULL)
        r->result.ends_s = mem_zalloc((size_t)r->farm.app->n_tasks, sizeof(double));
    r->result.nodes = mem_zalloc((size_t)r->tree->n_nodes, sizeof *r->result.nodes);
    /* After the platform has been loaded, before any actor runs (preload.h). */
    actors_layer_take(engine_machine(r->engine), r->world, world_factor_ratio);
    guard_enter_simgrid();
    foreign_enter(farm_actor_origin(actor), "run", owner);
    actors->farm_run(&r->farm, &r->result);
    /* A plugin's actor could fork: two processes would go on from here. */
    bool is_alone = foreign_leave();
    guard_leave_simgrid();
    engine_end_progress(r->engine);
    if (!is_alone)
        return err_set(e, ERR_INPUT, "%s of plugin %s has left a process behind", owner,
                       farm_actor_origin(actor)->path);
    return foreign_judge(ERR_NONE, e) == ERR_NONE ? refuse(r, e) : ERR_INPUT;
}

/* An actor of a plugin sends what it likes; what it computes goes through the run. */
static enum err_code check_noise(const struct noise *noise, const struct farm_actor *actor, struct err *e)
{
    for (size_t i = 0; noise != NULL && farm_actor_origin(actor) != NULL && i < noise->n_items; i++)
        if (noise->items[i].kind == NOISE_SIZE)
            return err_set(
                e, ERR_INPUT,
                "noise '%.200s': sizes are those of farm_node; actor %s of a plugin decides itself what it sends",
                noise->text, actor->name);
    return ERR_NONE;
}

enum err_code farm_actors_run(struct engine *engine, const struct tree *t, const struct farm_deployment *deployment,
                              const struct farm_actor *actor, const struct farm_run_options *o,
                              struct farm_run_result *out, struct err *e)
{
    struct run r = {.engine = engine, .world = o->world, .tree = t};
    char path[64];
    int fd = -1;
    double chunk_bytes = INFINITY;
    /* Anything may be freed below from here on: all of it is NULL or empty. */
    *out = (struct farm_run_result){0};
    enum err_code code = farm_app_check(&o->app, e);
    if (code == ERR_NONE)
        code = check_noise(o->noise, actor, e);
    if (code == ERR_NONE && o->app.arrivals_s != NULL && farm_actor_origin(actor) != NULL)
        code =
            err_set(e, ERR_INPUT, "arrivals are those of farm_node; actor %s of a plugin has all tasks from the start",
                    actor->name);
    if (code == ERR_NONE)
        code = farm_noise_create(o->noise, t, &r.noise, e);
    if (code == ERR_NONE)
        code = policy_chunk_bytes(o->policy, &chunk_bytes, e);
    if (code == ERR_NONE)
        code = look_at_nodes(&r, o, e);
    if (code == ERR_NONE && deployment->path == NULL && (fd = give_deployment(deployment, path, e)) < 0)
        code = ERR_IO;
    /* Filled in any case: it is only read if nothing has failed. */
    r.farm = (struct actors_farm){.tree = t,
                                  .app = &o->app,
                                  .actor = actor,
                                  .policy = o->policy->policy,
                                  .view = &r.view,
                                  .multi_port = policy_is_multi_port(o->policy),
                                  .next = policy_next,
                                  .deployment = fd >= 0 ? path : deployment->path,
                                  .chunk_bytes = chunk_bytes,
                                  .priority = r.priority,
                                  .is_pruned = r.is_pruned,
                                  .is_near = r.is_near,
                                  .links = r.links,
                                  .has_route = has_route,
                                  .next_flop = next_flop,
                                  .next_bytes = next_bytes,
                                  .self = &r,
                                  .trace = o->trace,
                                  .trace_self = o->trace_self,
                                  .progress = show_progress};
    if (code == ERR_NONE)
        code = run_farm(&r, e);
    if (code == ERR_NONE)
        take_results(&r, o, out);
    if (fd >= 0)
        close(fd);
    farm_noise_free(r.noise);
    policy_view_clear(&r.view);
    free(r.priority);
    free(r.is_pruned);
    free(r.is_near);
    free(r.links);
    free(r.result.completions_s);
    free(r.result.ends_s);
    free(r.result.nodes);
    return code;
}
