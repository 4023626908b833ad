/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "calibrate/calibrate_plan.h"

#include "check.h"

static const double max_send = 100, max_recv = 10;

static void a_round_covers_all_directions(void)
{
    for (uint64_t round = 0; round < 100; round++) {
        struct plan_interval p[PLAN_INTERVALS];
        int n[2][2] = {{0}};
        plan_round(round, max_send, max_recv, p);
        for (int i = 0; i < PLAN_INTERVALS; i++) {
            CHECK(p[i].send_bytes_per_s >= 0 && p[i].send_bytes_per_s <= 1.1 * max_send);
            CHECK(p[i].recv_bytes_per_s >= 0 && p[i].recv_bytes_per_s <= 1.1 * max_recv);
            n[p[i].send_bytes_per_s > 0][p[i].recv_bytes_per_s > 0]++;
        }
        CHECK(n[0][0] == PLAN_ALONE && n[1][0] == PLAN_LEVELS && n[0][1] == PLAN_LEVELS && n[1][1] == PLAN_LEVELS);
    }
}

/* Of sending alone, each quarter of the range has one rate. */
static void levels_cover_the_range(void)
{
    for (uint64_t round = 0; round < 100; round++) {
        struct plan_interval p[PLAN_INTERVALS];
        unsigned seen = 0;
        plan_round(round, max_send, max_recv, p);
        for (int i = 0; i < PLAN_INTERVALS; i++)
            if (p[i].send_bytes_per_s > 0 && p[i].recv_bytes_per_s == 0)
                seen |= 1u << (int)(p[i].send_bytes_per_s / (1.1 * max_send) * PLAN_LEVELS);
        CHECK(seen == (1u << PLAN_LEVELS) - 1);
    }
}

static void rounds_differ_and_can_be_repeated(void)
{
    struct plan_interval a[PLAN_INTERVALS], b[PLAN_INTERVALS], c[PLAN_INTERVALS];
    plan_round(3, max_send, max_recv, a);
    plan_round(3, max_send, max_recv, b);
    plan_round(4, max_send, max_recv, c);
    CHECK(memcmp(a, b, sizeof a) == 0);
    CHECK(memcmp(a, c, sizeof a) != 0);
}

static void there_is_always_a_round(void)
{
    CHECK_INT(plan_rounds(0), 1);
    CHECK_INT(plan_rounds(10), 3);
    CHECK(plan_rounds(1800) * PLAN_INTERVALS < 100000);
}

static const struct test tests[] = {
    {"a round covers all directions", a_round_covers_all_directions},
    {"levels cover the range", levels_cover_the_range},
    {"rounds differ and can be repeated", rounds_differ_and_can_be_repeated},
    {"there is always a round", there_is_always_a_round},
};
TEST_MAIN(tests)
