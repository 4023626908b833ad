/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/shipped.h"

#include "base/mem.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the running program is installed: "/usr/local" for /usr/local/bin/iasim. */
static bool find_prefix(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(out, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

char *shipped_path(const char *path)
{
    char prefix[PATH_MAX];
    const char *folder = getenv("IASIM_DATA");
    char *candidate = NULL;
    if (folder != NULL)
        candidate = mem_format("%s/%s", folder, path);
    else if (find_prefix(prefix))
        candidate = mem_format("%s/share/iasim/%s", prefix, path);
    if (candidate != NULL && access(candidate, R_OK) == 0)
        return candidate;
    free(candidate);
    return NULL;
}

char *shipped_file(const char *folder, const char *name)
{
    char *path = mem_format("%s/%s", folder, name), *found = shipped_path(path);
    free(path);
    if (found != NULL)
        return found;
    path = mem_format("%s/%s.xml", folder, name);
    found = shipped_path(path);
    free(path);
    return found;
}
