/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One more kernel model, added after that of the interference: it is asked for its next event when all actors of
   this date have run, and answers 0 if it has woken some. So an order at one date costs neither simulated time nor
   sleeping. */
#include "simgrid/instants.h"

#include "simgrid/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace sg = simgrid::s4u;
using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::Model;

namespace
{

instants hooks;
struct Limited {
    sg::CommPtr comm;
    double bytes_per_s;
};
std::vector<Limited> limited; // whose transfers have not started yet
bool bandwidth_has_changed = false;

// Later than any date of interest: what has not ended by then cannot proceed (as sim/running/engine/bridge.cpp).
constexpr double horizon_s = 1e30;
// After so many dates in a row at which nothing proceeds, profiles must be repeating, and nothing ever will.
constexpr long patience_dates = 1000000;

// True: some transfer has a new limit.
bool limit_rates()
{
    size_t n_before = limited.size();
    auto limit = [](Limited const &l) {
        auto *a = reinterpret_cast<Action *>(instants_flow_of(l.comm.get()));
        if (a != nullptr)
            kernel::limit_rate(a, l.bytes_per_s);
        return a != nullptr;
    };
    limited.erase(std::remove_if(limited.begin(), limited.end(), limit), limited.end());
    return limited.size() < n_before;
}

class Instants : public Model
{
  public:
    Instants() : Model("iasim instants")
    {
    }
    double next_occurring_event(double now) override
    {
        // 0: the same date again, so the network is solved with the new bounds
        if (limit_rates())
            return 0;
        double next_s = std::min(next_end_s(now), called_next_s());
        n_idle_dates = std::isinf(next_s) ? n_idle_dates + 1 : 0;
        if (now >= horizon_s || n_idle_dates > patience_dates) {
            n_idle_dates = 0;
            hooks.stuck(hooks.self);
            // once more at this date, for what `stuck` has woken; then for good
            return is_over ? -1 : (is_over = true, 0);
        }
        switch (hooks.quiet(hooks.self, now, next_s)) {
        case INSTANT_GOES_ON:
            return 0;
        case INSTANTS_END:
            return -1;
        default:
            return std::min(longest_step_s(now, next_s), called_next_s() - now);
        }
    }
    void update_actions_state(double, double) override
    {
    }

  private:
    long n_idle_dates = 0;
    bool is_over = false;

    static double called_next_s()
    {
        return hooks.next_s != nullptr ? hooks.next_s(hooks.self) : HUGE_VAL;
    }
    // Asking a model solves it for this date; SimGrid asks again, which changes nothing.
    double next_end_s(double now)
    {
        double first = HUGE_VAL;
        for (Model *m : sg::Engine::get_instance()->get_all_models()) {
            // models that are not idempotent must not be asked twice
            double after = m == this || not m->next_occurring_event_is_idempotent() ? -1 : m->next_occurring_event(now);
            first = after >= 0 ? std::min(first, after) : first;
        }
        return now + first;
    }
    // SimGrid's clock hits a date to the last bit as long as it does not more than double ([Sterbenz 1974]).
    static double longest_step_s(double now, double next_s)
    {
        if (now > 0)
            return now;
        return std::isinf(next_s) ? 1 : horizon_s;
    }
};

// SimGrid lets time pass over events of hosts and links that it does not use, unless a model says this of itself.
class Profiles : public Model
{
  public:
    Profiles() : Model("iasim profiles")
    {
    }
    double next_occurring_event(double) override
    {
        return -1;
    }
    bool next_occurring_event_is_idempotent() override
    {
        return false;
    }
    void update_actions_state(double, double) override
    {
    }
};

void add_models()
{
    auto *engine = sg::Engine::get_instance();
    engine->add_model(std::make_shared<Instants>());
    engine->add_model(std::make_shared<Profiles>());
}

} // namespace

void instants_watch(void)
{
    instants_call(nullptr);
    sg::Engine::on_platform_creation_cb(add_models);
    sg::Link::on_bandwidth_change_cb([](sg::Link const &) { bandwidth_has_changed = true; });
}

void instants_call(const struct instants *h)
{
    // while the platform is looked at
    static const instants nobody = {nullptr, [](void *, double, double) { return INSTANTS_END; }, nullptr,
                                    [](void *) {}};
    hooks = h != nullptr ? *h : nobody;
    // what is left of an earlier run has no transfer to be limited
    limited.clear();
}

sg_comm_t instants_put_async(sg_mailbox_t box, void *payload, long bytes, double limit_bytes_per_s)
{
    sg::CommPtr comm = box->put_init(payload, static_cast<uint64_t>(bytes));
    comm->start();
    if (std::isfinite(limit_bytes_per_s))
        limited.push_back({comm, limit_bytes_per_s});
    comm->add_ref(); // the caller's: waiting gives it back
    return comm.get();
}

// A new action stands near the end of its model's list of started ones.
struct instants_flow *instants_flow_of(sg_comm_t comm)
{
    for (Model *m : sg::Engine::get_instance()->get_all_models()) {
        auto *set = m->get_started_action_set();
        for (auto it = set->end(); it != set->begin();)
            if (Action &a = *--it; a.get_activity() == comm->get_impl())
                return reinterpret_cast<struct instants_flow *>(&a);
    }
    return nullptr;
}

double instants_rate_bytes_per_s(const struct instants_flow *flow)
{
    return reinterpret_cast<const Action *>(flow)->get_rate();
}

bool instants_bandwidth_has_changed(void)
{
    return std::exchange(bandwidth_has_changed, false);
}
