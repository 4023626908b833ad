/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A world that slows hosts down, such as `interference`, under any SimGrid program, exactly: C and C++ actors,
   Python, MPI under SMPI. No event, no simulated time and no actor is added, and nothing runs in an actor's context.

   One kernel model is added when SimGrid announces that the platform is being created, which is before its own models
   exist. So it is asked first for its next event in each round, when all actors of this date have run:

   1. The actions started at this date stand at the end of the models' sets of started actions. No call is watched, so
      it does not matter who started them. Their activity knows the hosts, by the public getters of s4u::Comm and
      s4u::Exec; a stand-in is given the activity for this (opened.hpp).
   2. The network is solved for this date (kernel::Solver), which shows the transfers whose rate has changed. SimGrid
      asks it again afterwards: nothing changes (transfers.cpp).
   3. The executions of hosts whose factor changed get it as their rate factor (public Action::set_rate_factor) and are
      put into their model's set of modified actions, for the CPU model to date them anew. The sharing of the host is
      untouched: bounds, priorities, threads and cores keep their meaning, all times the factor (executions.cpp).

   A round costs O(actions that started, ended or changed their rate), and what the world model takes for the hosts of
   those. Only fully updated network models (network/optim:Full) are looked at as a whole, as SimGrid itself does. */
#include "simgrid/layer.hpp"

#include <memory>

namespace sg = simgrid::s4u;
using kernel::Action;
using kernel::Model;
using simgrid::kernel::activity::ActivityImpl;

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

State *state;

namespace
{

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

// Every started action comes by here in each round of its date: those that are known already are passed over, and so
// are disks, which the world does not slow down.
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
        // new actions are added at the end, so the first older one ends the search: a round does not cost what is
        // under way
        auto *set = m->get_started_action_set();
        auto it = set->end(); // in the order of their start
        while (it != set->begin() && std::prev(it)->get_start_time() >= now)
            --it;
        for (; it != set->end(); ++it)
            add_started_action(&*it);
    }
}

void make_stand_ins()
{
    if (state->comm != nullptr)
        return;
    state->comm = sg::Mailbox::by_name("iasim")->put_init();
    state->exec = sg::Exec::init();
}

// What ends in this instant keeps its old factor for the moment (executions.cpp); its host comes back in the next
// round.
void settle_changed()
{
    for (size_t i = 0; i < state->changed.size(); i++)
        settle(state->changed[i]);
    state->changed.clear();
    for (Node *n : state->with_endings)
        touch(n);
    state->with_endings.clear();
}

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
        make_stand_ins();
        // flows and works first, then rates, then factors: each needs what the one before it found
        look_for_dead_flows();
        add_started(now);
        follow_virtual_machines();
        see_rates(now);
        settle_changed();
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

/* ---- SimGrid's reports ---- */

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
    // an action of SimGrid's own, such as one that watches a host
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

// Before the simulation begins the caller can still decide: iasim_world returns the status, `iasim exec` ends.
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
    char line[2048];
    if (hosts_open(world, getenv(WORLD_PLUGIN_VARIABLE), &e) != ERR_NONE)
        return report(err_describe(&e, line, sizeof line));
    if (sg::Engine::is_initialized() && not sg::Engine::get_instance()->get_all_models().empty())
        return report("the platform is already loaded; choose the world before");
    state = new State;
    state->platform = platform;
    connect_signals();
    return 0;
}

void iasim_layer_take(const struct machine *machine, const struct world_model *world, layer_factor *factor)
{
    hosts_take(machine, world, factor);
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
