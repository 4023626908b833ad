/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary of a scenario's results: the tables that its file asks for, the number of runs, and the failures. */
#ifndef IASIM_REPORT_SUMMARY_H
#define IASIM_REPORT_SUMMARY_H

#include "report/document.h"
#include "sweep/sweep_run.h"

#include <jansson.h>
#include <stdio.h>

struct summary {
    const struct scenario *scenario;
    struct store *store;
    const struct run_progress *progress;
    const char *database;
    bool has_tables; /* false for a shard of a scenario, whose means would mislead */
};

/* Errors: ERR_IO if the database cannot be read. */
enum err_code summary_print(const struct summary *s, FILE *out, struct err *e);
/* {"scenario","database","runs","resumed","done","failed","failures":[{"key","replication","where","error"}],
   "tables":[{"title","metric","unit","relative_to","best_of":[..],"cells":[{PARAMETER: "value", ..., "mean"}]}]}. With
   best_of, a mean is of ratios to the best; without columns, a cell has
   "runs","best","wins","ties","losses","mean_ratio","worst_ratio", "means":{METRIC: ..} instead (best_of.h). *out is
   the caller's. */
enum err_code summary_json(const struct summary *s, json_t **out, struct err *e);

/* Adds one of the scenario's tables to a document. Errors: ERR_IO; ERR_INPUT for a table that is too large to show. */
enum err_code summary_add_table(const struct scenario *s, struct store *store, size_t table, struct document *d,
                                struct err *e);

#endif
