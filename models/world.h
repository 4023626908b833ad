/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* World models: what communication costs the processor in the simulated machine (doc/model.md, World). */
#ifndef IASIM_MODELS_WORLD_H
#define IASIM_MODELS_WORLD_H

#include "base/err.h"
#include "machine/machine.h"
#include "models/cost/cost.h"

#include <stdbool.h>
#include <stddef.h>

struct world_flow { /* a transfer as one of its two hosts sees it */
    enum direction direction;
    double rate_bytes_per_s;
    double ir_s_per_byte[N_REGIMES], constant_ratio[N_REGIMES]; /* of this host, direction and peer */
};

/* A flow at rate 0, with what the machine says of this host, direction and peer. */
struct world_flow world_flow_of(const struct machine *m, host_id host, enum direction dir, host_id peer);

/* REGIME_DUPLEX: among these flows of a host, data leave and data enter. */
enum regime world_regime(const struct world_flow *flows, size_t n_flows);

struct world_model {
    const char *name, *summary, *source;
    /* OPTIONAL. The unclamped speed factor of a host with these flows. NULL: always 1. */
    double (*speed_factor_ratio)(const struct host *h, const struct world_flow *flows, size_t n_flows);
    /* OPTIONAL. The cost model whose overhead and involvement a message takes of both processors ([S] 8.2); meanwhile they
       compute nothing. Replay also keeps the model's ports and its `transit_s`, during which data are under way without
       using the network. How links are shared is decided elsewhere (`fluid`, `exclusive`). NULL: messages cost nothing. */
    const struct cost_model *charges;
    unsigned reads; /* the properties of the platform that it reads: enum property_group, or'ed; 0: none */
};

extern const struct world_model *const world_models[]; /* ends with NULL; the order of models.def */

/* A world from "name" or "name[k=v,...]", with the parameters of the cost model that it charges. It exists until the program
   ends. Errors: ERR_INPUT for an unknown name or parameter (the message lists the known ones) and for a bad value. */
enum err_code world_find(const char *text, const struct world_model **out, struct err *e);
/* The same for a program that uses SimGrid by itself, whose processors cannot be occupied: only worlds that change the speed of
   hosts, or nothing. Errors: ERR_INPUT for any other; the message lists these. */
enum err_code world_find_of_speeds(const char *text, const struct world_model **out, struct err *e);

/* A sentence for the user, in fresh memory, if the world reads properties and the machine has none of them; else NULL. */
char *world_warning(const struct world_model *w, const struct machine *m);

/* The speed factor of a host with these flows, clamped to between the host's floor and 1. */
double world_factor_ratio(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                          size_t n_flows);

#endif
