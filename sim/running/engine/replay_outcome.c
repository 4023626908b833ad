/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a replay leaves behind, on either engine: its dates, what every host did, or why it failed. */
#include "base/mem.h"
#include "engine/replay_state.h"

#include <math.h>
#include <stdlib.h>

void replay_result_init(struct replay_result *x, const struct replay_plan *p)
{
    const struct span never = {NAN, NAN};
    x->n_tasks = (size_t)p->dag->n_tasks;
    x->n_edges = (size_t)p->dag->n_edges;
    x->n_hosts = p->machine->n_hosts;
    x->tasks = mem_alloc((x->n_tasks + 1) * sizeof *x->tasks);
    x->edges = mem_alloc((x->n_edges + 1) * sizeof *x->edges);
    x->hosts = mem_zalloc(x->n_hosts, sizeof *x->hosts);
    for (size_t t = 0; t < x->n_tasks; t++)
        x->tasks[t] = never;
    for (size_t e = 0; e < x->n_edges; e++)
        x->edges[e] = (struct replayed_edge){never, never, never};
}

/* The part of a span before the end. A send may outlast the last task: it lasts as long as the data would at the static
   bandwidth, and a profile may make them faster. */
static double length_until_s(struct span span, double end_s)
{
    return fmax(0, fmin(span.finish_s, end_s) - span.start_s);
}

void replay_result_end(struct replay_result *x, const struct replay_plan *p)
{
    for (size_t t = 0; t < x->n_tasks; t++)
        x->makespan_s = fmax(x->makespan_s, x->tasks[t].finish_s);
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        if (!p->schedule->edges[e].is_remote)
            continue;
        /* only until the makespan: the three times of a host must add up to it */
        x->hosts[edge_host(p, e, DIR_SEND)].stolen_s += length_until_s(x->edges[e].send, x->makespan_s);
        x->hosts[edge_host(p, e, DIR_RECV)].stolen_s += length_until_s(x->edges[e].recv, x->makespan_s);
    }
    for (size_t h = 0; h < x->n_hosts; h++)
        x->hosts[h].idle_s = fmax(0, x->makespan_s - x->hosts[h].busy_s - x->hosts[h].stolen_s);
}

void replay_result_clear(struct replay_result *r)
{
    free(r->tasks);
    free(r->edges);
    free(r->hosts);
    *r = (struct replay_result){0};
}

void replay_fail(struct replay *r, step_id s)
{
    const struct replay_plan *p = &r->plan;
    double now_s = engine_now_s(r->engine);
    char name[256];
    if (step_kind(p, s) == STEP_TASK) {
        err_set_at(&r->failure, ERR_INPUT, p->machine->source, 0,
                   "at %.9g s host '%s' was down when it should compute %s", now_s,
                   p->machine->hosts[p->schedule->tasks[s].host].name, p->dag->tasks[s].name);
        return;
    }
    edge_id e = step_edge(p, s);
    const char *hosts[N_DIRECTIONS];
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        hosts[dir] = p->machine->hosts[edge_host(p, e, dir)].name;
    replay_edge_name(p, e, name);
    if (step_kind(p, s) == STEP_HOP)
        err_set_at(&r->failure, ERR_INPUT, p->machine->source, 0,
                   "at %.9g s the transfer %s failed: host '%s', host '%s' or a link between them was down", now_s,
                   name, hosts[DIR_SEND], hosts[DIR_RECV]);
    else
        err_set_at(&r->failure, ERR_INPUT, p->machine->source, 0, "at %.9g s host '%s' was down when it should %s %s",
                   now_s, hosts[step_kind(p, s) == STEP_RECV], step_kind(p, s) == STEP_SEND ? "send" : "receive", name);
}
