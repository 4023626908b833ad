/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data and hashes as text within a page. */
#ifndef IASIM_HTML_HTML_PACK_H
#define IASIM_HTML_HTML_PACK_H

#include "base/text.h"

void html_add_base64(struct text *out, const void *bytes, size_t n);

/* 'sha256-..' as in a content security policy. */
void html_add_hash(struct text *out, const char *bytes, const char *end);

/* A <script type="application/json"> with this JSON. Large ones are deflated (class "deflated", zlib's format,
   base64). */
void html_add_json(struct text *out, const char *json);

/* Text between tags or in an attribute; bytes that are not UTF-8 are the caller's to avoid. */
void html_add_text(struct text *out, const char *words);

#endif
