/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A reader that gets a file of another kind can only say what it misses on which line. Users have taken one file for
   another, so its first bytes are looked at before, and the message says what it is. */
#include "cli/input_file.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/shipped.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/shipped_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where it is ---- */

/* Arguments live as long as the program, and so do the paths made of them. */
/* The list makes them reachable until the end, so that leak checkers do not report them. */
static const char *keep(char *path)
{
    static struct kept {
        char *path;
        struct kept *next;
    } * all;
    struct kept *one = mem_alloc(sizeof *one);
    *one = (struct kept){path, all};
    all = one;
    return path;
}

/* The first folder of `values`, "platforms/": its name without the slash, of *n bytes; NULL: there is none. */
static const char *folder_of(const char *values, size_t *n)
{
    for (const char *at = values; at != NULL && *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length > 1 && at[length - 1] == '/') {
            *n = length - 1;
            return at;
        }
        at += length;
    }
    return NULL;
}

/* `given` itself, then the same path below the data folder, then the bare name of a shipped file ("kreaseck-fork"). */
const char *input_file(const char *values, const char *given, struct err *e)
{
    size_t n = 0;
    const char *folder = folder_of(values, &n);
    char *path = command_data_path(given);
    /* A name with a '/' or a '.' is meant as a path, and "-" as standard input: its reader says that it is missing. */
    if (access(path, F_OK) == 0 || folder == NULL || strpbrk(given, "/.") != NULL || strcmp(given, "-") == 0)
        return keep(path);
    char *name = mem_format("%.*s", (int)n, folder), *shipped = shipped_file(name, given);
    struct text known = {0};
    shipped_list_add_names(name, &known);
    if (shipped == NULL)
        err_set(e, ERR_IO, "'%s' is neither a file here nor one of the %s that come with iasim%s", given, name,
                hint_among(given, text_str(&known), name).text);
    text_clear(&known);
    free(name);
    free(path);
    return shipped != NULL ? keep(shipped) : NULL;
}

/* ---- what it is ---- */

/* Bits, because some options take files of several kinds. */
enum { PLATFORM = 1, DEPLOYMENT = 2, SCENARIO = 4, GRAPH = 8, SCHEDULE = 16, DATABASE = 32 };

static const struct {
    unsigned kind;
    const char *what;
} kinds[] = {
    {PLATFORM, "a SimGrid platform"}, {DEPLOYMENT, "a deployment"},      {SCENARIO, "a scenario"},
    {GRAPH, "a task graph"},          {SCHEDULE, "a schedule of iasim"}, {DATABASE, "a database"},
};

static const char *what_is(unsigned one_of)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((kinds[i].kind & one_of) != 0)
            return kinds[i].what;
    return "";
}

/* The start of the name of the next element; NULL: the text ends before it. No XML parser: the text is only the
   beginning of a file, and ends anywhere. */
static const char *next_element(const char *at)
{
    while ((at = strchr(at, '<')) != NULL) {
        if (strncmp(at, "<!--", 4) == 0) {
            /* A '<' within a comment begins no element. */
            if ((at = strstr(at, "-->")) == NULL)
                return NULL;
        } else if (at[1] != '!' && at[1] != '?' && at[1] != '/') {
            return at + 1;
        }
        at++;
    }
    return NULL;
}

static bool is_named(const char *element, const char *name)
{
    size_t n = strlen(name);
    return element != NULL && strncmp(element, name, n) == 0 && strchr(" \t\r\n/>", element[n]) != NULL;
}

/* Both a platform and a deployment have the root <platform>; its first child tells them apart. <config> and <prop> may
   stand before that. */
static unsigned kind_of_xml(const char *text)
{
    const char *root = next_element(text), *child = root != NULL ? next_element(root) : NULL;
    while (is_named(child, "config") || is_named(child, "prop"))
        child = next_element(child);
    if (is_named(root, "scenario"))
        return SCENARIO;
    if (is_named(root, "adag"))
        return GRAPH;
    if (is_named(root, "platform") && (is_named(child, "zone") || is_named(child, "AS")))
        return PLATFORM;
    if (is_named(root, "platform") && (is_named(child, "actor") || is_named(child, "process")))
        return DEPLOYMENT;
    return 0;
}

/* By the first characters, never by the name: users rename files. 0: not recognised, which is never refused. */
static unsigned kind_of(const char *text)
{
    text += strspn(text, " \t\r\n");
    if (text[0] == '<')
        return kind_of_xml(text);
    if (strncmp(text, "SQLite format 3", strlen("SQLite format 3")) == 0)
        return DATABASE;
    if (text[0] == '{' && strstr(text, "\"iasim-schedule/") != NULL)
        return SCHEDULE;
    if ((text[0] == '{' && strstr(text, "\"schemaVersion\"") != NULL) || strncmp(text, "digraph", 7) == 0)
        return GRAPH;
    return 0;
}

/* Derived from the patterns that the option completes, so that the tables of options need not say it twice. "*.stg"
   stands for all graph formats: every list of them has it. */
static unsigned wanted_by(const char *values)
{
    static const struct {
        const char *pattern;
        unsigned kinds;
    } patterns[] = {{"platforms/", PLATFORM},
                    {"deployments/", DEPLOYMENT},
                    {"scenarios/", SCENARIO},
                    {"*.stg", GRAPH},
                    {"*.db", DATABASE}};
    unsigned wanted = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (strstr(values, patterns[i].pattern) != NULL)
            wanted |= patterns[i].kinds;
    /* A graph may be JSON, too, but an option for graphs has more patterns than this one. */
    return strcmp(values, "*.json") == 0 ? SCHEDULE : wanted;
}

enum err_code input_file_check(const char *values, const char *path, struct err *e)
{
    struct stat st;
    /* Enough to pass the comments that stand above a root element. */
    char head[8192];
    unsigned wanted = values != NULL ? wanted_by(values) : 0;
    FILE *in = wanted != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
    if (in == NULL) /* a pipe can be read only once */
        return ERR_NONE;
    head[fread(head, 1, sizeof head - 1, in)] = '\0';
    fclose(in);
    unsigned found = kind_of(head);
    if (found == 0 || (found & wanted) != 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, path, 0, "this is %s, not %s%s", what_is(found), what_is(wanted),
                      found == DATABASE && (wanted & SCENARIO) != 0 ? "; `iasim report` shows what it holds" : "");
}
