/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two halves of the bridge: bridge.cpp has the platform and the clock, bridge_transfers.cpp the transfers. Not
   installed. */
#ifndef IASIM_ENGINE_BRIDGE_TRANSFERS_HPP
#define IASIM_ENGINE_BRIDGE_TRANSFERS_HPP

#include "engine/bridge.h"

#include <simgrid/s4u.hpp>

#include <vector>

namespace platform
{
extern bridge_hooks hooks;
extern std::vector<simgrid::s4u::Host *> hosts; // by number
} // namespace platform

namespace transfers
{

// What struct bridge offers.
bridge_comm *start(int src, int dst, double bytes, double limit_bytes_per_s, void *owner);
double remaining_bytes(bridge_comm *c);
void hold(bridge_comm *c, bool stands);
void solve_network(double now_s);

// Before the run: SimGrid clears 512 KB when the first transfer starts. Processes forked from this one need not do it
// again.
void make_room(int src, int dst);

// Before the run: the platform may have profiles.
void expect_profiles();

// A profile's event, while time passes: recorded for the next solve_network.
void link_changed(const simgrid::s4u::Link &link);

// When SimGrid has moved its clock: the transfers that have ended, and those of hosts that are down, are reported and
// forgotten.
void report_ended(const std::vector<int> &hosts_gone_down);

// At the next instant: SimGrid has let go of them.
void free_ended();

bool any();
bool any_proceeds();

// The date of the next event of the network that is in the same instant as `now_s`, but later; else `now_s`.
double later_in_the_instant_s(double now_s);

} // namespace transfers

#endif
