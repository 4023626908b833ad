/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Small messages, back and forth: what each costs the processor, and the network's latency. */
#ifndef IASIM_CALIBRATE_SMALL_H
#define IASIM_CALIBRATE_SMALL_H

#include "calibrate/channel.h"
#include "calibrate/points.h"

/* Exchanges messages of a few bytes until `until_s`, at least one and at most 500, and sets the medians: the processor
   time of this thread for sending and for receiving one (the system's part included), and half the time of a round trip
   less these two: the other side is taken to be as fast. Errors: those of channel_expect. */
enum err_code small_measure(struct channel *c, double until_s, double deadline_s, struct measured *out, struct err *e);

#endif
