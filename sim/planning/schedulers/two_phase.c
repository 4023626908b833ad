/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scheduling in two phases ([S] Algorithm 13, 8.4.2): a clustering that is mapped to hosts, or the hosts of another
   schedule; then list scheduling of that allocation.

   Time: that of the clustering or scheduler, and one booking per edge. */
#include "base/mem.h"
#include "schedulers/clustering.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"cluster", PARAM_CHOICE, "", NULL, 0, 0, "lc|ez|dsc|none",
     "how tasks are clustered, as schedulers lc, ez and dsc do; none: each task is alone; default: dsc, mapped by "
     "load"},
    {"allocation_of", PARAM_TEXT, "", NULL, 0, 0, NULL,
     "instead of a clustering: the scheduler whose hosts are taken, such as heft or list[approach=entering]"},
    CLUSTERING_PARAMS(NULL),
    {0},
};

extern const struct scheduler scheduler_two_phase;

static void (*clustering_named(const char *name))(struct clustering *)
{
    static const struct {
        const char *name;
        void (*cluster)(struct clustering *);
    } all[] = {{"lc", cluster_lc}, {"ez", cluster_ez}, {"dsc", cluster_dsc}, {"none", NULL}};
    size_t i = 0;
    while (strcmp(all[i].name, name) != 0)
        i++;
    return all[i].cluster;
}

static enum err_code plan_allocation_of(const struct core_call *call, const struct scheduler_choice *part)
{
    int n = call->problem->dag->n_tasks;
    struct schedule first;
    enum err_code code = scheduler_plan(part, call->problem, call->in, &first, call->e);
    if (code != ERR_NONE)
        return code;
    host_id *allocation = mem_alloc((size_t)n * sizeof *allocation);
    for (task_id t = 0; t < n; t++)
        allocation[t] = first.tasks[t].host;
    schedule_clear(&first);
    code = core_plan_allocation(call, allocation);
    free(allocation);
    return code;
}

/* Parameters of clusterings have no meaning for the hosts of another schedule. They are refused, because a result whose
   text names them would look as if they had been used. */
static enum err_code check(const struct param_set *ps, struct err *e)
{
    static const char *const others[] = {"cluster", "map"};
    for (size_t i = 0; i < 2 && param_has(ps, "allocation_of"); i++)
        if (param_has(ps, others[i]))
            return err_set(e, ERR_INPUT, "two_phase[%s=%s] contradicts allocation_of: give one of the two", others[i],
                           param_text(ps, others[i]));
    static const char *const of_clusters[][2] = {{"edges", "pairs"}, {"aware", "none"}}; /* with their defaults */
    for (size_t i = 0; i < 2 && param_has(ps, "allocation_of"); i++)
        if (strcmp(param_text(ps, of_clusters[i][0]), of_clusters[i][1]) != 0)
            return err_set(e, ERR_INPUT, "two_phase[%s=%s] contradicts allocation_of: give one of the two",
                           of_clusters[i][0], param_text(ps, of_clusters[i][0]));
    return ERR_NONE;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    const struct core_call call = {"two_phase", p, ps, in, out, e};
    struct scheduler_choice *parts;
    size_t n;
    if (core_refuse_inputs("two_phase", in, e) != ERR_NONE || check(ps, e) != ERR_NONE ||
        scheduler_choose_parts(&scheduler_two_phase, ps, &parts, &n, e) != ERR_NONE)
        return ERR_INPUT;
    enum err_code code = ERR_NONE;
    if (n > 1)
        code = err_set(e, ERR_INPUT, "two_phase[allocation_of=%s]: %zu schedulers; it takes the hosts of one",
                       param_text(ps, "allocation_of"), n);
    else if (n == 1)
        code = plan_allocation_of(&call, &parts[0]);
    else
        code = clustering_plan(&call, clustering_named(param_has(ps, "cluster") ? param_text(ps, "cluster") : "dsc"));
    scheduler_clear_parts(parts, n);
    return code;
}

const struct scheduler scheduler_two_phase = {
    .name = "two_phase",
    .summary = "a clustering or another schedule decides the hosts, then list scheduling of that allocation",
    .source = "[S] 8.4.2, Algorithm 13",
    .params = params,
    .parts = "allocation_of",
    .plan = plan,
};
