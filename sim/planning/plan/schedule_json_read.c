/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads schedule files. Accepts only what a struct schedule can hold: a complete schedule on the platform's routes.
   Stops at the first mistake, with its line. Whether the dates make sense is the validator's question (check.h).

   The file is read entry by entry, never as a tree: it need not fit into memory (base/json_source.h). */
#include "plan/schedule_json.h"

#include "base/json_source.h"
#include "base/mem.h"
#include "plan/dates.h"
#include "plan/link_in_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "iasim-schedule/1"
enum { MAX_FILE_BYTES = 1 << 30 };

static const char *const list_keys[] = {"tasks", "edges"};

struct subject {      /* of messages */
    const char *list; /* an entry of it, the one read last; NULL: the file itself */
    task_id task;     /* a task, or the origin of an edge; -1: not read yet */
    task_id dst;      /* -1: not an edge */
};

static const struct subject the_file = {NULL, -1, -1};

struct reader {
    struct json_source *source;
    struct problem *p;
    struct schedule *out;
    edge_id *by_ends; /* all edges by origin, then destination; made only if the file is not in the graph's order */
    bool *edge_is_read;
    size_t place;   /* of the current value in the file */
    bool has_place; /* false: the file as a whole */
    struct subject subject;
    struct text name, other_name; /* the current strings */
    struct err *e;
};

