/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real time, outside the simulation, for progress bars and time limits. No result may depend on it. */
#ifndef IASIM_BASE_CLOCK_H
#define IASIM_BASE_CLOCK_H

double clock_now_s(void); /* since a fixed moment in the past; never goes back */

#endif
