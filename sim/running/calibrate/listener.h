/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the two sides meet. The listener answers nothing but a caller's hello: what else arrives is closed without a
   word, a hello of another version or with another token is refused by name, and the wait goes on. A connection has 5 s
   for its hello and at most one line; a caller who was welcomed has 5 s for its second connection. Of more than 16 such
   connections the oldest is closed, those without the token first. So neither strangers nor callers who do not go on
   can stop the wait or delay another caller.

       caller                                   listener
       control TOKEN, seconds, host  -------->
                                     <--------  welcome: SESSION, seconds, host
       data SESSION (2nd connection) -------->
                                     <--------  ready

   Tokens are compared in constant time. Nothing is encrypted: the token keeps out strangers, not those who read the
   network. */
#ifndef IASIM_CALIBRATE_LISTENER_H
#define IASIM_CALIBRATE_LISTENER_H

#include "base/err.h"
#include "calibrate/address.h"
#include "calibrate/channel.h"

#include <stdio.h>

struct meeting {
    struct channel control;
    int data_fd;
    double seconds; /* for the whole run: the lesser of what both want */
    char peer[PROTOCOL_NAME + 1];
};

struct listener_side {
    const char *own_name;
    double seconds; /* the most that this side wants */
    FILE *talk;     /* who was refused; NULL: silent */
};

/* 32 random hexadecimal digits. Errors: ERR_INTERNAL: the system has none. */
enum err_code listener_make_token(char out[PROTOCOL_TOKEN + 1], struct err *e);

/* Waits for a caller with this token. Errors: ERR_IO: none came until `until_s`. */
enum err_code listener_await(const struct listener_side *side, int listener_fd, const char *token, double until_s,
                             struct meeting *out, struct err *e);

/* Calls. Errors: ERR_IO: no answer; ERR_INPUT: refused, or not iasim that answers. */
enum err_code listener_call(const struct listener_side *side, const struct address *a, const char *token,
                            struct meeting *out, struct err *e);

void listener_leave(struct meeting *m); /* closes what is open */

#endif
