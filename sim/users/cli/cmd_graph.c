/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim graph info|convert|generate`. A platform is needed only where a ratio to its speed is: CCR and lower bounds.
   The command runs in a guarded child for that (`simulates`), although it simulates nothing. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "dag/dag_generate.h"
#include "dag/format.h"
#include "dag/levels.h"
#include "engine/engine.h"
#include "plan/problem.h"
#include "report/json_bytes.h"
#include "report/table.h"
#include "runs/graph_rows.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum verb { INFO, CONVERT, GENERATE };

struct options {
    enum verb verb;
    const char *in, *converted, *generator; /* the arguments of the verbs */
    const char *platform, *costs, *format, *from, *to, *out;
    uint64_t seed;
    bool json;
    double ccr; /* NAN: not given */
    struct dag_read_options read;
};

static const struct command_option options[] = {
    {NULL, 0, "info|convert|generate", "what to do", OPTION_AT(struct options, verb), .required = true},
    {NULL, 0, "GRAPH", "the graph to read", OPTION_AT(struct options, in), .required = true, .dash = true,
     .shipped = true, .values = GRAPH_FILES, .verbs = VERB(INFO) | VERB(CONVERT)},
    {NULL, 0, "OUT", "the file to write", OPTION_AT(struct options, converted), .dash = true, .output = true,
     .values = GRAPH_FILES, .verbs = VERB(CONVERT)},
    {NULL, 0, "NAME[PARAMETER=VALUE,...]", "a generator, such as 'layered[tasks=50]',",
     OPTION_AT(struct options, generator), .required = true, .values = "generators:graph", .verbs = VERB(GENERATE)},
    {"platform", 'p', "FILE", "SimGrid platform: info also computes the CCR on it, and --ccr refers to it",
     OPTION_AT(struct options, platform), .shipped = true, .values = "platforms/ *.xml"},
    {"costs", 0, "FILE.csv",
     "seconds of each task on each host, as for `iasim schedule`: info takes these on the platform",
     OPTION_AT(struct options, costs), .shipped = true, .values = "*.csv", .verbs = VERB(INFO)},
    {"format", 'f', "NAME", "format of the graph", OPTION_AT(struct options, format), .values = "graph_formats",
     .verbs = VERB(INFO) | VERB(GENERATE)},
    {"from", 0, "NAME", "format of what is read", OPTION_AT(struct options, from), .values = "graph_formats",
     .verbs = VERB(CONVERT)},
    {"to", 0, "NAME", "format of what is written", OPTION_AT(struct options, to), .values = "graph_formats",
     .verbs = VERB(CONVERT)},
    {"seed", 's', "S", "the same seed gives the same graph", OPTION_AT(struct options, seed), .required = true,
     .max = 9223372036854774784.0, .verbs = VERB(GENERATE)},
    {"out", 'o', "FILE", "the file to write (generate: default standard output; convert: in place of OUT)",
     OPTION_AT(struct options, out), .dash = true, .output = true, .values = GRAPH_FILES,
     .verbs = VERB(CONVERT) | VERB(GENERATE)},
    {"ccr", 0, "X", "scale the sizes of all edges so that the communication-to-computation ratio on the platform is X",
     OPTION_AT(struct options, ccr), .max = 1e12, .verbs = VERB(CONVERT) | VERB(GENERATE)},
    {"flop-per-s", 0, "SPEED",
     "the work done in a second, for graphs that give run times instead of work (default 1e9)",
     OPTION_AT(struct options, read.reference_flop_per_s), .min = 1e-3, .max = 1e18},
    {"json", 'j', NULL, "print JSON", OPTION_AT(struct options, json), .verbs = VERB(INFO)},
    {0},
};

/* What the table of options cannot say. It also gives one name to what the verbs call differently: from here on the
   file to write is `converted` (convert) or `out` (generate), and formats are `from` and `to`. */
static enum err_code check(struct options *o, struct err *e)
{
    if (o->verb == CONVERT && o->converted == NULL && o->out == NULL)
        return err_set(e, ERR_USAGE, "the file to write is missing: give it after the graph, or with --out");
    if (o->verb == CONVERT && o->converted != NULL && o->out != NULL)
        return err_set(e, ERR_USAGE, "unexpected '%s': --out names the file to write", o->converted);
    if (o->verb == CONVERT && o->converted == NULL)
        o->converted = o->out;
    /* A CCR is a property of a graph and a platform together. */
    if (!isnan(o->ccr) && o->platform == NULL)
        return err_set(e, ERR_USAGE, "--ccr is a ratio on a platform: option --platform is missing");
    if (isnan(o->ccr) && o->platform != NULL && o->verb != INFO)
        return err_set(e, ERR_USAGE, "--platform is only for --ccr here: option --ccr is missing");
    if (o->costs != NULL && o->platform == NULL)
        return err_set(e, ERR_USAGE, "--costs are times on the hosts of a platform: option --platform is missing");
    if (o->verb == INFO)
        o->from = o->format;
    if (o->verb == GENERATE)
        o->to = o->format;
    return ERR_NONE;
}

/* ---- files ---- */

static enum err_code read_graph(const struct options *o, struct dag *g, struct err *e)
{
    const struct dag_format *format = NULL;
    bool is_stdin = strcmp(o->in, "-") == 0;
    if (o->from != NULL && dag_format_find(o->from, &format, e) != ERR_NONE)
        return ERR_INPUT;
    /* dag_read wants a file's name; the format then follows from the content alone. */
    enum err_code code = dag_read(is_stdin ? "/dev/stdin" : o->in, format, &o->read, g, e);
    if (code == ERR_NONE)
        /* Graphs of run times (DAX, WfCommons) become work at an assumed speed. */
        run_options_say_speed(g, o->read.reference_flop_per_s);
    return code;
}

static bool is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

/* Formats of other programs are mostly read only; those that can be written are named. */
static enum err_code refuse_writing(const struct dag_format *format, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; dag_formats[i] != NULL; i++)
        if (dag_formats[i]->write != NULL)
            text_add_name(&known, dag_formats[i]->name);
    err_set(e, ERR_INPUT, "format %s can be read but not written; writable formats: %s", format->name,
            text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

/* Refused before anything is made. `usual` is the format of standard output; NULL: none. */
static enum err_code choose_output_format(const struct options *o, const char *path, const char *usual,
                                          const struct dag_format **out, struct err *e)
{
    const char *name = o->to != NULL ? o->to : is_stdout(path) ? usual : NULL;
    enum err_code code;
    if (name == NULL && is_stdout(path))
        return err_set(e, ERR_USAGE,
                       "standard output has no extension to take the format from: option --to is missing");
    /* By the name's ending: there is no content yet. */
    code = name != NULL ? dag_format_find(name, out, e) : dag_format_of(path, NULL, 0, out, e);
    return code == ERR_NONE && (*out)->write == NULL ? refuse_writing(*out, e) : code;
}

static enum err_code write_graph(const struct options *o, const struct dag *g, const struct dag_format *format,
                                 const char *path, struct err *e)
{
    struct text t = {0};
    enum err_code code = format->write(g, &o->read, &t, e);
    if (code == ERR_NONE && is_stdout(path))
        fwrite(text_str(&t), 1, t.size, stdout);
    else if (code == ERR_NONE)
        code = text_write_file(path, text_str(&t), t.size, e);
    text_clear(&t);
    return code;
}

/* ---- the platform ---- */

/* `out` is cleared by the caller; the machine that its routes point at lives as long as the process. */
static enum err_code open_routes(const char *platform, struct route_table *out, struct err *e)
{
    struct engine *engine;
    enum err_code code = engine_open(platform, &engine, e);
    return code == ERR_NONE ? route_table_init(out, engine_machine(engine), e) : code;
}

/* Scales all edges by one factor; does nothing without --ccr. */
static enum err_code meet_ccr(const struct options *o, struct dag *g, struct err *e)
{
    struct route_table routes;
    if (isnan(o->ccr))
        return ERR_NONE;
    enum err_code code = open_routes(o->platform, &routes, e);
    if (code != ERR_NONE)
        return code;
    code = dag_set_ccr(g, &routes, o->ccr, e);
    route_table_clear(&routes);
    return code;
}

/* ---- info ---- */

struct info {
    struct dag_shape shape;
    double work_flop, volume_bytes, path_flop;
    task_id *path; /* the critical one: all work and no data */
    int n_path;
    bool has_platform;
    double ccr, path_bound_s, work_bound_s, sequential_s;
    double mean_task_s; /* on unrelated hosts; over hosts where a task may run, then over tasks */
    int n_forbidden;    /* pairs of a task and a host where it may not run */
};

/* Walks from the task with the most work on a path below it to the successor of which the same is true, until there is
   none. Of several the first in the file, so that the output does not depend on the order of edges. Time: that of the
   bottom levels and of the edges on the path. */
static void find_critical_path(const struct dag *g, struct info *x)
{
    size_t n = (size_t)g->n_tasks;
    double *work = mem_alloc(n * sizeof *work), *below = mem_alloc(n * sizeof *below);
    for (task_id t = 0; t < g->n_tasks; t++)
        work[t] = g->tasks[t].work_flop;
    /* Without costs of edges: a path of work, as the parallelism of the graph is meant. */
    dag_bottom_levels(g, work, NULL, below);
    x->path = mem_alloc(n * sizeof *x->path);
    task_id at = 0;
    for (task_id t = 1; t < g->n_tasks; t++)
        at = below[t] > below[at] ? t : at;
    x->path_flop = below[at];
    while (at >= 0) {
        x->path[x->n_path++] = at;
        task_id next = -1;
        for (int i = g->out_start[at]; i < g->out_start[at + 1]; i++) {
            task_id m = g->edges[g->out[i]].dst;
            if (next < 0 || below[m] > below[next] || (below[m] == below[next] && m < next))
                next = m;
        }
        at = next;
    }
    free(work);
    free(below);
}

/* The mean over tasks of the mean over hosts, and how many pairs are forbidden, which shows as an empty cell in the
   file of costs. */
static void add_costs(const struct problem *p, struct info *x)
{
    size_t n = (size_t)p->dag->n_tasks;
    /* One more, so that a graph without edges does not ask for 0 bytes. */
    double *task_s = mem_alloc(n * sizeof *task_s), *edge_s = mem_alloc(((size_t)p->dag->n_edges + 1) * sizeof *edge_s);
    problem_mean_costs(p, task_s, edge_s);
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        x->mean_task_s += task_s[t] / p->dag->n_tasks;
        for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++)
            x->n_forbidden += !problem_may_run(p, t, h);
    }
    free(edge_s);
    free(task_s);
}

static enum err_code add_figures(struct problem *p, const char *costs_path, struct info *x, struct err *e)
{
    struct task_costs costs = {0};
    enum err_code code = costs_path != NULL ? task_costs_read(costs_path, p->dag, p->machine, &costs, e) : ERR_NONE;
    if (code == ERR_NONE) {
        /* `costs` lives in this function: the problem may not be used with it after the return. */
        p->costs = costs_path != NULL ? &costs : NULL;
        code = problem_check_times(p, e);
    }
    if (code == ERR_NONE) {
        x->ccr = problem_ccr(p);
        x->path_bound_s = problem_critical_path_s(p);
        x->work_bound_s = problem_work_bound_s(p);
        x->sequential_s = problem_sequential_s(p, NULL);
    }
    if (code == ERR_NONE && costs_path != NULL)
        add_costs(p, x);
    task_costs_clear(&costs);
    return code;
}

static enum err_code add_platform(const struct options *o, const struct dag *g, struct info *x, struct err *e)
{
    struct route_table routes;
    if (o->platform == NULL)
        return ERR_NONE;
    enum err_code code = open_routes(o->platform, &routes, e);
    if (code != ERR_NONE)
        return code;
    struct problem p = {.dag = g, .machine = routes.machine, .routes = &routes};
    x->has_platform = true;
    code = cost_model_find("classic", &p.model, e); /* means of tasks do not depend on it */
    if (code == ERR_NONE)
        code = add_figures(&p, o->costs, x, e);
    route_table_clear(&routes);
    return code;
}

static double parallelism(const struct info *x)
{
    return x->path_flop > 0 ? x->work_flop / x->path_flop : NAN;
}

static void print_json(const struct options *o, const struct dag *g, const struct info *x)
{
    json_t *path = json_array();
    for (int i = 0; i < x->n_path; i++)
        json_array_append_new(path, json_bytes(g->tasks[x->path[i]].name));
    /* The graph's own figures are always there; those on a platform only where one is given. */
    json_t *root = json_pack(
        "{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:o, s:o}", "graph", json_bytes(g->source), "tasks",
        g->n_tasks, "edges", g->n_edges, "sources", x->shape.n_sources, "sinks", x->shape.n_sinks, "depth",
        x->shape.depth, "width", x->shape.width, "work_flop", x->work_flop, "volume_bytes", x->volume_bytes,
        "critical_path_flop", x->path_flop, "parallelism", json_finite(parallelism(x)), "critical_path", path);
    if (x->has_platform) {
        json_object_set_new(root, "platform", json_bytes(o->platform));
        json_object_set_new(root, "ccr", json_finite(x->ccr));
        json_object_set_new(root, "critical_path_bound_s", json_finite(x->path_bound_s));
        json_object_set_new(root, "work_bound_s", json_finite(x->work_bound_s));
        json_object_set_new(root, "sequential_s", json_finite(x->sequential_s));
    }
    if (o->costs != NULL) {
        json_object_set_new(root, "costs", json_bytes(o->costs));
        json_object_set_new(root, "mean_task_s", json_finite(x->mean_task_s));
        json_object_set_new(root, "forbidden", json_integer(x->n_forbidden));
    }
    command_print_json(root);
}

static void add_row(struct table *t, const char *name, double value, const char *meaning)
{
    table_cell(t, name);
    table_number(t, value, 10);
    table_cell(t, meaning);
}

static void print_path(const struct dag *g, const struct info *x)
{
    enum { SHOWN = 4 }; /* at each end of a long one */
    printf("\nCritical path, %d tasks:", x->n_path);
    for (int i = 0; i < x->n_path; i++) {
        if (i == SHOWN && x->n_path > 2 * SHOWN + 1) {
            fputs(" -> ...", stdout);
            /* Goes on with the last ones. */
            i = x->n_path - SHOWN;
        }
        printf("%s%s", i ? " -> " : " ", g->tasks[x->path[i]].name);
    }
    putchar('\n');
}

static void print_text(const struct options *o, const struct dag *g, const struct info *x)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "of the graph");
    table_column(t, TABLE_RIGHT, "");
    table_column(t, TABLE_LEFT, "");
    add_row(t, "tasks", g->n_tasks, "");
    add_row(t, "edges", g->n_edges, "");
    add_row(t, "sources", x->shape.n_sources, "tasks without predecessors");
    add_row(t, "sinks", x->shape.n_sinks, "tasks without successors");
    add_row(t, "depth", x->shape.depth, "tasks on the longest path");
    add_row(t, "width", x->shape.width, "most tasks at one depth");
    add_row(t, "work", x->work_flop, "flop, of all tasks");
    add_row(t, "volume", x->volume_bytes, "bytes, of all edges");
    add_row(t, "critical path", x->path_flop, "flop");
    add_row(t, "parallelism", parallelism(x), "work / critical path");
    if (x->has_platform) {
        add_row(t, "CCR", x->ccr, o->platform);
        add_row(t, "critical path bound", x->path_bound_s, "s: no schedule there is shorter");
        add_row(t, "work bound", x->work_bound_s, "s: nor shorter than this");
        /* Infinite where every host is forbidden some task. */
        add_row(t, "sequential", isfinite(x->sequential_s) ? x->sequential_s : NAN,
                isfinite(x->sequential_s) ? "s: all tasks on the best host" : "no host may run all tasks");
    }
    if (o->costs != NULL) {
        add_row(t, "mean time of a task", x->mean_task_s, o->costs);
        add_row(t, "forbidden", x->n_forbidden, "pairs of a task and a host where it may not run");
    }
    table_print(t, stdout);
    table_free(t);
    print_path(g, x);
}

/* The figures of the graph need no platform; those on one are added where --platform is given. */
static enum err_code info(const struct options *o, struct err *e)
{
    struct dag g;
    struct info x = {0};
    enum err_code code = read_graph(o, &g, e);
    if (code != ERR_NONE)
        return code;
    x.shape = dag_shape(&g);
    x.work_flop = dag_work_flop(&g);
    x.volume_bytes = dag_volume_bytes(&g);
    find_critical_path(&g, &x);
    code = add_platform(o, &g, &x, e);
    if (code == ERR_NONE && o->json)
        print_json(o, &g, &x);
    else if (code == ERR_NONE)
        print_text(o, &g, &x);
    free(x.path);
    dag_clear(&g);
    return code;
}

/* ---- convert, generate ---- */

static enum err_code generate_graph(const struct options *o, struct dag *g, struct err *e)
{
    return dag_generate(o->generator, o->seed, g, e);
}

/* `usual` is the format of standard output; NULL: none. */
static enum err_code make(const struct options *o,
                          enum err_code (*begin)(const struct options *, struct dag *, struct err *), const char *path,
                          const char *usual, struct err *e)
{
    struct dag g;
    const struct dag_format *format;
    /* Before the graph is read or generated, which may take long. */
    enum err_code code = choose_output_format(o, path, usual, &format, e);
    if (code == ERR_NONE)
        code = begin(o, &g, e);
    if (code != ERR_NONE)
        return code;
    code = meet_ccr(o, &g, e);
    if (code == ERR_NONE)
        code = write_graph(o, &g, format, path, e);
    dag_clear(&g);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    if (check(o, e) != ERR_NONE)
        return ERR_USAGE;
    if (o->verb == INFO)
        return info(o, e);
    /* Without --out a generated graph goes to standard output, as DOT: other tools read that. */
    return o->verb == CONVERT ? make(o, read_graph, o->converted, NULL, e) : make(o, generate_graph, o->out, "dot", e);
}

const struct command command_graph = {
    .name = "graph",
    .summary = "describe, convert or generate task graphs",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.ccr = NAN, .read = {DAG_REFERENCE_FLOP_PER_S}},
    .options = options,
    .about = "Describes a task graph, converts it to another file format, or generates one. The format of a file "
             "follows from its extension or its content, unless an option names it; '-' is standard input or output. "
             "`iasim list graph_formats` and `iasim list generators` show what is known.",
    .notes =
        "The CCR of a graph on a platform is the mean time of its data on a link, summed over edges, divided by the "
        "mean time of its work on a host, summed over tasks. The parallelism that info prints is all work divided by "
        "the work of the critical path, the path with the most work; data do not count. With --costs the CCR and the "
        "bounds take the times from there; the mean time of a task is over the hosts where it may run.",
    .examples = "iasim graph generate 'layered[tasks=50,width=8]' --seed 7 --ccr 1 \\\n"
                "  --platform platforms/sinnen-star-full.xml --out g.dot\n"
                "iasim graph info g.dot --platform platforms/sinnen-star-full.xml\n"
                "iasim graph convert g.dot g.json\n",
    .run = run,
    .simulates = true,
};
