/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/problem_input.h"

enum err_code problem_input_open(const struct graph_input *in, const char *costs, struct problem_input *out,
                                 struct err *e)
{
    *out = (struct problem_input){0};
    enum err_code code = graph_input_read(in, &out->graph, e);
    if (code == ERR_NONE)
        code = machine_input_open(in->platform, &in->values, &out->engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&out->routes, engine_machine(out->engine), e);
    if (code == ERR_NONE && costs != NULL)
        code = task_costs_read(costs, &out->graph, engine_machine(out->engine), &out->costs, e);
    if (code != ERR_NONE) {
        problem_input_clear(out);
        return code;
    }
    out->problem = (struct problem){.dag = &out->graph,
                                    .machine = engine_machine(out->engine),
                                    .routes = &out->routes,
                                    .costs = costs != NULL ? &out->costs : NULL};
    return ERR_NONE;
}

void problem_input_clear(struct problem_input *in)
{
    task_costs_clear(&in->costs);
    route_table_clear(&in->routes);
    dag_clear(&in->graph);
    *in = (struct problem_input){0};
}
