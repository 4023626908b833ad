/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors that do everything that a protocol should not. Only the root does something, except where it says
   otherwise. */
#include <iasim/plugin.h>

#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_root(const struct farm_self *me)
{
    return me->id == me->tree->root;
}

static void compute(const struct farm_self *me, long n)
{
    for (long i = 0; i < n && is_root(me); i++)
        me->compute(me);
}

static void fine(const struct farm_self *me)
{
    compute(me, me->app->n_tasks);
}

/* A task is lost: nobody computes the last one. */
static void loses(const struct farm_self *me)
{
    compute(me, me->app->n_tasks - 1);
}

static void leaves(const struct farm_self *me)
{
    (void)me;
}

/* Two nodes begin the last task at once. */
static void too_many(const struct farm_self *me)
{
    if (is_root(me) || me->tree->nodes[me->tree->root].children[0] == me->id)
        for (;;)
            me->compute(me);
}

static void computes(int argc, char **argv)
{
    const struct farm_self *me = sg_actor_self_get_data();
    (void)argc;
    (void)argv;
    me->compute(me);
}

static void twice(const struct farm_self *me)
{
    for (int i = 0; i < 2 && is_root(me); i++) {
        sg_actor_t actor = sg_actor_init("helper", sg_host_self());
        sg_actor_set_data(actor, (void *)(size_t)me);
        sg_actor_start(actor, computes, 0, NULL);
    }
}

/* Half of the tasks, then everybody waits for a message. */
static void waits(const struct farm_self *me)
{
    compute(me, me->app->n_tasks / 2);
    sg_mailbox_get(sg_mailbox_by_name(me->tree->nodes[me->id].host_name));
}

static void crashes(const struct farm_self *me)
{
    volatile int *volatile nothing = (volatile int *)8; /* NOLINT */
    compute(me, 1);
    *nothing = 1;
}

static void leaves_process(const struct farm_self *me)
{
    compute(me, 1);
    exit(0);
}

static void loops(const struct farm_self *me)
{
    volatile int forever = 1;
    compute(me, 1);
    while (forever)
        continue;
}

/* Time passes, and nothing else ever happens. */
static void sleeps(const struct farm_self *me)
{
    compute(me, 1);
    for (;;)
        sg_actor_sleep_for(1);
}

static void forks(const struct farm_self *me)
{
    if (is_root(me) && fork() == 0)
        for (;;)
            pause();
    fine(me);
}

static void no_route(const struct farm_self *me)
{
    const struct tree_node *root = &me->tree->nodes[me->tree->root];
    if (root->children[0] == me->id && !me->reaches(me, root->children[1]))
        sg_mailbox_put(sg_mailbox_by_name("nowhere"), root->host_name, 1000);
    if (root->children[1] == me->id)
        sg_mailbox_get(sg_mailbox_by_name("nowhere"));
}

#define ACTOR(name_) static const struct farm_actor name_##_actor = {.name = #name_, .summary = "-", .run = name_};
ACTOR(fine)
ACTOR(loses)
ACTOR(leaves)
ACTOR(too_many)
ACTOR(twice)
ACTOR(waits)
ACTOR(crashes)
ACTOR(leaves_process)
ACTOR(loops)
ACTOR(sleeps)
ACTOR(forks)
ACTOR(no_route)

IASIM_PLUGIN(.actors = {&fine_actor, &loses_actor, &leaves_actor, &too_many_actor, &twice_actor, &waits_actor,
                        &crashes_actor, &leaves_process_actor, &loops_actor, &sleeps_actor, &forks_actor,
                        &no_route_actor})
