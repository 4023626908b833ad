/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When a task would end on a host, as the policy believes. A message that is not under way leaves as soon as its source
   allows; the belief says what it waits for and what waits for it:

       classic       nothing: the latency and the bytes over the slowest bandwidth of its route
       contention    on each link of its route it shares the bandwidth with what is on its way there, or asked for, or
                     would be asked for by what this call has decided and by this task. n flows with l_1, ..., l_n bytes
                     left share a link of B bytes/s fairly: S more bytes are there after (S + sum of min(l_i, S)) / B.
                     The slowest link counts; what other links of a flow do to its share does not
       involvement   its send waits until its source has ended its task and the sends before it; its receive, and those
                     of all messages on their way to the host, take the time of that host from its tasks; likewise the
                     sends that leave the host

   A model with a time under way of its own (logp) keeps it. Ports are not counted.

   Time: for each entering edge the messages on the links of its route; without links and processors the edge alone. */
#include "runtime/runtime.h"

#include "base/choose.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct load { /* of a link */
    int *flows;
    size_t n, capacity;
};

struct runtime_traffic {
    int call; /* of which call this is the state */
    struct runtime_flow *flows;
    size_t n, capacity;
    size_t n_asked;          /* the first are those of the engine; then those that this call would ask for */
    struct load *loads;      /* [link] */
    double *send_s, *recv_s; /* [host]: what messages still take of its processor */
};

static const struct cost_model *belief(const struct runtime *r)
{
    return r->jobs[0].problem.model;
}

static bool has_traffic(const struct runtime *r)
{
    return belief(r)->books_links || belief(r)->books_processors;
}

double runtime_compute_s(const struct runtime *r, work_id w, host_id h)
{
    return problem_compute_s(runtime_problem(r, w), runtime_task(r, w), h);
}

/* ---- messages ---- */

static double end_busy_s(const struct runtime *r, const struct runtime_flow *f, enum direction dir)
{
    const struct runtime_job *j = &r->jobs[runtime_job_of_data(r, f->data)];
    double busy_s = cost_end_busy_s(problem_end(&j->problem, f->data - j->first_data, f->src, f->dst, dir));
    double start_s = dir == DIR_SEND ? f->send_start_s : f->recv_start_s;
    return isnan(start_s) ? busy_s : fmax(0, start_s + busy_s - r->now_s);
}

/* `sign` -1: takes it out again. */
static void count_ends(struct runtime *r, const struct runtime_flow *f, double sign)
{
    if (!belief(r)->books_processors)
        return;
    r->traffic->send_s[f->src] += sign * end_busy_s(r, f, DIR_SEND);
    r->traffic->recv_s[f->dst] += sign * end_busy_s(r, f, DIR_RECV);
}

static void load_links(struct runtime *r, size_t at)
{
    size_t n;
    const struct runtime_flow *f = &r->traffic->flows[at];
    const link_id *links = route_links(r->routes, f->src, f->dst, &n);
    for (size_t k = 0; k < n && belief(r)->books_links; k++) {
        struct load *l = &r->traffic->loads[links[k]];
        MEM_GROW(l->flows, l->n, l->capacity);
        l->flows[l->n++] = (int)at;
    }
}

void runtime_add_flow(struct runtime *r, const struct runtime_flow *f)
{
    struct runtime_traffic *x = r->traffic;
    MEM_GROW(x->flows, x->n, x->capacity);
    x->flows[x->n++] = *f;
    count_ends(r, f, 1);
    load_links(r, x->n - 1);
}

/* The last ones, in the order opposite to that in which they were added. */
static void drop_flows(struct runtime *r, size_t n_left)
{
    struct runtime_traffic *x = r->traffic;
    while (x->n > n_left) {
        size_t n;
        const struct runtime_flow *f = &x->flows[--x->n];
        const link_id *links = route_links(r->routes, f->src, f->dst, &n);
        for (size_t k = 0; k < n && belief(r)->books_links; k++)
            x->loads[links[k]].n--;
        count_ends(r, f, -1);
    }
}

static bool is_on_its_way(const struct runtime *r, data_id d, host_id dst)
{
    const struct runtime_traffic *x = r->traffic;
    for (size_t i = 0; i < x->n; i++)
        if (x->flows[i].data == d && x->flows[i].dst == dst)
            return true;
    return false;
}

