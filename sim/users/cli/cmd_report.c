/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim report`: what a scenario's results say. By default the tables that the scenario asks for or, where its own
   claims.xml says so, the claims of a paper; --report names another report; --html adds a page. Nothing is run, and the
   database is only read. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/report_page.h"
#include "cli/results_input.h"
#include "html/html.h"
#include "report/summary.h"
#include "scenario/turn.h"
#include "store/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *scenario, *database, *report, *bounds, *html;
    struct words sets;
    bool json;
};

static const struct command_option options[] = {
    {"report", 'r', "NAME", "the report to print (`iasim list reports` lists them) instead of the scenario's tables",
     OPTION_AT(struct options, report), .values = "reports"},
    {"bounds", 0, "SCENARIO",
     "for a report that needs bounds: the scenario that computes them, with its results in NAME.db here (default: "
     "SCENARIO-bound)",
     OPTION_AT(struct options, bounds), .values = "scenarios"},
    {"set", 0, "NAME=VALUE[,VALUE..]", "as for `iasim run`", OPTION_AT(struct options, sets)},
    {"html", 'H', "FILE.html",
     "write a page for browsers: all runs, to sort, filter and group, with pictures and intervals, and the report",
     OPTION_AT(struct options, html), .output = true, .values = "*.html"},
    {"json", 'j', NULL, "print the report as JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "SCENARIO|R.db", "a scenario, or a database of results", OPTION_AT(struct options, scenario),
     .required = true, .values = "scenarios/ *.xml *.db /"},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, database), .values = "*.db"},
    {0},
};

static enum err_code report_summary(const struct scenario *s, struct store *results, const char *database, bool json,
                                    struct err *e)
{
    struct run_progress progress = {.n_total = turn_count(s)};
    json_t *root = NULL;
    uint64_t n_worked = 0;
    enum err_code code = store_count(results, &n_worked, &progress.n_failed, e);
    progress.n_done = n_worked + progress.n_failed;
    /* The summary of `iasim run`, for all runs of the scenario, whatever part of them is there yet. */
    const struct summary summary = {s, results, &progress, database, true};
    if (code == ERR_NONE)
        code = json ? summary_json(&summary, &root, e) : summary_print(&summary, stdout, e);
    if (code == ERR_NONE && json)
        command_print_json(root);
    return code;
}

/* Claims are collected into a document first, as text and JSON are two views of it. On an error what was collected is
   dropped. */
static enum err_code report_document(const struct report *r, const struct claims_inputs *in, bool json, struct err *e)
{
    struct document *d = document_create();
    struct text text = {0};
    enum err_code code = report_tell(r, *in, d, e);
    document_tally(d);
    if (code == ERR_NONE && json)
        command_print_json(document_json(d));
    else if (code == ERR_NONE)
        document_add_to(d, &text);
    fwrite(text_str(&text), 1, text.size, stdout);
    text_clear(&text);
    document_free(d);
    return code;
}

/* The bounds of a scenario of farms are those of NAME-bound, unless --bounds names another scenario; its results must
   be here. Without them a comparison with the bound has no meaning, so their absence is an error. */
static enum err_code report_with_bounds(const struct options *o, const struct report *r, struct claims_inputs *in,
                                        struct err *e)
{
    struct results_input bounds = {0};
    char *scenario = o->bounds != NULL ? mem_strdup(o->bounds) : mem_format("%s-bound", in->scenario->name);
    enum err_code code = results_input_open(&bounds, scenario, NULL, NULL, e);
    free(scenario);
    if (code == ERR_NONE && strcmp(bounds.scenario.experiment->name, "bound") != 0)
        code = err_set(e, ERR_INPUT, "scenario %s belongs to experiment %s, not to bound", bounds.scenario.name,
                       bounds.scenario.experiment->name);
    in->bounds = &bounds.scenario;
    in->bound_results = bounds.store;
    if (code == ERR_NONE)
        code = report_document(r, in, o->json, e);
    results_input_close(&bounds);
    return code;
}

static enum err_code report(const struct options *o, const struct results_input *r, struct err *e)
{
    const struct report *asked = NULL;
    struct claims_inputs in = {.scenario = &r->scenario, .results = r->store};
    enum err_code code = report_find(o->report, &r->scenario, &asked, e);
    if (code != ERR_NONE)
        return code;
    /* No report is asked for, and the scenario has none of its own: its tables. */
    if (asked == NULL)
        return report_summary(&r->scenario, r->store, r->database, o->json, e);
    bool needs_bounds = false;
    code = report_needs_bounds(asked, &r->scenario, &needs_bounds, e);
    if (code != ERR_NONE)
        return code;
    return needs_bounds ? report_with_bounds(o, asked, &in, e) : report_document(asked, &in, o->json, e);
}

/* "SCENARIO", "SCENARIO R.db" or "R.db" alone: a single database is recognised by its content or name. */
static enum err_code open_results(const struct options *o, struct results_input *r, struct err *e)
{
    if (o->database != NULL || !survey_is_database(o->scenario))
        return results_input_open(r, o->scenario, &o->sets, o->database, e);
    if (o->sets.n > 0)
        return err_set(e, ERR_USAGE, "--set needs a scenario before the database %s", o->scenario);
    return results_input_open_alone(r, o->scenario, e);
}

/* A page needs no scenario; a report does. So a database alone whose scenario is gone still gives a page, with a
   warning. Without --html, or where --report or --json asks for a report as well, it is an error. */
static enum err_code report_or_say_why(const struct options *o, const struct results_input *r, struct err *e)
{
    if (r->store != NULL)
        return report(o, r, e);
    char why[sizeof r->why];
    err_describe(&r->why, why, sizeof why);
    if (o->html == NULL || o->report != NULL || o->json)
        return err_set_at(e, ERR_INPUT, r->database, 0,
                          "a report needs the scenario of these results; name it: iasim report SCENARIO %s (%s)",
                          r->database, why);
    fprintf(stderr, "iasim report: the page has no report, because the scenario of %s cannot be read: %s\n",
            r->database, why);
    return ERR_NONE;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct results_input r = {0};
    /* Whether the page can be written, before the results are read. */
    enum err_code code = html_check(o->html, e);
    if (code == ERR_NONE)
        code = open_results(o, &r, e);
    if (code == ERR_NONE)
        code = report_or_say_why(o, &r, e);
    if (code == ERR_NONE && o->html != NULL)
        code = report_page_write(&r, o->html, e);
    results_input_close(&r);
    return code;
}

const struct command command_report = {
    .name = "report",
    .summary = "report on a scenario's results, also as a page for browsers",
    .size = sizeof(struct options),
    .options = options,
    .about =
        "Reports on the results of a scenario: the tables that it asks for, or what the claims.xml beside it says "
        "where that is made for it; or another report, by --report. Where a report examines claims of a paper, it ends "
        "with how many of them hold. R.db is what `iasim run` made (default: NAME.db of the scenario, here); alone it "
        "stands for the scenario that it was made for. It is only read: the folder need not be writable, and the run "
        "may still be going on. A page (--html) is one file that needs no network. It holds at most 200,000 runs; "
        "above 10,000 its figures have 7 digits.",
    .examples = "# The paper's interference rates measured again.\n"
                "iasim run kreaseck-interference\n"
                "iasim report kreaseck-interference\n"
                "# The paper's comparison of policies, beside the bound.\n"
                "iasim run kreaseck-fork\n"
                "iasim run kreaseck-fork-bound\n"
                "iasim report kreaseck-fork --report kreaseck\n"
                "# The same results in a browser.\n"
                "iasim report kreaseck-fork.db --html fork.html\n",
    .run = run,
};
