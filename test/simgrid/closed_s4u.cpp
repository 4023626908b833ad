// SPDX-License-Identifier: LGPL-2.1-or-later
// Closed forms for S4U programs: how transfers, networks and hosts charge executions. a sends for 30 % of its processor
// and receives for 10 %, b receives for 20 %.
#include "closed_s4u.hpp"

#include <simgrid/Exception.hpp>

namespace
{

// ---- one transfer, one execution ----

void a_transfer_that_ends_first_takes_ir_times_bytes()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.3 * 0.5));
}

void an_execution_that_ends_first_is_slow_throughout()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 5);
    run();
    ends("comm", 5);
    ends("exec", 1 + lost(1 / 0.7 - 1));
}

void a_transfer_begins_within_an_execution()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5, 0.25);
    run();
    ends("comm", 0.75);
    ends("exec", 1 + lost(0.15));
}

void an_execution_begins_within_a_transfer()
{
    load(TRIO);
    compute("exec", "a", 1, 0.5);
    transfer("comm", "a", "b", 1);
    run();
    ends("comm", 1);
    ends("exec", 1.5 + lost(0.3 * 0.5));
}

void each_end_pays_its_own_rate()
{
    load(TRIO);
    compute("a", "a", 1);
    compute("b", "b", 1);
    compute("c", "c", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("a", 1 + lost(0.3 * 0.5));
    ends("b", 1 + lost(0.2 * 0.5));
    ends("c", 1);
}

void an_actor_computes_beside_its_own_transfer()
{
    load(TRIO);
    actor("a", [] {
        sg::CommPtr c = put_async("comm", 0.5);
        execute(1);
        done("exec");
        c->wait();
        done("waited");
    });
    actor("b", [] { get("comm"); });
    run();
    ends("exec", 1 + lost(0.15));
    ends("waited", 1 + lost(0.15));
}

void nothing_to_send_and_nothing_to_compute_take_no_time()
{
    load(TRIO);
    compute("nothing", "a", 0, 0.25);
    transfer("comm", "a", "b", 0, 0.25);
    compute("exec", "a", 1);
    run();
    ends("nothing", 0.25);
    ends("comm", 0.25);
    ends("exec", 1);
}

void a_transfer_follows_another_at_the_same_instant()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("first", "a", "b", 0.5);
    transfer("second", "a", "c", 0.5, 0.5);
    run();
    ends("first", 0.5);
    ends("second", 1);
    ends("exec", 1 + lost(0.3));
}

void remaining_work_is_seen_in_the_middle()
{
    load(TRIO);
    transfer("comm", "a", "b", 0.5);
    actor("a", [] {
        sg::ExecPtr e = this_actor::exec_async(GF);
        this_actor::sleep_until(0.25);
        note("remaining", e->get_remaining());
        e->wait();
        done("exec");
    });
    run();
    ends("remaining", GF * (0.75 + lost(0.3 * 0.25)));
    ends("exec", 1 + lost(0.15));
}

void a_run_may_be_interrupted()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    sg::Engine::get_instance()->run_until(0.25);
    note("until", sg::Engine::get_clock());
    run();
    ends("until", 0.25);
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

// ---- clamping ----

void a_factor_is_never_below_0()
{
    load(CM02 HOST("a", PROP("ir_send", "1.5")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.5)); // stands for all of the transfer
}

