/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From rows as they were read to cases, instances, settings and groups. Internal to this
   folder. */
#ifndef IASIM_COMPARE_COMPARE_GROUP_H
#define IASIM_COMPARE_COMPARE_GROUP_H

#include "compare/compare.h"

/* Rows as they were read, at least one, into the order of struct compare_data. Errors: ERR_INPUT for two rows of one
   variant and case. */
enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e);

#endif
