/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interference world against closed forms (doc/model.md, World). Unless a test says otherwise a host does 1000
   flop/s and a link carries 1 MB/s, so that a rate of interference is the part of the processor that a transfer
   takes. */
#include "fork_engine.h"

/* When `flop` are done that begin at `start_s`, if the speed is flop_per_s[i] until until_s[i], and 1000 after that. */
static double end_of(double start_s, double flop, size_t n, const double until_s[], const double flop_per_s[])
{
    double now_s = start_s;
    for (size_t i = 0; i < n; i++) {
        if (until_s[i] <= now_s)
            continue;
        double can_flop = (until_s[i] - now_s) * flop_per_s[i];
        if (can_flop >= flop)
            return now_s + flop / flop_per_s[i];
        flop -= can_flop;
        now_s = until_s[i];
    }
    return now_s + flop / 1000;
}
#define END_OF(start_s, flop, n, ...)                                                                                  \
    end_of(start_s, flop, n, (double[][n]){__VA_ARGS__}[0], (double[][n]){__VA_ARGS__}[1])

/* ---- one transfer, one execution ---- */

#define PAIR_OF(config, latency)                                                                                       \
    config HOST("a", PROP("ir_send", "0.3")) HOST("b", PROP("ir_recv", "0.2"))                                         \
        LINK("l", "bandwidth=\"1MBps\" latency=\"" latency "\"") ROUTE("a", "b", "l") END_OF_PLATFORM
#define PAIR PAIR_OF(CM02, "0s")

static void a_transfer_that_ends_first_takes_what_it_takes(void)
{
    CHECK_FINISHES(PAIR, "interference", "exec 0 a 1000\ncomm 0 a b 500000\n", 0.5 + 0.65, 0.5);
}

static void an_execution_that_ends_first_is_slow_throughout(void)
{
    CHECK_FINISHES(PAIR, "interference", "exec 0 a 1000\ncomm 0 a b 5000000\n", 1 / 0.7, 5);
}

static void a_transfer_may_begin_in_the_middle_of_an_execution(void)
{
    CHECK_FINISHES(PAIR, "interference", "exec 0 a 1000\ncomm 0.25 a b 500000\n", 0.75 + 0.4, 0.75);
}

static void an_execution_may_begin_in_the_middle_of_a_transfer(void)
{
    CHECK_FINISHES(PAIR, "interference", "exec 0.5 a 1000\ncomm 0 a b 1000000\n", 1 + 0.65, 1);
}

static void receiving_has_its_own_rate(void)
{
    CHECK_FINISHES(PAIR, "interference", "exec 0 b 1000\ncomm 0 a b 500000\nexec 0 a 1000\n", 0.5 + 0.6, 0.5, 1.15);
}

static void nothing_is_paid_in_world_none(void)
{
    CHECK_FINISHES(PAIR, "none", "exec 0 a 1000\ncomm 0 a b 500000\nexec 0 b 200\n", 1, 0.5, 0.2);
}

static void nothing_is_paid_while_in_latency(void)
{
    CHECK_FINISHES(PAIR_OF(CM02, "0.5s"), "interference", "exec 0 a 1000\ncomm 0 a b 1000000\nexec 0 b 900\n",
                   0.5 + 0.5 / 0.7, 1.5, 0.5 + 0.4 / 0.8);
}

static void what_takes_nothing_is_over_at_once(void)
{
    CHECK_FINISHES(PAIR, "interference", "exec 0 a 1000\ncomm 0.5 a b 0\nexec 0.25 a 0\ncomm 0 a b 0\nexec 0 b 0\n", 1,
                   0.5, 0.25, 0, 0);
    CHECK_FINISHES(PAIR_OF(CM02, "0.5s"), "interference", "comm 0.25 a b 0\nexec 0 a 1000\n", 0.75, 1);
}

