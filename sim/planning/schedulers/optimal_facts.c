/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The problem as numbers, and its symmetries.

   Two hosts are alike if exchanging them changes nothing: all tasks take the same time on both, and there is an
   exchange of links, of the same bandwidth, latency and kind, under which every route becomes the route between the
   exchanged hosts. Any schedule is then as good with the two hosts (and the links) exchanged, under every belief. Being
   alike is transitive, since (a c) = (b c)(a b)(b c).

   Two tasks are alike if they take the same times, and have the same predecessors and successors with edges that cost
   the same; exchanging them changes nothing either. */
#include "schedulers/optimal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* To find hosts that are alike takes more than the square of their number: larger machines are left to other
   schedulers. */
enum { MAX_MACHINE_HOSTS = 256 };
static const size_t max_table = (size_t)1 << 22; /* numbers */

/* ---- edges ---- */

struct facts_passage facts_passage(const struct problem *p, edge_id e, host_id src, host_id dst)
{
    struct facts_passage x = {.send = problem_end(p, e, src, dst, DIR_SEND),
                              .recv = problem_end(p, e, src, dst, DIR_RECV)};
    size_t n, pair = (size_t)src * p->machine->n_hosts + (size_t)dst;
    double bytes = p->dag->edges[e].size_bytes;
    x.links = route_links(p->routes, src, dst, &n);
    x.n_links = p->model->books_links ? n : 0;
    if (x.n_links > 0)
        return x;
    x.lag_s = p->model->transit_s != NULL ? p->model->transit_s(p->model, p->machine, src, dst, bytes)
                                          : bytes / p->routes->slowest_bytes_per_s[pair] + p->routes->latency_s[pair];
    return x;
}

static double link_s(const struct problem *p, edge_id e, link_id l)
{
    return p->dag->edges[e].size_bytes / p->machine->links[l].bandwidth_bytes_per_s;
}

/* From the finish of the origin to the arrival, in a machine that is otherwise idle. */
static double delay_s(const struct problem *p, edge_id e, host_id src, host_id dst)
{
    struct facts_passage x = facts_passage(p, e, src, dst);
    double start_s = x.send.overhead_s, finish_s = start_s + x.lag_s;
    for (size_t k = 0; k < x.n_links; k++) {
        double time_s = link_s(p, e, x.links[k]);
        if (k > 0)
            start_s = later_s(start_s, finish_s - time_s) + p->machine->links[x.links[k - 1]].latency_s;
        finish_s = start_s + time_s;
    }
    if (x.n_links > 0)
        finish_s += p->machine->links[x.links[x.n_links - 1]].latency_s;
    return finish_s + x.recv.overhead_s;
}

/* ---- hosts that are alike ---- */

struct exchange {
    const struct problem *p;
    host_id a, b;
    link_id *image, *origin; /* of each link; -1: not known yet */
};

static host_id exchanged(const struct exchange *x, host_id h)
{
    return h == x->a ? x->b : h == x->b ? x->a : h;
}

static bool is_same_end(struct cost_end a, struct cost_end b)
{
    return a.overhead_s == b.overhead_s && a.involvement_s == b.involvement_s && a.port_s == b.port_s &&
           a.port_before_s == b.port_before_s;
}

/* The first route that uses a link says what its image must be; every later one must agree, in both directions. */
static bool maps_link(struct exchange *x, link_id from, link_id to)
{
    const struct link *l = &x->p->machine->links[from], *m = &x->p->machine->links[to];
    if (x->image[from] >= 0 || x->origin[to] >= 0)
        return x->image[from] == to && x->origin[to] == from;
    x->image[from] = to;
    x->origin[to] = from;
    return l->bandwidth_bytes_per_s == m->bandwidth_bytes_per_s && l->latency_s == m->latency_s &&
           (l->sharing == LINK_FATPIPE) == (m->sharing == LINK_FATPIPE);
}

static bool maps_route(struct exchange *x, host_id src, host_id dst)
{
    size_t n, n_image;
    const link_id *links = route_links(x->p->routes, src, dst, &n);
    const link_id *images = route_links(x->p->routes, exchanged(x, src), exchanged(x, dst), &n_image);
    bool is_same = n == n_image;
    for (size_t k = 0; k < n && is_same; k++)
        is_same = maps_link(x, links[k], images[k]);
    return is_same;
}

