/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random platforms, graphs and allocations, made from a number, and the ways to schedule them; and children that say
   whether replay gives what it should: for tests of replay. */
#ifndef IASIM_TEST_ENGINE_REPLAY_TRIAL_H
#define IASIM_TEST_ENGINE_REPLAY_TRIAL_H

#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "engine/replay.h"
#include "fork_engine.h"
#include "schedulers/scheduler.h"

#include <math.h>
#include <stdlib.h>

/* ---- random platforms ---- */

enum shape { STAR_SPLIT, STAR_SHARED, BUS, MESH, FATPIPES, N_SHAPES };

struct trial {
    uint64_t number;
    enum shape shape;
    const char *model, *world, *scheduler;
    enum replay_links links;
    enum replay_waiting waiting;
    bool has_interference;                             /* of a part of the speed that is drawn */
    bool has_latency, has_overhead, ties_interference; /* IR = involvement / bandwidth, and no involvement otherwise */
    bool is_small;                                     /* at most 12 tasks on 4 hosts */
    bool has_no_involvement;                           /* overheads only */
    bool has_steps;                                    /* costs depend on the size of a message; links have some, too */
    bool has_tiny_edges;                               /* half of them, of 1e-12 to 1e-3 bytes; overheads of 1 s */
    bool is_full;                                      /* SimGrid's network/optim */
    bool has_noise;                                    /* draws of `number` */
    double change_s, ratio;                            /* when all bandwidths are multiplied by that; 0: never */
    bool reverses_an_edge; /* of the schedule: a task changes places with one that needs its data */
    const char *platform_path;
};

static inline double between(struct random_stream *r, double low, double high)
{
    return random_between(r, low, high);
}

/* Now and then nothing, else one to three steps; thresholds where the sizes of make_graph are. */
static inline void write_steps(struct text *x, struct random_stream *r, const char *id, bool is_share)
{
    double above_bytes = random_below(r, 2) ? 0 : pow(10, between(r, 3, 5));
    if (random_below(r, 3) == 0)
        return;
    text_addf(x, "<prop id=\"%s\" value=\"", id);
    for (int i = (int)random_below(r, 3); i >= 0; i--) {
        text_addf(x, "%.6g:%.6g", above_bytes, between(r, 0, is_share ? 1 : 0.3));
        if (!is_share)
            text_addf(x, ":%.6g", random_below(r, 2) ? 0 : between(r, 0, 1e-7));
        text_addf(x, i > 0 ? ";" : "\"/>");
        above_bytes += pow(10, between(r, 4, 6.5));
    }
}

static inline void write_costs(struct text *x, struct random_stream *r)
{
    write_steps(x, r, "overhead_send", false);
    write_steps(x, r, "involvement_send", true);
    write_steps(x, r, "overhead_recv", false);
    write_steps(x, r, "involvement_recv", true);
}

/* Every second host has rates of its own for both directions at once, the line of every third begins elsewhere, and
   that of every fourth is curved. */
static inline void write_interference(struct text *x, struct random_stream *r, struct random_stream *synergy, int h)
{
    text_addf(x, PROP("ir_send", "%.6g") PROP("ir_recv", "%.6g"), between(r, 0, 0.4), between(r, 0, 0.4));
    if (h % 2 == 0)
        text_addf(x, PROP("ir_send_duplex.h1", "%.6g") PROP("ir_recv_duplex", "%.6g"), between(synergy, 0, 0.3),
                  between(synergy, 0, 0.3));
    if (h % 3 == 0)
        text_addf(x, PROP("ir_constant_send", "%.6g") PROP("ir_constant_recv_duplex", "%.6g"),
                  between(synergy, 0.9, 1.1), between(synergy, 0.9, 1));
    if (h % 4 == 1)
        text_addf(x, PROP("ir_send_curve", "%s") PROP("ir_recv_curve.h0", "%s"), "1.6@700kBps", "0.7@2MBps");
}

static inline void write_hosts(struct text *x, struct random_stream *r, const struct trial *t, int n)
{
    struct random_stream steps, synergy;
    random_init(&steps, t->number, 5);
    random_init(&synergy, t->number, 6);
    for (int h = 0; h < n; h++) {
        double most = t->has_no_involvement ? 0 : 0.4, send = between(r, 0, most), recv = between(r, 0, most);
        text_addf(x, "<host id=\"h%d\" speed=\"%.6gf\">", h, between(r, 500, 2000));
        if (t->ties_interference) /* at the 1 MB/s of all links */
            text_addf(x, PROP("ir_send", "%.17g") PROP("ir_recv", "%.17g"), send, recv);
        if (t->has_interference)
            write_interference(x, r, &synergy, h);
        if (t->has_steps) {
            write_costs(x, &steps);
            text_addf(x, "</host>\n");
            continue;
        }
        if (t->has_overhead)
            text_addf(x, PROP("overhead_send", "%.6g") PROP("overhead_recv", "%.6g"),
                      t->has_tiny_edges ? 1 : between(r, 0, 0.3), t->has_tiny_edges ? 1 : between(r, 0, 0.3));
        text_addf(x, PROP("involvement_send", "%.17g") PROP("involvement_recv", "%.17g") "</host>\n", send, recv);
    }
}

