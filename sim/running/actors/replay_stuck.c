/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay whose actors all wait: follows who waits for what until that closes to a circle. Without one, something in progress
   can never end. */
#include "actors/actors_replay.h"
#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TEXT = 700 };

/* What somebody waits for. */
enum cause_kind { CAUSE_ACT, CAUSE_DATA, CAUSE_TASK, CAUSE_SENT, CAUSE_RECEIVED, CAUSE_NONE };
struct cause {
    enum cause_kind kind;
    int id; /* host: the act that it is at; edge: that its data arrive, or that it has had its port; task: that it is done */
};

static const struct script *script(void)
{
    return replay_now.script;
}

static const char *name_of_edge(edge_id e, char out[256])
{
    const struct dag *g = script()->dag;
    snprintf(out, 256, "%.120s -> %.120s", g->tasks[g->edges[e].src].name, g->tasks[g->edges[e].dst].name);
    return out;
}

static const char *name_of_act(struct act act, char out[256])
{
    if (act.kind != ACT_COMPUTE)
        return name_of_edge(act.id, out);
    snprintf(out, 256, "%.250s", script()->dag->tasks[act.id].name);
    return out;
}

static void say(struct text *out, const char *what)
{
    text_addf(out, "%s%s", out->size > 0 ? "; " : "", what);
}

/* "host 'a' waits to compute C before it sends A -> B" */
static void say_act(struct text *out, const struct replay_host *h, const char *does, const char *what)
{
    static const char *const to_do[] = {"waits to compute", "waits to send", "waits to receive"};
    struct act act = script()->acts[h->at];
    char own[256], line[900];
    bool waits_for_end = h->is_acting && act.kind == ACT_SEND;
    snprintf(line, sizeof line, "host '%.200s' %s %s%s before it %s %s", script()->machine->hosts[h->id].name,
             waits_for_end ? "waits until the data of" : to_do[act.kind], name_of_act(act, own),
             waits_for_end ? " have arrived" : "", does, what);
    say(out, line);
}

static bool is_at(const struct replay_host *h, enum act_kind kind, int id)
{
    struct act at = h->at < h->end ? script()->acts[h->at] : (struct act){ACT_COMPUTE, -1};
    return at.kind == kind && at.id == id;
}

/* A send or receive waits for its data, for what its host does before it, and for its port. */
static struct cause cause_of_end(edge_id e, enum direction dir, struct text *out)
{
    static const char *const does[] = {"sends", "receives"};
    static const char *const to_do[] = {"send", "receive"};
    const struct script_edge *x = &script()->edges[e];
    const struct replay_host *h = &replay_now.hosts[replay_end_of(e, dir)];
    task_id src = script()->dag->edges[e].src;
    char name[256], other[256], line[900];
    name_of_edge(e, name);
    if (dir == DIR_SEND && !replay_now.is_done[src])
        return (struct cause){CAUSE_TASK, src};
    if (x->has_act[dir] && !is_at(h, dir == DIR_SEND ? ACT_SEND : ACT_RECEIVE, e)) {
        say_act(out, h, does[dir], name);
        return (struct cause){CAUSE_ACT, h->id};
    }
    if (dir == DIR_RECV && !replay_now.edges[e].has_arrived)
        return (struct cause){CAUSE_DATA, e};
    if (replay_now.edges[e].has_port[dir])
        return (struct cause){CAUSE_NONE, 0};
    snprintf(line, sizeof line, "host '%.200s' waits to %s %s before it %s %s", script()->machine->hosts[h->id].name,
             to_do[dir], name_of_edge(x->port_before[dir], other), does[dir], name);
    say(out, line);
    return (struct cause){dir == DIR_SEND ? CAUSE_SENT : CAUSE_RECEIVED, x->port_before[dir]};
}

static struct cause cause_of_act(const struct replay_host *h, struct text *out)
{
    struct act act = script()->acts[h->at];
    if (act.kind != ACT_COMPUTE && h->is_acting)
        return (struct cause){CAUSE_DATA, act.id};
    if (act.kind != ACT_COMPUTE)
        return cause_of_end(act.id, act.kind == ACT_SEND ? DIR_SEND : DIR_RECV, out);
    return h->is_acting ? (struct cause){CAUSE_NONE, 0} : (struct cause){CAUSE_TASK, act.id};
}

/* Before its data arrive, an edge must leave, and then go over links behind others. */
static struct cause cause_of_data(edge_id e, struct text *out)
{
    const struct script_edge *x = &script()->edges[e];
    char name[256], other[256], line[900];
    name_of_edge(e, name);
    if (!replay_now.edges[e].has_left)
        return cause_of_end(e, DIR_SEND, out);
    for (int k = 0; k < x->n_links && x->has_hops; k++) {
        int before = script()->before[x->first_hop + k];
        if (before < 0 || replay_now.hops[before].state == HOP_OVER)
            continue;
        snprintf(line, sizeof line, "link '%.200s' waits to carry %s before it carries %s",
                 script()->machine->links[x->links[k]].name, name_of_edge(script()->edge_of[before], other), name);
        say(out, line);
        return (struct cause){CAUSE_DATA, script()->edge_of[before]};
    }
    return (struct cause){CAUSE_NONE, 0};
}

