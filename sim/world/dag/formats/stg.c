/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* STG (Standard Task Graph Set [Tobita 2002], www.kasahara.cs.waseda.ac.jp/schedule/format_e.html): the number of
   tasks, then a line for each task

       number  processing time  number of predecessors  predecessors...

   In the form with communication costs the predecessors follow on lines of their own, as `predecessor cost` (pairs on
   the task's line are also accepted). A # starts a comment. Times and costs are abstract units, read as flop and bytes;
   a graph can be scaled where it is used. Tasks are named by their numbers, which count from 0 or, in the prototype
   set, from 1.

   The number on the first line does not count the dummy tasks (time 0) at the beginning and the end; files from
   elsewhere count all tasks. Both are accepted, but if the first task is a dummy the last one must also be: this
   detects truncated files. A second number on the first line (processors, in the prototype set) is ignored. */
#include "base/mem.h"
#include "dag/format.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char text[64]; /* long enough for any number */
    int line;
};

struct pending_edge {
    long src;
    task_id dst;
    double size_bytes;
    int line;
};

enum form { FORM_UNKNOWN, FORM_PLAIN, FORM_COSTS };

struct reader {
    const char *at, *end, *path;
    int line;
    struct dag *g;
    struct err *e;
    enum form form;
    long base; /* the first task's number */
    /* Edges wait until all tasks are known, because a predecessor's number may be that of a later task. */
    struct pending_edge *edges;
    size_t n_edges, capacity;
};

static enum err_code refuse(const struct reader *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum err_code refuse(const struct reader *r, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum err_code code = err_vset_at(r->e, ERR_PARSE, r->path, line, format, args);
    va_end(args);
    return code;
}

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Moves to the next word of this line; false: no more words. */
static bool find_word(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    if (r->at < r->end && *r->at == '#')
        while (r->at < r->end && *r->at != '\n')
            r->at++;
    return r->at < r->end && *r->at != '\n';
}

/* Moves to the next line that has a word; false: the text has ended. */
static bool find_line(struct reader *r)
{
    while (!find_word(r)) {
        if (r->at == r->end)
            return false;
        r->at++;
        r->line++;
    }
    return true;
}

/* How many words are left on this line. */
static long count_words(const struct reader *r)
{
    /* A copy of the reader runs ahead; it holds only positions here and owns nothing. */
    struct reader ahead = *r;
    long n = 0;
    for (; find_word(&ahead); n++)
        while (ahead.at < ahead.end && *ahead.at != '\n' && *ahead.at != '#' && !is_blank(*ahead.at))
            ahead.at++;
    return n;
}

static enum err_code read_word(struct reader *r, const char *what, struct word *out)
{
    size_t n = 0;
    *out = (struct word){.line = r->line};
    if (!find_word(r))
        return refuse(r, r->line,
                      r->at == r->end ? "the text ends where %s is expected" : "the line ends where %s is expected",
                      what);
    for (; r->at < r->end && *r->at != '\n' && *r->at != '#' && !is_blank(*r->at); r->at++) {
        if (*r->at == '\0')
            return refuse(r, r->line, "found a NUL byte: this is not a text file");
        /* A longer word is no number, and is shown only in part. */
        if (n == sizeof out->text - 1)
            return refuse(r, r->line, "found '%.20s...' where %s is expected", out->text, what);
        out->text[n++] = *r->at;
    }
    return ERR_NONE;
}

static enum err_code read_count(struct reader *r, const char *what, long *out)
{
    struct word w;
    enum err_code code = read_word(r, what, &w);
    if (code == ERR_NONE && (!text_to_long(w.text, out) || *out < 0 || *out > INT_MAX))
        return refuse(r, w.line, "found '%s' where %s is expected", w.text, what);
    return code;
}

static enum err_code read_amount(struct reader *r, const char *what, double *out)
{
    struct word w;
    enum err_code code = read_word(r, what, &w);
    if (code == ERR_NONE && !text_to_double(w.text, out))
        return refuse(r, w.line, "found '%s' where %s is expected, a finite number", w.text, what);
    return code;
}

static enum err_code end_line(struct reader *r)
{
    struct word w;
    if (!find_word(r))
        return ERR_NONE;
    enum err_code code = read_word(r, "the line's end", &w);
    return code == ERR_NONE ? refuse(r, w.line, "found '%s' where the line's end is expected", w.text) : code;
}

/* ---- tasks ---- */

static enum err_code read_predecessor(struct reader *r, task_id task)
{
    struct pending_edge edge = {.dst = task, .line = r->line};
    enum err_code code = read_count(r, "a predecessor's number", &edge.src);
    if (code == ERR_NONE && r->form == FORM_COSTS)
        code = read_amount(r, "a communication cost", &edge.size_bytes);
    if (code != ERR_NONE)
        return code;
    MEM_GROW(r->edges, r->n_edges, r->capacity);
    r->edges[r->n_edges++] = edge;
    return ERR_NONE;
}

/* The first task that has predecessors shows which form the file has. */
static enum err_code read_predecessors(struct reader *r, task_id task, long n)
{
    enum err_code code = ERR_NONE;
    long here = count_words(r);
    /* With costs, the line has either nothing more (they follow on lines of their own) or two words for each
       predecessor. Anything else is read as the plain form, so that its messages speak of predecessors. */
    if (n > 0 && r->form == FORM_UNKNOWN)
        r->form = here == 0 || here == 2 * n ? FORM_COSTS : FORM_PLAIN;
    bool below = n > 0 && here == 0 && r->form == FORM_COSTS;
    for (long i = 0; i < n && code == ERR_NONE; i++) {
        if (below && !find_line(r))
            return refuse(r, r->line, "the text ends where predecessor %ld of %ld of task %s is expected", i + 1, n,
                          r->g->tasks[task].name);
        code = read_predecessor(r, task);
        if (code == ERR_NONE && below)
            code = end_line(r);
    }
    return code == ERR_NONE ? end_line(r) : code;
}

static enum err_code read_task(struct reader *r)
{
    long number, n_predecessors;
    double work_flop;
    task_id task = -1;
    char name[32];
    int line = r->line;
    enum err_code code = read_count(r, "a task's number", &number);
    /* Only 1 is special: any other first number is refused by the next check, which expects 0. */
    if (code == ERR_NONE && r->g->n_tasks == 0)
        r->base = number == 1;
    if (code == ERR_NONE && number != r->base + r->g->n_tasks)
        return refuse(r, line, "found task %ld where task %ld is expected", number, r->base + r->g->n_tasks);
    if (code == ERR_NONE)
        code = read_amount(r, "a processing time", &work_flop);
    if (code != ERR_NONE)
        return code;
    snprintf(name, sizeof name, "%ld", number);
    code = dag_add_task(r->g, name, work_flop, line, &task, r->e);
    if (code == ERR_NONE)
        code = read_count(r, "a number of predecessors", &n_predecessors);
    return code == ERR_NONE ? read_predecessors(r, task, n_predecessors) : code;
}

/* ---- the whole ---- */

static enum err_code add_edges(struct reader *r)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < r->n_edges && code == ERR_NONE; i++) {
        const struct pending_edge *edge = &r->edges[i];
        if (edge->src < r->base || edge->src - r->base >= r->g->n_tasks)
            return err_set_at(r->e, ERR_INPUT, r->path, edge->line,
                              "task %s waits for task %ld, which does not exist; the tasks are %ld to %ld",
                              r->g->tasks[edge->dst].name, edge->src, r->base, r->base + r->g->n_tasks - 1);
        code = dag_add_edge(r->g, (task_id)(edge->src - r->base), edge->dst, edge->size_bytes, edge->line, r->e);
    }
    return code;
}

