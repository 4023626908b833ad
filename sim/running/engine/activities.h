/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Activity scripts (doc/model.md, Files): which executions and transfers begin when. The smallest experiment. */
#ifndef IASIM_ENGINE_ACTIVITIES_H
#define IASIM_ENGINE_ACTIVITIES_H

#include "base/err.h"
#include "engine/engine.h"

#include <stddef.h>

enum activity_kind { ACTIVITY_EXEC, ACTIVITY_COMM };
enum activity_state { ACTIVITY_PENDING, ACTIVITY_DONE, ACTIVITY_FAILED };

struct activity {
    enum activity_kind kind;
    int line;
    double asked_start_s;
    char *host_names[2]; /* where; source and destination */
    host_id hosts[2];    /* after activities_bind; -1: none */
    double amount;       /* flop; bytes */
    /* after activities_run */
    enum activity_state state;
    double start_s, finish_s;
};

struct activities {
    char *source;
    struct activity *list; /* in the script's order */
    size_t n;
};

/* Lines `exec START_S HOST FLOP` and `comm START_S SRC DST BYTES`; `#` begins a comment. Errors, with line: ERR_IO,
   ERR_PARSE (an unknown activity, missing or extra words), ERR_INPUT (a number that is negative, not finite, or too
   large; bytes that are not whole). */
enum err_code activities_read(const char *path, struct activities *out, struct err *e);
enum err_code activities_parse(const char *text, size_t n, const char *path, struct activities *out, struct err *e);
void activities_clear(struct activities *a);

/* Finds the hosts. Errors, with line: ERR_INPUT for an unknown host, or no route between two. */
enum err_code activities_bind(struct activities *a, const struct machine *m, struct err *e);

/* Carries them out. One that fails (host or link down) is ACTIVITY_FAILED, with the date of the failure, and no error;
   one that can never proceed is ACTIVITY_FAILED with finish_s NAN. Errors: those of engine_run except deadlocks. */
enum err_code activities_run(struct activities *a, struct engine *engine, const struct world_model *world,
                             struct err *e);

#endif
