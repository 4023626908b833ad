/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/command.h"
#include "engine/activities.h"
#include "models/world.h"
#include "report/json_bytes.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    const char *platform, *world, *script;
};

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "SimGrid platform (required)", 0},
    {"world", 'w', "MODEL", 0, "what communication costs the processor: none, interference (default), involvement", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'p':
        o->platform = command_input(arg);
        return 0;
    case 'w':
        o->world = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (o->script != NULL)
            argp_error(state, "one script, please: '%s' is a second", arg);
        o->script = arg;
        return 0;
    case ARGP_KEY_END:
        command_require(state, "platform", o->platform != NULL);
        if (o->script == NULL)
            argp_error(state, "a script is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "SCRIPT",
    "Lets the executions and transfers of SCRIPT happen on a platform and prints when each starts and finishes, as "
    "JSON in the script's order.\n\n"
    "A script has one activity per line; # begins a comment:\n"
    "  exec START_S HOST FLOP\n"
    "  comm START_S SRC DST BYTES\v"
    "An activity fails when its host or a link on its way is down, or when it can never proceed (its finish is then "
    "null).\n\n"
    "Example: how long does 9 flop take while 10 MB leave?\n"
    "  printf 'exec 0 Lab0 9\\ncomm 0 Lab0 Lab3 10000000\\n' >s.txt\n"
    "  iasim activities --platform platforms/kreaseck-fork.xml s.txt\n",
    NULL,
    NULL,
    NULL};

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

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.world = "interference"};
    command_parse(&argp, argc, argv, &o);
    const struct world_model *world;
    struct activities script = {0};
    struct engine *engine;
    enum err_code code = world_find(o.world, &world, e);
    if (code == ERR_NONE)
        code = activities_read(o.script, &script, e);
    if (code == ERR_NONE)
        code = engine_open(o.platform, &engine, e);
    if (code == ERR_NONE)
        code = activities_bind(&script, engine_machine(engine), e);
    if (code == ERR_NONE)
        code = activities_run(&script, engine, world, e);
    if (code == ERR_NONE)
        print(&script);
    activities_clear(&script);
    return code;
}

extern const struct command command_activities;
const struct command command_activities = {
    .name = "activities",
    .summary = "let timed executions and transfers happen, print when each ends",
    .run = run,
    .simulates = true,
};
