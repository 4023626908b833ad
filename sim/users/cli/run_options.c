/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/run_options.h"

#include "base/mem.h"
#include "base/steps.h"
#include "dag/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* Whether `name` is one of the words of a list; NULL: an empty list. */
static bool is_among(const char *words, const char *name)
{
    size_t n = strlen(name);
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

static char *option_help(const struct param *p, bool is_asked, bool is_planned)
{
    if (is_planned)
        return mem_format("%s (default: the one that the schedule names)", p->meaning);
    bool has_default = p->default_text != NULL && p->default_text[0] != '\0' && !is_asked;
    return has_default ? mem_format("%s (default %s)", p->meaning, p->default_text) : mem_strdup(p->meaning);
}

static struct command_option option_of(const struct run_param *r, const struct command_run *run)
{
    const struct param *p = &r->is;
    bool is_planned = is_among(run->planned, p->name);
    bool is_needed = p->default_text == NULL && (r->facts & RUN_OPTIONAL) == 0 && !is_planned;
    bool is_asked = is_needed || is_among(run->asks, p->name);
    return (struct command_option){.name = option_name(r),
                                   .letter = r->letter,
                                   .arg = p->type == PARAM_CHOICE ? p->choices
                                          : r->arg != NULL        ? r->arg
                                                                  : "VALUE",
                                   .help = option_help(p, is_asked, is_planned),
                                   .at = run->at,
                                   .type = OPTION_PARAM,
                                   .row = r,
                                   .required = is_asked,
                                   .shipped = (r->facts & RUN_FILE) != 0,
                                   .values = r->values,
                                   .min = r->above_zero > 0 ? r->above_zero : p->min,
                                   .max = p->max,
                                   .or_zero = r->above_zero > 0};
}

static size_t count(const struct command_option *options)
{
    size_t n = 0;
    while (options[n].help != NULL)
        n++;
    return n;
}

static struct command_option *all_options(const struct command_line *line)
{
    const struct run_param *rows = line->run->kind->rows;
    size_t n = 0, n_own = count(line->options);
    while (rows[n].is.name != NULL)
        n++;
    struct command_option *list = mem_zalloc(n + n_own + 1, sizeof *list), *at = list;
    for (const struct run_param *r = rows; r < rows + n; r++)
        if (!is_among(line->run->without, r->is.name))
            *at++ = option_of(r, line->run);
    memcpy(at, line->options, n_own * sizeof *at);
    return list;
}

const struct command_line *run_options_add(const struct command_line *line)
{
    static struct added {
        const struct command_line *to;
        struct command_line line;
        struct added *next;
    } * all;
    if (line->run == NULL)
        return line;
    for (struct added *a = all; a != NULL; a = a->next)
        if (a->to == line)
            return &a->line;
    struct added *a = mem_alloc(sizeof *a);
    *a = (struct added){line, *line, all};
    a->line.options = all_options(line);
    all = a;
    return &a->line;
}

/* ---- values ---- */

/* Numbers, choices and files have been checked as those of other options are (options.c). */
enum err_code run_options_take(const struct run_param *row, struct param_set *params, const char *value, struct err *e)
{
    struct steps ignored = {0};
    enum err_code code = ERR_NONE;
    if (row->is.type == PARAM_STEPS && steps_are_in(value))
        code = steps_read(&ignored, (struct steps_form){row->is.choices, row->is.max, row->is.min}, value, e);
    steps_clear(&ignored);
    return code == ERR_NONE ? param_set_value(params, "the command", row->is.name, value, e) : code;
}

enum err_code run_options_point(const struct run_kind *k, const struct param_set *params, uint64_t seed,
                                struct point *out, struct err *e)
{
    static const uint64_t default_seed = 1;
    const struct run_param *noise = run_row_that_is(k, RUN_RANDOM);
    if (seed != NO_SEED && !param_has(params, noise->is.name))
        return err_set(e, ERR_INPUT, "--seed is the seed of --%s, which is not given", noise->is.name);
    *out = (struct point){.seed = seed == NO_SEED ? default_seed : seed};
    out->stream = out->seed;
    return run_begin(k, params, out, e);
}

void run_options_warn(char *warning)
{
    if (warning != NULL)
        fprintf(stderr, "%s\n", warning);
    free(warning);
}

void run_options_say_speed(const struct dag *g, double flop_per_s)
{
    if (g->has_run_times && flop_per_s == DAG_REFERENCE_FLOP_PER_S)
        fprintf(stderr, "%s: run times are taken as work at %g flop/s; --flop-per-s sets another speed\n", g->source,
                flop_per_s);
}
