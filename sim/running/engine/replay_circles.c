/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks for steps that wait for each other in a circle, by sorting them topologically: what is left waits. The message
   names one circle, without the parts that the graph alone explains. */
#include "base/mem.h"
#include "base/text.h"
#include "engine/replay_steps.h"

#include <stdio.h>
#include <stdlib.h>

struct sort { /* topological */
    const struct replay_plan *plan;
    int *pending;
    step_id *ready;
    int n_ready;
};

static void satisfy(struct sort *x, step_id s)
{
    if (--x->pending[s] == 0)
        x->ready[x->n_ready++] = s;
}

/* What the sender does next, if its send holds it until the data of an edge have arrived; else -1. */
static step_id after_arrival(const struct replay_plan *p, edge_id e)
{
    return p->is_active ? p->after[step_of_send(p, e)] : -1;
}

/* What waits for a step, exactly as replay.c has it: the two must agree, or a replay stops halfway, or a good schedule
   is refused. */
static void pass(struct sort *x, step_id s)
{
    const struct replay_plan *p = x->plan;
    const struct dag *g = p->dag;
    if (p->after[s] >= 0 && !(p->is_active && step_kind(p, s) == STEP_SEND))
        satisfy(x, p->after[s]);
    if (step_after_on_port(p, s) >= 0)
        satisfy(x, step_after_on_port(p, s));
    switch (step_kind(p, s)) {
    case STEP_TASK:
        for (int i = g->out_start[s]; i < g->out_start[s + 1]; i++) {
            edge_id e = g->out[i];
            satisfy(x, p->schedule->edges[e].is_remote ? step_of_send(p, e) : g->edges[e].dst);
        }
        break;
    case STEP_SEND:
        satisfy(x, p->first_hop[step_edge(p, s)]);
        break;
    case STEP_HOP: {
        edge_id e = step_edge(p, s);
        bool is_last = s + 1 == p->first_hop[e + 1];
        satisfy(x, is_last ? step_of_recv(p, e) : s + 1);
        if (is_last && after_arrival(p, e) >= 0)
            satisfy(x, after_arrival(p, e));
        break;
    }
    case STEP_RECV:
        satisfy(x, g->edges[step_edge(p, s)].dst);
        break;
    }
}

/* After the sort: it is in a circle, or waits for one. */
static bool is_left(const struct sort *x, step_id s)
{
    return s >= 0 && x->pending[s] > 0;
}

/* One that `s`, which is left, waits for and that is left, too. */
static step_id find_left_before(const struct sort *x, step_id s)
{
    const struct replay_plan *p = x->plan;
    const struct dag *g = p->dag;
    step_id own = p->before[s];
    /* the send before lets its processor go with its last hop (after_arrival) */
    if (own >= 0 && p->is_active && step_kind(p, own) == STEP_SEND)
        own = p->first_hop[step_edge(p, own) + 1] - 1;
    if (is_left(x, own))
        return own;
    if (is_left(x, step_before_on_port(p, s)))
        return step_before_on_port(p, s);
    edge_id e = step_kind(p, s) == STEP_TASK ? -1 : step_edge(p, s);
    switch (step_kind(p, s)) {
    case STEP_SEND:
        return g->edges[e].src;
    case STEP_HOP:
        return s > p->first_hop[e] ? s - 1 : step_of_send(p, e);
    case STEP_RECV:
        return p->first_hop[e + 1] - 1;
    case STEP_TASK:
        for (int i = g->in_start[s]; i < g->in_start[s + 1]; i++) {
            e = g->in[i];
            step_id before = p->schedule->edges[e].is_remote ? step_of_recv(p, e) : g->edges[e].src;
            if (is_left(x, before))
                return before;
        }
        break;
    }
    return -1;
}

/* Whether both belong to one edge, or one of them to an edge of the other: the graph says why one waits. */
static bool are_of_one_edge(const struct replay_plan *p, step_id s, step_id next)
{
    bool is_task = step_kind(p, s) == STEP_TASK, is_next_task = step_kind(p, next) == STEP_TASK;
    if (is_task && is_next_task)
        return false;
    if (is_task)
        return step_kind(p, next) == STEP_SEND && p->dag->edges[step_edge(p, next)].src == s;
    if (is_next_task)
        return step_kind(p, s) == STEP_RECV && p->dag->edges[step_edge(p, s)].dst == next;
    return step_edge(p, s) == step_edge(p, next);
}

/* What the order says of two steps: "host 'p0' waits to receive A -> B before it computes C". Nothing of what
   the names tell. */
