/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ours. Ready tasks wait in one list, and nothing of theirs moves, until the host that is best for them has room. So a
   decision is made when it has to be, and no data move for nothing.

       order     jobs by a deadline, release + target * time alone, so that a job that is about to be stretched by more
                 than `target` goes first, and of new ones the short; the tasks of a job by upward rank
       host      the one where the end, as believed, plus `price` times what the messages take is least: of the links of
                 the route and, if the belief says so, of both processors, because others wait for these meanwhile
       waiting   busy hosts count. If the best one has no room (`depth` tasks besides the one that runs), the task stays
                 in the list; what it will take there counts for those that come after it

   Time: ready tasks times hosts, with the time of an estimate, at each call. */
#include "base/choose.h"
#include "base/mem.h"
#include "runtime/runtime_policy.h"
#include "runtime/runtime_pool.h"
#include "runtime/runtime_rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"order", PARAM_CHOICE, "", "stretch", 0, 0, "stretch|short|arrival|rank",
     "of jobs: by release + target * time alone; by time alone; as they came; or of all tasks by rank"},
    {"target", PARAM_NUMBER, "", "3", 0, 1e6, NULL, "the stretch that no job should have, for order=stretch"},
    {"price", PARAM_NUMBER, "", "1.5", 0, 1e6, NULL, "of a second of a link or processor that messages take"},
    {"wait", PARAM_CHOICE, "", "on", 0, 0, "on|off", "whether a task waits for the best host, or takes one with room"},
    {"depth", PARAM_INTEGER, "tasks", "6", 0, 1e6, NULL, "how many may wait in a queue while a task runs"},
    {"queues", PARAM_CHOICE, "", "sorted", 0, 0, "sorted|fifo", "whether the order also holds within a queue"},
    RUNTIME_PARAM_MODEL,
    {0}};

struct aware {
    struct runtime_pool *pool;
    double *alone_s;    /* [job] */
    double *reserved_s; /* [host]: by tasks that wait for it in the list; in one call */
    const char *order;
    double target, price;
    bool waits, sorts_queues;
    long depth;
};

static void end(void *state)
{
    struct aware *x = state;
    if (x != NULL) {
        runtime_pool_end(x->pool);
        free(x->alone_s);
        free(x->reserved_s);
    }
    free(x);
}

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    struct aware *x = mem_zalloc(1, sizeof *x);
    void *pool;
    runtime_pool_begin_ranked(r, ps, &pool, e);
    *state = x;
    x->pool = pool;
    x->alone_s = mem_zalloc((size_t)r->n_jobs + 1, sizeof *x->alone_s);
    x->reserved_s = mem_alloc(r->machine->n_hosts * sizeof *x->reserved_s);
    x->order = param_text(ps, "order");
    x->target = param_number(ps, "target");
    x->price = param_number(ps, "price");
    x->waits = param_is_on(ps, "wait");
    x->sorts_queues = strcmp(param_text(ps, "queues"), "sorted") == 0;
    x->depth = param_integer(ps, "depth");
    return ERR_NONE;
}

/* ---- order ---- */

struct turn {
    double key, rank_s; /* rounded */
    work_id work;
};

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->rank_s != y->rank_s)
        return x->rank_s > y->rank_s ? -1 : 1;
    return (x->work > y->work) - (x->work < y->work);
}

static double key_of(const struct aware *x, const struct runtime *r, int job)
{
    if (strcmp(x->order, "stretch") == 0)
        return r->jobs[job].release_s + x->target * x->alone_s[job] / r->jobs[job].weight;
    if (strcmp(x->order, "short") == 0)
        return x->alone_s[job] / r->jobs[job].weight;
    return strcmp(x->order, "arrival") == 0 ? r->jobs[job].release_s : 0;
}

static struct turn turn_of(const struct aware *x, const struct runtime *r, work_id w)
{
    return (struct turn){choose_rounded(key_of(x, r, r->works[w].job)), choose_rounded(x->pool->rank_s[w]), w};
}

static void sort_pool(const struct aware *x, const struct runtime *r)
{
    struct turn *turns = mem_alloc((x->pool->n + 1) * sizeof *turns);
    for (size_t i = 0; i < x->pool->n; i++)
        turns[i] = turn_of(x, r, x->pool->list[i]);
    qsort(turns, x->pool->n, sizeof *turns, by_turn);
    for (size_t i = 0; i < x->pool->n; i++)
        x->pool->list[i] = turns[i].work;
    free(turns);
}

