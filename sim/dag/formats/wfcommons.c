/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* WfCommons JSON 1.5 (github.com/wfcommons/WfFormat). A task is named by its id; its work is its
   runtimeInSeconds times the reference speed. Edges are those that the lists `parents` and `children` tell,
   both alike, in the order of the tasks and their `parents`. An edge carries the files that the parent writes
   and the child reads.

   Written and read again, a graph has the same tasks in the same order and the same edges with the same sizes
   to the last bit, each edge with data having a file of its own. Edges come back sorted by their
   destinations. Work comes back to the last bit where some run time, multiplied by the reference speed, gives
   it; else the nearest that does. Sizes that are no whole number of bytes are written with a fraction, which
   the format's schema does not allow, but we read. */
#include "base/json_line.h"
#include "base/mem.h"
#include "base/name_index.h"
#include "dag/file_uses.h"
#include "dag/format.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct value { /* and where it stands */
    const json_t *json;
    struct json_place place;
};

struct reader {
    const char *path;
    double reference_flop_per_s;
    struct dag *g;
    struct file_uses *files;
    struct value tasks; /* of the specification */
    struct err *e;
};

static enum err_code refuse(const struct reader *r, struct value v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum err_code refuse(const struct reader *r, struct value v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum err_code code = err_vset_at(r->e, ERR_INPUT, r->path, v.place.line, format, args);
    va_end(args);
    return code;
}

/* ---- values ---- */

static const char *type_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_NULL:
        return "null";
    default:
        return "a truth value";
    }
}

static bool is_type(const json_t *json, json_type type)
{
    return type == JSON_REAL ? json_is_number(json) : json_typeof(json) == type;
}

/* `what` and `name` (NULL: it has none) are what messages call the object. JSON_REAL takes any number. */
static enum err_code find_member(const struct reader *r, struct value object, const char *what, const char *name,
                                 const char *key, json_type type, struct value *out)
{
    const char *quote = name ? "'" : "", *space = name ? " " : "";
    out->json = json_object_get(object.json, key);
    out->place = object.place;
    if (out->json == NULL)
        return ERR_NONE;
    json_place_member(object.place, key, &out->place);
    if (!is_type(out->json, type))
        return refuse(r, *out, "'%s' of %s%s%s%.200s%s is %s where %s is expected", key, what, space, quote,
                      name ? name : "", quote, type_name(json_typeof(out->json)), type_name(type));
    return ERR_NONE;
}

static enum err_code need_member(const struct reader *r, struct value object, const char *what, const char *name,
                                 const char *key, json_type type, struct value *out)
{
    const char *quote = name ? "'" : "", *space = name ? " " : "";
    enum err_code code = find_member(r, object, what, name, key, type, out);
    if (code == ERR_NONE && out->json == NULL)
        return refuse(r, object, "%s%s%s%.200s%s has no '%s'", what, space, quote, name ? name : "", quote, key);
    return code;
}

/* The elements of an array: for (struct each i = each(array); each_next(&i);) ... i.value. */
struct each {
    struct value array, value;
    size_t n;
};

static struct each each(struct value array)
{
    return (struct each){.array = array};
}

static bool each_next(struct each *i)
{
    bool more = i->n < json_array_size(i->array.json);
    if (!more)
        return false;
    if (i->n == 0)
        json_place_first(i->array.place, &i->value.place);
    else
        json_place_next(&i->value.place);
    i->value.json = json_array_get(i->array.json, i->n++);
    return true;
}

static enum err_code need_object(const struct reader *r, struct value v, const char *what)
{
    if (json_is_object(v.json))
        return ERR_NONE;
    return refuse(r, v, "%s is %s where an object is expected", what, type_name(json_typeof(v.json)));
}

static enum err_code need_name(const struct reader *r, struct value v, const char *what)
{
    if (json_is_string(v.json) && json_string_length(v.json) > 0)
        return ERR_NONE;
    return refuse(r, v, "%s is %s where a name is expected", what,
                  json_is_string(v.json) ? "empty" : type_name(json_typeof(v.json)));
}

