/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A plugin's schedule may hold anything. What a file could not say is looked for here, before a file is written from
   it: a host number out of range would be an access out of bounds there. The rest is the validator's, through the text
   of the file: it must read what users would read. */
#include "plan/check_made.h"

#include "base/mem.h"
#include "plan/checked_file.h"
#include "plan/schedule_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct look {
    const struct schedule *s;
    struct check_result *out;
};

static void __attribute__((format(printf, 3, 4))) find(struct look *l, enum check_id condition, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *words = mem_vformat(format, args);
    va_end(args);
    char *plain = check_printable(words);
    free(words);
    MEM_GROW(l->out->list, l->out->n, l->out->capacity);
    l->out->list[l->out->n++] = (struct violation){check_conditions[condition].name, 0, plain};
}

/* Only what cannot be written as a number: whether dates make sense is for the validator to say. */
static void look_at_span(struct look *l, struct span span, const char *whose, const char *owner)
{
    if (!isfinite(span.start_s) || !isfinite(span.finish_s))
        find(l, CHECK_time, "%s%s is from %g to %g", whose, owner, span.start_s, span.finish_s);
}

static void look_at_task(struct look *l, task_id t, const host_id *allocation)
{
    const struct machine *m = l->s->problem.machine;
    const struct planned_task *task = &l->s->tasks[t];
    const char *name = l->s->problem.dag->tasks[t].name;
    if (task->host < 0)
        find(l, CHECK_task, "task '%s' has no host", name);
    else if ((size_t)task->host >= m->n_hosts)
        find(l, CHECK_host, "task '%s' is on host number %d; %s has 0 to %zu", name, task->host, m->source,
             m->n_hosts - 1);
    else if (allocation != NULL && task->host != allocation[t])
        find(l, CHECK_host, "task '%s' is on host '%s'; '%s' was prescribed", name, m->hosts[task->host].name,
             m->hosts[allocation[t]].name);
    char *owner = mem_format("task '%s'", name);
    look_at_span(l, task->span, "", owner);
    free(owner);
}

static void look_at_links(struct look *l, edge_id e, const char *owner)
{
    size_t n;
    const struct schedule *s = l->s;
    schedule_route(s, e, &n);
    /* in this form nothing can overflow, whatever the plugin has written */
    if (s->edges[e].first_link > s->n_links || n > s->n_links - s->edges[e].first_link) {
        find(l, CHECK_parts, "%s has no spans on its %zu links: draft_links makes them", owner, n);
        return;
    }
    const struct span *spans = schedule_link_spans(s, e);
    for (size_t k = 0; k < n; k++)
        look_at_span(l, spans[k], "a link of ", owner);
}

/* Both hosts must exist. */
static void look_at_edge(struct look *l, edge_id e)
{
    const struct problem *p = &l->s->problem;
    const struct edge *edge = &p->dag->edges[e];
    const struct planned_edge *planned = &l->s->edges[e];
    if (!planned->is_remote)
        return;
    char *owner = mem_format("edge '%s' -> '%s'", p->dag->tasks[edge->src].name, p->dag->tasks[edge->dst].name);
    if (cost_has_ends(p->model)) {
        look_at_span(l, planned->send, "the send of ", owner);
        look_at_span(l, planned->recv, "the receive of ", owner);
    }
    if (p->model->books_links)
        look_at_links(l, e, owner);
    free(owner);
}

enum err_code check_made_schedule(const struct schedule *s, const host_id *allocation, struct check_result *out,
                                  struct err *e)
{
    const struct dag *g = s->problem.dag;
    struct look l = {s, out};
    *out = (struct check_result){0};
    for (task_id t = 0; t < g->n_tasks; t++)
        look_at_task(&l, t, allocation);
    /* routes can be looked up only between hosts that exist */
    bool has_hosts = out->n == 0;
    for (edge_id k = 0; has_hosts && k < g->n_edges; k++)
        look_at_edge(&l, k);
    if (out->n > 0)
        return ERR_NONE;
    struct text file = {0};
    schedule_write_json(s, &file);
    enum err_code code = check_schedule_text(text_str(&file), file.size, "the schedule", g, s->problem.machine,
                                             s->problem.costs, out, e);
    text_clear(&file);
    return code;
}
