/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All that `iasim list` can name of the schedulers that make one pass: each with each value of each of its choices. */
#ifndef IASIM_SCHEDULERS_VARIANTS_H
#define IASIM_SCHEDULERS_VARIANTS_H

#include "plan/problem.h"

/* "heft", "heft[rank=best]", ...: in the order of schedulers.def; parameters that have their default are left out. So
   are searches, schedulers that only run others, those of plugins, and values that cannot matter on this problem:
   another figure over hosts that are alike, another approach where edges occupy nothing. The caller frees the array and
   its n texts. */
char **variants_of_one_pass(const struct problem *p, size_t *n);
void variants_free(char **texts, size_t n);

#endif