static enum err_code check_count(const struct reader *r, long said)
{
    /* The dummies make a truncated file detectable: a file that was cut has a first dummy but not the last. */
    const struct task *tasks = r->g->tasks;
    long n = r->g->n_tasks;
    bool first_is_dummy = n > 0 && tasks[0].work_flop == 0, last_is_dummy = n > 0 && tasks[n - 1].work_flop == 0;
    if (n == said + 2 || (n == said && (last_is_dummy || !first_is_dummy)))
        return ERR_NONE;
    /* The prototype set counts from 1 and may have only the last dummy. */
    if (r->base == 1 && n == said + 1 && last_is_dummy)
        return ERR_NONE;
    return refuse(r, r->line, "the text ends after %ld tasks; its first line announces %ld and two dummy tasks", n,
                  said);
}

static enum err_code read_all(struct reader *r)
{
    long said = 0, ignored;
    if (!find_line(r))
        return refuse(r, 0, "the file is empty; the number of tasks is expected");
    enum err_code code = read_count(r, "the number of tasks", &said);
    if (code == ERR_NONE && find_word(r))
        code = read_count(r, "the number of processors or the line's end", &ignored);
    if (code == ERR_NONE)
        code = end_line(r);
    while (code == ERR_NONE && find_line(r))
        code = read_task(r);
    if (code == ERR_NONE)
        code = check_count(r, said);
    return code == ERR_NONE ? add_edges(r) : code;
}

static enum err_code read_stg(const char *bytes, size_t n, const char *path, const struct dag_read_options *options,
                              struct dag *out, struct err *e)
{
    struct reader r = {.at = bytes, .end = bytes + n, .path = path, .line = 1, .g = out, .e = e};
    (void)options;
    enum err_code code = read_all(&r);
    free(r.edges);
    return code;
}

/* The first line holds one or two numbers. */
static int looks_like_stg(const char *bytes, size_t n)
{
    struct reader r = {.at = bytes, .end = bytes + n, .path = ""};
    long number;
    /* Weak, but no text of another format begins with a number. */
    return find_line(&r) && read_count(&r, "", &number) == ERR_NONE && count_words(&r) <= 1;
}

const struct dag_format dag_format_stg = {
    .name = "stg",
    .summary = "Standard Task Graph Set, with or without communication costs; times as flop, costs as bytes",
    .source = "[Tobita 2002]",
    .extensions = "stg",
    .looks_like = looks_like_stg,
    .read = read_stg,
};
