/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* WfCommons JSON 1.5 and 1.6 [Coleman 2022] (github.com/wfcommons/WfFormat), and what all versions share. A task is
   named by its id; its work is its runtimeInSeconds times the reference speed. The lists `parents` and `children` must
   both give the same edges, which are in the order of the tasks and their `parents`. An edge carries the files that the
   parent writes and the child reads.

   A graph that is written and read again has the same tasks in the same order and the same edges with exactly the same
   sizes; each edge with data has its own file. Edges are then sorted by their destinations. Work is exact if some run
   time, multiplied by the reference speed, gives it, or else the nearest possible value. Sizes that are not a whole
   number of bytes are written with a fraction, which the schema of the format does not allow but this reader
   accepts. */
#include "dag/wfcommons.h"
#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- files and tasks ---- */

static enum err_code read_files(const struct wf_reader *r, struct tape_value specification)
{
    struct tape_value files = {0};
    enum err_code code = wf_find_member(r, specification, "the specification", NULL, "files", TAPE_ARRAY, &files);
    for (struct tape_value i = tape_first(files); code == ERR_NONE && i.tape != NULL; i = tape_next(files, i)) {
        double size_bytes;
        code = wf_read_name(r, i, "a file", "id", "an id", r->name);
        const char *id = text_str(r->name);
        /* Two entries for a file could have different sizes. */
        if (code == ERR_NONE && file_uses_find(r->files, id) >= 0)
            code = wf_refuse(r, i, "a second file '%.200s'", id);
        if (code == ERR_NONE)
            code = wf_read_amount(r, i, "file", id, "sizeInBytes", &size_bytes);
        if (code == ERR_NONE)
            *file_uses_size(r->files, file_uses_file(r->files, id)) = size_bytes;
    }
    return code;
}

static enum err_code read_used_files(const struct wf_reader *r, struct tape_value task, task_id id, const char *key,
                                     bool written)
{
    struct tape_value list;
    enum err_code code = wf_find_member(r, task, "task", r->g->tasks[id].name, key, TAPE_ARRAY, &list);
    for (struct tape_value i = tape_first(list); code == ERR_NONE && i.tape != NULL; i = tape_next(list, i)) {
        code = wf_need_name(r, i, "a file", r->name);
        if (code != ERR_NONE)
            return code;
        int file = file_uses_find(r->files, text_str(r->name));
        if (file < 0)
            return wf_refuse(r, i, "task '%.200s' uses file '%.200s', which is not in the list 'files'",
                             r->g->tasks[id].name, text_str(r->name));
        /* Sizes come from the list of files alone in these versions. */
        if (written)
            file_uses_add_written(r->files, id, file, FILE_SIZE_UNKNOWN);
        else
            file_uses_add_read(r->files, id, file, FILE_SIZE_UNKNOWN);
    }
    return code;
}

/* Their work is in another part of the file: read_execution. */
static enum err_code read_tasks(const struct wf_reader *r)
{
    enum err_code code = ERR_NONE;
    for (struct tape_value i = tape_first(r->tasks); code == ERR_NONE && i.tape != NULL; i = tape_next(r->tasks, i)) {
        task_id id = -1;
        code = wf_read_name(r, i, "a task", "id", "an id", r->name);
        if (code == ERR_NONE)
            code = dag_add_task(r->g, text_str(r->name), 0, wf_line(r, i), &id, r->e);
        if (code == ERR_NONE)
            code = read_used_files(r, i, id, "outputFiles", true);
        if (code == ERR_NONE)
            code = read_used_files(r, i, id, "inputFiles", false);
    }
    file_uses_seal(r->files, r->g->n_tasks);
    return code;
}

/* ---- work ---- */

