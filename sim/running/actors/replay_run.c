/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay of actors: sets them up, one on each host that the schedule uses, and looks at all transfers whenever no actor can go
   on: a rate that has changed, a host or link that has gone down. */
#include "actors/actors.h"
#include "actors/actors_object.h"
#include "actors/actors_replay.h"
#include "base/instant.h"
#include "base/mem.h"

#include <math.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay_run replay_now;

double replay_date_s(void)
{
    return simgrid_get_clock();
}

/* ---- waiting ---- */

void sleeper_wait(struct sleeper *s, double until_s)
{
    double now_s = replay_date_s();
    s->is_waiting = true;
    if (isinf(until_s))
        sg_sem_acquire(s->sem);
    else if (until_s > now_s)
        sg_sem_acquire_timeout(s->sem, until_s - now_s);
    s->is_waiting = false;
}

bool sleeper_wake(struct sleeper *s)
{
    bool waits = s->is_waiting;
    s->is_waiting = false;
    if (waits)
        sg_sem_release(s->sem);
    return waits;
}

bool replay_wake_host(host_id id)
{
    struct replay_host *h = &replay_now.hosts[id];
    if (h->at == h->end)
        return false;
    if (!h->is_acting && !sg_host_is_on(h->host)) {
        if (replay_may_act(h))
            replay_fail(replay_now.script->acts[h->at]);
        return false;
    }
    return sleeper_wake(&h->sleeper);
}

void replay_spawn(const char *name, host_id h, void (*run)(int argc, char **argv), void *data)
{
    sg_actor_t actor = sg_actor_init(name, replay_now.hosts[h].host);
    sg_actor_set_data(actor, data);
    sg_actor_start(actor, run, 0, NULL);
}

/* ---- failures ---- */

static void fail(const char *why)
{
    if (replay_now.is_over)
        return;
    replay_now.is_over = true;
    snprintf(replay_now.end->why, sizeof replay_now.end->why, "at %.9g s %s", replay_date_s(), why);
}

static const char *edge_name(edge_id e, char out[256])
{
    const struct dag *g = replay_now.script->dag;
    snprintf(out, 256, "%.120s -> %.120s", g->tasks[g->edges[e].src].name, g->tasks[g->edges[e].dst].name);
    return out;
}

void replay_fail(struct act act)
{
    static const char *const to_do[] = {"compute", "send", "receive"};
    const struct script *x = replay_now.script;
    char name[256], why[800];
    host_id h = act.kind == ACT_COMPUTE ? x->schedule->tasks[act.id].host
                                        : replay_end_of(act.id, act.kind == ACT_SEND ? DIR_SEND : DIR_RECV);
    const char *what = act.kind == ACT_COMPUTE ? x->dag->tasks[act.id].name : edge_name(act.id, name);
    snprintf(why, sizeof why, "host '%.250s' was down when it was to %s %.250s", x->machine->hosts[h].name,
             to_do[act.kind], what);
    fail(why);
}

void replay_fail_transfer(edge_id e)
{
    const struct host *hosts = replay_now.script->machine->hosts;
    char name[256], why[800];
    snprintf(why, sizeof why, "the transfer %s failed: host '%.200s', host '%.200s' or a link between them was down",
             edge_name(e, name), hosts[replay_end_of(e, DIR_SEND)].name, hosts[replay_end_of(e, DIR_RECV)].name);
    fail(why);
}

void replay_host_failed(int has_failed, void *host)
{
    const struct replay_host *h = host;
    if (has_failed && h->is_acting)
        replay_fail(replay_now.script->acts[h->at]);
}

void replay_task_failed(int has_failed, void *n_missing)
{
    if (has_failed)
        replay_fail((struct act){ACT_COMPUTE, (int)((int *)n_missing - replay_now.n_missing)});
}

void replay_transfer_failed(int has_failed, void *edge)
{
    if (has_failed)
        replay_fail_transfer((edge_id)((struct replay_edge *)edge - replay_now.edges));
}

