/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The transfers of the bridge: SimGrid's, with what SimGrid would do wrongly mended. Each is seen by a rate that is
   reported when it changes, and by one end.

   Cost: ending a transfer takes O(log n) here, but SimGrid 3.32 searches the list of all detached transfers for it,
   so n at once take O(n^2): 80,000 take 11 s, with SimGrid 4.0 0.3 s. */
#include "engine/bridge_transfers.hpp"

#include "base/instant.h"
#include "simgrid/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include <xbt/config.hpp>

namespace sg = simgrid::s4u;
using platform::hooks;
using platform::hosts;
using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::ActionHeap;
using simgrid::kernel::resource::Model;

struct bridge_comm {
    sg::CommPtr comm;
    Action *action;
    int src, dst;
    double bytes, limit_bytes_per_s; // infinite: its rate has no limit
    void *owner;
    size_t place = 0; // in comms
    bool is_parked = false;
    double latency_over_s = 0; // while parked; in the past: it is not in latency
    bool is_held = false;      // its owner wants it to stand still
    double latency_left_s = 0; // then
};

namespace
{

struct Seen { // beside the comm itself, so that a scan reads one array
    Action *action;
    double rate;
    bridge_comm *comm;
};

std::vector<Seen> comms;
std::unordered_map<const Action *, bridge_comm *> comm_of;
std::vector<Model *> networks;     // that carry one of our transfers
std::vector<sg::ActivityPtr> dead; // SimGrid still has to take them out: freed at the next instant
bool network_changed = false;
double looked_s = -1;
size_t n_rate_zero = 0; // transfers without a rate: their latency ends unannounced

bool latencies_may_change = false; // by profiles: SimGrid reports no such event, and it changes how flows share links

std::unordered_set<const sg::Link *> closed;  // links without bandwidth
std::unordered_set<const sg::Link *> changed; // links whose bandwidth has changed in this instant
size_t n_parked = 0, n_held = 0;

// O(1): the last element takes the free place. `place` is where an element keeps its own.
template <class T, class Place> void remove_at(std::vector<T> &v, size_t i, Place place)
{
    v[i] = v.back();
    v.pop_back();
    if (i < v.size())
        place(v[i]) = i;
}

// The bandwidth that it leaves goes to others: the network has to be solved although no rate of ours has changed yet.
void forget(bridge_comm *c)
{
    n_parked -= c->is_parked;
    n_held -= c->is_held;
    comm_of.erase(c->action);
    if (comms[c->place].rate == 0)
        n_rate_zero--;
    remove_at(comms, c->place, [](Seen &o) -> size_t & { return o.comm->place; });
    dead.push_back(c->comm);
    network_changed = true;
}

void cancel(bridge_comm *c)
{
    c->action->suspend(); // gives its bandwidth back now; the cancelled action is taken out a round later
    c->comm->cancel();
}

// Forgotten before it is reported: the hook may ask for anything but this transfer.
void end(bridge_comm *c, bool failed)
{
    forget(c);
    hooks.comm_ended(hooks.self, c->owner, failed);
    delete c;
}

void collect(Action::StateSet const &ended, bool failed)
{
    for (Action const &a : ended) {
        if (auto c = comm_of.find(&a); c != comm_of.end())
            end(c->second, failed);
    }
}

// SimGrid does not end the transfers of a host that goes down.
void end_transfers_of(int host)
{
    // from the back, because an end moves the last one to its place
    for (size_t i = comms.size(); i-- > 0;) {
        bridge_comm *c = comms[i].comm;
        if (c->src != host && c->dst != host)
            continue;
        cancel(c);
        end(c, true);
    }
}

// A new action stands at the end of its model's list of started ones. SimGrid has no public way from a communication
// to its action (sim/running/simgrid opens a private member for that).
template <class Impl> Action *find_started(const Impl *impl)
{
    for (Model *m : sg::Engine::get_instance()->get_all_models()) {
        auto *set = m->get_started_action_set();
        if (not set->empty() && set->back().get_activity() == impl)
            return &set->back();
    }
    return nullptr;
}

bool begin(bridge_comm *c)
{
    c->comm = sg::Comm::sendto_init(hosts[c->src], hosts[c->dst]);
    double whole = std::min(std::ceil(c->bytes), 0x1p62); // SimGrid's payloads are integers, what remains is not
    c->comm->set_payload_size(static_cast<uint64_t>(whole))->start();
    c->action = find_started(c->comm->get_impl());
    if (c->action == nullptr)
        return false;
    if (whole != c->bytes) // for example by noise
        c->action->set_remains(c->bytes);
    if (std::isfinite(c->limit_bytes_per_s))
        kernel::limit_rate(c->action, c->limit_bytes_per_s);
    comm_of[c->action] = c;
    if (std::find(networks.begin(), networks.end(), c->action->get_model()) == networks.end())
        // few: a wired network, perhaps a WiFi one
        networks.push_back(c->action->get_model());
    return true;
}

/* Transfers that SimGrid would handle wrongly are parked, that is suspended, and later started anew with what remains:
   - a transfer over a link whose bandwidth has become 0: it would go on at the rate before, or abort the process;
   - one in latency when a profile changes the bandwidth of a link on its way: its data would flow at once. It is put
     back in the same instant;
   - one that its owner holds: the rest of its latency stays, too.
   Resuming them does not work: SimGrid has then forgotten their latency and their weight.

   When a profile changes the latency of such a link, SimGrid's full updates let the data flow at once, too, and so do
   we; its lazy ones go on waiting for a latency that is already over, and never end the transfer. */

/* With lazy updates, which are the default, SimGrid keeps for each transfer the date of what comes next to it. One
   whose latency has just ended has none until the network is solved. One without links has its end from the
   beginning on, and no rate: whatever touches it would make SimGrid forget that date, and it would never end. */

bool has_date(const Action *a)
{
    return a->get_type() != ActionHeap::Type::unset;
}

bool is_in_latency(const Action *a)
{
    return a->get_type() == ActionHeap::Type::latency;
}

double latency_over_s(const Action *a)
{
    ActionHeap &heap = a->get_model()->get_action_heap();
    return std::find_if(heap.begin(), heap.end(), [a](auto const &event) { return event.second == a; })->first;
}

void park(bridge_comm *c)
{
    bool latent = is_in_latency(c->action);
    c->latency_over_s = latent ? latency_over_s(c->action) : 0;
    c->latency_left_s = std::max(0., c->latency_over_s - sg::Engine::get_clock());
    if (not latent && c->action->get_remains() <= 0) {
        end(c, false); // nothing is left that needs a bandwidth
        return;
    }
    c->action->suspend();
    c->is_parked = true;
    n_parked++;
}

// The new action would start its latency anew: so the heap gets the date at which the old one is over.
void put_back(bridge_comm *c)
{
    double remaining_bytes = c->action->get_remains();
    comm_of.erase(c->action);
    cancel(c);
    dead.push_back(c->comm);
    c->is_parked = false;
    n_parked--;
    if (not begin(c)) {
        end(c, true);
        return;
    }
    comms[c->place].action = c->action;
    c->action->set_remains(remaining_bytes);
    // max: what was out of its latency when it was parked must not begin another one
    if (is_in_latency(c->action)) {
        ActionHeap &heap = c->action->get_model()->get_action_heap();
        heap.remove(c->action);
        heap.insert(c->action, std::max(c->latency_over_s, sg::Engine::get_clock()), ActionHeap::Type::latency);
    }
}

template <class Claim> bool any_link(int src, int dst, Claim claim)
{
    std::vector<sg::Link *> path;
    hosts[src]->route_to(hosts[dst], path, nullptr);
    return std::any_of(path.begin(), path.end(), claim);
}

template <class Claim> bool any_link(const bridge_comm *c, Claim claim)
{
    // with network/crosstraffic acknowledgements use the way back, and a link without bandwidth there stops the data
    // as well
    bool acknowledges = simgrid::config::get_value<bool>("network/crosstraffic");
    return any_link(c->src, c->dst, claim) || (acknowledges && any_link(c->dst, c->src, claim));
}

bool is_closed(const bridge_comm *c)
{
    return not closed.empty() && any_link(c, [](const sg::Link *l) { return closed.count(l) > 0; });
}

bool has_changed(const bridge_comm *c)
{
    return not changed.empty() && any_link(c, [](const sg::Link *l) { return changed.count(l) > 0; });
}

// From the back, because parking may end a transfer. Nothing is parked in most runs, hence the first line.
void park_and_put_back()
{
    if (closed.empty() && n_parked == 0 && n_held == 0)
        return;
    for (size_t i = comms.size(); i-- > 0;) {
        bridge_comm *c = comms[i].comm;
        bool stands = c->is_held || is_closed(c);
        if (stands && not c->is_parked)
            park(c);
        else if (c->is_parked && not stands)
            put_back(c);
    }
}

// When the latency of several transfers is over at one date, SimGrid looks at the first link only of all but one of
// them, and may give them more than their other links can carry. Their bound, given once more, has it look at all
// links.
void show_links_of_new_flows()
{
    if (n_rate_zero == 0)
        return;
    for (Seen &s : comms)
        if (s.rate == 0 && not s.comm->is_parked && not has_date(s.action))
            s.action->set_bound(s.action->get_bound());
}

// Without a rate it proceeds if something is to come by itself: the end of its latency, or its end without links.
bool comm_proceeds(const Seen &s)
{
    return s.rate > 0 || has_date(s.action);
}

} // namespace

