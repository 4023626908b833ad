/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engine/bridge.h"
#include "engine/shared_object.h"

#include <string.h>

const struct bridge *bridge;

enum err_code bridge_find(struct err *e)
{
    const struct bridge *(*get)(void) = NULL;
    if (bridge != NULL)
        return ERR_NONE;
    void *symbol = object_symbol("libiasim-bridge.so", "iasim_bridge", "the part of iasim that loads SimGrid", e);
    if (symbol == NULL)
        return ERR_INTERNAL;
    memcpy(&get, &symbol, sizeof get);
    bridge = get();
    return ERR_NONE;
}
