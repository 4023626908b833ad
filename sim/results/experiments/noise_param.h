/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The optional parameter `noise` of experiments that simulate what was planned. It makes them random: the seed of the noise is
   the number of the point's stream. Internal to this folder. */
#ifndef IASIM_EXPERIMENTS_NOISE_PARAM_H
#define IASIM_EXPERIMENTS_NOISE_PARAM_H

#include "experiments/experiment.h"
#include "models/noise.h"

/* For the lists of parameters and of optional ones, and for `random_param`. */
/* clang-format off */
#define NOISE_PARAM_NAME "noise"
#define NOISE_PARAM {NOISE_PARAM_NAME, PARAM_TEXT, "", NULL, 0, 0, NULL, NOISE_SYNTAX ": " NOISE_MEANING}
/* clang-format on */

/* For an experiment's `check`. */
enum err_code noise_param_check(const char *value, struct err *e);

/* The noise of a point: NULL, or in `storage`, which is to be cleared. */
const struct noise *noise_param_read(const struct point *p, struct noise *storage);

#endif
