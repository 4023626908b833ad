/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* farm_node: the protocol of the farm (doc/model.md, Farms) as ordinary SimGrid actors. One, which the deployment
   starts at every node, serves the children; beside it run one that computes, one that receives tasks, and for each
   child one that sends to it and, if requests take time, one that listens to it.

   What ends wakes the actor that waits for it, which keeps the books and asks for turns; decisions are made in turns
   (turns.h), so all ends of that date are known by then.

   The books of a transfer to a child are in the child's struct farm_node: a child has one parent, and at most one task
   on its way, so a parent needs no list of its sends. */
#include "actors/farm_state.h"
#include "base/instant.h"
#include "simgrid/instants.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/exec.h>
#include <string.h>

static const double full_ratio = 1 - 1e-9; /* a send limit counts as used up from this share on: rates are rounded */

static const struct actors_farm *farm_of(const struct farm_node *any)
{
    return any->run->farm;
}

static bool is_root(const struct farm_node *me)
{
    return me->parent == NULL;
}

/* ---- requests ---- */

/* From now on the parent knows of it. */
static void request_arrives(struct farm_node *me)
{
    int last = (me->first_request + me->n_requests++) % farm_of(me)->app->n_buffers;
    me->requests[last] = (struct request){farm_date_s(), ++me->n_requests_made};
    /* Where a policy measures; NULL otherwise, which these functions accept. */
    farm_measure_request(me->run->measure, farm_date_s(), me->self.id);
    turn_ask(&me->parent->send);
}

/* A slot is free: one request for each. The root has no slots. */
static void request_task(struct farm_node *me)
{
    if (is_root(me))
        return;
    farm_trace(me, FARM_REQUEST, -1, me->parent);
    if (farm_of(me)->app->request_bytes <= 0) {
        request_arrives(me);
        return;
    }
    me->result->n_requesting++;
    /* A request shares links with tasks, so the rates of this date are out of date. */
    me->run->rates_are_known = false;
    if (farm_of(me)->is_near[me->self.id]) {
        me->n_requests_arriving++;
        /* In the next round of turns: like a transfer, it does not arrive in the round in which it was sent. */
        turn_ask_later(&me->request_arrives);
        return;
    }
    /* Detached: the node goes on, and the parent's listener gets it. */
    sg_comm_detach(sg_mailbox_put_init(me->request_box, me, (long)farm_of(me)->app->request_bytes), NULL);
}

/* At the parent: the box belongs to this actor, so requests are on their way even while it is busy with another one. */
static void listen_to(struct farm_node *child)
{
    bool is_near = farm_of(child)->is_near[child->self.id];
    if (!is_near)
        sg_mailbox_set_receiver(sg_mailbox_get_name(child->request_box));
    for (;;) {
        void *from; /* not used: the mailbox is that of one child */
        if (is_near)
            turn_wait(&child->request_arrives);
        else if (sg_comm_wait(sg_mailbox_get_async(child->request_box, &from)) != SG_OK) {
            farm_fail(ACTORS_FAILED, FARM_RUN_REQUESTS, child);
            return;
        }
        /* Several requests of this date are one turn. */
        for (int n = is_near ? child->n_requests_arriving : 1; n > 0; n--) {
            child->result->n_requesting--;
            request_arrives(child);
        }
        child->n_requests_arriving = 0;
        if (is_near)
            turn_end(&child->run->turns);
    }
}

/* ---- tasks ---- */

static long take_task(struct farm_node *me)
{
    /* The root's tasks are numbers, the lowest one first: those that have arrived less those that are held. */
    if (is_root(me)) {
        long task = me->n_arrived - --me->n_held;
        /* Wind-down begins when the root has no task left to give (doc/model.md, Farms). */
        if (task == farm_of(me)->app->n_tasks)
            farm_meter_root_is_empty(me->run->meter, farm_date_s());
        return task;
    }
    long task = me->held[me->first_held];
    me->first_held = (me->first_held + 1) % farm_of(me)->app->n_buffers;
    me->n_held--;
    return task;
}

