/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/portable_math.h"

#include "base/random.h"
#include "check.h"

#include <math.h>

static void both_are_those_of_the_c_library_but_for_last_bits(void)
{
    struct random_stream r;
    random_init(&r, 1, 1);
    for (int i = 0; i < 20000; i++) {
        double x = random_between(&r, -700, 700), near_1 = random_between(&r, 0.5, 1.5);
        CHECK_CLOSE(portable_exp(x), exp(x), 1e-15);
        CHECK_CLOSE(portable_log(exp(x)), log(exp(x)), 1e-15);
        CHECK_CLOSE(portable_log(near_1), log(near_1), 1e-15);
    }
}

/* A program in Python that does the same operations has given them. */
static void the_bytes_are_these(void)
{
    static const double logs[][2] = {{0.3, -0x1.34378fcbda720p+0},
                                     {2, 0x1.62e42fefa39efp-1},
                                     {10, 0x1.26bb1bbb55515p+1},
                                     {1000, 0x1.ba18a998fffa0p+2},
                                     {1e-300, -0x1.5963447f87fb5p+9}};
    static const double exps[][2] = {{-700, 0x1.14f2b0fb9307fp-1010}, {-1, 0x1.78b56362cef38p-2},
                                     {0.5, 0x1.a61298e1e069cp+0},     {3, 0x1.415e5bf6fb106p+4},
                                     {100, 0x1.3494a9b171bf5p+144},   {709, 0x1.d422d2be5dc9bp+1022}};
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        CHECK(portable_log(logs[i][0]) == logs[i][1]);
    for (size_t i = 0; i < sizeof exps / sizeof exps[0]; i++)
        CHECK(portable_exp(exps[i][0]) == exps[i][1]);
}

static void ends_are_exact(void)
{
    CHECK(portable_log(1) == 0);
    CHECK(portable_exp(0) == 1);
    CHECK(portable_exp(-1e4) == 0 && portable_exp(-800) == 0);
    CHECK(isinf(portable_exp(1e4)) && isinf(portable_exp(710)));
    CHECK_CLOSE(portable_log(0x1p-1074), -1074 * log(2), 1e-15);
}

static const struct test tests[] = {
    {"both are those of the C library, but for last bits", both_are_those_of_the_c_library_but_for_last_bits},
    {"the bytes are these", the_bytes_are_these},
    {"ends are exact", ends_are_exact},
};
TEST_MAIN(tests)
