/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Closed forms for programs in C: actors, mailboxes, executions and transfers by SimGrid's C functions. Amounts are in
   seconds of an idle host of 1 Gf/s and in MB. a sends for 30 % of its processor and receives for 10 %, b receives for
   20 %. */
#include "closed.h"

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/exec.h>
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

static void receivers_come_late(void)
{
    load(TRIO);
    START(host("a"), compute, "1", "exec");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm", "0.75");
    simgrid_run();
    ends("comm", 1.25);
    ends("exec", 1 + lost(0.25 / 0.7 - 0.25)); /* 0.75 s alone */
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

static void put_for(int argc, char **argv) /* S */
{
    (void)argc;
    sg_comm_t c = sg_mailbox_put_async(box("comm"), payload, 2000000);
    note("status", sg_comm_wait_for(c, number(argv[1])));
    done("gave up");
}

static void a_wait_times_out(void)
{
    load(TRIO);
    START(host("a"), compute, "0.5", "before");
    START(host("a"), compute, "1", "exec", "1");
    START(host("a"), put_for, "0.25"); /* nobody receives */
    simgrid_run();
    ends("gave up", 0.25);
    ends("status", SG_ERROR_TIMEOUT);
    ends("before", 0.5);
    ends("exec", 2);
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

static void put_and_fail(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_comm_t c = sg_mailbox_put_async(box("lost"), payload, 2000000);
    note("status", sg_comm_wait(c));
    done("fails");
}

static void a_link_fails_and_comes_back(void)
{
    write_file("state", "0.25 0\n0.5 1\n");
    load(CM02 HOST_A HOST_B LINK("ab", "bandwidth=\"1MBps\" latency=\"0s\" state_file=\"state\"") ROUTE("a", "b", "ab")
             END_OF_PLATFORM);
    START(host("a"), compute, "1", "exec");
    START(host("a"), put_and_fail, "");
    START(host("b"), get_and_fail, "");
    START(host("a"), put, "0.25", "comm", "0.5");
    START(host("b"), get, "comm", "0.5");
    simgrid_run();
    ends("status", SG_ERROR_NETWORK);
    ends("fails", 0.25);
    ends("comm", 0.75);
    ends("exec", 1 + lost(0.3 * 0.5));
}

static void what_asks_for_the_whole_processor_stops_it(void)
{
    load(CM02 HOST("a", PROP("ir_send", "2")) REST_OF_TRIO);
    START(host("a"), compute, "1", "exec");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.5));
}

static void nothing_is_paid_in_latency(void)
{
    load(CM02 HOST_A HOST_B LINK("l", "bandwidth=\"1MBps\" latency=\"250ms\"") ROUTE("a", "b", "l") END_OF_PLATFORM);
    START(host("a"), compute, "0.25", "exec");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.75);
    ends("exec", 0.25);
}

/* ---- executions ---- */

static void execute_async(int argc, char **argv) /* HOST BOUND */
{
    (void)argc;
    sg_exec_t e = sg_actor_exec_init(GF);
    sg_exec_set_host(e, host(argv[1]));
    if (number(argv[2]) > 0)
        sg_exec_set_bound(e, GF * number(argv[2]));
    sg_exec_start(e);
    sg_actor_sleep_until(0.25);
    note("remaining", sg_exec_get_remaining(e) / GF);
    sg_exec_wait(e);
    done("exec");
}

static void an_execution_of_another_host(void)
{
    load(TRIO);
    START(host("c"), execute_async, "a", "0");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("remaining", 0.75 + lost(0.3 * 0.25));
    ends("exec", 1 + lost(0.15));
}

static void a_bounded_execution(void)
{
    load(TRIO);
    START(host("a"), execute_async, "a", "0.5");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("remaining", 0.875 + lost(0.3 * 0.125));
    ends("exec", 2 + lost(0.15));
}

static void move(int argc, char **argv) /* TO */
{
    (void)argc;
    sg_exec_t e = sg_actor_exec_async(GF);
    sg_actor_sleep_until(0.25);
    sg_exec_set_host(e, host(argv[1]));
    sg_exec_wait(e);
    done("exec");
}

static void an_execution_moves_away(void)
{
    load(TRIO);
    START(host("a"), move, "c");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("exec", 1 + lost(0.3 * 0.25));
}

static void cancel(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_exec_t e = sg_actor_exec_async(9 * GF);
    sg_actor_sleep_until(0.25);
    sg_exec_cancel(e);
    sg_actor_execute(GF);
    done("exec");
}

static void an_execution_after_a_cancelled_one(void)
{
    load(TRIO);
    START(host("a"), cancel, "");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("exec", 1.25 + lost(0.3 * 0.25));
}

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

static void suspend(int argc, char **argv) /* PID */
{
    (void)argc;
    sg_actor_sleep_until(0.25);
    sg_actor_suspend(sg_actor_by_pid((aid_t)number(argv[1])));
    sg_actor_sleep_until(0.75);
    sg_actor_resume(sg_actor_by_pid((aid_t)number(argv[1])));
}

static void a_suspended_actor(void)
{
    char pid[24];
    load(TRIO);
    snprintf(pid, sizeof pid, "%ld", (long)sg_actor_get_pid(START(host("a"), compute, "1", "exec")));
    START(host("c"), suspend, pid);
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("comm", 0.5);
    ends("exec", 1.5 + lost(0.3 * 0.25));
}

static void turn_host_off(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_actor_sleep_until(0.25);
    sg_host_turn_off(host("b"));
    sg_host_turn_on(host("b"));
    START(host("b"), compute, "1", "again");
}

static void a_host_that_receives_goes_down(void)
{
    load(TRIO);
    START(host("a"), compute, "1", "exec");
    START(host("a"), put_and_fail, "");
    START(host("b"), get_and_fail, "");
    START(host("b"), compute, "1", "never");
    START(host("c"), turn_host_off, "");
    simgrid_run();
    ends("fails", 0.25);
    ends("exec", 1 + lost(0.3 * 0.25));
    ends("again", 1.25);
}

static void slow_down(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_actor_sleep_until(0.25);
    sg_host_set_pstate(host("a"), 1);
}

static void another_pstate(void)
{
    load(CM02 HOST_WITH("a", "speed=\"1Gf,0.5Gf\"", PROP("ir_send", "0.3")) REST_OF_TRIO);
    START(host("a"), compute, "1", "exec");
    START(host("c"), slow_down, "");
    START(host("a"), put, "0.5", "comm");
    START(host("b"), get, "comm");
    simgrid_run();
    ends("exec", 1.75 + lost(2 * 0.3 * 0.25 + 0.3 * 0.25));
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
    CASE(both_ends_pay),
    CASE(receivers_come_late),
    CASE(an_asynchronous_send),
    CASE(an_asynchronous_receive),
    CASE(a_detached_send),
    CASE(a_wait_times_out),
    CASE(a_transfer_between_hosts),
    CASE(a_killed_sender_costs_no_more),
    CASE(a_link_fails_and_comes_back),
    CASE(what_asks_for_the_whole_processor_stops_it),
    CASE(nothing_is_paid_in_latency),
    CASE(an_execution_of_another_host),
    CASE(a_bounded_execution),
    CASE(an_execution_moves_away),
    CASE(an_execution_after_a_cancelled_one),
    CASE(priorities),
    CASE(a_suspended_actor),
    CASE(a_host_that_receives_goes_down),
    CASE(another_pstate),
    CASE(a_virtual_machine),
    CASE(actors_from_a_deployment),
};

CLOSED_MAIN(cases)
