/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/replay_input.h"

enum err_code replay_input_open(const struct replay_input *in, struct replay_setup *out, struct err *e)
{
    *out = (struct replay_setup){.how = {.links = strcmp(in->links, "exclusive") == 0 ? REPLAY_EXCLUSIVE : REPLAY_FLUID,
                                         .waiting = replay_input_is_active(in) ? REPLAY_ACTIVE : REPLAY_PASSIVE,
                                         .noise = in->noise.text != NULL ? &out->noise : NULL}};
    enum err_code code = world_find(in->world, &out->how.world, e);
    if (code == ERR_NONE)
        code = noise_input_read(&in->noise, &out->noise, e);
    if (code == ERR_NONE)
        code = problem_input_open(&in->problem, in->costs, &out->input, e);
    if (code == ERR_NONE)
        machine_input_warn(world_warning(out->how.world, out->input.problem.machine));
    else
        replay_setup_clear(out);
    return code;
}

void replay_setup_clear(struct replay_setup *s)
{
    problem_input_clear(&s->input);
    noise_clear(&s->noise);
    *s = (struct replay_setup){0};
}
