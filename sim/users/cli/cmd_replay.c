/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim replay`: carries one schedule out on the simulated machine and compares with the plan. Text has hosts and the
   error of the plan; JSON (iasim-replay/1) every task and transfer; pages, charts and traces are files. What needs more
   than dates (rates, speeds) is recorded on demand, by the events engine only. */
#include "base/mem.h"
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/schedule_inputs.h"
#include "cli/study.h"
#include "engine/replay_record.h"
#include "html/html.h"
#include "html/run_html.h"
#include "report/json_bytes.h"
#include "report/point_report.h"
#include "report/replay_details.h"
#include "report/table.h"
#include "report/trace.h"
#include "runs/graph_rows.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_GIVEN = -1 };

struct options {
    struct run_given given;
    const char *trace, *gantt, *html, *schedules[MOST_SCHEDULES];
    int n_each; /* what-ifs of so many hosts, links and edges; or NOT_GIVEN */
    bool text, json, details;
};

static const struct command_option options[] = {
    OPTION_SEED(struct options),
    {"trace", 't', "FILE",
     "write every event: " TRACE_HELP "; for .wfcommons.json the graph and its execution. " TRACE_RATES_HELP,
     OPTION_AT(struct options, trace), .output = true, .values = "*.csv *.json *.paje *.trace"},
    {"gantt", 'G', "FILE.svg",
     "draw a Gantt chart, the plan above what happened: hosts and links, sends and receives, the time that "
     "communication stole hatched (--engine events only)",
     OPTION_AT(struct options, gantt), .output = true, .values = "*.svg"},
    {"html", 'H', "FILE.html",
     "write a page for browsers: the plan above what happened, with zoom; why it took as long as it did; the critical "
     "chain of any task or transfer (--engine events only)",
     OPTION_AT(struct options, html), .output = true, .values = "*.html"},
    {"what-ifs", 0, "N", "for the page: as in `iasim explain` (default 5)", OPTION_AT(struct options, n_each), .min = 0,
     .max = WHAT_IF_MOST},
    {"text", 0, NULL, "also print the chart as text (on stderr with --json)", OPTION_AT(struct options, text)},
    {"json", 'j', NULL, "print JSON, with every task and transfer, instead of a table",
     OPTION_AT(struct options, json)},
    {"details", 0, NULL,
     "with --json also: what each flow took of each task, what each link carries when and at which rate, and what is "
     "before each task and transfer on the critical chain that ends with it (--engine events only)",
     OPTION_AT(struct options, details)},
    {NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedules[0]), .required = true, .shipped = true,
     .values = "*.json"},
    {0},
};

/* ---- printing ---- */

struct replayed { /* all that is printed */
    const struct options *options;
    const struct schedule *schedule;
    const struct replay_result *result;
    const struct noise *noise;          /* NULL: none */
    const struct replay_record *record; /* NULL: none */
    const struct world_model *world;
    double planned_s;
};

/* The estimation error of the plan, |simulated - planned| / planned; NAN when nothing was planned to take time. */
static double error_ratio(const struct replayed *r)
{
    if (r->planned_s <= 0)
        return r->result->makespan_s <= 0 ? 0 : NAN;
    return fabs(r->result->makespan_s - r->planned_s) / r->planned_s;
}

static bool is_by_actors(const struct options *o)
{
    return row_is(o->given.params, "engine", "actors");
}

/* As it was given; NULL: passive. */
static const char *waiting(const struct options *o)
{
    const char *given = param_text(o->given.params, "waiting");
    return given != NULL && strcmp(given, "passive") != 0 ? given : NULL;
}

/* A date that is NAN (the item never began) becomes null. */
static json_t *span_json(const char *host, struct span span)
{
    json_t *x = json_object();
    if (host != NULL)
        json_object_set_new(x, "host", json_bytes(host));
    json_object_set_new(x, "start_s", json_finite(span.start_s));
    json_object_set_new(x, "finish_s", json_finite(span.finish_s));
    return x;
}

/* Beside the dates of the replay those of the plan, so that a script can see where the two part. */
static json_t *task_json(const struct replayed *r, task_id t)
{
    const struct schedule *s = r->schedule;
    const struct planned_task *planned = &s->tasks[t];
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_bytes(s->problem.dag->tasks[t].name), "host",
                     json_bytes(s->problem.machine->hosts[planned->host].name), "start_s",
                     json_finite(r->result->tasks[t].start_s), "finish_s", json_finite(r->result->tasks[t].finish_s),
                     "planned_start_s", json_finite(planned->span.start_s), "planned_finish_s",
                     json_finite(planned->span.finish_s));
}

/* A local edge has no transfer, and no dates. */
static json_t *edge_json(const struct replayed *r, edge_id e)
{
    const struct schedule *s = r->schedule;
    const struct dag *g = s->problem.dag;
    const struct host *hosts = s->problem.machine->hosts;
    const struct replayed_edge *x = &r->result->edges[e];
    json_t *edge = json_pack("{s:o, s:o, s:b}", "src", json_bytes(g->tasks[g->edges[e].src].name), "dst",
                             json_bytes(g->tasks[g->edges[e].dst].name), "local", !s->edges[e].is_remote);
    if (s->edges[e].is_remote) {
        json_object_set_new(edge, "send", span_json(hosts[s->tasks[g->edges[e].src].host].name, x->send));
        json_object_set_new(edge, "transfer", span_json(NULL, x->transfer));
        json_object_set_new(edge, "recv", span_json(hosts[s->tasks[g->edges[e].dst].host].name, x->recv));
    }
    return edge;
}

static json_t *hosts_json(const struct replayed *r)
{
    json_t *list = json_array();
    for (size_t h = 0; h < r->result->n_hosts; h++) {
        const struct replayed_host *x = &r->result->hosts[h];
        json_array_append_new(list, json_pack("{s:o, s:f, s:f, s:f}", "host",
                                              json_bytes(r->schedule->problem.machine->hosts[h].name), "busy_s",
                                              x->busy_s, "stolen_s", x->stolen_s, "idle_s", x->idle_s));
    }
    return list;
}

/* Which run this is, so that the file explains itself. */
static void print_head(const struct replayed *r, struct json_stream *to)
{
    const struct param_set *ps = r->options->given.params;
    /* First, so that a reader can refuse a version it does not know. */
    json_stream_value(to, "format", json_string("iasim-replay/1"));
    json_stream_value(to, "graph", json_bytes(param_text(ps, "graph")));
    json_stream_value(to, "platform", json_bytes(param_text(ps, "platform")));
    json_stream_value(to, "model", json_string(cost_model_text(r->schedule->problem.model)));
    json_stream_value(to, "world", json_string(param_text(ps, "world")));
    if (r->options->details)
        replay_details_links(r->record, to); /* in place of their kind */
    else
        json_stream_value(to, "links", json_string(param_text(ps, "links")));
    if (waiting(r->options) != NULL)
        json_stream_value(to, "waiting", json_string(waiting(r->options)));
    if (r->noise != NULL) {
        json_stream_value(to, "noise", json_bytes(r->noise->text));
        json_stream_value(to, "seed", json_integer((json_int_t)r->noise->seed));
    }
    if (is_by_actors(r->options))
        json_stream_value(to, "engine", json_string("actors"));
    /* These are written above under names of their own; every other parameter that was given follows. */
    static const char *const shown[] = {"format", "links", "waiting", "noise", "engine", NULL};
    json_t *given = point_report_given(&run_replay, ps, shown), *value;
    const char *name;
    json_object_foreach(given, name, value) json_stream_value(to, name, json_incref(value));
    json_decref(given);
    json_stream_value(to, "makespan_s", json_finite(r->result->makespan_s));
    json_stream_value(to, "planned_s", json_finite(r->planned_s));
    json_stream_value(to, "estimation_error_ratio", json_finite(error_ratio(r)));
}

/* Streamed, object by object: a tree of the whole output would take many times the memory of the replay itself. */
static void print_json(const struct replayed *r)
{
    const struct schedule *s = r->schedule;
    struct json_stream to = {.file = stdout};
    struct replay_details details;
    bool has_details = r->options->details;
    if (has_details)
        /* Once for all items: the chains of all of them come from one pass over the graph. */
        replay_details_find(&details, r->record, r->result, r->world);
    json_stream_open(&to, NULL, '{');
    print_head(r, &to);
    json_stream_open(&to, "tasks", '[');
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++) {
        json_t *task = task_json(r, t);
        if (has_details)
            replay_details_task(&details, t, task);
        json_stream_value(&to, NULL, task);
    }
    json_stream_close(&to, ']');
    json_stream_open(&to, "edges", '[');
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++) {
        json_t *edge = edge_json(r, e);
        if (has_details && s->edges[e].is_remote)
            replay_details_edge(&details, e, edge);
        json_stream_value(&to, NULL, edge);
    }
    json_stream_close(&to, ']');
    json_stream_value(&to, "hosts", hosts_json(r));
    if (has_details)
        replay_details_clear(&details);
    json_stream_close(&to, '}');
}

/* table_part shows a rounding error beside the makespan as 0. */
static void print_hosts(const struct replayed *r)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "host");
    table_column(t, TABLE_RIGHT, "busy_s");
    table_column(t, TABLE_RIGHT, "stolen_s");
    table_column(t, TABLE_RIGHT, "idle_s");
    table_column(t, TABLE_RIGHT, "busy %");
    for (size_t h = 0; h < r->result->n_hosts; h++) {
        const struct replayed_host *x = &r->result->hosts[h];
        table_cell(t, r->schedule->problem.machine->hosts[h].name);
        table_part(t, x->busy_s, r->result->makespan_s, 6);
        table_part(t, x->stolen_s, r->result->makespan_s, 6);
        table_part(t, x->idle_s, r->result->makespan_s, 6);
        if (r->result->makespan_s > 0)
            table_cellf(t, "%.1f", 100 * x->busy_s / r->result->makespan_s);
        else
            table_cell(t, "-");
    }
    table_print(t, stdout);
    table_free(t);
}

/* "off by" is the estimation error; rounding below 1e-12 is shown as 0. */
static void print_text(const struct replayed *r)
{
    const struct dag *g = r->schedule->problem.dag;
    const char *how = waiting(r->options);
    printf("%d tasks, %d edges; believed: %s; world %s, %s links%s%s%s", g->n_tasks, g->n_edges,
           cost_model_text(r->schedule->problem.model), param_text(r->options->given.params, "world"),
           param_text(r->options->given.params, "links"), how != NULL ? ", " : "", how != NULL ? how : "",
           how != NULL ? " waiting" : "");
    if (r->noise != NULL)
        printf(", noise %s (seed %" PRIu64 ")", r->noise->text, r->noise->seed);
    puts("\n");
    print_hosts(r);
    printf("\nplanned %.9g s, simulated %.9g s", r->planned_s, r->result->makespan_s);
    if (isfinite(error_ratio(r))) /* below 1e-12 it is rounding */
        printf(": the plan was off by %.4g %%", error_ratio(r) < 1e-12 ? 0 : 100 * error_ratio(r));
    puts("\nbusy: computing; stolen: what communication took of the processor");
}

/* ---- work ---- */

static bool has_chart(const struct options *o)
{
    return o->gantt != NULL || o->text;
}

static bool has_rates(const struct options *o)
{
    return o->trace != NULL && trace_shows_rates(o->trace) && !is_by_actors(o);
}

/* Dates alone need no record, which grows with the number of changes of rate. */
static bool needs_record(const struct options *o)
{
    return has_chart(o) || has_rates(o) || o->html != NULL || o->details;
}

/* Two layers on one axis: the plan above what happened. */
static enum err_code draw(const struct options *o, const struct schedule *s, const struct replay_options *how,
                          const struct replay_result *result, struct err *e)
{
    struct gantt_subject subject = {
        .layers = {{.name = "planned", .schedule = s},
                   {.name = "simulated", .schedule = s, .result = result, .record = how->record, .world = how->world}},
        .n_layers = 2,
        .folds_idle = true};
    enum err_code code = o->gantt != NULL ? chart_write(o->gantt, &subject, e) : ERR_NONE;
    if (code == ERR_NONE && o->text)
        chart_print(&subject, o->json ? stderr : stdout);
    return code;
}

/* `iasim explain`'s chain and what-ifs, and every item: the answers of the children of study_ask are used here. */
static enum err_code write_page(const struct options *o, const struct study *study, const struct replay_result *result,
                                const struct replay_record *record, struct err *e)
{
    struct explanation explanation;
    char *title = mem_format("%s on %s", param_text(o->given.params, "graph"), param_text(o->given.params, "platform"));
    struct html_page *page = html_page_create(title);
    explain_find(record, result, study->how->world, study->answers->alone_bytes_per_s, &explanation);
    html_page_add(page, "run", "",
                  run_html_json(&(struct run_html){study->schedule, result, record, study->how->world, &explanation,
                                                   study->answers->what_ifs, study->answers->n_what_ifs}));
    enum err_code code = html_page_write(page, o->html, e);
    explanation_clear(&explanation);
    html_page_free(page);
    free(title);
    return code;
}

static enum err_code write_files(const struct options *o, const struct study *study, const struct replay_result *result,
                                 struct err *e)
{
    const struct replay_options *how = study->how;
    enum err_code code = ERR_NONE;
    if (o->trace != NULL)
        code = trace_write_replay(o->trace, study->schedule, result, how->record, how->world, e);
    if (code == ERR_NONE && has_chart(o))
        code = draw(o, study->schedule, how, result, e);
    if (code == ERR_NONE && o->html != NULL)
        code = write_page(o, study, result, how->record, e);
    return code;
}

static enum err_code replay(const struct options *o, struct engine *engine, const struct schedule *s,
                            struct replay_options *how, struct err *e)
{
    struct replay_result result = {0};
    struct replay_record record = {0};
    struct study study = {
        .engine = engine, .schedule = s, .how = how, .n_each = o->n_each != NOT_GIVEN ? o->n_each : STUDY_WHAT_IFS};
    /* Before the replay, which is this process's only simulation. Without a page nobody asks, and `study` stays
       empty. */
    enum err_code code = o->html != NULL ? study_ask(&study, e) : ERR_NONE;
    how->record = needs_record(o) ? &record : NULL;
    /* After the children, which would draw their own bars. */
    command_show_progress(engine);
    if (code == ERR_NONE)
        code = replay_run_by(is_by_actors(o) ? REPLAY_ACTORS : REPLAY_EVENTS, engine, s, how, &result, e);
    if (code == ERR_NONE) {
        /* Files before the figures, as everywhere: what is printed is complete. */
        struct replayed r = {o, s, &result, how->noise, how->record, how->world, schedule_length_s(s)};
        code = write_files(o, &study, &result, e);
        if (code == ERR_NONE && o->json)
            print_json(&r);
        else if (code == ERR_NONE)
            print_text(&r);
        replay_result_clear(&result);
    }
    replay_record_clear(&record);
    study_close(&study);
    return code;
}

static enum err_code check(const struct options *o, struct err *e)
{
    if (is_by_actors(o) && (has_chart(o) || o->html != NULL || o->details))
        return err_set(e, ERR_USAGE, "%s --engine events, which records the rates of transfers",
                       has_chart(o)      ? "charts need"
                       : o->html != NULL ? "a page needs"
                                         : "--details needs");
    if (o->details && !o->json)
        return err_set(e, ERR_USAGE, "--details is for --json");
    if (o->n_each != NOT_GIVEN && o->html == NULL)
        return err_set(e, ERR_USAGE, "--what-ifs is for --html; `iasim explain` prints them");
    return html_check(o->html, e);
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct schedules s = {0};
    struct replay_how how = {0};
    enum err_code code = check(o, e);
    if (code == ERR_NONE)
        code = schedules_open(&s, &o->given, o->schedules, e);
    if (code == ERR_NONE)
        code = replay_how_read(&how, &o->given.point, e);
    if (code == ERR_NONE) {
        run_options_warn(world_warning(how.options.world, s.graph.problem.machine));
        run_options_warn(machine_cores_warning(s.graph.problem.machine));
        how.options.schedule_path = o->schedules[0];
        code = replay(o, s.graph.machine->engine, &s.list[0], &how.options, e);
    }
    replay_how_clear(&how);
    schedules_close(&s);
    return code;
}

const struct command command_replay = {
    .name = "replay",
    .summary = "carry out a schedule on the simulated machine, and compare",
    .kind = &run_replay,
    .without = REPLAY_WITHOUT,
    .asks = "world",
    .planned = "platform graph",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.n_each = NOT_GIVEN},
    .options = options,
    .about = "Carries out a schedule on the simulated machine: each processor does what the schedule gives it in the "
             "schedule's order, everything as soon as it can, and communication costs the processors what the world "
             "says. Reports how far the plan was off.",
    .examples = "# A plan that knows of no contention, in a world where communication\n"
                "# occupies processors.\n"
                "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model classic --out s.json\n"
                "iasim replay --world involvement s.json\n"
                "# A picture of it.\n"
                "iasim replay --world involvement --gantt s.svg s.json\n"
                "# The same in a browser: zoom, and see what made each task late.\n"
                "iasim replay --world involvement --html s.html s.json\n"
                "# The same when tasks and messages are not as large as was planned.\n"
                "iasim replay --world involvement --noise work=0.1,size=0.3 --seed 7 s.json\n",
    .run = run,
    .simulates = true,
};
