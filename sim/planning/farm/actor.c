/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The built-in protocol has no function here: its actors need SimGrid, which this room does not know
   (sim/running/actors runs them where `run` is NULL). */
#include "farm/actor.h"

#include "base/registry.h"

static const struct farm_actor farm_node = {
    .name = "farm_node",
    .summary = "requests tasks, computes, serves its children by the policy",
    .source = "[K] 4.1",
};

static const struct farm_actor *const built_in[] = {&farm_node, NULL};

const struct farm_actor *const *farm_actors = built_in;
static struct registry registered;

const struct farm_actor *farm_actor_find(const char *name)
{
    return registry_find(farm_actors, name);
}

const struct origin *farm_actor_origin(const struct farm_actor *actor)
{
    return registry_origin(&registered, actor);
}

void farm_actor_register(const struct farm_actor *actor, const struct origin *from)
{
    farm_actors = registry_add(&registered, farm_actors, &actor, from);
}

enum err_code farm_actor_choose(const char *name, const struct farm_actor **out, struct err *e)
{
    *out = registry_choose(farm_actors, "actor", name, e);
    return *out != NULL ? ERR_NONE : ERR_INPUT;
}
