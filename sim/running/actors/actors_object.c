/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shared object: its table. A process has one run. */
#include "actors/actors_object.h"

#include "actors/actors.h"
#include "actors/actors_replay.h"
#include "actors/farm_state.h"
#include "simgrid/instants.h"

#include <xbt/config.h>

/* With 5,000 hosts of four actors each, stacks of 512 KiB would be 10 GB. */
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
        .prepare = instants_watch, .farm_run = farm_run_actors, .replay_run = replay_run_actors};
    return &table;
}
