/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a row back to the point of a scenario that it belongs to. Internal to this folder. */
#ifndef IASIM_STORE_PLACES_H
#define IASIM_STORE_PLACES_H

#include "scenario/scenario.h"
#include "store/store_sql.h"

struct places;

struct places *places_create(const struct scenario *s); /* which stays */
void places_free(struct places *p);

/* The place on axis number `axis` of the value in column `column` of the row that `q` is at; the number of the axis's
   values if it is not among them. */
size_t places_find(const struct places *p, size_t axis, sqlite3_stmt *q, int column);

/* Whether every row of the database is a run of the scenario. Time: n log n of the rows. Errors: ERR_IO; ERR_INPUT for
   a row that is not, with a value that the scenario does not have, as an error of the database; it ends with
   `way_out`. */
enum err_code places_check_rows(const struct database *db, const struct scenario *s, const char *way_out,
                                struct err *e);

#endif
