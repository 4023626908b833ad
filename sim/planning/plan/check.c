/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The validator: reads the file (check_read.c), checks tasks, edges (check_edges.c), resources and length, and sorts
   the violations by their place in the file. Time: O(n log n) in what the file books. */
#include "plan/check.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "base/text.h"
#include "plan/checked_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 1 << 30 };

const struct check_condition check_conditions[] = {
#define X(name, meaning, source) {#name, meaning, source},
    CHECK_CONDITIONS(X)
#undef X
        {NULL, NULL, NULL},
};

/* ---- violations ---- */

/* Bytes of the UTF-8 character at `s`; 0 if it is not one, or if it moves the cursor. */
static size_t printable_size(const unsigned char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    uint32_t code = size == 1 ? s[0] : s[0] & (0x7Fu >> size);
    if (s[0] >= 0xF8 || (s[0] >= 0x80 && s[0] < 0xC0))
        return 0;
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    bool is_none = code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
    return is_control || is_none ? 0 : size;
}

/* Names may contain any bytes: those that are not text become \xNN. */
char *check_printable(const char *text)
{
    struct text out = {0};
    for (const char *s = text; *s != '\0';) {
        size_t size = printable_size((const unsigned char *)s);
        if (size > 0)
            text_add(&out, s, size);
        else
            text_addf(&out, "\\x%02x", (unsigned char)*s);
        s += size > 0 ? size : 1;
    }
    return out.data != NULL ? out.data : mem_strdup("");
}

/* Findings are sorted later: tasks, edges and resources are judged one after the other, and users read the file from
   its beginning. The number keeps the order of those at one place. */
void check_find(struct check *c, enum check_id condition, size_t place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *words = mem_vformat(format, args);
    va_end(args);
    MEM_GROW(c->findings, c->n_findings, c->findings_capacity);
    c->findings[c->n_findings] = (struct check_finding){
        .place = place,
        .number = c->n_findings,
        .violation = {check_conditions[condition].name, 0, check_printable(words)},
    };
    c->n_findings++;
    free(words);
}

static int compare_findings(const void *a, const void *b)
{
    const struct check_finding *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void hand_over(struct check *c, struct check_result *out)
{
    if (c->n_findings == 0)
        return;
    qsort(c->findings, c->n_findings, sizeof *c->findings, compare_findings);
    out->list = mem_zalloc(c->n_findings, sizeof *out->list);
    out->n = out->capacity = c->n_findings;
    for (size_t i = 0; i < c->n_findings; i++) {
        out->list[i] = c->findings[i].violation;
        out->list[i].line = json_source_line(c->source, c->findings[i].place);
    }
    c->n_findings = 0;
}

void check_result_clear(struct check_result *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->list[i].text);
    free(r->list);
    *r = (struct check_result){0};
}

/* ---- tasks and length ---- */

/* Formulas are written again here, on purpose: a validator that called the planner's could not find its mistakes. */
static void judge_task(struct check *c, task_id t)
{
    const struct check_item *task = &c->tasks[t];
    /* reported when it was read: one mistake, one violation */
    if (!task->is_there || !task->is_timed || task->id < 0)
        return;
    double want_s = c->costs != NULL ? c->costs->compute_s[(size_t)t * c->machine->n_hosts + (size_t)task->id]
                                     : c->dag->tasks[t].work_flop / c->machine->hosts[task->id].speed_flop_per_s;
    double got_s = check_length_s(task);
    if (isinf(want_s)) {
        check_find(c, CHECK_host, task->place, "task '%s' is on host '%s', where it may not run (%s)",
                   c->dag->tasks[t].name, c->machine->hosts[task->id].name, c->costs->source);
        return;
    }
    if (dates_agree(task->finish_s, task->start_s + want_s, want_s))
        return;
    check_find(c, CHECK_duration, task->place, "task '%s' takes %.9g s instead of %.9g s on host %s, %.3g s too %s",
               c->dag->tasks[t].name, got_s, want_s, c->machine->hosts[task->id].name, fabs(got_s - want_s),
               got_s < want_s ? "little" : "much");
}

/* The latest finish of a task; false if the finish of some task is unknown. */
static bool latest_finish(const struct check *c, double *out)
{
    bool knows_all = true;
    *out = 0;
    for (task_id t = 0; t < c->dag->n_tasks; t++) {
        bool is_known = c->tasks[t].is_there && c->tasks[t].is_timed;
        knows_all = knows_all && is_known;
        *out = is_known ? fmax(*out, c->tasks[t].finish_s) : *out;
    }
    return knows_all;
}

static void judge_length(struct check *c)
{
    double length_s;
    if (!latest_finish(c, &length_s) || !c->has_length || dates_agree(c->length_s, length_s, 0))
        return;
    check_find(c, CHECK_length, c->source->root, "length_s is %.9g, but the last task finishes at %.9g, %.3g s %s",
               c->length_s, length_s, fabs(length_s - c->length_s), length_s < c->length_s ? "earlier" : "later");
}

