/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The demo's page: its report, one run in full, and all results behind the report. */
#ifndef IASIM_CLI_DEMO_PAGE_H
#define IASIM_CLI_DEMO_PAGE_H

#include "html/results_html.h"
#include "report/document.h"

struct demo_page {
    const struct document *report;
    const struct results_source *results; /* each with its scenario */
    size_t n_results;
};

/* Simulates the run in a child. Errors: ERR_USAGE: built without d3; those of replays and files. */
enum err_code demo_page_write(const struct demo_page *d, const char *path, struct err *e);

#endif