static bool costs_the_same(const struct exchange *x, edge_id e, host_id src, host_id dst)
{
    struct facts_passage one = facts_passage(x->p, e, src, dst);
    struct facts_passage other = facts_passage(x->p, e, exchanged(x, src), exchanged(x, dst));
    return is_same_end(one.send, other.send) && is_same_end(one.recv, other.recv) && one.lag_s == other.lag_s;
}

static bool has_same_tasks(const struct exchange *x)
{
    bool is_same = true;
    for (task_id t = 0; t < x->p->dag->n_tasks && is_same; t++)
        is_same = problem_compute_s(x->p, t, x->a) == problem_compute_s(x->p, t, x->b);
    return is_same;
}

static bool keeps_everything(struct exchange *x)
{
    host_id n = (host_id)x->p->machine->n_hosts;
    bool is_same = has_same_tasks(x);
    for (host_id src = 0; src < n && is_same; src++)
        for (host_id dst = 0; dst < n && is_same; dst++) {
            bool moves = exchanged(x, src) != src || exchanged(x, dst) != dst;
            is_same = src == dst || !x->p->model->books_links || maps_route(x, src, dst);
            for (edge_id e = 0; e < x->p->dag->n_edges && is_same && src != dst && moves; e++)
                is_same = costs_the_same(x, e, src, dst);
        }
    return is_same;
}

static bool are_alike(const struct problem *p, host_id a, host_id b)
{
    size_t n = p->machine->n_links + 1;
    struct exchange x = {p, a, b, mem_alloc(n * sizeof *x.image), mem_alloc(n * sizeof *x.origin)};
    for (size_t l = 0; l < n; l++)
        x.image[l] = x.origin[l] = -1;
    bool is_same = keeps_everything(&x);
    free(x.image);
    free(x.origin);
    return is_same;
}

/* Chooses the hosts, and finds which are alike. */
static void find_hosts(struct facts *f)
{
    int n = (int)f->problem->machine->n_hosts, *first = mem_alloc((size_t)n * sizeof *first); /* in the machine */
    int *number = mem_alloc((size_t)n * sizeof *number), *n_like = mem_zalloc((size_t)n, sizeof *n_like);
    for (int h = 0; h < n; h++) {
        first[h] = h;
        for (int g = 0; g < h && first[h] == h; g++)
            if (first[g] == g && are_alike(f->problem, g, h))
                first[h] = g;
        number[h] = f->n_hosts;
        if (n_like[first[h]]++ >= f->n_tasks)
            continue;
        f->alike[f->n_hosts] = number[first[h]];
        f->host[f->n_hosts++] = h;
    }
    free(n_like);
    free(number);
    free(first);
}

/* ---- tasks ---- */

static void number_tasks(struct facts *f)
{
    const struct dag *g = f->problem->dag;
    int *number = mem_alloc((size_t)g->n_tasks * sizeof *number), n_in = 0, n_out = 0;
    for (int t = 0; t < g->n_tasks; t++) {
        f->task[t] = g->order[t];
        number[g->order[t]] = t;
    }
    for (edge_id e = 0; e < g->n_edges; e++)
        f->edges[e] = (struct facts_edge){number[g->edges[e].src], number[g->edges[e].dst], e};
    for (int t = 0; t < f->n_tasks; t++) {
        task_id id = f->task[t];
        f->in_start[t] = n_in;
        f->out_start[t] = n_out;
        for (int i = g->in_start[id]; i < g->in_start[id + 1]; i++)
            f->in[n_in++] = g->in[i];
        for (int i = g->out_start[id]; i < g->out_start[id + 1]; i++)
            f->out[n_out++] = g->out[i];
    }
    f->in_start[f->n_tasks] = n_in;
    f->out_start[f->n_tasks] = n_out;
    free(number);
}

