/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The world `interference` under any SimGrid program, exactly: C and C++ actors, Python, MPI under SMPI. No event, no simulated
   time and no actor is added, and nothing runs in an actor's context.

   One kernel model is added when SimGrid announces that the platform is being created, which is before its own models
   exist. So it is asked first for its next event in each round, when all actors of this date have run:

   1. The actions started at this date stand at the end of the models' sets of started actions. No call is watched, so it
      does not matter who started them. Their activity knows the hosts, by the public getters of s4u::Comm and s4u::Exec; a
      stand-in is given the activity for this (a private member of a public class, opened by an explicit instantiation).
   2. The network is solved for this date (kernel::Solver), which shows the transfers whose rate has changed. SimGrid
      asks it again afterwards: nothing changes.
   3. The executions of hosts whose factor changed get it as their rate factor (public Action::set_rate_factor) and are
      put into their model's set of modified actions, for the CPU model to date them anew. The sharing of the host is
      untouched: bounds, priorities, threads and cores keep their meaning, all times the factor.

   A round costs O(actions that started, ended or changed their rate), and what the world model takes for the hosts of
   those. Only fully updated network models (network/optim:Full) are looked at as a whole, as SimGrid itself does. */
#include "simgrid/layer.hpp"

#include "base/instant.h"

#include "simgrid/by_address.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include <simgrid/kernel/Timer.hpp>

namespace sg = simgrid::s4u;
using kernel::Action;
using kernel::Model;
using simgrid::kernel::activity::ActivityImpl, simgrid::kernel::activity::ActivityImplPtr;

// The two symbols that no installed header declares. Both are exported by 3.32; later versions need the first only.
namespace simgrid::kernel::activity
{
struct ExecImpl {
    static xbt::signal<void(ExecImpl const &, s4u::Host *)> on_migration;
};
} // namespace simgrid::kernel::activity
#if SIMGRID_VERSION < 33300
namespace simgrid::kernel::resource
{
class CpuAction
{
  public:
    static xbt::signal<void(CpuAction const &, Action::State)> on_state_change;
};
} // namespace simgrid::kernel::resource
#endif

