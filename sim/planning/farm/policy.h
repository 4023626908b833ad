/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farm policies: which child a node serves next ([K] 4.1). There is one file for each in policies/, registered in
   policies.def; plugins (plugin/plugin.h) register theirs when they are loaded. A policy either gives each child a
   priority, once for the whole run, or looks at the state whenever a node could send. */
#ifndef IASIM_FARM_POLICY_H
#define IASIM_FARM_POLICY_H

#include "base/param.h"
#include "farm/app.h"
#include "farm/tree.h"

#include <stdbool.h>

struct origin;

/* What a node knows before the run: the tree with all beliefs filled in, and the application. */
struct policy_view {
    const struct tree *tree;
    double task_bytes, task_flop;
    const double *planned_tasks_per_s; /* by node: T(n) of the plan; NULL unless the policy plans */
    bool is_multi_port;
    const struct param_set *params; /* of the policy */
};

/* What a node knows of a child when it decides. */
struct policy_child {
    node_id node;
    int n_requests;         /* unanswered */
    double request_s;       /* date of the request that is served next; if it has a part of a task, of the request that
                               this task answers; NAN: neither */
    double given_tasks;     /* that it has got so far, with the part of a task that it has */
    double remaining_ratio; /* of that task; 0: it has no part of a task */
    bool is_sent_to;        /* a transfer to it is under way */
    bool can_be_served;     /* it is not sent to, it has a part of a task or asks for one that the node has, and it is
                               not pruned */
    /* Measured (doc/model.md, Farms), if the policy measures; else 0: */
    double rate_bytes_per_s; /* of transfers that are alone; 0: none has ended yet; INFINITY: they take no time */
    double cost_s_per_byte;  /* by which sending to it lengthens the node's own tasks */
    double sated_ratio;      /* of the time, lately: it had all that it asked for, and asked for no more */
};

/* Children that follow each other, of which a policy with `bounds` need not look at each. */
struct policy_group {
    int n_able, n_sent_to, n_unmeasured; /* that can be served; that are sent to; of both, whose rate is not known */
    double most[2];                      /* of `bounds`, of those that can be served; -INFINITY: there are none */
};

/* What a policy with `note` finds out about a node once. */
struct policy_note {
    node_id child, other;
    double most, second;
};

struct policy_state {
    node_id node;
    double now_s;
    long n_held;       /* its tasks that are neither computed nor sent yet; the root's are those left of the pool */
    long n_computed;   /* tasks, by itself */
    bool is_receiving; /* a transfer from its parent is under way */
    /* Measured, likewise: */
    double task_s;                       /* of an own task while nothing is sent or received; NAN: none has ended yet */
    double receive_cost_s_per_byte;      /* by which receiving lengthens it */
    double limit_bytes_per_s;            /* of all sends together; INFINITY: they have not slowed each other down yet */
    const struct policy_child *children; /* in deployment order */
    int n_children;
    /* For policies with `bounds` and `note`; NULL where nobody has prepared them, and for all others. */
    const struct policy_group *groups; /* the first `group_size` children, the next ones, ... */
    int group_size, n_groups;
    const struct policy_note *note;
};

/* The children from..to - 1 of a group; without groups all children are one. */
static inline int policy_n_groups(const struct policy_state *s)
{
    return s->groups != NULL ? s->n_groups : 1;
}

static inline int policy_group_from(const struct policy_state *s, int group)
{
    return s->groups != NULL ? group * s->group_size : 0;
}

static inline int policy_group_to(const struct policy_state *s, int group)
{
    int to = (group + 1) * s->group_size;
    return s->groups != NULL && to < s->n_children ? to : s->n_children;
}

/* What a policy that looks at the state decides. */
struct policy_send {
    node_id child;            /* can be served, or -1: none for now */
    double limit_bytes_per_s; /* this transfer is never faster, so that others have the rest; INFINITY: no limit */
    double piece_bytes;       /* a whole number: it ends after so many bytes, if that is before the end of the chunk or
                                 task, and the node decides again; 0: it does not */
};

/* The parameters of every policy that sends. */
/* clang-format off */
#define POLICY_PARAMS                                                                                                  \
    {"chunk", PARAM_NUMBER, "MB", "0", 0, 1e9, NULL,                                                                   \
     "send in chunks of this size and decide again after each; 0: whole tasks"},                                       \
    {"prune", PARAM_CHOICE, "", NULL, 0, 0, "on|off",                                                                  \
     "never send to a child for which IR_s Z C >= 1; default: off, opt_single: on"},                                   \
    {"ports", PARAM_CHOICE, "", NULL, 0, 0, "single|multi",                                                            \
     "send to one child at a time, or to several; default: single, ia_multi: multi"}
/* clang-format on */

enum policy_plan {
    POLICY_PLANS_NOTHING,
    POLICY_PLANS_PHYSICAL, /* bound_plan */
    POLICY_PLANS_GREEDY    /* the paper's solution ([K] 3.2) */
};

#define POLICY_TASK_S_RATIO 1.02

