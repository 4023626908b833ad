/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends processes that foreign code leaves behind. A process that has become a reaper inherits the orphans of its
   descendants (Linux: PR_SET_CHILD_SUBREAPER) and can end them. */
#ifndef IASIM_BASE_ORPHANS_H
#define IASIM_BASE_ORPHANS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

void orphans_become_reaper(void);

/* Whether this process has children, alive or not. */
bool orphans_exist(void);

/* Kills and reaps all children of this process except the `n_known` ones, and all orphans that these leave in turn.
   Returns their number. */
size_t orphans_end(const pid_t *known, size_t n_known);

#endif
