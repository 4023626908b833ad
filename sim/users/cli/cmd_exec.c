/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a program in this process's place, with libiasim-simgrid.so preloaded (sim/running/simgrid): its exit status and
   the signals that it gets and dies of are its own. The world and the rates reach it, and whatever it starts, by the
   environment. */
#include "base/foreign.h"
#include "base/mem.h"
#include "cli/command.h"
#include "machine/machine.h"
#include "models/world.h"
#include "simgrid/preload.h"
#include "simgrid/used.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* As of a shell, env, nice and other commands that run commands. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

struct options {
    const char *world;
    struct machine_values values;
    char **words; /* the program and its arguments */
};

static const struct command_option options[] = {
    {"world", 'w', "WORLD", "interference (default), none, or a world of your plugin that changes the speed of hosts",
     OPTION_AT(struct options, world), .values = "models:world"},
    {"ir-send", 0, "RATE", "hosts without ir_send: interference of sending, per MB/s",
     OPTION_AT(struct options, values.ir_send)},
    {"ir-recv", 0, "RATE", "hosts without ir_recv: interference of receiving, per MB/s",
     OPTION_AT(struct options, values.ir_recv)},
    {NULL, 0, "PROGRAM [ARGUMENT...]", "a program", OPTION_AT(struct options, words), .required = true, .values = "*"},
    {0},
};

/* The values are checked here, once, as those of other commands are. */
static enum err_code check_values(const struct machine_values *values, struct err *e)
{
    struct machine m = {.hosts = mem_zalloc(1, sizeof(struct host)), .n_hosts = 1};
    enum err_code code = machine_override(&m, values, e);
    machine_clear(&m);
    return code;
}

/* A variable that is left over from an outer `iasim exec` must not reach the program. */
static void set_or_unset(const char *variable, const char *value)
{
    if (value != NULL)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

/* Preloads the library beside the object that this code is in, libiasim.so or the program, wherever that has been moved
   to: an installed iasim, a build folder and a package must each find their own. */
static enum err_code preload(struct err *e)
{
    /* Any address of this object will do for dladdr. */
    static const char here;
    Dl_info object = {0};
    dladdr(&here, &object);
    char *real = object.dli_fname != NULL ? realpath(object.dli_fname, NULL) : NULL;
    char *slash = real != NULL ? strrchr(real, '/') : NULL;
    char *path = mem_format("%.*s/libiasim-simgrid.so", slash ? (int)(slash - real) : 0, slash ? real : "");
    const char *others = getenv("LD_PRELOAD");
    char *list = mem_format("%s%s%s", path, others ? ":" : "", others ? others : "");
    enum err_code code = ERR_NONE;
    if (access(path, R_OK) != 0)
        code = err_set(e, ERR_INTERNAL, "%s: %s", path, strerror(errno));
    /* The dynamic linker splits LD_PRELOAD at blanks and colons, and knows no quotes. */
    else if (strpbrk(path, " :;") != NULL)
        code = err_set(e, ERR_INPUT,
                       "%s: a library whose path has a blank or a colon cannot be preloaded; install iasim elsewhere",
                       path);
    else
        /* First in the list: what others preload stays. */
        setenv("LD_PRELOAD", list, 1);
    free(list);
    free(path);
    free(real);
    return code;
}

/* A file in memory, for this process and those that it starts, where each notes that it has used SimGrid
   (simgrid/used.h). If it cannot be made, the message that nothing was simulated is never printed; the program runs all
   the same. */
static void watch_use(void)
{
    /* Not close-on-exec, unlike most files: the program must inherit it, under a number that scripts do not use. */
    int made = memfd_create(USED_FILE, 0), fd = made >= 0 ? fcntl(made, F_DUPFD, USED_FIRST_FD) : -1;
    char *path = mem_format("/proc/%ld/fd/%d", (long)getpid(), fd);
    set_or_unset(USED_VARIABLE, fd >= 0 ? path : NULL);
    if (made >= 0)
        close(made);
    free(path);
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    const struct world_model *world;
    enum err_code code = world_find_of_speeds(o->world, &world, e);
    if (code == ERR_NONE)
        code = check_values(&o->values, e);
    /* In the world none nothing is preloaded: the program runs as if without iasim. */
    if (code == ERR_NONE && strcmp(o->world, "none") != 0)
        code = preload(e);
    if (code != ERR_NONE)
        return code;
    /* Absolute, because the program may change its folder before it starts others. */
    char *plugin = world->from != NULL ? realpath(world->from->path, NULL) : NULL;
    setenv(WORLD_VARIABLE, o->world, 1);
    set_or_unset(WORLD_PLUGIN_VARIABLE, plugin);
    set_or_unset(IR_SEND_VARIABLE, o->values.ir_send);
    set_or_unset(IR_RECV_VARIABLE, o->values.ir_recv);
    watch_use();
    /* Only on an error does it return. _exit, since what is in this process's buffers is not the program's. */
    execvp(o->words[0], o->words);
    int status = errno == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
    fprintf(stderr, "iasim exec: %s: %s\n", o->words[0], strerror(errno));
    _exit(status);
}

const struct command command_exec = {
    .name = "exec",
    .summary = "run a SimGrid program where communication slows computation down",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.world = "interference"},
    .options = options,
    .about =
        "Runs PROGRAM, which uses SimGrid, in a world where communication slows computation down. The program stays as "
        "it is: C or C++, Python with its simgrid module, MPI by smpirun, or a script that runs such programs. Rates "
        "are the properties ir_send and ir_recv of its platform's hosts.",
    .notes =
        "A program without SimGrid runs as usual, and a message at its end says that nothing was simulated. The exit "
        "status is the program's; 126: it cannot be executed, 127: it is not found. A wrong property of the platform, "
        "or a part of SimGrid that the world does not know, ends a program with status 2 and one message.",
    .examples = "# The same command with and without interference:\n"
                "iasim exec --ir-send 0.03 -- echo simulated\n"
                "iasim exec --world none -- echo simulated\n",
    .run = run,
    .has_progress = true, /* the program's own, if any */
};
