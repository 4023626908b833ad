/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A command that carries out a kind of run (`iasim farm`, `iasim replay`) takes the kind's parameters as options. They
   are made here from the rows of the kind, once for each command, and put before the command's own options. What was
   given is then begun like a point of a sweep, so that command and sweep give the same figures. */
#include "cli/run_options.h"

#include "base/mem.h"
#include "base/steps.h"
#include "cli/command.h"
#include "dag/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* Whether `name` is one of the words of a list; NULL: an empty list. */
static bool is_among(const char *words, const char *name)
{
    size_t n = strlen(name);
    /* strstr finds "seed" within "seeds", too: a blank or an end must stand on both sides. */
    for (const char *at = words; at != NULL && (at = strstr(at, name)) != NULL; at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* As parameters, options with several words: send_size is --send-size. */
static char *option_name(const struct run_param *r)
{
    char *made = mem_strdup(r->option != NULL ? r->option : r->is.name);
    for (char *at = made; *at != '\0'; at++)
        *at = *at == '_' ? '-' : *at;
    return made;
}

/* Without "(default ..)" where the command insists on a value, though the kind has one. */
static char *option_help(const struct param *p, bool is_asked, bool is_planned)
{
    if (is_planned)
        return mem_format("%s (default: the one that the schedule names)", p->meaning);
    bool has_default = p->default_text != NULL && p->default_text[0] != '\0' && !is_asked;
    return has_default ? mem_format("%s (default %s)", p->meaning, p->default_text) : mem_strdup(p->meaning);
}

/* A row that a scenario must give is required here, too, unless the arguments name it (`planned`); `asks` adds rows
   whose default makes sense in a sweep only. */
static struct command_option option_of(const struct run_param *r, const struct command *c)
{
    const struct param *p = &r->is;
    bool is_planned = is_among(c->planned, p->name);
    bool is_needed = p->default_text == NULL && (r->facts & RUN_OPTIONAL) == 0 && !is_planned;
    bool is_asked = is_needed || is_among(c->asks, p->name);
    return (struct command_option){.name = option_name(r),
                                   .letter = r->letter,
                                   .arg = p->type == PARAM_CHOICE ? p->choices
                                          : r->arg != NULL        ? r->arg
                                                                  : "VALUE",
                                   .help = option_help(p, is_asked, is_planned),
                                   /* All parameters share one field, the set, which keeps their texts; the row tells
                                      which. */
                                   .at = offsetof(struct run_given, params),
                                   .type = OPTION_PARAM,
                                   .row = r,
                                   .required = is_asked,
                                   .shipped = (r->facts & RUN_FILE) != 0,
                                   .values = r->values,
                                   /* Where 0 switches something off, values between 0 and above_zero make no sense. */
                                   .min = r->above_zero > 0 ? r->above_zero : p->min,
                                   .max = p->max,
                                   .or_zero = r->above_zero > 0};
}

/* The kind's rows come first, so that help begins with what is computed. One more entry, all zero, ends the list. */
static struct command_option *all_options(const struct command *c)
{
    const struct run_param *rows = c->kind->rows;
    size_t n = param_count(run_params(c->kind)), n_own = option_count(c->options);
    struct command_option *list = mem_zalloc(n + n_own + 1, sizeof *list), *at = list;
    for (const struct run_param *r = rows; r < rows + n; r++)
        if (!is_among(c->without, r->is.name))
            *at++ = option_of(r, c);
    memcpy(at, c->options, n_own * sizeof *at);
    return list;
}

const struct command_option *run_options_of(const struct command *command)
{
    /* Kept until the program ends, like the tables of other commands: options are compared by address and place
       (`given` of options.c), so a command must always get the same list. */
    static struct made {
        const struct command *of;
        struct command_option *options;
        struct made *next;
    } * all;
    if (command->kind == NULL)
        return command->options;
    for (struct made *m = all; m != NULL; m = m->next)
        if (m->of == command)
            return m->options;
    struct made *m = mem_alloc(sizeof *m);
    *m = (struct made){command, all_options(command), all};
    all = m;
    return m->options;
}

/* ---- values ---- */

/* Numbers, choices and files have been checked as those of other options are (options.c). Steps ("0:1e-6;1000:2e-6")
   are read here for their message, which completes "--NAME: "; that of param_set_value would name the parameter. */
enum err_code run_options_take(const struct run_param *row, struct param_set *params, const char *value, struct err *e)
{
    struct steps ignored = {0};
    enum err_code code = ERR_NONE;
    if (row->is.type == PARAM_STEPS && steps_are_in(value))
        code = steps_read(&ignored, (struct steps_form){row->is.choices, row->is.max, row->is.min}, value, e);
    steps_clear(&ignored);
    return code == ERR_NONE ? param_set_value(params, "the command", row->is.name, value, e) : code;
}

/* No option can give it: its maximum is below 2^63. */
static const uint64_t no_seed = UINT64_MAX;

void run_given_init(struct run_given *g, const struct run_kind *kind)
{
    *g = (struct run_given){.kind = kind, .params = param_set_create(run_params(kind)), .seed = no_seed};
}

static bool is_given(const void *params, const char *name)
{
    return param_has(params, name);
}

enum err_code run_given_begin(struct run_given *g, struct err *e)
{
    static const uint64_t default_seed = 1;
    /* A seed that changes nothing is refused: a user who repeats with other seeds would take the equal results for
       certainty. */
    if (g->seed != no_seed && !run_is_random(g->kind, is_given, g->params)) {
        char *names = run_names_that_are(g->kind, RUN_RANDOM, "--");
        err_set(e, ERR_INPUT, "--seed is the seed of %s, which is not given", names);
        free(names);
        return ERR_INPUT;
    }
    /* A sweep derives a stream for each of its points; a single run has its seed only. */
    g->point.seed = g->point.stream = g->seed == no_seed ? default_seed : g->seed;
    return run_begin(g->kind, g->params, &g->point, e);
}

/* A command that stopped before run_given_begin has a point of zeros, which run_end takes. */
void run_given_clear(struct run_given *g)
{
    if (g->kind != NULL)
        run_end(g->kind, &g->point);
    param_set_free(g->params);
}

void run_options_warn(char *warning)
{
    if (warning != NULL)
        fprintf(stderr, "%s\n", warning);
    free(warning);
}

void run_options_say_speed(const struct dag *g, double flop_per_s)
{
    /* Figures of the run depend on it, and nothing in the graph's file says it. */
    if (g->has_run_times && flop_per_s == DAG_REFERENCE_FLOP_PER_S)
        fprintf(stderr, "%s: run times are taken as work at %g flop/s; --flop-per-s sets another speed\n", g->source,
                flop_per_s);
}
