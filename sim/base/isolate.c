/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/isolate.h"

#include "base/foreign.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- what it said --- */

bool said_read(struct said *s, int fd)
{
    char bytes[4096];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    size_t room = sizeof s->text - 1 - s->size, kept = (size_t)n < room ? (size_t)n : room;
    memcpy(s->text + s->size, bytes, kept);
    s->size += kept;
    s->text[s->size] = '\0';
    return n > 0;
}

/* Of all lines, the one with the most telling word; else the first that is not empty. */
static const char *telling_line(const char *text)
{
    static const char *const marks[] = {"what():", "CRITICAL", "ERROR", "rror:", "ssertion"};
    const char *at = NULL;
    for (size_t i = 0; at == NULL && i < sizeof marks / sizeof marks[0]; i++)
        at = strstr(text, marks[i]);
    if (at == NULL)
        return text + strspn(text, " \t\r\n");
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* ": the line that says why", with which function of a plugin it was in before that. */
static char *reason_of(const struct said *s)
{
    const char *line = telling_line(s->text), *plugin = strstr(s->text, "\n" FOREIGN_MARK);
    int n = (int)strcspn(line, "\n"), n_plugin = plugin != NULL ? (int)strcspn(plugin + 1, "\n") : 0;
    n = n < 500 ? n : 500;
    if (plugin != NULL && (line == plugin + 1 || n == 0))
        return mem_format(": %.*s", n_plugin, plugin + 1);
    if (plugin != NULL)
        return mem_format(": %.*s: %.*s", n_plugin, plugin + 1, n, line);
    return mem_format("%s%.*s", n > 0 ? ": " : "", n, line);
}

enum err_code said_explain(const struct said *s, int wait_status, struct err *e)
{
    char *reason = reason_of(s);
    if (!WIFSIGNALED(wait_status)) {
        err_set(e, ERR_INTERNAL, "ended with status %d before it had a result%s", WEXITSTATUS(wait_status), reason);
    } else {
        int signal_number = WTERMSIG(wait_status);
        const char *name = sigabbrev_np(signal_number);
        err_set(e, ERR_INTERNAL, "crashed with SIG%s (%s)%s", name ? name : "?", strsignal(signal_number), reason);
    }
    free(reason);
    return ERR_INTERNAL;
}

/* --- the child --- */

void *isolate_shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void isolate_unshare(void *memory, size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}

void isolate_become_child(pid_t parent, int said_fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(3);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(said_fd, STDOUT_FILENO);
    dup2(said_fd, STDERR_FILENO);
}

struct report { /* in shared memory; `code` and `e` hold once `is_complete` does */
    enum err_code code;
    struct err e;
    bool is_complete;
};

/* Until the child has closed its output, which the end of a process does. */
static void listen_to_the_end(int fd, struct said *said)
{
    while (said_read(said, fd))
        continue;
}

static enum err_code outcome(const struct report *r, const struct said *said, int wait_status, struct err *e)
{
    if (!r->is_complete)
        return said_explain(said, wait_status, e);
    if (r->code != ERR_NONE && e != NULL)
        *e = r->e;
    return r->code;
}

static enum err_code watch(pid_t child, int fd, const struct report *r, struct err *e)
{
    struct said said = {0};
    int status = 0;
    listen_to_the_end(fd, &said);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return outcome(r, &said, status, e);
}

enum err_code isolate_run(enum err_code (*work)(void *self, struct err *e), void *self, struct err *e)
{
    int fds[2];
    struct report *r = isolate_shared(sizeof *r);
    if (r == NULL || pipe2(fds, O_CLOEXEC) != 0) {
        isolate_unshare(r, sizeof *r);
        return err_set(e, ERR_INTERNAL, "no memory or pipe for a process: %s", strerror(errno));
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        isolate_become_child(parent, fds[1]);
        r->code = work(self, &r->e);
        r->is_complete = true;
        _exit(0);
    }
    int reason = errno;
    close(fds[1]);
    enum err_code code = child > 0 ? watch(child, fds[0], r, e)
                                   : err_set(e, ERR_INTERNAL, "cannot start a process: %s", strerror(reason));
    close(fds[0]);
    isolate_unshare(r, sizeof *r);
    return code;
}
