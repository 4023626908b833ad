/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names and paths are bytes; JSON is UTF-8. */
#ifndef IASIM_REPORT_JSON_BYTES_H
#define IASIM_REPORT_JSON_BYTES_H

#include <jansson.h>

/* A string; where the bytes are no UTF-8, those that are not ASCII become question marks. null for NULL. Never fails, so
   that no result is lost for a name in it. The caller's. */
json_t *json_bytes(const char *bytes);

#endif
