/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/json_bytes.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

json_t *json_bytes(const char *bytes)
{
    json_t *string = bytes != NULL ? json_string(bytes) : json_null();
    if (string != NULL)
        return string;
    char *readable = mem_strdup(bytes);
    for (char *at = readable; *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    string = json_string(readable);
    free(readable);
    return string;
}

json_t *json_finite(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}
