/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rates of exact points are exact; of others they, their intervals and R2 are those of textbook formulas, written out
   here with sums. */
#include "calibrate/rates.h"

#include "base/random.h"
#include "check.h"

enum { MAX = 64 };

struct sample {
    struct fit_point rows[MAX];
    struct fit_points points;
};

static void begin(struct sample *s)
{
    *s = (struct sample){.points = {.source = (char *)"sample"}};
    s->points.points = s->rows;
}

static void add(struct sample *s, double send, double recv, double ratio)
{
    s->rows[s->points.n++] = (struct fit_point){.send_MB_per_s = send,
                                                .recv_MB_per_s = recv,
                                                .compute_ratio = ratio,
                                                .compute_flop_per_s = NAN,
                                                .cpu_ratio = NAN};
}

/* constant - a s - b r, with noise of a given size. */
static void add_plane(struct sample *s, double a, double b, double noise, struct random_stream *r)
{
    for (int k = 0; k < 4; k++) {
        double x = random_between(r, 1, 10), y = random_between(r, 1, 10);
        add(s, 0, 0, 1 + noise * random_between(r, -1, 1));
        add(s, x, 0, 1 - a * x + noise * random_between(r, -1, 1));
        add(s, 0, y, 1 - b * y + noise * random_between(r, -1, 1));
        add(s, y, x, 1 - a * y - b * x + noise * random_between(r, -1, 1));
    }
}

static void exact_points_give_exact_rates(void)
{
    struct random_stream r;
    random_init(&r, 31, 0);
    for (int trial = 0; trial < 200; trial++) {
        struct sample s;
        struct rates rates;
        struct err e = {0};
        double a = random_between(&r, 0.001, 0.05), b = random_between(&r, 0.001, 0.05), send = 0, recv = 0;
        begin(&s);
        add_plane(&s, a, b, 0, &r);
        CHECK_OK(rates_fit(&s.points, &rates, &e), e);
        for (size_t k = 0; k < s.points.n; k++)
            if (s.rows[k].send_MB_per_s > 0 && s.rows[k].recv_MB_per_s > 0) {
                send += s.rows[k].send_MB_per_s;
                recv += s.rows[k].recv_MB_per_s;
            }
        CHECK_CLOSE(rates.of[RATE_SEND].ir, a, 1e-11);
        CHECK_CLOSE(rates.of[RATE_RECV].ir, b, 1e-11);
        CHECK_CLOSE(rates.of[RATE_BOTH].ir, (a * send + b * recv) / (send + recv), 1e-11);
        CHECK_CLOSE(rates.plane_send, a, 1e-10);
        CHECK_CLOSE(rates.plane_recv, b, 1e-10);
        CHECK_CLOSE(rates.send_duplex, a, 1e-10);
        for (int d = 0; d < N_RATE_DIRECTIONS; d++) {
            CHECK_CLOSE(rates.of[d].r2, 1, 1e-12);
            CHECK_CLOSE(rates.of[d].constant, 1, 1e-12);
            CHECK_INT(rates.of[d].n, 8);
            CHECK(rates.of[d].high - rates.of[d].low < 1e-12);
            CHECK(isnan(rates.of[d].stolen));
        }
    }
}

/* The line of least squares by its sums. t: Student's, 95 %, for n - 2 = 6 degrees of freedom. */
static void check_line(const struct sample *s, enum rate_direction d, const struct rate *got)
{
    const double t = 2.446911851144979;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (size_t k = 0; k < s->points.n; k++) {
        double x = d == RATE_SEND ? s->rows[k].send_MB_per_s : s->rows[k].recv_MB_per_s;
        double other = d == RATE_SEND ? s->rows[k].recv_MB_per_s : s->rows[k].send_MB_per_s;
        double y = s->rows[k].compute_ratio;
        if (other > 0)
            continue;
        n++, sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
    }
    double dxx = sxx - sx * sx / n, dxy = sxy - sx * sy / n, dyy = syy - sy * sy / n;
    double slope = dxy / dxx, left = dyy - slope * dxy, error = sqrt(left / (n - 2) / dxx);
    CHECK_INT(n, 8);
    CHECK_CLOSE(got->ir, -slope, 1e-9);
    CHECK_CLOSE(got->low, -slope - t * error, 1e-8);
    CHECK_CLOSE(got->high, -slope + t * error, 1e-8);
    CHECK_CLOSE(got->r2, 1 - left / dyy, 1e-9);
    CHECK_CLOSE(got->constant, sy / n - slope * sx / n, 1e-9);
}

static void intervals_and_r2_are_the_textbooks(void)
{
    struct random_stream r;
    random_init(&r, 32, 0);
    for (int trial = 0; trial < 200; trial++) {
        struct sample s;
        struct rates rates;
        struct err e = {0};
        begin(&s);
        add_plane(&s, 0.02, 0.03, 0.2, &r);
        CHECK_OK(rates_fit(&s.points, &rates, &e), e);
        check_line(&s, RATE_SEND, &rates.of[RATE_SEND]);
        check_line(&s, RATE_RECV, &rates.of[RATE_RECV]);
    }
}

