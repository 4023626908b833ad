/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files that make the data of a run share. */
#ifndef IASIM_HTML_RUN_STATE_H
#define IASIM_HTML_RUN_STATE_H

#include "html/columns.h"
#include "html/run_html.h"
#include "report/gantt.h"

#include <stdbool.h>

struct run_data {
    const struct run_html *run;
    const struct schedule *schedule;
    const struct dag *dag;
    const struct machine *machine;
    const struct replay_plan *plan;
    const struct gantt *gantt; /* both layers */
    double tick_s;
    bool is_aggregated; /* edges are not listed */
};

json_t *run_layer_json(const struct run_data *r, bool is_plan); /* run_layers.c */
json_t *run_routes_json(const struct run_data *r);

json_t *run_stolen_json(const struct run_data *r); /* run_shares.c */
json_t *run_bins_json(const struct run_data *r);

json_t *run_before_json(const struct run_data *r); /* run_chain.c */
json_t *run_taken_json(const struct run_data *r);
json_t *run_segments_json(const struct run_data *r);
json_t *run_what_ifs_json(const struct run_data *r);

#endif