static void hold_task(struct farm_node *me, long task)
{
    me->held[(me->first_held + me->n_held++) % farm_of(me)->app->n_buffers] = task;
    /* An actor that computes does not wait for its turn. It would keep one that is given now, and use it when it has
       computed, before the other ends of that instant are known. */
    if (me->computing < 0)
        turn_ask(&me->work);
    turn_ask(&me->send);
}

/* At the root, one task after the other. What comes while the host is down is lost, as what it computes would be. */
static void let_arrive(struct farm_node *me)
{
    const double *dates_s = farm_of(me)->app->arrivals_s;
    while (me->n_arrived < farm_of(me)->app->n_tasks) {
        double wait_s = dates_s[me->n_arrived] - farm_date_s();
        /* The host was down at that date and is back: this actor was started anew. Rounding alone is no delay. */
        if (wait_s < 0 && !instant_has_come(farm_date_s(), dates_s[me->n_arrived])) {
            farm_fail(ACTORS_FAILED, FARM_RUN_COMPUTES, me);
            return;
        }
        if (wait_s > 0)
            sg_actor_sleep_for(wait_s);
        me->n_held++;
        farm_trace(me, FARM_ARRIVE, ++me->n_arrived, NULL);
        if (me->computing < 0)
            turn_ask(&me->work);
        turn_ask(&me->send);
    }
}

/* Asks again after each task, and with each task that comes: a turn without a task to do costs nothing. */
static void work(struct farm_node *me)
{
    turn_ask(&me->work);
    for (;;) {
        turn_wait(&me->work);
        if (me->n_held == 0) {
            turn_end(&me->run->turns);
            continue;
        }
        /* The slot is free when the task starts, so the request goes out at the same date. */
        farm_compute_begins(me, take_task(me));
        sg_exec_t exec = sg_actor_exec_init(farm_of(me)->next_flop(farm_of(me)->self, me->self.id));
        sg_exec_start(exec);
        request_task(me);
        turn_end(&me->run->turns);
        if (sg_exec_wait(exec) != SG_OK) {
            farm_fail(ACTORS_FAILED, FARM_RUN_COMPUTES, me);
            return;
        }
        farm_compute_ended(me);
        turn_ask(&me->work);
        /* For a policy that measures, the end of an own task counts as well (doc/model.md, Farms). */
        if (me->run->measure != NULL)
            turn_ask(&me->send);
    }
}

/* ---- receiving and sending ---- */

/* Parts of a task only count as bytes. The task exists here when its last part has come. */
static void take_parcel(struct farm_node *me, const struct parcel *p)
{
    me->result->farm.received_bytes += p->bytes;
    if (!p->is_last)
        return;
    farm_trace(me, FARM_RECEIVE_END, p->task, me->parent);
    hold_task(me, p->task);
}

static void receive(struct farm_node *me)
{
    for (;;) {
        void *parcel;
        if (sg_comm_wait(sg_mailbox_get_async(me->inbox, &parcel)) != SG_OK) {
            farm_fail(ACTORS_FAILED, FARM_RUN_RECEIVES, me);
            return;
        }
        take_parcel(me, parcel);
    }
}

/* The books of the parent, once a parcel has arrived. The child's are kept at the same date, and both
   before any turn is given. */
