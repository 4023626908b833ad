/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay as data for the page's view "run" (run.js): what was planned, what happened, and what explains it. */
#ifndef IASIM_HTML_RUN_HTML_H
#define IASIM_HTML_RUN_HTML_H

#include "explain/what_if.h"

#include <jansson.h>

struct run_html {
    const struct schedule *schedule;
    const struct replay_result *result;
    const struct replay_record *record;
    const struct world_model *world;
    const struct explanation *explanation;
    const struct what_if *what_ifs; /* best first */
    size_t n_what_ifs;
};

/* With more remote edges than this, edges are shown as shares of time: what part of an interval a host sends or
   receives, and a link carries data. */
enum { RUN_HTML_MOST_EDGES = 50000 };

/* All of it; the caller's. The fields are described at the top of run_html.c. */
json_t *run_html_json(const struct run_html *r);

#endif