static void a_transfer_within_a_host_costs_it_nothing(void)
{
    /* SimGrid's loopback: 10 GB/s */
    CHECK_FINISHES(PAIR, "interference", "comm 0 a a 1000000\nexec 0 a 1000\n", 1e-4, 1);
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.00001") PROP("ir_recv", "0.00002")) END_OF_PLATFORM,
                   "interference", "comm 0 a a 10000000000\nexec 0 a 2000\n", 1, 2);
    CHECK_FINISHES(CM02 HOST("a", PROP("overhead_send", "0.25") PROP("involvement_recv", "1")) END_OF_PLATFORM,
                   "involvement", "comm 0 a a 10000000000\nexec 0 a 2000\n", 1, 2);
}

/* ---- several transfers ---- */

#define FOUR                                                                                                           \
    CM02 HOST("a", PROP("ir_send", "0.03") PROP("ir_send.b", "0.05") PROP("ir_send.c", "0.1")                          \
                       PROP("ir_send.d", "0.2")) HOST("b", "") HOST("c", "") HOST("d", "") HOST("e", "")               \
        MBPS("lb", "1") MBPS("lc", "2") MBPS("ld", "0.5") MBPS("le", "4") ROUTE("a", "b", "lb") ROUTE("a", "c", "lc")  \
            ROUTE("a", "d", "ld") ROUTE("a", "e", "le") END_OF_PLATFORM

static void four_sends_add_up_each_with_the_rate_of_its_peer(void)
{
    /* parts of the processor: b 0.05, c 0.2, d 0.1, e 0.12; ends: 1, 3, 2, 0.5 s */
    CHECK_FINISHES(FOUR, "interference",
                   "exec 0 a 10000\ncomm 0 a b 1000000\ncomm 0 a c 6000000\ncomm 0 a d 1000000\ncomm 0 a e 2000000\n",
                   END_OF(0, 10000, 4, {0.5, 1, 2, 3}, {530, 650, 700, 800}), 1, 3, 2, 0.5);
}

#define SHARED                                                                                                         \
    CM02 HOST("a", PROP("ir_send.b", "0.1") PROP("ir_send.c", "0.4")) HOST("b", "") HOST("c", "") MBPS("up", "1")      \
        MBPS("lb", "10") MBPS("lc", "0.25") ROUTE2("a", "b", "up", "lb") ROUTE2("a", "c", "up", "lc") END_OF_PLATFORM

static void a_shared_link_is_shared_max_min(void)
{
    /* c gets its 0.25 MB/s, b the rest; alone b has 1 MB/s */
    CHECK_FINISHES(SHARED, "interference", "exec 0 a 3000\ncomm 0 a b 1250000\ncomm 0 a c 250000\n",
                   END_OF(0, 3000, 2, {1, 1.5}, {1000 - 75 - 100, 900}), 1.5, 1);
}

#define TWO_WAYS(props)                                                                                                \
    CM02 HOST("a", PROP("ir_send", "0.3") PROP("ir_recv", "0.2") props) HOST("b", "") HOST("c", "") MBPS("l", "1")     \
        LINK("k", "bandwidth=\"0.5MBps\" latency=\"0.25s\"") ROUTE("a", "b", "l") ROUTE("c", "a", "k") END_OF_PLATFORM
#define SENDS_AND_RECEIVES "exec 0 a 3000\ncomm 0 a b 2000000\ncomm 0.25 c a 500000\n"

static void transfers_whose_latency_ends_together_keep_to_all_their_links(void)
{
    /* up-link 3 MB/s: b's 0.5 MB/s, c's 1 MB/s and 1.5 MB/s for d */
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.1")) HOST("b", "") HOST("c", "") HOST("d", "")
                       LINK("up", "bandwidth=\"3MBps\" latency=\"0.25s\"") MBPS("lb", "0.5") MBPS("lc", "1")
                           MBPS("ld", "9") ROUTE2("a", "b", "up", "lb") ROUTE2("a", "c", "up", "lc")
                               ROUTE2("a", "d", "up", "ld") END_OF_PLATFORM,
                   "interference", "comm 0 a b 500000\ncomm 0 a c 1000000\ncomm 0 a d 1500000\nexec 0 a 950\n", 1.25,
                   1.25, 1.25, 1.25);
}

