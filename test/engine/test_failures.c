/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What goes wrong on the simulated machine (doc/model.md, World): a failed activity with the date of its
   failure, or one that never ends (finish NAN), and all others right; never an abort, a hang or a wrong number. */
#include "fork_engine.h"

static const char *const worlds[] = {"none", "interference", "involvement"};

struct expected { /* of one activity */
    enum activity_state state;
    double finish_s; /* NAN: never */
};

static void check(const char *file, int line, const char *platform, const char *world, const char *script, size_t n,
                  const struct expected *want)
{
    struct outcome o = play(platform, world, script);
    CU_ASSERT(has_ended_well(&o, file, line));
    CU_ASSERT(check_close((double)o.n, (double)n, 0, file, line, world));
    for (size_t i = 0; i < n && i < o.n; i++) {
        char what[80];
        snprintf(what, sizeof what, "%s: finish of line %d", world, o.list[i].line);
        CU_ASSERT(check_close(o.list[i].state, want[i].state, 0, file, line, "state"));
        bool ok = isnan(want[i].finish_s) ? check_that(isnan(o.list[i].finish_s), file, line, what)
                                          : check_close(o.list[i].finish_s, want[i].finish_s, 1e-9, file, line, what);
        CU_ASSERT(ok);
    }
    free(o.list);
}

#define DONE ACTIVITY_DONE
#define LOST ACTIVITY_FAILED
#define CHECK_ENDS(platform, world, script, ...)                                                                       \
    check(__FILE__, __LINE__, platform, world, script,                                                                 \
          sizeof((struct expected[]){__VA_ARGS__}) / sizeof(struct expected), (struct expected[]){__VA_ARGS__})
#define CHECK_ENDS_IN_ALL_WORLDS(platform, script, ...)                                                                \
    for (size_t w = 0; w < 3; w++)                                                                                     \
    CHECK_ENDS(platform, worlds[w], script, __VA_ARGS__)

#define FILED_HOST(id, files, props) "<host id=\"" id "\" speed=\"1000f\" " files ">" props "</host>\n"
#define FILED_LINK(id, files) LINK(id, "bandwidth=\"1MBps\" latency=\"0s\" " files)
#define NETWORK(a, b, l, k) CM02 a b HOST("c", "") l k ROUTE("a", "b", "l") ROUTE("a", "c", "k") END_OF_PLATFORM

/* ---- hosts ---- */

#define DOWN_AT_1 NETWORK(HOST("a", ""), FILED_HOST("b", "state_file=\"state\"", ""), MBPS("l", "1"), MBPS("k", "1"))

static void a_host_that_goes_down_takes_its_executions_with_it(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(DOWN_AT_1, "exec 0 b 2000\nexec 0 b 400\nexec 0 a 2000\nexec 0.5 b 5000\n", {LOST, 1},
                             {DONE, 0.95}, {DONE, 2}, {LOST, 1});
    free(profile);
}

static void a_host_that_goes_down_takes_its_transfers_with_it(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(DOWN_AT_1, "comm 0 a b 2000000\ncomm 0 a c 2000000\n", {LOST, 1}, {DONE, 2});
    CHECK_ENDS_IN_ALL_WORLDS(DOWN_AT_1, "comm 0 b a 2000000\ncomm 0 a c 2000000\n", {LOST, 1}, {DONE, 2});
    free(profile);
}

static void what_begins_on_a_host_that_is_down_fails_at_once(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(DOWN_AT_1, "exec 2 b 1000\ncomm 2 a b 1000\ncomm 2 b a 1000\nexec 2 a 1000\n", {LOST, 2},
                             {LOST, 2}, {LOST, 2}, {DONE, 3});
    CHECK_ENDS_IN_ALL_WORLDS(DOWN_AT_1, "exec 1 b 1000\ncomm 1 a b 1000\n", {LOST, 1}, {LOST, 1});
    free(profile);
}

static void a_host_that_comes_back_begins_afresh(void)
{
    char *profile = file_with("state", "1 0\n2 1\n");
    CHECK_ENDS_IN_ALL_WORLDS(DOWN_AT_1, "exec 0 b 2000\nexec 3 b 1000\ncomm 3 a b 1000000\nexec 1.5 b 1\n", {LOST, 1},
                             {DONE, 4}, {DONE, 4}, {LOST, 1.5});
    free(profile);
}

static void a_transfer_that_fails_takes_no_more_of_the_processor(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS(NETWORK(HOST("a", PROP("ir_send", "0.4")), FILED_HOST("b", "state_file=\"state\"", ""), MBPS("l", "1"),
                       MBPS("k", "1")),
               "interference", "comm 0 a b 5000000\nexec 0 a 1000\n", {LOST, 1}, {DONE, 1.4});
    free(profile);
}

