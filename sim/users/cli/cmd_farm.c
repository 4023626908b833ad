/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim farm`: one run of a farm in full. Its figures are those of a point of the experiment farm
   (runs/farm_outcome.h). Pictures and explanations need a record of the run, which is asked for before it; they are
   made after it. */
#include "base/mem.h"
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "explain/farm_losses.h"
#include "html/farm_html.h"
#include "html/html.h"
#include "report/farm_report.h"
#include "report/point_report.h"
#include "report/trace.h"
#include "runs/farm_outcome.h"
#include "runs/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct run_given given;
    const char *trace, *gantt, *html;
    bool text, explain, json;
};

static const struct command_option options[] = {
    OPTION_SEED_OF(struct options, "of --noise and --arrival: the same seed gives the same draws (default 1)"),
    {"trace", 't', "FILE", "write every event: " TRACE_HELP ". " TRACE_RATES_HELP, OPTION_AT(struct options, trace),
     .output = true, .values = "*.csv *.json *.paje *.trace"},
    {"gantt", 'G', "FILE.svg",
     "draw a Gantt chart: what each node computes, receives and sends, the time that transfers stole hatched, and "
     "links that several children share (--engine events only)",
     OPTION_AT(struct options, gantt), .output = true, .values = "*.svg"},
    {"html", 'H', "FILE.html",
     "write a page for browsers: what each node did, with zoom; where its time went, and what it loses against the "
     "bound (--engine events only)",
     OPTION_AT(struct options, html), .output = true, .values = "*.html"},
    {"text", 0, NULL, "also print the chart as text (on stderr with --json)", OPTION_AT(struct options, text)},
    {"explain", 'x', NULL, "first show where the time of each node went, and what keeps the farm below its bound",
     OPTION_AT(struct options, explain)},
    OPTION_JSON(struct options),
    {0},
};

/* With --explain the losses come first in the text, since the table of nodes may be long, and as a member in JSON. */
static void print(const struct options *o, const struct farm_outcome *x, const struct farm_losses *losses)
{
    /* Parameters that farm_report_json shows by itself; point_report_given adds the others that were given. */
    static const char *const shown[] = {"engine", "actor", "noise", NULL};
    json_t *root = o->json ? farm_report_json(x, point_report_given(&run_farm, o->given.params, shown)) : NULL;
    if (root != NULL && losses != NULL)
        json_object_set_new(root, "explain", farm_losses_json(losses, x->point.tree));
    if (root != NULL) {
        command_print_json(root);
        return;
    }
    if (losses != NULL) {
        farm_losses_print(losses, x->point.tree, stdout);
        putchar('\n');
    }
    farm_report_print(x, stdout);
}

static bool has_chart(const struct options *o)
{
    return o->gantt != NULL || o->text;
}

static bool is_by_actors(const struct options *o)
{
    return row_is(o->given.params, "engine", "actors");
}

static enum err_code draw(const struct options *o, const struct farm_outcome *x, struct err *e)
{
    struct gantt_farm farm = {x->point.tree, engine_machine(x->point.engine), &x->how, &x->result};
    struct gantt_subject subject = {.n_layers = 1, .farm = &farm};
    enum err_code code = o->gantt != NULL ? chart_write(o->gantt, &subject, e) : ERR_NONE;
    if (code == ERR_NONE && o->text)
        /* Standard output has the JSON alone. */
        chart_print(&subject, o->json ? stderr : stdout);
    return code;
}

/* The section has no title of its own: the page has one section, and its title names deployment and platform. */
static enum err_code write_page(const struct options *o, const struct farm_outcome *x, const struct farm_losses *losses,
                                struct err *e)
{
    char *title =
        mem_format("%s on %s", param_text(o->given.params, "deployment"), param_text(o->given.params, "platform"));
    struct html_page *page = html_page_create(title);
    html_page_add(page, "farm", "",
                  farm_html_json(&(struct farm_html){x->point.tree, &x->how, &x->result, x->how.record, losses}));
    enum err_code code = html_page_write(page, o->html, e);
    html_page_free(page);
    free(title);
    return code;
}

/* Files before the figures: a file that cannot be written leaves no result that looks complete. The losses are needed
   by page and --explain alike, and computed once. */
static enum err_code report(const struct options *o, const struct farm_outcome *x, struct err *e)
{
    struct farm_losses losses = {0};
    enum err_code code = has_chart(o) ? draw(o, x, e) : ERR_NONE;
    if (code == ERR_NONE && (o->explain || o->html != NULL))
        code = farm_losses_find(x->point.tree, engine_machine(x->point.engine), &x->how, &x->result, &losses, e);
    if (code == ERR_NONE && o->html != NULL)
        code = write_page(o, x, &losses, e);
    if (code == ERR_NONE)
        print(o, x, o->explain ? &losses : NULL);
    farm_losses_clear(&losses);
    return code;
}

static enum err_code open_trace(const struct options *o, struct farm_outcome *x, struct trace **trace, struct err *e)
{
    /* Actors do not report rates; a trace of theirs has only events. */
    bool knows_rates = !is_by_actors(o) && trace_shows_rates(o->trace);
    const struct machine *m = knows_rates ? engine_machine(x->point.engine) : NULL;
    enum err_code code = trace_open(o->trace, x->point.tree, m, trace, e);
    /* Called for every event while the farm runs. */
    x->how.trace = trace_event;
    x->how.trace_rate = knows_rates ? trace_rate : NULL;
    x->how.trace_speed = knows_rates ? trace_speed : NULL;
    x->how.trace_self = *trace;
    return code;
}

/* The trace is written during the run, as it may be larger than memory, and appears only when the run has succeeded. */
static enum err_code run_and_report(const struct options *o, struct farm_outcome *x, struct err *e)
{
    struct trace *trace = NULL;
    struct farm_record record = {0};
    /* Recording costs memory in proportion to the events, so it is done on demand. */
    x->how.record = has_chart(o) || o->html != NULL ? &record : NULL;
    x->how.splits_stolen = o->explain || o->html != NULL;
    enum err_code code = o->trace != NULL ? open_trace(o, x, &trace, e) : ERR_NONE;
    if (code == ERR_NONE)
        code = farm_outcome_run(x, e);
    /* Closing may fail, too (a full disk), but the run's own error is told first. */
    enum err_code closing = trace_close(trace, code == ERR_NONE, e);
    if (code == ERR_NONE)
        code = closing;
    if (code == ERR_NONE)
        code = report(o, x, e);
    farm_record_clear(&record);
    return code;
}

static enum err_code check(const struct options *o, struct err *e)
{
    /* Before the platform is loaded and the farm has run. */
    if (is_by_actors(o) && (has_chart(o) || o->html != NULL))
        return err_set(e, ERR_USAGE, "%s --engine events, which records the rates of transfers",
                       has_chart(o) ? "charts need" : "a page needs");
    return html_check(o->html, e);
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct farm_outcome x = {0};
    enum err_code code = check(o, e);
    if (code == ERR_NONE)
        code = run_given_begin(&o->given, e);
    if (code == ERR_NONE)
        code = farm_outcome_init(&x, &o->given.point, e);
    if (code == ERR_NONE) {
        const struct machine *m = engine_machine(x.point.engine);
        command_show_progress(x.point.engine);
        run_options_warn(world_warning(x.how.world, m));
        run_options_warn(machine_cores_warning(m));
        run_options_warn(tree_far_beliefs(x.point.tree, m));
        code = run_and_report(o, &x, e);
    }
    farm_outcome_clear(&x);
    return code;
}

const struct command command_farm = {
    .name = "farm",
    .summary = "run a task farm on a tree of hosts",
    .kind = &run_farm,
    /* Rows for sweeps: a farm that is drawn at random (`iasim platform generate` makes one), and the figures of bounds,
       which --explain and `iasim bound` give. */
    .without = "generator instance bounds",
    .asks = "platform deployment",
    .size = sizeof(struct options),
    .options = options,
    .about = "Runs a farm of independent tasks on a tree of hosts, with communication slowing computation down.",
    .notes =
        "With --explain: the time of each node is what it computed, what transfers stole meanwhile (by its own sends "
        "and receives; --engine actors does not know which), what it was idle for want of a task (starved), and what "
        "was left after its last task (done). The bound is that of `iasim bound` for as many ports as the policy uses, "
        "with its constraint that holds the node. The farm's rate is its tasks over the makespan, so start-up and "
        "wind-down are losses as well: a node that waits for its first task, or has computed its last one, loses its "
        "share of the bound meanwhile. In between it loses what it starves for longer than in the bound, and what "
        "transfers take beyond what the bound charges; the rest is a speed that is not the believed one (noise, say). "
        "What a node computes beyond its share is shifted to it from others. In the world none the bound charges "
        "nothing either; in a world other than these two a farm may exceed it. With --arrival a farm also starves for "
        "want of tasks that have not come.",
    .examples = "# The paper's fork, tasks of 2 MB and 5 work units.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5\n"
                "# The same with SimGrid actors.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5 --engine actors\n"
                "# Tasks arrive: how long do they stay at nine tenths of the bound?\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5 \\\n"
                "  --arrival 'poisson[load=0.9]'\n"
                "# The same when the time to send a task to Lab3 varies.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5 \\\n"
                "  --noise size.Lab3=0.7 --seed 7\n"
                "# A picture of it.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5 --tasks 40 --gantt f.svg\n"
                "# In a browser.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5 --html f.html\n"
                "# Why does it not reach the bound?\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy bwc --send-size 2 --compute-size 5 --explain\n",
    .run = run,
    .simulates = true,
};
