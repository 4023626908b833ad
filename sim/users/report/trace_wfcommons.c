/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay as WfCommons 1.5: the graph, and an execution with the machine, start and run time of each task. Sends,
   transfers and receives are not in that format. */
#include "base/mem.h"
#include "dag/wfcommons.h"
#include "report/trace_format.h"

#include <stdlib.h>

enum err_code trace_write_wfcommons(const char *path, const struct schedule *s, const struct replay_result *r,
                                    struct err *e)
{
    const struct machine *m = s->problem.machine;
    struct text text = {0};
    struct wf_machine *machines = mem_alloc((m->n_hosts + 1) * sizeof *machines);
    int *machine_of = mem_alloc((r->n_tasks + 1) * sizeof *machine_of);
    double *start_s = mem_alloc((r->n_tasks + 1) * sizeof *start_s);
    double *runtime_s = mem_alloc((r->n_tasks + 1) * sizeof *runtime_s);
    /* All hosts, also idle ones: the format lists the machines of the execution, by number. */
    for (size_t h = 0; h < m->n_hosts; h++)
        machines[h] = (struct wf_machine){m->hosts[h].name, m->hosts[h].n_cores};
    for (size_t t = 0; t < r->n_tasks; t++) {
        machine_of[t] = s->tasks[t].host;
        start_s[t] = r->tasks[t].start_s;
        runtime_s[t] = r->tasks[t].finish_s - r->tasks[t].start_s;
    }
    const struct wf_run run = {machines,
                               m->n_hosts,
                               machine_of,
                               start_s,
                               runtime_s,
                               r->makespan_s,
                               "Simulated by iasim replay. The run begins on 1 January 1970."};
    /* Made in memory: names and dates are checked before the file appears. */
    enum err_code code = wfcommons_write_run(s->problem.dag, &run, &text, e);
    if (code == ERR_NONE)
        code = text_write_file(path, text_str(&text), text.size, e);
    text_clear(&text);
    free(machines);
    free(machine_of);
    free(start_s);
    free(runtime_s);
    return code;
}
