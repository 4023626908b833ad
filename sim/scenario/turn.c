/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/turn.h"

#include "scenario/axis.h"

#include <assert.h>
#include <stdio.h>

uint64_t turn_count(const struct scenario *s)
{
    return s->n_points * (uint64_t)s->n_replications;
}

/* How many points pass before the axis goes to its next value. */
static uint64_t stride_of(const struct scenario *s, const struct scenario_axis *a)
{
    uint64_t stride = 1;
    for (const struct scenario_axis *later = a + 1; later < s->axes + s->n_axes; later++)
        stride *= later->n_values;
    return stride;
}

static size_t place_on(const struct scenario *s, const struct scenario_axis *a, uint64_t point)
{
    return (size_t)(point / stride_of(s, a) % a->n_values);
}

static const struct scenario_axis *shared_axis(const struct scenario *s)
{
    return s->experiment->shared_param != NULL ? scenario_axis(s, s->experiment->shared_param) : NULL;
}

/* The shared axis becomes the slowest: (shared, outer, inner) in turns, (outer, shared, inner) in points. */
struct turn turn_at(const struct scenario *s, uint64_t number)
{
    uint64_t turn = number / (uint64_t)s->n_replications;
    struct turn t = {.point = turn, .replication = (long)(number % (uint64_t)s->n_replications) + 1};
    const struct scenario_axis *a = shared_axis(s);
    if (a == NULL)
        return t;
    uint64_t n_inner = stride_of(s, a), n_outer = s->n_points / n_inner / a->n_values;
    uint64_t inner = turn % n_inner, outer = turn / n_inner % n_outer, shared = turn / n_inner / n_outer;
    t.point = (outer * a->n_values + shared) * n_inner + inner;
    return t;
}

const struct scenario_value *turn_value(const struct scenario *s, uint64_t point, size_t param_id)
{
    const struct scenario_axis *a = scenario_axis_of(s, param_id);
    return &a->values[place_on(s, a, point)];
}

size_t turn_shared(const struct scenario *s, uint64_t point)
{
    const struct scenario_axis *a = shared_axis(s);
    return a != NULL ? place_on(s, a, point) : 0;
}

void turn_key(const struct scenario *s, uint64_t point, char out[DIGEST_HEX_SIZE])
{
    const struct experiment *x = s->experiment;
    struct digest d;
    char head[64];
    snprintf(head, sizeof head, "point %d %llu", x->results_version,
             x->is_random ? (unsigned long long)s->seed : 0ULL);
    digest_init(&d);
    digest_add_text(&d, head);
    digest_add_text(&d, x->name);
    for (size_t i = 0; x->params[i].name != NULL; i++) {
        digest_add_text(&d, x->params[i].name);
        digest_add_text(&d, axis_key_text(turn_value(s, point, i)));
    }
    digest_finish(&d, out);
}

struct param_set *turn_params(const struct scenario *s, uint64_t point)
{
    struct param_set *ps = param_set_create(s->experiment->params);
    for (size_t i = 0; s->experiment->params[i].name != NULL; i++) {
        const struct scenario_value *v = turn_value(s, point, i);
        const char *text = v->path != NULL ? v->path : v->text;
        enum err_code code = param_set_value(ps, "", s->experiment->params[i].name, text, NULL);
        assert(code == ERR_NONE); /* the reader has checked every value */
        (void)code;
    }
    return ps;
}

uint64_t turn_stream(const char key[DIGEST_HEX_SIZE], long replication)
{
    struct digest d;
    char hex[DIGEST_HEX_SIZE], number[32];
    snprintf(number, sizeof number, "%ld", replication);
    digest_init(&d);
    digest_add_text(&d, key);
    digest_add_text(&d, number);
    digest_finish(&d, hex);
    return digest_to_u64(hex);
}
