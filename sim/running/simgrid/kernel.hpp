/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SimGrid's kernel as our C++ sees it, here and in sim/running/engine: where versions differ, how to know a class
   that no installed header defines, and how to see which rates a solved network has changed. Not installed. */
#ifndef IASIM_SIMGRID_KERNEL_HPP
#define IASIM_SIMGRID_KERNEL_HPP

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#if SIMGRID_VERSION < 33200 || SIMGRID_VERSION >= 50000
#error "this SimGrid is not known to iasim, which works with 3.32 to 4.x"
#endif

namespace kernel
{

using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::ActionHeap;
using simgrid::kernel::resource::Model;

struct Any {
    virtual ~Any() = default;
};

// Whether a polymorphic object is of a class of this name.
inline bool is_a(const void *object, const char *name)
{
    return strstr(typeid(*static_cast<const Any *>(object)).name(), name) != nullptr;
}

// What `find` says of an object's class, found out once for each class.
template <class Kind> class ByClass
{
  public:
    explicit ByClass(Kind (*find_kind)(const void *object)) : find(find_kind)
    {
    }
    Kind operator()(const void *object)
    {
        const std::type_info *type = &typeid(*static_cast<const Any *>(object));
        for (auto const &[seen, kind] : known)
            if (seen == type)
                return kind;
        known.emplace_back(type, find(object));
        return known.back().second;
    }

  private:
    Kind (*find)(const void *object);
    std::vector<std::pair<const std::type_info *, Kind>> known;
};

// Limits the rate of a transfer that has started. Comm::set_rate is lost where a communication has hosts in place of a
// mailbox, and on routes with latency if network/TCP-gamma is 0: the transfer gets another bound.
inline void limit_rate(Action *a, double bytes_per_s)
{
    auto lower = [bytes_per_s](double bound) { return bound > 0 ? std::min(bound, bytes_per_s) : bytes_per_s; };
    a->set_user_bound(lower(a->get_user_bound())); // for when a profile changes the latency
    a->set_bound(lower(a->get_bound()));
}

inline void on_host_on_or_off(const std::function<void(simgrid::s4u::Host const &)> &call)
{
#if SIMGRID_VERSION >= 33300
    simgrid::s4u::Host::on_onoff_cb(call);
#else
    simgrid::s4u::Host::on_state_change_cb(call);
#endif
}

inline void on_link_on_or_off(const std::function<void(simgrid::s4u::Link const &)> &call)
{
#if SIMGRID_VERSION >= 33300
    simgrid::s4u::Link::on_onoff_cb(call);
#else
    simgrid::s4u::Link::on_state_change_cb(call);
#endif
}

// The split-duplex link l of which this link, l_UP or l_DOWN, is one direction; null: of none. A shared link may be
// called so, too.
inline const simgrid::s4u::SplitDuplexLink *split_duplex_of(const simgrid::s4u::Link *link)
{
    const std::string &name = link->get_name();
    size_t n = name.rfind('_');
    if (n == std::string::npos || (name.compare(n, 3, "_UP") != 0 && name.compare(n, 5, "_DOWN") != 0))
        return nullptr;
    try {
        const auto *pair = simgrid::s4u::Engine::get_instance()->split_duplex_link_by_name(name.substr(0, n));
        return pair->get_link_up() == link || pair->get_link_down() == link ? pair : nullptr;
    } catch (std::invalid_argument const &) {
        return nullptr;
    }
}

/* Solves a network for a date before SimGrid does, which then finds nothing to do, and shows what that changed.

   A lazily updated model gathers the actions whose share has been computed anew, and then gives each of them a new
   date. An action of ours that stands first among them is asked to bring itself up to date first, and sees all the
   others there. It is in the model's sets only for that moment. A fully updated model keeps no such list; its
   actions are out of sight while it is solved, because it would look at each. */
class Solver : Action
{
  public:
    explicit Solver(Model *m) : Action(m, 1, false)
    {
        set_state(State::IGNORED);
        set_max_duration(1e300); // it must have some date
    }

    // Calls `changed` for each action whose rate may have changed. False: it did not; look at all.
    bool solve(double now, const std::function<void(Action &)> &changed)
    {
        Model *m = get_model();
        if (not m->is_update_lazy()) {
            StateSet hidden;
            hidden.swap(*m->get_started_action_set());
            m->next_occurring_event(now);
            hidden.swap(*m->get_started_action_set());
            return false;
        }
        show = &changed;
        set_state(State::STARTED);
        m->get_modified_set()->push_front(*this);
        m->next_occurring_event(now);
        m->get_action_heap().remove(this);
        set_state(State::IGNORED);
        return true;
    }

    using Action::get_model;

  private:
    const std::function<void(Action &)> *show = nullptr;

    void update_remains_lazy(double) override
    {
        for (Action &a : *get_model()->get_modified_set())
            (*show)(a);
    }
};

} // namespace kernel

#endif