/* Of 2000 samples with normal noise the interval must miss the truth in 5 %: 100, give or take 4 standard deviations of
   9.7. */
static void one_interval_in_twenty_misses_the_truth(void)
{
    struct random_stream r;
    int n_missed[N_RATE_DIRECTIONS] = {0};
    random_init(&r, 33, 0);
    for (int trial = 0; trial < 2000; trial++) {
        struct sample s;
        struct rates rates;
        double a = 0.03, b = 0.05, send = 0, recv = 0;
        begin(&s);
        for (int k = 0; k < 10; k++) {
            double x = 1 + k, y = (k * 7) % 10 + 1;
            add(&s, x, 0, 1 - a * x);
            add(&s, 0, x, 1 - b * x);
            add(&s, x, y, 1 - a * x - b * y);
            send += x, recv += y;
        }
        for (size_t k = 0; k < s.points.n; k++)
            s.rows[k].compute_ratio +=
                0.1 * sqrt(-2 * log(1 - random_unit(&r))) * cos(2 * M_PI * random_unit(&r)); /* Box and Muller */
        rates_fit(&s.points, &rates, NULL);
        const double truth[] = {a, b, (a * send + b * recv) / (send + recv)};
        for (int d = 0; d < N_RATE_DIRECTIONS; d++)
            n_missed[d] += truth[d] < rates.of[d].low || truth[d] > rates.of[d].high;
    }
    for (int d = 0; d < N_RATE_DIRECTIONS; d++)
        CHECK(n_missed[d] > 61 && n_missed[d] < 139);
}

static void both_in_a_fixed_mix_is_a_line_over_the_sum(void)
{
    struct sample s;
    struct rates rates;
    struct err e = {0};
    begin(&s);
    add(&s, 0, 0, 1);
    for (int k = 1; k < 6; k++)
        add(&s, 3 * k, k, 1 - 0.02 * 3 * k - 0.06 * k);
    CHECK_OK(rates_fit(&s.points, &rates, &e), e);
    CHECK_CLOSE(rates.of[RATE_BOTH].ir, (0.02 * 3 + 0.06) / 4, 1e-12);
    CHECK(isnan(rates.plane_send) && isnan(rates.plane_recv) && isnan(rates.send_duplex));
    CHECK(!rates.of[RATE_SEND].is_known && !rates.of[RATE_RECV].is_known);
}

/* The paper's three points (3.1): C = 1, receiving, sending while receiving. */
static void sending_while_receiving_is_as_in_three_point(void)
{
    struct sample s;
    struct rates rates;
    struct err e = {0};
    begin(&s);
    add(&s, 0, 0, 1);
    add(&s, 0, 8, 0.6);
    add(&s, 5, 4, 0.7);
    CHECK_OK(rates_fit(&s.points, &rates, &e), e);
    CHECK_CLOSE(rates.of[RATE_RECV].ir, 0.05, 1e-12);
    CHECK_CLOSE(rates.send_duplex, (1 - 0.05 * 4 - 0.7) / 5, 1e-12);
    CHECK(isnan(rates.of[RATE_RECV].low)); /* two points leave nothing to estimate */
}

static void stolen_time_is_the_slope_of_the_processors_share(void)
{
    struct sample s;
    struct rates rates;
    struct err e = {0};
    begin(&s);
    for (int k = 0; k < 5; k++) {
        add(&s, k, 0, 1 - 0.05 * k);
        s.rows[k].cpu_ratio = 0.9 - 0.03 * k;
    }
    CHECK_OK(rates_fit(&s.points, &rates, &e), e);
    CHECK_CLOSE(rates.of[RATE_SEND].stolen, 0.03, 1e-12);
    s.rows[2].cpu_ratio = NAN;
    CHECK_OK(rates_fit(&s.points, &rates, &e), e);
    CHECK(isnan(rates.of[RATE_SEND].stolen));
}

static void points_that_determine_nothing_are_refused(void)
{
    struct sample s;
    struct rates rates;
    struct err e = {0}, none = {0};
    begin(&s);
    add(&s, 5, 0, 0.5);
    add(&s, 5, 0, 0.6);
    CHECK_INT(rates_fit(&s.points, &rates, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "the rate of sending cannot be fitted: ");
    begin(&s);
    add(&s, 0, 0, 1);
    CHECK_INT(rates_fit(&s.points, &rates, &none), ERR_INPUT);
    CHECK_CONTAINS(none.text, "no point has a send or receive rate above 0");
}

static const struct test tests[] = {
    {"exact points give exact rates", exact_points_give_exact_rates},
    {"intervals and R2 are the textbook's", intervals_and_r2_are_the_textbooks},
    {"one interval in twenty misses the truth", one_interval_in_twenty_misses_the_truth},
    {"both in a fixed mix is a line over the sum", both_in_a_fixed_mix_is_a_line_over_the_sum},
    {"sending while receiving is as in three_point", sending_while_receiving_is_as_in_three_point},
    {"stolen time is the slope of the processor's share", stolen_time_is_the_slope_of_the_processors_share},
    {"points that determine nothing are refused", points_that_determine_nothing_are_refused},
};
TEST_MAIN(tests)
