/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes schedule files directly as text, because a JSON tree of half a million edges would be larger than the
   schedule.

   Names are bytes, but JSON is UTF-8. A byte that is not UTF-8 is written as one of U+EF80 to U+EFFF, its value added
   to U+EF00 (private use, as in MirBSD's OPTU encoding). The bytes of those characters themselves are also written so,
   and every name is read back unchanged. */
#include "plan/schedule_json.h"

#include "plan/link_in_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void add(struct text *out, const char *s)
{
    text_add(out, s, strlen(s));
}

/* The number of bytes of the UTF-8 character at `s`, checked as strictly as readers do (no overlong forms, no
   surrogates); 0 if it is not one, or if it is a character that stands for a byte. */
static size_t character_size(const unsigned char *s, size_t n)
{
    size_t size = s[0] < 0x80 ? 1 : s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}, code = s[0];
    if (size == 1)
        return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4 || size > n)
        return 0;
    code = s[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3F);
    }
    bool is_character = code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return is_character && (code < 0xEF80 || code > 0xEFFF) ? size : 0;
}

static void add_escape(struct text *out, unsigned char c, bool is_control)
{
    static const char letters[] = "btnvfr"; /* from 8 to 13; JSON has no \v */
    char buffer[8];
    if (c == '"' || c == '\\')
        snprintf(buffer, sizeof buffer, "\\%c", c);
    else if (is_control && c >= 8 && c <= 13 && c != 11)
        snprintf(buffer, sizeof buffer, "\\%c", letters[c - 8]);
    else
        snprintf(buffer, sizeof buffer, "\\u%s%02x", is_control ? "00" : "ef", c);
    add(out, buffer);
}

/* Stretches that need no escape are copied at once: nearly every name is one stretch. */
static void add_string(struct text *out, const char *s, size_t n)
{
    size_t done = 0, at = 0;
    add(out, "\"");
    while (at < n) {
        unsigned char c = (unsigned char)s[at];
        size_t size = character_size((const unsigned char *)s + at, n - at);
        bool is_control = c < 0x20;
        if (size > 0 && !is_control && c != '"' && c != '\\') {
            at += size;
            continue;
        }
        text_add(out, s + done, at - done);
        add_escape(out, c, is_control);
        done = ++at;
    }
    text_add(out, s + done, n - done);
    add(out, "\"");
}

static void add_named(struct text *out, const char *key, const char *value)
{
    add(out, key);
    add_string(out, value, strlen(value));
}

static void add_number(struct text *out, const char *key, double value)
{
    char number[TEXT_NUMBER_SIZE];
    add(out, key);
    add(out, text_number(value, number));
}

static void add_span(struct text *out, struct span span)
{
    add_number(out, ",\"start_s\":", span.start_s);
    add_number(out, ",\"finish_s\":", span.finish_s);
    add(out, "}");
}

static void add_at_host(struct text *out, const char *key, const char *host, struct span span)
{
    add(out, key);
    add_named(out, "{\"host\":", host);
    add_span(out, span);
}

static void add_links(struct text *out, const struct schedule *s, edge_id e)
{
    size_t n;
    const link_id *links = schedule_route(s, e, &n);
    const struct span *spans = schedule_link_spans(s, e);
    add(out, ",\"links\":[");
    for (size_t k = 0; k < n; k++) {
        const struct link *l = &s->problem.machine->links[links[k]];
        struct link_in_file shown = link_in_file(l);
        add(out, k ? ",{\"link\":" : "{\"link\":");
        add_string(out, l->name, shown.name_length);
        add_named(out, ",\"direction\":", shown.direction);
        add_span(out, spans[k]);
    }
    add(out, "]");
}

static void add_edge(struct text *out, const struct schedule *s, edge_id e)
{
    const struct problem *p = &s->problem;
    const struct edge *edge = &p->dag->edges[e];
    const struct planned_edge *planned = &s->edges[e];
    add_named(out, "{\"src\":", p->dag->tasks[edge->src].name);
    add_named(out, ",\"dst\":", p->dag->tasks[edge->dst].name);
    add(out, planned->is_remote ? ",\"local\":false" : ",\"local\":true");
    bool has_ends = planned->is_remote && cost_has_ends(p->model);
    if (has_ends)
        add_at_host(out, ",\"send\":", p->machine->hosts[s->tasks[edge->src].host].name, planned->send);
    if (planned->is_remote && p->model->books_links)
        add_links(out, s, e);
    if (has_ends)
        add_at_host(out, ",\"recv\":", p->machine->hosts[s->tasks[edge->dst].host].name, planned->recv);
    add(out, "}");
}

/* One task or edge in a line: files can be compared line by line, and messages name the line. */
void schedule_write_json(const struct schedule *s, struct text *out)
{
    const struct problem *p = &s->problem;
    add(out, "{\"format\":\"iasim-schedule/1\"");
    add_named(out, ",\"graph\":", p->dag->source);
    add_named(out, ",\"platform\":", p->machine->source);
    add_named(out, ",\"model\":", cost_model_text(p->model));
    add_named(out, ",\"scheduler\":", s->scheduler != NULL ? s->scheduler : "");
    add_number(out, ",\"length_s\":", schedule_length_s(s));
    add(out, ",\n \"tasks\":[");
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        add_named(out, t ? ",\n  {\"name\":" : "\n  {\"name\":", p->dag->tasks[t].name);
        add_named(out, ",\"host\":", p->machine->hosts[s->tasks[t].host].name);
        add_span(out, s->tasks[t].span);
    }
    add(out, "],\n \"edges\":[");
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        add(out, e ? ",\n  " : "\n  ");
        add_edge(out, s, e);
    }
    add(out, "]}\n");
}
