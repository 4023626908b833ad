/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The statistics of a comparison. A pair of figures enters as its ratio and as its deviation: larger / smaller - 1,
   positive where the variant's figure is the larger one. The deviation is an increasing odd function of the log ratio,
   so Wilcoxon's ranks are the ranks of the log ratios, and no logarithm is needed. */
#include "compare/compare.h"
#include "compare/compare_group.h"

#include "base/mem.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Scratch memory for all pairs, made once: a comparison of all variants has thousands of pairs. */
struct computing {
    const struct compare_data *d;
    const struct compare_settings *s;
    struct compare_result *out;
    struct compare_place *places;                   /* of all cases */
    double *ratios, *deviations, *medians, *of_one; /* scratch for one pair; `of_one` for one instance */
};

static double deviation(const struct computing *c, double figure, double reference)
{
    /* Larger over smaller, whichever it is, so that a and b have opposite deviations of one size. Within the
       tolerance the figures are equal, which Wilcoxon's test leaves out. */
    double above = figure > reference ? profile_ratio(figure, reference) - 1 : profile_ratio(reference, figure) - 1;
    return above <= c->s->tolerance ? 0 : figure > reference ? above : -above;
}

static bool is_worse(const struct computing *c, double deviation_of_variant)
{
    return c->s->better == BETTER_LOWER ? deviation_of_variant > 0 : deviation_of_variant < 0;
}

/* --- pairs --- */

/* NAN if one of the two is missing or failed, which is counted. A case in which neither variant has a run is not
   missing anything. */
static double ratio_at(const struct computing *c, struct compare_pair *p, size_t number)
{
    const struct compare_row *a = compare_find(c->d, number, p->variant);
    const struct compare_row *b = compare_find(c->d, number, p->reference);
    if (a == NULL || b == NULL) {
        p->n_missing += a != NULL || b != NULL;
        return NAN;
    }
    bool has_failed = isnan(a->figure) || isnan(b->figure);
    p->n_failed += has_failed;
    return has_failed ? NAN : profile_ratio(a->figure, b->figure);
}

static void take_instance(const struct computing *c, struct compare_pair *p, const struct compare_place *cases,
                          size_t n_cases)
{
    size_t n = 0;
    for (size_t i = 0; i < n_cases; i++) {
        /* Ratios of failed cases are left out; those that remain speak for the instance. */
        c->of_one[n] = ratio_at(c, p, cases[i].number);
        if (!isnan(c->of_one[n]))
            n++;
    }
    double ratio = quantile_geometric_mean(c->of_one, n);
    if (isnan(ratio)) { /* there is no case, or both 0 and infinity are among the ratios */
        p->n_failed += n;
        return;
    }
    /* The mean of an instance is compared with 1 by the same rule as two figures. */
    double d = deviation(c, ratio, 1);
    c->ratios[p->n] = ratio;
    c->deviations[p->n++] = d;
    /* With lower better a larger figure of the variant is a loss. */
    *(d == 0 ? &p->n_ties : is_worse(c, d) ? &p->n_losses : &p->n_wins) += 1;
}

static void take_group(const struct computing *c, struct compare_pair *p)
{
    const struct compare_place *end = compare_first(c->d, c->places, p->group + 1), *next;
    for (const struct compare_place *at = compare_first(c->d, c->places, p->group); at < end; at = next) {
        next = compare_next(at, end);
        take_instance(c, p, at, (size_t)(next - at));
    }
}

/* Further digits depend on the machine's mathematical library and carry no information. */
static double rounded(double p)
{
    char text[32];
    snprintf(text, sizeof text, "%.10g", p);
    return strtod(text, NULL);
}

static void add_interval(const struct computing *c, struct compare_pair *p)
{
    struct random_stream random;
    size_t n = (size_t)c->s->n_resamples, n_variants = c->d->variants.n_values;
    /* One instance says nothing about how the median varies. */
    if (p->n < 2)
        return;
    /* A stream of its own for each pair and group, so an interval does not depend on which others are computed, or
       in which order. */
    random_init(&random, c->s->seed, ((uint64_t)p->group * n_variants + p->variant) * n_variants + p->reference);
    bootstrap_medians(c->ratios, p->n, &random, c->medians, n);
    /* False if there are too few resamples for this confidence: the interval stays NAN. */
    bootstrap_interval(c->medians, n, c->s->confidence, &p->low, &p->high);
}

static void compute_pair(const struct computing *c, struct compare_pair *p)
{
    take_group(c, p);
    quantile_sort(c->ratios, p->n);
    p->median = quantile_median(c->ratios, p->n);
    add_interval(c, p);
    p->test = wilcoxon_test(c->deviations, p->n, c->s->tolerance);
    /* No pairs, no test: NAN is left out by Holm's method, while p = 1 would count. */
    p->test.p = p->n > 0 ? rounded(p->test.p) : NAN;
}

