/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hosts whose whole processor transfers take. Their executions have no end while that lasts; if it lasts for good, the
   program is in a deadlock, which is reported with the names of the hosts. */
#include "simgrid/layer.hpp"

#include <algorithm>
#include <cstdio>

using kernel::Model;

namespace layer
{
namespace
{

// A host that has stood still for so many rounds, while nothing was computed anywhere, will never go on.
constexpr size_t patience_rounds = 1000000;

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

} // namespace

void report_deadlock()
{
    if (state->n_standing > 0)
        fprintf(stderr, "iasim: %s\n", deadlock_sentence().c_str());
}

// Transfers or sleeping actors may go on forever while executions stand: SimGrid then sees no deadlock, so rounds are
// counted.
void count_still_rounds()
{
    if (state->n_standing == 0)
        state->n_still_rounds = 0;
    else if (++state->n_still_rounds >= patience_rounds)
        refuse(deadlock_sentence() + " (nothing was computed during " + std::to_string(patience_rounds) + " events)");
}

/* An execution on a host without speed has no end. A lazily updated model dates it all the same, far away: that date
   must not be the next one, when nothing else is left. */
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

} // namespace layer
