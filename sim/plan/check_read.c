/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The validator's own reading of schedule files (SPEC section 6). Names of tasks, hosts and links become numbers, what
   has none is a violation.

   Places: the brackets { and [ of the file are numbered in their order, which is also the order in which a walk of the
   parsed values meets objects and arrays. So a value's number gives its line. */
#include "base/mem.h"
#include "base/name_index.h"
#include "plan/checked_file.h"
#include "plan/json_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const list_keys[] = {"tasks", "edges"};

struct reading {
    struct check *c;
    struct name_index *link_index; /* of "up l" */
    char **link_keys;
    edge_id *by_ends; /* all edges by origin, then destination */
};

/* ---- places ---- */

/* Also the numbers of the brackets at which lists begin. */
static int *bracket_lines(const char *bytes, size_t n, const struct json_list lists[2], size_t numbers[2])
{
    int *lines = NULL, line = 1;
    size_t n_lines = 0, capacity = 0;
    bool in_string = false;
    for (const char *s = bytes; s < bytes + n; s++) {
        line += *s == '\n';
        if (in_string && *s == '\\') {
            s++;
        } else if (*s == '"') {
            in_string = !in_string;
        } else if (!in_string && (*s == '{' || *s == '[')) {
            for (int k = 0; k < 2; k++)
                numbers[k] = s == lists[k].at ? n_lines : numbers[k];
            MEM_GROW(lines, n_lines, capacity);
            lines[n_lines++] = line;
        }
    }
    return lines;
}

/* Objects and arrays in a value, itself included. */
static size_t n_brackets(json_t *value)
{
    size_t n = json_is_object(value) || json_is_array(value), i;
    const char *key;
    json_t *inner;
    if (json_is_object(value))
        json_object_foreach(value, key, inner) n += n_brackets(inner);
    else if (json_is_array(value))
        json_array_foreach(value, i, inner) n += n_brackets(inner);
    return n;
}

/* The place of the value that `object`, at `place`, has under `key`. */
static size_t place_in(json_t *object, size_t place, const char *key)
{
    const char *other;
    json_t *value;
    size_t at = place + 1;
    json_object_foreach(object, other, value)
    {
        if (strcmp(other, key) == 0)
            return json_is_object(value) || json_is_array(value) ? at : place;
        at += n_brackets(value);
    }
    return place;
}

/* ---- values ---- */

/* Bytes that are not UTF-8 come as U+EF80 to U+EFFF (three bytes, EE BE 80 to EE BF BF). Fresh memory. */
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

/* A field that must be a string; NULL, and a violation, when it is not. `who` is whose field it is. */
static const char *take_string(struct reading *r, json_t *from, size_t place, const char *who, const char *key)
{
    json_t *value = json_object_get(from, key);
    if (value == NULL)
        check_find(r->c, CHECK_entry, place, "%s: '%s' is missing", who, key);
    else if (!json_is_string(value))
        check_find(r->c, CHECK_entry, place, "%s: '%s' is no string", who, key);
    return json_string_value(value);
}

static bool take_number(struct reading *r, json_t *from, size_t place, const char *who, const char *key, double *out)
{
    json_t *value = json_object_get(from, key);
    *out = json_number_value(value);
    bool is_number = json_is_number(value) && isfinite(*out);
    if (value == NULL)
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

static void take_times(struct reading *r, json_t *from, const char *who, struct check_item *item)
{
    bool has_start = take_number(r, from, item->place, who, "start_s", &item->start_s);
    bool has_finish = take_number(r, from, item->place, who, "finish_s", &item->finish_s);
    double length_s = has_start && has_finish ? check_length_s(item) : 0;
    has_start = has_start && is_late_enough(r, item->place, who, "start_s", item->start_s, length_s);
    has_finish = has_finish && is_late_enough(r, item->place, who, "finish_s", item->finish_s, length_s);
    item->is_timed = has_start && has_finish;
}

static void take_host(struct reading *r, json_t *from, const char *who, struct check_item *item)
{
    const char *name = take_string(r, from, item->place, who, "host");
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

static void take_task(struct reading *r, json_t *entry, size_t place)
{
    struct check *c = r->c;
    const char *name = take_string(r, entry, place, "a task", "name");
    if (name == NULL)
        return;
    char *plain = plain_name(name), *who = mem_format("task '%s'", plain);
    task_id t = dag_task_id(c->dag, plain);
    if (t < 0) {
        check_find(c, CHECK_task, place, "%s is not in the graph %s", who, c->dag->source);
    } else if (c->tasks[t].is_there) {
        check_find(c, CHECK_task, place, "%s is there a second time; the first is on line %d", who,
                   c->lines[c->tasks[t].place]);
    } else {
        c->tasks[t] = (struct check_item){.place = place, .is_there = true, .id = -1};
        take_host(r, entry, who, &c->tasks[t]);
        take_times(r, entry, who, &c->tasks[t]);
    }
    free(who);
    free(plain);
}

/* Takes the entries of a list at `place`, each with `take`. */
static enum err_code take_entries(struct reading *r, struct json_list *list, const char *key, size_t place,
                                  void (*take)(struct reading *r, json_t *entry, size_t place))
{
    json_t *entry;
    size_t at = place + 1;
    enum err_code code;
    while ((code = json_list_next(list, &entry, r->c->e)) == ERR_NONE && entry != NULL) {
        if (json_is_object(entry))
            take(r, entry, at);
        else
            check_find(r->c, CHECK_entry, place, "entry %zu of '%s' is no object", list->n_read, key);
        at += n_brackets(entry);
        json_decref(entry);
    }
    return code;
}

static void find_missing_tasks(struct reading *r, size_t place)
{
    for (task_id t = 0; t < r->c->dag->n_tasks; t++)
        if (!r->c->tasks[t].is_there)
            check_find(r->c, CHECK_task, place, "task '%s' is missing", r->c->dag->tasks[t].name);
}

/* ---- links ---- */

/* A split-duplex link l is l_UP and l_DOWN on the platform, and l with a direction in the file. */
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

static void take_link(struct reading *r, json_t *entry, const char *who, struct check_item *item)
{
    const char *name = take_string(r, entry, item->place, who, "link");
    const char *direction = take_string(r, entry, item->place, who, "direction");
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

static void take_links(struct reading *r, json_t *entry, const char *who, struct check_edge *edge)
{
    struct check *c = r->c;
    json_t *list = json_object_get(entry, "links"), *link;
    size_t i, place = place_in(entry, edge->place, "links"), at = place + 1;
    edge->first_link = c->n_links;
    edge->n_links = json_array_size(list);
    edge->has_links = list != NULL;
    if (list != NULL && !json_is_array(list)) {
        check_find(c, CHECK_entry, edge->place, "%s: 'links' is no array", who);
        edge->n_links = add_link(c, (struct check_item){.place = edge->place, .id = -1});
    }
    json_array_foreach(list, i, link)
    {
        struct check_item item = {.place = json_is_object(link) ? at : place, .is_there = true, .id = -1};
        if (json_is_object(link))
            take_link(r, link, who, &item);
        else
            check_find(c, CHECK_entry, place, "%s: entry %zu of 'links' is no object", who, i + 1);
        add_link(c, item);
        at += n_brackets(link);
    }
}

/* ---- edges ---- */

static int compare_ends(const void *a, const void *b, void *edges)
{
    const struct edge *x = (const struct edge *)edges + *(const edge_id *)a;
    const struct edge *y = (const struct edge *)edges + *(const edge_id *)b;
    int by_src = (x->src > y->src) - (x->src < y->src);
    return by_src != 0 ? by_src : (x->dst > y->dst) - (x->dst < y->dst);
}

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
    size_t first = 0, n = (size_t)r->c->dag->n_edges; /* it is among first .. first + n - 1 */
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

static void take_end(struct reading *r, json_t *entry, const char *who, size_t edge_place, const char *key,
                     struct check_item *item)
{
    json_t *value = json_object_get(entry, key);
    *item = (struct check_item){.place = place_in(entry, edge_place, key), .is_there = value != NULL, .id = -1};
    if (value == NULL)
        return;
    char *whose = mem_format("%s of %s", key, who);
    if (json_is_object(value)) {
        take_host(r, value, whose, item);
        take_times(r, value, whose, item);
    } else {
        check_find(r->c, CHECK_entry, edge_place, "%s: no object", whose);
    }
    free(whose);
}

static void take_parts(struct reading *r, json_t *entry, const char *who, struct check_edge *edge)
{
    json_t *local = json_object_get(entry, "local");
    edge->has_flag = json_is_boolean(local);
    edge->is_local = json_is_true(local);
    if (!edge->has_flag)
        check_find(r->c, CHECK_entry, edge->place,
                   local == NULL ? "%s: 'local' is missing" : "%s: 'local' is neither true nor false", who);
    take_end(r, entry, who, edge->place, "send", &edge->send);
    take_links(r, entry, who, edge);
    take_end(r, entry, who, edge->place, "recv", &edge->recv);
}

static void take_edge(struct reading *r, json_t *entry, size_t place)
{
    struct check *c = r->c;
    const char *src = take_string(r, entry, place, "an edge", "src");
    const char *dst = take_string(r, entry, place, "an edge", "dst");
    if (src == NULL || dst == NULL)
        return;
    char *from = plain_name(src), *to = plain_name(dst), *who = mem_format("edge '%s' -> '%s'", from, to);
    task_id a = dag_task_id(c->dag, from), b = dag_task_id(c->dag, to);
    edge_id e = a < 0 || b < 0 ? -1 : edge_between(r, a, b);
    if (e < 0) {
        check_find(c, CHECK_edge, place, "%s is not in the graph %s", who, c->dag->source);
    } else if (c->edges[e].is_there) {
        check_find(c, CHECK_edge, place, "%s is there a second time; the first is on line %d", who,
                   c->lines[c->edges[e].place]);
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

static void take_head(struct reading *r, json_t *root)
{
    struct check *c = r->c;
    take_string(r, root, 0, "the schedule", "graph");
    take_string(r, root, 0, "the schedule", "platform");
    const char *name = take_string(r, root, 0, "the schedule", "model");
    take_string(r, root, 0, "the schedule", "scheduler");
    c->has_length = take_number(r, root, 0, "the schedule", "length_s", &c->length_s) &&
                    is_late_enough(r, 0, "the schedule", "length_s", c->length_s, 0);
    struct err why = {0};
    if (name != NULL && cost_model_find(name, &c->model, &why) != ERR_NONE)
        check_find(c, CHECK_model, 0, "%s", why.text);
}

/* What must be right for the file to be a schedule at all. */
static enum err_code require_format(struct check *c, json_t *root, const struct json_list lists[2])
{
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format == NULL)
        return err_set_at(c->e, ERR_PARSE, c->path, 0, "this is no schedule: it has no 'format'");
    if (strcmp(format, "iasim-schedule/1") != 0)
        return err_set_at(c->e, ERR_PARSE, c->path, 0, "format '%s' is unknown; known: iasim-schedule/1", format);
    for (int i = 0; i < 2; i++)
        if (lists[i].at == NULL)
            return err_set_at(c->e, ERR_PARSE, c->path, 0, "this is no schedule: it has no list of '%s'", list_keys[i]);
    return ERR_NONE;
}

static enum err_code take_root(struct check *c, json_t *root, struct json_list lists[2], const size_t places[2])
{
    struct reading r = {.c = c};
    name_links(&r);
    sort_edges(&r);
    take_head(&r, root);
    enum err_code code = take_entries(&r, &lists[0], list_keys[0], places[0], take_task);
    if (code == ERR_NONE)
        code = take_entries(&r, &lists[1], list_keys[1], places[1], take_edge);
    if (code == ERR_NONE) {
        find_missing_tasks(&r, places[0]);
        find_missing_edges(&r, places[1]);
    }
    for (size_t i = 0; i < c->machine->n_links; i++)
        free(r.link_keys[i]);
    free(r.link_keys);
    name_index_free(r.link_index);
    free(r.by_ends);
    return code;
}

enum err_code check_read(struct check *c, const char *bytes, size_t n)
{
    json_t *root;
    struct json_list lists[2];
    size_t places[2] = {0, 0};
    enum err_code code = json_lists_open(bytes, n, c->path, list_keys, 2, &root, lists, c->e);
    if (code != ERR_NONE)
        return code;
    code = require_format(c, root, lists);
    if (code == ERR_NONE) {
        c->lines = bracket_lines(bytes, n, lists, places);
        code = take_root(c, root, lists, places);
    }
    json_decref(root);
    return code;
}
