/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A platform of two hosts, and a farm on it whose root is the first. The hosts' speeds are those alone, 1 work unit
   being 1 flop; what the scheduler believes is read off the platform. */
#ifndef IASIM_CALIBRATE_EMIT_H
#define IASIM_CALIBRATE_EMIT_H

#include "calibrate/points.h"
#include "calibrate/rates.h"

struct emit_host {
    const struct measured *measured; /* of another name than the other host */
    const struct rates *rates;
};

/* Appends the file. Of the rates that its two hosts have reached, a link has the lower one; a direction that neither
   has measured is as wide as the other. Unknown overheads are left out, an unknown latency is 0. Both hosts have passed
   emit_check. */
void emit_platform(const struct emit_host hosts[2], struct text *out);
/* Errors: ERR_INPUT: the host's speed is unknown. */
enum err_code emit_check(const struct measured *m, struct err *e);
void emit_deployment(const struct emit_host hosts[2], struct text *out);

/* Appends a sentence for each rate below 0: no processor computes faster because it communicates, so that 0 is
   emitted. */
void emit_notes(const struct emit_host hosts[2], struct text *out);

#endif
