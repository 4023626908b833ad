/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A farm of actors: sets the nodes up, lets SimGrid start an actor at each, ends them all when the last task has been
   computed. The books of computing are kept here, also for actors of plugins: so a plugin's protocol cannot compute
   more, or be counted otherwise, than farm_node. */
#include "actors/actors_object.h"
#include "actors/farm_state.h"
#include "base/instant.h"
#include "base/mem.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/link.h>
#include <stdlib.h>

double farm_date_s(void)
{
    return simgrid_get_clock();
}

void farm_trace(const struct farm_node *at, enum farm_event event, long task, const struct farm_node *other)
{
    const struct actors_farm *f = at->run->farm;
    if (f->trace != NULL)
        f->trace(f->trace_self, farm_date_s(), at->self.id, event, task, other != NULL ? other->self.id : -1);
}

/* Of several failures at one date, the one of the least `what` is reported: computing first. So the message does not
   depend on which actor SimGrid ends first. */
void farm_fail(enum actors_end end, enum farm_run_activity what, const struct farm_node *node)
{
    struct actors_farm_result *out = node->run->out;
    bool is_first = out->end == ACTORS_DONE;
    if ((node->run->is_over && is_first) || (!is_first && (out->end != end || out->failed_what <= what)))
        return;
    out->end = end;
    out->failed_what = what;
    out->failed_node = node->self.id;
    out->end_s = farm_date_s();
    node->run->is_over = true;
}

/* ---- computing ---- */

void farm_compute_begins(struct farm_node *me, long task)
{
    me->computing = task;
    me->compute_start_s = farm_date_s();
    me->result->is_computing = true;
    me->run->n_started++;
    if (isnan(me->result->farm.first_start_s)) {
        me->result->farm.first_start_s = me->compute_start_s;
        farm_meter_node_begins(me->run->meter, me->compute_start_s);
    }
    farm_measure_compute(me->run->measure, me->compute_start_s, me->self.id);
    farm_trace(me, FARM_COMPUTE_START, task, NULL);
}

void farm_compute_ended(struct farm_node *me)
{
    struct actors_farm_result *out = me->run->out;
    double now_s = farm_date_s();
    farm_trace(me, FARM_COMPUTE_END, me->computing, NULL);
    if (out->ends_s != NULL)
        out->ends_s[me->computing - 1] = now_s;
    me->computing = -1;
    me->result->is_computing = false;
    me->result->farm.tasks_computed++;
    me->result->farm.compute_busy_s += now_s - me->compute_start_s;
    me->result->farm.last_end_s = now_s;
    farm_measure_computed(me->run->measure, now_s, me->self.id);
    farm_meter_computed(me->run->meter, now_s, me->self.id, me->compute_start_s);
    out->completions_s[out->n_completions++] = now_s;
    /* The last task ends the run even if transfers are still under way. */
    me->run->is_over = me->run->is_over || out->n_completions == me->run->farm->app->n_tasks;
}

/* ---- actors of plugins ---- */

/* That the present actor belongs to. */
static struct farm_run *present_run(void)
{
    const struct farm_node *here = sg_host_get_data(sg_actor_get_host(sg_actor_self()));
    return here->run;
}

/* In a plugin's actor. Two tasks at once would share the processor and be faster than what the model allows. */
static void compute(const struct farm_self *self)
{
    struct farm_run *r = present_run();
    struct farm_node *me = &r->nodes[self->id];
    bool is_too_many = r->n_started == r->farm->app->n_tasks;
    if (is_too_many || me->computing >= 0) {
        farm_fail(is_too_many ? ACTORS_TOO_MANY : ACTORS_TWICE, FARM_RUN_COMPUTES, me);
        sg_actor_exit(); /* does not return */
    }
    /* A plugin's tasks have no numbers of their own: they are counted. */
    farm_compute_begins(me, r->n_started + 1);
    /* A plugin does not say when its root runs empty: the last task to begin is as near as can be known. */
    if (r->n_started == r->farm->app->n_tasks)
        farm_meter_root_is_empty(r->meter, farm_date_s());
    sg_exec_t exec = sg_actor_exec_init(r->farm->next_flop(r->farm->self, self->id));
    sg_exec_start(exec);
    if (sg_exec_wait(exec) == SG_OK)
        farm_compute_ended(me);
    else
        farm_fail(ACTORS_FAILED, FARM_RUN_COMPUTES, me);
}

