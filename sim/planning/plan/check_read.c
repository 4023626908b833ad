/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The validator's own reader of schedule files (doc/model.md, Files). Names of tasks, hosts and links become numbers;
   an unknown name is a violation.

   A place is where an object or an array begins in the file, in bytes. */
#include "base/json_source.h"
#include "base/mem.h"
#include "base/name_index.h"
#include "plan/checked_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const list_keys[] = {"tasks", "edges"};

struct reading {
    struct check *c;
    struct name_index *link_index; /* of "up l" */
    char **link_keys;
    edge_id *by_ends;             /* all edges by origin, then destination */
    struct text name, other_name; /* the current strings */
};

/* ---- places ---- */

static bool has_place(struct tape_value value)
{
    return tape_kind(value) == TAPE_OBJECT || tape_kind(value) == TAPE_ARRAY;
}

/* The place of `value`, a part of the object at `place`. Numbers and strings have no place of their own in the reader,
   so violations in them are put at what they are in. */
static size_t place_in(struct tape_value value, size_t place)
{
    return has_place(value) ? tape_place(value) : place;
}

/* ---- values ---- */

/* A fresh string. Bytes that are not UTF-8 are written as U+EF80 to U+EFFF (three bytes, EE BE 80 to EE BF BF). */
static char *plain_name(const char *name)
{
    char *plain = mem_strdup(name), *to = plain;
    const unsigned char *s = (const unsigned char *)name;
    while (*s != '\0') {
        if (s[0] == 0xEE && (s[1] & 0xFE) == 0xBE) {
            *to++ = (char)(s[2] + (s[1] == 0xBF ? 0x40 : 0));
            s += 3;
        } else {
            *to++ = (char)*s++;
        }
    }
    *to = '\0';
    return plain;
}

/* A field that must be a string; otherwise NULL and a violation. `who` names the owner of the field. */
static const char *to_string(struct reading *r, struct tape_value value, size_t place, const char *who, const char *key,
                             struct text *own)
{
    if (value.tape == NULL)
        check_find(r->c, CHECK_entry, place, "%s: '%s' is missing", who, key);
    else if (tape_kind(value) != TAPE_STRING)
        check_find(r->c, CHECK_entry, place, "%s: '%s' is not a string", who, key);
    return tape_string(value, own);
}

static const char *take_string(struct reading *r, struct tape_value from, size_t place, const char *who,
                               const char *key, struct text *own)
{
    return to_string(r, tape_member(from, key), place, who, key, own);
}

static bool to_number(struct reading *r, struct tape_value value, size_t place, const char *who, const char *key,
                      double *out)
{
    *out = tape_number(value);
    bool is_number = tape_kind(value) == TAPE_NUMBER && isfinite(*out);
    if (value.tape == NULL)
        check_find(r->c, CHECK_entry, place, "%s: '%s' is missing", who, key);
    else if (!is_number)
        check_find(r->c, CHECK_time, place, "%s: '%s' is not a number", who, key);
    return is_number;
}

static bool is_late_enough(struct reading *r, size_t place, const char *who, const char *key, double time_s,
                           double length_s)
{
    bool is_negative = date_is_negative(time_s, length_s);
    if (is_negative)
        check_find(r->c, CHECK_time, place, "%s: '%s' is negative, %.9g", who, key, time_s);
    return !is_negative;
}

/* Both times are read even if one is bad, so that both mistakes are reported. */
static void take_times(struct reading *r, struct tape_value from, const char *who, struct check_item *item)
{
    bool has_start = to_number(r, tape_member(from, "start_s"), item->place, who, "start_s", &item->start_s);
    bool has_finish = to_number(r, tape_member(from, "finish_s"), item->place, who, "finish_s", &item->finish_s);
    double length_s = has_start && has_finish ? check_length_s(item) : 0;
    has_start = has_start && is_late_enough(r, item->place, who, "start_s", item->start_s, length_s);
    has_finish = has_finish && is_late_enough(r, item->place, who, "finish_s", item->finish_s, length_s);
    item->is_timed = has_start && has_finish;
}

static void take_host(struct reading *r, struct tape_value from, const char *who, struct check_item *item)
{
    const char *name = take_string(r, from, item->place, who, "host", &r->name);
    if (name == NULL)
        return;
    char *plain = plain_name(name);
    item->id = machine_host_id(r->c->machine, plain);
    if (item->id < 0)
        check_find(r->c, CHECK_host, item->place, "%s: host '%s' is not on the platform %s", who, plain,
                   r->c->machine->source);
    free(plain);
}

/* ---- tasks ---- */