static void fill_times(struct facts *f)
{
    for (int t = 0; t < f->n_tasks; t++)
        for (int h = 0; h < f->n_hosts; h++) {
            double time_s = problem_compute_s(f->problem, f->task[t], f->host[h]);
            f->compute_s[t * f->n_hosts + h] = time_s;
            f->may_run[t] |= isfinite(time_s) ? UINT64_C(1) << h : 0;
        }
    for (int e = 0; e < f->n_edges; e++)
        for (int g = 0; g < f->n_hosts; g++)
            for (int h = 0; h < f->n_hosts; h++) {
                size_t at = facts_edge_at(f, e, g, h);
                host_id src = f->host[g], dst = f->host[h];
                f->delay_s[at] = g == h ? 0 : delay_s(f->problem, e, src, dst);
                f->send_s[at] = earlier_s(g == h ? 0 : cost_end_busy_s(problem_end(f->problem, e, src, dst, DIR_SEND)),
                                          f->delay_s[at]);
                f->recv_s[at] = g == h ? 0 : cost_end_busy_s(problem_end(f->problem, e, src, dst, DIR_RECV));
            }
}

/* The larger the work that all hosts must do, the better the bound. Any speeds are right; these are exact for related
   hosts. */
static void find_work(struct facts *f)
{
    for (int h = 0; h < f->n_hosts; h++) {
        double sum_s = 0;
        for (int t = 0; t < f->n_tasks; t++)
            sum_s += facts_compute_s(f, t, h);
        f->speed[h] = sum_s > 0 && isfinite(sum_s) ? 1 / sum_s : -1;
    }
    /* one host that may not run everything has no speed in this sense: then all count as 1, which is right, if
       weaker */
    bool is_related = true;
    for (int h = 0; h < f->n_hosts; h++)
        is_related = is_related && f->speed[h] > 0;
    for (int h = 0; h < f->n_hosts; h++) {
        f->speed[h] = is_related ? f->speed[h] : 1;
        f->all_speed += f->speed[h];
    }
    for (int t = 0; t < f->n_tasks; t++) {
        f->work[t] = INFINITY;
        for (int h = 0; h < f->n_hosts; h++)
            f->work[t] = fmin(f->work[t], facts_compute_s(f, t, h) * f->speed[h]);
    }
}

/* Numbers are in topological order, so sets of ancestors are complete when they are asked for. */
static void find_relations(struct facts *f)
{
    for (int e = 0; e < f->n_edges; e++) {
        f->least_delay_s[e] = f->n_hosts > 1 ? INFINITY : 0;
        for (int g = 0; g < f->n_hosts; g++)
            for (int h = 0; h < f->n_hosts; h++)
                if (g != h)
                    f->least_delay_s[e] = fmin(f->least_delay_s[e], facts_delay_s(f, e, g, h));
    }
    for (int t = 0; t < f->n_tasks; t++)
        for (int i = f->in_start[t]; i < f->in_start[t + 1]; i++) {
            int src = f->edges[f->in[i]].src;
            f->ancestors[t] |= f->ancestors[src] | UINT64_C(1) << src;
        }
    for (int t = f->n_tasks; t-- > 0;)
        for (int i = f->out_start[t]; i < f->out_start[t + 1]; i++) {
            int dst = f->edges[f->out[i]].dst;
            f->descendants[t] |= f->descendants[dst] | UINT64_C(1) << dst;
        }
}

/* Edges may be listed in any order, so each is looked for among the others: the graphs are small. */
static bool has_same_edges(const struct facts *f, const int *edges, int n, const int *others, int m, bool is_in)
{
    size_t n_numbers = (size_t)f->n_hosts * (size_t)f->n_hosts;
    bool is_same = n == m;
    for (int i = 0; i < n && is_same; i++) {
        const struct facts_edge *x = &f->edges[edges[i]], *y = NULL;
        for (int k = 0; k < n && y == NULL; k++) {
            const struct facts_edge *z = &f->edges[others[k]];
            y = (is_in ? z->src == x->src : z->dst == x->dst) ? z : NULL;
        }
        /* The same size means the same times everywhere, under every belief. */
        is_same = y != NULL && f->problem->dag->edges[x->id].size_bytes == f->problem->dag->edges[y->id].size_bytes &&
                  memcmp(f->delay_s + (size_t)(x - f->edges) * n_numbers,
                         f->delay_s + (size_t)(y - f->edges) * n_numbers, n_numbers * sizeof *f->delay_s) == 0;
    }
    return is_same;
}