static void sending_and_receiving_add_up(void)
{
    CHECK_FINISHES(TWO_WAYS(""), "interference", SENDS_AND_RECEIVES, END_OF(0, 3000, 3, {0.5, 1.5, 2}, {700, 600, 700}),
                   2, 1.5);
}

/* Speeds before, while, and after the host also receives, at 0.5 MB/s from c: which of its properties count. */
static void both_directions_have_their_own_weights_at_once(void)
{
    static const struct {
        const char *platform;
        double flop_per_s[3];
    } cases[] = {
        {TWO_WAYS(PROP("ir_send_duplex", "0.05")), {700, 850, 700}},
        {TWO_WAYS(PROP("ir_send_duplex", "0")), {700, 900, 700}},
        {TWO_WAYS(PROP("ir_recv_duplex", "0.1")), {700, 650, 700}},
        {TWO_WAYS(PROP("ir_send_duplex", "0.05") PROP("ir_recv_duplex", "0.1")), {700, 900, 700}},
        {TWO_WAYS(PROP("ir_send_duplex", "0.05") PROP("ir_send_duplex.b", "0.1")), {700, 800, 700}},
        {TWO_WAYS(PROP("ir_send_duplex.c", "0.1")), {700, 600, 700}}, /* not the peer it sends to */
        {TWO_WAYS(PROP("ir_send.b", "0.4") PROP("ir_send_duplex", "0.05")), {600, 850, 600}},
        {TWO_WAYS(PROP("ir_send.b", "0.4") PROP("ir_send_duplex.b", "0.2")), {600, 700, 600}},
        {TWO_WAYS(PROP("ir_recv_duplex", "0.1") PROP("ir_recv_duplex.c", "0.04")), {700, 680, 700}},
        {TWO_WAYS(PROP("ir_recv.c", "0.4")), {700, 500, 700}},
        {TWO_WAYS(PROP("ir_constant_send", "0.9")), {600, 500, 600}},
        {TWO_WAYS(PROP("ir_constant_recv", "0.8")), {700, 400, 700}},
        {TWO_WAYS(PROP("ir_constant_send", "0.9") PROP("ir_constant_recv", "0.8")),
         {600, 400, 600}}, /* the lower one */
        {TWO_WAYS(PROP("ir_constant_send_duplex", "0.9")), {700, 500, 700}},
        {TWO_WAYS(PROP("ir_constant_send", "0.9") PROP("ir_constant_send_duplex", "1")), {600, 600, 600}},
        {TWO_WAYS(PROP("ir_constant_recv_duplex", "0.9") PROP("ir_constant_recv_duplex.c", "0.95")), {700, 550, 700}},
        {TWO_WAYS(PROP("ir_constant_send", "1.2")), {900, 600, 900}},
        {TWO_WAYS(PROP("ir_constant_send.b", "1.5")), {1000, 600, 1000}}, /* 0.3 of 0.5 is free; none is given back */
    };
    static const double until_s[] = {0.5, 1.5, 2};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_FINISHES(cases[i].platform, "interference", SENDS_AND_RECEIVES,
                       end_of(0, 3000, 3, until_s, cases[i].flop_per_s), 2, 1.5);
}

