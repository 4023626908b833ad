/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The distinct values of a column of results, each with a number. Numbers are compared by value, however they were
   written; text is compared by its bytes. */
#ifndef IASIM_COMPARE_VALUE_LIST_H
#define IASIM_COMPARE_VALUE_LIST_H

#include "base/name_index.h"
#include "base/text.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value {
    bool is_number;
    double number;
    char *text; /* a number has the fewest digits that give it back */
};

struct value_list {
    char *name; /* of the column */
    struct value *values;
    size_t n_values, capacity;
    struct name_index *index;
    char **keys; /* borrowed by the index */
    uint32_t last;
};

void value_list_init(struct value_list *l, const char *name);
void value_list_clear(struct value_list *l);

/* The number of the value in column `c` of the statement's current row; a new value is added. */
uint32_t value_list_add(struct value_list *l, sqlite3_stmt *q, int c);
uint32_t value_list_add_text(struct value_list *l, const char *text);

/* Adds the names of the first values, for messages. */
void value_list_add_known(const struct value_list *l, struct text *out);

/* Sorts the values, numbers before text. Returns new_numbers[old number], which the caller frees. Add no values after
   it. */
uint32_t *value_list_sort(struct value_list *l);

/* The number of the value written as `text`; n_values if there is none. */
size_t value_list_find(const struct value_list *l, const char *text);

#endif
