/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replays worked out by hand from doc/model.md, Replay. Hosts do 1000 flop/s, links carry 1 MB/s unless said otherwise;
   the dates of a schedule are only what gives the order. */
#include "replay_case.h"

#define BYTES "1000000"
#define PAIR(a, b, link) CM02 HOST("a", a) HOST("b", b) link ROUTE("a", "b", "l") END_OF_PLATFORM
#define PLAIN PAIR("", "", MBPS("l", "1"))
#define OF_SENDER(o, i) PROP("overhead_send", o) PROP("involvement_send", i)
#define OF_RECEIVER(o, i) PROP("overhead_recv", o) PROP("involvement_recv", i)
#define FROM_A_TO_B "task A a 0 1\n task B b 2 3\n"

/* ---- one message ---- */

static void data_arrive_before_their_task_starts(void)
{
    CHECK_REPLAY_BOTH(PLAIN, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "task A 0 1\n send A B 1 1\n move A B 1 2\n recv A B 2 2\n task B 2 3\n makespan 3\n"
                      "host a 1 0\n host b 1 0\n");
}

static void everything_starts_as_soon_as_it_can(void)
{
    CHECK_REPLAY_BOTH(PLAIN, "A:1000 B:1000 | A>B:" BYTES, "task A a 50 51\n link A B 0 60 61\n task B b 70 71\n",
                      "contention", "none", "task A 0 1\n move A B 1 2\n task B 2 3\n");
}

static void rates_slow_computing_down(void)
{
    /* D: 0.5 s of work while A's data leave, the rest after it; b has nothing to do meanwhile, and yet pays */
    CHECK_REPLAY_BOTH(
        PAIR(PROP("ir_send", "0.5"), PROP("ir_recv", "0.2"), MBPS("l", "1")), "A:1000 B:1000 D:1000 | A>B:" BYTES,
        FROM_A_TO_B "task D a 1 2\n", "classic", "interference",
        "task A 0 1\n move A B 1 2\n task B 2 3\n task D 1 2.5\n makespan 3\n host a 2 0.5\n host b 1 0.2\n");
}

#define INVOLVED PAIR(OF_SENDER("0.1", "0.5"), OF_RECEIVER("0.2", "0.25"), MBPS("l", "1"))
#define INVOLVED_TIMES                                                                                                 \
    "task A 0 1\n send A B 1 1.6\n move A B 1.1 2.1\n recv A B 1.85 2.3\n task B 2.3 3.3\n task D 1.6 2.6\n"           \
    "host a 2 0.6\n host b 1 0.45\n"

static void a_message_occupies_both_processors(void)
{
    CHECK_REPLAY_BOTH(INVOLVED, "A:1000 B:1000 D:1000 | A>B:" BYTES,
                      FROM_A_TO_B "task D a 5 6\n send A B 3 4\n link A B 0 4 5\n recv A B 1 2\n", "involvement",
                      "involvement", INVOLVED_TIMES);
}

static void what_the_schedule_does_not_place_stands_by_its_task(void)
{
    CHECK_REPLAY_BOTH(INVOLVED, "A:1000 B:1000 D:1000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n link A B 0 1 2\n",
                      "contention", "involvement", INVOLVED_TIMES);
    CHECK_REPLAY_BOTH(INVOLVED, "A:1000 B:1000 D:1000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic",
                      "involvement", INVOLVED_TIMES);
}

static void a_message_waits_for_its_turn(void)
{
    /* D stands before the send; on b, E before the receive: 1.85 has passed */
    CHECK_REPLAY_BOTH(
        INVOLVED, "A:1000 B:1000 D:1000 E:5000 | A>B:" BYTES,
        FROM_A_TO_B "task D a 1 2\n send A B 2 3\n link A B 0 2 3\n task E b 0 2\n recv A B 2 2.5\n", "involvement",
        "involvement",
        "task D 1 2\n send A B 2 2.6\n move A B 2.1 3.1\n task E 0 5\n recv A B 5 5.45\n task B 5.45 6.45\n");
}

