/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* MCT, minimum completion time [Braun 2001]: always the first ready task of the file, where it finishes first.

   Time: one booking per entering edge and host. */
#include "schedulers/core.h"

static const struct param params[] = {CORE_PARAMS("end"), {0}};

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"mct", p, ps, in, out, e};
    return core_plan_sequence(&call, p->dag->order, false, core_least_finish, NULL);
}

extern const struct scheduler scheduler_mct;
const struct scheduler scheduler_mct = {
    .name = "mct",
    .summary = "MCT: in the order of the file, each task goes where it finishes first",
    .source = "Braun et al., JPDC 61(6), 2001",
    .params = params,
    .plan = plan,
};
