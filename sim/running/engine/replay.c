/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule carried out: a client of the engine that begins each step as soon as nothing is left for it to wait for.
   (doc/model.md, Replay. What the steps are: replay_steps.h; in which order they are taken: replay_steps.c.)

   Executions are the engine's, transfers are SimGrid's unless links are exclusive (hops.c). Where processors are
   occupied ([S] 8.2), it is done here, by dates, because the order of a processor's steps is given; the engine runs
   with the rest of the world.

       sender     |-o_s-|---i_s---|
       links            |=====================|          whenever the links can take it
       receiver                     |---i_r---|-o_r-|    when its turn has come and what remains takes i_r at most

   While waiting is active a send lasts at least until the last byte has arrived, and a receive begins with its turn.

   Time and memory: a constant for each step and what SimGrid takes. */
#include "engine/replay.h"

#include "base/instant.h"
#include "base/mem.h"
#include "engine/replay_state.h"
#include "engine/waiting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* RECV_DUE until its transfer becomes so slow that it is not. */
enum recv_progress { RECV_DUE = 1, RECV_STARTED = 2, ARRIVED = 4 };

/* ---- for the record ---- */

void replay_note_rate(struct replay *r, step_id hop, double bytes_per_s)
{
    replay_record_add(r->record, record_of_hop(&r->plan, hop), engine_now_s(r->engine), bytes_per_s);
}

static void note_host(struct replay *r, host_id h)
{
    replay_record_add(r->record, record_of_host(&r->plan, h), engine_now_s(r->engine),
                      engine_host_flop_per_s(r->engine, h));
}

static void note_link(struct replay *r, link_id l)
{
    replay_record_add(r->record, record_of_link(&r->plan, l), engine_now_s(r->engine),
                      engine_link_bytes_per_s(r->engine, l));
}

static void note_machine(struct replay *r)
{
    for (size_t h = 0; h < r->plan.machine->n_hosts; h++)
        note_host(r, (host_id)h);
    for (size_t l = 0; l < r->plan.machine->n_links; l++)
        note_link(r, (link_id)l);
}

/* ---- steps ---- */

/* Whether it begins before the last byte is there, when what remains takes no longer than i_r. */
static bool begins_early(const struct replay *r, step_id s)
{
    if (step_kind(&r->plan, s) != STEP_RECV || r->plan.is_held)
        return false;
    edge_id e = step_edge(&r->plan, s);
    return r->plan.passages[e].involvement_s[DIR_RECV] > 0 && !(r->progress[e] & ARRIVED);
}

/* A step becomes ready once; only a receive that begins early may become ready, stop being due, and become ready again,
   so it is kept in a list apart. */
void replay_satisfy(struct replay *r, step_id s)
{
    if (--r->pending[s] > 0)
        return;
    if (!begins_early(r, s)) {
        r->ready[r->n_ready++] = s;
        return;
    }
    MEM_GROW(r->early, r->n_early, r->early_capacity);
    r->early[r->n_early++] = step_edge(&r->plan, s);
}

/* The processor goes on with its list; with nothing left in it, it is in the last call for good
   (replay_rendezvous.c). */
static void let_next(struct replay *r, step_id s)
{
    if (r->plan.after[s] >= 0)
        replay_satisfy(r, r->plan.after[s]);
    else if (r->rendezvous != NULL && step_has_place(&r->plan, s))
        rendezvous_end_list(r, step_host(&r->plan, s));
}

/* A port is taken until this date; the timer of its number then lets the next one begin, for which it is taken in
   advance. */
static void take_port(struct replay *r, step_id s, double until_s)
{
    step_id next = step_after_on_port(&r->plan, s);
    if (next < 0)
        return;
    double next_s = until_s + port_before_s(&r->plan, next);
    step_timers_set(&r->timers, r->plan.n_steps + s, fmax(next_s, engine_now_s(r->engine)));
}

