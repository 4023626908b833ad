/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bridge to SimGrid, 3.32 to 4.x: the platform, the clock, and the table of what a bridge can do. Transfers are in
   bridge_transfers.cpp; no other file of this room includes SimGrid.

   Two kernel models are added through the public Engine::add_model(). SimGrid asks all models in turn for their next
   event, moves its clock to the earliest, and then has all of them update:

       models        Front        CPU        network  ...  Back
       next event    instant() -> solved     solved
       update                     ended?     ended?        collects what has ended

   Front is added before the platform is loaded, so it is asked first: everything of this date has happened, no time
   has passed, and what it starts or bounds is still seen by the CPU and network models in the same round. Asking the
   network model for its next event solves it for this date; SimGrid asks again right after, which changes nothing.
   Back is added after, so it is updated last: the actions that ended at the new date stand in the models' finished
   and failed sets and have not been taken out yet. So no simulated time and no actor is added to a run.

   Dates are exact. SimGrid moves its clock by `now += date - now`, which may miss `date` by the last bit when the
   clock more than doubles, and takes dates within surf/precision (an absolute number) for equal. Front asks to be
   called again before the clock more than doubles: then both operations are exact ([Sterbenz 1974]), and the
   precision can be set so small that only equal dates are equal. */
#include "engine/bridge.h"

#include "base/instant.h"
#include "engine/bridge_transfers.hpp"
#include "simgrid/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <xbt/config.hpp>

namespace sg = simgrid::s4u;
using simgrid::kernel::resource::Model;

bridge_hooks platform::hooks;
std::vector<sg::Host *> platform::hosts;
using platform::hooks;
using platform::hosts;

namespace
{

std::vector<sg::Link *> links;
std::unordered_map<const sg::Host *, int> host_ids;
std::vector<const sg::SplitDuplexLink *> pair_of; // of links that are one direction of a split-duplex link; else null
std::unordered_map<const sg::Link *, int> link_ids;
bool has_vivaldi = false; // zones
std::vector<int> hosts_gone_down;

bool is_driven = false;      // by our hooks; else by SimGrid's actors
bool owner_waits = false;    // for an event of a profile, without any activity
size_t n_profile_events = 0; // in a row, at whose dates nothing proceeds
// Profiles may repeat forever, so a deadlock beside them never reaches the horizon. After so many events during which
// nothing has proceeded the run ends as a deadlock.
constexpr size_t patience_events = 1000000;

// Later than any date of interest: what has not ended by then cannot proceed. Until then SimGrid has to go on, because
// an event of a profile may let an activity proceed.
constexpr double horizon_s = 1e30;

class Front : public Model
{
  public:
    Front() : Model("iasim instants")
    {
    }
    double next_occurring_event(double now) override
    {
        // an instant begins: later dates belong to it as long as they are within its tolerance of this one, not of
        // each other
        if (not instant_has_come(now, instant_s))
            instant_s = now;
        // SimGrid has taken them out of its sets since Back has reported them
        transfers::free_ended();
        double later_s = transfers::later_in_the_instant_s(now);
        // the client sees an instant once, so what the network still has to end in it goes first
        if (later_s > now && instant_has_come(later_s, instant_s))
            return later_s - now;
        double next = hooks.instant(hooks.self, now);
        // not waiting for anything ends the run; past the horizon what waits can never proceed
        bool waits = next >= 0 || owner_waits || transfers::any();
        if (not waits || now >= horizon_s || is_stuck(next))
            return -1;
        // at most doubling the clock keeps dates exact (top of file)
        double most = now > 0 ? now : first_step_s(next);
        return next >= 0 ? std::min(next, most) : most;
    }
    void update_actions_state(double, double) override
    {
    }

