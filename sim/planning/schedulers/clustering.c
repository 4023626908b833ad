/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clusters of tasks and the way from them to hosts. Which tasks belong together is decided by the clusterings; here is
   what they may ask, and what an edge costs them. */
#include "schedulers/clustering.h"

#include "base/mem.h"
#include "dag/levels.h"

#include <stdlib.h>
#include <string.h>

/* ---- clusters ---- */

static int *bars_in(const struct clustering *c, int cluster)
{
    return c->n_barred + (size_t)cluster * c->problem->machine->n_hosts;
}

/* Where a cluster may run is the intersection of its tasks' hosts. Counts, not sets: a task that leaves takes its bars
   along. */
static void count_bars(struct clustering *c, task_id t, int cluster, int sign)
{
    for (host_id h = 0; h < (host_id)c->problem->machine->n_hosts; h++)
        bars_in(c, cluster)[h] += problem_may_run(c->problem, t, h) ? 0 : sign;
}

/* ---- costs of edges that know contention and involvement ---- */

/* How likely it is that another message, between any two hosts, needs the same link: over the links that take turns,
   the mean of the share of pairs of hosts that use one, each link counted for every pair that uses it. */
static double sharing_ratio(const struct problem *p)
{
    host_id n_hosts = (host_id)p->machine->n_hosts;
    double *n_pairs = mem_zalloc(p->machine->n_links + 1, sizeof *n_pairs), sum = 0, squares = 0; /* [link] */
    for (host_id a = 0; a < n_hosts; a++)
        for (host_id b = 0; b < n_hosts; b++) {
            size_t n = 0;
            const link_id *links = a != b ? route_links(p->routes, a, b, &n) : NULL;
            for (size_t k = 0; k < n; k++)
                n_pairs[links[k]] += p->machine->links[links[k]].sharing != LINK_FATPIPE;
        }
    for (size_t l = 0; l < p->machine->n_links; l++) {
        sum += n_pairs[l];
        squares += n_pairs[l] * n_pairs[l];
    }
    free(n_pairs);
    return sum > 0 ? squares / sum / ((double)n_hosts * (n_hosts - 1)) : 0;
}

/* How many edges are on one link at once, on average: 1 + (s - 1) q, where s edges are under way on average if the
   graph takes the time of its longest path, and q is the ratio above. */
static double edges_on_a_link(const struct clustering *c)
{
    const struct dag *g = c->problem->dag;
    double *level_s = mem_alloc((size_t)g->n_tasks * sizeof *level_s), longest_s = 0, sum_s = 0;
    dag_bottom_levels(g, c->task_s, c->edge_s, level_s);
    for (task_id t = 0; t < g->n_tasks; t++)
        longest_s = fmax(longest_s, level_s[t]);
    for (edge_id e = 0; e < g->n_edges; e++)
        sum_s += c->edge_s[e];
    free(level_s);
    return longest_s > 0 ? 1 + fmax(0, sum_s / longest_s - 1) * sharing_ratio(c->problem) : 1;
}

/* i_s + i_r: the mean over all pairs of hosts. */
static double mean_involvement_s(const struct problem *p, edge_id e)
{
    host_id n_hosts = (host_id)p->machine->n_hosts;
    double sum_s = 0;
    for (host_id a = 0; a < n_hosts; a++)
        for (host_id b = 0; b < n_hosts; b++)
            if (a != b)
                sum_s +=
                    problem_end(p, e, a, b, DIR_SEND).involvement_s + problem_end(p, e, a, b, DIR_RECV).involvement_s;
    return n_hosts > 1 ? sum_s / ((double)n_hosts * (n_hosts - 1)) : 0;
}

/* The clusterings come from the classic model, where an edge costs its time. Under contention it also waits for others,
   and under involvement it takes time of processors: estimates of both are added ([S] 7.5.3, 8.4.2). */
static void add_what_it_knows(struct clustering *c, const char *aware)
{
    const struct problem *p = c->problem;
    bool is_both = strcmp(aware, "both") == 0;
    bool knows_involvement = (is_both || strcmp(aware, "involvement") == 0) && p->model->books_processors;
    bool knows_contention = (is_both || strcmp(aware, "contention") == 0) && p->model->books_links;
    double n_sharing = knows_contention ? edges_on_a_link(c) : 1;
    for (edge_id e = 0; e < p->dag->n_edges && (knows_contention || knows_involvement); e++)
        c->edge_s[e] = c->edge_s[e] * n_sharing + (knows_involvement ? mean_involvement_s(p, e) : 0);
}

void clustering_init(struct clustering *c, const struct problem *p, const char *edges, const char *aware)
{
    size_t n = (size_t)p->dag->n_tasks;
    *c = (struct clustering){.problem = p, .of = mem_alloc(n * sizeof *c->of)};
    core_rank_costs(p, "mean", edges, &c->task_s, &c->edge_s);
    add_what_it_knows(c, aware);
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

/* Once for all hosts: what the cluster adds to each, and its edges to tasks that are mapped already. */
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

/* Large clusters first, while all hosts are still free; small ones even out the load. */
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
    clustering_init(&c, call->problem, param_text(call->params, "edges"), param_text(call->params, "aware"));
    if (cluster != NULL)
        cluster(&c);
    host_id *allocation = map_clusters(&c, map != NULL && strcmp(map, "comm") == 0);
    clustering_clear(&c);
    enum err_code code = core_plan_allocation(call, allocation);
    free(allocation);
    return code;
}
