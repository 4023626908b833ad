/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The page of `iasim report --html`: every run of a database, the scenario's tables, and what each report that fits
   says about them. A database whose scenario cannot be read (in->store is NULL) still gets the first of these. */
#include "cli/report_page.h"

#include "base/mem.h"
#include "cli/command.h"
#include "html/html.h"
#include "html/results_html.h"
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

/* The path of its claims.xml: report_path leaves shipped files relative, so they are looked for in the data folder. The
   caller's. */
static char *path_of(const struct report *r, const struct scenario *s)
{
    char *path = report_path(r, s), *found = command_data_path(path);
    free(path);
    return found;
}

enum err_code report_needs_bounds(const struct report *r, const struct scenario *s, bool *out, struct err *e)
{
    char *path = path_of(r, s);
    enum err_code code = claims_say(path, "bounds", out, e);
    free(path);
    return code;
}

enum err_code report_tell(const struct report *r, struct claims_inputs in, struct document *d, struct err *e)
{
    char *path = path_of(r, in.scenario);
    in.path = path;
    enum err_code code = claims_tell(&in, d, e);
    free(path);
    return code;
}

/* What a report says, or nothing where it does not apply: most need certain parameters. On a page that shows all
   reports this is no error; `iasim report --report NAME` tells the reason. */
static void add_report(const struct report *r, const struct claims_inputs *in, struct html_page *page)
{
    struct document *d = document_create();
    struct err does_not_apply = {0};
    if (report_tell(r, *in, d, &does_not_apply) == ERR_NONE) {
        document_tally(d);
        char *title = mem_format("Report: %s", r->summary);
        html_page_add(page, "document", title, document_blocks_json(d));
        free(title);
    }
    document_free(d);
}

/* By the experiment alone: a scenario of one's own may be judged by the claims of a shipped one. */
static void add_reports(const struct results_input *in, struct html_page *page)
{
    for (const struct report *r = reports; r->name != NULL; r++) {
        struct claims_inputs inputs = {.scenario = &in->scenario, .results = in->store};
        struct results_input bounds = {0};
        struct err no_bounds = {0}, does_not_apply = {0};
        bool needs_bounds = false;
        if (strcmp(r->experiment, in->scenario.experiment->name) != 0 ||
            report_needs_bounds(r, &in->scenario, &needs_bounds, &does_not_apply) != ERR_NONE)
            continue;
        if (needs_bounds) {
            /* By convention: the scenario NAME-bound computes the bounds of NAME, and `iasim run` has left
               NAME-bound.db here. */
            char *name = mem_format("%s-bound", in->scenario.name);
            if (results_input_open(&bounds, name, NULL, NULL, &no_bounds) == ERR_NONE) {
                inputs.bounds = &bounds.scenario;
                inputs.bound_results = bounds.store;
            }
            free(name);
        }
        if (!needs_bounds || inputs.bounds != NULL)
            add_report(r, &inputs, page);
        results_input_close(&bounds);
    }
}

static void add_tables(const struct results_input *in, struct html_page *page)
{
    struct document *d = document_create();
    /* A table that is too large is left out; the view of all runs above it lets the reader make a smaller one. */
    struct err too_large = {0};
    for (size_t i = 0; i < in->scenario.n_tables; i++)
        summary_add_table(&in->scenario, in->store, i, d, &too_large);
    if (in->scenario.n_tables > 0)
        html_page_add(page, "document", "Tables of the scenario", document_blocks_json(d));
    document_free(d);
}

enum err_code report_page_write(const struct results_input *in, const char *path, struct err *e)
{
    /* First, because it reads the database and refuses one that is too large for a browser. */
    json_t *data;
    enum err_code code =
        results_html(&(struct results_source){in->database, in->store != NULL ? &in->scenario : NULL}, &data, e);
    if (code != ERR_NONE)
        return code;
    /* Of a database without its scenario the name is what the database itself recorded, if anything. */
    const char *name = json_string_value(json_object_get(data, "scenario"));
    char *title = mem_format("Results of %s", name != NULL ? name : in->database);
    struct html_page *page = html_page_create(title);
    html_page_add(page, "results", "Runs", data);
    if (in->store != NULL) {
        add_tables(in, page);
        add_reports(in, page);
    }
    code = html_page_write(page, path, e);
    html_page_free(page);
    free(title);
    return code;
}