static void parcel_sent(struct farm_node *child)
{
    struct farm_node *me = child->parent;
    child->is_sent_to = false;
    child->comm = NULL;
    child->flow = NULL;
    child->missing_bytes -= child->parcel.bytes;
    me->result->farm.sent_bytes += child->parcel.bytes;
    farm_meter_sent(child->run->meter, farm_date_s(), me->self.id, child->self.id, child->send_start_s,
                    child->parcel.bytes / child->task_bytes);
    /* For a policy that measures: sated, if it has asked for nothing and gets nothing more. */
    bool wants_nothing = child->missing_bytes <= 0 && child->n_requests == 0;
    farm_measure_sent(me->run->measure, farm_date_s(), child->self.id, wants_nothing);
    me->n_sending--;
    turn_ask(&me->send);
    /* Set aside between two chunks: the parent decides again, perhaps for another child. */
    if (child->missing_bytes > 0) {
        farm_trace(me, FARM_SEND_PAUSE, child->task, child);
        return;
    }
    farm_trace(me, FARM_SEND_END, child->task, child);
    me->result->farm.tasks_forwarded++;
    child->task = -1;
    child->n_given++;
    request_task(me);
}

static void send_to(struct farm_node *child)
{
    for (;;) {
        /* start_send has put the parcel into the child and lets this actor go. */
        sg_sem_acquire(child->go);
        /* SimGrid aborts on a transfer that takes no time, so it is done here, in the round after the
           one in which it was sent. */
        if (farm_of(child)->is_near[child->self.id]) {
            turn_ask_later(&child->arrive);
            turn_wait(&child->arrive);
            parcel_sent(child);
            take_parcel(child, &child->parcel);
            turn_end(&child->run->turns);
            continue;
        }
        /* To a host that is down a transfer would wait for ever; so it fails. */
        if (sg_host_is_on(child->host))
            child->comm =
                instants_put_async(child->inbox, &child->parcel, (long)child->parcel.bytes, child->limit_bytes_per_s);
        if (child->comm == NULL || sg_comm_wait(child->comm) != SG_OK) {
            farm_fail(ACTORS_FAILED, FARM_RUN_RECEIVES, child);
            return;
        }
        parcel_sent(child);
    }
}

/* ---- which child is served ---- */

/* A task that was set aside between chunks goes on without a request. Pruned: the node never serves that child. */
static bool can_be_served(const struct farm_node *child)
{
    bool has_asked = child->n_requests > 0 && child->parent->n_held > 0;
    return !child->is_sent_to && !farm_of(child)->is_pruned[child->self.id] && (child->task >= 0 || has_asked);
}

/* By the oldest request, or by priority. Of equal ones the search keeps the first child in the deployment. */
static bool goes_before(const struct farm_node *a, const struct farm_node *b)
{
    if (!farm_of(a)->policy->oldest_first)
        return farm_of(a)->priority[a->self.id] > farm_of(a)->priority[b->self.id];
    struct request x = a->task >= 0 ? a->answered : a->requests[a->first_request];
    struct request y = b->task >= 0 ? b->answered : b->requests[b->first_request];
    return x.date_s < y.date_s || (x.date_s == y.date_s && x.number < y.number);
}

/* What a policy may know of a child (farm/policy.h). */
static struct policy_child know(const struct farm_node *child)
{
    bool has_part = child->task >= 0;
    double remaining_ratio = has_part ? child->missing_bytes / child->task_bytes : 0;
    double request_s = child->n_requests > 0 ? child->requests[child->first_request].date_s : NAN;
    return (struct policy_child){.node = child->self.id,
                                 .n_requests = child->n_requests,
                                 .request_s = has_part ? child->answered.date_s : request_s,
                                 .given_tasks = (double)child->n_given + (has_part ? 1 - remaining_ratio : 0),
                                 .remaining_ratio = remaining_ratio,
                                 .is_sent_to = child->is_sent_to,
                                 .can_be_served = can_be_served(child)};
}

