/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How processors wait for messages (doc/model.md, Replay), as users write it: "passive", "active",
   "rendezvous[progress=polls,eager=65536]". */
#ifndef IASIM_ENGINE_WAITING_H
#define IASIM_ENGINE_WAITING_H

#include "base/param.h"
#include "engine/replay.h"

struct waiting_kind {
    const char *name, *summary, *source;
    const struct param *params; /* NULL: none */
};
extern const struct waiting_kind *const waiting_kinds[]; /* in the order of enum replay_waiting; ends with NULL */

/* Sets `waiting`, `progress` and `eager_bytes` of the options; text NULL: passive. Errors: ERR_INPUT for an unknown
   kind, parameter or value. */
enum err_code waiting_read(const char *text, struct replay_options *out, struct err *e);

/* Errors: ERR_INPUT if the engine's network cannot do that: with network/optim Full nobody knows how much of a latency
   is left, so that a transfer that stands still would begin it anew. */
enum err_code waiting_check(const struct replay_options *options, const struct engine *engine, struct err *e);

#endif
