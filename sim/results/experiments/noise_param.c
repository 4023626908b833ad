/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "experiments/noise_param.h"

#include <assert.h>

enum err_code noise_param_check(const char *value, struct err *e)
{
    struct noise noise;
    enum err_code code = noise_parse(value, 0, &noise, e);
    if (code == ERR_NONE)
        noise_clear(&noise);
    return code;
}

const struct noise *noise_param_read(const struct point *p, struct noise *storage)
{
    *storage = (struct noise){0};
    if (!param_has(p->params, NOISE_PARAM_NAME))
        return NULL;
    enum err_code code = noise_parse(param_text(p->params, NOISE_PARAM_NAME), p->stream, storage, NULL);
    assert(code == ERR_NONE); /* the scenario's reader has checked it */
    (void)code;
    return storage;
}
