/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedules made by hand, for tests of charts. */
#ifndef IASIM_TEST_REPORT_GANTT_CASE_H
#define IASIM_TEST_REPORT_GANTT_CASE_H

#include "base/mem.h"
#include "check.h"
#include "dag_text.h"
#include "machine_text.h"
#include "report/gantt.h"

struct plan {
    struct dag dag;
    struct machine machine;
    struct route_table routes;
    struct schedule schedule;
};

static inline void plan_init(struct plan *p, struct dag dag, struct machine machine, const char *model)
{
    struct err e = {0};
    p->dag = dag;
    p->machine = machine;
    CHECK_OK(route_table_init(&p->routes, &p->machine, &e), e);
    struct problem problem = {.dag = &p->dag, .machine = &p->machine, .routes = &p->routes};
    CHECK_OK(cost_model_find(model, &problem.model, &e), e);
    schedule_init(&p->schedule, &problem);
    p->schedule.scheduler = mem_strdup("by hand");
}

static inline void plan_clear(struct plan *p)
{
    schedule_clear(&p->schedule);
    route_table_clear(&p->routes);
    machine_text_clear(&p->machine);
    dag_clear(&p->dag);
}

static inline void set_task(struct plan *p, const char *name, host_id host, double start_s, double finish_s)
{
    p->schedule.tasks[dag_task_id(&p->dag, name)] = (struct planned_task){host, {start_s, finish_s}};
}

/* Send, transfers and receive of an edge all take the same span; its tasks already have hosts. */
static inline void set_edge(struct plan *p, edge_id e, double start_s, double finish_s)
{
    size_t n;
    host_id src = p->schedule.tasks[p->dag.edges[e].src].host, dst = p->schedule.tasks[p->dag.edges[e].dst].host;
    p->schedule.edges[e].is_remote = true;
    p->schedule.edges[e].send = p->schedule.edges[e].recv = (struct span){start_s, finish_s};
    if (!p->schedule.problem.model->books_links)
        return;
    struct span *links = schedule_add_link_spans(&p->schedule, e, src, dst);
    schedule_route(&p->schedule, e, &n);
    for (size_t k = 0; k < n; k++)
        links[k] = (struct span){start_s, finish_s};
}

static inline void draw_svg(const struct schedule *s, struct text *out)
{
    struct gantt_subject subject = gantt_of(s);
    gantt_add_svg(&subject, out);
}

static inline void draw_text(const struct schedule *s, int columns, struct text *out)
{
    struct gantt_subject subject = gantt_of(s);
    gantt_add_text(&subject, columns, out);
}

/*   p0 [A     4][send  6][C  8]
     p1          [recv  6][B     9]
     l           [A>B   6]                */
static inline void three_tasks(struct plan *p)
{
    plan_init(
        p, dag_from_text("A:4 B:3 C:2 | A>B:2 A>C:0"),
        machine_from_text("p0:1,involvement_send=1,involvement_recv=1 p1:1,involvement_send=1,involvement_recv=1 | l:1 "
                          "| p0-p1:l"),
        "involvement");
    set_task(p, "A", 0, 0, 4);
    set_task(p, "B", 1, 6, 9);
    set_task(p, "C", 0, 6, 8);
    set_edge(p, 0, 4, 6);
}

#endif