/* As a file of its own, which is left where the platform is. */
static inline void write_change(struct text *x, const struct trial *t, int a, int b, double bytes_per_s)
{
    struct text line = {0};
    char name[40];
    if (t->change_s <= 0)
        return;
    snprintf(name, sizeof name, "change_%d_%d", a, b);
    text_addf(&line, "%.17g %.17g\n", t->change_s, t->ratio * bytes_per_s);
    text_addf(x, " bandwidth_file=\"%s\"", name);
    free(file_with(name, text_str(&line)));
    text_clear(&line);
}

static inline void write_link(struct text *x, struct random_stream *r, const struct trial *t, const char *name, int a,
                              int b, const char *sharing)
{
    struct random_stream steps;
    double bytes_per_s = t->ties_interference ? 1e6 : between(r, 3e5, 3e6);
    text_addf(x, "<link id=\"%s_%d_%d\" bandwidth=\"%.17gBps\" latency=\"%.6gs\" sharing_policy=\"%s\"", name, a, b,
              bytes_per_s, t->has_latency ? between(r, 0, 0.2) : 0, sharing);
    write_change(x, t, a, b, bytes_per_s);
    text_addf(x, ">");
    random_init(&steps, t->number, 6 + (uint64_t)(16 * a + b));
    if (t->has_steps && random_below(&steps, 3) == 0)
        write_costs(x, &steps);
    text_addf(x, "</link>\n");
}

static inline void write_star(struct text *x, struct random_stream *r, const struct trial *t, int n)
{
    bool is_split = t->shape == STAR_SPLIT;
    for (int h = 0; h < n; h++)
        write_link(x, r, t, "l", h, h, is_split ? "SPLITDUPLEX" : "SHARED");
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b)
                text_addf(x,
                          "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\"><link_ctn id=\"l_%d_%d\"%s/>"
                          "<link_ctn id=\"l_%d_%d\"%s/></route>\n",
                          a, b, a, a, is_split ? " direction=\"UP\"" : "", b, b, is_split ? " direction=\"DOWN\"" : "");
}

static inline void write_pairs(struct text *x, struct random_stream *r, const struct trial *t, int n)
{
    for (int i = 0; i < (t->shape == BUS ? 1 : n * n); i++)
        write_link(x, r, t, "l", i / n, i % n, t->shape == FATPIPES ? "FATPIPE" : "SHARED");
    for (int i = 0; i < n * n; i++)
        if (i / n != i % n)
            text_addf(x, "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\"><link_ctn id=\"l_%d_%d\"/></route>\n",
                      i / n, i % n, t->shape == BUS ? 0 : i / n, t->shape == BUS ? 0 : i % n);
}

static inline char *write_platform(const struct trial *t)
{
    struct random_stream r;
    struct text x = {0};
    random_init(&r, t->number, 1);
    int n = 2 + (int)random_below(&r, t->is_small ? 3 : 5);
    const char *head = CM02, *config = strstr(head, "<prop");
    text_addf(&x, "%.*s%s%s", (int)(config - head), head, t->is_full ? PROP("network/optim", "Full") : "", config);
    write_hosts(&x, &r, t, n);
    if (t->shape == STAR_SPLIT || t->shape == STAR_SHARED)
        write_star(&x, &r, t, n);
    else
        write_pairs(&x, &r, t, n);
    text_addf(&x, "%s", END_OF_PLATFORM);
    char *path = file_with("platform.xml", text_str(&x));
    text_clear(&x);
    return path;
}

/* ---- random graphs ---- */

static inline void make_graph(const struct trial *t, struct dag *g)
{
    struct random_stream r;
    struct err e = {0};
    random_init(&r, t->number, 2);
    int n = 2 + (int)random_below(&r, t->is_small ? 11 : 40);
    double density = between(&r, 0.05, 0.4), size = pow(10, between(&r, 4, 6.5));
    dag_init(g, "random");
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        dag_add_task(g, name, random_unit(&r) < 0.1 ? 0 : between(&r, 100, 3000), 0, NULL, &e);
    }
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (random_unit(&r) < density && t->has_tiny_edges && random_below(&r, 2))
                dag_add_edge(g, a, b, pow(10, between(&r, -12, -3)), 0, &e);
            else if (random_unit(&r) < density)
                dag_add_edge(g, a, b, random_unit(&r) < 0.1 ? 0 : between(&r, 0.1, 2) * size, 0, &e);
    if (dag_seal(g, &e) != ERR_NONE)
        abort();
}

/* Where the approach needs it; else NULL. */
static inline host_id *make_allocation(const struct trial *t, const struct problem *p)
{
    struct random_stream r;
    random_init(&r, t->number, 3);
    if (strstr(t->scheduler, "alloc") == NULL)
        return NULL;
    host_id *out = mem_alloc((size_t)p->dag->n_tasks * sizeof *out);
    for (task_id i = 0; i < p->dag->n_tasks; i++)
        out[i] = (host_id)random_below(&r, p->machine->n_hosts);
    return out;
}

