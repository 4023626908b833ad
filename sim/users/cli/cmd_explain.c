/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim explain` and `iasim compare --explain`: why a replay took as long as it did, or by what two differ. The order
   of simulations and the children that they need are study.c's; the chain and its causes are explain/'s. */
#include "cli/cmd_explain.h"
#include "base/isolate.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/schedule_inputs.h"
#include "cli/study.h"
#include "report/explain_report.h"
#include "runs/graph_rows.h"

#include <stdio.h>
#include <string.h>

struct options {
    struct run_given given;
    const char *schedules[MOST_SCHEDULES];
    int n_each;
    bool explain, json;
};

#define SCHEDULE_OPTIONS                                                                                               \
    OPTION_SEED(struct options), OPTION_JSON(struct options),                                                          \
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
     "try changing the N hosts, N links and N edges with the largest shares of the chain (default 5; 0: try no changes "
     "at all)",
     OPTION_AT(struct options, n_each), .min = 0, .max = WHAT_IF_MOST},
    SCHEDULE_OPTIONS,
    OTHER_SCHEDULE(false),
    {0},
};

/* ---- one schedule ---- */

/* The chain is found in this process, after the children: it is the only simulation here. */
static enum err_code explain_one(const struct options *o, struct study *x, struct err *e)
{
    struct study_found found = {0};
    enum err_code code = study_ask(x, e);
    if (code == ERR_NONE)
        code = study_explain(x, &found, e);
    if (code == ERR_NONE) {
        struct explain_report report = {&found.explanation, x->answers->what_ifs, x->answers->n_what_ifs,
                                        x->answers->n_left_out};
        if (o->json)
            command_print_json(explain_report_json(&report));
        else
            explain_report_print(&report, stdout);
    }
    study_found_clear(&found);
    study_close(x);
    return code;
}

/* ---- two schedules. Each needs a simulation of its own, so both are done by children, which leave sums in shared
   memory. ---- */

struct summing {
    const struct study *study;
    struct explain_sums *sums; /* to fill: shared memory */
};

static enum err_code take_sums(void *self, struct err *e)
{
    const struct summing *x = self;
    /* Sums by cause, by host and by link, one array after the other. */
    const size_t n = explain_first_sum(x->study->schedule->problem.machine, N_EXPLAIN_KINDS);
    struct study_found found = {0};
    enum err_code code = study_explain(x->study, &found, e);
    if (code == ERR_NONE) {
        x->sums->makespan_s = found.explanation.makespan_s;
        memcpy(x->sums->sums_s, found.explanation.sums_s, n * sizeof *found.explanation.sums_s);
    }
    study_found_clear(&found);
    return code;
}

static enum err_code sum_up(struct study *x, struct explain_sums *sums, struct err *e)
{
    /* What-ifs of one schedule say nothing about the difference. */
    x->n_each = 0;
    enum err_code code = study_ask(x, e);
    if (code == ERR_NONE)
        code = isolate_run(take_sums, &(struct summing){x, sums}, e);
    study_close(x);
    return code;
}

static enum err_code compare_two(const struct options *o, const struct study *x, const struct schedule schedules[2],
                                 struct err *e)
{
    const struct machine *m = schedules[0].problem.machine;
    /* Both structs, then the sums of the first schedule, then those of the second. */
    size_t n = explain_first_sum(m, N_EXPLAIN_KINDS), size = 2 * (sizeof(struct explain_sums) + n * sizeof(double));
    struct explain_sums *sums = isolate_shared(size);
    enum err_code code = sums != NULL ? ERR_NONE : err_set(e, ERR_INTERNAL, "out of memory");
    for (int i = 0; i < 2 && code == ERR_NONE; i++) {
        struct replay_options how = *x->how;
        struct study one = *x;
        /* Messages name the file that they are about. */
        how.schedule_path = sums[i].name = o->schedules[i];
        sums[i].sums_s = (double *)(sums + 2) + (size_t)i * n;
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

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct schedules s = {0};
    struct replay_how how = {0};
    enum err_code code = schedules_open(&s, &o->given, o->schedules, e);
    if (code == ERR_NONE)
        code = replay_how_read(&how, &o->given.point, e);
    if (code == ERR_NONE) {
        /* For the first schedule; compare_two takes a copy for each. */
        struct study x = {
            .engine = s.graph.machine->engine, .schedule = &s.list[0], .how = &how.options, .n_each = o->n_each};
        run_options_warn(world_warning(how.options.world, s.graph.problem.machine));
        how.options.schedule_path = o->schedules[0];
        code = s.n == 2 ? compare_two(o, &x, s.list, e) : explain_one(o, &x, e);
    }
    replay_how_clear(&how);
    schedules_close(&s);
    return code;
}

const struct command command_explain = {
    .name = "explain",
    .summary = "show why a replay took as long as it did",
    .kind = &run_replay,
    /* Without `engine`: only the events engine records what an explanation needs. */
    .without = REPLAY_WITHOUT " engine",
    .asks = "world",
    .planned = "platform graph",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.n_each = STUDY_WHAT_IFS},
    .options = options,
    .about = "Carries out a schedule on the simulated machine, as replay does, and shows why it took as long as it "
             "did: the critical chain from 0 to the makespan, segment by segment; what each cause, host and link adds "
             "to it; and what the makespan would be after changes, each of them simulated. With two schedules of a "
             "graph: by which causes, hosts and links they differ.",
    .notes =
        "The chain is followed back from the task that ends last: before each item comes what it waited for last, "
        "its data or an item that its processor, link or port takes before it. Within a task, and within a "
        "transfer, segments are shares of its time: \"computing\" is the time the task takes at the platform's "
        "speed, \"slowed by\" a flow is what this flow took of the processor. \"transfer\" is the time it takes "
        "alone, \"sharing\" what is lost to others on the link that limits it. \"waiting\" is work of another "
        "item, whose data the waiting one does not need, while the waiting one is ready. \"waiting for\" a host: it "
        "computed while a message that was ready but for it waited (a rendezvous).\n\nChanges: without "
        "interference, contention (every link is a FATPIPE), overheads or involvement; a host that computes twice "
        "as fast; a link with twice the bandwidth; an edge whose data arrive at once. Everything else stays the "
        "same, above all the order of the schedule.",
    .examples = "# Where did the time go?\n"
                "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model classic --out s.json\n"
                "iasim explain --world involvement s.json\n"
                "# Why is another schedule better, or worse?\n"
                "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"
                "  --model involvement --scheduler heft --out t.json\n"
                "iasim explain --world involvement s.json t.json\n",
    .run = run,
    .simulates = true,
};

/* ---- iasim compare --explain ---- */

/* A command of its own, which command_compare hands its words to: the options of a comparison of databases do not
   fit. */
static const struct command_option options_of_two[] = {
    COMPARE_OPTION_EXPLAIN(struct options, explain), SCHEDULE_OPTIONS, OTHER_SCHEDULE(true), {0}};

const struct command command_compare_schedules = {
    .name = "compare",
    .summary = "show why one schedule is better than another",
    .kind = &run_replay,
    .without = REPLAY_WITHOUT " engine",
    .asks = "world",
    .planned = "platform graph",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.n_each = STUDY_WHAT_IFS},
    .options = options_of_two,
    .about =
        "Why is one schedule of a graph better than another? Carries out both on the simulated machine, and shows by "
        "which causes, hosts and links their critical chains differ, as `iasim explain` does with two schedules.",
    .examples = COMPARE_EXPLAIN_EXAMPLE,
    .run = run,
    .simulates = true,
};
