/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads the bridge when the first platform is opened. Nothing else links SimGrid, so a command that does not simulate
   starts without it. */
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
    /* ISO C has no conversion from an object pointer to a function pointer */
    memcpy(&get, &symbol, sizeof get);
    bridge = get();
    return ERR_NONE;
}
