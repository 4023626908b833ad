/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engine/guard.h"

#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct report { /* what the child says at its orderly end */
    enum err_code code;
    struct err e;
};

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t k = write(fd, at, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

static bool read_all(int fd, void *bytes, size_t n)
{
    for (char *at = bytes; n > 0;) {
        ssize_t k = read(fd, at, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

/* SimGrid writes to descriptor 2; we write to `stderr`, which moves to a copy of the real one. */
static void part_talk(int said)
{
    int real = dup(STDERR_FILENO);
    FILE *talk = real >= 0 ? fdopen(real, "w") : NULL;
    if (talk == NULL)
        return;
    setvbuf(talk, NULL, _IONBF, 0);
    stderr = talk; /* glibc allows it */
    dup2(said, STDERR_FILENO);
}

static void be_child(int report_fd, int said, enum err_code (*work)(void *, struct err *), void *self)
{
    static struct report r;
    part_talk(said);
    r.code = work(self, &r.e);
    if ((fflush(stdout) != 0 || ferror(stdout)) && r.code == ERR_NONE)
        r.code = err_set(&r.e, ERR_IO, "standard output could not be written");
    write_all(report_fd, &r, sizeof r);
    close(report_fd);
    exit(err_exit_status(r.code)); /* so that SimGrid and sanitizers take leave as they do */
}

/* The words of the one line that says why, out of what SimGrid printed: its last "file:line: [..] text" or the like. */
static void find_reason(const char *said, char *out, size_t size)
{
    static const char *const marks[] = {"CRITICAL", "ERROR", "what():", "Assertion", "terminate called"};
    const char *best = said;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *at = strstr(said, marks[i]);
        if (at == NULL)
            continue;
        while (at > said && at[-1] != '\n')
            at--;
        best = at;
        break;
    }
    size_t n = strcspn(best, "\n");
    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), best);
}

static enum err_code report_death(int status, int said, struct err *e)
{
    struct text words = {0};
    char reason[600] = "";
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", said);
    lseek(said, 0, SEEK_SET);
    text_read_file(&words, path, 1 << 20, NULL);
    find_reason(text_str(&words), reason, sizeof reason);
    enum err_code code;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
        code = err_set(e, ERR_INPUT, "SimGrid gave up%s%s", reason[0] ? ": " : "", reason);
    else if (WIFSIGNALED(status))
        code = err_set(e, ERR_INTERNAL, "the simulation was ended by signal %d (%s)%s%s", WTERMSIG(status),
                       strsignal(WTERMSIG(status)), reason[0] ? ": " : "", reason);
    else
        code = err_set(e, ERR_INTERNAL, "the simulation ended with status %d%s%s", WEXITSTATUS(status),
                       reason[0] ? ": " : "", reason);
    if (WIFEXITED(status) && words.size > 0)
        write_all(STDERR_FILENO, words.data, words.size); /* a sanitizer's report, say */
    text_clear(&words);
    return code;
}

enum err_code guard_run(enum err_code (*work)(void *self, struct err *e), void *self, struct err *e)
{
    int fds[2];
    int said = memfd_create("said by SimGrid", MFD_CLOEXEC);
    fflush(stdout);
    if (said < 0 || pipe(fds) != 0) {
        close(said);
        return err_set(e, ERR_INTERNAL, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child < 0) {
        close(said);
        close(fds[0]);
        close(fds[1]);
        return err_set(e, ERR_INTERNAL, "cannot start a process: %s", strerror(errno));
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive who waits for it */
        close(fds[0]);
        be_child(fds[1], said, work, self);
    }
    close(fds[1]);
    struct report r;
    bool told = read_all(fds[0], &r, sizeof r);
    close(fds[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        raise(SIGPIPE); /* nobody reads on: end as any command of a pipeline does */
    if (!told && WIFEXITED(status) && lseek(said, 0, SEEK_END) == 0)
        exit(WEXITSTATUS(status)); /* it has said all there was to say, as argp does for --help */
    bool orderly = told && WIFEXITED(status) && WEXITSTATUS(status) == err_exit_status(r.code);
    enum err_code code = orderly ? r.code : report_death(status, said, e);
    if (orderly && e != NULL)
        *e = r.e;
    close(said);
    return code;
}