static void waiting_keeps_the_order(void)
{
    /* C could begin at 0, but stands behind B, or behind the receive */
    CHECK_REPLAY_BOTH(PLAIN, "A:1000 B:1000 C:1000 | A>B:" BYTES, FROM_A_TO_B "task C b 3 4\n", "classic", "none",
                      "task B 2 3\n task C 3 4\n");
    CHECK_REPLAY_BOTH(INVOLVED, "A:1000 B:1000 C:1000 | A>B:" BYTES,
                      "task A a 0 1\n send A B 1 2\n link A B 0 1 2\n recv A B 1 2\n task C b 2 3\n task B b 3 4\n",
                      "involvement", "none", "move A B 1 2\n recv A B 2 2\n task C 2 3\n task B 3 4\n host b 2 0\n");
}

static void a_send_in_its_place_waits_even_where_it_costs_nothing(void)
{
    CHECK_REPLAY_BOTH(INVOLVED, "A:1000 B:1000 D:1000 | A>B:" BYTES,
                      FROM_A_TO_B "task D a 1 2\n send A B 2 3\n link A B 0 2 3\n recv A B 2 3\n", "involvement",
                      "none", "task D 1 2\n send A B 2 2\n move A B 2 3\n task B 3 4\n");
}

static void a_receive_begun_late_takes_its_time(void)
{
    CHECK_REPLAY_BOTH(PAIR("", OF_RECEIVER("0", "1"), MBPS("l", "1")), "A:1000 B:1000 E:1500 | A>B:" BYTES,
                      FROM_A_TO_B "task E b 0 1\n", "classic", "involvement",
                      "move A B 1 2\n task E 0 1.5\n recv A B 1.5 2.5\n task B 2.5 3.5\n");
}

static void latency_occupies_nobody(void)
{
    CHECK_REPLAY_BOTH(
        PAIR(OF_SENDER("0.1", "0.5"), OF_RECEIVER("0.2", "0.25"), LINK("l", "bandwidth=\"1MBps\" latency=\"0.5s\"")),
        "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "involvement",
        "send A B 1 1.6\n move A B 1.1 2.6\n recv A B 2.35 2.8\n task B 2.8 3.8\n");
}

static void fractions_of_a_byte_count(void)
{
    static const char *const platform = PAIR("", "", LINK("l", "bandwidth=\"1Bps\" latency=\"0.1s\"")),
                             *const graph = "A:1000 B:1000 | A>B:0.4";
    CHECK_REPLAY_BOTH(platform, graph, FROM_A_TO_B, "classic", "none", "move A B 1 1.5\n task B 1.5 2.5\n");
    CHECK_REPLAY_BOTH(PAIR("", "", LINK("l", "bandwidth=\"1Bps\" latency=\"0s\"")), "A:1000 B:1000 | A>B:2.75",
                      FROM_A_TO_B, "classic", "none", "move A B 1 3.75\n task B 3.75 4.75\n");
}

static void fractions_of_a_byte_survive_a_link_that_stops(void)
{
    /* 1.25 bytes are left at 2.5 */
    char *profile = file_with("bandwidth", "2.5 0\n4 1\n");
    CHECK_REPLAY_BOTH(PAIR("", "", LINK("l", "bandwidth=\"1Bps\" latency=\"0s\" bandwidth_file=\"bandwidth\"")),
                      "A:1000 B:1000 | A>B:2.75", FROM_A_TO_B, "classic", "none", "move A B 1 5.25\n");
    free(profile);
}

static void without_bytes_only_latency_and_overhead_remain(void)
{
    static const char *const platform =
        PAIR(OF_SENDER("0.1", "0.5"), OF_RECEIVER("0.2", "0.25"), LINK("l", "bandwidth=\"1MBps\" latency=\"0.3s\""));
    CHECK_REPLAY_BOTH(platform, "A:1000 B:1000 | A>B:0", FROM_A_TO_B "link A B 0 1 1\n", "contention", "none",
                      "move A B 1 1.3\n task B 1.3 2.3\n");
    CHECK_REPLAY_BOTH(platform, "A:1000 B:1000 | A>B:0", FROM_A_TO_B, "classic", "involvement",
                      "send A B 1 1.1\n move A B 1.1 1.4\n recv A B 1.4 1.6\n task B 1.6 2.6\n");
    CHECK_REPLAY_BOTH(PLAIN, "A:1000 B:1000 | A>B:0", FROM_A_TO_B, "classic", "none", "move A B 1 1\n task B 1 2\n");
}

