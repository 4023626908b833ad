/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which child a node serves next.

   The children to which a node could send are kept in two heaps: those that ask for a task, and those that already have
   a part of one. The policy's priority, or the age of the request, decides which child is first; deployment order
   breaks ties. A child to which a chunk is under way is in neither heap. A policy that looks at the state has no use
   for heaps: it is shown all children each time.

   Cost per task: O(log children) at each node it passes; O(children) if the policy looks at the state. */
#include "farm/farm_state.h"

#include <assert.h>
#include <math.h>

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

/* By a policy that looks at the state. */
static struct policy_send choose(const struct farm *f, double now_s, node_id n)
{
    const struct tree_node *t = &f->tree->nodes[n];
    const struct node_state *s = &f->nodes[n];
    for (int i = 0; i < t->n_children; i++)
        f->known[i] = know(f, t->children[i]);
    struct policy_state state = {.node = n,
                                 .now_s = now_s,
                                 .n_held = farm_n_held(f, n),
                                 .n_computed = s->result.tasks_computed,
                                 .is_receiving = f->children[n].send != NULL,
                                 .children = f->known,
                                 .n_children = t->n_children};
    farm_measure_tell(f->measure, &state, f->known);
    return policy_next(f->policy, &f->view, &state);
}

struct policy_send farm_next(const struct farm *f, double now_s, node_id n)
{
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
