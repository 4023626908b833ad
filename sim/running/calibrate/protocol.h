/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the two sides of a calibration say to each other: lines of at most PROTOCOL_LINE bytes, a word and its fields
   with blanks between them. A line is accepted exactly as protocol_format would write it, or not at all. */
#ifndef IASIM_CALIBRATE_PROTOCOL_H
#define IASIM_CALIBRATE_PROTOCOL_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raised when the lines, or what is measured by them, change: both sides must have the same. */
enum { PROTOCOL_VERSION = 2 };

enum { PROTOCOL_LINE = 255, PROTOCOL_TOKEN = 32, PROTOCOL_NAME = 63, PROTOCOL_NUMBERS = 5 };

/* X(kind, word, fields, meaning). Of the fields, t is a token, w a name, v a whole number, n a number. A hello begins
   with the program's name and the version; one of another version is read as HELLO_OTHER. */
#define PROTOCOL_LIST(X)                                                                                               \
    X(HELLO_CONTROL, "control", "tnw", "caller: the listener's token, seconds wanted, host")                           \
    X(HELLO_DATA, "data", "t", "caller, on its second connection: the session")                                        \
    X(HELLO_OTHER, NULL, NULL, "a hello of another version, which is in `count`")                                      \
    X(WELCOME, "welcome", "tnw", "listener: the session, seconds granted, host")                                       \
    X(REFUSED_VERSION, "refused-version", "v", "listener: the version that it has")                                    \
    X(REFUSED_TOKEN, "refused-token", "", "listener: that is not its token")                                           \
    X(READY, "ready", "", "listener: both connections stand")                                                          \
    X(PING, "ping", "", "measured side: the smallest message")                                                         \
    X(PONG, "pong", "", "other side: its answer")                                                                      \
    X(GO, "go", "n", "measured side: send to me at so many bytes/s")                                                   \
    X(GOING, "going", "", "other side: it does")                                                                       \
    X(STOP, "stop", "v", "measured side: stop; I have sent so many bytes in all")                                      \
    X(STOPPED, "stopped", "v", "other side: all of them have arrived; I have sent so many bytes in all")               \
    X(SMALL, "small", "nnn", "measured side: its overhead of sending and of receiving and the latency, in s")          \
    X(BUSY, "busy", "nn", "measured side: what else ran meanwhile, steal_ratio and others_processors of busy.h")       \
    X(POINT, "point", "nnnnn",                                                                                         \
      "measured side: start s, bytes/s sent, bytes/s received, flop/s, share of the processor")                        \
    X(TURN, "turn", "", "measured side: now measure yourself, or: the end")

enum message_kind {
#define X(kind, word, fields, meaning) MESSAGE_##kind,
    PROTOCOL_LIST(X)
#undef X
        N_MESSAGE_KINDS
};

struct message {
    enum message_kind kind;
    char token[PROTOCOL_TOKEN + 1];   /* lower-case hexadecimal digits */
    char name[PROTOCOL_NAME + 1];     /* a host: letters, digits, '.', '_' and '-', at least one */
    double numbers[PROTOCOL_NUMBERS]; /* 0 to 1e18 */
    uint64_t count;
};

/* Of the forms that struct message has. */
bool protocol_is_token(const char *text);
bool protocol_is_name(const char *text);

/* Reads the n bytes of a line, without its end. Errors: ERR_INPUT, for whatever is not a line of the protocol; the
   message shows the beginning of the line in printable characters. */
enum err_code protocol_parse(const char *line, size_t n, struct message *out, struct err *e);

/* Writes the line with its end; returns its length. The message's fields must be valid. */
size_t protocol_format(const struct message *m, char out[PROTOCOL_LINE + 2]);

const char *protocol_word(enum message_kind kind);

/* The bytes, cut, with '?' for what cannot be printed; returns `out`. */
const char *protocol_printable(const char *bytes, size_t n, char out[PROTOCOL_NAME + 1]);

#endif
