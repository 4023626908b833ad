/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A search ends after its number of steps, when its time is over, or when whoever waits for it says so. */
#include "check.h"

#include "schedulers/search.h"

static const struct param params[] = {SEARCH_PARAM_SECONDS, {0}};

struct waiter {
    int n_asked, n_shown, patience; /* patience: times that it is asked before it stops the search */
    char last[200];
};
static bool is_stopped(void *self)
{
    struct waiter *w = self;
    return ++w->n_asked > w->patience;
}
static void show(void *self, const char *state)
{
    struct waiter *w = self;
    w->n_shown++;
    snprintf(w->last, sizeof w->last, "%s", state);
}

static uint64_t steps_of(uint64_t n_max, const char *seconds, struct waiter *w, bool *was_stopped)
{
    struct search s;
    struct err e = {0};
    struct param_set *ps = param_set_create(params);
    const struct search_watch watch = {is_stopped, show, w};
    const struct scheduler_inputs in = {.watch = w != NULL ? &watch : NULL};
    if (seconds != NULL)
        CHECK_OK(param_set_value(ps, "search", "seconds", seconds, &e), e);
    uint64_t n = 0;
    for (search_begin(&s, "steps", n_max, ps, &in); search_step(&s, 12.5, 10);)
        n++;
    CHECK(!search_step(&s, 12.5, 10)); /* it stays over */
    CHECK(s.n_steps == n);
    if (was_stopped != NULL)
        *was_stopped = s.is_stopped;
    param_set_free(ps);
    return n;
}

static void test_steps(void)
{
    bool was_stopped = true;
    CHECK_INT(steps_of(1, NULL, NULL, &was_stopped), 1);
    CHECK(!was_stopped);
    CHECK_INT(steps_of(100003, NULL, NULL, NULL), 100003);
    CHECK_INT(steps_of(100003, NULL, &(struct waiter){.patience = 1 << 30}, NULL), 100003);
}

static void test_watch(void)
{
    bool was_stopped = false;
    struct waiter w = {.patience = 0};
    CHECK_INT(steps_of(0, NULL, &w, &was_stopped), 0);
    CHECK(was_stopped);
    w = (struct waiter){.patience = 3};
    CHECK(steps_of(0, NULL, &w, NULL) > 0);
    CHECK_INT(w.n_asked, 4);
}

static void test_time(void)
{
    bool was_stopped = false;
    struct waiter w = {.patience = 1 << 30};
    CHECK(steps_of(0, "0.001", NULL, &was_stopped) > 0);
    CHECK(was_stopped);
    steps_of(0, "1.2", &w, NULL); /* longer than the first state takes to be shown */
    CHECK(w.n_shown >= 1);
    CHECK_CONTAINS(w.last, " steps, best 12.5 s, at least 10 s");
}

static const struct test tests[] = {
    {"a number of steps is kept exactly", test_steps},
    {"whoever waits can stop it", test_watch},
    {"the time is over at some point; states are shown", test_time},
};
TEST_MAIN(tests)
