/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of tasks and edges as parts of C identifiers, and any text as a C string. */
#ifndef IASIM_CODEGEN_IDENTIFIERS_H
#define IASIM_CODEGEN_IDENTIFIERS_H

#include "base/text.h"
#include "dag/dag.h"

struct
    identifiers { /* different from each other, of letters, digits and underscores; they need a prefix such as "T_" */
    char **tasks; /* [task]: the name itself if it can be */
    char **edges; /* [edge]: SRC__DST, likewise */
    int n_tasks, n_edges;
};

void identifiers_init(struct identifiers *x, const struct dag *g);
void identifiers_clear(struct identifiers *x);

/* Appends the bytes as a C string in quotes, in ASCII, without anything that a compiler could take for something
   else. */
void text_add_c_string(struct text *out, const char *bytes);

#endif
