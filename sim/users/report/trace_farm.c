/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of a farm, while it runs. Rates and factors of a date come after everything else of that date, once: they
   are held back until an event of a later date shows that the date is over. */
#include "base/mem.h"
#include "report/trace_format.h"

#include <stdlib.h>

struct trace_farm {
    const struct tree *tree;
    const struct machine *machine;
    struct trace_counters *counters;      /* NULL: rates and factors are not known, or not shown */
    double counted_s;                     /* the date of what they have not written */
    struct route (*routes)[N_DIRECTIONS]; /* [node]: to its parent, from its parent; likewise */
};

/* A farm whose requests take no time needs no way back: there may be none. */
static void find_routes(struct trace_farm *x)
{
    x->routes = mem_zalloc((size_t)x->tree->n_nodes, sizeof *x->routes);
    for (node_id n = 0; n < x->tree->n_nodes; n++) {
        const struct tree_node *node = &x->tree->nodes[n];
        if (node->parent < 0)
            continue;
        host_id parent = x->tree->nodes[node->parent].host;
        machine_route(x->machine, node->host, parent, &x->routes[n][DIR_SEND], NULL);
        machine_route(x->machine, parent, node->host, &x->routes[n][DIR_RECV], NULL);
    }
}

enum err_code trace_open(const char *path, const struct tree *tree, const struct machine *machine, struct trace **out,
                         struct err *e)
{
    if (trace_is_wfcommons(path))
        return err_set(
            e, ERR_INPUT,
            "%s: WfCommons describes runs of task graphs, not of farms; known here: .csv, .json, .paje, .trace", path);
    /* A format without rates needs neither counters nor routes. */
    machine = trace_shows_rates(path) ? machine : NULL;
    struct trace_names names = trace_names_of((size_t)tree->n_nodes, machine);
    /* The key of a send is its receiver: a node receives from its parent alone, one task at a time. */
    names.n_keys = tree->n_nodes;
    names.task_prefix = "task ";
    for (node_id n = 0; n < tree->n_nodes; n++)
        names.hosts[n] = tree->nodes[n].host_name;
    enum err_code code = trace_create(path, &names, out, e);
    if (code != ERR_NONE)
        return code;
    struct trace_farm *farm = mem_zalloc(1, sizeof *farm);
    *farm = (struct trace_farm){.tree = tree, .machine = machine};
    if (machine != NULL) {
        farm->counters = trace_counters_create((size_t)tree->n_nodes, machine->n_links);
        find_routes(farm);
    }
    (*out)->farm = farm;
    return ERR_NONE;
}

void trace_farm_end(struct trace *t)
{
    struct trace_farm *x = t->farm;
    if (x == NULL)
        return;
    if (x->counters != NULL)
        trace_counters_put(x->counters, x->counted_s, t);
    for (node_id n = 0; n < x->tree->n_nodes && x->routes != NULL; n++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
            free(x->routes[n][dir].links);
    free(x->routes);
    trace_counters_free(x->counters);
    free(x);
}

/* ---- rates and factors ---- */

/* Called before each event, with its date. */
static void put_counters_before(struct trace *t, double now_s)
{
    struct trace_farm *x = t->farm;
    if (x->counters != NULL && now_s > x->counted_s)
        trace_counters_put(x->counters, x->counted_s, t);
    x->counted_s = now_s;
}

void trace_rate(void *self, double now_s, node_id from, node_id to, double before_bytes_per_s, double bytes_per_s)
{
    struct trace *t = self;
    struct trace_farm *x = t->farm;
    if (x->counters == NULL)
        return;
    /* A request goes up, a task down. Routes need not be the same both ways. */
    bool is_to_parent = x->tree->nodes[from].parent == to;
    const struct route *route = is_to_parent ? &x->routes[from][DIR_SEND] : &x->routes[to][DIR_RECV];
    put_counters_before(t, now_s);
    for (size_t k = 0; k < route->n_links; k++)
        trace_counters_change_rate(x->counters, route->links[k], before_bytes_per_s, bytes_per_s);
}

void trace_speed(void *self, double now_s, node_id node, double factor_ratio, double flop_per_s)
{
    struct trace *t = self;
    struct trace_farm *x = t->farm;
    if (x->counters == NULL)
        return;
    /* A ratio to the platform's speed, because under noise a host may be faster or slower than that. */
    double platform_flop_per_s = x->machine->hosts[x->tree->nodes[node].host].speed_flop_per_s;
    put_counters_before(t, now_s);
    trace_counters_set_factor(x->counters, node, factor_ratio * (flop_per_s / platform_flop_per_s));
}

/* ---- events ---- */

static const struct {
    enum trace_what what;
    enum trace_phase phase;
} meaning[] = {
    [FARM_COMPUTE_START] = {TRACE_COMPUTE, TRACE_STARTS}, [FARM_COMPUTE_END] = {TRACE_COMPUTE, TRACE_ENDS},
    [FARM_SEND_START] = {TRACE_SEND, TRACE_STARTS},       [FARM_SEND_PAUSE] = {TRACE_SEND, TRACE_PAUSES},
    [FARM_SEND_RESUME] = {TRACE_SEND, TRACE_RESUMES},     [FARM_SEND_END] = {TRACE_SEND, TRACE_ENDS},
    [FARM_RECEIVE_END] = {TRACE_RECEIVED, TRACE_HAPPENS}, [FARM_REQUEST] = {TRACE_REQUEST, TRACE_HAPPENS},
    [FARM_ARRIVE] = {TRACE_ARRIVAL, TRACE_HAPPENS},
};

/* A flow follows a task from a send to what its receiver does with it: computes it, or sends it on. */
static void put_flow(struct trace *t, struct trace_event x, enum trace_phase phase, long task, node_id receiver)
{
    /* "7.3": task 7 on its way to node 3. It is sent on under another id, so each arrow has two ends. */
    char id[48];
    snprintf(id, sizeof id, "%ld.%d", task, receiver);
    x.phase = phase;
    x.id = id;
    trace_put(t, &x);
}

void trace_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    struct trace *t = self;
    char name[24];
    struct trace_event x = {now_s, meaning[event].what, meaning[event].phase, node, other, .key = -1};
    snprintf(name, sizeof name, "%ld", task);
    x.name = task >= 0 ? name : NULL;
    x.key = x.what == TRACE_SEND ? other : -1;
    put_counters_before(t, now_s);
    trace_put(t, &x);
    /* Nobody has sent the root its tasks. */
    if ((event == FARM_COMPUTE_START || event == FARM_SEND_START) && node != t->farm->tree->root)
        put_flow(t, x, TRACE_FLOW_TO, task, node);
    if (event == FARM_SEND_START)
        put_flow(t, x, TRACE_FLOW_FROM, task, other);
}