static void a_transfer_that_fails_gives_its_bandwidth_back(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(CM02 HOST("a", "") FILED_HOST("b", "state_file=\"state\"", "") HOST("c", "")
                                 MBPS("up", "1") MBPS("l", "1") ROUTE2("a", "b", "up", "l") ROUTE("a", "c", "up")
                                     END_OF_PLATFORM,
                             "comm 0 a b 5000000\ncomm 0 a c 1500000\n", {LOST, 1}, {DONE, 2});
    free(profile);
}

/* ---- links ---- */

#define LINK_DOWN_AT_1                                                                                                 \
    NETWORK(HOST("a", PROP("ir_send", "0.4")), HOST("b", ""), FILED_LINK("l", "state_file=\"state\""), MBPS("k", "1"))

static void a_link_that_goes_down_takes_its_transfers_with_it(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(LINK_DOWN_AT_1, "comm 0 a b 2000000\ncomm 0 b a 3000000\ncomm 0 a c 2000000\n", {LOST, 1},
                             {LOST, 1}, {DONE, 2});
    CHECK_ENDS(LINK_DOWN_AT_1, "interference", "comm 0 a b 2000000\nexec 0 a 1000\n", {LOST, 1}, {DONE, 1.4});
    free(profile);
}

static void a_transfer_over_a_link_that_is_down_fails_at_once(void)
{
    char *profile = file_with("state", "1 0\n3 1\n");
    CHECK_ENDS_IN_ALL_WORLDS(LINK_DOWN_AT_1, "comm 2 a b 2000000\ncomm 2 a b 0\ncomm 3.5 a b 1000000\n", {LOST, 2},
                             {LOST, 2}, {DONE, 4.5});
    free(profile);
}

static void a_link_may_go_down_during_latency(void)
{
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(NETWORK(HOST("a", ""), HOST("b", ""),
                                     LINK("l", "bandwidth=\"1MBps\" latency=\"1.5s\" state_file=\"state\""),
                                     MBPS("k", "1")),
                             "comm 0 a b 2000000\ncomm 0.25 a b 0\n", {LOST, 1}, {LOST, 1});
    free(profile);
}

/* ---- occupied processors ---- */

static void a_failed_message_frees_the_processors_it_held_or_waited_for(void)
{
    char *profile = file_with("state", "1 0\n");
    const char *platform =
        NETWORK(HOST("a", PROP("overhead_send", "0.1") PROP("involvement_send", "1")),
                HOST("b", PROP("involvement_recv", "1")), FILED_LINK("l", "state_file=\"state\""), MBPS("k", "1"));
    /* the first sends until 1 instead of 2.1, the second waits for it; b is freed too */
    CHECK_ENDS(platform, "involvement", "comm 0 a b 2000000\ncomm 0.5 a c 1000000\nexec 0 a 1000\nexec 0 b 1000\n",
               {LOST, 1}, {DONE, 2.1}, {DONE, 3.1}, {DONE, 1.9});
    /* what waits for the sender's processor when its link fails, fails when its turn has come */
    CHECK_ENDS(platform, "involvement", "comm 0 a c 2000000\ncomm 0.5 a b 1000000\nexec 0 a 1000\n", {DONE, 2.1},
               {LOST, 2.2}, {DONE, 3.2});
    free(profile);
}

static void a_message_may_fail_while_it_waits_for_its_receiver(void)
{
    /* c receives from a until 2.5, so b's message, over at 2 if all were well, waits when its link goes down at 1; c is
       then free for the third */
    char *profile = file_with("state", "1 0\n");
    CHECK_ENDS(CM02 HOST("a", "") HOST("b", "") HOST("c", PROP("overhead_recv", "0.5") PROP("involvement_recv", "1"))
                   MBPS("l", "1") FILED_LINK("k", "state_file=\"state\"") ROUTE("a", "c", "l") ROUTE("b", "c", "k")
                       END_OF_PLATFORM,
               "involvement", "comm 0 a c 2000000\ncomm 0.5 b c 2000000\ncomm 2.25 a c 1000000\nexec 0 c 1000\n",
               {DONE, 2.5}, {LOST, 1}, {DONE, 4}, {DONE, 5});
    free(profile);
}

/* ---- no way to proceed ---- */

#define NO_SPEED                                                                                                       \
    NETWORK(HOST("a", ""), FILED_HOST("b", "availability_file=\"speed\"", ""), MBPS("l", "1"), MBPS("k", "1"))

