/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedules in an order chosen by hand: "A A>B C B" books the task A, then the edge A>B with all its steps, and so on,
   each after everything that is already on its resources. Edges between tasks on one host may be omitted. */
#ifndef IASIM_TEST_SCHEDULERS_BY_HAND_H
#define IASIM_TEST_SCHEDULERS_BY_HAND_H

#include "both.h"

static inline int by_hand_edge(const struct dag *g, int src, int dst)
{
    for (int e = 0; e < g->n_edges; e++)
        if (g->edges[e].src == src && g->edges[e].dst == dst)
            return e;
    return -1;
}

static inline void by_hand_task(struct naive *n, int t)
{
    double ready_s = 0;
    int host = n->plan.host[t];
    for (int k = 0, e; (e = naive_in(n, t, k)) >= 0; k++)
        ready_s = fmax(ready_s, naive_arrival_s(n, e, n->plan.host[n->dag->edges[e].src], host));
    n->plan.task[t] = naive_book(n, host, NAIVE_TASK, t, 0, ready_s, naive_omega_s(n, t, host));
    n->plan.length_s = fmax(n->plan.length_s, n->plan.task[t].finish_s);
}

static inline void by_hand_edge_steps(struct naive *n, int e)
{
    int src = n->plan.host[n->dag->edges[e].src], dst = n->plan.host[n->dag->edges[e].dst];
    if (src == dst)
        return;
    naive_send(n, e, src, naive_end_s(n, e, src, dst, DIR_SEND));
    naive_pass_links(n, e, src, dst);
    naive_recv(n, e, src, dst);
}

static inline void by_hand(struct naive *n, const struct setting *s, enum naive_model model, const int *hosts,
                           const char *order)
{
    char *copy = mem_strdup(order), *rest;
    int n_listed = 0;
    *n =
        (struct naive){.dag = &s->dag, .machine = &s->machine, .wish.model = model, .n_hosts = (int)s->machine.n_hosts};
    naive_find_routes(n);
    for (int t = 0; t < s->dag.n_tasks; t++)
        n->plan.host[t] = hosts[t];
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *sign = strchr(word, '>');
        if (sign == NULL) {
            int t = dag_task_id(&s->dag, word);
            n->list[n_listed++] = t;
            by_hand_task(n, t);
        } else {
            *sign = '\0';
            by_hand_edge_steps(n, by_hand_edge(&s->dag, dag_task_id(&s->dag, word), dag_task_id(&s->dag, sign + 1)));
        }
    }
    free(copy);
}

/* The same for the real compaction, every item so much later than the one before that it has all to close again. */
static inline struct span by_hand_later(struct naive_span x, double by_s)
{
    return (struct span){x.start_s + by_s, x.finish_s + by_s};
}

static inline void by_hand_loosely(const struct naive *n, const struct setting *s, const char *order, double apart_s,
                                   struct schedule *out)
{
    struct problem p = setting_problem(s, n->wish.model);
    double by_s = 0;
    char *copy = mem_strdup(order), *rest;
    schedule_init(out, &p);
    for (int t = 0; t < n->dag->n_tasks; t++)
        out->tasks[t].host = n->plan.host[t];
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest), by_s += apart_s) {
        char *sign = strchr(word, '>');
        if (sign == NULL) {
            int t = dag_task_id(n->dag, word);
            out->tasks[t].span = by_hand_later(n->plan.task[t], by_s);
            continue;
        }
        *sign = '\0';
        int e = by_hand_edge(n->dag, dag_task_id(n->dag, word), dag_task_id(n->dag, sign + 1));
        int src = n->plan.host[n->dag->edges[e].src], dst = n->plan.host[n->dag->edges[e].dst];
        if (src == dst)
            continue;
        const struct naive_edge *x = &n->plan.edge[e];
        struct span *links = schedule_add_link_spans(out, e, src, dst);
        out->edges[e].is_remote = true;
        out->edges[e].send = by_hand_later(x->send, by_s);
        out->edges[e].recv = by_hand_later(x->recv, by_s);
        for (size_t k = 0; k < n->route[src][dst].n_links; k++)
            links[k] = by_hand_later(x->links[k], by_s);
    }
    free(copy);
}

#endif
