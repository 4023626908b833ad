/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which child a node serves next.

   The children to which a node could send are kept in two heaps: those that ask for a task, and those that already have
   a part of one. The policy's priority, or the age of the request, decides which child is first; deployment order
   breaks ties. A child to which a chunk is under way is in neither heap. A policy that looks at the state has no use
   for heaps: it is shown all children each time. Few children change between two decisions; so for policies with bounds
   the children are kept as they were shown, in groups of about the square root of their number, of which a policy
   passes over those that cannot have its answer.

   Cost per task: O(log children) at each node it passes; O(children) if the policy looks at the state, and where it has
   bounds O(sqrt(children)) and the groups that it cannot exclude. */
#include "farm/farm_state.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void farm_list_node(struct id_list *list, node_id n, bool *is_listed)
{
    if (!*is_listed)
        list->ids[list->n++] = n;
    *is_listed = true;
}

static const struct request *oldest_request(const struct child_state *c)
{
    return c->task >= 0 ? &c->answered : &c->requests[c->first_request];
}

/* The heap entry of a child: ordered by the age of its request, or by priority, then by deployment order. */
static struct heap_entry in_turn(struct farm *f, node_id child)
{
    struct child_state *c = &f->children[child];
    const struct request *r = oldest_request(c);
    /* of requests of one date the earlier one of each child, then deployment order: both in one number */
    bool by_age = f->policy->oldest_first;
    return (struct heap_entry){.key = by_age ? r->date_s : -c->priority,
                               .number = by_age ? r->number * f->tree->n_nodes + child : child,
                               .item = c};
}

/* Adds a child to the heap it belongs to, if the node could send to it and it is not there yet. */
void farm_offer(struct farm *f, node_id child)
{
    struct child_state *c = &f->children[child];
    node_id parent = f->tree->nodes[child].parent;
    struct node_state *p = &f->nodes[parent];
    bool can = f->policy->choose == NULL && !c->is_pruned && c->send == NULL && (c->n_requests > 0 || c->task >= 0);
    if (can && !c->is_waiting) {
        c->is_waiting = true;
        heap_add(c->task >= 0 ? &p->paused : &p->asking, in_turn(f, child));
    }
    farm_list_node(&f->senders, parent, &p->must_send);
    farm_touch(f, child);
}

void farm_receive_request(struct farm *f, double now_s, node_id child)
{
    struct child_state *c = &f->children[child];
    int last = (c->first_request + c->n_requests) % f->app.n_buffers;
    assert(c->n_requests < f->app.n_buffers);
    c->requests[last] = (struct request){now_s, ++c->n_requests_made};
    c->n_requests++;
    farm_measure_request(f->measure, now_s, child);
    if (f->policy->sends)
        farm_offer(f, child);
}

/* The heap from which the next child is chosen; NULL: no child is waiting, or there is no task to give. A child that
   has a part of a task needs no task of the node, so it may be served when the node holds none. */
static struct heap *next_in(const struct farm *f, node_id n)
{
    struct node_state *s = &f->nodes[n];
    bool can_give = s->asking.n > 0 && farm_holds_task(f, n);
    if (s->paused.n == 0)
        return can_give ? &s->asking : NULL;
    return can_give && heap_is_before(heap_first(&s->asking), heap_first(&s->paused)) ? &s->asking : &s->paused;
}

static struct policy_child know(const struct farm *f, node_id child)
{
    const struct child_state *c = &f->children[child];
    bool asks = c->n_requests > 0 && farm_holds_task(f, f->tree->nodes[child].parent), has_part = c->task >= 0;
    double remaining_ratio = has_part ? c->remaining_bytes / c->bytes : 0;
    return (struct policy_child){.node = child,
                                 .n_requests = c->n_requests,
                                 .request_s = has_part || c->n_requests > 0 ? oldest_request(c)->date_s : NAN,
                                 .given_tasks = (double)c->n_given + (has_part ? 1 - remaining_ratio : 0),
                                 .remaining_ratio = remaining_ratio,
                                 .is_sent_to = c->send != NULL,
                                 .can_be_served = !c->is_pruned && c->send == NULL && (has_part || asks)};
}

/* ---- policies that look at the state ---- */

static struct policy_state state_of(const struct farm *f, double now_s, node_id n)
{
    const struct node_state *s = &f->nodes[n];
    return (struct policy_state){.node = n,
                                 .now_s = now_s,
                                 .n_held = farm_n_held(f, n),
                                 .n_computed = s->result.tasks_computed,
                                 .is_receiving = f->children[n].send != NULL,
                                 .n_children = f->tree->nodes[n].n_children};
}

static struct policy_send choose(const struct farm *f, double now_s, node_id n)
{
    const struct tree_node *t = &f->tree->nodes[n];
    struct policy_state state = state_of(f, now_s, n);
    for (int i = 0; i < t->n_children; i++)
        f->known[i] = know(f, t->children[i]);
    state.children = f->known;
    farm_measure_tell(f->measure, &state, f->known);
    return policy_next(f->policy, &f->view, &state);
}

/* ---- those with bounds: only what has changed is looked at ---- */