static void a_task_without_work_occupies_nothing(void)
{
    /* Z comes while A computes */
    CHECK_REPLAY_BOTH(PLAIN, "A:9000 Y:1000 Z:0 W:1000 | Y>Z:" BYTES " Z>W:" BYTES,
                      "task A a 0 9\n task Y b 0 1\n task Z a 2 2\n task W b 3 4\n", "classic", "none",
                      "task A 0 9\n task Z 2 2\n task W 3 4\n makespan 9\n host a 9 0\n host b 2 0\n");
}

/* ---- several ---- */

#define FORK(a, up, l, k)                                                                                              \
    CM02 HOST("a", a) HOST("b", "") HOST("c", "") up l k ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k")       \
        ROUTE2("b", "c", "l", "k") END_OF_PLATFORM
#define COMMON_LINK FORK("", MBPS("up", "1"), MBPS("l", "1"), MBPS("k", "1"))
#define FORK_GRAPH "A:1000 B:1000 C:1000 | A>B:" BYTES " A>C:" BYTES
#define FORK_TASKS "task A a 0 1\n task B b 3 4\n task C c 2 3\n"

static void fluid_links_are_shared_and_exclusive_ones_are_not(void)
{
    static const char *const plan = FORK_TASKS "link A C 0 1 2\n link A C 1 1 2\n link A B 0 2 3\n link A B 1 2 3\n";
    CHECK_REPLAY(COMMON_LINK, FORK_GRAPH, plan, "contention", "none", REPLAY_FLUID,
                 "move A B 1 3\n move A C 1 3\n task B 3 4\n task C 3 4\n");
    CHECK_REPLAY(COMMON_LINK, FORK_GRAPH, plan, "contention", "none", REPLAY_EXCLUSIVE,
                 "move A C 1 2\n move A B 2 3\n task C 2 3\n task B 3 4\n");
}

static void without_an_order_the_first_comes_first(void)
{
    /* both at 1: C is planned earlier; then D's, whose origin ends later, though it is planned first of all */
    CHECK_REPLAY(COMMON_LINK, FORK_GRAPH, FORK_TASKS, "classic", "none", REPLAY_EXCLUSIVE,
                 "move A C 1 2\n move A B 2 3\n");
    CHECK_REPLAY(COMMON_LINK, "A:1000 B:1000 C:1000 D:500 E:1000 | A>B:" BYTES " A>C:" BYTES " D>E:" BYTES,
                 FORK_TASKS "task D a 1 1.1\n task E c 1.5 2\n", "classic", "none", REPLAY_EXCLUSIVE,
                 "move A C 1 2\n move A B 2 3\n task D 1 1.5\n move D E 3 4\n task E 4 5\n task C 5 6\n");
}

static void every_fatpipe_carries_whoever_comes(void)
{
    static const char *const plan = FORK_TASKS "link A C 0 1 2\n link A C 1 1 2\n link A B 0 2 3\n link A B 1 2 3\n";
    CHECK_REPLAY_BOTH(FORK("", LINK("up", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"FATPIPE\""),
                           MBPS("l", "1"), MBPS("k", "1")),
                      FORK_GRAPH, plan, "contention", "none", "move A C 1 2\n move A B 1 2\n");
}

static void data_cut_through_from_link_to_link(void)
{
    /* 0.5 s, then 1 s from 1.1 on; 1 s, then 0.5 s from 1.6 on: there with the last byte */
    static const char *const plan = FORK_TASKS "link A B 0 1 2\n link A B 1 2 3\n";
    CHECK_REPLAY_BOTH(FORK("", LINK("up", "bandwidth=\"2MBps\" latency=\"0.1s\""),
                           LINK("l", "bandwidth=\"1MBps\" latency=\"0.2s\""), MBPS("k", "1")),
                      "A:1000 B:1000 C:1000 | A>B:" BYTES, plan, "contention", "none", "move A B 1 2.3\n");
    CHECK_REPLAY_BOTH(FORK("", LINK("up", "bandwidth=\"1MBps\" latency=\"0.1s\""),
                           LINK("l", "bandwidth=\"2MBps\" latency=\"0.2s\""), MBPS("k", "1")),
                      "A:1000 B:1000 C:1000 | A>B:" BYTES, plan, "contention", "none", "move A B 1 2.3\n");
}