/* ---- schedules ---- */

/* Whether there is an edge between two tasks of one host that take time. */
static inline bool reverse_an_edge(struct schedule *s)
{
    const struct dag *g = s->problem.dag;
    for (edge_id e = g->n_edges - 1; e >= 0; e--) {
        task_id src = g->edges[e].src, dst = g->edges[e].dst;
        if (s->edges[e].is_remote || g->tasks[src].work_flop <= 0 || g->tasks[dst].work_flop <= 0)
            continue;
        struct span first = s->tasks[src].span;
        s->tasks[src].span = s->tasks[dst].span;
        s->tasks[dst].span = first;
        return true;
    }
    return false;
}

static const char *const ways[] = {
    "list",
    "list[technique=insertion]",
    "list[approach=entering]",
    "list[technique=insertion,approach=entering,minimize=finish]",
    "list[minimize=finish,compact=on]",
};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

/* ---- what a child replays ---- */

struct planned { /* begins as {0} and stays where it is: the problem points into it */
    struct engine *engine;
    struct problem problem;
    struct dag graph;
    struct route_table routes;
    struct schedule schedule;
};

static inline enum err_code open_trial(const struct trial *t, struct planned *x, struct err *e)
{
    make_graph(t, &x->graph);
    enum err_code code = engine_open(t->platform_path, &x->engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&x->routes, engine_machine(x->engine), e);
    if (code != ERR_NONE)
        return code;
    x->problem = (struct problem){.dag = &x->graph, .machine = x->routes.machine, .routes = &x->routes};
    return cost_model_find(t->model, &x->problem.model, e);
}

static inline enum err_code plan_trial(const struct trial *t, struct planned *x, struct err *e)
{
    struct scheduler_choice choice = {0};
    host_id *allocation = make_allocation(t, &x->problem);
    enum err_code code = scheduler_choose(t->scheduler, &choice, e);
    if (code == ERR_NONE)
        code =
            scheduler_plan(&choice, &x->problem, &(struct scheduler_inputs){.allocation = allocation}, &x->schedule, e);
    free(allocation);
    scheduler_choice_clear(&choice);
    return code;
}

static inline void close_trial(struct planned *x)
{
    schedule_clear(&x->schedule);
    route_table_clear(&x->routes);
    dag_clear(&x->graph);
}

static inline enum err_code open_and_plan(const struct trial *t, struct planned *x, struct err *e)
{
    enum err_code code = open_trial(t, x, e);
    return code == ERR_NONE ? plan_trial(t, x, e) : code;
}

/* ---- what a child finds ---- */

struct verdict { /* begins as {0} */
    struct err e;
    double worst;    /* difference, by the length of the schedule */
    bool is_refused; /* the engine says that the schedule waits for itself, and it does */
    char what[200];
};

static inline void compare_dates(struct verdict *v, double got, double want, double length_s, const char *what,
                                 int number)
{
    double difference = fabs(got - want) / fmax(length_s, 1e-300);
    if (difference <= v->worst) /* NAN is not: it is kept */
        return;
    v->worst = isnan(difference) ? INFINITY : difference;
    snprintf(v->what, sizeof v->what, "%s %d: %.17g, expected %.17g", what, number, got, want);
}

/* Opens and plans a trial as it needs it, and compares. */
typedef enum err_code trial_compare(const struct trial *t, struct planned *x, struct verdict *v);

struct trial_work {
    const struct trial *trial;
    trial_compare *compare;
};

static inline void tell_verdict(void *self, int fd)
{
    const struct trial_work *w = self;
    struct verdict v = {0};
    struct planned x = {0};
    enum err_code code = w->compare(w->trial, &x, &v);
    if (code != ERR_NONE)
        v.worst = INFINITY;
    tell(fd, &v, sizeof v);
    close_trial(&x);
}

static inline const char *waiting_name(enum replay_waiting waiting)
{
    return waiting == REPLAY_ACTIVE ? "active" : waiting == REPLAY_RENDEZVOUS ? "rendezvous" : "passive";
}

/* Fails where a child crashes, says an error, or finds a difference of more than 1e-9. */
static inline struct verdict check_verdict(const struct trial *t, trial_compare *compare)
{
    struct text said = {0};
    struct verdict v = {0};
    enum ending ending = in_child(tell_verdict, &(struct trial_work){t, compare}, 60, &said);
    if (said.size == sizeof v)
        memcpy(&v, said.data, sizeof v);
    bool ok = ending == ENDED_WELL && said.size == sizeof v && v.worst <= 1e-9;
    CU_ASSERT(ok);
    if (!ok)
        fprintf(stderr, "trial %lu, platform %d, %s in %s, %s, %s links, %s: ending %d, %s; %s (%g)\n",
                (unsigned long)t->number, (int)t->shape, t->model, t->world, t->scheduler,
                t->links == REPLAY_FLUID ? "fluid" : "exclusive", waiting_name(t->waiting), (int)ending, v.e.text,
                v.what, v.worst);
    text_clear(&said);
    return v;
}

#endif