static enum err_code read_runtime(const struct wf_reader *r, struct tape_value v, bool *is_known)
{
    enum err_code code = wf_read_name(r, v, "a task of the execution", "id", "an id", r->name);
    if (code != ERR_NONE)
        return code;
    const char *name = text_str(r->name);
    task_id id = dag_task_id(r->g, name);
    if (id < 0)
        return wf_refuse(r, v, "the execution has a task '%.200s', which is not in the specification", name);
    if (is_known[id])
        return wf_refuse(r, v, "the execution has task '%.200s' twice", name);
    is_known[id] = true;
    return wf_read_runtime(r, v, id, "runtimeInSeconds");
}

static enum err_code read_execution(const struct wf_reader *r, struct tape_value workflow)
{
    struct tape_value execution, tasks = {0};
    enum err_code code = wf_need_member(r, workflow, "the workflow", NULL, "execution", TAPE_OBJECT, &execution);
    if (code == ERR_NONE)
        code = wf_need_member(r, execution, "the execution", NULL, "tasks", TAPE_ARRAY, &tasks);
    if (code != ERR_NONE)
        return code;
    bool *is_known = mem_zalloc((size_t)r->g->n_tasks + 1, sizeof *is_known);
    for (struct tape_value i = tape_first(tasks); code == ERR_NONE && i.tape != NULL; i = tape_next(tasks, i))
        code = read_runtime(r, i, is_known);
    /* Both ways: a task of the execution that is not specified is refused above, and here one that is specified but
       was not executed. It would have no work. */
    for (task_id t = 0; t < r->g->n_tasks && code == ERR_NONE; t++)
        if (!is_known[t])
            code = err_set_at(r->e, ERR_INPUT, r->path, r->g->tasks[t].line,
                              "task '%.200s' has no run time: the execution does not have it", r->g->tasks[t].name);
    free(is_known);
    return code;
}

/* ---- edges ---- */

/* Up to version 1.4 tasks refer to each other by name or id, neither of which need be the task's name in the graph. */
static task_id find_task(const struct wf_reader *r, const char *name)
{
    return r->ids != NULL ? name_index_find(r->ids, name) : dag_task_id(r->g, name);
}

static enum err_code read_relation(const struct wf_reader *r, struct tape_value v, const char *key, bool to_parents,
                                   task_id task, struct wf_relations *out)
{
    enum err_code code = wf_need_name(r, v, "a task", r->name);
    if (code != ERR_NONE)
        return code;
    task_id other = find_task(r, text_str(r->name));
    if (other < 0)
        return wf_refuse(r, v, "'%s' of task '%.200s' names '%.200s', which is not a task", key, r->g->tasks[task].name,
                         text_str(r->name));
    MEM_GROW(out->list, out->n, out->capacity);
    out->list[out->n++] = to_parents ? (struct wf_relation){other, task, wf_line(r, v)}
                                     : (struct wf_relation){task, other, wf_line(r, v)};
    return ERR_NONE;
}

enum err_code wf_read_relations(const struct wf_reader *r, const char *key, bool to_parents, bool is_required,
                                struct wf_relations *out)
{
    enum err_code code = ERR_NONE;
    task_id task = 0;
    for (struct tape_value i = tape_first(r->tasks); code == ERR_NONE && i.tape != NULL;
         i = tape_next(r->tasks, i), task++) {
        struct tape_value list;
        code = (is_required ? wf_need_member : wf_find_member)(r, i, "task", r->g->tasks[task].name, key, TAPE_ARRAY,
                                                               &list);
        for (struct tape_value k = tape_first(list); code == ERR_NONE && k.tape != NULL; k = tape_next(list, k))
            code = read_relation(r, k, key, to_parents, task, out);
    }
    return code;
}

enum err_code wf_add_edge(const struct wf_reader *r, task_id parent, task_id child, int line)
{
    int unknown; /* -1: every file has a size */
    double size_bytes = file_uses_shared_bytes(r->files, parent, child, &unknown);
    return dag_add_edge(r->g, parent, child, size_bytes, line, r->e);
}

static enum err_code add_edges(const struct wf_reader *r, const struct wf_relations *parents)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < parents->n && code == ERR_NONE; i++)
        code = wf_add_edge(r, parents->list[i].parent, parents->list[i].child, parents->list[i].line);
    return code;
}

