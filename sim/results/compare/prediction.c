/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Instances are sampled as in compare.c: each gives one value, the mean over its cases, and the spread of these
   values gives the interval. Ratios have a geometric mean, shares and correlations an arithmetic one. */
#include "compare/prediction.h"

#include "base/mem.h"
#include "compare/compare_group.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

const char *const prediction_names[N_PREDICTION_KINDS] = {"rank_correlation", "best_kept", "ratio_to_best"};

struct sample {
    double *values;
    size_t n;
};

enum { OWN, AGAINST }; /* samples of ratios: of the variant, and over the reference's */

struct computing {
    const struct compare_data *d;
    const struct compare_settings *s;
    struct compare_place *places; /* of all cases */
    struct sample of_group[N_PREDICTION_KINDS], of_instance[N_PREDICTION_KINDS];
    double *cost, *predicted_cost; /* of the variants of a case */
    double *resamples;
};

static bool has_both(const struct compare_row *row)
{
    return row != NULL && !isnan(row->figure) && !isnan(row->predicted);
}

/* A case that lacks a figure has no value; it is counted by the caller. */
static void add(struct sample *s, double value)
{
    if (!isnan(value))
        s->values[s->n++] = value;
}

static double mean_of(const struct sample *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->values[i];
    return s->n > 0 ? sum / (double)s->n : NAN;
}

static void find_interval(const struct computing *c, double *low, double *high)
{
    /* Too few resamples for this confidence. */
    if (!bootstrap_interval(c->resamples, (size_t)c->s->n_resamples, c->s->confidence, low, high))
        *low = *high = NAN;
}

/* --- metric / predictor of one variant --- */

static double ratio_at(const struct computing *c, size_t number, size_t variant)
{
    const struct compare_row *row = compare_find(c->d, number, variant);
    return has_both(row) ? profile_ratio(row->figure, row->predicted) : NAN;
}

static void take_ratio(struct computing *c, struct prediction_ratio *r, size_t number)
{
    double ratio = ratio_at(c, number, r->variant), reference = ratio_at(c, number, c->s->reference);
    if (isnan(ratio))
        r->n_left_out++;
    /* fmax ignores NAN: the first ratio replaces the NAN of the beginning. */
    r->largest = fmax(r->largest, ratio);
    add(&c->of_instance[OWN], ratio);
    /* Only in cases where both have a ratio, so that the two are compared on the same cases. */
    if (!isnan(ratio) && !isnan(reference))
        add(&c->of_instance[AGAINST], profile_ratio(ratio, reference));
}

/* The compared pairs use the streams of two different variants; a variant with itself has the streams used here. */
static void summarise_ratio(struct computing *c, const struct prediction_ratio *r, size_t which,
                            struct prediction_median *out)
{
    struct sample *all = &c->of_group[which];
    struct random_stream random;
    uint64_t n = c->d->variants.n_values, stream = ((uint64_t)r->group * n + r->variant) * n + r->variant;
    quantile_sort(all->values, all->n);
    *out = (struct prediction_median){all->n, quantile_median(all->values, all->n), NAN, NAN};
    /* One value says nothing about how the median varies. */
    if (all->n < 2)
        return;
    random_init(&random, c->s->seed, stream);
    bootstrap_medians(all->values, all->n, &random, c->resamples, (size_t)c->s->n_resamples);
    find_interval(c, &out->low, &out->high);
}

static void compute_ratio(struct computing *c, struct prediction_ratio *r)
{
    const struct compare_place *end = compare_first(c->d, c->places, r->group + 1), *next;
    c->of_group[OWN].n = c->of_group[AGAINST].n = 0;
    for (const struct compare_place *at = compare_first(c->d, c->places, r->group); at < end; at = next) {
        next = compare_next(at, end);
        c->of_instance[OWN].n = c->of_instance[AGAINST].n = 0;
        for (; at < next; at++)
            take_ratio(c, r, at->number);
        for (size_t i = OWN; i <= AGAINST; i++)
            /* An instance without any case has the mean NAN, which is not added. */
            add(&c->of_group[i], quantile_geometric_mean(c->of_instance[i].values, c->of_instance[i].n));
    }
    summarise_ratio(c, r, OWN, &r->ratio);
    summarise_ratio(c, r, AGAINST, &r->against);
}

/* --- the order of all variants --- */

/* Costs: figures of which the lower one is better, so that one comparison serves both directions. */
static bool take_costs(const struct computing *c, size_t number)
{
    /* A predictor without a direction of its own (a metric that only describes) is taken to go the same way as the
       metric. */
    enum better predictor = c->d->predictor_better != BETTER_NONE ? c->d->predictor_better : c->s->better;
    for (size_t v = 0; v < c->d->variants.n_values; v++) {
        const struct compare_row *row = compare_find(c->d, number, v);
        if (!has_both(row))
            return false;
        c->cost[v] = c->s->better == BETTER_LOWER ? row->figure : -row->figure;
        c->predicted_cost[v] = predictor == BETTER_LOWER ? row->predicted : -row->predicted;
    }
    return true;
}

static double least_of(const double *costs, size_t n)
{
    double least = costs[0];
    for (size_t i = 1; i < n; i++)
        least = fmin(least, costs[i]);
    return least;
}

