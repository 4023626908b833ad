/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "report/report.h"
#include "report/summary.h"
#include "scenario/turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *scenario, *database, *report, *bounds;
    struct words sets;
    bool json;
};

static const struct command_option options[] = {
    {"report", 'r', "NAME", "this report of `iasim list reports` instead of the scenario's tables",
     OPTION_AT(struct options, report), .values = "reports"},
    {"bounds", 0, "SCENARIO",
     "where the report needs bounds: their scenario, whose results are in its NAME.db here (default: SCENARIO-bound)",
     OPTION_AT(struct options, bounds), .values = "scenarios"},
    {"set", 0, "NAME=VALUE[,VALUE..]", "as for `iasim run`", OPTION_AT(struct options, sets)},
    {"json", 'J', NULL, "print the report as JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "SCENARIO", "a scenario", OPTION_AT(struct options, scenario), .required = true,
     .values = "scenarios/ *.xml /"},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, database), .values = "*.db"},
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about =
        "Reports on the results of a scenario: the tables that it asks for, and where the paper's values are "
        "beside it (table2.csv, table3.csv), the comparison with them; or another report, by --report. Where a report "
        "examines claims of a paper, it ends with how many of them hold. R.db is what `iasim run` made (default: "
        "NAME.db of the scenario, here). It is only read: the folder need not be writable, and the run may still be "
        "going on.",
    .examples = "# The paper's interference rates measured again.\n"
                "iasim run kreaseck-interference\n"
                "iasim report kreaseck-interference\n"
                "# The paper's comparison of policies, beside the bound.\n"
                "iasim run kreaseck-fork\n"
                "iasim run kreaseck-fork-bound\n"
                "iasim report kreaseck-fork --report kreaseck\n",
};

static enum err_code report_summary(const struct scenario *s, struct store *results, const char *database, bool json,
                                    struct err *e)
{
    struct run_progress progress = {.n_total = turn_count(s)};
    json_t *root = NULL;
    uint64_t n_worked = 0;
    enum err_code code = store_count(results, &n_worked, &progress.n_failed, e);
    progress.n_done = n_worked + progress.n_failed;
    const struct summary summary = {s, results, &progress, database, true};
    if (code == ERR_NONE)
        code = json ? summary_json(&summary, &root, e) : summary_print(&summary, stdout, e);
    if (code == ERR_NONE && json)
        command_print_json(root);
    return code;
}

static enum err_code report_document(const struct report *r, const struct report_inputs *in, bool json, struct err *e)
{
    struct document *d = document_create();
    struct text text = {0};
    enum err_code code = r->tell(in, d, e);
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

/* A scenario with its results, open to be read. */
struct results {
    struct scenario scenario;
    char *database;
    struct store *store;
};

static void results_close(struct results *r)
{
    store_close(r->store, NULL);
    scenario_clear(&r->scenario);
    free(r->database);
}

static enum err_code results_open(struct results *r, const char *scenario, const struct words *sets,
                                  const char *database, struct err *e)
{
    char *path = NULL;
    enum err_code code = command_scenario_path(scenario, &path, e);
    if (code == ERR_NONE)
        code = scenario_read(path, &(struct scenario_options){.sets = sets->list, .n_sets = sets->n}, &r->scenario, e);
    free(path);
    if (code != ERR_NONE)
        return code;
    r->database = database != NULL ? mem_strdup(database) : mem_format("%s.db", r->scenario.name);
    if (access(r->database, R_OK) != 0)
        return err_set_at(e, ERR_IO, r->database, 0, "there are no results; `iasim run %s` makes them", scenario);
    return store_open_read(r->database, &r->scenario, &r->store, e);
}

/* The bounds of a scenario of farms are those of NAME-bound. */
static enum err_code report_with_bounds(const struct options *o, const struct report *r, struct report_inputs *in,
                                        struct err *e)
{
    static const struct words no_sets;
    struct results bounds = {0};
    char *scenario = o->bounds != NULL ? mem_strdup(o->bounds) : mem_format("%s-bound", in->scenario->name);
    enum err_code code = results_open(&bounds, scenario, &no_sets, NULL, e);
    free(scenario);
    if (code == ERR_NONE && strcmp(bounds.scenario.experiment->name, "bound") != 0)
        code = err_set(e, ERR_INPUT, "scenario %s belongs to experiment %s, not to bound", bounds.scenario.name,
                       bounds.scenario.experiment->name);
    in->bounds = &bounds.scenario;
    in->bound_results = bounds.store;
    if (code == ERR_NONE)
        code = report_document(r, in, o->json, e);
    results_close(&bounds);
    return code;
}

static enum err_code report(const struct options *o, const struct results *r, struct err *e)
{
    const struct report *asked = NULL;
    struct report_inputs in = {.scenario = &r->scenario, .results = r->store};
    enum err_code code = report_find(o->report, &r->scenario, &asked, e);
    if (code != ERR_NONE)
        return code;
    if (asked == NULL)
        return report_summary(&r->scenario, r->store, r->database, o->json, e);
    return asked->needs_bounds ? report_with_bounds(o, asked, &in, e) : report_document(asked, &in, o->json, e);
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    struct results r = {0};
    command_parse(&usage, argc, argv, &o);
    enum err_code code = results_open(&r, o.scenario, &o.sets, o.database, e);
    if (code == ERR_NONE)
        code = report(&o, &r, e);
    results_close(&r);
    free(o.sets.list);
    return code;
}

extern const struct command command_report;
const struct command command_report = {
    .name = "report",
    .summary = "print the tables of a scenario's results, beside the paper's",
    .usage = &usage,
    .run = run,
};
