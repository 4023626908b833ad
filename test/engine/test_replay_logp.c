/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The LogP family as worlds (doc/model.md, Replay): by hand, and random schedules, made under every belief, beside a
   simulator that is written here. It goes from one date to the next, and at each looks at every item of every host. */
#include "logp_hosts.h"
#include "plan/schedule.h"
#include "replay_case.h"
#include "replay_trial.h"
#include "schedulers/scheduler.h"

/* ---- by hand ---- */

#define LOGP(L, o, g) PROP("logp_L", L) PROP("logp_o", o) PROP("logp_g", g)
#define TWO(props) CM02 HOST("a", props) HOST("b", props) MBPS("l", "1") ROUTE("a", "b", "l") END_OF_PLATFORM
#define GRAPH "A:1000 B:1000 C:1000 | A>B:1000000 A>C:1000000"
#define PLAN "task A a 0 1\n task B b 2 3\n task C b 4 5\n"

/* L = 6, o = 2, g = 4; the link would take a second for the first byte, and carries nothing. */
static void check_in(enum replay_links links)
{
    CHECK_REPLAY(TWO(LOGP("6", "2", "4")), GRAPH, PLAN, "classic", "logp", links,
                 "send A B 1 3\n move A B 3 9\n recv A B 9 11\n task B 11 12\n send A C 5 7\n move A C 7 13\n"
                 "recv A C 13 15\n task C 15 16\n makespan 16\n host a 1 4\n host b 2 4\n");
    CHECK_ACTIVE(TWO(LOGP("6", "2", "4")), GRAPH, PLAN, "classic", "logp", links,
                 "send A B 1 9\n recv A B 0 11\n task B 11 12\n send A C 9 17\n recv A C 13 19\n task C 19 20\n");
}

static void links_carry_nothing(void)
{
    check_in(REPLAY_FLUID);
    check_in(REPLAY_EXCLUSIVE);
}

/* g = 9: a port is taken from when data come, not from when a receive starts to wait for them. */
static void an_active_receive_takes_its_port_when_data_come(void)
{
    CHECK_ACTIVE(TWO(LOGP("1", "2", "9")), GRAPH, PLAN, "classic", "logp", REPLAY_FLUID,
                 "send A B 1 4\n recv A B 0 6\n task B 6 7\n send A C 10 13\n recv A C 13 15\n task C 15 16\n");
}

/* L = o = G = 1, g = 2. A's four bytes come to c from 3 to 6, and its port is free at 8: for a byte of B that is there
   at 7, or for the first of four, of which the last is there at 11. */
static void a_port_is_taken_while_bytes_come_in(void)
{
#define LONG LOGP("1", "1", "2") PROP("logp_G", "1")
    static const char *const platform = CM02 HOST("a", LONG) HOST("b", LONG) HOST("c", LONG) MBPS("l", "1")
        MBPS("k", "1") ROUTE("a", "c", "l") ROUTE("b", "c", "k") ROUTE("a", "b", "k") END_OF_PLATFORM;
    static const char *const plan = "task A a 0 1\n task B b 0 1\n task C c 7 8\n task D c 9 10\n";
    CHECK_REPLAY(
        platform, "A:1000 B:5000 C:1000 D:1000 | A>C:4 B>D:1", plan, "classic", "loggp", REPLAY_FLUID,
        "send A C 1 2\n move A C 2 6\n recv A C 6 7\n task C 7 8\n move B D 6 7\n recv B D 8 9\n task D 9 10\n");
    CHECK_REPLAY(platform, "A:1000 B:1000 C:1000 D:1000 | A>C:4 B>D:4", plan, "classic", "loggp", REPLAY_FLUID,
                 "recv A C 6 7\n move B D 2 6\n recv B D 11 12\n task D 12 13\n");
}

/* o(c) = 14, L(c) = -9: data come 5 after the start of the send. */
static void data_may_come_before_they_are_all_sent(void)
{
    CHECK_REPLAY(TWO(LOGP("0:3:-12e-6", "0:2:12e-6", "0:4:12e-6")), GRAPH, PLAN, "classic", "glogp", REPLAY_FLUID,
                 "send A B 1 15\n recv A B 6 20\n task B 20 21\n send A C 17 31\n recv A C 22 36\n task C 36 37\n");
}

