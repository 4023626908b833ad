/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A report's claims.xml is looked for beside the scenario first. So a user's copy of a shipped scenario is judged by
   the claims beside it, which the user may have edited, and else by the shipped ones. */
#include "report/report.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct report reports[] = {
#define REPORT(name, ...) {#name, __VA_ARGS__},
#include "report/reports.def"
#undef REPORT
    {0},
};

static char *path_beside(const struct scenario *s)
{
    const char *slash = strrchr(s->path, '/');
    return mem_format("%.*sclaims.xml", slash != NULL ? (int)(slash + 1 - s->path) : 0, s->path);
}

char *report_path(const struct report *r, const struct scenario *s)
{
    char *beside = path_beside(s);
    if (access(beside, R_OK) == 0)
        return beside;
    free(beside);
    return mem_format("scenarios/%s/claims.xml", r->scenario);
}

/* The file beside a scenario, whatever its experiment. */
static const struct report of_scenario = {"", "", "", "", ""};

/* A scenario need not have claims, but what it has must be readable: its tables in place of them would look like the
   whole report. */
static enum err_code find_default(const struct scenario *s, const struct report **out, struct err *e)
{
    char *beside = path_beside(s);
    bool is_default = false;
    enum err_code code = access(beside, F_OK) == 0 ? claims_say(beside, "default", &is_default, e) : ERR_NONE;
    *out = is_default ? &of_scenario : NULL;
    free(beside);
    return code;
}

static enum err_code unknown(const char *name, struct err *e)
{
    struct text known = {0};
    for (const struct report *r = reports; r->name != NULL; r++)
        text_add_name(&known, r->name);
    err_set(e, ERR_INPUT, "unknown report '%s'%s", name, hint_among(name, text_str(&known), "report").text);
    text_clear(&known);
    return ERR_INPUT;
}

enum err_code report_find(const char *name, const struct scenario *s, const struct report **out, struct err *e)
{
    *out = NULL;
    if (name == NULL)
        return find_default(s, out, e);
    for (const struct report *r = reports; *out == NULL && r->name != NULL; r++)
        if (strcmp(r->name, name) == 0)
            *out = r;
    if (*out == NULL)
        return unknown(name, e);
    if (strcmp((*out)->experiment, s->experiment->name) == 0)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "report %s needs experiment %s; scenario %s has experiment %s", name,
                   (*out)->experiment, s->name, s->experiment->name);
}