/* At 1 MB/s all the way from a, at 0.5 MB/s from c. sqrt(1/4) = 1/2, (1/2)^2 = 1/4. */
static void rates_of_interference_may_be_curved(void)
{
    static const struct {
        const char *platform;
        double flop_per_s[3];
    } cases[] = {
        {TWO_WAYS(PROP("ir_send_curve", "1@7MBps")), {700, 600, 700}},
        {TWO_WAYS(PROP("ir_send_curve", "0.5@1MBps")), {700, 600, 700}},
        {TWO_WAYS(PROP("ir_send_curve", "0.5@4MBps")), {400, 300, 400}},
        {TWO_WAYS(PROP("ir_send_curve", "0.5@32Mbps")), {400, 300, 400}},
        {TWO_WAYS(PROP("ir_send_curve", "2@2MBps")), {850, 750, 850}},
        {TWO_WAYS(PROP("ir_send_curve.b", "2@2MBps")), {850, 750, 850}},
        {TWO_WAYS(PROP("ir_send_curve.c", "2@2MBps")), {700, 600, 700}}, /* not the peer it sends to */
        {TWO_WAYS(PROP("ir_send_curve", "0.5@4MBps") PROP("ir_send_curve.b", "2@2MBps")), {850, 750, 850}},
        {TWO_WAYS(PROP("ir_send_curve.b", "1@4MBps") PROP("ir_send_curve", "2@2MBps")), {700, 600, 700}},
        {TWO_WAYS(PROP("ir_recv_curve", "2@1MBps")), {700, 650, 700}},
        {TWO_WAYS(PROP("ir_recv_curve", "0.5@2MBps") PROP("ir_send_curve", "2@2MBps")), {850, 650, 850}},
        {TWO_WAYS(PROP("ir_recv_curve.c", "2@1MBps") PROP("ir_recv_duplex", "0.4")), {700, 600, 700}},
        {TWO_WAYS(PROP("ir_send_curve", "2@2MBps") PROP("ir_send_duplex", "0.2")), {850, 800, 850}},
        {TWO_WAYS(PROP("ir_send_curve", "2@2MBps") PROP("ir_constant_send", "0.9")), {750, 650, 750}},
        {TWO_WAYS(PROP("ir_send_curve", "2@100kBps")), {0, 0, 0}},
        {TWO_WAYS(PROP("ir_send_curve", "2@100kBps") PROP("ir_floor", "0.25")), {250, 250, 250}},
    };
    static const double until_s[] = {0.5, 1.5, 2};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_FINISHES(cases[i].platform, "interference", SENDS_AND_RECEIVES,
                       end_of(0, 3000, 3, until_s, cases[i].flop_per_s), 2, 1.5);
}

static void a_host_that_only_receives_pays_for_one_way(void)
{
    CHECK_FINISHES(TWO_WAYS(PROP("ir_recv_duplex", "0") PROP("ir_send_duplex", "0")), "interference",
                   "exec 0 a 3000\ncomm 0 c a 500000\n", END_OF(0, 3000, 2, {0.25, 1.25}, {1000, 900}), 1.25);
}

static void both_ways_of_a_split_duplex_link_are_apart(void)
{
    CHECK_FINISHES(
        CM02 HOST("a", PROP("ir_send", "0.3") PROP("ir_recv", "0.2")) HOST("b", "") LINK(
            "l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\"") "<route src=\"a\" "
                                                                                      "dst=\"b\"><link_ctn id=\"l\" "
                                                                                      "direction=\"UP\"/></"
                                                                                      "route>\n" END_OF_PLATFORM,
        "interference", "comm 0 a b 1000000\ncomm 0 b a 1000000\nexec 0 a 1000\n", 1, 1, 1.5);
}

static void both_ways_of_a_shared_link_share_it(void)
{
    CHECK_FINISHES(PAIR, "interference", "comm 0 a b 1000000\ncomm 0 b a 1000000\nexec 0 a 1000\n", 2, 2,
                   1 / (1 - 0.15));
}

static void a_fatpipe_is_never_shared(void)
{
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.1")) HOST("b", "")
                       LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"FATPIPE\"") ROUTE("a", "b", "l")
                           END_OF_PLATFORM,
                   "interference", "comm 0 a b 1000000\ncomm 0 a b 1000000\ncomm 0 a b 1000000\nexec 0 a 1000\n", 1, 1,
                   1, 1.3);
}

