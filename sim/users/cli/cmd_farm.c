/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "actors/actors.h"
#include "actors/farm_actors.h"
#include "base/mem.h"
#include "base/new_file.h"
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/machine_input.h"
#include "cli/noise_input.h"
#include "engine/farm_run.h"
#include "explain/farm_losses.h"
#include "html/farm_html.h"
#include "html/html.h"
#include "report/farm_losses_report.h"
#include "report/farm_report.h"
#include "report/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *platform, *deployment, *policy, *world, *trace, *gantt, *html, *actor;
    unsigned engine;
    struct farm_app app;
    struct machine_values values;
    struct noise_input noise;
    bool text, explain, json;
};

static double bytes_of_mb(double mb)
{
    return rint(mb * 1e6);
}

static const struct command_option options[] = {
    OPTION_PLATFORM(struct options, platform),
    OPTION_DEPLOYMENT(struct options, deployment),
    {"policy", 'P', "NAME[k=v,..]", "which child a node serves next; `iasim list policies` lists them",
     OPTION_AT(struct options, policy), .required = true, .values = "policies"},
    {"tasks", 'n', "N", "tasks, all at the root (default 1000)", OPTION_AT(struct options, app.n_tasks), .min = 1,
     .max = 100000000},
    {"send-size", 0, "MB", "size of a task, taken to the whole byte", OPTION_AT(struct options, app.task_bytes),
     .required = true, .min = 1e-6, .max = 9e9, .convert = bytes_of_mb},
    {"compute-size", 0, "UNITS", "work of a task; a unit is 1 flop", OPTION_AT(struct options, app.task_flop),
     .required = true, .min = 1e-9, .max = 1e18},
    {"buffers", 'b', "B", "task slots of every node but the root (default 2)", OPTION_AT(struct options, app.n_buffers),
     .min = 1, .max = 1000000},
    {"request-size", 0, "MB", "size of a request (default 0: takes no time)",
     OPTION_AT(struct options, app.request_bytes), .min = 1e-6, .max = 9e9, .or_zero = true, .convert = bytes_of_mb},
    OPTION_WORLD(struct options, world),
    OPTIONS_IR(struct options, values),
    OPTIONS_OCCUPATION(struct options, values),
    OPTIONS_NOISE(struct options, noise),
    {"engine", 'e', "events|actors", "a state machine (default), or SimGrid actors of which each node has its own",
     OPTION_AT(struct options, engine)},
    {"actor", 0, "NAME",
     "what runs at each node under --engine actors (default farm_node); `iasim list actors` lists them",
     OPTION_AT(struct options, actor), .values = "actors"},
    {"trace", 't', "FILE", "write every event: " TRACE_HELP ". " TRACE_RATES_HELP, OPTION_AT(struct options, trace),
     .values = "*.csv *.json *.paje *.trace"},
    {"gantt", 'G', "FILE.svg",
     "draw a Gantt chart: what each node computes, receives and sends, the time that transfers stole hatched, and "
     "links that several children share (--engine events only)",
     OPTION_AT(struct options, gantt), .values = "*.svg"},
    {"html", 'H', "FILE.html",
     "write a page for browsers: what each node did, with zoom; where its time went, and what it loses against the "
     "bound (--engine events only)",
     OPTION_AT(struct options, html), .values = "*.html"},
    {"text", 0, NULL, "print such a chart as text (to standard error beside JSON)", OPTION_AT(struct options, text)},
    {"explain", 'x', NULL, "first show where the time of each node went, and what keeps the farm below its bound",
     OPTION_AT(struct options, explain)},
    OPTION_JSON(struct options),
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about = "Runs a farm of independent tasks on a tree of hosts, with communication slowing computation down.",
    .notes =
        "With --explain: the time of each node is what it computed, what transfers stole meanwhile (by its own sends "
        "and "
        "receives; --engine actors does not know which), what it was idle for want of a task (starved), and what was "
        "left "
        "after its last task (done). The bound is that of `iasim bound` for as many ports as the policy uses, with its "
        "constraint that holds the node. The farm's rate is its tasks over the makespan, so start-up and wind-down are "
        "losses as well: a node that waits for its first task, or has computed its last one, loses its share of the "
        "bound "
        "meanwhile. In between it loses what it starves for longer than in the bound, and what transfers take beyond "
        "what "
        "the bound charges; the rest is a speed that is not the believed one (noise, say). What a node computes beyond "
        "its share is shifted to it from others. In the world none the bound "
        "charges nothing either; in a world other than these two a farm may exceed it.",
    .examples = "# The paper's fork, tasks of 2 MB and 5 work units.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5\n"
                "# The same with SimGrid actors.\n"
                "iasim farm --platform platforms/kreaseck-fork.xml \\\n"
                "  --deployment deployments/kreaseck-fork.xml \\\n"
                "  --policy ia_multi --send-size 2 --compute-size 5 --engine actors\n"
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
};

