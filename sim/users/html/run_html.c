/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data of a run. Dates are in ticks (columns.h); a "column" is an array with one number for each task or edge.

     about, planned_s, makespan_s, tick_s, end (of the last bar, ticks), n_edges, n_remote
     exclusive       whether a link carries one transfer at a time
     hosts, links    names; host_table: busy, stolen and idle seconds of each host
     tasks           {name, host}: columns
     edges           {src, dst (less src), bytes (of the remote ones), remote (ids of the remote ones, each less the one
                     before)}
     routes          {links: [[link..], ..], of_edge: for each remote edge, which of them}
     layers          planned, simulated: see run_layers.c
     stolen, bins    see run_shares.c
     before, taken, segments, what_ifs    see run_chain.c

   Numbers that are near each other stand as differences, which are short and deflate well. Of an aggregated run (more
   than RUN_HTML_MOST_EDGES remote edges) edges and routes are null, and bins stand in for them. */
#include "html/run_html.h"

#include "html/run_state.h"
#include "report/json_bytes.h"
#include "report/table.h"

static json_t *host_table(const struct run_data *r)
{
    struct table *t = table_of("host|busy_s>|stolen_s>|idle_s>");
    for (size_t h = 0; h < r->machine->n_hosts; h++) {
        const struct replayed_host *x = &r->run->result->hosts[h];
        table_cell(t, r->machine->hosts[h].name);
        table_part(t, x->busy_s, r->run->result->makespan_s, 6);
        table_part(t, x->stolen_s, r->run->result->makespan_s, 6);
        table_part(t, x->idle_s, r->run->result->makespan_s, 6);
    }
    json_t *json = table_json(t);
    table_free(t);
    return json;
}

static json_t *host_names(const struct machine *m)
{
    json_t *names = json_array();
    for (size_t h = 0; h < m->n_hosts; h++)
        json_array_append_new(names, json_bytes(m->hosts[h].name));
    return names;
}

static json_t *link_names(const struct machine *m)
{
    json_t *names = json_array();
    for (size_t l = 0; l < m->n_links; l++)
        json_array_append_new(names, json_bytes(m->links[l].name));
    return names;
}

static json_t *tasks_json(const struct run_data *r)
{
    json_t *names = json_array(), *hosts = json_array();
    for (task_id t = 0; t < r->dag->n_tasks; t++) {
        json_array_append_new(names, json_bytes(r->dag->tasks[t].name));
        columns_add(hosts, r->schedule->tasks[t].host);
    }
    return json_pack("{s:o, s:o}", "name", names, "host", hosts);
}

static json_t *edges_json(const struct run_data *r)
{
    json_t *src = json_array(), *dst = json_array(), *bytes = json_array(), *remote = json_array();
    edge_id last = 0;
    if (r->is_aggregated)
        return json_null();
    for (edge_id e = 0; e < r->dag->n_edges; e++) {
        const struct edge *edge = &r->dag->edges[e];
        columns_add(src, edge->src);
        columns_add(dst, edge->dst - edge->src);
        if (!r->schedule->edges[e].is_remote)
            continue;
        columns_add(remote, e - last);
        json_array_append_new(bytes, json_finite(r->plan->amounts.bytes[e]));
        last = e;
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "src", src, "dst", dst, "bytes", bytes, "remote", remote);
}

static json_t *all_json(const struct run_data *r)
{
    struct text about = {0};
    /* The words of the SVG chart: the page and the picture of one run agree. */
    gantt_add_subtitle(r->gantt, &about);
    json_t *json = json_pack("{s:o, s:f, s:f, s:f, s:I, s:i, s:i, s:b}", "about", json_bytes(text_str(&about)),
                             "planned_s", schedule_length_s(r->schedule), "makespan_s", r->run->result->makespan_s,
                             "tick_s", r->tick_s, "end", columns_ticks(r->gantt->end_s, r->tick_s), "n_edges",
                             r->dag->n_edges, "n_remote", r->gantt->n_remote_edges, "exclusive", r->plan->is_exclusive);
    text_clear(&about);
    json_object_set_new(json, "hosts", host_names(r->machine));
    json_object_set_new(json, "links", link_names(r->machine));
    json_object_set_new(json, "host_table", host_table(r));
    json_object_set_new(json, "tasks", tasks_json(r));
    json_object_set_new(json, "edges", edges_json(r));
    json_object_set_new(json, "routes", run_routes_json(r));
    json_object_set_new(json, "layers", json_pack("[o, o]", run_layer_json(r, true), run_layer_json(r, false)));
    json_object_set_new(json, "stolen", run_stolen_json(r));
    json_object_set_new(json, "bins", run_bins_json(r));
    json_object_set_new(json, "before", run_before_json(r));
    json_object_set_new(json, "taken", run_taken_json(r));
    json_object_set_new(json, "segments", run_segments_json(r));
    json_object_set_new(json, "what_ifs", run_what_ifs_json(r));
    return json;
}

json_t *run_html_json(const struct run_html *run)
{
    const struct problem *p = &run->schedule->problem;
    /* The chart's lanes and bars are made as for `--gantt`; the page takes the bars of stolen time, shares and the end
       from it, and its own columns of dates from the schedule and the replay. */
    struct gantt_subject subject = {.layers = {{.name = "planned", .schedule = run->schedule},
                                               {.name = "simulated",
                                                .schedule = run->schedule,
                                                .result = run->result,
                                                .record = run->record,
                                                .world = run->world}},
                                    .n_layers = 2,
                                    .folds_idle = true};
    struct gantt g;
    gantt_init(&g, &subject, 0);
    struct run_data r = {.run = run,
                         .schedule = run->schedule,
                         .dag = p->dag,
                         .machine = p->machine,
                         .plan = &run->record->plan,
                         .gantt = &g,
                         .tick_s = columns_tick_s(g.end_s),
                         .is_aggregated = g.n_remote_edges > RUN_HTML_MOST_EDGES};
    json_t *json = all_json(&r);
    gantt_clear(&g);
    return json;
}
