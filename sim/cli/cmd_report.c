/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "report/interference_report.h"
#include "report/summary.h"
#include "scenario/turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *scenario, *database;
    struct words sets;
    bool json;
};

static const struct command_option options[] = {
    {"set", 0, "NAME=VALUE[,VALUE..]", "as given to `iasim run`", OPTION_AT(struct options, sets)},
    {"json", 'J', NULL, "print the report as JSON", OPTION_AT(struct options, json)},
    {NULL, 0, "SCENARIO", "a scenario", OPTION_AT(struct options, scenario), .required = true,
     .values = "scenarios/ *.xml /"},
    {NULL, 0, "R.db", "a database", OPTION_AT(struct options, database), .values = "*.db"},
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about = "Reports on the results of a scenario: the tables that it asks for, and where the paper's values are "
             "beside it (table2.csv), the comparison with them. R.db is what `iasim run` made (default: NAME.db of the "
             "scenario, here). It is only read: the folder need not be writable, and the run may still be going on.",
    .examples = "# The paper's interference rates measured again.\n"
                "iasim run kreaseck-interference\n"
                "iasim report kreaseck-interference\n",
};

static enum err_code report_interference(const struct interference_inputs *in, bool json, struct err *e)
{
    struct document *d = document_create();
    struct text text = {0};
    enum err_code code = interference_report_tell(in, d, e);
    if (code == ERR_NONE && json)
        command_print_json(document_json(d));
    else if (code == ERR_NONE)
        document_add_to(d, &text);
    fwrite(text_str(&text), 1, text.size, stdout);
    text_clear(&text);
    document_free(d);
    return code;
}

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

static enum err_code report(const struct options *o, const struct scenario *s, const char *database, struct err *e)
{
    struct store *results = NULL;
    const char *slash = strrchr(s->path, '/');
    char *table2 = mem_format("%.*stable2.csv", slash ? (int)(slash + 1 - s->path) : 0, s->path);
    bool is_interference = strcmp(s->experiment->name, "interference") == 0 && access(table2, R_OK) == 0;
    enum err_code code = store_open_read(database, s, &results, e);
    if (code == ERR_NONE && is_interference)
        code = report_interference(&(struct interference_inputs){s, results, table2}, o->json, e);
    else if (code == ERR_NONE)
        code = report_summary(s, results, database, o->json, e);
    store_close(results, NULL);
    free(table2);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    struct scenario s = {0};
    command_parse(&usage, argc, argv, &o);
    char *path = NULL, *database = NULL;
    enum err_code code = command_scenario_path(o.scenario, &path, e);
    if (code == ERR_NONE)
        code = scenario_read(path, &(struct scenario_options){.sets = o.sets.list, .n_sets = o.sets.n}, &s, e);
    if (code == ERR_NONE) {
        database = o.database ? mem_strdup(o.database) : mem_format("%s.db", s.name);
        if (access(database, R_OK) != 0)
            code = err_set_at(e, ERR_IO, database, 0, "there are no results; `iasim run %s` makes them", o.scenario);
    }
    if (code == ERR_NONE)
        code = report(&o, &s, database, e);
    scenario_clear(&s);
    free(database);
    free(path);
    free(o.sets.list);
    return code;
}

extern const struct command command_report;
const struct command command_report = {
    .name = "report",
    .summary = "the tables of a scenario's results, beside the paper's",
    .usage = &usage,
    .run = run,
};