/* ---- resources ---- */

/* A part of the file that occupies a resource: of 8 bytes, because there may be millions. */
enum { PART_TASK, PART_SEND, PART_RECV, PART_LINKS }; /* PART_LINKS + k: the k-th link */
struct part {
    int id; /* task or edge */
    unsigned number;
};

struct booking {
    double start_s, finish_s;
    size_t place;
    struct part part;
};

/* Resources are processors, then links, then two ports for each host: for sending and for receiving. The parts of a
   resource are contiguous: they are counted first, then stored. */
struct bookings {
    struct part *list; /* NULL: parts are only counted */
    size_t *end;       /* [resource + 1]: the number of parts; later the place of the next one */
};

/* Called twice for each part: to count them, then to store them. */
static void book(struct bookings *b, const struct check_item *item, int resource, int id, unsigned number)
{
    if (!item->is_there || !item->is_timed || item->id < 0)
        return;
    if (b->list == NULL)
        b->end[resource + 1]++;
    else
        b->list[b->end[resource]++] = (struct part){id, number};
}

static int first_port(const struct check *c)
{
    return (int)(c->machine->n_hosts + c->machine->n_links);
}

/* Extra parts (violation `parts`) occupy nothing. */
static void book_edge(struct bookings *b, const struct check *c, edge_id e)
{
    const struct check_edge *edge = &c->edges[e];
    if (!edge->is_there || !edge->has_flag || edge->is_local || c->model == NULL)
        return;
    if (c->model->books_processors) {
        book(b, &edge->send, edge->send.id, e, PART_SEND);
        book(b, &edge->recv, edge->recv.id, e, PART_RECV);
    }
    if (c->model->books_ports) {
        book(b, &edge->send, first_port(c) + 2 * edge->send.id + DIR_SEND, e, PART_SEND);
        book(b, &edge->recv, first_port(c) + 2 * edge->recv.id + DIR_RECV, e, PART_RECV);
    }
    for (size_t k = 0; c->model->books_links && k < edge->n_links; k++) {
        const struct check_item *item = &c->links[edge->first_link + k];
        if (item->id >= 0 && c->machine->links[item->id].sharing != LINK_FATPIPE)
            book(b, item, (int)c->machine->n_hosts + item->id, e, PART_LINKS + (unsigned)k);
    }
}

/* Parts are small while there are many of them; full bookings are made for one resource at a time. */
static struct booking booking_of(const struct check *c, int resource, struct part part)
{
    const struct check_item *item = part.number == PART_TASK   ? &c->tasks[part.id]
                                    : part.number == PART_SEND ? &c->edges[part.id].send
                                    : part.number == PART_RECV
                                        ? &c->edges[part.id].recv
                                        : &c->links[c->edges[part.id].first_link + part.number - PART_LINKS];
    bool is_port = resource >= first_port(c);
    enum direction dir = part.number == PART_SEND ? DIR_SEND : DIR_RECV;
    double port_s = is_port ? c->edges[part.id].port_s[dir] : 0;
    double before_s = is_port ? c->edges[part.id].port_before_s[dir] : 0;
    return (struct booking){item->start_s - before_s, is_port ? item->start_s + port_s : item->finish_s, item->place,
                            part};
}

