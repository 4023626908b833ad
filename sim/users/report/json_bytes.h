/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values that JSON cannot hold: names and paths that are not UTF-8, and numbers that are infinite or missing. */
#ifndef IASIM_REPORT_JSON_BYTES_H
#define IASIM_REPORT_JSON_BYTES_H

#include <jansson.h>

/* A string. If the bytes are not UTF-8, those that are not ASCII become question marks. null for NULL. It never fails,
   so a strange name cannot cost a result. The caller's. */
json_t *json_bytes(const char *bytes);

/* A number; null unless it is finite. The caller's. */
json_t *json_finite(double x);

#endif
