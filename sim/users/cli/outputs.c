/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks of the files that a command will write, done before it works. Without them `--out g.dot --graph g.dot` would
   destroy the graph, two options with one name would lose a result, and a folder without permission would be noticed
   after hours. Nothing is opened or created here. */
#include "cli/outputs.h"

#include "base/new_file.h"
#include "base/param.h"
#include "runs/run.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A file that is read, if the option names one: it has a pattern of file names, or is looked for among the shipped
   files. The databases that `run` and `submit` write count, too, which does no harm: these commands have no output. */
static bool is_input(const struct command_option *x)
{
    return !x->output && !x->prefix && (x->shipped || (x->values != NULL && strchr(x->values, '*') != NULL));
}

/* What an option that takes one word has been given; NULL: nothing. */
static const char *word_of(const struct command_option *x, const void *into)
{
    /* A parameter's field is the set of all parameters; its own value is found by name. */
    const char *field = (const char *)into + x->at;
    if (x->type == OPTION_PARAM)
        return param_text(*(struct param_set *const *)(const void *)field, x->row->is.name);
    return x->type == OPTION_TEXT ? *(const char *const *)(const void *)field : NULL;
}

static void add_inputs(const struct command_option *options, const void *into, struct words *out)
{
    for (const struct command_option *x = options; x->help != NULL; x++) {
        if (!is_input(x))
            continue;
        /* Options of one word are inputs if given. word_of is NULL for those of several words, which follow. */
        if (word_of(x, into) != NULL)
            words_add(out, word_of(x, into));
        const struct words *several = (const void *)((const char *)into + x->at);
        for (size_t i = 0; x->type == OPTION_WORDS && i < several->n; i++)
            words_add(out, several->list[i]);
    }
}

/* A chart is always SVG, whatever its name: viewers would take chart.png for something else. A name without an
   extension promises nothing, so it may stay; but browsers tell by it that a file is a page. */
static enum err_code check_ending(const struct command_option *x, const char *path, struct err *e)
{
    /* A dot in a folder's name is no extension. */
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    const char *values = x->values != NULL ? x->values : "";
    if (strcmp(values, "*.svg") == 0 && dot != NULL && strcasecmp(dot, ".svg") != 0)
        return err_set(e, ERR_USAGE, "charts are written as SVG: the name '%.200s' should end in .svg", path);
    if (strcmp(values, "*.html") == 0 && (dot == NULL || strcasecmp(dot, ".html") != 0))
        return err_set(e, ERR_USAGE, "a page for browsers is HTML: the name '%.200s' should end in .html", path);
    return ERR_NONE;
}

static enum err_code check_one(const struct command_option *x, const char *path, const struct words *inputs,
                               const struct words *before, struct err *e)
{
    enum err_code code = new_file_check_not_input(path, inputs->list, inputs->n, e);
    if (code == ERR_NONE)
        code = check_ending(x, path, e);
    for (size_t i = 0; code == ERR_NONE && i < before->n; i++)
        if (new_file_is_same(before->list[i], path))
            code = err_set(e, ERR_USAGE, "two outputs cannot both be written to '%s'", path);
    return code == ERR_NONE ? new_file_check(path, e) : code;
}

enum err_code outputs_check(const struct command_option *options, const void *into, struct err *e)
{
    struct words inputs = {0}, outputs = {0};
    enum err_code code = ERR_NONE;
    add_inputs(options, into, &inputs);
    for (const struct command_option *x = options; code == ERR_NONE && x->help != NULL; x++) {
        const char *path = x->output ? word_of(x, into) : NULL;
        /* "-" is standard output, no file. */
        if (path == NULL || (x->dash && strcmp(path, "-") == 0))
            continue;
        code = check_one(x, path, &inputs, &outputs, e);
        words_add(&outputs, path);
    }
    free(inputs.list);
    free(outputs.list);
    return code;
}
