/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "calibrate/kernel.h"

#include "base/clock.h"
#include "check.h"

/* The sum of the entries of the diagonal that is being computed, by their definition. */
static double begun_sum(const struct kernel *k)
{
    double sum = 0;
    for (size_t i = 0; i < k->row; i++) {
        double entry = 0;
        for (size_t j = 0; j < k->n; j++)
            entry += (double)k->matrix[i * k->n + j] * (double)k->matrix[j * k->n + (i + k->diagonal) % k->n];
        sum += entry;
    }
    return sum;
}

/* 2 n flop an entry: the counted flop say how many entries were computed, and these are where the kernel stands. */
static void counted_flop_are_those_of_the_entries_computed(void)
{
    struct kernel k;
    kernel_init(&k, 64);
    double n_flop = 0;
    for (int i = 0; i < 50; i++)
        n_flop += kernel_run(&k, 0).n_flop;
    size_t n_entries = (size_t)(n_flop / (2 * 64));
    CHECK_INT(n_flop, (double)n_entries * 2 * 64);
    CHECK_INT(k.row, n_entries % 64);
    CHECK_INT(k.diagonal, n_entries / 64 % 64);
    CHECK_CLOSE(k.sum, begun_sum(&k), 1e-5);
    CHECK(k.row > 0);
    kernel_clear(&k);
}

static void a_run_ends_after_its_date_and_says_how_long_it_took(void)
{
    struct kernel k;
    kernel_init(&k, 16);
    double start_s = clock_now_s();
    struct kernel_run r = kernel_run(&k, start_s + 0.02);
    CHECK(clock_now_s() >= start_s + 0.02);
    CHECK(r.elapsed_s > 0 && r.elapsed_s <= clock_now_s() - start_s + 1e-9);
    CHECK(r.cpu_s >= 0 && r.cpu_s <= r.elapsed_s + 0.01 && r.n_flop > 0);
    kernel_clear(&k);
}

static const struct test tests[] = {
    {"counted flop are those of the entries computed", counted_flop_are_those_of_the_entries_computed},
    {"a run ends after its date and says how long it took", a_run_ends_after_its_date_and_says_how_long_it_took},
};
TEST_MAIN(tests)
