/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cost of a farm without iasim: a bare S4U program with the same transfers and executions. The first host sends
   tasks to all others in turn, one at a time, and computes one itself; the others compute their tasks in order.
   bench_s4u PLATFORM TASKS BYTES FLOP */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include <stdio.h>
#include <stdlib.h>

static long n_tasks;
static size_t n_hosts;
static sg_host_t *hosts; /* the first is the root */
static double flop;
static unsigned long bytes;

static long n_of(size_t child)
{
    long n_children = (long)n_hosts - 1;
    return n_tasks / n_children + ((long)child - 1 < n_tasks % n_children);
}

static void child(int argc, char **argv)
{
    size_t i = strtoul(argv[1], NULL, 10);
    sg_mailbox_t inbox = sg_mailbox_by_name(sg_host_get_name(hosts[i]));
    (void)argc;
    for (long k = n_of(i); k > 0; k--) {
        sg_mailbox_get(inbox);
        sg_actor_execute(flop);
    }
}

static void root(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (long k = 0; k < n_tasks; k++) {
        sg_host_t to = hosts[1 + (size_t)k % (n_hosts - 1)];
        sg_mailbox_put(sg_mailbox_by_name(sg_host_get_name(to)), "", (long)bytes);
    }
}

int main(int argc, char **argv)
{
    simgrid_init(&argc, argv);
    if (argc != 5)
        return 2;
    n_tasks = strtol(argv[2], NULL, 10);
    bytes = strtoul(argv[3], NULL, 10);
    flop = strtod(argv[4], NULL);
    simgrid_load_platform(argv[1]);
    n_hosts = sg_host_count();
    hosts = sg_host_list();
    for (size_t i = 1; i < n_hosts; i++) {
        char number[24];
        char *args[] = {"child", number, NULL};
        snprintf(number, sizeof number, "%zu", i);
        if (n_of(i) > 0)
            sg_actor_create("child", hosts[i], child, 2, args);
    }
    char *args[] = {"root", NULL};
    sg_actor_create("root", hosts[0], root, 1, args);
    simgrid_run();
    printf("%.9g\n", simgrid_get_clock());
    return 0;
}