/* ---- the simulator ---- */

struct item {           /* a task, or an end of an edge */
    double place[6];    /* in the order of its processor */
    double date_s;      /* in the schedule */
    double port_date_s; /* in the order of its port: not before what its processor does before */
    host_id host;
    int port; /* -1: none */
    bool is_on_processor;
    int place_on_processor;              /* from 1; 0: none */
    struct item *before, *port_before;   /* must be done, must have left the port */
    double begun_s, done_s, port_free_s; /* NAN: not yet */
    double in_advance_s;                 /* so long before it begins its port is taken */
};

struct simulator {
    const struct schedule *s;
    const struct dag *g;
    enum naive_logp world;
    const struct naive_logp_host *hosts;
    bool is_active;
    double now_s;
    struct item *items; /* tasks, sends, receives */
    int n_items;
    struct naive_message *messages;
};

static struct item *task_item(const struct simulator *x, task_id t)
{
    return &x->items[t];
}

static struct item *end_item(const struct simulator *x, edge_id e, enum direction dir)
{
    return &x->items[x->g->n_tasks + (dir == DIR_SEND ? 0 : x->g->n_edges) + e];
}

static void set_place(struct item *i, double a, double b, double c, double d, double e, double f)
{
    const double place[] = {a, b, c, d, e, f};
    memcpy(i->place, place, sizeof place);
}

/* Has the schedule time for it? By start and finish; else beside its task, if it takes time here. */
static void place_end(struct simulator *x, edge_id e, enum direction dir, const double *rank)
{
    const struct edge *edge = &x->g->edges[e];
    bool is_send = dir == DIR_SEND, knows_ends = cost_has_ends(x->s->problem.model);
    const struct planned_task *task = &x->s->tasks[is_send ? edge->src : edge->dst];
    double number = 3 * rank[is_send ? edge->src : edge->dst];
    struct span own = is_send ? x->s->edges[e].send : x->s->edges[e].recv;
    const struct naive_message *m = &x->messages[e];
    bool is_planned = knows_ends && own.finish_s > own.start_s;
    bool takes_time = x->is_active || (is_send ? m->send_s : m->recv_s) > 0;
    struct item *i = end_item(x, e, dir);
    size_t n;
    const struct span *links = schedule_link_spans(x->s, e);
    schedule_route(x->s, e, &n);
    i->host = task->host;
    i->in_advance_s = is_send ? 0 : m->recv_port_before_s;
    i->port = i->in_advance_s + (is_send ? m->send_port_s : m->recv_port_s) > 0 ? 2 * task->host + !is_send : -1;
    i->is_on_processor = is_planned || takes_time;
    i->date_s = is_send ? task->span.finish_s : task->span.start_s;
    if (is_planned || (knows_ends && !takes_time))
        i->date_s = own.start_s;
    if (is_planned)
        set_place(i, own.start_s, own.finish_s, number + (is_send ? 1 : -1), 0, 0, 0);
    else if (is_send)
        set_place(i, task->span.start_s, task->span.finish_s, number, 1, links != NULL && n > 0 ? links[0].start_s : 0,
                  x->s->tasks[edge->dst].span.start_s);
    else
        set_place(i, task->span.start_s, task->span.finish_s, number, -1, schedule_arrival_s(x->s, e), 0);
}

static bool comes_before(const struct item *a, const struct item *b)
{
    for (int k = 0; k < 6; k++)
        if (a->place[k] != b->place[k])
            return a->place[k] < b->place[k];
    return a < b;
}

static bool takes_port_before(const struct item *a, const struct item *b)
{
    if (a->port_date_s != b->port_date_s)
        return a->port_date_s < b->port_date_s;
    if (a->place_on_processor != b->place_on_processor)
        return a->place_on_processor < b->place_on_processor;
    return a < b;
}

