/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Assertions that print the values, on top of CUnit. Each .c file of tests is a program: TEST_MAIN(array). */
#ifndef IASIM_TEST_CHECK_H
#define IASIM_TEST_CHECK_H

#include "base/err.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
    const char *name; /* the claim */
    void (*run)(void);
};

static inline bool check_that(bool ok, const char *file, int line, const char *what)
{
    if (!ok)
        fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    return ok;
}
static inline bool check_close(double got, double want, double rel, const char *file, int line, const char *what)
{
    bool ok = got == want || fabs(got - want) <= rel * fmax(fabs(want), 1e-300);
    if (!ok)
        fprintf(stderr, "%s:%d: %s is %.17g, expected %.17g (relative difference %g, allowed %g)\n", file, line, what,
                got, want, fabs(got - want) / fabs(want), rel);
    return ok;
}
static inline bool check_text(const char *got, const char *want, bool whole, const char *file, int line,
                              const char *what)
{
    bool ok = got != NULL && (whole ? strcmp(got, want) == 0 : strstr(got, want) != NULL);
    if (!ok)
        fprintf(stderr, "%s:%d: %s is\n  %s\n%s\n  %s\n", file, line, what, got ? got : "(null)",
                whole ? "expected" : "expected it to contain", want);
    return ok;
}

#define CHECK(claim) CU_ASSERT(check_that((claim), __FILE__, __LINE__, #claim))
#define CHECK_CLOSE(got, want, rel) CU_ASSERT(check_close((got), (want), (rel), __FILE__, __LINE__, #got))
#define CHECK_INT(got, want) CU_ASSERT(check_close((double)(got), (double)(want), 0, __FILE__, __LINE__, #got))
#define CHECK_TEXT(got, want) CU_ASSERT(check_text((got), (want), true, __FILE__, __LINE__, #got))
#define CHECK_CONTAINS(got, want) CU_ASSERT(check_text((got), (want), false, __FILE__, __LINE__, #got))
#define CHECK_OK(code, e)                                                                                              \
    CU_ASSERT(check_text((code) == ERR_NONE ? "ok" : (e).text, "ok", true, __FILE__, __LINE__, #code))

/* Random campaigns: FOR_RANDOM_CASES(i, n) carries out a block with i = 0 to n - 1. Continuous integration takes few
   cases, and a quarter of them under sanitizers, which look for other faults than the claims of the test. test/campaign
   takes CAMPAIGN_TIMES as many, from number CAMPAIGN_FIRST on. After ten failures there are no further cases. */
static uint64_t n_random_cases; /* that were met so far */

static inline uint64_t campaign_number(const char *name, uint64_t usual)
{
    const char *given = getenv(name);
    return given != NULL ? strtoull(given, NULL, 10) : usual;
}
static inline uint64_t random_first(void)
{
    return campaign_number("CAMPAIGN_FIRST", 0);
}
/* How many of n cases are taken: bounds on how often something must be met go along. */
static inline int random_cases(uint64_t n)
{
    uint64_t times = campaign_number("CAMPAIGN_TIMES", 1);
#ifdef __SANITIZE_ADDRESS__
    return (int)((times * n + 3) / 4);
#else
    return (int)(times * n);
#endif
}
#define FOR_RANDOM_CASES(i, n)                                                                                         \
    for (uint64_t i = random_first(), i##_end = i + (uint64_t)random_cases(n);                                         \
         i < i##_end && CU_get_number_of_failures() < 10; i++, n_random_cases++)

static inline int test_main(const char *suite, const struct test *tests, size_t n)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite s = CU_add_suite(suite, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        CU_add_test(s, tests[i].name, tests[i].run);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    if (n_random_cases > 0)
        printf("%llu random cases from number %llu\n", (unsigned long long)n_random_cases,
               (unsigned long long)random_first());
    CU_cleanup_registry();
    return failures != 0 || n == 0;
}

#define TEST_MAIN(tests)                                                                                               \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        return test_main(__FILE__, (tests), sizeof(tests) / sizeof((tests)[0]));                                       \
    }

#endif
