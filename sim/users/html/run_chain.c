/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What explains a run, as sim/users/explain has found it.

     before     {steps, n_hops}. steps: [2 * step + part] as explain_before, each as the distance back to what is before
                it; 0: nothing. Steps are numbered as in engine/replay_steps.h. Of an aggregated run: [task], the
                distance to the task before it + n_tasks. n_hops: how many steps the hops of each remote edge are; null:
                one
     taken      {n, edge, hundredths_percent}: of each task how many flows took of its processor, which (an edge; ~edge:
                the task's host receives it) and how many hundredths of a percent of the task's time. Of many only those
                that took most
     segments   the chain of the makespan: {from_s (with the makespan at the end), cause, host, link, task, edge, with};
                with: [how many, the first of them (a task; ~edge)..]; causes: their words */
#include "html/run_state.h"

#include "base/mem.h"
#include "report/json_bytes.h"

#include <math.h>
#include <stdlib.h>

/* Limits of what a page names: flows beside a segment, flows of all tasks together, and of each task if there are
   more. */
enum { MOST_WITH = 4, MOST_TAKEN = 60000, MOST_TAKEN_EACH = 3, N_NUMBERS = 5 };

/* Of an aggregated run chains go from task to task: the steps between two tasks are passed over. The bound ends a
   circle, which there should not be. */
static json_int_t task_before(const struct run_data *r, const int *before, task_id t)
{
    int at = 2 * t;
    for (int n = 0; at >= 0 && (n == 0 || at / 2 >= r->dag->n_tasks) && n < 2 * r->plan->n_steps; n++)
        at = before[at];
    /* Always above 0 where there is a task before, since n_tasks is added: 0 means none. */
    return at < 0 ? 0 : t - at / 2 + r->dag->n_tasks;
}

static json_t *n_hops_json(const struct run_data *r)
{
    json_t *n_hops = json_array();
    if (r->is_aggregated || !r->plan->is_exclusive) {
        json_decref(n_hops);
        return json_null();
    }
    for (edge_id e = 0; e < r->dag->n_edges; e++)
        if (r->schedule->edges[e].is_remote)
            /* Local edges have no hops; the script knows which are remote. */
            columns_add(n_hops, r->plan->first_hop[e + 1] - r->plan->first_hop[e]);
    return n_hops;
}

json_t *run_before_json(const struct run_data *r)
{
    int *before = explain_before(r->run->record, r->run->result, r->run->world);
    json_t *list = json_array();
    for (int i = 0; i < 2 * r->plan->n_steps && !r->is_aggregated; i++)
        /* Distances, not numbers: what is before a step is mostly near, and small numbers deflate better.
           explain_before never names the step itself, so 0 is free for "nothing". */
        columns_add(list, before[i] < 0 ? 0 : i - before[i]);
    for (task_id t = 0; t < r->dag->n_tasks && r->is_aggregated; t++)
        columns_add(list, task_before(r, before, t));
    free(before);
    return json_pack("{s:o, s:o}", "steps", list, "n_hops", n_hops_json(r));
}

/* ---- taken ---- */

static int compare_taken(const void *a, const void *b)
{
    const struct explain_taken *x = a, *y = b;
    if (x->taken_s != y->taken_s)
        return x->taken_s > y->taken_s ? -1 : 1;
    if (x->edge != y->edge)
        return x->edge < y->edge ? -1 : 1;
    return (x->direction > y->direction) - (x->direction < y->direction);
}

json_t *run_taken_json(const struct run_data *r)
{
    struct explain_tasks tasks;
    json_t *n_flows = json_array(), *edges = json_array(), *hundredths = json_array();
    if (r->is_aggregated)
        return json_pack("{s:o, s:o, s:o}", "n", n_flows, "edge", edges, "hundredths_percent", hundredths);
    explain_tasks_find(r->run->record, r->run->result, r->run->world, &tasks);
    /* Of a few flows all are named; of many those that took most, which is what a reader looks for. */
    bool are_many = tasks.start[r->dag->n_tasks] > MOST_TAKEN;
    for (task_id t = 0; t < r->dag->n_tasks; t++) {
        size_t n = tasks.start[t + 1] - tasks.start[t];
        struct explain_taken *list = tasks.list + tasks.start[t];
        double length_s = r->run->result->tasks[t].finish_s - r->run->result->tasks[t].start_s;
        if (n > 0)
            qsort(list, n, sizeof *list, compare_taken);
        n = are_many && n > MOST_TAKEN_EACH ? MOST_TAKEN_EACH : n;
        columns_add(n_flows, (json_int_t)n);
        for (size_t i = 0; i < n; i++) {
            /* The complement marks received data; it is below 0 also for edge 0. */
            columns_add(edges, list[i].direction == DIR_SEND ? list[i].edge : ~list[i].edge);
            columns_add(hundredths, llround(1e4 * list[i].taken_s / length_s));
        }
    }
    explain_tasks_clear(&tasks);
    return json_pack("{s:o, s:o, s:o}", "n", n_flows, "edge", edges, "hundredths_percent", hundredths);
}

/* ---- the chain of the makespan ---- */

/* How many in all, then the first few. */
static json_t *with_json(const struct explanation *x, const struct explain_segment *s)
{
    json_t *with = json_pack("[I]", (json_int_t)s->n_with);
    for (size_t i = 0; i < s->n_with && i < MOST_WITH; i++) {
        struct explain_item item = x->with[s->first_with + i];
        columns_add(with, item.task >= 0 ? item.task : ~item.edge);
    }
    return with;
}

json_t *run_segments_json(const struct run_data *r)
{
    static const char *const names[N_NUMBERS] = {"cause", "host", "link", "task", "edge"};
    const struct explanation *x = r->run->explanation;
    json_t *columns[N_NUMBERS], *from = json_array(), *with = json_array(), *causes = json_array(),
                                *json = json_object();
    for (int i = 0; i < N_NUMBERS; i++)
        columns[i] = json_array();
    for (const struct explain_segment *s = x->segments; s < x->segments + x->n; s++) {
        const int values[N_NUMBERS] = {(int)s->cause, s->host, s->link, s->item.task, s->item.edge};
        for (int i = 0; i < N_NUMBERS; i++)
            columns_add(columns[i], values[i]);
        /* Seconds, not ticks: the table of the chain shows lengths that may be far below a pixel. */
        json_array_append_new(from, json_finite(s->from_s));
        json_array_append_new(with, with_json(x, s));
    }
    /* A segment ends where the next one begins, so one more date closes the last. */
    json_array_append_new(from, json_finite(x->makespan_s));
    for (int i = 0; i < N_CAUSES; i++)
        json_array_append_new(causes, json_string(explain_cause_sentences[i]));
    json_object_set_new(json, "from_s", from);
    for (int i = 0; i < N_NUMBERS; i++)
        json_object_set_new(json, names[i], columns[i]);
    json_object_set_new(json, "with", with);
    json_object_set_new(json, "causes", causes);
    return json;
}

json_t *run_what_ifs_json(const struct run_data *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->run->n_what_ifs; i++) {
        char *name = what_if_name(r->schedule, &r->run->what_ifs[i]);
        json_array_append_new(list, json_pack("[o, o]", json_bytes(name), json_finite(r->run->what_ifs[i].makespan_s)));
        free(name);
    }
    return list;
}
