/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The only part that talks to strangers: whoever connects is one until the meeting is complete. It may be called by
   anyone who reaches the port, so every buffer has a fixed size, every connection a date, and nothing that a
   stranger does makes the listener wait: sends have no time to block.

   A session (32 digits, other than the token) ties the second connection to the first. Only who was welcomed knows
   it. */
#include "calibrate/listener.h"

#include "base/clock.h"
#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* MAX_SHOWN: refusals, so that a port scanner does not fill the terminal. */
enum { MAX_STRANGERS = 16, MAX_SHOWN = 20 };
static const double patience_s = 5, answer_s = 10;

/* Who has connected. A caller who has shown the token is one, too, until its second connection comes: it keeps no other
   caller from being welcomed. */
struct stranger {
    struct channel channel;
    double until_s;
    bool is_welcome;
    char session[PROTOCOL_TOKEN + 1], name[PROTOCOL_NAME + 1];
    double seconds; /* granted */
};

struct waiting {
    const struct listener_side *side;
    const char *token;
    struct stranger strangers[MAX_STRANGERS]; /* the oldest first */
    size_t n;
    struct meeting *met;
    bool is_complete;
    int n_refused;
};

enum err_code listener_make_token(char out[PROTOCOL_TOKEN + 1], struct err *e)
{
    unsigned char bytes[PROTOCOL_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return err_set(e, ERR_INTERNAL, "the system provides no random bytes");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return ERR_NONE;
}

/* Constant time: the comparison takes as long for a token of which the first digits are right, so its duration tells
   nothing. volatile keeps the compiler from stopping early. */
static bool are_equal(const char *a, const char *b)
{
    volatile unsigned char difference = 0;
    for (size_t i = 0; i < PROTOCOL_TOKEN; i++)
        difference = (unsigned char)(difference | (a[i] ^ b[i]));
    return difference == 0;
}

void listener_leave(struct meeting *m)
{
    channel_close(&m->control);
    if (m->data_fd >= 0)
        close(m->data_fd);
    m->data_fd = -1;
}

/* ---- listener ---- */

/* The two connections of the meeting stay open when their entries are forgotten. */
static bool is_of_the_meeting(const struct waiting *w, int fd)
{
    return w->is_complete && (fd == w->met->control.fd || fd == w->met->data_fd);
}

static void forget(struct waiting *w, size_t i)
{
    if (!is_of_the_meeting(w, w->strangers[i].channel.fd))
        channel_close(&w->strangers[i].channel);
    w->n--;
    /* The oldest first: the order stays. */
    memmove(&w->strangers[i], &w->strangers[i + 1], (w->n - i) * sizeof w->strangers[0]);
}

/* Strangers before callers who have shown the token, of each the oldest first. */
static void make_room(struct waiting *w)
{
    size_t i = 0;
    while (i < w->n && w->strangers[i].is_welcome)
        i++;
    forget(w, i < w->n ? i : 0);
}

/* A connection that cannot be accepted (it is gone again, no descriptors) is no reason to end the wait. */
static void let_in(struct waiting *w, int listener_fd)
{
    int fd = accept4(listener_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    /* The newcomer always gets in, or strangers that hold all places would keep callers out. */
    if (w->n == MAX_STRANGERS)
        make_room(w);
    struct stranger *s = &w->strangers[w->n++];
    *s = (struct stranger){.until_s = clock_now_s() + patience_s};
    channel_open(&s->channel, fd);
}

static void refuse(struct waiting *w, struct channel *c, enum message_kind kind, const char *why)
{
    /* The version counts only in REFUSED_VERSION. */
    const struct message answer = {.kind = kind, .count = PROTOCOL_VERSION};
    channel_send(c, &answer, 0, NULL); /* 0: what does not fit into the socket's buffer at once is not sent */
    if (w->side->talk != NULL && w->n_refused++ < MAX_SHOWN)
        fprintf(w->side->talk, "iasim calibrate: a caller was refused: %s%s\n", why,
                w->n_refused == MAX_SHOWN ? "; further ones are not shown" : "");
}

/* Whether it may stay. */
static bool welcome(struct waiting *w, struct stranger *s, const struct message *hello)
{
    struct message answer = {.kind = MESSAGE_WELCOME};
    if (listener_make_token(s->session, NULL) != ERR_NONE)
        return false;
    memcpy(answer.token, s->session, sizeof answer.token);
    snprintf(answer.name, sizeof answer.name, "%s", w->side->own_name);
    /* The lesser of both wishes, but at least a second; a caller cannot make the listener measure for hours. */
    s->seconds = answer.numbers[0] = fmax(1, fmin(hello->numbers[0], w->side->seconds));
    memcpy(s->name, hello->name, sizeof s->name);
    s->is_welcome = true;
    s->until_s = clock_now_s() + patience_s;
    return channel_send(&s->channel, &answer, 0, NULL) == ERR_NONE;
}

static struct stranger *caller_of(struct waiting *w, const char *session)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->strangers[i].is_welcome && are_equal(w->strangers[i].session, session))
            return &w->strangers[i];
    return NULL;
}

