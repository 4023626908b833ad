/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order in which a policy serves the root's children, from priorities alone. [K] argues with these orders, and they
   are the same in every run, so none is needed. */
#include "report/claims_parts.h"

#include "base/choose.h"
#include "base/mem.h"
#include "base/text.h"
#include "farm/policy.h"
#include "farm/tree.h"

#include <stdlib.h>

/* Priorities of the policies that [K] compares do not depend on the sizes of tasks: a task of 1 MB stands for all. Ties
   go to the child that comes first in the deployment, as in a run. */
static char *order_of(const struct tree *tree, const struct policy_choice *choice)
{
    const struct tree_node *root = &tree->nodes[tree->root];
    struct policy_view view = {.tree = tree, .task_bytes = 1e6, .task_flop = 1};
    struct choose_ranked *list = mem_zalloc((size_t)root->n_children, sizeof *list);
    struct text names = {0};
    for (int i = 0; i < root->n_children; i++)
        list[i] = (struct choose_ranked){root->children[i], choice->policy->priority(&view, root->children[i])};
    qsort(list, (size_t)root->n_children, sizeof *list, choose_largest_first);
    for (int i = 0; i < root->n_children; i++)
        text_addf(&names, "%s%s", i > 0 ? " " : "", tree->nodes[list[i].id].host_name);
    free(list);
    return text_take(&names);
}

enum err_code claims_order(const struct scenario *s, const char *policy, char **out, struct err *e)
{
    const struct scenario_axis *a = scenario_axis(s, "deployment");
    /* An order is claimed of one tree: that of the first value. */
    const char *path = a != NULL ? a->values[0].path : NULL;
    struct policy_choice choice = {0};
    struct tree tree = {0};
    *out = NULL;
    if (path == NULL)
        return err_set(e, ERR_INPUT, "scenario %s has no deployment, whose tree is needed", s->name);
    enum err_code code = deployment_read(path, &tree, e);
    if (code == ERR_NONE)
        code = policy_choose(policy, &choice, e);
    /* A policy that chooses by the state of the farm, or sends nothing. */
    if (code == ERR_NONE && choice.policy->priority == NULL)
        code = err_set(e, ERR_INPUT, "policy %s has no order", policy);
    if (code == ERR_NONE)
        *out = order_of(&tree, &choice);
    policy_choice_clear(&choice);
    tree_clear(&tree);
    return code;
}
