/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "schedulers/clustering.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- clusters ---- */

static int *bars_in(const struct clustering *c, int cluster)
{
    return c->n_barred + (size_t)cluster * c->problem->machine->n_hosts;
}

static void count_bars(struct clustering *c, task_id t, int cluster, int sign)
{
    for (host_id h = 0; h < (host_id)c->problem->machine->n_hosts; h++)
        bars_in(c, cluster)[h] += problem_may_run(c->problem, t, h) ? 0 : sign;
}

void clustering_init(struct clustering *c, const struct problem *p, const char *edges)
{
    size_t n = (size_t)p->dag->n_tasks;
    *c = (struct clustering){.problem = p, .of = mem_alloc(n * sizeof *c->of)};
    core_rank_costs(p, "mean", edges, &c->task_s, &c->edge_s);
    c->n_barred = p->costs != NULL ? mem_zalloc(n * p->machine->n_hosts, sizeof *c->n_barred) : NULL;
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        c->of[t] = t;
        if (c->n_barred != NULL)
            count_bars(c, t, t, 1);
    }
}

void clustering_clear(struct clustering *c)
{
    free(c->task_s);
    free(c->edge_s);
    free(c->of);
    free(c->n_barred);
}

bool clustering_may_share(const struct clustering *c, int a, int b)
{
    bool may = c->n_barred == NULL;
    for (host_id h = 0; h < (host_id)c->problem->machine->n_hosts && !may; h++)
        may = bars_in(c, a)[h] == 0 && bars_in(c, b)[h] == 0;
    return may;
}

void clustering_move(struct clustering *c, task_id t, int cluster)
{
    if (c->n_barred != NULL) {
        count_bars(c, t, c->of[t], -1);
        count_bars(c, t, cluster, 1);
    }
    c->of[t] = cluster;
}

/* ---- their hosts ---- */

struct mapping {
    const struct clustering *c;
    bool counts_edges;
    host_id *allocation; /* [task]; -1: not mapped yet */
    double *load_s;      /* [host] */
    double *added_s;     /* [host]: by the cluster that is being mapped */
    double *edges_s;     /* [host]: edges between that cluster and tasks on the host */
};

/* The tasks of one cluster, in the order of the file. */
struct cluster {
    task_id *tasks;
    int n;
    double work_s;
};

static void add_edge(struct mapping *m, edge_id e, task_id other)
{
    if (m->allocation[other] >= 0)
        m->edges_s[m->allocation[other]] += m->c->edge_s[e];
}

static void weigh(struct mapping *m, const struct cluster *x)
{
    const struct problem *p = m->c->problem;
    const struct dag *g = p->dag;
    size_t n_hosts = p->machine->n_hosts;
    memset(m->added_s, 0, n_hosts * sizeof *m->added_s);
    memset(m->edges_s, 0, n_hosts * sizeof *m->edges_s);
    for (int k = 0; k < x->n; k++) {
        task_id t = x->tasks[k];
        for (host_id h = 0; h < (host_id)n_hosts; h++)
            m->added_s[h] += problem_compute_s(p, t, h);
        for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++)
            add_edge(m, g->in[i], g->edges[g->in[i]].src);
        for (int i = g->out_start[t]; i < g->out_start[t + 1]; i++)
            add_edge(m, g->out[i], g->edges[g->out[i]].dst);
    }
}

static void map_cluster(struct mapping *m, const struct cluster *x)
{
    struct best best = BEST_NONE;
    host_id n_hosts = (host_id)m->c->problem->machine->n_hosts;
    weigh(m, x);
    for (host_id h = 0; h < n_hosts; h++) {
        double value_s = m->load_s[h] + m->added_s[h]; /* INFINITY: some task may not run there */
        for (host_id other = 0; other < n_hosts && m->counts_edges; other++)
            value_s += other != h ? m->edges_s[other] : 0;
        best_offer(&best, value_s, x->tasks[0], h);
    }
    for (int k = 0; k < x->n; k++)
        m->allocation[x->tasks[k]] = best.host;
    m->load_s[best.host] += m->added_s[best.host];
}

static int by_falling_work(const void *a, const void *b)
{
    const struct cluster *x = a, *y = b;
    double x_s = choose_rounded(x->work_s), y_s = choose_rounded(y->work_s);
    return x_s != y_s ? (x_s < y_s) - (x_s > y_s) : (x->tasks[0] > y->tasks[0]) - (x->tasks[0] < y->tasks[0]);
}

/* Sorts the tasks by cluster into `tasks`; the clusters come in the order of their first tasks in the file. */
static struct cluster *gather(const struct clustering *c, task_id *tasks, int *n_clusters)
{
    int n = c->problem->dag->n_tasks;
    int *size = mem_zalloc((size_t)n, sizeof *size), *number = mem_alloc((size_t)n * sizeof *number), n_before = 0;
    struct cluster *out = mem_alloc((size_t)n * sizeof *out);
    *n_clusters = 0;
    for (task_id t = 0; t < n; t++)
        size[c->of[t]]++;
    for (task_id t = 0; t < n; t++) {
        int cluster = c->of[t];
        if (size[cluster] > 0) { /* its first task */
            number[cluster] = *n_clusters;
            out[(*n_clusters)++] = (struct cluster){.tasks = tasks + n_before};
            n_before += size[cluster];
            size[cluster] = 0;
        }
        struct cluster *x = &out[number[cluster]];
        x->tasks[x->n++] = t;
        x->work_s += c->task_s[t];
    }
    free(number);
    free(size);
    return out;
}

static host_id *map_clusters(const struct clustering *c, bool counts_edges)
{
    size_t n_tasks = (size_t)c->problem->dag->n_tasks, n_hosts = c->problem->machine->n_hosts;
    struct mapping m = {c,
                        counts_edges,
                        mem_alloc(n_tasks * sizeof *m.allocation),
                        mem_zalloc(n_hosts, sizeof(double)),
                        mem_alloc(n_hosts * sizeof(double)),
                        mem_alloc(n_hosts * sizeof(double))};
    task_id *tasks = mem_alloc(n_tasks * sizeof *tasks);
    int n;
    struct cluster *clusters = gather(c, tasks, &n);
    for (size_t t = 0; t < n_tasks; t++)
        m.allocation[t] = -1;
    qsort(clusters, (size_t)n, sizeof *clusters, by_falling_work);
    for (int i = 0; i < n; i++)
        map_cluster(&m, &clusters[i]);
    free(clusters);
    free(tasks);
    free(m.edges_s);
    free(m.added_s);
    free(m.load_s);
    return m.allocation;
}

enum err_code clustering_plan(const struct core_call *call, void (*cluster)(struct clustering *c))
{
    struct clustering c;
    const char *map = param_text(call->params, "map");
    if (core_refuse_inputs(call->name, call->in, call->e) != ERR_NONE)
        return ERR_INPUT;
    clustering_init(&c, call->problem, param_text(call->params, "edges"));
    if (cluster != NULL)
        cluster(&c);
    host_id *allocation = map_clusters(&c, map != NULL && strcmp(map, "comm") == 0);
    clustering_clear(&c);
    enum err_code code = core_plan_allocation(call, allocation);
    free(allocation);
    return code;
}
