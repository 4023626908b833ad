/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay of actors: sets them up, one on each host that the schedule uses, and looks at all transfers whenever no
   actor can go on: a rate that has changed, a host or link that has gone down.

   SimGrid calls `quiet` at each date when all actors are blocked. What it wakes runs at the same date, and then it is
   called again, until nothing is left to do. So the order of its lines is the order in which things happen at one
   date. */
#include "actors/actors.h"
#include "actors/actors_object.h"
#include "actors/actors_replay.h"
#include "base/instant.h"
#include "base/mem.h"
#include "base/text.h"
#include "engine/in_progress.h"

#include <math.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double replay_date_s(void)
{
    return simgrid_get_clock();
}

/* ---- waiting ---- */

/* A date in the past is none to wait for: the actor looks again at once. A time-out and a release both end the wait. */
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

/* Releases only if somebody waits: a release that nobody needs would let the next wait pass through. */
bool sleeper_wake(struct sleeper *s)
{
    bool waits = s->is_waiting;
    s->is_waiting = false;
    if (waits)
        sg_sem_release(s->sem);
    return waits;
}

/* A host that is down and idle is no failure, unless there is something that it would now do. */
bool replay_wake_host(struct replay_run *r, host_id id)
{
    struct replay_host *h = &r->hosts[id];
    if (h->at < 0)
        return false;
    if (!h->is_acting && !sg_host_is_on(h->host)) {
        if (replay_may_act(h))
            replay_fail(r, h->at);
        return false;
    }
    return sleeper_wake(&h->sleeper);
}

void replay_spawn(struct replay_run *r, const char *name, host_id h, void (*run)(int argc, char **argv), void *data)
{
    sg_actor_t actor = sg_actor_init(name, r->hosts[h].host);
    sg_actor_set_data(actor, data);
    sg_actor_start(actor, run, 0, NULL);
}

/* ---- failures ---- */

/* Only the first one is kept: what fails after it usually follows from it. */
static void fail(struct replay_run *r, const char *why)
{
    if (r->is_over)
        return;
    r->is_over = true;
    snprintf(r->end->why, sizeof r->end->why, "at %.9g s %s", replay_date_s(), why);
}

static const char *edge_name(const struct replay_run *r, edge_id e, char out[256])
{
    const struct dag *g = r->plan->dag; /* of tasks, which users may name at any length */
    snprintf(out, 256, "%.120s -> %.120s", g->tasks[g->edges[e].src].name, g->tasks[g->edges[e].dst].name);
    return out;
}

static const char *host_name(const struct replay_run *r, host_id h)
{
    return r->plan->machine->hosts[h].name;
}

void replay_fail(struct replay_run *r, step_id s)
{
    static const char *const to_do[] = {"compute", "send", "receive"};
    char name[256], why[800];
    enum step_kind kind = step_kind(r->plan, s);
    const char *what = kind == STEP_TASK ? r->plan->dag->tasks[s].name : edge_name(r, step_edge(r->plan, s), name);
    snprintf(why, sizeof why, "host '%.250s' was down when it should %s %.250s", host_name(r, step_host(r->plan, s)),
             to_do[kind], what);
    fail(r, why);
}

/* SimGrid does not tell which of the three it was. */
void replay_fail_transfer(struct replay_run *r, edge_id e)
{
    char name[256], why[800];
    snprintf(why, sizeof why, "the transfer %s failed: host '%.200s', host '%.200s' or a link between them was down",
             edge_name(r, e, name), host_name(r, edge_host(r->plan, e, DIR_SEND)),
             host_name(r, edge_host(r->plan, e, DIR_RECV)));
    fail(r, why);
}

/* An actor that was blocked between two steps had nothing to lose. */
void replay_host_failed(int has_failed, void *host)
{
    const struct replay_host *h = host;
    if (has_failed && h->is_acting)
        replay_fail(h->run, h->at);
}

