/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A POSIX path or host name may be any bytes; JSON strings are UTF-8. A result of hours must not be lost
   to a file called "caf\xe9.xml", so such names are made readable, not refused. Two names may become
   one: do not use them as keys. */
#include "report/json_bytes.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

json_t *json_bytes(const char *bytes)
{
    /* json_string checks for UTF-8, and gives NULL if it is not. */
    json_t *string = bytes != NULL ? json_string(bytes) : json_null();
    if (string != NULL)
        return string;
    /* ASCII alone cannot fail, so the second attempt cannot either. */
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
