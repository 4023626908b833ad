/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorts rows by case and variant, and divides cases into instances, settings and groups. The values of several
   parameters become the digits of one number in mixed radix: sorting compares numbers only, and different values never
   collide, as hashes could. */
#include "compare/compare_group.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"
#include "scenario/rerun.h"

#include <stdlib.h>
#include <string.h>

/* Values were numbered as they were found. Sorting them makes all that follows independent of the order of the rows. */
static void put_in_order(struct compare_data *d)
{
    for (size_t p = 0; p < d->n_params; p++) {
        uint32_t *numbers = value_list_sort(&d->params[p]);
        for (size_t i = 0; i < d->n_rows; i++)
            d->values[i * d->n_params + p] = numbers[d->values[i * d->n_params + p]];
        free(numbers);
    }
    /* Databases stay in the order in which they were given: it is the user's. */
    if (d->n_databases > 1)
        return;
    uint32_t *numbers = value_list_sort(&d->variants);
    for (size_t i = 0; i < d->n_rows; i++)
        d->rows[i].variant = numbers[d->rows[i].variant];
    free(numbers);
}

struct place {
    uint64_t number;
    uint32_t variant, item;
};

/* A total order: no two places have the same item. */
static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->variant != y->variant)
        return x->variant < y->variant ? -1 : 1;
    return x->item < y->item ? -1 : 1;
}

/* Renumbers 0, 1, .. in the same order; returns how many different numbers there are. */
static uint64_t make_dense(struct place *places, size_t n)
{
    /* Sorting by number also groups equal numbers. */
    uint64_t next = 0;
    qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++) {
        /* The number changes after the last of equal ones. */
        bool is_new = i + 1 == n || places[i + 1].number != places[i].number;
        places[i].number = next;
        next += is_new;
    }
    return next;
}

/* The values of the parameters `ids` are the digits; the first parameter's digit is the most significant. The row of an
   item is rows[item], or the item itself if `rows` is NULL. Sorted by number, variant, item; *n_numbers is how many
   different numbers there are. Where the product of the radices would overflow, the digits so far are renumbered
   densely. */
static struct place *number_items(const struct compare_data *d, const size_t *rows, size_t n_items, const size_t *ids,
                                  size_t n_ids, size_t *n_numbers)
{
    struct place *places = mem_zalloc(n_items, sizeof *places);
    uint64_t range = 1;
    for (size_t i = 0; i < n_items; i++)
        places[i] = (struct place){0, d->rows[rows != NULL ? rows[i] : i].variant, (uint32_t)i};
    for (size_t k = 0; k < n_ids; k++) {
        uint64_t radix = d->params[ids[k]].n_values;
        /* At most 2^32 different numbers remain after renumbering, so there is room for at least one more digit. */
        if (range > UINT64_MAX / radix)
            range = make_dense(places, n_items);
        range *= radix;
        /* A parameter with one value does not tell anything apart. */
        for (size_t i = 0; radix > 1 && i < n_items; i++) {
            size_t row = rows != NULL ? rows[places[i].item] : places[i].item;
            places[i].number = places[i].number * radix + d->values[d->rows[row].number * d->n_params + ids[k]];
        }
    }
    *n_numbers = make_dense(places, n_items);
    return places;
}

/* [case]: the number of its values of the parameters `ids`. A case is represented by its first row: its other rows
   differ in the variant only. */
static uint32_t *split_cases(const struct compare_data *d, const size_t *ids, size_t n_ids, size_t *n_numbers)
{
    struct place *places = number_items(d, d->starts, d->n_cases, ids, n_ids, n_numbers);
    uint32_t *numbers = mem_zalloc(d->n_cases, sizeof *numbers);
    for (size_t i = 0; i < d->n_cases; i++)
        numbers[places[i].item] = (uint32_t)places[i].number;
    free(places);
    return numbers;
}

static enum err_code say_twice(const struct compare_query *q, const struct compare_data *d, const struct place *at,
                               struct err *e)
{
    return err_set(e, ERR_INPUT, "keys %s and %s, both of %s, are one case: %s", d->rows[at[0].item].key,
                   d->rows[at[1].item].key, d->variants.values[at->variant].text,
                   q->n_ignored > 0 ? "they differ only in parameters of --ignore; choose one value with --where"
                                    : "their parameters and replication are the same");
}