static void print(const struct options *o, const struct farm_report *report, const struct farm_losses *losses)
{
    json_t *root = o->json ? farm_report_json(report) : NULL;
    if (root != NULL && losses != NULL)
        json_object_set_new(root, "explain", farm_losses_json(losses, report->tree));
    if (root != NULL) {
        command_print_json(root);
        return;
    }
    if (losses != NULL) {
        farm_losses_print(losses, report->tree, stdout);
        putchar('\n');
    }
    farm_report_print(report, stdout);
}

static bool has_chart(const struct options *o)
{
    return o->gantt != NULL || o->text;
}

static enum err_code draw(const struct options *o, const struct machine *m, const struct farm_report *r, struct err *e)
{
    struct gantt_farm farm = {r->tree, m, r->options, r->result};
    struct gantt_subject subject = {.n_layers = 1, .farm = &farm};
    enum err_code code = o->gantt != NULL ? chart_write(o->gantt, &subject, e) : ERR_NONE;
    if (code == ERR_NONE && o->text)
        chart_print(&subject, o->json ? stderr : stdout);
    return code;
}

static enum err_code write_page(const struct options *o, const struct farm_report *r, const struct farm_losses *losses,
                                struct err *e)
{
    char *title = mem_format("%s on %s", o->deployment, o->platform);
    struct html_page *page = html_page_create(title);
    html_page_add(page, "farm", "",
                  farm_html_json(&(struct farm_html){r->tree, r->options, r->result, r->options->record, losses}));
    enum err_code code = html_page_write(page, o->html, e);
    html_page_free(page);
    free(title);
    return code;
}

static enum err_code report(const struct options *o, const struct machine *m, const struct farm_report *r,
                            struct err *e)
{
    struct farm_losses losses = {0};
    enum err_code code = has_chart(o) ? draw(o, m, r, e) : ERR_NONE;
    if (code == ERR_NONE && (o->explain || o->html != NULL))
        code = farm_losses_find(r->tree, m, r->options, r->result, &losses, e);
    if (code == ERR_NONE && o->html != NULL)
        code = write_page(o, r, &losses, e);
    if (code == ERR_NONE)
        print(o, r, o->explain ? &losses : NULL);
    farm_losses_clear(&losses);
    return code;
}

static enum err_code run_farm(const struct options *o, struct engine *engine, const struct tree *tree,
                              const struct farm_run_options *how, struct farm_run_result *result, struct err *e)
{
    const struct farm_deployment deployment = {.path = o->deployment};
    if (o->engine == FARM_EVENTS)
        return farm_run(engine, tree, how, result, e);
    return farm_actors_run(engine, tree, &deployment, farm_actor_find(o->actor), how, result, e);
}

