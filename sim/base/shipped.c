/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the program's own files are. Nothing is compiled in as an absolute path: an installed tree can be moved, and
   Python finds the files of the library that it has loaded. */
#include "base/shipped.h"

#include "base/mem.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PREFIX/share/iasim, from where the object is that this code is in: libiasim, in whichever program. Fresh; NULL:
   none. */
static char *installed_folder(void)
{
    /* Any object of this library serves: dladdr says which file it was loaded from. */
    static const char here;
    Dl_info object;
    if (dladdr(&here, &object) == 0 || object.dli_fname == NULL)
        return NULL;
    const char *slash = strrchr(object.dli_fname, '/');
    int n = slash != NULL ? (int)(slash - object.dli_fname) + 1 : 0;
    /* DATA_FROM_LIBRARY is the way from the library's folder to the data, from CMake. realpath also answers whether
       it is there. */
    char *folder = mem_format("%.*s%s", n, object.dli_fname, DATA_FROM_LIBRARY), *real = realpath(folder, NULL);
    free(folder);
    return real;
}

char *shipped_path(const char *path)
{
    /* First, so that tests and developers run an uninstalled program on the files of their source tree. */
    const char *given = getenv("IASIM_DATA");
    char *folder = given != NULL ? mem_strdup(given) : installed_folder();
    char *candidate = folder != NULL ? mem_format("%s/%s", folder, path) : NULL;
    free(folder);
    if (candidate != NULL && access(candidate, R_OK) == 0)
        return candidate;
    free(candidate);
    return NULL;
}

char *shipped_file(const char *folder, const char *name)
{
    char *path = mem_format("%s/%s", folder, name), *found = shipped_path(path);
    free(path);
    /* The name as it is comes first: scenarios are folders, and a user may write the ".xml". */
    if (found != NULL)
        return found;
    path = mem_format("%s/%s.xml", folder, name);
    found = shipped_path(path);
    free(path);
    return found;
}

static const char *program;

void shipped_program_is(const char *path)
{
    program = path;
}

char *shipped_program(void)
{
    /* Within Python /proc/self/exe is the interpreter, which cannot be started as iasim. */
    return realpath(program != NULL ? program : "/proc/self/exe", NULL);
}

bool program_is_installed(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    char *folders = mem_strdup(path != NULL ? path : ""), *rest = folders, *folder;
    while (!found && (folder = strsep(&rest, ":")) != NULL) {
        /* An empty entry of PATH is the current folder, as for the shell. */
        char *file = mem_format("%s/%s", folder[0] != '\0' ? folder : ".", name);
        found = access(file, X_OK) == 0;
        free(file);
    }
    free(folders);
    return found;
}
