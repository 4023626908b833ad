/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* world WORD...: a SimGrid program that links libiasim-simgrid and calls iasim_world, in C and (world_cpp.cpp) in C++.
   WORD is a world, whose result is printed; "load:FILE" loads a platform; "rate:HOST:ID:VALUE" gives a host of it a
   property; "run" has `a` compute 1e9 flop while it sends 1e7 bytes to `b`. */
#include <iasim/simgrid.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include <stdio.h>
#include <string.h>

static void compute(int argc, char *argv[])
{
    (void)argc, (void)argv;
    sg_actor_execute(1e9);
    printf("computed until %.9g\n", simgrid_get_clock());
}

static void send_bytes(int argc, char *argv[])
{
    (void)argc, (void)argv;
    sg_mailbox_put(sg_mailbox_by_name("m"), argv, 10000000);
}

static void receive_bytes(int argc, char *argv[])
{
    (void)argc, (void)argv;
    sg_mailbox_get(sg_mailbox_by_name("m"));
}

static void run(void)
{
    sg_host_t a = sg_host_by_name("a"), b = sg_host_by_name("b");
    sg_actor_create("compute", a, compute, 0, NULL);
    sg_actor_create("send", a, send_bytes, 0, NULL);
    sg_actor_create("receive", b, receive_bytes, 0, NULL);
    simgrid_run();
}

static void set_property(char *text)
{
    char *host = strtok(text, ":"), *id = strtok(NULL, ":"), *value = strtok(NULL, ":");
    sg_host_set_property_value(sg_host_by_name(host), id, value);
}

int main(int argc, char **argv)
{
    simgrid_init(&argc, argv);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "load:", 5) == 0)
            simgrid_load_platform(argv[i] + 5);
        else if (strncmp(argv[i], "rate:", 5) == 0)
            set_property(argv[i] + 5);
        else if (strcmp(argv[i], "run") == 0)
            run();
        else
            printf("%s: %d\n", argv[i], iasim_world(argv[i]));
        fflush(stdout);
    }
    return 0;
}
