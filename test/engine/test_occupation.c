/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The involvement world against the sequence of doc/model.md, World: a send takes its processor for o_s + i_s, its
   transfer begins after o_s; a receive takes its for i_r + o_r, from when what remains takes i_r, and ends no earlier
   than o_r after the last byte. Hosts do 1000 flop/s, links carry 1 MB/s. */
#include "fork_engine.h"

#define SENDER(o, i) PROP("overhead_send", o) PROP("involvement_send", i)
#define RECEIVER(o, i) PROP("overhead_recv", o) PROP("involvement_recv", i)
#define PAIR(a, b, link) CM02 HOST("a", a) HOST("b", b) link ROUTE("a", "b", "l") END_OF_PLATFORM
#define ONE PAIR(SENDER("0.1", "0.5"), RECEIVER("0.2", "0.25"), MBPS("l", "1"))

static void a_message_occupies_both_processors(void)
{
    /* send 0 to 0.6, data 0.1 to 1.1, receive 0.85 to 1.3 */
    CHECK_FINISHES(ONE, "involvement", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1000\nexec 0.7 a 1\nexec 1 b 100\n",
                   1.3, 1.6 + 0.001, 1.45 + 0.1, 0.702, 1.3 + 0.2);
}

static void the_other_worlds_know_no_occupation(void)
{
    CHECK_FINISHES(ONE, "interference", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1000\n", 1, 1, 1);
    CHECK_FINISHES(ONE, "none", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1000\n", 1, 1, 1);
}

static void interference_costs_nothing_in_this_world(void)
{
    CHECK_FINISHES(PAIR(PROP("ir_send", "0.5"), PROP("ir_recv", "0.5"), MBPS("l", "1")), "involvement",
                   "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1000\n", 1, 1, 1);
}

static void a_link_wins_over_its_hosts(void)
{
    /* send 0 to 0.3, data 0.1 to 1.1, receive 0.3 to 1.3 */
    CHECK_FINISHES(CM02 HOST("a", SENDER("0.1", "0.5"))
                       HOST("b", RECEIVER("0.2", "0.25")) "<link id=\"l\" bandwidth=\"1MBps\" latency=\"0s\">" PROP(
                           "involvement_send", "0.2") PROP("involvement_recv", "0.8") "</link>" ROUTE("a", "b", "l")
                           END_OF_PLATFORM,
                   "involvement", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1000\n", 1.3, 1.3, 2);
}

static void a_link_s_overhead_wins_over_its_hosts(void)
{
    /* send 0 to 0.9, data 0.4 to 1.4, receive 1.15 to 2 */
    CHECK_FINISHES(CM02 HOST("a", SENDER("0.1", "0.5"))
                       HOST("b", RECEIVER("0.2", "0.25")) "<link id=\"l\" bandwidth=\"1MBps\" latency=\"0s\">" PROP(
                           "overhead_send", "0.4") PROP("overhead_recv", "0.6") "</link>" ROUTE("a", "b", "l")
                           END_OF_PLATFORM,
                   "involvement", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 2000\n", 2, 1.9, 2.85);
}

static void what_a_message_costs_depends_on_its_size(void)
{
#define BY_SIZE                                                                                                        \
    PAIR(SENDER("0:0.25:0;1000000:0.5:5e-7", "0:1;1000000:0.5"),                                                       \
         RECEIVER("0:0.125:0;1000000:0.25:0", "0:0.5;1000000:0"), MBPS("l", "1"))
    /* below the threshold and at it: o_s 0.25, i_s 1 of 1; o_r 0.125, i_r half */
    CHECK_FINISHES(BY_SIZE, "involvement", "comm 0 a b 500000\nexec 0 a 1000\nexec 0 b 1000\n", 0.875, 1.75, 1.375);
    CHECK_FINISHES(BY_SIZE, "involvement", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1000\n", 1.375, 2.25, 1.625);
    /* above: o_s = 0.5 + 5e-7 * 2e6 = 1.5, i_s half of 2 s; o_r 0.25, i_r none */
    CHECK_FINISHES(BY_SIZE, "involvement", "comm 0 a b 2000000\nexec 0 a 1000\nexec 0 b 4000\n", 3.75, 3.5, 4.25);
}

static void the_first_and_the_last_link_of_a_route_count(void)
{
    /* i_s = 0.5 * 1 s, i_r = 0.25 * 2 s: send 0 to 0.5, data 0 to 2, receive 1.5 to 2 */
    CHECK_FINISHES(CM02 HOST("a", SENDER("0", "0.5")) HOST("b", RECEIVER("0", "0.25")) MBPS("k", "1") MBPS("l", "0.5")
                       ROUTE2("a", "b", "k", "l") END_OF_PLATFORM,
                   "involvement", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 2000\n", 2, 1.5, 2.5);
}

static void overheads_alone_come_before_and_after(void)
{
    CHECK_FINISHES(PAIR(SENDER("0.1", "0"), RECEIVER("0.2", "0"), MBPS("l", "1")), "involvement",
                   "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 1200\n", 1.3, 1.1, 1.4);
}

static void a_message_without_bytes_costs_its_overheads(void)
{
    CHECK_FINISHES(ONE, "involvement", "comm 0 a b 0\nexec 0 a 1000\nexec 0 b 1000\n", 0.3, 1.1, 1.2);
}

static void latency_occupies_nobody(void)
{
    /* data 0.6 to 1.6; receive 1.35 to 1.8 */
    CHECK_FINISHES(
        PAIR(SENDER("0.1", "0.5"), RECEIVER("0.2", "0.25"), LINK("l", "bandwidth=\"1MBps\" latency=\"0.5s\"")),
        "involvement", "comm 0 a b 1000000\nexec 0 a 1000\nexec 0 b 2000\n", 1.8, 1.6, 2.45);
    /* involved throughout: from when data flow, not while they are in latency */
    CHECK_FINISHES(PAIR("", RECEIVER("0", "1"), LINK("l", "bandwidth=\"1MBps\" latency=\"0.5s\"")), "involvement",
                   "comm 0 a b 1000000\nexec 0 b 1000\n", 1.5, 2);
}

#define TRIPLE(a, b, c)                                                                                                \
    CM02 HOST("a", a) HOST("b", b) HOST("c", c) MBPS("l", "1") MBPS("k", "1") ROUTE("a", "b", "l")                     \
        ROUTE("a", "c", "k") END_OF_PLATFORM

static void two_sends_of_one_processor_come_one_after_the_other(void)
{
    /* 0 to 0.6, 0.6 to 1.2; data 0.1 to 1.1, 0.7 to 1.7 */
    CHECK_FINISHES(TRIPLE(SENDER("0.1", "0.5"), "", ""), "involvement",
                   "comm 0 a b 1000000\ncomm 0 a c 1000000\nexec 0 a 1000\n", 1.1, 1.7, 2.2);
    CHECK_FINISHES(TRIPLE(SENDER("0.1", "0.5"), "", ""), "involvement",
                   "comm 0.3 a c 1000000\ncomm 0.2 a b 1000000\nexec 0 a 1000\n", 0.8 + 0.1 + 1, 1.3, 2.2);
}

static void two_receives_of_one_processor_come_one_after_the_other(void)
{
    /* both could begin at 0.5: 0.5 to 1.1, 1.1 to 1.7 */
    CHECK_FINISHES(TRIPLE(RECEIVER("0.1", "0.5"), "", ""), "involvement",
                   "comm 0 c a 1000000\ncomm 0 b a 1000000\nexec 0 a 1000\n", 1.1, 1.7, 2.2);
}

static void sends_and_receives_of_one_processor_come_one_after_the_other(void)
{
    /* receive 0.5 to 1; a send asked for at 0.75 goes 1 to 1.25, its data 1 to 2 */
    CHECK_FINISHES(TRIPLE(SENDER("0", "0.25") RECEIVER("0", "0.5"), "", ""), "involvement",
                   "comm 0 b a 1000000\ncomm 0.75 a c 1000000\nexec 0 a 1000\n", 1, 2, 1.75);
    /* a send from 0.4 to 0.9 holds up the receive: 0.9 to 1.4 */
    CHECK_FINISHES(TRIPLE(SENDER("0", "0.5") RECEIVER("0", "0.5"), "", ""), "involvement",
                   "comm 0 b a 1000000\ncomm 0.4 a c 1000000\nexec 0 a 1000\n", 1.4, 1.4, 2);
}

static void what_takes_no_time_waits_for_nobody(void)
{
    CHECK_FINISHES(TRIPLE(SENDER("0", "0.5"), "", ""), "involvement",
                   "comm 0 a b 1000000\ncomm 0.25 c a 1000000\ncomm 0.25 a c 0\nexec 0 a 1000\n", 1, 1.25, 0.25, 1.5);
}

#define COMMON_LINK(b)                                                                                                 \
    CM02 HOST("a", "") HOST("b", b) HOST("c", "") MBPS("up", "1") MBPS("l", "1") MBPS("k", "1")                        \
        ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k") END_OF_PLATFORM

static void a_receive_begins_later_when_its_transfer_slows_down(void)
{
    /* half the rate from 0.25 on: 0.25 MB are left at 1.25 */
    CHECK_FINISHES(COMMON_LINK(RECEIVER("0", "0.5")), "involvement",
                   "comm 0 a b 1000000\ncomm 0.25 a c 5000000\nexec 0 b 2000\n", 1.75, 6, 2.5);
}

static void a_receive_begins_at_once_when_its_transfer_speeds_up(void)
{
    /* half the rate from 0.25 to 0.75; then 0.5 MB remain, at full rate */
    CHECK_FINISHES(COMMON_LINK(RECEIVER("0", "0.75")), "involvement",
                   "comm 0 a b 1000000\ncomm 0.2 a c 250000\nexec 0 b 2000\n", 0.7 + 0.75, 0.7,
                   2.75); /* at 0.7: 0.55 MB, less than i_r: 0.7 to 1.45 */
}

static void a_receive_waits_for_the_last_byte(void)
{
    /* begun at 0.5; half the rate from 0.75 on: last byte at 1.25, and o_r after it */
    CHECK_FINISHES(COMMON_LINK(RECEIVER("0.1", "0.5")), "involvement",
                   "comm 0 a b 1000000\ncomm 0.75 a c 5000000\nexec 0 b 1000\n", 1.35, 6, 0.5 + 0.85 + 0.5);
}

static void a_receive_in_the_queue_waits_again_when_its_transfer_slows_down(void)
{
#define QUEUE                                                                                                          \
    CM02 HOST("a", "") HOST("b", RECEIVER("0", "0.5")) HOST("c", "") HOST("d", "") MBPS("up", "1") MBPS("l", "1")      \
        MBPS("k", "1") MBPS("m", "1") ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k") ROUTE("d", "b", "m")     \
            END_OF_PLATFORM
#define TO_C(date) "comm " date " a c 5000000\n"
    /* d's message holds b from 1 to 2. a's asks at 1.25; a third of the rate from 1.3 on: i_r = 0.5 are left at 2.15 */
    CHECK_FINISHES(QUEUE, "involvement",
                   "comm 0 d b 2000000\ncomm 0.75 a b 1000000\nexec 0 b 3000\n" TO_C("1.3") TO_C("1.3"), 2, 2.65, 4.5,
                   11.75, 11.75);
    /* a quarter of the rate from 2 on, when b is free again: due at 2.5 */
    CHECK_FINISHES(QUEUE, "involvement",
                   "comm 0 d b 2000000\ncomm 1.25 a b 1000000\nexec 0 b 3000\n" TO_C("2") TO_C("2") TO_C("2"), 2, 3,
                   4.5, 17.25, 17.25, 17.25);
}

#define TIED                                                                                                           \
    PAIR(PROP("ir_send", "0.3") PROP("involvement_send", "0.3"),                                                       \
         PROP("ir_recv", "0.2") PROP("involvement_recv", "0.2"), MBPS("l", "1"))

static void interference_and_involvement_steal_the_same_at_full_rate(void)
{
    static const char *const worlds[] = {"interference", "involvement"};
    for (size_t w = 0; w < 2; w++) {
        struct outcome o = play(TIED, worlds[w], "comm 0 a b 2000000\nexec 0 a 3000\nexec 0 b 3000\n");
        CHECK(has_ended_well(&o, __FILE__, __LINE__));
        CHECK_CLOSE(o.list[0].finish_s, 2, 1e-9);
        CHECK_CLOSE(o.list[1].finish_s, 3.6, 1e-9);
        CHECK_CLOSE(o.list[2].finish_s, 3.4, 1e-9);
        CHECK_CLOSE(o.use[0].stolen_s, 0.6, 1e-9);
        CHECK_CLOSE(o.use[1].stolen_s, 0.4, 1e-9);
        CHECK_CLOSE(o.use[0].stolen_flop, 600, 1e-9);
        CHECK_CLOSE(o.use[0].busy_s, 3.6, 1e-9);
        free(o.list);
    }
}

static void many_messages_never_overlap_at_a_processor(void)
{
    /* a sends 50 messages to b and b as many to a, of 0.01 to 0.5 s: each processor is occupied for the sum of all */
    struct text script = {0};
    double occupied_s = 0;
    for (int i = 1; i <= 50; i++) {
        text_addf(&script, "comm %g a b %d\ncomm %g b a %d\n", 0.001 * i, 10000 * i, 0.0015 * i, 10000 * i);
        occupied_s += 0.02 + 0.03 + (0.1 + 0.2) * 0.01 * i;
    }
    text_addf(&script, "exec 0 a 100000\nexec 0 b 100000\n");
    struct outcome o =
        play(PAIR(SENDER("0.02", "0.1") RECEIVER("0.03", "0.2"), SENDER("0.02", "0.1") RECEIVER("0.03", "0.2"),
                  LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"FATPIPE\"")),
             "involvement", text_str(&script));
    CHECK(has_ended_well(&o, __FILE__, __LINE__));
    for (size_t h = 0; h < 2; h++) {
        CHECK_CLOSE(o.list[100 + h].finish_s, 100 + occupied_s, 1e-9);
        CHECK_CLOSE(o.use[h].stolen_s, occupied_s, 1e-9);
    }
    free(o.list);
    text_clear(&script);
}

static const struct test tests[] = {
    {"a_message_occupies_both_processors", a_message_occupies_both_processors},
    {"the_other_worlds_know_no_occupation", the_other_worlds_know_no_occupation},
    {"interference_costs_nothing_in_this_world", interference_costs_nothing_in_this_world},
    {"a_link_wins_over_its_hosts", a_link_wins_over_its_hosts},
    {"a_link_s_overhead_wins_over_its_hosts", a_link_s_overhead_wins_over_its_hosts},
    {"what_a_message_costs_depends_on_its_size", what_a_message_costs_depends_on_its_size},
    {"the_first_and_the_last_link_of_a_route_count", the_first_and_the_last_link_of_a_route_count},
    {"overheads_alone_come_before_and_after", overheads_alone_come_before_and_after},
    {"a_message_without_bytes_costs_its_overheads", a_message_without_bytes_costs_its_overheads},
    {"latency_occupies_nobody", latency_occupies_nobody},
    {"two_sends_of_one_processor_come_one_after_the_other", two_sends_of_one_processor_come_one_after_the_other},
    {"two_receives_of_one_processor_come_one_after_the_other", two_receives_of_one_processor_come_one_after_the_other},
    {"sends_and_receives_of_one_processor_come_one_after_the_other",
     sends_and_receives_of_one_processor_come_one_after_the_other},
    {"what_takes_no_time_waits_for_nobody", what_takes_no_time_waits_for_nobody},
    {"a_receive_begins_later_when_its_transfer_slows_down", a_receive_begins_later_when_its_transfer_slows_down},
    {"a_receive_begins_at_once_when_its_transfer_speeds_up", a_receive_begins_at_once_when_its_transfer_speeds_up},
    {"a_receive_in_the_queue_waits_again_when_its_transfer_slows_down",
     a_receive_in_the_queue_waits_again_when_its_transfer_slows_down},
    {"a_receive_waits_for_the_last_byte", a_receive_waits_for_the_last_byte},
    {"interference_and_involvement_steal_the_same_at_full_rate",
     interference_and_involvement_steal_the_same_at_full_rate},
    {"many_messages_never_overlap_at_a_processor", many_messages_never_overlap_at_a_processor},
};

TEST_MAIN(tests)
