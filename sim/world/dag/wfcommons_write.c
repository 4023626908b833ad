/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The writer of WfCommons JSON 1.5 [Coleman 2022]; formats/wfcommons.c reads it. */
#include "base/mem.h"
#include "dag/wfcommons.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define RUN_DATE "1970-01-01T00:00:00Z" /* files may not depend on the clock */
#define LAST_SECOND 253402300800.0      /* the year 10000 begins */

/* Whole numbers without ".0", as the schema wants them where it says integer. Beyond 2^53 a double is written as
   such. */
static json_t *number(double value)
{
    return value == floor(value) && fabs(value) < 0x1p53 ? json_integer((json_int_t)value) : json_real(value);
}

/* The run time whose product with the reference speed is the work, or comes nearest. The quotient is rounded, and
   its neighbour sometimes gives the work exactly: a file that is written and read again should keep the graph. */
static double runtime_of(double work_flop, double reference_flop_per_s)
{
    double best = work_flop / reference_flop_per_s, tries[] = {nextafter(best, 0), nextafter(best, INFINITY)};
    for (int i = 0; i < 2; i++)
        if (fabs(tries[i] * reference_flop_per_s - work_flop) < fabs(best * reference_flop_per_s - work_flop))
            best = tries[i];
    return best;
}

/* An edge with data becomes a file of its own, because two edges that share a file would have one size. */
static json_t *edge_files(const struct dag *g, const edge_id *list, int from, int to)
{
    json_t *files = json_array();
    for (int i = from; i < to; i++)
        if (g->edges[list[i]].size_bytes > 0)
            json_array_append_new(files, json_sprintf("edge_%d", list[i]));
    return files;
}

static json_t *edge_ends(const struct dag *g, const edge_id *list, int from, int to, bool is_src)
{
    json_t *ends = json_array();
    for (int i = from; i < to; i++) {
        const struct edge *edge = &g->edges[list[i]];
        json_array_append_new(ends, json_string(g->tasks[is_src ? edge->src : edge->dst].name));
    }
    return ends;
}

static json_t *specified_task(const struct dag *g, task_id t)
{
    int in = g->in_start[t], in_end = g->in_start[t + 1], out = g->out_start[t], out_end = g->out_start[t + 1];
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "name", g->tasks[t].name, "id", g->tasks[t].name, "parents",
                     edge_ends(g, g->in, in, in_end, true), "children", edge_ends(g, g->out, out, out_end, false),
                     "inputFiles", edge_files(g, g->in, in, in_end), "outputFiles",
                     edge_files(g, g->out, out, out_end));
}

static json_t *specification(const struct dag *g)
{
    json_t *tasks = json_array(), *files = json_array();
    for (task_id t = 0; t < g->n_tasks; t++)
        json_array_append_new(tasks, specified_task(g, t));
    for (edge_id i = 0; i < g->n_edges; i++)
        if (g->edges[i].size_bytes > 0)
            json_array_append_new(files, json_pack("{s:o, s:o}", "id", json_sprintf("edge_%d", i), "sizeInBytes",
                                                   number(g->edges[i].size_bytes)));
    return json_pack("{s:o, s:o}", "tasks", tasks, "files", files);
}

/* The schema requires a makespan and a date: the makespan of one processor that runs all tasks in sequence, and a dummy
   date. */
static json_t *execution(const struct dag *g, double reference_flop_per_s)
{
    json_t *tasks = json_array();
    for (task_id t = 0; t < g->n_tasks; t++)
        json_array_append_new(tasks, json_pack("{s:s, s:o}", "id", g->tasks[t].name, "runtimeInSeconds",
                                               number(runtime_of(g->tasks[t].work_flop, reference_flop_per_s))));
    return json_pack("{s:o, s:s, s:o}", "makespanInSeconds", number(dag_work_flop(g) / reference_flop_per_s),
                     "executedAt", RUN_DATE, "tasks", tasks);
}

/* ---- runs ---- */

/* The date in UTC so many seconds after RUN_DATE, to the nanosecond; NULL after the year 9999. */
static json_t *date_json(double after_s)
{
    char day[40];
    struct tm parts;
    double whole_s = floor(after_s), nanoseconds = rint((after_s - whole_s) * 1e9);
    if (nanoseconds >= 1e9) {
        whole_s++;
        nanoseconds = 0;
    }
    /* Whole seconds far beyond the last date are cut, since the conversion of a larger double to an integer is
       undefined. */
    time_t seconds = (time_t)fmin(whole_s, 1e15);
    if (!(whole_s < LAST_SECOND) || gmtime_r(&seconds, &parts) == NULL)
        return NULL;
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
    return nanoseconds > 0 ? json_sprintf("%s.%09.0fZ", day, nanoseconds) : json_sprintf("%sZ", day);
}

