/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/graph_input.h"
#include "dag/format.h"
#include "dag/generate.h"
#include "dag/levels.h"
#include "engine/engine.h"
#include "plan/problem.h"
#include "report/json_bytes.h"
#include "report/table.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum verb { NO_VERB = 0, INFO = 1, CONVERT = 2, GENERATE = 4 };

static const struct verb_words {
    const char *name;
    enum verb verb;
    int n_words;
    const char *words; /* what follows it */
} verbs[] = {
    {"info", INFO, 1, "a graph"},
    {"convert", CONVERT, 2, "two files: what is read and what is written"},
    {"generate", GENERATE, 1, "a generator, such as 'layered[tasks=50]'"},
};
enum { N_VERBS = sizeof verbs / sizeof verbs[0] };

enum { OPT_FROM = 256, OPT_TO, OPT_CCR, OPT_FLOP };

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "SimGrid platform: info also tells the CCR on it, and --ccr is on it", 0},
    {"format", 'f', "NAME", 0, "info: format of the graph; generate: format of the output", 0},
    {"from", OPT_FROM, "NAME", 0, "convert: format of what is read", 0},
    {"to", OPT_TO, "NAME", 0, "convert: format of what is written", 0},
    {"seed", 's', "S", 0, "generate: the same seed gives the same graph (required)", 0},
    {"out", 'o', "FILE", 0, "generate: the file to write (standard output)", 0},
    {"ccr", OPT_CCR, "X", 0,
     "convert, generate: multiply the sizes of all edges by one number, so that the communication-to-computation "
     "ratio on the platform is X",
     0},
    {"flop-per-s", OPT_FLOP, "R", 0, "what a second is worth in formats that give times instead of work (1e9)", 0},
    {"json", 'j', NULL, 0, "info: print JSON", 0},
    {0},
};

/* Which verbs an option belongs to. */
static const struct option_owner {
    int key;
    unsigned verbs;
} owners[] = {
    {'p', INFO | CONVERT | GENERATE},
    {'f', INFO | GENERATE},
    {OPT_FROM, CONVERT},
    {OPT_TO, CONVERT},
    {'s', GENERATE},
    {'o', GENERATE},
    {OPT_CCR, CONVERT | GENERATE},
    {OPT_FLOP, INFO | CONVERT | GENERATE},
    {'j', INFO},
};
enum { N_OWNERS = sizeof owners / sizeof owners[0] };

struct options {
    const struct verb_words *verb;
    const char *words[2];
    int n_words;
    bool given[N_OWNERS]; /* by place in owners */
    const char *platform, *from, *to, *out;
    unsigned long long seed;
    bool has_ccr, json;
    double ccr;
    struct dag_read_options read;
};

/* ---- the command line ---- */

static void parse_word(struct options *o, const char *arg, const struct argp_state *state)
{
    for (int i = 0; o->verb == NULL && i < N_VERBS; i++)
        if (strcmp(arg, verbs[i].name) == 0) {
            o->verb = &verbs[i];
            return;
        }
    if (o->verb == NULL)
        argp_error(state, "unknown '%s'; known: info, convert, generate", arg);
    else if (o->n_words == o->verb->n_words)
        argp_error(state, "%s takes %s: '%s' is too much", o->verb->name, o->verb->words, arg);
    else
        o->words[o->n_words++] = arg;
}

static const char *option_name(int key)
{
    const struct argp_option *x = options;
    while (x->key != key)
        x++;
    return x->name;
}

static void check_owners(const struct options *o, const struct argp_state *state)
{
    for (int i = 0; i < N_OWNERS; i++) {
        if (!o->given[i] || (owners[i].verbs & o->verb->verb) != 0)
            continue;
        struct text known = {0};
        for (int v = 0; v < N_VERBS; v++)
            if ((owners[i].verbs & verbs[v].verb) != 0)
                text_addf(&known, "%s%s", known.size ? ", " : "", verbs[v].name);
        argp_error(state, "%s has no --%s; it belongs to: %s", o->verb->name, option_name(owners[i].key),
                   text_str(&known));
    }
}

