/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run of a farm as data for the page's view "farm" (farm.js). */
#ifndef IASIM_HTML_FARM_HTML_H
#define IASIM_HTML_FARM_HTML_H

#include "engine/farm_run.h"
#include "explain/farm_losses.h"

#include <jansson.h>

struct farm_html {
    const struct tree *tree;
    const struct farm_run_options *options;
    const struct farm_run_result *result;
    const struct farm_record *record;
    const struct farm_losses *losses;
};

/* For each node: what it did, what it received, what transfers took of its processor, and what it loses against the
   bound. What it did is a list of bars; with more than FARM_HTML_MOST_BARS of all nodes, shares of 1,000 intervals. The
   caller frees it. */
enum { FARM_HTML_MOST_BARS = 60000 };
json_t *farm_html_json(const struct farm_html *f);

#endif