/* ---- transfers under way ---- */

void replay_under_way(edge_id e)
{
    replay_now.edges[e].place = replay_now.n_under_way;
    replay_now.under_way[replay_now.n_under_way++] = e;
}

void replay_not_under_way(edge_id e)
{
    edge_id moved = replay_now.under_way[--replay_now.n_under_way];
    replay_now.under_way[replay_now.edges[e].place] = moved;
    replay_now.edges[moved].place = replay_now.edges[e].place;
}

void replay_set_due(edge_id e, double last_byte_s)
{
    struct replay_edge *x = &replay_now.edges[e];
    double involvement_s = replay_now.script->edges[e].involvement_s[DIR_RECV];
    host_id to = replay_end_of(e, DIR_RECV);
    if (involvement_s <= 0 || last_byte_s - involvement_s == x->due_s)
        return;
    x->due_s = last_byte_s - involvement_s;
    if (replay_waits_to_receive(&replay_now.hosts[to], e))
        replay_now.was_woken = replay_wake_host(to) || replay_now.was_woken;
}

static void look_at_flow(edge_id e)
{
    struct replay_edge *x = &replay_now.edges[e];
    double rate = one_sided_rate_bytes_per_s(&x->flow);
    if (rate == x->rate_bytes_per_s)
        return;
    x->rate_bytes_per_s = rate;
    replay_set_due(e, rate > 0 ? replay_date_s() + one_sided_remaining_bytes(&x->flow) / rate : INFINITY);
}

static void look_at_flows(void)
{
    for (int i = 0; i < replay_now.n_under_way; i++) {
        edge_id e = replay_now.under_way[i];
        if (replay_now.edges[e].flow.action != NULL && replay_now.script->edges[e].involvement_s[DIR_RECV] > 0)
            look_at_flow(e);
    }
}

/* Without bandwidth SimGrid lets a transfer go on as before, which is not what the machine does. */
static void refuse_closed_links(edge_id e)
{
    const struct script_edge *x = &replay_now.script->edges[e];
    char name[256], why[800];
    for (int k = 0; k < x->n_links; k++)
        if (sg_link_get_bandwidth(replay_now.links[x->links[k]]) <= 0) {
            snprintf(
                why, sizeof why,
                "link '%.200s' has no bandwidth for the transfer %s, and transfers of SimGrid's cannot wait for it: "
                "use the engine events",
                replay_now.script->machine->links[x->links[k]].name, edge_name(e, name));
            fail(why);
        }
}

static void refuse_standing_hosts(void)
{
    for (size_t h = 0; h < replay_now.script->machine->n_hosts; h++) {
        const struct replay_host *x = &replay_now.hosts[h];
        if (x->at < x->end && x->is_acting && replay_now.script->acts[x->at].kind == ACT_COMPUTE)
            replay_refuse_standing(x->id, replay_now.script->acts[x->at].id);
    }
}

void replay_refuse_standing(host_id h, task_id t)
{
    char why[800];
    if (sg_host_get_available_speed(replay_now.hosts[h].host) > 0)
        return;
    snprintf(why, sizeof why,
             "host '%.200s' has no speed to compute %.250s, and executions of SimGrid's cannot wait for it: use the "
             "engine events",
             replay_now.script->machine->hosts[h].name, replay_now.script->dag->tasks[t].name);
    fail(why);
}

static void look_at_platform(void)
{
    for (int i = 0; i < replay_now.n_under_way; i++) {
        edge_id e = replay_now.under_way[i];
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
            if (!sg_host_is_on(replay_now.hosts[replay_end_of(e, dir)].host))
                replay_fail_transfer(e);
        if (!replay_now.script->is_exclusive)
            refuse_closed_links(e);
    }
    refuse_standing_hosts();
}

/* ---- dates ---- */

