/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What runs at the nodes of a farm under `--engine actors`: the built-in farm_node (doc/model.md, Farms), or a protocol
   of your own, an ordinary SimGrid actor in a plugin. It is started once at each node of the deployment, and computes
   and communicates with SimGrid's C API; transfers slow computing down without its doing anything. */
#ifndef IASIM_FARM_ACTOR_H
#define IASIM_FARM_ACTOR_H

#include "farm/app.h"
#include "farm/tree.h"

#include <stdbool.h>

struct origin;

/* What an actor of a farm is given. Valid, and the same, until the run is over: it may be handed to other actors that
   it creates on its host. */
struct farm_self {
    const struct tree *tree;
    node_id id; /* tree->nodes[id]: its host's name, parent, children (its siblings: those of its parent) */
    const struct farm_app *app; /* all n_tasks are at tree->root when the run begins */
    const double *priority;     /* of every node but the root, from the policy: the largest is to be served first */

    /* Computes one task on this node's host, one at a time, and returns when it has ended. The run is over, and all
       actors are ended, when n_tasks have been computed; a protocol need not know how many are left. Computing more, or
       two at once at one node, is an error of the protocol. */
    void (*compute)(const struct farm_self *me);
    /* Whether the platform has routes from this node to another one and back. SimGrid aborts on a transfer without
       one. */
    bool (*reaches)(const struct farm_self *me, node_id other);
    /* Counts a task that this node has sent to another one, for the table of results. */
    void (*forwarded)(const struct farm_self *me, node_id to);
};

struct farm_actor {
    const char *name, *summary, *source;
    /* REQUIRED in plugins. The code of one node. It may return before the run is over. NULL: the built-in one. */
    void (*run)(const struct farm_self *me);
};

/* Ends with NULL: farm_node, then those of plugins in the order in which they were loaded. */
extern const struct farm_actor *const *farm_actors;
const struct farm_actor *farm_actor_find(const char *name);             /* NULL: not found */
const struct origin *farm_actor_origin(const struct farm_actor *actor); /* NULL: it is built in */

/* Registers an actor; both arguments are borrowed until the program ends. The name must not be taken. */
void farm_actor_register(const struct farm_actor *actor, const struct origin *from);

/* Errors: ERR_INPUT: unknown actor (the message lists the known ones). */
enum err_code farm_actor_choose(const char *name, const struct farm_actor **out, struct err *e);

#endif
