/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/nearest.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static const char *nearest(const char *wanted, const char *const *names)
{
    static char found[600];
    struct nearest x = {.wanted = wanted};
    for (; *names != NULL; names++)
        nearest_offer(&x, *names, strlen(*names));
    snprintf(found, sizeof found, "%.*s", (int)x.length, x.name != NULL ? x.name : "");
    return found;
}

static void the_nearest_name_is_near(void)
{
    static const char *const names[] = {"Campus0", "Campus1", "Lab0", "SB0", "Tenn", NULL};
    CHECK_TEXT(nearest("Lab00", names), "Lab0");     /* one more */
    CHECK_TEXT(nearest("Ten", names), "Tenn");       /* one less */
    CHECK_TEXT(nearest("Tenm", names), "Tenn");      /* another */
    CHECK_TEXT(nearest("Tnen", names), "Tenn");      /* two swapped */
    CHECK_TEXT(nearest("TENN", names), "Tenn");      /* capitals */
    CHECK_TEXT(nearest("Campus", names), "Campus0"); /* of two as near the first in the alphabet */
    CHECK_TEXT(nearest("Kampus1", names), "Campus1");
    CHECK_TEXT(nearest("Cam", names), "Campus0"); /* begins so */
    CHECK_TEXT(nearest("Brazil", names), "");
    CHECK_TEXT(nearest("", names), "");
    char *longest = mem_format("%0500d", 0);
    CHECK_TEXT(nearest(longest, names), "");
    free(longest);
}

static void the_first_letter_decides_between_two_as_near(void)
{
    CHECK_TEXT(nearest("hetf", (const char *const[]){"etf", "heft", NULL}), "heft");
    CHECK_TEXT(nearest("hetf", (const char *const[]){"heft", "etf", NULL}), "heft");
}

static void few_names_are_all_given(void)
{
    CHECK_TEXT(hint_among("omega", "alpha, beta", "scheduler").text, "; known: alpha, beta");
    CHECK_TEXT(hint_among("bata", "alpha|beta", NULL).text, "; known: alpha|beta; did you mean 'beta'?");
    CHECK_TEXT(hint_among("x", "", NULL).text, "; known: none");
}

static void of_many_names_the_nearest_is_given_and_what_shows_all(void)
{
    static const char many[] = "a, b, c, d, e, f, g, heft, list";
    CHECK_TEXT(hint_among("hetf", many, "scheduler").text, "; did you mean 'heft'? `iasim list schedulers` shows all");
    CHECK_TEXT(hint_among("nothing", many, "experiment farm").text, "; `iasim list experiments` shows all");
    CHECK_TEXT(hint_among("hetf", many, NULL).text, "; did you mean 'heft'?");
    CHECK_TEXT(hint_among("nothing", many, NULL).text, "; known: a, b, c, d, e, f, g, heft, list");
}

static void a_value_with_a_unit_is_told_its_unit(void)
{
    CHECK_TEXT(hint_unit("5MB", "MB").text, "; the unit is MB: write 5");
    CHECK_TEXT(hint_unit("2.5 mb", "MB").text, "; the unit is MB: write 2.5");
    CHECK_TEXT(hint_unit("5GB", "MB").text, "; write the number without a unit");
    CHECK_TEXT(hint_unit("5s", NULL).text, "; write the number without a unit");
    const char *const others[] = {"five", "", "nan", "0x10", "1e400", "5,3", "1;2", "-", NULL};
    for (const char *const *x = others; *x != NULL; x++)
        CHECK_TEXT(hint_unit(*x, "MB").text, "");
}

static const struct test tests[] = {
    {"the nearest name is near", the_nearest_name_is_near},
    {"the first letter decides between two as near", the_first_letter_decides_between_two_as_near},
    {"few names are all given", few_names_are_all_given},
    {"of many names the nearest is given and what shows all", of_many_names_the_nearest_is_given_and_what_shows_all},
    {"a value with a unit is told its unit", a_value_with_a_unit_is_told_its_unit},
};

TEST_MAIN(tests)
