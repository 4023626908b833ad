/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The validator: reads a schedule file with its own reader and lists every condition that the file violates ([S] 4.1,
   7.1, 8.1; doc/model.md, Check). It shares only the graph and the machine with schedulers, compaction and the reader
   of schedules, but no code. */
#ifndef IASIM_PLAN_CHECK_H
#define IASIM_PLAN_CHECK_H

#include "base/err.h"
#include "dag/dag.h"
#include "machine/machine.h"
#include "plan/task_costs.h"

struct violation {
    const char *condition; /* a fixed word: "precedence", "processor", ...; check_conditions lists them */
    int line;              /* of the file */
    char *text;            /* which part violates it, and by how much */
};

struct check_result {
    struct violation *list; /* in the order of the file */
    size_t n, capacity;
};

struct check_condition {
    const char *name, *meaning, *source;
};
extern const struct check_condition check_conditions[]; /* ends with a NULL name */

/* Checks the file at `path` against the graph and the machine; `costs` as in struct problem. Dates of an item may be
   off by a relative 1e-9 (dates.h). ERR_NONE whether or not there are violations. Errors, with line: ERR_IO; ERR_PARSE
   for a file that is not JSON or not of this format at all. */
enum err_code check_schedule(const char *path, const struct dag *g, const struct machine *m,
                             const struct task_costs *costs, struct check_result *out, struct err *e);
enum err_code check_schedule_text(const char *bytes, size_t n, const char *path, const struct dag *g,
                                  const struct machine *m, const struct task_costs *costs, struct check_result *out,
                                  struct err *e);
void check_result_clear(struct check_result *r);

#endif