static enum err_code sort_rows(const struct compare_query *q, struct compare_data *d, const size_t *all, struct err *e)
{
    struct place *places = number_items(d, NULL, d->n_rows, all, d->n_params, &d->n_cases);
    /* Made anew and not sorted in place: `places` says where each row goes. */
    struct compare_row *sorted = mem_zalloc(d->n_rows, sizeof *sorted);
    enum err_code code = ERR_NONE;
    d->starts = mem_zalloc(d->n_cases + 1, sizeof *d->starts);
    for (size_t i = 0; i < d->n_rows; i++) {
        sorted[i] = d->rows[places[i].item];
        places[i].item = (uint32_t)i;
        /* The last row of a number sets where the next one begins. */
        d->starts[places[i].number + 1] = i + 1;
    }
    free(d->rows);
    d->rows = sorted;
    /* Two rows of one variant in one case: it would be unclear which one counts. Checked after sorting, when they
       are neighbours. */
    for (size_t i = 1; code == ERR_NONE && i < d->n_rows; i++)
        if (places[i - 1].number == places[i].number && places[i - 1].variant == places[i].variant)
            code = say_twice(q, d, &places[i - 1], e);
    free(places);
    return code;
}

/* --- instances, settings, groups --- */

static size_t choose_params(const struct compare_data *d, bool names_instance, size_t *ids)
{
    size_t n = 0;
    for (size_t p = 0; p < d->n_params; p++)
        if (d->names_instance[p] == names_instance)
            ids[n++] = p;
    return n;
}

/* Spreads the bits, so that sums of such numbers hardly ever agree by chance. */
static uint64_t mixed(uint64_t x) /* the finalizer of splitmix64 */
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

struct copy {
    uint64_t looks; /* of all its runs */
    uint32_t instance;
};

static int by_looks(const void *a, const void *b)
{
    const struct copy *x = a, *y = b;
    if (x->looks != y->looks)
        return x->looks < y->looks ? -1 : 1;
    return x->instance < y->instance ? -1 : 1;
}

static struct copy *look_at(const struct compare_data *d, const uint32_t *setting_of)
{
    struct copy *copies = mem_zalloc(d->n_instances, sizeof *copies);
    for (size_t i = 0; i < d->n_instances; i++)
        copies[i].instance = (uint32_t)i;
    /* A sum, so the order of the rows of an instance does not matter. Setting and variant are mixed in: equal
       figures at different places are not the same. */
    for (size_t c = 0; c < d->n_cases; c++)
        for (size_t row = d->starts[c]; row < d->starts[c + 1]; row++) {
            uint64_t where = mixed((uint64_t)setting_of[c] << 32 | d->rows[row].variant);
            copies[d->instance_of[c]].looks += mixed(where ^ d->rows[row].fingerprint);
        }
    return copies;
}

/* A generator that draws nothing gives the same graph for every value of `instance`. Such instances agree in every
   figure of every run. They become one, because identical runs must not count as independent samples. */
static void unite_copies(struct compare_data *d, const uint32_t *setting_of)
{
    struct copy *copies = look_at(d, setting_of);
    uint32_t *first = mem_zalloc(d->n_instances, sizeof *first);
    qsort(copies, d->n_instances, sizeof *copies, by_looks);
    /* The copy with the lowest number stands for all of them. */
    for (size_t i = 0; i < d->n_instances; i++) {
        bool is_copy = i > 0 && copies[i - 1].looks == copies[i].looks;
        first[copies[i].instance] = is_copy ? first[copies[i - 1].instance] : copies[i].instance;
        d->n_copies += is_copy;
    }
    for (size_t c = 0; c < d->n_cases; c++)
        d->instance_of[c] = first[d->instance_of[c]];
    d->n_instances -= d->n_copies;
    free(first);
    free(copies);
}

enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e)
{
    size_t *ids = mem_zalloc(d->n_params, sizeof *ids);
    /* All parameters first, to sort by; then `ids` serves for the selections. */
    for (size_t p = 0; p < d->n_params; p++)
        ids[p] = p;
    put_in_order(d);
    enum err_code code = sort_rows(q, d, ids, e);
    /* Also after an error, so that compare_data_clear finds everything in place. */
    d->instance_of = split_cases(d, ids, choose_params(d, true, ids), &d->n_instances);
    uint32_t *setting_of = split_cases(d, ids, choose_params(d, false, ids), &d->n_settings);
    unite_copies(d, setting_of);
    d->group_of = split_cases(d, d->group_params, d->n_group_params, &d->n_groups);
    free(setting_of);
    free(ids);
    return code;
}