/* Relative, as in compare.c: equal plans differ in their last digits. */
static bool is_best(const struct computing *c, double cost, double least)
{
    return cost - least <= c->s->tolerance * fmax(fabs(cost), fabs(least));
}

/* Of several variants that the predictor says are best, each may be chosen: the mean over them. */
static void take_choice(struct computing *c)
{
    size_t n = c->d->variants.n_values, n_chosen = 0, n_best = 0;
    double least = least_of(c->cost, n), predicted_least = least_of(c->predicted_cost, n), ratios = 0;
    for (size_t v = 0; v < n; v++) {
        if (!is_best(c, c->predicted_cost[v], predicted_least))
            continue;
        bool is_kept = is_best(c, c->cost[v], least);
        /* Costs may be negated figures; the ratio is one of sizes. */
        double larger = fmax(fabs(c->cost[v]), fabs(least)), smaller = fmin(fabs(c->cost[v]), fabs(least));
        n_chosen++;
        n_best += is_kept;
        ratios += is_kept ? 1 : profile_ratio(larger, smaller);
    }
    add(&c->of_instance[PREDICTION_KEPT], (double)n_best / (double)n_chosen);
    add(&c->of_instance[PREDICTION_COST], ratios / (double)n_chosen);
}

static void take_case(struct computing *c, struct prediction_order *o, size_t number)
{
    /* A case counts only if every variant has both figures: an order of some of them would be another question. */
    if (!take_costs(c, number)) {
        o->n_left_out++;
        return;
    }
    o->n_cases++;
    add(&c->of_instance[PREDICTION_CORRELATION],
        spearman(c->predicted_cost, c->cost, c->d->variants.n_values, c->s->tolerance));
    take_choice(c);
}

/* Streams from the end of the numbers: those from the start are the pairs'. */
static void summarise_mean(struct computing *c, size_t group, enum prediction_kind kind, struct prediction_mean *out)
{
    const struct sample *s = &c->of_group[kind];
    struct random_stream random;
    *out = (struct prediction_mean){s->n, mean_of(s), NAN, NAN};
    if (s->n < 2)
        return;
    random_init(&random, c->s->seed, UINT64_MAX - ((uint64_t)group * N_PREDICTION_KINDS + kind));
    bootstrap_means(s->values, s->n, &random, c->resamples, (size_t)c->s->n_resamples);
    find_interval(c, &out->low, &out->high);
}

static void compute_order(struct computing *c, struct prediction_order *o)
{
    const struct compare_place *end = compare_first(c->d, c->places, o->group + 1), *next;
    for (int k = 0; k < N_PREDICTION_KINDS; k++)
        c->of_group[k].n = 0;
    for (const struct compare_place *at = compare_first(c->d, c->places, o->group); at < end; at = next) {
        next = compare_next(at, end);
        for (int k = 0; k < N_PREDICTION_KINDS; k++)
            c->of_instance[k].n = 0;
        for (; at < next; at++)
            take_case(c, o, at->number);
        for (int k = 0; k < N_PREDICTION_KINDS; k++)
            add(&c->of_group[k], mean_of(&c->of_instance[k]));
    }
    for (int k = 0; k < N_PREDICTION_KINDS; k++)
        summarise_mean(c, o->group, (enum prediction_kind)k, &o->means[k]);
}

/* --- all together --- */

static void compute_all(struct computing *c, struct prediction *out)
{
    size_t n_variants = c->d->variants.n_values;
    for (size_t g = 0; g < c->d->n_groups; g++) {
        for (size_t v = 0; v < n_variants; v++) {
            struct prediction_ratio *r = &out->ratios[out->n_ratios++];
            *r = (struct prediction_ratio){.group = g, .variant = v, .largest = NAN};
            compute_ratio(c, r);
        }
        out->orders[g] = (struct prediction_order){.group = g};
        compute_order(c, &out->orders[g]);
    }
}

void prediction_compute(const struct compare_data *d, const struct compare_settings *s, struct prediction *out)
{
    struct computing c = {.d = d, .s = s, .places = compare_order(d, s->all_cases)};
    size_t n_variants = d->variants.n_values;
    /* One block for all samples: none is longer than the number of cases. */
    double *values = mem_zalloc(2 * N_PREDICTION_KINDS * d->n_cases, sizeof *values);
    for (size_t k = 0; k < N_PREDICTION_KINDS; k++) {
        c.of_group[k].values = values + 2 * k * d->n_cases;
        c.of_instance[k].values = values + (2 * k + 1) * d->n_cases;
    }
    c.cost = mem_zalloc(2 * n_variants, sizeof *c.cost);
    c.predicted_cost = c.cost + n_variants;
    c.resamples = mem_zalloc((size_t)s->n_resamples, sizeof *c.resamples);
    *out = (struct prediction){.ratios = mem_zalloc(n_variants * d->n_groups, sizeof *out->ratios),
                               .orders = mem_zalloc(d->n_groups, sizeof *out->orders),
                               .n_orders = d->n_groups};
    compute_all(&c, out);
    free(c.places);
    free(values);
    free(c.cost);
    free(c.resamples);
}

void prediction_clear(struct prediction *p)
{
    free(p->ratios);
    free(p->orders);
    *p = (struct prediction){0};
}
