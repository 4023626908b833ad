/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What JSON cannot say as it stands: names and paths are bytes, numbers may be infinite or none. */
#ifndef IASIM_REPORT_JSON_BYTES_H
#define IASIM_REPORT_JSON_BYTES_H

#include <jansson.h>

/* A string; where the bytes are no UTF-8, those that are not ASCII become question marks. null for NULL. Never fails, so
   that no result is lost for a name in it. The caller's. */
json_t *json_bytes(const char *bytes);

/* A number; null unless it is finite. The caller's. */
json_t *json_finite(double x);

#endif