static enum err_code refuse(struct reader *r, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How messages begin: as much of the entry as is known when they are made. */
static void add_subject(const struct reader *r, struct text *out)
{
    const struct subject *s = &r->subject;
    const struct task *tasks = r->p->dag->tasks;
    if (s->list != NULL && s->task < 0)
        text_addf(out, "entry %zu of '%s': ", r->source->n_read, s->list);
    else if (s->list != NULL && s->dst < 0)
        text_addf(out, "task '%s': ", tasks[s->task].name);
    else if (s->list != NULL)
        text_addf(out, "edge %s -> %s: ", tasks[s->task].name, tasks[s->dst].name);
}

static enum err_code refuse(struct reader *r, enum err_code code, const char *format, ...)
{
    struct text message = {0};
    va_list args;
    va_start(args, format);
    char *words = mem_vformat(format, args);
    va_end(args);
    add_subject(r, &message);
    int line = r->has_place ? json_source_line(r->source, r->place) : 0;
    err_set_at(r->e, code, r->source->path, line, "%s%s", text_str(&message), words);
    free(words);
    text_clear(&message);
    return code;
}

/* The name as the graph or the machine spells it: `s` itself, or fresh bytes in *own. Few names have a byte that stands
   for another one (schedule_json.c), so most are used as they are. */
static const char *read_name(const char *s, char **own)
{
    char *to;
    *own = NULL;
    if (strchr(s, '\xEE') == NULL)
        return s;
    *own = to = mem_strdup(s);
    for (const char *from = s; *from != '\0'; to++) {
        unsigned char b = (unsigned char)from[0] == 0xEE ? (unsigned char)from[1] : 0,
                      c = b ? (unsigned char)from[2] : 0;
        bool is_byte = (b == 0xBE || b == 0xBF) && c != 0;
        *to = (char)(is_byte ? (b & 1) << 6 | c : (unsigned char)*from);
        from += is_byte ? 3 : 1;
    }
    *to = '\0';
    return *own;
}

static enum err_code get_object(struct reader *r, struct tape_value from, const char *key, struct tape_value *out)
{
    *out = tape_member(from, key);
    if (out->tape == NULL)
        return refuse(r, ERR_PARSE, "'%s' is missing", key);
    return tape_kind(*out) == TAPE_OBJECT ? ERR_NONE : refuse(r, ERR_PARSE, "'%s' is not an object", key);
}

static enum err_code get_array(struct reader *r, struct tape_value from, const char *key, struct tape_value *out)
{
    *out = tape_member(from, key);
    if (out->tape == NULL)
        return refuse(r, ERR_PARSE, "'%s' is missing", key);
    return tape_kind(*out) == TAPE_ARRAY ? ERR_NONE : refuse(r, ERR_PARSE, "'%s' is not an array", key);
}

static enum err_code to_string(struct reader *r, struct tape_value value, const char *key, struct text *own)
{
    if (value.tape == NULL)
        return refuse(r, ERR_PARSE, "'%s' is missing", key);
    return tape_string(value, own) != NULL ? ERR_NONE : refuse(r, ERR_PARSE, "'%s' is not a string", key);
}

static enum err_code to_seconds(struct reader *r, struct tape_value value, const char *key, double *out)
{
    if (value.tape == NULL)
        return refuse(r, ERR_PARSE, "'%s' is missing", key);
    if (tape_kind(value) != TAPE_NUMBER) /* ERR_INPUT: it may be right JSON, "NaN" as a string for example */
        return refuse(r, ERR_INPUT, "'%s' is not a number", key);
    *out = tape_number(value);
    return ERR_NONE;
}

/* A date that is 0 except for rounding becomes 0. */
static enum err_code require_not_negative(struct reader *r, const char *key, double length_s, double *seconds)
{
    if (date_is_negative(*seconds, length_s))
        return refuse(r, ERR_INPUT, "'%s' is negative: %g", key, *seconds);
    *seconds = fmax(*seconds, 0);
    return ERR_NONE;
}

/* Finish below start is forgiven within the tolerance of dates, and mended: everything that reads a span may rely on
   it. */
static enum err_code get_span(struct reader *r, struct tape_value from, struct span *out)
{
    enum err_code code = to_seconds(r, tape_member(from, "start_s"), "start_s", &out->start_s);
    if (code == ERR_NONE)
        code = to_seconds(r, tape_member(from, "finish_s"), "finish_s", &out->finish_s);
    double length_s = out->finish_s - out->start_s;
    if (code == ERR_NONE)
        code = require_not_negative(r, "start_s", length_s, &out->start_s);
    if (code == ERR_NONE)
        code = require_not_negative(r, "finish_s", length_s, &out->finish_s);
    if (code == ERR_NONE && date_is_before(out->finish_s, out->start_s, 0))
        code = refuse(r, ERR_INPUT, "finish_s, %.9g, is before start_s, %.9g", out->finish_s, out->start_s);
    out->finish_s = fmax(out->finish_s, out->start_s);
    return code;
}

static enum err_code get_host(struct reader *r, struct tape_value from, host_id *out)
{
    char *own = NULL;
    enum err_code code = to_string(r, tape_member(from, "host"), "host", &r->name);
    if (code != ERR_NONE)
        return code;
    *out = machine_host_id(r->p->machine, read_name(text_str(&r->name), &own));
    if (*out < 0)
        code = refuse(r, ERR_INPUT, "host '%s' is not on the platform %s", text_str(&r->name), r->p->machine->source);
    free(own);
    return code;
}

static enum err_code get_task(struct reader *r, struct tape_value from, const char *key, task_id *out)
{
    char *own = NULL;
    enum err_code code = to_string(r, tape_member(from, key), key, &r->name);
    if (code != ERR_NONE)
        return code;
    *out = dag_task_id(r->p->dag, read_name(text_str(&r->name), &own));
    if (*out < 0)
        code = refuse(r, ERR_INPUT, "task '%s' is not in the graph %s", text_str(&r->name), r->p->dag->source);
    free(own);
    return code;
}

/* ---- tasks ---- */

/* Calls `read` for each entry of a list. */
static enum err_code read_entries(struct reader *r, const char *key,
                                  enum err_code (*read)(struct reader *r, struct tape_value value))
{
    const struct json_source_member *list = json_source_find(r->source, key);
    struct tape_value value;
    enum err_code code = ERR_NONE;
    r->has_place = false;
    if (list == NULL || !list->is_list)
        return refuse(r, ERR_PARSE, "'%s' is %s", key, list == NULL ? "missing" : "not an array");
    json_source_list(r->source, list);
    while (code == ERR_NONE) {
        code = json_source_next(r->source, &value, r->e);
        if (code != ERR_NONE || value.tape == NULL)
            break;
        r->place = tape_place(value);
        r->has_place = true;
        r->subject = (struct subject){key, -1, -1};
        code = tape_kind(value) == TAPE_OBJECT ? read(r, value) : refuse(r, ERR_PARSE, "not an object");
    }
    /* what is missing in a list is reported where the list begins */
    r->place = list->place;
    r->has_place = true;
    r->subject = the_file;
    return code;
}

static enum err_code read_task(struct reader *r, struct tape_value value)
{
    task_id t = -1;
    struct planned_task planned = {.host = -1};
    enum err_code code = get_task(r, value, "name", &t);
    if (code != ERR_NONE)
        return code;
    r->subject.task = t;
    if (r->out->tasks[t].host >= 0)
        return refuse(r, ERR_INPUT, "it appears twice");
    code = get_host(r, value, &planned.host);
    if (code == ERR_NONE)
        code = get_span(r, value, &planned.span);
    r->out->tasks[t] = planned;
    return code;
}

static enum err_code read_tasks(struct reader *r)
{
    enum err_code code = read_entries(r, "tasks", read_task);
    if (code != ERR_NONE)
        return code;
    for (task_id t = 0; t < r->p->dag->n_tasks; t++)
        if (r->out->tasks[t].host < 0)
            return refuse(r, ERR_INPUT, "task '%s' of the graph %s is missing", r->p->dag->tasks[t].name,
                          r->p->dag->source);
    return ERR_NONE;
}

/* ---- edges ---- */

static int by_ends(const void *a, const void *b, void *edges)
{
    const struct edge *x = (const struct edge *)edges + *(const edge_id *)a;
    const struct edge *y = (const struct edge *)edges + *(const edge_id *)b;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->dst > y->dst) - (x->dst < y->dst);
}

