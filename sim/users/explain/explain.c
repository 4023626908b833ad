/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of this room share: names of causes, which edges and hops are on which host and link, and the arrays
   of an explanation. */
#include "explain/explain.h"

#include "base/mem.h"
#include "explain/explain_state.h"

#include <math.h>
#include <stdlib.h>

const char *const explain_cause_names[N_CAUSES] = {
    [CAUSE_COMPUTING] = "computing",
    [CAUSE_SLOWED_BY_SEND] = "slowed_by_send",
    [CAUSE_SLOWED_BY_RECEIVE] = "slowed_by_receive",
    [CAUSE_SLOW_HOST] = "slow_host",
    [CAUSE_OVERHEAD_SEND] = "overhead_send",
    [CAUSE_OVERHEAD_RECEIVE] = "overhead_receive",
    [CAUSE_INVOLVEMENT_SEND] = "involvement_send",
    [CAUSE_INVOLVEMENT_RECEIVE] = "involvement_receive",
    [CAUSE_LATENCY] = "latency",
    [CAUSE_TRANSFER] = "transfer",
    [CAUSE_SHARING] = "sharing",
    [CAUSE_SLOW_LINK] = "slow_link",
    [CAUSE_WAITING] = "waiting",
    [CAUSE_PORT] = "port",
    [CAUSE_OTHER_END] = "other_end",
    [CAUSE_UNEXPLAINED] = "unexplained",
};

const char *const explain_cause_sentences[N_CAUSES] = {
    [CAUSE_COMPUTING] = "computing",
    [CAUSE_SLOWED_BY_SEND] = "computing slowed by sends",
    [CAUSE_SLOWED_BY_RECEIVE] = "computing slowed by receives",
    [CAUSE_SLOW_HOST] = "computing below the host's speed",
    [CAUSE_OVERHEAD_SEND] = "overhead of sending",
    [CAUSE_OVERHEAD_RECEIVE] = "overhead of receiving",
    [CAUSE_INVOLVEMENT_SEND] = "involvement in sending",
    [CAUSE_INVOLVEMENT_RECEIVE] = "involvement in receiving",
    [CAUSE_LATENCY] = "latency",
    [CAUSE_TRANSFER] = "transfer at full rate",
    [CAUSE_SHARING] = "transfer slowed by sharing",
    [CAUSE_SLOW_LINK] = "transfer below the link's bandwidth",
    [CAUSE_WAITING] = "waiting behind another item",
    [CAUSE_PORT] = "waiting for a port",
    [CAUSE_OTHER_END] = "waiting for the other end of a message",
    [CAUSE_UNEXPLAINED] = "unexplained",
};

/* ---- what is where ---- */

link_id explain_link_of_hop(const struct replay_plan *p, step_id hop)
{
    size_t n;
    edge_id e = step_edge(p, hop);
    return schedule_route(p->schedule, e, &n)[hop - p->first_hop[e]];
}

link_id explain_narrowest_link(const struct replay_plan *p, edge_id e)
{
    size_t n;
    const link_id *links = schedule_route(p->schedule, e, &n);
    link_id narrowest = -1;
    for (size_t k = 0; k < n; k++)
        if (narrowest < 0 ||
            p->machine->links[links[k]].bandwidth_bytes_per_s < p->machine->links[narrowest].bandwidth_bytes_per_s)
            narrowest = links[k];
    return narrowest;
}

/* The members of all groups in one array (a counting sort), in time and memory of members and groups. Runs twice: with
   `list` NULL it counts the members of a group into start[group + 2]; once these are summed up, start[group + 1] is
   where the group's next member goes. After the second run start[group] is where the group begins. */
static void put(struct lists *l, int group, int member)
{
    if (l->list == NULL)
        l->start[group + 2]++;
    else
        l->list[l->start[group + 1]++] = member;
}

static void put_hosts(struct lists *l, const struct replay_plan *p)
{
    for (edge_id e = 0; e < p->dag->n_edges; e++)
        for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && p->schedule->edges[e].is_remote; dir++)
            put(l, edge_host(p, e, dir), e);
}

static void put_links(struct lists *l, const struct replay_plan *p)
{
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        size_t n;
        const link_id *links = schedule_route(p->schedule, e, &n);
        for (size_t k = 0; k < n; k++) {
            /* Fluid: a transfer is on all its links at once; exclusive: a hop on one. */
            if (!p->is_exclusive)
                put(l, links[k], e);
            else if (edge_has_links(p, e))
                put(l, links[k], p->first_hop[e] + (step_id)k);
        }
    }
}

static void make_lists(struct lists *l, const struct replay_plan *p, size_t n_groups,
                       void (*put_all)(struct lists *l, const struct replay_plan *p))
{
    l->list = NULL;
    l->start = mem_zalloc(n_groups + 2, sizeof *l->start);
    put_all(l, p);
    for (size_t g = 2; g < n_groups + 2; g++)
        l->start[g] += l->start[g - 1];
    l->list = mem_alloc((l->start[n_groups + 1] + 1) * sizeof *l->list);
    put_all(l, p);
}

/* When data flow at this host or on this link: the first hop of an edge at its source, the last one at its
   destination. */
static void find_dates(struct lists *l, const struct replay_record *r, size_t n_groups, bool are_hosts)
{
    const struct replay_plan *p = &r->plan;
    l->at = mem_alloc((l->start[n_groups] + 1) * sizeof *l->at);
    for (size_t g = 0; g < n_groups; g++)
        for (size_t i = l->start[g]; i < l->start[g + 1]; i++) {
            bool is_hop = !are_hosts && p->is_exclusive;
            bool enters = are_hosts && edge_host(p, l->list[i], DIR_RECV) == (host_id)g;
            step_id hop = is_hop ? l->list[i] : p->first_hop[l->list[i] + enters] - enters;
            l->at[i] = replay_record_span(r, hop);
        }
}

void explainer_init(struct explainer *x)
{
    size_t n_hosts = x->plan->machine->n_hosts, n_links = x->plan->machine->n_links;
    make_lists(&x->of_host, x->plan, n_hosts, put_hosts);
    make_lists(&x->of_link, x->plan, n_links, put_links);
    find_dates(&x->of_host, x->record, n_hosts, true);
    find_dates(&x->of_link, x->record, n_links, false);
}

void explainer_clear(struct explainer *x)
{
    free(x->of_host.list);
    free(x->of_host.start);
    free(x->of_host.at);
    free(x->of_link.list);
    free(x->of_link.start);
    free(x->of_link.at);
}

/* ---- explanations ---- */

void explain_with(struct explanation *x, struct explain_item item)
{
    MEM_GROW(x->with, x->n_with, x->with_capacity);
    x->with[x->n_with++] = item;
}

void explanation_clear(struct explanation *x)
{
    free(x->segments);
    free(x->with);
    free(x->sums_s);
    *x = (struct explanation){0};
}

size_t explain_first_sum(const struct machine *m, enum explain_kind kind)
{
    /* The sums of all kinds are one array: causes, hosts, links, and its length. */
    const size_t first[] = {0, N_CAUSES, N_CAUSES + m->n_hosts, N_CAUSES + m->n_hosts + m->n_links};
    return first[kind];
}

char *explain_item_name(const struct dag *g, struct explain_item item)
{
    if (item.task >= 0)
        return mem_strdup(g->tasks[item.task].name);
    const struct edge *edge = &g->edges[item.edge];
    return mem_format("%s -> %s", g->tasks[edge->src].name, g->tasks[edge->dst].name);
}
