/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All results of a database, in memory, in an order that does not depend on the order of the runs: by the values of the
   parameters, then by replication. Unlike compare_read it accepts one variant, no results, and negative figures. */
#ifndef IASIM_COMPARE_FRAME_H
#define IASIM_COMPARE_FRAME_H

#include "compare/value_list.h"
#include "scenario/scenario.h"

enum { FRAME_KEY_SIZE = 33 };

struct frame_row {
    char key[FRAME_KEY_SIZE];
    char *error;      /* NULL: it worked */
    uint32_t *values; /* [param]: the number of its value */
    double *figures;  /* [metric]; NAN: none */
    uint32_t instance;
};

struct frame_param {
    struct value_list values; /* in the scenario's order, else numbers before text, ascending */
    bool names_instance;      /* see compare.h */
};

struct frame {
    char *scenario, *experiment, *command; /* as recorded in the database; NULL: not recorded */
    uint64_t n_runs;                       /* of the whole scenario; 0: not recorded */
    struct frame_param *params; /* in the scenario's order, else the database's; the last one is the replication */
    char **metrics;
    size_t n_params, n_metrics;
    struct frame_row *rows;
    size_t n_rows, capacity;
    bool *is_copy;      /* [instance]: an earlier one has the same figures in every run */
    size_t n_instances; /* with copies; numbered in the order of their values */
};

/* `scenario`, if it is not NULL, is the one of the database, for the order. Time n log n. Clear `out` even after an
   error. Errors: ERR_IO; ERR_INPUT for a database that does not hold results, and for one with more than `max_rows`. */
enum err_code frame_read(const char *database, const struct scenario *scenario, size_t max_rows, struct frame *out,
                         struct err *e);
void frame_clear(struct frame *f);

#endif
