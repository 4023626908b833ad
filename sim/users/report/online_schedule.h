/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An online run as one schedule of one graph, which has the tasks of all jobs: for all that knows schedules (files,
   `iasim check`, traces). */
#ifndef IASIM_REPORT_ONLINE_SCHEDULE_H
#define IASIM_REPORT_ONLINE_SCHEDULE_H

#include "engine/replay.h"
#include "runs/online_outcome.h"

struct online_schedule { /* stays where it is */
    struct dag dag;      /* the tasks are called JOB/TASK */
    struct problem problem;
    struct schedule schedule; /* under the belief classic, with the dates of the run */
    struct replay_result result;
};

/* `source` is what the graph is called. Errors: ERR_INPUT where two tasks have one name. `out` is cleared by the
   caller, also after errors. */
enum err_code online_schedule_make(struct online_schedule *out, const struct online_outcome *x, const char *source,
                                   struct err *e);
void online_schedule_clear(struct online_schedule *s);

/* Writes PREFIX.dot and PREFIX.json. Errors: ERR_IO. */
enum err_code online_schedule_write(const struct online_outcome *x, const char *prefix, struct err *e);

#endif
