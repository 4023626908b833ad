/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An ordinary SimGrid program with many transfers and executions, for the cost of `iasim exec`. Of the platform's
   hosts, each one at an odd place gets messages from the one before it, one at a time, and computes meanwhile; both
   have ROUNDS of it. bench_exec PLATFORM ROUNDS */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include <stdio.h>
#include <stdlib.h>

static long n_rounds;

/* Amounts differ from pair to pair and from round to round, for events not to fall together. */
static double varied(const char *pair, long round)
{
    return 1 + 0.37 * (double)((7 * strtol(pair, NULL, 10) + 3 * round) % 101) / 101;
}

static void send(int argc, char **argv)
{
    sg_mailbox_t box = sg_mailbox_by_name(argv[1]);
    (void)argc;
    for (long k = 0; k < n_rounds; k++)
        sg_mailbox_put(box, argv, (long)(1e6 * varied(argv[1], k)));
}

static void receive(int argc, char **argv)
{
    sg_mailbox_t box = sg_mailbox_by_name(argv[1]);
    (void)argc;
    for (long k = 0; k < n_rounds; k++)
        sg_mailbox_get(box);
}

static void compute(int argc, char **argv)
{
    (void)argc;
    for (long k = 0; k < n_rounds; k++)
        sg_actor_execute(1e7 * varied(argv[1], k + 50));
}

int main(int argc, char **argv)
{
    simgrid_init(&argc, argv);
    if (argc != 3)
        return 2;
    simgrid_load_platform(argv[1]);
    n_rounds = strtol(argv[2], NULL, 10);
    sg_host_t *hosts = sg_host_list();
    for (size_t i = 0; i + 1 < sg_host_count(); i += 2) {
        char number[24];
        char *args[] = {"pair", number, NULL};
        snprintf(number, sizeof number, "%zu", i / 2);
        sg_actor_create("send", hosts[i], send, 2, args);
        sg_actor_create("receive", hosts[i + 1], receive, 2, args);
        sg_actor_create("compute", hosts[i + 1], compute, 2, args);
    }
    simgrid_run();
    printf("%.9g\n", simgrid_get_clock());
    return 0;
}
