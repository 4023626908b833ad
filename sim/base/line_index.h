/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of places in a text, for those who find out late that they need them: one walk over the text, then a few kilobytes
   for each line asked. */
#ifndef IASIM_BASE_LINE_INDEX_H
#define IASIM_BASE_LINE_INDEX_H

#include <stddef.h>

struct line_index {
    const char *bytes; /* borrowed */
    size_t n;
    size_t *before; /* [block]: line ends before it */
};

/* On storage that is all zero. */
void line_index_init(struct line_index *x, const char *bytes, size_t n);
void line_index_clear(struct line_index *x);

/* 1 for the first line; a place behind the text is at its end. */
int line_index_at(const struct line_index *x, size_t place);

#endif
