/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cost models: what a planner believes a message costs ([S] 8.1, 8.2). One file each, registered in cost.def.

   A model is a handful of facts: what a message occupies, and how long. Planning, compaction, schedule files, the
   validator and replay read the facts and know no model by name. A message from one host to another goes in this order:

       source processor       |-overhead-|-involvement-|          from the start s of the send
       source's send port     |-------- port_s --------|          from s, too
       links, or `transit`               |============|           from s + overhead
       destination processor                |-involvement-|-overhead-|      from r: `involvement` before the last byte
       destination's receive port           |-------- port_s --------|      is there, or later; the port from r, too

   Whatever is not booked is free at any time. A host has two ports, one for what it sends and one for what it receives. */
#ifndef IASIM_MODELS_COST_COST_H
#define IASIM_MODELS_COST_COST_H

#include "base/api.h"
#include "base/err.h"
#include "base/param.h"
#include "machine/machine.h"

#include <stdbool.h>

struct cost_end { /* what a message takes of the processor and the port of one of its hosts */
    double overhead_s, involvement_s, port_s;
};

struct cost_model {
    const char *name, *summary, *source;
    const struct param *params; /* numbers only; ends with a NULL name; NULL: none */

    /* What a message occupies; one message at a time. */
    bool books_processors, books_ports, books_links;
    unsigned reads; /* properties of the platform: enum property_group, or'ed; 0: none */

    /* OPTIONAL formulas, for models whose costs are not those of the machine; times are not negative. `self` has the
       values of the parameters. NULL: the overhead and involvement of the machine (machine_overhead_s,
       machine_involvement_s), and no time of a port. `link` is the one at this end of the route, -1 if there is none. */
    struct cost_end (*end)(const struct cost_model *self, const struct machine *m, host_id host, enum direction dir,
                           link_id link, double bytes);
    /* From the end of the overhead to the last byte, where no links are booked. NULL: the time on the slowest link of the
       route, and its latency. May be negative (LogP's L - (n-1) max(o, g)). */
    double (*transit_s)(const struct cost_model *self, const struct machine *m, host_id src, host_id dst, double bytes);

    /* Set by cost_model_find. */
    const char *text;     /* with its parameters, as it was given: "logp[L=6]"; NULL: the name alone */
    const double *values; /* of the parameters, in their order; NAN: neither given nor a default */
};

extern const struct cost_model *const cost_models[]; /* ends with NULL; the order of cost.def */

/* A model from "name" or "name[k=v,...]". It is there for good; the same text gives the same model. Errors: ERR_INPUT for
   an unknown name or parameter (the message lists the known ones) and for a bad value. */
enum err_code cost_model_find(const char *text, const struct cost_model **out, struct err *e);

/* One that is not in cost.def, for tests: cost_model_find knows it from now on. It is borrowed for good. */
void cost_model_register(const struct cost_model *model);

/* As schedule files and results name it: with its parameters. */
IASIM_API const char *cost_model_text(const struct cost_model *model);
/* Whether they are one model with the same parameters. */
IASIM_API bool cost_model_is(const struct cost_model *model, const struct cost_model *other);

/* One line for the user, in fresh memory, when the model reads properties and the machine has none of them; else NULL. */
char *cost_model_warning(const struct cost_model *model, const struct machine *m);

/* Whether a message has a send and a receive: something at its hosts is booked. */
static inline bool cost_has_ends(const struct cost_model *model)
{
    return model->books_processors || model->books_ports;
}

/* Whether a message occupies nothing, and its data are there the time on the slowest link and the latency later. */
static inline bool cost_is_plain_delay(const struct cost_model *model)
{
    return !cost_has_ends(model) && !model->books_links && model->transit_s == NULL;
}

/* What is booked at a host for a message; 0 what is not. */
static inline struct cost_end cost_end(const struct cost_model *model, const struct machine *m, host_id host,
                                       enum direction dir, link_id link, double bytes)
{
    struct cost_end end = {0, 0, 0};
    if (!cost_has_ends(model))
        return end;
    if (model->end != NULL) {
        end = model->end(model, m, host, dir, link, bytes);
    } else {
        end.overhead_s = machine_overhead_s(m, host, dir, link, bytes);
        end.involvement_s = machine_involvement_s(m, host, dir, link, bytes);
    }
    if (!model->books_processors)
        end.overhead_s = end.involvement_s = 0;
    if (!model->books_ports)
        end.port_s = 0;
    return end;
}

#endif
