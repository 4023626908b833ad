/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux has no call that ends all descendants of a process: a plugin's process may leave its group and its session.
   It cannot leave its ancestors: an orphan becomes a child of the nearest reaper. */
#include "base/orphans.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

void orphans_become_reaper(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool is_known(pid_t pid, const pid_t *known, size_t n_known)
{
    for (size_t i = 0; i < n_known; i++)
        if (known[i] == pid)
            return true;
    return false;
}

bool orphans_exist(void)
{
    siginfo_t info;
    /* WNOWAIT leaves the status of an ended child for whoever waits for it. The call also succeeds with living
       children. */
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* The first child that is not among the known ones; 0: there is no other child. */
static pid_t find_orphan(const pid_t *known, size_t n_known)
{
    int pid;
    pid_t orphan = 0;
    /* Of this thread: children belong to the thread that forked them or, for orphans, to the reaper's main thread.
       The kernel makes the file anew at each opening. */
    FILE *children = fopen("/proc/thread-self/children", "re");
    while (children != NULL && orphan == 0 && fscanf(children, "%d", &pid) == 1)
        orphan = is_known(pid, known, n_known) ? 0 : pid;
    if (children != NULL)
        fclose(children);
    return orphan;
}

size_t orphans_end(const pid_t *known, size_t n_known)
{
    size_t n_ended = 0;
    pid_t orphan;
    /* One at a time: an orphan that ends may leave children of its own, which only then become ours. It ends, unless
       someone forks faster than we kill. */
    while (orphans_exist() && (orphan = find_orphan(known, n_known)) > 0) {
        kill(orphan, SIGKILL);
        /* Reaped, so that it is not found again and does not stay as a zombie. */
        while (waitpid(orphan, NULL, 0) < 0 && errno == EINTR)
            continue;
        n_ended++;
    }
    return n_ended;
}
