/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "html/run_html.h"

#include "report/gantt.h"
#include "report/json_bytes.h"
#include "report/table.h"

static json_t *hosts_json(const struct run_html *r)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "host");
    table_column(t, TABLE_RIGHT, "busy_s");
    table_column(t, TABLE_RIGHT, "stolen_s");
    table_column(t, TABLE_RIGHT, "idle_s");
    for (size_t h = 0; h < r->result->n_hosts; h++) {
        const struct replayed_host *x = &r->result->hosts[h];
        table_cell(t, r->schedule->problem.machine->hosts[h].name);
        table_number(t, x->busy_s, 6);
        table_number(t, x->stolen_s, 6);
        table_number(t, x->idle_s, 6);
    }
    json_t *json = table_json(t);
    json_object_set_new(json, "title", json_string("Hosts"));
    table_free(t);
    return json;
}

json_t *run_html_json(const struct run_html *r)
{
    struct gantt_subject subject = {.layers = {{.name = "planned", .schedule = r->schedule},
                                               {.name = "simulated",
                                                .schedule = r->schedule,
                                                .result = r->result,
                                                .record = r->record,
                                                .world = r->world}},
                                    .n_layers = 2,
                                    .folds_idle = true};
    struct gantt g;
    struct text about = {0};
    gantt_init(&g, &subject, GANTT_MANY_LINKS);
    gantt_add_subtitle(&g, &about);
    json_t *root = json_pack("{s:o, s:f, s:f, s:i, s:i, s:o}", "about", json_bytes(text_str(&about)), "planned_s",
                             schedule_length_s(r->schedule), "makespan_s", r->result->makespan_s, "n_tasks",
                             r->schedule->problem.dag->n_tasks, "n_edges", r->schedule->problem.dag->n_edges, "hosts",
                             hosts_json(r));
    text_clear(&about);
    gantt_clear(&g);
    return root;
}
