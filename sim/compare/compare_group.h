/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Divides rows into cases, instances, settings and groups. Internal to this folder. */
#ifndef IASIM_COMPARE_COMPARE_GROUP_H
#define IASIM_COMPARE_COMPARE_GROUP_H

#include "compare/compare.h"

/* Sorts the rows that were read (at least one) as struct compare_data describes. Errors: ERR_INPUT for two rows of one variant
   and case. */
enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e);

#endif