void replay_task_failed(int has_failed, void *task)
{
    const struct replay_task *t = task;
    if (has_failed)
        replay_fail(t->run, task_of(t));
}

void replay_transfer_failed(int has_failed, void *edge)
{
    const struct replay_edge *x = edge;
    if (has_failed)
        replay_fail_transfer(x->run, edge_of(x));
}

/* ---- transfers under way: a list without order, of which each edge knows its place; one is removed in O(1) ---- */

void replay_under_way(struct replay_run *r, edge_id e)
{
    r->edges[e].place = r->n_under_way;
    r->under_way[r->n_under_way++] = e;
}

void replay_not_under_way(struct replay_run *r, edge_id e)
{
    edge_id moved = r->under_way[--r->n_under_way];
    r->under_way[r->edges[e].place] = moved;
    r->edges[moved].place = r->edges[e].place;
}

void replay_set_due(struct replay_run *r, edge_id e, double last_byte_s)
{
    struct replay_edge *x = &r->edges[e];
    double involvement_s = r->plan->passages[e].involvement_s[DIR_RECV];
    host_id to = edge_host(r->plan, e, DIR_RECV);
    /* Without involvement a receive begins with the last byte, so no earlier date is due. */
    if (involvement_s <= 0 || last_byte_s - involvement_s == x->due_s)
        return;
    x->due_s = last_byte_s - involvement_s;
    /* Only who waits for this message is concerned; others read due_s when they come to it. */
    if (replay_waits_to_receive(&r->hosts[to], e))
        r->was_woken = replay_wake_host(r, to) || r->was_woken;
}

static void look_at_flow(struct replay_run *r, edge_id e)
{
    struct replay_edge *x = &r->edges[e];
    /* A rate that has not changed leaves the date of the last byte as it is. */
    double rate = one_sided_rate_bytes_per_s(&x->flow);
    if (rate == x->rate_bytes_per_s)
        return;
    x->rate_bytes_per_s = rate;
    replay_set_due(r, e, rate > 0 ? replay_date_s() + one_sided_remaining_bytes(&x->flow) / rate : INFINITY);
}

/* Only for edges with an involvement at the receiver: all others need no date. Time: O(transfers
   under way) for each date. */
static void look_at_flows(struct replay_run *r)
{
    for (int i = 0; i < r->n_under_way; i++) {
        edge_id e = r->under_way[i];
        if (r->edges[e].flow.action != NULL && r->plan->passages[e].involvement_s[DIR_RECV] > 0)
            look_at_flow(r, e);
    }
}

/* Without bandwidth SimGrid lets a transfer go on as before, which is not what the machine does. */
static void refuse_closed_links(struct replay_run *r, edge_id e)
{
    size_t n;
    const link_id *links = links_of(r, e, &n);
    char name[256], why[800];
    for (size_t k = 0; k < n; k++)
        if (sg_link_get_bandwidth(r->links[links[k]]) <= 0) {
            snprintf(why, sizeof why,
                     "link '%.200s' has no bandwidth for the transfer %s, and SimGrid's transfers cannot wait for it: "
                     "use --engine events",
                     r->plan->machine->links[links[k]].name, edge_name(r, e, name));
            fail(r, why);
        }
}

static bool computes(const struct replay_host *h)
{
    return h->at >= 0 && h->is_acting && step_kind(h->run->plan, h->at) == STEP_TASK;
}

static void refuse_standing_hosts(struct replay_run *r)
{
    for (size_t h = 0; h < r->plan->machine->n_hosts; h++)
        if (computes(&r->hosts[h]))
            replay_refuse_standing(r, r->hosts[h].at);
}

void replay_refuse_standing(struct replay_run *r, task_id t)
{
    char why[800];
    host_id h = step_host(r->plan, t);
    if (sg_host_get_available_speed(r->hosts[h].host) > 0)
        return;
    snprintf(why, sizeof why,
             "host '%.200s' has no speed to compute %.250s, and SimGrid's executions cannot wait for it: use --engine "
             "events",
             host_name(r, h), r->plan->dag->tasks[t].name);
    fail(r, why);
}

