/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The protocol of the farm (doc/model.md, Farms), as a state machine.

   A task's slot at a node that is not the root:

       asked for -> (in transfer) -> held -> computing: free again, and asked for at once
                                        \--> being sent to a child -> arrived there: free again

   Which child is served is decided in farm_next.c. */
#include "farm/farm.h"

#include "base/instant.h"
#include "base/mem.h"
#include "farm/farm_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double full_ratio =
    1 - 1e-9; /* a send limit counts as used up from this share on, because rates are rounded */

#define X(id, name) [id] = name,
static const char *const event_names[] = {FARM_EVENT_LIST(X)};
#undef X

const char *farm_event_name(enum farm_event event)
{
    return event_names[event];
}

static void trace(const struct farm *f, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    if (f->ops->trace != NULL)
        f->ops->trace(f->ops->trace_self, now_s, node, event, task, other);
}

/* ---- lists of nodes to look at ---- */

static int compare_ids(const void *a, const void *b)
{
    node_id x = *(const node_id *)a, y = *(const node_id *)b;
    return (x > y) - (x < y);
}

static void sort(struct id_list *list)
{
    if (list->n > 1)
        qsort(list->ids, (size_t)list->n, sizeof list->ids[0], compare_ids);
}

/* ---- requests ---- */

/* A slot has become free: the node requests a task for it at once. The root asks nobody. */
static void request_task(struct farm *f, double now_s, node_id node)
{
    node_id parent = f->tree->nodes[node].parent;
    if (parent < 0)
        return;
    trace(f, now_s, node, FARM_REQUEST, -1, parent);
    if (f->app.request_bytes <= 0) {
        farm_receive_request(f, now_s, node);
        return;
    }
    f->ops->request(f->ops->self, node, f->app.request_bytes);
    f->rates_are_known = false;
}

void farm_requested(struct farm *f, double now_s, node_id child)
{
    farm_receive_request(f, now_s, child);
}

/* ---- tasks of a node ---- */

long farm_n_held(const struct farm *f, node_id n)
{
    return n == f->tree->root ? f->n_arrived - f->n_taken : f->nodes[n].n_held;
}

bool farm_holds_task(const struct farm *f, node_id n)
{
    return farm_n_held(f, n) > 0;
}

/* Of the root only numbers are kept: its pool may be 100 million tasks. */
static long take_task(struct farm *f, double now_s, node_id n)
{
    struct node_state *s = &f->nodes[n];
    if (n == f->tree->root) {
        if (++f->n_taken == f->app.n_tasks)
            farm_meter_root_is_empty(f->meter, now_s);
        return f->n_taken;
    }
    long task = s->held[s->first_held];
    s->first_held = (s->first_held + 1) % f->app.n_buffers;
    s->n_held--;
    return task;
}

static void hold_task(struct farm *f, node_id n, long task)
{
    struct node_state *s = &f->nodes[n];
    assert(s->n_held < f->app.n_buffers);
    s->held[(s->first_held + s->n_held++) % f->app.n_buffers] = task;
    farm_list_node(&f->starters, n, &s->must_start);
    if (f->policy->sends && f->tree->nodes[n].n_children > 0)
        farm_list_node(&f->senders, n, &s->must_send);
}

/* Taking the task frees its slot, so the request for the next one leaves at the same date. */
static void start_computing(struct farm *f, double now_s, node_id n)
{
    struct node_state *s = &f->nodes[n];
    if (s->computing >= 0 || !farm_holds_task(f, n))
        return;
    s->computing = take_task(f, now_s, n);
    s->compute_start_s = now_s;
    if (isnan(s->result.first_start_s)) {
        s->result.first_start_s = now_s;
        farm_meter_node_begins(f->meter, now_s);
    }
    trace(f, now_s, n, FARM_COMPUTE_START, s->computing, -1);
    farm_measure_compute(f->measure, now_s, n);
    f->ops->compute(f->ops->self, n, f->app.task_flop);
    request_task(f, now_s, n);
}

void farm_computed(struct farm *f, double now_s, node_id node)
{
    struct node_state *s = &f->nodes[node];
    assert(s->computing >= 0);
    trace(f, now_s, node, FARM_COMPUTE_END, s->computing, -1);
    if (f->ends_s != NULL)
        f->ends_s[s->computing - 1] = now_s;
    s->computing = -1;
    s->result.tasks_computed++;
    s->result.compute_busy_s += now_s - s->compute_start_s;
    s->result.last_end_s = now_s;
    farm_measure_computed(f->measure, now_s, node);
    farm_meter_computed(f->meter, now_s, node, s->compute_start_s);
    f->completions_s[f->n_computed++] = now_s;
    farm_list_node(&f->starters, node, &s->must_start);
    /* a policy that measures may decide otherwise after each task of its own */
    if (f->measure != NULL)
        farm_list_node(&f->senders, node, &s->must_send);
}

