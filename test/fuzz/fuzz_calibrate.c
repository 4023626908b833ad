/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the other side of a calibration may send, in pieces of any length: every line that is accepted is in range and
   the same when it is written again, and a connection never keeps more than a line. */
#include "calibrate/channel.h"
#include "fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void is_in_range(const struct message *m)
{
    require(m->kind >= 0 && m->kind < N_MESSAGE_KINDS);
    require(strlen(m->token) == 0 || strlen(m->token) == PROTOCOL_TOKEN);
    require(strlen(m->name) <= PROTOCOL_NAME);
    for (int i = 0; i < PROTOCOL_NUMBERS; i++)
        require(m->numbers[i] >= 0 && m->numbers[i] <= 1e18);
}

static void comes_back(const struct message *m)
{
    struct message again;
    char line[PROTOCOL_LINE + 2];
    if (m->kind == MESSAGE_HELLO_OTHER)
        return;
    size_t n = protocol_format(m, line);
    require(n <= PROTOCOL_LINE + 1 && line[n - 1] == '\n');
    require(protocol_parse(line, n - 1, &again, NULL) == ERR_NONE);
    require(again.kind == m->kind && again.count == m->count);
    require(memcmp(again.numbers, m->numbers, sizeof m->numbers) == 0);
    require(strcmp(again.token, m->token) == 0 && strcmp(again.name, m->name) == 0);
}

/* False: garbage has come; a side then closes the connection. */
static bool read_lines(struct channel *c)
{
    for (;;) {
        struct message m;
        struct err e = {0};
        enum channel_state state = channel_poll(c, &m, &e);
        require(c->n <= sizeof c->bytes);
        if (state == CHANNEL_GARBAGE)
            require(e.code == ERR_INPUT && e.text[0] != '\0');
        if (state != CHANNEL_LINE)
            return state != CHANNEL_GARBAGE;
        is_in_range(&m);
        comes_back(&m);
    }
}

/* The first byte is the length of the pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    int ends[2];
    struct channel c;
    if (n == 0 || n > 4096 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 0;
    channel_open(&c, ends[0]);
    size_t piece = bytes[0] + 1u;
    bool goes_on = true;
    for (size_t at = 1; at < n && goes_on; at += piece) {
        size_t length = n - at < piece ? n - at : piece;
        require(send(ends[1], bytes + at, length, MSG_DONTWAIT) == (ssize_t)length);
        goes_on = read_lines(&c);
    }
    close(ends[1]);
    if (goes_on)
        read_lines(&c);
    channel_close(&c);
    return 0;
}
