/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory. Running out of it is not an input error and callers could not recover, so these functions never return NULL:
   they print a message and end the process with status 3. Size overflow counts as running out. */
#ifndef IASIM_BASE_MEM_H
#define IASIM_BASE_MEM_H

#include "base/api.h"

#include <stdarg.h>
#include <stddef.h>

IASIM_API void *mem_alloc(size_t size);
IASIM_API void *mem_zalloc(size_t count, size_t size);
IASIM_API void *mem_resize(void *old, size_t count, size_t size);
IASIM_API char *mem_strdup(const char *text);
IASIM_API char *mem_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
IASIM_API char *mem_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Makes room for element number `count` of a growing array (a pointer variable and its capacity). */
#define MEM_GROW(array, count, capacity)                                                                               \
    do {                                                                                                               \
        if ((size_t)(count) >= (size_t)(capacity)) {                                                                   \
            (capacity) = (capacity) ? (capacity)*2 : 8;                                                                \
            (array) = mem_resize((array), (size_t)(capacity), sizeof *(array));                                        \
        }                                                                                                              \
    } while (0)

#endif
