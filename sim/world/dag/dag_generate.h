/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Generators of task graphs: one file each in generators/, registered in generators.def. A graph depends only on
   the generator, its parameters and the seed, and is the same on any machine. */
#ifndef IASIM_DAG_DAG_GENERATE_H
#define IASIM_DAG_DAG_GENERATE_H

#include "base/param.h"
#include "base/random.h"
#include "dag/dag.h"

struct dag_generator {
    const char *name, *summary, *source;
    const struct param *params;
    /* OPTIONAL. Called before `generate`. Errors: ERR_INPUT for parameters that do not fit together. */
    enum err_code (*check)(const struct param_set *params, struct err *e);
    /* REQUIRED. Fills `out`, which is initialised on entry, each task after its predecessors; the caller seals it.
       Errors: ERR_INPUT for a graph that is too large. */
    enum err_code (*generate)(const struct param_set *params, struct random_stream *random, struct dag *out,
                              struct err *e);
};

extern const struct dag_generator *const dag_generators[]; /* ends with NULL; the order of generators.def */

/* Makes a graph from "name[k=v,...]"; out->source is this text and the seed. Errors: ERR_INPUT: unknown generator (the
   message lists the known ones), unknown or bad parameter; *out then needs no clearing. */
enum err_code dag_generate(const char *spec, unsigned long long seed, struct dag *out, struct err *e);
/* The same checks without making the graph, for checking a scenario. */
enum err_code dag_generate_check(const char *spec, struct err *e);

#endif
