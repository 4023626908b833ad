/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replays in a child (fork_engine.h): a platform, a graph (dag_text.h) and a schedule given as lines

       task NAME HOST START FINISH
       send SRC DST START FINISH        recv SRC DST START FINISH        link SRC DST K START FINISH

   and what is expected as lines

       task NAME START FINISH           send | move | recv SRC DST START FINISH
       host NAME BUSY STOLEN            makespan S
       error WORDS                      (of the message)

   `move` is the transfer. The child compares and tells what differs; nothing of it computes an expected value. */
#ifndef IASIM_TEST_ENGINE_REPLAY_CASE_H
#define IASIM_TEST_ENGINE_REPLAY_CASE_H

#include "dag_text.h"
#include "engine/replay.h"
#include "fork_engine.h"

#ifndef REPLAY_RUN /* which engine */
#define REPLAY_RUN replay_run
#define REPLAY_PREPARE(e) ERR_NONE
#define REPLAY_MAY_REFUSE(text) false /* a case that its engine does not have */
#endif

struct replay_case {
    const char *platform_path, *graph, *plan, *model, *world;
    enum replay_links links;
    const char *want;
    enum replay_waiting waiting;
};

/* One of several strings that lines are made of. */
struct words {
    char w[6][64];
    int n;
};

static inline bool next_line(const char **text, struct words *x)
{
    char line[256];
    while (**text == ' ' || **text == '\n')
        (*text)++;
    size_t length = strcspn(*text, "\n");
    if (length == 0)
        return false;
    snprintf(line, sizeof line, "%.*s", (int)length, *text);
    *text += length;
    *x = (struct words){0};
    x->n = sscanf(line, "%63s %63s %63s %63s %63s %63s", x->w[0], x->w[1], x->w[2], x->w[3], x->w[4], x->w[5]);
    return true;
}

static inline struct span span_of(const struct words *x, int at)
{
    return (struct span){atof(x->w[at]), atof(x->w[at + 1])};
}

static inline edge_id edge_of(const struct dag *g, const struct words *x)
{
    task_id src = dag_task_id(g, x->w[1]), dst = dag_task_id(g, x->w[2]);
    for (edge_id e = 0; e < g->n_edges; e++)
        if (g->edges[e].src == src && g->edges[e].dst == dst)
            return e;
    abort();
}

static inline void read_plan(const char *text, struct schedule *s)
{
    const struct dag *g = s->problem.dag;
    struct words x;
    for (const char *at = text; next_line(&at, &x);)
        if (strcmp(x.w[0], "task") == 0)
            s->tasks[dag_task_id(g, x.w[1])] =
                (struct planned_task){machine_host_id(s->problem.machine, x.w[2]), span_of(&x, 3)};
    for (edge_id e = 0; e < g->n_edges; e++) {
        host_id src = s->tasks[g->edges[e].src].host, dst = s->tasks[g->edges[e].dst].host;
        s->edges[e].is_remote = src != dst;
        size_t n;
        if (src == dst || !s->problem.model->books_links)
            continue;
        struct span *spans = schedule_add_link_spans(s, e, src, dst);
        schedule_route(s, e, &n);
        for (size_t k = 0; k < n; k++)
            spans[k] = (struct span){0, 0};
    }
    for (const char *at = text; next_line(&at, &x);) {
        if (strcmp(x.w[0], "send") == 0)
            s->edges[edge_of(g, &x)].send = span_of(&x, 3);
        if (strcmp(x.w[0], "recv") == 0)
            s->edges[edge_of(g, &x)].recv = span_of(&x, 3);
        if (strcmp(x.w[0], "link") == 0)
            schedule_link_spans(s, edge_of(g, &x))[atoi(x.w[3])] = span_of(&x, 4);
    }
}

static inline void compare(struct text *report, const struct words *x, const char *what, double got, double want)
{
    if (!(got == want || fabs(got - want) <= 1e-9 * fabs(want)))
        text_addf(report, "%s %s %s: %s is %.12g, expected %.12g\n", x->w[0], x->w[1], x->n > 4 ? x->w[2] : "", what,
                  got, want);
}

static inline void compare_spans(struct text *report, const struct words *x, struct span got, struct span want)
{
    compare(report, x, "start", got.start_s, want.start_s);
    compare(report, x, "finish", got.finish_s, want.finish_s);
}

