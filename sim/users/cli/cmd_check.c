/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim check`: judges a schedule file by the conditions of plan/check.h, which share no code with schedulers. All
   violations are listed, not only the first. Exit status 1 says that there are some. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/schedule_inputs.h"
#include "plan/check.h"
#include "runs/graph_rows.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct options {
    struct run_given given;
    const char *schedule;
    bool json;
};

static const struct command_option options[] = {
    {"json", 'j', NULL, "print JSON instead of text", OPTION_AT(struct options, json)},
    {NULL, 0, "SCHEDULE.json", "a schedule", OPTION_AT(struct options, schedule), .required = true, .shipped = true,
     .values = "*.json"},
    {0},
};

/* In lines of at most 78 columns, each begun by `margin` blanks. */
static void add_wrapped(struct text *t, int margin, const char *words)
{
    int column = 0;
    for (size_t n; *words != '\0'; words += n + strspn(words + n, " ")) {
        n = strcspn(words, " ");
        /* A word that is longer than the line gets a line of its own. */
        bool breaks = column == 0 || column + 1 + (int)n > 78;
        text_addf(t, breaks ? "%s%*s%.*s" : "%s%*s %.*s", breaks && column > 0 ? "\n" : "", breaks ? margin : 0, "",
                  (int)n, words);
        column = breaks ? margin + (int)n : column + 1 + (int)n;
    }
    text_addf(t, "\n");
}

/* The end of `--help`, made from the list that the validator itself uses. */
static void add_conditions(struct text *t)
{
    text_addf(t, "The conditions, their sources and meanings:\n");
    for (const struct check_condition *c = check_conditions; c->name != NULL; c++) {
        text_addf(t, "  %s (%s)\n", c->name, c->source);
        add_wrapped(t, 6, c->meaning);
    }
}

static void print_json(const struct check_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "condition", r->list[i].condition, "line",
                                              r->list[i].line, "text", r->list[i].text));
    json_t *root = json_pack("{s:b, s:o}", "valid", r->n == 0, "violations", list);
    command_print_json(root);
}

static void print_text(const struct check_result *r, const struct options *o, const struct dag *g,
                       const struct machine *m)
{
    for (size_t i = 0; i < r->n; i++)
        printf("%s:%d: %s: %s\n", o->schedule, r->list[i].line, r->list[i].condition, r->list[i].text);
    if (r->n == 0)
        printf("valid: %s schedules the %d tasks and %d edges of %s on the %zu hosts of %s\n", o->schedule, g->n_tasks,
               g->n_edges, param_text(o->given.params, "graph"), m->n_hosts, param_text(o->given.params, "platform"));
    else
        printf("%zu violation%s\n", r->n, r->n == 1 ? "" : "s");
}

static enum err_code check(const struct options *o, const struct dag *g, const struct machine *m, struct err *e)
{
    struct check_result result;
    struct task_costs costs = {0};
    /* A schedule does not name its costs, so the user gives the file again. */
    const char *file = param_text(o->given.params, "costs");
    enum err_code code = file != NULL ? task_costs_read(file, g, m, &costs, e) : ERR_NONE;
    if (code == ERR_NONE)
        code = check_schedule(o->schedule, g, m, file != NULL ? &costs : NULL, &result, e);
    task_costs_clear(&costs);
    if (code != ERR_NONE)
        return code;
    if (o->json)
        print_json(&result);
    else
        print_text(&result, o, g, m);
    /* Without a text: the violations have been printed. */
    code = result.n == 0 ? ERR_NONE : err_set(e, ERR_NO, "%s", "");
    check_result_clear(&result);
    return code;
}

/* Without run_given_begin, which would prepare the routes that plans need: there are hosts squared, and a validator
   asks for few. */
static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct dag graph = {0};
    struct engine *engine;
    enum err_code code = graph_rows_read(o->given.params, &graph, e);
    if (code == ERR_NONE)
        code = rows_open_machine(o->given.params, &engine, e);
    if (code == ERR_NONE)
        code = check(o, &graph, engine_machine(engine), e);
    dag_clear(&graph);
    return code;
}

const struct command command_check = {
    .name = "check",
    .summary = "check whether a schedule of a task graph is valid",
    /* What the schedule was planned with, but for the plan. */
    .kind = &run_plan,
    .without = REPLAY_WITHOUT,
    .planned = "platform graph",
    .size = sizeof(struct options),
    .options = options,
    .about =
        "Checks a schedule of a task graph against the graph and the platform, under the model that it names, and "
        "lists every condition that it violates. Shares no code with the schedulers. Exit status 1 when there is a "
        "violation.",
    .examples = "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-bus.xml --graph g.dot \\\n"
                "  --model involvement --out s.json\n"
                "iasim check s.json\n",
    .more = add_conditions,
    .run = run,
    .simulates = true,
};
