/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a database of results holds, without its scenario and without touching it. */
#ifndef IASIM_STORE_SURVEY_H
#define IASIM_STORE_SURVEY_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct survey {
    bool exists;
    bool in_use;  /* a run is writing to it */
    bool is_torn; /* a run was killed while it wrote; it cannot be read until --resume repairs it */
    uint64_t n_done, n_failed;
    uint64_t n_runs;                   /* of the whole scenario; 0: the database does not say */
    char *scenario, *digest, *command; /* NULL: not known; `command` is rerun_scenario() */
};

/* What cannot be looked into because it is torn, or being made at this moment, has no rows yet. Errors:
   ERR_IO (damaged, no database), ERR_INPUT (not one of results). survey_clear in any case. */
enum err_code survey_database(const char *path, struct survey *out, struct err *e);
void survey_clear(struct survey *s);

/* Whether the file was meant as a database where a scenario could stand: it is one of SQLite, or empty (nothing is
   written yet), or its name ends in .db. A scenario is XML or a folder. */
bool survey_is_database(const char *path);

#endif
