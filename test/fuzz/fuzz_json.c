/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Any text: a tape accepts the same texts as jansson and gives the same values. */
#include "../json_same.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    bool is_taken;
    if (!reads_as_jansson((const char *)bytes, n, true, &is_taken) ||
        !reads_as_jansson((const char *)bytes, n, false, &is_taken))
        abort();
    return 0;
}