/* A processor that is held anyway is not charged for rates, too. */
static double charged_so_far_s(const struct replay *r, host_id h)
{
    return r->plan.is_held ? engine_host_use(r->engine, h).charged_s : 0;
}

/* The processor is taken; nothing else can want it, or it is down. */
static bool occupy(struct replay *r, host_id h, step_id s)
{
    if (!engine_host_is_up(r->engine, h)) {
        replay_fail(r, s);
        return false;
    }
    r->occupier[h] = s;
    /* minus now, plus at the end: the sum is what was charged in between */
    r->charged_s[h] -= charged_so_far_s(r, h);
    return true;
}

static void vacate(struct replay *r, host_id h, step_id s)
{
    if (r->occupier[h] != s)
        return; /* a send or receive that takes no time never had it */
    r->occupier[h] = -1;
    r->charged_s[h] += charged_so_far_s(r, h);
}

static void end_task(struct replay *r, task_id t)
{
    const struct replay_plan *p = &r->plan;
    r->out->tasks[t].finish_s = engine_now_s(r->engine);
    r->n_tasks_done++;
    let_next(r, t);
    for (int i = p->dag->out_start[t]; i < p->dag->out_start[t + 1]; i++) {
        edge_id e = p->dag->out[i];
        replay_satisfy(r, p->schedule->edges[e].is_remote ? step_of_send(p, e) : p->dag->edges[e].dst);
    }
}

/* Without work it ends here, not at the engine's next call: before links are given away, all that is released in this
   instant must be known. */
static void begin_task(struct replay *r, task_id t, double now_s)
{
    host_id h = r->plan.schedule->tasks[t].host;
    double work_flop = r->plan.amounts.flop[t];
    r->out->tasks[t].start_s = now_s;
    if (work_flop > 0)
        engine_exec_start(r->engine, h, work_flop, &r->pending[t]);
    else if (engine_host_is_up(r->engine, h))
        end_task(r, t);
    else
        replay_fail(r, t);
}

static void end_send(struct replay *r, edge_id e)
{
    step_id s = step_of_send(&r->plan, e);
    vacate(r, edge_host(&r->plan, e, DIR_SEND), s);
    r->out->edges[e].send.finish_s = engine_now_s(r->engine);
    let_next(r, s);
}

/* A send lasts o_s + i_s from its start. While waiting is active this is asked when the last byte has arrived, which
   may be later: then it ends now. */
static void set_send_end(struct replay *r, edge_id e, double now_s)
{
    double end_s = r->out->edges[e].send.start_s + passage_s(&r->plan, e, DIR_SEND);
    if (end_s > now_s)
        step_timers_set(&r->timers, step_of_send(&r->plan, e), end_s);
    else
        end_send(r, e);
}

static void begin_send(struct replay *r, edge_id e, double now_s)
{
    const struct replay_plan *p = &r->plan;
    step_id s = step_of_send(p, e), hop = p->first_hop[e];
    double leave_s = passage_leave_s(p, e);
    r->out->edges[e].send.start_s = now_s;
    if (takes_processor(p, e, DIR_SEND) && !occupy(r, edge_host(p, e, DIR_SEND), s))
        return;
    if (r->rendezvous != NULL) {
        rendezvous_enter(r, s);
        return;
    }
    take_port(r, s, now_s + p->passages[e].port_s[DIR_SEND]);
    if (p->has_transit) /* so it is known from now on when the last byte will be there */
        replay_recv_due_at(r, e, now_s + fmax(0, leave_s) + fmax(0, p->passages[e].transit_s));
    /* a negative transit may take back all of the overhead: then data leave when the send begins */
    if (leave_s > 0)
        step_timers_set(&r->timers, hop, now_s + leave_s);
    else
        replay_satisfy(r, hop);
    if (!p->is_active)
        set_send_end(r, e, now_s);
}

static void end_recv(struct replay *r, edge_id e)
{
    const struct replay_plan *p = &r->plan;
    vacate(r, edge_host(p, e, DIR_RECV), step_of_recv(p, e));
    r->out->edges[e].recv.finish_s = engine_now_s(r->engine);
    let_next(r, step_of_recv(p, e));
    replay_satisfy(r, p->dag->edges[e].dst);
}

