/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bridge to SimGrid, 3.32 to 4.x: the only C++ file, the only one that includes SimGrid.

   Two kernel models are added through the public Engine::add_model(). SimGrid asks all models in turn for their next
   event, moves its clock to the earliest, and then tells all of them to update:

       models        Front        CPU        network  ...  Back
       next event    instant() -> solved     solved
       update                     ended?     ended?        collects what has ended

   Front is added before the platform is loaded, so it is asked first: everything of this date has happened, no time has
   passed, and what it starts or bounds is still seen by the CPU and network models in the same round. Asking the network
   model for its next event solves it for this date; SimGrid asks again right after, which changes nothing. Back is added
   after, so it is told last: the actions that ended at the new date stand in the models' finished and failed sets and
   have not been taken out yet. So no simulated time and no actor is added to a run.

   Dates are exact. SimGrid moves its clock by `now += date - now`, which may miss `date` by the last bit when the clock
   more than doubles, and takes dates within surf/precision (an absolute number) for equal. Front asks to be called again
   before the clock more than doubles: then both operations are exact (Sterbenz), and the precision can be set so small
   that only equal dates are equal. */
#include "engine/bridge.h"

#include "base/instant.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <xbt/config.hpp>

namespace sg = simgrid::s4u;
using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::ActionHeap;
using simgrid::kernel::resource::Model;

struct bridge_comm {
    sg::CommPtr comm;
    Action *action;
    int src, dst;
    double bytes;
    void *owner;
    size_t place = 0; // in comms
    bool is_parked = false;
    double latency_over_s = 0; // while parked; in the past: it is not in latency
};

