/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cost of a farm without iasim: a bare S4U program that does what `iasim farm --policy fcfs --world none` does,
   with the same tasks, transfers and executions, also at the root. A child has two slots; a slot is free when it is new
   and when its task starts computing. The root computes one task after the other, and sends, one at a time, to the
   child whose slot has been free for longest.

   bench_s4u PLATFORM TASKS BYTES FLOP prints the makespan in seconds, and how many tasks the root computed. */
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>

#include <stdio.h>
#include <stdlib.h>

enum { N_SLOTS = 2 };

static long n_tasks, n_left, n_by_root, n_done, n_requests;
static size_t n_hosts;
static sg_host_t *hosts; /* the first is the root */
static sg_mailbox_t *inboxes;
static double flop;
static unsigned long bytes;
static size_t *requests; /* children, a ring; no more than their slots */
static sg_sem_t are_requests, is_over;

static void request(size_t child)
{
    requests[(size_t)n_requests++ % (N_SLOTS * n_hosts)] = child;
    sg_sem_release(are_requests);
}

static void compute(void)
{
    sg_actor_execute(flop);
    if (++n_done == n_tasks)
        sg_sem_release(is_over);
}

/* Ends with the simulation. */
static void child(int argc, char **argv)
{
    size_t i = strtoul(argv[1], NULL, 10);
    sg_comm_t slots[N_SLOTS];
    static void *nothing;
    (void)argc;
    for (int k = 0; k < N_SLOTS; k++) {
        slots[k] = sg_mailbox_get_async(inboxes[i], &nothing);
        request(i);
    }
    for (int k = 0;; k = (k + 1) % N_SLOTS) {
        sg_comm_wait(slots[k]);
        slots[k] = sg_mailbox_get_async(inboxes[i], &nothing);
        request(i);
        compute();
    }
}

static void compute_at_root(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (; n_left > 0; n_by_root++) {
        n_left--;
        compute();
    }
}

static void send_from_root(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    for (size_t k = 0; n_left > 0; k++) {
        sg_sem_acquire(are_requests);
        if (n_left-- > 0)
            sg_mailbox_put(inboxes[requests[k % (N_SLOTS * n_hosts)]], "", (long)bytes);
    }
}

static void wait_for_the_end(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sg_sem_acquire(is_over);
}

static void start(void)
{
    char *none[] = {"root", NULL};
    sg_actor_daemonize(sg_actor_create("computes", hosts[0], compute_at_root, 1, none));
    sg_actor_daemonize(sg_actor_create("sends", hosts[0], send_from_root, 1, none));
    sg_actor_create("waits", hosts[0], wait_for_the_end, 1, none);
    for (size_t i = 1; i < n_hosts; i++) {
        char number[24];
        char *args[] = {"child", number, NULL};
        snprintf(number, sizeof number, "%zu", i);
        sg_actor_daemonize(sg_actor_create("child", hosts[i], child, 2, args));
    }
}

int main(int argc, char **argv)
{
    simgrid_init(&argc, argv);
    if (argc != 5)
        return 2;
    n_tasks = n_left = strtol(argv[2], NULL, 10);
    bytes = strtoul(argv[3], NULL, 10);
    flop = strtod(argv[4], NULL);
    simgrid_load_platform(argv[1]);
    n_hosts = sg_host_count();
    hosts = sg_host_list();
    inboxes = malloc(n_hosts * sizeof *inboxes);
    requests = malloc(N_SLOTS * n_hosts * sizeof *requests);
    if (inboxes == NULL || requests == NULL)
        return 3;
    for (size_t i = 0; i < n_hosts; i++)
        inboxes[i] = sg_mailbox_by_name(sg_host_get_name(hosts[i]));
    are_requests = sg_sem_init(0);
    is_over = sg_sem_init(0);
    start();
    simgrid_run();
    printf("%.9g %ld\n", simgrid_get_clock(), n_by_root);
    return 0;
}
