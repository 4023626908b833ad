/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads a plugin and registers what it holds. Nothing is registered before everything has been checked. A
   plugin is never unloaded because what it registered is used until the program ends. */
#include "plugin/load.h"

#include "base/digest.h"
#include "base/isolate.h"
#include "base/strays.h"
#include "plugin/plugin.h"
#include "plugin/plugin_check.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double MOST_LOADING_S = 10;

static struct loaded {
    struct origin origin;
    char digest[DIGEST_HEX_SIZE];
} * *plugins; /* each allocated separately, because pointers to `origin` are handed out */
static const char **paths;
static int n_plugins;

int plugin_count(void)
{
    return n_plugins;
}

const char *const *plugin_paths(void)
{
    return paths;
}

/* Checked before dlopen: opening a pipe would wait for ever, and dlopen's messages for folders and missing files are
   misleading. */
static enum err_code check_file(const char *path, struct err *e)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return err_set_at(e, ERR_IO, path, 0, "the plugin cannot be read: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set_at(e, ERR_IO, path, 0, "a plugin is a shared object; this is %s",
                          S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
    return ERR_NONE;
}

static enum err_code digest_of(const char *path, char out[DIGEST_HEX_SIZE], struct err *e)
{
    struct digest d;
    struct err found = {0};
    digest_init(&d);
    enum err_code code = digest_add_file(&d, path, &found);
    digest_finish(&d, out);
    return code == ERR_NONE ? code : err_set_at(e, code, path, 0, "the plugin cannot be read: %s", found.text);
}

/* Removes the path with which the text of dlerror may begin. */
static enum err_code refuse_words(const char *path, const char *place, const char *words, struct err *e)
{
    size_t n = strlen(place);
    if (strncmp(words, place, n) == 0 && strncmp(words + n, ": ", 2) == 0)
        words += n + 2;
    return err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded: %s", words);
}

static void *open_file(const char *path, struct err *e)
{
    char *place = mem_format("%s%s", strchr(path, '/') == NULL ? "./" : "",
                             path); /* so dlopen does not search the system's folders */
    void *object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        refuse_words(path, place, dlerror(), e);
    free(place);
    return object;
}

static enum err_code try_to_open(void *self, struct err *e)
{
    const char *path = self;
    foreign_enter(&(struct origin){.path = path}, "constructor", "the shared object");
    foreign_leave(); /* the note stays and names the plugin if its constructor never ends or leaves processes behind */
    void *object = open_file(path, e);
    if (object != NULL && strays_exist())
        return err_set_at(e, ERR_INPUT, path, 0,
                          "the plugin cannot be loaded: its constructor leaves a process behind");
    return object != NULL ? ERR_NONE : ERR_INPUT;
}

/* Constructors run when a shared object is opened. The first time happens in another process, because they may crash or
   never return. */
static enum err_code open_object(const char *path, const struct iasim_plugin **out, struct err *e)
{
    strays_become_reaper();
    struct err found = {0};
    enum err_code code = isolate_run_foreign(try_to_open, (void *)(uintptr_t)path, MOST_LOADING_S, &found);
    if (code == ERR_INTERNAL)
        return err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded: its constructor %s", found.text);
    if (code != ERR_NONE && e != NULL)
        *e = found;
    void *object = code == ERR_NONE ? open_file(path, e) : NULL;
    if (object == NULL)
        return ERR_INPUT;
    *out = dlsym(object, "iasim_plugin");
    if (*out == NULL)
        return err_set_at(
            e, ERR_INPUT, path, 0,
            "not a plugin of iasim: the shared object has no symbol iasim_plugin, which IASIM_PLUGIN() of "
            "iasim/plugin.h makes");
    return ERR_NONE;
}

static void register_all(const struct iasim_plugin_lists *lists, const struct origin *from)
{
    for (int i = 0; i < IASIM_PLUGIN_MAX && lists->policies[i] != NULL; i++)
        policy_register(lists->policies[i], from);
    for (int i = 0; i < IASIM_PLUGIN_MAX && lists->schedulers[i] != NULL; i++)
        scheduler_register(lists->schedulers[i], from);
    for (int i = 0; i < IASIM_PLUGIN_MAX && lists->actors[i] != NULL; i++)
        farm_actor_register(lists->actors[i], from);
    for (int i = 0; i < IASIM_PLUGIN_MAX && lists->models[i] != NULL; i++)
        cost_model_register(lists->models[i], from);
    for (int i = 0; i < IASIM_PLUGIN_MAX && lists->worlds[i] != NULL; i++)
        world_register(lists->worlds[i], from); /* after the models that they charge */
}

enum err_code plugin_load(const char *path, struct err *e)
{
    struct loaded *fresh = mem_zalloc(1, sizeof *fresh);
    fresh->origin = (struct origin){path, fresh->digest};
    const struct iasim_plugin *plugin = NULL;
    enum err_code code = check_file(path, e);
    if (code == ERR_NONE)
        code = digest_of(path, fresh->digest, e);
    if (code == ERR_NONE)
        code = open_object(path, &plugin, e);
    if (code == ERR_NONE)
        code = plugin_check(plugin, path, e);
    if (code != ERR_NONE) {
        free(fresh);
        return code;
    }
    plugins = mem_resize(plugins, (size_t)n_plugins + 1, sizeof *plugins);
    paths = mem_resize(paths, (size_t)n_plugins + 1, sizeof *paths);
    plugins[n_plugins] = fresh;
    paths[n_plugins++] = path;
    register_all(&plugin->lists, &fresh->origin);
    return ERR_NONE;
}