/* Files that we wrote have the edges in the order of the graph; others are found by an index, which is then made. */
static edge_id find_edge(struct reader *r, task_id src, task_id dst)
{
    const struct dag *g = r->p->dag;
    int low = 0, high = g->n_edges - 1;
    size_t same = r->source->n_read - 1;
    if (same < (size_t)g->n_edges && g->edges[same].src == src && g->edges[same].dst == dst)
        return (edge_id)same;
    if (r->by_ends == NULL) {
        r->by_ends = mem_alloc(((size_t)g->n_edges + 1) * sizeof *r->by_ends);
        for (edge_id i = 0; i < g->n_edges; i++)
            r->by_ends[i] = i;
        qsort_r(r->by_ends, (size_t)g->n_edges, sizeof *r->by_ends, by_ends, g->edges);
    }
    while (low <= high) {
        int middle = low + (high - low) / 2;
        const struct edge *edge = &g->edges[r->by_ends[middle]];
        if (edge->src == src && edge->dst == dst)
            return r->by_ends[middle];
        if (edge->src < src || (edge->src == src && edge->dst < dst))
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* The host is a repetition of what the task says. It is in the file for people, and must agree. */
static enum err_code read_end(struct reader *r, struct tape_value value, const char *key, task_id t, struct span *out)
{
    struct tape_value end;
    size_t entry = r->place;
    host_id host = -1, right = r->out->tasks[t].host;
    enum err_code code = get_object(r, value, key, &end);
    if (code != ERR_NONE)
        return code;
    r->place = tape_place(end);
    code = get_host(r, end, &host);
    if (code == ERR_NONE && host != right)
        code = refuse(r, ERR_INPUT, "'%s' is on host %s, but task %s is on %s", key, r->p->machine->hosts[host].name,
                      r->p->dag->tasks[t].name, r->p->machine->hosts[right].name);
    if (code == ERR_NONE)
        code = get_span(r, end, out);
    r->place = entry;
    return code;
}

/* Also a repetition: the route follows from the hosts, but a file made for another platform shows here. */
static enum err_code read_link(struct reader *r, struct tape_value value, size_t k, link_id right, struct span *out)
{
    const struct link *l = &r->p->machine->links[right];
    struct link_in_file shown = link_in_file(l);
    char *own = NULL;
    if (tape_kind(value) != TAPE_OBJECT)
        return refuse(r, ERR_PARSE, "entry %zu of 'links' is not an object", k + 1);
    enum err_code code = to_string(r, tape_member(value, "link"), "link", &r->name);
    if (code == ERR_NONE)
        code = to_string(r, tape_member(value, "direction"), "direction", &r->other_name);
    if (code != ERR_NONE)
        return code;
    const char *name = text_str(&r->name), *direction = text_str(&r->other_name);
    const char *plain = read_name(name, &own);
    bool is_right = strlen(plain) == shown.name_length && strncmp(plain, l->name, shown.name_length) == 0 &&
                    strcmp(direction, shown.direction) == 0;
    free(own);
    if (!is_right)
        return refuse(r, ERR_INPUT, "link %zu is '%s', direction '%s', but the platform's route has '%.*s', '%s' there",
                      k + 1, name, direction, (int)shown.name_length, l->name, shown.direction);
    return get_span(r, value, out);
}

static enum err_code read_links(struct reader *r, struct tape_value value, edge_id e)
{
    const struct edge *edge = &r->p->dag->edges[e];
    struct tape_value list;
    size_t n, k = 0, entry = r->place;
    enum err_code code = get_array(r, value, "links", &list);
    if (code != ERR_NONE)
        return code;
    const link_id *route = schedule_route(r->out, e, &n);
    size_t n_links = tape_length(list);
    /* before anything is stored: the spans have room for the platform's route */
    if (n_links != n)
        return refuse(r, ERR_INPUT, "%zu link%s, but the platform's route has %zu", n_links, n_links == 1 ? "" : "s",
                      n);
    struct span *spans =
        schedule_add_link_spans(r->out, e, r->out->tasks[edge->src].host, r->out->tasks[edge->dst].host);
    for (struct tape_value x = tape_first(list); x.tape != NULL && code == ERR_NONE; x = tape_next(list, x), k++) {
        r->place = tape_place(x);
        code = read_link(r, x, k, route[k], &spans[k]);
    }
    if (code == ERR_NONE)
        r->place = entry;
    return code;
}

/* Refuses parts that the model does not book, or that a local edge does not have. */
static enum err_code refuse_extra(struct reader *r, struct tape_value value, bool ends, bool links)
{
    const char *const keys[] = {"send", "recv", "links"};
    const bool may[] = {ends, ends, links};
    for (int i = 0; i < 3; i++)
        if (!may[i] && tape_member(value, keys[i]).tape != NULL)
            return refuse(r, ERR_INPUT, "'%s' has no place in a %s edge under model %s", keys[i],
                          tape_is_true(tape_member(value, "local")) ? "local" : "remote", cost_model_text(r->p->model));
    return ERR_NONE;
}

static enum err_code read_plan_of_edge(struct reader *r, struct tape_value value, edge_id e)
{
    const struct edge *edge = &r->p->dag->edges[e];
    struct tape_value local = tape_member(value, "local");
    bool is_remote = r->out->tasks[edge->src].host != r->out->tasks[edge->dst].host;
    bool links = is_remote && r->p->model->books_links, ends = is_remote && cost_has_ends(r->p->model);
    struct planned_edge *planned = &r->out->edges[e];
    if (tape_kind(local) != TAPE_BOOL)
        return refuse(r, ERR_PARSE, local.tape == NULL ? "'local' is missing" : "'local' is neither true nor false");
    if (tape_is_true(local) == is_remote)
        return refuse(r, ERR_INPUT, "'local' is %s, but its tasks are on %s host%s", is_remote ? "true" : "false",
                      is_remote ? "two" : "one", is_remote ? "s" : "");
    planned->is_remote = is_remote;
    enum err_code code = refuse_extra(r, value, ends, links);
    if (code == ERR_NONE && ends)
        code = read_end(r, value, "send", edge->src, &planned->send);
    if (code == ERR_NONE && links)
        code = read_links(r, value, e);
    if (code == ERR_NONE && ends)
        code = read_end(r, value, "recv", edge->dst, &planned->recv);
    return code;
}

static enum err_code read_edge(struct reader *r, struct tape_value value)
{
    task_id src = -1, dst = -1;
    enum err_code code = get_task(r, value, "src", &src);
    if (code == ERR_NONE)
        code = get_task(r, value, "dst", &dst);
    if (code != ERR_NONE)
        return code;
    r->subject.task = src;
    r->subject.dst = dst;
    edge_id e = find_edge(r, src, dst);
    if (e < 0)
        return refuse(r, ERR_INPUT, "it is not in the graph %s", r->p->dag->source);
    if (r->edge_is_read[e])
        return refuse(r, ERR_INPUT, "it appears twice");
    r->edge_is_read[e] = true;
    return read_plan_of_edge(r, value, e);
}

static enum err_code read_edges(struct reader *r)
{
    const struct dag *g = r->p->dag;
    enum err_code code = read_entries(r, "edges", read_edge);
    if (code != ERR_NONE)
        return code;
    for (edge_id e = 0; e < g->n_edges; e++)
        if (!r->edge_is_read[e])
            return refuse(r, ERR_INPUT, "edge %s -> %s of the graph %s is missing", g->tasks[g->edges[e].src].name,
                          g->tasks[g->edges[e].dst].name, g->source);
    return ERR_NONE;
}

/* ---- all ---- */

/* A member of the file itself. */
static enum err_code get_head(struct reader *r, const char *key, struct tape_value *out)
{
    return json_source_value(r->source, json_source_find(r->source, key), out, r->e);
}

static enum err_code get_head_string(struct reader *r, const char *key)
{
    struct tape_value value;
    enum err_code code = get_head(r, key, &value);
    return code == ERR_NONE ? to_string(r, value, key, &r->name) : code;
}

static enum err_code get_length(struct reader *r)
{
    struct tape_value value;
    double length_s = 0;
    enum err_code code = get_head(r, "length_s", &value);
    if (code == ERR_NONE)
        code = to_seconds(r, value, "length_s", &length_s);
    return code == ERR_NONE ? require_not_negative(r, "length_s", 0, &length_s) : code;
}

/* Before tasks and edges: the model says which parts an edge must have. A plan for another model would be judged by
   wrong costs, so it is refused. */
static enum err_code read_model(struct reader *r)
{
    const struct cost_model *model = NULL;
    struct err why = {0};
    enum err_code code = get_head_string(r, "model");
    if (code != ERR_NONE)
        return code;
    r->place = json_source_find(r->source, "model")->place;
    r->has_place = true;
    if (cost_model_find_of_file(text_str(&r->name), &model, &why) != ERR_NONE)
        return refuse(r, ERR_INPUT, "%s", why.text);
    if (r->p->model != NULL && !cost_model_is(r->p->model, model))
        return refuse(r, ERR_INPUT, "a schedule under model %s, not %s", text_str(&r->name),
                      cost_model_text(r->p->model));
    r->p->model = model;
    r->has_place = false;
    return ERR_NONE;
}

/* Afterwards the scheduler's name is in r->name. */
static enum err_code read_head(struct reader *r)
{
    if (!r->source->is_object)
        return refuse(r, ERR_PARSE, "not an object: this is not a schedule (" FORMAT ")");
    enum err_code code = get_head_string(r, "format");
    if (code == ERR_NONE && strcmp(text_str(&r->name), FORMAT) != 0)
        code = refuse(r, ERR_PARSE, "unknown format '%s'; known: " FORMAT, text_str(&r->name));
    if (code == ERR_NONE)
        code = get_head_string(r, "graph");
    if (code == ERR_NONE)
        code = get_head_string(r, "platform");
    if (code == ERR_NONE)
        code = read_model(r);
    if (code == ERR_NONE)
        code = get_head_string(r, "scheduler");
    return code == ERR_NONE ? get_length(r) : code;
}

static enum err_code read_all(struct reader *r)
{
    char *own;
    enum err_code code = json_source_members(r->source, list_keys, 2, r->e);
    if (code == ERR_NONE)
        code = read_head(r);
    if (code != ERR_NONE)
        return code;
    /* not before: it takes over the problem with the model that the head has set */
    schedule_init(r->out, r->p);
    r->out->scheduler = mem_strdup(read_name(text_str(&r->name), &own));
    free(own);
    code = read_tasks(r);
    if (code == ERR_NONE)
        code = read_edges(r);
    if (code != ERR_NONE)
        schedule_clear(r->out);
    return code;
}

static enum err_code read_source(struct json_source *source, struct problem *p, struct schedule *out, struct err *e)
{
    struct reader r = {.source = source, .p = p, .out = out, .subject = the_file, .e = e};
    *out = (struct schedule){0};
    r.edge_is_read = mem_zalloc((size_t)p->dag->n_edges + 1, sizeof *r.edge_is_read);
    enum err_code code = read_all(&r);
    free(r.edge_is_read);
    free(r.by_ends);
    text_clear(&r.name);
    text_clear(&r.other_name);
    json_source_clear(source);
    return code;
}

enum err_code schedule_parse_json(const char *bytes, size_t n, const char *path, struct problem *p,
                                  struct schedule *out, struct err *e)
{
    struct json_source source;
    json_source_text(&source, bytes, n, path);
    return read_source(&source, p, out, e);
}

enum err_code schedule_read_json(const char *path, struct problem *p, struct schedule *out, struct err *e)
{
    struct json_source source;
    *out = (struct schedule){0};
    enum err_code code = json_source_open(&source, path, MAX_FILE_BYTES, e);
    return code == ERR_NONE ? read_source(&source, p, out, e) : code;
}