void replay_end_message(struct replay *r, step_id s)
{
    if (step_kind(&r->plan, s) == STEP_SEND)
        end_send(r, step_edge(&r->plan, s));
    else
        end_recv(r, step_edge(&r->plan, s));
}

/* The end is known once the receive has begun and the last byte has arrived. */
static void set_recv_end(struct replay *r, edge_id e, double now_s)
{
    if ((r->progress[e] & (RECV_STARTED | ARRIVED)) != (RECV_STARTED | ARRIVED))
        return;
    const struct replayed_edge *x = &r->out->edges[e];
    const struct passage *takes = &r->plan.passages[e];
    double end_s =
        fmax(x->recv.start_s + passage_s(&r->plan, e, DIR_RECV), x->transfer.finish_s + takes->overhead_s[DIR_RECV]);
    if (r->plan.is_active) /* the port is taken from when a receive that does not wait would begin */
        take_port(r, step_of_recv(&r->plan, e),
                  fmax(x->recv.start_s, x->transfer.finish_s - takes->involvement_s[DIR_RECV]) +
                      takes->port_s[DIR_RECV]);
    if (end_s > now_s)
        step_timers_set(&r->timers, step_of_recv(&r->plan, e), end_s);
    else
        end_recv(r, e);
}

/* While waiting holds the processor, the port is taken when the data come, in set_recv_end. */
static void begin_recv(struct replay *r, edge_id e, double now_s)
{
    step_id s = step_of_recv(&r->plan, e);
    if (takes_processor(&r->plan, e, DIR_RECV) && !occupy(r, edge_host(&r->plan, e, DIR_RECV), s))
        return;
    if (!r->plan.is_held)
        take_port(r, s, now_s + r->plan.passages[e].port_s[DIR_RECV]);
    r->out->edges[e].recv.start_s = now_s;
    r->progress[e] |= RECV_STARTED;
    if (r->rendezvous != NULL)
        rendezvous_enter(r, s);
    else
        set_recv_end(r, e, now_s);
}

static void begin_transfer(struct replay *r, edge_id e, double now_s)
{
    const struct replay_plan *p = &r->plan;
    r->has_started_transfer = true;
    r->out->edges[e].transfer.start_s = now_s;
    r->comms[e] = engine_comm_start(r->engine, edge_host(p, e, DIR_SEND), edge_host(p, e, DIR_RECV),
                                    p->amounts.bytes[e], &r->pending[p->first_hop[e]]);
}

static void begin(struct replay *r, step_id s, double now_s)
{
    const struct replay_plan *p = &r->plan;
    switch (step_kind(p, s)) {
    case STEP_TASK:
        begin_task(r, s, now_s);
        break;
    case STEP_SEND:
        begin_send(r, step_edge(p, s), now_s);
        break;
    case STEP_RECV:
        begin_recv(r, step_edge(p, s), now_s);
        break;
    case STEP_HOP:
        if (r->hops != NULL)
            hops_begin(r, s);
        else
            begin_transfer(r, step_edge(p, s), now_s);
        break;
    }
}

/* ---- the last part of a transfer ---- */

/* What a receive waits for in the way of data: for most the last byte, for one that begins early a date before it, and
   for one that holds its processor nothing at all. */
static void set_due(struct replay *r, edge_id e)
{
    if (r->progress[e] & RECV_DUE)
        return;
    r->progress[e] |= RECV_DUE;
    step_timers_set(&r->timers, step_of_recv(&r->plan, e), INFINITY);
    replay_satisfy(r, step_of_recv(&r->plan, e));
}

