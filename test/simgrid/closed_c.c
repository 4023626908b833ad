/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Closed forms for programs in C: actors, mailboxes, executions and transfers by SimGrid's C functions, which call
   those of C++: that they are charged is seen here, for how much in closed_s4u.cpp and closed_hosts.cpp. Amounts are in
   seconds of an idle host of 1 Gf/s and in MB. a sends for 30 % of its processor and receives for 10 %, b receives for
   20 %. */
#include "closed.h"

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <simgrid/vm.h>

static char payload[] = "payload";

static sg_host_t host(const char *name)
{
    return sg_host_by_name(name);
}

static sg_mailbox_t box(const char *name)
{
    return sg_mailbox_by_name(name);
}

static double number(const char *text)
{
    return strtod(text, NULL);
}

/* An actor whose function gets the words after it. */
#define START(where, code, ...) start(where, (const char *const[]){#code, __VA_ARGS__, NULL}, code)

typedef void code_t(int argc, char **argv);

static sg_actor_t start(sg_host_t where, const char *const words[], code_t *code)
{
    int n = 0;
    while (words[n] != NULL)
        n++;
    return sg_actor_create(words[0], where, code, n, (char *const *)words);
}

static void compute(int argc, char **argv) /* S WHAT [FROM_S] */
{
    if (argc > 3)
        sg_actor_sleep_until(number(argv[3]));
    sg_actor_execute(GF * number(argv[1]));
    done(strdup(argv[2]));
}

static void put(int argc, char **argv) /* MB BOX [FROM_S] */
{
    if (argc > 3)
        sg_actor_sleep_until(number(argv[3]));
    sg_mailbox_put(box(argv[2]), payload, (long)(MB * number(argv[1])));
}

static void get(int argc, char **argv) /* BOX [FROM_S] */
{
    if (argc > 2)
        sg_actor_sleep_until(number(argv[2]));
    sg_mailbox_get(box(argv[1]));
    done(strdup(argv[1]));
}

/* ---- transfers ---- */

static void both_ends_pay(void)
{
    load(TRIO);
    START(host("a"), compute, "1", "a");
    START(host("b"), compute, "1", "b");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.5);
    ends("a", 1 + lost(0.3 * 0.5));
    ends("b", 1 + lost(0.2 * 0.5));
}

static void put_and_compute(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_comm_t c = sg_mailbox_put_async(box("comm"), payload, 500000);
    sg_actor_execute(GF);
    done("exec");
    sg_comm_wait(c);
    done("waited");
}

static void an_asynchronous_send(void)
{
    load(TRIO);
    START(host("a"), put_and_compute, "");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
    ends("waited", 1 + lost(0.15));
}

static void get_and_compute(int argc, char **argv)
{
    (void)argc, (void)argv;
    void *data;
    sg_comm_t c = sg_mailbox_get_async(box("comm"), &data);
    sg_actor_execute(GF * 0.25);
    note("ready", sg_comm_test(c));
    sg_actor_execute(GF * 0.75);
    done("exec");
    sg_comm_wait(c);
}

static void an_asynchronous_receive(void)
{
    load(TRIO);
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get_and_compute, "");
    simgrid_run();
    ends("ready", 0);
    ends("exec", 1 + lost(0.2 * 0.5));
}

static void detach(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_comm_detach(sg_mailbox_put_init(box("comm"), payload, 500000), NULL);
    sg_actor_execute(GF);
    done("exec");
}

static void a_detached_send(void)
{
    load(TRIO);
    START(host("a"), detach, "");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

static void send_between(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_host_sendto(host("a"), host("b"), 500000);
    done("comm");
}

static void a_transfer_between_hosts(void)
{
    load(TRIO);
    START(host("a"), compute, "1", "a");
    START(host("b"), compute, "1", "b");
    START(host("c"), send_between, "");
    simgrid_run();
    ends("comm", 0.5);
    ends("a", 1 + lost(0.15));
    ends("b", 1 + lost(0.1));
}

static void get_and_fail(int argc, char **argv)
{
    (void)argc, (void)argv;
    void *data;
    sg_comm_wait(sg_mailbox_get_async(box("lost"), &data));
}

static void kill_sender(int argc, char **argv) /* PID FROM_S */
{
    (void)argc;
    sg_actor_sleep_until(number(argv[2]));
    sg_actor_kill(sg_actor_by_pid((aid_t)number(argv[1])));
}

static void a_killed_sender_costs_no_more(void)
{
    char pid[24];
    load(TRIO);
    START(host("a"), compute, "1", "exec");
    sg_actor_t sender = START(host("a"), put, "2", "lost");
    snprintf(pid, sizeof pid, "%ld", (long)sg_actor_get_pid(sender));
    START(host("c"), kill_sender, pid, "0.25");
    START(host("b"), compute, "1", "b");
    START(host("b"), get_and_fail, "");
    simgrid_run();
    ends("exec", 1 + lost(0.3 * 0.25));
    ends("b", 1 + lost(0.2 * 0.25));
}

/* ---- executions ---- */

static void compute_first(int argc, char **argv) /* PRIORITY */
{
    (void)argc;
    sg_actor_execute_with_priority(GF, number(argv[1]));
    done("first");
}

static void priorities(void)
{
    load(TRIO);
    START(host("a"), compute_first, "3");
    START(host("a"), compute, "1", "second");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("first", 4. / 3 + lost(0.15));
    ends("second", 2 + lost(0.15));
}

static void a_virtual_machine(void)
{
    load(TRIO);
    sg_vm_t vm = sg_vm_create_core(host("a"), "vm");
    sg_vm_start(vm);
    START((sg_host_t)vm, compute, "1", "exec");
    START(host("b"), compute, "1", "b");
    START((sg_host_t)vm, put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
    ends("b", 1 + lost(0.1));
}

static void actors_from_a_deployment(void)
{
    write_file("deployment.xml",
               "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n"
               "<actor host=\"a\" function=\"compute\"><argument value=\"1\"/><argument value=\"exec\"/></actor>\n"
               "<actor host=\"a\" function=\"put\"><argument value=\"0.5\"/><argument value=\"comm\"/></actor>\n"
               "<actor host=\"b\" function=\"get\"><argument value=\"comm\"/></actor>\n"
               "</platform>\n");
    load(TRIO);
    simgrid_register_function("compute", compute);
    simgrid_register_function("put", put);
    simgrid_register_function("get", get);
    simgrid_load_deployment("deployment.xml");
    simgrid_run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

static const struct closed_case cases[] = {
    CASE(both_ends_pay),   CASE(an_asynchronous_send),     CASE(an_asynchronous_receive),
    CASE(a_detached_send), CASE(a_transfer_between_hosts), CASE(a_killed_sender_costs_no_more),
    CASE(priorities),      CASE(a_virtual_machine),        CASE(actors_from_a_deployment),
};

CLOSED_MAIN(cases)
