/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* World models: what communication costs the processor in the simulated machine (doc/model.md, World). */
#ifndef IASIM_MODELS_WORLD_H
#define IASIM_MODELS_WORLD_H

#include "base/err.h"
#include "machine/machine.h"
#include "models/cost/cost.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct world_flow { /* a transfer as one of its two hosts sees it */
    enum direction direction;
    double rate_bytes_per_s;
    double ir_s_per_byte[N_REGIMES], constant_ratio[N_REGIMES]; /* of this host, direction and peer */
    host_id peer;                                               /* the other one */
    struct ir_curve curve;                                      /* of its interference; {0}: a line */
};

/* What a flow takes of the processor: IR r, or on a curve IR RATE (r / RATE)^GAMMA. It may be more than 1. */
static inline double world_flow_cost_ratio(const struct world_flow *f, enum regime regime)
{
    double ir = f->ir_s_per_byte[regime], rate = f->rate_bytes_per_s, at = f->curve.rate_bytes_per_s;
    if (at <= 0 || ir <= 0 || rate <= 0)
        return ir * rate;
    return ir * (at * pow(rate / at, f->curve.gamma));
}

/* A flow at rate 0, with what the machine says of this host, direction and peer. */
struct world_flow world_flow_of(const struct machine *m, host_id host, enum direction dir, host_id peer);

/* REGIME_DUPLEX: among these flows of a host, data leave and data enter. */
static inline enum regime world_regime(const struct world_flow *flows, size_t n_flows)
{
    bool goes[N_DIRECTIONS] = {false, false};
    for (size_t i = 0; i < n_flows; i++)
        goes[flows[i].direction] = goes[flows[i].direction] || flows[i].rate_bytes_per_s > 0;
    return goes[DIR_SEND] && goes[DIR_RECV] ? REGIME_DUPLEX : REGIME_ONE_WAY;
}

struct world_model {
    const char *name, *summary, *source;
    const struct param *params; /* numbers only; ends with a NULL name; NULL: those of `charges`, or none */
    /* OPTIONAL. What transfers leave of the speed of a host: a function of its flows (at least one; their rates may
       be 0) and of `self->values` alone, because it is asked whenever a rate has changed, and not in between. Any
       finite number: it is clamped to between the host's floor and 1. NULL: always 1. */
    double (*speed_factor_ratio)(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                                 size_t n_flows);
    /* OPTIONAL. The cost model whose overhead and involvement a message takes of both processors ([S] 8.2); meanwhile
       they compute nothing. Replay also keeps the model's ports and its `transit_s`, during which data are under way
       without using the network. How links are shared is decided elsewhere (`fluid`, `exclusive`). NULL: messages cost
       nothing. */
    const struct cost_model *charges;
    unsigned reads; /* the properties of the platform that it reads: enum property_group, or'ed; 0: none */

    /* Set by iasim. */
    const char *text;          /* with its parameters, as the user gave it; NULL: the name alone */
    const double *values;      /* of `params`, in their order; NAN: not given, and without a default */
    const struct origin *from; /* the plugin that it comes from; NULL: it is built in */
};

/* Those of models.def in its order, then those of plugins; ends with NULL. */
extern const struct world_model *const *world_models;

/* The parameters that users may give: the world's, or those of the cost model that it charges; NULL: none. */
const struct param *world_params(const struct world_model *w);

/* From now on world_find also finds this world, which has a new name; it and the origin are borrowed until the program
   ends. */
void world_register(const struct world_model *w, const struct origin *from);

/* A world from "name" or "name[k=v,...]". It exists until the program ends; the same text gives the same world. Errors:
   ERR_INPUT for an unknown name or parameter (the message lists the known ones) and for a bad value. */
enum err_code world_find(const char *text, const struct world_model **out, struct err *e);
/* The same for what moves data over the network only: activities, farms and measurements. Errors: ERR_INPUT also for a
   world that has ports or times under way of its own, which only a replay carries out. */
enum err_code world_find_of_networks(const char *text, const struct world_model **out, struct err *e);
/* The same for a program that uses SimGrid by itself, whose processors cannot be occupied: only worlds that change the
   speed of hosts, or nothing. Errors: ERR_INPUT for any other; the message lists these. */
enum err_code world_find_of_speeds(const char *text, const struct world_model **out, struct err *e);

/* Whether it has ports, or says how long data are under way, in place of the network. */
bool world_has_ports_or_transit(const struct world_model *w);

/* A sentence for the user, in fresh memory, if the world reads properties and the machine has none of them; else
   NULL. */
char *world_warning(const struct world_model *w, const struct machine *m);

/* The plugin from which the world of that text comes; NULL: it is built in, or there is none. */
const struct origin *world_origin(const char *text);

/* The world's name with its parameters, as in results and messages. */
const char *world_text(const struct world_model *w);

/* Whether transfers can slow this host down in this world. */
bool world_may_slow(const struct world_model *w, const struct machine *m, host_id host);

/* The speed factor of a host with these flows, clamped to between the host's floor and 1. A plugin's world whose factor
   is not finite is at fault (foreign_judge), and the factor counts as 1. */
double world_factor_ratio(const struct world_model *w, const struct host *h, const struct world_flow *flows,
                          size_t n_flows);

#endif
