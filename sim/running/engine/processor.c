/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What hosts compute, at the speed that communication leaves them, and when it is done. Speeds are constant from one
   instant to the next and known at each, so executions are not SimGrid's: it keeps the network, the profiles and the
   failures.

   The executions of a host share its cores evenly, so all proceed alike. A host counts what each of them has done since
   it was last idle; one is over when the count reaches what it was at its start plus its work:

       done_flop  |-----------------|--------->     two executions on one core: each is done with half of what
       a          |======= work =======|            the host computes
       b                            |==== work ====|

   Cost: O(log n) for a start or an end; O(flows of the host + log hosts) for a change of speed, however many executions
   the host has. */
#include "base/instant.h"
#include "base/mem.h"
#include "engine/engine_state.h"

#include <math.h>
#include <stdlib.h>

/* A factor is 1 minus a sum: below this it is what rounding has left of 0. */
static const double least_factor_ratio = 1e-12;

void engine_touch(struct engine *engine, host_id h)
{
    if (!engine->hosts[h].is_dirty) {
        engine->hosts[h].is_dirty = true;
        engine->dirty[engine->n_dirty++] = h;
    }
}

/* An execution is sequential: it never gets more than one core, also where others are idle. */
static double share_of_core(const struct host *h, int n_execs)
{
    return n_execs > h->n_cores ? (double)h->n_cores / (double)n_execs : 1;
}

void processor_account(struct engine *engine, host_id id)
{
    struct host_state *s = &engine->hosts[id];
    double passed_s = engine->now_s - s->since_s;
    double stolen_s = passed_s * (1 - s->factor_ratio);
    s->use.charged_s += stolen_s;
    if (s->execs.n > 0) {
        /* cores in use; communication takes its share of the speed of each */
        double cores = (double)s->execs.n * share_of_core(&engine->machine.hosts[id], s->execs.n);
        s->use.busy_s += passed_s;
        s->use.stolen_s += stolen_s;
        s->use.stolen_recv_s += stolen_s * s->recv_share_ratio;
        s->use.stolen_flop += stolen_s * s->flop_per_s * cores;
        s->done_flop += passed_s * s->each_flop_per_s;
    }
    s->since_s = engine->now_s;
}

void processor_change(struct engine *engine, host_id h)
{
    processor_account(engine, h);
    engine_touch(engine, h);
}

/* ---- when the next execution of a host ends ---- */

/* From the count, not from what the date was before: rounding does not add up over changes of speed. Negative work is
   what rounding leaves of an execution that is due. */
/* INFINITY: nothing does as things are. */
static double first_end_s(const struct host_state *s)
{
    const struct heap_entry *first = heap_first(&s->execs);
    if (first == NULL || s->each_flop_per_s <= 0)
        return INFINITY;
    return s->since_s + fmax(first->key - s->done_flop, 0) / s->each_flop_per_s;
}

static void set_end(struct engine *engine, host_id h)
{
    struct host_state *s = &engine->hosts[h];
    if (s->place < 0)
        heap_add(&engine->ends, (struct heap_entry){.key = first_end_s(s), .number = h, .place = &s->place});
    else
        heap_move(&engine->ends, s->place, first_end_s(s));
}

double processors_next_s(const struct engine *engine)
{
    return engine->ends.n > 0 ? heap_first(&engine->ends)->key : INFINITY;
}

/* ---- speed ---- */

/* How a host's loss is divided among sends and receives is a convention, because the world's factor is of all flows
   together (duplex rates, floor): in proportion to what each flow alone would take. An occupier takes everything. */
static double recv_share_ratio(const struct engine *engine, host_id id)
{
    const struct host_state *s = &engine->hosts[id];
    double taken_ratio[N_DIRECTIONS] = {0, 0};
    if (s->occupier != NULL)
        return s->occupier->hosts[DIR_RECV] == id;
    for (size_t i = 0; i < s->n_flows; i++)
        taken_ratio[s->flows[i].direction] +=
            1 - world_factor_ratio(engine->world, &engine->machine.hosts[id], &s->flows[i], 1);
    double sum_ratio = taken_ratio[DIR_SEND] + taken_ratio[DIR_RECV];
    return sum_ratio > 0 ? taken_ratio[DIR_RECV] / sum_ratio : 0;
}