/* A task that has its place behind another act, or data that are missing. */
static struct cause cause_of_task(task_id t, struct text *out)
{
    const struct dag *g = script()->dag;
    const struct replay_host *h = &replay_now.hosts[script()->schedule->tasks[t].host];
    if (script()->has_act[t] && replay_now.n_missing[t] == 0) {
        if (!is_at(h, ACT_COMPUTE, t))
            say_act(out, h, "computes", g->tasks[t].name);
        return (struct cause){CAUSE_ACT, h->id};
    }
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        edge_id e = g->in[i];
        task_id src = g->edges[e].src;
        char line[900];
        if (!script()->schedule->edges[e].is_remote && !replay_now.is_done[src]) {
            snprintf(line, sizeof line, "%.250s needs the data of %.250s", g->tasks[t].name, g->tasks[src].name);
            say(out, line);
            return (struct cause){CAUSE_TASK, src};
        }
        if (script()->schedule->edges[e].is_remote && !replay_now.edges[e].is_received)
            return cause_of_end(e, DIR_RECV, out);
    }
    return (struct cause){CAUSE_NONE, 0};
}

static struct cause cause_of(struct cause c, struct text *out)
{
    switch (c.kind) {
    case CAUSE_ACT:
        return cause_of_act(&replay_now.hosts[c.id], out);
    case CAUSE_DATA:
        return cause_of_data(c.id, out);
    case CAUSE_TASK:
        return cause_of_task(c.id, out);
    case CAUSE_SENT:
    case CAUSE_RECEIVED:
        return cause_of_end(c.id, c.kind == CAUSE_SENT ? DIR_SEND : DIR_RECV, out);
    case CAUSE_NONE:
        break;
    }
    return (struct cause){CAUSE_NONE, 0};
}

/* The first cause that comes again on the way from one; CAUSE_NONE: the way ends. */
static struct cause find_circle(struct cause from)
{
    size_t n_edges = (size_t)script()->dag->n_edges;
    size_t n[CAUSE_NONE] = {script()->machine->n_hosts, n_edges, (size_t)script()->dag->n_tasks, n_edges, n_edges};
    bool *seen[CAUSE_NONE];
    struct text ignored = {0};
    struct cause at = from;
    for (size_t i = 0; i < CAUSE_NONE; i++)
        seen[i] = mem_zalloc(n[i] + 1, 1);
    for (; at.kind != CAUSE_NONE && !seen[at.kind][at.id]; at = cause_of(at, &ignored))
        seen[at.kind][at.id] = true;
    for (size_t i = 0; i < CAUSE_NONE; i++)
        free(seen[i]);
    text_clear(&ignored);
    return at;
}

static bool explain_circle(struct cause from, struct actors_replay_end *out)
{
    struct cause first = find_circle(from), at = first;
    struct text text = {0};
    if (first.kind == CAUSE_NONE)
        return false;
    do
        at = cause_of(at, &text);
    while ((at.kind != first.kind || at.id != first.id) && text.size < MAX_TEXT);
    out->is_circle = true;
    snprintf(out->why, sizeof out->why, "the schedule cannot be carried out because its order waits for itself: %.*s%s",
             MAX_TEXT, text_str(&text), text.size < MAX_TEXT ? "" : "; ...");
    text_clear(&text);
    return true;
}

/* A hop on a link that has no bandwidth, for good. */
static bool explain_closed_link(struct actors_replay_end *out)
{
    char name[256];
    for (int i = 0; i < replay_now.n_alive; i++) {
        const struct replay_hop *h = &replay_now.hops[replay_now.alive[i]];
        if (h->state != HOP_GOES || !isinf(h->dates.finish_s))
            continue;
        snprintf(out->why, sizeof out->why,
                 "deadlock: the transfer %s can never proceed on link '%.250s', which has no bandwidth",
                 name_of_edge(h->edge, name), script()->machine->links[script()->edges[h->edge].links[h->k]].name);
        return true;
    }
    return false;
}

/* Executions and transfers that never end. */
static void list_progress(struct actors_replay_end *out)
{
    enum { MAX_LISTED = 5 };
    const struct host *hosts = script()->machine->hosts;
    struct text who = {0};
    int n = 0;
    for (host_id h = 0; h < (host_id)script()->machine->n_hosts && n < MAX_LISTED; h++) {
        const struct replay_host *x = &replay_now.hosts[h];
        if (x->at < x->end && x->is_acting && script()->acts[x->at].kind == ACT_COMPUTE && n++ < MAX_LISTED)
            text_addf(&who, "; 1 execution(s) on %s", hosts[h].name);
        for (int i = 0; i < replay_now.n_under_way; i++)
            if (replay_end_of(replay_now.under_way[i], DIR_SEND) == h && n++ < MAX_LISTED)
                text_addf(&who, "; transfer %s -> %s", hosts[h].name,
                          hosts[replay_end_of(replay_now.under_way[i], DIR_RECV)].name);
    }
    snprintf(out->why, sizeof out->why, "deadlock: what is in progress can never proceed%.700s", text_str(&who));
    text_clear(&who);
}

void replay_explain_stuck(struct actors_replay_end *out)
{
    for (size_t h = 0; h < script()->machine->n_hosts; h++)
        if (replay_now.hosts[h].at < replay_now.hosts[h].end &&
            explain_circle((struct cause){CAUSE_ACT, (host_id)h}, out))
            return;
    for (task_id t = 0; t < script()->dag->n_tasks; t++)
        if (!replay_now.is_done[t] && explain_circle((struct cause){CAUSE_TASK, t}, out))
            return;
    if (!explain_closed_link(out))
        list_progress(out);
}