struct policy {
    const char *name, *summary, *source;
    /* OPTIONAL, if it sends: POLICY_PARAMS and its own, which `view` has; NULL: POLICY_PARAMS alone. */
    const struct param *params;
    bool sends;             /* false: the root keeps everything */
    bool multi_port;        /* the default of the parameter ports. With many ports sends start while the rate in use is
                               below the send limit, or as long as `choose` names a child; otherwise one at a time */
    bool prunes_by_default; /* the default of the parameter prune */
    /* REQUIRED if it sends and has no `choose`. The largest value is served first; ties are broken by deployment order,
       or by the age of the request if `oldest_first`. Called once for each child before the run, so it must not depend
       on time. Must be finite. */
    double (*priority)(const struct policy_view *view, node_id child);
    bool oldest_first; /* serve the oldest request of any child: (date, number, deployment order) */
    /* OPTIONAL, in place of `priority`: the child that is served next, which must be one that can be served, or -1:
       none for now; and how fast. The limit is positive, and holds until this chunk, or the task, has arrived: the
       transfer moves at that rate, or more slowly where its links are shared. Called when at least one child can be
       served, and a child has asked, a transfer from or to the node has ended, a send has just started, a task has
       arrived at the root, or, if the policy measures, the node has computed one; with one port only while none is
       under way. It must depend on its arguments alone. */
    struct policy_send (*choose)(const struct policy_view *view, const struct policy_state *state);
    enum policy_plan plans; /* what `choose` wants in planned_tasks_per_s */
    bool measures;          /* `choose` wants what is measured */
    /* OPTIONAL, of built-in policies, so that `choose` need not look at all children, but gives the same answer: two
       numbers of a child that can be served. They may depend on the child, on the node's number, and on task_s, for
       which they hold from POLICY_TASK_S_RATIO below the given one to as much above it. */
    void (*bounds)(const struct policy_view *view, const struct policy_state *state, const struct policy_child *child,
                   double out[2]);
    void (*note)(const struct policy_view *view, node_id node, struct policy_note *out);
    /* OPTIONAL, of built-in policies: what runs in place of this one, or this one, by the parameters. Errors: ERR_INPUT
       if they contradict each other. */
    enum err_code (*variant)(const struct param_set *params, const struct policy **out, struct err *e);
};

/* Ends with NULL; in the order of policies.def, then plugins in the order in which they were loaded. */
extern const struct policy *const *policies;
const struct policy *policy_find(const char *name);              /* NULL: not found */
const struct origin *policy_origin(const struct policy *policy); /* NULL: it is built in */

/* Registers a policy; both arguments are borrowed until the program ends. The name must not be taken. */
void policy_register(const struct policy *policy, const struct origin *from);

extern const struct param policy_params[];                                   /* POLICY_PARAMS */
IASIM_API const struct param *policy_params_of(const struct policy *policy); /* NULL: it sends nothing */

/* A policy with its parameters, from "name[k=v,...]". */
struct policy_choice {
    const struct policy *policy; /* or the variant that runs in its place */
    struct param_set *params;
    char *text; /* as given */
};
/* Errors: ERR_INPUT: unknown policy (the message lists the known ones), unknown or bad parameter. */
enum err_code policy_choose(const char *text, struct policy_choice *out, struct err *e);
void policy_choice_clear(struct policy_choice *c);
/* The size of a chunk in whole bytes; INFINITY: whole tasks. Errors: ERR_INPUT for less than one byte. */
enum err_code policy_chunk_bytes(const struct policy_choice *c, double *out, struct err *e);
bool policy_prunes(const struct policy_choice *c);
bool policy_is_multi_port(const struct policy_choice *c);

/* What the nodes know before the run, and the plan of a policy that plans: from the physical bound of its ports. `t` is
   bound and is borrowed, as is everything in the view. Errors: those of bound_compute_of. Clear it also after an
   error. */
enum err_code policy_view_init(struct policy_view *out, const struct tree *t, const struct farm_app *app,
                               const struct policy_choice *c, struct err *e);
void policy_view_clear(struct policy_view *v);

/* The priority of every node except the root. A policy that sends nothing, or has `choose`, gives none: `out` stays as
   it is. Errors: ERR_INPUT if a plugin returns a priority that is not finite. */
enum err_code policy_rank(const struct policy *policy, const struct policy_view *view, double *out, struct err *e);

/* The answer of `choose`; -1 if no child can be served, and where a plugin names a child that cannot be served, a limit
   that is not positive, or a piece that is not a whole number of bytes: that is its fault (base/foreign.h). */
struct policy_send policy_next(const struct policy *policy, const struct policy_view *view,
                               const struct policy_state *state);

/* What is sent of `most`, the chunk or the rest of the task, before the node decides again. */
static inline double policy_piece_bytes(struct policy_send next, double most_bytes)
{
    return next.piece_bytes > 0 && next.piece_bytes < most_bytes ? next.piece_bytes : most_bytes;
}

#endif
