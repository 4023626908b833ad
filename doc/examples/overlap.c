/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two hosts: node0 sends 100 MB to node1, and both compute 1 Gf meanwhile.
   Nothing here knows of iasim (doc/simgrid.md). */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include <stdio.h>

static void compute(int argc, char **argv)
{
    (void)argc;
    sg_actor_execute(1e9);
    printf("%s has computed at %.6f s\n", argv[0], simgrid_get_clock());
}

static void send(int argc, char **argv)
{
    (void)argc;
    sg_mailbox_put(sg_mailbox_by_name("node1"), argv[0], 100000000);
}

static void receive(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_mailbox_get(sg_mailbox_by_name("node1"));
}

int main(int argc, char **argv)
{
    static char *const sender[] = {"sender"}, *const receiver[] = {"receiver"};
    simgrid_init(&argc, argv);
    if (argc != 2)
        return fprintf(stderr, "usage: overlap PLATFORM\n"), 2;
    simgrid_load_platform(argv[1]);
    sg_host_t node0 = sg_host_by_name("node0"), node1 = sg_host_by_name("node1");
    sg_actor_create("compute", node0, compute, 1, sender);
    sg_actor_create("compute", node1, compute, 1, receiver);
    sg_actor_create("send", node0, send, 1, sender);
    sg_actor_create("receive", node1, receive, 1, receiver);
    simgrid_run();
    return 0;
}
