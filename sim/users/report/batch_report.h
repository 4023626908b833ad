/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a batch, or of a single database. */
#ifndef IASIM_REPORT_BATCH_REPORT_H
#define IASIM_REPORT_BATCH_REPORT_H

#include "batch/batch.h"
#include "store/survey.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A long list leaves out the parts that are done, unless `all`. `folder` is shown as the user wrote it. */
void batch_report_print(const struct batch *b, const struct batch_status *s, const char *folder, bool all, FILE *out);
/* {"folder","scenario","out","runs","done","failed","missing","merged","merging",
    "parts":[{"part","state","runs","done","failed","job"}]}. The caller's. */
json_t *batch_report_json(const struct batch *b, const struct batch_status *s);

void survey_report_print(const struct survey *s, const char *database, FILE *out);
/* {"database","scenario","command","runs","done","failed","missing","running"}; null: not known. The caller's. */
json_t *survey_report_json(const struct survey *s, const char *database);

#endif
