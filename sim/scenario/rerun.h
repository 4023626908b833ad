/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line that makes a point of a scenario again, for reports that name points worth a look. */
#ifndef IASIM_SCENARIO_RERUN_H
#define IASIM_SCENARIO_RERUN_H

#include "base/text.h"

#include <stddef.h>

/* Adds a word as a shell reads it back: as it is where that is safe, else in single quotes. */
void rerun_add_word(struct text *out, const char *word);
void rerun_add_option(struct text *out, const char *option, const char *value); /* " --set 'model=classic'" */

/* "iasim --plugin ./mine.so run sinnen-smoke --set 'model=classic'": what determines a scenario's points, from the
   words as the user gave them. Fresh. */
struct rerun_words {
    const char *const *plugins;
    size_t n_plugins;
    const char *scenario; /* file, folder or name */
    const char *const *sets;
    size_t n_sets;
};
char *rerun_scenario(const struct rerun_words *w);
void rerun_add_scenario(struct text *out, const char *program, const struct rerun_words *w); /* PROGRAM for iasim */

/* The same for one replication of one point: `scenario` with "--only KEY/REPLICATION" behind it. Fresh. */
char *rerun_point(const char *scenario, const char *key, long replication);

#endif