static void two_hundred_transfers_take_what_they_take(void)
{
    struct text platform = {0}, script = {0};
    double want[201], bytes = 0;
    text_addf(&platform, "%s", CM02 HOST("a", PROP("ir_send", "0.004")));
    for (int i = 1; i <= 200; i++) {
        text_addf(&platform, HOST("b%d", "") MBPS("l%d", "1"), i, i);
        text_addf(&script, "comm %g a b%d %d\n", 0.01 * (i % 7), i, 10000 * i);
        want[i - 1] = 0.01 * (i % 7) + 0.01 * i;
        bytes += 10000 * i;
    }
    for (int i = 1; i <= 200; i++)
        text_addf(&platform, ROUTE("a", "b%d", "l%d"), i, i);
    text_addf(&platform, END_OF_PLATFORM);
    text_addf(&script, "exec 0 a 5000\n");
    want[200] = 5 + 0.004e-6 * bytes; /* no clamp: at most 0.8 of the processor */
    check_finishes(__FILE__, __LINE__, text_str(&platform), "interference", text_str(&script), 201, want);
    text_clear(&platform);
    text_clear(&script);
}

/* ---- limits ---- */

#define GREEDY_PAIR(props)                                                                                             \
    CM02 HOST("a", PROP("ir_send", "2") props) HOST("b", "") MBPS("l", "1") ROUTE("a", "b", "l") END_OF_PLATFORM

static void an_execution_stands_still_at_0_and_resumes(void)
{
    CHECK_FINISHES(GREEDY_PAIR(""), "interference", "exec 0 a 1000\ncomm 0.5 a b 1000000\n", 2, 1.5);
    CHECK_FINISHES(GREEDY_PAIR(""), "interference", "exec 0.75 a 1000\ncomm 0.5 a b 1000000\nexec 1 a 500\n", 1.5 + 1.5,
                   1.5, 1.5 + 1);
}

static void no_work_needs_no_processor(void)
{
    CHECK_FINISHES(GREEDY_PAIR(""), "interference", "exec 0.75 a 0\ncomm 0.5 a b 1000000\n", 0.75, 1.5);
}

static void the_factor_never_falls_below_its_floor(void)
{
    CHECK_FINISHES(GREEDY_PAIR(PROP("ir_floor", "0.25")), "interference", "exec 0 a 1000\ncomm 0.5 a b 1000000\n",
                   1.5 + 0.25, 1.5);
    CHECK_FINISHES(GREEDY_PAIR(PROP("ir_floor", "1")), "interference", "exec 0 a 1000\ncomm 0.5 a b 1000000\n", 1, 1.5);
}

/* ---- cores ---- */

#define CORES                                                                                                          \
    CM02 "<host id=\"a\" speed=\"1000f\" core=\"2\">" PROP("ir_send", "0.4") "</host>" HOST("b", "") MBPS("l", "1")    \
        ROUTE("a", "b", "l") END_OF_PLATFORM

static void fewer_executions_than_cores_have_a_core_each(void)
{
    CHECK_FINISHES(CORES, "interference", "exec 0 a 1000\ncomm 0 a b 500000\n", 0.5 + 0.7, 0.5);
}

static void as_many_executions_as_cores_have_a_core_each(void)
{
    CHECK_FINISHES(CORES, "interference", "exec 0 a 1000\nexec 0 a 2000\ncomm 0 a b 500000\n", 1.2, 2.2, 0.5);
}

static void more_executions_than_cores_share_them(void)
{
    /* 3 on 2 cores: 2/3 each, times 0.6 until 0.5 s: 200 done; then 300 more of the shortest at 2/3 until 0.95 s; then
       500 more of the second at full speed. */
    CHECK_FINISHES(CORES, "interference", "exec 0 a 1000\nexec 0 a 500\nexec 0 a 2000\ncomm 0 a b 500000\n", 0.95 + 0.5,
                   0.95, 0.95 + 1.5, 0.5);
}

static void cores_are_slowed_all_alike(void)
{
    struct outcome o = play(CORES, "interference", "exec 0 a 1000\nexec 0 a 2000\ncomm 0 a b 500000\n");
    CHECK(has_ended_well(&o, __FILE__, __LINE__));
    CHECK_CLOSE(o.use[0].busy_s, 2.2, 1e-9);
    CHECK_CLOSE(o.use[0].stolen_s, 0.4 * 0.5, 1e-9);
    CHECK_CLOSE(o.use[0].stolen_flop, 2 * 0.4 * 0.5 * 1000, 1e-9);
    free(o.list);
}

