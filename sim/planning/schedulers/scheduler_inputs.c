/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text files in which a user prescribes the order of tasks and their hosts. Each line is the name of a task, followed
   in an allocation by the name of a host. Names of tasks may contain blanks, names of hosts may not. Time: linear in
   the file and the graph. */
#include "schedulers/scheduler.h"

#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const size_t max_file_bytes = (size_t)1 << 30;

struct reader {
    const char *path, *bytes;
    size_t n, at;
    int line;
    struct text content; /* of the line, without surrounding blanks */
    const struct dag *dag;
    int *line_of; /* [task]: the line where it was found; 0: not yet found */
    int n_found;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Moves to the next line that is neither empty nor a comment; false: no more lines. Comments and empty lines are passed
   over here, so that readers of lines see content only. */
static bool next_line(struct reader *r)
{
    while (r->at < r->n) {
        const char *begin = r->bytes + r->at, *newline = memchr(begin, '\n', r->n - r->at);
        const char *end = newline ? newline : r->bytes + r->n;
        r->at = (size_t)(end - r->bytes) + 1;
        r->line++;
        while (begin < end && is_blank(*begin))
            begin++;
        while (begin < end && is_blank(end[-1]))
            end--;
        if (begin == end || *begin == '#')
            continue;
        r->content.size = 0;
        text_add(&r->content, begin, (size_t)(end - begin));
        return true;
    }
    return false;
}

static enum err_code unknown(const struct reader *r, const char *what, const char *name, const char *source,
                             const struct name_index *known, struct err *e)
{
    err_set_at(e, ERR_INPUT, r->path, r->line, "unknown %s '%.100s': not in %s%s", what, name, source,
               name_index_hint(known, name).text);
    return ERR_INPUT;
}

/* The task called `name`, which must not appear on an earlier line. */
static enum err_code take_task(struct reader *r, const char *name, task_id *out, struct err *e)
{
    *out = dag_task_id(r->dag, name);
    if (*out < 0)
        return unknown(r, "task", name, r->dag->source, r->dag->index, e);
    if (r->line_of[*out] > 0)
        return err_set_at(e, ERR_INPUT, r->path, r->line, "task '%.100s' appears twice; the first is on line %d", name,
                          r->line_of[*out]);
    r->line_of[*out] = r->line;
    r->n_found++;
    return ERR_NONE;
}

static enum err_code require_all_tasks(const struct reader *r, struct err *e)
{
    int n_missing = r->dag->n_tasks - r->n_found;
    if (n_missing == 0)
        return ERR_NONE;
    task_id first = 0;
    while (r->line_of[first] > 0)
        first++;
    const char *name = r->dag->tasks[first].name;
    if (n_missing == 1)
        return err_set_at(e, ERR_INPUT, r->path, 0, "task '%.100s' is missing", name);
    return err_set_at(e, ERR_INPUT, r->path, 0, "%d of %d tasks are missing, '%.100s' and others", n_missing,
                      r->dag->n_tasks, name);
}

static enum err_code reader_init(struct reader *r, const char *bytes, size_t n, const char *path, const struct dag *g,
                                 struct err *e)
{
    *r = (struct reader){.path = path, .bytes = bytes, .n = n, .dag = g};
    /* strings would end there, and the rest of the line be ignored in silence */
    if (n > 0 && memchr(bytes, '\0', n) != NULL)
        return err_set_at(e, ERR_PARSE, path, 0, "not a text file: it has a NUL byte");
    r->line_of = mem_zalloc((size_t)g->n_tasks, sizeof *r->line_of);
    return ERR_NONE;
}

static void reader_clear(struct reader *r)
{
    free(r->line_of);
    text_clear(&r->content);
}

/* ---- order ---- */

/* By lines, not by places in `order`: the message names both lines. */
static enum err_code check_is_topological(const struct reader *r, const task_id *order, struct err *e)
{
    const struct dag *g = r->dag;
    for (int i = 0; i < g->n_tasks; i++) {
        task_id t = order[i];
        for (int k = g->in_start[t]; k < g->in_start[t + 1]; k++) {
            task_id before = g->edges[g->in[k]].src;
            if (r->line_of[before] > r->line_of[t])
                return err_set_at(
                    e, ERR_INPUT, r->path, r->line_of[t],
                    "task '%.100s' comes before '%.100s' (line %d), which must precede it: %s has an edge "
                    "from there",
                    g->tasks[t].name, g->tasks[before].name, r->line_of[before], g->source);
        }
    }
    return ERR_NONE;
}

enum err_code scheduler_parse_order(const char *bytes, size_t n, const char *path, const struct dag *g, task_id **out,
                                    struct err *e)
{
    *out = NULL;
    struct reader r;
    enum err_code code = reader_init(&r, bytes, n, path, g, e);
    task_id *order = mem_zalloc((size_t)g->n_tasks, sizeof *order);
    while (code == ERR_NONE && next_line(&r)) {
        task_id t;
        code = take_task(&r, text_str(&r.content), &t, e);
        if (code == ERR_NONE)
            order[r.n_found - 1] = t;
    }
    if (code == ERR_NONE)
        code = require_all_tasks(&r, e);
    if (code == ERR_NONE)
        code = check_is_topological(&r, order, e);
    reader_clear(&r);
    if (code == ERR_NONE)
        *out = order;
    else
        free(order);
    return code;
}

/* ---- allocation ---- */

/* Splits a line at its last word, which is the host. From the end, because only names of hosts are known to have no
   blanks. */
static enum err_code split_line(struct reader *r, const char **host, struct err *e)
{
    char *begin = r->content.data, *end = begin + r->content.size;
    while (end > begin && !is_blank(end[-1]))
        end--;
    if (end == begin)
        return err_set_at(e, ERR_PARSE, r->path, r->line, "'%.100s' is one word, expected two: TASK HOST", begin);
    *host = end;
    while (is_blank(end[-1]))
        end--;
    *end = '\0';
    return ERR_NONE;
}

static enum err_code take_allocation(struct reader *r, const struct machine *m, host_id *allocation, struct err *e)
{
    const char *host = NULL;
    task_id t = -1;
    enum err_code code = split_line(r, &host, e);
    if (code == ERR_NONE)
        code = take_task(r, r->content.data, &t, e);
    if (code != ERR_NONE)
        return code;
    allocation[t] = machine_host_id(m, host);
    if (allocation[t] < 0)
        return unknown(r, "host", host, m->source, m->host_index, e);
    return ERR_NONE;
}

enum err_code scheduler_parse_allocation(const char *bytes, size_t n, const char *path, const struct dag *g,
                                         const struct machine *m, host_id **out, struct err *e)
{
    *out = NULL;
    struct reader r;
    enum err_code code = reader_init(&r, bytes, n, path, g, e);
    host_id *allocation = mem_zalloc((size_t)g->n_tasks, sizeof *allocation);
    while (code == ERR_NONE && next_line(&r))
        code = take_allocation(&r, m, allocation, e);
    if (code == ERR_NONE)
        code = require_all_tasks(&r, e);
    reader_clear(&r);
    if (code == ERR_NONE)
        *out = allocation;
    else
        free(allocation);
    return code;
}

/* ---- files ---- */

enum err_code scheduler_read_order(const char *path, const struct dag *g, task_id **out, struct err *e)
{
    struct text text = {0};
    *out = NULL;
    enum err_code code = text_read_file(&text, path, max_file_bytes, e);
    if (code == ERR_NONE)
        code = scheduler_parse_order(text_str(&text), text.size, path, g, out, e);
    text_clear(&text);
    return code;
}

enum err_code scheduler_read_allocation(const char *path, const struct dag *g, const struct machine *m, host_id **out,
                                        struct err *e)
{
    struct text text = {0};
    *out = NULL;
    enum err_code code = text_read_file(&text, path, max_file_bytes, e);
    if (code == ERR_NONE)
        code = scheduler_parse_allocation(text_str(&text), text.size, path, g, m, out, e);
    text_clear(&text);
    return code;
}
