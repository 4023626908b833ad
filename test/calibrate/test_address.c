/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "calibrate/address.h"

#include "check.h"

static void check_accepted(const char *text, const char *host, const char *port)
{
    struct address a;
    struct err e = {0};
    char back[ADDRESS_TEXT];
    CHECK_OK(address_parse(text, 0, &a, &e), e);
    CHECK_TEXT(a.host, host);
    CHECK_TEXT(a.port, port);
    CHECK_TEXT(address_text(&a, back), text);
}

static void names_and_both_kinds_of_numbers_are_addresses(void)
{
    check_accepted("127.0.0.1:7000", "127.0.0.1", "7000");
    check_accepted("node-1.cluster:0", "node-1.cluster", "0");
    check_accepted("[::1]:65535", "::1", "65535");
    check_accepted("[fe80::1%eth0]:1", "fe80::1%eth0", "1");
}

static void check_refused(const char *text, int min_port, const char *why)
{
    struct address a;
    struct err e = {0};
    CHECK_INT(address_parse(text, min_port, &a, &e), ERR_USAGE);
    CHECK_CONTAINS(e.text, why);
}

static void what_is_ambiguous_or_incomplete_is_refused(void)
{
    check_refused(":7000", 0, "no address before the port");
    check_refused("[]:7000", 0, "no address before the port");
    check_refused("7000", 0, "has no port");
    check_refused("", 0, "has no port");
    check_refused("[::1]", 0, "has no port");
    check_refused("[::1]x:7", 0, "has no port");
    check_refused("::1:7000", 0, "in brackets");
    check_refused("a:", 0, "the port must be a number");
    check_refused("a:65536", 0, "the port must be a number");
    check_refused("a:-1", 0, "the port must be a number");
    check_refused("a:7x", 0, "the port must be a number");
    check_refused("a:0", 1, "the port must be a number from 1");
    char longest[400];
    memset(longest, 'a', sizeof longest);
    memcpy(longest + 300, ":1", 3);
    check_refused(longest, 0, "too long");
}

static const struct test tests[] = {
    {"names and both kinds of numbers are addresses", names_and_both_kinds_of_numbers_are_addresses},
    {"what is ambiguous or incomplete is refused", what_is_ambiguous_or_incomplete_is_refused},
};
TEST_MAIN(tests)
