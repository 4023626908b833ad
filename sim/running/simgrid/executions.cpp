/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Executions: on which host each one computes, and with which part of the host's speed. */
#include "simgrid/layer.hpp"
#include "simgrid/opened.hpp"

#include "base/instant.h"

#include <algorithm>

namespace sg = simgrid::s4u;
using kernel::Action;
using kernel::Model;
using simgrid::kernel::activity::ActivityImpl;

namespace layer
{
namespace
{

// Lazily updated models abort on a factor of 0. With this one nothing measurable is done while a processor stands.
constexpr double least_factor = 1e-30;

// O(n) of one host, or of those on virtual machines: few.
template <class T> void erase(std::vector<T *> &v, T *x)
{
    *std::find(v.begin(), v.end(), x) = v.back();
    v.pop_back();
}

void give_factor(Work *w)
{
    Action *a = w->action;
    Model *m = a->get_model();
    state->n_standing -= stands(w);
    w->given = w->node->factor;
    state->n_standing += stands(w);
    double least = m->is_update_lazy() ? least_factor : 0;
    a->set_rate_factor(w->own_factor * std::max(w->node->factor, least));
    // a lazily updated model dates only modified actions anew, and an action may be in that set once
    if (m->is_update_lazy() && a->is_running() && a->get_rate() > 0 && not a->is_within_modified_set())
        m->get_modified_set()->push_back(*a);
}

// A host that computed nothing may have a factor that is not known: it is settled first.
void put_on(Work *w, Node *n)
{
    w->node = n;
    account(n);
    n->works.push_back(w);
    if (n->is_stale)
        touch(n);
    else if (n->factor != w->given)
        give_factor(w);
}

// Dates that differ by rounding are one instant (base/instant.h): what ends in this one must not miss its end by a last
// bit because transfers stop the processor.
bool ends_in_this_instant(const Work *w)
{
    double rate = stands(w) ? 0 : w->action->get_rate(), now_s = sg::Engine::get_clock();
    return rate > 0 && instant_has_come(now_s + w->action->get_remains() / rate, now_s);
}

} // namespace

void add_work(Action *a, ActivityImpl *activity)
{
    if (a->get_cost() <= 0) // nothing to compute ends at once, also where a processor stands
        return;
    (*state->exec).*open(Pimpl()) = activity;
    sg::Host *host = state->exec->get_host();
    (*state->exec).*open(Pimpl()) = nullptr;
    // one that is moved is where SimGrid reported it to go, whatever its activity says yet
    auto moved = state->migrated.find(activity);
    sg::VirtualMachine *vm = nullptr;
    Node *n = node_of(host, &vm);
    n = moved != state->migrated.end() ? moved->second : n;
    if (not n->has_rates && vm == nullptr)
        return;
    auto *w = new Work{a, activity, vm, n, a->*open(Factor()), 1, 0};
    state->work_of.add(a, w);
    w->place = state->works.size();
    state->works.push_back(w);
    if (w->vm != nullptr)
        state->on_vms.push_back(w);
    if (std::find(state->cpus.begin(), state->cpus.end(), a->get_model()) == state->cpus.end())
        state->cpus.push_back(a->get_model());
    put_on(w, n);
}

void forget_work(const void *action)
{
    Work *w = state->work_of.find(action);
    if (w == nullptr)
        return;
    state->work_of.remove(action);
    state->works[w->place] = state->works.back();
    state->works[w->place]->place = w->place;
    state->works.pop_back();
    state->n_standing -= stands(w);
    state->n_still_rounds = 0;
    if (w->vm != nullptr)
        erase(state->on_vms, w);
    account(w->node);
    erase(w->node->works, w);
    delete w;
}

// SimGrid frees the executions of a host gone down without reporting it.
void host_on_or_off(sg::Host const &h)
{
    for (size_t i = h.is_on() ? 0 : state->works.size(); i-- > 0;)
        if (const Work *w = state->works[i]; w->node->host == &h || w->vm == &h)
            forget_work(w->action);
}

// SimGrid does not report that a virtual machine was put on another host.
void follow_virtual_machines()
{
    for (Work *w : state->on_vms)
        if (Node *n = node_of(w->vm); n != w->node) {
            account(w->node);
            erase(w->node->works, w);
            put_on(w, n);
        }
}

// One factor for all executions of a host, once in a round, whatever has changed.
void settle(Node *n)
{
    n->is_listed = false;
    n->is_stale = n->works.empty() && not state->looks_at_idle; // nobody asks
    if (n->is_stale)
        return;
    account(n);
    err e = {};
    n->factor = hosts_factor_ratio(n->id, &e);
    if (e.code != ERR_NONE)
        refuse(e);
    bool is_ending = false;
    for (Work *w : n->works)
        if (w->given != n->factor && ends_in_this_instant(w))
            is_ending = true;
        else if (w->given != n->factor)
            give_factor(w);
    if (is_ending)
        state->with_endings.push_back(n);
}

void account(Node *n)
{
    if (not hosts_are_taken())
        return;
    double now_s = sg::Engine::get_clock(), passed_s = now_s - std::exchange(n->since_s, now_s);
    n->use.charged_s += passed_s * (1 - n->factor);
    // iasim's own actors, the only ones who ask, compute on one core each
    auto n_busy = std::min<double>(static_cast<double>(n->works.size()), n->host->get_core_count());
    if (n_busy > 0) {
        double stolen_s = passed_s * (1 - n->factor);
        n->use.busy_s += passed_s;
        n->use.stolen_s += stolen_s;
        n->use.stolen_flop += stolen_s * n->speed_flop_per_s * n_busy;
    }
    n->speed_flop_per_s = n->host->get_speed() * n->host->get_available_speed();
}

void speed_changed(sg::Host const &h)
{
    if (any_rates())
        account(node_of(const_cast<sg::Host *>(&h)));
}

} // namespace layer