bridge_comm *transfers::start(int src, int dst, double bytes, double limit_bytes_per_s, void *owner)
{
    if (not hosts[src]->is_on() || not hosts[dst]->is_on())
        return nullptr;
    auto *c = new bridge_comm{nullptr, nullptr, src, dst, bytes, limit_bytes_per_s, owner};
    if (not begin(c)) {
        delete c;
        return nullptr;
    }
    c->place = comms.size();
    comms.push_back({c->action, 0, c});
    n_rate_zero++;
    network_changed = true;
    return c;
}

void transfers::make_room(int src, int dst)
{
    static bridge_comm c{nullptr, nullptr, src, dst, 1, HUGE_VAL, nullptr}; // SimGrid takes it out when the run begins
    if (not hosts[src]->is_on() || not hosts[dst]->is_on() || not begin(&c))
        return;
    comm_of.clear();
    networks.clear();
    cancel(&c);
}

double transfers::remaining_bytes(bridge_comm *c)
{
    // asking SimGrid about a transfer with nothing left would end it unnoticed
    return c->action->get_remains_no_update() > 0 ? c->action->get_remains() : 0;
}

// Parking is left to the next solve_network, which may find the transfer let go again in the same instant. One without
// links has nothing that could be held.
void transfers::hold(bridge_comm *c, bool stands)
{
    double now_s = sg::Engine::get_clock();
    if (stands == c->is_held || not any_link(c->src, c->dst, [](const sg::Link *) { return true; }))
        return;
    // parked already, for a closed link: only whose latency goes on changes
    if (stands && c->is_parked)
        c->latency_left_s = std::max(0., c->latency_over_s - now_s);
    else if (c->is_parked)
        c->latency_over_s = c->latency_left_s > 0 ? now_s + c->latency_left_s : 0;
    c->is_held = stands;
    stands ? n_held++ : n_held--;
    network_changed = true;
}

