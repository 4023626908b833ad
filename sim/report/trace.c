/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/trace_format.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const trace_what_names[] = {"compute",     "send",    "transfer", "receive",
                                        "receive_end", "request", "rate",     "speed factor"};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static const struct trace_format *format_of(const char *path)
{
    static const struct trace_format *const formats[] = {&trace_perfetto, &trace_paje};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (const char *const *end = formats[i]->extensions; *end != NULL; end++)
            if (ends_with(path, *end))
                return formats[i];
    return &trace_csv;
}

bool trace_is_wfcommons(const char *path)
{
    return ends_with(path, ".wfcommons.json");
}

bool trace_shows_rates(const char *path)
{
    return !trace_is_wfcommons(path) && format_of(path)->shows_rates;
}

static void free_names(const struct trace_names *names)
{
    free((void *)names->hosts);
    free((void *)names->links);
}

enum err_code trace_create(const char *path, const struct trace_names *names, struct trace **out, struct err *e)
{
    struct new_file new_file;
    enum err_code code = new_file_open(path, &new_file, e);
    if (code != ERR_NONE) {
        free_names(names);
        return code;
    }
    struct trace *t = mem_zalloc(1, sizeof *t);
    *t = (struct trace){.new_file = new_file, .format = format_of(path), .names = *names};
    t->self = t->format->begin(new_file.out, &t->names);
    *out = t;
    return ERR_NONE;
}

void trace_put(struct trace *t, const struct trace_event *x)
{
    t->last_s = fmax(t->last_s, x->time_s);
    t->format->write(t->self, t->new_file.out, &t->names, x);
}

enum err_code trace_close(struct trace *t, bool keep, struct err *e)
{
    if (t == NULL)
        return ERR_NONE;
    t->format->end(t->self, t->new_file.out, &t->names, t->last_s);
    enum err_code code = new_file_close(&t->new_file, keep, e);
    free_names(&t->names);
    free(t);
    return code;
}

/* ---- farms ---- */

enum err_code trace_open(const char *path, const struct tree *tree, struct trace **out, struct err *e)
{
    if (trace_is_wfcommons(path))
        return err_set(e, ERR_INPUT, "%s: WfCommons describes runs of task graphs, not of farms; known here: %s", path,
                       ".csv, .json, .paje, .trace");
    struct trace_names names = {.n_hosts = (size_t)tree->n_nodes, .n_keys = tree->n_nodes, .task_prefix = "task "};
    names.hosts = mem_alloc((names.n_hosts + 1) * sizeof *names.hosts);
    for (node_id n = 0; n < tree->n_nodes; n++)
        names.hosts[n] = tree->nodes[n].host_name;
    enum err_code code = trace_create(path, &names, out, e);
    if (code == ERR_NONE)
        (*out)->root = tree->root;
    return code;
}

static const struct {
    enum trace_what what;
    enum trace_phase phase;
} meaning[] = {
    [FARM_COMPUTE_START] = {TRACE_COMPUTE, TRACE_STARTS}, [FARM_COMPUTE_END] = {TRACE_COMPUTE, TRACE_ENDS},
    [FARM_SEND_START] = {TRACE_SEND, TRACE_STARTS},       [FARM_SEND_PAUSE] = {TRACE_SEND, TRACE_PAUSES},
    [FARM_SEND_RESUME] = {TRACE_SEND, TRACE_RESUMES},     [FARM_SEND_END] = {TRACE_SEND, TRACE_ENDS},
    [FARM_RECEIVE_END] = {TRACE_RECEIVED, TRACE_HAPPENS}, [FARM_REQUEST] = {TRACE_REQUEST, TRACE_HAPPENS},
};

/* A flow follows a task from a send to what its receiver does with it: computes it, or sends it on. */
static void put_flow(struct trace *t, struct trace_event x, enum trace_phase phase, long task, node_id receiver)
{
    char id[48];
    snprintf(id, sizeof id, "%ld.%d", task, receiver);
    x.phase = phase;
    x.id = id;
    trace_put(t, &x);
}

void trace_event(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    struct trace *t = self;
    char name[24];
    struct trace_event x = {now_s, meaning[event].what, meaning[event].phase, node, other, .key = -1};
    snprintf(name, sizeof name, "%ld", task);
    x.name = task >= 0 ? name : NULL;
    x.key = x.what == TRACE_SEND ? other : -1;
    trace_put(t, &x);
    if ((event == FARM_COMPUTE_START || event == FARM_SEND_START) && node != t->root)
        put_flow(t, x, TRACE_FLOW_TO, task, node);
    if (event == FARM_SEND_START)
        put_flow(t, x, TRACE_FLOW_FROM, task, other);
}
