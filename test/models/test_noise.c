/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Noise: what its text means, and of which names each draw is a function. (The distribution: test_gamma.c.) */
#include "models/noise.h"

#include "base/mem.h"
#include "check.h"
#include "machine_text.h"

#include <stdlib.h>

static struct noise noise_of(const char *text, uint64_t seed)
{
    struct noise n;
    struct err e = {0};
    CHECK_OK(noise_parse(text, seed, &n, &e), e);
    return n;
}

static double draw(const struct noise *n, enum noise_kind kind, const char *name, const char *other, uint64_t number)
{
    struct noise_source s = noise_source_of(n, kind, "h", name, other);
    return noise_draw(&s, number);
}

static void each_kind_has_its_own_coefficient(void)
{
    struct noise n = noise_of("work=0.1,rate.b=0.3;size=0,work.a=2,rate=0.25", 1);
    CHECK(noise_cv(&n, NOISE_WORK, "b") == 0.1 && noise_cv(&n, NOISE_WORK, "a") == 2);
    CHECK(noise_cv(&n, NOISE_RATE, "b") == 0.3 && noise_cv(&n, NOISE_RATE, "a") == 0.25);
    CHECK(noise_cv(&n, NOISE_SIZE, "b") == 0);
    CHECK(noise_cv(NULL, NOISE_SIZE, "b") == 0);
    CHECK_TEXT(n.text, "work=0.1,rate.b=0.3;size=0,work.a=2,rate=0.25");
    noise_clear(&n);
}

/* Whatever the name of a host has in it, but for what separates items. */
static void hosts_may_have_any_name(void)
{
    struct noise n = noise_of("size.node-1.site.org=1,work.a=b=2,rate.. =0.5", 1);
    CHECK(noise_cv(&n, NOISE_SIZE, "node-1.site.org") == 1);
    CHECK(noise_cv(&n, NOISE_WORK, "a=b") == 2);
    CHECK(noise_cv(&n, NOISE_RATE, ". ") == 0.5);
    noise_clear(&n);
}

/* The values come from a program in Python that shares nothing with this one. */
static void a_draw_is_a_function_of_seed_kind_names_and_number(void)
{
    struct noise n = noise_of("work=0.5,size=2,rate=0.1", 1), far = noise_of("size=2", (uint64_t)1 << 40);
    CHECK_CLOSE(draw(&n, NOISE_WORK, "A", NULL, 0), 0x1.06bcc447a0f59p+0, 0);
    CHECK_CLOSE(draw(&far, NOISE_SIZE, "A", "B", 7), 0x1.72edaa41e0622p+1, 0);
    CHECK_CLOSE(noise_rate_ratio(&n, "Lab3"), 0x1.b101ae667a1c2p-1, 0);
    noise_clear(&n);
    noise_clear(&far);
}

static void names_are_not_confused(void)
{
    struct noise n = noise_of("work=1,size=1", 1);
    CHECK(draw(&n, NOISE_SIZE, "ab", "c", 0) != draw(&n, NOISE_SIZE, "a", "bc", 0));
    CHECK(draw(&n, NOISE_SIZE, "a", "b", 0) != draw(&n, NOISE_SIZE, "b", "a", 0));
    CHECK(draw(&n, NOISE_SIZE, "a", "", 0) != draw(&n, NOISE_SIZE, "a", NULL, 0));
    CHECK(draw(&n, NOISE_WORK, "a", NULL, 0) != draw(&n, NOISE_SIZE, "a", NULL, 0));
    CHECK(draw(&n, NOISE_WORK, "1", NULL, 1) != draw(&n, NOISE_WORK, "11", NULL, 0));
    noise_clear(&n);
}

/* On the same draws only the spread differs: a host's own coefficient does not move what others have. */
static void a_host_of_its_own_changes_no_other(void)
{
    struct noise a = noise_of("work=1", 3), b = noise_of("work=1,work.x=0.2", 3);
    CHECK(draw(&a, NOISE_WORK, "t", NULL, 0) == draw(&b, NOISE_WORK, "t", NULL, 0));
    noise_clear(&a);
    noise_clear(&b);
}

static void no_noise_is_exactly_1(void)
{
    struct noise n = noise_of("work=0,size=0,rate=0", 1);
    CHECK(draw(&n, NOISE_WORK, "t", NULL, 0) == 1 && draw(NULL, NOISE_SIZE, "a", "b", 3) == 1);
    CHECK(noise_rate_ratio(&n, "h") == 1 && noise_rate_ratio(NULL, "h") == 1);
    noise_clear(&n);
}

enum { N = 20000 };

static double correlation(const double *x, const double *y)
{
    double sxy = 0, sxx = 0, syy = 0;
    for (int i = 0; i < N; i++) {
        sxy += (x[i] - 1) * (y[i] - 1);
        sxx += (x[i] - 1) * (x[i] - 1);
        syy += (y[i] - 1) * (y[i] - 1);
    }
    return sxy / sqrt(sxx * syy);
}

