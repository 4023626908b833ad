/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPOP, critical path on a processor [Topcuoglu 2002]: tasks by falling top level plus bottom level; those of the
   critical path go to the host where all of them take least, the others where they finish first. If no host may run the
   whole critical path, all tasks go where they finish first.

   Time: one booking per entering edge and host. */
#include "base/mem.h"
#include "schedulers/core.h"
#include "schedulers/critical_path.h"
#include "schedulers/priority.h"

#include <stdbool.h>
#include <stdlib.h>

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

struct path {
    bool *has;    /* [task] */
    host_id host; /* of the path; -1: there is none */
};

static struct path find_path(const struct problem *p, const double *length_s)
{
    struct path path = {mem_zalloc((size_t)p->dag->n_tasks, sizeof *path.has), -1};
    struct best best = BEST_NONE;
    for (task_id t = critical_path_first(p->dag, length_s); t >= 0; t = critical_path_next(p->dag, length_s, t))
        path.has[t] = true;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++) {
        double sum = 0;
        for (task_id t = 0; t < p->dag->n_tasks; t++)
            sum += path.has[t] ? problem_compute_s(p, t, h) : 0;
        best_offer(&best, sum, 0, h);
    }
    path.host = best.host;
    return path;
}

static host_id choose(struct core *c, task_id t)
{
    const struct path *path = c->self;
    return path->has[t] && path->host >= 0 ? path->host : core_least_finish(c, t);
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"cpop", p, ps, in, out, e};
    double *length_s = critical_path_lengths(p, param_text(ps, "edges"));
    struct path path = find_path(p, length_s);
    task_id *order = priority_list_of(p->dag, length_s);
    enum err_code code = core_plan_sequence(&call, order, false, choose, &path);
    free(order);
    free(path.has);
    free(length_s);
    return code;
}

extern const struct scheduler scheduler_cpop;
const struct scheduler scheduler_cpop = {
    .name = "cpop",
    .summary = "CPOP: the critical path goes to the host that suits it best, other tasks where they finish first",
    .source = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002",
    .params = params,
    .plan = plan,
};
