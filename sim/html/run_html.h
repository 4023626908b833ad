/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A replay as data for the page's view "run" (run.js). */
#ifndef IASIM_HTML_RUN_HTML_H
#define IASIM_HTML_RUN_HTML_H

#include "engine/replay.h"
#include "engine/replay_record.h"
#include "models/world.h"

#include <jansson.h>

struct run_html {
    const struct schedule *schedule;
    const struct replay_result *result;
    const struct replay_record *record;
    const struct world_model *world;
};

/* The caller's. */
json_t *run_html_json(const struct run_html *r);

#endif