/* --- cases in the order of groups, then instances --- */

static int by_group(const void *a, const void *b)
{
    const struct compare_place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->instance != y->instance)
        return x->instance < y->instance ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

struct compare_place *compare_order(const struct compare_data *d, bool each_alone)
{
    struct compare_place *places = mem_zalloc(d->n_cases, sizeof *places);
    for (size_t i = 0; i < d->n_cases; i++)
        places[i] = (struct compare_place){d->group_of[i], each_alone ? (uint32_t)i : d->instance_of[i], (uint32_t)i};
    qsort(places, d->n_cases, sizeof *places, by_group);
    return places;
}

/* The first place that does not belong to an earlier group; places are sorted by group. */
const struct compare_place *compare_first(const struct compare_data *d, const struct compare_place *places,
                                          size_t group)
{
    size_t low = 0, high = d->n_cases;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places[middle].group < group)
            low = middle + 1;
        else
            high = middle;
    }
    return places + low;
}

const struct compare_place *compare_next(const struct compare_place *at, const struct compare_place *end)
{
    const struct compare_place *next = at;
    /* Callers stay within one group, so the group need not be compared. */
    while (next < end && next->instance == at->instance)
        next++;
    return next;
}

/* --- queries --- */

const struct compare_row *compare_find(const struct compare_data *d, size_t number, size_t variant)
{
    size_t low = d->starts[number], high = d->starts[number + 1];
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
    value_list_add_known(&d->variants, &known);
    err_set(e, ERR_INPUT, "'%s' is not a value of %s%s", text, d->by, hint_among(text, text_str(&known), NULL).text);
    text_clear(&known);
    return ERR_INPUT;
}

char *compare_describe(const struct compare_data *d, size_t number)
{
    struct text out = {0};
    /* Of the case's first row; all its rows agree in these values. */
    const uint32_t *values = &d->values[d->rows[d->starts[number]].number * d->n_params];
    /* First the parameters that vary; if none does, all. */
    for (int all = 0; all < 2 && out.size == 0; all++)
        for (size_t p = 0; p < d->n_params; p++)
            if (all || d->params[p].n_values > 1)
                text_addf(&out, "%s%s=%s", out.size ? " " : "", d->params[p].name, d->params[p].values[values[p]].text);
    return text_take(&out);
}

const char *compare_group_value(const struct compare_data *d, size_t group, size_t i)
{
    size_t number = 0, p = d->group_params[i];
    /* There is one: groups are numbered by the cases that they have. */
    while (d->group_of[number] != group)
        number++;
    return d->params[p].values[d->values[d->rows[d->starts[number]].number * d->n_params + p]].text;
}

struct row_values {
    const struct compare_data *d;
    const struct compare_row *row;
};

static const char *value_of(const void *self, const char *name)
{
    const struct row_values *r = self;
    const uint32_t *values = &r->d->values[r->row->number * r->d->n_params];
    for (size_t p = 0; p + 1 < r->d->n_params; p++)
        if (strcmp(r->d->params[p].name, name) == 0)
            return r->d->params[p].values[values[p]].text;
    /* With several --by the values were joined and cannot be told apart again. */
    bool is_compared = r->d->n_databases == 1 && strcmp(r->d->by, name) == 0;
    return is_compared ? r->d->variants.values[r->row->variant].text : NULL;
}

char *compare_rerun(const struct compare_data *d, const struct compare_row *row)
{
    const struct value_list *replications = &d->params[d->n_params - 1];
    uint32_t replication = d->values[row->number * d->n_params + d->n_params - 1];
    struct row_values values = {d, row};
    struct rerun_point p = {.key = row->key, .value = value_of, .self = &values};
    /* One replication needs no number in the command. */
    if (replications->n_values > 1 || replications->values[0].number > 1)
        p.replication = (long)replications->values[replication].number;
    return rerun_point(d->commands[d->n_databases > 1 ? row->variant : 0], &p);
}
