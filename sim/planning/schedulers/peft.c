/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* PEFT, predict earliest finish time [Arabnejad 2014]: ready tasks by falling mean of their optimistic costs (rank.h);
   each goes to the host where its finish plus its optimistic cost is least.

   Time: one booking per entering edge and host. */
#include "schedulers/rank.h"

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"peft", p, ps, in, out, e};
    return rank_plan_ahead(&call, RANK_OCT);
}

extern const struct scheduler scheduler_peft;
const struct scheduler scheduler_peft = {
    .name = "peft",
    .summary = "PEFT: each task goes where its finish plus the optimistic cost of what follows is least",
    .source = "Arabnejad, Barbosa, IEEE TPDS 25(3), 2014",
    .params = params,
    .plan = plan,
};
