/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/registry.h"
#include "check.h"

#include <stdlib.h>

struct thing {
    const char *name;
    int value;
};

static const struct thing alpha = {"alpha", 1}, beta = {"beta", 2}, gamma_ = {"gamma", 3}, delta = {"delta", 4};
static const struct thing *const built_in[] = {&alpha, &beta, NULL};

static void an_entry_is_found_by_its_name(void)
{
    const struct thing *found = registry_find(built_in, "beta");
    CHECK(found == &beta);
    CHECK(registry_find(built_in, "bet") == NULL);
    CHECK(registry_find(built_in, "") == NULL);
    CHECK_INT(registry_count(built_in), 2);
}

static void check_message(const char *name, const char *message)
{
    struct err e = {0};
    CHECK(registry_choose(built_in, "thing", name, &e) == NULL);
    CHECK_INT(e.code, ERR_INPUT);
    CHECK_TEXT(e.text, message);
}

static void an_unknown_name_is_told_with_the_known_and_the_nearest(void)
{
    CHECK(registry_choose(built_in, "thing", "alpha", NULL) == &alpha);
    CHECK(registry_choose(built_in, "thing", "omega", NULL) == NULL);
    check_message("omega", "unknown thing 'omega'; known: alpha, beta");
    check_message("alpa", "unknown thing 'alpa'; known: alpha, beta; did you mean 'alpha'?");
    check_message("Beta", "unknown thing 'Beta'; known: alpha, beta; did you mean 'beta'?");
    check_message("", "unknown thing ''; known: alpha, beta");
}

static void what_is_added_comes_last_and_knows_its_origin(void)
{
    static const struct origin first = {.path = "a.so"}, second = {.path = "b.so"};
    struct registry r = {0};
    const struct thing *const *things = built_in;
    const struct thing *added = &gamma_;
    struct text names = {0};
    CHECK(registry_origin(&r, &alpha) == NULL);
    things = registry_add(&r, things, &added, &first);
    added = &delta;
    things = registry_add(&r, things, &added, &second);
    CHECK_INT(registry_count(things), 4);
    CHECK(things[0] == &alpha && things[2] == &gamma_ && things[3] == &delta && things[4] == NULL);
    CHECK(registry_find(things, "gamma") == &gamma_);
    CHECK(registry_origin(&r, &alpha) == NULL);
    CHECK(registry_origin(&r, &gamma_) == &first && registry_origin(&r, &delta) == &second);
    registry_add_names(things, &names);
    CHECK_TEXT(text_str(&names), "alpha, beta, gamma, delta");
    text_clear(&names);
    free(r.list);
    free(r.origins);
}

static const struct test tests[] = {
    {"an entry is found by its name", an_entry_is_found_by_its_name},
    {"an unknown name is told with the known and the nearest", an_unknown_name_is_told_with_the_known_and_the_nearest},
    {"what is added comes last and knows its origin", what_is_added_comes_last_and_knows_its_origin},
};

TEST_MAIN(tests)
