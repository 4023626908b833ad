/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedulers that are made of others run them one after the other, with the caller's watch, and pass each schedule on.
   What is done with it (kept if it is shortest, its hosts taken into a pool) is the caller's. */
#include "schedulers/parts.h"

#include <string.h>

/* `sequential` needs a host that may run all tasks. */
static bool can_plan(const struct scheduler_choice *part, const struct problem *p)
{
    return strcmp(part->scheduler->name, "sequential") != 0 || !isinf(problem_sequential_s(p, NULL));
}

bool parts_leave_out(const struct scheduler_choice *parts, size_t n, size_t i, const struct problem *p)
{
    bool can_others = false;
    /* alone it is not left out, so that its message says what is wrong */
    if (can_plan(&parts[i], p))
        return false;
    for (size_t k = 0; k < n && !can_others; k++)
        can_others = can_plan(&parts[k], p);
    return can_others;
}

void parts_keep_shorter(void *self, struct schedule *made)
{
    core_keep_shorter(self, made);
}

enum err_code parts_plan(const struct scheduler *whole, const struct core_call *call,
                         void (*take)(void *self, struct schedule *made), void *self)
{
    struct scheduler_choice *parts;
    size_t n;
    if (core_refuse_inputs(call->name, call->in, call->e) != ERR_NONE ||
        scheduler_choose_parts(whole, call->params, &parts, &n, call->e) != ERR_NONE)
        return ERR_INPUT;
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < n && code == ERR_NONE; i++) {
        struct schedule made;
        if (parts_leave_out(parts, n, i, call->problem))
            continue;
        code = scheduler_plan(&parts[i], call->problem, call->in, &made, call->e);
        if (code == ERR_NONE)
            take(self, &made);
    }
    scheduler_clear_parts(parts, n);
    return code;
}
