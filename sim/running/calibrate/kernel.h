/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The computing that is slowed down: diagonals of the square of a matrix, as in [K] 2, so that it uses memory and
   caches like a program and not only registers. Entry i of diagonal k is the product of row i and column i + k. A
   product of n numbers is counted as 2n floating-point operations, which are really done: each result goes into a sum
   that is shown to the compiler as used. The rate is thus flop/s of one thread in this kernel, compiled as iasim was;
   it is far below what the processor can do at best. */
#ifndef IASIM_CALIBRATE_KERNEL_H
#define IASIM_CALIBRATE_KERNEL_H

#include <stddef.h>

struct kernel {
    float *matrix; /* n x n, row by row: 4 n^2 bytes */
    size_t n, row, diagonal;
    float sum;
};

enum { KERNEL_MIN = 8, KERNEL_DEFAULT = 256, KERNEL_MAX = 8192 };

void kernel_init(struct kernel *k, size_t n); /* memory is touched */
void kernel_clear(struct kernel *k);

struct kernel_run {
    double n_flop, elapsed_s, cpu_s; /* cpu_s: the time for which this thread had a processor */
};

/* Computes until the clock (base/clock.h) has reached `until_s`. The clock is read about every 50000 flop; what was
   computed and when it ended belong together to within one such step. */
struct kernel_run kernel_run(struct kernel *k, double until_s);

double kernel_cpu_s(void); /* processor time of this thread so far */

#endif
