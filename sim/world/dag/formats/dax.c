/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* DAX 2.1 and 3, the abstract workflows of Pegasus [Deelman 2015]. A job is a task. Its work is its run time (attribute
   runtime, or else the profile pegasus::runtime) times the reference speed. An edge carries the files that the parent
   writes and the child reads; its size is the sum of their sizes (file_uses.h).

   The declared edges (<child><parent>) come first, in their order. Then come the edges that follow from files, in the
   order of the jobs and their <uses>: a job that reads a file of exactly one other job waits for that job, declared or
   not, as in SimGrid and in Pegasus (pegasus.parser.dax.data.dependencies, on by default). A file that several jobs
   write creates no edges, because it is unknown which version is read; declared edges carry it.

   Files may be large, so only one element below <adag> is in memory at a time. A <child> may stand before the jobs that
   it names, so its names are kept and looked up at the end. */
#include "base/mem.h"
#include "base/xml.h"
#include "dag/file_uses.h"
#include "dag/format.h"

#include <stdlib.h>
#include <string.h>

struct link {
    task_id src, dst;
    int line;
};

struct reference { /* <child> or <parent> */
    size_t name;   /* where it begins in `names` */
    int line;
    bool is_child; /* the child of the parents that follow */
};

struct reader {
    const char *path;
    double reference_flop_per_s;
    struct dag *g;
    struct file_uses *files;
    struct text names; /* each ends with a NUL */
    struct reference *references;
    size_t n_references, references_capacity;
    /* The order of messages is that of a reader that took all jobs first. Without it a misspelt job would be
       reported as a child that refers to no job. */
    struct err in_child; /* the first mistake in a <child>, reported after mistakes in jobs; later ones are dropped */
    struct link *links;
    size_t n_links, links_capacity;
    struct err *e; /* of the current element */
};

static bool is_one_of(const xmlNode *element, const char *const *names)
{
    for (; *names != NULL; names++)
        if (xml_is(element, *names))
            return true;
    return false;
}

static enum err_code refuse_element(const struct reader *r, const xmlNode *element, const char *known)
{
    return xml_refuse(r->e, r->path, element, "<%s> has no element <%.100s>; known: %s", xml_name(element->parent),
                      xml_name(element), known);
}

static enum err_code required(const struct reader *r, const xmlNode *element, const char *name, const char **out)
{
    *out = xml_attribute(element, name);
    if (*out == NULL)
        return xml_refuse(r->e, r->path, element, "<%s> lacks the attribute '%s'", xml_name(element), name);
    return ERR_NONE;
}

/* Only plain text: with an element inside, "" is refused as "not a finite number". */
static const char *content(const xmlNode *element)
{
    const xmlNode *text = element->children;
    return text != NULL && text->content != NULL && text->next == NULL ? (const char *)text->content : "";
}

/* The child with this element name, key and namespace (`space` NULL: any namespace). */
static const xmlNode *find_keyed(const xmlNode *parent, const char *name, const char *space, const char *key)
{
    for (const xmlNode *child = xml_first(parent); child != NULL; child = xml_next(child)) {
        const char *its_key = xml_attribute(child, "key"), *its_space = xml_attribute(child, "namespace");
        if (xml_is(child, name) && its_key != NULL && strcmp(its_key, key) == 0 &&
            (space == NULL || (its_space != NULL && strcmp(its_space, space) == 0)))
            return child;
    }
    return NULL;
}

/* A number that is not negative. */
static enum err_code read_amount(const struct reader *r, const xmlNode *element, const char *what, const char *text,
                                 double *out)
{
    if (!text_to_double(text, out))
        return xml_refuse(r->e, r->path, element, "%s '%.100s' is not a finite number", what, text);
    if (*out < 0)
        return xml_refuse(r->e, r->path, element, "%s %s is negative", what, text);
    return ERR_NONE;
}

/* ---- files ---- */

