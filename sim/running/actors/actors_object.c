/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shared object: its table, and who is called when no actor can go on. A process has one run. */
#include "actors/actors_object.h"

#include "actors/actors.h"
#include "actors/actors_replay.h"
#include "actors/farm_state.h"
#include "simgrid/instants.h"

#include <math.h>
#include <xbt/config.h>

static enum instant quiet(void *self, double now_s, double next_s)
{
    (void)self;
    if (replay_now.given != NULL)
        return replay_quiet(now_s, next_s);
    if (farm_now.farm != NULL)
        return farm_quiet(now_s, next_s);
    return INSTANTS_END; /* while the platform is looked at */
}

static double next_s(void *self)
{
    (void)self;
    return replay_now.given != NULL ? replay_ports_next_s() : INFINITY;
}

static void stuck(void *self)
{
    (void)self;
    if (replay_now.given != NULL)
        replay_stuck();
    else
        farm_stuck();
}

static void prepare(void)
{
    static const struct instants hooks = {NULL, quiet, next_s, stuck};
    instants_watch(&hooks);
}

void object_size_stacks(int n_hosts)
{
    enum { MANY = 5000, SMALL_KIB = 64, USUAL_KIB = 512 };
    sg_cfg_set_int("contexts/stack-size", n_hosts > MANY ? SMALL_KIB : USUAL_KIB);
    if (n_hosts > MANY)
        sg_cfg_set_int("contexts/guard-size", 0); /* the number of memory mappings is limited */
}

const struct actors *iasim_actors(void)
{
    static const struct actors table = {
        .prepare = prepare, .farm_run = farm_run_actors, .replay_run = replay_run_actors};
    return &table;
}
