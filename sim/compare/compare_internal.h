/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files of compare.h. Internal to this folder. */
#ifndef IASIM_COMPARE_COMPARE_INTERNAL_H
#define IASIM_COMPARE_COMPARE_INTERNAL_H

#include "compare/compare.h"

/* Rows as they were read, at least one, into the order of struct compare_data. Errors: ERR_INPUT for two rows of one
   variant and instance. */
enum err_code compare_group(const struct compare_query *q, struct compare_data *d, struct err *e);

enum { COMPARE_SHOWN_VALUES = 20 }; /* in messages */

#endif