/* ---- network models ---- */

static void lv08_has_its_documented_factors(void)
{
    double rate = 0.97; /* MB/s; latency times 13.01 */
    CHECK_FINISHES(PAIR_OF(PLATFORM_HEAD CONFIG_OF("LV08") "<zone id=\"world\" routing=\"Full\">", "0.01s"),
                   "interference", "comm 0 a b 1000000\nexec 0 a 1000\n", 0.1301 + 1 / rate,
                   END_OF(0, 1000, 2, {0.1301, 0.1301 + 1 / rate}, {1000, 1000 - 300 * rate}));
}

static void lv08_with_all_its_defaults_keeps_the_identity(void)
{
    struct outcome o = play(PAIR_OF(PLATFORM_HEAD "<zone id=\"world\" routing=\"Full\">", "0.4s"), "interference",
                            "comm 0 a b 1000000\nexec 0 a 20000\nexec 0 b 20000\n");
    CHECK(has_ended_well(&o, __FILE__, __LINE__));
    CHECK_CLOSE(o.use[0].stolen_flop, 300, 1e-9);
    CHECK_CLOSE(o.use[1].stolen_flop, 200, 1e-9);
    CHECK_CLOSE(o.list[1].finish_s, 20.3, 1e-9);
    CHECK_CLOSE(o.list[2].finish_s, 20.2, 1e-9);
    free(o.list);
}

static void a_tcp_window_limits_the_rate(void)
{
    /* 97 % of the window (4194304 bytes) per round trip of 2 * 4 s */
    double rate_MB_per_s = 0.97 * 4.194304 / 8, begin_s = 13.01 * 4;
    CHECK_FINISHES(PAIR_OF(PLATFORM_HEAD "<zone id=\"world\" routing=\"Full\">", "4s"), "interference",
                   "comm 0 a b 1000000\nexec 52.04 a 1000\n", begin_s + 1 / rate_MB_per_s,
                   begin_s + 1 / (1 - 0.3 * rate_MB_per_s));
}

/* ---- profiles ---- */

static void bandwidth_may_change(void)
{
    /* a flow never gets more than its links could carry when it began: so SimGrid */
    char *profile = file_with("bw.profile", "0.5 500000\n1.5 2000000\n");
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.3")) HOST("b", "")
                       LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bw.profile\"")
                           ROUTE("a", "b", "l") END_OF_PLATFORM,
                   "interference", "comm 0 a b 1500000\nexec 0 a 2500\ncomm 2 a b 1000000\n", 2,
                   END_OF(0, 2500, 4, {0.5, 1.5, 2, 2.5}, {700, 850, 700, 400}), 2.5);
    free(profile);
}

#define PROFILED_HOST                                                                                                  \
    CM02 "<host id=\"a\" speed=\"1000f\" availability_file=\"speed.profile\">" PROP("ir_send", "0.3") "</host>" HOST(  \
        "b", "") MBPS("l", "1") ROUTE("a", "b", "l") END_OF_PLATFORM

static void a_host_may_change_its_speed(void)
{
    char *profile = file_with("speed.profile", "0.5 0.5\n1.5 0.75\n2 1\n");
    CHECK_FINISHES(PROFILED_HOST, "interference", "comm 0 a b 1000000\nexec 0 a 2000\n", 1,
                   END_OF(0, 2000, 4, {0.5, 1, 1.5, 2}, {700, 350, 500, 750}));
    free(profile);
}

static void a_speed_of_0_stops_and_a_later_one_resumes(void)
{
    char *profile = file_with("speed.profile", "0.25 0\n2.1 1\n");
    CHECK_FINISHES(PROFILED_HOST, "interference", "comm 0 a b 500000\nexec 0 a 1000\nexec 1 a 1000\nexec 0.5 a 0\n",
                   0.5, 2.1 + 0.825 + 0.825, 2.1 + 0.825 + 1, 0.5);
    free(profile);
}

