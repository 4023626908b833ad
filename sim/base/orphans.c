/* SPDX-License-Identifier: LGPL-2.1-or-later */
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
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* The first child that is not among the known ones; 0: there is no other child. */
static pid_t find_orphan(const pid_t *known, size_t n_known)
{
    int pid;
    pid_t orphan = 0;
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
    while (orphans_exist() && (orphan = find_orphan(known, n_known)) > 0) {
        kill(orphan, SIGKILL);
        while (waitpid(orphan, NULL, 0) < 0 && errno == EINTR)
            continue;
        n_ended++;
    }
    return n_ended;
}
