/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A rate is judged by what its interval means at the highest rate, and what is emitted has no more digits than the
   interval. */
#include "calibrate/judge.h"

#include "calibrate/emit.h"
#include "check.h"

static struct rate rate(double ir, double half, double max_MB_per_s)
{
    return (struct rate){.is_known = true,
                         .ir = ir,
                         .low = ir - half,
                         .high = ir + half,
                         .r2 = 0.5,
                         .max_MB_per_s = max_MB_per_s,
                         .n = 9};
}

static void check(enum judgement want, struct rate r)
{
    CHECK_TEXT(judgement_words[judge_rate(&r)], judgement_words[want]);
}

static void a_rate_is_judged_by_its_effect(void)
{
    check(JUDGED_GOOD, rate(0.003, 0.0003, 100));
    check(JUDGED_GOOD, rate(0.003, 0.0014, 100));   /* nearly half of it */
    check(JUDGED_NOISE, rate(0.003, 0.0016, 100));  /* 16 % of the processor */
    check(JUDGED_NOISE, rate(0.0004, 0.0100, 80));  /* the interval contains 0 */
    check(JUDGED_GOOD, rate(0.00001, 0.0004, 100)); /* it contains 0, but says that there is no more than 4 % */
    check(JUDGED_NEGATIVE, rate(-0.003, 0.001, 100));
    check(JUDGED_GOOD, rate(-0.0002, 0.0001, 100)); /* 2 %: emitted as 0 */
    check(JUDGED_FULL, rate(0.011, 0.0001, 100));
    check(JUDGED_UNKNOWN, rate(0.003, NAN, 100));
}

static void the_reason_is_a_sentence(void)
{
    struct measured m;
    struct rates rates = {.of = {rate(0.0004, 0.01, 80), rate(0.003, NAN, 100), rate(0.002, 0, 100)}};
    struct text t = {0};
    points_init(&m, "lab0");
    judge_describe(&m, &rates, RATE_SEND, &t);
    CHECK_TEXT(text_str(&t),
               "lab0: the rate of sending is lost in noise (R2 0.5): the interval, -0.0096 to 0.0104 per MB/s, is "
               "160 % of the processor wide at 80 MB/s");
    text_clear(&t);
    judge_describe(&m, &rates, RATE_RECV, &t);
    CHECK_TEXT(text_str(&t), "lab0: the rate of receiving rests on 9 points and cannot be judged");
    text_clear(&t);
    judge_describe(&m, &rates, RATE_BOTH, &t);
    judge_describe_busy(&m, &t); /* unknown */
    CHECK_TEXT(text_str(&t), "");
    m.busy = (struct busy){0.25, 1.5};
    judge_describe_busy(&m, &t);
    CHECK_TEXT(text_str(&t),
               "lab0: while it was measured, the hypervisor took 25 % of the processors' time, and other programs kept "
               "1.5 processors busy");
    text_clear(&t);
    points_clear(&m);
}

static void what_is_emitted_has_the_digits_of_its_interval(void)
{
    struct measured m[2];
    struct rates rates = {.of = {rate(0.00314159265, 0.0004, 80), rate(0.00271828, 0, 80)}, .send_duplex = 0.0012345};
    struct text t = {0};
    struct err e = {0};
    rates.send_duplex_half = 0.000021;
    for (int i = 0; i < 2; i++) {
        points_init(&m[i], i == 0 ? "a" : "b");
        m[i].alone_flop_per_s = 1234567890;
        m[i].alone_half_flop_per_s = i == 0 ? 2e6 : NAN; /* given: as it is */
    }
    const struct emit_host hosts[2] = {{&m[0], &rates}, {&m[1], &rates}};
    CHECK_OK(emit_check(&m[0], &e), e);
    emit_platform(hosts, &t);
    CHECK_CONTAINS(text_str(&t), "<host id=\"a\" speed=\"1235000000f\">");
    CHECK_CONTAINS(text_str(&t), "<host id=\"b\" speed=\"1234567890f\">");
    CHECK_CONTAINS(text_str(&t), "<prop id=\"ir_send\" value=\"0.0031\"/>");
    CHECK_CONTAINS(text_str(&t), "<prop id=\"ir_recv\" value=\"0.00271828\"/>");
    CHECK_CONTAINS(text_str(&t), "<prop id=\"ir_send_duplex\" value=\"0.00123\"/>");
    text_clear(&t);
    points_clear(&m[0]);
    points_clear(&m[1]);
}

static const struct test tests[] = {
    {"a rate is judged by its effect", a_rate_is_judged_by_its_effect},
    {"the reason is a sentence", the_reason_is_a_sentence},
    {"what is emitted has the digits of its interval", what_is_emitted_has_the_digits_of_its_interval},
};
TEST_MAIN(tests)
