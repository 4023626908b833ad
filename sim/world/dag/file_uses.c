/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Uses are collected in the order of the file and sorted at the end, because tasks and files refer to each other in
   any order. Lookups are binary searches: a task of a workflow may use thousands of files, and two tasks are
   compared for each edge. */
#include "dag/file_uses.h"

#include "base/mem.h"
#include "base/name_index.h"

#include <stdlib.h>

struct use {
    task_id task;
    int file;
    double size_bytes;
    size_t order; /* in which it was added: the first use counts */
};

struct uses {
    struct use *list; /* sorted by task, then file, once sealed */
    size_t n, capacity;
    size_t *start; /* where the uses of each task begin */
};

struct file_uses {
    struct name_index *index;
    char **names;
    double *sizes;   /* from the list of files */
    task_id *writer; /* the only writer; -1: no writer, -2: several */
    size_t n, names_capacity, sizes_capacity;
    struct uses written, read;
    /* The order of the edges that follow from files. The sorted list has lost it. */
    struct use *reads_as_added;
    size_t n_reads_as_added;
};

struct file_uses *file_uses_create(void)
{
    struct file_uses *u = mem_zalloc(1, sizeof *u);
    u->index = name_index_create();
    return u;
}

void file_uses_free(struct file_uses *u)
{
    if (u == NULL)
        return;
    name_index_free(u->index);
    for (size_t i = 0; i < u->n; i++)
        free(u->names[i]);
    free(u->names);
    free(u->sizes);
    free(u->writer);
    free(u->written.list);
    free(u->written.start);
    free(u->read.list);
    free(u->read.start);
    free(u->reads_as_added);
    free(u);
}

int file_uses_find(const struct file_uses *u, const char *name)
{
    return name_index_find(u->index, name);
}

int file_uses_file(struct file_uses *u, const char *name)
{
    int before = name_index_find(u->index, name), file = (int)u->n;
    if (before >= 0)
        return before;
    MEM_GROW(u->names, u->n, u->names_capacity);
    MEM_GROW(u->sizes, u->n, u->sizes_capacity);
    u->names[file] = mem_strdup(name);
    u->sizes[file] = FILE_SIZE_UNKNOWN;
    u->n++;
    return name_index_add(u->index, u->names[file], file);
}

const char *file_uses_name(const struct file_uses *u, int file)
{
    return u->names[file];
}

/* A pointer, valid until the next new file is added: callers set the size through it. */
double *file_uses_size(struct file_uses *u, int file)
{
    return &u->sizes[file];
}

static void add(struct uses *uses, task_id task, int file, double size_bytes)
{
    MEM_GROW(uses->list, uses->n, uses->capacity);
    uses->list[uses->n] = (struct use){task, file, size_bytes, uses->n};
    uses->n++;
}

void file_uses_add_written(struct file_uses *u, task_id task, int file, double size_bytes)
{
    add(&u->written, task, file, size_bytes);
}

void file_uses_add_read(struct file_uses *u, task_id task, int file, double size_bytes)
{
    add(&u->read, task, file, size_bytes);
}

/* ---- sealing ---- */

static int compare(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void seal(struct uses *uses, int n_tasks)
{
    size_t n = 0;
    if (uses->n > 0)
        qsort(uses->list, uses->n, sizeof *uses->list, compare);
    for (size_t i = 0; i < uses->n; i++)
        /* After sorting, repeated uses are neighbours, the first one in front. It is the one that counts. */
        if (n == 0 || uses->list[n - 1].task != uses->list[i].task || uses->list[n - 1].file != uses->list[i].file)
            uses->list[n++] = uses->list[i];
    uses->n = n;
    uses->start = mem_zalloc((size_t)n_tasks + 1, sizeof *uses->start);
    /* One pass for all tasks: `i` only moves forwards. The entry behind the last task ends its range. */
    for (size_t i = 0, t = 0; t <= (size_t)n_tasks; t++) {
        while (i < n && uses->list[i].task < (task_id)t)
            i++;
        uses->start[t] = i;
    }
}

static void find_writers(struct file_uses *u)
{
    u->writer = mem_alloc((u->n + 1) * sizeof *u->writer);
    for (size_t i = 0; i < u->n; i++)
        u->writer[i] = -1;
    for (size_t i = 0; i < u->written.n; i++) {
        task_id *writer = &u->writer[u->written.list[i].file];
        /* The list has each (task, file) once, so a second entry for a file is a second task. */
        *writer = *writer == -1 ? u->written.list[i].task : -2;
    }
}

void file_uses_seal(struct file_uses *u, int n_tasks)
{
    /* Copied before sorting. */
    u->n_reads_as_added = u->read.n;
    u->reads_as_added = mem_alloc((u->read.n + 1) * sizeof *u->reads_as_added);
    for (size_t i = 0; i < u->read.n; i++)
        u->reads_as_added[i] = u->read.list[i];
    seal(&u->written, n_tasks);
    seal(&u->read, n_tasks);
    find_writers(u);
}

/* ---- queries ---- */

static const struct use *find(const struct uses *uses, task_id task, int file)
{
    size_t low = uses->start[task], high = uses->start[task + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (uses->list[middle].file < file)
            low = middle + 1;
        else
            high = middle;
    }
    return low < uses->start[task + 1] && uses->list[low].file == file ? &uses->list[low] : NULL;
}

double file_uses_shared_bytes(const struct file_uses *u, task_id src, task_id dst, int *unknown)
{
    size_t n_written = u->written.start[src + 1] - u->written.start[src];
    size_t n_read = u->read.start[dst + 1] - u->read.start[dst];
    const struct uses *shorter = n_written <= n_read ? &u->written : &u->read;
    task_id task = n_written <= n_read ? src : dst;
    double sum = 0;
    *unknown = -1;
    /* The shorter list is walked and the longer one searched. The order of the sum is that of the file numbers
       whichever is shorter, so the bytes do not depend on it. */
    for (size_t i = shorter->start[task]; i < shorter->start[task + 1]; i++) {
        const struct use *written = find(&u->written, src, shorter->list[i].file);
        const struct use *read = find(&u->read, dst, shorter->list[i].file);
        if (written == NULL || read == NULL)
            continue;
        /* What the writer says is known best: its file has been written. A size that a reader gives may be an
           estimate. */
        double size_bytes = written->size_bytes >= 0 ? written->size_bytes : read->size_bytes;
        if (size_bytes < 0)
            size_bytes = u->sizes[written->file];
        if (size_bytes < 0)
            *unknown = written->file;
        else
            sum += size_bytes;
    }
    return sum;
}

bool file_uses_next_flow(const struct file_uses *u, size_t *i, task_id *writer, task_id *task, int *file)
{
    /* A file that no task writes is an input of the workflow; for one with several writers it is unknown which
       version is read. Neither gives an edge, nor does a task that reads what it writes. */
    for (; *i < u->n_reads_as_added; (*i)++) {
        const struct use *read = &u->reads_as_added[*i];
        *writer = u->writer[read->file];
        *task = read->task;
        *file = read->file;
        if (*writer >= 0 && *writer != *task) {
            (*i)++;
            return true;
        }
    }
    return false;
}
