/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim draw`: Gantt charts of plans, as SVG or as text. Nothing is simulated, but the platform is loaded by SimGrid,
   so the command runs in a guarded child like those that simulate. */
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/schedule_inputs.h"
#include "runs/graph_rows.h"

#include <stdio.h>
#include <string.h>

struct options {
    struct run_given given;
    const char *out, *schedules[MOST_SCHEDULES];
};

static const struct command_option options[] = {
    {"out", 'o', "FILE.svg", "write the chart here (default: print it as text)", OPTION_AT(struct options, out),
     .output = true, .values = "*.svg"},
    {NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedules[0]), .required = true, .shipped = true,
     .values = "*.json"},
    {NULL, 0, "OTHER.json", "another schedule of the graph", OPTION_AT(struct options, schedules[1]), .shipped = true,
     .values = "*.json"},
    {0},
};

static enum err_code draw(const struct options *o, const struct schedules *s, struct err *e)
{
    /* Idle hosts and links are folded: of a large machine a schedule often uses a few. */
    struct gantt_subject subject = {.n_layers = s->n, .folds_idle = true};
    for (int i = 0; i < s->n; i++)
        subject.layers[i] = (struct gantt_layer){.name = o->schedules[i], .schedule = &s->list[i]};
    if (o->out != NULL)
        return chart_write(o->out, &subject, e);
    chart_print(&subject, stdout);
    return ERR_NONE;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct schedules s;
    enum err_code code = schedules_open(&s, &o->given, o->schedules, e);
    if (code == ERR_NONE)
        code = draw(o, &s, e);
    schedules_close(&s);
    return code;
}

const struct command command_draw = {
    .name = "draw",
    .summary = "draw the Gantt chart of one or two schedules",
    /* Of the rows of a plan only those that a chart depends on: costs of communication are in the schedule's dates. */
    .kind = &run_plan,
    .without = REPLAY_WITHOUT " costs flop_per_s overhead involvement",
    .planned = "platform graph",
    .size = sizeof(struct options),
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
    .run = run,
    .simulates = true,
};