/* Both connections become the meeting's. False: nobody has been given this session, or who was is gone. */
static bool join(struct waiting *w, const struct channel *data, const struct message *hello)
{
    const struct message answer = {.kind = MESSAGE_READY};
    struct stranger *caller = caller_of(w, hello->token);
    /* Bytes behind the line would be data that came before both sides are ready. */
    if (caller == NULL || data->n > 0 || channel_send(&caller->channel, &answer, 0, NULL) != ERR_NONE)
        return false;
    w->met->control = caller->channel;
    w->met->seconds = caller->seconds;
    memcpy(w->met->peer, caller->name, sizeof w->met->peer);
    w->met->data_fd = data->fd;
    w->is_complete = true;
    return true;
}

static char *other_version(const char *who, uint64_t version) /* fresh */
{
    return mem_format("%s speaks version %" PRIu64 " of the calibration protocol, and this side version %d; use the "
                      "same iasim on both machines",
                      who, version, PROTOCOL_VERSION);
}

/* Whether the connection is kept. Lines of other kinds, which are valid but come too early, are not answered. */
static bool judge(struct waiting *w, struct stranger *s, const struct message *hello)
{
    if (hello->kind == MESSAGE_HELLO_OTHER) {
        char *why = other_version("it", hello->count);
        refuse(w, &s->channel, MESSAGE_REFUSED_VERSION, why);
        free(why);
    } else if (hello->kind == MESSAGE_HELLO_CONTROL && !are_equal(hello->token, w->token)) {
        refuse(w, &s->channel, MESSAGE_REFUSED_TOKEN, "its token is not the listener's");
    } else if (hello->kind == MESSAGE_HELLO_CONTROL) {
        return welcome(w, s, hello);
    } else if (hello->kind == MESSAGE_HELLO_DATA) {
        return join(w, &s->channel, hello);
    }
    return false;
}

/* One line is all that a stranger may say, and a welcome caller nothing before both sides are ready. */
static void hear(struct waiting *w, size_t i)
{
    struct message hello;
    struct stranger *s = &w->strangers[i];
    enum channel_state state = channel_poll(&s->channel, &hello, NULL);
    /* Without a line it may stay until its date. */
    if (state == CHANNEL_WAITS && clock_now_s() < s->until_s)
        return;
    bool is_kept = state == CHANNEL_LINE && !s->is_welcome && judge(w, s, &hello);
    if (!is_kept)
        forget(w, i);
}

static void wait_for_any(struct waiting *w, int listener_fd, double until_s)
{
    struct pollfd polled[MAX_STRANGERS + 1] = {{.fd = listener_fd, .events = POLLIN}};
    for (size_t i = 0; i < w->n; i++)
        polled[i + 1] = (struct pollfd){.fd = w->strangers[i].channel.fd, .events = POLLIN};
    /* Strangers' dates have no event of their own, hence the short waits. */
    double left_s = fmin(fmax(until_s - clock_now_s(), 0), 0.25); /* dates of strangers are looked at that often */
    poll(polled, (nfds_t)w->n + 1, (int)ceil(left_s * 1e3));
    if ((polled[0].revents & POLLIN) != 0)
        let_in(w, listener_fd);
}