static int compare_bookings(const void *a, const void *b)
{
    const struct booking *x = a, *y = b;
    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    if (x->finish_s != y->finish_s) /* the shorter one is measured against the longer one, by its own length */
        return x->finish_s > y->finish_s ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static char *who(const struct check *c, struct part part)
{
    static const char *const words[] = {"task", "send of", "recv of", "edge"}; /* by part */
    const struct task *tasks = c->dag->tasks;
    if (part.number == PART_TASK)
        return mem_format("task '%s'", tasks[part.id].name);
    const struct edge *edge = &c->dag->edges[part.id];
    return mem_format("%s '%s' -> '%s'", words[part.number < PART_LINKS ? part.number : PART_LINKS],
                      tasks[edge->src].name, tasks[edge->dst].name);
}

/* "host a", "link l up", "the send port of host a" */
static char *where(const struct check *c, int resource, enum check_id *condition)
{
    int n_hosts = (int)c->machine->n_hosts, port = resource - n_hosts - (int)c->machine->n_links;
    *condition = resource < n_hosts ? CHECK_processor : port < 0 ? CHECK_link : CHECK_port;
    if (resource < n_hosts)
        return mem_format("host %s", c->machine->hosts[resource].name);
    if (port < 0)
        return mem_format("link %s", c->link_names[resource - n_hosts]);
    return mem_format("the %s port of host %s", port % 2 == DIR_SEND ? "send" : "receive",
                      c->machine->hosts[port / 2].name);
}

/* `b` starts while `a`, which started first, still occupies the resource. Reported at the later one in the file. */
static void find_overlap(struct check *c, int resource, const struct booking *a, const struct booking *b,
                         double overlap_s)
{
    enum check_id condition;
    char *first = who(c, a->part), *second = who(c, b->part), *place = where(c, resource, &condition);
    check_find(c, condition, a->place > b->place ? a->place : b->place,
               "%s starts on %s at %.9g, while %s occupies it from %.9g to %.9g: they overlap for %.3g s", second,
               place, b->start_s, first, a->start_s, a->finish_s, overlap_s);
    free(place);
    free(second);
    free(first);
}

/* Compares each booking of a resource with the earlier one that lasts longest, so each booking that starts too early is
   reported once. Bookings of length 0 occupy nothing. */
static void judge_overlaps(struct check *c, int resource, struct booking *list, size_t n)
{
    const struct booking *longest = list;
    if (n < 2)
        return;
    qsort(list, n, sizeof *list, compare_bookings);
    for (const struct booking *now = list + 1; now < list + n; now++) {
        double until_s = fmin(longest->finish_s, now->finish_s);
        if (date_is_before(now->start_s, until_s, now->finish_s - now->start_s))
            find_overlap(c, resource, longest, now, until_s - now->start_s);
        if (now->finish_s > longest->finish_s)
            longest = now;
    }
}

static void book_all(struct bookings *b, const struct check *c)
{
    for (task_id t = 0; t < c->dag->n_tasks; t++)
        book(b, &c->tasks[t], c->tasks[t].id, t, PART_TASK);
    for (edge_id e = 0; e < c->dag->n_edges; e++)
        book_edge(b, c, e);
}

/* First the numbers of parts become the places where each resource begins; storing then moves each to the end of its
   resource, which is where the next one begins. */
void check_judge_resources(struct check *c)
{
    size_t n_resources = 3 * c->machine->n_hosts + c->machine->n_links, start = 0, n;
    struct booking *list = NULL; /* of one resource */
    struct bookings b = {.end = mem_zalloc(n_resources + 1, sizeof *b.end)};
    book_all(&b, c);
    for (size_t i = 0; i < n_resources; i++)
        b.end[i + 1] += b.end[i];
    b.list = mem_alloc((b.end[n_resources] + 1) * sizeof *b.list);
    book_all(&b, c);
    for (size_t i = 0, capacity = 0; i < n_resources; start = b.end[i++]) {
        for (n = 0; start + n < b.end[i]; n++) {
            MEM_GROW(list, n, capacity);
            list[n] = booking_of(c, (int)i, b.list[start + n]);
        }
        judge_overlaps(c, (int)i, list, n);
    }
    free(list);
    free(b.end);
    free(b.list);
}

/* ---- the whole ---- */

static void judge(struct check *c)
{
    judge_length(c);
    for (task_id t = 0; t < c->dag->n_tasks; t++)
        judge_task(c, t);
    check_judge_edges(c);
    check_judge_resources(c);
}

static void clear(struct check *c)
{
    for (size_t i = 0; i < c->n_findings; i++)
        free(c->findings[i].violation.text);
    for (size_t l = 0; c->link_names != NULL && l < c->machine->n_links; l++)
        free(c->link_names[l]);
    free(c->link_names);
    free(c->tasks);
    free(c->edges);
    free(c->links);
    free(c->findings);
}

static enum err_code check_source(struct json_source *source, const struct dag *g, const struct machine *m,
                                  const struct task_costs *costs, struct check_result *out, struct err *e)
{
    struct check c = {.dag = g, .machine = m, .costs = costs, .path = source->path, .source = source, .e = e};
    *out = (struct check_result){0};
    c.tasks = mem_zalloc((size_t)g->n_tasks + 1, sizeof *c.tasks);
    c.edges = mem_zalloc((size_t)g->n_edges + 1, sizeof *c.edges);
    enum err_code code = check_read(&c);
    if (code == ERR_NONE) {
        judge(&c);
        /* a plugin's model that has answered nonsense makes all findings worthless */
        code = foreign_judge(ERR_NONE, e);
    }
    if (code == ERR_NONE)
        hand_over(&c, out);
    clear(&c);
    json_source_clear(source);
    return code;
}

enum err_code check_schedule_text(const char *bytes, size_t n, const char *path, const struct dag *g,
                                  const struct machine *m, const struct task_costs *costs, struct check_result *out,
                                  struct err *e)
{
    struct json_source source;
    json_source_text(&source, bytes, n, path);
    return check_source(&source, g, m, costs, out, e);
}

enum err_code check_schedule(const char *path, const struct dag *g, const struct machine *m,
                             const struct task_costs *costs, struct check_result *out, struct err *e)
{
    struct json_source source;
    *out = (struct check_result){0};
    enum err_code code = json_source_open(&source, path, MAX_FILE_BYTES, e);
    return code == ERR_NONE ? check_source(&source, g, m, costs, out, e) : code;
}
