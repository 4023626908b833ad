/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/interpreter.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What Debian's packages of Python are installed for. Any other python3 may lack them. */
static const char DEBIANS[] = "/usr/bin/python3";

/* Its folder is absolute and without symbolic links, but its name is as it stands there: a virtual environment is a
   link to another Python, which knows by the link's place that it is in one. NULL: there is none. */
static char *first_in_path(void)
{
    const char *path = getenv("PATH");
    for (const char *entry = path; entry != NULL && *entry != '\0';) {
        size_t n = strcspn(entry, ":");
        /* An empty entry is the current folder, as for the shell. */
        char *given = mem_format("%.*s/", (int)n, n > 0 ? entry : "."), *folder = realpath(given, NULL);
        char *candidate = folder != NULL ? mem_format("%s/python3", folder) : NULL;
        free(given);
        free(folder);
        if (candidate != NULL && access(candidate, X_OK) == 0)
            return candidate;
        free(candidate);
        entry += n + (entry[n] == ':');
    }
    return NULL;
}

/* A Python that is broken, or is none, must not write between the program's own messages. */
static _Noreturn void run_silently(const char *const *words)
{
    /* Nobody asked for its output: the status alone says whether it can. */
    int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; nothing >= 0 && fd <= 2; fd++)
        dup2(nothing, fd);
    execv(words[0], (char *const *)words);
    _exit(127);
}

static bool runs(const char *python, const char *statements, const char *argument)
{
    /* -B: no __pycache__ beside scripts in a folder that is not ours. -X utf8: file names and scripts are read alike
       under LANG=C. */
    const char *const words[] = {python, "-B", "-X", "utf8", "-c", statements, argument, NULL};
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        run_silently(words);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && status == 0;
}

char *interpreter_that_runs(const char *statements, const char *argument)
{
    char *first = first_in_path();
    /* Debian's own is not tried: it is what remains anyway, and starting it costs time. */
    if (first != NULL && strcmp(first, DEBIANS) != 0 && runs(first, statements, argument))
        return first;
    free(first);
    return mem_strdup(DEBIANS);
}
