/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The work that communication slows down. It must really be done, at a steady pace, and be counted exactly: a compiler
   that removes it, or operands that slow it down at times, would be taken for interference. */
#include "calibrate/kernel.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <time.h>

/* Between looks at the clock: some 50 us, of which the look takes less than a thousandth. */
static const size_t step_flop = 50000;

void kernel_init(struct kernel *k, size_t n)
{
    *k = (struct kernel){.matrix = mem_zalloc(n * n, sizeof(float)), .n = n};
    /* The multiplier is that of Knuth's hash: neighbouring entries differ, and every run has the same ones. */
    for (size_t i = 0; i < n * n; i++)
        k->matrix[i] = 0.5f + (float)(i * 2654435761u % 1024) / 1024; /* no zeros, no subnormal products */
}

void kernel_clear(struct kernel *k)
{
    free(k->matrix);
    *k = (struct kernel){0};
}

double kernel_cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One entry of a diagonal: 2n flop. */
static void compute_entry(struct kernel *k)
{
    const float *row = k->matrix + k->row * k->n, *column = k->matrix + (k->row + k->diagonal) % k->n;
    float sum = 0;
    /* Down a column: stride n, so that caches and memory take part ([K] 2). */
    for (size_t j = 0; j < k->n; j++)
        sum += row[j] * column[j * k->n];
    k->sum += sum;
    /* Tells the compiler that the sum is read here. */
    __asm__ volatile("" : : "g"(&k->sum) : "memory");
    if (++k->row == k->n) {
        k->row = 0;
        k->diagonal = (k->diagonal + 1) % k->n;
        k->sum = 0; /* else it would grow until additions no longer change it */
    }
}

struct kernel_run kernel_run(struct kernel *k, double until_s)
{
    struct kernel_run r = {0};
    double start_s = clock_now_s(), start_cpu_s = kernel_cpu_s(), now_s;
    do {
        /* At least one entry; a large matrix makes a step longer than step_flop. */
        for (size_t flop = 0; flop < step_flop; flop += 2 * k->n) {
            compute_entry(k);
            r.n_flop += 2 * (double)k->n;
        }
        now_s = clock_now_s();
    } while (now_s < until_s);
    r.elapsed_s = now_s - start_s;
    r.cpu_s = kernel_cpu_s() - start_cpu_s;
    return r;
}