static enum instant end_all(void)
{
    if (sg_actor_count() == 0)
        return INSTANTS_END;
    sg_actor_kill_all();
    return INSTANT_GOES_ON;
}

static bool start_transfers(void)
{
    bool any = replay_now.n_leaving_started < replay_now.n_leaving;
    while (replay_now.n_leaving_started < replay_now.n_leaving && !replay_now.is_over)
        replay_start_transfer(replay_now.leaving[replay_now.n_leaving_started++]);
    return any;
}

/* Receives that may begin before their last byte is there do so last in an instant, by the rates of all that it starts. */
static bool let_receive(void)
{
    bool any = replay_now.n_asking > 0;
    while (replay_now.n_asking > 0) {
        struct replay_host *h = &replay_now.hosts[replay_now.asking[--replay_now.n_asking]];
        edge_id e = replay_now.script->acts[h->at].id;
        h->asks = false;
        if (!replay_waits_to_receive(h, e)) /* the last byte has come meanwhile */
            continue;
        h->may_receive = replay_is_due(e);
        replay_wake_host(h->id); /* if it may not, it has to wait for another date */
    }
    return any;
}

static void show_progress(void)
{
    enum { DATES_PER_LOOK = 64 };
    if (++replay_now.n_dates % DATES_PER_LOOK == 0)
        replay_now.given->progress(replay_now.given->progress_self, replay_now.n_done, replay_now.script->dag->n_tasks);
}

enum instant replay_quiet(double now_s, double next_s)
{
    if (replay_now.is_over || (sg_actor_count() == 0 && replay_now.n_done == replay_now.script->dag->n_tasks))
        return end_all();
    if (!instant_has_come(now_s, replay_now.instant_s))
        replay_now.instant_s = now_s;
    replay_now.was_woken = false;
    replay_ports_look();
    bool is_whole = !instant_has_come(next_s, replay_now.instant_s); /* nothing more ends in this instant */
    if (is_whole && !replay_now.script->is_exclusive && !replay_now.script->is_active)
        look_at_flows();
    bool has_changed = one_sided_platform_changed();
    if (has_changed)
        look_at_platform();
    bool goes_on = replay_links_look(has_changed) || replay_now.was_woken;
    if (!goes_on && is_whole)
        goes_on = start_transfers();
    if (!goes_on && is_whole)
        goes_on = replay_links_give();
    if (!goes_on && is_whole)
        goes_on = let_receive();
    show_progress();
    return goes_on || replay_now.is_over ? INSTANT_GOES_ON : INSTANT_PASSES;
}

void replay_stuck(void)
{
    if (!replay_now.is_over)
        replay_explain_stuck(replay_now.end);
    replay_now.is_over = true;
    sg_actor_kill_all();
}

/* ---- setting up ---- */

void replay_begin(void)
{
    const struct dag *g = replay_now.script->dag;
    replay_now.has_begun = true;
    for (task_id t = 0; t < g->n_tasks; t++)
        if (g->in_start[t] == g->in_start[t + 1] && !replay_now.script->has_act[t])
            replay_task_ready(t);
}

static void make_edges(const struct script *x)
{
    const struct dag *g = x->dag;
    size_t n_edges = (size_t)g->n_edges + 1, n_tasks = (size_t)g->n_tasks + 1;
    replay_now.edges = mem_zalloc(n_edges, sizeof *replay_now.edges);
    replay_now.under_way = mem_zalloc(n_edges, sizeof *replay_now.under_way);
    replay_now.leaving = mem_zalloc(n_edges, sizeof *replay_now.leaving);
    replay_now.n_missing = mem_zalloc(n_tasks, sizeof *replay_now.n_missing);
    replay_now.is_done = mem_zalloc(n_tasks, sizeof *replay_now.is_done);
    replay_now.ready = mem_zalloc(n_tasks, sizeof *replay_now.ready);
    replay_now.asking = mem_zalloc(x->machine->n_hosts, sizeof *replay_now.asking);
    replay_now.taken = mem_zalloc(2 * x->machine->n_hosts, sizeof *replay_now.taken);
    for (edge_id e = 0; e < g->n_edges; e++) {
        replay_now.edges[e].due_s = INFINITY;
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
            replay_now.edges[e].has_port[dir] = x->edges[e].port_before[dir] < 0;
    }
    for (task_id t = 0; t < g->n_tasks; t++)
        replay_now.n_missing[t] = g->in_start[t + 1] - g->in_start[t];
}

