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
    FILE *file; /* its stream */
    const struct tree *tree;
    bool is_json, has_events;
};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A JSON event begins after a comma, but for the first. */
static FILE *next(struct trace *t)
{
    fputs(t->has_events ? ",\n" : "\n", t->file);
    t->has_events = true;
    return t->file;
}

static void write_json_names(struct trace *t)
{
    for (node_id n = 0; n < t->tree->n_nodes; n++) {
        json_t *name = json_string(t->tree->nodes[n].host_name);
        char *quoted = json_dumps(name, JSON_ENCODE_ANY);
        fprintf(next(t), "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":%s}}", n,
                quoted ? quoted : "\"?\"");
        free(quoted);
        json_decref(name);
    }
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

enum err_code trace_open(const char *path, const struct tree *tree, struct trace **out, struct err *e)
{
    struct new_file new_file;
    enum err_code code = new_file_open(path, &new_file, e);
    if (code != ERR_NONE)
        return code;
    struct trace *t = mem_zalloc(1, sizeof *t);
    *t = (struct trace){.new_file = new_file, .file = new_file.out, .tree = tree, .is_json = ends_with(path, ".json")};
    if (t->is_json) {
        fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", t->file);
        write_json_names(t);
    } else {
        fputs("time_s,host,event,task,peer\n", t->file);
    }
    *out = t;
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
