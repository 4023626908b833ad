/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Divides rows into cases, instances, settings and groups. Internal to this folder. */
#ifndef IASIM_COMPARE_COMPARE_GROUP_H
#define IASIM_COMPARE_COMPARE_GROUP_H

#include "compare/compare.h"

/* Sorts the rows that were read (at least one) as struct compare_data describes. Errors: ERR_INPUT for two rows of one
   variant and case. */
enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e);

/* A case in the order of groups, then instances. */
struct compare_place {
    uint32_t group, instance, number;
};

/* All cases in that order; with `each_alone` each case is an instance of its own. The caller frees it. */
struct compare_place *compare_order(const struct compare_data *d, bool each_alone);
/* The first case of a group, or the end of the list where no group is that high. Time log n. */
const struct compare_place *compare_first(const struct compare_data *d, const struct compare_place *places,
                                          size_t group);
/* The first case after those of the instance at `at`; at most `end`. */
const struct compare_place *compare_next(const struct compare_place *at, const struct compare_place *end);

#endif