  private:
    double instant_s = -1; // its first date
    // SimGrid reports the events of profiles while time passes, so the first step is short where nothing else would
    // stop it.
    static double first_step_s(double next)
    {
        return next >= 0 || transfers::any_proceeds() ? horizon_s : 1;
    }
    static bool is_stuck(double next)
    {
        if (next >= 0 || transfers::any_proceeds())
            n_profile_events = 0;
        return n_profile_events >= patience_events;
    }
};

// Its place in the list of models is all that matters: it has no actions, so it never has an event.
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
        transfers::report_ended(hosts_gone_down);
        hosts_gone_down.clear();
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

// Between two hosts at one place of a Vivaldi zone there is nothing, neither link nor latency. To SimGrid it looks like
// a route that is missing. The zone that decides is the smallest that has both hosts: its coordinates give the route.
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
    transfers::link_changed(l);
    if (auto it = link_ids.find(&l); it != link_ids.end())
        hooks.link_changed(hooks.self, it->second);
}

void connect_signals()
{
    // in the order of the file; some versions report some hosts again when the run begins
    sg::Host::on_creation_cb([](sg::Host &h) {
        if (host_ids.try_emplace(&h, static_cast<int>(hosts.size())).second)
            hosts.push_back(&h);
    });
    if (not is_driven)
        return;
    sg::Host::on_speed_change_cb(watch_host);
    sg::Link::on_bandwidth_change_cb(watch_link);
    kernel::on_host_on_or_off(watch_host);
    kernel::on_link_on_or_off(watch_link);
}

// SimGrid keeps properties in a hash table; the first mistake must be the same one in every run.
void visit_properties(const std::unordered_map<std::string, std::string> *properties,
                      void (*property)(void *, const char *, const char *), void *self)
{
    std::vector<std::pair<std::string, std::string>> sorted(properties->begin(), properties->end());
    std::sort(sorted.begin(), sorted.end());
    for (auto const &[id, value] : sorted)
        property(self, id.c_str(), value.c_str());
}

// SimGrid 4.0 makes the hosts of a torus, fat tree or dragonfly by name: p0, p1, p10. Their places in the zone are
// those of the file.
void order_hosts()
{
    std::unordered_map<const sg::NetZone *, std::vector<sg::Host *>> in_zone;
    for (sg::Host *h : hosts)
        in_zone[h->get_englobing_zone()].push_back(h);
    for (auto &[zone, members] : in_zone)
        std::stable_sort(members.begin(), members.end(), [](const sg::Host *a, const sg::Host *b) {
            return a->get_netpoint()->id() > b->get_netpoint()->id();
        });
    for (size_t i = 0; i < hosts.size(); i++) {
        std::vector<sg::Host *> &members = in_zone[hosts[i]->get_englobing_zone()]; // the next one is its last
        // zones keep their places in the list of hosts; only within a zone is the order changed
        hosts[i] = members.back();
        members.pop_back();
        host_ids[hosts[i]] = static_cast<int>(i);
    }
}

void number_links()
{
    links = sg::Engine::get_instance()->get_all_links();
    std::transform(links.begin(), links.end(), std::back_inserter(pair_of), kernel::split_duplex_of);
    for (size_t i = 0; i < links.size(); i++) {
        link_ids[links[i]] = static_cast<int>(i);
        // a link whose bandwidth is 0 from the start sends no signal: its transfers must be parked, too
        if (is_driven)
            watch_link(*links[i]);
    }
}

// Once in a process; what depends on the platform is set later.
void bridge_begin(void)
{
    static bool has_begun;
    if (has_begun)
        return;
    has_begun = true;
    static char name[] = "iasim";
    static char exact[] = "--cfg=surf/precision:1e-18";
    static char quiet[] = "--log=root.thres:critical";
    static char *args[] = {name, exact, quiet, nullptr};
    int n = 3;
    struct sigaction before; // SimGrid's own handler ends the process with status 1, as if the answer were no
    sigaction(SIGINT, nullptr, &before);
    new sg::Engine(&n, args); // SimGrid keeps it, and takes it down at exit
    sigaction(SIGINT, &before, nullptr);
}

// For actors: bridge_transfers.cpp mends lazy updates for our own transfers only, and SimGrid's executions abort
// without speed when they are updated lazily. Otherwise lazy updates of executions are right, and much faster.
void configure_for_actors(bool may_have_profiles)
{
    sg::Engine::set_config("network/optim:Full");
    if (may_have_profiles)
        sg::Engine::set_config("cpu/optim:Full");
}

