/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* List scheduling under any cost model ([S] 8.4.1, Algorithms 23 and 24; 8.4.2 for a given allocation). In the order of
   a static list, each task goes where it can start (or finish) first; it is tried on every processor with all its
   entering edges booked. The approach of the draft (plan/draft.h) decides which step is booked when.

   Cost: one booking (timeline.h) for each task and edge on each host. */
#include "schedulers/core.h"
#include "schedulers/outlook.h"
#include "schedulers/priority.h"
#include "schedulers/scheduler.h"

#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
    {"technique", PARAM_CHOICE, "", "end", 0, 0, "end|insertion",
     "book after the latest finish on a processor or link, or in the first gap that is long enough"},
    {"approach", PARAM_CHOICE, "", NULL, 0, 0, APPROACH_CHOICES,
     "when an edge is booked on source, links and destination; default: direct, or alloc1 with a given allocation"},
    {"minimize", PARAM_CHOICE, "", "start", 0, 0, "start|finish",
     "each task goes to the host where it can start, or finish, first, unless an allocation is given"},
    {"compact", PARAM_CHOICE, "", "on", 0, 0, "on|off", "eliminate gaps at the end, keeping the order"},
    {"priority", PARAM_CHOICE, "", NULL, 0, 0, PRIORITY_CHOICES,
     "the order of the list; default: bottom_level, or the given order"},
    CORE_PARAM_EDGE_ORDER,
    {0},
};

static enum err_code find_approach(const struct param_set *ps, const struct scheduler_inputs *in, enum approach *out,
                                   struct err *e)
{
    const char *name = param_text(ps, "approach");
    if (name == NULL)
        name = in->allocation != NULL ? "alloc1" : "direct";
    *out = draft_approach(name);
    if (*out >= APPROACH_ALLOC1 && in->allocation == NULL)
        return err_set(e, ERR_INPUT, "list[approach=%s] needs an allocation of tasks to hosts (--allocation)", name);
    return ERR_NONE;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    struct draft_options how = {.list = in->order, .allocation = in->allocation};
    task_id *made = NULL;
    const char *priority = param_text(ps, "priority");
    enum err_code code = find_approach(ps, in, &how.approach, e);
    if (code == ERR_NONE && in->order != NULL && priority != NULL)
        code = err_set(e, ERR_INPUT, "list[priority=%s] contradicts the given order (--order)", priority);
    if (code != ERR_NONE)
        return code;
    if (how.list == NULL)
        how.list = made = priority_list(p, priority != NULL ? priority : "bottom_level");
    how.technique = strcmp(param_text(ps, "technique"), "end") == 0 ? TECHNIQUE_END : TECHNIQUE_INSERTION;
    how.edge_order = draft_edge_order(param_text(ps, "edge_order"));
    bool minimizes_finish = strcmp(param_text(ps, "minimize"), "finish") == 0;
    struct draft *d = draft_create_by(out, &how);
    struct outlook *outlook = outlook_create(out, in->limit);
    for (int k = 0; k < p->dag->n_tasks && !outlook_is_too_long(outlook); k++) {
        task_id t = how.list[k];
        enum draft_least least = minimizes_finish ? DRAFT_LEAST_FINISH : DRAFT_LEAST_START;
        draft_place(d, t, in->allocation != NULL ? in->allocation[t] : draft_choose_host(d, t, least));
        outlook_place(outlook, t);
    }
    if (outlook_is_too_long(outlook))
        code = err_set(e, ERR_NO, "scheduler list makes no schedule that is shorter");
    outlook_free(outlook);
    draft_free(d);
    free(made);
    return code != ERR_NONE ? code : param_is_on(ps, "compact") ? schedule_compact(out, e) : ERR_NONE;
}

extern const struct scheduler scheduler_list;
const struct scheduler scheduler_list = {
    .name = "list",
    .summary = "list scheduling: in the order of a list, each task goes where it can start first",
    .source = "[S] 8.4.1, Algorithms 23 and 24",
    .params = params,
    .plan = plan,
};