/* The id of a task or a file, borrowed. */
static enum err_code read_id(const struct reader *r, struct value v, const char *what, const char **id)
{
    struct value found;
    enum err_code code = need_object(r, v, what);
    if (code == ERR_NONE)
        code = need_member(r, v, what, NULL, "id", JSON_STRING, &found);
    if (code == ERR_NONE)
        code = need_name(r, found, "an id");
    if (code == ERR_NONE)
        *id = json_string_value(found.json);
    return code;
}

static enum err_code read_amount(const struct reader *r, struct value object, const char *what, const char *name,
                                 const char *key, double *out)
{
    struct value found;
    enum err_code code = need_member(r, object, what, name, key, JSON_REAL, &found);
    if (code != ERR_NONE)
        return code;
    *out = json_number_value(found.json);
    if (*out < 0)
        return refuse(r, found, "%s of %s '%.200s', %g, is negative", key, what, name, *out);
    return ERR_NONE;
}

/* ---- files and tasks ---- */

static enum err_code read_files(const struct reader *r, struct value specification)
{
    struct value files;
    enum err_code code = find_member(r, specification, "the specification", NULL, "files", JSON_ARRAY, &files);
    for (struct each i = each(files); code == ERR_NONE && files.json != NULL && each_next(&i);) {
        const char *id = "";
        double size_bytes;
        code = read_id(r, i.value, "a file", &id);
        if (code == ERR_NONE && file_uses_find(r->files, id) >= 0)
            code = refuse(r, i.value, "a second file '%.200s'", id);
        if (code == ERR_NONE)
            code = read_amount(r, i.value, "file", id, "sizeInBytes", &size_bytes);
        if (code == ERR_NONE)
            *file_uses_size(r->files, file_uses_file(r->files, id)) = size_bytes;
    }
    return code;
}

static enum err_code read_used_files(const struct reader *r, struct value task, task_id id, const char *key,
                                     bool written)
{
    struct value list;
    enum err_code code = find_member(r, task, "task", r->g->tasks[id].name, key, JSON_ARRAY, &list);
    for (struct each i = each(list); code == ERR_NONE && list.json != NULL && each_next(&i);) {
        code = need_name(r, i.value, "a file");
        if (code != ERR_NONE)
            return code;
        int file = file_uses_find(r->files, json_string_value(i.value.json));
        if (file < 0)
            return refuse(r, i.value, "task '%.200s' uses file '%.200s', which is not in the list 'files'",
                          r->g->tasks[id].name, json_string_value(i.value.json));
        if (written)
            file_uses_add_written(r->files, id, file, FILE_SIZE_UNKNOWN);
        else
            file_uses_add_read(r->files, id, file, FILE_SIZE_UNKNOWN);
    }
    return code;
}

/* Their work is told in another part of the file: read_execution. */
static enum err_code read_tasks(const struct reader *r)
{
    enum err_code code = ERR_NONE;
    for (struct each i = each(r->tasks); code == ERR_NONE && each_next(&i);) {
        const char *name = "";
        task_id id = -1;
        code = read_id(r, i.value, "a task", &name);
        if (code == ERR_NONE)
            code = dag_add_task(r->g, name, 0, i.value.place.line, &id, r->e);
        if (code == ERR_NONE)
            code = read_used_files(r, i.value, id, "outputFiles", true);
        if (code == ERR_NONE)
            code = read_used_files(r, i.value, id, "inputFiles", false);
    }
    file_uses_seal(r->files, r->g->n_tasks);
    return code;
}

/* ---- work ---- */

static enum err_code read_runtime(const struct reader *r, struct value v, bool *is_known)
{
    const char *name = "";
    double runtime_s = 0;
    enum err_code code = read_id(r, v, "a task of the execution", &name);
    if (code != ERR_NONE)
        return code;
    task_id id = dag_task_id(r->g, name);
    if (id < 0)
        return refuse(r, v, "the execution has a task '%.200s', which is not in the specification", name);
    if (is_known[id])
        return refuse(r, v, "the execution has task '%.200s' twice", name);
    is_known[id] = true;
    code = read_amount(r, v, "task", name, "runtimeInSeconds", &runtime_s);
    r->g->tasks[id].work_flop = runtime_s * r->reference_flop_per_s;
    if (code == ERR_NONE && !isfinite(r->g->tasks[id].work_flop))
        code = refuse(r, v, "task '%.200s': its work, %g s at %g flop/s, is not finite", name, runtime_s,
                      r->reference_flop_per_s);
    return code;
}

