/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farm policies: whom a node serves next ([K] 4.1). One file each in policies/, registered in policies.def; or one of a
   plugin (plugin/plugin.h), registered when it is loaded. */
#ifndef IASIM_FARM_POLICY_H
#define IASIM_FARM_POLICY_H

#include "base/foreign.h"
#include "base/param.h"
#include "farm/tree.h"

#include <stdbool.h>

/* What a node knows when it decides: the tree with what is believed of it, all of it known, and the application. */
struct policy_view {
    const struct tree *tree;
    double task_bytes, task_flop;
};

struct policy {
    const char *name, *summary, *source;
    bool sends;             /* false: the root keeps everything */
    bool multi_port;        /* starts sends while the rate in use is below the send limit; else one at a time */
    bool prunes_by_default; /* the default of the parameter prune */
    /* REQUIRED when it sends. Larger is served first; ties go to the deployment order, or to the older request when
       `oldest_first`. Called once for each child before the run: it must not depend on time. Finite. */
    double (*priority)(const struct policy_view *view, node_id child);
    bool oldest_first; /* serve the oldest request, whoever it is from: (date, number, deployment order) */
};

/* Ends with NULL; the order of policies.def, then those of plugins as they were loaded. */
extern const struct policy *const *policies;
const struct policy *policy_find(const char *name);              /* NULL: none */
const struct origin *policy_origin(const struct policy *policy); /* NULL: it comes with iasim */

/* Adds one; all is borrowed for good. The name is not taken. */
void policy_register(const struct policy *policy, const struct origin *from);

extern const struct param policy_params[]; /* of every policy that sends */

/* A policy with its parameters, from "name[k=v,...]". */
struct policy_choice {
    const struct policy *policy;
    struct param_set *params;
    char *text; /* as given */
};
/* Errors: ERR_INPUT: unknown policy (the known are listed), unknown or bad parameter. */
enum err_code policy_choose(const char *text, struct policy_choice *out, struct err *e);
void policy_choice_clear(struct policy_choice *c);
double policy_chunk_bytes(const struct policy_choice *c); /* 0: whole tasks */
bool policy_prunes(const struct policy_choice *c);

/* The priority of every node but the root, of a policy that sends. Errors: ERR_INPUT when one that a plugin gives is not
   finite. */
enum err_code policy_rank(const struct policy *policy, const struct policy_view *view, double *out, struct err *e);

#endif
