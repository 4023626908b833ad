/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Worlds of a plugin inside a SimGrid program. `iasim exec` has checked the plugin; here it is only loaded. What it
   calls of iasim is in libiasim, which is loaded too if the plugin calls anything; a world rarely does. */
#include "simgrid/plugin_worlds.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "models/world.h"
#include "plugin/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Beside this object when built, one folder up when installed (preload.c). */
static void *open_libiasim(void)
{
    static const char here;
    static const char *const places[] = {"", "../"};
    Dl_info object = {0};
    dladdr(&here, &object);
    const char *slash = object.dli_fname != NULL ? strrchr(object.dli_fname, '/') : NULL;
    void *found = NULL;
    for (size_t i = 0; found == NULL && slash != NULL && i < sizeof places / sizeof places[0]; i++) {
        char *path =
            mem_format("%.*s%slibiasim.so.0", (int)(slash + 1 - object.dli_fname), object.dli_fname, places[i]);
        found = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        free(path);
    }
    return found;
}

static const struct iasim_plugin *open_plugin(const char *path)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    /* RTLD_GLOBAL above: the plugin finds libiasim's functions when it is opened again */
    if (object == NULL && open_libiasim() != NULL)
        object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return object != NULL ? dlsym(object, "iasim_plugin") : NULL;
}

enum err_code plugin_worlds_load(const char *path, struct err *e)
{
    struct origin *from = mem_zalloc(1, sizeof *from);
    const struct iasim_plugin *plugin = open_plugin(path);
    if (plugin == NULL) {
        const char *words = dlerror();
        free(from);
        return err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded into this program: %.500s",
                          words != NULL ? words : "it is not one of iasim");
    }
    if (plugin->abi != IASIM_PLUGIN_ABI || plugin->size != sizeof *plugin) {
        free(from);
        return err_set_at(e, ERR_INPUT, path, 0, "the plugin was built for another version of iasim");
    }
    *from = (struct origin){.path = mem_strdup(path), .digest = ""};
    /* a world that occupies processors needs an engine of iasim; here only speeds can change */
    for (int i = 0; i < IASIM_PLUGIN_MAX && plugin->lists.worlds[i] != NULL; i++)
        if (plugin->lists.worlds[i]->charges == NULL)
            world_register(plugin->lists.worlds[i], from);
    return ERR_NONE;
}