bool bridge_hides_latencies(void)
{
    return simgrid::config::get_value<std::string>("network/optim") == "Full";
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
// SimGrid keeps the speed of a host that is down; nothing computes there.
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
// Asked before each transfer: on platforms without Vivaldi zones it must not cost a route.
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
    visit_properties(hosts[host]->get_properties(), property, self);
}
void bridge_link_properties(int link, void (*property)(void *, const char *, const char *), void *self)
{
    // the file gives properties to the pair
    const sg::Link *owner = pair_of[link] != nullptr ? pair_of[link] : links[link];
    visit_properties(owner->get_properties(), property, self);
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
    // where a route is missing some kinds of zone throw, others give an empty one
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

bool is_wifi(const sg::Link *l)
{
    return l->get_sharing_policy() == sg::Link::SharingPolicy::WIFI;
}

void bridge_set_link_bytes_per_s(int link, double bytes_per_s)
{
    links[link]->set_bandwidth(bytes_per_s);
}
void bridge_set_link_fatpipe(int link)
{
    if (not is_wifi(links[link]))
        links[link]->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE);
}

bool has_links(int src, int dst)
{
    int *route_links = nullptr;
    double latency_s = 0;
    bool found = bridge_route(src, dst, &route_links, &latency_s) > 0;
    free(route_links);
    return found;
}

// Looks for two hosts with links both ways, the way back for acknowledgements (network/crosstraffic). A few tries are
// enough: this only saves time.
void make_room_for_transfers()
{
    enum { MAX_TRIES = 16 };
    if (simgrid::config::get_value<std::string>("network/model") == "IB")
        return; // it counts the transfers of a host, and never forgets one that was cancelled
    if (std::any_of(links.begin(), links.end(), is_wifi))
        return; // SimGrid aborts on transfers of hosts that are not attached to their access point
    int n = std::min<int>(MAX_TRIES, static_cast<int>(hosts.size()));
    int dst = 1;
    while (dst < n && not(has_links(0, dst) && has_links(dst, 0)))
        dst++;
    if (dst < n)
        transfers::make_room(0, dst);
}

bool bridge_load(const char *path, const struct bridge_hooks *h, bool may_have_profiles, char *error, size_t size)
{
    // hooks stand before the platform is loaded, because loading already reports links and hosts
    is_driven = h != nullptr;
    if (is_driven)
        hooks = *h;
    bridge_begin();
    if (not is_driven)
        configure_for_actors(may_have_profiles);
    auto *engine = sg::Engine::get_instance();
    try {
        connect_signals();
        if (is_driven)
            engine->add_model(std::make_shared<Front>());
        engine->load_platform(path);
        if (is_driven)
            engine->add_model(std::make_shared<Back>());
        engine->seal_platform(); // before it, routes over several zones and to oneself are not there
        order_hosts();
        number_links();
        has_vivaldi = any_vivaldi(engine->get_netzone_root()->get_impl());
        if (is_driven)
            make_room_for_transfers();
        if (may_have_profiles)
            transfers::expect_profiles();
        return true;
    } catch (std::exception const &e) {
        snprintf(error, size, "%s", e.what());
        return false;
    }
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

} // namespace

extern "C" __attribute__((visibility("default"))) const struct bridge *iasim_bridge(void)
{
    static const struct bridge table = {
        .begin = bridge_begin,
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
        .hides_latencies = bridge_hides_latencies,
        .host_properties = bridge_host_properties,
        .link_properties = bridge_link_properties,
        .is_at_one_place = bridge_is_at_one_place,
        .route = bridge_route,
        .run = bridge_run,
        .set_waits = bridge_set_waits,
        .now_s = bridge_now_s,
        .comm_start = transfers::start,
        .comm_remaining_bytes = transfers::remaining_bytes,
        .comm_hold = transfers::hold,
        .set_link_bytes_per_s = bridge_set_link_bytes_per_s,
        .set_link_fatpipe = bridge_set_link_fatpipe,
        .solve_network = transfers::solve_network,
    };
    return &table;
}