// Nothing may have changed since the last call at this date. A transfer without a rate asks for a look in any case:
// when its latency ends, SimGrid says nothing.
void transfers::solve_network(double now_s)
{
    if (not network_changed && n_rate_zero == 0 && not latencies_may_change)
        return;
    network_changed = false;
    park_and_put_back();
    show_links_of_new_flows();
    for (Model *m : networks)
        m->next_occurring_event(now_s);
    for (Seen &s : comms) {
        // lazily updated models have touched what changed since we last looked, and only that; it may have been at an
        // earlier date of this instant
        double touched_s = s.action->get_last_update();
        if (s.action->get_model()->is_update_lazy() && touched_s < looked_s && s.rate != 0)
            continue;
        double rate = s.action->get_rate();
        if (rate == s.rate)
            continue;
        if (is_in_latency(s.action)) {
            if (has_changed(s.comm))
                park(s.comm);
            else
                s.action->get_model()->get_action_heap().remove(s.action); // its latency is over
            network_changed = true;
            continue;
        }
        n_rate_zero += (rate == 0) - (s.rate == 0);
        s.rate = rate;
        hooks.comm_rate(hooks.self, s.comm->owner, rate);
    }
    if (network_changed) // something was parked, or put back: at most once for each transfer in latency
        solve_network(now_s);
    looked_s = now_s;
    if (not changed.empty()) // clearing an empty set touches all the room that it ever had: once, that of all links
        changed.clear();
}

void transfers::expect_profiles()
{
    latencies_may_change = true;
}

void transfers::link_changed(const sg::Link &link)
{
    network_changed = true;
    changed.insert(&link);
    if (link.get_bandwidth() > 0)
        closed.erase(&link);
    else
        closed.insert(&link);
}

void transfers::report_ended(const std::vector<int> &hosts_gone_down)
{
    for (int host : hosts_gone_down)
        end_transfers_of(host);
    for (Model *m : sg::Engine::get_instance()->get_all_models()) {
        collect(*m->get_failed_action_set(), true);
        collect(*m->get_finished_action_set(), false);
    }
}

void transfers::free_ended()
{
    dead.clear();
}

bool transfers::any()
{
    return not comms.empty();
}

bool transfers::any_proceeds()
{
    return std::any_of(comms.begin(), comms.end(), comm_proceeds);
}

// Lazily updated models keep the dates of their next events; of others the ends are computed from rates.
double transfers::later_in_the_instant_s(double now_s)
{
    double date = HUGE_VAL;
    for (Model *m : networks)
        if (m->is_update_lazy() && not m->get_action_heap().empty())
            date = std::min(date, std::max(m->get_action_heap().top_date(), now_s));
    for (Seen const &s : comms)
        if (s.rate > 0 && not s.action->get_model()->is_update_lazy())
            date = std::min(date, now_s + s.action->get_remains() / s.rate);
    return instant_has_come(date, now_s) ? date : now_s;
}
