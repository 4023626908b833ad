/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "calibrate/listener.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_STRANGERS = 16, MAX_SHOWN = 20 };
static const double patience_s = 5, answer_s = 10;

struct stranger {
    struct channel channel;
    double until_s;
};

struct waiting {
    const struct door *door;
    const char *token;
    char session[PROTOCOL_TOKEN + 1];
    struct stranger strangers[MAX_STRANGERS]; /* the oldest first */
    size_t n;
    struct meeting *met;
    double data_until_s; /* while a caller's second connection is awaited */
    bool is_complete;
    int n_refused;
};

enum err_code door_make_token(char out[PROTOCOL_TOKEN + 1], struct err *e)
{
    unsigned char bytes[PROTOCOL_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return err_set(e, ERR_INTERNAL, "the system gives no random bytes");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return ERR_NONE;
}

bool door_is_token(const char *text)
{
    return strlen(text) == PROTOCOL_TOKEN && strspn(text, "0123456789abcdef") == PROTOCOL_TOKEN;
}

static bool are_equal(const char *a, const char *b)
{
    volatile unsigned char difference = 0;
    for (size_t i = 0; i < PROTOCOL_TOKEN; i++)
        difference = (unsigned char)(difference | (a[i] ^ b[i]));
    return difference == 0;
}

void door_leave(struct meeting *m)
{
    channel_close(&m->control);
    if (m->data_fd >= 0)
        close(m->data_fd);
    m->data_fd = -1;
}

/* ---- listener ---- */

static void forget(struct waiting *w, size_t i, bool close_it)
{
    if (close_it)
        channel_close(&w->strangers[i].channel);
    w->n--;
    memmove(&w->strangers[i], &w->strangers[i + 1], (w->n - i) * sizeof w->strangers[0]);
}

static void let_in(struct waiting *w, int listener_fd)
{
    int fd = accept4(listener_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    if (w->n == MAX_STRANGERS)
        forget(w, 0, true);
    struct stranger *s = &w->strangers[w->n++];
    channel_open(&s->channel, fd);
    s->until_s = clock_now_s() + patience_s;
}

static void refuse(struct waiting *w, struct channel *c, enum message_kind kind, const char *why)
{
    const struct message answer = {.kind = kind, .count = PROTOCOL_VERSION};
    channel_send(c, &answer, 0, NULL);
    if (w->door->talk != NULL && w->n_refused++ < MAX_SHOWN)
        fprintf(w->door->talk, "iasim calibrate: a caller was refused: %s%s\n", why,
                w->n_refused == MAX_SHOWN ? "; further ones are not shown" : "");
}

static void drop_caller(struct waiting *w)
{
    channel_close(&w->met->control);
    w->met->control = (struct channel){.fd = -1};
}

/* A caller that is gone, talks before its turn or does not bring its second connection makes room for another. */
static void check_caller(struct waiting *w)
{
    struct message m;
    if (w->met->control.fd >= 0 && !w->is_complete &&
        (clock_now_s() > w->data_until_s || channel_poll(&w->met->control, &m, NULL) != CHANNEL_WAITS))
        drop_caller(w);
}

static bool welcome(struct waiting *w, struct channel *c, const struct message *hello)
{
    check_caller(w);
    if (w->met->control.fd >= 0 || door_make_token(w->session, NULL) != ERR_NONE)
        return false;
    struct message answer = {.kind = MESSAGE_WELCOME};
    memcpy(answer.token, w->session, sizeof answer.token);
    snprintf(answer.name, sizeof answer.name, "%s", w->door->own_name);
    w->met->seconds = answer.numbers[0] = fmax(1, fmin(hello->numbers[0], w->door->seconds));
    memcpy(w->met->peer, hello->name, sizeof w->met->peer);
    if (channel_send(c, &answer, 0, NULL) != ERR_NONE)
        return false;
    w->met->control = *c;
    w->data_until_s = clock_now_s() + patience_s;
    return true;
}

static bool join(struct waiting *w, struct channel *c, const struct message *hello)
{
    const struct message answer = {.kind = MESSAGE_READY};
    if (w->met->control.fd < 0 || !are_equal(hello->token, w->session) || c->n > 0)
        return false;
    if (channel_send(&w->met->control, &answer, 0, NULL) != ERR_NONE)
        return false;
    w->met->data_fd = c->fd;
    w->is_complete = true;
    return true;
}

/* Whether the connection is kept for the meeting. */
static bool judge(struct waiting *w, struct channel *c, const struct message *hello)
{
    if (hello->kind == MESSAGE_HELLO_OTHER) {
        char why[160];
        snprintf(why, sizeof why,
                 "it speaks version %llu of the calibration protocol, and this side version %d; use the same iasim on "
                 "both machines",
                 (unsigned long long)hello->count, PROTOCOL_VERSION);
        refuse(w, c, MESSAGE_REFUSED_VERSION, why);
    } else if (hello->kind == MESSAGE_HELLO_CONTROL && !are_equal(hello->token, w->token)) {
        refuse(w, c, MESSAGE_REFUSED_TOKEN, "its token is not the one printed here");
    } else if (hello->kind == MESSAGE_HELLO_CONTROL) {
        return welcome(w, c, hello);
    } else if (hello->kind == MESSAGE_HELLO_DATA) {
        return join(w, c, hello);
    }
    return false;
}

static void hear(struct waiting *w, size_t i)
{
    struct message hello;
    struct channel *c = &w->strangers[i].channel;
    enum channel_state state = channel_poll(c, &hello, NULL);
    if (state == CHANNEL_WAITS && clock_now_s() < w->strangers[i].until_s)
        return;
    bool is_kept = state == CHANNEL_LINE && judge(w, c, &hello);
    forget(w, i, !is_kept);
}

static void wait_for_any(struct waiting *w, int listener_fd, double until_s)
{
    struct pollfd polled[MAX_STRANGERS + 1] = {{.fd = listener_fd, .events = POLLIN}};
    for (size_t i = 0; i < w->n; i++)
        polled[i + 1] = (struct pollfd){.fd = w->strangers[i].channel.fd, .events = POLLIN};
    double left_s = fmin(fmax(until_s - clock_now_s(), 0), 0.25); /* dates of strangers are looked at that often */
    poll(polled, (nfds_t)w->n + 1, (int)ceil(left_s * 1e3));
    if ((polled[0].revents & POLLIN) != 0)
        let_in(w, listener_fd);
}

enum err_code door_await(const struct door *d, int listener_fd, const char *token, double until_s, struct meeting *out,
                         struct err *e)
{
    *out = (struct meeting){.control.fd = -1, .data_fd = -1};
    struct waiting w = {.door = d, .token = token, .met = out};
    while (!w.is_complete && clock_now_s() < until_s) {
        wait_for_any(&w, listener_fd, until_s);
        for (size_t i = w.n; i-- > 0 && !w.is_complete;)
            hear(&w, i);
        check_caller(&w);
    }
    while (w.n > 0)
        forget(&w, 0, true);
    if (w.is_complete)
        return ERR_NONE;
    door_leave(out);
    return err_set(e, ERR_IO, "no caller has come; start `iasim calibrate --to` on the other machine");
}

/* ---- caller ---- */

static enum err_code understand(const struct message *answer, struct err *e)
{
    switch (answer->kind) {
    case MESSAGE_WELCOME:
        return ERR_NONE;
    case MESSAGE_REFUSED_VERSION:
        return err_set(e, ERR_INPUT,
                       "the other side speaks version %llu of the calibration protocol, and this side version %d; use "
                       "the same iasim on both machines",
                       (unsigned long long)answer->count, PROTOCOL_VERSION);
    case MESSAGE_REFUSED_TOKEN:
        return err_set(e, ERR_INPUT, "the other side refuses the token; give --token as the listener printed it");
    default:
        return err_set(e, ERR_INPUT, "the other side did not answer as `iasim calibrate --listen` does");
    }
}

static enum err_code call_control(const struct door *d, const struct address *a, const char *token, struct meeting *out,
                                  struct message *answer, struct err *e)
{
    struct message hello = {.kind = MESSAGE_HELLO_CONTROL, .numbers = {d->seconds}};
    double until_s = clock_now_s() + answer_s;
    int fd;
    snprintf(hello.token, sizeof hello.token, "%s", token);
    snprintf(hello.name, sizeof hello.name, "%s", d->own_name);
    enum err_code code = address_connect(a, until_s, &fd, e);
    if (code != ERR_NONE)
        return code;
    channel_open(&out->control, fd);
    code = channel_send(&out->control, &hello, until_s, e);
    if (code == ERR_NONE)
        code = channel_read(&out->control, answer, until_s, e);
    if (code == ERR_NONE)
        code = understand(answer, e);
    if (code == ERR_NONE && answer->numbers[0] < 1)
        code = err_set(e, ERR_INPUT, "the other side grants no time");
    return code;
}

static enum err_code call_data(const struct address *a, const struct message *answer, struct meeting *out,
                               struct err *e)
{
    struct message hello = {.kind = MESSAGE_HELLO_DATA}, ready;
    struct channel data;
    double until_s = clock_now_s() + answer_s;
    memcpy(hello.token, answer->token, sizeof hello.token);
    enum err_code code = address_connect(a, until_s, &out->data_fd, e);
    if (code != ERR_NONE)
        return code;
    channel_open(&data, out->data_fd);
    code = channel_send(&data, &hello, until_s, e);
    return code == ERR_NONE ? channel_expect(&out->control, MESSAGE_READY, &ready, until_s, e) : code;
}

enum err_code door_call(const struct door *d, const struct address *a, const char *token, struct meeting *out,
                        struct err *e)
{
    struct message answer;
    *out = (struct meeting){.control.fd = -1, .data_fd = -1};
    enum err_code code = call_control(d, a, token, out, &answer, e);
    if (code == ERR_NONE) {
        out->seconds = fmin(answer.numbers[0], d->seconds);
        memcpy(out->peer, answer.name, sizeof out->peer);
        code = call_data(a, &answer, out, e);
    }
    if (code != ERR_NONE)
        door_leave(out);
    return code;
}
