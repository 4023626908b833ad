/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SimGrid takes longer to load than most commands take to run, so it is loaded only when a platform is opened: the bridge is a
   shared object of its own, which alone links SimGrid.

       lib/libiasim.so        installed: the bridge is private, in a folder beside
       lib/iasim/libiasim-bridge.so

   It is looked for beside the object that this code is in, wherever that has been moved to; a program may also link it
   itself, as our tests do. */
#include "engine/bridge.h"
#include "engine/guard.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const struct bridge *bridge;

static void *load_from(const char *folder, int n, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s", n, folder, name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *find_object(char reason[512])
{
    Dl_info here;
    if (dladdr(&bridge, &here) == 0 || here.dli_fname == NULL)
        return NULL;
    const char *slash = strrchr(here.dli_fname, '/');
    int n = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    void *object = load_from(here.dli_fname, n, "iasim/libiasim-bridge.so");
    if (object == NULL)
        snprintf(reason, 512, "%s", dlerror());                                  /* of the place where it should be */
    return object ? object : load_from(here.dli_fname, n, "libiasim-bridge.so"); /* where it was built */
}

enum err_code bridge_find(struct err *e)
{
    char reason[512] = "";
    const struct bridge *(*get)(void) = NULL;
    if (bridge != NULL)
        return ERR_NONE;
    void *symbol = dlsym(RTLD_DEFAULT, "iasim_bridge");
    if (symbol == NULL) {
        guard_enter_simgrid();
        void *object = find_object(reason);
        guard_leave_simgrid();
        symbol = object ? dlsym(object, "iasim_bridge") : NULL;
    }
    if (symbol == NULL)
        return err_set(e, ERR_INTERNAL, "the part of iasim that loads SimGrid is missing or broken: %s", reason);
    memcpy(&get, &symbol, sizeof get);
    bridge = get();
    return ERR_NONE;
}
