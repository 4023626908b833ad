/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random streams and digests: the same on every machine. */
#include "base/random.h"

#include "base/digest.h"
#include "check.h"

/* Random123's published known answer: philox4x32-10 of counter 0 and key 0 is 6627e8d5 e169c58d bc57ac4c 9b00dbd8. */
static void the_generator_is_philox_4x32_10(void)
{
    struct random_stream r;
    random_init(&r, 0, 0);
    CHECK(random_u64(&r) == 0x6627e8d5e169c58d);
    CHECK(random_u64(&r) == 0xbc57ac4c9b00dbd8);
}

static void streams_differ_and_repeat(void)
{
    struct random_stream a, b, c, again;
    random_init(&a, 1, 0);
    random_init(&b, 1, 1);
    random_init(&c, 2, 0);
    random_init(&again, 1, 0);
    uint64_t x = random_u64(&a);
    CHECK(x != random_u64(&b));
    CHECK(x != random_u64(&c));
    CHECK(x == random_u64(&again));
}

static void numbers_keep_their_bounds_and_fill_them(void)
{
    struct random_stream r;
    double sum = 0, least = 1, most = 0;
    long counts[7] = {0};
    random_init(&r, 3, 3);
    for (int i = 0; i < 70000; i++) {
        double x = random_unit(&r);
        sum += x;
        least = fmin(least, x);
        most = fmax(most, x);
        counts[random_below(&r, 7)]++;
        double y = random_between(&r, -2, 3);
        CHECK(y >= -2 && y < 3);
    }
    CHECK(least >= 0 && most < 1);
    CHECK_CLOSE(sum / 70000, 0.5, 0.02); /* 10 standard deviations are 0.011 */
    for (int i = 0; i < 7; i++)
        CHECK_CLOSE((double)counts[i], 10000, 0.1); /* 10 standard deviations are 930 */
}

static void digest_of(const char *a, const char *b, char out[DIGEST_HEX_SIZE])
{
    struct digest d;
    digest_init(&d);
    digest_add_text(&d, a);
    digest_add_text(&d, b);
    digest_finish(&d, out);
}

static void a_digest_knows_its_pieces(void)
{
    char x[DIGEST_HEX_SIZE], y[DIGEST_HEX_SIZE], z[DIGEST_HEX_SIZE];
    digest_of("ab", "c", x);
    digest_of("a", "bc", y);
    digest_of("ab", "c", z);
    CHECK_INT(strlen(x), 32);
    CHECK(strcmp(x, y) != 0);
    CHECK_TEXT(x, z);
    CHECK(digest_to_u64("00000000000000ff0123456789abcdef") == 255);
}

/* Of no piece at all it is SHA-256 of nothing, as published: e3b0c44298fc1c149afbf4c8996fb924... */
static void the_digest_is_sha_256(void)
{
    struct digest d;
    char out[DIGEST_HEX_SIZE];
    digest_init(&d);
    digest_finish(&d, out);
    CHECK_TEXT(out, "e3b0c44298fc1c149afbf4c8996fb924");
}

static const struct test tests[] = {
    {"the_generator_is_philox_4x32_10", the_generator_is_philox_4x32_10},
    {"streams_differ_and_repeat", streams_differ_and_repeat},
    {"numbers_keep_their_bounds_and_fill_them", numbers_keep_their_bounds_and_fill_them},
    {"a_digest_knows_its_pieces", a_digest_knows_its_pieces},
    {"the_digest_is_sha_256", the_digest_is_sha_256},
};
TEST_MAIN(tests)
