/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule file names the graph and the platform that it was planned for. Commands that take schedules read these two
   names first, to fill in what the user has not given, and to warn where the user gives others. The schedule itself is
   read later, when the graph and the machine are there (schedules_open). */
#include "cli/schedule_inputs.h"

#include "base/json_source.h"
#include "base/new_file.h"
#include "base/text.h"
#include "cli/input_file.h"
#include "plan/schedule_json.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Schedules of millions of tasks are hundreds of megabytes; json_source reads them in place. */
enum { MAX_FILE_BYTES = 1 << 30 };

/* ---- what a schedule names ---- */

/* In fresh memory. */
/* Value in fresh memory, the caller's. */
static enum err_code read_name(struct json_source *s, const char *key, char **out, struct err *e)
{
    struct tape_value value;
    struct text name = {0};
    enum err_code code = json_source_value(s, json_source_find(s, key), &value, e);
    if (code != ERR_NONE)
        return code;
    if (value.tape == NULL || tape_string(value, &name) == NULL)
        return err_set_at(e, ERR_PARSE, s->path, 0,
                          "'%s' is missing, or is not a string; every schedule of iasim has it", key);
    *out = text_take(&name);
    return ERR_NONE;
}

static enum err_code read_names(const char *path, char **graph, char **platform, struct err *e)
{
    /* Named so that json_source skips over them: only two strings are wanted. */
    static const char *const lists[] = {"tasks", "edges"};
    struct json_source source;
    enum err_code code = json_source_open(&source, path, MAX_FILE_BYTES, e);
    if (code != ERR_NONE)
        return code;
    code = json_source_members(&source, lists, 2, e);
    if (code == ERR_NONE)
        code = read_name(&source, "graph", graph, e);
    if (code == ERR_NONE)
        code = read_name(&source, "platform", platform, e);
    json_source_clear(&source);
    return code;
}

/* ---- whether two names are of the same ---- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Whether the name in the schedule and the file that was given are the same graph or platform: one file, or one content
   (a copy). A file that is not there any more, such as one of another computer, is taken to be the one of its name. The
   caller only warns, so doubt counts as equal. */
static bool is_same(const char *named, const char *given)
{
    struct text a = {0}, b = {0};
    const char *path = input_file(NULL, named, NULL);
    if (access(path, R_OK) != 0)
        return strcmp(last_part(path), last_part(given)) == 0;
    if (new_file_is_same(path, given))
        return true;
    bool is_read = text_read_file(&a, path, MAX_FILE_BYTES, NULL) == ERR_NONE &&
                   text_read_file(&b, given, MAX_FILE_BYTES, NULL) == ERR_NONE;
    bool is_equal = !is_read || (a.size == b.size && memcmp(text_str(&a), text_str(&b), a.size) == 0);
    text_clear(&a);
    text_clear(&b);
    return is_equal; /* what cannot be read is refused by its reader */
}

static bool is_regular(const char *path) /* a pipe can be read only once */
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- the paths ---- */

struct input {
    const char *what; /* "platform": the key in the file, and the option */
    const char **path;
    char *named[MOST_SCHEDULES];
};

/* Not given: the file is what the schedules say. Two that disagree are compared as texts, because neither can be
   believed more than the other. */
static enum err_code take_named(const struct input *x, const char *const *schedules, struct err *e)
{
    if (x->named[1] != NULL && strcmp(x->named[0], x->named[1]) != 0)
        return err_set_at(e, ERR_INPUT, schedules[1], 0,
                          "planned for the %s '%s', but %s for '%s'; if they are the same, give it with --%s", x->what,
                          x->named[1], schedules[0], x->named[0], x->what);
    *x->path = input_file(NULL, x->named[0], NULL);
    if (access(*x->path, R_OK) == 0)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, schedules[0], 0,
                      "the %s that it was planned for, '%s', is not there; give it with --%s", x->what, x->named[0],
                      x->what);
}

/* Given: what the user says holds. A schedule of another graph is likely a slip, but one that was planned for a renamed
   or edited copy is not, so this is a warning. */
static enum err_code settle(const struct input *x, const char *const *schedules, int n, struct err *e)
{
    if (*x->path == NULL)
        return take_named(x, schedules, e);
    for (int i = 0; i < n; i++)
        if (x->named[i] != NULL && !is_same(x->named[i], *x->path))
            fprintf(stderr, "%s: planned for the %s '%s', not for '%s'\n", schedules[i], x->what, x->named[i],
                    *x->path);
    return ERR_NONE;
}

static enum err_code find_paths(const char *const *schedules, int n, const char **platform, const char **graph,
                                struct err *e)
{
    struct input graphs = {"graph", graph, {NULL}}, platforms = {"platform", platform, {NULL}};
    enum err_code code = ERR_NONE;
    /* A pipe is read only if its names are needed: what was read of it would be missing later. */
    bool is_needed = *graph == NULL || *platform == NULL; /* else what is wrong is the reader's to say */
    for (int i = 0; i < n && code == ERR_NONE; i++)
        if (is_needed || is_regular(schedules[i]))
            code = read_names(schedules[i], &graphs.named[i], &platforms.named[i], is_needed ? e : NULL);
    /* Reading was for warnings alone; an unreadable schedule is refused by schedules_open. */
    if (!is_needed)
        code = ERR_NONE;
    if (code == ERR_NONE)
        code = settle(&graphs, schedules, n, e);
    if (code == ERR_NONE)
        code = settle(&platforms, schedules, n, e);
    for (int i = 0; i < n; i++) {
        free(graphs.named[i]);
        free(platforms.named[i]);
    }
    return code;
}

static const char *given(const struct param_set *params, const char *name)
{
    const char *text = param_text(params, name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* Sets paths that stay: those given are words of the command line, those named are kept by input_file. */
enum err_code schedule_inputs_set(struct param_set *params, const char *const *schedules, int n, struct err *e)
{
    const char *platform = given(params, "platform"), *graph = given(params, "graph");
    enum err_code code = find_paths(schedules, n, &platform, &graph, e);
    if (code == ERR_NONE)
        code = param_set_value(params, "the command", "platform", platform, e);
    return code == ERR_NONE ? param_set_value(params, "the command", "graph", graph, e) : code;
}

/* ---- the schedules ---- */

enum err_code schedules_open(struct schedules *out, struct run_given *given, const char *const *paths, struct err *e)
{
    *out = (struct schedules){0};
    enum err_code code = run_given_begin(given, e);
    if (code == ERR_NONE)
        code = graph_point_problem(&out->graph, &given->point, e);
    while (code == ERR_NONE && out->n < MOST_SCHEDULES && paths[out->n] != NULL) {
        /* Two schedules may have been planned under different models, so each has a problem of its own; graph and
           machine are shared. */
        out->problems[out->n] = out->graph.problem;
        code = schedule_read_json(paths[out->n], &out->problems[out->n], &out->list[out->n], e);
        out->n += code == ERR_NONE;
    }
    return code;
}

/* Schedules before the graph that they point at. */
void schedules_close(struct schedules *s)
{
    while (s->n > 0)
        schedule_clear(&s->list[--s->n]);
    graph_point_clear(&s->graph);
}