/* ---- sends ---- */

/* A task that goes in chunks takes its request when the first chunk leaves; the others resume it. */
static void start_send(struct farm *f, double now_s, node_id from, struct policy_send next)
{
    node_id to = next.child;
    struct child_state *c = &f->children[to];
    struct node_state *s = &f->nodes[from];
    bool is_new = c->task < 0;
    if (is_new) {
        c->task = take_task(f, now_s, from);
        c->bytes = f->ops->task_bytes != NULL ? f->ops->task_bytes(f->ops->self, to) : f->app.task_bytes;
        c->remaining_bytes = c->bytes;
        c->answered = c->requests[c->first_request];
        c->first_request = (c->first_request + 1) % f->app.n_buffers;
        c->n_requests--;
    }
    trace(f, now_s, from, is_new ? FARM_SEND_START : FARM_SEND_RESUME, c->task, to);
    c->piece_bytes = policy_piece_bytes(next, fmin(f->chunk_bytes, c->remaining_bytes));
    c->send = f->ops->send(f->ops->self, from, to, c->piece_bytes, next.limit_bytes_per_s);
    c->send_start_s = now_s;
    farm_touch(f, to);
    farm_measure_send(f->measure, now_s, to, c->piece_bytes);
    s->sending_to[s->n_sending++] = to;
}

static void end_send(struct node_state *s, node_id to)
{
    int i = 0;
    while (s->sending_to[i] != to)
        i++;
    s->n_sending--;
    for (; i < s->n_sending; i++) /* keeps the order: sums of rates must not depend on which send has ended */
        s->sending_to[i] = s->sending_to[i + 1];
}

void farm_sent(struct farm *f, double now_s, node_id from, node_id to)
{
    struct child_state *c = &f->children[to];
    struct node_state *s = &f->nodes[from];
    double bytes = c->piece_bytes;
    c->send = NULL;
    c->remaining_bytes -= bytes;
    s->result.sent_bytes += bytes;
    f->nodes[to].result.received_bytes += bytes;
    farm_meter_sent(f->meter, now_s, from, to, c->send_start_s, bytes / c->bytes);
    end_send(s, to);
    farm_measure_sent(f->measure, now_s, to, c->remaining_bytes <= 0 && c->n_requests == 0);
    if (c->remaining_bytes > 0) {
        trace(f, now_s, from, FARM_SEND_PAUSE, c->task, to);
        farm_offer(f, to);
        return;
    }
    trace(f, now_s, from, FARM_SEND_END, c->task, to);
    trace(f, now_s, to, FARM_RECEIVE_END, c->task, from);
    s->result.tasks_forwarded++;
    hold_task(f, to, c->task);
    c->task = -1;
    c->n_given++;
    /* the sender's slot is free only when the whole task has arrived */
    request_task(f, now_s, from);
    farm_offer(f, to);
}

static double used_bytes_per_s(const struct farm *f, const struct node_state *s)
{
    double used = 0;
    for (int i = 0; i < s->n_sending; i++) {
        double rate = f->ops->rate_bytes_per_s(f->ops->self, f->children[s->sending_to[i]].send);
        /* during the latency nothing can be measured, so the scheduler uses its belief */
        used += rate > 0 ? rate : f->tree->nodes[s->sending_to[i]].max_transfer_bytes_per_s;
    }
    return used;
}

static void send_next(struct farm *f, double now_s, node_id n, struct policy_send next)
{
    farm_take_turn(f, n, next.child);
    start_send(f, now_s, n, next);
}

/* Returns whether the node must be looked at again after the network has been solved. With a send limit, the rates in
   use must belong to this instant; after a send has started or ended they are known only then. */
static bool send_multi_port(struct farm *f, double now_s, node_id n)
{
    struct node_state *s = &f->nodes[n];
    bool rates_are_known = f->rates_are_known;
    double limit = f->tree->nodes[n].send_limit_bytes_per_s;
    for (struct policy_send next; (next = farm_next(f, now_s, n)).child >= 0;) {
        /* a policy that looks at the state keeps limits by itself */
        if (f->policy->choose == NULL && isfinite(limit)) {
            if (!rates_are_known && s->n_sending > 0)
                return true;
            if (used_bytes_per_s(f, s) >= limit * full_ratio) {
                farm_list_node(&f->limited, n, &s->is_limited);
                return false;
            }
        }
        send_next(f, now_s, n, next);
        rates_are_known = false;
    }
    return false;
}

