/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* WfCommons JSON 1.3 and 1.4: all of a task in one object, with its run time and its files (`size` and `runtime` in
   1.3, `sizeInBytes` and `runtimeInSeconds` in 1.4). The rules are those of WfCommons' own migration to 1.5: a task
   is named by its name, followed by its id unless the name contains it; a file by its path and name. Tasks refer to
   each other by name or id. It is enough if one end names an edge. A task without parents waits for the writers of the
   files that it reads. */
#include "base/mem.h"
#include "dag/wfcommons.h"

#include <stdlib.h>
#include <string.h>

struct keys {
    const char *runtime, *size;
};

/* ---- tasks ---- */

static enum err_code read_file(const struct wf_reader *r, struct tape_value v, task_id task, const struct keys *keys)
{
    struct tape_value path;
    double size_bytes = 0;
    enum err_code code = wf_read_name(r, v, "a file", "name", "a file", r->name);
    const char *name = text_str(r->name);
    if (code == ERR_NONE)
        code = wf_find_member(r, v, "file", name, "path", TAPE_STRING, &path);
    if (code == ERR_NONE)
        code = wf_read_amount(r, v, "file", name, keys->size, &size_bytes);
    if (code == ERR_NONE)
        code = wf_read_name(r, v, "a file", "link", "a link", r->other);
    if (code != ERR_NONE)
        return code;
    const char *link = text_str(r->other);
    bool is_input = strcmp(link, "input") == 0;
    if (!is_input && strcmp(link, "output") != 0)
        return wf_refuse(r, v, "unknown link '%.100s' of file '%.200s'; known: input, output", link, name);
    /* Path and name without a slash between them, as in the migration, so that a migrated workflow has the same
       files. */
    char *id = mem_format("%s%s", path.tape != NULL ? tape_string(path, r->other) : "", name);
    int file = file_uses_file(r->files, id);
    free(id);
    if (is_input)
        file_uses_add_read(r->files, task, file, size_bytes);
    else
        file_uses_add_written(r->files, task, file, size_bytes);
    return ERR_NONE;
}

/* Records a name by which other tasks may refer to this one. The first task keeps a name that several have: many
   workflows give all tasks of a kind the same name and tell them apart by id. */
static void call(const struct wf_reader *r, const char *id, task_id task)
{
    if (name_index_find(r->ids, id) >= 0)
        return;
    MEM_GROW(r->called->list, r->called->n, r->called->capacity);
    r->called->list[r->called->n] = mem_strdup(id);
    name_index_add(r->ids, r->called->list[r->called->n++], task);
}

static enum err_code add_task(const struct wf_reader *r, struct tape_value v, task_id *task)
{
    enum err_code code = wf_read_name(r, v, "a task", "name", "a name", r->name);
    bool has_id = code == ERR_NONE && tape_member(v, "id").tape != NULL;
    if (has_id)
        code = wf_read_name(r, v, "a task", "id", "an id", r->other);
    if (code != ERR_NONE)
        return code;
    const char *name = text_str(r->name), *id = has_id ? text_str(r->other) : NULL;
    /* The rule of the migration. It keeps ids short where generators have already put the id into the name. */
    char *whole = id == NULL || strstr(name, id) != NULL ? mem_strdup(name) : mem_format("%s_%s", name, id);
    code = dag_add_task(r->g, whole, 0, wf_line(r, v), task, r->e);
    free(whole);
    if (code != ERR_NONE)
        return code;
    call(r, name, *task);
    if (id != NULL)
        call(r, id, *task);
    return ERR_NONE;
}

static enum err_code read_task(const struct wf_reader *r, struct tape_value v, const struct keys *keys)
{
    task_id task = -1;
    struct tape_value files = {0};
    enum err_code code = add_task(r, v, &task);
    if (code == ERR_NONE)
        code = wf_read_runtime(r, v, task, keys->runtime);
    if (code == ERR_NONE)
        code = wf_find_member(r, v, "task", r->g->tasks[task].name, "files", TAPE_ARRAY, &files);
    for (struct tape_value i = tape_first(files); code == ERR_NONE && i.tape != NULL; i = tape_next(files, i))
        code = read_file(r, i, task, keys);
    return code;
}

