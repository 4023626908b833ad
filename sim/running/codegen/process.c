/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program gets a process group of its own, so all of it can be ended. Launchers of MPI put their ranks
   into further groups and end them when they are asked to; if they are killed instead, their orphans come to
   this process (orphans.h).

   Signals are blocked while the program runs and read from a descriptor: so no handler is needed, a signal that comes
   between two calls is not lost, and this process ends by that signal after it has cleaned up. */
#include "codegen/process.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/new_file.h"
#include "base/orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static const double patience_s = 5; /* between SIGTERM and SIGKILL */

/* SIGTERM when the parent dies: what launches other processes then ends these, too. */
static void become(const char *const *words, const char *folder, int log, const sigset_t *mask, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, mask, NULL); /* what this process had, not the blocked signals */
    /* A program that reads its standard input must not wait for a terminal. */
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    setenv("LC_ALL", "C", 1); /* messages are read */
    /* The parent may have died before prctl: then nobody would ever end this process. */
    if (getppid() == parent && chdir(folder) == 0)
        execvp(words[0], (char *const *)words);
    dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

struct watch {
    pid_t child;
    int child_fd, signal_fd;
};

/* Whether the child has ended within `limit_s`; *signal is what came instead, or 0. */
static bool wait_for_end(const struct watch *w, double limit_s, int *signal)
{
    struct pollfd fds[] = {{.fd = w->child_fd, .events = POLLIN}, {.fd = w->signal_fd, .events = POLLIN}};
    double until_s = clock_now_s() + limit_s;
    for (*signal = 0;;) {
        double left_ms = ceil(1000 * (until_s - clock_now_s()));
        /* At most 1000 s at a time: poll takes an int. */
        int n = poll(fds, 2, left_ms < 0 ? 0 : left_ms < 1e6 ? (int)left_ms : 1000000);
        /* The end of the program counts before a signal that came with it. */
        if (n > 0 && fds[0].revents != 0)
            return true;
        struct signalfd_siginfo info;
        if (n > 0 && fds[1].revents != 0 && read(w->signal_fd, &info, sizeof info) == sizeof info) {
            *signal = (int)info.ssi_signo;
            return false;
        }
        if (n == 0 && left_ms <= 0)
            return false;
    }
}

/* Asked first, so that launchers can end their ranks on other machines. */
static void end_group(const struct watch *w)
{
    int ignored;
    kill(-w->child, SIGTERM);
    if (!wait_for_end(w, patience_s, &ignored))
        kill(-w->child, SIGKILL);
}

/* Returns the signal that this process got, or 0. */
static int watch(const struct watch *w, double deadline_s, struct process_end *end)
{
    int signal;
    bool has_ended = wait_for_end(w, deadline_s, &signal);
    end->was_late = !has_ended && signal == 0;
    if (!has_ended)
        end_group(w);
    while (waitpid(w->child, &end->status, 0) < 0 && errno == EINTR)
        continue;
    kill(-w->child, SIGKILL); /* what the program has left in its group */
    orphans_end(NULL, 0);
    return signal;
}

enum err_code process_run(const char *const *words, const char *folder, const char *log, double deadline_s,
                          struct process_end *end, struct err *e)
{
    sigset_t signals, before;
    char *path = mem_format("%s/%s", folder, log);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), signal = 0;
    enum err_code code = ERR_NONE;
    *end = (struct process_end){0};
    if (fd < 0)
        code = err_set_at(e, err_of_errno(errno), path, 0, "cannot write: %s", strerror(errno));
    free(path);
    if (fd < 0)
        return code;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    /* Before fork, so that no signal comes between it and the wait. */
    sigprocmask(SIG_BLOCK, &signals, &before);
    orphans_become_reaper();
    pid_t parent = getpid();
    int signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
    pid_t child = signal_fd >= 0 ? fork() : -1;
    if (child == 0)
        become(words, folder, fd, &before, parent); /* does not return */
    struct watch w = {child, child > 0 ? pidfd_open(child, 0) : -1, signal_fd};
    /* errno is that of the first that failed. */
    if (w.child_fd < 0) {
        code = err_set(e, ERR_IO, "%s cannot be started: %s", words[0], strerror(errno));
        if (child > 0 && kill(child, SIGKILL) == 0)
            waitpid(child, NULL, 0);
    } else {
        setpgid(child, child); /* the child does it, too: whoever is first */
        signal = watch(&w, deadline_s, end);
    }
    close(w.child_fd);
    close(w.signal_fd);
    close(fd);
    sigprocmask(SIG_SETMASK, &before, NULL);
    /* With the signal unblocked again it is delivered here, by its usual effect. */
    if (signal != 0)
        raise(signal);
    return code;
}
