/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a replay of the engine and one of naive_replay.h differ in. */
#ifndef IASIM_TEST_ENGINE_COMPARE_REPLAYS_H
#define IASIM_TEST_ENGINE_COMPARE_REPLAYS_H

#include "engine/replay.h"
#include "naive_replay.h"
#include "replay_trial.h"

#include <math.h>

static inline void compare_both(struct verdict *v, const struct schedule *s, const struct replay_result *got,
                                const struct naive *want)
{
    double length_s = fmax(got->makespan_s, 1e-300);
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++) {
        compare_dates(v, got->tasks[t].start_s, want->out.tasks[t].start_s, length_s, "start of task", t);
        compare_dates(v, got->tasks[t].finish_s, want->out.tasks[t].finish_s, length_s, "end of task", t);
    }
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++) {
        const struct replayed_edge *x = &got->edges[e], *y = &want->out.edges[e];
        if (!s->edges[e].is_remote)
            continue;
        compare_dates(v, x->send.start_s, y->send.start_s, length_s, "start of send", e);
        compare_dates(v, x->transfer.start_s, y->transfer.start_s, length_s, "start of transfer", e);
        compare_dates(v, x->transfer.finish_s, y->transfer.finish_s, length_s, "end of transfer", e);
        compare_dates(v, x->recv.start_s, y->recv.start_s, length_s, "start of receive", e);
        compare_dates(v, x->recv.finish_s, y->recv.finish_s, length_s, "end of receive", e);
        if (!isnan(y->send.finish_s)) /* the last task may have ended before */
            compare_dates(v, x->send.finish_s, y->send.finish_s, length_s, "end of send", e);
    }
    for (size_t h = 0; h < got->n_hosts; h++)
        compare_dates(v, got->hosts[h].stolen_s, want->programs[h].stolen_s, length_s, "stolen time of host", (int)h);
}

#endif
