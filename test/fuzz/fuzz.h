/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every fuzzer has: what it requires holds, or it ends abnormally. */
#ifndef IASIM_FUZZ_H
#define IASIM_FUZZ_H

#include <stdbool.h>
#include <stdlib.h>

static inline void require(bool claim)
{
    if (!claim)
        abort();
}

#endif
