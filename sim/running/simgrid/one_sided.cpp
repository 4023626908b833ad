/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers that one actor carries out alone, with nobody at the other end, and watched by their action. One that
   SimGrid refuses has no comm, one that takes no time no action. */
#include "simgrid/one_sided.h"

#include "simgrid/kernel.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include <simgrid/Exception.hpp>

namespace sg = simgrid::s4u;
using kernel::Action;
using kernel::Model;

namespace
{

Action *action_of(const one_sided *x)
{
    return static_cast<Action *>(x->action);
}

// A new action stands near the end of its model's list of started ones.
template <class Impl> Action *find_started(const Impl *impl)
{
    for (Model *m : sg::Engine::get_instance()->get_all_models()) {
        auto *set = m->get_started_action_set();
        for (auto it = set->end(); it != set->begin();)
            if (Action &a = *--it; a.get_activity() == impl)
                return &a;
    }
    return nullptr;
}

// true at first: whoever asks has not looked at the platform yet
bool has_changed = true;

void watch_platform()
{
    auto note = [](auto const &) { has_changed = true; };
    sg::Host::on_speed_change_cb(note);
    sg::Link::on_bandwidth_change_cb(note);
    kernel::on_host_on_or_off(note);
    kernel::on_link_on_or_off(note);
}

} // namespace

struct one_sided one_sided_start(sg_host_t from, sg_host_t to, double bytes)
{
    double whole = std::min(std::ceil(bytes), 0x1p62); // SimGrid's payloads are integers, what remains is not
    try {
        sg::CommPtr comm = sg::Comm::sendto_init(from, to);
        comm->set_payload_size(static_cast<uint64_t>(whole))->start();
        Action *action = find_started(comm->get_impl());
        if (action != nullptr && whole != bytes)
            action->set_remains(bytes);
        return {comm.detach(), action}; // the pointer is the caller's from here on
    } catch (simgrid::Exception const &) {
        return {nullptr, nullptr};
    }
}

double one_sided_rate_bytes_per_s(const struct one_sided *x)
{
    return action_of(x)->get_rate();
}

double one_sided_remaining_bytes(const struct one_sided *x)
{
    return action_of(x)->get_remains();
}

bool one_sided_link_is_on(sg_link_t l)
{
    return l->is_on();
}

// Signals are connected when this is first asked: runs that never ask pay nothing for them.
bool one_sided_platform_changed()
{
    static bool is_watched = false;
    if (not std::exchange(is_watched, true))
        watch_platform();
    return std::exchange(has_changed, false);
}