static void add_pair(struct compare_result *out, size_t group, size_t variant, size_t reference)
{
    out->pairs[out->n_pairs++] = (struct compare_pair){.group = group,
                                                       .variant = variant,
                                                       .reference = reference,
                                                       .median = NAN,
                                                       .low = NAN,
                                                       .high = NAN,
                                                       .p_holm = NAN};
}

static void list_pairs(const struct computing *c, size_t group)
{
    size_t n = c->d->variants.n_values, reference = c->s->reference;
    /* Each variant against the reference first, as a report shows them. */
    for (size_t v = 0; v < n; v++)
        if (v != reference)
            add_pair(c->out, group, v, reference);
    for (size_t a = 0; c->s->all_variants && a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            if (a != reference && b != reference)
                add_pair(c->out, group, b, a);
}

/* Over all groups together: the chance of a false claim anywhere in the report stays below the level. */
static void adjust_together(struct compare_result *out)
{
    double *p = mem_zalloc(2 * out->n_pairs, sizeof *p), *adjusted = p + out->n_pairs;
    for (size_t i = 0; i < out->n_pairs; i++)
        p[i] = out->pairs[i].test.p;
    holm_adjust(p, out->n_pairs, adjusted);
    for (size_t i = 0; i < out->n_pairs; i++)
        out->pairs[i].p_holm = adjusted[i];
    free(p);
}

/* --- performance profile --- */

static bool is_complete(const struct compare_data *d, size_t number)
{
    /* Rows of a case are sorted and have different variants, so their number tells. */
    return d->starts[number + 1] - d->starts[number] == d->variants.n_values;
}

static void compute_profile(const struct computing *c)
{
    const struct compare_data *d = c->d;
    size_t n_variants = d->variants.n_values, n = 0;
    double *figures = mem_zalloc(d->n_rows, sizeof *figures);
    for (size_t i = 0; i < d->n_cases; i++)
        /* A profile compares all variants on the same cases. A failed run takes part, with an infinite ratio. */
        for (size_t v = 0; is_complete(d, i) && v < n_variants; v++)
            figures[n++] = d->rows[d->starts[i] + v].figure;
    c->out->n_profiled = n / n_variants;
    c->out->ratios = mem_zalloc(n, sizeof *c->out->ratios);
    profile_ratios(figures, c->out->n_profiled, n_variants, c->s->better == BETTER_HIGHER, c->s->tolerance,
                   c->out->ratios);
    free(figures);
}

/* --- copies --- */

/* Cases may differ only in a parameter that does not affect the metric (a planned length in several worlds): they
   repeat one observation. Runs are deterministic, so copies have the same figures to the last digit. Cases in which all
   variants are equal are not counted: equal figures do not make them copies. */
struct vector {
    const struct compare_row *rows;
    size_t n;
};

/* Comparisons with NAN are false, so failed runs do not tell cases apart. */
static bool tells_apart(const struct vector *v)
{
    for (size_t i = 1; i < v->n; i++)
        if (v->rows[i].figure < v->rows[0].figure || v->rows[i].figure > v->rows[0].figure)
            return true;
    return false;
}

static int by_figures(const void *a, const void *b)
{
    const struct vector *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (size_t i = 0; i < x->n; i++) {
        double p = x->rows[i].figure, q = y->rows[i].figure;
        if (x->rows[i].variant != y->rows[i].variant)
            return x->rows[i].variant < y->rows[i].variant ? -1 : 1;
        if (p < q || p > q)
            return p < q ? -1 : 1;
        /* A case with a failure is a copy only of one that fails in the same variant. */
        if (isnan(p) != isnan(q))
            return isnan(p) ? 1 : -1;
    }
    return 0; /* equal cases are only counted, so their order does not matter */
}

static void count_copies(const struct computing *c)
{
    const struct compare_data *d = c->d;
    struct vector *v = mem_zalloc(d->n_cases, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < d->n_cases; i++) {
        v[n] = (struct vector){&d->rows[d->starts[i]], d->starts[i + 1] - d->starts[i]};
        n += tells_apart(&v[n]);
    }
    if (n > 1)
        qsort(v, n, sizeof *v, by_figures);
    for (size_t i = 1; i < n; i++)
        c->out->n_copies += by_figures(&v[i - 1], &v[i]) == 0;
    free(v);
}

/* --- worst cases --- */

struct found {
    struct compare_worst worst;
    double times; /* how many times worse */
};

/* The same order whatever the order of the rows. */
static bool comes_before(const struct found *a, const struct found *b)
{
    if (a->times != b->times)
        return a->times > b->times;
    if (a->worst.number != b->worst.number)
        return a->worst.number < b->worst.number;
    return a->worst.variant < b->worst.variant;
}

/* Keeps the list sorted and no longer than wanted. By insertion: the list is short, and cases may be a million. */
static size_t keep(struct found *list, size_t n, size_t wanted, const struct found *one)
{
    if (n == wanted && (n == 0 || !comes_before(one, &list[n - 1])))
        return n;
    size_t at = n < wanted ? n++ : n - 1;
    for (; at > 0 && comes_before(one, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = *one;
    return n;
}

static void find_worst(const struct computing *c)
{
    struct found *list = mem_zalloc(c->s->n_worst, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < c->d->n_cases; i++) {
        const struct compare_row *reference = compare_find(c->d, i, c->s->reference);
        for (size_t at = c->d->starts[i]; reference != NULL && at < c->d->starts[i + 1]; at++) {
            const struct compare_row *row = &c->d->rows[at];
            if (isnan(row->figure) || isnan(reference->figure))
                continue;
            double d = deviation(c, row->figure, reference->figure);
            struct compare_worst w = {row->variant, i, profile_ratio(row->figure, reference->figure)};
            if (is_worse(c, d))
                n = keep(list, n, c->s->n_worst, &(struct found){w, fabs(d)});
        }
    }
    c->out->worst = mem_zalloc(n, sizeof *c->out->worst);
    for (size_t i = 0; i < n; i++)
        c->out->worst[c->out->n_worst++] = list[i].worst;
    free(list);
}

/* --- all together --- */

static enum err_code check_pairs(const struct computing *c, struct err *e)
{
    size_t n_failed = 0, n_missing = 0;
    for (size_t i = 0; i < c->out->n_pairs; i++) {
        if (c->out->pairs[i].n > 0)
            return ERR_NONE;
        n_failed += c->out->pairs[i].n_failed;
        n_missing += c->out->pairs[i].n_missing;
    }
    return err_set(e, ERR_INPUT,
                   "no case has %s for two variants: of %zu cases, %zu pairs have only one of the two runs, and %zu "
                   "have a run that failed or lacks this figure%s",
                   c->d->metric, c->d->n_cases, n_missing, n_failed,
                   c->d->n_databases > 1 ? "; use --ignore for parameters in which the databases differ" : "");
}

static enum err_code check_size(const struct compare_data *d, size_t n_pairs, struct err *e)
{
    /* First the variants alone: for more of them n (n - 1) could overflow. */
    if (d->variants.n_values > 2 * COMPARE_MAX_PAIRS || n_pairs > COMPARE_MAX_PAIRS)
        return err_set(e, ERR_INPUT,
                       "%s has %zu values, which make more than %d pairs, the most that are compared; choose some of "
                       "them with --among",
                       d->by, d->variants.n_values, COMPARE_MAX_PAIRS);
    if (n_pairs * d->n_groups > COMPARE_MAX_PAIRS)
        return err_set(e, ERR_INPUT, "%zu groups of %zu pairs: at most %d pairs are compared", d->n_groups, n_pairs,
                       COMPARE_MAX_PAIRS);
    return ERR_NONE;
}

static void compute_all(const struct computing *c)
{
    for (size_t g = 0; g < c->d->n_groups; g++)
        list_pairs(c, g);
    for (size_t i = 0; i < c->out->n_pairs; i++)
        compute_pair(c, &c->out->pairs[i]);
    adjust_together(c->out);
    compute_profile(c);
    count_copies(c);
    find_worst(c);
}

enum err_code compare_compute(const struct compare_data *d, const struct compare_settings *s,
                              struct compare_result *out, struct err *e)
{
    struct computing c = {.d = d, .s = s, .out = out};
    size_t n = d->variants.n_values, n_pairs = s->all_variants ? n * (n - 1) / 2 : n - 1;
    *out = (struct compare_result){0};
    enum err_code code = check_size(d, n_pairs, e);
    if (code != ERR_NONE)
        return code;
    /* For each group all pairs; the memory is bounded by COMPARE_MAX_PAIRS. */
    out->pairs = mem_zalloc(n_pairs * d->n_groups, sizeof *out->pairs);
    c.places = compare_order(d, s->all_cases);
    c.ratios = mem_zalloc(d->n_cases, sizeof *c.ratios);
    c.deviations = mem_zalloc(d->n_cases, sizeof *c.deviations);
    c.of_one = mem_zalloc(d->n_cases, sizeof *c.of_one);
    c.medians = mem_zalloc((size_t)s->n_resamples, sizeof *c.medians);
    compute_all(&c);
    free(c.places);
    free(c.ratios);
    free(c.deviations);
    free(c.of_one);
    free(c.medians);
    /* At the end, because only the pairs know what they lack. */
    return check_pairs(&c, e);
}

void compare_result_clear(struct compare_result *r)
{
    free(r->pairs);
    free(r->ratios);
    free(r->worst);
    *r = (struct compare_result){0};
}