static enum err_code read_execution(const struct reader *r, struct value workflow)
{
    struct value execution, tasks = {0};
    enum err_code code = need_member(r, workflow, "the workflow", NULL, "execution", JSON_OBJECT, &execution);
    if (code == ERR_NONE)
        code = need_member(r, execution, "the execution", NULL, "tasks", JSON_ARRAY, &tasks);
    if (code != ERR_NONE)
        return code;
    bool *is_known = mem_zalloc((size_t)r->g->n_tasks + 1, sizeof *is_known);
    for (struct each i = each(tasks); code == ERR_NONE && each_next(&i);)
        code = read_runtime(r, i.value, is_known);
    for (task_id t = 0; t < r->g->n_tasks && code == ERR_NONE; t++)
        if (!is_known[t])
            code = err_set_at(r->e, ERR_INPUT, r->path, r->g->tasks[t].line,
                              "task '%.200s' has no run time: the execution does not have it", r->g->tasks[t].name);
    free(is_known);
    return code;
}

/* ---- edges ---- */

struct relation { /* one task names another */
    task_id parent, child;
    int line;
};

struct relations {
    struct relation *list;
    size_t n, capacity;
};

static enum err_code read_relations(const struct reader *r, const char *key, bool to_parents, struct relations *out)
{
    enum err_code code = ERR_NONE;
    task_id task = 0;
    for (struct each i = each(r->tasks); code == ERR_NONE && each_next(&i); task++) {
        struct value list;
        code = need_member(r, i.value, "task", r->g->tasks[task].name, key, JSON_ARRAY, &list);
        for (struct each k = each(list); code == ERR_NONE && each_next(&k);) {
            code = need_name(r, k.value, "a task");
            task_id other = code == ERR_NONE ? dag_task_id(r->g, json_string_value(k.value.json)) : 0;
            if (other < 0)
                return refuse(r, k.value, "'%s' of task '%.200s' names '%.200s', which is no task", key,
                              r->g->tasks[task].name, json_string_value(k.value.json));
            MEM_GROW(out->list, out->n, out->capacity);
            out->list[out->n++] = to_parents ? (struct relation){other, task, k.value.place.line}
                                             : (struct relation){task, other, k.value.place.line};
        }
    }
    return code;
}

static enum err_code add_edges(const struct reader *r, const struct relations *parents)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < parents->n && code == ERR_NONE; i++) {
        const struct relation *x = &parents->list[i];
        int unknown; /* none: the list of files has sizes */
        double size_bytes = file_uses_shared_bytes(r->files, x->parent, x->child, &unknown);
        code = dag_add_edge(r->g, x->parent, x->child, size_bytes, x->line, r->e);
    }
    return code;
}

static int compare_relations(const void *a, const void *b)
{
    const struct relation *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->child != y->child)
        return x->child < y->child ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int compare_ends(const struct relation *x, const struct relation *y)
{
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x->child < y->child ? -1 : x->child > y->child;
}

static enum err_code refuse_lone(const struct reader *r, const struct relation *x, bool is_parents)
{
    const char *parent = r->g->tasks[x->parent].name, *child = r->g->tasks[x->child].name;
    return err_set_at(r->e, ERR_INPUT, r->path, x->line,
                      "task '%.200s' has '%.200s' among its %s, but is not among the %s of that one",
                      is_parents ? child : parent, is_parents ? parent : child, is_parents ? "parents" : "children",
                      is_parents ? "children" : "parents");
}

/* Both lists have to say the same. */
static enum err_code compare_lists(const struct reader *r, const struct relations *parents,
                                   const struct relations *children)
{
    for (size_t i = 0; i < parents->n || i < children->n; i++) {
        int order = i == parents->n ? 1 : i == children->n ? -1 : compare_ends(&parents->list[i], &children->list[i]);
        const struct relation *lone = order < 0 ? &parents->list[i] : &children->list[i];
        if (order != 0 && i > 0 && compare_ends(lone - 1, lone) == 0)
            return err_set_at(r->e, ERR_INPUT, r->path, lone->line, "a second edge %.200s -> %.200s",
                              r->g->tasks[lone->parent].name, r->g->tasks[lone->child].name);
        if (order != 0)
            return refuse_lone(r, lone, order < 0);
    }
    return ERR_NONE;
}

