/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The distinct values of a column of results, each with a number: numbers by value, however they were written, text by
   its bytes. */
#ifndef IASIM_COMPARE_VALUE_LIST_H
#define IASIM_COMPARE_VALUE_LIST_H

#include "base/name_index.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value {
    bool is_number;
    double number;
    char *text; /* as people write it: of a number the fewest digits that give it back */
};

struct value_list {
    char *name; /* of the column */
    struct value *values;
    size_t n_values, capacity;
    struct name_index *index;
    char **keys; /* what the index borrows */
    uint32_t last;
};

void value_list_init(struct value_list *l, const char *name);
void value_list_clear(struct value_list *l);

/* The number of the value in column `c` of the row the statement is at. */
uint32_t value_list_add(struct value_list *l, sqlite3_stmt *q, int c);
uint32_t value_list_add_text(struct value_list *l, const char *text);

/* Numbers values in their order, numbers before text. new_numbers[old number]; to be freed. Nothing is added after it. */
uint32_t *value_list_sort(struct value_list *l);

/* The number of the value that `text` writes; n_values: none. */
size_t value_list_find(const struct value_list *l, const char *text);

#endif
