/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Simulated dates that differ by less than 1e-12 of the later one are one instant. Activities that should end together
   therefore do so, even if the last bits of their dates differ. */
#ifndef IASIM_BASE_INSTANT_H
#define IASIM_BASE_INSTANT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether an event planned for `date_s` happens in the instant `now_s` or is already due. */
static inline int instant_has_come(double date_s, double now_s)
{
    return date_s <= now_s || date_s - now_s < 1e-12 * date_s;
}

#ifdef __cplusplus
}
#endif
#endif
