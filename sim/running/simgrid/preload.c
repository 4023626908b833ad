/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libiasim-simgrid.so: what programs link for iasim_world, and what `iasim exec` preloads. It may be preloaded into
   programs that have nothing to do with SimGrid (a shell, a script's other commands), so it needs nothing itself.
   Once SimGrid is there it opens the layer, a private object beside it that is made for one version of SimGrid:

       lib/libiasim-simgrid.so
       lib/iasim/libiasim-layer.so

   Some functions of SimGrid are taken over, by being found first; all are exported, and do what they did. One shows
   when SimGrid begins, in C, C++, Python and SMPI programs alike; one, which platform file is loaded; and one, that
   a transfer may have been suspended, which SimGrid does not report. A program that links this library after SimGrid
   calls SimGrid's own: messages then do not name the file, and the layer looks for suspended transfers itself. */
#include "simgrid/preload.h"

#include "simgrid/simgrid.h"
#include "simgrid/used.h"

#include <dlfcn.h>
#include <link.h>
#include <simgrid/config.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xbt/base.h>

#include <simgrid/version.h>

enum { BAD_INPUT = 2 };

static char *world_started, *platform_loaded;
static unsigned long n_suspensions;

/* ---- SimGrid in this process ---- */

static int look_at_object(struct dl_phdr_info *object, size_t size, void *path)
{
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;
    (void)size;
    if (strncmp(name, "libsimgrid.so", strlen("libsimgrid.so")) != 0)
        return 0;
    *(const char **)path = object->dlpi_name;
    return 1;
}

/* Python loads SimGrid where only its module sees it. NULL: it is not loaded. */
static void *open_simgrid(void)
{
    static void *simgrid;
    const char *path = NULL;
    if (simgrid == NULL && dl_iterate_phdr(look_at_object, &path) != 0)
        /* NOLOAD: a program that does not use SimGrid must not be given it */
        simgrid = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    return simgrid;
}

static void *find_in_simgrid(const char *symbol)
{
    void *simgrid = open_simgrid();
    return simgrid ? dlsym(simgrid, symbol) : NULL;
}

static bool is_right_version(void)
{
    void (*get)(int *major, int *minor, int *patch);
    void *symbol = find_in_simgrid("sg_version_get");
    int major = 0, minor = 0, patch = 0;
    memcpy(&get, &symbol, sizeof get);
    if (symbol != NULL)
        get(&major, &minor, &patch);
    if (major == SIMGRID_VERSION_MAJOR && minor == SIMGRID_VERSION_MINOR)
        return true;
    fprintf(stderr,
            "iasim: this program uses SimGrid %d.%d, but iasim was built for SimGrid %d.%d; build iasim again with the "
            "headers of that SimGrid\n",
            major, minor, SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
    return false;
}

static int start(const char *world);

/* ---- what is taken over ---- */

/* By their mangled names, because this file is C and links no C++ library. */
#define CONFIG_INIT "_Z14sg_config_initPiPPc"
#define LOAD_PLATFORM "_ZNK7simgrid3s4u6Engine13load_platformERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define SUSPEND "_ZN7simgrid3s4u8Activity7suspendEv"

/* Neither may be missed in silence: without them a program would run as if nothing had been asked for. */
static void *find_or_end(const char *symbol)
{
    void *found = find_in_simgrid(symbol);
    if (found != NULL)
        return found;
    fprintf(stderr, "iasim: SimGrid does not have the function %s, which iasim needs\n", symbol);
    _exit(BAD_INPUT);
}

/* void sg_config_init(int *argc, char **argv): SimGrid's first engine begins with it. */
IASIM_API void preload_config_init(int *argc, char **argv) __asm__(CONFIG_INIT);

void preload_config_init(int *argc, char **argv)
{
    void (*next)(int *, char **);
    void *symbol = find_or_end(CONFIG_INIT);
    const char *given = getenv(WORLD_VARIABLE);
    /* before SimGrid's own configuration, so the layer hears of the platform's creation */
    if (given != NULL && start(given) != 0)
        _exit(BAD_INPUT);
    memcpy(&next, &symbol, sizeof next);
    next(argc, argv);
}

/* void simgrid::s4u::Engine::load_platform(const std::string &path) const. A std::string begins with the address of
   its text. */
IASIM_API void preload_load_platform(const void *engine, const char *const *path) __asm__(LOAD_PLATFORM);

void preload_load_platform(const void *engine, const char *const *path)
{
    void (*next)(const void *, const char *const *);
    void *symbol = find_or_end(LOAD_PLATFORM);
    free(platform_loaded);
    platform_loaded = strdup(*path);
    memcpy(&next, &symbol, sizeof next);
    next(engine, path);
}

/* simgrid::s4u::Activity *simgrid::s4u::Activity::suspend() */
IASIM_API void *preload_suspend(void *activity) __asm__(SUSPEND);

void *preload_suspend(void *activity)
{
    void *(*next)(void *);
    void *symbol = find_or_end(SUSPEND);
    n_suspensions++;
    memcpy(&next, &symbol, sizeof next);
    return next(activity);
}

/* Whether SimGrid itself finds ours, as it must have done when it was loaded. */
static bool sees_suspensions(void)
{
    void *ours;
    void *(*suspend)(void *) = preload_suspend;
    memcpy(&ours, &suspend, sizeof ours);
    return dlsym(RTLD_DEFAULT, SUSPEND) == ours;
}

/* ---- the layer ---- */

static const char *platform(void)
{
    return platform_loaded;
}

/* In FOLDER/iasim when installed, in FOLDER itself where it was built. */
static void *open_layer(const char *folder, int n)
{
    static const char *const places[] = {"iasim/", ""};
    char path[4096] = "";
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%.*s%slibiasim-layer.so", n, folder, places[i]);
        if (access(path, F_OK) == 0)
            break;
    }
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *layer_symbol(void *object, const char *name)
{
    void *symbol = object ? dlsym(object, name) : NULL;
    if (symbol == NULL)
        fprintf(stderr, "iasim: the part of iasim for SimGrid is missing or broken: %s\n", dlerror());
    return symbol;
}

static int start_layer(const char *world)
{
    layer_start *begin;
    layer_count_suspensions *count;
    Dl_info here = {0};
    dladdr(&world_started, &here);
    const char *file = here.dli_fname ? here.dli_fname : "", *slash = strrchr(file, '/');
    void *object = open_layer(file, slash ? (int)(slash - file) + 1 : 0);
    void *begin_symbol = layer_symbol(object, "iasim_layer_start");
    void *count_symbol = begin_symbol ? layer_symbol(object, "iasim_layer_count_suspensions") : NULL;
    if (count_symbol == NULL)
        return BAD_INPUT;
    memcpy(&begin, &begin_symbol, sizeof begin);
    memcpy(&count, &count_symbol, sizeof count);
    count(sees_suspensions() ? &n_suspensions : NULL);
    return begin(world, platform);
}

static int start(const char *world)
{
    if (world_started != NULL) {
        if (strcmp(world_started, world) == 0)
            return 0;
        fprintf(stderr, "iasim: this process already simulates world '%s'; it cannot change to '%s'\n", world_started,
                world);
        return BAD_INPUT;
    }
    if (strcmp(world, "none") != 0) {
        if (!is_right_version() || start_layer(world) != 0)
            return BAD_INPUT;
    }
    world_started = strdup(world);
    used_note();
    return 0;
}

int iasim_world(const char *world)
{
    const char *given = getenv(WORLD_VARIABLE);
    if (open_simgrid() == NULL) {
        fprintf(stderr, "iasim_world: this program has not loaded SimGrid\n");
        return BAD_INPUT;
    }
    return start(given ? given : world);
}

/* A simulation that has run without us, although a world was asked for, must not pass for one in it: SimGrid may
   begin otherwise one day, or have been loaded so that it does not see what is taken over. Its clock tells, at the
   end. */
__attribute__((destructor)) static void notice_what_was_missed(void)
{
    const char *given = getenv(WORLD_VARIABLE);
    double (*clock_s)(void);
    if (open_simgrid() != NULL)
        used_note();
    used_say();
    void *symbol = given != NULL && world_started == NULL ? find_in_simgrid("simgrid_get_clock") : NULL;
    memcpy(&clock_s, &symbol, sizeof clock_s);
    if (symbol == NULL || strcmp(given, "none") == 0 || clock_s() <= 0)
        return;
    if (find_in_simgrid(CONFIG_INIT) == NULL)
        fprintf(stderr, "iasim: this SimGrid begins in a way that iasim does not know; world '%s' had no effect\n",
                given);
    else
        fprintf(stderr,
                "iasim: world '%s' had no effect: this program has loaded SimGrid so that nothing can be preloaded "
                "before it (dlopen with RTLD_DEEPBIND)\n",
                given);
}
