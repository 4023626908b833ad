/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text for a page: base64 and hashes as a content security policy writes them, JSON that no HTML parser misreads,
   escaped words. */
#include "html/html_pack.h"

#include "base/mem.h"

#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Smaller data stay readable in the page's source. */
enum { LARGE_BYTES = 65536 };

void html_add_base64(struct text *out, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = bytes;
    for (size_t i = 0; i < n; i += 3) {
        /* Three bytes are four digits; missing bytes at the end count as 0, and their digits become '='. */
        uint32_t three =
            (uint32_t)in[i] << 16 | (uint32_t)(i + 1 < n ? in[i + 1] : 0) << 8 | (i + 2 < n ? in[i + 2] : 0);
        char four[4];
        for (int k = 0; k < 4; k++)
            four[k] = i + (size_t)k <= n ? digits[three >> (18 - 6 * k) & 63] : '=';
        text_add(out, four, 4);
    }
}

void html_add_hash(struct text *out, const char *bytes, const char *end)
{
    SHA2_CTX context;
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)bytes, (size_t)(end - bytes));
    SHA256Final(hash, &context);
    text_addf(out, "'sha256-");
    html_add_base64(out, hash, sizeof hash);
    text_addf(out, "'");
}

/* The same library and level give the same bytes, so pages can be compared. base64 has none of < > &. */
static void add_deflated(struct text *out, const char *json, size_t n)
{
    uLongf size = compressBound((uLong)n);
    unsigned char *deflated = mem_alloc(size);
    if (compress2(deflated, &size, (const Bytef *)json, (uLong)n, Z_BEST_COMPRESSION) != Z_OK)
        abort(); /* out of memory */
    text_addf(out, "<script type=\"application/json\" class=\"deflated\">");
    html_add_base64(out, deflated, size);
    free(deflated);
}

/* In JSON these characters are only within strings, where an escape (\u003c) means the same. Without this the text
   "</script>" in a task's name would end the element. */
static void add_escaped(struct text *out, const char *json)
{
    while (*json != '\0') {
        size_t n = strcspn(json, "<>&");
        text_add(out, json, n);
        json += n;
        if (*json != '\0')
            text_addf(out, "\\u%04x", (unsigned)*json++);
    }
}

void html_add_json(struct text *out, const char *json)
{
    size_t n = strlen(json);
    if (n >= LARGE_BYTES) {
        add_deflated(out, json, n);
    } else {
        text_addf(out, "<script type=\"application/json\">");
        add_escaped(out, json);
    }
    text_addf(out, "</script>\n");
}

/* The quotes matter in attributes. */
void html_add_text(struct text *out, const char *words)
{
    for (; *words != '\0'; words++)
        if (strchr("<>&\"'", *words) != NULL)
            text_addf(out, "&#%d;", *words);
        else
            text_add(out, words, 1);
}
