/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How well one metric foretells another one: text, JSON and CSV. Part of the report of a comparison. */
#ifndef IASIM_REPORT_PREDICTION_REPORT_H
#define IASIM_REPORT_PREDICTION_REPORT_H

#include "compare/prediction.h"

#include <jansson.h>
#include <stdio.h>

struct prediction_report {
    const struct compare_data *data;
    const struct compare_settings *settings;
    const struct prediction *prediction;
};

void prediction_report_print(const struct prediction_report *r, FILE *out);

/* {"predictor",
     "ratios":[{"group":{NAME: "value"},"variant","left_out","ratio":{"pairs","median","low","high"},"over_reference":{..},
                "largest"}],
     "orders":[{"group":{NAME: "value"},"cases","left_out",
                "rank_correlation":{"pairs","mean","low","high"},"best_kept":{..},"ratio_to_best":{..}}]}
   Missing figures are null, infinite ones "inf". The caller's. */
json_t *prediction_report_json(const struct prediction_report *r);

/* A row for each figure: the groups' parameters, metric, predictor, variant (empty: all), figure (ratio,
   over_reference, rank_correlation, best_kept, ratio_to_best), pairs, value, low, high, confidence. Whole or not at
   all. Errors: ERR_IO. */
enum err_code prediction_report_csv(const struct prediction_report *r, const char *path, struct err *e);

#endif
