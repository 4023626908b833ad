/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/strays.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

void strays_become_reaper(void)
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

bool strays_exist(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* The first child that is not among the known ones; 0: there is no other child. */
static pid_t find_stray(const pid_t *known, size_t n_known)
{
    int pid;
    pid_t stray = 0;
    FILE *children = fopen("/proc/thread-self/children", "re");
    while (children != NULL && stray == 0 && fscanf(children, "%d", &pid) == 1)
        stray = is_known(pid, known, n_known) ? 0 : pid;
    if (children != NULL)
        fclose(children);
    return stray;
}

size_t strays_end(const pid_t *known, size_t n_known)
{
    size_t n_ended = 0;
    pid_t stray;
    while (strays_exist() && (stray = find_stray(known, n_known)) > 0) {
        kill(stray, SIGKILL);
        while (waitpid(stray, NULL, 0) < 0 && errno == EINTR)
            continue;
        n_ended++;
    }
    return n_ended;
}