/* One port: a node with a send under way is asked again when that has ended. */
static bool serve(struct farm *f, double now_s, node_id n)
{
    if (f->multi_port)
        return send_multi_port(f, now_s, n);
    if (f->nodes[n].n_sending > 0)
        return false;
    struct policy_send next = farm_next(f, now_s, n);
    if (next.child >= 0)
        send_next(f, now_s, n, next);
    return false;
}

/* ---- an instant ---- */

/* In deployment order, whatever the order of reports. The root comes last: its own task is taken when all others that
   can start have started. */
static void start_work(struct farm *f, double now_s)
{
    node_id root = f->tree->root;
    sort(&f->starters);
    for (int i = 0; i < f->starters.n; i++) {
        node_id n = f->starters.ids[i];
        f->nodes[n].must_start = false;
        if (n != root)
            start_computing(f, now_s, n);
    }
    f->starters.n = 0;
    start_computing(f, now_s, root);
}

static void look_at_limited_again(struct farm *f)
{
    for (int i = 0; i < f->limited.n; i++) {
        node_id n = f->limited.ids[i];
        f->nodes[n].is_limited = false;
        farm_list_node(&f->senders, n, &f->nodes[n].must_send);
    }
    f->limited.n = 0;
}

/* Nodes that must be looked at again stay in the list, which keeps its order. */
static bool start_sends(struct farm *f, double now_s)
{
    look_at_limited_again(f);
    sort(&f->senders);
    int n_again = 0;
    for (int i = 0; i < f->senders.n; i++) {
        node_id n = f->senders.ids[i];
        f->nodes[n].must_send = serve(f, now_s, n);
        if (f->nodes[n].must_send)
            f->senders.ids[n_again++] = n;
    }
    f->senders.n = n_again;
    return n_again > 0;
}

static void ask_for_all_slots(struct farm *f, double now_s)
{
    for (node_id n = 0; n < f->tree->n_nodes; n++)
        for (int i = 0; i < f->app.n_buffers; i++)
            request_task(f, now_s, n);
}

double farm_next_arrival_s(const struct farm *f)
{
    return f->n_arrived < f->app.n_tasks ? f->app.arrivals_s[f->n_arrived] : INFINITY;
}

static void let_arrive(struct farm *f, double now_s)
{
    node_id root = f->tree->root;
    while (instant_has_come(farm_next_arrival_s(f), now_s)) {
        trace(f, now_s, root, FARM_ARRIVE, ++f->n_arrived, -1);
        if (f->policy->sends && f->tree->nodes[root].n_children > 0)
            farm_list_node(&f->senders, root, &f->nodes[root].must_send);
    }
}

bool farm_decide(struct farm *f, double now_s)
{
    if (!f->has_begun)
        ask_for_all_slots(f, now_s);
    f->has_begun = true;
    if (farm_is_over(f))
        return false;
    /* What brought this date about may have changed any rate: the end of a task or a request, one that is no longer in
       latency, a profile. */
    f->rates_are_known = f->rates_are_known && now_s == f->decided_s;
    f->decided_s = now_s;
    let_arrive(f, now_s);
    start_work(f, now_s);
    /* work first: it frees slots, and a task that is computed here is not sent */
    bool again = f->policy->sends && start_sends(f, now_s);
    f->rates_are_known = true; /* the network is solved before the next call */
    return again;
}

bool farm_watches_rates(const struct farm *f)
{
    if (!f->multi_port || f->policy->choose != NULL)
        return false;
    for (node_id n = 0; n < f->tree->n_nodes; n++)
        if (f->tree->nodes[n].n_children > 0 && isfinite(f->tree->nodes[n].send_limit_bytes_per_s))
            return true;
    return false;
}

bool farm_is_over(const struct farm *f)
{
    return f->n_computed == f->app.n_tasks;
}

/* ---- creation ---- */

static struct id_list make_list(int n)
{
    return (struct id_list){.ids = mem_zalloc((size_t)n, sizeof(node_id))};
}

