/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads a plugin and registers what it holds. Nothing is registered before everything has been checked. A
   plugin is never unloaded because what it registered is used until the program ends. */
#include "plugin/load.h"

#include "base/digest.h"
#include "base/isolate.h"
#include "base/orphans.h"
#include "plugin/plugin.h"
#include "plugin/plugin_check.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double MOST_LOADING_S = 10;

static struct loaded {
    struct origin origin;
    char digest[DIGEST_HEX_SIZE];
} * *plugins;              /* each allocated separately, because pointers to `origin` are handed out */
static const char **paths; /* as given, in the order of loading: for plugin_paths */
static int n_plugins;

static iasim_plugin_read *reader; /* of plugins in Python; NULL: this process cannot read them */

void iasim_plugin_reader(iasim_plugin_read *read)
{
    reader = read;
}

void iasim_plugin_failed(const char *words)
{
    foreign_fail(words);
}

bool plugin_is_python(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".py") == 0;
}

bool plugin_reads_python(void)
{
    return reader != NULL;
}

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
        return err_set_at(e, ERR_IO, path, 0, "a plugin is a shared object or a file in Python; this is %s",
                          S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
    return ERR_NONE;
}

/* Keys of results know the plugin by its bytes: before it is loaded, because it could change its own file. */
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
    /* RTLD_NOW: a function that is missing is found here, not in the middle of a run. RTLD_LOCAL: two plugins may use
       the same names. */
    void *object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        refuse_words(path, place, dlerror(), e);
    free(place);
    return object;
}

/* In a process of its own, which ends with the object open: what counts is whether it got that far. */
static enum err_code try_to_open(void *self, struct err *e)
{
    const char *path = self;
    foreign_enter(&(struct origin){.path = path}, "constructor", "the shared object");
    foreign_leave(); /* the note stays and names the plugin if its constructor never ends or leaves processes behind */
    void *object = open_file(path, e);
    /* the process that watches is this one's parent, so every child here is the plugin's */
    if (object != NULL && orphans_exist())
        return err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded: its constructor left a process behind");
    return object != NULL ? ERR_NONE : ERR_INPUT;
}

/* Code runs when a plugin is opened: constructors of a shared object, the statements of a file in Python. The first
   time happens in another process, because they may crash or never return. `code` is what messages call them. */
static enum err_code try_first(isolate_work *work, const char *path, const char *code_name, struct err *e)
{
    orphans_become_reaper();
    struct err found = {0};
    enum err_code code = isolate_run_foreign(work, (void *)(uintptr_t)path, MOST_LOADING_S, &found);
    /* it crashed, or ended early; other errors are passed on as they are */
    if (code == ERR_INTERNAL)
        return err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded: its %s %s", code_name, found.text);
    if (code != ERR_NONE && e != NULL)
        *e = found;
    return code;
}

/* A copy of this process that a plugin makes while it is loaded would run the whole program a second time. The first
   loading refuses such plugins; one that forks only the second time gets no copy that comes further than here. */
static void end_copy_of(pid_t loader)
{
    if (getpid() != loader)
        _exit(0);
}

/* Once to see whether it can be opened, once for good. */
static enum err_code open_object(const char *path, const struct iasim_plugin **out, struct err *e)
{
    pid_t loader = getpid();
    void *object = try_first(try_to_open, path, "constructor", e) == ERR_NONE ? open_file(path, e) : NULL;
    end_copy_of(loader);
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

static enum err_code read_file(const char *path, struct iasim_plugin_lists *lists, struct err *e)
{
    struct err found = {0};
    enum err_code code = reader(path, lists, &found);
    return code == ERR_NONE ? code : err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded: %s", found.text);
}

static enum err_code try_to_read(void *self, struct err *e)
{
    const char *path = self;
    struct iasim_plugin_lists lists = {0};
    foreign_enter(&(struct origin){.path = path}, "code", "the file");
    foreign_leave(); /* as in try_to_open */
    enum err_code code = read_file(path, &lists, e);
    if (code == ERR_NONE && orphans_exist())
        return err_set_at(e, ERR_INPUT, path, 0, "the plugin cannot be loaded: its code leaves a process behind");
    return code;
}

/* A file in Python has no version or sizes of its own: the reader makes the structures of this very program. */
static enum err_code open_python(const char *path, const struct iasim_plugin **out, struct err *e)
{
    if (reader == NULL)
        return err_set_at(e, ERR_INPUT, path, 0,
                          "only the program iasim can load a plugin in Python, not libiasim in another program");
    if (try_first(try_to_read, path, "code", e) != ERR_NONE)
        return ERR_INPUT;
    struct iasim_plugin *plugin = mem_alloc(sizeof *plugin);
    *plugin = (struct iasim_plugin){IASIM_PLUGIN_ABI,
                                    (unsigned)sizeof(struct iasim_plugin),
                                    {IASIM_PLUGIN_STRUCTS(IASIM_PLUGIN_SIZE)},
                                    {{NULL}, {NULL}, {NULL}, {NULL}, {NULL}}};
    *out = plugin; /* stays, as what it holds does */
    pid_t loader = getpid();
    enum err_code code = read_file(path, &plugin->lists, e);
    end_copy_of(loader);
    return code;
}

/* Names were checked for clashes, so no registration can fail half-way. */
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
        code = plugin_is_python(path) ? open_python(path, &plugin, e) : open_object(path, &plugin, e);
    if (code == ERR_NONE)
        code = plugin_check(plugin, path, e);
    if (code != ERR_NONE) {
        /* nothing was registered; a shared object that was opened stays, because its code may have left addresses of
           itself */
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