/* ---- edges ---- */

static enum err_code add_relations(const struct wf_reader *r, const struct wf_relations *x, bool *has_parents)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < x->n && code == ERR_NONE; i++) {
        code = wf_add_edge(r, x->list[i].parent, x->list[i].child, x->list[i].line);
        has_parents[x->list[i].child] = true;
    }
    return code;
}

static int compare_ends(const void *a, const void *b)
{
    /* Two edges are one if their ends are, wherever they stand. */
    struct wf_relation x = *(const struct wf_relation *)a, y = *(const struct wf_relation *)b;
    x.line = y.line = 0;
    return wf_compare_relations(&x, &y);
}

/* Removes from `children` what is also in `parents`: naming an edge at both ends is the rule, and not a duplicate.
   Those named at one end only remain, in their order. */
static void leave_new(struct wf_relations *children, const struct wf_relations *parents)
{
    struct wf_relation *sorted = mem_alloc((parents->n + 1) * sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < parents->n; i++)
        sorted[i] = parents->list[i];
    qsort(sorted, parents->n, sizeof *sorted, wf_compare_relations);
    for (size_t i = 0; i < children->n; i++)
        if (bsearch(&children->list[i], sorted, parents->n, sizeof *sorted, compare_ends) == NULL)
            children->list[n++] = children->list[i];
    children->n = n;
    free(sorted);
}

/* The reads of a task follow each other: one edge from each writer. */
static enum err_code add_flows(const struct wf_reader *r, const bool *has_parents)
{
    task_id *child_of = mem_alloc((size_t)r->g->n_tasks * sizeof *child_of), writer, task;
    enum err_code code = ERR_NONE;
    int file;
    for (task_id t = 0; t < r->g->n_tasks; t++)
        child_of[t] = -1; /* the last one that it got here */
    for (size_t i = 0; code == ERR_NONE && file_uses_next_flow(r->files, &i, &writer, &task, &file);)
        /* A task with parents has said whom it waits for. Only one without any gets edges from its files. */
        if (!has_parents[task] && child_of[writer] != task) {
            child_of[writer] = task;
            code = wf_add_edge(r, writer, task, r->g->tasks[task].line);
        }
    free(child_of);
    return code;
}

static enum err_code read_edges(const struct wf_reader *r)
{
    struct wf_relations parents = {0}, children = {0};
    bool *has_parents = mem_zalloc((size_t)r->g->n_tasks + 1, sizeof *has_parents);
    enum err_code code = wf_read_relations(r, "parents", true, false, &parents);
    if (code == ERR_NONE)
        code = wf_read_relations(r, "children", false, false, &children);
    leave_new(&children, &parents);
    if (code == ERR_NONE)
        code = add_relations(r, &parents, has_parents);
    if (code == ERR_NONE)
        code = add_relations(r, &children, has_parents);
    if (code == ERR_NONE)
        code = add_flows(r, has_parents);
    free(has_parents);
    free(parents.list);
    free(children.list);
    return code;
}

enum err_code wf_read_flat(struct wf_reader *r, struct tape_value workflow, bool is_1_3)
{
    /* The same quantities: 1.4 only put the units into the names. */
    const struct keys keys =
        is_1_3 ? (struct keys){"runtime", "size"} : (struct keys){"runtimeInSeconds", "sizeInBytes"};
    struct wf_names called = {0};
    r->ids = name_index_create();
    r->called = &called;
    enum err_code code = wf_need_member(r, workflow, "the workflow", NULL, "tasks", TAPE_ARRAY, &r->tasks);
    for (struct tape_value i = tape_first(r->tasks); code == ERR_NONE && i.tape != NULL; i = tape_next(r->tasks, i))
        code = read_task(r, i, &keys);
    file_uses_seal(r->files, r->g->n_tasks);
    if (code == ERR_NONE)
        code = read_edges(r);
    name_index_free(r->ids);
    for (size_t i = 0; i < called.n; i++)
        free(called.list[i]);
    free(called.list);
    return code;
}