/* The last of those that come before, on the processor and on the port. */
static void find_those_before(struct simulator *x)
{
    for (struct item *i = x->items; i < x->items + x->n_items; i++) {
        i->port_date_s = i->date_s;
        for (struct item *k = x->items; k < x->items + x->n_items; k++) {
            if (!i->is_on_processor || !k->is_on_processor || k->host != i->host || !comes_before(k, i))
                continue;
            i->place_on_processor++;
            i->port_date_s = naive_max(i->port_date_s, k->date_s);
            if (i->before == NULL || comes_before(i->before, k))
                i->before = k;
        }
        i->place_on_processor += i->is_on_processor;
    }
    for (struct item *i = x->items; i < x->items + x->n_items; i++)
        for (struct item *k = x->items; k < x->items + x->n_items; k++)
            if (i->port >= 0 && k->port == i->port && takes_port_before(k, i) &&
                (i->port_before == NULL || takes_port_before(i->port_before, k)))
                i->port_before = k;
}

static void begin_simulator(struct simulator *x)
{
    double *rank = calloc((size_t)x->g->n_tasks + 1, sizeof *rank);
    x->n_items = x->g->n_tasks + 2 * x->g->n_edges;
    x->items = calloc((size_t)x->n_items + 1, sizeof *x->items);
    x->messages = calloc((size_t)x->g->n_edges + 1, sizeof *x->messages);
    for (int i = 0; i < x->n_items; i++)
        x->items[i] = (struct item){.host = -1, .port = -1, .begun_s = NAN, .done_s = NAN, .port_free_s = NAN};
    for (int i = 0; i < x->g->n_tasks; i++)
        rank[x->g->order[i]] = i;
    for (task_id t = 0; t < x->g->n_tasks; t++) {
        const struct planned_task *task = &x->s->tasks[t];
        task_item(x, t)->host = task->host;
        task_item(x, t)->date_s = task->span.start_s;
        task_item(x, t)->is_on_processor = x->g->tasks[t].work_flop > 0;
        set_place(task_item(x, t), task->span.start_s, task->span.finish_s, 3 * rank[t], 0, 0, 0);
    }
    for (edge_id e = 0; e < x->g->n_edges; e++) {
        const struct edge *edge = &x->g->edges[e];
        const struct naive_logp_host *src = &x->hosts[x->s->tasks[edge->src].host];
        const struct naive_logp_host *dst = &x->hosts[x->s->tasks[edge->dst].host];
        if (!x->s->edges[e].is_remote)
            continue;
        x->messages[e] = naive_logp_message(x->world, src, dst, edge->size_bytes);
        place_end(x, e, DIR_SEND, rank);
        place_end(x, e, DIR_RECV, rank);
    }
    free(rank);
    find_those_before(x);
}

static bool has_come(const struct simulator *x, double date_s) /* NAN has not */
{
    return date_s <= x->now_s;
}

static bool has_data(const struct simulator *x, task_id t)
{
    bool all = true;
    for (int i = x->g->in_start[t]; i < x->g->in_start[t + 1]; i++) {
        edge_id e = x->g->in[i];
        const struct item *last =
            x->s->edges[e].is_remote ? end_item(x, e, DIR_RECV) : task_item(x, x->g->edges[e].src);
        all = all && has_come(x, last->done_s);
    }
    return all;
}

static double arrival_s(const struct simulator *x, edge_id e)
{
    return end_item(x, e, DIR_SEND)->begun_s + x->messages[e].until_recv_s;
}

static bool may_begin(const struct simulator *x, int number)
{
    const struct item *i = &x->items[number];
    int e = (number - x->g->n_tasks) % (x->g->n_edges > 0 ? x->g->n_edges : 1);
    if (i->host < 0 || !isnan(i->begun_s) || (i->before != NULL && !has_come(x, i->before->done_s)) ||
        (i->port_before != NULL && !has_come(x, i->port_before->port_free_s + i->in_advance_s)))
        return false;
    if (number < x->g->n_tasks)
        return has_data(x, number);
    if (i == end_item(x, e, DIR_SEND))
        return has_come(x, task_item(x, x->g->edges[e].src)->done_s);
    return x->is_active || has_come(x, arrival_s(x, e));
}