/* Called only when SimGrid has reported a change of the platform. */
static void look_at_platform(struct replay_run *r)
{
    for (int i = 0; i < r->n_under_way; i++) {
        edge_id e = r->under_way[i];
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
            if (!sg_host_is_on(r->hosts[edge_host(r->plan, e, dir)].host))
                replay_fail_transfer(r, e);
        if (!r->plan->is_exclusive)
            refuse_closed_links(r, e);
    }
    refuse_standing_hosts(r);
}

/* ---- dates ---- */

/* Killed actors run their exit handlers at this date, then `quiet` is called once more. */
static enum instant end_all(void)
{
    if (sg_actor_count() == 0)
        return INSTANTS_END;
    sg_actor_kill_all();
    return INSTANT_GOES_ON;
}

/* All at once, because starting one may let another one leave (a transfer of no time arrives at once). */
static bool start_transfers(struct replay_run *r)
{
    bool any = r->n_leaving_started < r->n_leaving;
    while (r->n_leaving_started < r->n_leaving && !r->is_over)
        replay_start_transfer(r, r->leaving[r->n_leaving_started++]);
    return any;
}

/* Receives that may begin before their last byte is there do so last in an instant, by the rates of all that it starts.
   A transfer that started in the same instant may have slowed this one down, and then it is not due any more. */
static bool let_receive(struct replay_run *r)
{
    bool any = r->n_asking > 0;
    while (r->n_asking > 0) {
        struct replay_host *h = &r->hosts[r->asking[--r->n_asking]];
        h->asks = false;
        if (h->is_acting || h->at < 0 || step_kind(r->plan, h->at) != STEP_RECV)
            continue; /* the last byte has come meanwhile */
        h->may_receive = replay_is_due(r, step_edge(r->plan, h->at));
        replay_wake_host(r, h->id); /* if it may not, it has to wait for another date */
    }
    return any;
}

/* Not at every date: drawing takes longer than most of them. */
static void show_progress(struct replay_run *r)
{
    enum { DATES_PER_LOOK = 64 };
    if (++r->n_dates % DATES_PER_LOOK == 0)
        r->given->progress(r->given->progress_self, r->n_done, r->plan->dag->n_tasks);
}

static enum instant quiet(void *run, double now_s, double next_s)
{
    struct replay_run *r = run;
    /* All done, or failed. */
    if (r->is_over || (sg_actor_count() == 0 && r->n_done == r->plan->dag->n_tasks))
        return end_all();
    /* The first date of an instant counts, or dates that are each close to the one before would
       be one instant without end. */
    if (!instant_has_come(now_s, r->instant_s))
        r->instant_s = now_s;
    r->was_woken = false;
    replay_ports_look(r);
    bool is_whole = !instant_has_come(next_s, r->instant_s); /* nothing more ends in this instant */
    if (is_whole && !r->plan->is_exclusive && !r->plan->is_held)
        look_at_flows(r);
    /* Asked once for each date, because asking resets it. */
    bool has_changed = one_sided_platform_changed();
    if (has_changed)
        look_at_platform(r);
    /* From here on each stage is reached only if the stages before it have nothing to do, at this date. */
    bool goes_on = replay_links_look(r, has_changed) || r->was_woken;
    if (!goes_on && is_whole && r->plan->is_rendezvous)
        replay_meet_start(r);
    if (!goes_on && is_whole)
        goes_on = start_transfers(r);
    if (!goes_on && is_whole && r->plan->is_rendezvous)
        goes_on = replay_meet_work(r);
    if (!goes_on && is_whole)
        goes_on = replay_links_give(r);
    if (!goes_on && is_whole)
        goes_on = let_receive(r);
    show_progress(r);
    return goes_on || r->is_over ? INSTANT_GOES_ON : INSTANT_PASSES;
}

