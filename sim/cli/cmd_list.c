/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything that is registered, read off the same lists that the program itself uses. */
#include "base/param.h"
#include "base/text.h"
#include "cli/command.h"
#include "dag/format.h"
#include "dag/generate.h"
#include "experiments/experiment.h"
#include "farm/generate.h"
#include "farm/policy.h"
#include "models/cost/cost.h"
#include "models/fits/fit.h"
#include "models/world.h"
#include "report/json_bytes.h"
#include "schedulers/scheduler.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct entry {
    const char *name, *summary, *source;
    const struct param *params; /* NULL: none */
    const char *role;           /* what of its kind it is for; NULL: there is one use only */
    const char *plugin;         /* where it comes from; NULL: from iasim */
};

/* One for each kind of thing: fills the i-th entry, false after the last. */
static const char *path_of(const struct origin *from)
{
    return from != NULL ? from->path : NULL;
}

static bool policy_entry(size_t i, struct entry *out)
{
    const struct policy *p = policies[i];
    if (p != NULL)
        *out = (struct entry){
            p->name, p->summary, p->source, p->sends ? policy_params : NULL, NULL, path_of(policy_origin(p))};
    return p != NULL;
}

static bool scheduler_entry(size_t i, struct entry *out)
{
    const struct scheduler *x = schedulers[i];
    if (x != NULL)
        *out = (struct entry){x->name, x->summary, x->source, x->params, NULL, path_of(scheduler_origin(x))};
    return x != NULL;
}

/* What a planner may believe, then what the simulated world may do. */
static bool model_entry(size_t i, struct entry *out)
{
    size_t n_costs = 0;
    while (cost_models[n_costs] != NULL)
        n_costs++;
    if (i < n_costs) {
        const struct cost_model *c = cost_models[i];
        *out = (struct entry){c->name, c->summary, c->source, c->params, "cost", NULL};
        return true;
    }
    const struct world_model *w = world_models[i - n_costs];
    if (w != NULL)
        *out = (struct entry){w->name, w->summary, w->source, NULL, "world", NULL};
    return w != NULL;
}

static bool format_entry(size_t i, struct entry *out)
{
    const struct dag_format *f = dag_formats[i];
    if (f != NULL)
        *out = (struct entry){f->name, f->summary, f->source, NULL, f->write != NULL ? "read and write" : "read", NULL};
    return f != NULL;
}

static bool fit_entry(size_t i, struct entry *out)
{
    const struct fit *f = fits[i];
    if (f != NULL)
        *out = (struct entry){f->name, f->summary, f->source, NULL, NULL, NULL};
    return f != NULL;
}

static bool experiment_entry(size_t i, struct entry *out)
{
    const struct experiment *x = experiments[i];
    if (x != NULL)
        *out = (struct entry){x->name, x->summary, x->source, x->params, NULL, NULL};
    return x != NULL;
}

static bool platform_entry(size_t i, struct entry *out)
{
    static const struct entry shapes[] = {
        {"star", "every host is fed by the root", "iasim platform generate", generate_params, "platform", NULL},
        {"tree", "a random tree of bounded degree", "iasim platform generate", generate_params, "platform", NULL},
    };
    if (i >= sizeof shapes / sizeof shapes[0])
        return false;
    *out = shapes[i];
    return true;
}

/* Of platforms, then of task graphs. */
static bool generator_entry(size_t i, struct entry *out)
{
    size_t n_platforms = 0;
    while (platform_entry(n_platforms, out))
        n_platforms++;
    if (i < n_platforms)
        return platform_entry(i, out);
    const struct dag_generator *g = dag_generators[i - n_platforms];
    if (g != NULL)
        *out = (struct entry){g->name, g->summary, g->source, g->params, "graph", NULL};
    return g != NULL;
}

static bool command_entry(size_t i, struct entry *out)
{
    const struct command *c = commands[i];
    if (c != NULL)
        *out = (struct entry){c->name, c->summary, "", NULL, NULL, NULL};
    return c != NULL;
}

static const struct kind {
    const char *name;
    bool (*entry)(size_t i, struct entry *out);
} kinds[] = {
    {"policies", policy_entry},        {"schedulers", scheduler_entry}, {"models", model_entry},
    {"graph_formats", format_entry},   {"generators", generator_entry}, {"fits", fit_entry},
    {"experiments", experiment_entry}, {"commands", command_entry},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- JSON ---- */

static json_t *param_json(const struct param *p)
{
    static const char *const types[] = {"number", "integer", "choice", "text"};
    bool is_number = p->type == PARAM_NUMBER || p->type == PARAM_INTEGER;
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:s}", "name", p->name, "type", types[p->type], "unit",
                          p->unit ? p->unit : "", "default", json_bytes(p->default_text), "meaning", p->meaning);
    if (is_number) {
        json_object_set_new(o, "min", json_real(p->min));
        json_object_set_new(o, "max", json_real(p->max));
    }
    if (p->type == PARAM_CHOICE)
        json_object_set_new(o, "choices", json_string(p->choices));
    return o;
}

