/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of --costs: a refusal has a message; what is accepted has a time that is finite and not negative, or INFINITY,
   for each task on each host, and at least one host for each task. */
#include "../machine_text.h"
#include "fuzz.h"
#include "plan/task_costs.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { N_TASKS = 3, N_HOSTS = 2 };

static const struct dag *graph(void)
{
    static struct dag g;
    static const char *const names[N_TASKS] = {"A", "B", "two, \"words\""};
    if (g.n_tasks > 0)
        return &g;
    dag_init(&g, "fuzz");
    for (int t = 0; t < N_TASKS; t++)
        require(dag_add_task(&g, names[t], 1, 0, NULL, NULL) == ERR_NONE);
    require(dag_seal(&g, NULL) == ERR_NONE);
    return &g;
}

static const struct machine *machine(void)
{
    static struct machine m;
    if (m.hosts == NULL)
        m = machine_from_text("p:1 other:1");
    return &m;
}

static void is_usable(const struct task_costs *c)
{
    for (int t = 0; t < N_TASKS; t++) {
        bool may_run = false;
        for (int h = 0; h < N_HOSTS; h++) {
            double s = c->compute_s[t * N_HOSTS + h];
            require(s >= 0 && !signbit(s));
            may_run = may_run || isfinite(s);
        }
        require(may_run);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct err e = {0};
    struct task_costs costs;
    enum err_code code = task_costs_parse((const char *)bytes, n, "fuzz", graph(), machine(), &costs, &e);
    if (code == ERR_NONE) {
        is_usable(&costs);
    } else {
        require(code == e.code && e.text[0] != '\0' && costs.compute_s == NULL);
        require(code == ERR_INPUT || code == ERR_PARSE);
    }
    task_costs_clear(&costs);
    return 0;
}