/* ---- when nothing in progress can ever end: the order of steps is not to blame, it was looked at before the run
   (replay_plan_check_circles) ---- */

/* A hop on a link that has no bandwidth, for good. */
static bool explain_closed_link(struct replay_run *r)
{
    char name[256];
    for (int i = 0; i < r->n_alive; i++) {
        const struct replay_hop *h = r->alive[i];
        if (h->state != HOP_GOES || !isinf(h->dates.finish_s))
            continue;
        snprintf(r->end->why, sizeof r->end->why,
                 "deadlock: the transfer %s can never proceed on link '%.250s', which has no bandwidth",
                 edge_name(r, h->edge, name), r->plan->machine->links[h->link_id].name);
        return true;
    }
    return false;
}

/* In the words of the engine events. */
static void list_progress(struct replay_run *r)
{
    struct in_progress list = {0};
    for (host_id h = 0; h < (host_id)r->plan->machine->n_hosts; h++) {
        if (computes(&r->hosts[h]))
            in_progress_add_executions(&list, 1, host_name(r, h));
        for (int i = 0; i < r->n_under_way; i++)
            if (edge_host(r->plan, r->under_way[i], DIR_SEND) == h)
                in_progress_add_transfer(&list, host_name(r, h),
                                         host_name(r, edge_host(r->plan, r->under_way[i], DIR_RECV)));
    }
    snprintf(r->end->why, sizeof r->end->why, "%.*s", (int)sizeof r->end->why - 1, in_progress_sentence(&list));
    text_clear(&list.text);
}

static void stuck(void *run)
{
    struct replay_run *r = run;
    if (!r->is_over && !explain_closed_link(r))
        list_progress(r);
    r->is_over = true; /* no failure may be reported for actors that are killed here */
    sg_actor_kill_all();
}

/* ---- setting up ---- */

/* In an actor, because it may spawn others, and those need a simulation that runs. */
void replay_begin(struct replay_run *r)
{
    const struct dag *g = r->plan->dag;
    r->has_begun = true;
    for (task_id t = 0; t < g->n_tasks; t++)
        if (g->in_start[t] == g->in_start[t + 1] && !step_has_place(r->plan, t))
            replay_task_ready(r, t);
}

static void make_edges(struct replay_run *r)
{
    const struct replay_plan *p = r->plan;
    const struct dag *g = p->dag;
    size_t n_edges = (size_t)g->n_edges + 1, n_tasks = (size_t)g->n_tasks + 1;
    r->edges = mem_zalloc(n_edges, sizeof *r->edges);
    r->under_way = mem_zalloc(n_edges, sizeof *r->under_way);
    r->leaving = mem_zalloc(n_edges, sizeof *r->leaving);
    r->offered = mem_zalloc(n_edges, sizeof *r->offered);
    r->tasks = mem_zalloc(n_tasks, sizeof *r->tasks);
    r->ready = mem_zalloc(n_tasks, sizeof *r->ready);
    r->asking = mem_zalloc(p->machine->n_hosts, sizeof *r->asking);
    r->taken = mem_zalloc(2 * p->machine->n_hosts, sizeof *r->taken);
    for (edge_id e = 0; e < g->n_edges; e++)
        r->edges[e] = (struct replay_edge){.run = r,
                                           .due_s = INFINITY,
                                           .has_port = {step_before_on_port(p, step_of_send(p, e)) < 0,
                                                        step_before_on_port(p, step_of_recv(p, e)) < 0}};
    for (task_id t = 0; t < g->n_tasks; t++)
        r->tasks[t] = (struct replay_task){.run = r, .n_missing = g->in_start[t + 1] - g->in_start[t]};
}

