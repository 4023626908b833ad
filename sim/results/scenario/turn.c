/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points as numbers in a mixed radix, one digit for each axis. Everything about a run follows from its number by
   division, so a sweep of a hundred million runs needs no list, any of its processes can compute any run, and shards
   take every n-th number without talking to each other. */
#include "scenario/turn.h"

#include "scenario/axis.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

uint64_t turn_count(const struct scenario *s)
{
    return s->n_points * (uint64_t)s->n_replications;
}

/* How many points pass before the axis goes to its next value: the product of the axes after it. Computed anew each
   time; there are a few dozen axes at most. */
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

static bool is_shared(const struct scenario *s, const struct scenario_axis *a)
{
    return run_param_is(s->experiment, a->param->name, RUN_SHARED);
}

/* Adds to *point what the axes that are shared, or those that are not, contribute to a number of which they are the
   digits, the last axis the lowest; returns what is left of the number. */
static uint64_t take_digits(const struct scenario *s, bool shared, uint64_t number, uint64_t *point)
{
    uint64_t stride = 1;
    for (size_t i = s->n_axes; i-- > 0; stride *= s->axes[i].n_values)
        if (is_shared(s, &s->axes[i]) == shared) {
            *point += number % s->axes[i].n_values * stride;
            number /= s->axes[i].n_values;
        }
    return number;
}

/* The shared axes become the slowest, in their order; the others follow, in theirs. */
struct turn turn_at(const struct scenario *s, uint64_t number)
{
    uint64_t n_replications = (uint64_t)s->n_replications;
    /* The replication is the lowest digit: the replications of a point follow each other. */
    struct turn t = {.point = 0, .replication = (long)(number % n_replications) + 1};
    take_digits(s, true, take_digits(s, false, number / n_replications, &t.point), &t.point);
    return t;
}

const struct scenario_value *turn_value(const struct scenario *s, uint64_t point, size_t param_id)
{
    const struct scenario_axis *a = scenario_axis_of(s, param_id);
    return a != NULL ? &a->values[place_on(s, a, point)] : NULL;
}

uint64_t turn_shared(const struct scenario *s, uint64_t point)
{
    uint64_t shared = 0;
    for (const struct scenario_axis *a = s->axes; a < s->axes + s->n_axes; a++)
        /* The digits of the shared axes alone, read as a number, the first axis highest. */
        if (is_shared(s, a))
            shared = shared * a->n_values + place_on(s, a, point);
    return shared;
}

uint64_t turn_shared_count(const struct scenario *s)
{
    uint64_t n = 1;
    for (const struct scenario_axis *a = s->axes; a < s->axes + s->n_axes; a++)
        n *= is_shared(s, a) ? a->n_values : 1;
    return n;
}

/* Shared axes are the slowest, so each combination has an equal share of the turns, one after the other. */
uint64_t turn_shared_first(const struct scenario *s, uint64_t shared)
{
    return shared * (turn_count(s) / turn_shared_count(s));
}

/* Whether the parameter changes what is done with random draws, not what is drawn. */
static bool is_variant(const struct run_kind *x, const char *param)
{
    /* In such a kind what is drawn depends on the instance and the replication alone. */
    if (run_row_that_is(x, RUN_RANDOM) != NULL)
        return !run_param_is(x, param, RUN_INSTANCE);
    return run_param_is(x, param, RUN_VARIANT);
}

/* In the order of the experiment's parameters, not of the file's axes: a file that is rearranged has the same keys.
   Of a stream, variants count as if they had their defaults, or were not given. */
static void digest_point(const struct scenario *s, uint64_t point, bool is_stream, char out[DIGEST_HEX_SIZE])
{
    const struct run_kind *x = s->experiment;
    const struct param *params = run_params(x);
    struct digest d;
    char head[64];
    /* A seed that nothing uses must not tell two equal results apart. */
    snprintf(head, sizeof head, "point %d %llu", x->results_version,
             scenario_is_random(s) ? (unsigned long long)s->seed : 0ULL);
    digest_init(&d);
    digest_add_text(&d, head);
    digest_add_text(&d, x->name);
    for (size_t i = 0; params[i].name != NULL; i++) {
        const struct scenario_value *v = turn_value(s, point, i);
        bool is_default = is_stream && is_variant(x, params[i].name);
        /* Optional ones that are not given leave no trace, so a new optional parameter leaves all old keys as
           they are. */
        if (v == NULL || (is_default && params[i].default_text == NULL))
            continue;
        digest_add_text(&d, params[i].name);
        digest_add_text(&d, is_default ? params[i].default_text : axis_key_text(v));
    }
    digest_finish(&d, out);
}

void turn_key(const struct scenario *s, uint64_t point, char out[DIGEST_HEX_SIZE])
{
    digest_point(s, point, false, out);
}

struct param_set *turn_params(const struct scenario *s, uint64_t point)
{
    const struct param *params = run_params(s->experiment);
    struct param_set *ps = param_set_create(params);
    for (size_t i = 0; params[i].name != NULL; i++) {
        const struct scenario_value *v = turn_value(s, point, i);
        if (v == NULL)
            continue;
        /* What runs gets is a path; what keys and tables get is the name or the digest. */
        const char *text = v->path != NULL ? v->path : v->text;
        enum err_code code = param_set_value(ps, "", params[i].name, text, NULL);
        assert(code == ERR_NONE); /* the reader has checked every value */
        (void)code;
    }
    return ps;
}

/* A digest of the digest and the replication: the streams of two replications have nothing in common. */
uint64_t turn_stream(const struct scenario *s, const struct turn *t)
{
    struct digest d;
    char hex[DIGEST_HEX_SIZE], number[32];
    snprintf(number, sizeof number, "%ld", t->replication);
    digest_point(s, t->point, true, hex);
    digest_init(&d);
    digest_add_text(&d, hex);
    digest_add_text(&d, number);
    digest_finish(&d, hex);
    return digest_to_u64(hex);
}
