/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim online`: jobs that arrive over time, and a runtime policy that decides while they run. A sweep's point is the
   same (runs/run_online.c); this command adds the jobs, tasks and messages. */
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "report/json_bytes.h"
#include "report/json_stream.h"
#include "report/online_schedule.h"
#include "report/point_report.h"
#include "report/table.h"
#include "report/trace.h"
#include "runs/online_outcome.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_JOBS_SHOWN = 40 };

struct options {
    struct run_given given;
    const char *out, *trace, *gantt;
    bool text, json;
};

static const struct command_option options[] = {
    OPTION_SEED(struct options),
    {"out", 'o', "PREFIX",
     "write the run as one schedule of one graph, PREFIX.json and PREFIX.dot: `iasim check` accepts it in the world "
     "none without noise",
     OPTION_AT(struct options, out), .output = true},
    {"trace", 't', "FILE", "write every event: " TRACE_HELP, OPTION_AT(struct options, trace), .output = true,
     .values = "*.csv *.json *.paje *.trace"},
    {"gantt", 'G', "FILE.svg", "draw a Gantt chart of hosts and links; tasks are called JOB/TASK",
     OPTION_AT(struct options, gantt), .output = true, .values = "*.svg"},
    {"text", 0, NULL, "also print the chart as text (on stderr with --json)", OPTION_AT(struct options, text)},
    {"json", 'j', NULL, "print JSON, with every job, task and message, instead of tables",
     OPTION_AT(struct options, json)},
    {0},
};

struct ran { /* all that is printed */
    const struct options *options;
    const struct online_outcome *x;
    const double *metrics;
};

/* ---- JSON ---- */

static json_t *job_json(const struct online_outcome *x, int j)
{
    const struct runtime_job *job = &x->jobs[j];
    const struct online_figures *f = &x->figures[j];
    json_t *o = json_pack("{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "name", json_bytes(job->name), "graph",
                          json_bytes(job->problem.dag->source), "tasks", job->problem.dag->n_tasks, "release_s",
                          json_finite(job->release_s), "start_s", json_finite(x->result.jobs[j].start_s), "finish_s",
                          json_finite(x->result.jobs[j].finish_s), "wait_s", json_finite(f->wait_s), "response_s",
                          json_finite(f->response_s));
    json_object_set_new(o, "alone_s", json_finite(f->alone_s));
    json_object_set_new(o, "stretch", json_finite(f->stretch_ratio));
    json_object_set_new(o, "slowdown", json_finite(f->slowdown_ratio));
    json_object_set_new(o, "weight", json_finite(job->weight));
    if (isfinite(job->deadline_s)) {
        json_object_set_new(o, "deadline_s", json_finite(job->deadline_s));
        json_object_set_new(o, "tardiness_s", json_finite(f->tardiness_s));
    }
    return o;
}

static const char *task_name(const struct online_outcome *x, work_id w)
{
    return runtime_problem(&x->runtime, w)->dag->tasks[runtime_task(&x->runtime, w)].name;
}

static const char *host_name(const struct online_outcome *x, host_id h)
{
    return x->runtime.machine->hosts[h].name;
}

static json_t *task_json(const struct online_outcome *x, work_id w)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "job", json_bytes(x->jobs[x->runtime.works[w].job].name), "name",
                     json_bytes(task_name(x, w)), "host", json_bytes(host_name(x, x->result.hosts[w])), "start_s",
                     json_finite(x->result.works[w].start_s), "finish_s", json_finite(x->result.works[w].finish_s));
}

static json_t *span_json(struct span span)
{
    return json_pack("{s:o, s:o}", "start_s", json_finite(span.start_s), "finish_s", json_finite(span.finish_s));
}

static json_t *message_json(const struct online_outcome *x, const struct online_copy *c)
{
    work_id src = runtime_source(&x->runtime, c->data), dst = runtime_destination(&x->runtime, c->data);
    json_t *o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:b}", "job",
                          json_bytes(x->jobs[x->runtime.works[src].job].name), "src", json_bytes(task_name(x, src)),
                          "dst", json_bytes(task_name(x, dst)), "from", json_bytes(host_name(x, c->src)), "to",
                          json_bytes(host_name(x, c->dst)), "bytes", c->bytes, "used", c->is_used);
    json_object_set_new(o, "send", span_json(c->send));
    json_object_set_new(o, "transfer", span_json(c->transfer));
    json_object_set_new(o, "recv", span_json(c->recv));
    return o;
}

static void print_json(const struct ran *r)
{
    const struct online_outcome *x = r->x;
    const struct param_set *ps = r->options->given.params;
    struct json_stream to = {.file = stdout};
    static const char *const shown[] = {NULL};
    const char *name;
    json_t *given = point_report_given(&run_online, ps, shown), *value;
    json_stream_open(&to, NULL, '{');
    json_stream_value(&to, "format", json_string("iasim-online/1"));
    json_stream_value(&to, "platform", json_bytes(param_text(ps, "platform")));
    json_stream_value(&to, "policy", json_bytes(x->policy.text));
    json_stream_value(&to, "model", json_string(param_text(ps, "model")));
    json_stream_value(&to, "world", json_string(param_text(ps, "world")));
    json_object_foreach(given, name, value) json_stream_value(&to, name, json_incref(value));
    json_decref(given);
    for (size_t i = 0; run_online.metrics[i].name != NULL; i++)
        json_stream_value(&to, run_online.metrics[i].name, json_finite(r->metrics[i]));
    json_stream_open(&to, "jobs", '[');
    for (int j = 0; j < x->n_jobs; j++)
        json_stream_value(&to, NULL, job_json(x, j));
    json_stream_close(&to, ']');
    json_stream_open(&to, "tasks", '[');
    for (work_id w = 0; w < x->runtime.n_works; w++)
        json_stream_value(&to, NULL, task_json(x, w));
    json_stream_close(&to, ']');
    json_stream_open(&to, "messages", '[');
    for (size_t i = 0; i < x->result.n_copies; i++)
        json_stream_value(&to, NULL, message_json(x, &x->result.copies[i]));
    json_stream_close(&to, ']');
    json_stream_close(&to, '}');
}

/* ---- text ---- */

static void cell(struct table *t, double value)
{
    if (isnan(value))
        table_cell(t, "-");
    else
        table_cellf(t, "%.6g", value);
}

static void print_jobs(const struct online_outcome *x)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "job");
    table_column(t, TABLE_RIGHT, "tasks");
    table_column(t, TABLE_RIGHT, "release_s");
    table_column(t, TABLE_RIGHT, "wait_s");
    table_column(t, TABLE_RIGHT, "response_s");
    table_column(t, TABLE_RIGHT, "alone_s");
    table_column(t, TABLE_RIGHT, "stretch");
    for (int j = 0; j < x->n_jobs && j < MOST_JOBS_SHOWN; j++) {
        const struct online_figures *f = &x->figures[j];
        table_cell(t, x->jobs[j].name);
        table_cellf(t, "%d", x->jobs[j].problem.dag->n_tasks);
        cell(t, x->jobs[j].release_s);
        cell(t, f->wait_s);
        cell(t, f->response_s);
        cell(t, f->alone_s);
        cell(t, f->stretch_ratio);
    }
    table_print(t, stdout);
    table_free(t);
    if (x->n_jobs > MOST_JOBS_SHOWN)
        printf("%d more jobs: --json has them\n", x->n_jobs - MOST_JOBS_SHOWN);
}

static void print_text(const struct ran *r)
{
    const struct online_outcome *x = r->x;
    printf("%d job%s of %d tasks on %zu hosts; policy %s; world %s\n\n", x->n_jobs, x->n_jobs == 1 ? "" : "s",
           x->runtime.n_works, x->runtime.machine->n_hosts, x->policy.text,
           param_text(r->options->given.params, "world"));
    print_jobs(x);
    puts("");
    for (size_t i = 0; run_online.metrics[i].name != NULL; i++)
        if (!isnan(r->metrics[i]))
            printf("%-22s %.6g%s%s\n", run_online.metrics[i].name, r->metrics[i],
                   run_online.metrics[i].unit[0] != '\0' ? " " : "", run_online.metrics[i].unit);
}

/* ---- work ---- */

static enum err_code write_files(const struct options *o, const struct online_outcome *x, struct err *e)
{
    struct online_schedule s;
    enum err_code code = o->out != NULL ? online_schedule_write(x, o->out, e) : ERR_NONE;
    if (code != ERR_NONE || (o->trace == NULL && o->gantt == NULL && !o->text))
        return code;
    code = online_schedule_make(&s, x, x->policy.text, e);
    struct gantt_subject subject = {
        .layers = {{.name = "ran", .schedule = &s.schedule, .result = &s.result, .world = x->how.world}},
        .n_layers = 1,
        .folds_idle = true};
    if (code == ERR_NONE && o->trace != NULL)
        code = trace_write_replay(o->trace, &s.schedule, &s.result, NULL, x->how.world, e);
    if (code == ERR_NONE && o->gantt != NULL)
        code = chart_write(o->gantt, &subject, e);
    if (code == ERR_NONE && o->text)
        chart_print(&subject, o->json ? stderr : stdout);
    online_schedule_clear(&s);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct online_outcome x = {0};
    double values[RUN_MAX_METRICS];
    enum err_code code = run_given_begin(&o->given, e);
    if (code == ERR_NONE)
        code = online_outcome_init(&x, &o->given.point, e);
    if (code == ERR_NONE) {
        run_options_warn(world_warning(x.how.world, x.runtime.machine));
        run_options_warn(machine_cores_warning(x.runtime.machine));
        command_show_progress(x.machine->engine);
        code = online_outcome_run(&x, &o->given.point, e);
    }
    if (code == ERR_NONE)
        code = write_files(o, &x, e);
    if (code == ERR_NONE) {
        struct ran r = {o, &x, values};
        online_outcome_metrics(&x, param_integer(o->given.params, "warmup"), values);
        if (o->json)
            print_json(&r);
        else
            print_text(&r);
    }
    online_outcome_clear(&x);
    return code;
}

const struct command command_online = {
    .name = "online",
    .summary = "run task graphs that arrive over time, and decide meanwhile",
    .kind = &run_online,
    .size = sizeof(struct options),
    .options = options,
    .about = "Runs jobs, each a task graph, that are released over time, while a runtime policy decides: which task "
             "goes into the queue of which host, and in which order. The policy knows estimates; with --noise the "
             "truth differs. Reports how long each job waited and took, and how much longer than alone.",
    .examples = "# Twenty graphs that arrive at random, each planned when it comes.\n"
                "iasim online --platform sinnen-hetero --generator 'layered[tasks=20]' \\\n"
                "  --ccr 1 --jobs 20 --arrival 'poisson[load=0.7]' --policy static\n"
                "# The same, with hosts chosen when a task is ready.\n"
                "iasim online --platform sinnen-hetero --generator 'layered[tasks=20]' \\\n"
                "  --ccr 1 --jobs 20 --arrival 'poisson[load=0.7]' --policy dmda\n",
    .run = run,
    .simulates = true,
};
