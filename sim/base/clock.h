/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time as it passes outside the simulation, for progress, limits and patience: no result may depend on it. */
#ifndef IASIM_BASE_CLOCK_H
#define IASIM_BASE_CLOCK_H

double clock_now_s(void); /* since some moment in the past; never goes back */

#endif
