/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Steps of a search may take a microsecond or a second, and looking at the clock after each would cost more than the
   short ones. So the number of steps between two looks doubles or halves until looks are about look_s apart. */
#include "schedulers/search.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The clock is looked at about every `look_s`: `stride` is the number of steps until then. */
static const double look_s = 0.01, show_s = 0.5;
enum { MAX_STRIDE = 1 << 20 };

void search_begin(struct search *s, const char *steps, uint64_t n_max, const struct param_set *params,
                  const struct scheduler_inputs *in)
{
    double now_s = clock_now_s();
    *s = (struct search){.steps = steps, .watch = in->watch, .n_max = n_max, .stride = 1, .n_steps_to_look = 1};
    s->end_s = param_has(params, "seconds") ? now_s + param_number(params, "seconds") : INFINITY;
    s->last_look_s = now_s;
    s->next_show_s = now_s + show_s;
}

static void show(const struct search *s, double best_s, double bound_s)
{
    char line[160];
    int n = snprintf(line, sizeof line, "%" PRIu64 " %s, best %.6g s", s->n_steps, s->steps, best_s);
    if (bound_s > 0)
        snprintf(line + n, sizeof line - (size_t)n, ", at least %.6g s", bound_s);
    s->watch->show(s->watch->self, line);
}

static void adapt_stride(struct search *s, double now_s)
{
    double passed_s = now_s - s->last_look_s;
    if (passed_s < look_s / 2 && s->stride < MAX_STRIDE)
        s->stride *= 2;
    else if (passed_s > look_s * 2 && s->stride > 1)
        s->stride /= 2;
    s->last_look_s = now_s;
    s->n_steps_to_look = s->stride;
}

static void look(struct search *s, double best_s, double bound_s)
{
    double now_s = clock_now_s();
    adapt_stride(s, now_s);
    s->is_stopped = now_s >= s->end_s || (s->watch != NULL && s->watch->is_stopped(s->watch->self));
    if (s->watch != NULL && now_s >= s->next_show_s) {
        show(s, best_s, bound_s);
        s->next_show_s = now_s + show_s;
    }
}

bool search_step(struct search *s, double best_s, double bound_s)
{
    /* a search may ask again after its end: optimal does, from many depths */
    if (s->is_over)
        return false;
    if (--s->n_steps_to_look == 0)
        look(s, best_s, bound_s);
    /* the number of steps is exact, so that it ends at the same step on any machine */
    s->is_over = s->is_stopped || (s->n_max > 0 && s->n_steps >= s->n_max);
    s->n_steps += !s->is_over;
    return !s->is_over;
}
