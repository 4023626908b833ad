/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/svg_text.h"

#include "check.h"

#include <stdlib.h>

static const char *escaped(const char *s)
{
    static struct text out;
    out.size = 0;
    text_add(&out, "", 0);
    svg_add_escaped(&out, s);
    return text_str(&out);
}

static void marks_of_xml_are_escaped(void)
{
    CHECK_TEXT(escaped("a<b>&\"'c"), "a&lt;b&gt;&amp;&#34;&#39;c");
    CHECK_TEXT(escaped("]]>"), "]]&gt;");
}

static void characters_that_xml_forbids_are_replaced(void)
{
    CHECK_TEXT(escaped("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    CHECK_TEXT(escaped("a\xFF"
                       "b"),
               "a\xEF\xBF\xBD"
               "b");
    CHECK_TEXT(escaped("\xC3"), "\xEF\xBF\xBD");                                 /* cut off */
    CHECK_TEXT(escaped("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* overlong */
    CHECK_TEXT(escaped("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* surrogate */
    CHECK_TEXT(escaped("\xEF\xBF\xBF"), "\xEF\xBF\xBD");                         /* U+FFFF */
    CHECK_TEXT(escaped("\x01\n\x7F"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

static const char *shortened(const char *s, double em)
{
    static char out[200];
    char *fresh = svg_shorten(s, em);
    snprintf(out, sizeof out, "%s", fresh);
    free(fresh);
    return out;
}

static void a_shortened_text_is_whole_characters_and_fits(void)
{
    CHECK_TEXT(shortened("whole", 100), "whole");
    const char *name = "\xC3\xA4\xC3\xA4\xC3\xA4 and more\xE2\x82\xAC\xE2\x82\xAC";
    for (double em = 1; em < 20; em += 0.1) {
        const char *s = shortened(name, em);
        CHECK(svg_width_em(s) <= em + 1e-9 || strcmp(s, "\xE2\x80\xA6") == 0);
        CHECK(strstr(escaped(s), "\xEF\xBF\xBD") == NULL);
    }
    CHECK_TEXT(shortened(name, 3), "\xC3\xA4\xC3\xA4\xE2\x80\xA6");
}

static void coordinates_have_two_decimals_and_no_more_zeros_than_needed(void)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},          {-0.001, "0"},  {100, "100"}, {1200.5, "1200.5"},
                 {3.14159, "3.14"}, {-2.999, "-3"}, {0.1, "0.1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text out = {0};
        svg_add_number(&out, cases[i].value);
        CHECK_TEXT(text_str(&out), cases[i].text);
        text_clear(&out);
    }
}

static const struct test tests[] = {
    {"marks of XML are escaped", marks_of_xml_are_escaped},
    {"characters that XML forbids are replaced", characters_that_xml_forbids_are_replaced},
    {"a shortened text is whole characters and fits", a_shortened_text_is_whole_characters_and_fits},
    {"coordinates have two decimals and no more zeros than needed",
     coordinates_have_two_decimals_and_no_more_zeros_than_needed},
};

TEST_MAIN(tests)