#define JOIN_TASKS "task A a 0 1\n task C c 0 1\n task B b 3 4\n"
#define JOIN                                                                                                           \
    CM02 HOST("a", "") HOST("b", "") HOST("c", "") MBPS("x", "1") MBPS("y", "1") MBPS("l", "1")                        \
        ROUTE2("a", "b", "x", "l") ROUTE2("c", "b", "y", "l") ROUTE2("a", "c", "x", "y") END_OF_PLATFORM

static void a_link_is_free_for_others_while_a_transfer_waits_for_the_next(void)
{
    /* y carries C>B at once; l has to carry A>B before it */
    static const char *const plan = JOIN_TASKS "link A B 0 1 2\n link A B 1 1 2\n link C B 0 1 2\n link C B 1 2 3\n";
    CHECK_REPLAY(JOIN, "A:1000 B:1000 C:1000 | A>B:" BYTES " C>B:" BYTES, plan, "contention", "none", REPLAY_EXCLUSIVE,
                 "move A B 1 2\n move C B 1 3\n task B 3 4\n");
    CHECK_REPLAY(JOIN, "A:3000 B:1000 C:1000 | A>B:" BYTES " C>B:" BYTES, plan, "contention", "none", REPLAY_EXCLUSIVE,
                 "move A B 3 4\n move C B 1 5\n task B 5 6\n");
    CHECK_REPLAY(JOIN, "A:3000 B:1000 C:1000 D:1000 | A>B:" BYTES " C>B:" BYTES " C>D:" BYTES,
                 "task A a 0 1\n task C c 0 1\n task B b 3 4\n task D a 4 5\n link A B 0 3 4\n link A B 1 3 4\n"
                 "link C B 0 1 2\n link C B 1 4 5\n link C D 0 2 3\n link C D 1 5 6\n",
                 "contention", "none", REPLAY_EXCLUSIVE, "move A B 3 4\n move C B 1 5\n move C D 2 5\n task D 5 6\n");
}

#define BOTH_WAYS "A:1000 B:1000 C:1000 D:1000 | A>B:" BYTES " C>D:" BYTES
#define BOTH_WAYS_PLAN "task A a 0 1\n task C b 0 1\n task B b 2 3\n task D a 3 4\n link A B 0 1 2\n link C D 0 2 3\n"

static void half_duplex_links_carry_one_direction_at_a_time(void)
{
    CHECK_REPLAY(PLAIN, BOTH_WAYS, BOTH_WAYS_PLAN, "contention", "none", REPLAY_EXCLUSIVE,
                 "move A B 1 2\n move C D 2 3\n task B 2 3\n task D 3 4\n");
    CHECK_REPLAY(PLAIN, BOTH_WAYS, BOTH_WAYS_PLAN, "contention", "none", REPLAY_FLUID,
                 "move A B 1 3\n move C D 1 3\n task B 3 4\n task D 3 4\n");
    CHECK_REPLAY_BOTH(
        CM02 HOST("a", "") HOST("b", "") LINK(
            "l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\"") "<route src=\"a\" "
                                                                                      "dst=\"b\"><link_ctn id=\"l\" "
                                                                                      "direction=\"UP\"/></"
                                                                                      "route>\n" END_OF_PLATFORM,
        BOTH_WAYS, BOTH_WAYS_PLAN, "contention", "none", "move A B 1 2\n move C D 1 2\n");
}

#define TRIPLE(a, b, c)                                                                                                \
    CM02 HOST("a", a) HOST("b", b) HOST("c", c) MBPS("l", "1") MBPS("k", "1") MBPS("m", "1") ROUTE("a", "b", "l")      \
        ROUTE("a", "c", "k") ROUTE("b", "c", "m") END_OF_PLATFORM