static void check_complete(const struct options *o, struct argp_state *state)
{
    if (o->verb == NULL)
        argp_error(state, "what to do is missing; known: info, convert, generate");
    if (o->n_words < o->verb->n_words)
        argp_error(state, "%s takes %s: %s", o->verb->name, o->verb->words, o->n_words ? "one is missing" : "missing");
    check_owners(o, state);
    if (o->verb->verb == GENERATE) {
        bool has_seed = false;
        for (int i = 0; i < N_OWNERS; i++)
            has_seed |= owners[i].key == 's' && o->given[i];
        command_require(state, "seed", has_seed);
    }
    if (o->has_ccr && o->platform == NULL)
        argp_error(state, "--ccr is a ratio on a platform: option --platform is missing");
    if (!o->has_ccr && o->platform != NULL && o->verb->verb != INFO)
        argp_error(state, "--platform says where --ccr is to hold: option --ccr is missing");
}

static void note_option(struct options *o, int key)
{
    for (int i = 0; i < N_OWNERS; i++)
        o->given[i] |= owners[i].key == key;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    note_option(o, key);
    switch (key) {
    case 'p':
        o->platform = command_input(arg);
        return 0;
    case 'f': /* check_owners: of either info or generate */
        o->from = o->to = arg;
        return 0;
    case OPT_FROM:
        o->from = arg;
        return 0;
    case OPT_TO:
        o->to = arg;
        return 0;
    case 's':
        o->seed = (unsigned long long)command_integer(state, "seed", arg, 0, INT64_MAX);
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case OPT_CCR:
        o->ccr = command_number(state, "ccr", arg, 0, 1e12);
        o->has_ccr = true;
        return 0;
    case OPT_FLOP:
        o->read.reference_flop_per_s = graph_input_flop_per_s(state, arg);
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        parse_word(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        check_complete(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "info GRAPH\nconvert IN OUT\ngenerate NAME[PARAMETER=VALUE,...]",
    "Tells about a task graph, converts it to another file format, or generates one. The format of a file is told by "
    "its "
    "extension or its content, if not by an option; '-' is standard input or output. `iasim list graph_formats` and "
    "`iasim list generators` tell what is known.\v"
    "The CCR of a graph on a platform is the mean time of its data on a link, summed over edges, divided by the mean "
    "time of its work on a host, summed over tasks. info's parallelism is all work divided by that of the critical "
    "path, "
    "which has the most work of all paths; data do not count.\n\n"
    "Examples:\n"
    "  iasim graph generate 'layered[tasks=50,width=8]' --seed 7 --ccr 1 --platform platforms/sinnen-star-full.xml "
    "--out g.dot\n"
    "  iasim graph info g.dot --platform platforms/sinnen-star-full.xml\n"
    "  iasim graph convert g.dot g.json\n",
    NULL,
    NULL,
    NULL};

/* ---- files ---- */

static enum err_code read_graph(const struct options *o, struct dag *g, struct err *e)
{
    const struct dag_format *format = NULL;
    bool is_stdin = strcmp(o->words[0], "-") == 0;
    if (o->from != NULL && dag_format_find(o->from, &format, e) != ERR_NONE)
        return ERR_INPUT;
    return dag_read(is_stdin ? "/dev/stdin" : command_input(o->words[0]), format, &o->read, g, e);
}

static bool is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static enum err_code refuse_writing(const struct dag_format *format, struct err *e)
{
    struct text known = {0};
    for (size_t i = 0; dag_formats[i] != NULL; i++)
        if (dag_formats[i]->write != NULL)
            text_addf(&known, "%s%s", known.size ? ", " : "", dag_formats[i]->name);
    err_set(e, ERR_INPUT, "format %s can be read but not written; to write there are: %s", format->name,
            text_str(&known));
    text_clear(&known);
    return ERR_INPUT;
}

/* Told before anything is made. `usual` is that of standard output; NULL: none. */
static enum err_code choose_output_format(const struct options *o, const char *path, const char *usual,
                                          const struct dag_format **out, struct err *e)
{
    const char *name = o->to != NULL ? o->to : is_stdout(path) ? usual : NULL;
    enum err_code code;
    if (name == NULL && is_stdout(path))
        return err_set(e, ERR_USAGE, "standard output has no extension that tells the format: option --to is missing");
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

/* The routes' machine lives as long as the process. */
static enum err_code open_routes(const char *platform, struct route_table *out, struct err *e)
{
    struct engine *engine;
    enum err_code code = engine_open(platform, &engine, e);
    return code == ERR_NONE ? route_table_init(out, engine_machine(engine), e) : code;
}

static enum err_code meet_ccr(const struct options *o, struct dag *g, struct err *e)
{
    struct route_table routes;
    if (!o->has_ccr)
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
};

/* From the task that has most work on a path from it, to the successor of which the same is true; the first in the file
   of several. */
static void find_critical_path(const struct dag *g, struct info *x)
{
    size_t n = (size_t)g->n_tasks;
    double *work = mem_alloc(n * sizeof *work), *below = mem_alloc(n * sizeof *below);
    for (task_id t = 0; t < g->n_tasks; t++)
        work[t] = g->tasks[t].work_flop;
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

static enum err_code add_platform(const char *platform, const struct dag *g, struct info *x, struct err *e)
{
    struct route_table routes;
    if (platform == NULL)
        return ERR_NONE;
    enum err_code code = open_routes(platform, &routes, e);
    if (code != ERR_NONE)
        return code;
    struct problem p = {.dag = g, .machine = routes.machine, .routes = &routes};
    code = problem_check_times(&p, e);
    x->has_platform = true;
    x->ccr = dag_ccr(g, &routes);
    x->path_bound_s = problem_critical_path_s(&p);
    x->work_bound_s = problem_work_bound_s(&p);
    x->sequential_s = problem_sequential_s(&p, NULL);
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
    add_row(t, "width", x->shape.width, "most tasks of one depth");
    add_row(t, "work", x->work_flop, "flop, of all tasks");
    add_row(t, "volume", x->volume_bytes, "bytes, of all edges");
    add_row(t, "critical path", x->path_flop, "flop");
    add_row(t, "parallelism", parallelism(x), "work / critical path");
    if (x->has_platform) {
        add_row(t, "CCR", x->ccr, o->platform);
        add_row(t, "critical path bound", x->path_bound_s, "s: no schedule there is shorter");
        add_row(t, "work bound", x->work_bound_s, "s: nor shorter than this");
        add_row(t, "sequential", x->sequential_s, "s: all tasks on the best host");
    }
    table_print(t, stdout);
    table_free(t);
    print_path(g, x);
}

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
    code = add_platform(o->platform, &g, &x, e);
    if (code == ERR_NONE && o->json)
        print_json(o, &g, &x);
    else if (code == ERR_NONE)
        print_text(o, &g, &x);
    free(x.path);
    dag_clear(&g);
    return code;
}

/* ---- convert, generate ---- */

static enum err_code convert(const struct options *o, struct err *e)
{
    struct dag g;
    const struct dag_format *format;
    const char *inputs[] = {o->words[0], o->platform};
    enum err_code code = choose_output_format(o, o->words[1], NULL, &format, e);
    if (code == ERR_NONE && !is_stdout(o->words[1]))
        code = new_file_check_not_input(o->words[1], inputs, 2, e);
    if (code == ERR_NONE)
        code = read_graph(o, &g, e);
    if (code != ERR_NONE)
        return code;
    code = meet_ccr(o, &g, e);
    if (code == ERR_NONE)
        code = write_graph(o, &g, format, o->words[1], e);
    dag_clear(&g);
    return code;
}

static enum err_code generate(const struct options *o, struct err *e)
{
    struct dag g;
    const struct dag_format *format;
    enum err_code code = choose_output_format(o, o->out, "dot", &format, e);
    if (code == ERR_NONE && !is_stdout(o->out))
        code = new_file_check_not_input(o->out, &o->platform, 1, e);
    if (code == ERR_NONE)
        code = dag_generate(o->words[0], o->seed, &g, e);
    if (code != ERR_NONE)
        return code;
    code = meet_ccr(o, &g, e);
    if (code == ERR_NONE)
        code = write_graph(o, &g, format, o->out, e);
    dag_clear(&g);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.read = {DAG_REFERENCE_FLOP_PER_S}};
    command_parse(&argp, argc, argv, &o);
    if (o.verb->verb == INFO)
        return info(&o, e);
    return o.verb->verb == CONVERT ? convert(&o, e) : generate(&o, e);
}

extern const struct command command_graph;
const struct command command_graph = {
    .name = "graph",
    .summary = "tell about, convert or generate task graphs",
    .run = run,
    .simulates = true,
};