/* The trace appears only when the run has succeeded. */
static enum err_code run_traced(const struct options *o, struct engine *engine, const struct tree *tree,
                                struct farm_run_options *how, struct err *e)
{
    struct trace *trace = NULL;
    struct farm_run_result result = {0};
    struct farm_record record = {0};
    how->record = has_chart(o) || o->html != NULL ? &record : NULL;
    enum err_code code = ERR_NONE;
    if (o->trace != NULL) {
        bool knows_rates = o->engine == FARM_EVENTS && trace_shows_rates(o->trace);
        code = trace_open(o->trace, tree, knows_rates ? engine_machine(engine) : NULL, &trace, e);
        how->trace = trace_event;
        how->trace_rate = knows_rates ? trace_rate : NULL;
        how->trace_speed = knows_rates ? trace_speed : NULL;
        how->trace_self = trace;
    }
    if (code == ERR_NONE)
        code = run_farm(o, engine, tree, how, &result, e);
    enum err_code closing = trace_close(trace, code == ERR_NONE, e);
    if (code == ERR_NONE)
        code = closing;
    if (code == ERR_NONE)
        code = report(o, engine_machine(engine),
                      &(struct farm_report){tree, how, &result, o->engine == FARM_ACTORS ? "actors" : NULL,
                                            strcmp(o->actor, "farm_node") != 0 ? o->actor : NULL},
                      e);
    farm_run_result_clear(&result);
    farm_record_clear(&record);
    return code;
}

static enum err_code check_outputs(const struct options *o, struct err *e)
{
    const char *const inputs[] = {o->platform, o->deployment};
    if (o->engine == FARM_ACTORS && (has_chart(o) || o->html != NULL))
        return err_set(e, ERR_USAGE, "%s --engine events, which records the rates of transfers",
                       has_chart(o) ? "charts need" : "a page needs");
    enum err_code code = new_file_check_not_input(o->trace, inputs, 2, e);
    if (code == ERR_NONE)
        code = chart_check(o->gantt, inputs, 2, e);
    if (code == ERR_NONE)
        code = html_check(o->html, inputs, 2, e);
    return code == ERR_NONE ? chart_check_apart((const char *[]){o->trace, o->gantt, o->html}, 3, e) : code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.world = "interference",
                        .actor = "farm_node",
                        .app = {.n_tasks = 1000, .n_buffers = 2},
                        .noise.seed = NOISE_INPUT_NO_SEED};
    command_parse(&usage, argc, argv, &o);
    struct policy_choice policy = {0};
    struct farm_run_options how = {.app = o.app, .policy = &policy, .splits_stolen = o.explain || o.html != NULL};
    struct engine *engine;
    const struct farm_actor *actor;
    struct tree tree = {0};
    struct noise noise = {0};
    enum err_code code = check_outputs(&o, e);
    if (code == ERR_NONE)
        code = policy_choose(o.policy, &policy, e);
    if (code == ERR_NONE)
        code = world_find_of_networks(o.world, &how.world, e);
    if (code == ERR_NONE)
        code = farm_actor_choose(o.actor, &actor, e);
    if (code == ERR_NONE)
        code = farm_engine_check(o.engine, how.world, actor, e);
    if (code == ERR_NONE)
        code = noise_input_read(&o.noise, &noise, e);
    how.noise = o.noise.text != NULL ? &noise : NULL;
    if (code == ERR_NONE)
        code = deployment_read(o.deployment, &tree, e);
    if (code == ERR_NONE && o.engine == FARM_ACTORS)
        code = actors_prepare(e);
    if (code == ERR_NONE)
        code = machine_input_open(o.platform, &o.values, &engine, e);
    if (code == ERR_NONE)
        command_show_progress(engine);
    if (code == ERR_NONE)
        code = tree_bind(&tree, engine_machine(engine), e);
    if (code == ERR_NONE) {
        machine_input_warn(world_warning(how.world, engine_machine(engine)));
        machine_input_warn(tree_far_beliefs(&tree, engine_machine(engine)));
        code = run_traced(&o, engine, &tree, &how, e);
    }
    tree_clear(&tree);
    noise_clear(&noise);
    policy_choice_clear(&policy);
    return code;
}

extern const struct command command_farm;
const struct command command_farm = {
    .name = "farm",
    .summary = "run a task farm on a tree of hosts",
    .usage = &usage,
    .run = run,
    .simulates = true,
};