/* By a policy that looks at the state. */
static struct policy_send chosen(const struct farm_node *me)
{
    /* One port, and it is in use: the policy is not asked. */
    if (!farm_of(me)->multi_port && me->n_sending > 0)
        return (struct policy_send){-1, INFINITY, 0};
    for (int i = 0; i < me->n_children; i++)
        me->run->known[i] = know(me->children[i]);
    struct policy_state state = {.node = me->self.id,
                                 .now_s = farm_date_s(),
                                 .n_held = me->n_held,
                                 .n_computed = me->result->farm.tasks_computed,
                                 .is_receiving = me->is_sent_to,
                                 .children = me->run->known,
                                 .n_children = me->n_children};
    farm_measure_tell(me->run->measure, &state, me->run->known);
    return farm_of(me)->next(farm_of(me)->policy, farm_of(me)->view, &state);
}

static struct policy_send next_send(const struct farm_node *me)
{
    if (farm_of(me)->policy->choose != NULL)
        return chosen(me);
    struct farm_node *first = NULL;
    for (int i = 0; i < me->n_children; i++)
        if (can_be_served(me->children[i]) && (first == NULL || goes_before(me->children[i], first)))
            first = me->children[i];
    return (struct policy_send){first != NULL ? first->self.id : -1, INFINITY, 0}; /* no limit, the whole chunk */
}

static double send_limit_bytes_per_s(const struct farm_node *me)
{
    return me->self.tree->nodes[me->self.id].send_limit_bytes_per_s;
}

/* The flow is looked up once: it exists only after both sides have started and the network has been solved. */
static double used_bytes_per_s(const struct farm_node *me)
{
    double used = 0;
    for (int i = 0; i < me->n_children; i++) {
        struct farm_node *c = me->children[i];
        if (!c->is_sent_to)
            continue;
        if (c->flow == NULL && c->comm != NULL)
            c->flow = instants_flow_of(c->comm);
        double rate = c->flow != NULL ? instants_rate_bytes_per_s(c->flow) : 0;
        /* during the latency nothing can be measured: the belief counts */
        used += rate > 0 ? rate : c->self.tree->nodes[c->self.id].max_transfer_bytes_per_s;
    }
    return used;
}

static bool is_within_limit(const struct farm_node *me)
{
    return used_bytes_per_s(me) < send_limit_bytes_per_s(me) * full_ratio;
}

/* Many ports: within the send limit, by the rates of this date. They are known after the network has been solved with
   what has just been started, so the node looks again then. A policy that chooses keeps to the limit by itself. */
static bool has_port(struct farm_node *me, bool has_just_sent)
{
    if (!farm_of(me)->multi_port)
        return me->n_sending == 0;
    if (farm_of(me)->policy->choose != NULL || isinf(send_limit_bytes_per_s(me)))
        return true;
    /* The first send needs no rates: nothing is used yet. */
    if (me->n_sending > 0 && (has_just_sent || !me->run->rates_are_known)) {
        turn_ask_later(&me->send);
        return false;
    }
    me->is_limited = !is_within_limit(me);
    return !me->is_limited;
}

/* A rate that falls by itself (another node's transfer began) frees some of the limit. */
bool farm_node_may_go_on(struct farm_node *me)
{
    return me->is_limited && is_within_limit(me);
}

static void start_send(struct farm_node *me, struct policy_send next)
{
    struct farm_node *child = &me->run->nodes[next.child];
    bool is_new = child->task < 0;
    /* A new task: it leaves the store and answers the oldest request. Its size is drawn once, whatever its chunks. */
    if (is_new) {
        child->task = take_task(me);
        child->task_bytes = farm_of(me)->next_bytes(farm_of(me)->self, child->self.id);
        child->missing_bytes = child->task_bytes;
        child->answered = child->requests[child->first_request];
        child->first_request = (child->first_request + 1) % farm_of(me)->app->n_buffers;
        child->n_requests--;
    }
    farm_trace(me, is_new ? FARM_SEND_START : FARM_SEND_RESUME, child->task, child);
    /* The policy may cut a piece from what the chunk allows. */
    double bytes = policy_piece_bytes(next, fmin(farm_of(me)->chunk_bytes, child->missing_bytes));
    child->parcel = (struct parcel){child->task, bytes, bytes >= child->missing_bytes};
    child->limit_bytes_per_s = next.limit_bytes_per_s;
    child->is_sent_to = true;
    child->send_start_s = farm_date_s();
    farm_measure_send(me->run->measure, farm_date_s(), child->self.id, bytes);
    me->n_sending++;
    sg_sem_release(child->go);
}

