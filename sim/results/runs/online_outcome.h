/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An online run, and all that came out: its figures in a sweep, and what text, JSON and charts are made of. */
#ifndef IASIM_RUNS_ONLINE_OUTCOME_H
#define IASIM_RUNS_ONLINE_OUTCOME_H

#include "engine/online_run.h"
#include "runs/graph_rows.h"

struct online_figures {    /* of a job; doc/model.md, Online. NAN: there is no such figure */
    double wait_s;         /* from the release to the start of the first task */
    double response_s;     /* from the release to the end of the last task */
    double alone_s;        /* the response if it were alone, planned by the static scheduler */
    double stretch_ratio;  /* response over that */
    double slowdown_ratio; /* response over a lower bound of it */
    double tardiness_s;    /* from the deadline on */
};

struct online_outcome { /* stays where it is: parts of it point at others */
    struct graph_machine *machine;
    struct dag *dags; /* [job] */
    char **names;
    struct runtime_job *jobs;
    int n_jobs;
    struct runtime runtime;
    struct runtime_policy_choice policy;
    struct noise noise;
    struct online_options how;
    struct online_result result;
    struct online_figures *figures; /* [job], after the run */
};

/* What the parameters say. `out` is cleared by the caller, also after errors. */
enum err_code online_outcome_init(struct online_outcome *out, const struct point *p, struct err *e);
/* Once per process. Finds what jobs take alone first, each in a child of its own, unless `stretch` is off. */
enum err_code online_outcome_run(struct online_outcome *x, const struct point *p, struct err *e);
void online_outcome_clear(struct online_outcome *x);

/* The figures of a point (run_online). */
void online_outcome_metrics(const struct online_outcome *x, long warmup, double *out);

#endif