static json_t *entry_json(const struct entry *x)
{
    json_t *params = json_array();
    for (size_t i = 0; i < param_count(x->params); i++)
        json_array_append_new(params, param_json(&x->params[i]));
    json_t *o = json_pack("{s:s, s:s, s:s, s:o}", "name", x->name, "summary", x->summary, "source",
                          x->source ? x->source : "", "parameters", params);
    if (x->role != NULL)
        json_object_set_new(o, "role", json_string(x->role));
    if (x->plugin != NULL)
        json_object_set_new(o, "plugin", json_bytes(x->plugin));
    return o;
}

static void print_json(const struct kind *only)
{
    json_t *root = json_object();
    for (const struct kind *k = kinds; k < kinds + N_KINDS; k++) {
        json_t *list = json_array();
        struct entry x;
        for (size_t i = 0; k->entry(i, &x); i++)
            json_array_append_new(list, entry_json(&x));
        if (only == NULL || only == k)
            json_object_set(root, k->name, list);
        json_decref(list);
    }
    command_print_json(root);
}

/* ---- text ---- */

static void print_param(const struct param *p)
{
    printf("      %s", p->name);
    if (p->type == PARAM_CHOICE)
        printf("=%s", p->choices);
    if (p->unit != NULL && p->unit[0] != '\0')
        printf(" (%s)", p->unit);
    if (p->type == PARAM_NUMBER || p->type == PARAM_INTEGER)
        printf(" %g to %g", p->min, p->max);
    if (p->default_text != NULL)
        printf(", default %s", p->default_text);
    printf(": %s\n", p->meaning);
}

static void print_kind(const struct kind *k)
{
    struct entry x;
    printf("%s\n", k->name);
    for (size_t i = 0; k->entry(i, &x); i++) {
        printf("  %-15s %s", x.name, x.summary);
        if (x.role != NULL)
            printf(" (%s)", x.role);
        if (x.source != NULL && x.source[0] != '\0')
            printf("  [%s]", x.source);
        if (x.plugin != NULL)
            printf("  (plugin %s)", x.plugin);
        putchar('\n');
        for (size_t j = 0; j < param_count(x.params); j++)
            print_param(&x.params[j]);
    }
    putchar('\n');
}

/* ---- the command ---- */

struct options {
    const struct kind *kind;
    bool json;
};

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "print JSON: name, summary, source and parameters of each", 0},
    {0},
};

static const struct kind *find_kind(const struct argp_state *state, const char *name)
{
    struct text known = {0};
    for (const struct kind *k = kinds; k < kinds + N_KINDS; k++) {
        if (strcmp(k->name, name) == 0) {
            text_clear(&known);
            return k;
        }
        text_addf(&known, "%s%s", k > kinds ? ", " : "", k->name);
    }
    argp_error(state, "unknown kind '%s'; known: %s", name, text_str(&known));
    text_clear(&known);
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->kind != NULL)
            argp_error(state, "one kind, please: '%s' is a second", arg);
        o->kind = find_kind(state, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[KIND]",
    "Lists what is registered, with parameters: policies, schedulers, models, graph_formats, generators, fits, "
    "experiments, commands; all, or one KIND. A model's role is cost (what a planner believes, --model) or world (what "
    "the simulated machine does, --world); a generator's is platform or graph. What a plugin has registered says "
    "which.\v"
    "[K]: Kreaseck, Carter, Casanova, Ferrante, Nandy, Interference-Aware Scheduling. [S]: Sinnen, Task Scheduling for "
    "Parallel Systems, chapter 8.\n\n"
    "Examples: the generators of platforms and of task graphs; the farm policies and their parameters, for a script:\n"
    "  iasim list generators\n"
    "  iasim list policies --json\n"
    "What a plugin of yours brings along:\n"
    "  iasim --plugin ./mine.so list schedulers\n",
    NULL,
    NULL,
    NULL};

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    (void)e;
    command_parse(&argp, argc, argv, &o);
    if (o.json) {
        print_json(o.kind);
        return ERR_NONE;
    }
    for (const struct kind *k = kinds; k < kinds + N_KINDS; k++)
        if (o.kind == NULL || o.kind == k)
            print_kind(k);
    return ERR_NONE;
}

extern const struct command command_list;
const struct command command_list = {
    .name = "list",
    .summary = "list policies, schedulers, models, formats, generators and other kinds",
    .run = run,
};
