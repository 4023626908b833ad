/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files are written into a folder beside the final one, which then takes its name in one step: a program that was
   interrupted leaves nothing that looks like a whole one. The path is checked again by that step, not only before. */
#include "codegen/folder.h"

#include "base/mem.h"
#include "base/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum err_code cannot_write(const char *path, struct err *e)
{
    return err_set_at(e, err_of_errno(errno), path, 0, "cannot write: %s", strerror(errno));
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* An empty folder is as good as none. Anything in it may be of value to the user, so nothing is ever overwritten. */
static enum err_code check_is_free(const char *path, struct err *e)
{
    DIR *folder = opendir(path);
    enum err_code code = ERR_NONE;
    /* Not there: the usual case. */
    if (folder == NULL)
        return errno == ENOENT    ? ERR_NONE
               : errno == ENOTDIR ? err_set(e, ERR_USAGE, "'%s' exists and is not a folder", path)
                                  : cannot_write(path, e);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && code == ERR_NONE;)
        if (!is_dots(entry->d_name))
            code = err_set(e, ERR_USAGE, "the folder '%s' is not empty; choose a new one", path);
    closedir(folder);
    return code;
}

static void forget(struct new_folder *f)
{
    free(f->path);
    free(f->temporary);
    *f = (struct new_folder){0};
}

enum err_code new_folder_open(const char *path, struct new_folder *f, struct err *e)
{
    enum err_code code = check_is_free(path, e);
    if (code != ERR_NONE)
        return code;
    f->path = mem_strdup(path);
    /* "out/" would put the temporary folder into the final one */
    for (size_t n = strlen(path); n > 1 && f->path[n - 1] == '/'; n--)
        f->path[n - 1] = '\0';
    /* Beside the final folder, not in TMPDIR: a folder can only be renamed within its file system. */
    f->temporary = mem_format("%s.XXXXXX", f->path);
    /* mkdtemp makes a folder that only its owner can read; the final one is to have the permissions that mkdir gives.
       Only umask itself tells the mask, and it sets it. */
    mode_t mask = umask(0);
    umask(mask);
    if (mkdtemp(f->temporary) == NULL || chmod(f->temporary, 0777 & ~mask) != 0) {
        code = cannot_write(path, e);
        forget(f);
    }
    return code;
}

/* A short write is not an error: pipes and full disks give them, and signals. */
static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t wrote = write(fd, bytes, n);
        if (wrote < 0 && errno != EINTR)
            return false;
        bytes += wrote > 0 ? wrote : 0;
        n -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

enum err_code new_folder_write(struct new_folder *f, const char *name, const void *bytes, size_t n, struct err *e)
{
    char *path = mem_format("%s/%s", f->temporary, name);
    /* O_EXCL: two files of one name would be a mistake of ours, and a link that somebody put there is not followed. */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    enum err_code code = fd >= 0 && write_all(fd, bytes, n) ? ERR_NONE : cannot_write(f->path, e);
    /* network file systems report a full disk only here */
    if (fd >= 0 && close(fd) != 0 && code == ERR_NONE)
        code = cannot_write(f->path, e);
    free(path);
    return code;
}

enum err_code folder_make_temporary(char **out, struct err *e)
{
    const char *place = getenv("TMPDIR");
    place = place != NULL && place[0] != '\0' ? place : "/tmp";
    *out = mem_format("%s/iasim-codegen.XXXXXX", place);
    if (mkdtemp(*out) != NULL)
        return ERR_NONE;
    err_set(e, ERR_IO, "cannot create a directory in %s: %s", place, strerror(errno));
    free(*out);
    *out = NULL;
    return ERR_IO;
}

/* One level is enough: programs have no folders inside. What cannot be removed stays, because the first error
   counts. */
void folder_discard(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (!is_dots(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL)
        closedir(folder);
    rmdir(path);
}

/* An empty folder of that name is replaced; should another process have filled it meanwhile, the renaming fails. */
enum err_code new_folder_close(struct new_folder *f, bool keep, struct err *e)
{
    enum err_code code = ERR_NONE;
    if (keep && rename(f->temporary, f->path) != 0)
        code = cannot_write(f->path, e);
    if (!keep || code != ERR_NONE)
        folder_discard(f->temporary);
    forget(f);
    return code;
}
