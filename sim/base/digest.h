/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Digests (SHA-256 of libmd): the keys of results. Each piece is hashed with its length, so "ab","c" and "a","bc"
   differ. */
#ifndef IASIM_BASE_DIGEST_H
#define IASIM_BASE_DIGEST_H

#include "base/err.h"

#include <sha2.h>
#include <stdint.h>

enum { DIGEST_HEX_SIZE = 33 }; /* the first 128 bits in hexadecimal, and a NUL */

struct digest {
    SHA2_CTX context;
};

void digest_init(struct digest *d);
void digest_add(struct digest *d, const void *bytes, size_t n);
void digest_add_text(struct digest *d, const char *text);
enum err_code digest_add_file(struct digest *d, const char *path, struct err *e);
void digest_finish(struct digest *d, char out[DIGEST_HEX_SIZE]);
uint64_t digest_to_u64(const char hex[DIGEST_HEX_SIZE]); /* its first 64 bits: a stream number */

#endif
