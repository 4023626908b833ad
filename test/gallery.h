/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks a folder of bad inputs: each NAME.xml must be refused with the message in NAME.error (see
 * test/gallery). */
#ifndef IASIM_TEST_GALLERY_H
#define IASIM_TEST_GALLERY_H

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static int is_xml(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".xml") == 0;
}

static inline void gallery_check_message(const char *name, const char *got)
{
    struct text want = {0};
    struct err e = {0};
    char *file = mem_format("%.*s.error", (int)strlen(name) - 4, name);
    CHECK_OK(text_read_file(&want, file, 10000, &e), e);
    size_t n = want.size;
    while (n > 0 && want.data[n - 1] == '\n')
        want.data[--n] = '\0';
    bool begins = n > 0 && want.data[n - 1] == '*';
    CU_ASSERT(check_text(begins && strncmp(got, text_str(&want), n - 1) == 0 ? text_str(&want) : got,
                         text_str(&want), true, name, 0, "message"));
    text_clear(&want);
    free(file);
}

/* `read` reads a file and frees what it made of it. */
static inline void gallery_walk(const char *folder, int at_least,
                                enum err_code (*read)(const char *path, struct err *e))
{
    struct dirent **entries;
    char before[4096], message[2048];
    CHECK(getcwd(before, sizeof before) != NULL && chdir(folder) == 0);
    int n = scandir(".", &entries, is_xml, alphasort);
    CHECK(n >= at_least);
    for (int i = 0; i < n; i++) {
        struct err e = {0};
        enum err_code code = read(entries[i]->d_name, &e);
        CHECK(code != ERR_NONE && code == e.code);
        gallery_check_message(entries[i]->d_name, err_describe(&e, message, sizeof message));
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    CHECK(chdir(before) == 0);
}

#endif
