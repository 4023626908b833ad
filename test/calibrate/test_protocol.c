/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "calibrate/protocol.h"

#include "check.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static enum err_code parse(const char *line, struct message *m)
{
    return protocol_parse(line, strlen(line), m, NULL);
}

static void every_message_comes_back_as_it_was_sent(void)
{
    for (enum message_kind kind = 0; kind < N_MESSAGE_KINDS; kind++) {
        if (kind == MESSAGE_HELLO_OTHER)
            continue;
        struct message m = {.kind = kind, .token = TOKEN, .name = "node-1.a_b", .count = 1ull << 60}, back;
        char line[PROTOCOL_LINE + 2];
        m.numbers[0] = 1.0 / 3, m.numbers[1] = 1e18, m.numbers[2] = 0, m.numbers[3] = 4e-300, m.numbers[4] = 5;
        size_t n = protocol_format(&m, line);
        struct err e = {0};
        CHECK(n <= PROTOCOL_LINE + 1 && line[n - 1] == '\n' && line[n] == '\0');
        CHECK_OK(protocol_parse(line, n - 1, &back, &e), e);
        CHECK(back.kind == kind);
        char again[PROTOCOL_LINE + 2];
        protocol_format(&back, again);
        CHECK_TEXT(again, line);
    }
}

static void fields_arrive_where_they_belong(void)
{
    struct message m;
    CHECK_INT(parse("iasim-calibrate 2 control " TOKEN " 20 lab0", &m), ERR_NONE);
    CHECK(m.kind == MESSAGE_HELLO_CONTROL && m.numbers[0] == 20);
    CHECK_TEXT(m.token, TOKEN);
    CHECK_TEXT(m.name, "lab0");
    CHECK_INT(parse("point 0.5 1 2 3 0.25", &m), ERR_NONE);
    CHECK(m.numbers[0] == 0.5 && m.numbers[1] == 1 && m.numbers[2] == 2 && m.numbers[3] == 3 && m.numbers[4] == 0.25);
    CHECK_INT(parse("stop 18000000000000", &m), ERR_NONE);
    CHECK(m.kind == MESSAGE_STOP && m.count == 18000000000000);
}

static void a_hello_of_another_version_is_known_as_such(void)
{
    struct message m;
    CHECK_INT(parse("iasim-calibrate 99 whatever comes then", &m), ERR_NONE);
    CHECK(m.kind == MESSAGE_HELLO_OTHER && m.count == 99);
    CHECK_INT(parse("iasim-calibrate 0", &m), ERR_NONE);
    CHECK(m.kind == MESSAGE_HELLO_OTHER && m.count == 0);
}

static void nothing_else_is_accepted(void)
{
    static const char *const lines[] = {
        "",
        " ",
        "GET / HTTP/1.1",
        "PING",
        "ping ",
        " ping",
        "ping pong",
        "go",
        "go 1 2",
        "go -1",
        "go nan",
        "go inf",
        "go 1e19",
        "go  1",
        "go 1 ",
        "go 0x10",
        "stop -1",
        "stop +1",
        "stop 01",
        "stop 1.5",
        "stop 99999999999999999999",
        "stop 1 ",
        "point 1 2 3 4",
        "point 1 2 3 4 5 6",
        "iasim-calibrate",
        "iasim-calibrate ",
        "iasim-calibrate x",
        "iasim-calibrate 2",
        "iasim-calibrate 2 ping",
        "iasim-calibrate 2 data",
        "control " TOKEN " 20 a",
        "data " TOKEN,
        "iasim-calibrate 2 data 0123456789ABCDEF0123456789ABCDEF",
        "iasim-calibrate 2 data " TOKEN "0",
        "iasim-calibrate 2 control " TOKEN " 20 ",
        "iasim-calibrate 2 control " TOKEN " 20 a/b",
        "iasim-calibrate 2 control " TOKEN " 20 \xC3\xA4",
        "iasim-calibrate 2 control " TOKEN " 20 a b",
        "welcome " TOKEN " 20 "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct message m;
        struct err e = {0};
        bool is_refused = protocol_parse(lines[i], strlen(lines[i]), &m, &e) == ERR_INPUT;
        CHECK(is_refused);
        if (!is_refused)
            fprintf(stderr, "accepted: '%s'\n", lines[i]);
    }
    struct message m;
    CHECK_INT(protocol_parse("ping\0", 5, &m, NULL), ERR_INPUT);
    char longest[2000];
    memset(longest, 'a', sizeof longest);
    CHECK_INT(protocol_parse(longest, sizeof longest, &m, NULL), ERR_INPUT);
}

static void what_is_shown_of_garbage_cannot_harm_a_terminal(void)
{
    struct message m;
    struct err e = {0};
    protocol_parse("\x1b[2J\a\x9b", 6, &m, &e);
    CHECK_TEXT(e.text, "not a line of iasim's calibration: '?[2J?"
                       "?'");
}

static const struct test tests[] = {
    {"every message comes back as it was sent", every_message_comes_back_as_it_was_sent},
    {"fields arrive where they belong", fields_arrive_where_they_belong},
    {"a hello of another version is known as such", a_hello_of_another_version_is_known_as_such},
    {"nothing else is accepted", nothing_else_is_accepted},
    {"what is shown of garbage cannot harm a terminal", what_is_shown_of_garbage_cannot_harm_a_terminal},
};
TEST_MAIN(tests)
