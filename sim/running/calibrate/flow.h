/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers in both directions over one TCP connection, each by a thread of its own, so that they compete with the
   computing as any program's do. Sending is limited by a token bucket; whatever arrives is received at once. The data
   are random bytes, which no link compresses. */
#ifndef IASIM_CALIBRATE_FLOW_H
#define IASIM_CALIBRATE_FLOW_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct flow;

static const double FLOW_UNLIMITED = 1e18; /* bytes/s */

/* Takes the descriptor of a connection. Errors: ERR_INTERNAL: no threads. */
enum err_code flow_create(int fd, struct flow **out, struct err *e);
void flow_free(struct flow *f); /* ends both threads; NULL allowed */

/* Sends at this rate from now on; 0: not at all. */
void flow_set_rate(struct flow *f, double rate_bytes_per_s);

/* Sets the rate to 0 and waits until the sender has finished its piece. False: not before `until_s`. */
bool flow_pause(struct flow *f, double until_s);

/* Waits until so many bytes have been received in all. False: not before `until_s`, or the connection is gone. */
bool flow_await(struct flow *f, uint64_t n_received, double until_s);

uint64_t flow_sent_bytes(const struct flow *f);      /* taken by the system to be sent */
uint64_t flow_delivered_bytes(const struct flow *f); /* and acknowledged, to within a piece */
uint64_t flow_received_bytes(const struct flow *f);
bool flow_is_broken(const struct flow *f); /* the other side has closed it */

#endif
