/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One point of an experiment, run as the program runs it, in a child: SimGrid has one engine per process. */
#ifndef IASIM_TEST_RUNS_POINT_OUTCOME_H
#define IASIM_TEST_RUNS_POINT_OUTCOME_H

#include "base/isolate.h"
#include "engine/fork_engine.h"
#include "runs/run.h"

enum { MAX_METRICS = 64 };

struct outcome_of_point {
    enum err_code code;
    struct err e;
    double metrics[MAX_METRICS];
};

struct point_case {
    const struct run_kind *x;
    struct param_set *params;
};

static inline void tell_point(void *self, int fd)
{
    const struct point_case *c = self;
    struct outcome_of_point o = {0};
    struct point p = {.params = c->params, .replication = 1, .seed = 1, .stream = 1};
    double *metrics = isolate_shared(sizeof o.metrics);
    for (size_t i = 0; i < MAX_METRICS; i++)
        metrics[i] = NAN;
    o.code = c->x->prepare(c->params, &p.shared, &o.e);
    if (o.code == ERR_NONE)
        o.code = c->x->run(&p, metrics, &o.e);
    memcpy(o.metrics, metrics, sizeof o.metrics);
    tell(fd, &o, sizeof o);
}

/* `values`: names and values of parameters, until a name is NULL. */
static inline struct outcome_of_point point_outcome(const char *experiment, const char *const (*values)[2])
{
    struct err e = {0};
    struct text said = {0};
    struct outcome_of_point o = {0};
    struct point_case c = {0};
    CHECK_OK(run_kind_find(run_kinds, experiment, &c.x, &e), e);
    c.params = param_set_create(run_params(c.x));
    for (; (*values)[0] != NULL; values++)
        CHECK_OK(param_set_value(c.params, "test", (*values)[0], (*values)[1], &e), e);
    CHECK_INT(in_child(tell_point, &c, 120, &said), ENDED_WELL);
    CHECK_INT(said.size, sizeof o);
    if (said.size == sizeof o)
        memcpy(&o, said.data, sizeof o);
    text_clear(&said);
    param_set_free(c.params);
    return o;
}

#endif