/* The attribute size, or <metadata key="size">. */
static enum err_code read_size(const struct reader *r, const xmlNode *element, double *out)
{
    const char *text = xml_attribute(element, "size");
    const xmlNode *metadata = text ? NULL : find_keyed(element, "metadata", NULL, "size");
    *out = FILE_SIZE_UNKNOWN;
    if (metadata != NULL)
        text = content(metadata);
    return text ? read_amount(r, element, "size", text, out) : ERR_NONE;
}

/* DAX 2.1 says file=, DAX 3 says name=. */
static enum err_code read_file_name(const struct reader *r, const xmlNode *element, const char **out)
{
    *out = xml_attribute(element, "file");
    if (*out == NULL)
        *out = xml_attribute(element, "name");
    if (*out == NULL || **out == '\0')
        return xml_refuse(r->e, r->path, element,
                          "<%s> does not name its file (attribute 'file' in DAX 2, 'name' in DAX 3)",
                          xml_name(element));
    return ERR_NONE;
}

/* <file>, or <filename> in DAX 2.1. */
static enum err_code read_file(const struct reader *r, const xmlNode *element)
{
    const char *name;
    double size_bytes;
    enum err_code code = read_file_name(r, element, &name);
    if (code == ERR_NONE)
        code = read_size(r, element, &size_bytes);
    /* The list of files only says sizes. Which task uses a file is told by <uses>. */
    if (code == ERR_NONE)
        *file_uses_size(r->files, file_uses_file(r->files, name)) = size_bytes;
    return code;
}

static enum err_code read_uses(const struct reader *r, const xmlNode *element, task_id task)
{
    const char *name, *link;
    double size_bytes;
    enum err_code code = read_file_name(r, element, &name);
    if (code == ERR_NONE)
        code = required(r, element, "link", &link);
    if (code == ERR_NONE)
        code = read_size(r, element, &size_bytes);
    if (code != ERR_NONE)
        return code;
    bool is_inout = strcmp(link, "inout") == 0;
    int file = file_uses_file(r->files, name);
    if (is_inout || strcmp(link, "output") == 0)
        file_uses_add_written(r->files, task, file, size_bytes);
    if (is_inout || strcmp(link, "input") == 0)
        file_uses_add_read(r->files, task, file, size_bytes);
    else if (strcmp(link, "output") != 0 && strcmp(link, "none") != 0)
        return xml_refuse(r->e, r->path, element, "unknown link '%.100s'; known: input, output, inout, none", link);
    return ERR_NONE;
}

/* ---- jobs ---- */

static enum err_code read_work(const struct reader *r, const xmlNode *job, const char *id, double *work_flop)
{
    double runtime_s = 0;
    const char *text = xml_attribute(job, "runtime");
    const xmlNode *profile = text ? NULL : find_keyed(job, "profile", "pegasus", "runtime");
    /* An attribute wins over a profile, so a job that has both has one run time. */
    if (profile != NULL)
        text = content(profile);
    if (text == NULL)
        return xml_refuse(r->e, r->path, job,
                          "job '%.200s' has no run time (attribute 'runtime', or a profile 'pegasus' of key 'runtime')",
                          id);
    enum err_code code = read_amount(r, job, "runtime", text, &runtime_s);
    r->g->has_run_times = true;
    *work_flop = runtime_s * r->reference_flop_per_s;
    return code;
}

static enum err_code read_job(const struct reader *r, const xmlNode *job)
{
    static const char *const ignored[] = {"argument", "profile",  "stdin",  "stdout",
                                          "stderr",   "metadata", "invoke", NULL};
    const char *id;
    double work_flop = 0;
    task_id task = -1;
    enum err_code code = required(r, job, "id", &id);
    if (code == ERR_NONE)
        code = read_work(r, job, id, &work_flop);
    if (code == ERR_NONE)
        code = dag_add_task(r->g, id, work_flop, xml_line(job), &task, r->e);
    for (const xmlNode *child = xml_first(job); child != NULL && code == ERR_NONE; child = xml_next(child))
        if (xml_is(child, "uses"))
            code = read_uses(r, child, task);
        else if (!is_one_of(child, ignored))
            code = refuse_element(r, child, "uses, argument, profile, stdin, stdout, stderr, metadata, invoke");
    return code;
}

