/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/trace.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    struct new_file new_file;
    FILE *file;              /* its stream */
    const struct tree *tree; /* NULL: not a farm */
    bool is_json, has_events;
};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Every JSON event except the first follows a comma. */
static FILE *next(struct trace *t)
{
    fputs(t->has_events ? ",\n" : "\n", t->file);
    t->has_events = true;
    return t->file;
}

/* The name in quotes, or "?" if it is not UTF-8. The caller frees it. */
static char *quote(const char *name)
{
    json_t *value = json_string(name);
    char *quoted = value != NULL ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    return quoted != NULL ? quoted : mem_strdup("\"?\"");
}

static void write_json_name(struct trace *t, int process, const char *name)
{
    char *quoted = quote(name);
    fprintf(next(t), "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":%s}}", process, quoted);
    free(quoted);
}

static void write_json_names(struct trace *t)
{
    for (node_id n = 0; n < t->tree->n_nodes; n++)
        write_json_name(t, n, t->tree->nodes[n].host_name);
}

static void write_csv_event(struct trace *t, double now_s, node_id node, enum farm_event event, long task,
                            node_id other)
{
    char number[TEXT_NUMBER_SIZE];
    fprintf(t->file, "%s,", text_number(now_s, number));
    text_write_csv_field(t->file, t->tree->nodes[node].host_name);
    fprintf(t->file, ",%s,", farm_event_name(event));
    if (task >= 0)
        fprintf(t->file, "%ld", task);
    putc(',', t->file);
    if (other >= 0)
        text_write_csv_field(t->file, t->tree->nodes[other].host_name);
    putc('\n', t->file);
}

static void write_json_event(struct trace *t, double now_s, node_id node, enum farm_event event, long task,
                             node_id other)
{
    char number[TEXT_NUMBER_SIZE];
    const char *us = text_number(now_s * 1e6, number);
    switch (event) {
    case FARM_COMPUTE_START:
    case FARM_COMPUTE_END:
        fprintf(next(t), "{\"ph\":\"%c\",\"name\":\"task %ld\",\"cat\":\"compute\",\"pid\":%d,\"tid\":0,\"ts\":%s}",
                event == FARM_COMPUTE_START ? 'B' : 'E', task, node, us);
        break;
    case FARM_SEND_START:
    case FARM_SEND_RESUME:
    case FARM_SEND_PAUSE:
    case FARM_SEND_END: {
        bool begins = event == FARM_SEND_START || event == FARM_SEND_RESUME;
        fprintf(next(t), "{\"ph\":\"%c\",\"name\":\"send task %ld\",\"cat\":\"send\",\"id\":\"%ld.%d\",\"pid\":%d,",
                begins ? 'b' : 'e', task, task, other, node);
        fprintf(t->file, "\"tid\":1,\"ts\":%s}", us);
        break;
    }
    case FARM_RECEIVE_END:
    case FARM_REQUEST:
        fprintf(next(t), "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"%s\",\"pid\":%d,\"tid\":0,\"ts\":%s}",
                farm_event_name(event), node, us);
        break;
    }
}

void trace_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    struct trace *t = self;
    if (t->is_json)
        write_json_event(t, now_s, node, event, task, other);
    else
        write_csv_event(t, now_s, node, event, task, other);
}

static enum err_code open_file(const char *path, struct trace **out, struct err *e)
{
    struct new_file new_file;
    enum err_code code = new_file_open(path, &new_file, e);
    if (code != ERR_NONE)
        return code;
    struct trace *t = mem_zalloc(1, sizeof *t);
    *t = (struct trace){.new_file = new_file, .file = new_file.out, .is_json = ends_with(path, ".json")};
    fputs(t->is_json ? "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[" : "time_s,host,event,task,peer\n", t->file);
    *out = t;
    return ERR_NONE;
}

enum err_code trace_open(const char *path, const struct tree *tree, struct trace **out, struct err *e)
{
    enum err_code code = open_file(path, out, e);
    if (code != ERR_NONE)
        return code;
    (*out)->tree = tree;
    if ((*out)->is_json)
        write_json_names(*out);
    return ERR_NONE;
}

enum err_code trace_close(struct trace *t, bool keep, struct err *e)
{
    if (t == NULL)
        return ERR_NONE;
    if (t->is_json)
        fputs("\n]}\n", t->file);
    enum err_code code = new_file_close(&t->new_file, keep, e);
    free(t);
    return code;
}

/* ---- replays ---- */

struct slice {        /* an activity of a host, from start to finish */
    const char *what; /* "compute", "send", "transfer", "receive" */
    struct span span;
    host_id host, peer; /* peer -1: none */
    task_id task;       /* or -1, and */
    edge_id edge;
};

struct slices {
    const struct schedule *schedule;
    struct slice *list;
    size_t n;
};