/* Called whenever the date of the last byte looks different. A receive that has begun does not go back. */
void replay_recv_due_at(struct replay *r, edge_id e, double last_byte_s)
{
    step_id s = step_of_recv(&r->plan, e);
    double now_s = engine_now_s(r->engine), due_s = last_byte_s - r->plan.passages[e].involvement_s[DIR_RECV];
    if (!begins_early(r, s) || (r->progress[e] & RECV_STARTED))
        return;
    if ((r->progress[e] & RECV_DUE) && instant_has_come(due_s, now_s))
        return;
    if (r->progress[e] & RECV_DUE) { /* its data have become slower: it is not due any more */
        r->progress[e] &= (unsigned char)~RECV_DUE;
        r->pending[s]++;
    }
    step_timers_set(&r->timers, s, fmax(now_s, due_s));
}

/* The last byte is there, in whichever way the data went. */
void replay_arrived(struct replay *r, edge_id e)
{
    double now_s = engine_now_s(r->engine);
    r->out->edges[e].transfer.finish_s = now_s;
    r->progress[e] |= ARRIVED;
    if (r->plan.is_active)
        set_send_end(r, e, now_s);
    if (r->rendezvous != NULL)
        rendezvous_arrived(r, e);
    else if (r->progress[e] & RECV_STARTED)
        set_recv_end(r, e, now_s);
    else
        set_due(r, e);
}

/* Tags are addresses into `pending`, so a step is found without a table. */
/* ---- what the engine calls ---- */

static step_id step_of_tag(const struct replay *r, const void *tag)
{
    return (step_id)((const int *)tag - r->pending);
}

static void on_ended(void *self, void *tag, enum engine_end end)
{
    struct replay *r = self;
    step_id s = step_of_tag(r, tag);
    if (end == ENGINE_FAILED) {
        replay_fail(r, s);
    } else if (step_kind(&r->plan, s) == STEP_TASK) {
        end_task(r, s);
    } else {
        r->comms[step_edge(&r->plan, s)] = NULL;
        replay_note_rate(r, s, 0);
        replay_arrived(r, step_edge(&r->plan, s));
    }
}

static void on_rate_changed(void *self, void *tag)
{
    struct replay *r = self;
    step_id s = step_of_tag(r, tag);
    edge_id e = step_edge(&r->plan, s);
    double rate = engine_comm_rate_bytes_per_s(r->comms[e]);
    if (r->record != NULL)
        replay_note_rate(r, s, rate);
    if (r->plan.passages[e].involvement_s[DIR_RECV] <= 0)
        return;
    double left_s = rate > 0 ? engine_comm_remaining_bytes(r->comms[e]) / rate : INFINITY;
    replay_recv_due_at(r, e, engine_now_s(r->engine) + left_s);
}

static void on_host_changed(void *self, host_id h)
{
    struct replay *r = self;
    note_host(r, h);
    if (engine_host_is_up(r->engine, h))
        return;
    if (r->occupier[h] >= 0)
        replay_fail(r, r->occupier[h]);
    if (r->hops != NULL)
        hops_host_down(r, h);
}

static void on_link_changed(void *self, link_id l)
{
    struct replay *r = self;
    note_link(r, l);
    if (r->hops != NULL)
        hops_link_changed(r, l);
}

static void on_timer(struct replay *r, step_id s)
{
    const struct replay_plan *p = &r->plan;
    if (s >= p->n_steps) { /* a port */
        replay_satisfy(r, step_after_on_port(p, s - p->n_steps));
        return;
    }
    enum step_kind kind = step_kind(p, s);
    edge_id e = step_edge(p, s);
    if (r->rendezvous != NULL) {
        rendezvous_timer(r, s);
    } else if (kind == STEP_HOP) {
        if (r->hops != NULL)
            hops_timer(r, s);
        else
            replay_satisfy(r, s);
    } else if (kind == STEP_RECV && !(r->progress[e] & RECV_STARTED)) {
        set_due(r, e);
    } else if (kind == STEP_RECV) {
        end_recv(r, e);
    } else {
        end_send(r, e);
    }
}

