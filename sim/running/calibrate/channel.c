/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines over a socket that does not block. Both directions end at a date, so no peer can hold this process. The buffer
   holds one line of the longest kind: a peer that sends more without a line feed is refused, not stored. */
#include "calibrate/channel.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void channel_open(struct channel *c, int fd)
{
    const int on = 1;
    *c = (struct channel){.fd = fd};
    /* Lines are short and answered at once: Nagle's algorithm would delay each until the one before is acknowledged,
       which would be measured as latency. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void channel_close(struct channel *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
}

bool channel_wait(int fd, short events, double until_s)
{
    for (;;) {
        double left_s = until_s - clock_now_s();
        struct pollfd p = {.fd = fd, .events = events};
        /* poll may be interrupted by a signal, or end early: hence the loop. Rounded up, so that it does not end just
           before the date; 1e6 ms keep far dates within an int. */
        int n = poll(&p, 1, left_s > 0 ? (int)fmin(ceil(left_s * 1e3), 1e6) : 0);
        if (n > 0 || left_s <= 0)
            return n > 0;
    }
}

static enum err_code gone(struct err *e)
{
    return err_set(e, ERR_IO, "the other side has closed the connection");
}

/* Sockets of a peer that does not read fill up: the wait for room has an end like all others. */
enum err_code channel_send(struct channel *c, const struct message *m, double until_s, struct err *e)
{
    char line[PROTOCOL_LINE + 2];
    size_t n = protocol_format(m, line), sent = 0;
    while (sent < n) {
        /* MSG_NOSIGNAL: a peer that is gone is an error, not the end of the process */
        ssize_t k = send(c->fd, line + sent, n - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (k >= 0)
            sent += (size_t)k;
        else if (errno != EAGAIN && errno != EINTR)
            return gone(e);
        else if (!channel_wait(c->fd, POLLOUT, until_s))
            return err_set(e, ERR_IO, "the other side no longer accepts messages");
    }
    return ERR_NONE;
}

/* What came behind the line stays for the next look. */
static enum channel_state take_line(struct channel *c, size_t length, struct message *out, struct err *e)
{
    enum err_code code = protocol_parse(c->bytes, length, out, e);
    c->n -= length + 1;
    memmove(c->bytes, c->bytes + length + 1, c->n);
    return code == ERR_NONE ? CHANNEL_LINE : CHANNEL_GARBAGE;
}

/* Lines that have arrived are taken before anything is received: several may come in one packet. */
enum channel_state channel_poll(struct channel *c, struct message *out, struct err *e)
{
    for (;;) {
        const char *end = memchr(c->bytes, '\n', c->n);
        if (end != NULL)
            return take_line(c, (size_t)(end - c->bytes), out, e);
        if (c->n == sizeof c->bytes) {              /* and no line has ended: none that we know is as long */
            protocol_parse(c->bytes, c->n, out, e); /* says what it looks like */
            return CHANNEL_GARBAGE;
        }
        ssize_t k = recv(c->fd, c->bytes + c->n, sizeof c->bytes - c->n, MSG_DONTWAIT);
        if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR)) /* k == 0: closed by the peer */
            return CHANNEL_GONE;
        if (k < 0)
            return CHANNEL_WAITS;
        c->n += (size_t)k;
    }
}

enum err_code channel_read(struct channel *c, struct message *out, double until_s, struct err *e)
{
    for (;;) {
        /* A line that began to arrive is complete only with its end, which the same date bounds. */
        switch (channel_poll(c, out, e)) {
        case CHANNEL_LINE:
            return ERR_NONE;
        case CHANNEL_GARBAGE:
            return ERR_INPUT;
        case CHANNEL_GONE:
            return gone(e);
        case CHANNEL_WAITS:
            if (!channel_wait(c->fd, POLLIN, until_s))
                return err_set(e, ERR_IO, "no answer from the other side");
        }
    }
}

/* For an answer of which the kind is known; anything else means that the two sides are out of step. */
enum err_code channel_expect(struct channel *c, enum message_kind kind, struct message *out, double until_s,
                             struct err *e)
{
    enum err_code code = channel_read(c, out, until_s, e);
    if (code == ERR_NONE && out->kind != kind)
        code = err_set(e, ERR_INPUT, "the other side sent '%s' where '%s' was expected",
                       out->kind == MESSAGE_HELLO_OTHER ? "a hello" : protocol_word(out->kind), protocol_word(kind));
    return code;
}
