/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of --order and --allocation, each input as both: a refusal has a message; an accepted order has all tasks, each
   after its predecessors, an accepted allocation has a host for each. */
#include "../machine_text.h"
#include "fuzz.h"
#include "schedulers/scheduler.h"

#include <stdint.h>
#include <stdlib.h>

enum { N_TASKS = 4, N_HOSTS = 2 };

static const struct dag *graph(void)
{
    static struct dag g;
    static const char *const names[N_TASKS] = {"A", "B", "C", "two words"};
    if (g.n_tasks > 0)
        return &g;
    dag_init(&g, "fuzz");
    for (int t = 0; t < N_TASKS; t++)
        require(dag_add_task(&g, names[t], 1, 0, NULL, NULL) == ERR_NONE);
    require(dag_add_edge(&g, 0, 1, 1, 0, NULL) == ERR_NONE && dag_add_edge(&g, 1, 3, 1, 0, NULL) == ERR_NONE);
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

static void is_refusal(enum err_code code, const struct err *e, const void *result)
{
    require(code == e->code && e->text[0] != '\0' && result == NULL);
    require(code == ERR_INPUT || code == ERR_PARSE);
}

static void is_order(const task_id *order)
{
    int place[N_TASKS] = {0};
    for (int i = 0; i < N_TASKS; i++) {
        require(order[i] >= 0 && order[i] < N_TASKS && place[order[i]] == 0);
        place[order[i]] = i + 1;
    }
    require(place[0] < place[1] && place[1] < place[3]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct err e = {0}, e2 = {0};
    task_id *order;
    host_id *hosts;
    enum err_code code = scheduler_parse_order((const char *)bytes, n, "fuzz", graph(), &order, &e);
    if (code == ERR_NONE)
        is_order(order);
    else
        is_refusal(code, &e, order);
    code = scheduler_parse_allocation((const char *)bytes, n, "fuzz", graph(), machine(), &hosts, &e2);
    for (int t = 0; t < N_TASKS && code == ERR_NONE; t++)
        require(hosts[t] >= 0 && hosts[t] < N_HOSTS);
    if (code != ERR_NONE)
        is_refusal(code, &e2, hosts);
    free(order);
    free(hosts);
    return 0;
}