static void messages_of_one_task_come_in_the_order_of_their_other_ends(void)
{
    /* sends: C is planned before B, or has the link before it; receives: A's data were planned to arrive first */
    CHECK_REPLAY_BOTH(TRIPLE(OF_SENDER("0", "0.5"), "", ""), FORK_GRAPH, FORK_TASKS, "classic", "involvement",
                      "send A C 1 1.5\n send A B 1.5 2\n move A C 1 2\n move A B 1.5 2.5\n");
    CHECK_REPLAY_BOTH(TRIPLE(OF_SENDER("0", "0.5"), "", ""), FORK_GRAPH, FORK_TASKS "link A C 0 2 3\n link A B 0 1 2\n",
                      "contention", "involvement", "send A B 1 1.5\n send A C 1.5 2\n");
    CHECK_REPLAY_BOTH(TRIPLE("", "", OF_RECEIVER("0", "0.5")), "A:1000 B:500 C:1000 | B>C:" BYTES " A>C:" BYTES,
                      "task A a 0 1\n task B b 1 2\n task C c 3 4\n", "classic", "involvement",
                      "recv A C 1.5 2\n recv B C 2 2.5\n task C 2.5 3.5\n host c 1 1\n");
}

#define FORK_TO(b)                                                                                                     \
    CM02 HOST("a", "") HOST("b", b) HOST("c", "") MBPS("up", "1") MBPS("l", "1") MBPS("k", "1")                        \
        ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k") ROUTE2("b", "c", "l", "k") END_OF_PLATFORM

static void a_receive_begins_by_the_present_rate(void)
{
    /* i_r is 0.5 s. Fluid: half the rate from 1.25 on, 0.25 MB left at 2.25. Exclusive: at the end of the full rate */
    static const char *const platform = FORK_TO(OF_RECEIVER("0", "0.5"));
    static const char *const graph = "A:1000 B:1000 D:250 E:1000 | A>B:" BYTES " D>E:5000000";
    static const char *const plan = "task A a 0 1\n task D a 1 1.25\n task B b 2 3\n task E c 9 10\n"
                                    "link A B 0 1 2\n link A B 1 1 2\n link D E 0 2 7\n link D E 1 2 7\n";
    CHECK_REPLAY(platform, graph, plan, "contention", "involvement", REPLAY_FLUID,
                 "move A B 1 2.75\n recv A B 2.25 2.75\n task B 2.75 3.75\n");
    CHECK_REPLAY(platform, graph, plan, "contention", "involvement", REPLAY_EXCLUSIVE,
                 "move A B 1 2\n recv A B 1.5 2\n task B 2 3\n move D E 2 7\n");
}

static void a_receive_that_is_due_waits_again_when_its_transfer_slows_down(void)
{
    /* due from 1 on, not from 1.25 on, when D's data share the link: b reaches it at 1.5, half a megabyte is left
     * at 1.75 */
    static const char *const plan = FORK_TASKS "task D a 1 1.25\n task E b 0 1.5\n";
    CHECK_REPLAY(FORK_TO(OF_RECEIVER("0", "1")), "A:1000 B:1000 C:1000 D:250 E:1500 | A>B:" BYTES " D>C:5000000", plan,
                 "classic", "involvement", REPLAY_FLUID,
                 "task E 0 1.5\n move A B 1 2.75\n recv A B 1.75 2.75\n task B 2.75 3.75\n");
    /* 0.75 s: what starts when the receive is reached counts, too */
    CHECK_REPLAY(FORK_TO(OF_RECEIVER("0", "0.75")), "A:1000 B:1000 C:1000 D:500 E:1500 | A>B:" BYTES " D>C:5000000",
                 plan, "classic", "involvement", REPLAY_FLUID,
                 "task D 1 1.5\n task E 0 1.5\n move A B 1 2.5\n recv A B 1.75 2.5\n task B 2.5 3.5\n");
}

