/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/name_index.h"
#include "check.h"

#include <stdio.h>

static void every_name_keeps_its_first_number(void)
{
    enum { N = 5000 };
    static char names[N][16];
    struct name_index *x = name_index_create();
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "host-%d", i);
        if (name_index_add(x, names[i], i) != i)
            CHECK_INT(name_index_add(x, names[i], i), i);
    }
    for (int i = 0; i < N; i++) {
        if (name_index_find(x, names[i]) != i)
            CHECK_INT(name_index_find(x, names[i]), i);
        if (name_index_add(x, names[i], N + i) != i)
            CHECK_INT(name_index_add(x, names[i], N + i), i);
    }
    CHECK_INT(name_index_find(x, "host-5000"), -1);
    CHECK_INT(name_index_find(x, ""), -1);
    name_index_free(x);
}

static void the_empty_name_is_a_name(void)
{
    struct name_index *x = name_index_create();
    CHECK_INT(name_index_add(x, "", 3), 3);
    CHECK_INT(name_index_find(x, ""), 3);
    name_index_free(x);
}

static void no_index_has_no_names(void)
{
    CHECK_INT(name_index_find(NULL, "a"), -1);
    CHECK_TEXT(name_index_hint(NULL, "a").text, "");
    name_index_free(NULL);
}

static void of_names_as_near_the_first_in_the_alphabet_is_told(void)
{
    static char names[100][8];
    struct name_index *x = name_index_create();
    for (int i = 99; i >= 0; i--) {
        snprintf(names[i], sizeof names[i], "node%02d", i);
        name_index_add(x, names[i], i);
    }
    CHECK_TEXT(name_index_hint(x, "node0").text, "; did you mean 'node00'?");
    CHECK_TEXT(name_index_hint(x, "node5").text, "; did you mean 'node05'?");
    name_index_free(x);
}

static const struct test tests[] = {
    {"every name keeps its first number", every_name_keeps_its_first_number},
    {"the empty name is a name", the_empty_name_is_a_name},
    {"no index has no names", no_index_has_no_names},
    {"of names as near the first in the alphabet is told", of_names_as_near_the_first_in_the_alphabet_is_told},
};

TEST_MAIN(tests)