namespace
{

struct Seen { // beside the comm itself, so that a scan reads one array
    Action *action;
    double rate;
    bridge_comm *comm;
};

bridge_hooks hooks;
std::vector<sg::Host *> hosts;
std::vector<sg::Link *> links;
std::unordered_map<const sg::Host *, int> host_ids;
std::vector<const sg::SplitDuplexLink *> pair_of; // of links that are one direction of a split-duplex link; else null
std::unordered_map<const sg::Link *, int> link_ids;
bool has_vivaldi = false; // zones

std::vector<Seen> comms;
std::unordered_map<const Action *, bridge_comm *> comm_of;
std::vector<Model *> networks;     // that carry one of our transfers
std::vector<sg::ActivityPtr> dead; // SimGrid still has to take them out: freed at the next instant
std::vector<int> hosts_gone_down;
bool network_changed = false;
size_t n_rate_zero = 0; // transfers without a rate: their latency ends unannounced

std::unordered_set<const sg::Link *> closed;  // links without bandwidth
std::unordered_set<const sg::Link *> changed; // links whose bandwidth has changed in this instant
size_t n_parked = 0;

bool owner_waits = false;    // for an event of a profile, without any activity
size_t n_profile_events = 0; // since anything was last seen to proceed
// So many in a row and nothing proceeds: the profiles repeat, and nothing ever will.
constexpr size_t patience_events = 1000000;

// Later than any date of interest: who has not ended by then cannot proceed. Until then SimGrid has to go on, since an
// event of a profile may come that lets an activity proceed.
constexpr double horizon_s = 1e30;

template <class T, class Place> void remove_at(std::vector<T> &v, size_t i, Place place)
{
    v[i] = v.back();
    v.pop_back();
    if (i < v.size())
        place(v[i]) = i;
}

void forget(bridge_comm *c)
{
    n_parked -= c->is_parked;
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

// SimGrid leaves the transfers of a host that goes down alone.
void end_transfers_of_hosts_gone_down()
{
    for (int host : hosts_gone_down) {
        for (size_t i = comms.size(); i-- > 0;) {
            bridge_comm *c = comms[i].comm;
            if (c->src != host && c->dst != host)
                continue;
            cancel(c);
            end(c, true);
        }
    }
    hosts_gone_down.clear();
}

// A new action stands at the end of its model's list of started ones.
template <class Impl> Action *find_started(const Impl *impl)
{
    for (Model *m : sg::Engine::get_instance()->get_all_models()) {
        auto *set = m->get_started_action_set();
        if (not set->empty() && set->back().get_activity() == impl)
            return &set->back();
    }
    return nullptr;
}

bool start(bridge_comm *c)
{
    c->comm = sg::Comm::sendto_init(hosts[c->src], hosts[c->dst]);
    double whole = std::min(std::ceil(c->bytes), 0x1p62); // SimGrid's payloads are integers, what remains is not
    c->comm->set_payload_size(static_cast<uint64_t>(whole))->start();
    c->action = find_started(c->comm->get_impl());
    if (c->action == nullptr)
        return false;
    if (whole != c->bytes)
        c->action->set_remains(c->bytes);
    comm_of[c->action] = c;
    if (std::find(networks.begin(), networks.end(), c->action->get_model()) == networks.end())
        networks.push_back(c->action->get_model());
    return true;
}

/* What SimGrid would do wrongly is parked, that is suspended, and later put back as if new but for what it has done:
   - a transfer over a link whose bandwidth has become 0: it would go on at the rate before, or abort the process;
   - one in latency when a profile changes the bandwidth of a link on its way: its data would flow at once. It is put
     back in the same instant.
   Resuming would not do: SimGrid then has forgotten its latency and its weight.

   When a profile changes the latency of such a link, SimGrid's full updates let the data flow at once, too, and so do
   we; its lazy ones go on waiting for the end of a latency that is none any more, and never end the transfer. */

/* With lazy updates, which are the default, SimGrid keeps for each transfer the date of what comes next to it. One whose
   latency has just ended has none until the network is solved. One without links has its end from the beginning on, and
   no rate: whatever touches it would make SimGrid forget that date, and it would never end. */

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
    if (not latent && c->action->get_remains() <= 0) {
        end(c, false); // nothing is left that needs a bandwidth
        return;
    }
    c->action->suspend();
    c->is_parked = true;
    n_parked++;
}

void put_back(bridge_comm *c)
{
    double remaining_bytes = c->action->get_remains();
    comm_of.erase(c->action);
    cancel(c);
    dead.push_back(c->comm);
    c->is_parked = false;
    n_parked--;
    if (not start(c)) {
        end(c, true);
        return;
    }
    comms[c->place].action = c->action;
    c->action->set_remains(remaining_bytes);
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

void park_and_put_back()
{
    if (closed.empty() && n_parked == 0)
        return;
    for (size_t i = comms.size(); i-- > 0;) {
        bridge_comm *c = comms[i].comm;
        bool closes = is_closed(c);
        if (closes && not c->is_parked)
            park(c);
        else if (c->is_parked && not closes)
            put_back(c);
    }
}

// When the latency of several transfers is over at one date, SimGrid looks at the first link only of all but one of them,
// and may give them more than their other links can carry. Their bound, given once more, has it look at all links.
void show_links_of_new_flows()
{
    if (n_rate_zero == 0)
        return;
    for (Seen &s : comms)
        if (s.rate == 0 && not s.comm->is_parked && not has_date(s.action))
            s.action->set_bound(s.action->get_bound());
}

bool comm_proceeds(const Seen &s)
{
    return s.rate > 0 || has_date(s.action);
}

bool anything_proceeds()
{
    return std::any_of(comms.begin(), comms.end(), comm_proceeds);
}

/* The date of the next event of the network that is in the same instant as `now`, but later; else `now`. */
double later_in_the_instant_s(double now)
{
    double date = HUGE_VAL;
    for (Model *m : networks)
        if (m->is_update_lazy() && not m->get_action_heap().empty())
            date = std::min(date, std::max(m->get_action_heap().top_date(), now));
    for (Seen const &s : comms)
        if (s.rate > 0 && not s.action->get_model()->is_update_lazy())
            date = std::min(date, now + s.action->get_remains() / s.rate);
    return instant_has_come(date, now) ? date : now;
}

class Front : public Model
{
  public:
    Front() : Model("iasim instants")
    {
    }
    double next_occurring_event(double now) override
    {
        if (not instant_has_come(now, instant_s))
            instant_s = now;
        dead.clear();
        double later_s = later_in_the_instant_s(now);
        if (later_s > now && instant_has_come(later_s, instant_s))
            return later_s - now;
        double next = hooks.instant(hooks.self, now);
        bool waits = next >= 0 || owner_waits || not comms.empty();
        if (not waits || now >= horizon_s || is_stuck(next))
            return -1;
        double most = now > 0 ? now : first_step_s(next);
        return next >= 0 ? std::min(next, most) : most;
    }
    void update_actions_state(double, double) override
    {
    }

  private:
    double instant_s = -1; // its first date
    // SimGrid tells the events of profiles while time passes: not far at once where nothing else would stop it.
    static double first_step_s(double next)
    {
        return next >= 0 || anything_proceeds() ? horizon_s : 1;
    }
    static bool is_stuck(double next)
    {
        if (n_profile_events < patience_events)
            return false;
        n_profile_events = 0;
        return next < 0 && not anything_proceeds();
    }
};

class Back : public Model
{
  public:
    Back() : Model("iasim endings")
    {
    }
    double next_occurring_event(double) override
    {
        return -1;
    }
    // SimGrid lets time pass over events of hosts and links that it does not use, unless a model says this of itself
    bool next_occurring_event_is_idempotent() override
    {
        return false;
    }
    void update_actions_state(double, double) override
    {
        if (not hosts_gone_down.empty())
            end_transfers_of_hosts_gone_down();
        for (Model *m : sg::Engine::get_instance()->get_all_models()) {
            collect(*m->get_failed_action_set(), true);
            collect(*m->get_finished_action_set(), false);
        }
    }
};

using Zone = simgrid::kernel::routing::NetZoneImpl;

bool is_vivaldi(const Zone *zone) // SimGrid keeps the class to itself
{
    return strstr(typeid(*zone).name(), "VivaldiZone") != nullptr;
}

bool any_vivaldi(const Zone *zone)
{
    auto const &children = zone->get_children();
    return is_vivaldi(zone) || std::any_of(children.begin(), children.end(), any_vivaldi);
}

const Zone *zone_of(int host)
{
    return hosts[host]->get_englobing_zone()->get_impl();
}

bool is_in(int host, const Zone *zone)
{
    const Zone *z = zone_of(host);
    while (z != zone && z != nullptr)
        z = z->get_parent();
    return z != nullptr;
}

// Between two hosts at one place of a Vivaldi zone there is nothing, neither link nor latency. To SimGrid it looks like a
// route that is missing.
bool may_be_at_one_place(int src, int dst)
{
    if (not has_vivaldi)
        return false;
    const Zone *common = zone_of(src);
    while (not is_in(dst, common))
        common = common->get_parent();
    return is_vivaldi(common);
}

void watch_host(sg::Host const &h)
{
    auto it = host_ids.find(&h);
    if (it == host_ids.end())
        return;
    n_profile_events++;
    if (not h.is_on())
        hosts_gone_down.push_back(it->second);
    hooks.host_changed(hooks.self, it->second);
}

void watch_link(sg::Link const &l)
{
    n_profile_events++;
    network_changed = true;
    changed.insert(&l);
    if (l.get_bandwidth() > 0)
        closed.erase(&l);
    else
        closed.insert(&l);
    if (auto it = link_ids.find(&l); it != link_ids.end())
        hooks.link_changed(hooks.self, it->second);
}

void connect_signals()
{
    // in the order of the file; some versions tell some again when the run begins
    sg::Host::on_creation_cb([](sg::Host &h) {
        if (host_ids.try_emplace(&h, static_cast<int>(hosts.size())).second)
            hosts.push_back(&h);
    });
    sg::Host::on_speed_change_cb(watch_host);
    sg::Link::on_bandwidth_change_cb(watch_link);
#if SIMGRID_VERSION >= 33300
    sg::Host::on_onoff_cb(watch_host);
    sg::Link::on_onoff_cb(watch_link);
#else
    sg::Host::on_state_change_cb(watch_host);
    sg::Link::on_state_change_cb(watch_link);
#endif
}

void tell_properties(const std::unordered_map<std::string, std::string> *properties,
                     void (*property)(void *, const char *, const char *), void *self)
{
    std::vector<std::pair<std::string, std::string>> sorted(properties->begin(), properties->end());
    std::sort(sorted.begin(), sorted.end());
    for (auto const &[id, value] : sorted)
        property(self, id.c_str(), value.c_str());
}

// The split-duplex link l of which this link, l_UP or l_DOWN, is one direction. A shared link may be called so, too.
const sg::SplitDuplexLink *find_pair(const sg::Link *link)
{
    const std::string &name = link->get_name();
    size_t n = name.rfind('_');
    if (n == std::string::npos || (name.compare(n, 3, "_UP") != 0 && name.compare(n, 5, "_DOWN") != 0))
        return nullptr;
    try {
        const auto *pair = sg::Engine::get_instance()->split_duplex_link_by_name(name.substr(0, n));
        return pair->get_link_up() == link || pair->get_link_down() == link ? pair : nullptr;
    } catch (std::invalid_argument const &) {
        return nullptr;
    }
}

void number_links()
{
    links = sg::Engine::get_instance()->get_all_links();
    std::transform(links.begin(), links.end(), std::back_inserter(pair_of), find_pair);
    for (size_t i = 0; i < links.size(); i++) {
        link_ids[links[i]] = static_cast<int>(i);
        watch_link(*links[i]);
    }
}

void start_engine()
{
    static char name[] = "iasim";
    static char exact[] = "--cfg=surf/precision:1e-18";
    static char quiet[] = "--log=root.thres:critical";
    static char *args[] = {name, exact, quiet, nullptr};
    int n = 3;
    new sg::Engine(&n, args); // SimGrid keeps it, and takes it down at exit
}

bool bridge_load(const char *path, const struct bridge_hooks *h, char *error, size_t size)
{
    hooks = *h;
    start_engine();
    auto *engine = sg::Engine::get_instance();
    try {
        connect_signals();
        engine->add_model(std::make_shared<Front>());
        engine->load_platform(path);
        engine->add_model(std::make_shared<Back>());
        engine->seal_platform(); // before it, routes over several zones and to oneself are not there
        number_links();
        has_vivaldi = any_vivaldi(engine->get_netzone_root()->get_impl());
        return true;
    } catch (std::exception const &e) {
        snprintf(error, size, "%s", e.what());
        return false;
    }
}

size_t bridge_n_hosts(void)
{
    return hosts.size();
}
const char *bridge_host_name(int host)
{
    return hosts[host]->get_cname();
}
double bridge_host_peak_flop_per_s(int host)
{
    return hosts[host]->get_speed();
}
bool bridge_host_is_up(int host)
{
    return hosts[host]->is_on();
}
double bridge_host_flop_per_s(int host)
{
    sg::Host const *h = hosts[host];
    return h->is_on() ? h->get_speed() * h->get_available_speed() : 0;
}
int bridge_host_n_cores(int host)
{
    return hosts[host]->get_core_count();
}
size_t bridge_n_links(void)
{
    return links.size();
}
const char *bridge_link_name(int link)
{
    return links[link]->get_cname();
}
double bridge_link_bytes_per_s(int link)
{
    return links[link]->get_bandwidth();
}
double bridge_link_latency_s(int link)
{
    return links[link]->get_latency();
}
bool bridge_link_is_up(int link)
{
    return links[link]->is_on();
}
bool bridge_is_at_one_place(int src, int dst)
{
    std::vector<sg::Link *> path;
    double latency = 0;
    if (not may_be_at_one_place(src, dst))
        return false;
    hosts[src]->route_to(hosts[dst], path, &latency);
    return path.empty() && latency <= 0;
}
bool bridge_link_is_fatpipe(int link)
{
    return links[link]->get_sharing_policy() == sg::Link::SharingPolicy::FATPIPE;
}
bool bridge_link_is_one_way(int link)
{
    return pair_of[link] != nullptr;
}
void bridge_host_properties(int host, void (*property)(void *, const char *, const char *), void *self)
{
    tell_properties(hosts[host]->get_properties(), property, self);
}
void bridge_link_properties(int link, void (*property)(void *, const char *, const char *), void *self)
{
    const sg::Link *owner = pair_of[link] != nullptr ? pair_of[link] : links[link];
    tell_properties(owner->get_properties(), property, self);
}

int bridge_route(int src, int dst, int **out, double *latency_s)
{
    std::vector<sg::Link *> path;
    double latency = 0;
    try {
        hosts[src]->route_to(hosts[dst], path, &latency);
    } catch (std::exception const &) {
        return -1;
    }
    if (path.empty() && latency <= 0 && not may_be_at_one_place(src, dst))
        return -1;
    *latency_s = latency;
    *out = static_cast<int *>(malloc((path.size() + 1) * sizeof **out));
    if (*out == nullptr)
        return -1;
    for (size_t i = 0; i < path.size(); i++)
        (*out)[i] = link_ids.at(path[i]);
    return static_cast<int>(path.size());
}

void bridge_run(void)
{
    sg::Engine::get_instance()->run();
}

void bridge_set_waits(bool waits)
{
    owner_waits = waits;
}

double bridge_now_s(void)
{
    return sg::Engine::get_clock();
}

struct bridge_comm *bridge_comm_start(int src, int dst, double bytes, void *owner)
{
    if (not hosts[src]->is_on() || not hosts[dst]->is_on())
        return nullptr;
    auto *c = new bridge_comm{nullptr, nullptr, src, dst, bytes, owner};
    if (not start(c)) {
        delete c;
        return nullptr;
    }
    c->place = comms.size();
    comms.push_back({c->action, 0, c});
    n_rate_zero++;
    network_changed = true;
    return c;
}

double bridge_comm_remaining_bytes(struct bridge_comm *c)
{
    // SimGrid would end one that has nothing left, and not notice
    return c->action->get_remains_no_update() > 0 ? c->action->get_remains() : 0;
}

void bridge_solve_network(double now_s)
{
    if (not network_changed && n_rate_zero == 0)
        return;
    network_changed = false;
    park_and_put_back();
    show_links_of_new_flows();
    for (Model *m : networks)
        m->next_occurring_event(now_s);
    for (Seen &s : comms) {
        // lazily updated models have touched what changed at this date, and only that
        if (s.action->get_model()->is_update_lazy() && s.action->get_last_update() != now_s && s.rate != 0)
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
    if (network_changed)
        bridge_solve_network(now_s);
    changed.clear();
}

} // namespace

extern "C" __attribute__((visibility("default"))) const struct bridge *iasim_bridge(void)
{
    static const struct bridge table = {
        .load = bridge_load,
        .n_hosts = bridge_n_hosts,
        .host_name = bridge_host_name,
        .host_peak_flop_per_s = bridge_host_peak_flop_per_s,
        .host_flop_per_s = bridge_host_flop_per_s,
        .host_is_up = bridge_host_is_up,
        .host_n_cores = bridge_host_n_cores,
        .n_links = bridge_n_links,
        .link_name = bridge_link_name,
        .link_bytes_per_s = bridge_link_bytes_per_s,
        .link_latency_s = bridge_link_latency_s,
        .link_is_up = bridge_link_is_up,
        .link_is_fatpipe = bridge_link_is_fatpipe,
        .link_is_one_way = bridge_link_is_one_way,
        .host_properties = bridge_host_properties,
        .link_properties = bridge_link_properties,
        .is_at_one_place = bridge_is_at_one_place,
        .route = bridge_route,
        .run = bridge_run,
        .set_waits = bridge_set_waits,
        .now_s = bridge_now_s,
        .comm_start = bridge_comm_start,
        .comm_remaining_bytes = bridge_comm_remaining_bytes,
        .solve_network = bridge_solve_network,
    };
    return &table;
}