/* Of a task that appears twice the first counts, and all that is wrong with the second is that it is there. */
static void take_task(struct reading *r, struct tape_value entry, size_t place)
{
    struct check *c = r->c;
    const char *name = take_string(r, entry, place, "a task", "name", &r->name);
    if (name == NULL)
        return;
    char *plain = plain_name(name), *who = mem_format("task '%s'", plain);
    task_id t = dag_task_id(c->dag, plain);
    if (t < 0) {
        check_find(c, CHECK_task, place, "%s is not in the graph %s", who, c->dag->source);
    } else if (c->tasks[t].is_there) {
        check_find(c, CHECK_task, place, "%s appears twice; the first is on line %d", who,
                   json_source_line(c->source, c->tasks[t].place));
    } else {
        c->tasks[t] = (struct check_item){.place = place, .is_there = true, .id = -1};
        take_host(r, entry, who, &c->tasks[t]);
        take_times(r, entry, who, &c->tasks[t]);
    }
    free(who);
    free(plain);
}

/* Calls `take` for each entry of a list. */
static enum err_code take_entries(struct reading *r, const struct json_source_member *list,
                                  void (*take)(struct reading *r, struct tape_value entry, size_t place))
{
    struct json_source *source = r->c->source;
    struct tape_value entry;
    enum err_code code;
    json_source_list(source, list);
    while ((code = json_source_next(source, &entry, r->c->e)) == ERR_NONE && entry.tape != NULL)
        if (tape_kind(entry) == TAPE_OBJECT)
            take(r, entry, tape_place(entry));
        else
            check_find(r->c, CHECK_entry, list->place, "entry %zu of '%s' is not an object", source->n_read, list->key);
    return code;
}

static void find_missing_tasks(struct reading *r, size_t place)
{
    for (task_id t = 0; t < r->c->dag->n_tasks; t++)
        if (!r->c->tasks[t].is_there)
            check_find(r->c, CHECK_task, place, "task '%s' is missing", r->c->dag->tasks[t].name);
}

/* ---- links ---- */

/* A split-duplex link l is l_UP and l_DOWN on the platform, but l with a direction in the file. */
static void name_link(struct reading *r, link_id l)
{
    const struct link *link = &r->c->machine->links[l];
    const char *underscore = strrchr(link->name, '_');
    bool is_split = link->sharing == LINK_SPLITDUPLEX && underscore != NULL;
    const char *direction = !is_split ? "none" : strcmp(underscore, "_UP") == 0 ? "up" : "down";
    int length = is_split ? (int)(underscore - link->name) : (int)strlen(link->name);
    r->c->link_names[l] = mem_format("%.*s%s%s", length, link->name, is_split ? " " : "", is_split ? direction : "");
    r->link_keys[l] = mem_format("%s %.*s", direction, length, link->name);
    name_index_add(r->link_index, r->link_keys[l], l);
}

static void name_links(struct reading *r)
{
    size_t n = r->c->machine->n_links;
    r->link_index = name_index_create();
    r->link_keys = mem_zalloc(n + 1, sizeof *r->link_keys);
    r->c->link_names = mem_zalloc(n + 1, sizeof *r->c->link_names);
    for (size_t l = 0; l < n; l++)
        name_link(r, (link_id)l);
}

static void take_link(struct reading *r, struct tape_value entry, const char *who, struct check_item *item)
{
    const char *name = take_string(r, entry, item->place, who, "link", &r->name);
    const char *direction = take_string(r, entry, item->place, who, "direction", &r->other_name);
    take_times(r, entry, who, item);
    if (name == NULL || direction == NULL)
        return;
    bool is_direction =
        strcmp(direction, "none") == 0 || strcmp(direction, "up") == 0 || strcmp(direction, "down") == 0;
    char *plain = plain_name(name), *key = mem_format("%s %s", direction, plain);
    item->id = is_direction ? name_index_find(r->link_index, key) : -1;
    if (item->id < 0)
        check_find(r->c, CHECK_route, item->place, "%s: link '%s' with direction '%s' is not on the platform %s", who,
                   plain, direction, r->c->machine->source);
    free(key);
    free(plain);
}

static size_t add_link(struct check *c, struct check_item item)
{
    MEM_GROW(c->links, c->n_links, c->links_capacity);
    c->links[c->n_links++] = item;
    return 1;
}