/* When it is done, and when its port is free; once that is known. */
static void find_end(const struct simulator *x, int number)
{
    struct item *i = &x->items[number];
    int e = (number - x->g->n_tasks) % (x->g->n_edges > 0 ? x->g->n_edges : 1);
    const struct naive_message *m = &x->messages[e];
    if (number < x->g->n_tasks) {
        i->done_s = i->begun_s + x->g->tasks[number].work_flop / x->s->problem.machine->hosts[i->host].speed_flop_per_s;
    } else if (i == end_item(x, e, DIR_SEND)) {
        i->done_s = naive_max(i->begun_s + m->send_s, x->is_active ? arrival_s(x, e) : 0);
        i->port_free_s = i->begun_s + m->send_port_s;
    } else if (!isnan(arrival_s(x, e))) {
        i->done_s = naive_max(i->begun_s, arrival_s(x, e)) + m->recv_s;
        i->port_free_s = naive_max(i->begun_s, arrival_s(x, e)) + m->recv_port_s;
    }
}

static void look_at(double date_s, double now_s, double *next_s)
{
    if (date_s > now_s && date_s < *next_s)
        *next_s = date_s;
}

static double next_date_s(const struct simulator *x)
{
    double next_s = INFINITY;
    for (int i = 0; i < x->n_items; i++) {
        look_at(x->items[i].done_s, x->now_s, &next_s);
        if (x->items[i].port_before != NULL)
            look_at(x->items[i].port_before->port_free_s + x->items[i].in_advance_s, x->now_s, &next_s);
    }
    for (edge_id e = 0; e < x->g->n_edges; e++)
        look_at(arrival_s(x, e), x->now_s, &next_s);
    return next_s;
}

/* False: nothing can go on before all tasks are done. */
static bool simulate(struct simulator *x)
{
    bool is_done = true;
    for (x->now_s = 0; isfinite(x->now_s); x->now_s = next_date_s(x))
        for (bool again = true; again;) {
            again = false;
            for (int i = 0; i < x->n_items; i++) {
                bool begins = may_begin(x, i);
                if (begins)
                    x->items[i].begun_s = x->now_s;
                if (!isnan(x->items[i].begun_s) && isnan(x->items[i].done_s))
                    find_end(x, i);
                again = again || begins;
            }
        }
    for (task_id t = 0; t < x->g->n_tasks; t++)
        is_done = is_done && !isnan(task_item(x, t)->done_s);
    return is_done;
}

/* ---- beside replay ---- */

struct logp_trial {
    struct trial base; /* first: a trial is one of these */
    enum naive_logp world;
    bool is_own; /* the belief is the world's: dates are those of the compacted plan */
};

static void compare_with_simulator(struct verdict *v, const struct schedule *s, const struct replay_result *got,
                                   const struct simulator *want)
{
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++) {
        compare_dates(v, got->tasks[t].start_s, task_item(want, t)->begun_s, got->makespan_s, "start of task", t);
        compare_dates(v, got->tasks[t].finish_s, task_item(want, t)->done_s, got->makespan_s, "end of task", t);
    }
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++) {
        const struct item *send = end_item(want, e, DIR_SEND), *recv = end_item(want, e, DIR_RECV);
        if (!s->edges[e].is_remote)
            continue;
        compare_dates(v, got->edges[e].send.start_s, send->begun_s, got->makespan_s, "start of send", e);
        compare_dates(v, got->edges[e].send.finish_s, send->done_s, got->makespan_s, "end of send", e);
        compare_dates(v, got->edges[e].recv.start_s, recv->begun_s, got->makespan_s, "start of receive", e);
        compare_dates(v, got->edges[e].recv.finish_s, recv->done_s, got->makespan_s, "end of receive", e);
    }
}

