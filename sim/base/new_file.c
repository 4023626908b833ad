/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/new_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum err_code cannot_write(const char *path, struct err *e)
{
    return err_set_at(e, ERR_IO, path, 0, "cannot write: %s", strerror(errno));
}

static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static FILE *open_temporary(char *name)
{
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fdopen(fd, "w");
}

static void forget(struct new_file *f)
{
    free(f->temporary);
    free(f->path);
    *f = (struct new_file){0};
}

enum err_code new_file_open(const char *path, struct new_file *f, struct err *e)
{
    *f = (struct new_file){.path = mem_strdup(path)};
    if (!is_special(path))
        f->temporary = mem_format("%s.XXXXXX", path);
    f->out = f->temporary ? open_temporary(f->temporary) : fopen(path, "we");
    if (f->out != NULL)
        return ERR_NONE;
    enum err_code code = cannot_write(path, e);
    forget(f);
    return code;
}

enum err_code new_file_close(struct new_file *f, bool keep, struct err *e)
{
    enum err_code code = ERR_NONE;
    bool ok = !ferror(f->out);
    ok = fclose(f->out) == 0 && ok;
    if (ok && keep && f->temporary != NULL)
        ok = rename(f->temporary, f->path) == 0;
    if (!ok && keep)
        code = cannot_write(f->path, e);
    if (f->temporary != NULL && (!ok || !keep))
        unlink(f->temporary);
    forget(f);
    return code;
}
