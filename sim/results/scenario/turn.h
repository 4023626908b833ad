/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which run comes when, and what it is called. Runs are points times replications. A point's number is its
   place in the cross product, the last axis in the file changing fastest. The order in which runs are handed
   out, their turn, differs in one thing: runs that share a loaded platform (RUN_SHARED in runs/run.h)
   are neighbours. */
#ifndef IASIM_SCENARIO_TURN_H
#define IASIM_SCENARIO_TURN_H

#include "base/digest.h"
#include "scenario/scenario.h"

#include <stdint.h>

struct turn {
    uint64_t point;   /* from 0 */
    long replication; /* from 1 */
};

uint64_t turn_count(const struct scenario *s);
struct turn turn_at(const struct scenario *s, uint64_t number);

/* The value of the experiment's param `param_id` at a point; NULL: an optional one that is not given. Borrowed. */
const struct scenario_value *turn_value(const struct scenario *s, uint64_t point, size_t param_id);

/* Which of the combinations of values of the shared parameters the point has, counted as points are; 0 when nothing is
   shared. */
uint64_t turn_shared(const struct scenario *s, uint64_t point);
uint64_t turn_shared_count(const struct scenario *s);
/* The first turn of a combination. */
uint64_t turn_shared_first(const struct scenario *s, uint64_t shared);

/* A digest of all that determines the result of a point but the replication: the experiment and its
   results_version, every parameter that has a value (a file by its content), the seed of a random experiment. */
void turn_key(const struct scenario *s, uint64_t point, char out[DIGEST_HEX_SIZE]);

/* Its parameters, with files as paths; the caller frees. */
struct param_set *turn_params(const struct scenario *s, uint64_t point);

/* The number of its random stream, which derives from the key that the point has where the experiment's variants
   (where a RUN_RANDOM parameter is given: all but what names the instance) have their defaults, and from the
   replication. */
uint64_t turn_stream(const struct scenario *s, const struct turn *t);

#endif