/* A route with a link that cannot be read keeps its number of links, so that positions still mean the same. */
static void take_links(struct reading *r, struct tape_value entry, const char *who, struct check_edge *edge)
{
    struct check *c = r->c;
    struct tape_value list = tape_member(entry, "links");
    size_t place = place_in(list, edge->place), n = 0;
    edge->first_link = c->n_links;
    edge->has_links = list.tape != NULL;
    if (edge->has_links && tape_kind(list) != TAPE_ARRAY) {
        check_find(c, CHECK_entry, edge->place, "%s: 'links' is not an array", who);
        /* one link that is nowhere, so that no later check takes the edge for one without links */
        n = add_link(c, (struct check_item){.place = edge->place, .id = -1});
    }
    for (struct tape_value x = tape_first(list); x.tape != NULL; x = tape_next(list, x)) {
        bool is_object = tape_kind(x) == TAPE_OBJECT;
        struct check_item item = {.place = is_object ? tape_place(x) : place, .is_there = true, .id = -1};
        n++;
        if (is_object)
            take_link(r, x, who, &item);
        else
            check_find(c, CHECK_entry, place, "%s: entry %zu of 'links' is not an object", who, n);
        add_link(c, item);
    }
    edge->n_links = n;
}

/* ---- edges ---- */

static int compare_ends(const void *a, const void *b, void *edges)
{
    const struct edge *x = (const struct edge *)edges + *(const edge_id *)a;
    const struct edge *y = (const struct edge *)edges + *(const edge_id *)b;
    int by_src = (x->src > y->src) - (x->src < y->src);
    return by_src != 0 ? by_src : (x->dst > y->dst) - (x->dst < y->dst);
}

/* Files may list edges in any order: each is found in O(log n). */
static void sort_edges(struct reading *r)
{
    size_t n = (size_t)r->c->dag->n_edges;
    r->by_ends = mem_zalloc(n + 1, sizeof *r->by_ends);
    for (size_t i = 0; i < n; i++)
        r->by_ends[i] = (edge_id)i;
    qsort_r(r->by_ends, n, sizeof *r->by_ends, compare_ends, r->c->dag->edges);
}

static edge_id edge_between(const struct reading *r, task_id src, task_id dst)
{
    const struct edge *edges = r->c->dag->edges;
    size_t first = 0, n = (size_t)r->c->dag->n_edges; /* the edge is among first .. first + n - 1 */
    while (n > 0) {
        const struct edge *middle = &edges[r->by_ends[first + n / 2]];
        bool is_before = middle->src < src || (middle->src == src && middle->dst < dst);
        if (middle->src == src && middle->dst == dst)
            return r->by_ends[first + n / 2];
        first += is_before ? n / 2 + 1 : 0;
        n = is_before ? n - n / 2 - 1 : n / 2;
    }
    return -1;
}

static void take_end(struct reading *r, struct tape_value entry, const char *who, size_t edge_place, const char *key,
                     struct check_item *item)
{
    struct tape_value value = tape_member(entry, key);
    *item = (struct check_item){.place = place_in(value, edge_place), .is_there = value.tape != NULL, .id = -1};
    if (value.tape == NULL)
        return;
    char *whose = mem_format("%s of %s", key, who);
    if (tape_kind(value) == TAPE_OBJECT) {
        take_host(r, value, whose, item);
        take_times(r, value, whose, item);
    } else {
        check_find(r->c, CHECK_entry, edge_place, "%s: not an object", whose);
    }
    free(whose);
}

static void take_parts(struct reading *r, struct tape_value entry, const char *who, struct check_edge *edge)
{
    struct tape_value local = tape_member(entry, "local");
    edge->has_flag = tape_kind(local) == TAPE_BOOL;
    edge->is_local = tape_is_true(local);
    if (!edge->has_flag)
        check_find(r->c, CHECK_entry, edge->place,
                   local.tape == NULL ? "%s: 'local' is missing" : "%s: 'local' is neither true nor false", who);
    take_end(r, entry, who, edge->place, "send", &edge->send);
    take_links(r, entry, who, edge);
    take_end(r, entry, who, edge->place, "recv", &edge->recv);
}

static void take_edge(struct reading *r, struct tape_value entry, size_t place)
{
    struct check *c = r->c;
    const char *src = take_string(r, entry, place, "an edge", "src", &r->name);
    const char *dst = take_string(r, entry, place, "an edge", "dst", &r->other_name);
    if (src == NULL || dst == NULL)
        return;
    char *from = plain_name(src), *to = plain_name(dst), *who = mem_format("edge '%s' -> '%s'", from, to);
    task_id a = dag_task_id(c->dag, from), b = dag_task_id(c->dag, to);
    edge_id e = a < 0 || b < 0 ? -1 : edge_between(r, a, b);
    if (e < 0) {
        check_find(c, CHECK_edge, place, "%s is not in the graph %s", who, c->dag->source);
    } else if (c->edges[e].is_there) {
        check_find(c, CHECK_edge, place, "%s appears twice; the first is on line %d", who,
                   json_source_line(c->source, c->edges[e].place));
    } else {
        c->edges[e] = (struct check_edge){.is_there = true, .place = place};
        take_parts(r, entry, who, &c->edges[e]);
    }
    free(who);
    free(to);
    free(from);
}

