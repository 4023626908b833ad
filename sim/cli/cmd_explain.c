/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A process simulates once (engine/engine.h). So children of this one, which has loaded the platform, find out what is on the
   chain, and simulate the what-ifs; then it carries the schedule out itself. */
#include "base/isolate.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/graph_input.h"
#include "cli/noise_input.h"
#include "explain/alone.h"
#include "explain/what_if.h"
#include "plan/schedule_json.h"
#include "report/explain_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct graph_input in;
    const char *costs, *world, *links, *waiting, *schedule;
    struct noise_input noise;
    int n_each;
    bool json;
};

static const struct command_option options[] = {
    GRAPH_INPUT_OPTIONS(struct options, in),
    OPTION_COSTS(struct options, costs),
    OPTIONS_IR(struct options, in.values),
    {"world", 'w', "WORLD", "what communication costs the processor", OPTION_AT(struct options, world),
     .required = true, .values = "models:world"},
    {"links", 'l', "fluid|exclusive",
     "fluid (default): transfers share bandwidth; exclusive: a link carries one at a time, in the schedule's order",
     OPTION_AT(struct options, links)},
    {"waiting", 'a', "passive|active", "what a processor does while data are under way, as in replay (default passive)",
     OPTION_AT(struct options, waiting)},
    OPTIONS_NOISE(struct options, noise),
    {"what-ifs", 'n', "N",
     "try changes of the N hosts, N links and N edges with the largest parts of the chain "
     "(default 5; 0: none, and no other change either)",
     OPTION_AT(struct options, n_each), .min = 0, .max = WHAT_IF_MOST},
    OPTION_JSON(struct options),
    {NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedule), .required = true, .shipped = true,
     .values = "*.json"},
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about =
        "Carries out a schedule on the simulated machine, as replay does, and shows what made it as long as it was: "
        "the critical chain from 0 to the makespan, segment by segment; what each cause, host and link adds to it; "
        "and what the makespan would be after changes, each of them simulated.",
    .notes =
        "The chain goes back from the task that ends last: what ended last of what an item waited for is before it, "
        "its "
        "data, or an item that its processor, link or port takes before it. Within a task, and within a transfer, "
        "segments are shares of its time: \"computing\" is the time the task takes at the platform's speed, \"slowed "
        "by\" a flow is what this flow took of the processor. \"transfer\" is the time it takes alone, \"sharing\" "
        "what is lost to others on the link that limits it. \"waiting\" is work of another item, whose data the "
        "waiting one does not need, while the waiting one stands ready.\n\n"
        "Changes: without interference, contention (every link is a FATPIPE), overheads or involvement; a host that "
        "computes twice as fast; a link with twice the bandwidth; an edge whose data are there at once. Everything "
        "else stays, above all the order of the schedule.",
    .examples = "# Where did the time go?\n"
                "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model classic --out s.json\n"
                "iasim explain --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --world involvement s.json\n",
};

/* ---- in children ---- */

struct study { /* what the children work on; `shared` is memory that they fill */
    struct engine *engine;
    const struct schedule *schedule;
    const struct replay_options *how;
    int n_each;
    struct shared {
        size_t n_what_ifs, n_left_out;
        struct what_if what_ifs[N_WHAT_IF_KINDS + 3 * WHAT_IF_MOST];
        double alone_bytes_per_s[]; /* [edge]; before it is measured 1: to be measured */
    } * shared;
    size_t size;
    struct what_if *what_if; /* the one to simulate */
};

/* Runs the replay and finds the chain. Both are cleared by the caller, whatever is returned. */
static enum err_code explain(const struct study *x, const double *alone_bytes_per_s, struct replay_record *record,
                             struct explanation *out, struct err *e)
{
    struct replay_result result;
    struct replay_options how = *x->how;
    how.record = record;
    enum err_code code = replay_run(x->engine, x->schedule, &how, &result, e);
    if (code == ERR_NONE)
        explain_find(record, &result, how.world, alone_bytes_per_s, out);
    replay_result_clear(&result);
    return code;
}

static enum err_code find_what_to_ask(void *self, struct err *e)
{
    const struct study *x = self;
    struct replay_record record = {0};
    struct explanation found = {0};
    enum err_code code = explain(x, NULL, &record, &found, e);
    if (code == ERR_NONE && x->n_each > 0) {
        struct what_if *list =
            what_if_choose(&found, x->how->world, x->n_each, &x->shared->n_what_ifs, &x->shared->n_left_out);
        memcpy(x->shared->what_ifs, list, x->shared->n_what_ifs * sizeof *list);
        free(list);
    }
    for (size_t i = 0; i < found.n && !record.plan.is_exclusive; i++)
        if (found.segments[i].cause == CAUSE_TRANSFER || found.segments[i].cause == CAUSE_SHARING ||
            found.segments[i].cause == CAUSE_SLOW_LINK)
            x->shared->alone_bytes_per_s[found.segments[i].item.edge] = 1;
    explanation_clear(&found);
    replay_record_clear(&record);
    return code;
}

