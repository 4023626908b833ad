/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which variant is better, and how well another metric predicts that: text, JSON and CSV. */
#ifndef IASIM_REPORT_COMPARE_REPORT_H
#define IASIM_REPORT_COMPARE_REPORT_H

#include "compare/prediction.h"

#include <jansson.h>
#include <stdio.h>

struct compare_report {
    const struct compare_data *data;
    const struct compare_settings *settings;
    const struct compare_result *result;
    const struct prediction *prediction; /* NULL: the data have no predictor */
};

void compare_report_print(const struct compare_report *r, FILE *out);

/* {"metric","unit","better","by","reference","a_pair_is","instances","settings","cases","copies","confidence",
     "resamples","seed","tolerance",
     "pairs":[{"group":{NAME: "value"},"variant","reference","pairs","failed","missing","median_ratio","low","high",
               "wins","ties","losses","w_plus","w_minus","exact","p","p_holm"}],
     "profile":{"cases","factors":[..],"variants":[{"variant","shares":[..]}]},
     "worst":[{"variant","reference","ratio","parameters","variant_figure","reference_figure","variant_rerun",
               "reference_rerun"}],
     "prediction":                      (absent where the data have no predictor)
      {"predictor",
       "ratios":[{"group","variant","left_out","ratio":{"pairs","median","low","high"},"over_reference":{..},
                  "largest"}],
       "orders":[{"group","cases","left_out","rank_correlation":{"pairs","mean","low","high"},"best_kept":{..},
                  "ratio_to_best":{..}}]}}
   a_pair_is: "instance" or "case"; copies: of instances, or of cases. Missing figures are null, infinite ratios "inf".
   The caller's. */
json_t *compare_report_json(const struct compare_report *r);

/* The pairs, with the names above as columns; the groups' parameters, the metric and its unit come first. Both files
   appear whole or not at all. Errors: ERR_IO. */
enum err_code compare_report_csv(const struct compare_report *r, const char *path, struct err *e);
/* The whole performance profile: variant,factor,share. A row for factor 1 and for every factor at which the share
 * grows. */
enum err_code compare_report_profile(const struct compare_report *r, const char *path, struct err *e);

/* How well the predictor predicts the metric. A row for each figure: the groups' parameters, metric, predictor,
   variant (empty: all), figure (ratio, over_reference, rank_correlation, best_kept, ratio_to_best), pairs, value,
   low, high, confidence. Whole or not at all. Errors: ERR_IO. */
enum err_code compare_report_prediction(const struct compare_report *r, const char *path, struct err *e);

#endif