static void compare_with_plan(struct verdict *v, const struct schedule *s, const struct replay_result *got)
{
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++)
        compare_dates(v, got->tasks[t].start_s, s->tasks[t].span.start_s, got->makespan_s, "planned start of task", t);
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++)
        if (s->edges[e].is_remote)
            compare_dates(v, got->edges[e].recv.finish_s, s->edges[e].recv.finish_s, got->makespan_s,
                          "planned end of receive", e);
}

static enum err_code replay_both(const struct logp_trial *t, const struct naive_logp_host *hosts, struct planned *x,
                                 struct verdict *v)
{
    struct schedule *s = &x->schedule;
    struct replay_options options = {.links = t->base.links, .waiting = t->base.waiting};
    struct replay_result got = {0};
    struct simulator want = {
        .s = s, .g = s->problem.dag, .world = t->world, .hosts = hosts, .is_active = options.waiting == REPLAY_ACTIVE};
    enum err_code code = world_find(naive_logp_names[t->world], &options.world, &v->e);
    if (code == ERR_NONE)
        code = REPLAY_RUN(x->engine, s, &options, &got, &v->e);
    begin_simulator(&want);
    if (!simulate(&want) && code == ERR_NONE)
        code = err_set(&v->e, ERR_INTERNAL, "the simulator is stuck");
    if (code == ERR_NONE) {
        compare_with_simulator(v, s, &got, &want);
        if (t->is_own && options.waiting == REPLAY_PASSIVE)
            compare_with_plan(v, s, &got);
    }
    replay_result_clear(&got);
    free(want.items);
    free(want.messages);
    return code;
}

static enum err_code compare_logp(const struct trial *base, struct planned *x, struct verdict *v)
{
    const struct logp_trial *t = (const void *)base;
    struct naive_logp_host hosts[MAX_LOGP_HOSTS];
    enum err_code code = REPLAY_PREPARE(&v->e);
    if (code == ERR_NONE)
        code = open_trial(base, x, &v->e);
    if (code != ERR_NONE)
        return code;
    give_logp_hosts(base, t->world, x->problem.machine, hosts);
    code = plan_trial(base, x, &v->e);
    if (code == ERR_NONE && t->is_own)
        code = schedule_compact(&x->schedule, &v->e);
    return code == ERR_NONE ? replay_both(t, hosts, x, v) : code;
}

static void both_implementations_agree(void)
{
    static const char *const models[] = {"classic", "contention", "involvement", NULL /* its own */};
    static const char *const schedulers_here[] = {
        "list", "heft", "etf[technique=insertion]", "list[approach=entering]", "round_robin", "dsc", "bsa"};
    FOR_RANDOM_CASES (number, 100) {
        uint64_t i = 5 * number; /* few cases have all kinds, too */
        struct logp_trial t = {.base = {.number = i, .model = models[i % 4]},
                               .world = (enum naive_logp)(i / 4 % N_NAIVE_LOGP)};
        t.is_own = t.base.model == NULL;
        t.base.model = t.is_own ? naive_logp_names[t.world] : t.base.model;
        t.base.scheduler = schedulers_here[i / 5 % 7];
        t.base.shape = (enum shape)(i / 3 % N_SHAPES);
        t.base.waiting = i / 12 % 2 ? REPLAY_ACTIVE : REPLAY_PASSIVE;
        t.base.links = i / 24 % 2 ? REPLAY_EXCLUSIVE : REPLAY_FLUID;
        t.base.has_latency = i / 7 % 2;
        t.base.has_overhead = i / 11 % 2;
        t.base.has_steps = i / 13 % 2; /* involvement then places some messages only */
        char *path = write_platform(&t.base);
        t.base.platform_path = path;
        t.base.world = naive_logp_names[t.world];
        check_verdict(&t.base, compare_logp);
        free(path);
    }
}

static const struct test tests[] = {
    {"links carry nothing", links_carry_nothing},
    {"an active receive takes its port when data come", an_active_receive_takes_its_port_when_data_come},
    {"a port is taken while bytes come in", a_port_is_taken_while_bytes_come_in},
    {"data may come before they are all sent", data_may_come_before_they_are_all_sent},
    {"both implementations agree", both_implementations_agree},
};
TEST_MAIN(tests)
