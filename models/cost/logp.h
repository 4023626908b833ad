/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the models of the LogP family share ([S] 8.1.3): L, o and g are those of the source and of the destination, each
   as the host's properties say, or as the model's parameters say for all hosts. */
#ifndef IASIM_MODELS_COST_LOGP_H
#define IASIM_MODELS_COST_LOGP_H

#include "models/cost/cost.h"

#include <math.h>

enum logp_parameter { LOGP_LATENCY, LOGP_OVERHEAD, LOGP_GAP, LOGP_OWN /* M or G: only one of the models has it */ };
enum { LOGP_N_SHARED = LOGP_OWN };

static inline const struct steps *logp_steps(const struct cost_model *self, const struct machine *m, host_id h,
                                             enum logp_parameter i)
{
    const struct host_logp *x = &m->hosts[h].logp;
    const struct steps *const of_host[] = {&x->latency_s, &x->overhead_s, &x->gap_s};
    return self->steps != NULL && self->steps[i].is_given ? &self->steps[i] : of_host[i];
}

static inline double logp_at(const struct cost_model *self, const struct machine *m, host_id h, enum logp_parameter i,
                             double bytes)
{
    return steps_at(logp_steps(self, m, h, i), bytes);
}

/* The time from one message to the next at a host: max(o, g). */
static inline double logp_interval_s(const struct cost_model *self, const struct machine *m, host_id h)
{
    return fmax(logp_at(self, m, h, LOGP_OVERHEAD, 0), logp_at(self, m, h, LOGP_GAP, 0));
}

/* The parameter that only this model has, in place of the host's property. */
static inline double logp_own(const struct cost_model *self, double of_host)
{
    return self->steps != NULL && self->steps[LOGP_OWN].is_given ? self->steps[LOGP_OWN].number : of_host;
}

static inline bool logp_is_uniform(const struct cost_model *self, const struct machine *m)
{
    bool is_same = true, has_own = self->steps != NULL && self->steps[LOGP_OWN].is_given;
    const struct host_logp *first = &m->hosts[0].logp;
    for (host_id h = 1; h < (host_id)m->n_hosts && is_same; h++) {
        const struct host_logp *x = &m->hosts[h].logp;
        for (int i = 0; i < LOGP_N_SHARED && is_same; i++) {
            enum logp_parameter p = (enum logp_parameter)i;
            is_same = logp_at(self, m, h, p, 0) == logp_at(self, m, 0, p, 0);
        }
        is_same = is_same &&
                  (has_own || (x->gap_s_per_byte == first->gap_s_per_byte && x->message_bytes == first->message_bytes));
    }
    return is_same;
}

/* For models whose L, o and g are numbers, and not negative. Errors: ERR_INPUT. */
static inline enum err_code logp_check_numbers(const struct cost_model *self, const struct machine *m, double bytes,
                                               struct err *e)
{
    static const char *const ids[] = {"logp_L", "logp_o", "logp_g"};
    (void)bytes;
    for (host_id h = 0; h < (host_id)m->n_hosts; h++)
        for (int i = 0; i < LOGP_N_SHARED; i++) {
            const struct steps *x = logp_steps(self, m, h, (enum logp_parameter)i);
            if (x->n > 0)
                return err_set(e, ERR_INPUT, "host '%s': %s has steps; model %s takes a number, only glogp takes steps",
                               m->hosts[h].name, ids[i], self->name);
            if (x->number < 0)
                return err_set(e, ERR_INPUT,
                               "host '%s': %s is %g; model %s takes 0 or more, only glogp takes a negative latency",
                               m->hosts[h].name, ids[i], x->number, self->name);
        }
    return ERR_NONE;
}

/* Members of every model of the family. */
#define LOGP_FAMILY(params_, end_, transit_s_)                                                                         \
    .params = (params_), .books_processors = true, .books_ports = true, .reads = PROPERTIES_LOGP, .end = (end_),       \
    .transit_s = (transit_s_)

#endif
