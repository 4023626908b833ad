/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farm policies: which child a node serves next ([K] 4.1). There is one file for each in policies/, registered in
   policies.def; plugins (plugin/plugin.h) register theirs when they are loaded. */
#ifndef IASIM_FARM_POLICY_H
#define IASIM_FARM_POLICY_H

#include "base/param.h"
#include "farm/tree.h"

#include <stdbool.h>

struct origin;

/* What a node knows when it decides: the tree with all beliefs filled in, and the application. */
struct policy_view {
    const struct tree *tree;
    double task_bytes, task_flop;
};

struct policy {
    const char *name, *summary, *source;
    bool sends;             /* false: the root keeps everything */
    bool multi_port;        /* starts sends while the rate in use is below the send limit; otherwise one at a time */
    bool prunes_by_default; /* the default of the parameter prune */
    /* REQUIRED if it sends. The largest value is served first; ties are broken by deployment order, or by the age of the
       request if `oldest_first`. Called once for each child before the run, so it must not depend on time. Must be finite. */
    double (*priority)(const struct policy_view *view, node_id child);
    bool oldest_first; /* serve the oldest request of any child: (date, number, deployment order) */
};

/* Ends with NULL; in the order of policies.def, then plugins in the order in which they were loaded. */
extern const struct policy *const *policies;
const struct policy *policy_find(const char *name);              /* NULL: not found */
const struct origin *policy_origin(const struct policy *policy); /* NULL: it is built in */

/* Registers a policy; both arguments are borrowed until the program ends. The name must not be taken. */
void policy_register(const struct policy *policy, const struct origin *from);

extern const struct param policy_params[]; /* of every policy that sends */

/* A policy with its parameters, from "name[k=v,...]". */
struct policy_choice {
    const struct policy *policy;
    struct param_set *params;
    char *text; /* as given */
};
/* Errors: ERR_INPUT: unknown policy (the message lists the known ones), unknown or bad parameter. */
enum err_code policy_choose(const char *text, struct policy_choice *out, struct err *e);
void policy_choice_clear(struct policy_choice *c);
/* The size of a chunk in whole bytes; INFINITY: whole tasks. Errors: ERR_INPUT for less than one byte. */
enum err_code policy_chunk_bytes(const struct policy_choice *c, double *out, struct err *e);
bool policy_prunes(const struct policy_choice *c);

/* The priority of every node except the root, for a policy that sends. Errors: ERR_INPUT if a plugin returns a priority
   that is not finite. */
enum err_code policy_rank(const struct policy *policy, const struct policy_view *view, double *out, struct err *e);

#endif