static void hops_are_felt_at_the_ends_of_the_route_only(void)
{
    /* up is twice as fast: felt by a for 0.5 s; l by b for 1 s */
    CHECK_REPLAY(CM02 HOST("a", PROP("ir_send", "0.25")) HOST("b", PROP("ir_recv", "0.2")) HOST("c", "") MBPS("up", "2")
                     MBPS("l", "1") MBPS("k", "1") ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k")
                         ROUTE2("b", "c", "l", "k") END_OF_PLATFORM,
                 "A:1000 B:1000 D:1000 E:2000 | A>B:" BYTES,
                 "task A a 0 1\n task D a 1 2\n task E b 0 2\n task B b 2 3\n link A B 0 1 2\n link A B 1 1 2\n",
                 "contention", "interference", REPLAY_EXCLUSIVE,
                 "task D 1 2.25\n move A B 1 2\n task E 0 2.2\n task B 2.2 3.2\n host a 2 0.25\n host b 3 0.2\n");
}

/* ---- what changes ---- */

#define CHANGING LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\"")

static void what_remains_goes_on_at_the_new_bandwidth(void)
{
    char *profile = file_with("bandwidth", "1.25 5e5\n");
    CHECK_REPLAY_BOTH(PAIR("", OF_RECEIVER("0", "0.5"), CHANGING), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic",
                      "involvement", "move A B 1 2.75\n recv A B 2.25 2.75\n task B 2.75 3.75\n");
    /* due from 1 on, not from 1.25 on; reached at 1.5 */
    CHECK_REPLAY_BOTH(PAIR("", OF_RECEIVER("0", "1"), CHANGING), "A:1000 B:1000 E:1500 | A>B:" BYTES,
                      FROM_A_TO_B "task E b 0 1.5\n", "classic", "involvement",
                      "task E 0 1.5\n move A B 1 2.75\n recv A B 1.75 2.75\n task B 2.75 3.75\n");
    /* 0.25 s at 0.7, 0.825 s of work at 0.85 */
    CHECK_REPLAY_BOTH(PAIR(PROP("ir_send", "0.3"), "", CHANGING), "A:1000 B:1000 D:1000 | A>B:" BYTES,
                      FROM_A_TO_B "task D a 1 2\n", "classic", "interference",
                      "move A B 1 2.75\n task D 1 2.2205882352941178\n host a 2 0.3\n");
    free(profile);
}

static void a_link_without_bandwidth_waits_for_it(void)
{
    char *profile = file_with("bandwidth", "1.5 0\n3 1e6\n");
    CHECK_REPLAY_BOTH(PAIR("", "", CHANGING), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "move A B 1 3.5\n task B 3.5 4.5\n");
    free(profile);
    profile = file_with("bandwidth", "0.5 0\n3 1e6\n");
    CHECK_REPLAY_BOTH(PAIR("", "", CHANGING), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "move A B 1 4\n");
    free(profile);
    profile = file_with("bandwidth", "1.5 0\n");
    CHECK_REPLAY(PAIR("", "", CHANGING), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none", REPLAY_FLUID,
                 "error deadlock: what is in progress can never proceed: transfer a -> b");
    CHECK_REPLAY(PAIR("", "", CHANGING), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none", REPLAY_EXCLUSIVE,
                 "error deadlock: the transfer A -> B can never proceed on link 'l'");
    free(profile);
    profile = file_with("bandwidth", "PERIODICITY 1\n0.5 0\n");
    CHECK_REPLAY(PAIR("", "", CHANGING), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none", REPLAY_EXCLUSIVE,
                 "error deadlock: the transfer A -> B can never proceed on link 'l'");
    free(profile);
}

static void no_link_is_done_before_the_one_before_it(void)
{
    /* up: 0.5 MB left at 1.5, at half the rate; l would be over at 2 */
    char *profile = file_with("bandwidth", "1.5 5e5\n");
    CHECK_REPLAY(FORK("", LINK("up", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\""), MBPS("l", "1"),
                      MBPS("k", "1")),
                 "A:1000 B:1000 C:1000 | A>B:" BYTES, FORK_TASKS "link A B 0 1 2\n link A B 1 1 2\n", "contention",
                 "none", REPLAY_EXCLUSIVE, "move A B 1 2.5\n task B 2.5 3.5\n");
    /* stopped for a second: l, too */
    free(file_with("bandwidth", "1.5 0\n2.5 1e6\n"));
    CHECK_REPLAY(FORK("", LINK("up", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\""), MBPS("l", "1"),
                      MBPS("k", "1")),
                 "A:1000 B:1000 C:1000 | A>B:" BYTES, FORK_TASKS "link A B 0 1 2\n link A B 1 1 2\n", "contention",
                 "none", REPLAY_EXCLUSIVE, "move A B 1 3\n task B 3 4\n");
    free(profile);
}

