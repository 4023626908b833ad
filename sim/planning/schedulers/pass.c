/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an evaluation keeps: as long as the allocation agrees on all that was placed, the schedule so far is the one
   that a new pass would make. made[k] holds the state before place k, so going back is a rollback to a mark. */
#include "schedulers/pass.h"

#include "base/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct made {
    struct draft_mark mark;
    double length_s, least_s; /* the latest finish; the least that the length can still be */
};

struct pass {
    struct schedule schedule; /* of the last evaluation: its tasks up to n_made */
    struct draft *draft;
    struct draft_options how;
    host_id *allocation; /* of the last evaluation */
    bool has_marks;      /* whether it can go back to any place */
    int n_made;          /* tasks of the list that are placed */
    struct made *made;   /* [place in the list]: before it is placed */
    int *affected;       /* [task]: the first place that its host affects */
    double *after_s;     /* [task]: the least time of the computation that must follow it */
    double safe_ratio;   /* what is left of a sum of n_tasks durations when all its roundings went down */
};

/* The host of a task decides its own placement, and with a given allocation how its predecessors send. */
static void find_affected(struct pass *pass)
{
    const struct dag *g = pass->schedule.problem.dag;
    for (int k = g->n_tasks - 1; k >= 0; k--) {
        task_id t = pass->how.list[k];
        pass->affected[t] = k;
        for (int i = g->out_start[t]; i < g->out_start[t + 1] && pass->how.approach >= APPROACH_ALLOC1; i++) {
            task_id dst = g->edges[g->out[i]].dst;
            pass->affected[dst] = k < pass->affected[dst] ? k : pass->affected[dst];
        }
    }
}

struct pass *pass_create(const struct problem *p, const struct draft_options *how)
{
    size_t n = (size_t)p->dag->n_tasks;
    struct pass *pass = mem_zalloc(1, sizeof *pass);
    schedule_init(&pass->schedule, p);
    pass->allocation = mem_zalloc(n, sizeof *pass->allocation);
    pass->how = *how;
    pass->has_marks = how->technique == TECHNIQUE_END;
    pass->how.allocation = pass->allocation;
    pass->draft = draft_create_by(&pass->schedule, &pass->how);
    pass->made = mem_zalloc(n + 1, sizeof *pass->made);
    pass->affected = mem_zalloc(n, sizeof *pass->affected);
    pass->after_s = mem_alloc(n * sizeof *pass->after_s);
    pass->safe_ratio = 1 - 4 * DBL_EPSILON * (double)n;
    find_affected(pass);
    problem_least_after_s(p, pass->after_s);
    return pass;
}

void pass_free(struct pass *pass)
{
    if (pass == NULL)
        return;
    draft_free(pass->draft);
    schedule_clear(&pass->schedule);
    free(pass->allocation);
    free(pass->made);
    free(pass->affected);
    free(pass->after_s);
    free(pass);
}

/* Undoes what the new allocation affects. With insertion, undoing costs more than placing everything again. */
static void go_back(struct pass *pass, const host_id *allocation)
{
    const struct dag *g = pass->schedule.problem.dag;
    int keep = pass->n_made;
    for (task_id t = 0; t < g->n_tasks; t++)
        if (allocation[t] != pass->allocation[t] && pass->affected[t] < keep)
            keep = pass->affected[t];
    memcpy(pass->allocation, allocation, (size_t)g->n_tasks * sizeof *allocation);
    if (keep == pass->n_made)
        return;
    if (keep == 0 || !pass->has_marks)
        draft_reset(pass->draft);
    else
        draft_rollback(pass->draft, pass->made[keep].mark);
    pass->n_made = pass->has_marks ? keep : 0;
}

static void place_next(struct pass *pass)
{
    struct made *made = &pass->made[pass->n_made];
    task_id t = pass->how.list[pass->n_made];
    if (pass->has_marks)
        made->mark = draft_mark(pass->draft);
    double finish_s = draft_place(pass->draft, t, pass->allocation[t]);
    made[1].length_s = later_s(made->length_s, finish_s);
    made[1].least_s = later_s(made->least_s, (finish_s + pass->after_s[t]) * pass->safe_ratio);
    pass->n_made++;
}

double pass_length_below_s(struct pass *pass, const host_id *allocation, double bound_s)
{
    int n = pass->schedule.problem.dag->n_tasks;
    go_back(pass, allocation);
    while (pass->n_made < n && pass->made[pass->n_made].least_s < bound_s)
        place_next(pass);
    double length_s = pass->made[pass->n_made].length_s;
    return pass->n_made == n && length_s < bound_s ? length_s : INFINITY;
}

double pass_length_s(struct pass *pass, const host_id *allocation)
{
    return pass_length_below_s(pass, allocation, INFINITY);
}

void pass_write(const struct pass *pass, const host_id *allocation, struct schedule *out)
{
    struct draft_options how = pass->how;
    how.allocation = allocation;
    struct draft *d = draft_create_by(out, &how);
    for (int k = 0; k < pass->schedule.problem.dag->n_tasks; k++)
        draft_place(d, how.list[k], allocation[how.list[k]]);
    draft_free(d);
}