static void describe(const struct replay_plan *p, step_id s, step_id next, struct text *out)
{
    static const char *const to_do[] = {"compute", "send", "receive", "carry"};
    static const char *const does[] = {"computes", "sends", "receives", "carries"};
    char names[2][256];
    step_id both[] = {s, next};
    if (are_of_one_edge(p, s, next))
        return;
    for (int i = 0; i < 2; i++)
        if (step_kind(p, both[i]) == STEP_TASK)
            snprintf(names[i], sizeof names[i], "%.250s", p->dag->tasks[both[i]].name);
        else
            replay_edge_name(p, step_edge(p, both[i]), names[i]);
    const char *and = out->size > 0 ? "; " : "";
    enum step_kind kind = step_kind(p, s), next_kind = step_kind(p, next);
    if (kind == STEP_HOP && after_arrival(p, step_edge(p, s)) == next) {
        text_addf(out, "%shost '%s' waits until the data of %s have arrived before it %s %s", and,
                  p->machine->hosts[edge_host(p, step_edge(p, s), DIR_SEND)].name, names[0], does[next_kind], names[1]);
    } else if (p->after[s] != next && step_after_on_port(p, s) != next) {
        text_addf(out, "%s%s needs the data of %s", and, names[1], names[0]);
    } else if (kind == STEP_HOP) {
        size_t n;
        const link_id *links = schedule_route(p->schedule, step_edge(p, s), &n);
        text_addf(out, "%slink '%s' waits to carry %s before it carries %s", and,
                  p->machine->links[links[s - p->first_hop[step_edge(p, s)]]].name, names[0], names[1]);
    } else {
        host_id h = kind == STEP_TASK ? p->schedule->tasks[s].host
                                      : edge_host(p, step_edge(p, s), kind == STEP_SEND ? DIR_SEND : DIR_RECV);
        text_addf(out, "%shost '%s' waits to %s %s before it %s %s", and, p->machine->hosts[h].name, to_do[kind],
                  names[0], does[next_kind], names[1]);
    }
}

/* Each step that is left waits for another one that is left: going back from any of them must come to one that was seen
   before. The text begins with the circle's lowest step, so it is the same wherever the search came in. */
static enum err_code report_circle(const struct sort *x, const char *path, struct err *e)
{
    enum { MAX_TEXT = 850 };
    const struct replay_plan *p = x->plan;
    step_id *later =
        mem_alloc((size_t)p->n_steps * sizeof *later); /* on the way back: who waits for it; -1: not seen */
    struct text text = {0};
    step_id at = 0;
    for (step_id s = 0; s < p->n_steps; s++)
        later[s] = -1;
    while (!is_left(x, at))
        at++;
    for (step_id before; later[before = find_left_before(x, at)] < 0; at = before)
        later[before] = at;
    /* what comes before `at` was seen already: there the circle closes */
    step_id entry = find_left_before(x, at), first = entry;
    later[entry] = at;
    for (step_id s = later[entry]; s != entry; s = later[s])
        first = s < first ? s : first;
    step_id s = first;
    do {
        describe(p, s, later[s], &text);
        s = later[s];
    } while (s != first && text.size < MAX_TEXT);
    free(later);
    enum err_code code =
        err_set_at(e, ERR_INPUT, path, 0, "the schedule cannot be carried out because its order has a cycle: %s%s",
                   text_str(&text), s != first ? "; ..." : "");
    text_clear(&text);
    return code;
}

enum err_code replay_plan_check_circles(const struct replay_plan *p, const char *path, struct err *e)
{
    struct sort x = {.plan = p};
    x.pending = mem_alloc((size_t)p->n_steps * sizeof *x.pending);
    x.ready = mem_alloc((size_t)p->n_steps * sizeof *x.ready);
    int n_steps = 0;
    for (step_id s = 0; s < p->n_steps; s++) {
        bool is_local = step_kind(p, s) != STEP_TASK && !p->schedule->edges[step_edge(p, s)].is_remote;
        x.pending[s] = is_local ? 0 : replay_plan_n_before(p, s);
        n_steps += !is_local;
        if (!is_local && x.pending[s] == 0)
            x.ready[x.n_ready++] = s;
    }
    for (int i = 0; i < x.n_ready; i++)
        pass(&x, x.ready[i]);
    enum err_code code = x.n_ready < n_steps ? report_circle(&x, path, e) : ERR_NONE;
    free(x.pending);
    free(x.ready);
    return code;
}
