/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows sorted by instance and variant. An instance becomes one number, in the mixed radix of its values, so that no hash or
   text is compared while sorting and two instances never look the same. */
#include "compare/compare_internal.h"

#include "base/mem.h"
#include "base/text.h"
#include "scenario/rerun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_in_order(struct compare_data *d)
{
    for (size_t p = 0; p < d->n_params; p++) {
        uint32_t *numbers = value_list_sort(&d->params[p]);
        for (size_t i = 0; i < d->n_rows; i++)
            d->values[i * d->n_params + p] = numbers[d->values[i * d->n_params + p]];
        free(numbers);
    }
    if (d->n_databases > 1)
        return;
    uint32_t *numbers = value_list_sort(&d->variants);
    for (size_t i = 0; i < d->n_rows; i++)
        d->rows[i].variant = numbers[d->rows[i].variant];
    free(numbers);
}

struct place {
    uint64_t instance;
    uint32_t variant, row;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->instance != y->instance)
        return x->instance < y->instance ? -1 : 1;
    if (x->variant != y->variant)
        return x->variant < y->variant ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

/* Leaves numbers 0, 1, .. in the same order; returns how many there are. */
static uint64_t make_dense(struct place *places, size_t n)
{
    uint64_t next = 0;
    qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++) {
        bool is_new = i + 1 == n || places[i + 1].instance != places[i].instance;
        places[i].instance = next;
        next += is_new;
    }
    return next;
}

/* Values as digits, the first parameter's the most significant. */
static struct place *number_instances(const struct compare_data *d)
{
    struct place *places = mem_zalloc(d->n_rows, sizeof *places);
    uint64_t range = 1;
    for (size_t i = 0; i < d->n_rows; i++)
        places[i] = (struct place){0, d->rows[i].variant, (uint32_t)i};
    for (size_t p = 0; p < d->n_params; p++) {
        uint64_t radix = d->params[p].n_values;
        if (range > UINT64_MAX / radix)
            range = make_dense(places, d->n_rows);
        range *= radix;
        for (size_t i = 0; radix > 1 && i < d->n_rows; i++)
            places[i].instance = places[i].instance * radix + d->values[places[i].row * d->n_params + p];
    }
    make_dense(places, d->n_rows);
    return places;
}

static enum err_code say_twice(const struct compare_query *q, const struct compare_data *d, const struct place *at,
                               struct err *e)
{
    const uint64_t *a = d->rows[at[0].row].key, *b = d->rows[at[1].row].key;
    return err_set(e, ERR_INPUT,
                   "keys %016" PRIx64 "%016" PRIx64 " and %016" PRIx64 "%016" PRIx64
                   ", both of %s, are one instance: %s",
                   a[0], a[1], b[0], b[1], d->variants.values[at->variant].text,
                   q->n_ignored > 0 ? "they differ only in what --ignore names, of which --where can choose one value"
                                    : "their parameters and replication are the same");
}

enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e)
{
    put_in_order(d);
    struct place *places = number_instances(d);
    struct compare_row *sorted = mem_zalloc(d->n_rows, sizeof *sorted);
    enum err_code code = ERR_NONE;
    d->n_instances = (size_t)places[d->n_rows - 1].instance + 1;
    d->starts = mem_zalloc(d->n_instances + 1, sizeof *d->starts);
    for (size_t i = 0; i < d->n_rows; i++) {
        sorted[i] = d->rows[places[i].row];
        d->starts[places[i].instance + 1] = i + 1;
        if (code == ERR_NONE && i > 0 && places[i - 1].instance == places[i].instance &&
            places[i - 1].variant == places[i].variant)
            code = say_twice(q, d, &places[i - 1], e);
    }
    free(d->rows);
    d->rows = sorted;
    free(places);
    return code;
}

/* --- what is asked of rows --- */

const struct compare_row *compare_find(const struct compare_data *d, size_t instance, size_t variant)
{
    size_t low = d->starts[instance], high = d->starts[instance + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->rows[middle].variant == variant)
            return &d->rows[middle];
        if (d->rows[middle].variant < variant)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

enum err_code compare_find_variant(const struct compare_data *d, const char *text, size_t *out, struct err *e)
{
    struct text known = {0};
    *out = value_list_find(&d->variants, text);
    if (*out < d->variants.n_values)
        return ERR_NONE;
    for (size_t i = 0; i < d->variants.n_values && i < COMPARE_SHOWN_VALUES; i++)
        text_addf(&known, "%s%s", i ? ", " : "", d->variants.values[i].text);
    err_set(e, ERR_INPUT, "'%s' is not among the values of %s: %s%s", text, d->by, text_str(&known),
            d->variants.n_values > COMPARE_SHOWN_VALUES ? ", .." : "");
    text_clear(&known);
    return ERR_INPUT;
}

char *compare_describe(const struct compare_data *d, size_t instance)
{
    struct text out = {0};
    const uint32_t *values = &d->values[d->rows[d->starts[instance]].number * d->n_params];
    for (int all = 0; all < 2 && out.size == 0; all++)
        for (size_t p = 0; p < d->n_params; p++)
            if (all || d->params[p].n_values > 1)
                text_addf(&out, "%s%s=%s", out.size ? " " : "", d->params[p].name, d->params[p].values[values[p]].text);
    return text_take(&out);
}

char *compare_rerun(const struct compare_data *d, const struct compare_row *row)
{
    char key[DIGEST_HEX_SIZE];
    const struct value *replication =
        &d->params[d->n_params - 1].values[d->values[row->number * d->n_params + d->n_params - 1]];
    snprintf(key, sizeof key, "%016" PRIx64 "%016" PRIx64, row->key[0], row->key[1]);
    return rerun_point(d->commands[d->n_databases > 1 ? row->variant : 0], key, (long)replication->number);
}
