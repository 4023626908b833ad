/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* HEFT, heterogeneous earliest finish time [Topcuoglu 2002]: in the order of falling bottom levels, each task goes to
   the host where it finishes first. The rank may use another figure than the mean over hosts for the time of a task
   [Zhao 2003]; edges always count with their mean.

   Time: one booking per entering edge and host. */
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <stdlib.h>

static const struct param params[] = {
    CORE_PARAM_RANK("mean"), CORE_PARAM_EDGES, CORE_PARAMS("insertion"), CORE_PARAM_EDGE_ORDER, {0}};

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"heft", p, ps, in, out, e};
    double *level_s = core_bottom_levels(p, param_text(ps, "rank"), param_text(ps, "edges"));
    task_id *list = priority_list_of(p->dag, level_s);
    enum err_code code = core_plan_sequence(&call, list, true, core_least_finish, NULL);
    free(list);
    free(level_s);
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