static void make_node(struct farm *f, node_id n)
{
    const struct tree_node *t = &f->tree->nodes[n];
    struct node_state *s = &f->nodes[n];
    struct child_state *c = &f->children[n];
    size_t n_buffers = (size_t)f->app.n_buffers, n_children = (size_t)t->n_children;
    *s = (struct node_state){.computing = -1, .result = {.first_start_s = NAN, .last_end_s = NAN}};
    *c = (struct child_state){.task = -1};
    s->sending_to = mem_zalloc(n_children, sizeof(node_id));
    if (f->policy->bounds != NULL && n_children > 0)
        s->shown = farm_shown_create(t->n_children);
    if (t->parent < 0)
        return;
    s->held = mem_zalloc(n_buffers, sizeof(long));
    c->requests = mem_zalloc(n_buffers, sizeof(struct request));
    if (!f->policy->sends)
        return;
    c->is_pruned = f->prunes && tree_is_pruned(f->tree, n, f->app.task_bytes, f->app.task_flop);
}

static enum err_code rank_children(struct farm *f, struct err *e)
{
    double *priority = mem_zalloc((size_t)f->tree->n_nodes, sizeof *priority);
    enum err_code code = policy_rank(f->policy, &f->view, priority, e);
    for (node_id n = 0; n < f->tree->n_nodes; n++)
        f->children[n].priority = priority[n];
    free(priority);
    return code;
}

enum err_code farm_create(const struct tree *t, const struct farm_app *app, const struct policy_choice *policy,
                          const struct farm_ops *ops, struct farm **out, struct err *e)
{
    double chunk_bytes;
    enum err_code code = farm_app_check(app, e);
    if (code == ERR_NONE)
        code = policy_chunk_bytes(policy, &chunk_bytes, e);
    if (code != ERR_NONE)
        return code;
    struct farm *f = mem_zalloc(1, sizeof *f);
    *f = (struct farm){.tree = t,
                       .app = *app,
                       .policy = policy->policy,
                       .multi_port = policy_is_multi_port(policy),
                       .chunk_bytes = chunk_bytes,
                       .prunes = policy_prunes(policy),
                       .ops = ops,
                       .decided_s = -1,
                       .n_arrived = app->arrivals_s == NULL ? app->n_tasks : 0};
    f->nodes = mem_zalloc((size_t)t->n_nodes, sizeof *f->nodes);
    f->children = mem_zalloc((size_t)t->n_nodes, sizeof *f->children);
    f->completions_s = mem_zalloc((size_t)app->n_tasks, sizeof(double));
    f->ends_s = app->arrivals_s != NULL ? mem_zalloc((size_t)app->n_tasks, sizeof(double)) : NULL;
    f->meter = farm_meter_create(t->n_nodes);
    f->measure = farm_measure_create(f->policy, t, app->task_bytes);
    f->starters = make_list(t->n_nodes);
    f->senders = make_list(t->n_nodes);
    f->limited = make_list(t->n_nodes);
    f->known = policy->policy->choose != NULL ? mem_zalloc((size_t)t->n_nodes, sizeof *f->known) : NULL;
    for (node_id n = 0; n < t->n_nodes; n++)
        make_node(f, n);
    for (node_id n = 0; n < t->n_nodes; n++)
        for (int i = 0; i < t->nodes[n].n_children; i++)
            f->children[t->nodes[n].children[i]].place = i;
    code = policy_view_init(&f->view, t, app, policy, e);
    if (code == ERR_NONE)
        code = rank_children(f, e);
    if (code != ERR_NONE) {
        farm_free(f);
        f = NULL;
    }
    *out = f;
    return code;
}

void farm_free(struct farm *f)
{
    if (f == NULL)
        return;
    for (node_id n = 0; n < f->tree->n_nodes; n++) {
        free(f->nodes[n].held);
        heap_clear(&f->nodes[n].asking);
        heap_clear(&f->nodes[n].paused);
        free(f->nodes[n].sending_to);
        farm_shown_free(f->nodes[n].shown);
        free(f->children[n].requests);
    }
    free(f->nodes);
    free(f->children);
    free(f->known);
    policy_view_clear(&f->view);
    free(f->completions_s);
    free(f->ends_s);
    farm_meter_free(f->meter);
    farm_measure_free(f->measure);
    free(f->starters.ids);
    free(f->senders.ids);
    free(f->limited.ids);
    free(f);
}

/* ---- results ---- */

struct farm_node_result farm_node_result(const struct farm *f, node_id n)
{
    return f->nodes[n].result;
}

double farm_makespan_s(const struct farm *f)
{
    return f->n_computed > 0 ? f->completions_s[f->n_computed - 1] : 0;
}

const double *farm_completion_dates_s(const struct farm *f, long *n)
{
    *n = f->n_computed;
    return f->completions_s;
}

const double *farm_ends_s(const struct farm *f)
{
    return f->ends_s;
}

const struct farm_meter *farm_phases_of(const struct farm *f)
{
    return f->meter;
}