enum err_code listener_await(const struct listener_side *side, int listener_fd, const char *token, double until_s,
                             struct meeting *out, struct err *e)
{
    *out = (struct meeting){.control.fd = -1, .data_fd = -1};
    struct waiting w = {.side = side, .token = token, .met = out};
    while (!w.is_complete && clock_now_s() < until_s) {
        wait_for_any(&w, listener_fd, until_s);
        /* From the last one, because `forget` moves those behind it. */
        for (size_t i = w.n; i-- > 0 && !w.is_complete;)
            hear(&w, i);
    }
    /* All but the two of the meeting are closed. */
    while (w.n > 0)
        forget(&w, 0);
    if (w.is_complete)
        return ERR_NONE;
    listener_leave(out);
    return err_set(e, ERR_IO, "no connection arrived; start `iasim calibrate --to` on the other machine");
}

/* ---- caller ---- */

/* A refusal names its reason, because the user can do something about it. */
static enum err_code understand(const struct message *answer, struct err *e)
{
    char *why;
    switch (answer->kind) {
    case MESSAGE_WELCOME:
        return ERR_NONE;
    case MESSAGE_REFUSED_VERSION:
        why = other_version("the other side", answer->count);
        err_set(e, ERR_INPUT, "%s", why);
        free(why);
        return ERR_INPUT;
    case MESSAGE_REFUSED_TOKEN:
        return err_set(
            e, ERR_INPUT,
            "the other side rejects the token; it must be the listener's (--token, --token-file or IASIM_TOKEN)");
    default:
        return err_set(e, ERR_INPUT, "the other side did not answer as `iasim calibrate --listen` does");
    }
}

/* The listener's answer may come from anybody at that address: it is read with the same strictness. */
static enum err_code call_control(const struct listener_side *side, const struct address *a, const char *token,
                                  struct meeting *out, struct message *answer, struct err *e)
{
    struct message hello = {.kind = MESSAGE_HELLO_CONTROL, .numbers = {side->seconds}};
    double until_s = clock_now_s() + answer_s;
    int fd;
    snprintf(hello.token, sizeof hello.token, "%s", token);
    snprintf(hello.name, sizeof hello.name, "%s", side->own_name);
    enum err_code code = address_connect(a, until_s, &fd, e);
    if (code != ERR_NONE)
        return code;
    channel_open(&out->control, fd);
    code = channel_send(&out->control, &hello, until_s, e);
    if (code == ERR_NONE)
        code = channel_read(&out->control, answer, until_s, e);
    if (code == ERR_NONE)
        code = understand(answer, e);
    if (code == ERR_NONE && answer->numbers[0] < 1) /* channel_read took any number from 0 on */
        code = err_set(e, ERR_INPUT, "the other side allows no time for measuring");
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
    /* TCP_NODELAY for the data connection comes from here, too. */
    channel_open(&data, out->data_fd);
    code = channel_send(&data, &hello, until_s, e);
    /* The answer comes on the first connection; the second has nothing but data from now on. */
    return code == ERR_NONE ? channel_expect(&out->control, MESSAGE_READY, &ready, until_s, e) : code;
}

enum err_code listener_call(const struct listener_side *side, const struct address *a, const char *token,
                            struct meeting *out, struct err *e)
{
    struct message answer;
    *out = (struct meeting){.control.fd = -1, .data_fd = -1};
    enum err_code code = call_control(side, a, token, out, &answer, e);
    if (code == ERR_NONE) {
        out->seconds = fmin(answer.numbers[0], side->seconds);
        memcpy(out->peer, answer.name, sizeof out->peer);
        code = call_data(a, &answer, out, e);
    }
    if (code != ERR_NONE)
        listener_leave(out);
    return code;
}