/* Calls by the engine are asked for one at a time: what they find is in our own timers. */
static void ask_to_be_called(struct replay *r, double now_s)
{
    double next_s = step_timers_next_s(&r->timers);
    if (r->wake_s <= now_s)
        r->wake_s = INFINITY;
    if (next_s >= r->wake_s)
        return;
    r->wake_s = next_s;
    engine_wake_at(r->engine, next_s);
}

/* Until nothing more happens in this instant, but for receives that begin early. */
static void go_on(struct replay *r, double now_s)
{
    bool goes_on = true;
    while (goes_on && r->failure.code == ERR_NONE) {
        for (step_id s; step_timers_take(&r->timers, now_s, &s);)
            on_timer(r, s);
        if (r->hops != NULL)
            hops_retime(r);
        while (r->n_begun < r->n_ready && r->failure.code == ERR_NONE)
            begin(r, r->ready[r->n_begun++], now_s);
        goes_on = r->hops != NULL && hops_grant(r);
        if (r->rendezvous != NULL && r->failure.code == ERR_NONE)
            goes_on = rendezvous_go_on(r, now_s);
        goes_on = goes_on || r->n_begun < r->n_ready || step_timers_are_due(&r->timers, now_s);
    }
}

/* Those that are still due. They occupy their processors for some time, so nothing else follows from them now. */
static void begin_early(struct replay *r, double now_s)
{
    for (size_t i = 0; i < r->n_early && r->failure.code == ERR_NONE; i++) {
        edge_id e = r->early[i];
        if (r->pending[step_of_recv(&r->plan, e)] == 0 && !(r->progress[e] & RECV_STARTED))
            begin_recv(r, e, now_s);
    }
    r->n_early = 0;
}

/* Receives that begin early do so last, by the rates of all transfers of this instant: whether one is due must not
   depend on what else is looked at first. */
static bool decide(void *self, double now_s)
{
    struct replay *r = self;
    bool are_rates_known = r->hops != NULL || now_s == r->decided_s;
    r->decided_s = now_s;
    r->has_started_transfer = false;
    go_on(r, now_s);
    if (r->n_early > 0 && are_rates_known && !r->has_started_transfer) {
        begin_early(r, now_s);
        go_on(r, now_s);
    }
    bool has_failed = r->failure.code != ERR_NONE;
    if (r->rendezvous != NULL)
        rendezvous_settle(r);
    if (r->hops != NULL)
        engine_set_waits(r->engine, !has_failed && hops_are_in_progress(r->hops));
    if (!has_failed)
        ask_to_be_called(r, now_s);
    return !has_failed && r->n_early > 0;
}

static void count(void *self, uint64_t *n_done, uint64_t *n_total)
{
    const struct replay *r = self;
    *n_done = (uint64_t)r->n_tasks_done;
    *n_total = (uint64_t)r->plan.dag->n_tasks;
}

/* ---- a run ---- */

static void take_results(struct replay *r)
{
    struct replay_result *x = r->out;
    for (size_t h = 0; h < x->n_hosts; h++) {
        struct engine_use use = engine_host_use(r->engine, (host_id)h);
        x->hosts[h] =
            (struct replayed_host){.busy_s = use.busy_s - use.stolen_s, .stolen_s = use.charged_s - r->charged_s[h]};
    }
    replay_result_end(x, &r->plan);
}

static void begin_replay(struct replay *r)
{
    const struct replay_plan *p = &r->plan;
    size_t n_steps = (size_t)p->n_steps, n_edges = (size_t)p->dag->n_edges, n_hosts = p->machine->n_hosts;
    step_timers_init(&r->timers, p->port_after != NULL ? 2 * p->n_steps : p->n_steps); /* of steps, then of ports */
    r->pending = mem_alloc(n_steps * sizeof *r->pending);
    r->ready = mem_alloc(n_steps * sizeof *r->ready);
    r->progress = mem_zalloc(n_edges + 1, sizeof *r->progress);
    r->occupier = mem_alloc(n_hosts * sizeof *r->occupier);
    r->charged_s = mem_zalloc(n_hosts, sizeof *r->charged_s);
    r->wake_s = INFINITY;
    r->decided_s = -1;
    for (size_t h = 0; h < n_hosts; h++)
        r->occupier[h] = -1;
    if (p->is_rendezvous)
        r->rendezvous = rendezvous_create(p);
    if (p->is_exclusive)
        r->hops = hops_create(p);
    else
        r->comms = mem_zalloc(n_edges + 1, sizeof(struct engine_comm *));
    for (step_id s = 0; s < p->n_steps; s++) {
        r->pending[s] = replay_plan_n_before(p, s);
        if (r->pending[s] == 0)
            r->ready[r->n_ready++] = s;
    }
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        if (p->is_held && p->schedule->edges[e].is_remote)
            set_due(r, e);
    replay_result_init(r->out, p);
}