namespace layer
{

enum End { SOURCE, DESTINATION, N_ENDS };

struct Flow {
    Action *action; // held: SimGrid frees that of a transfer timed out without reporting it
    Node *end[N_ENDS];
    size_t at[N_ENDS]; // its place among the flows of the node
    double rate;
    size_t place; // in flows
};

struct Load : Flow { // one that the actors carry out, at one of its two hosts
    End felt_by;
};

struct Work {
    Action *action;
    const void *activity;
    sg::VirtualMachine *vm; // on which it runs, or null
    Node *node;
    double own_factor; // of the platform's author, if any
    double given;      // the node's factor when it last got one
    size_t place;      // in works
};

namespace
{

// Access checks do not apply to the arguments of an explicit instantiation.
template <class Tag, typename Tag::type member> struct Opened {
    friend typename Tag::type open(Tag)
    {
        return member;
    }
};
struct Pimpl {
    using type = ActivityImplPtr sg::Activity::*;
    friend type open(Pimpl);
};
struct Factor {
    using type = double Action::*;
    friend type open(Factor);
};
struct Holders {
    using type = int Action::*;
    friend type open(Holders);
};
template struct Opened<Pimpl, &sg::Activity::pimpl_>;
template struct Opened<Factor, &Action::factor_>;
template struct Opened<Holders, &Action::refcount_>;

// Lazily updated models abort on a factor of 0. With this one nothing measurable is done while a processor stands.
constexpr double least_factor = 1e-30;
// A host that has stood still for so many rounds, while nothing was computed anywhere, will never go on.
constexpr size_t patience_rounds = 1000000;

struct State {
    const char *(*platform)() = nullptr;
    ByAddress<Flow> flow_of;                           // action
    ByAddress<Work> work_of;                           // action
    std::unordered_map<const void *, Node *> migrated; // by activity
    std::vector<Flow *> flows;
    std::vector<Work *> works;
    std::vector<Work *> on_vms;
    std::vector<Node *> changed;
    std::vector<Node *> with_endings; // of executions, in this instant: to be settled again
    std::vector<std::pair<Model *, std::unique_ptr<kernel::Solver>>> networks; // that carry a flow
    std::vector<Model *> cpus;                                                 // that carry a work
    sg::CommPtr comm;                                                          // the stand-ins
    sg::ExecPtr exec;
    bool looks_at_idle = false; // settles hosts that compute nothing, too: for layer_use
    bool look_at_all = false;   // some rates became 0 unseen: of transfers that were suspended
    bool look_for_dead = false; // some transfer may have been freed unseen
    unsigned long n_suspensions = 0;
    size_t n_standing = 0;     // works on hosts without speed
    size_t n_still_rounds = 0; // in a row, with standing works and none that ended
};
const unsigned long never = 0;
const unsigned long *n_suspensions = &never; // null: not known
State *state;                                // never freed: SimGrid's own end may still report actions

template <class T> void erase(std::vector<T *> &v, T *x)
{
    *std::find(v.begin(), v.end(), x) = v.back();
    v.pop_back();
}

void touch(Node *n)
{
    if (not std::exchange(n->is_listed, true))
        state->changed.push_back(n);
}

/* ---- transfers ---- */

void enter(Flow *f, End dir)
{
    Node *n = f->end[dir];
    if (not n->has_rates)
        return;
    f->at[dir] = hosts_enter(n->id, dir == DESTINATION, f->end[dir == SOURCE ? DESTINATION : SOURCE]->id);
    n->flows.push_back(f);
}

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

void look_for_dead_flows()
{
    if (std::exchange(state->look_for_dead, false))
        for (size_t i = state->flows.size(); i-- > 0;)
            if (Action *a = state->flows[i]->action; a->*open(Holders()) == 1)
                forget_flow(a);
}

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

void add_flow(Action *a, ActivityImpl *activity)
{
    (*state->comm).*open(Pimpl()) = activity;
    Flow *f = make_flow(a, state->comm->get_source(), state->comm->get_destination());
    (*state->comm).*open(Pimpl()) = nullptr;
    if (f == nullptr)
        return;
    if (not kernel::is_a(a, "NetworkCm02Action"))
        refuse_action(*a);
    f->place = state->flows.size();
    state->flows.push_back(f);
    state->flow_of.add(a, f);
    a->ref();
    enter(f, SOURCE);
    enter(f, DESTINATION);
    add_network(a->get_model());
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

/* ---- executions ---- */

// For those who ask (iasim_layer_take). To be called before anything of this changes: the factor, the speed, whether something is computed.
void account(Node *n)
{
    if (not hosts_are_taken())
        return;
    double now_s = sg::Engine::get_clock(), passed_s = now_s - std::exchange(n->since_s, now_s);
    n->use.charged_s += passed_s * (1 - n->factor);
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

bool stands(const Work *w)
{
    return w->given <= 0;
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
    if (m->is_update_lazy() && a->is_running() && a->get_rate() > 0 && not a->is_within_modified_set())
        m->get_modified_set()->push_back(*a);
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

void add_work(Action *a, ActivityImpl *activity)
{
    (*state->exec).*open(Pimpl()) = activity;
    sg::Host *host = state->exec->get_host();
    (*state->exec).*open(Pimpl()) = nullptr;
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

// Dates that differ by rounding are one instant (base/instant.h): what ends in this one must not miss its end by a last bit
// because transfers stop the processor.
bool ends_in_this_instant(const Work *w)
{
    double rate = stands(w) ? 0 : w->action->get_rate(), now_s = sg::Engine::get_clock();
    return rate > 0 && instant_has_come(now_s + w->action->get_remains() / rate, now_s);
}

void settle(Node *n)
{
    n->is_listed = false;
    n->is_stale = n->works.empty() && not state->looks_at_idle; // nobody asks
    if (n->is_stale)
        return;
    account(n);
    n->factor = hosts_factor_ratio(n->id);
    bool is_ending = false;
    for (Work *w : n->works)
        if (w->given != n->factor && ends_in_this_instant(w))
            is_ending = true;
        else if (w->given != n->factor)
            give_factor(w);
    if (is_ending)
        state->with_endings.push_back(n);
}

/* An execution on a host without speed has no end. A lazily updated model dates it all the same, far away: that date must not
   be the next one, when nothing else is left. */
void take_dates_of_standing(double now)
{
    if (state->n_standing == 0)
        return;
    for (Model *m : state->cpus) {
        if (not m->is_update_lazy())
            continue;
        m->next_occurring_event(now);
        auto &heap = m->get_action_heap();
        while (not heap.empty()) {
            const Work *w = state->work_of.find(heap.top().second);
            if (w == nullptr || not stands(w))
                break;
            heap.remove(heap.top().second);
        }
    }
}

/* ---- what started ---- */

enum class Kind { Cpu, Network, Disk, Other };

Kind find_kind(const void *action)
{
    if (kernel::is_a(action, "CpuCas01Action"))
        return Kind::Cpu;
    if (kernel::is_a(action, "NetworkCm02Action") || kernel::is_a(action, "WifiLinkAction"))
        return Kind::Network;
    return kernel::is_a(action, "DiskS19Action") ? Kind::Disk : Kind::Other;
}

bool find_comm(const void *activity)
{
    return kernel::is_a(activity, "CommImpl");
}

kernel::ByClass<Kind> kind_of(find_kind);
kernel::ByClass<bool> is_comm(find_comm);

void add_started_action(Action *a)
{
    ActivityImpl *activity = a->get_activity();
    bool sleeps = not a->is_running() && not a->is_suspended(); // also what detects failures and timeouts
    if (activity == nullptr || sleeps || state->flow_of.find(a) != nullptr || state->work_of.find(a) != nullptr)
        return;
    Kind kind = kind_of(a);
    if (kind == Kind::Cpu)
        add_work(a, activity);
    else if (kind == Kind::Network && is_comm(activity))
        add_flow(a, activity);
    else if (kind != Kind::Disk)
        refuse_action(*a);
}

void add_started(double now)
{
    for (Model *m : sg::Engine::get_instance()->get_all_models()) {
        auto *set = m->get_started_action_set();
        auto it = set->end(); // in the order of their start
        while (it != set->begin() && std::prev(it)->get_start_time() >= now)
            --it;
        for (; it != set->end(); ++it)
            add_started_action(&*it);
    }
}

/* ---- hosts that stand still for good ---- */

std::string standing_hosts()
{
    std::vector<std::string> names;
    for (const Work *w : state->works)
        if (stands(w))
            names.push_back(w->node->host->get_name());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string list;
    for (size_t i = 0; i < names.size() && i < 5; i++)
        list += (i ? ", '" : "'") + names[i] + "'";
    return names.size() > 5 ? list + " and " + std::to_string(names.size() - 5) + " more" : list;
}

std::string deadlock_sentence()
{
    return "deadlock: transfers take the whole processor of " + standing_hosts() +
           " for good, so its executions never end";
}

void report_deadlock()
{
    if (state->n_standing > 0)
        fprintf(stderr, "iasim: %s\n", deadlock_sentence().c_str());
}

void count_still_rounds()
{
    if (state->n_standing == 0)
        state->n_still_rounds = 0;
    else if (++state->n_still_rounds >= patience_rounds)
        refuse(deadlock_sentence() + " (nothing was computed during " + std::to_string(patience_rounds) + " events)");
}

/* ---- SimGrid's reports ---- */

class Layer : public Model
{
  public:
    Layer() : Model("iasim interference")
    {
    }
    double next_occurring_event(double now) override
    {
        read_platform(state->platform()); // SMPI does not announce the start of the simulation
        read_created_hosts();
        if (not any_rates())
            return -1;
        if (state->comm == nullptr) {
            state->comm = sg::Mailbox::by_name("iasim")->put_init();
            state->exec = sg::Exec::init();
        }
        look_for_dead_flows();
        add_started(now);
        follow_virtual_machines();
        see_rates(now);
        for (size_t i = 0; i < state->changed.size(); i++)
            settle(state->changed[i]);
        state->changed.clear();
        for (Node *n : state->with_endings)
            touch(n);
        state->with_endings.clear();
        take_dates_of_standing(now);
        count_still_rounds();
        return -1;
    }
    void update_actions_state(double, double) override
    {
    }
};

void add_model()
{
    sg::Engine::get_instance()->add_model(std::make_shared<Layer>());
}

// SimGrid frees the executions of a host gone down without reporting it.
void host_on_or_off(sg::Host const &h)
{
    for (size_t i = h.is_on() ? 0 : state->works.size(); i-- > 0;)
        if (const Work *w = state->works[i]; w->node->host == &h || w->vm == &h)
            forget_work(w->action);
}

template <class A> void cpu_action_changed(A &changed, Action::State)
{
    auto &a = reinterpret_cast<Action const &>(changed);
    if (a.get_state() == Action::State::STARTED)
        return;
    if (const Work *w = state->work_of.find(&a); w != nullptr) {
        state->migrated.erase(w->activity);
        forget_work(&a);
        return;
    }
    if (a.get_activity() == nullptr)
        return;
    if (not state->flows.empty()) // it may be what ends a transfer by a timeout, or by the failure of a host
        state->look_for_dead = state->look_for_dead || is_comm(a.get_activity());
    if (state->n_standing > 0 && kernel::is_a(a.get_activity(), "ExecImpl"))
        state->n_still_rounds = 0;
}

void connect_suspensions()
{
    static auto look = [](auto const &) { state->look_at_all = true; };
    sg::Actor::on_suspend_cb(look);
    sg::VirtualMachine::on_suspend_cb(look);
}

void connect_signals()
{
    using namespace simgrid::kernel;
    sg::Engine::on_platform_creation_cb(add_model);
    sg::Engine::on_simulation_start_cb([] { read_platform(state->platform()); });
    sg::Engine::on_deadlock_cb(report_deadlock);
    sg::Host::on_speed_change_cb(speed_changed);
    sg::Host::on_creation_cb(host_created);
    sg::Host::on_destruction_cb(host_destroyed);
    kernel::on_host_on_or_off(host_on_or_off);
    sg::Link::on_communication_state_change_cb(
        [](resource::NetworkAction &a, Action::State) { forget_flow(&reinterpret_cast<char &>(a)); });
    activity::ExecImpl::on_migration.connect(
        [](activity::ExecImpl const &e, sg::Host *to) { state->migrated[&e] = node_of(to); });
#if SIMGRID_VERSION >= 33300
    sg::Host::on_exec_state_change_cb(cpu_action_changed<resource::CpuAction>);
#else
    resource::CpuAction::on_state_change.connect(cpu_action_changed<resource::CpuAction const>);
#endif
    connect_suspensions();
    watch_migrations();
}

/* ---- transfers that are not SimGrid's ---- */

Node *node_number(int host)
{
    auto *h = sg::Engine::get_instance()->host_by_name_or_null(hosts_name(host));
    return h != nullptr ? node_of(h) : nullptr;
}

void *load_start(int host, int is_recv, int peer)
{
    Node *n = node_number(host), *other = node_number(peer);
    if (not n->has_rates)
        return nullptr;
    auto *load =
        new Load{{nullptr, {is_recv ? other : n, is_recv ? n : other}, {0, 0}, 0, 0}, is_recv ? DESTINATION : SOURCE};
    enter(load, load->felt_by);
    return load;
}

void load_set_rate(void *x, double bytes_per_s)
{
    auto *load = static_cast<Load *>(x);
    Node *n = load->end[load->felt_by];
    hosts_set_rate(n->id, load->at[load->felt_by], bytes_per_s);
    touch(n);
}

void load_end(void *x)
{
    auto *load = static_cast<Load *>(x);
    leave(load, load->felt_by);
    delete load;
}

int report(const char *sentence)
{
    fprintf(stderr, "iasim: %s\n", sentence);
    return err_exit_status(ERR_INPUT);
}

} // namespace
} // namespace layer

int iasim_layer_start(const char *world, const char *(*platform)(void))
{
    using namespace layer;
    err e = {};
    if (hosts_open(world, &e) != ERR_NONE)
        return report(e.text);
    if (sg::Engine::is_initialized() && not sg::Engine::get_instance()->get_all_models().empty())
        return report("the platform is already loaded; choose the world before");
    state = new State;
    state->platform = platform;
    connect_signals();
    return 0;
}

void iasim_layer_count_suspensions(const unsigned long *n)
{
    layer::n_suspensions = n;
}

void iasim_layer_take(const struct machine *machine, const struct world_model *world)
{
    hosts_take(machine, world);
    layer::state->looks_at_idle = true;
}

struct layer_use iasim_layer_host_use(int host)
{
    auto *node = layer::node_number(host);
    if (node == nullptr)
        return {};
    if (layer::any_rates())
        layer::account(node);
    return node->use;
}

const struct layer_loads iasim_layer_loads = {layer::load_start, layer::load_set_rate, layer::load_end};
