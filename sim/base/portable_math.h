/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The logarithm and the exponential from sums, products and quotients only, which IEEE 754 defines to the last bit: the
   same argument gives the same bytes with any compiler and any library. A C library's own functions do not promise
   that. Right to a few last bits. */
#ifndef IASIM_BASE_PORTABLE_MATH_H
#define IASIM_BASE_PORTABLE_MATH_H

double portable_log(double x); /* natural; of a finite x > 0 */
double portable_exp(double x); /* of a finite x; 0 or INFINITY where the result has no place in a double */

#endif
