/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether a program under `iasim exec`, or any that it starts, has used SimGrid: one that has not looks as if a world
   had changed nothing. iasim replaces itself by the program, so the program's own process says it, at its end.

   A file in memory that this process keeps open notes it; others find it by /proc, because many programs close what
   they inherit. */
#include "simgrid/used.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file, if it still is the one that `iasim exec` has made: the program may have closed it, and opened its own. */
static bool is_ours(const char *path)
{
    char target[64] = "";
    return path != NULL && readlink(path, target, sizeof target - 1) > 0 && strstr(target, "memfd:" USED_FILE) != NULL;
}

void used_note(void)
{
    const char *path = getenv(USED_VARIABLE);
    int fd = is_ours(path) ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    if (write(fd, "1", 1) < 0) {
        /* the note is missing: the message is then wrong, but the simulation is not */
    }
    close(fd);
}

/* ---- in the process of the program ---- */

static int messages = -1;

/* The path names the process that `iasim exec` became: children inherit the variable, but their number differs. */
static bool is_first_process(const char *path)
{
    return path != NULL && strtol(path + strlen("/proc/"), NULL, 10) == (long)getpid();
}

/* Programs close their standard error before destructors run (GNU's do, to notice a full disk). */
__attribute__((constructor)) static void keep_messages(void)
{
    if (is_first_process(getenv(USED_VARIABLE)))
        messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, USED_FIRST_FD);
}

void used_say(void)
{
    const char *path = getenv(USED_VARIABLE);
    struct stat st;
    /* size 0: nobody has noted anything */
    if (messages >= 0 && is_first_process(path) && is_ours(path) && stat(path, &st) == 0 && st.st_size == 0)
        dprintf(messages,
                "iasim exec: nothing was simulated: neither this program nor one that it started used SimGrid\n");
}
