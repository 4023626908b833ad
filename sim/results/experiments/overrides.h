/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Optional parameters that set a value for all hosts, in place of what the platform says about communication
   (struct machine_values; the commands have options of the same names). Internal to this folder. */
#ifndef IASIM_EXPERIMENTS_OVERRIDES_H
#define IASIM_EXPERIMENTS_OVERRIDES_H

#include "base/param.h"
#include "base/steps.h"
#include "engine/engine.h"

/* For the list of parameters of an experiment. `prefix` is "", or "platform_" where a result column has the name already. */
/* clang-format off */
#define OVERRIDE_IR_PARAMS(prefix)                                                                           \
    {prefix "ir_send", PARAM_NUMBER, "per MB/s", NULL, 0, 1e12, NULL, "all hosts: interference of sending"}, \
    {prefix "ir_recv", PARAM_NUMBER, "per MB/s", NULL, 0, 1e12, NULL, "all hosts: interference of receiving"}
#define OVERRIDE_OCCUPATION_PARAMS                                                                           \
    {"overhead", PARAM_STEPS, "s", NULL, 0, 1e12, STEPS_LINEAR, "all hosts: overhead of a message, at each end"}, \
    {"involvement", PARAM_STEPS, "", NULL, 0, 1, STEPS_SHARE,                                                \
     "all hosts: processor's share of the time on a link, at each end"}
/* For its lists `optional_params` and `shared_params`. */
#define OVERRIDE_IR_NAMES(prefix) prefix "ir_send", prefix "ir_recv"
#define OVERRIDE_OCCUPATION_NAMES "overhead", "involvement"
/* clang-format on */

/* Before anything else asks the engine for its machine. Errors: those of engine_override. */
enum err_code override_machine(struct engine *engine, const struct param_set *params, struct err *e);

#endif
