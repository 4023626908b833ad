/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads what the options of graph_input.h and --costs name: a graph, a platform and the times of tasks, as one problem. */
#ifndef IASIM_CLI_PROBLEM_INPUT_H
#define IASIM_CLI_PROBLEM_INPUT_H

#include "cli/graph_input.h"
#include "plan/problem.h"

struct problem_input {
    struct engine *engine;  /* lives as long as the process */
    struct problem problem; /* of the rest; it has no cost model yet */
    struct dag graph;
    struct route_table routes;
    struct task_costs costs;
};

/* `costs` is the file of --costs, or NULL. `out`, to be cleared by the caller, is {0} after errors. It must stay where it is:
   the problem points into it. Errors: those of graph_input_read, machine_input_open, route_table_init, task_costs_read. */
enum err_code problem_input_open(const struct graph_input *in, const char *costs, struct problem_input *out,
                                 struct err *e);
void problem_input_clear(struct problem_input *in);

#endif
