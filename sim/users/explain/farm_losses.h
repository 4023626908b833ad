/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the time of a farm's nodes went, and why the farm stays below its bound (doc/model.md, Bounds). */
#ifndef IASIM_EXPLAIN_FARM_LOSSES_H
#define IASIM_EXPLAIN_FARM_LOSSES_H

#include "engine/farm_run.h"
#include "farm/bound.h"

#define FARM_LOSS_LIST(X)                                                                                              \
    X(FARM_LOSS_START_UP, "start_up", "start-up (nodes wait for their first task)")                                    \
    X(FARM_LOSS_STARVED, "starved", "starvation (nodes wait for another task, or get none)")                           \
    X(FARM_LOSS_STOLEN, "stolen", "interference (more than the bound charges)")                                        \
    X(FARM_LOSS_SLOWER, "slower", "speed (tasks take longer than believed)")                                           \
    X(FARM_LOSS_WIND_DOWN, "wind_down", "wind-down (nodes have computed their last task)")                             \
    X(FARM_LOSS_SHIFTED, "shifted", "shifted (nodes compute more than their share)")

enum farm_loss {
#define X(id, name, sentence) id,
    FARM_LOSS_LIST(X)
#undef X
        N_FARM_LOSSES
};
extern const char *const farm_loss_names[N_FARM_LOSSES], *const farm_loss_sentences[N_FARM_LOSSES];

struct farm_losses_node {
    /* These add up to the makespan. */
    double computing_s; /* without what is stolen */
    double stolen_s;    /* from computing, by transfers */
    double starved_s;   /* idle before its last task; all of the time of a node that computes nothing */
    double done_s;      /* after its last task */
    double stolen_send_s, stolen_recv_s; /* stolen_s by its own sends and receives; NAN: not known */
    double start_up_s;                   /* of starved_s, before its first task */
    /* The losses add up to the bound's share minus what it computed. A node that computed more than its share has only
       `shifted`, below 0; of other nodes a part below 0 is a gain: less was stolen than the bound charges, say. */
    double bound_tasks_per_s, tasks_per_s, lost_tasks_per_s[N_FARM_LOSSES];
    enum bound_stop held_by;
};

struct farm_losses {
    double makespan_s, bound_tasks_per_s, tasks_per_s; /* over the makespan, start-up and wind-down included */
    double lost_tasks_per_s[N_FARM_LOSSES];            /* of all nodes; they add up to the difference */
    bool is_free;                                      /* the world charges nothing, and the bound neither */
    bool may_exceed;                                   /* the bound is of another world than that of the run */
    bool is_curved;                                    /* the bound ignores the curves of the platform */
    char *warning;                                     /* of the bound; NULL: none */
    struct farm_losses_node *nodes;                    /* one for each node of the tree */
    int n_nodes;
};

/* Against the physical bound of the beliefs of the (bound) tree, for as many ports as the policy uses. In a world in
   which communication is free the bound charges nothing; in all others it is that of the world interference. Errors:
   those of bound_compute and bound_check_links. */
enum err_code farm_losses_find(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                               const struct farm_run_result *result, struct farm_losses *out, struct err *e);
void farm_losses_clear(struct farm_losses *x);

#endif