/* Until no child can be served, or there is no port. With one port that is after the first send. */
static void serve(struct farm_node *me)
{
    bool has_just_sent = false;
    me->is_limited = false;
    for (struct policy_send next; farm_of(me)->policy->sends && (next = next_send(me)).child >= 0;
         has_just_sent = true) {
        if (!has_port(me, has_just_sent))
            return;
        start_send(me, next);
    }
}

/* ---- the actors of a node ---- */

/* The code that SimGrid starts is the same for all: an actor finds what it does by its name, and its node as its
   data. */
struct helper { /* what an actor beside farm_node does, and for which node */
    const char *name;
    void (*run)(struct farm_node *of);
};

static const struct helper helpers[] = {
    {"work", work}, {"receive", receive}, {"send", send_to}, {"listen", listen_to}, {"arrive", let_arrive}};
enum { WORK, RECEIVE, SEND, LISTEN, ARRIVE };

/* What each of them was doing tells what failed. An idle one has lost nothing: it comes back with its host. */
static void failed_with_host(int has_failed, void *node)
{
    struct farm_node *me = node;
    const char *name = sg_actor_self_get_name();
    if (!has_failed || me->run->is_ending)
        return;
    if (strcmp(name, helpers[WORK].name) == 0 && me->computing >= 0)
        farm_fail(ACTORS_FAILED, FARM_RUN_COMPUTES, me);
    else if (strcmp(name, helpers[LISTEN].name) == 0 && me->result->n_requesting > 0)
        farm_fail(ACTORS_FAILED, FARM_RUN_REQUESTS, me);
    else if ((strcmp(name, helpers[SEND].name) == 0 || strcmp(name, helpers[RECEIVE].name) == 0) && me->is_sent_to)
        farm_fail(ACTORS_FAILED, FARM_RUN_RECEIVES, me);
}

static void help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    const char *name = sg_actor_self_get_name();
    struct farm_node *of = sg_actor_self_get_data();
    sg_actor_on_exit(failed_with_host, of);
    for (size_t i = 0; i < sizeof helpers / sizeof helpers[0]; i++)
        if (strcmp(name, helpers[i].name) == 0)
            helpers[i].run(of);
}

static void start(const struct farm_node *me, int which, struct farm_node *of)
{
    sg_actor_t actor = sg_actor_init(helpers[which].name, me->host);
    sg_actor_set_data(actor, of);
    sg_actor_start(actor, help, 0, NULL);
}

void farm_node_run(struct farm_node *me)
{
    /* Its helpers end with their host, and this actor starts them anew. */
    sg_actor_set_auto_restart(sg_actor_self(), 1); /* a host that fails while idle takes part again when it is back */
    start(me, WORK, me);
    if (!is_root(me))
        start(me, RECEIVE, me);
    else if (farm_of(me)->app->arrivals_s != NULL)
        start(me, ARRIVE, me);
    for (int i = 0; i < me->n_children; i++) {
        start(me, SEND, me->children[i]);
        if (farm_of(me)->app->request_bytes > 0)
            start(me, LISTEN, me->children[i]);
    }
    /* Only the first time. Requests that were made before the host went down still stand at the parent. */
    if (!me->has_begun) {
        /* In the order of the deployment, before anything else happens. */
        turn_ask(&me->begin);
        turn_wait(&me->begin);
        for (int i = 0; i < farm_of(me)->app->n_buffers; i++)
            request_task(me);
        me->has_begun = true;
        turn_end(&me->run->turns);
    }
    for (;;) {
        turn_wait(&me->send);
        serve(me);
        turn_end(&me->run->turns);
    }
}