static enum err_code read_edges(const struct reader *r)
{
    struct relations parents = {0}, children = {0};
    enum err_code code = read_relations(r, "parents", true, &parents);
    if (code == ERR_NONE)
        code = read_relations(r, "children", false, &children);
    if (code == ERR_NONE)
        code = add_edges(r, &parents);
    if (parents.n > 0)
        qsort(parents.list, parents.n, sizeof *parents.list, compare_relations);
    if (children.n > 0)
        qsort(children.list, children.n, sizeof *children.list, compare_relations);
    if (code == ERR_NONE)
        code = compare_lists(r, &parents, &children);
    free(parents.list);
    free(children.list);
    return code;
}

/* ---- the document ---- */

static enum err_code check_version(const struct reader *r, struct value root)
{
    struct value version;
    enum err_code code = find_member(r, root, "the file", NULL, "schemaVersion", JSON_STRING, &version);
    if (code == ERR_NONE && version.json != NULL && strcmp(json_string_value(version.json), "1.5") != 0)
        return refuse(r, version, "schemaVersion '%.100s' of WfCommons is not read; known: 1.5",
                      json_string_value(version.json));
    return code;
}

static enum err_code read_document(struct reader *r, struct value root)
{
    struct value workflow = {0}, specification = {0};
    enum err_code code = need_object(r, root, "the file");
    if (code == ERR_NONE)
        code = check_version(r, root);
    if (code == ERR_NONE)
        code = need_member(r, root, "the file", NULL, "workflow", JSON_OBJECT, &workflow);
    if (code == ERR_NONE)
        code = need_member(r, workflow, "the workflow", NULL, "specification", JSON_OBJECT, &specification);
    if (code == ERR_NONE)
        code = need_member(r, specification, "the specification", NULL, "tasks", JSON_ARRAY, &r->tasks);
    if (code == ERR_NONE)
        code = read_files(r, specification);
    if (code == ERR_NONE)
        code = read_tasks(r);
    if (code == ERR_NONE)
        code = read_execution(r, workflow);
    return code == ERR_NONE ? read_edges(r) : code;
}

static enum err_code read_wfcommons(const char *bytes, size_t n, const char *path,
                                    const struct dag_read_options *options, struct dag *out, struct err *e)
{
    struct reader r = {.path = path, .reference_flop_per_s = options->reference_flop_per_s, .g = out, .e = e};
    json_error_t why;
    json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &why);
    if (root == NULL)
        return err_set_at(e, ERR_PARSE, path, why.line > 0 ? why.line : 0, "not well-formed JSON: %s", why.text);
    r.files = file_uses_create();
    enum err_code code = read_document(&r, (struct value){root, json_place_root(bytes, n)});
    file_uses_free(r.files);
    json_decref(root);
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

/* ---- writing ---- */

static json_t *number(double value)
{
    return value == floor(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value) : json_real(value);
}

/* The run time whose product with the reference speed is the work, or comes nearest. */
static double runtime_of(double work_flop, double reference_flop_per_s)
{
    double best = work_flop / reference_flop_per_s, tries[] = {nextafter(best, 0), nextafter(best, INFINITY)};
    for (int i = 0; i < 2; i++)
        if (fabs(tries[i] * reference_flop_per_s - work_flop) < fabs(best * reference_flop_per_s - work_flop))
            best = tries[i];
    return best;
}

static json_t *edge_files(const struct dag *g, const edge_id *list, int from, int to)
{
    json_t *files = json_array();
    for (int i = from; i < to; i++)
        if (g->edges[list[i]].size_bytes > 0)
            json_array_append_new(files, json_sprintf("edge_%d", list[i]));
    return files;
}

static json_t *edge_ends(const struct dag *g, const edge_id *list, int from, int to, bool is_src)
{
    json_t *ends = json_array();
    for (int i = from; i < to; i++) {
        const struct edge *edge = &g->edges[list[i]];
        json_array_append_new(ends, json_string(g->tasks[is_src ? edge->src : edge->dst].name));
    }
    return ends;
}