static bool are_twins(const struct facts *f, int t, int u)
{
    for (int h = 0; h < f->n_hosts; h++)
        if (facts_compute_s(f, t, h) != facts_compute_s(f, u, h))
            return false;
    return has_same_edges(f, f->in + f->in_start[t], f->in_start[t + 1] - f->in_start[t], f->in + f->in_start[u],
                          f->in_start[u + 1] - f->in_start[u], true) &&
           has_same_edges(f, f->out + f->out_start[t], f->out_start[t + 1] - f->out_start[t], f->out + f->out_start[u],
                          f->out_start[u + 1] - f->out_start[u], false);
}

/* The last earlier twin: comparing each with its neighbour in the chain orders all of them. */
static void find_twins(struct facts *f)
{
    for (int t = 0; t < f->n_tasks; t++) {
        f->twin[t] = -1;
        for (int u = 0; u < t; u++)
            if (are_twins(f, t, u))
                f->twin[t] = u;
    }
}

bool facts_init(struct facts *f, const struct problem *p)
{
    size_t n = (size_t)p->dag->n_tasks, n_edges = (size_t)p->dag->n_edges, n_hosts = p->machine->n_hosts;
    *f = (struct facts){.problem = p, .n_tasks = (int)n, .n_edges = (int)n_edges};
    /* tables of edges grow with the square of hosts, so hosts that are alike are left out before tables are made */
    if (n > OPTIMAL_MAX_TASKS || n_hosts > MAX_MACHINE_HOSTS)
        return false;
    f->host = mem_alloc(n_hosts * sizeof *f->host);
    f->alike = mem_alloc(n_hosts * sizeof *f->alike);
    find_hosts(f);
    n_hosts = (size_t)f->n_hosts;
    if (n_hosts > OPTIMAL_MAX_HOSTS || n_edges * n_hosts * n_hosts > max_table) {
        facts_clear(f);
        return false;
    }
    f->task = mem_alloc(n * sizeof *f->task);
    f->edges = mem_alloc((n_edges + 1) * sizeof *f->edges);
    f->in_start = mem_alloc((n + 1) * sizeof *f->in_start);
    f->out_start = mem_alloc((n + 1) * sizeof *f->out_start);
    f->in = mem_alloc((n_edges + 1) * sizeof *f->in);
    f->out = mem_alloc((n_edges + 1) * sizeof *f->out);
    f->compute_s = mem_alloc(n * n_hosts * sizeof *f->compute_s);
    f->delay_s = mem_alloc((n_edges * n_hosts * n_hosts + 1) * sizeof *f->delay_s);
    f->send_s = mem_alloc((n_edges * n_hosts * n_hosts + 1) * sizeof *f->send_s);
    f->recv_s = mem_alloc((n_edges * n_hosts * n_hosts + 1) * sizeof *f->recv_s);
    f->may_run = mem_zalloc(n, sizeof *f->may_run);
    f->twin = mem_alloc(n * sizeof *f->twin);
    f->work = mem_alloc(n * sizeof *f->work);
    f->least_delay_s = mem_alloc((n_edges + 1) * sizeof *f->least_delay_s);
    f->ancestors = mem_zalloc(n, sizeof *f->ancestors);
    f->descendants = mem_zalloc(n, sizeof *f->descendants);
    f->speed = mem_alloc(n_hosts * sizeof *f->speed);
    number_tasks(f);
    fill_times(f);
    find_work(f);
    find_relations(f);
    find_twins(f);
    return true;
}

void facts_clear(struct facts *f)
{
    free(f->task);
    free(f->host);
    free(f->edges);
    free(f->in_start);
    free(f->in);
    free(f->out_start);
    free(f->out);
    free(f->compute_s);
    free(f->delay_s);
    free(f->send_s);
    free(f->recv_s);
    free(f->may_run);
    free(f->alike);
    free(f->twin);
    free(f->work);
    free(f->speed);
    free(f->least_delay_s);
    free(f->ancestors);
    free(f->descendants);
    *f = (struct facts){0};
}
