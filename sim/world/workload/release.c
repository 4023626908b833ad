/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/gamma.h"
#include "base/mem.h"
#include "base/param.h"
#include "base/registry.h"
#include "workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t stream_of_gaps = 0x72656c65617365; /* "release"; generators use small numbers */

#define RATE                                                                                                           \
    {                                                                                                                  \
        "rate", PARAM_NUMBER, "jobs/s", NULL, 1e-12, 1e12, NULL, "jobs per second"                                     \
    }
#define LOAD                                                                                                           \
    {                                                                                                                  \
        "load", PARAM_NUMBER, "", NULL, 1e-9, 1e9, NULL, "work of all jobs over what the hosts can do meanwhile"       \
    }
static const struct param none[] = {{0}};
static const struct param of_every[] = {
    {"s", PARAM_NUMBER, "s", NULL, 0, 1e15, NULL, "seconds between two"}, LOAD, {0}};
static const struct param of_poisson[] = {RATE, LOAD, {0}};
static const struct param of_burst[] = {{"size", PARAM_INTEGER, "jobs", NULL, 1, 1e9, NULL, "jobs at a time"},
                                        {"every", PARAM_NUMBER, "s", NULL, 0, 1e15, NULL, "seconds between two"},
                                        LOAD,
                                        {0}};
static const struct param of_swf[] = {{"file", PARAM_TEXT, "file", NULL, 0, 0, NULL, "a log"}, {0}};

struct named_kind {
    const char *name;
    enum release_kind kind;
    const struct param *params;
    const char *rate; /* the parameter for which `load` may stand; NULL: none */
};
static const struct named_kind kinds[N_RELEASE_KINDS] = {{"at_once", RELEASE_AT_ONCE, none, NULL},
                                                         {"every", RELEASE_EVERY, of_every, "s"},
                                                         {"poisson", RELEASE_POISSON, of_poisson, "rate"},
                                                         {"burst", RELEASE_BURST, of_burst, "every"},
                                                         {"swf", RELEASE_SWF, of_swf, NULL}};
static const struct named_kind *const list[] = {&kinds[0], &kinds[1], &kinds[2], &kinds[3], &kinds[4], NULL};

/* "every[5]" is "every[s=5]". Fresh. */
static char *with_name(const char *text)
{
    const char *open = strchr(text, '[');
    size_t n = open != NULL ? (size_t)(open - text) : 0;
    for (size_t i = 0; open != NULL && strchr(text, '=') == NULL && open[1] != ']' && i < N_RELEASE_KINDS; i++)
        if (strlen(kinds[i].name) == n && strncmp(kinds[i].name, text, n) == 0 && kinds[i].kind != RELEASE_BURST &&
            kinds[i].params[0].name != NULL)
            return mem_format("%.*s[%s=%s", (int)n, text, kinds[i].params[0].name, open + 1);
    return mem_strdup(text);
}

static enum err_code take(const struct named_kind *kind, const struct param_set *ps, const char *folder,
                          struct release_rule *out, struct err *e)
{
    out->kind = kind->kind;
    if (kind->kind == RELEASE_SWF) {
        if (!param_has(ps, "file"))
            return err_set(e, ERR_INPUT, "arrival swf needs a file, as in swf[file=log.swf]");
        const char *file = param_text(ps, "file");
        out->file = file[0] == '/' || folder == NULL ? mem_strdup(file) : mem_format("%s%s", folder, file);
    }
    if (kind->kind == RELEASE_BURST && !param_has(ps, "size"))
        return err_set(e, ERR_INPUT, "arrival burst needs a size, as in burst[size=10,every=60]");
    if (kind->kind == RELEASE_BURST)
        out->size = param_integer(ps, "size");
    if (kind->rate == NULL)
        return ERR_NONE;
    if (param_has(ps, kind->rate) == param_has(ps, "load"))
        return err_set(e, ERR_INPUT, "arrival %s needs either %s or load", kind->name, kind->rate);
    if (param_has(ps, "load"))
        out->load_ratio = param_number(ps, "load");
    else
        *(kind->kind == RELEASE_POISSON ? &out->rate_per_s : &out->every_s) = param_number(ps, kind->rate);
    return ERR_NONE;
}

enum err_code release_parse(const char *text, const char *folder, struct release_rule *out, struct err *e)
{
    struct spec spec;
    struct err why = {0};
    char owner[64], *full = with_name(text);
    *out = (struct release_rule){.every_s = NAN, .rate_per_s = NAN, .load_ratio = NAN, .size = 1};
    enum err_code code = spec_parse(&spec, full, &why);
    free(full);
    if (code != ERR_NONE)
        return err_set(e, ERR_INPUT, "arrival '%.100s': %.200s", text, why.text);
    const struct named_kind *kind = registry_choose(list, "arrival", spec.name, e);
    struct param_set *ps = kind != NULL ? param_set_create(kind->params) : NULL;
    code = kind != NULL ? ERR_NONE : ERR_INPUT;
    if (code == ERR_NONE) {
        snprintf(owner, sizeof owner, "arrival %s", kind->name);
        code = param_set_spec(ps, owner, &spec, e);
    }
    if (code == ERR_NONE)
        code = take(kind, ps, folder, out, e);
    param_set_free(ps);
    spec_clear(&spec);
    if (code != ERR_NONE)
        release_clear(out);
    return code;
}

void release_clear(struct release_rule *r)
{
    free(r->file);
    *r = (struct release_rule){0};
}

static enum err_code take_log(const struct release_rule *r, long n, double *out, struct err *e)
{
    double *dates_s = NULL;
    long n_dates = 0;
    enum err_code code = swf_read(r->file, &dates_s, &n_dates, e);
    if (code == ERR_NONE && n_dates < n)
        code = err_set_at(e, ERR_INPUT, r->file, 0, "the log has %ld jobs, and the workload asks for %ld", n_dates, n);
    if (code == ERR_NONE)
        memcpy(out, dates_s, (size_t)n * sizeof *out);
    free(dates_s);
    return code;
}

enum err_code release_dates(const struct release_rule *r, long n, double work_s, uint64_t seed, double *out,
                            struct err *e)
{
    struct random_stream random;
    double gap_s = isfinite(r->every_s) ? r->every_s / (double)r->size : 1 / r->rate_per_s, gaps = 0;
    if (r->kind == RELEASE_SWF)
        return take_log(r, n, out, e);
    if (isfinite(r->load_ratio)) {
        gap_s = work_s / (double)n / r->load_ratio;
        if (!(gap_s > 0))
            return err_set(e, ERR_INPUT, "load: the jobs have no work, so no load gives them a rate");
    }
    random_init(&random, seed, stream_of_gaps);
    for (long i = 0; i < n; i++) {
        if (r->kind == RELEASE_POISSON)
            gaps += random_gamma(&random, 1); /* exponential */
        else
            gaps = (double)(i / r->size * r->size);
        out[i] = r->kind == RELEASE_AT_ONCE ? 0 : gaps * gap_s;
    }
    return ERR_NONE;
}
