/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks a folder of bad inputs: each NAME.xml (or another ending) must be refused with the message in NAME.error (see
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

static inline bool gallery_ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), n_ending = strlen(ending);
    return n > n_ending && strcmp(name + n - n_ending, ending) == 0;
}

static inline int is_xml(const struct dirent *entry)
{
    return gallery_ends_with(entry->d_name, ".xml");
}

/* A '*' in `want` stands for any words: lists of what is known grow with each new thing. */
static inline bool gallery_matches(const char *got, const char *want)
{
    while (*want != '\0' && *want != '*' && *want == *got) {
        want++;
        got++;
    }
    if (*want != '*')
        return *want == *got;
    do
        if (gallery_matches(got, want + 1))
            return true;
    while (*got++ != '\0');
    return false;
}

static inline void gallery_check_message(const char *name, const char *got)
{
    struct text want = {0};
    struct err e = {0};
    char *file = mem_format("%.*s.error", (int)(strrchr(name, '.') - name), name);
    CHECK_OK(text_read_file(&want, file, 10000, &e), e);
    size_t n = want.size;
    while (n > 0 && want.data[n - 1] == '\n')
        want.data[--n] = '\0';
    CU_ASSERT(check_text(gallery_matches(got, text_str(&want)) ? text_str(&want) : got, text_str(&want), true, name, 0,
                         "message"));
    text_clear(&want);
    free(file);
}

static inline void gallery_check_file(const char *name, enum err_code (*read)(const char *path, struct err *e))
{
    struct err e = {0};
    char message[2048];
    enum err_code code = read(name, &e);
    CHECK(code != ERR_NONE && code == e.code);
    gallery_check_message(name, err_describe(&e, message, sizeof message));
}

/* Reads all files with this extension. `read` reads one file and frees the result. */
static inline void gallery_walk_ending(const char *folder, const char *ending, int at_least,
                                       enum err_code (*read)(const char *path, struct err *e))
{
    struct dirent **entries;
    char before[4096];
    int n_files = 0;
    CHECK(getcwd(before, sizeof before) != NULL && chdir(folder) == 0);
    int n = scandir(".", &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (gallery_ends_with(entries[i]->d_name, ending)) {
            gallery_check_file(entries[i]->d_name, read);
            n_files++;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    CHECK(n_files >= at_least);
    CHECK(chdir(before) == 0);
}

static inline void gallery_walk(const char *folder, int at_least,
                                enum err_code (*read)(const char *path, struct err *e))
{
    gallery_walk_ending(folder, ".xml", at_least, read);
}

#endif