/* The messages that a task would ask for if it were put there. `counts_running`: also from predecessors that run. */
static void add_flows_of(struct runtime *r, work_id w, host_id h, bool counts_running)
{
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    const struct dag *g = j->problem.dag;
    task_id t = runtime_task(r, w);
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        edge_id e = g->in[i];
        const struct runtime_work *from = &r->works[j->first_work + g->edges[e].src];
        bool is_sent = from->state == WORK_ENDED || (counts_running && from->state == WORK_STARTED);
        if (!is_sent || from->host == h || !isnan(r->data_there_s(r, j->first_data + e, h)) ||
            is_on_its_way(r, j->first_data + e, h))
            continue;
        runtime_add_flow(r, &(struct runtime_flow){j->first_data + e, from->host, h, g->edges[e].size_bytes, NAN, NAN});
    }
}

static void make_traffic(struct runtime *r)
{
    size_t n_hosts = r->machine->n_hosts;
    r->traffic = mem_zalloc(1, sizeof *r->traffic);
    r->traffic->call = -1;
    r->traffic->loads = mem_zalloc(r->machine->n_links + 1, sizeof *r->traffic->loads);
    r->traffic->send_s = mem_alloc(2 * n_hosts * sizeof *r->traffic->send_s);
    r->traffic->recv_s = r->traffic->send_s + n_hosts;
}

void runtime_traffic_free(struct runtime *r)
{
    for (size_t l = 0; r->traffic != NULL && l < r->machine->n_links; l++)
        free(r->traffic->loads[l].flows);
    if (r->traffic != NULL) {
        free(r->traffic->flows);
        free(r->traffic->loads);
        free(r->traffic->send_s);
    }
    free(r->traffic);
    r->traffic = NULL;
}

/* As it is in this call: what the engine knows, and what the call has decided so far. */
static void update_traffic(struct runtime *r)
{
    if (r->traffic == NULL)
        make_traffic(r);
    struct runtime_traffic *x = r->traffic;
    if (x->call == r->n_calls)
        return;
    x->call = r->n_calls;
    x->n = 0;
    for (size_t l = 0; l < r->machine->n_links; l++)
        x->loads[l].n = 0;
    for (size_t h = 0; h < r->machine->n_hosts; h++)
        x->send_s[h] = x->recv_s[h] = 0;
    if (r->add_flows != NULL)
        r->add_flows(r);
    x->n_asked = x->n;
    for (size_t i = 0; i < r->n_actions; i++)
        if (r->actions[i].kind == ACTION_PUT && r->works[r->actions[i].work].state == WORK_QUEUED)
            add_flows_of(r, r->actions[i].work, r->works[r->actions[i].work].host, false);
}

void runtime_traffic_moved(struct runtime *r, work_id w)
{
    struct runtime_traffic *x = r->traffic;
    if (x == NULL || x->call != r->n_calls)
        return;
    bool had_flows = false;
    for (size_t i = x->n_asked; i < x->n && !had_flows; i++)
        had_flows = runtime_destination(r, x->flows[i].data) == w;
    if (had_flows) /* rare: found again from what has been decided */
        x->call = -1;
    else if (r->works[w].state == WORK_QUEUED)
        add_flows_of(r, w, r->works[w].host, false);
}

/* ---- dates ---- */

/* Seconds on the links; `self` is left out. */
static double way_s(const struct runtime *r, const struct problem *p, edge_id e, host_id src, host_id dst, data_id self)
{
    size_t at = (size_t)src * p->machine->n_hosts + (size_t)dst, n;
    double bytes = p->dag->edges[e].size_bytes, slowest_s = bytes / p->routes->slowest_bytes_per_s[at];
    if (p->model->transit_s != NULL)
        return p->model->transit_s(p->model, p->machine, src, dst, bytes);
    const link_id *links = route_links(p->routes, src, dst, &n);
    for (size_t k = 0; k < n && p->model->books_links; k++) {
        const struct link *l = &p->machine->links[links[k]];
        const struct load *load = &r->traffic->loads[links[k]];
        double before_bytes = 0;
        for (size_t i = 0; i < load->n && l->sharing != LINK_FATPIPE; i++) {
            const struct runtime_flow *f = &r->traffic->flows[load->flows[i]];
            before_bytes += f->data == self && f->dst == dst ? 0 : fmin(f->left_bytes, bytes);
        }
        slowest_s = fmax(slowest_s, (bytes + before_bytes) / l->bandwidth_bytes_per_s);
    }
    return p->routes->latency_s[at] + slowest_s;
}