static enum err_code measure_alone(void *self, struct err *e)
{
    const struct study *x = self;
    (void)e;
    explain_alone(x->engine, x->schedule, x->shared->alone_bytes_per_s);
    return ERR_NONE;
}

static enum err_code simulate_what_if(void *self, struct err *e)
{
    const struct study *x = self;
    return what_if_replay(x->engine, x->schedule, x->how, x->what_if, e);
}

/* What children cannot do is left out; why a replay fails is found again by this process. */
static void ask_children(struct study *x)
{
    if (isolate_run(find_what_to_ask, x, NULL) != ERR_NONE)
        return;
    if (isolate_run(measure_alone, x, NULL) != ERR_NONE)
        memset(x->shared->alone_bytes_per_s, 0, x->size - sizeof *x->shared);
    for (size_t i = 0; i < x->shared->n_what_ifs; i++) {
        x->what_if = &x->shared->what_ifs[i];
        isolate_run(simulate_what_if, x, NULL);
    }
    what_if_sort(x->shared->what_ifs, x->shared->n_what_ifs);
}

/* ---- work ---- */

static enum err_code explain_and_print(const struct options *o, struct study *x, struct err *e)
{
    struct replay_record record = {0};
    struct explanation found = {0};
    x->size = sizeof *x->shared + (size_t)x->schedule->problem.dag->n_edges * sizeof(double);
    x->shared = isolate_shared(x->size);
    if (x->shared == NULL)
        return err_set(e, ERR_INTERNAL, "out of memory");
    ask_children(x);
    enum err_code code = explain(x, x->shared->alone_bytes_per_s, &record, &found, e);
    struct explain_report report = {&found, x->shared->what_ifs, x->shared->n_what_ifs, x->shared->n_left_out};
    if (code == ERR_NONE && o->json)
        command_print_json(explain_report_json(&report));
    else if (code == ERR_NONE)
        explain_report_print(&report, stdout);
    explanation_clear(&found);
    replay_record_clear(&record);
    isolate_unshare(x->shared, x->size);
    return code;
}

static enum err_code explain_on_platform(const struct options *o, const struct dag *g, const struct replay_options *how,
                                         struct err *e)
{
    struct study x = {.how = how, .n_each = o->n_each};
    struct route_table routes;
    struct schedule schedule;
    enum err_code code = machine_input_open(o->in.platform, &o->in.values, &x.engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&routes, engine_machine(x.engine), e);
    if (code != ERR_NONE)
        return code;
    struct problem problem = {.dag = g, .machine = engine_machine(x.engine), .routes = &routes};
    struct task_costs costs = {0};
    machine_input_warn(world_warning(how->world, problem.machine));
    if (o->costs != NULL) {
        code = task_costs_read(o->costs, g, problem.machine, &costs, e);
        problem.costs = &costs;
    }
    if (code == ERR_NONE)
        code = schedule_read_json(o->schedule, &problem, &schedule, e);
    if (code == ERR_NONE) {
        x.schedule = &schedule;
        code = explain_and_print(o, &x, e);
        schedule_clear(&schedule);
    }
    task_costs_clear(&costs);
    route_table_clear(&routes);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.in = GRAPH_INPUT_DEFAULTS,
                        .links = "fluid",
                        .waiting = "passive",
                        .noise.seed = NOISE_INPUT_NO_SEED,
                        .n_each = 5};
    command_parse(&usage, argc, argv, &o);
    struct replay_options how = {.links = strcmp(o.links, "exclusive") == 0 ? REPLAY_EXCLUSIVE : REPLAY_FLUID,
                                 .waiting = strcmp(o.waiting, "active") == 0 ? REPLAY_ACTIVE : REPLAY_PASSIVE,
                                 .schedule_path = o.schedule};
    struct dag graph = {0};
    struct noise noise = {0};
    enum err_code code = world_find(o.world, &how.world, e);
    if (code == ERR_NONE)
        code = noise_input_read(&o.noise, &noise, e);
    if (code == ERR_NONE)
        code = graph_input_read(&o.in, &graph, e);
    if (code == ERR_NONE) {
        how.noise = o.noise.text != NULL ? &noise : NULL;
        code = explain_on_platform(&o, &graph, &how, e);
        dag_clear(&graph);
    }
    noise_clear(&noise);
    return code;
}

extern const struct command command_explain;
const struct command command_explain = {
    .name = "explain",
    .summary = "show what made a replay as long as it was",
    .usage = &usage,
    .run = run,
    .simulates = true,
};