static void set_speed(struct engine *engine, host_id id, double factor_ratio, double flop_per_s)
{
    struct host_state *s = &engine->hosts[id];
    const struct engine_client *client = engine->client;
    bool is_new = factor_ratio != s->factor_ratio || flop_per_s != s->flop_per_s;
    s->factor_ratio = factor_ratio;
    s->flop_per_s = flop_per_s;
    if (is_new && client->note_speed != NULL)
        client->note_speed(client->self, id, factor_ratio, flop_per_s);
}

static void settle(struct engine *engine, host_id id)
{
    struct host_state *s = &engine->hosts[id];
    const struct host *h = &engine->machine.hosts[id];
    processor_account(engine, id);
    s->is_dirty = false;
    set_speed(engine, id, s->occupier ? 0 : world_factor_ratio(engine->world, h, s->flows, s->n_flows),
              engine_host_flop_per_s(engine, id));
    if (engine->client->splits_stolen)
        s->recv_share_ratio = recv_share_ratio(engine, id);
    /* otherwise an execution beside flows that take everything would end at a date like 1e16 s, not stand still */
    double used_ratio = s->factor_ratio < least_factor_ratio ? 0 : s->factor_ratio;
    double each = used_ratio * s->flop_per_s * share_of_core(h, s->execs.n);
    if (each == s->each_flop_per_s && !s->has_new_first)
        return; /* the date stays, to the last bit */
    s->each_flop_per_s = each;
    s->has_new_first = false;
    set_end(engine, id);
}

void processors_settle(struct engine *engine)
{
    for (size_t i = 0; i < engine->n_dirty; i++)
        settle(engine, engine->dirty[i]);
    engine->n_dirty = 0;
}

struct engine_use engine_host_use(const struct engine *engine, host_id h)
{
    processor_account((struct engine *)engine, h); /* brings it up to now; changes no answer */
    return engine->hosts[h].use;
}

/* ---- executions ---- */

struct engine_exec *engine_exec_start(struct engine *engine, host_id host, double flop, void *tag)
{
    struct engine_exec *x = mem_alloc(sizeof *x);
    *x = (struct engine_exec){.host = host, .tag = tag};
    engine->n_execs++;
    if (flop <= 0 || !bridge->host_is_up(host)) {
        x->end = bridge->host_is_up(host) ? ENGINE_DONE : ENGINE_FAILED;
        MEM_GROW(engine->over_execs, engine->n_over_execs, engine->over_execs_capacity);
        engine->over_execs[engine->n_over_execs++] = x;
        return x;
    }
    struct host_state *s = &engine->hosts[host];
    processor_change(engine, host);
    /* counts begin anew with each busy time: the smaller they are, the more exact their differences */
    if (s->execs.n == 0)
        s->done_flop = 0;
    heap_add(&s->execs,
             (struct heap_entry){.key = s->done_flop + flop, .number = engine->n_execs_started++, .item = x});
    /* one that ends later than the first changes the host's next date only by its share of the cores */
    s->has_new_first = s->has_new_first || heap_first(&s->execs)->item == x;
    return x;
}

void engine_end_exec(struct engine *engine, struct engine_exec *x, enum engine_end end)
{
    engine->client->ended(engine->client->self, x->tag, end);
    engine->client_is_due = true;
    engine->n_execs--;
    free(x);
}

static void end_first(struct engine *engine, host_id h, enum engine_end end)
{
    struct host_state *s = &engine->hosts[h];
    s->has_new_first = true;
    engine_end_exec(engine, heap_take(&s->execs).item, end);
}

/* The host's date has come, so its first execution is over, even if rounding leaves a last bit of its work: hence
   do-while. The host comes back into `ends` when it is settled. */
void processors_end_due(struct engine *engine)
{
    while (instant_has_come(processors_next_s(engine), engine->now_s)) {
        host_id h = (host_id)heap_take(&engine->ends).number;
        struct host_state *s = &engine->hosts[h];
        processor_change(engine, h);
        do
            end_first(engine, h, ENGINE_DONE);
        while (instant_has_come(first_end_s(s), engine->now_s));
    }
}

/* A host that goes down loses what it computes. Its share until now has been accounted for (on_host_changed). */
void processor_failed(struct engine *engine, host_id h)
{
    struct host_state *s = &engine->hosts[h];
    if (s->place >= 0)
        heap_remove(&engine->ends, s->place);
    while (s->execs.n > 0)
        end_first(engine, h, ENGINE_FAILED);
}
