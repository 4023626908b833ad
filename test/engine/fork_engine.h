/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Engine cases for tests: SimGrid has one engine per process, so each case runs in a child with a time limit, on a
   platform given as text. A case is a platform, a world and an activity script; what comes back are the dates and what
   the engine says of each host. Nothing here computes an expected value. */
#ifndef IASIM_TEST_ENGINE_FORK_ENGINE_H
#define IASIM_TEST_ENGINE_FORK_ENGINE_H

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "engine/activities.h"
#include "platform_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOST(id, props) "<host id=\"" id "\" speed=\"1000f\">" props "</host>\n"

/* ---- files ---- */

static char fork_engine_folder[] = "/tmp/iasim_test_XXXXXX";
static pid_t fork_engine_owner;

static inline void fork_engine_remove_folder(void)
{
    char *command = mem_format("rm -rf '%s'", fork_engine_folder);
    if (getpid() == fork_engine_owner && system(command) != 0)
        perror(command);
    free(command);
}

/* The path of a file with this content, in a folder that goes away with the process. Freed by the caller. */
static inline char *file_with(const char *name, const char *content)
{
    struct err e = {0};
    if (fork_engine_owner == 0) {
        fork_engine_owner = getpid();
        if (mkdtemp(fork_engine_folder) == NULL)
            abort();
        atexit(fork_engine_remove_folder);
    }
    char *path = mem_format("%s/%s", fork_engine_folder, name);
    if (text_write_file(path, content, strlen(content), &e) != ERR_NONE)
        abort();
    return path;
}

/* ---- children ---- */

enum ending { ENDED_WELL, ENDED_BADLY, ENDED_LATE };

static inline void tell(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t k = write(fd, at, n);
        if (k <= 0)
            abort();
        at += k;
        n -= (size_t)k;
    }
}

static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Adds what comes from `fd` until it is closed at the other end, by all who have it; false: not by `until_s`. */
static inline bool read_until(int fd, double until_s, struct text *said)
{
    char bytes[4096];
    for (;;) {
        double left_s = until_s - seconds_now();
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int n = left_s > 0 ? poll(&p, 1, (int)(1000 * left_s) + 1) : 0;
        if (n == 0)
            return false;
        ssize_t size = n < 0 ? -1 : read(fd, bytes, sizeof bytes);
        if (size == 0)
            return true;
        if (size > 0)
            text_add(said, bytes, (size_t)size);
        else if (errno != EINTR)
            abort();
    }
}

/* The search for leaks at the end of a process takes twenty times as long as most cases, and thousands of them would
   look through the same code; commands do (test/cli, test/baseline). */
static inline void end_child(void)
{
#ifdef __SANITIZE_ADDRESS__
    fflush(NULL);
    _exit(0);
#else
    exit(0);
#endif
}

/* Runs `work` in a child; what it tells to `fd` is added to `said`. It is killed after `limit_s`, with whatever it has
   started: it leads a process group. */
static inline enum ending in_child(void (*work)(void *self, int fd), void *self, unsigned limit_s, struct text *said)
{
    int fds[2], status = 0;
    fflush(NULL);
    if (pipe(fds) != 0)
        abort();
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        close(fds[0]);
        alarm(limit_s + 2); /* if this process is killed meanwhile */
        work(self, fds[1]);
        end_child();
    }
    setpgid(child, child); /* whoever comes first */
    close(fds[1]);
    bool in_time = read_until(fds[0], seconds_now() + limit_s, said);
    close(fds[0]);
    if (!in_time) {
        fprintf(stderr, "a child of this test was still running after %u s and has been killed\n", limit_s);
        kill(-child, SIGKILL);
    }
    waitpid(child, &status, 0);
    if (!in_time)
        return ENDED_LATE;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? ENDED_WELL : ENDED_BADLY;
}

/* ---- a case ---- */

enum { MAX_CASE_HOSTS = 32 };