static void find_missing_edges(struct reading *r, size_t place)
{
    const struct dag *g = r->c->dag;
    for (edge_id e = 0; e < g->n_edges; e++)
        if (!r->c->edges[e].is_there)
            check_find(r->c, CHECK_edge, place, "edge '%s' -> '%s' is missing", g->tasks[g->edges[e].src].name,
                       g->tasks[g->edges[e].dst].name);
}

/* ---- the whole ---- */

/* A member of the schedule itself; also absent if it cannot be read again. */
static struct tape_value head(struct reading *r, const char *key)
{
    struct tape_value value;
    json_source_value(r->c->source, json_source_find(r->c->source, key), &value, r->c->e);
    return value;
}

static const char *take_head_string(struct reading *r, const char *key)
{
    return to_string(r, head(r, key), r->c->source->root, "the schedule", key, &r->name);
}

/* Of graph and platform only the presence is checked: those that count are the caller's. */
static void take_head(struct reading *r)
{
    struct check *c = r->c;
    take_head_string(r, "graph");
    take_head_string(r, "platform");
    const char *name = take_head_string(r, "model");
    struct err why = {0};
    char said[sizeof why];
    enum err_code code = name != NULL ? cost_model_find_of_file(name, &c->model, &why) : ERR_NONE;
    for (edge_id e = 0; code == ERR_NONE && name != NULL && e < c->dag->n_edges && c->model->check != NULL; e++)
        code = c->model->check(c->model, c->machine, c->dag->edges[e].size_bytes, &why);
    c->model = code == ERR_NONE ? c->model : NULL; /* nothing can be judged by it */
    take_head_string(r, "scheduler");
    c->has_length = to_number(r, head(r, "length_s"), c->source->root, "the schedule", "length_s", &c->length_s) &&
                    is_late_enough(r, c->source->root, "the schedule", "length_s", c->length_s, 0);
    if (code != ERR_NONE)
        check_find(c, CHECK_model, c->source->root, "%s", err_describe(&why, said, sizeof said));
}

/* Checks what must be right for the file to be a schedule at all. Everything else is a violation among others; without
   these the file is something else, and one error says so. */
static enum err_code require_format(struct reading *r, const struct json_source_member *lists[2])
{
    struct check *c = r->c;
    const char *format = tape_string(head(r, "format"), &r->name);
    if (format == NULL)
        return err_set_at(c->e, ERR_PARSE, c->path, 0, "this is not a schedule: it has no 'format'");
    if (strcmp(format, "iasim-schedule/1") != 0)
        return err_set_at(c->e, ERR_PARSE, c->path, 0, "unknown format '%s'; known: iasim-schedule/1", format);
    for (int i = 0; i < 2; i++)
        if (lists[i] == NULL || !lists[i]->is_list)
            return err_set_at(c->e, ERR_PARSE, c->path, 0, "this is not a schedule: it has no list of '%s'",
                              list_keys[i]);
    return ERR_NONE;
}

static enum err_code take_root(struct reading *r, const struct json_source_member *const lists[2])
{
    name_links(r);
    sort_edges(r);
    take_head(r);
    enum err_code code = take_entries(r, lists[0], take_task);
    if (code == ERR_NONE)
        code = take_entries(r, lists[1], take_edge);
    if (code == ERR_NONE) {
        find_missing_tasks(r, lists[0]->place);
        find_missing_edges(r, lists[1]->place);
    }
    for (size_t i = 0; i < r->c->machine->n_links; i++)
        free(r->link_keys[i]);
    free(r->link_keys);
    name_index_free(r->link_index);
    free(r->by_ends);
    return code;
}

enum err_code check_read(struct check *c)
{
    struct reading r = {.c = c};
    const struct json_source_member *lists[2];
    enum err_code code = json_source_members(c->source, list_keys, 2, c->e);
    if (code != ERR_NONE)
        return code;
    for (int i = 0; i < 2; i++)
        lists[i] = json_source_find(c->source, list_keys[i]);
    code = require_format(&r, lists);
    if (code == ERR_NONE)
        code = take_root(&r, lists);
    text_clear(&r.name);
    text_clear(&r.other_name);
    return code;
}