int wf_compare_relations(const void *a, const void *b)
{
    const struct wf_relation *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->child != y->child)
        return x->child < y->child ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Without the line: the two lists name an edge on different lines. */
static int compare_ends(const struct wf_relation *x, const struct wf_relation *y)
{
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x->child < y->child ? -1 : x->child > y->child;
}

static enum err_code refuse_lone(const struct wf_reader *r, const struct wf_relation *x, bool is_parents)
{
    const char *parent = r->g->tasks[x->parent].name, *child = r->g->tasks[x->child].name;
    return err_set_at(r->e, ERR_INPUT, r->path, x->line,
                      "task '%.200s' has '%.200s' among its %s, but is not among the %s of that one",
                      is_parents ? child : parent, is_parents ? parent : child, is_parents ? "parents" : "children",
                      is_parents ? "children" : "parents");
}

/* Both lists must agree. They are sorted, so they are compared place by place; at the first difference the lesser
   edge is in one list only, or there once more than in the other. What both have twice, dag_seal refuses. */
static enum err_code compare_lists(const struct wf_reader *r, const struct wf_relations *parents,
                                   const struct wf_relations *children)
{
    for (size_t i = 0; i < parents->n || i < children->n; i++) {
        int order = i == parents->n ? 1 : i == children->n ? -1 : compare_ends(&parents->list[i], &children->list[i]);
        const struct wf_relation *lone = order < 0 ? &parents->list[i] : &children->list[i];
        if (order != 0 && i > 0 && compare_ends(lone - 1, lone) == 0)
            return err_set_at(r->e, ERR_INPUT, r->path, lone->line, "duplicate edge %.200s -> %.200s",
                              r->g->tasks[lone->parent].name, r->g->tasks[lone->child].name);
        if (order != 0)
            return refuse_lone(r, lone, order < 0);
    }
    return ERR_NONE;
}

static enum err_code read_edges(const struct wf_reader *r)
{
    struct wf_relations parents = {0}, children = {0};
    enum err_code code = wf_read_relations(r, "parents", true, true, &parents);
    if (code == ERR_NONE)
        code = wf_read_relations(r, "children", false, true, &children);
    /* In the order of the file, so before sorting. */
    if (code == ERR_NONE)
        code = add_edges(r, &parents);
    if (parents.n > 0)
        qsort(parents.list, parents.n, sizeof *parents.list, wf_compare_relations);
    if (children.n > 0)
        qsort(children.list, children.n, sizeof *children.list, wf_compare_relations);
    if (code == ERR_NONE)
        code = compare_lists(r, &parents, &children);
    free(parents.list);
    free(children.list);
    return code;
}

/* ---- the document ---- */

enum version { WF_1_3, WF_1_4, WF_1_5, WF_1_6, N_VERSIONS };

/* A file without a version is read as the newest of its structure: up to 1.4 the workflow holds the tasks directly.
   What 1.6 added to 1.5 is optional. */
static enum err_code find_version(const struct wf_reader *r, struct tape_value root, enum version *out)
{
    static const char *const names[] = {"1.3", "1.4", "1.5", "1.6"};
    struct tape_value version, workflow = tape_member(root, "workflow");
    enum err_code code = wf_find_member(r, root, "the file", NULL, "schemaVersion", TAPE_STRING, &version);
    if (code != ERR_NONE)
        return code;
    bool is_flat = tape_member(workflow, "tasks").tape != NULL && tape_member(workflow, "specification").tape == NULL;
    const char *name = tape_string(version, r->name);
    *out = is_flat ? WF_1_4 : WF_1_6;
    if (name != NULL)
        for (*out = 0; *out < N_VERSIONS && strcmp(name, names[*out]) != 0;)
            ++*out;
    if (*out == N_VERSIONS)
        return wf_refuse(r, version, "unknown schemaVersion '%.100s' of WfCommons; known: 1.3, 1.4, 1.5, 1.6", name);
    return ERR_NONE;
}