/* Hops exist only where links are exclusive and there are bytes; `link` NULL tells the others (replay_links_carry). */
static void make_hops(struct replay_run *r, edge_id e)
{
    const struct replay_plan *p = r->plan;
    size_t n;
    const link_id *links = links_of(r, e, &n);
    if (!p->is_exclusive || p->has_transit || n == 0 || p->dag->edges[e].size_bytes <= 0)
        return;
    for (step_id s = p->first_hop[e]; s < p->first_hop[e + 1]; s++) {
        link_id l = links[s - p->first_hop[e]];
        r->hops[s - p->first_hop[0]] = (struct replay_hop){.run = r,
                                                           .step = s,
                                                           .edge = e,
                                                           .link_id = l,
                                                           .link = r->links[l],
                                                           .sleeper.sem = sg_sem_init(0),
                                                           .place = -1};
    }
}

static void make_links(struct replay_run *r)
{
    const struct replay_plan *p = r->plan;
    size_t n_links = p->machine->n_links + 1, n_hops = (size_t)(p->n_steps - p->first_hop[0]) + 1;
    r->hops = mem_zalloc(n_hops, sizeof *r->hops);
    r->alive = mem_zalloc(n_hops, sizeof(struct replay_hop *));
    r->links = mem_zalloc(n_links, sizeof(sg_link_t));
    r->owner = mem_zalloc(n_links, sizeof(struct replay_hop *));
    r->first = mem_zalloc(n_links, sizeof(struct replay_hop *));
    for (size_t l = 0; l < p->machine->n_links; l++)
        r->links[l] = sg_link_by_name(p->machine->links[l].name);
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        if (p->schedule->edges[e].is_remote)
            make_hops(r, e);
}

static void make_hosts(struct replay_run *r)
{
    const struct replay_plan *p = r->plan;
    r->hosts = mem_zalloc(p->machine->n_hosts, sizeof *r->hosts);
    for (host_id i = 0; i < (host_id)p->machine->n_hosts; i++)
        r->hosts[i] = (struct replay_host){.run = r, .id = i, .at = p->first[i]};
    /* Only hosts with a task have an actor and a SimGrid host here. */
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        r->hosts[step_host(p, t)].host = sg_host_by_name(host_name(r, step_host(p, t)));
    for (size_t i = 0; i < p->machine->n_hosts; i++) {
        struct replay_host *h = &r->hosts[i];
        if (h->host == NULL) /* the schedule does not use it */
            continue;
        h->sleeper.sem = sg_sem_init(0);
        sg_host_set_data(h->host, h);
        /* Without auto-restart a host that was down for a moment would never do the rest. */
        sg_actor_set_auto_restart(sg_actor_create("replay_host", h->host, replay_host, 0, NULL), 1);
    }
}

/* Semaphores first: they lie in arrays that are freed below. */
static void clear(struct replay_run *r)
{
    for (size_t h = 0; h < r->plan->machine->n_hosts; h++)
        if (r->hosts[h].sleeper.sem != NULL)
            sg_sem_destroy(r->hosts[h].sleeper.sem);
    for (int i = 0; i < r->plan->n_steps - r->plan->first_hop[0]; i++)
        if (r->hops[i].sleeper.sem != NULL)
            sg_sem_destroy(r->hops[i].sleeper.sem);
    void *all[] = {r->leaving, r->hosts, r->edges, r->hops,  r->tasks, r->ready,  r->under_way,
                   r->alive,   r->links, r->owner, r->first, r->taken, r->asking, r->offered};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

void replay_run_actors(const struct actors_replay *given, struct replay_result *out, struct actors_replay_end *end)
{
    struct replay_run r = {.given = given, .plan = given->plan, .out = out, .end = end, .instant_s = -1};
    *end = (struct actors_replay_end){0};
    make_edges(&r);
    make_links(&r);
    object_size_stacks((int)r.plan->machine->n_hosts);
    make_hosts(&r);
    instants_call(&(struct instants){&r, quiet, replay_ports_next_s, stuck});
    simgrid_run();
    instants_call(NULL);
    /* Not n_done alone: the last task may be done in a run that has failed. */
    end->is_done = r.n_done == r.plan->dag->n_tasks && !r.is_over;
    clear(&r);
}
