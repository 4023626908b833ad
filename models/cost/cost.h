/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cost models: what a planner believes a message costs ([S] 8.1, 8.2). Each has one file and one line in cost.def.

   A model is a few facts: what a message occupies, and how long. Planning, compaction, schedule files, the validator
   and replay read these facts and know no model by name. A message from one host to another goes in this order:

       source processor       |-overhead-|-involvement-|          from the start s of the send
       source's send port     |-------- port_s --------|          also from s
       links, or `transit`               |============|           from s + overhead
       destination processor                |-involvement-|-overhead-|      from r, which is at the earliest `involvement`
       destination's receive port  |=before=|-------- port_s --------|      before the last byte arrives; the port also,
                                                                            and for port_before_s before r

   Resources that the model does not book are always free. A host has two ports, one for sending and one for
   receiving. */
#ifndef IASIM_MODELS_COST_COST_H
#define IASIM_MODELS_COST_COST_H

#include "base/api.h"
#include "base/err.h"
#include "base/param.h"
#include "machine/machine.h"

#include <stdbool.h>

struct origin; /* base/foreign.h */

struct cost_end { /* how long a message occupies the processor and the port of one of its hosts */
    double overhead_s, involvement_s, port_s;
    double port_before_s; /* its port is occupied from so long before the start on: data come in before the receive
                             begins */
};

struct cost_model {
    const char *name, *summary, *source;
    const struct param *params; /* numbers and steps; ends with a NULL name; NULL: none */

    /* What a message occupies; one message at a time. */
    bool books_processors, books_ports, books_links;
    unsigned reads; /* the properties of the platform that it reads: enum property_group, or'ed; 0: none */

    /* OPTIONAL formulas, for models whose costs are not those of the machine; times are not negative. `self` has the
       values of the parameters. NULL: the overhead and involvement of the machine (machine_overhead_s,
       machine_involvement_s), and ports are not occupied. What a message occupies at its source (DIR_SEND) or its
       destination (DIR_RECV); `link` is the link at this end of the route; -1: the route has no links. A send must not
       depend on `dst`, which is -1 before the destination is chosen. */
    struct cost_end (*end)(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                           enum direction dir, link_id link, double bytes);
    /* The time from the end of the overhead to the last byte, if no links are booked. NULL: the time on the slowest
       link of the route, plus the route's latency. May be negative (LogP's L - (n-1) max(o, g)), but no data arrive
       before their send starts. */
    double (*transit_s)(const struct cost_model *self, const struct machine *m, host_id src, host_id dst, double bytes);
    /* OPTIONAL. Whether the properties of the hosts make sense to the model, for messages of this size. Errors:
       ERR_INPUT; the text names the host and the property, but not the platform. If the model's parameters are to
       blame, the error's source says so ("model glogp"). */
    enum err_code (*check)(const struct cost_model *self, const struct machine *m, double bytes, struct err *e);
    /* OPTIONAL. Whether the formulas give the same for all hosts and links of the machine, so that one pair of hosts
       stands for all pairs. NULL: not known. */
    bool (*is_uniform)(const struct cost_model *self, const struct machine *m);

    /* Set by iasim. */
    const char *text;                /* with its parameters, as the user gave it: "logp[L=6]"; NULL: the name alone */
    const double *values;            /* of the parameters, in their order; NAN: not given, or steps */
    const struct steps *steps;       /* likewise; a number is one for all sizes; all zero: not given */
    const struct origin *from;       /* the plugin that it comes from; NULL: it is built in */
    const struct cost_model *theirs; /* what the plugin registered: its formulas are called by ours */
    bool is_aligned; /* by the parameter `aligned`: processors are involved while their links are in use */
};

/* Those of cost.def in its order, then those of plugins; ends with NULL. */
extern const struct cost_model *const *cost_models;

/* A model from "name" or "name[k=v,...]". It exists until the program ends; the same text gives the same model. Errors:
   ERR_INPUT for an unknown name or parameter (the message lists the known ones) and for a bad value. */
enum err_code cost_model_find(const char *text, const struct cost_model **out, struct err *e);

/* The same for a model that a schedule file names: an unknown one may be a plugin's, and the message says so. */
enum err_code cost_model_find_of_file(const char *text, const struct cost_model **out, struct err *e);

/* From now on cost_model_find also finds this model, which has a new name; it and the origin are borrowed until the
   program ends. If it comes from a plugin, a formula that gives what is not a time is a fault (foreign_judge), and
   counts as 0. */
void cost_model_register(const struct cost_model *model, const struct origin *from);

/* The model's name with its parameters, as in schedule files and results. */
IASIM_API const char *cost_model_text(const struct cost_model *model);
/* Whether both are the same model with the same parameters. */
IASIM_API bool cost_model_is(const struct cost_model *model, const struct cost_model *other);

/* The properties that it needs: `reads`, but none if a parameter without a default was given, which stands for them. */
unsigned cost_model_reads(const struct cost_model *model);
/* A sentence for the user, in fresh memory, if the model reads properties and the machine has none of them; else
   NULL. */
char *cost_model_warning(const struct cost_model *model, const struct machine *m);

/* Whether a message has a send and a receive, that is, whether the model books processors or ports. */
static inline bool cost_has_ends(const struct cost_model *model)
{
    return model->books_processors || model->books_ports;
}

/* Whether a message occupies nothing, and its data simply arrive later by the time on the slowest link and the
   latency. */
static inline bool cost_is_plain_delay(const struct cost_model *model)
{
    return !cost_has_ends(model) && !model->books_links && model->transit_s == NULL;
}

static inline bool cost_is_uniform(const struct cost_model *model, const struct machine *m)
{
    return model->is_uniform != NULL && model->is_uniform(model, m);
}

/* What the model books at one host of a message; times of what it does not book are 0. `dst` may be -1 in DIR_SEND. */
static inline struct cost_end cost_end(const struct cost_model *model, const struct machine *m, host_id src,
                                       host_id dst, enum direction dir, link_id link, double bytes)
{
    struct cost_end end = {0, 0, 0, 0}; /* all members: C++ compilers warn of {0} */
    host_id host = dir == DIR_SEND ? src : dst;
    if (!cost_has_ends(model))
        return end;
    if (model->end != NULL) {
        end = model->end(model, m, src, dst, dir, link, bytes);
    } else {
        end.overhead_s = machine_overhead_s(m, host, dir, link, bytes);
        end.involvement_s = machine_involvement_s(m, host, dir, link, bytes);
    }
    if (!model->books_processors)
        end.overhead_s = end.involvement_s = 0;
    if (!model->books_ports)
        end.port_s = end.port_before_s = 0;
    return end;
}

#endif