/* ---- what goes wrong ---- */

static void a_circle_of_the_order_is_named(void)
{
    static const char *const graph = "A:1000 B:1000 C:1000 D:1000 | A>D:" BYTES " B>C:" BYTES;
    static const char *const plan = "task C a 0 1\n task A a 1 2\n task D b 0 1\n task B b 1 2\n";
    CHECK_REPLAY_BOTH(PLAIN, graph, plan, "classic", "none",
                      "error its order has a cycle: host 'b' waits to compute D before it computes B; host 'a' waits "
                      "to compute C before it computes A");
    CHECK_REPLAY(PAIR(OF_SENDER("0.1", "0") OF_RECEIVER("0.1", "0"), OF_SENDER("0.1", "0") OF_RECEIVER("0.1", "0"),
                      MBPS("l", "1")),
                 graph,
                 "task A a 1 2\n send A D 2 3\n link A D 0 2 3\n recv B C 0 1\n task C a 4 5\n"
                 "task B b 1 2\n send B C 2 3\n link B C 0 3 4\n recv A D 0 1\n task D b 4 5\n",
                 "involvement", "none", REPLAY_FLUID,
                 "error a cycle: host 'b' waits to receive A -> D before it computes B; host 'a' waits to receive "
                 "B -> C before it computes A");
    CHECK_REPLAY_BOTH(PLAIN, "A:1000 B:1000 | A>B:0", "task B a 0 1\n task A a 1 2\n", "classic", "none",
                      "error a cycle: B needs the data of A; host 'a' waits to compute B before it computes A");
}

static void a_circle_over_a_link_matters_where_links_keep_their_order(void)
{
    static const char *const graph = "C:1000 D:1000 A:1000 B:1000 | C>D:" BYTES " D>A:0 A>B:" BYTES;
    static const char *const plan = "task C a 0 1\n task D b 2 3\n task A b 3 4\n task B a 5 6\n"
                                    "link A B 0 0 1\n link C D 0 1 2\n";
    CHECK_REPLAY(PLAIN, graph, plan, "contention", "none", REPLAY_FLUID, "task B 5 6\n");
    CHECK_REPLAY(PLAIN, graph, plan, "contention", "none", REPLAY_EXCLUSIVE,
                 "error link 'l' waits to carry A -> B before it carries C -> D");
}

#define FILED_HOST(id, files, props) "<host id=\"" id "\" speed=\"1000f\" " files ">" props "</host>\n"
#define A_TO_FAILING_B(props)                                                                                          \
    CM02 HOST("a", OF_SENDER("0.1", "0.5")) FILED_HOST("b", "state_file=\"state\"", props) MBPS("l", "1")              \
        ROUTE("a", "b", "l") END_OF_PLATFORM