static bool reaches(const struct farm_self *self, node_id other)
{
    const struct actors_farm *f = present_run()->farm;
    bool is_node = other >= 0 && other < self->tree->n_nodes && other != self->id;
    return is_node && f->has_route(f->self, self->id, other) && f->has_route(f->self, other, self->id);
}

/* What the plugin tells of its transfers, for the results only. */
static void forwarded(const struct farm_self *self, node_id to)
{
    const struct farm_run *r = present_run();
    struct farm_node *me = &r->nodes[self->id];
    if (to < 0 || to >= self->tree->n_nodes)
        return;
    me->result->farm.tasks_forwarded++;
    me->result->farm.sent_bytes += self->app->task_bytes;
    r->nodes[to].result->farm.received_bytes += self->app->task_bytes;
}

static void computing_failed_with_host(int has_failed, void *node)
{
    const struct farm_node *me = node;
    if (has_failed && !me->run->is_ending && me->computing >= 0)
        farm_fail(ACTORS_FAILED, FARM_RUN_COMPUTES, me);
}

/* What the deployment calls farm_node: the actor that was asked for (--actor), on each host. */
static void run_node(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct farm_node *me = sg_host_get_data(sg_actor_get_host(sg_actor_self()));
    if (me->run->farm->actor->run == NULL) {
        farm_node_run(me);
        return;
    }
    sg_actor_on_exit(computing_failed_with_host, me);
    me->run->farm->actor->run(&me->self);
}

/* ---- dates ---- */

static enum instant end_all(struct farm_run *r)
{
    if (sg_actor_count() == 0)
        return INSTANTS_END;
    r->is_ending = true;
    sg_actor_kill_all();
    return INSTANT_GOES_ON;
}

/* Another end is near, in the same instant: whoever waits for a turn waits for it, too. An instant is measured from its
   first date, so that it cannot grow without end. */
static bool more_ends_now(struct farm_run *r, double now_s, double next_s)
{
    if (!instant_has_come(now_s, r->instant_s))
        r->instant_s = now_s;
    return instant_has_come(next_s, r->instant_s);
}

/* SimGrid lets a transfer go on as before when its link has lost its bandwidth, which is not what the machine does.
   Only links between parents and children are looked at, and only when some bandwidth has changed. */
static void refuse_closed_links(struct farm_run *r, double now_s)
{
    for (const char **l = r->farm->links; *l != NULL; l++)
        if (sg_link_get_bandwidth(sg_link_by_name(*l)) <= 0) {
            r->out->end = ACTORS_CLOSED;
            r->out->end_s = now_s;
            r->out->failed_link = *l;
            r->is_over = true;
        }
}

/* Not at every date: drawing takes longer than most of them. */
static void show_progress(struct farm_run *r)
{
    enum { DATES_PER_LOOK = 64 };
    const struct actors_farm *f = r->farm;
    if (++r->n_dates % DATES_PER_LOOK == 0 && f->progress != NULL)
        f->progress(f->self, r->out->n_completions);
}

static enum instant quiet(void *self, double now_s, double next_s)
{
    struct farm_run *r = self;
    /* First of all: a failure of this date decides over the turns of this date. */
    if (!r->is_over && instants_bandwidth_has_changed())
        refuse_closed_links(r, now_s);
    if (r->is_over)
        return end_all(r);
    if (sg_actor_count() == 0) {
        r->out->end = ACTORS_GONE;
        r->out->end_s = now_s;
        return INSTANTS_END;
    }
    /* A limit may have become free without an end at this node. */
    for (int i = 0; i < r->farm->tree->n_nodes; i++)
        if (farm_node_may_go_on(&r->nodes[i]))
            turn_ask(&r->nodes[i].send);
    if (turns_are_asked(&r->turns) && !more_ends_now(r, now_s, next_s)) {
        /* Rates are those of this date if a round has been given at it: the network has been solved since. */
        r->rates_are_known = now_s == r->round_s;
        r->round_s = now_s;
        turns_resume(&r->turns);
        return INSTANT_GOES_ON;
    }
    show_progress(r);
    return INSTANT_PASSES;
}

