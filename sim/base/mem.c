/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The message allocates nothing and uses no stdio, and handlers of atexit do not run: the program may be in any
   state and hold any lock. */
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *checked(void *p)
{
    if (p == NULL) {
        static const char text[] = "iasim: out of memory\n";
        ssize_t ignored = write(2, text, sizeof text - 1);
        (void)ignored;
        _exit(3);
    }
    return p;
}

/* malloc(0) may return NULL, which is not a lack of memory. One byte has an address of its own and can be freed. */
void *mem_alloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *mem_zalloc(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *mem_resize(void *old, size_t count, size_t size)
{
    /* The product would wrap around, and the caller would write behind a block that is too small. calloc checks this
       itself. */
    if (size != 0 && count > SIZE_MAX / size)
        checked(NULL);
    size_t bytes = count * size;
    return checked(realloc(old, bytes > 0 ? bytes : 1));
}

char *mem_strdup(const char *text)
{
    return checked(strdup(text));
}

char *mem_vformat(const char *format, va_list args)
{
    char *text = NULL;
    return checked(vasprintf(&text, format, args) < 0 ? NULL : text);
}

char *mem_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vformat(format, args);
    va_end(args);
    return text;
}
