/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* HLFET, highest level first with estimated times [Adam 1974]: in the order of falling computation bottom levels, each
   task goes to the host where it starts first.

   Time: one booking per entering edge and host. */
#include "schedulers/core.h"
#include "schedulers/priority.h"

#include <stdlib.h>

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"hlfet", p, ps, in, out, e};
    task_id *list = priority_list(p, "computation_bottom_level");
    enum err_code code = core_plan_sequence(&call, list, true, core_least_start, NULL);
    free(list);
    return code;
}

extern const struct scheduler scheduler_hlfet;
const struct scheduler scheduler_hlfet = {
    .name = "hlfet",
    .summary = "HLFET: by falling computation bottom level, each task goes where it starts first",
    .source = "Adam, Chandy, Dickson, CACM 17(12), 1974",
    .params = params,
    .plan = plan,
};
