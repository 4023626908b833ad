/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/isolate.h"

#include "check.h"

#include <signal.h>
#include <unistd.h>

static enum err_code hang_up(void *self, struct err *e)
{
    (void)self;
    (void)e;
    raise(SIGHUP);
    return ERR_NONE;
}

static enum err_code wait_for_ever(void *self, struct err *e)
{
    (void)self;
    (void)e;
    while (pause() < 0) /* it never returns anything else */
        continue;
    return ERR_NONE;
}

static void a_child_ignores_a_hang_up_if_its_parent_does(void)
{
    struct err e = {0};
    signal(SIGHUP, SIG_IGN); /* nohup */
    CHECK_OK(isolate_run(hang_up, NULL, &e), e);
    signal(SIGHUP, SIG_DFL);
    CHECK_INT(isolate_run(hang_up, NULL, &e), ERR_INTERNAL);
    CHECK_CONTAINS(e.text, "crashed with SIGHUP");
}

/* A note of what foreign code was at would stand before it. */
static void the_time_limit_is_named(void)
{
    struct err e = {0};
    CHECK_INT(isolate_run_foreign(wait_for_ever, NULL, 0.1, &e), ERR_INPUT);
    CHECK_TEXT(e.text, "not done within the time limit of 0.1 s");
}

static const struct test tests[] = {
    {"a child ignores a hang-up if its parent does", a_child_ignores_a_hang_up_if_its_parent_does},
    {"the time limit is named", the_time_limit_is_named},
};

TEST_MAIN(tests)
