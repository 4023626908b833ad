/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A second reading of costs that depend on the size of a message, for tests: from the definition in doc/model.md, by
 * hand. */
#ifndef IASIM_TEST_NAIVE_STEPS_H
#define IASIM_TEST_NAIVE_STEPS_H

#include "machine/machine.h"

/* Of all steps that hold for more than their MIN_BYTES, the one that begins last; the first one if none does. */
static inline double naive_steps_at(const struct steps *s, double bytes)
{
    const struct step *best = s->n > 0 ? &s->list[0] : NULL;
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].above_bytes < bytes && s->list[i].above_bytes > best->above_bytes)
            best = &s->list[i];
    return best == NULL ? s->number : best->constant + bytes * best->per_byte;
}

/* `link`: where the route begins or ends; -1: it has no links. */
static inline double naive_overhead_s(const struct machine *m, int host, enum direction dir, int link, double bytes)
{
    if (link >= 0 && m->links[link].overhead_s[dir].is_given)
        return naive_steps_at(&m->links[link].overhead_s[dir], bytes);
    return naive_steps_at(&m->hosts[host].overhead_s[dir], bytes);
}

static inline double naive_involvement_s(const struct machine *m, int host, enum direction dir, int link, double bytes)
{
    if (link < 0)
        return 0;
    double link_s = bytes / m->links[link].bandwidth_bytes_per_s;
    if (m->links[link].involvement_ratio[dir].is_given)
        return naive_steps_at(&m->links[link].involvement_ratio[dir], bytes) * link_s;
    return naive_steps_at(&m->hosts[host].involvement_ratio[dir], bytes) * link_s;
}

#endif
