/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the layer share. nodes.cpp knows the hosts and their rates, layer.cpp what happens on them, refuse.cpp what
   cannot be right. Not installed. */
#ifndef IASIM_SIMGRID_LAYER_HPP
#define IASIM_SIMGRID_LAYER_HPP

#include "simgrid/door.h"
#include "simgrid/hosts.h"
#include "simgrid/kernel.hpp"

#include <string>
#include <vector>

namespace layer
{

struct Flow;
struct Work;

// A host with its transfers and executions. One that has no rate has no flows here: they cost it nothing.
struct Node {
    simgrid::s4u::Host *host;
    int id; // hosts.h
    bool has_rates;
    std::vector<Flow *> flows; // in the order of hosts.h
    std::vector<Work *> works;
    double factor = 1; // of the speed; not known while is_stale
    bool is_stale = false;
    bool is_listed = false; // among those to be settled
    layer_use use = {};     // until since_s; speed_flop_per_s is that of a core from then on
    double since_s = 0, speed_flop_per_s = 0;
};

/* nodes.cpp */

// When the simulation starts: reads the properties of all hosts. Ends the process on a wrong one. `path` may be null.
void read_platform(const char *path);
// Hosts that are created later: their properties are read when all actors of that date have run.
void host_created(simgrid::s4u::Host &host);
void read_created_hosts();
void host_destroyed(simgrid::s4u::Host const &host);
// Of a virtual machine, which goes to `vm` if that is not null: its physical host.
Node *node_of(simgrid::s4u::Host *host, simgrid::s4u::VirtualMachine **vm = nullptr);
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
