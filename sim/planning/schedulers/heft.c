/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* HEFT, heterogeneous earliest finish time [Topcuoglu 2002]: in the order of falling bottom levels, each task goes to the
   host where it finishes first. The rank may use another figure than the mean over hosts for the time of a task [Zhao
   2003]; edges always count with their mean.

   Time: one booking per entering edge and host. */
#include "base/mem.h"
#include "dag/levels.h"
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"rank", PARAM_CHOICE, "", "mean", 0, 0, "mean|median|best|worst",
     "what the bottom level counts as the time of a task: a figure over the hosts where it may run"},
    CORE_PARAMS("insertion"),
    {0},
};

/* The k-th and the l-th shortest time of a task, as a mean; n: the number of hosts where it may run. */
static double figure(const double *sorted_s, size_t n, const char *rank)
{
    if (strcmp(rank, "best") == 0)
        return sorted_s[0];
    if (strcmp(rank, "worst") == 0)
        return sorted_s[n - 1];
    return n % 2 == 1 ? sorted_s[n / 2] : (sorted_s[n / 2 - 1] + sorted_s[n / 2]) / 2;
}

static void find_task_costs(const struct problem *p, const char *rank, double *task_s)
{
    double *sorted_s = mem_alloc(p->machine->n_hosts * sizeof *sorted_s);
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        size_t n = 0;
        for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
            if (problem_may_run(p, t, h))
                sorted_s[n++] = problem_compute_s(p, t, h);
        qsort(sorted_s, n, sizeof *sorted_s, choose_ascending);
        task_s[t] = figure(sorted_s, n, rank);
    }
    free(sorted_s);
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"heft", p, ps, in, out, e};
    const char *rank = param_text(ps, "rank");
    double *task_s, *edge_s, *level_s = mem_alloc((size_t)p->dag->n_tasks * sizeof *level_s);
    core_mean_costs(p, &task_s, &edge_s);
    if (strcmp(rank, "mean") != 0)
        find_task_costs(p, rank, task_s);
    dag_bottom_levels(p->dag, task_s, edge_s, level_s);
    task_id *list = priority_list_of(p->dag, level_s);
    enum err_code code = core_plan_sequence(&call, list, true, core_least_finish, NULL);
    free(list);
    free(level_s);
    free(edge_s);
    free(task_s);
    return code;
}

extern const struct scheduler scheduler_heft;
const struct scheduler scheduler_heft = {
    .name = "heft",
    .summary = "HEFT: by falling bottom level, each task goes where it finishes first; gaps are filled",
    .source = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002; rank: Zhao, Sakellariou, Euro-Par 2003",
    .params = params,
    .plan = plan,
};
