/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line that makes a point of a scenario again, for reports that name points worth a look. */
#ifndef IASIM_SCENARIO_RERUN_H
#define IASIM_SCENARIO_RERUN_H

#include "base/text.h"

#include <stdbool.h>
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

/* The scenario and the --set of such a line; false if it has no scenario. Clear `out` in that case as well. */
struct rerun_line {
    char *scenario, **sets;
    size_t n_sets, capacity;
};
bool rerun_read(const char *line, struct rerun_line *out);
void rerun_line_clear(struct rerun_line *l);

/* The command that runs one point again: `scenario`, as rerun_scenario made it, with --only. It carries what it needs:
   of a list that --set gives a parameter the point's value alone, of the key the first digits. Fresh. */
enum { RERUN_KEY_DIGITS = 12 }; /* two of a million points begin with the same ones once in 500 databases */
struct rerun_point {
    const char *key;
    long replication; /* 0: there is but one */
    /* OPTIONAL. The point's value of a parameter, as people write it; NULL: not known. */
    const char *(*value)(const void *self, const char *name);
    const void *self;
};
char *rerun_point(const char *scenario, const struct rerun_point *p);

#endif
