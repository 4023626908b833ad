/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives the same request to the list scheduler and to the naive one, and checks that they agree. */
#ifndef IASIM_TEST_SCHEDULERS_BOTH_H
#define IASIM_TEST_SCHEDULERS_BOTH_H

#include "base/mem.h"
#include "check.h"
#include "dag_text.h"
#include "machine_text.h"
#include "naive_list.h"
#include "plan/check.h"
#include "plan/schedule_json.h"
#include "schedulers/scheduler.h"

struct setting { /* a graph on a machine */
    struct dag dag;
    struct machine machine;
    struct route_table routes;
    struct task_costs costs; /* empty: work / speed */
};

/* Takes ownership of both. Must not be moved afterwards, because the routes point to the machine. */
static inline void setting_init(struct setting *s, struct dag dag, struct machine machine)
{
    struct err e = {0};
    s->dag = dag;
    s->machine = machine;
    s->costs = (struct task_costs){0};
    CHECK_OK(route_table_init(&s->routes, &s->machine, &e), e);
}

static inline void setting_clear(struct setting *s)
{
    task_costs_clear(&s->costs);
    route_table_clear(&s->routes);
    machine_text_clear(&s->machine);
    dag_clear(&s->dag);
}

static inline struct problem setting_problem(const struct setting *s, enum naive_model model)
{
    struct err e = {0};
    struct problem p = {.dag = &s->dag,
                        .machine = &s->machine,
                        .routes = &s->routes,
                        .costs = s->costs.compute_s != NULL ? &s->costs : NULL};
    CHECK_OK(cost_model_find(naive_model_names[model], &p.model, &e), e);
    return p;
}

static inline const struct cost_model *model_of(const char *text)
{
    const struct cost_model *out = NULL;
    struct err e = {0};
    CHECK_OK(cost_model_find(text, &out, &e), e);
    return out;
}

static inline void setting_plan(const struct setting *s, const struct cost_model *believed, const char *scheduler,
                                const host_id *allocation, struct schedule *out)
{
    struct problem p = {.dag = &s->dag, .machine = &s->machine, .routes = &s->routes, .model = believed};
    struct scheduler_choice choice;
    struct err e = {0};
    CHECK_OK(scheduler_choose(scheduler, &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, &p, &(struct scheduler_inputs){.allocation = allocation}, out, &e), e);
    scheduler_choice_clear(&choice);
}

static inline char *wish_text(const struct naive_wish *w)
{
    return mem_format("list[technique=%s,approach=%s,minimize=%s,compact=%s,edge_order=%s]",
                      w->inserts ? "insertion" : "end", naive_approach_names[w->approach],
                      w->minimizes_finish ? "finish" : "start", w->compacts ? "on" : "off",
                      naive_edge_order_names[w->edge_order]);
}

/* `text` NULL: the list scheduler with the requested parameters. */
static inline enum err_code really_plan(const struct setting *s, const struct naive_wish *w, const char *text,
                                        struct schedule *out, struct err *e)
{
    char *own = text ? mem_strdup(text) : wish_text(w);
    struct problem p = setting_problem(s, w->model);
    if (w->is_aligned)
        p.model = model_of("involvement[aligned=1]");
    struct scheduler_inputs in = {.order = w->order, .allocation = w->allocation};
    struct scheduler_choice choice = {0};
    enum err_code code = scheduler_choose(own, &choice, e);
    if (code == ERR_NONE) {
        code = scheduler_plan(&choice, &p, &in, out, e);
        scheduler_choice_clear(&choice);
    }
    free(own);
    return code;
}

/* Compares dates with a tolerance relative to the schedule's length; prints `what` if they differ. */
struct comparison {
    double tolerance_s;
    char what[256];
};

static inline void compare_span(struct comparison *c, const char *kind, const char *name, struct naive_span want,
                                struct span got)
{
    bool same =
        fabs(want.start_s - got.start_s) <= c->tolerance_s && fabs(want.finish_s - got.finish_s) <= c->tolerance_s;
    if (!same && c->what[0] == '\0')
        snprintf(c->what, sizeof c->what, "%s of %s: naive %.17g to %.17g, real %.17g to %.17g", kind, name,
                 want.start_s, want.finish_s, got.start_s, got.finish_s);
}

static inline void compare_edge(struct comparison *c, const struct naive *n, const struct schedule *s, int e)
{
    char name[128];
    const struct naive_edge *want = &n->plan.edge[e];
    snprintf(name, sizeof name, "%s>%s", n->dag->tasks[n->dag->edges[e].src].name,
             n->dag->tasks[n->dag->edges[e].dst].name);
    if (s->edges[e].is_remote != naive_is_remote(n, e))
        snprintf(c->what, sizeof c->what, "%s is remote for one of them", name);
    if (!naive_is_remote(n, e) || n->wish.model == NAIVE_CLASSIC || c->what[0] != '\0')
        return;
    if (n->wish.model == NAIVE_INVOLVEMENT) {
        compare_span(c, "send", name, want->send, s->edges[e].send);
        compare_span(c, "recv", name, want->recv, s->edges[e].recv);
    }
    size_t n_links;
    schedule_route(s, e, &n_links);
    const struct span *links = schedule_link_spans(s, e);
    for (size_t k = 0; k < n_links; k++)
        compare_span(c, "link", name, want->links[k], links[k]);
}

/* Whether they are the same: hosts exactly, dates to `tolerance_ratio` of the length. */
static inline bool are_same(const struct naive *n, const struct schedule *s, double tolerance_ratio,
                            struct comparison *c)
{
    *c = (struct comparison){.tolerance_s = tolerance_ratio * n->plan.length_s};
    for (int i = 0; i < n->dag->n_tasks; i++) {
        int t = n->list[i];
        const char *name = n->dag->tasks[t].name;
        compare_span(c, "task", name, n->plan.task[t], s->tasks[t].span);
        if (n->plan.host[t] != s->tasks[t].host && c->what[0] == '\0')
            snprintf(c->what, sizeof c->what, "%s is on host %d naively, really on %d", name, n->plan.host[t],
                     s->tasks[t].host);
    }
    for (int e = 0; e < n->dag->n_edges; e++)
        compare_edge(c, n, s, e);
    return c->what[0] == '\0';
}

/* Complete, and the validator finds nothing. */
static inline void check_valid(const struct schedule *s)
{
    struct text json = {0};
    struct check_result found = {0};
    struct err e = {0};
    schedule_write_json(s, &json);
    CHECK_OK(check_schedule_text(text_str(&json), json.size, "schedule", s->problem.dag, s->problem.machine,
                                 s->problem.costs, &found, &e),
             e);
    if (found.n > 0)
        CHECK_TEXT(found.list[0].text, "no violation");
    check_result_clear(&found);
    text_clear(&json);
}

/* Plans with both, which must agree. The caller clears the naive plan. */
static inline void plan_both(const struct setting *s, struct naive_wish w, struct naive *n)
{
    struct schedule real;
    struct comparison c;
    struct err e = {0};
    naive_list(n, &s->dag, &s->machine, w);
    enum err_code code = really_plan(s, &w, NULL, &real, &e);
    CHECK_OK(code, e);
    if (code != ERR_NONE)
        return;
    bool same = are_same(n, &real, 1e-12, &c);
    CHECK_TEXT(same ? "the same" : c.what, "the same");
    schedule_clear(&real);
}

#endif
