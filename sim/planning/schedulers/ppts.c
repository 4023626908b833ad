/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* PPTS, predict priority task scheduling [Djigal 2019]: ready tasks by falling mean of their predicted costs (rank.h);
   each goes to the host where its finish plus its predicted cost is least.

   Time: one booking per entering edge and host. */
#include "schedulers/rank.h"

static const struct param params[] = {CORE_PARAM_EDGES, CORE_PARAMS("insertion"), {0}};

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"ppts", p, ps, in, out, e};
    return rank_plan_ahead(&call, RANK_PCM);
}

extern const struct scheduler scheduler_ppts;
const struct scheduler scheduler_ppts = {
    .name = "ppts",
    .summary = "PPTS: each task goes where its finish plus its predicted cost is least",
    .source = "Djigal, Feng, Lu, ICPP 2019 Workshops",
    .params = params,
    .plan = plan,
};
