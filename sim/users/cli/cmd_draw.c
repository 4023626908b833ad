/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/schedule_inputs.h"
#include "engine/engine.h"
#include "plan/schedule_json.h"
#include "runs/graph_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCHEDULES = GANTT_MOST_LAYERS };

struct options {
    const char *platform, *graph, *format;
    const char *out, *schedules[MOST_SCHEDULES];
};

static const struct command_option options[] = {
    {"platform", 'p', "FILE", "SimGrid platform (default: the one that the schedule names)",
     OPTION_AT(struct options, platform), .shipped = true, .values = "platforms/ *.xml"},
    {"graph", 'g', "FILE", "the task graph (default: the one that the schedule names)",
     OPTION_AT(struct options, graph), .shipped = true, .values = GRAPH_FILES},
    {"format", 'f', "NAME", "format of the graph (default: detected from name and content)",
     OPTION_AT(struct options, format), .values = "graph_formats"},
    {"out", 'o', "FILE.svg", "write the chart here (default: print it as text)", OPTION_AT(struct options, out),
     .values = "*.svg"},
    {NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedules[0]), .required = true, .shipped = true,
     .values = "*.json"},
    {NULL, 0, "OTHER.json", "another schedule of the graph", OPTION_AT(struct options, schedules[1]), .shipped = true,
     .values = "*.json"},
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about =
        "Draws the Gantt chart of a schedule, or of two schedules of one graph on one platform: then every host and "
        "link has two lanes, one for each schedule, on one time axis. Hosts and links on which nothing is planned "
        "are left out and counted. `iasim replay --gantt` draws what becomes of a schedule.",
    .examples = "# HEFT with what it believes of communication, and without.\n"
                "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model classic --scheduler heft --out a.json\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model involvement --scheduler heft --out b.json\n"
                "iasim draw a.json b.json --out ab.svg\n"
                "iasim draw b.json\n",
};

/* ---- work ---- */

static enum err_code draw(const struct options *o, const struct schedule *schedules, int n, struct err *e)
{
    struct gantt_subject subject = {.n_layers = n, .folds_idle = true};
    for (int i = 0; i < n; i++)
        subject.layers[i] = (struct gantt_layer){.name = o->schedules[i], .schedule = &schedules[i]};
    if (o->out != NULL)
        return chart_write(o->out, &subject, e);
    chart_print(&subject, stdout);
    return ERR_NONE;
}

static enum err_code draw_schedules(const struct options *o, const struct problem *p, struct err *e)
{
    struct problem problems[MOST_SCHEDULES]; /* each with the model of its file */
    struct schedule schedules[MOST_SCHEDULES];
    int n = 0;
    enum err_code code = ERR_NONE;
    while (n < MOST_SCHEDULES && o->schedules[n] != NULL && code == ERR_NONE) {
        problems[n] = *p;
        code = schedule_read_json(o->schedules[n], &problems[n], &schedules[n], e);
        n += code == ERR_NONE;
    }
    if (code == ERR_NONE)
        code = draw(o, schedules, n, e);
    while (n > 0)
        schedule_clear(&schedules[--n]);
    return code;
}

/* On the machine and for the graph of a plan. */
static enum err_code draw_on(const struct options *o, struct err *e)
{
    struct param_set *params = param_set_create(run_params(&run_plan));
    struct graph_point g = {0};
    struct point p;
    enum err_code code = param_set_value(params, "the command", "platform", o->platform, e);
    if (code == ERR_NONE)
        code = param_set_value(params, "the command", "graph", o->graph, e);
    if (code == ERR_NONE && o->format != NULL)
        code = param_set_value(params, "the command", "format", o->format, e);
    if (code == ERR_NONE)
        code = run_options_point(&run_plan, params, NO_SEED, &p, e);
    if (code == ERR_NONE)
        code = graph_point_problem(&g, &p, e);
    if (code == ERR_NONE)
        code = draw_schedules(o, &g.problem, e);
    graph_point_clear(&g);
    param_set_free(params);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    command_parse(&usage, argc, argv, &o);
    enum err_code code = schedule_inputs(o.schedules, o.schedules[1] != NULL ? 2 : 1, &o.platform, &o.graph, e);
    if (code == ERR_NONE)
        code = chart_check(o.out, (const char *[]){o.platform, o.graph, o.schedules[0], o.schedules[1]}, 4, e);
    if (code == ERR_NONE)
        code = draw_on(&o, e);
    return code;
}

extern const struct command command_draw;
const struct command command_draw = {
    .name = "draw",
    .summary = "draw the Gantt chart of one or two schedules",
    .usage = &usage,
    .run = run,
    .simulates = true,
};
