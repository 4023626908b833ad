/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim activities`: the smallest simulation, executions and transfers at given dates on a platform. For tests of
   worlds and for questions of the kind "how long do 9 flop take while 10 MB leave?". */
#include "cli/command.h"
#include "cli/run_options.h"
#include "engine/activities.h"
#include "models/world.h"
#include "report/json_bytes.h"
#include "runs/graph_rows.h"

#include <jansson.h>

struct options {
    struct run_given given;
    const char *script;
};

/* Not a kind that scenarios have: a script is no parameter, and its activities are no figures. */
static const struct run_param rows[] = {
    MACHINE_ROW, WORLD_OF_NETWORKS_ROW("interference", 0), IR_ROWS("", 0), OCCUPATION_ROWS(0), {.is = {0}},
};
static const struct run_kind activities = {.name = "activities", .rows = rows};

static const struct command_option options[] = {
    {NULL, 0, "SCRIPT", "a script", OPTION_AT(struct options, script), .required = true, .values = "*"},
    {0},
};

/* In the script's order, not that of dates, so that the i-th object answers the i-th line. A finish that is NAN (never)
   becomes null. */
static void print(const struct activities *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->n; i++) {
        const struct activity *x = &a->list[i];
        json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:o, s:o}", "line", x->line, "kind",
                                              x->kind == ACTIVITY_EXEC ? "exec" : "comm", "state",
                                              x->state == ACTIVITY_DONE ? "done" : "failed", "start_s",
                                              json_finite(x->start_s), "finish_s", json_finite(x->finish_s)));
    }
    json_t *root = json_pack("{s:o}", "activities", list);
    command_print_json(root);
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    /* The script is read before the platform, which may take long; hosts can only be looked up afterwards
       (activities_bind). */
    const struct world_model *world = NULL;
    struct activities script = {0};
    struct engine *engine;
    enum err_code code = world_find_of_networks(param_text(o->given.params, "world"), &world, e);
    if (code == ERR_NONE)
        code = activities_read(o->script, &script, e);
    if (code == ERR_NONE)
        code = rows_open_machine(o->given.params, &engine, e);
    if (code == ERR_NONE)
        command_show_progress(engine);
    if (code == ERR_NONE)
        code = activities_bind(&script, engine_machine(engine), e);
    if (code == ERR_NONE)
        run_options_warn(world_warning(world, engine_machine(engine)));
    if (code == ERR_NONE)
        code = activities_run(&script, engine, world, e);
    if (code == ERR_NONE)
        print(&script);
    activities_clear(&script);
    return code;
}

const struct command command_activities = {
    .name = "activities",
    .summary = "simulate timed executions and transfers, and print when each ends",
    .kind = &activities,
    .size = sizeof(struct options),
    .options = options,
    .about = "Simulates the executions and transfers of SCRIPT on a platform and prints when each starts and "
             "finishes, as JSON in the script's order.\n\n"
             "A script has one activity per line; # begins a comment:\n"
             "  exec START_S HOST FLOP\n"
             "  comm START_S SRC DST BYTES\n"
             "Put a name with blanks in double quotes.",
    .notes = "An activity fails when its host or a link on its way is down, or when it can never proceed (its finish "
             "is then null). A transfer from a host to itself is charged as one that leaves and as one that enters it.",
    .examples = "# How long do 9 flop take while 10 MB leave?\n"
                "printf 'exec 0 Lab0 9\\ncomm 0 Lab0 Lab3 10000000\\n' >s.txt\n"
                "iasim activities --platform platforms/kreaseck-fork.xml s.txt\n",
    .run = run,
    .simulates = true,
};