static char *name_of(const struct schedule *s, const struct slice *x)
{
    const struct dag *g = s->problem.dag;
    if (x->task >= 0)
        return mem_strdup(g->tasks[x->task].name);
    return mem_format("%s -> %s", g->tasks[g->edges[x->edge].src].name, g->tasks[g->edges[x->edge].dst].name);
}

static void collect_slices(const struct schedule *s, const struct replay_result *r, struct slices *out)
{
    const struct dag *g = s->problem.dag;
    *out = (struct slices){s, mem_alloc((r->n_tasks + 3 * r->n_edges + 1) * sizeof *out->list), 0};
    for (task_id t = 0; t < g->n_tasks; t++)
        out->list[out->n++] = (struct slice){"compute", r->tasks[t], s->tasks[t].host, -1, t, -1};
    for (edge_id e = 0; e < g->n_edges; e++) {
        host_id src = s->tasks[g->edges[e].src].host, dst = s->tasks[g->edges[e].dst].host;
        if (!s->edges[e].is_remote)
            continue;
        out->list[out->n++] = (struct slice){"send", r->edges[e].send, src, dst, -1, e};
        out->list[out->n++] = (struct slice){"transfer", r->edges[e].transfer, src, dst, -1, e};
        out->list[out->n++] = (struct slice){"receive", r->edges[e].recv, dst, src, -1, e};
    }
}

/* Work of a host becomes complete slices; activities of zero length are left out. */
static void write_json_slice(struct trace *t, const struct schedule *s, const struct slice *x)
{
    char from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
    bool is_transfer = strcmp(x->what, "transfer") == 0;
    if (x->span.finish_s <= x->span.start_s)
        return;
    char *name = name_of(s, x), *quoted = quote(name);
    text_number(x->span.start_s * 1e6, from);
    if (!is_transfer) {
        text_number((x->span.finish_s - x->span.start_s) * 1e6, to);
        fprintf(next(t), "{\"ph\":\"X\",\"name\":%s,\"cat\":\"%s\",\"pid\":%d,\"tid\":0,\"ts\":%s,\"dur\":%s}", quoted,
                x->what, x->host, from, to);
    } else {
        text_number(x->span.finish_s * 1e6, to);
        for (int ends = 0; ends < 2; ends++)
            fprintf(next(t),
                    "{\"ph\":\"%c\",\"name\":%s,\"cat\":\"transfer\",\"id\":\"%d\",\"pid\":%d,\"tid\":1,\"ts\":%s}",
                    "be"[ends], quoted, x -> edge, x -> host, ends ? to : from);
    }
    free(quoted);
    free(name);
}

struct moment {
    double time_s;
    int rank; /* at one date: first ends, then activities of zero length, then starts */
    size_t slice;
    bool ends;
};

static int compare_moments(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->slice != y->slice)
        return x->slice < y->slice ? -1 : 1;
    return x->ends - y->ends;
}

static void write_csv_slices(struct trace *t, const struct slices *slices)
{
    const struct host *hosts = slices->schedule->problem.machine->hosts;
    char number[TEXT_NUMBER_SIZE];
    struct moment *moments = mem_alloc((2 * slices->n + 1) * sizeof *moments);
    for (size_t i = 0; i < 2 * slices->n; i++) {
        struct span span = slices->list[i / 2].span;
        int rank = span.finish_s <= span.start_s ? 1 : i % 2 ? 0 : 2;
        moments[i] = (struct moment){i % 2 ? span.finish_s : span.start_s, rank, i / 2, i % 2};
    }
    qsort(moments, 2 * slices->n, sizeof *moments, compare_moments);
    for (size_t i = 0; i < 2 * slices->n; i++) {
        const struct slice *x = &slices->list[moments[i].slice];
        char *name = name_of(slices->schedule, x);
        fprintf(t->file, "%s,", text_number(moments[i].time_s, number));
        text_write_csv_field(t->file, hosts[x->host].name);
        fprintf(t->file, ",%s_%s,", x->what, moments[i].ends ? "end" : "start");
        text_write_csv_field(t->file, name);
        putc(',', t->file);
        if (x->peer >= 0)
            text_write_csv_field(t->file, hosts[x->peer].name);
        putc('\n', t->file);
        free(name);
    }
    free(moments);
}

enum err_code trace_write_replay(const char *path, const struct schedule *s, const struct replay_result *r,
                                 struct err *e)
{
    struct trace *t;
    struct slices slices;
    enum err_code code = open_file(path, &t, e);
    if (code != ERR_NONE)
        return code;
    collect_slices(s, r, &slices);
    for (size_t h = 0; h < r->n_hosts && t->is_json; h++)
        write_json_name(t, (int)h, s->problem.machine->hosts[h].name);
    for (size_t i = 0; i < slices.n && t->is_json; i++)
        write_json_slice(t, s, &slices.list[i]);
    if (!t->is_json)
        write_csv_slices(t, &slices);
    free(slices.list);
    return trace_close(t, true, e);
}