static enum err_code read_specification(struct wf_reader *r, struct tape_value workflow)
{
    struct tape_value specification = {0};
    enum err_code code =
        wf_need_member(r, workflow, "the workflow", NULL, "specification", TAPE_OBJECT, &specification);
    if (code == ERR_NONE)
        code = wf_need_member(r, specification, "the specification", NULL, "tasks", TAPE_ARRAY, &r->tasks);
    if (code == ERR_NONE)
        code = read_files(r, specification);
    if (code == ERR_NONE)
        code = read_tasks(r);
    if (code == ERR_NONE)
        code = read_execution(r, workflow);
    return code == ERR_NONE ? read_edges(r) : code;
}

static enum err_code read_document(struct wf_reader *r, struct tape_value root)
{
    struct tape_value workflow = {0};
    enum version version = N_VERSIONS;
    enum err_code code = wf_need_object(r, root, "the file");
    if (code == ERR_NONE)
        code = find_version(r, root, &version);
    if (code == ERR_NONE)
        code = wf_need_member(r, root, "the file", NULL, "workflow", TAPE_OBJECT, &workflow);
    if (code != ERR_NONE)
        return code;
    if (version <= WF_1_4)
        return wf_read_flat(r, workflow, version == WF_1_3);
    code = read_specification(r, workflow);
    return code == ERR_NONE && version >= WF_1_6 ? wf_check_metrics(r, workflow) : code;
}

/* In jansson's words; it takes a NUL byte behind a number, which we do not. */
static enum err_code refuse_text(const char *bytes, size_t n, const char *path, struct err *e)
{
    json_error_t why = {.line = 0};
    json_decref(json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &why));
    return err_set_at(e, ERR_PARSE, path, why.line > 0 ? why.line : 0, "not well-formed JSON: %s",
                      why.text[0] != '\0' ? why.text : "NUL byte");
}

static bool read_tape(struct json_tape *tape, const char *bytes, size_t n)
{
    size_t end;
    if (!tape_read(tape, bytes, n, true, &end))
        return false;
    while (end < n && memchr(" \t\r\n", bytes[end], 4) != NULL)
        end++;
    enum tape_kind kind = tape_kind(tape_root(tape));
    /* jansson reads an object or an array only, and so do we. */
    return end == n && (kind == TAPE_OBJECT || kind == TAPE_ARRAY);
}

static enum err_code read_wfcommons(const char *bytes, size_t n, const char *path,
                                    const struct dag_read_options *options, struct dag *out, struct err *e)
{
    struct json_tape tape = {0};
    struct line_index lines = {0};
    struct text name = {0}, other = {0};
    struct wf_reader r = {.path = path,
                          .reference_flop_per_s = options->reference_flop_per_s,
                          .g = out,
                          .name = &name,
                          .other = &other,
                          .e = e};
    enum err_code code;
    if (!read_tape(&tape, bytes, n)) {
        code = refuse_text(bytes, n, path, e);
    } else {
        if (options->with_lines) {
            line_index_init(&lines, bytes, n);
            r.lines = &lines;
        }
        r.files = file_uses_create();
        code = read_document(&r, tape_root(&tape));
        file_uses_free(r.files);
    }
    text_clear(&name);
    text_clear(&other);
    line_index_clear(&lines);
    tape_clear(&tape);
    return code;
}

static int looks_like_wfcommons(const char *bytes, size_t n)
{
    while (n > 0 && memchr(" \t\r\n", *bytes, 4) != NULL) {
        bytes++;
        n--;
    }
    return n > 0 && *bytes == '{';
}

const struct dag_format dag_format_wfcommons = {
    .name = "wfcommons",
    .summary = "WfCommons workflow in JSON, version 1.3 to 1.6; edges carry the files that tasks share",
    .source = "[Coleman 2022]; WfFormat 1.3 to 1.6",
    .extensions = "json",
    .leaves_lines_out = true,
    .looks_like = looks_like_wfcommons,
    .read = read_wfcommons,
    .write = wfcommons_write,
};