/* What is in progress is kept for the message, before the actors are gone. */
static void stuck(void *self)
{
    struct farm_run *r = self;
    if (!r->is_over) {
        r->out->end = ACTORS_STUCK;
        r->out->end_s = farm_date_s();
    }
    r->is_over = r->is_ending = true;
    for (int i = 0; i < r->farm->tree->n_nodes; i++)
        r->nodes[i].result->is_receiving = r->nodes[i].is_sent_to;
    sg_actor_kill_all();
}

/* ---- setting up ---- */

static struct farm_self self_of(const struct actors_farm *f, node_id id)
{
    return (struct farm_self){f->tree, id, f->app, f->priority, compute, reaches, forwarded};
}

static void make_node(struct farm_run *r, node_id id)
{
    const struct actors_farm *f = r->farm;
    struct actors_node_result *result = &r->out->nodes[id];
    const struct tree_node *t = &f->tree->nodes[id];
    struct farm_node *me = &r->nodes[id];
    bool is_root = t->parent < 0;
    char *box = mem_format("%s requests", t->host_name);
    *me = (struct farm_node){.self = self_of(f, id), .run = r, .computing = -1, .task = -1, .result = result};
    me->parent = is_root ? NULL : &r->nodes[t->parent];
    me->n_children = t->n_children;
    me->children = mem_zalloc((size_t)t->n_children, sizeof(struct farm_node *));
    for (int i = 0; i < t->n_children; i++)
        me->children[i] = &r->nodes[t->children[i]];
    me->host = sg_host_by_name(t->host_name);
    sg_host_set_data(me->host, me);
    me->inbox = sg_mailbox_by_name(t->host_name);
    me->request_box = sg_mailbox_by_name(box);
    free(box);
    /* Of the root they are not used: it has no slots and makes no requests. */
    me->held = mem_zalloc(is_root ? 1 : (size_t)f->app->n_buffers, sizeof *me->held);
    /* All at once, or none yet: let_arrive brings them. */
    me->n_held = me->n_arrived = is_root && f->app->arrivals_s == NULL ? f->app->n_tasks : 0;
    me->requests = mem_zalloc(is_root ? 1 : (size_t)f->app->n_buffers, sizeof *me->requests);
    me->go = sg_sem_init(0);
    /* The number of the node is its place in the deployment, which decides within a phase. */
    turn_init(&me->begin, &r->turns, PHASE_BEGIN, id);
    turn_init(&me->arrive, &r->turns, PHASE_ARRIVE, id);
    turn_init(&me->request_arrives, &r->turns, PHASE_ARRIVE, id);
    turn_init(&me->work, &r->turns, is_root ? PHASE_ROOT : PHASE_WORK, id);
    turn_init(&me->send, &r->turns, PHASE_SEND, id);
    *result = (struct actors_node_result){.farm = {.first_start_s = NAN, .last_end_s = NAN}};
}

static void clear_node(struct farm_node *me)
{
    struct turn *turns[] = {&me->begin, &me->arrive, &me->request_arrives, &me->work, &me->send};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        turn_clear(turns[i]);
    sg_sem_destroy(me->go);
    free(me->children);
    free(me->held);
    free(me->requests);
}

void farm_run_actors(const struct actors_farm *farm, struct actors_farm_result *out)
{
    int n = farm->tree->n_nodes;
    struct farm_run r = {.farm = farm, .out = out, .instant_s = -1, .round_s = -1};
    r.nodes = mem_zalloc((size_t)n, sizeof *r.nodes);
    r.known = mem_zalloc((size_t)n, sizeof *r.known);
    r.meter = farm_meter_create(n);
    r.measure = farm_measure_create(farm->policy, farm->tree, farm->app->task_bytes);
    out->end = ACTORS_DONE;
    out->n_completions = 0;
    for (node_id i = 0; i < n; i++)
        make_node(&r, i);
    object_size_stacks(n); /* each node has up to four actors */
    simgrid_register_function("farm_node", run_node);
    simgrid_load_deployment(farm->deployment);
    instants_call(&(struct instants){&r, quiet, NULL, stuck});
    simgrid_run();
    instants_call(NULL);
    /* Turns that nobody took when the run ended. */
    turns_clear(&r.turns);
    out->phases = farm_meter_phases(r.meter);
    out->steady_tasks_per_s = farm_meter_steady_tasks_per_s(r.meter);
    farm_meter_free(r.meter);
    farm_measure_free(r.measure);
    for (node_id i = 0; i < n; i++)
        clear_node(&r.nodes[i]);
    free(r.nodes);
    free(r.known);
}
