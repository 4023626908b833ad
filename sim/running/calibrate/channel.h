/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One connection over which lines of the protocol go. Nothing waits longer than until a date of base/clock.h, and no
   more than one line is ever kept. */
#ifndef IASIM_CALIBRATE_CHANNEL_H
#define IASIM_CALIBRATE_CHANNEL_H

#include "base/err.h"
#include "calibrate/protocol.h"

#include <stdbool.h>

struct channel {
    int fd; /* does not block; -1: closed */
    char bytes[PROTOCOL_LINE + 1];
    size_t n;
};

void channel_open(struct channel *c, int fd); /* takes the descriptor */
void channel_close(struct channel *c);

/* Errors, also of reading: ERR_IO: the other side is gone, or does not answer in time. */
enum err_code channel_send(struct channel *c, const struct message *m, double until_s, struct err *e);

/* Reads the next line. Further errors: ERR_INPUT: not a line of the protocol. */
enum err_code channel_read(struct channel *c, struct message *out, double until_s, struct err *e);

/* The same, for a message that must be of this kind. */
enum err_code channel_expect(struct channel *c, enum message_kind kind, struct message *out, double until_s,
                             struct err *e);

enum channel_state { CHANNEL_LINE, CHANNEL_WAITS, CHANNEL_GONE, CHANNEL_GARBAGE };

/* Reads what has arrived, without waiting. CHANNEL_LINE: `out` is the next message; CHANNEL_GARBAGE: `e` says why. */
enum channel_state channel_poll(struct channel *c, struct message *out, struct err *e);

/* Waits for POLLIN or POLLOUT. False: not before `until_s`. */
bool channel_wait(int fd, short events, double until_s);

#endif