void several_transfers_together_reach_0()
{
    load(CM02 HOST("a", PROP("ir_send", "0.75") PROP("ir_recv", "0.75")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("out", "a", "b", 0.5);
    transfer("in", "c", "a", 0.25, 0.25);
    run();
    ends("in", 0.5);
    ends("out", 0.5);
    ends("exec", 1 + lost(0.25 * 0.75 + 0.25));
}

void a_factor_is_never_below_its_floor()
{
    load(CM02 HOST("a", PROP("ir_send", "1.5") PROP("ir_floor", "0.25")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.75 * 0.5));
}

void what_starts_on_a_standing_host_waits_unless_it_is_nothing()
{
    load(CM02 HOST("a", PROP("ir_send", "1")) REST_OF_TRIO);
    transfer("comm", "a", "b", 0.5);
    compute("exec", "a", 1, 0.25);
    compute("nothing", "a", 0, 0.375);
    run();
    ends("nothing", 0.375);
    ends("comm", 0.5);
    ends("exec", 1.25 + lost(0.25));
}

// ---- rates of interference ----

void a_peer_has_a_rate_of_its_own()
{
    load(CM02 HOST("a", PROP("ir_send", "0.3") PROP("ir_send.c", "0.1") PROP("ir_recv.c", "0.2")) REST_OF_TRIO);
    compute("exec", "a", 3);
    transfer("ab", "a", "b", 0.5);
    transfer("ac", "a", "c", 0.5, 0.5);
    transfer("ca", "c", "a", 0.5, 1);
    transfer("ba", "b", "a", 0.5, 1.5);
    run();
    ends("ab", 0.5);
    ends("ac", 1);
    ends("ca", 1.5);
    ends("ba", 2);
    ends("exec", 3 + lost(0.3 * 0.5 + 0.1 * 0.5 + 0.2 * 0.5));
}

void sends_and_receives_add_up()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("out", "a", "b", 0.5);
    transfer("in", "c", "a", 0.5, 0.25);
    run();
    ends("out", 0.5);
    ends("in", 0.75);
    ends("exec", 1 + lost(0.3 * 0.5 + 0.1 * 0.5));
}

void sends_weigh_otherwise_while_the_host_receives()
{
    load(CM02 HOST("a", PROP("ir_send", "0.3") PROP("ir_send_duplex", "0.05") PROP("ir_recv", "0.1")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("out", "a", "b", 0.5);
    transfer("in", "c", "a", 0.5, 0.25);
    run();
    ends("out", 0.5);
    ends("in", 0.75);
    ends("exec", 1 + lost(0.3 * 0.25 + 0.05 * 0.25 + 0.1 * 0.5));
}

void receives_weigh_otherwise_while_the_host_sends()
{
    load(CM02 HOST("a", PROP("ir_send", "0.3") PROP("ir_recv", "0.1") PROP("ir_recv_duplex", "0.06")
                            PROP("ir_send_duplex.b", "0.2") PROP("ir_constant_send", "0.9")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("out", "a", "b", 0.5);
    transfer("in", "c", "a", 0.5, 0.25);
    run();
    ends("out", 0.5);
    ends("in", 0.75);
    ends("exec", 1 + lost(0.3 * 0.25 + 0.2 * 0.25 + 0.06 * 0.25 + 0.1 * 0.25 + 0.1 * 0.5));
}

void a_constant_alone_slows_a_host_down()
{
    load(CM02 HOST("a", PROP("ir_constant_recv", "0.75")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("in", "c", "a", 0.5, 0.25);
    run();
    ends("in", 0.75);
    ends("exec", 1 + lost(0.25 * 0.5));
}

void a_host_without_rates_pays_nothing()
{
    load(TRIO);
    compute("exec", "c", 1);
    transfer("out", "c", "a", 0.5);
    transfer("in", "b", "c", 0.5);
    run();
    ends("out", 0.5);
    ends("in", 0.5);
    ends("exec", 1);
}

void transfers_within_a_host_cost_nothing()
{
    load(CM02 HOST("a", PROP("ir_send", "0.0001") PROP("ir_recv", "0.0001")) END_OF_PLATFORM);
    compute("exec", "a", 1);
    transfer("comm", "a", "a", 5000); // SimGrid's loopback: 10 GB/s
    run();
    ends("comm", 0.5);
    ends("exec", 1);
}

// ---- when a transfer moves bytes ----

#define LATE CM02 HOST_A HOST_B LINK("l", "bandwidth=\"1MBps\" latency=\"250ms\"") ROUTE("a", "b", "l") END_OF_PLATFORM

void nothing_is_paid_during_latency()
{
    load(LATE);
    compute("short", "a", 0.2);
    compute("exec", "b", 0.5);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.75);
    ends("short", 0.2);
    ends("exec", 0.5 + lost(0.25 / 0.8 - 0.25)); // 0.25 s alone, then at 80 %
}

void a_transfer_waits_for_its_receiver()
{
    load(TRIO);
    compute("before", "a", 0.5);
    compute("after", "a", 1, 0.5);
    actor("a", [] { put("comm", 0.5); });
    actor("b", [] {
        this_actor::sleep_until(0.5);
        get("comm");
        done("comm");
    });
    run();
    ends("before", 0.5);
    ends("comm", 1);
    ends("after", 1.5 + lost(0.15));
}

void a_transfer_waits_for_its_sender()
{
    load(TRIO);
    compute("before", "b", 0.5);
    compute("after", "b", 1, 0.5);
    transfer("comm", "a", "b", 0.5, 0.5);
    run();
    ends("before", 0.5);
    ends("comm", 1);
    ends("after", 1.5 + lost(0.2 * 0.5));
}

void a_permanent_receiver_lets_transfers_start_before_it_asks()
{
    load(TRIO);
    compute("exec", "a", 1);
    actor("a", [] {
        this_actor::sleep_until(0.1);
        put("comm", 0.5);
    });
    actor("b", [] {
        box("comm")->set_receiver(sg::Actor::self());
        this_actor::sleep_until(0.75);
        get("comm");
        done("comm");
    });
    run();
    ends("comm", 0.75);
    ends("exec", 1 + lost(0.15));
}

void a_detached_transfer_counts()
{
    load(TRIO);
    actor("a", [] {
        put_init("comm", 0.5)->detach();
        execute(1);
        done("exec");
    });
    actor("b", [] {
        get("comm");
        done("comm");
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1 + lost(0.15));
}

/* 1 s of computing on a and on b, and when it ends if data flowed from a to b for so many seconds of it. */
void compute_at_both()
{
    compute("a", "a", 1);
    compute("b", "b", 1);
}

void both_paid_for(double s)
{
    ends("a", 1 + lost(0.3 * s));
    ends("b", 1 + lost(0.2 * s));
}

void a_transfer_between_hosts_needs_no_actor_there()
{
    load(TRIO);
    compute_at_both();
    actor("c", [] {
        sg::Comm::sendto(host("a"), host("b"), 500000);
        done("comm");
    });
    run();
    ends("comm", 0.5);
    both_paid_for(0.5);
}

void a_transfer_of_limited_rate_costs_less_for_longer()
{
    load(TRIO);
    compute("exec", "a", 0.8);
    actor("a", [] { put_init("comm", 0.5)->set_rate(0.5 * MB)->wait(); });
    actor("b", [] {
        get("comm");
        done("comm");
    });
    run();
    ends("comm", 1);
    ends("exec", 0.8 + lost(0.8 / 0.85 - 0.8));
}

// ---- transfers that do not end well: the bytes that have passed are paid ----

template <class Work> bool fails(Work work)
{
    try {
        work();
        return false;
    } catch (const simgrid::Exception &) {
        return true;
    }
}

/* 2 MB from a to b, and when each end learns that they fail. */
void doomed_transfer()
{
    actor("a", [] {
        if (fails([] { put("comm", 2); }))
            done("send fails");
    });
    actor("b", [] {
        if (fails([] { get("comm"); }))
            done("receive fails");
    });
}

void a_send_times_out()
{
    load(TRIO);
    compute_at_both();
    actor("a", [] {
        static int payload;
        if (fails([] { box("comm")->put(&payload, 2000000, 0.5); }))
            done("send fails");
    });
    actor("b", [] { fails([] { get("comm"); }); });
    run();
    ends("send fails", 0.5);
    both_paid_for(0.5);
}

void a_receive_times_out()
{
    load(TRIO);
    compute_at_both();
    actor("a", [] { fails([] { put("comm", 2); }); });
    actor("b", [] {
        if (fails([] { box("comm")->get<int>(0.5); }))
            done("receive fails");
    });
    run();
    ends("receive fails", 0.5);
    both_paid_for(0.5);
}

void a_timeout_before_the_rendezvous_costs_nothing()
{
    load(TRIO);
    compute("exec", "a", 1);
    actor("a", [] {
        static int payload;
        if (fails([] { box("comm")->put(&payload, 2000000, 0.5); }))
            done("send fails");
    });
    run();
    ends("send fails", 0.5);
    ends("exec", 1);
}

void a_transfer_is_cancelled()
{
    load(TRIO);
    compute("exec", "a", 1);
    actor("a", [] {
        sg::CommPtr c = put_async("comm", 2);
        this_actor::sleep_until(0.25);
        c->cancel();
        done("cancelled");
    });
    actor("b", [] {
        fails([] { get("comm"); });
        done("receive fails");
    });
    run();
    ends("cancelled", 0.25);
    ends("receive fails", 0.25);
    ends("exec", 1 + lost(0.3 * 0.25));
}

void the_sender_is_killed()
{
    load(TRIO);
    compute_at_both();
    sg::ActorPtr sender = actor("a", [] { put("comm", 2); });
    actor("b", [] { fails([] { get("comm"); }); });
    actor("c", [sender] {
        this_actor::sleep_until(0.25);
        sender->kill();
    });
    run();
    both_paid_for(0.25);
}

void the_receiver_is_killed()
{
    load(TRIO);
    compute_at_both();
    actor("a", [] { fails([] { put("comm", 2); }); });
    sg::ActorPtr receiver = actor("b", [] { get("comm"); });
    receiver->set_kill_time(0.25);
    run();
    both_paid_for(0.25);
}

void a_link_goes_down()
{
    load(TRIO);
    compute_at_both();
    doomed_transfer();
    actor("c", [] {
        this_actor::sleep_until(0.25);
        sg::Link::by_name("ab")->turn_off();
    });
    run();
    ends("send fails", 0.25);
    ends("receive fails", 0.25);
    both_paid_for(0.25);
}

void a_link_goes_down_by_its_profile()
{
    write_file("state", "0.25 0\n");
    load(CM02 HOST_A HOST_B LINK("ab", "bandwidth=\"1MBps\" latency=\"0s\" state_file=\"state\"") ROUTE("a", "b", "ab")
             END_OF_PLATFORM);
    compute("a", "a", 1);
    doomed_transfer();
    run();
    ends("send fails", 0.25);
    ends("receive fails", 0.25);
    ends("a", 1 + lost(0.3 * 0.25));
}

void the_receivers_host_goes_down()
{
    load(TRIO);
    compute("a", "a", 1);
    doomed_transfer();
    actor("c", [] {
        this_actor::sleep_until(0.25);
        host("b")->turn_off();
        this_actor::sleep_until(0.5);
        host("b")->turn_on();
        compute("b", "b", 1);
    });
    run();
    ends("send fails", 0.25);
    ends("a", 1 + lost(0.3 * 0.25));
    ends("b", 1.5);
}

void the_senders_host_goes_down_and_comes_back()
{
    load(TRIO);
    compute("lost", "a", 1);
    compute("b", "b", 1);
    doomed_transfer();
    actor("c", [] {
        this_actor::sleep_until(0.25);
        host("a")->turn_off();
        this_actor::sleep_until(0.5);
        host("a")->turn_on();
        compute("again", "a", 1);
        transfer("second", "a", "c", 0.5);
    });
    run();
    ends("receive fails", 0.25);
    ends("b", 1 + lost(0.2 * 0.25));
    ends("second", 1);
    ends("again", 1.5 + lost(0.15));
}

void an_actor_is_restarted_with_its_host()
{
    load(TRIO);
    actor("a", [] {
        execute(1);
        done("exec");
    })->set_auto_restart(true);
    transfer("comm", "b", "c", 1);
    actor("c", [] {
        this_actor::sleep_until(0.25);
        host("a")->turn_off();
        host("a")->turn_on();
        transfer("second", "a", "c", 0.5);
    });
    run();
    ends("comm", 1);
    ends("second", 0.75);
    ends("exec", 1.25 + lost(0.15));
}

void a_host_fails_often()
{
    /* SimGrid may put new executions where those of before were: none of them may be taken for an old one */
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    load(CM02 HOST_WITH("a", "speed=\"1Gf\" core=\"16\"", PROP("ir_send", "0.3")) REST_OF_TRIO);
    for (const char *what : names)
        compute(what, "a", 1)->set_auto_restart(true);
    actor("c", [] {
        for (int i = 1; i <= 20; i++) {
            std::vector<sg::ExecPtr> execs;
            sg::CommPtr c = sg::Comm::sendto_async(host("a"), host("b"), 500000);
            for (int k = 0; k < 8; k++)
                execs.push_back(this_actor::exec_init(GF)->set_host(host("a")));
            for (auto &e : execs)
                e->start();
            this_actor::sleep_until(0.0625 * i);
            host("a")->turn_off();
            fails([c] { c->wait(); });
            for (auto &e : execs)
                fails([e] { e->wait(); });
            host("a")->turn_on();
        }
        sg::Comm::sendto(host("a"), host("b"), 500000);
        done("comm");
    });
    run();
    ends("comm", 1.75);
    for (const char *what : names)
        ends(what, 2.25 + lost(0.15));
}

// ---- several flows ----

#define SHARED_UP                                                                                                      \
    CM02 HOST("a", PROP("ir_send.b", "0.1") PROP("ir_send.c", "0.4")) HOST_B HOST_C MBPS("up", "1") MBPS("lb", "10")   \
        MBPS("lc", "0.25") ROUTE2("a", "b", "up", "lb") ROUTE2("a", "c", "up", "lc") END_OF_PLATFORM

void flows_share_a_link_max_min()
{
    load(SHARED_UP);
    compute("exec", "a", 1);
    transfer("b", "a", "b", 1.25); // 0.75 MB/s beside c, then 1
    transfer("c", "a", "c", 0.25);
    run();
    ends("c", 1);
    ends("b", 1.5);
    ends("exec", 1 + lost((0.075 + 0.1) + 0.1 * (0.175 / 0.9))); // 0.825 by 1 s, then at 90 %
}

void flows_of_one_pair_share_their_link()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("first", "a", "b", 0.25);
    transfer("second", "a", "b", 0.5); // 0.5 MB/s each until 0.5 s, then one alone
    run();
    ends("first", 0.5);
    ends("second", 0.75);
    ends("exec", 1 + lost(0.3 * 0.75));
}

void flows_on_a_fatpipe_do_not_share()
{
    load(CM02 HOST_A HOST_B LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"FATPIPE\"")
             ROUTE("a", "b", "l") END_OF_PLATFORM);
    compute("exec", "a", 1);
    transfer("first", "a", "b", 0.25);
    transfer("second", "a", "b", 0.5);
    run();
    ends("first", 0.25);
    ends("second", 0.5);
    ends("exec", 1 + lost(0.3 * 0.75));
}

void two_ways_share_a_link()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("out", "a", "b", 0.5);
    transfer("in", "b", "a", 0.25);
    run();
    ends("in", 0.5);
    ends("out", 0.75);
    ends("exec", 1 + lost(0.3 * 0.5 + 0.1 * 0.25));
}

void two_ways_of_a_split_duplex_link_do_not()
{
    load(CM02 HOST_A HOST_B LINK(
        "l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\"") "<route src=\"a\" "
                                                                                  "dst=\"b\"><link_ctn id=\"l\" "
                                                                                  "direction=\"UP\"/></"
                                                                                  "route>" END_OF_PLATFORM);
    compute("exec", "a", 1);
    transfer("out", "a", "b", 0.5);
    transfer("in", "b", "a", 0.25);
    run();
    ends("in", 0.25);
    ends("out", 0.5);
    ends("exec", 1 + lost(0.3 * 0.5 + 0.1 * 0.25));
}

void unequal_latencies_weigh_the_shares()
{
    /* Of two flows on "up", SimGrid gives each a share as 1 / latency of its route: b 2/3, c 1/3. */
    load(CM02 HOST("a", PROP("ir_send.b", "0.5") PROP("ir_send.c", "0.1")) HOST_B HOST_C MBPS("up", "1")
             LINK("lb", "bandwidth=\"9MBps\" latency=\"100ms\"") LINK("lc", "bandwidth=\"9MBps\" latency=\"200ms\"")
                 ROUTE2("a", "b", "up", "lb") ROUTE2("a", "c", "up", "lc") END_OF_PLATFORM);
    compute("exec", "a", 0.5);
    transfer("b", "a", "b", 0.5); // from 0.1 s alone, from 0.2 s with c
    transfer("c", "a", "c", 0.5); // 0.2 MB until b's end
    run();
    ends("b", 0.8);
    ends("c", 1.1);
    double at_02 = 0.1 + 0.5 * 0.1, slow = 1 - 0.5 * 2 / 3 - 0.1 / 3;
    ends("exec", 0.5 + lost(0.2 + (0.5 - at_02) / slow - 0.5));
}

// ---- networks as users configure them ----

#define DEFAULTS(config) PLATFORM_HEAD "<config>" config "</config>" BEGIN_OF_ZONE HOST_A
#define LINE HOST_B HOST_C LINK("l", "bandwidth=\"1MBps\" latency=\"10ms\"") ROUTE("a", "b", "l") END_OF_PLATFORM

void by_default_bandwidth_has_a_factor_and_acknowledgements()
{
    /* LV08: 13.01 times the latency, 0.97 of the bandwidth; acknowledgements take 5 % more on a shared link */
    load(PLATFORM_HEAD BEGIN_OF_ZONE HOST_A LINE);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 13.01 * 0.01 + 0.5 / (0.97 / 1.05));
    ends("exec", 1 + lost(0.15));
}

void crosstraffic_lowers_the_rate()
{
    load(DEFAULTS(PROP("network/model", "CM02") PROP("network/crosstraffic", "1") PROP("network/TCP-gamma", "0")) LINE);
    compute("exec", "a", 0.3);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.01 + 0.5 * 1.05);
    ends("exec", 0.3 + lost(0.29 / (1 - 0.3 / 1.05) - 0.29));
}

void the_tcp_window_limits_a_rate()
{
    /* TCP-gamma / (2 latency) = 0.5 MB/s */
    load(DEFAULTS(PROP("network/model", "CM02") PROP("network/crosstraffic", "0") PROP("network/TCP-gamma", "10000"))
             LINE);
    compute("exec", "a", 0.3);
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.01 + 1);
    ends("exec", 0.3 + lost(0.29 / 0.85 - 0.29));
}

// ---- rates that change ----

void a_bandwidth_changes_by_its_profile()
{
    write_file("bandwidth", "0.25 5e5\n");
    load(CM02 HOST_A HOST_B LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\"")
             ROUTE("a", "b", "l") END_OF_PLATFORM);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 1);
    run();
    ends("comm", 0.25 + 1.5);
    ends("exec", 1 + lost(0.25 + (1 - 0.7 * 0.25) / 0.85 - 1));
}

