/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds by one linear program for the whole tree, by CLP. */
#ifndef IASIM_TEST_FARM_BOUND_CLP_H
#define IASIM_TEST_FARM_BOUND_CLP_H

#include "farm/bound_terms.h"

/* BOUND_LP or BOUND_PHYSICAL: total and computed of every node of `out`, which has nodes. Errors: ERR_INTERNAL. */
enum err_code bound_clp(const struct bound_problem *p, struct bound *out, struct err *e);

#endif
