/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens the shared objects that link SimGrid, by their place beside this code rather than by a search path: an
   installed tree may be moved, and another version of iasim may be on the machine. Objects are never closed. */
#include "engine/shared_object.h"

#include "engine/guard.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char here_is = 0; /* an address in the object that this code is in */

static void *load_from(const char *folder, int n, const char *below, const char *name)
{
    char path[4096];
    /* RTLD_LOCAL: SimGrid's names stay out of the way of what a plugin or a program brings */
    snprintf(path, sizeof path, "%.*s%s%s", n, folder, below, name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_object(const char *name, char reason[512])
{
    Dl_info here;
    if (dladdr(&here_is, &here) == 0 || here.dli_fname == NULL)
        return NULL;
    const char *slash = strrchr(here.dli_fname, '/');
    int n = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    void *object = load_from(here.dli_fname, n, "iasim/", name);
    if (object == NULL)
        snprintf(reason, 512, "%s", dlerror());                      /* of the place where it should be */
    return object ? object : load_from(here.dli_fname, n, "", name); /* where it was built */
}

void *object_symbol(const char *name, const char *symbol, const char *what, struct err *e)
{
    char reason[512] = "";
    /* a program that links the object itself, as tests do, must not get a second copy of SimGrid */
    void *found = dlsym(RTLD_DEFAULT, symbol);
    if (found == NULL) {
        /* loading runs SimGrid's constructors, which remember where stderr is */
        guard_enter_simgrid();
        void *object = open_object(name, reason);
        guard_leave_simgrid();
        found = object ? dlsym(object, symbol) : NULL;
    }
    if (found == NULL)
        err_set(e, ERR_INTERNAL, "%s is missing or broken: %s", what, reason);
    return found;
}