static void what_can_never_proceed_is_told_apart(void)
{
    char *profile = file_with("speed", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(NO_SPEED,
                             "exec 0 b 2000\nexec 0 b 400\nexec 3 b 1000\nexec 0 a 10000\ncomm 5 a b 1000000\n",
                             {LOST, NAN}, {DONE, 0.8}, {LOST, NAN}, {DONE, 10}, {DONE, 6});
    free(profile);
}

#define NO_BANDWIDTH_OF(config, latency)                                                                               \
    config HOST("a", PROP("ir_send", "0.4")) HOST("b", "") HOST("c", "")                                               \
        LINK("l", "bandwidth=\"1MBps\" latency=\"" latency "\" bandwidth_file=\"bandwidth\"") MBPS("k", "1")           \
            ROUTE("a", "b", "l") ROUTE("a", "c", "k") END_OF_PLATFORM
#define LV08 PLATFORM_HEAD CONFIG_OF("LV08") "<zone id=\"world\" routing=\"Full\">"

static void a_bandwidth_of_0_for_ever_lets_nothing_through(void)
{
    char *profile = file_with("bandwidth", "1 0\n");
    CHECK_ENDS_IN_ALL_WORLDS(NO_BANDWIDTH_OF(CM02, "0s"), "comm 0 a b 2000000\ncomm 0 a c 3000000\ncomm 2 a b 1000\n",
                             {LOST, NAN}, {DONE, 3}, {LOST, NAN});
    CHECK_ENDS(NO_BANDWIDTH_OF(CM02, "0s"), "interference", "comm 0 a b 2000000\nexec 0 a 1000\n", {LOST, NAN},
               {DONE, 1.4});
    CHECK_ENDS_IN_ALL_WORLDS(NO_BANDWIDTH_OF(LV08, "0.01s"), "comm 0 a b 2000000\ncomm 2 a b 1000\nexec 1 b 1000\n",
                             {LOST, NAN}, {LOST, NAN}, {DONE, 2});
    free(profile);
}

static void a_bandwidth_that_comes_back_lets_all_through(void)
{
    char *profile = file_with("bandwidth", "1 0\n3 1000000\n");
    CHECK_ENDS(NO_BANDWIDTH_OF(CM02, "0s"), "none", "comm 0 a b 2000000\n", {DONE, 4});
    CHECK_ENDS(NO_BANDWIDTH_OF(CM02, "0s"), "none", "comm 2 a b 1000000\n", {DONE, 4});
    CHECK_ENDS(NO_BANDWIDTH_OF(CM02, "0s"), "none", "comm 0 a b 2000000\ncomm 2 a b 1000000\n", {DONE, 5}, {DONE, 5});
    CHECK_ENDS(NO_BANDWIDTH_OF(CM02, "0.5s"), "none", "comm 0 a b 1000000\ncomm 0.75 a b 1000000\n", {DONE, 4},
               {DONE, 4.5});
    CHECK_ENDS(NO_BANDWIDTH_OF(LV08, "0.01s"), "none", "comm 0 a b 1940000\ncomm 2 a b 970000\n", {DONE, 5 + 0.1301},
               {DONE, 5});
    CHECK_ENDS(NO_BANDWIDTH_OF(CM02, "0s"), "interference", "comm 0 a b 2000000\nexec 0 a 4000\n", {DONE, 4},
               {DONE, 4.8});
    free(profile);
}

static void a_receive_does_not_begin_while_nothing_comes(void)
{
    /* 0.75 MB are left at 0.25, as much as i_r at 0.5 would want; they come from 3 on: receive 3.25 to 3.75 */
    char *profile = file_with("bandwidth", "0.25 0\n3 1000000\n");
    CHECK_ENDS(CM02 HOST("a", "") HOST("b", PROP("involvement_recv", "0.5"))
                   FILED_LINK("l", "bandwidth_file=\"bandwidth\"") ROUTE("a", "b", "l") END_OF_PLATFORM,
               "involvement", "comm 0 a b 1000000\nexec 0 b 5000\n", {DONE, 3.75}, {DONE, 5.5});
    free(profile);
}

static void a_bandwidth_that_comes_back_is_shared_as_before(void)
{
    /* SimGrid's shares go by the inverse of the latencies: 2/3 and 1/3 of the common link, closed from 1 to 2 */
    char *profile = file_with("bandwidth", "1 0\n2 1000000\n");
    CHECK_ENDS(CM02 HOST("a", "") HOST("b", "") HOST("c", "") FILED_LINK("up", "bandwidth_file=\"bandwidth\"")
                   LINK("l", "bandwidth=\"10MBps\" latency=\"0.1s\"") LINK("k", "bandwidth=\"10MBps\" latency=\"0.2s\"")
                       ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k") END_OF_PLATFORM,
               "none", "comm 0 a b 1000000\ncomm 0 a c 1000000\n", {DONE, 2.55}, {DONE, 3.1});
    free(profile);
}

static void a_link_without_bandwidth_may_go_down(void)
{
    char *profile = file_with("bandwidth", "1 0\n"), *state = file_with("state", "2.3 0\n2.7 1\n");
    const char *platform =
        NETWORK(HOST("a", ""), HOST("b", ""), FILED_LINK("l", "bandwidth_file=\"bandwidth\" state_file=\"state\""),
                MBPS("k", "1"));
    CHECK_ENDS_IN_ALL_WORLDS(platform, "comm 0 a b 2000000\ncomm 1.5 a b 1000000\ncomm 2.5 a b 1\n", {LOST, 2.3},
                             {LOST, 2.3}, {LOST, 2.5});
    free(profile);
    free(state);
}

static void a_bandwidth_that_changes_during_latency_changes_nothing_then(void)
{
    char *profile = file_with("bandwidth", "0.5 500000\n");
    double over_s = 1.301 + 1 / (0.97 * 0.5);
    CHECK_ENDS(NO_BANDWIDTH_OF(LV08, "0.1s"), "interference", "comm 0 a b 1000000\nexec 0 a 20000\n", {DONE, over_s},
               {DONE, 20.4});
    free(profile);
}

/* SimGrid's words on it are those of its full updates; its lazy ones, the default, never end such a transfer. */
static void a_latency_that_changes_during_latency_ends_it(void)
{
    static const char *const heads[] = {"Lazy", "Full"};
    char *profile = file_with("latency", "0.25 0.75\n3 0.125\n");
    for (size_t i = 0; i < 2; i++) {
        char *platform =
            mem_format(PLATFORM_HEAD "<config>" PROP("network/optim", "%s") PROP("network/model", "CM02")
                           PROP("network/crosstraffic", "0")
                               PROP("network/TCP-gamma",
                                    "0") "</config><zone id=\"world\" "
                                         "routing=\"Full\">" HOST("a", PROP("ir_send", "0.4")) HOST("b", "")
                                             LINK("l", "bandwidth=\"1MBps\" latency=\"0.5s\" latency_file=\"latency\"")
                                                 ROUTE("a", "b", "l") END_OF_PLATFORM,
                       heads[i]);
        CHECK_ENDS(platform, "interference",
                   "comm 0 a b 1000000\ncomm 1.5 a b 250000\ncomm 2.5 a b 1000000\nexec 0 a 5000\n", {DONE, 1.25},
                   {DONE, 2.5}, {DONE, 4}, {DONE, 5.9});
        free(platform);
    }
    free(profile);
}

/* A million events of profiles go by before an activity counts as stuck, whatever the world. */
static void a_stuck_activity_beside_an_endless_profile_is_no_endless_run(void)
{
    char *speed = file_with("speed", "1 0\n"), *other = file_with("other", "PERIODICITY 1\n0 1\n0.5 0.5\n");
    CHECK_ENDS(NETWORK(FILED_HOST("a", "availability_file=\"other\"", ""),
                       FILED_HOST("b", "availability_file=\"speed\"", ""), MBPS("l", "1"), MBPS("k", "1")),
               "involvement", "exec 0 b 2000\nexec 0 a 1500\n", {LOST, NAN}, {DONE, 2});
    free(speed);
    speed = file_with("speed", "0 0\n");
    CHECK_ENDS(NETWORK(FILED_HOST("a", "availability_file=\"other\"", ""),
                       FILED_HOST("b", "availability_file=\"speed\"", ""), MBPS("l", "1"), MBPS("k", "1")),
               "interference", "exec 0 b 2000\n", {LOST, NAN});
    free(speed);
    free(other);
}

static void neither_beside_one_of_a_link_that_nobody_uses(void)
{
    char *speed = file_with("speed", "0 0\n"), *other = file_with("other", "PERIODICITY 1\n0 1000000\n0.5 500000\n");
    CHECK_ENDS(NETWORK(HOST("a", ""), FILED_HOST("b", "availability_file=\"speed\"", ""),
                       FILED_LINK("l", "bandwidth_file=\"other\""), MBPS("k", "1")),
               "none", "exec 0 b 2000\n", {LOST, NAN});
    free(speed);
    free(other);
}

static void work_for_years_beside_a_busy_profile_is_not_stuck(void)
{
    char *other = file_with("other", "PERIODICITY 1\n0 1\n0.5 0.5\n");
    CHECK_ENDS(
        NETWORK(FILED_HOST("a", "availability_file=\"other\"", ""), HOST("b", ""), MBPS("l", "1"), MBPS("k", "1")),
        "interference", "exec 0 b 600000000\nexec 0 a 750000\n", {DONE, 6e5}, {DONE, 1e3});
    free(other);
}

/* ---- what is refused beforehand ---- */

static void check_refusal(const char *platform, const char *script, const char *text, int line)
{
    struct outcome o = play(platform, "interference", script);
    CHECK(o.ending == ENDED_WELL);
    CHECK(o.code == ERR_INPUT);
    CHECK_CONTAINS(o.e.text, text);
    CHECK_INT(o.e.line, line);
    free(o.list);
}

static void a_missing_route_is_named(void)
{
    const char *platform = NETWORK(HOST("a", ""), HOST("b", ""), MBPS("l", "1"), MBPS("k", "1"));
    check_refusal(platform, "exec 0 a 1\ncomm 0 b c 1\n",
                  "there is no route from host 'b' to host 'c' on the platform ", 2);
}

static void an_unknown_host_is_named(void)
{
    const char *platform = NETWORK(HOST("a", ""), HOST("b", ""), MBPS("l", "1"), MBPS("k", "1"));
    check_refusal(platform, "\n\nexec 0 d 1\n", "host 'd' is not on the platform ", 3);
    check_refusal(platform, "comm 0 a d 1\n", "host 'd' is not on the platform ", 1);
}

static const struct test tests[] = {
    {"a_host_that_goes_down_takes_its_executions_with_it", a_host_that_goes_down_takes_its_executions_with_it},
    {"a_host_that_goes_down_takes_its_transfers_with_it", a_host_that_goes_down_takes_its_transfers_with_it},
    {"what_begins_on_a_host_that_is_down_fails_at_once", what_begins_on_a_host_that_is_down_fails_at_once},
    {"a_host_that_comes_back_begins_afresh", a_host_that_comes_back_begins_afresh},
    {"a_transfer_that_fails_takes_no_more_of_the_processor", a_transfer_that_fails_takes_no_more_of_the_processor},
    {"a_transfer_that_fails_gives_its_bandwidth_back", a_transfer_that_fails_gives_its_bandwidth_back},
    {"a_link_that_goes_down_takes_its_transfers_with_it", a_link_that_goes_down_takes_its_transfers_with_it},
    {"a_transfer_over_a_link_that_is_down_fails_at_once", a_transfer_over_a_link_that_is_down_fails_at_once},
    {"a_link_may_go_down_during_latency", a_link_may_go_down_during_latency},
    {"a_failed_message_frees_the_processors_it_held_or_waited_for",
     a_failed_message_frees_the_processors_it_held_or_waited_for},
    {"a_message_may_fail_while_it_waits_for_its_receiver", a_message_may_fail_while_it_waits_for_its_receiver},
    {"what_can_never_proceed_is_told_apart", what_can_never_proceed_is_told_apart},
    {"a_bandwidth_of_0_for_ever_lets_nothing_through", a_bandwidth_of_0_for_ever_lets_nothing_through},
    {"a_bandwidth_that_comes_back_lets_all_through", a_bandwidth_that_comes_back_lets_all_through},
    {"a_receive_does_not_begin_while_nothing_comes", a_receive_does_not_begin_while_nothing_comes},
    {"a_bandwidth_that_comes_back_is_shared_as_before", a_bandwidth_that_comes_back_is_shared_as_before},
    {"a_link_without_bandwidth_may_go_down", a_link_without_bandwidth_may_go_down},
    {"a_bandwidth_that_changes_during_latency_changes_nothing_then",
     a_bandwidth_that_changes_during_latency_changes_nothing_then},
    {"a_latency_that_changes_during_latency_ends_it", a_latency_that_changes_during_latency_ends_it},
    {"a_stuck_activity_beside_an_endless_profile_is_no_endless_run",
     a_stuck_activity_beside_an_endless_profile_is_no_endless_run},
    {"neither_beside_one_of_a_link_that_nobody_uses", neither_beside_one_of_a_link_that_nobody_uses},
    {"work_for_years_beside_a_busy_profile_is_not_stuck", work_for_years_beside_a_busy_profile_is_not_stuck},
    {"a_missing_route_is_named", a_missing_route_is_named},
    {"an_unknown_host_is_named", an_unknown_host_is_named},
};

TEST_MAIN(tests)
