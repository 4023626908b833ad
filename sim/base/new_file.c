/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files appear by rename, which is atomic within one file system; hence the temporary name is in the same folder.
   Nothing is synchronised to the disk: a power failure may lose a file, an interrupt or a full disk does not damage
   one. */
#include "base/new_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum err_code err_of_errno(int reason)
{
    /* A quota that is used up is a full disk for the user. It is not the path that is wrong, so the code differs from
       ERR_IO, and with it the exit status. */
    return reason == ENOSPC || reason == EDQUOT ? ERR_FULL : ERR_IO;
}

static enum err_code cannot_write(const char *path, struct err *e)
{
    return err_set_at(e, err_of_errno(errno), path, 0, "cannot write: %s", strerror(errno));
}

/* Devices and pipes, and files that exist only as names (/dev/stdout is a link to the target of standard output).
   Renaming over one of them would put an ordinary file in its place. */
static bool is_special(const char *path)
{
    struct stat st;
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return true;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* The target of a symbolic link is replaced, not the link. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    return real != NULL ? real : mem_strdup(path);
}

/* The permissions of the file that is replaced, or those of new files. */
static mode_t mode_for(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 0777;
    /* The mask can only be read by setting it. */
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static FILE *open_temporary(char *name, const char *path)
{
    /* Made with a name that nobody else has, so two programs that write one file do not write into one another; the
       later rename wins. mkostemp gives it to the owner alone, hence fchmod. */
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    fchmod(fd, mode_for(path));
    FILE *out = fdopen(fd, "w");
    if (out == NULL) {
        unlink(name);
        close(fd);
    }
    return out;
}

static void forget(struct new_file *f)
{
    free(f->temporary);
    free(f->path);
    free(f->name);
    *f = (struct new_file){0};
}

enum err_code new_file_open(const char *path, struct new_file *f, struct err *e)
{
    /* Messages use the name as given: the user has not seen its target. */
    *f = (struct new_file){.path = resolve(path), .name = mem_strdup(path)};
    if (!is_special(path))
        f->temporary = mem_format("%s.XXXXXX", f->path);
    f->out = f->temporary ? open_temporary(f->temporary, f->path) : fopen(path, "we");
    if (f->out != NULL)
        return ERR_NONE;
    enum err_code code = cannot_write(path, e);
    forget(f);
    return code;
}

/* A stream remembers that a write failed, but not why. Another write fails for the same reason, and tells it. So
   some bytes are written to what cannot be spoilt: a file that will be removed, or a device like /dev/full. A pipe
   or a terminal has a reader, who would see them. */
static int reason_of(FILE *failed)
{
    static const char block[65536];
    struct stat st;
    bool has_reader =
        fstat(fileno(failed), &st) != 0 || !(S_ISREG(st.st_mode) || S_ISCHR(st.st_mode)) || isatty(fileno(failed));
    /* Twice: the first may still fill the last free bytes of the disk and succeed in part. */
    for (int i = 0; !has_reader && i < 2; i++)
        if (write(fileno(failed), block, sizeof block) < 0)
            return errno;
    return EIO;
}

enum err_code new_file_close(struct new_file *f, bool keep, struct err *e)
{
    enum err_code code = ERR_NONE;
    /* Checked before fclose, which only reports its own failure: the last buffer may have been written well. */
    bool ok = !ferror(f->out);
    int reason = ok ? 0 : reason_of(f->out);
    if (fclose(f->out) != 0) {
        ok = false;
        reason = errno;
    }
    /* cannot_write takes the reason from errno; the calls since may have changed it. */
    errno = reason;
    if (ok && keep && f->temporary != NULL)
        ok = rename(f->temporary, f->path) == 0;
    if (!ok && keep)
        code = cannot_write(f->name, e);
    /* Without a result nothing stays behind, not even under the temporary name. */
    if (f->temporary != NULL && (!ok || !keep))
        unlink(f->temporary);
    forget(f);
    return code;
}

static bool is_one_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* By device and number, so "a/../in.xml" and a link to in.xml are found. An output that does not exist yet cannot be
   an input. Devices may be both (/dev/tty). */
enum err_code new_file_check_not_input(const char *output, const char *const *inputs, size_t n, struct err *e)
{
    struct stat out, in;
    if (output == NULL || stat(output, &out) != 0 || !S_ISREG(out.st_mode))
        return ERR_NONE;
    for (size_t i = 0; i < n; i++)
        if (inputs[i] != NULL && stat(inputs[i], &in) == 0 && is_one_file(&in, &out))
            return err_set(e, ERR_USAGE, "the output '%s' would overwrite the input '%s'", output, inputs[i]);
    return ERR_NONE;
}

/* The real path of the folder, and the name; NULL where there is no such folder. */
static char *place_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    /* The slash stays, so the folder of "/name" is "/" and not "". */
    char *folder = slash != NULL ? mem_format("%.*s", (int)(slash - path) + 1, path) : mem_strdup(".");
    char *real = realpath(folder, NULL);
    char *place = real != NULL ? mem_format("%s/%s", real, slash != NULL ? slash + 1 : path) : NULL;
    free(real);
    free(folder);
    return place;
}

bool new_file_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;
    /* If only one of them exists they are two files; if neither does, compare where they would be. */
    if (has_a || has_b)
        return has_a && has_b && is_one_file(&of_a, &of_b);
    char *place_a = place_of(a), *place_b = place_of(b);
    bool is_same = strcmp(a, b) == 0 || (place_a != NULL && place_b != NULL && strcmp(place_a, place_b) == 0);
    free(place_a);
    free(place_b);
    return is_same;
}

static bool can_be_written(const char *path)
{
    struct stat st;
    /* Otherwise the folder's permissions would be asked, and the mistake found only at the end, by rename. */
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (is_special(path))
        return access(path, W_OK) == 0;
    /* The file itself need not be writable: rename needs its folder. */
    char *real = resolve(path), *slash = strrchr(real, '/');
    if (slash != NULL)
        slash[slash == real] = '\0'; /* its folder, where the temporary file will be */
    bool ok = access(slash != NULL ? real : ".", W_OK | X_OK) == 0;
    /* free may change errno, which the message needs. */
    int reason = errno;
    free(real);
    errno = reason;
    return ok;
}

enum err_code new_file_check(const char *path, struct err *e)
{
    return path == NULL || can_be_written(path) ? ERR_NONE : cannot_write(path, e);
}
