/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/noise_input.h"

enum err_code noise_input_read(const struct noise_input *in, struct noise *out, struct err *e)
{
    static const uint64_t default_seed = 1;
    *out = (struct noise){0};
    if (in->text != NULL)
        return noise_parse(in->text, in->seed == NOISE_INPUT_NO_SEED ? default_seed : in->seed, out, e);
    if (in->seed != NOISE_INPUT_NO_SEED)
        return err_set(e, ERR_INPUT, "--seed is the seed of --noise, which is not given");
    return ERR_NONE;
}
