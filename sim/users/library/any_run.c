/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Any kind of run (sim/results/runs) by the names of its parameters: what a scenario with one point is, without a file.
   A parameter that is added to a kind needs no line here. Everything that may load a platform, crash or simulate
   happens in a child; the figures come back in shared memory. */
#include "base/isolate.h"
#include "base/mem.h"
#include "base/text.h"
#include "library/call.h"
#include "runs/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_work {
    const struct run_kind *kind;
    struct param_set *params;
    uint64_t seed;
    double *metrics; /* shared */
};

static enum err_code set_seed(struct run_work *w, const char *value, struct err *e)
{
    long seed;
    /* Read as a long: half of what a seed may be, as on the command line. */
    if (!text_to_whole(value, &seed) || seed < 0)
        return err_set(e, ERR_INPUT, "seed is '%s'; it must be a whole number from 0 to 2^63 - 1", value);
    w->seed = (uint64_t)seed;
    return ERR_NONE;
}

static enum err_code set_param(struct run_work *w, const char *name, const char *value, struct err *e)
{
    const struct param *p;
    if (strcmp(name, "seed") == 0) /* no kind has a parameter of this name: a scenario has it */
        return set_seed(w, value, e);
    enum err_code code = run_find_param(w->kind, name, &p, e);
    if (code != ERR_NONE)
        return code;
    char *owner = mem_format("experiment %s", w->kind->name);
    /* Values of files are found here, as the command line finds them; an empty one means that there is no file. */
    char *path = run_file(w->kind, name) != NULL && value[0] != '\0' ? command_data_path(value) : mem_strdup(value);
    code = param_set_value(w->params, owner, name, path, e);
    free(path);
    free(owner);
    return code;
}

static enum err_code set_one(struct run_work *w, const char *setting, struct err *e)
{
    const char *equals = strchr(setting, '=');
    if (equals == NULL || equals == setting)
        return err_set(e, ERR_INPUT, "'%s' is not of the form name=value", setting);
    char *name = mem_format("%.*s", (int)(equals - setting), setting);
    enum err_code code = set_param(w, name, equals + 1, e);
    free(name);
    return code;
}

/* A missing parameter is told by name, as a scenario's reader does it; run_begin expects a complete set. */
static enum err_code check_complete(const struct run_work *w, struct err *e)
{
    for (const struct run_param *r = w->kind->rows; r->is.name != NULL; r++)
        if (!param_has(w->params, r->is.name) && (r->facts & RUN_OPTIONAL) == 0)
            return err_set(e, ERR_INPUT, "parameter %s (%s) is not given", r->is.name, r->is.meaning);
    return run_check_machine(w->kind, e);
}

/* In the child. The stream is the seed itself, as for a single command (run_options.c). */
static enum err_code run_here(void *self, struct err *e)
{
    const struct run_work *w = self;
    struct point p = {.seed = w->seed, .stream = w->seed};
    enum err_code code = run_begin(w->kind, w->params, &p, e);
    if (code == ERR_NONE)
        code = w->kind->run(&p, w->metrics, e);
    run_end(w->kind, &p);
    return code;
}

static enum err_code run_in_child(struct run_work *w, struct err *e)
{
    size_t n = run_n_metrics(w->kind);
    w->metrics = isolate_shared(n * sizeof *w->metrics);
    if (w->metrics == NULL)
        return err_set(e, ERR_INTERNAL, "no memory for the run");
    for (size_t i = 0; i < n; i++)
        /* A figure that the run does not set does not exist for it. */
        w->metrics[i] = NAN;
    return call_in_child(run_here, w, w->kind->name, e);
}

enum err_code iasim_run(const char *kind, const char *const *settings, iasim_figure *figure, void *self, struct err *e)
{
    locale_t before = call_begin(e);
    struct run_work w = {.seed = 1};
    enum err_code code = run_kind_find(run_kinds, kind, &w.kind, e);
    if (code != ERR_NONE)
        return call_end(before, code);
    w.params = param_set_create(run_params(w.kind));
    for (; code == ERR_NONE && settings != NULL && *settings != NULL; settings++)
        code = set_one(&w, *settings, e);
    if (code == ERR_NONE)
        code = check_complete(&w, e);
    if (code == ERR_NONE)
        code = run_in_child(&w, e);
    for (size_t i = 0; code == ERR_NONE && figure != NULL && w.kind->metrics[i].name != NULL; i++)
        figure(self, w.kind->metrics[i].name, w.kind->metrics[i].unit, w.metrics[i]);
    /* Also after an error, when there may be none: NULL is fine. */
    isolate_unshare(w.metrics, run_n_metrics(w.kind) * sizeof *w.metrics);
    param_set_free(w.params);
    return call_end(before, code);
}