/* ---- edges ---- */

static void add_link(struct reader *r, task_id src, task_id dst, int line)
{
    MEM_GROW(r->links, r->n_links, r->links_capacity);
    r->links[r->n_links++] = (struct link){src, dst, line};
}

static enum err_code add_reference(struct reader *r, const xmlNode *element, bool is_child)
{
    const char *name;
    enum err_code code = required(r, element, "ref", &name);
    if (code != ERR_NONE)
        return code;
    MEM_GROW(r->references, r->n_references, r->references_capacity);
    r->references[r->n_references++] = (struct reference){r->names.size, xml_line(element), is_child};
    /* With its NUL, so the names lie one after the other in one buffer. Places are kept, not pointers, because the
       buffer moves when it grows. */
    text_add(&r->names, name, strlen(name) + 1);
    return ERR_NONE;
}

static enum err_code read_child(struct reader *r, const xmlNode *child)
{
    enum err_code code = add_reference(r, child, true);
    for (const xmlNode *parent = xml_first(child); parent != NULL && code == ERR_NONE; parent = xml_next(parent))
        code = xml_is(parent, "parent") ? add_reference(r, parent, false) : refuse_element(r, parent, "parent");
    return code;
}

static enum err_code resolve_references(struct reader *r, struct err *e)
{
    /* The references are in the order of the text: each <child> is followed by its parents. */
    task_id child = -1;
    for (size_t i = 0; i < r->n_references; i++) {
        const struct reference *reference = &r->references[i];
        const char *name = text_str(&r->names) + reference->name;
        task_id job = dag_task_id(r->g, name);
        if (job < 0)
            return err_set_at(e, ERR_INPUT, r->path, reference->line,
                              "<%s> refers to '%.200s', which is not a job of this file",
                              reference->is_child ? "child" : "parent", name);
        if (reference->is_child)
            child = job;
        else
            add_link(r, job, child, reference->line);
    }
    return r->in_child.code == ERR_NONE
               ? ERR_NONE
               : err_set_at(e, r->in_child.code, r->path, r->in_child.line, "%s", r->in_child.text);
}

/* Adds the edges that follow from files and were not declared. Edges declared twice remain because dag_seal reports
   them as a mistake. The reads of a task follow each other, so one mark for each writer suffices. */
static void add_flows(struct reader *r)
{
    size_t n_declared = r->n_links, n_tasks = (size_t)r->g->n_tasks;
    /* Of each destination: its last declared edge, and of each of these the one before it, all plus 1; 0: no edge. */
    size_t *last = mem_zalloc(n_tasks + 1, sizeof *last), *before = mem_alloc((n_declared + 1) * sizeof *before);
    /* Of each source: the last destination that was found to have an edge from it. */
    task_id *reader_of = mem_alloc((n_tasks + 1) * sizeof *reader_of);
    for (size_t i = 0; i < n_declared; i++) {
        before[i] = last[r->links[i].dst];
        last[r->links[i].dst] = i + 1;
    }
    for (size_t t = 0; t < n_tasks; t++)
        reader_of[t] = -1;
    task_id src, dst, at = -1;
    int file;
    for (size_t i = 0; file_uses_next_flow(r->files, &i, &src, &dst, &file); at = dst) {
        /* Only when the reader changes: marks all declared parents of the new one. The marks of the reader before
           need no clearing, because they hold its number. */
        for (size_t k = dst != at ? last[dst] : 0; k > 0; k = before[k - 1])
            reader_of[r->links[k - 1].src] = dst;
        if (reader_of[src] != dst)
            add_link(r, src, dst, r->g->tasks[dst].line);
        reader_of[src] = dst;
    }
    free(last);
    free(before);
    free(reader_of);
}

