/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Limits of an application, each where arithmetic or memory would give way: sizes are whole bytes up to 2^53, which
   doubles hold exactly; a farm has a date for each task and slots for each buffer of a node. */
#include "farm/app.h"

#include <math.h>

static const long max_tasks = 100000000;
static const int max_buffers = 1000000;

enum err_code farm_app_check(const struct farm_app *app, struct err *e)
{
    if (app->n_tasks < 1 || app->n_tasks > max_tasks)
        return err_set(e, ERR_INPUT, "%ld tasks: there must be between 1 and %ld", app->n_tasks, max_tasks);
    if (app->n_buffers < 1 || app->n_buffers > max_buffers)
        return err_set(e, ERR_INPUT, "%d buffers: there must be between 1 and %d", app->n_buffers, max_buffers);
    if (!(app->task_bytes >= 1) || !(app->task_bytes <= 0x1p53) || app->task_bytes != floor(app->task_bytes))
        return err_set(e, ERR_INPUT, "a task of %g bytes: its size must be a whole number of bytes, at least 1",
                       app->task_bytes);
    if (!(app->task_flop > 0) || !isfinite(app->task_flop))
        return err_set(e, ERR_INPUT, "a task of %g flop: its work must be more than 0", app->task_flop);
    if (!(app->request_bytes >= 0) || !(app->request_bytes <= 0x1p53) ||
        app->request_bytes != floor(app->request_bytes))
        return err_set(e, ERR_INPUT, "a request of %g bytes: its size must be a whole number of bytes",
                       app->request_bytes);
    for (long i = 0; app->arrivals_s != NULL && i < app->n_tasks; i++)
        if (!(app->arrivals_s[i] >= (i > 0 ? app->arrivals_s[i - 1] : 0)) || !isfinite(app->arrivals_s[i]))
            return err_set(e, ERR_INPUT, "task %ld arrives at %g s: dates must be finite, and in their order", i + 1,
                           app->arrivals_s[i]);
    return ERR_NONE;
}