/* When the source can begin to send: after its task, and after the sends that come before. */
static double departure_s(const struct runtime *r, const struct problem *p, const struct runtime_work *from,
                          double send_s)
{
    const struct runtime_host *x = &r->hosts[from->host];
    double from_s = from->state == WORK_STARTED ? fmax(r->now_s, x->until_s) : r->now_s;
    if (!p->model->books_processors)
        return from_s;
    from_s = x->running >= 0 ? fmax(from_s, x->until_s) : from_s;
    return from_s + fmax(0, r->traffic->send_s[from->host] - send_s);
}

/* Where data are ready for the task, if they are not on their way at a known rate. */
static double message_end_s(const struct runtime *r, const struct problem *p, edge_id e, data_id d,
                            const struct runtime_work *from, host_id dst)
{
    struct cost_end send = problem_end(p, e, from->host, dst, DIR_SEND),
                    recv = problem_end(p, e, from->host, dst, DIR_RECV);
    double leave_s = departure_s(r, p, from, cost_end_busy_s(send)) + send.overhead_s;
    /* the receiver is involved while data arrive, and for i_r at least ([S] 8.2) */
    return leave_s + fmax(way_s(r, p, e, from->host, dst, d), recv.involvement_s) + recv.overhead_s;
}

struct arrival {
    double data_s;     /* when all data are there */
    double receives_s; /* what its messages that are not on their way yet take of the destination */
};

static struct arrival find_arrival(struct runtime *r, work_id w, host_id h, bool counts_running)
{
    const struct problem *p = runtime_problem(r, w);
    const struct runtime_job *j = &r->jobs[r->works[w].job];
    const struct dag *g = p->dag;
    task_id t = runtime_task(r, w);
    struct arrival x = {r->now_s, 0};
    size_t n_before = 0;
    runtime_look_at(r, w);
    if (has_traffic(r)) {
        update_traffic(r);
        n_before = r->traffic->n;
        x.receives_s = -r->traffic->recv_s[h];
        add_flows_of(r, w, h, counts_running);
        x.receives_s += r->traffic->recv_s[h];
    }
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        edge_id e = g->in[i];
        const struct runtime_work *from = &r->works[j->first_work + g->edges[e].src];
        bool runs = from->state == WORK_STARTED && counts_running;
        if (from->state != WORK_ENDED && !runs)
            continue;
        if (from->host == h) {
            x.data_s = fmax(x.data_s, runs ? r->hosts[h].until_s : r->now_s);
            continue;
        }
        double there_s = r->data_there_s(r, j->first_data + e, h);
        x.data_s = fmax(x.data_s, isnan(there_s) ? message_end_s(r, p, e, j->first_data + e, from, h) : there_s);
    }
    if (has_traffic(r))
        drop_flows(r, n_before);
    return x;
}

double runtime_idle_s(struct runtime *r, host_id h)
{
    const struct runtime_host *x = &r->hosts[h];
    double from_s = x->running >= 0 ? fmax(r->now_s, x->until_s) : r->now_s;
    if (!belief(r)->books_processors)
        return from_s;
    update_traffic(r);
    return from_s + fmax(0, r->traffic->send_s[h]) + fmax(0, r->traffic->recv_s[h]);
}

double runtime_free_s(struct runtime *r, host_id h)
{
    return runtime_idle_s(r, h) + r->hosts[h].queued_s;
}

double runtime_data_s(struct runtime *r, work_id w, host_id h)
{
    return find_arrival(r, w, h, false).data_s;
}

double runtime_arrival_s(struct runtime *r, work_id w, host_id h)
{
    return find_arrival(r, w, h, true).data_s;
}

double runtime_finish_behind_s(struct runtime *r, work_id w, host_id h, double queued_s)
{
    struct arrival x = find_arrival(r, w, h, false);
    return fmax(runtime_idle_s(r, h) + queued_s + x.receives_s, x.data_s) + runtime_compute_s(r, w, h);
}

double runtime_finish_s(struct runtime *r, work_id w, host_id h)
{
    return runtime_finish_behind_s(r, w, h, r->hosts[h].queued_s);
}

host_id runtime_best_host(struct runtime *r, work_id w, bool counts_data)
{
    host_id best = -1;
    double least_s = INFINITY;
    runtime_look_at(r, w);
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++) {
        if (!isfinite(runtime_compute_s(r, w, h)))
            continue;
        double end_s = counts_data ? runtime_finish_s(r, w, h) : runtime_free_s(r, h) + runtime_compute_s(r, w, h);
        end_s = choose_rounded(end_s);
        if (best < 0 || end_s < least_s) {
            best = h;
            least_s = end_s;
        }
    }
    return best;
}
