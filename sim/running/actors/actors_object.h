/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the runs of the shared object share. */
#ifndef IASIM_ACTORS_ACTORS_OBJECT_H
#define IASIM_ACTORS_ACTORS_OBJECT_H

/* Each actor has a stack of its own. Before the first one, when so many hosts have a few actors each. */
void object_size_stacks(int n_hosts);

#endif
