/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* AHEFT, with any scheduler: what has not started is planned anew, with what runs and the data where they are
   (runtime_rest.h). When nothing new has come, the new plan replaces the old one only if it ends earlier by the
   estimates of the moment, as in the paper. */
#include "base/choose.h"
#include "base/mem.h"
#include "base/text.h"
#include "runtime/runtime_batch.h"
#include "runtime/runtime_rest.h"
#include "schedulers/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"scheduler", PARAM_TEXT, "", "heft", 0, 0, NULL, "what plans; `iasim list schedulers` lists them"},
    {"when", PARAM_TEXT, "", "arrival", 0, 0, NULL,
     "arrival: when jobs come; late[X]: and when a task ends later than planned by more than X times its length; "
     "every[S]: and every S seconds"},
    RUNTIME_PARAM_MODEL,
    {0},
};

struct planner {
    struct scheduler_choice scheduler, keeper; /* keeper: evaluates the plan that there is */
    double late_ratio, every_s;                /* INFINITY, 0: not asked for */
    int *place;                                /* [work]: in the sequence of the last plan */
    double *planned_s;                         /* [work]: when it should end */
};

static void end(void *state)
{
    struct planner *x = state;
    if (x != NULL) {
        scheduler_choice_clear(&x->scheduler);
        scheduler_choice_clear(&x->keeper);
        free(x->place);
        free(x->planned_s);
    }
    free(x);
}

/* The number in "kind[number]"; false: it is not that. */
static bool take_number(const char *text, const char *kind, double *out)
{
    size_t n = strlen(kind), length = strlen(text);
    if (strncmp(text, kind, n) != 0 || text[n] != '[' || text[length - 1] != ']')
        return false;
    char *number = mem_format("%.*s", (int)(length - n - 2), text + n + 1);
    bool is_number = text_to_double(number, out);
    free(number);
    return is_number;
}

static enum err_code parse_when(const char *text, struct planner *x, struct err *e)
{
    double number;
    x->late_ratio = INFINITY;
    x->every_s = 0;
    if (strcmp(text, "arrival") == 0)
        return ERR_NONE;
    if (take_number(text, "late", &number) && number >= 0) {
        x->late_ratio = number;
        return ERR_NONE;
    }
    if (take_number(text, "every", &number) && number > 0 && isfinite(number)) {
        x->every_s = number;
        return ERR_NONE;
    }
    return err_set(e, ERR_INPUT,
                   "policy replan: when '%.100s' is neither arrival nor late[X] with X from 0 on nor "
                   "every[S] with S above 0",
                   text);
}

static enum err_code begin(const struct runtime *r, const struct param_set *ps, void **state, struct err *e)
{
    struct planner *x = mem_zalloc(1, sizeof *x);
    *state = x;
    x->place = mem_zalloc((size_t)r->n_works + 1, sizeof *x->place);
    x->planned_s = mem_alloc(((size_t)r->n_works + 1) * sizeof *x->planned_s);
    enum err_code code = parse_when(param_text(ps, "when"), x, e);
    if (code == ERR_NONE)
        code = scheduler_choose(param_text(ps, "scheduler"), &x->scheduler, e);
    return code == ERR_NONE ? scheduler_choose("list", &x->keeper, e) : code;
}

static bool is_late(const struct planner *x, const struct runtime *r, const struct runtime_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct runtime_work *w = &r->works[events[i].work];
        if (events[i].kind == EVENT_ENDED &&
            w->finish_s - x->planned_s[events[i].work] >
                x->late_ratio * runtime_compute_s(r, events[i].work, w->host) + 1e-9 * w->finish_s)
            return true;
    }
    return false;
}

struct placed {
    int place;
    task_id task;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->place != y->place ? x->place - y->place : x->task - y->task;
}

/* How long what is left takes if nothing is changed. */
static enum err_code length_as_it_is(const struct planner *x, const struct runtime_rest *rest, double *out,
                                     struct err *e)
{
    struct placed *list = mem_alloc((size_t)rest->n * sizeof *list);
    task_id *order = mem_alloc((size_t)rest->n * sizeof *order);
    host_id *allocation = mem_alloc((size_t)rest->n * sizeof *allocation);
    struct schedule s;
    for (task_id t = 0; t < rest->n; t++) {
        list[t] = (struct placed){x->place[rest->works[t]], t};
        allocation[t] = rest->runtime->works[rest->works[t]].host;
    }
    qsort(list, (size_t)rest->n, sizeof *list, by_place);
    for (int i = 0; i < rest->n; i++)
        order[i] = list[i].task;
    struct scheduler_inputs in = {.order = order, .allocation = allocation};
    enum err_code code = scheduler_plan(&x->keeper, &rest->problem, &in, &s, e);
    if (code == ERR_NONE) {
        *out = schedule_length_s(&s);
        schedule_clear(&s);
    }
    free(list);
    free(order);
    free(allocation);
    return code;
}

static void keep_dates(struct planner *x, const struct runtime_rest *rest, const struct schedule *s)
{
    for (task_id t = 0; t < rest->n; t++)
        x->planned_s[rest->works[t]] = rest->runtime->now_s + s->tasks[t].span.finish_s;
}

static enum err_code plan(struct planner *x, struct runtime *r, bool has_news, struct err *e)
{
    struct runtime_rest rest;
    double least_s = INFINITY;
    struct schedule *s = mem_zalloc(1, sizeof *s);
    enum err_code code = runtime_rest_init(&rest, r, e);
    if (code == ERR_NONE && rest.n > 0 && !has_news)
        code = length_as_it_is(x, &rest, &least_s, e);
    if (code == ERR_NONE && rest.n > 0)
        code = scheduler_plan(&x->scheduler, &rest.problem, NULL, s, e);
    if (code != ERR_NONE || rest.n == 0) {
        free(s);
    } else if (choose_rounded(schedule_length_s(s)) < choose_rounded(least_s)) {
        keep_dates(x, &rest, s);
        runtime_rest_put(&rest, s);
        for (int i = 0; i < rest.n; i++)
            x->place[rest.works[rest.sequence[i]]] = i;
    } else {
        schedule_clear(s);
        free(s);
    }
    runtime_rest_clear(&rest);
    return code;
}

static enum err_code decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n, struct err *e)
{
    struct planner *x = state;
    bool has_news = runtime_has_news(r, events, n);
    bool is_time = x->every_s > 0 && runtime_is_date(r, x->every_s);
    if (has_news || is_time || is_late(x, r, events, n))
        return plan(x, r, has_news, e);
    return ERR_NONE;
}

extern const struct runtime_policy runtime_policy_replan;
const struct runtime_policy runtime_policy_replan = {
    .name = "replan",
    .summary = "tasks that have not started are planned anew when jobs come, when they are late, or now and then",
    .source = "[Yu 2007], AHEFT",
    .params = params,
    .plans_jobs = true,
    .begin = begin,
    .end = end,
    .decide = decide,
};