static enum err_code add_edges(struct reader *r, struct err *e)
{
    enum err_code code = ERR_NONE;
    file_uses_seal(r->files, r->g->n_tasks);
    add_flows(r);
    for (size_t i = 0; i < r->n_links && code == ERR_NONE; i++) {
        const struct link *link = &r->links[i];
        /* A declared edge without a common file is allowed; it only means "after" and carries no bytes. */
        int unknown;
        double size_bytes = file_uses_shared_bytes(r->files, link->src, link->dst, &unknown);
        if (unknown >= 0)
            return err_set_at(e, ERR_INPUT, r->path, r->g->tasks[link->src].line,
                              "file '%.200s', which job '%.200s' writes and job '%.200s' reads, has no size",
                              file_uses_name(r->files, unknown), r->g->tasks[link->src].name,
                              r->g->tasks[link->dst].name);
        code = dag_add_edge(r->g, link->src, link->dst, size_bytes, link->line, e);
    }
    return code;
}

/* ---- the document ---- */

static enum err_code check_root(const struct reader *r, const xmlNode *root)
{
    if (!xml_is(root, "adag"))
        return xml_refuse(r->e, r->path, root, "found <%.100s> where <adag> is expected: this is not a DAX file",
                          xml_name(root));
    const char *version = xml_attribute(root, "version");
    if (version != NULL && version[0] != '2' && version[0] != '3')
        return xml_refuse(r->e, r->path, root, "unknown DAX version '%.100s'; known: 2.1, 3", version);
    return ERR_NONE;
}

static enum err_code read_top(struct reader *r, const xmlNode *element)
{
    static const char *const ignored[] = {"executable", "transformation", "metadata", "invoke", NULL};
    if (xml_is(element, "job"))
        return read_job(r, element);
    if (xml_is(element, "file") || xml_is(element, "filename"))
        return read_file(r, element);
    if (xml_is(element, "dag") || xml_is(element, "dax"))
        return xml_refuse(r->e, r->path, element, "<%s> refers to a workflow in another file, which is not supported",
                          xml_name(element));
    if (!is_one_of(element, ignored))
        return refuse_element(r, element, "job, child, file, filename, executable, transformation, metadata, invoke");
    return ERR_NONE;
}

static enum err_code take_element(void *self, const xmlNode *element, struct err *e)
{
    struct reader *r = self;
    bool is_child = !xml_is_root(element) && xml_is(element, "child");
    r->e = is_child ? &r->in_child : e;
    if (is_child)
        return r->in_child.code == ERR_NONE ? read_child(r, element) : ERR_NONE;
    return xml_is_root(element) ? check_root(r, element) : read_top(r, element);
}

static enum err_code read_dax(const char *bytes, size_t n, const char *path, const struct dag_read_options *options,
                              struct dag *out, struct err *e)
{
    struct reader r = {.path = path, .reference_flop_per_s = options->reference_flop_per_s, .g = out};
    r.files = file_uses_create();
    enum err_code code = xml_visit(bytes, n, path, take_element, &r, e);
    if (code == ERR_NONE)
        code = resolve_references(&r, e);
    /* Names are not needed any more. Edges of a large workflow can use the memory. */
    text_clear(&r.names);
    free(r.references);
    if (code == ERR_NONE)
        code = add_edges(&r, e);
    file_uses_free(r.files);
    free(r.links);
    return code;
}

static int looks_like_dax(const char *bytes, size_t n)
{
    static const char mark[] = {'\xEF', '\xBB', '\xBF'};
    if (n >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0) {
        bytes += sizeof mark;
        n -= sizeof mark;
    }
    /* Blanks before the declaration are not valid XML, but the parser should say so, not "unknown format". */
    while (n > 0 && memchr(" \t\r\n", *bytes, 4) != NULL) {
        bytes++;
        n--;
    }
    return n > 1 && bytes[0] == '<' && memmem(bytes, n, "<adag", 5) != NULL;
}

const struct dag_format dag_format_dax = {
    .name = "dax",
    .summary = "Pegasus workflow in XML, version 2.1 or 3; edges carry the files that jobs share",
    .source = "[Deelman 2015]; schemas dax-2.1.xsd and dax-3.6.xsd of Pegasus",
    .extensions = "dax xml",
    .looks_like = looks_like_dax,
    .read = read_dax,
};
