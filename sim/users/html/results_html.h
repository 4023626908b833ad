/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of a database as data of the view `results` (results.js): every run with all its parameters and
   figures. */
#ifndef IASIM_HTML_RESULTS_HTML_H
#define IASIM_HTML_RESULTS_HTML_H

#include "scenario/scenario.h"

#include <jansson.h>

/* A larger database is refused. Above RESULTS_EXACT_RUNS figures get 7 digits, which the page says; else they are those
   of `iasim export`. */
enum { RESULTS_MAX_RUNS = 200000, RESULTS_EXACT_RUNS = 10000 };

struct results_source {
    const char *database;
    const struct scenario
        *scenario; /* of the database: it gives the order of values and the first pictures; NULL: unknown */
};

/* *out is the caller's:
     {"scenario","experiment","description","command","runs": number or null,"running","digits","n",
      "params":[{"name","unit","meaning","is_file","is_instance","values":[".."],"rows":"0,1,.."}],
                                                                                 no rows: all have the one value
      "metrics":[{"name","unit","meaning","better","rows":"1.5,,2"}],            "": no figure
      "keys":"..,..", "instances":"0,-1,..",                                     -1: a copy of an earlier instance
      "errors":[{"text","rows":[..]}],
      "views":[{"title","metric","rows":[..],"columns","relative_to","best_of":[..]}]}    the scenario's tables
   Errors: ERR_IO, ERR_INPUT (frame.h). */
enum err_code results_html(const struct results_source *from, json_t **out, struct err *e);

#endif