static void a_speed_may_come_and_go_for_ever(void)
{
    /* up for half of every second, from 0 on: 500 flop per second */
    char *profile = file_with("speed.profile", "PERIODICITY 1\n0 1\n0.5 0\n");
    CHECK_FINISHES(PROFILED_HOST, "interference", "exec 0 a 10250\n", 20.25);
    CHECK_FINISHES(PROFILED_HOST, "interference", "exec 0 a 2250\ncomm 0.25 a b 1000000\n", 4.4,
                   1.25); /* per half second: 250 + 175, 175 + 250, 500, 500, 400 */
    free(profile);
}

static void a_bandwidth_of_0_stops_and_a_later_one_resumes(void)
{
    char *profile = file_with("bw.profile", "0.25 0\n2.1 1000000\n");
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.3")) HOST("b", "")
                       LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bw.profile\"")
                           ROUTE("a", "b", "l") END_OF_PLATFORM,
                   "interference", "comm 0 a b 1000000\nexec 0 a 2500\n", 2.85,
                   END_OF(0, 2500, 3, {0.25, 2.1, 2.85}, {700, 1000, 700}));
    free(profile);
}

/* ---- time scales ---- */

static void tiny_and_huge_times_meet_in_one_run(void)
{
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.3")) HOST("b", "") HOST("c", "") MBPS("l", "1")
                       LINK("k", "bandwidth=\"10MBps\" latency=\"1e-7s\"") ROUTE("a", "b", "l") ROUTE("c", "b", "k")
                           END_OF_PLATFORM,
                   "interference",
                   "exec 0 c 0.0001\ncomm 0 c b 1\nexec 0.0000003 c 0.0002\ncomm 0 a b 7000000000000\n"
                   "exec 0 a 10000000000\nexec 10000000 c 100\n",
                   1e-7, 2e-7, 5e-7, 7e6, 7e6 + (1e10 - 7e6 * 700) / 1000, 1e7 + 0.1);
}

static void no_end_is_passed_over_by_rounding(void)
{
    /* pairs of dates such that the first plus the time between them is beyond the second: one of 40 or so */
    int n = 0;
    for (double first_s = 0.3, second_s = 0.8; n < 20; first_s *= 1.01, second_s *= 1.01) {
        if (first_s + (second_s - first_s) <= second_s)
            continue;
        char script[128], a[TEXT_NUMBER_SIZE], b[TEXT_NUMBER_SIZE];
        snprintf(script, sizeof script, "exec 0 a %s\nexec 0 b %s\n", text_number(first_s, a),
                 text_number(second_s, b));
        CHECK_FINISHES(CM02 "<host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>" END_OF_PLATFORM,
                       "interference", script, first_s, second_s);
        n++;
    }
}

static void a_latency_that_changes_moves_shares_between_flows(void)
{
    /* Both have 2 MB/s until 1.1. Then their weights are 1/0.3 and 1/0.1: 1 and 3 MB/s. a has done 0.1 + 0.8 by
       then. */
    char *profile = file_with("latency", "1.1 0.3\n");
    CHECK_FINISHES(CM02 HOST("a", PROP("ir_send", "0.1")) HOST("b", "") HOST("c", "") MBPS("s", "4")
                       LINK("x", "bandwidth=\"100MBps\" latency=\"0.1s\" latency_file=\"latency\"")
                           LINK("y", "bandwidth=\"100MBps\" latency=\"0.1s\"") ROUTE2("a", "c", "s", "x")
                               ROUTE2("b", "c", "s", "y") END_OF_PLATFORM,
                   "interference", "exec 0 a 3000\ncomm 0 a c 100000000\ncomm 0 b c 100000000\n", 1.1 + 2.1 / 0.9,
                   1.1 + (200e6 - 4e6) / 4e6, 1.1 + 98 / 3.);
    free(profile);
}

