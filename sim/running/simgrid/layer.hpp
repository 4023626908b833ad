/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the layer share: which transfers and executions there are, on which hosts, and the functions of
   each file. Not installed. */
#ifndef IASIM_SIMGRID_LAYER_HPP
#define IASIM_SIMGRID_LAYER_HPP

#include "simgrid/by_address.hpp"
#include "simgrid/hosts.h"
#include "simgrid/kernel.hpp"
#include "simgrid/preload.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace layer
{

struct Node;

enum End { SOURCE, DESTINATION, N_ENDS };

// A transfer between two hosts, one of which at least has a rate.
struct Flow {
    kernel::Action *action; // held: SimGrid frees that of a transfer timed out without reporting it
    Node *end[N_ENDS];
    size_t at[N_ENDS]; // its place among the flows of the node
    double rate;
    size_t place; // in flows
};

// An execution on a host that has a rate, or on a virtual machine.
struct Work {
    kernel::Action *action;
    const void *activity;
    simgrid::s4u::VirtualMachine *vm; // on which it runs, or null
    Node *node;
    double own_factor; // of the platform's author, if any
    double given;      // the node's factor when it last got one
    size_t place;      // in works
};

// A host with its transfers and executions. One that has no rate has no flows here: they cost it nothing.
struct Node {
    simgrid::s4u::Host *host;
    int id; // hosts.h
    bool has_rates;
    std::vector<Flow *> flows; // in the order of hosts.h
    std::vector<Work *> works;
    double factor = 1; // of the speed; not known while is_stale
    bool is_stale = false;
    bool is_listed = false; // in State::changed
    layer_use use = {};     // until since_s; speed_flop_per_s is that of a core from then on
    double since_s = 0, speed_flop_per_s = 0;
};

struct State {
    const char *(*platform)() = nullptr;
    std::vector<Node *> changed; // to be settled in this round
    simgrid::s4u::CommPtr comm;  // stand-ins: asked about an activity that they are given for this
    simgrid::s4u::ExecPtr exec;

    // transfers
    std::vector<Flow *> flows;
    ByAddress<Flow> flow_of;                                                           // action
    std::vector<std::pair<kernel::Model *, std::unique_ptr<kernel::Solver>>> networks; // that carry a flow
    bool look_at_all = false;   // some rates became 0 unseen: of transfers that were suspended
    bool look_for_dead = false; // some transfer may have been freed unseen
    unsigned long n_suspensions = 0;

    // executions
    std::vector<Work *> works;
    std::vector<Work *> on_vms;
    ByAddress<Work> work_of;                           // action
    std::vector<kernel::Model *> cpus;                 // that carry a work
    std::unordered_map<const void *, Node *> migrated; // by activity
    std::vector<Node *> with_endings;                  // of executions, in this instant: to be settled again
    bool looks_at_idle = false;                        // settles hosts that compute nothing, too: for layer_use
    size_t n_standing = 0;                             // works on hosts without speed
    size_t n_still_rounds = 0;                         // in a row, with standing works and none that ended
};
extern State *state; // never freed: SimGrid's own end may still report actions

// The factor of `n` may be another one.
inline void touch(Node *n)
{
    if (not std::exchange(n->is_listed, true))
        state->changed.push_back(n);
}

/* transfers.cpp: functions of what SimGrid has started, solved or ended */

// A transfer without rates at both hosts, or within one host, costs nothing and is not kept.
void add_flow(kernel::Action *a, simgrid::kernel::activity::ActivityImpl *activity);
void forget_flow(const void *action); // if it is one
void look_for_dead_flows();
// Solves the networks for this date and sees which rates have changed.
void see_rates(double now);

// A host feels a transfer from enter to leave.
void enter(Flow *f, End dir);
void leave(Flow *f, End dir);

/* executions.cpp */

void add_work(kernel::Action *a, simgrid::kernel::activity::ActivityImpl *activity);
void forget_work(const void *action); // if it is one
void host_on_or_off(simgrid::s4u::Host const &h);
void follow_virtual_machines();
// Gives the executions of a host its factor.
void settle(Node *n);
// For those who ask (iasim_layer_host_use). To be called before anything of this changes: the factor, the speed,
// whether something is computed.
void account(Node *n);
void speed_changed(simgrid::s4u::Host const &h);

/* standing.cpp */

// Whether transfers take the whole processor of its host.
inline bool stands(const Work *w)
{
    return w->given <= 0;
}

void take_dates_of_standing(double now);
void count_still_rounds();
void report_deadlock();

/* nodes.cpp */

// When the simulation starts: reads the properties of all hosts. Ends the process on a wrong one. `path` may be null.
void read_platform(const char *path);
// Hosts that are created later: their properties are read when all actors of that date have run.
void host_created(simgrid::s4u::Host &host);
void read_created_hosts();
void host_destroyed(simgrid::s4u::Host const &host);
// Of a virtual machine, which goes to `vm` if that is not null: its physical host.
Node *node_of(simgrid::s4u::Host *host, simgrid::s4u::VirtualMachine **vm = nullptr);
// By the number of hosts.h; null: SimGrid has no such host.
Node *node_number(int id);
// Whether some host has a rate above 0, so that the world differs from none.
bool any_rates();

/* refuse.cpp */

// Ends the process with status 2. `source` and `line` may be empty.
[[noreturn]] void refuse(const std::string &sentence);
[[noreturn]] void refuse(const err &e);
// Once some host has a rate.
void refuse_models();
void watch_migrations();
// An action that is no execution and no transfer over wires.
void refuse_action(const kernel::Action &a);

} // namespace layer

#endif
