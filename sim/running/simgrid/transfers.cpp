/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers between hosts: which there are, which hosts feel them, and at which rates. */
#include "simgrid/layer.hpp"
#include "simgrid/opened.hpp"

#include <algorithm>

namespace sg = simgrid::s4u;
using kernel::Action;
using kernel::Model;
using simgrid::kernel::activity::ActivityImpl;

namespace layer
{
namespace
{

const unsigned long never = 0;
const unsigned long *n_suspensions = &never; // null: not known

void add_network(Model *m)
{
    auto is_it = [m](auto const &network) { return network.first == m; };
    if (std::none_of(state->networks.begin(), state->networks.end(), is_it))
        state->networks.emplace_back(m, std::make_unique<kernel::Solver>(m));
}

// The hosts of a transfer. Without rates at both, or within one host, it costs nothing: null.
Flow *make_flow(Action *a, sg::Host *from, sg::Host *to)
{
    if (from == nullptr || to == nullptr)
        return nullptr;
    Node *src = node_of(from), *dst = node_of(to);
    if (src == dst || (not src->has_rates && not dst->has_rates))
        return nullptr;
    return new Flow{a, {src, dst}, {0, 0}, 0, 0};
}

void see_rate(Flow *f)
{
    double rate = f->action->get_rate();
    if (std::exchange(f->rate, rate) == rate)
        return;
    for (End dir : {SOURCE, DESTINATION})
        if (Node *n = f->end[dir]; n->has_rates) {
            hosts_set_rate(n->id, f->at[dir], rate);
            touch(n);
        }
}

} // namespace

void enter(Flow *f, End dir)
{
    Node *n = f->end[dir];
    if (not n->has_rates)
        return;
    f->at[dir] = hosts_enter(n->id, dir == DESTINATION, f->end[dir == SOURCE ? DESTINATION : SOURCE]->id);
    n->flows.push_back(f);
}

// The last flow takes the free place here and in hosts.c: both lists keep one order.
void leave(Flow *f, End dir)
{
    Node *n = f->end[dir];
    if (not n->has_rates)
        return;
    size_t at = f->at[dir];
    Flow *last = n->flows.back();
    End end = last->end[SOURCE] == n ? SOURCE : DESTINATION; // never both
    hosts_leave(n->id, at);
    n->flows[at] = last;
    last->at[end] = at;
    n->flows.pop_back();
    touch(n);
}

void add_flow(Action *a, ActivityImpl *activity)
{
    (*state->comm).*open(Pimpl()) = activity;
    Flow *f = make_flow(a, state->comm->get_source(), state->comm->get_destination());
    (*state->comm).*open(Pimpl()) = nullptr;
    if (f == nullptr)
        return;
    // a transfer over WiFi, or between disks
    if (not kernel::is_a(a, "NetworkCm02Action"))
        refuse_action(*a);
    f->place = state->flows.size();
    state->flows.push_back(f);
    state->flow_of.add(a, f);
    // otherwise a transfer that timed out would leave a dangling pointer (look_for_dead_flows)
    a->ref();
    enter(f, SOURCE);
    enter(f, DESTINATION);
    add_network(a->get_model());
}

void forget_flow(const void *action)
{
    Flow *f = state->flow_of.find(action);
    if (f == nullptr)
        return;
    state->flow_of.remove(action);
    state->flows[f->place] = state->flows.back();
    state->flows[f->place]->place = f->place;
    state->flows.pop_back();
    leave(f, SOURCE);
    leave(f, DESTINATION);
    f->action->unref();
    delete f;
}

// Ours is the only holder left: SimGrid has let go of the transfer without a word.
void look_for_dead_flows()
{
    if (std::exchange(state->look_for_dead, false))
        for (size_t i = state->flows.size(); i-- > 0;)
            if (Action *a = state->flows[i]->action; a->*open(Holders()) == 1)
                forget_flow(a);
}

// Suspending makes a rate 0 without a solution of the network that would show it, so all are looked at once.
void see_rates(double now)
{
    bool may_be_suspended =
        n_suspensions == nullptr || *n_suspensions != std::exchange(state->n_suspensions, *n_suspensions);
    bool all = std::exchange(state->look_at_all, false) || may_be_suspended;
    static const auto see = [](Action &a) {
        if (Flow *f = state->flow_of.find(&a); f != nullptr)
            see_rate(f);
    };
    for (auto &[model, solver] : state->networks)
        all = not solver->solve(now, see) || all;
    for (size_t i = 0; all && i < state->flows.size(); i++)
        see_rate(state->flows[i]);
}

} // namespace layer

void iasim_layer_count_suspensions(const unsigned long *n)
{
    layer::n_suspensions = n;
}
