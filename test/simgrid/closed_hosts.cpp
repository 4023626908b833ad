// SPDX-License-Identifier: LGPL-2.1-or-later
// Closed forms for S4U programs: what charged executions keep of SimGrid's bounds, priorities, threads, cores,
// suspension, migration, virtual machines and dependencies. A factor multiplies the rate that SimGrid gives an
// execution. a sends for 30 % of its processor and receives for 10 %, b receives for 20 %.
#include "closed_s4u.hpp"

#include <simgrid/s4u/VirtualMachine.hpp>
#include <simgrid/version.h>

namespace
{

// ---- sharing a host ----

void a_bounded_execution_is_slowed_as_much()
{
    load(TRIO);
    actor("a", [] {
        this_actor::exec_init(GF)->set_bound(0.5 * GF)->wait();
        done("exec");
    });
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 2 + lost(0.3 * 0.5));
}

void two_executions_lose_the_same_share()
{
    load(TRIO);
    compute("first", "a", 1);
    compute("second", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("first", 2 + lost(0.15));
    ends("second", 2 + lost(0.15));
}

void priorities_keep_their_meaning()
{
    load(TRIO);
    actor("a", [] {
        this_actor::execute(GF, 2); // 2/3 of the host
        done("first");
    });
    compute("second", "a", 1); // 1/3, then all
    transfer("comm", "a", "b", 0.5);
    run();
    ends("first", 1.5 + lost(0.15));
    ends("second", 2 + lost(0.15));
}

void a_priority_changes_in_the_middle()
{
    load(TRIO);
    actor("a", [] {
        sg::ExecPtr e = this_actor::exec_init(GF);
        e->start();
        this_actor::sleep_until(0.25);
        e->update_priority(3);
        e->wait();
        done("first");
    });
    compute("second", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    double to_do = 1 - 0.5 * 0.25 - 0.75 * 0.25; // by 0.5 s, were there no transfer
    ends("first", 0.5 + (to_do + lost(0.3 * (0.125 + 0.1875))) / 0.75);
    ends("second", 2 + lost(0.15));
}

#define CORES(n) CM02 HOST_WITH("a", "speed=\"1Gf\" core=\"" n "\"", PROP("ir_send", "0.3")) REST_OF_TRIO

void all_cores_are_slowed()
{
    load(CORES("2"));
    compute("first", "a", 1);
    compute("second", "a", 1);
    compute("third", "a", 1); // 2/3 of a core for each
    transfer("comm", "a", "b", 0.5);
    run();
    for (const char *what : {"first", "second", "third"})
        ends(what, 1.5 + lost(0.15));
}

void an_idle_core_does_not_help()
{
    load(CORES("2"));
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 1 + lost(0.15));
}

void an_execution_of_several_threads_is_slowed_as_much()
{
    load(CORES("4"));
    actor("a", [] {
        this_actor::thread_execute(this_actor::get_host(), GF, 2);
        done("threads");
    });
    actor("a", [] {
        this_actor::exec_init(GF)->set_thread_count(2)->wait();
        done("exec");
    });
    transfer("comm", "a", "b", 0.5);
    run();
    ends("threads", 1 + lost(0.15));
    ends("exec", 1 + lost(0.15));
}

void more_threads_than_cores_share_them()
{
    load(CORES("2"));
    actor("a", [] {
        this_actor::exec_init(GF)->set_thread_count(3)->wait();
        done("exec");
    });
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 1.5 + lost(0.15));
}

// ---- executions that stop ----

void a_computing_actor_is_killed()
{
    load(TRIO);
    compute("never", "a", 9)->set_kill_time(0.25);
    compute("exec", "a", 1); // half of the host until 0.25 s
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 1.125 + lost(0.3 * 0.125 + 0.3 * 0.25));
}

void an_execution_is_cancelled()
{
    load(TRIO);
    compute("exec", "a", 1);
    actor("a", [] {
        sg::ExecPtr e = this_actor::exec_async(9 * GF);
        this_actor::sleep_until(0.25);
        e->cancel();
        note("remaining", e->get_remaining());
    });
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 1.125 + lost(0.3 * 0.125 + 0.3 * 0.25));
}

