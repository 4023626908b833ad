/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A process simulates once (engine/engine.h). So children of this one, which has loaded the platform, find out what is on the
   chain, and simulate the what-ifs; then it carries the schedule out itself. */
#include "cli/cmd_explain.h"
#include "base/isolate.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/replay_input.h"
#include "explain/alone.h"
#include "explain/what_if.h"
#include "plan/schedule_json.h"
#include "report/explain_difference.h"
#include "report/explain_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct replay_input in;
    const char *schedules[2];
    int n_each;
    bool explain, json;
};

#define SCHEDULE_OPTIONS                                                                                               \
    REPLAY_INPUT_OPTIONS(struct options, in), OPTION_JSON(struct options),                                             \
    {                                                                                                                  \
        NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedules[0]),                               \
            .required = true, .shipped = true, .values = "*.json"                                                      \
    }

#define OTHER_SCHEDULE(is_required)                                                                                    \
    {                                                                                                                  \
        NULL, 0, "OTHER.json", "another schedule of the graph", OPTION_AT(struct options, schedules[1]),               \
            .required = is_required, .shipped = true, .values = "*.json"                                               \
    }

static const struct command_option options[] = {
    {"what-ifs", 'n', "N",
     "try changes of the N hosts, N links and N edges with the largest parts of the chain "
     "(default 5; 0: none, and no other change either)",
     OPTION_AT(struct options, n_each), .min = 0, .max = WHAT_IF_MOST},
    SCHEDULE_OPTIONS,
    OTHER_SCHEDULE(false),
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about =
        "Carries out a schedule on the simulated machine, as replay does, and shows what made it as long as it was: "
        "the critical chain from 0 to the makespan, segment by segment; what each cause, host and link adds to it; "
        "and what the makespan would be after changes, each of them simulated. With two schedules of a graph: by which "
        "causes, hosts and links they differ.",
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
                "  --world involvement s.json\n"
                "# Why is another schedule better, or worse?\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model involvement --scheduler heft --out t.json\n"
                "iasim explain --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --world involvement s.json t.json\n",
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
    struct what_if *what_if;   /* the one to simulate */
    struct explain_sums *sums; /* what to fill */
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

static enum err_code take_sums(void *self, struct err *e)
{
    const struct study *x = self;
    const struct machine *m = x->schedule->problem.machine;
    struct replay_record record = {0};
    struct explanation found = {0};
    enum err_code code = explain(x, x->shared->alone_bytes_per_s, &record, &found, e);
    if (code == ERR_NONE) {
        x->sums->makespan_s = found.makespan_s;
        memcpy(x->sums->by_cause_s, found.by_cause_s, sizeof found.by_cause_s);
        memcpy(x->sums->by_host_s, found.by_host_s, m->n_hosts * sizeof(double));
        memcpy(x->sums->by_link_s, found.by_link_s, m->n_links * sizeof(double));
    }
    explanation_clear(&found);
    replay_record_clear(&record);
    return code;
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

/* ---- one schedule ---- */

static enum err_code share_memory(struct study *x, struct err *e)
{
    x->size = sizeof *x->shared + (size_t)x->schedule->problem.dag->n_edges * sizeof(double);
    x->shared = isolate_shared(x->size);
    return x->shared != NULL ? ERR_NONE : err_set(e, ERR_INTERNAL, "out of memory");
}

static enum err_code explain_one(const struct options *o, struct study *x, struct err *e)
{
    struct replay_record record = {0};
    struct explanation found = {0};
    enum err_code code = share_memory(x, e);
    if (code != ERR_NONE)
        return code;
    ask_children(x);
    code = explain(x, x->shared->alone_bytes_per_s, &record, &found, e);
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

/* ---- two schedules ---- */

/* All of it is done by children. */
static enum err_code sum_up(struct study *x, struct explain_sums *sums, struct err *e)
{
    enum err_code code = share_memory(x, e);
    if (code != ERR_NONE)
        return code;
    x->n_each = 0;
    x->sums = sums;
    ask_children(x);
    code = isolate_run(take_sums, x, e);
    isolate_unshare(x->shared, x->size);
    return code;
}

static enum err_code compare_two(const struct options *o, const struct study *x, const struct schedule schedules[2],
                                 struct err *e)
{
    const struct machine *m = schedules[0].problem.machine;
    size_t n = m->n_hosts + m->n_links, size = 2 * (sizeof(struct explain_sums) + n * sizeof(double));
    struct explain_sums *sums = isolate_shared(size);
    enum err_code code = sums != NULL ? ERR_NONE : err_set(e, ERR_INTERNAL, "out of memory");
    for (int i = 0; i < 2 && code == ERR_NONE; i++) {
        struct replay_options how = *x->how;
        struct study one = *x;
        how.schedule_path = sums[i].name = o->schedules[i];
        sums[i].by_host_s = (double *)(sums + 2) + (size_t)i * n;
        sums[i].by_link_s = sums[i].by_host_s + m->n_hosts;
        one.how = &how;
        one.schedule = &schedules[i];
        code = sum_up(&one, &sums[i], e);
    }
    if (code == ERR_NONE && o->json)
        command_print_json(explain_difference_json(m, sums));
    else if (code == ERR_NONE)
        explain_difference_print(m, sums, stdout);
    isolate_unshare(sums, size);
    return code;
}

/* ---- work ---- */

static enum err_code explain_schedules(const struct options *o, struct replay_setup *setup, struct err *e)
{
    struct study x = {.engine = setup->input.engine, .how = &setup->how, .n_each = o->n_each};
    struct problem problems[2] = {setup->input.problem, setup->input.problem}; /* each with the model of its file */
    struct schedule schedules[2];
    int n = 0, n_given = o->schedules[1] != NULL ? 2 : 1;
    enum err_code code = ERR_NONE;
    while (n < n_given && code == ERR_NONE) {
        code = schedule_read_json(o->schedules[n], &problems[n], &schedules[n], e);
        n += code == ERR_NONE;
    }
    x.schedule = &schedules[0];
    if (code == ERR_NONE)
        code = n == 2 ? compare_two(o, &x, schedules, e) : explain_one(o, &x, e);
    while (n > 0)
        schedule_clear(&schedules[--n]);
    return code;
}

static enum err_code run_with(const struct command_line *line, int argc, char **argv, struct err *e)
{
    struct options o = {.in = REPLAY_INPUT_DEFAULTS, .n_each = 5};
    struct replay_setup setup;
    command_parse(line, argc, argv, &o);
    enum err_code code = replay_input_open(&o.in, &setup, e);
    if (code != ERR_NONE)
        return code;
    setup.how.schedule_path = o.schedules[0];
    code = explain_schedules(&o, &setup, e);
    replay_setup_clear(&setup);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    return run_with(&usage, argc, argv, e);
}

extern const struct command command_explain;
const struct command command_explain = {
    .name = "explain",
    .summary = "show what made a replay as long as it was",
    .usage = &usage,
    .run = run,
    .simulates = true,
};

/* ---- iasim compare --explain ---- */

static const struct command_option options_of_two[] = {
    COMPARE_OPTION_EXPLAIN(struct options, explain), SCHEDULE_OPTIONS, OTHER_SCHEDULE(true), {0}};

static const struct command_line usage_of_two = {
    .options = options_of_two,
    .about =
        "Why is one schedule of a graph better than another? Carries out both on the simulated machine, and shows by "
        "which causes, hosts and links their critical chains differ, as `iasim explain` does with two schedules.",
    .examples = COMPARE_EXPLAIN_EXAMPLE,
};

static enum err_code run_two(int argc, char **argv, struct err *e)
{
    return run_with(&usage_of_two, argc, argv, e);
}

const struct command command_compare_schedules = {
    .name = "compare",
    .summary = "show why one schedule is better than another",
    .usage = &usage_of_two,
    .run = run_two,
    .simulates = true,
};