static void a_host_that_goes_down_is_an_error(void)
{
    char *profile = file_with("state", "1.5 0\n");
    CHECK_REPLAY_BOTH(A_TO_FAILING_B(""), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "error at 1.5 s the transfer A -> B failed: host 'a', host 'b' or a link between them was down");
    CHECK_REPLAY_BOTH(A_TO_FAILING_B(""), "A:1000 B:3000 | A>B:0", "task A a 0 1\n task B b 0 1\n", "classic", "none",
                      "error at 1.5 s host 'b' was down when it should compute B");
    free(file_with("state", "0.5 0\n"));
    CHECK_REPLAY_BOTH(A_TO_FAILING_B(""), "A:1000 B:3000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "error at 1 s the transfer A -> B failed");
    free(file_with("state", "2.2 0\n"));
    CHECK_REPLAY_BOTH(A_TO_FAILING_B(OF_RECEIVER("0.2", "0")), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic",
                      "involvement", "error at 2.2 s host 'b' was down when it should receive A -> B");
    free(file_with("state", "0.2 0\n0.7 1\n"));
    CHECK_REPLAY_BOTH(A_TO_FAILING_B(""), "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "move A B 1 2\n task B 2 3\n");
    free(profile);
}

/* The sender is involved for as long as its data take at 1 MB/s, but they go at 10 MB/s: the last task ends before
 * that. */
static void a_send_counts_only_until_the_last_task_ends(void)
{
    char *profile = file_with("bandwidth", "0.5 1e7\n");
    CHECK_REPLAY_BOTH(
        PAIR(OF_SENDER("0", "1"), "", LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\"")),
        "A:1000 B:100 | A>B:" BYTES, FROM_A_TO_B, "classic", "involvement",
        "send A B 1 2\n move A B 1 1.1\n task B 1.1 1.2\n makespan 1.2\n"
        "host a 1 0.2\n host b 0.1 0\n");
    free(profile);
}

static void a_link_that_goes_down_is_an_error(void)
{
    static const char *const platform =
        PAIR("", "", LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" state_file=\"state\""));
    char *profile = file_with("state", "1.5 0\n");
    CHECK_REPLAY_BOTH(platform, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "error at 1.5 s the transfer A -> B failed: host 'a', host 'b' or a link between them was down");
    free(file_with("state", "0.5 0\n"));
    CHECK_REPLAY_BOTH(platform, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "error at 1 s the transfer A -> B failed");
    free(file_with("state", "0.5 0\n0.7 1\n"));
    CHECK_REPLAY_BOTH(platform, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none", "move A B 1 2\n");
    free(profile);
}

static void a_processor_that_stands_still_is_a_deadlock(void)
{
    char *profile = file_with("speed", "1.5 0\n");
    CHECK_REPLAY_BOTH(CM02 HOST("a", "") FILED_HOST("b", "availability_file=\"speed\"", "") MBPS("l", "1")
                          ROUTE("a", "b", "l") END_OF_PLATFORM,
                      "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none",
                      "error deadlock: what is in progress can never proceed: 1 execution on b");
    free(profile);
}

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct test tests[] = {
    TEST(data_arrive_before_their_task_starts),
    TEST(everything_starts_as_soon_as_it_can),
    TEST(rates_slow_computing_down),
    TEST(a_message_occupies_both_processors),
    TEST(what_the_schedule_does_not_place_stands_by_its_task),
    TEST(a_message_waits_for_its_turn),
    TEST(waiting_keeps_the_order),
    TEST(a_send_in_its_place_waits_even_where_it_costs_nothing),
    TEST(a_receive_begun_late_takes_its_time),
    TEST(latency_occupies_nobody),
    TEST(fractions_of_a_byte_count),
    TEST(fractions_of_a_byte_survive_a_link_that_stops),
    TEST(without_bytes_only_latency_and_overhead_remain),
    TEST(a_task_without_work_occupies_nothing),
    TEST(fluid_links_are_shared_and_exclusive_ones_are_not),
    TEST(without_an_order_the_first_comes_first),
    TEST(every_fatpipe_carries_whoever_comes),
    TEST(data_cut_through_from_link_to_link),
    TEST(a_link_is_free_for_others_while_a_transfer_waits_for_the_next),
    TEST(half_duplex_links_carry_one_direction_at_a_time),
    TEST(messages_of_one_task_come_in_the_order_of_their_other_ends),
    TEST(a_receive_begins_by_the_present_rate),
    TEST(a_receive_that_is_due_waits_again_when_its_transfer_slows_down),
    TEST(hops_are_felt_at_the_ends_of_the_route_only),
    TEST(what_remains_goes_on_at_the_new_bandwidth),
    TEST(a_link_without_bandwidth_waits_for_it),
    TEST(no_link_is_done_before_the_one_before_it),
    TEST(a_send_counts_only_until_the_last_task_ends),
    TEST(a_circle_of_the_order_is_named),
    TEST(a_circle_over_a_link_matters_where_links_keep_their_order),
    TEST(a_host_that_goes_down_is_an_error),
    TEST(a_link_that_goes_down_is_an_error),
    TEST(a_processor_that_stands_still_is_a_deadlock),
};
TEST_MAIN(tests)