static inline void compare_result(const char *want, const struct schedule *s, const struct replay_result *r,
                                  struct text *report)
{
    const struct dag *g = s->problem.dag;
    struct words x;
    for (const char *at = want; next_line(&at, &x);) {
        if (strcmp(x.w[0], "task") == 0)
            compare_spans(report, &x, r->tasks[dag_task_id(g, x.w[1])], span_of(&x, 2));
        else if (strcmp(x.w[0], "send") == 0)
            compare_spans(report, &x, r->edges[edge_of(g, &x)].send, span_of(&x, 3));
        else if (strcmp(x.w[0], "move") == 0)
            compare_spans(report, &x, r->edges[edge_of(g, &x)].transfer, span_of(&x, 3));
        else if (strcmp(x.w[0], "recv") == 0)
            compare_spans(report, &x, r->edges[edge_of(g, &x)].recv, span_of(&x, 3));
        else if (strcmp(x.w[0], "makespan") == 0)
            compare(report, &x, "length", r->makespan_s, atof(x.w[1]));
        else if (strcmp(x.w[0], "host") == 0) {
            const struct replayed_host *h = &r->hosts[machine_host_id(s->problem.machine, x.w[1])];
            compare(report, &x, "busy time", h->busy_s, atof(x.w[2]));
            compare(report, &x, "stolen time", h->stolen_s, atof(x.w[3]));
            compare(report, &x, "all time", h->busy_s + h->stolen_s + h->idle_s, r->makespan_s);
        } else {
            text_addf(report, "it was carried out, expected: %s\n", want);
            break;
        }
    }
}

static inline enum err_code run_replay(const struct replay_case *c, struct schedule *s, struct problem *p,
                                       struct replay_result *r, struct err *e)
{
    struct engine *engine;
    struct replay_options options = {.links = c->links, .waiting = c->waiting};
    enum err_code code = cost_model_find(c->model, &p->model, e);
    if (code == ERR_NONE)
        code = world_find(c->world, &options.world, e);
    if (code == ERR_NONE)
        code = REPLAY_PREPARE(e);
    if (code == ERR_NONE)
        code = engine_open(c->platform_path, &engine, e);
    if (code != ERR_NONE)
        return code;
    p->machine = engine_machine(engine);
    code = route_table_init((struct route_table *)p->routes, p->machine, e);
    if (code != ERR_NONE)
        return code;
    schedule_init(s, p);
    read_plan(c->plan, s);
    return REPLAY_RUN(engine, s, &options, r, e);
}

static inline void tell_replay(void *self, int fd)
{
    const struct replay_case *c = self;
    struct dag g = dag_from_text(c->graph);
    struct route_table routes = {0};
    struct problem p = {.dag = &g, .routes = &routes};
    struct schedule s = {0};
    struct replay_result r = {0};
    struct err e = {0};
    struct text report = {0};
    const char *error = strncmp(c->want, "error ", 6) == 0 ? c->want + 6 : NULL;
    enum err_code code = run_replay(c, &s, &p, &r, &e);
    if (code == ERR_INPUT && REPLAY_MAY_REFUSE(e.text))
        fprintf(stderr, "refused: %s\n", e.text);
    else if (code == ERR_NONE)
        compare_result(c->want, &s, &r, &report);
    else if (error == NULL || strstr(e.text, error) == NULL || code != ERR_INPUT)
        text_addf(&report, "error %d: %s\n", (int)code, e.text);
    replay_result_clear(&r);
    schedule_clear(&s);
    route_table_clear(&routes);
    dag_clear(&g);
    tell(fd, text_str(&report), report.size);
    tell(fd, "x", 1); /* that it came to its end */
    text_clear(&report);
}

static inline void check_replay(const char *file, int line, const char *platform, struct replay_case c)
{
    struct text said = {0};
    char *path = file_with("platform.xml", platform);
    c.platform_path = path;
    enum ending ending = in_child(tell_replay, &c, 120, &said);
    bool ok = ending == ENDED_WELL && strcmp(text_str(&said), "x") == 0;
    CU_ASSERT(ok);
    if (!ok)
        fprintf(stderr, "%s:%d: %s in %s, %s links, %s: %s%s\n", file, line, c.model, c.world,
                c.links == REPLAY_FLUID ? "fluid" : "exclusive", c.waiting == REPLAY_ACTIVE ? "active" : "passive",
                text_str(&said),
                ending == ENDED_WELL   ? ""
                : ending == ENDED_LATE ? "it was killed"
                                       : "it crashed");
    text_clear(&said);
    free(path);
}

#define CHECK_REPLAY(platform, graph, plan, model, world, links, want)                                                 \
    check_replay(__FILE__, __LINE__, platform,                                                                         \
                 (struct replay_case){NULL, graph, plan, model, world, links, want, REPLAY_PASSIVE})
#define CHECK_REPLAY_BOTH(platform, graph, plan, model, world, want)                                                   \
    do {                                                                                                               \
        CHECK_REPLAY(platform, graph, plan, model, world, REPLAY_FLUID, want);                                         \
        CHECK_REPLAY(platform, graph, plan, model, world, REPLAY_EXCLUSIVE, want);                                     \
    } while (0)

#define CHECK_ACTIVE(platform, graph, plan, model, world, links, want)                                                 \
    check_replay(__FILE__, __LINE__, platform,                                                                         \
                 (struct replay_case){NULL, graph, plan, model, world, links, want, REPLAY_ACTIVE})
#define CHECK_ACTIVE_BOTH(platform, graph, plan, model, world, want)                                                   \
    do {                                                                                                               \
        CHECK_ACTIVE(platform, graph, plan, model, world, REPLAY_FLUID, want);                                         \
        CHECK_ACTIVE(platform, graph, plan, model, world, REPLAY_EXCLUSIVE, want);                                     \
    } while (0)

#endif