void a_computing_actor_is_suspended()
{
    load(TRIO);
    sg::ActorPtr computing = compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    actor("c", [computing] {
        this_actor::sleep_until(0.25);
        computing->suspend();
        this_actor::sleep_until(0.75);
        computing->resume();
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1.5 + lost(0.3 * 0.25));
}

void an_execution_is_suspended_while_its_factor_changes()
{
    load(TRIO);
    transfer("comm", "a", "b", 0.5, 0.5);
    actor("a", [] {
        sg::ExecPtr e = this_actor::exec_async(GF);
        this_actor::sleep_until(0.25);
        e->suspend();
        this_actor::sleep_until(0.75);
        e->resume();
        e->wait();
        done("exec");
    });
    run();
    ends("comm", 1);
    ends("exec", 1.5 + lost(0.3 * 0.25));
}

void an_execution_resumes_on_a_host_that_has_stopped_sending()
{
    load(TRIO);
    transfer("comm", "a", "b", 0.5);
    actor("a", [] {
        sg::ExecPtr e = this_actor::exec_async(GF);
        e->suspend();
        this_actor::sleep_until(0.75);
        e->resume();
        e->wait();
        done("exec");
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1.75);
}

void a_sending_actor_is_suspended()
{
    load(TRIO);
    compute("exec", "a", 0.425); // 0.7 x 0.25 s, and all of 0.25 s while the transfer stands
    sg::ActorPtr sender = actor("a", [] { put("comm", 0.5); });
    actor("b", [] {
        get("comm");
        done("comm");
    });
    actor("c", [sender] {
        this_actor::sleep_until(0.25);
        sender->suspend();
        this_actor::sleep_until(0.5);
        sender->resume();
    });
    run();
    ends("comm", 0.75);
    ends("exec", 0.425 + lost(0.075));
}

void a_transfer_is_suspended()
{
    load(TRIO);
    compute("exec", "a", 0.425);
    actor("a", [] {
        sg::CommPtr c = put_async("comm", 0.5);
        this_actor::sleep_until(0.25);
        c->suspend();
        this_actor::sleep_until(0.5);
        c->resume();
        c->wait();
    });
    actor("b", [] {
        get("comm");
        done("comm");
    });
    run();
    ends("comm", 0.75);
    ends("exec", 0.425 + lost(0.075));
}

void a_wait_times_out_and_the_execution_goes_on()
{
    load(TRIO);
    transfer("comm", "a", "b", 0.5);
    actor("a", [] {
        sg::ExecPtr first = this_actor::exec_async(GF);
        sg::ExecPtr other = this_actor::exec_init(GF);
        other->set_host(host("c"));
        other->start();
        this_actor::sleep_until(0.25);
        note("seen", first->test() ? 1 : 2);
        first->wait();
        done("exec");
    });
    run();
    ends("seen", 2);
    ends("exec", 1 + lost(0.15));
}

// ---- executions that move ----

void an_execution_starts_on_another_host()
{
    load(TRIO);
    transfer("comm", "a", "b", 0.5);
    actor("c", [] {
        sg::ExecPtr e = this_actor::exec_init(GF);
        e->set_host(host("a"));
        e->wait();
        done("exec");
    });
    run();
    ends("exec", 1 + lost(0.15));
}

void move_at_025(const char *from, const char *to)
{
    transfer("comm", "a", "b", 0.5);
    actor(from, [=] {
        sg::ExecPtr e = this_actor::exec_async(GF);
        this_actor::sleep_until(0.25);
        e->set_host(host(to));
        e->wait();
        done("exec");
    });
    run();
    ends("exec", 1 + lost(0.3 * 0.25));
}

void an_execution_leaves_a_sending_host()
{
    load(TRIO);
    move_at_025("a", "c");
}

void an_execution_comes_to_a_sending_host()
{
    load(TRIO);
    move_at_025("c", "a");
}

void an_execution_moves_between_slowed_hosts()
{
    load(TRIO);
    transfer("comm", "a", "b", 0.5);
    actor("a", [] {
        sg::ExecPtr e = this_actor::exec_async(GF);
        this_actor::sleep_until(0.25);
        e->set_host(host("b"));
        this_actor::sleep_until(0.375);
        e->set_host(host("a"));
        e->wait();
        done("exec");
    });
    run();
    ends("exec", 1 + lost(0.3 * 0.375 + 0.2 * 0.125));
}

void a_computing_actor_is_moved_by_another()
{
    load(TRIO);
    sg::ActorPtr computing = compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    actor("c", [computing] {
        this_actor::sleep_until(0.25);
        computing->set_host(host("c"));
    });
    run();
    ends("exec", 1 + lost(0.3 * 0.25));
}

void an_actor_moves_and_sends_from_its_new_host()
{
    load(TRIO);
    compute("a", "a", 1);
    actor("a", [] {
        this_actor::set_host(host("c"));
        sg::CommPtr c = put_async("comm", 0.5);
        execute(0.5);
        done("exec");
        this_actor::set_host(host("a"));
        c->wait();
    });
    actor("b", [] {
        get("comm");
        done("comm");
    });
    run();
    ends("comm", 0.5);
    ends("exec", 0.5);
    ends("a", 1);
}

// ---- virtual machines: their executions and transfers are those of the host that carries them ----

sg::VirtualMachine *machine(const char *name, const char *where, int n_cores = 1)
{
    sg::VirtualMachine *vm = host(where)->create_vm(name, n_cores);
    vm->start();
    return vm;
}

void an_execution_in_a_machine_is_slowed_with_its_host()
{
    load(TRIO);
    compute("exec", machine("vm", "a"), 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

void what_a_machine_sends_slows_its_host()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("comm", machine("vm", "a"), "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

void two_machines_share_a_slowed_host()
{
    load(TRIO);
    sg::VirtualMachine *first = machine("first", "a");
    compute("first", first, 1);
    compute("second", machine("second", "a"), 1);
    transfer("comm", first, "b", 0.5);
    run();
    ends("first", 2 + lost(0.15));
    ends("second", 2 + lost(0.15));
}

void a_bounded_machine_is_slowed_as_much()
{
    load(TRIO);
    compute("exec", machine("vm", "a")->set_bound(0.5 * GF), 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("exec", 2 + lost(0.15));
}

void machines_on_one_host_talk_at_no_cost()
{
    load(CM02 HOST("a", PROP("ir_send", "0.0001") PROP("ir_recv", "0.0001")) END_OF_PLATFORM);
    compute("exec", "a", 1);
    transfer("comm", machine("first", "a"), machine("second", "a"), 5000);
    run();
    ends("exec", 1);
}

void a_machine_is_suspended_during_a_transfer()
{
    load(TRIO);
    sg::VirtualMachine *vm = machine("vm", "a");
    compute("exec", vm, 1);
    transfer("comm", "a", "b", 0.5);
    actor("c", [vm] {
        this_actor::sleep_until(0.25);
        vm->suspend();
        this_actor::sleep_until(0.75);
        vm->resume();
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1.5 + lost(0.3 * 0.25));
}

void a_machine_moves_to_another_host()
{
    load(TRIO);
    sg::VirtualMachine *vm = machine("vm", "a");
    compute("exec", vm, 1);
    transfer("comm", "a", "b", 0.5);
    actor("c", [vm] {
        this_actor::sleep_until(0.25);
        vm->set_pm(host("c"));
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.3 * 0.25));
}

void a_machine_is_destroyed_while_it_computes()
{
    load(TRIO);
    sg::VirtualMachine *vm = machine("vm", "a");
    compute("never", vm, 9);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    actor("c", [vm] {
        this_actor::sleep_until(0.25);
        vm->destroy();
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1.125 + lost(0.3 * 0.125 + 0.3 * 0.25));
}

// ---- what else programs do ----

sg::NetZone *new_zone()
{
#if SIMGRID_VERSION >= 40000
    return sg::Engine::get_instance()->get_netzone_root()->add_netzone_full("world");
#else
    return sg::create_full_zone("world");
#endif
}

void a_platform_may_be_built_in_code()
{
    sg::Engine::set_config("network/model:CM02");
    sg::Engine::set_config("network/crosstraffic:0");
    sg::Engine::set_config("network/TCP-gamma:0");
    sg::NetZone *zone = new_zone();
    sg::Host *a = zone->create_host("a", GF)->set_property("ir_send", lost(1) > 0 ? "0.3" : "0");
    sg::Host *b = zone->create_host("b", GF);
    sg::Link *l = zone->create_link("l", MB);
    zone->add_route(a->get_netpoint(), b->get_netpoint(), nullptr, nullptr, {sg::LinkInRoute(l->seal())}, true);
    zone->seal();
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

void activities_may_depend_on_each_other()
{
    load(TRIO);
    sg::ExecPtr first = sg::Exec::init();
    sg::CommPtr data = sg::Comm::sendto_init();
    sg::ExecPtr last = sg::Exec::init();
    first->set_flops_amount(0.5 * GF)->add_successor(data);
    data->set_payload_size(500000)->add_successor(last);
    last->set_flops_amount(GF);
    data->set_source(host("a"))->set_destination(host("b"));
    last->set_host(host("b"));
    first->set_host(host("a"));
    compute("a", "a", 2);    // half of a until 0.5 s: 1 s of first's
    compute("b", "b", 1, 1); // beside the transfer, from 1 to 1.5 s
    actor("c", [first] { first->wait(); });
    run();
    note("data", data->get_finish_time());
    note("last", last->get_finish_time());
    ends("data", 1.5);
    ends("a", 2.5 + lost(0.15));
    ends("b", 2.5 + lost(0.2));
    ends("last", 3 + lost(0.1)); // half of b until b's execution ends
}

void disks_are_not_slowed()
{
    load(CM02 HOST("a", PROP("ir_send", "0.3") "<disk id=\"d\" read_bw=\"2MBps\" write_bw=\"1MBps\"/>") REST_OF_TRIO);
    actor("a", [] {
        host("a")->get_disks().front()->read(1000000);
        done("read");
    });
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("read", 0.5);
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

void a_chain_of_hosts_forwards()
{
    load(TRIO);
    compute("b", "b", 2);
    actor("a", [] { put("first", 0.5); });
    actor("b", [] {
        get("first");
        put("second", 0.5);
    });
    actor("c", [] {
        get("second");
        done("comm");
    });
    run();
    ends("comm", 1);
    ends("b", 2 + lost(0.2 * 0.5)); // b's sends are free
}

const closed_case cases[] = {
    CASE(a_bounded_execution_is_slowed_as_much),
    CASE(two_executions_lose_the_same_share),
    CASE(priorities_keep_their_meaning),
    CASE(a_priority_changes_in_the_middle),
    CASE(all_cores_are_slowed),
    CASE(an_idle_core_does_not_help),
    CASE(an_execution_of_several_threads_is_slowed_as_much),
    CASE(more_threads_than_cores_share_them),
    CASE(a_computing_actor_is_killed),
    CASE(an_execution_is_cancelled),
    CASE(a_computing_actor_is_suspended),
    CASE(an_execution_is_suspended_while_its_factor_changes),
    CASE(an_execution_resumes_on_a_host_that_has_stopped_sending),
    CASE(a_sending_actor_is_suspended),
    CASE(a_transfer_is_suspended),
    CASE(a_wait_times_out_and_the_execution_goes_on),
    CASE(an_execution_starts_on_another_host),
    CASE(an_execution_leaves_a_sending_host),
    CASE(an_execution_comes_to_a_sending_host),
    CASE(an_execution_moves_between_slowed_hosts),
    CASE(a_computing_actor_is_moved_by_another),
    CASE(an_actor_moves_and_sends_from_its_new_host),
    CASE(an_execution_in_a_machine_is_slowed_with_its_host),
    CASE(what_a_machine_sends_slows_its_host),
    CASE(two_machines_share_a_slowed_host),
    CASE(a_bounded_machine_is_slowed_as_much),
    CASE(machines_on_one_host_talk_at_no_cost),
    CASE(a_machine_is_suspended_during_a_transfer),
    CASE(a_machine_moves_to_another_host),
    CASE(a_machine_is_destroyed_while_it_computes),
    CASE(a_platform_may_be_built_in_code),
    CASE(activities_may_depend_on_each_other),
    CASE(disks_are_not_slowed),
    CASE(a_chain_of_hosts_forwards),
};

} // namespace

CLOSED_MAIN(cases)
