/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The paper maps independent tasks. Here a task may wait for others that are mapped with it, as in the scheduler of the
   same name; with `reveals_tasks` only ready tasks are known, and the rule is the paper's. A job alone is mapped once,
   and is then carried out as its plan. */
#include "runtime/runtime_batch.h"

#include "base/instant.h"
#include "base/mem.h"
#include "runtime/runtime_rest.h"
#include "schedulers/scheduler.h"

#include <math.h>
#include <stdlib.h>

struct batch {
    struct scheduler_choice scheduler;
    double every_s;
};

enum err_code runtime_batch_begin(const char *scheduler, const struct param_set *ps, void **state, struct err *e)
{
    struct batch *x = mem_zalloc(1, sizeof *x);
    *state = x;
    x->every_s = param_number(ps, "every");
    return scheduler_choose(scheduler, &x->scheduler, e);
}

void runtime_batch_end(void *state)
{
    struct batch *x = state;
    if (x != NULL)
        scheduler_choice_clear(&x->scheduler);
    free(x);
}

static bool has_work(const struct runtime *r)
{
    for (int j = 0; j < r->n_jobs; j++)
        if (r->jobs[j].is_released && r->jobs[j].n_left > 0)
            return true;
    return false;
}

bool runtime_is_date(struct runtime *r, double every_s)
{
    double k = floor(r->now_s / every_s);
    if (instant_has_come((k + 1) * every_s, r->now_s))
        k++;
    if (has_work(r))
        runtime_call_at(r, (k + 1) * every_s);
    return r->now_s - k * every_s <= 1e-12 * r->now_s;
}

bool runtime_has_news(const struct runtime *r, const struct runtime_event *events, size_t n)
{
    enum runtime_event_kind kind = r->reveals_tasks ? EVENT_READY : EVENT_RELEASED;
    for (size_t i = 0; i < n; i++)
        if (events[i].kind == kind)
            return true;
    return false;
}

enum err_code runtime_batch_decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n,
                                   struct err *e)
{
    struct batch *x = state;
    struct runtime_rest rest;
    if (x->every_s > 0 ? !runtime_is_date(r, x->every_s) : !runtime_has_news(r, events, n))
        return ERR_NONE;
    enum err_code code = runtime_rest_init(&rest, r, e);
    if (code == ERR_NONE && rest.n > 0) {
        struct schedule *s = mem_zalloc(1, sizeof *s);
        code = scheduler_plan(&x->scheduler, &rest.problem, NULL, s, e);
        if (code == ERR_NONE)
            runtime_rest_put(&rest, s);
        else
            free(s);
    }
    runtime_rest_clear(&rest);
    return code;
}
