/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "experiments/overrides.h"

#include <stddef.h>

static const char *value_of(const struct param_set *params, const char *name)
{
    return param_is_known(params, name) ? param_text(params, name) : NULL;
}

static const char *ir_of(const struct param_set *params, const char *name, const char *long_name)
{
    return value_of(params, param_is_known(params, name) ? name : long_name);
}

enum err_code override_machine(struct engine *engine, const struct param_set *params, struct err *e)
{
    const struct machine_values values = {.ir_send = ir_of(params, "ir_send", "platform_ir_send"),
                                          .ir_recv = ir_of(params, "ir_recv", "platform_ir_recv"),
                                          .overhead = value_of(params, "overhead"),
                                          .involvement = value_of(params, "involvement")};
    return engine_override(engine, &values, e);
}