struct outcome {
    enum ending ending;
    enum err_code code;
    struct err e;
    size_t n_hosts;
    struct engine_use use[MAX_CASE_HOSTS]; /* of the platform's first hosts */
    double end_s;
    size_t n;
    struct activity *list; /* in the script's order; the names are not there */
};

struct engine_case {
    const char *platform_path, *world, *script;
};

static inline enum err_code run_case(const struct engine_case *c, struct activities *a, struct outcome *o)
{
    struct engine *engine;
    const struct world_model *world;
    enum err_code code = activities_parse(c->script, strlen(c->script), "script", a, &o->e);
    if (code == ERR_NONE)
        code = world_find(c->world, &world, &o->e);
    if (code == ERR_NONE)
        code = engine_open(c->platform_path, &engine, &o->e);
    if (code == ERR_NONE)
        code = activities_bind(a, engine_machine(engine), &o->e);
    if (code == ERR_NONE)
        code = activities_run(a, engine, world, &o->e);
    if (code != ERR_NONE)
        return code;
    o->n_hosts = engine_machine(engine)->n_hosts;
    for (size_t h = 0; h < o->n_hosts && h < MAX_CASE_HOSTS; h++)
        o->use[h] = engine_host_use(engine, (host_id)h);
    o->end_s = engine_now_s(engine);
    return ERR_NONE;
}

static inline void tell_case(void *self, int fd)
{
    struct activities a = {0};
    struct outcome o = {0};
    o.code = run_case(self, &a, &o);
    o.n = o.code == ERR_NONE ? a.n : 0;
    tell(fd, &o, sizeof o);
    tell(fd, a.list, o.n * sizeof *a.list);
    activities_clear(&a);
}

static inline struct outcome play(const char *platform, const char *world, const char *script)
{
    struct text said = {0};
    struct outcome o = {0};
    char *path = file_with("platform.xml", platform);
    struct engine_case c = {path, world, script};
    enum ending ending = in_child(tell_case, &c, 120, &said);
    if (ending == ENDED_WELL && said.size >= sizeof o)
        memcpy(&o, said.data, sizeof o);
    o.ending = ending;
    o.list = mem_zalloc(o.n + 1, sizeof *o.list);
    if (o.n > 0)
        memcpy(o.list, said.data + sizeof o, o.n * sizeof *o.list);
    text_clear(&said);
    free(path);
    return o;
}

static inline bool has_ended_well(const struct outcome *o, const char *file, int line)
{
    static const char *const how[] = {"well", "badly: it crashed or aborted", "late: it was killed"};
    if (o->ending != ENDED_WELL)
        fprintf(stderr, "%s:%d: the child has ended %s\n", file, line, how[o->ending]);
    else if (o->code != ERR_NONE)
        fprintf(stderr, "%s:%d: error: %s\n", file, line, o->e.text);
    return o->ending == ENDED_WELL && o->code == ERR_NONE;
}

/* All are done, and finish when they should. */
static inline void check_finishes(const char *file, int line, const char *platform, const char *world,
                                  const char *script, size_t n, const double *want)
{
    struct outcome o = play(platform, world, script);
    CU_ASSERT(has_ended_well(&o, file, line));
    CU_ASSERT(check_close((double)o.n, (double)n, 0, file, line, "number of activities"));
    for (size_t i = 0; i < n && i < o.n; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s: finish of line %d", world, o.list[i].line);
        CU_ASSERT(check_that(o.list[i].state == ACTIVITY_DONE, file, line, what));
        CU_ASSERT(check_close(o.list[i].finish_s, want[i], 1e-9, file, line, what));
    }
    free(o.list);
}

#define CHECK_FINISHES(platform, world, script, ...)                                                                   \
    check_finishes(__FILE__, __LINE__, platform, world, script, sizeof((double[]){__VA_ARGS__}) / sizeof(double),      \
                   (double[]){__VA_ARGS__})

#endif
