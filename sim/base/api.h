/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What others may call: libiasim exports the functions with this mark, which are in installed headers, and nothing
   else. */
#ifndef IASIM_BASE_API_H
#define IASIM_BASE_API_H

#define IASIM_API __attribute__((visibility("default")))

#endif