void a_bandwidth_is_set_by_an_actor()
{
    load(TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 1);
    actor("c", [] {
        this_actor::sleep_until(0.25);
        sg::Link::by_name("ab")->set_bandwidth(0.5 * MB);
    });
    run();
    ends("comm", 0.25 + 1.5);
    ends("exec", 1 + lost(0.25 + (1 - 0.7 * 0.25) / 0.85 - 1));
}

void a_speed_changes_by_its_profile()
{
    write_file("speed", "0.25 0.5\n");
    load(CM02 HOST_WITH("a", "speed=\"1Gf\" speed_file=\"speed\"", PROP("ir_send", "0.3")) REST_OF_TRIO);
    compute("exec", "a", 1); // 0.25 by 0.25 s, then at half the speed
    transfer("comm", "a", "b", 0.5);
    run();
    ends("comm", 0.5);
    ends("exec", 1.75 + lost(2 * 0.3 * 0.25 + 0.3 * 0.25));
}

void a_host_changes_its_pstate()
{
    load(CM02 HOST_WITH("a", "speed=\"1Gf,0.5Gf\"", PROP("ir_send", "0.3")) REST_OF_TRIO);
    compute("exec", "a", 1);
    transfer("comm", "a", "b", 0.5);
    actor("c", [] {
        this_actor::sleep_until(0.25);
        host("a")->set_pstate(1);
    });
    run();
    ends("comm", 0.5);
    ends("exec", 1.75 + lost(2 * 0.3 * 0.25 + 0.3 * 0.25));
}

