/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random properties of the LogP family for the hosts of a trial (replay_trial.h). */
#ifndef IASIM_TEST_ENGINE_LOGP_HOSTS_H
#define IASIM_TEST_ENGINE_LOGP_HOSTS_H

#include "naive_logp.h"
#include "replay_trial.h"

enum { MAX_LOGP_HOSTS = 16 };

struct logp_owner {
    struct machine *machine;
    host_id host;
};

static inline void set_logp_property(void *self, const char *id, const char *value)
{
    const struct logp_owner *x = self;
    struct err e = {0};
    if (machine_set_host_property(x->machine, x->host, id, value, &e) != ERR_NONE)
        abort();
}

/* Times of about those that the trial's messages would take: data of a megabyte, and a second. */
static inline void give_logp_hosts(const struct trial *t, enum naive_logp model, const struct machine *m,
                                   struct naive_logp_host hosts[MAX_LOGP_HOSTS])
{
    struct random_stream r;
    random_init(&r, t->number, 20);
    naive_logp_draw(hosts, m->n_hosts, model, false, &r);
    for (size_t h = 0; h < m->n_hosts; h++) {
        double *const times[] = {&hosts[h].L, &hosts[h].o, &hosts[h].g};
        double *const per_byte[] = {&hosts[h].L_per_byte, &hosts[h].o_per_byte, &hosts[h].g_per_byte, &hosts[h].G};
        for (int i = 0; i < 3; i++)
            *times[i] *= 0.2;
        for (int i = 0; i < 4; i++)
            *per_byte[i] *= 0.2e-6;
        hosts[h].M *= 3e5;
        naive_logp_properties(&hosts[h], model, set_logp_property,
                              &(struct logp_owner){(struct machine *)m, (host_id)h});
    }
}

#endif
