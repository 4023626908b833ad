/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counting from the beginning for each message would take quadratic time where a validator lists thousands of faults. A
   sum for each block makes a query cost one block, and a table of every line end would be larger than need be. */
#include "base/line_index.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4096 };

static size_t count(const char *s, size_t n)
{
    size_t lines = 0;
    const char *end = s + n;
    while (s < end && (s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
        lines++;
        s++;
    }
    return lines;
}

/* The last block has fewer bytes and is never counted as a whole; there is one even for an empty text. */
void line_index_init(struct line_index *x, const char *bytes, size_t n)
{
    size_t n_blocks = n / BLOCK_BYTES + 1;
    *x = (struct line_index){bytes, n, mem_zalloc(n_blocks, sizeof *x->before)};
    for (size_t i = 1; i < n_blocks; i++)
        x->before[i] = x->before[i - 1] + count(bytes + (i - 1) * BLOCK_BYTES, BLOCK_BYTES);
}

void line_index_clear(struct line_index *x)
{
    free(x->before);
    *x = (struct line_index){0};
}

int line_index_at(const struct line_index *x, size_t place)
{
    /* A place behind the text is its end: an error about something that is missing points there. */
    size_t at = place < x->n ? place : x->n, block = at / BLOCK_BYTES;
    return (int)(1 + x->before[block] + count(x->bytes + block * BLOCK_BYTES, at % BLOCK_BYTES));
}