const closed_case cases[] = {
    CASE(a_transfer_that_ends_first_takes_ir_times_bytes),
    CASE(an_execution_that_ends_first_is_slow_throughout),
    CASE(a_transfer_begins_within_an_execution),
    CASE(an_execution_begins_within_a_transfer),
    CASE(each_end_pays_its_own_rate),
    CASE(an_actor_computes_beside_its_own_transfer),
    CASE(nothing_to_send_and_nothing_to_compute_take_no_time),
    CASE(a_transfer_follows_another_at_the_same_instant),
    CASE(remaining_work_is_seen_in_the_middle),
    CASE(a_run_may_be_interrupted),
    CASE(a_factor_is_never_below_0),
    CASE(several_transfers_together_reach_0),
    CASE(a_factor_is_never_below_its_floor),
    CASE(what_starts_on_a_standing_host_waits_unless_it_is_nothing),
    CASE(a_peer_has_a_rate_of_its_own),
    CASE(sends_and_receives_add_up),
    CASE(sends_weigh_otherwise_while_the_host_receives),
    CASE(receives_weigh_otherwise_while_the_host_sends),
    CASE(a_constant_alone_slows_a_host_down),
    CASE(a_host_without_rates_pays_nothing),
    CASE(transfers_within_a_host_cost_nothing),
    CASE(nothing_is_paid_during_latency),
    CASE(a_transfer_waits_for_its_receiver),
    CASE(a_transfer_waits_for_its_sender),
    CASE(a_permanent_receiver_lets_transfers_start_before_it_asks),
    CASE(a_detached_transfer_counts),
    CASE(a_transfer_between_hosts_needs_no_actor_there),
    CASE(a_transfer_of_limited_rate_costs_less_for_longer),
    CASE(a_send_times_out),
    CASE(a_receive_times_out),
    CASE(a_timeout_before_the_rendezvous_costs_nothing),
    CASE(a_transfer_is_cancelled),
    CASE(the_sender_is_killed),
    CASE(the_receiver_is_killed),
    CASE(a_link_goes_down),
    CASE(a_link_goes_down_by_its_profile),
    CASE(the_receivers_host_goes_down),
    CASE(the_senders_host_goes_down_and_comes_back),
    CASE(an_actor_is_restarted_with_its_host),
    CASE(a_host_fails_often),
    CASE(flows_share_a_link_max_min),
    CASE(flows_of_one_pair_share_their_link),
    CASE(flows_on_a_fatpipe_do_not_share),
    CASE(two_ways_share_a_link),
    CASE(two_ways_of_a_split_duplex_link_do_not),
    CASE(unequal_latencies_weigh_the_shares),
    CASE(by_default_bandwidth_has_a_factor_and_acknowledgements),
    CASE(crosstraffic_lowers_the_rate),
    CASE(the_tcp_window_limits_a_rate),
    CASE(a_bandwidth_changes_by_its_profile),
    CASE(a_bandwidth_is_set_by_an_actor),
    CASE(a_speed_changes_by_its_profile),
    CASE(a_host_changes_its_pstate),
};

} // namespace

CLOSED_MAIN(cases)
