/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows come in the order of the primary key, so what is written does not depend on the order they were stored
   in, and memory does not grow with them. */
#include "scenario/store.h"

#include "base/mem.h"
#include "base/text.h"
#include "scenario/store_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_field(FILE *out, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void write_value(FILE *out, sqlite3_stmt *q, int column)
{
    char number[TEXT_NUMBER_SIZE];
    switch (sqlite3_column_type(q, column)) {
    case SQLITE_NULL:
        break;
    case SQLITE_FLOAT:
        fputs(text_number(sqlite3_column_double(q, column), number), out);
        break;
    default:
        write_field(out, (const char *)sqlite3_column_text(q, column));
    }
}

static void write_line(FILE *out, sqlite3_stmt *q, bool header)
{
    for (int c = 0; c < sqlite3_column_count(q); c++) {
        if (c > 0)
            putc(',', out);
        if (header)
            write_field(out, sqlite3_column_name(q, c));
        else
            write_value(out, q, c);
    }
    putc('\n', out);
}

static enum err_code write_rows(const struct database *db, FILE *out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum err_code code = sql_prepare(db, "SELECT * FROM results ORDER BY key, replication", &q, e);
    if (code == ERR_NONE)
        write_line(out, q, true);
    while (code == ERR_NONE && !ferror(out) && (code = sql_step(db, q, &row, e)) == ERR_NONE && row)
        write_line(out, q, false);
    sqlite3_finalize(q);
    return code;
}

static enum err_code cannot_write(const char *path, struct err *e)
{
    return err_set_at(e, ERR_IO, path, 0, "cannot write: %s", strerror(errno));
}

/* A new file beside `path` that takes its place at the end. A pipe or a device is written straight. */
static FILE *open_beside(const char *path, char **temporary)
{
    struct stat st;
    *temporary = NULL;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return fopen(path, "we");
    *temporary = mem_format("%s.XXXXXX", path);
    int fd = mkostemp(*temporary, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fdopen(fd, "w");
}

static enum err_code export_to_file(const struct database *db, const char *path, struct err *e)
{
    char *temporary;
    FILE *out = open_beside(path, &temporary);
    enum err_code code = out != NULL ? write_rows(db, out, e) : cannot_write(path, e);
    if (out != NULL) {
        bool ok = !ferror(out);
        ok = fclose(out) == 0 && ok;
        if (code == ERR_NONE && (!ok || (temporary != NULL && rename(temporary, path) != 0)))
            code = cannot_write(path, e);
        if (code != ERR_NONE && temporary != NULL)
            unlink(temporary);
    }
    free(temporary);
    return code;
}

enum err_code store_export(const char *database, const char *path, struct err *e)
{
    struct database db;
    if (access(database, R_OK) != 0)
        return err_set_at(e, ERR_IO, database, 0, "cannot open: %s", strerror(errno));
    enum err_code code = sql_open(&db, database, false, e);
    if (code == ERR_NONE)
        code = sql_check_ours(&db, e);
    if (code == ERR_NONE)
        code = path != NULL ? export_to_file(&db, path, e) : write_rows(&db, stdout, e);
    sql_close(&db);
    return code;
}
