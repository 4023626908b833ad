/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A SimGrid program in a shared object: host 'a' of the platform computes for a second. */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>

__attribute__((visibility("default"))) int deep_body(int argc, char **argv);

static void compute(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sg_actor_execute(1e9);
}

int deep_body(int argc, char **argv)
{
    simgrid_init(&argc, argv);
    simgrid_load_platform(argv[1]);
    sg_actor_create("actor", sg_host_by_name("a"), compute, 0, NULL);
    simgrid_run();
    printf("computed until %g\n", simgrid_get_clock());
    return 0;
}
