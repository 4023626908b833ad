/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A million rows hold few different values, so rows keep numbers of values and the values are kept once. Keys tell
   numbers and text apart, so that "5" and 5 are two values. */
#include "compare/value_list.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void value_list_init(struct value_list *l, const char *name)
{
    *l = (struct value_list){.name = mem_strdup(name), .index = name_index_create()};
}

void value_list_clear(struct value_list *l)
{
    for (size_t i = 0; i < l->n_values; i++)
        free(l->values[i].text);
    for (size_t i = 0; l->keys != NULL && i < l->n_values; i++)
        free(l->keys[i]);
    free(l->values);
    free(l->keys);
    free(l->name);
    name_index_free(l->index);
    *l = (struct value_list){0};
}

/* Different values have different keys; a new key is stored with its value. */
static uint32_t add(struct value_list *l, const char *key, const struct value *value)
{
    char number[TEXT_NUMBER_SIZE];
    int found = name_index_find(l->index, key);
    if (found >= 0)
        return l->last = (uint32_t)found;
    if (l->n_values >= l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 8;
        l->values = mem_resize(l->values, l->capacity, sizeof *l->values);
        l->keys = mem_resize(l->keys, l->capacity, sizeof *l->keys);
    }
    l->values[l->n_values] = *value;
    l->values[l->n_values].text = mem_strdup(value->is_number ? text_number_short(value->number, number) : value->text);
    l->keys[l->n_values] = mem_strdup(key);
    name_index_add(l->index, l->keys[l->n_values], (int)l->n_values);
    return l->last = (uint32_t)l->n_values++;
}

/* The key of a number is its bits in hexadecimal: exact, and equal for 10, 10.0 and 1e1. */
static uint32_t add_number(struct value_list *l, double number)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t bits;
    char key[18] = "n";
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    for (int i = 16; i >= 1; i--, bits >>= 4)
        key[i] = digits[bits & 15];
    return add(l, key, &(struct value){.is_number = true, .number = number});
}

/* On the stack where it fits: the key is copied only if the value is new. */
uint32_t value_list_add_text(struct value_list *l, const char *text)
{
    char key[256] = "t";
    size_t n = strlen(text);
    char *long_key = n + 2 > sizeof key ? mem_format("t%s", text) : NULL;
    if (long_key == NULL)
        memcpy(key + 1, text, n + 1);
    uint32_t number = add(l, long_key ? long_key : key, &(struct value){.text = (char *)text});
    free(long_key);
    return number;
}

/* Most columns hold the same value in neighbouring rows, so the last value is tried first. */
uint32_t value_list_add(struct value_list *l, sqlite3_stmt *q, int c)
{
    const struct value *last = l->n_values > 0 ? &l->values[l->last] : NULL;
    int type = sqlite3_column_type(q, c);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
        double number = sqlite3_column_double(q, c);
        return last && last->is_number && last->number == number ? l->last : add_number(l, number);
    }
    const char *text = (const char *)sqlite3_column_text(q, c);
    text = text != NULL ? text : "";
    return last && !last->is_number && strcmp(last->text, text) == 0 ? l->last : value_list_add_text(l, text);
}

struct ordered {
    struct value value;
    uint32_t old;
};

/* Numbers before text, so that a column with both has one order. */
static int in_order(const void *a, const void *b)
{
    const struct value *x = &((const struct ordered *)a)->value, *y = &((const struct ordered *)b)->value;
    if (x->is_number != y->is_number)
        return x->is_number ? -1 : 1;
    return x->is_number ? (x->number > y->number) - (x->number < y->number) : strcmp(x->text, y->text);
}

/* The index is not sorted along: it knows old numbers, so nothing may be added afterwards. */
uint32_t *value_list_sort(struct value_list *l)
{
    struct ordered *sorted = mem_zalloc(l->n_values, sizeof *sorted);
    uint32_t *new_numbers = mem_zalloc(l->n_values, sizeof *new_numbers);
    for (size_t i = 0; i < l->n_values; i++)
        sorted[i] = (struct ordered){l->values[i], (uint32_t)i};
    if (l->n_values > 1)
        qsort(sorted, l->n_values, sizeof *sorted, in_order);
    for (size_t i = 0; i < l->n_values; i++) {
        l->values[i] = sorted[i].value;
        new_numbers[sorted[i].old] = (uint32_t)i;
    }
    free(sorted);
    return new_numbers;
}

void value_list_add_known(const struct value_list *l, struct text *out)
{
    enum { MOST = 20 };
    for (size_t i = 0; i < l->n_values && i < MOST; i++)
        text_add_name(out, l->values[i].text);
    if (l->n_values > MOST)
        text_add_name(out, "..");
}

/* Linear: asked for names that people type, not for rows. */
size_t value_list_find(const struct value_list *l, const char *text)
{
    double number;
    bool is_number = text_to_double(text, &number);
    for (size_t i = 0; i < l->n_values; i++) {
        const struct value *v = &l->values[i];
        if (v->is_number ? is_number && v->number == number : strcmp(v->text, text) == 0)
            return i;
    }
    return l->n_values;
}