/* Before which task of a queue it has its turn; -1: it is the last. Its host was chosen as if it were the last
   everywhere: what goes ahead delays the others by as much, and that should count. */
static work_id place_of(const struct aware *x, const struct runtime *r, work_id w, host_id h)
{
    struct turn mine = turn_of(x, r, w);
    work_id before = x->sorts_queues ? runtime_first(r, h) : -1;
    for (; before >= 0; before = runtime_behind(r, before)) {
        struct turn other = turn_of(x, r, before);
        if (by_turn(&mine, &other) < 0)
            break;
    }
    return before;
}

/* ---- hosts ---- */

/* What the messages of a task to a host take of links and processors. */
static double taken_s(const struct runtime *r, work_id w, host_id h)
{
    const struct problem *p = runtime_problem(r, w);
    const struct dag *g = p->dag;
    task_id t = runtime_task(r, w);
    double sum_s = 0;
    for (int i = g->in_start[t]; i < g->in_start[t + 1]; i++) {
        edge_id e = g->in[i];
        host_id src = r->works[r->jobs[r->works[w].job].first_work + g->edges[e].src].host;
        if (src == h)
            continue;
        sum_s += g->edges[e].size_bytes / p->routes->slowest_bytes_per_s[(size_t)src * p->machine->n_hosts + (size_t)h];
        sum_s += cost_end_busy_s(problem_end(p, e, src, h, DIR_SEND));
        sum_s += cost_end_busy_s(problem_end(p, e, src, h, DIR_RECV));
    }
    return sum_s;
}

static bool has_room(const struct aware *x, const struct runtime *r, host_id h)
{
    const struct runtime_host *host = &r->hosts[h];
    return host->n_queued < x->depth + (host->running < 0);
}

/* -1: there is none. */
static host_id best_host(const struct aware *x, struct runtime *r, work_id w)
{
    host_id best = -1;
    double least = INFINITY;
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++) {
        if (!isfinite(runtime_compute_s(r, w, h)) || (!x->waits && !has_room(x, r, h)))
            continue;
        double finish_s = runtime_finish_behind_s(r, w, h, r->hosts[h].queued_s + x->reserved_s[h]);
        double value = choose_rounded(finish_s + x->price * taken_s(r, w, h));
        if (value < least) {
            least = value;
            best = h;
        }
    }
    return best;
}

static bool has_any_room(const struct aware *x, const struct runtime *r)
{
    for (host_id h = 0; h < (host_id)r->machine->n_hosts; h++)
        if (has_room(x, r, h))
            return true;
    return false;
}

static void give_all(struct aware *x, struct runtime *r)
{
    size_t n_left = 0, i = 0;
    for (size_t h = 0; h < r->machine->n_hosts; h++)
        x->reserved_s[h] = 0;
    for (; i < x->pool->n && has_any_room(x, r); i++) {
        work_id w = x->pool->list[i];
        host_id h = best_host(x, r, w);
        if (h >= 0 && has_room(x, r, h)) {
            runtime_put(r, w, h, place_of(x, r, w, h));
            continue;
        }
        if (h >= 0)
            x->reserved_s[h] += runtime_compute_s(r, w, h);
        x->pool->list[n_left++] = w;
    }
    while (i < x->pool->n)
        x->pool->list[n_left++] = x->pool->list[i++];
    x->pool->n = n_left;
}

/* ---- events ---- */

static enum err_code learn(struct aware *x, const struct runtime *r, const struct runtime_event *events, size_t n,
                           struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < n && code == ERR_NONE; i++) {
        struct schedule s;
        if (events[i].kind != EVENT_RELEASED)
            continue;
        code = runtime_plan_alone(r, events[i].job, &s, e);
        if (code == ERR_NONE) {
            x->alone_s[events[i].job] = schedule_length_s(&s);
            schedule_clear(&s);
        }
    }
    return code;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    struct aware *x = state;
    enum err_code code = learn(x, r, events, n, e);
    if (code != ERR_NONE)
        return code;
    runtime_pool_add_ready(x->pool, events, n);
    sort_pool(x, r);
    give_all(x, r);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_aware;
const struct runtime_policy runtime_policy_aware = {
    .name = "aware",
    .summary = "ready tasks wait for the host that is best, messages counted; jobs by a deadline for their stretch",
    .source = "iasim; deadlines for a stretch: [Bender 1998]",
    .params = params,
    .plans_jobs = true,
    .takes_ready_first = true,
    .begin = begin,
    .end = end,
    .decide = decide,
};