static void fill(double *x, uint64_t seed, enum noise_kind kind, const char *format, uint64_t number)
{
    struct noise n = noise_of("work=0.5,size=0.5,rate=0.5", seed);
    for (int i = 0; i < N; i++) {
        char *name = mem_format(format, i);
        x[i] = draw(&n, kind, name, NULL, number);
        free(name);
    }
    noise_clear(&n);
}

/* Of independent ones a correlation is normal with deviation 1 / sqrt N. */
static void draws_are_independent(void)
{
    double *x = mem_alloc(N * sizeof *x), *y = mem_alloc(N * sizeof *y);
    fill(x, 1, NOISE_WORK, "t%d", 0);
    const struct {
        uint64_t seed;
        enum noise_kind kind;
        const char *format;
        uint64_t number;
    } others[] = {
        {2, NOISE_WORK, "t%d", 0}, {1, NOISE_SIZE, "t%d", 0}, {1, NOISE_WORK, "u%d", 0}, {1, NOISE_WORK, "t%d", 1}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        fill(y, others[k].seed, others[k].kind, others[k].format, others[k].number);
        CHECK(fabs(correlation(x, y)) < 4 / sqrt(N));
    }
    for (int i = 0; i < N; i++) /* neighbours in name */
        y[i] = x[(i + 1) % N];
    CHECK(fabs(correlation(x, y)) < 4 / sqrt(N));
    free(x);
    free(y);
}

static void check_refused(const char *text, const char *want)
{
    struct noise n = {0};
    struct err e = {0};
    CHECK_INT(noise_parse(text, 1, &n, &e), ERR_INPUT);
    CHECK_TEXT(e.text, want);
    CHECK(n.items == NULL && n.text == NULL);
}

static void what_is_wrong_is_named(void)
{
    check_refused("", "noise '' is empty; known: work=CV,size=CV,rate=CV, and these with a host (size.HOST=CV)");
    check_refused("work", "noise 'work' is not one of work=CV,size=CV,rate=CV, or of these with a host (size.HOST=CV)");
    check_refused(
        "work=1,",
        "noise 'work=1,' ends with a comma; known: work=CV,size=CV,rate=CV, and these with a host (size.HOST=CV)");
    check_refused("work=1,;rate=1", "noise 'work=1,;rate=1' has nothing before a comma; known: "
                                    "work=CV,size=CV,rate=CV, and these with a host (size.HOST=CV)");
    check_refused("speed=1",
                  "noise 'speed=1' is not one of work=CV,size=CV,rate=CV, or of these with a host (size.HOST=CV)");
    check_refused("work=", "noise 'work=': '' is not a number");
    check_refused("work=0.1x", "noise 'work=0.1x': '0.1x' is not a number");
    check_refused("size=inf", "noise 'size=inf': 'inf' is not a number");
    check_refused("size=-0.1", "noise 'size=-0.1': a coefficient of variation is 0, or between 0.0001 and 3");
    check_refused("size=3.1", "noise 'size=3.1': a coefficient of variation is 0, or between 0.0001 and 3");
    check_refused("rate=1e-5", "noise 'rate=1e-5': a coefficient of variation is 0, or between 0.0001 and 3");
    check_refused("rate=1;work=1;rate=2", "noise 'rate=2': rate is given twice");
    check_refused("size.a=1,size=2,size.a=0", "noise 'size.a=0': size.a is given twice");
    check_refused("size.=1", "noise 'size.=1' has no host name after the dot");
}

static void a_host_must_be_there(void)
{
    struct machine m = machine_from_text("a:1 b:1 | a-b:1,0");
    struct noise good = noise_of("size.a=1,rate=1", 1), bad = noise_of("work=1,size.c=1", 1);
    struct err e = {0};
    CHECK_OK(noise_check_hosts(&good, &m, &e), e);
    CHECK_OK(noise_check_hosts(NULL, &m, &e), e);
    CHECK_INT(noise_check_hosts(&bad, &m, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "has no host 'c'");
    noise_clear(&good);
    noise_clear(&bad);
    machine_text_clear(&m);
}

static const struct test tests[] = {
    {"each kind has its own coefficient", each_kind_has_its_own_coefficient},
    {"hosts may have any name", hosts_may_have_any_name},
    {"a draw is a function of seed, kind, names and number", a_draw_is_a_function_of_seed_kind_names_and_number},
    {"names are not confused", names_are_not_confused},
    {"a host of its own changes no other", a_host_of_its_own_changes_no_other},
    {"no noise is exactly 1", no_noise_is_exactly_1},
    {"draws are independent", draws_are_independent},
    {"what is wrong is named", what_is_wrong_is_named},
    {"a host must be there", a_host_must_be_there},
};
TEST_MAIN(tests)
