/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Line numbers of places in a text, for callers that need them only after an error: one pass over the text, then a few
   kilobytes for each query. */
#ifndef IASIM_BASE_LINE_INDEX_H
#define IASIM_BASE_LINE_INDEX_H

#include <stddef.h>

struct line_index {
    const char *bytes; /* borrowed */
    size_t n;
    size_t *before; /* [block]: line ends before it */
};

/* Initialises an index of `bytes`, which is borrowed. */
void line_index_init(struct line_index *x, const char *bytes, size_t n);
void line_index_clear(struct line_index *x);

/* 1 for the first line; a place behind the text counts as its end. */
int line_index_at(const struct line_index *x, size_t place);

#endif
