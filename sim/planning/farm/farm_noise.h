/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a farm's tasks really are, with the world's noise: the k-th task that a node begins to compute, and the k-th
   task that is sent to it. Chunks of a task share its draw. A node counts for itself, so engines that agree on the
   protocol draw the same. Requests stay as they are. */
#ifndef IASIM_FARM_FARM_NOISE_H
#define IASIM_FARM_FARM_NOISE_H

#include "farm/tree.h"
#include "models/noise.h"

struct farm_noise; /* NULL: none */

/* `noise` may be NULL: so is *out. Errors: ERR_INPUT for noise of a host that has no node. */
enum err_code farm_noise_create(const struct noise *noise, const struct tree *t, struct farm_noise **out,
                                struct err *e);
void farm_noise_free(struct farm_noise *n);

/* Of the next task; `n` may be NULL: the argument. A host that computes faster has less to do, which is the same. */
double farm_noise_flop(struct farm_noise *n, node_id node, double flop);
double farm_noise_bytes(struct farm_noise *n, node_id to, double bytes); /* whole ones, at least 1 */

/* How much faster the node's host is than believed. `n` may be NULL: 1. */
double farm_noise_rate_ratio(const struct farm_noise *n, node_id node);

#endif
