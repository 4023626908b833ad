/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows come in the order of the primary key, so what is written does not depend on the order they were stored
   in, and memory does not grow with them. */
#include "store/store.h"

#include "base/new_file.h"
#include "base/text.h"
#include "store/store_sql.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_value(FILE *out, sqlite3_stmt *q, int column)
{
    char number[TEXT_NUMBER_SIZE];
    switch (sqlite3_column_type(q, column)) {
    case SQLITE_NULL:
        break;
    /* 17 digits: a number that is read back is the same double. */
    case SQLITE_FLOAT:
        fputs(text_number(sqlite3_column_double(q, column), number), out);
        break;
    /* Whole numbers and texts. Numbers never need quotes. */
    default:
        text_write_csv_field(out, (const char *)sqlite3_column_text(q, column));
    }
}

static void write_line(FILE *out, sqlite3_stmt *q, bool header)
{
    for (int c = 0; c < sqlite3_column_count(q); c++) {
        if (c > 0)
            putc(',', out);
        if (header)
            text_write_csv_field(out, sqlite3_column_name(q, c));
        else
            write_value(out, q, c);
    }
    putc('\n', out);
}

static enum err_code write_rows(const struct database *db, FILE *out, struct err *e)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    /* All columns, in the order of the table: parameters, metrics, error. */
    enum err_code code = sql_prepare(db, "SELECT * FROM results ORDER BY key, replication", &q, e);
    if (code == ERR_NONE)
        write_line(out, q, true);
    /* A full disk ends it at once: the error is in the stream. */
    while (code == ERR_NONE && !ferror(out) && (code = sql_step(db, q, &row, e)) == ERR_NONE && row)
        write_line(out, q, false);
    sqlite3_finalize(q);
    return code;
}

static enum err_code export_to_file(const struct database *db, const char *path, struct err *e)
{
    struct new_file f;
    enum err_code code = new_file_open(path, &f, e);
    if (code != ERR_NONE)
        return code;
    code = write_rows(db, f.out, e);
    /* Closed in any case; the file appears only if all rows were written. */
    enum err_code closing = new_file_close(&f, code == ERR_NONE, e);
    return code == ERR_NONE ? closing : code;
}

enum err_code store_export(const char *database, const char *path, struct err *e)
{
    struct database db;
    if (access(database, R_OK) != 0)
        return err_set_at(e, ERR_IO, database, 0, "cannot open: %s", strerror(errno));
    /* Not to read only: a log that a killed run has left is brought in, which writes. */
    enum err_code code = sql_open(&db, database, false, e);
    if (code == ERR_NONE)
        code = sql_check_ours(&db, e);
    if (code == ERR_NONE)
        code = path != NULL ? export_to_file(&db, path, e) : write_rows(&db, stdout, e);
    sql_close(&db);
    return code;
}