struct shown *farm_shown_create(int n_children)
{
    size_t n = (size_t)n_children;
    struct shown *x = mem_zalloc(1, sizeof *x);
    int size = (int)sqrt(n_children);
    x->group_size = size > 4 ? size : 4;
    x->n_groups = (n_children + x->group_size - 1) / x->group_size;
    x->children = mem_zalloc(n, sizeof *x->children);
    x->bounds = mem_zalloc(n, sizeof *x->bounds);
    x->groups = mem_zalloc((size_t)x->n_groups, sizeof *x->groups);
    x->changed = mem_zalloc(n, sizeof *x->changed);
    x->is_changed = mem_zalloc(n, sizeof *x->is_changed);
    return x;
}

void farm_shown_free(struct shown *x)
{
    if (x == NULL)
        return;
    free(x->children);
    free(x->bounds);
    free(x->groups);
    free(x->changed);
    free(x->is_changed);
    free(x);
}

void farm_touch(struct farm *f, node_id child)
{
    struct shown *x = f->nodes[f->tree->nodes[child].parent].shown;
    int place = f->children[child].place;
    if (x == NULL || x->is_changed[place])
        return;
    x->is_changed[place] = true;
    x->changed[x->n_changed++] = place;
}

static void show_child(const struct farm *f, const struct policy_state *state, int i)
{
    struct shown *x = f->nodes[state->node].shown;
    x->children[i] = know(f, f->tree->nodes[state->node].children[i]);
    farm_measure_tell_child(f->measure, &x->children[i]);
    if (x->children[i].can_be_served)
        f->policy->bounds(&f->view, state, &x->children[i], x->bounds[i]);
    x->is_changed[i] = false;
}

static void show_group(struct shown *x, int n_children, int g)
{
    struct policy_group group = {.most = {-INFINITY, -INFINITY}};
    int from = g * x->group_size, to = from + x->group_size < n_children ? from + x->group_size : n_children;
    for (int i = from; i < to; i++) {
        const struct policy_child *c = &x->children[i];
        group.n_able += c->can_be_served;
        group.n_sent_to += c->is_sent_to;
        group.n_unmeasured += (c->can_be_served || c->is_sent_to) && c->rate_bytes_per_s <= 0;
        for (int k = 0; k < 2 && c->can_be_served; k++)
            group.most[k] = fmax(group.most[k], x->bounds[i][k]);
    }
    x->groups[g] = group;
}

/* Bounds hold around the task_s that they are of; while it is not known, it is NAN. */
static bool bounds_hold(const struct shown *x, double task_s)
{
    if (isnan(task_s) || isnan(x->task_s))
        return isnan(task_s) && isnan(x->task_s);
    return task_s <= x->task_s * POLICY_TASK_S_RATIO && task_s >= x->task_s / POLICY_TASK_S_RATIO;
}

static void show_all(const struct farm *f, struct policy_state *state)
{
    struct shown *x = f->nodes[state->node].shown;
    if (!x->is_ready && f->policy->note != NULL)
        f->policy->note(&f->view, state->node, &x->note);
    x->is_ready = true;
    x->task_s = state->task_s;
    x->n_changed = 0;
    for (int i = 0; i < state->n_children; i++)
        show_child(f, state, i);
    for (int g = 0; g < x->n_groups; g++)
        show_group(x, state->n_children, g);
}

/* The bounds of a child that has changed are of the same task_s as those of the others. */
static void show_changed(const struct farm *f, const struct policy_state *state)
{
    struct shown *x = f->nodes[state->node].shown;
    struct policy_state then = *state;
    then.task_s = x->task_s;
    for (int k = 0; k < x->n_changed; k++)
        show_child(f, &then, x->changed[k]);
    for (int k = 0; k < x->n_changed; k++)
        show_group(x, state->n_children, x->changed[k] / x->group_size);
    x->n_changed = 0;
}

static struct policy_send choose_by_groups(struct farm *f, double now_s, node_id n)
{
    struct shown *x = f->nodes[n].shown;
    struct policy_state state = state_of(f, now_s, n);
    state.children = x->children;
    state.groups = x->groups;
    state.group_size = x->group_size;
    state.n_groups = x->n_groups;
    state.note = f->policy->note != NULL ? &x->note : NULL;
    farm_measure_tell_state(f->measure, &state);
    bool held = farm_holds_task(f, n), all = !x->is_ready || held != x->held;
    x->held = held;
    for (node_id child; farm_measure_changed(f->measure, n, &child);)
        if (child < 0)
            all = true;
        else
            farm_touch(f, child);
    if (all || !bounds_hold(x, state.task_s))
        show_all(f, &state);
    else
        show_changed(f, &state);
    return policy_next(f->policy, &f->view, &state);
}

struct policy_send farm_next(struct farm *f, double now_s, node_id n)
{
    if (f->nodes[n].shown != NULL)
        return choose_by_groups(f, now_s, n);
    if (f->policy->choose != NULL)
        return choose(f, now_s, n);
    struct heap *next = next_in(f, n);
    node_id child = next != NULL ? (node_id)((struct child_state *)heap_first(next)->item - f->children) : -1;
    return (struct policy_send){child, INFINITY, 0};
}

void farm_take_turn(struct farm *f, node_id n, node_id child)
{
    if (f->policy->choose == NULL)
        heap_take(next_in(f, n));
    f->children[child].is_waiting = false;
}
