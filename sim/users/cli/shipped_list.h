/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The scenarios, platforms and deployments that come with iasim, with what each says of itself. */
#ifndef IASIM_CLI_SHIPPED_LIST_H
#define IASIM_CLI_SHIPPED_LIST_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* One file, or one folder with a scenario.xml. */
struct shipped_entry {
    char *name;  /* without .xml */
    char *title; /* the first sentence of its <description>, or else of its first comment; "" if it has neither */
};

/* The i-th of "platforms", in the order of their names; false after the last. Read once; lives until the program
   ends. */
bool shipped_list_entry(const char *folder, size_t i, struct shipped_entry *out);

/* Their names, "a, b, c". */
void shipped_list_add_names(const char *folder, struct text *out);

#endif
