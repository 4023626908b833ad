/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What each rank of a program does, in which order: replay's steps (engine/replay_steps.h), one after the other. */
#ifndef IASIM_CODEGEN_PROGRAM_PLAN_H
#define IASIM_CODEGEN_PROGRAM_PLAN_H

#include "codegen/codegen.h"
#include "engine/replay_steps.h"

enum { PROGRAM_MIN_BYTES = 16 }; /* SMPI counts as many for an empty message */

struct program_plan {
    struct replay_plan steps;
    host_id *hosts; /* [rank]: those that the schedule uses, in the order of the platform */
    int *ranks;     /* [host]; -1: not used */
    step_id *first; /* [rank]: steps.after leads on from there */
    int n_ranks;
    edge_id *messages; /* remote edges, those of a rank in the order of its code, roughly by date */
    int n_messages;
    int *tags;        /* [edge]; -1: local */
    long long *bytes; /* [edge] */
};

/* Errors: ERR_INPUT (the order waits for itself; a world that a program cannot have; an edge that is too large). */
enum err_code program_plan_init(struct program_plan *p, const struct schedule *s, const struct codegen_options *options,
                                struct err *e);
void program_plan_clear(struct program_plan *p);

#endif