static json_t *specified_task(const struct dag *g, task_id t)
{
    int in = g->in_start[t], in_end = g->in_start[t + 1], out = g->out_start[t], out_end = g->out_start[t + 1];
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "name", g->tasks[t].name, "id", g->tasks[t].name, "parents",
                     edge_ends(g, g->in, in, in_end, true), "children", edge_ends(g, g->out, out, out_end, false),
                     "inputFiles", edge_files(g, g->in, in, in_end), "outputFiles",
                     edge_files(g, g->out, out, out_end));
}

static json_t *specification(const struct dag *g)
{
    json_t *tasks = json_array(), *files = json_array();
    for (task_id t = 0; t < g->n_tasks; t++)
        json_array_append_new(tasks, specified_task(g, t));
    for (edge_id i = 0; i < g->n_edges; i++)
        if (g->edges[i].size_bytes > 0)
            json_array_append_new(files, json_pack("{s:o, s:o}", "id", json_sprintf("edge_%d", i), "sizeInBytes",
                                                   number(g->edges[i].size_bytes)));
    return json_pack("{s:o, s:o}", "tasks", tasks, "files", files);
}

/* The schema wants a makespan and a date: those of one processor that does one task after the other, at no
   time that ever was. */
static json_t *execution(const struct dag *g, double reference_flop_per_s)
{
    json_t *tasks = json_array();
    for (task_id t = 0; t < g->n_tasks; t++)
        json_array_append_new(tasks, json_pack("{s:s, s:o}", "id", g->tasks[t].name, "runtimeInSeconds",
                                               number(runtime_of(g->tasks[t].work_flop, reference_flop_per_s))));
    return json_pack("{s:o, s:s, s:o}", "makespanInSeconds", number(dag_work_flop(g) / reference_flop_per_s),
                     "executedAt", "1970-01-01T00:00:00Z", "tasks", tasks);
}

static enum err_code check_writable(const struct dag *g, double reference_flop_per_s, struct err *e)
{
    for (task_id t = 0; t < g->n_tasks; t++) {
        json_t *name = json_string(g->tasks[t].name);
        json_decref(name);
        if (name == NULL)
            return err_set_at(e, ERR_INPUT, g->source, g->tasks[t].line,
                              "task '%.200s': JSON cannot write this name, as it is not UTF-8", g->tasks[t].name);
    }
    if (!isfinite(dag_work_flop(g) / reference_flop_per_s))
        return err_set_at(e, ERR_INPUT, g->source, 0, "at %g flop/s run times are not finite", reference_flop_per_s);
    return ERR_NONE;
}

static enum err_code write_wfcommons(const struct dag *g, const struct dag_read_options *options, struct text *out,
                                     struct err *e)
{
    double reference_flop_per_s = options ? options->reference_flop_per_s : DAG_REFERENCE_FLOP_PER_S;
    char at[TEXT_NUMBER_SIZE];
    enum err_code code = check_writable(g, reference_flop_per_s, e);
    if (code != ERR_NONE)
        return code;
    json_t *description =
        json_sprintf("Written by iasim. Run times are those of a processor of %s flop/s that does one "
                     "task after the other.",
                     text_number(reference_flop_per_s, at));
    json_t *root = json_pack("{s:s, s:o, s:s, s:{s:o, s:o}}", "name", "task graph", "description", description,
                             "schemaVersion", "1.5", "workflow", "specification", specification(g), "execution",
                             execution(g, reference_flop_per_s));
    char *dump = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (dump == NULL)
        return err_set_at(e, ERR_INTERNAL, g->source, 0, "jansson cannot write this graph");
    text_addf(out, "%s\n", dump);
    free(dump);
    return ERR_NONE;
}

const struct dag_format dag_format_wfcommons = {
    .name = "wfcommons",
    .summary = "WfCommons workflow in JSON, version 1.5; edges carry the files that tasks share",
    .source = "WfCommons: WfFormat 1.5",
    .extensions = "json",
    .looks_like = looks_like_wfcommons,
    .read = read_wfcommons,
    .write = write_wfcommons,
};
