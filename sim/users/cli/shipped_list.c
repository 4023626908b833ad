/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names and titles of shipped files, for lists, messages and completion. A folder is read when first asked for, and
   kept: one process asks again and again (each option that completes, each unknown name). */
#include "cli/shipped_list.h"

#include "base/mem.h"
#include "base/shipped.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 1 << 24 };

static struct folder {
    const char *name;
    struct shipped_entry *entries;
    size_t n;
    bool is_read;
} folders[] = {{.name = "scenarios"}, {.name = "platforms"}, {.name = "deployments"}};

/* ---- titles ---- */

static bool begins_sentence(char c)
{
    return isupper((unsigned char)c) || isdigit((unsigned char)c);
}

/* The length of the first sentence. */
/* A '.' ends it only before a blank and a capital or digit: "Table 4, col. b" and "0.5" stay whole. The final '.' is
   left out, as in lists. */
static size_t sentence(const char *text, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t blanks = strspn(text + i + 1, " \t\r\n");
        if (text[i] == '.' && blanks > 0 && (i + 1 + blanks >= n || begins_sentence(text[i + 1 + blanks])))
            return i;
    }
    while (n > 0 && (isspace((unsigned char)text[n - 1]) || text[n - 1] == '.'))
        n--;
    return n;
}

/* In one line, with one blank between words. */
/* The text is a paragraph of a file, broken into lines and indented there. */
static char *one_line(const char *text, size_t n)
{
    struct text t = {0};
    for (size_t i = 0; i < n;) {
        size_t blanks = strspn(text + i, " \t\r\n"), word = strcspn(text + i + blanks, " \t\r\n");
        if (i + blanks >= n)
            break;
        word = i + blanks + word > n ? n - i - blanks : word;
        text_addf(&t, "%s%.*s", t.size > 0 ? " " : "", (int)word, text + i + blanks);
        i += blanks + word;
    }
    return text_take(&t);
}

/* What stands between the marks; NULL: they are not there. */
static const char *between(const char *text, const char *from, const char *to, size_t *n)
{
    const char *start = strstr(text, from), *end = start != NULL ? strstr(start, to) : NULL;
    if (end == NULL)
        return NULL;
    start += strlen(from);
    *n = (size_t)(end - start);
    return start;
}

/* A scenario has a <description>; platforms and deployments have a comment. The first comment of a file is the licence,
   so those that begin with SPDX are passed over. A file that cannot be read has no title, but stays in the list. */
static char *title_of(const char *path)
{
    struct text content = {0};
    size_t n = 0;
    if (text_read_file(&content, path, MAX_FILE_BYTES, NULL) != ERR_NONE)
        return mem_strdup("");
    const char *text = text_str(&content), *found = between(text, "<description>", "</description>", &n);
    if (found == NULL)
        for (found = between(text, "<!--", "-->", &n); found != NULL && strncmp(found, " SPDX", 5) == 0;)
            found = between(found + n, "<!--", "-->", &n);
    char *title = found != NULL ? one_line(found, sentence(found, n)) : mem_strdup("");
    text_clear(&content);
    return title;
}

/* ---- folders ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct shipped_entry *)a)->name, ((const struct shipped_entry *)b)->name);
}

static void take_entry(struct folder *f, const char *path, const char *file)
{
    size_t n = strlen(file);
    /* FILE.xml, or a folder with a scenario.xml; others (README.md) are no entries. */
    bool is_xml = n > 4 && strcmp(file + n - 4, ".xml") == 0;
    char *place = is_xml ? mem_format("%s/%s", path, file) : mem_format("%s/%s/scenario.xml", path, file);
    if (file[0] != '.' && access(place, R_OK) == 0) {
        f->entries = mem_resize(f->entries, f->n + 1, sizeof f->entries[0]);
        f->entries[f->n++] =
            (struct shipped_entry){mem_format("%.*s", (int)(is_xml ? n - 4 : n), file), title_of(place)};
    }
    free(place);
}

static void read_folder(struct folder *f)
{
    char *path = shipped_path(f->name);
    DIR *d = path != NULL ? opendir(path) : NULL;
    const struct dirent *x;
    /* Also where the folder is missing: it is not looked for again. */
    f->is_read = true;
    while (d != NULL && (x = readdir(d)) != NULL)
        take_entry(f, path, x->d_name);
    if (d != NULL)
        closedir(d);
    /* readdir has no order, and lists must be the same everywhere. */
    if (f->n > 0)
        qsort(f->entries, f->n, sizeof f->entries[0], by_name);
    free(path);
}

bool shipped_list_entry(const char *folder, size_t i, struct shipped_entry *out)
{
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        struct folder *f = &folders[k];
        if (strcmp(f->name, folder) != 0)
            continue;
        if (!f->is_read)
            read_folder(f);
        if (i < f->n)
            *out = f->entries[i];
        return i < f->n;
    }
    return false;
}

void shipped_list_add_names(const char *folder, struct text *out)
{
    struct shipped_entry x;
    for (size_t i = 0; shipped_list_entry(folder, i, &x); i++)
        text_add_name(out, x.name);
}
