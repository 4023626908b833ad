/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim list`: everything that is registered (registered.h), as text for people and as JSON for scripts and other
   programs. Both have the same entries; of metrics the text has the names only. */
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/registered.h"
#include "report/json_bytes.h"
#include "report/page.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- JSON ---- */

static json_t *param_json(const struct param *p)
{
    static const char *const types[] = {"number", "integer", "choice", "text", "steps"};
    /* Steps have bounds, too: those of their numbers. */
    bool is_number = p->type != PARAM_CHOICE && p->type != PARAM_TEXT;
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

static json_t *metrics_json(const struct metric *metrics)
{
    json_t *list = json_array();
    for (const struct metric *m = metrics; m->name != NULL; m++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", m->name, "unit", m->unit ? m->unit : "",
                                              "better", better_names[m->better], "meaning", m->meaning));
    return list;
}

static json_t *entry_json(const struct registered *x)
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
    if (x->metrics != NULL)
        json_object_set_new(o, "metrics", metrics_json(x->metrics));
    return o;
}

static void print_json(const struct registered_kind *only)
{
    json_t *root = json_object();
    for (const struct registered_kind *k = registered_kinds; k->name != NULL; k++) {
        json_t *list = json_array();
        struct registered x;
        for (size_t i = 0; registered_entry(k, i, &x); i++)
            json_array_append_new(list, entry_json(&x));
        /* A kind that is part of another one would be listed twice. */
        if (only == NULL ? !k->is_part : only == k)
            json_object_set(root, k->name, list);
        json_decref(list);
    }
    command_print_json(root);
}

/* ---- text ---- */

/* Columns of blanks: parameters stand below their entry, continued lines further in; summaries begin at a column that
   most names leave free. */
enum { PARAM_INDENT = 6, PARAM_HANG = 10, SUMMARY_COLUMN = 18 };

/* page_line may break within a word, after one of its marks such as ',' or '='. Here a word that fits into the next
   line, of `next_width` columns, goes there whole: "technique=end|insertion" stays together. */
static size_t line_of_words(const char *text, int width, int next_width, size_t *skip)
{
    size_t n = page_line(text, width, skip), blank = n, end = n + strcspn(text + n, " ");
    /* page_line has broken at a blank, or nothing is left. */
    if (text[n] == '\0' || text[n] == ' ')
        return n;
    while (blank > 0 && text[blank] != ' ')
        blank--;
    /* No blank in this line but the indentation, or the word is too long for the next one as well. */
    if (blank <= strspn(text, " ") || end - blank - 1 > (size_t)next_width)
        return n;
    *skip = blank + 1;
    while (text[blank - 1] == ' ')
        blank--;
    return blank;
}

/* Lines of the page; all but the first begin with `hang` blanks. */
static void print_wrapped(const struct text *t, int hang)
{
    const char *at = text_str(t);
    int width = page_width(), indent = 0;
    /* On a narrow terminal a deep indentation would leave no room for words. */
    if (hang > width / 2)
        hang = PARAM_INDENT;
    do {
        size_t skip, n = line_of_words(at, width - indent, width - hang, &skip);
        printf("%*s%.*s\n", indent, "", (int)n, at);
        at += skip;
        indent = hang;
    } while (*at != '\0');
}

static void print_param(const struct param *p)
{
    struct text t = {0};
    text_addf(&t, "%*s%s", PARAM_INDENT, "", p->name);
    if (p->type == PARAM_CHOICE)
        text_addf(&t, "=%s", p->choices);
    if (p->unit != NULL && p->unit[0] != '\0')
        text_addf(&t, " (%s)", p->unit);
    if (p->type != PARAM_CHOICE && p->type != PARAM_TEXT)
        text_addf(&t, " %g to %g", p->min, p->max);
    if (p->type == PARAM_STEPS)
        text_addf(&t, " or %s;...", p->choices);
    if (p->default_text != NULL && p->default_text[0] != '\0')
        text_addf(&t, ", default %s", p->default_text);
    text_addf(&t, ": %s", p->meaning);
    print_wrapped(&t, PARAM_HANG);
    text_clear(&t);
}

/* "metrics: makespan_s, ..", so that a name can be looked up. */
static void print_metrics(const struct metric *metrics)
{
    struct text t = {0};
    text_addf(&t, "%*smetrics:", PARAM_INDENT, "");
    for (const struct metric *m = metrics; m->name != NULL; m++)
        text_addf(&t, "%s %s", m > metrics ? "," : "", m->name);
    print_wrapped(&t, PARAM_HANG);
    text_clear(&t);
}

/* "name  summary (role)  [source]  (plugin)", then what belongs to it. */
static void print_entry(const struct registered *x)
{
    struct text t = {0};
    bool is_long = strlen(x->name) > SUMMARY_COLUMN - 4; /* it then has a line of its own */
    if (is_long)
        printf("  %s\n", x->name);
    text_addf(&t, "  %-*s %s", SUMMARY_COLUMN - 3, is_long ? "" : x->name, x->summary);
    if (x->role != NULL)
        text_addf(&t, " (%s)", x->role);
    if (x->source != NULL && x->source[0] != '\0')
        text_addf(&t, "  [%s]", x->source);
    if (x->plugin != NULL)
        text_addf(&t, "  (plugin %s)", x->plugin);
    print_wrapped(&t, SUMMARY_COLUMN);
    text_clear(&t);
    for (size_t i = 0; i < param_count(x->params); i++)
        print_param(&x->params[i]);
    if (x->metrics != NULL)
        print_metrics(x->metrics);
}

static void print_kind(const struct registered_kind *k)
{
    struct registered x;
    printf("%s\n", k->name);
    for (size_t i = 0; registered_entry(k, i, &x); i++)
        print_entry(&x);
    putchar('\n');
}

/* ---- the command ---- */

struct options {
    const char *kind; /* NULL: all */
    bool json;
};

static const struct command_option options[] = {
    {"json", 'j', NULL, "print JSON: name, summary, source and parameters of each, metrics of experiments",
     OPTION_AT(struct options, json)},
    {NULL, 0, "KIND", "a kind", OPTION_AT(struct options, kind), .values = "kinds"},
    {0},
};

static enum err_code find_kind(const char *name, const struct registered_kind **out, struct err *e)
{
    struct text known = {0};
    *out = NULL;
    for (const struct registered_kind *k = registered_kinds; name != NULL && k->name != NULL; k++) {
        *out = strcmp(k->name, name) == 0 ? k : *out;
        text_add_name(&known, k->name);
    }
    if (name != NULL && *out == NULL)
        err_set(e, ERR_USAGE, "unknown kind '%s'%s", name, hint_among(name, text_str(&known), NULL).text);
    text_clear(&known);
    return name == NULL || *out != NULL ? ERR_NONE : ERR_USAGE;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    const struct registered_kind *only;
    if (find_kind(o->kind, &only, e) != ERR_NONE)
        return ERR_USAGE;
    if (o->json) {
        print_json(only);
        return ERR_NONE;
    }
    for (const struct registered_kind *k = registered_kinds; k->name != NULL; k++)
        if (only == NULL ? !k->is_part : only == k)
            print_kind(k);
    return ERR_NONE;
}

const struct command command_list = {
    .name = "list",
    .summary = "list scenarios, platforms, policies, schedulers, worlds, ...",
    .size = sizeof(struct options),
    .options = options,
    .about =
        "Lists what there is to choose from, with parameters: scenarios, platforms, deployments, policies, actors, "
        "schedulers, models, worlds (those of the models), graph_formats, generators, fits, experiments, reports, "
        "commands; all, or one KIND. A model's role is cost (what a planner believes, --model) or world (what the "
        "simulated machine does, --world); a generator's is platform or graph, a report's the experiment it belongs "
        "to. Entries of a plugin are marked.",
    .notes = "[K]: Kreaseck, Carter, Casanova, Ferrante, Nandy, Interference-Aware Scheduling. [S]: Sinnen, Task "
             "Scheduling for Parallel Systems, chapter 8. doc/references.md has the titles of all sources.\n\n"
             "`iasim --plugin ./mine.so list schedulers` also lists those of your own plugin.",
    .examples = "# The generators of platforms and of task graphs.\n"
                "iasim list generators\n"
                "# The farm policies and their parameters, for a script.\n"
                "iasim list policies --json\n",
    .run = run,
};