static json_t *machines_json(const struct wf_run *run)
{
    json_t *machines = json_array();
    for (size_t i = 0; i < run->n_machines; i++)
        json_array_append_new(machines, json_pack("{s:s, s:{s:i}}", "nodeName", run->machines[i].name, "cpu",
                                                  "coreCount", run->machines[i].n_cores));
    return machines;
}

static json_t *run_json(const struct dag *g, const struct wf_run *run)
{
    json_t *tasks = json_array();
    for (task_id t = 0; t < g->n_tasks; t++)
        json_array_append_new(tasks, json_pack("{s:s, s:o, s:o, s:[s]}", "id", g->tasks[t].name, "runtimeInSeconds",
                                               number(run->runtime_s[t]), "executedAt", date_json(run->start_s[t]),
                                               "machines", run->machines[run->machine_of[t]].name));
    return json_pack("{s:o, s:s, s:o, s:o}", "makespanInSeconds", number(run->makespan_s), "executedAt", RUN_DATE,
                     "tasks", tasks, "machines", machines_json(run));
}

static enum err_code check_run(const struct dag *g, const struct wf_run *run, struct err *e)
{
    for (size_t i = 0; i < run->n_machines; i++) {
        /* jansson refuses what is not UTF-8, by returning NULL. */
        json_t *name = json_string(run->machines[i].name);
        json_decref(name);
        if (name == NULL)
            return err_set(e, ERR_INPUT, "host '%.200s': this name cannot be written in JSON because it is not UTF-8",
                           run->machines[i].name);
    }
    for (task_id t = 0; t < g->n_tasks; t++) {
        /* json_pack with a NULL part would fail without saying which. Checked before, so a failure later is a bug. */
        json_t *date = date_json(run->start_s[t]);
        json_decref(date);
        if (date == NULL)
            return err_set_at(e, ERR_INPUT, g->source, g->tasks[t].line,
                              "task '%.200s' starts at %g s; WfCommons has no dates after the year 9999",
                              g->tasks[t].name, run->start_s[t]);
    }
    return ERR_NONE;
}

/* ---- the document ---- */

static enum err_code check_writable(const struct dag *g, double reference_flop_per_s, struct err *e)
{
    for (task_id t = 0; t < g->n_tasks; t++) {
        json_t *name = json_string(g->tasks[t].name);
        json_decref(name);
        if (name == NULL)
            return err_set_at(e, ERR_INPUT, g->source, g->tasks[t].line,
                              "task '%.200s': this name cannot be written in JSON because it is not UTF-8",
                              g->tasks[t].name);
    }
    if (!isfinite(dag_work_flop(g) / reference_flop_per_s))
        return err_set_at(e, ERR_INPUT, g->source, 0, "run times at %g flop/s are not finite", reference_flop_per_s);
    return ERR_NONE;
}

/* Takes both parts. */
static enum err_code write_document(const struct dag *g, json_t *description, json_t *execution_part, struct text *out,
                                    struct err *e)
{
    json_t *root =
        json_pack("{s:s, s:o, s:s, s:{s:o, s:o}}", "name", "task graph", "description", description, "schemaVersion",
                  "1.5", "workflow", "specification", specification(g), "execution", execution_part);
    char *dump = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (dump == NULL)
        return err_set_at(e, ERR_INTERNAL, g->source, 0, "jansson cannot write this graph");
    text_addf(out, "%s\n", dump);
    free(dump);
    return ERR_NONE;
}

enum err_code wfcommons_write(const struct dag *g, const struct dag_read_options *options, struct text *out,
                              struct err *e)
{
    double reference_flop_per_s = options ? options->reference_flop_per_s : DAG_REFERENCE_FLOP_PER_S;
    char at[TEXT_NUMBER_SIZE];
    enum err_code code = check_writable(g, reference_flop_per_s, e);
    if (code != ERR_NONE)
        return code;
    json_t *description =
        json_sprintf("Written by iasim. Run times are those of a processor of %s flop/s that does one "
                     "task after the other.",
                     text_number(reference_flop_per_s, at));
    return write_document(g, description, execution(g, reference_flop_per_s), out, e);
}

enum err_code wfcommons_write_run(const struct dag *g, const struct wf_run *run, struct text *out, struct err *e)
{
    enum err_code code = check_writable(g, DAG_REFERENCE_FLOP_PER_S, e);
    if (code == ERR_NONE)
        code = check_run(g, run, e);
    if (code != ERR_NONE)
        return code;
    return write_document(g, json_string(run->description), run_json(g, run), out, e);
}