static const struct test tests[] = {
    {"a_latency_that_changes_moves_shares_between_flows", a_latency_that_changes_moves_shares_between_flows},
    {"a_transfer_that_ends_first_takes_what_it_takes", a_transfer_that_ends_first_takes_what_it_takes},
    {"an_execution_that_ends_first_is_slow_throughout", an_execution_that_ends_first_is_slow_throughout},
    {"a_transfer_may_begin_in_the_middle_of_an_execution", a_transfer_may_begin_in_the_middle_of_an_execution},
    {"an_execution_may_begin_in_the_middle_of_a_transfer", an_execution_may_begin_in_the_middle_of_a_transfer},
    {"receiving_has_its_own_rate", receiving_has_its_own_rate},
    {"nothing_is_paid_in_world_none", nothing_is_paid_in_world_none},
    {"nothing_is_paid_while_in_latency", nothing_is_paid_while_in_latency},
    {"what_takes_nothing_is_over_at_once", what_takes_nothing_is_over_at_once},
    {"a_transfer_within_a_host_costs_it_nothing", a_transfer_within_a_host_costs_it_nothing},
    {"four_sends_add_up_each_with_the_rate_of_its_peer", four_sends_add_up_each_with_the_rate_of_its_peer},
    {"a_shared_link_is_shared_max_min", a_shared_link_is_shared_max_min},
    {"transfers_whose_latency_ends_together_keep_to_all_their_links",
     transfers_whose_latency_ends_together_keep_to_all_their_links},
    {"sending_and_receiving_add_up", sending_and_receiving_add_up},
    {"both_directions_have_their_own_weights_at_once", both_directions_have_their_own_weights_at_once},
    {"rates_of_interference_may_be_curved", rates_of_interference_may_be_curved},
    {"a_host_that_only_receives_pays_for_one_way", a_host_that_only_receives_pays_for_one_way},
    {"both_ways_of_a_split_duplex_link_are_apart", both_ways_of_a_split_duplex_link_are_apart},
    {"both_ways_of_a_shared_link_share_it", both_ways_of_a_shared_link_share_it},
    {"a_fatpipe_is_never_shared", a_fatpipe_is_never_shared},
    {"two_hundred_transfers_take_what_they_take", two_hundred_transfers_take_what_they_take},
    {"an_execution_stands_still_at_0_and_resumes", an_execution_stands_still_at_0_and_resumes},
    {"no_work_needs_no_processor", no_work_needs_no_processor},
    {"the_factor_never_falls_below_its_floor", the_factor_never_falls_below_its_floor},
    {"fewer_executions_than_cores_have_a_core_each", fewer_executions_than_cores_have_a_core_each},
    {"as_many_executions_as_cores_have_a_core_each", as_many_executions_as_cores_have_a_core_each},
    {"more_executions_than_cores_share_them", more_executions_than_cores_share_them},
    {"cores_are_slowed_all_alike", cores_are_slowed_all_alike},
    {"lv08_has_its_documented_factors", lv08_has_its_documented_factors},
    {"lv08_with_all_its_defaults_keeps_the_identity", lv08_with_all_its_defaults_keeps_the_identity},
    {"a_tcp_window_limits_the_rate", a_tcp_window_limits_the_rate},
    {"bandwidth_may_change", bandwidth_may_change},
    {"a_host_may_change_its_speed", a_host_may_change_its_speed},
    {"a_speed_of_0_stops_and_a_later_one_resumes", a_speed_of_0_stops_and_a_later_one_resumes},
    {"a_speed_may_come_and_go_for_ever", a_speed_may_come_and_go_for_ever},
    {"a_bandwidth_of_0_stops_and_a_later_one_resumes", a_bandwidth_of_0_stops_and_a_later_one_resumes},
    {"tiny_and_huge_times_meet_in_one_run", tiny_and_huge_times_meet_in_one_run},
    {"no_end_is_passed_over_by_rounding", no_end_is_passed_over_by_rounding},
};

TEST_MAIN(tests)
