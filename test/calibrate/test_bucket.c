/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "calibrate/bucket.h"

#include "check.h"

/* Sends in simulated time as fast as the bucket allows; each piece takes `piece_s`. Returns the bytes sent. */
static double send_for(double rate, double duration_s, double piece_s)
{
    struct bucket b;
    double now = 5, sent = 0;
    bucket_init(&b, rate, now);
    while (now < 5 + duration_s) {
        double wait = bucket_wait_s(&b, now);
        now += wait;
        if (wait > 0 && bucket_wait_s(&b, now) > 1e-12) /* waiting as long as was said is enough */
            return NAN;
        bucket_take(&b, b.piece_bytes);
        sent += (double)b.piece_bytes;
        now += piece_s;
    }
    return sent;
}

static void the_mean_rate_is_kept(void)
{
    const double rates[] = {1e3, 1e5, 3e6, 1e8, 2e9};
    for (int i = 0; i < 5; i++) {
        struct bucket b;
        bucket_init(&b, rates[i], 0);
        double sent = send_for(rates[i], 10, 0);
        CHECK(fabs(sent - rates[i] * 10) <= 2 * (double)b.piece_bytes);
    }
}

static void a_slow_network_is_not_followed_by_a_burst(void)
{
    struct bucket b;
    bucket_init(&b, 1e6, 0);
    bucket_wait_s(&b, 100); /* nothing was sent for 100 s */
    double sent = 0;
    while (bucket_wait_s(&b, 100) == 0) {
        bucket_take(&b, b.piece_bytes);
        sent += (double)b.piece_bytes;
    }
    CHECK(sent <= 0.02 * 1e6 && sent > 0.015 * 1e6);
}

static void pieces_are_small_for_slow_rates_and_never_large(void)
{
    struct bucket b;
    bucket_init(&b, 10, 0);
    CHECK_INT(b.piece_bytes, 1024);
    bucket_init(&b, 5e6, 0);
    CHECK_INT(b.piece_bytes, 10000);
    bucket_init(&b, 1e18, 0);
    CHECK_INT(b.piece_bytes, 65536);
    CHECK(bucket_wait_s(&b, 1e-9) == 0);
}

static const struct test tests[] = {
    {"the mean rate is kept", the_mean_rate_is_kept},
    {"a slow network is not followed by a burst", a_slow_network_is_not_followed_by_a_burst},
    {"pieces are small for slow rates and never large", pieces_are_small_for_slow_rates_and_never_large},
};
TEST_MAIN(tests)
