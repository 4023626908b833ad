/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys of results and numbers of random streams are made here, so these bytes may never change: databases of earlier
   versions would miss their rows, and seeds would give other graphs. */
#include "base/digest.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A file is held in memory as a whole while it is hashed. */
static const size_t max_file_bytes = (size_t)1 << 30;

void digest_init(struct digest *d)
{
    SHA256Init(&d->context);
}

void digest_add(struct digest *d, const void *bytes, size_t n)
{
    /* Byte by byte, so that a machine with the other byte order computes the same key. */
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)((uint64_t)n >> (8 * i));
    SHA256Update(&d->context, length, sizeof length);
    SHA256Update(&d->context, bytes, n);
}

void digest_add_text(struct digest *d, const char *text)
{
    digest_add(d, text, strlen(text));
}

enum err_code digest_add_file(struct digest *d, const char *path, struct err *e)
{
    struct text content = {0};
    enum err_code code = text_read_file(&content, path, max_file_bytes, e);
    if (code == ERR_NONE)
        digest_add(d, text_str(&content), content.size);
    text_clear(&content);
    return code;
}

void digest_finish(struct digest *d, char out[DIGEST_HEX_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, &d->context);
    for (int i = 0; i < DIGEST_HEX_SIZE - 1; i++) /* not snprintf: every point of a sweep computes digests */
        out[i] = "0123456789abcdef"[(bytes[i / 2] >> (i % 2 == 0 ? 4 : 0)) & 0xf];
    out[DIGEST_HEX_SIZE - 1] = '\0';
}

/* 16 of the 32 digits: strtoull takes no length, so they are copied. */
uint64_t digest_to_u64(const char hex[DIGEST_HEX_SIZE])
{
    char half[17];
    memcpy(half, hex, 16);
    half[16] = '\0';
    return strtoull(half, NULL, 16);
}
