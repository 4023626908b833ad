/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates are drawn before the run, so the policy cannot change them, and two policies meet the same tasks. Gaps are
   drawn for a rate of 1 and divided by the rate: a larger load is the same sequence, faster. */
#include "farm/arrivals.h"

#include "base/choose.h"
#include "base/gamma.h"
#include "base/mem.h"
#include "base/param.h"
#include "base/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t stream_of_gaps = UINT64_MAX - 1; /* noise uses digests of names, generators small numbers */

static const struct param rate_params[] = {
    {"load", PARAM_NUMBER, "", NULL, 1e-9, 1e9, NULL, "tasks per second over the physical bound of the policy's ports"},
    {"rate", PARAM_NUMBER, "tasks/s", NULL, 1e-12, 1e12, NULL, "tasks per second"},
    {0},
};
static const struct param no_params[] = {{0}};

struct named_kind {
    const char *name;
    enum arrivals_kind kind;
    const struct param *params;
};
static const struct named_kind at_once = {"at_once", ARRIVALS_AT_ONCE, no_params};
static const struct named_kind poisson = {"poisson", ARRIVALS_POISSON, rate_params};
static const struct named_kind periodic = {"periodic", ARRIVALS_PERIODIC, rate_params};
static const struct named_kind *const kinds[] = {&at_once, &poisson, &periodic, NULL};

static enum err_code take_rate(const struct param_set *ps, const char *name, struct arrivals *out, struct err *e)
{
    bool has_load = param_has(ps, "load"), has_rate = param_has(ps, "rate");
    /* neither, or both */
    if (has_load == has_rate)
        return err_set(e, ERR_INPUT, "arrival %s needs either load or rate, as in %s[load=0.8]", name, name);
    *(has_load ? &out->load_ratio : &out->tasks_per_s) = param_number(ps, has_load ? "load" : "rate");
    return ERR_NONE;
}

static enum err_code take(const struct spec *spec, struct arrivals *out, struct err *e)
{
    char owner[128];
    const struct named_kind *kind = registry_choose(kinds, "arrival", spec->name, e);
    if (kind == NULL)
        return ERR_INPUT;
    out->kind = kind->kind;
    struct param_set *ps = param_set_create(kind->params);
    snprintf(owner, sizeof owner, "arrival %s", kind->name);
    enum err_code code = param_set_spec(ps, owner, spec, e);
    if (code == ERR_NONE && kind->params == rate_params)
        code = take_rate(ps, kind->name, out, e);
    param_set_free(ps);
    return code;
}

enum err_code arrivals_parse(const char *text, struct arrivals *out, struct err *e)
{
    struct spec spec;
    struct err why = {0};
    *out = (struct arrivals){.load_ratio = NAN, .tasks_per_s = NAN};
    if (spec_parse(&spec, text, &why) != ERR_NONE)
        return err_set(e, ERR_INPUT, "arrival '%.100s': %.200s", text, why.text);
    enum err_code code = take(&spec, out, e);
    spec_clear(&spec);
    return code;
}

double *arrivals_draw_s(const struct arrivals *a, double tasks_per_s, uint64_t seed, long n)
{
    if (a->kind == ARRIVALS_AT_ONCE)
        return NULL;
    double *dates_s = mem_alloc((size_t)n * sizeof *dates_s), gaps = 0;
    struct random_stream r;
    random_init(&r, seed, stream_of_gaps);
    for (long i = 0; i < n; i++) {
        /* periodic dates are computed from the number: a sum of gaps would drift */
        if (a->kind == ARRIVALS_POISSON)
            gaps += random_gamma(&r, 1); /* exponential */
        else
            gaps = (double)i;
        dates_s[i] = gaps / tasks_per_s;
    }
    return dates_s;
}

/* Of those that have arrived by then, how many are there; n_arrived of them, the last one at this date. */
static long in_farm(const double *sorted_ends_s, long n, double date_s, long n_arrived)
{
    long low = 0, high = n;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (sorted_ends_s[middle] <= date_s)
            low = middle + 1;
        else
            high = middle;
    }
    return n_arrived - low;
}

/* The first half of the arrivals is the start-up, in which even a farm that keeps up fills. */
static double growth_ratio(const double *arrivals_s, const double *sorted_ends_s, long n)
{
    long half = n / 2;
    long before = half > 0 ? in_farm(sorted_ends_s, n, arrivals_s[half - 1], half) : 0;
    return (double)(in_farm(sorted_ends_s, n, arrivals_s[n - 1], n) - before) / (double)(n - half);
}

struct arrivals_responses arrivals_responses_of(const double *arrivals_s, const double *ends_s, long n)
{
    struct arrivals_responses x = {0};
    double *sorted = mem_alloc((size_t)n * sizeof *sorted);
    memcpy(sorted, ends_s, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, choose_ascending);
    x.growth_ratio = growth_ratio(arrivals_s, sorted, n);
    for (long i = 0; i < n; i++) {
        sorted[i] = ends_s[i] - arrivals_s[i];
        x.mean_s += sorted[i] / (double)n;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, choose_ascending);
    x.median_s = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    /* the nearest rank, so that it is a response that some task had */
    x.p95_s = sorted[(long)ceil(0.95 * (double)n) - 1];
    x.max_s = sorted[n - 1];
    free(sorted);
    return x;
}