static void make_links(const struct script *x)
{
    size_t n_links = x->machine->n_links + 1, n_hops = (size_t)x->n_hops + 1;
    replay_now.hops = mem_zalloc(n_hops, sizeof *replay_now.hops);
    replay_now.alive = mem_zalloc(n_hops, sizeof *replay_now.alive);
    replay_now.links = mem_zalloc(n_links, sizeof *replay_now.links);
    replay_now.owner = mem_alloc(n_links * sizeof *replay_now.owner);
    replay_now.first = mem_alloc(n_links * sizeof *replay_now.first);
    for (link_id l = 0; l < (link_id)x->machine->n_links; l++) {
        replay_now.links[l] = sg_link_by_name(x->machine->links[l].name);
        replay_now.owner[l] = replay_now.first[l] = -1;
    }
    for (int i = 0; i < x->n_hops; i++) {
        edge_id e = x->edge_of[i];
        int k = i - x->edges[e].first_hop;
        replay_now.hops[i] = (struct replay_hop){.id = i,
                                                 .edge = e,
                                                 .k = k,
                                                 .link = replay_now.links[x->edges[e].links[k]],
                                                 .sleeper.sem = sg_sem_init(0),
                                                 .place = -1};
    }
}

static void make_hosts(const struct script *x)
{
    replay_now.hosts = mem_zalloc(x->machine->n_hosts, sizeof *replay_now.hosts);
    for (host_id i = 0; i < (host_id)x->machine->n_hosts; i++) {
        struct replay_host *h = &replay_now.hosts[i];
        *h = (struct replay_host){.id = i, .at = x->first_act[i], .end = x->first_act[i + 1]};
        if (!x->is_used[i])
            continue;
        h->host = sg_host_by_name(x->machine->hosts[i].name);
        h->sleeper.sem = sg_sem_init(0);
        sg_host_set_data(h->host, h);
        sg_actor_set_auto_restart(sg_actor_create("replay_host", h->host, replay_host, 0, NULL), 1);
    }
}

static void clear(const struct script *x)
{
    for (size_t h = 0; h < x->machine->n_hosts; h++)
        if (replay_now.hosts[h].sleeper.sem != NULL)
            sg_sem_destroy(replay_now.hosts[h].sleeper.sem);
    for (int i = 0; i < x->n_hops; i++)
        sg_sem_destroy(replay_now.hops[i].sleeper.sem);
    void *all[] = {replay_now.leaving, replay_now.hosts, replay_now.edges,     replay_now.hops,  replay_now.n_missing,
                   replay_now.is_done, replay_now.ready, replay_now.under_way, replay_now.alive, replay_now.links,
                   replay_now.owner,   replay_now.first, replay_now.taken,     replay_now.asking};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    replay_now = (struct replay_run){0};
}

void replay_run_actors(const struct actors_replay *given, struct replay_result *out, struct actors_replay_end *end)
{
    const struct script *x = given->script;
    *end = (struct actors_replay_end){0};
    replay_now = (struct replay_run){.given = given, .script = x, .out = out, .end = end, .instant_s = -1};
    make_edges(x);
    make_links(x);
    object_size_stacks((int)x->machine->n_hosts);
    make_hosts(x);
    simgrid_run();
    end->is_done = replay_now.n_done == x->dag->n_tasks && !replay_now.is_over;
    clear(x);
}