static void end_replay(struct replay *r)
{
    step_timers_clear(&r->timers);
    free(r->pending);
    free(r->ready);
    free(r->progress);
    free(r->early);
    free(r->occupier);
    free(r->charged_s);
    free(r->comms);
    hops_free(r->hops);
    rendezvous_free(r->rendezvous);
}

static enum err_code report_deadlock(const struct replay *r, struct err *e)
{
    char name[256];
    link_id link;
    edge_id stopped = r->hops != NULL ? hops_find_stopped(r, &link) : -1;
    if (stopped < 0)
        return err_set(e, ERR_INTERNAL, "the replay stopped after %d of %d tasks", r->n_tasks_done,
                       r->plan.dag->n_tasks);
    return err_set_at(e, ERR_INPUT, r->plan.machine->source, 0,
                      "deadlock: the transfer %s can never proceed on link '%s', which has no bandwidth",
                      replay_edge_name(&r->plan, stopped, name), r->plan.machine->links[link].name);
}

static enum err_code run(struct replay *r, struct err *e)
{
    struct world_model world = *r->world;
    world.charges = NULL; /* that is done here */
    bool is_recorded = r->record != NULL;
    /* hops report their own rates, and a receive that waits holding its processor need not know when it is due */
    bool watches = !r->plan.is_exclusive && (is_recorded || (r->world->charges != NULL && !r->plan.is_held));
    struct engine_client client = {.self = r,
                                   .ended = on_ended,
                                   .decide = decide,
                                   .count = count,
                                   .rate_changed = watches ? on_rate_changed : NULL,
                                   .host_changed = on_host_changed,
                                   .link_changed = r->plan.is_exclusive || is_recorded ? on_link_changed : NULL};
    struct err why = {0};
    enum err_code code = engine_run(r->engine, &world, &client, &why);
    /* the first failure says more than the deadlock that follows when nothing is begun any more */
    if (r->failure.code != ERR_NONE) {
        why = r->failure;
        code = why.code;
    } else if (r->n_tasks_done < r->plan.dag->n_tasks && (code == ERR_NONE || r->hops != NULL)) {
        struct err deadlock = {0};
        enum err_code found = report_deadlock(r, &deadlock);
        if (code == ERR_NONE || found == ERR_INPUT) {
            why = deadlock;
            code = found;
        }
    }
    if (code != ERR_NONE && e != NULL)
        *e = why;
    return code;
}

enum err_code replay_run(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                         struct replay_result *out, struct err *e)
{
    struct replay r = {.engine = engine, .world = options->world, .out = out, .record = options->record};
    *out = (struct replay_result){0};
    enum err_code code = replay_plan_init(&r.plan, s, options, e);
    if (code == ERR_NONE)
        code = waiting_check(options, engine, e);
    if (code == ERR_NONE) {
        begin_replay(&r);
        if (r.record != NULL)
            note_machine(&r);
        code = run(&r, e);
        if (code == ERR_NONE)
            take_results(&r);
        else
            replay_result_clear(out);
        end_replay(&r);
    }
    if (code == ERR_NONE && r.record != NULL)
        replay_record_end(r.record, &r.plan);
    else
        replay_plan_clear(&r.plan);
    return code;
}
