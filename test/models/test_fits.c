/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fits: exact data give back their coefficients, statistics agree with those computed by hand, and points
   that cannot determine a fit are refused with the reason. test/gallery/points holds bad files with their
   messages. */
#include "models/fits/fit.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "check.h"

#include <dirent.h>
#include <stdlib.h>

static const char header[] = "send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio\n";

static struct fit_points points_of(const char *rows)
{
    struct fit_points p;
    struct err e = {0};
    char *text = mem_format("%s%s", header, rows);
    CHECK_OK(fit_points_parse(text, strlen(text), "test", &p, &e), e);
    free(text);
    return p;
}

static struct fit_result result_of(const char *name, const struct fit_points *p, enum fit_rate rate)
{
    const struct fit *fit;
    struct fit_result r = {0};
    struct err e = {0};
    CHECK_OK(fit_find(name, &fit, &e), e);
    CHECK_OK(fit->compute(p, rate, &r, &e), e);
    return r;
}

static double coefficient(const struct fit_result *r, const char *name)
{
    for (size_t c = 0; c < r->n_coefficients; c++)
        if (strcmp(r->coefficients[c].name, name) == 0)
            return r->coefficients[c].value;
    return NAN;
}

/* ---- least squares ---- */

static double truth(double send, double recv, const double c[5])
{
    return c[0] - c[1] * send - c[2] * recv - c[3] * send * send - c[4] * recv * recv;
}

static struct fit_points exact_points(struct random_stream *r, size_t n, bool sends, bool receives, const double c[5])
{
    struct fit_points p = {.source = mem_strdup("test"), .points = mem_zalloc(n, sizeof *p.points), .n = n};
    for (size_t k = 0; k < n; k++) {
        double send = sends ? random_between(r, 0, 11) : 0, recv = receives ? random_between(r, 0, 11) : 0;
        p.points[k] =
            (struct fit_point){.send_MB_per_s = send, .recv_MB_per_s = recv, .compute_ratio = truth(send, recv, c)};
    }
    return p;
}

static void exact_data_give_back_their_coefficients(void)
{
    const struct {
        const char *fit;
        bool sends, receives, quadratic;
        const char *names[2];
        int places[2]; /* in the coefficients of truth */
    } cases[] = {
        {"linear", true, false, false, {"ir_send", NULL}, {1, 0}},
        {"linear", false, true, false, {"ir_recv", NULL}, {2, 0}},
        {"quadratic", true, false, true, {"ir_send", "ir_send_quadratic"}, {1, 3}},
        {"quadratic", false, true, true, {"ir_recv", "ir_recv_quadratic"}, {2, 4}},
        {"planar", true, true, false, {"ir_send", "ir_recv"}, {1, 2}},
    };
    struct random_stream r;
    random_init(&r, 2, 1);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int trial = 0; trial < 100; trial++) {
            double square = cases[k].quadratic ? 0.002 : 0;
            const double c[5] = {random_between(&r, 0.9, 1.1), random_between(&r, 0.01, 0.1),
                                 random_between(&r, 0.01, 0.1), square, -square};
            struct fit_points p = exact_points(&r, 20, cases[k].sends, cases[k].receives, c);
            struct fit_result f = result_of(cases[k].fit, &p, FIT_RATE_ANY);
            CHECK_CLOSE(f.constant, c[0], 1e-12);
            for (int name = 0; name < 2 && cases[k].names[name] != NULL; name++)
                CHECK_CLOSE(coefficient(&f, cases[k].names[name]), c[cases[k].places[name]], 1e-10);
            CHECK_INT(f.n_coefficients, 1 + (cases[k].names[1] != NULL));
            CHECK(f.max_abs_error < 1e-13 && f.standard_deviation < 1e-13);
            CHECK_INT(f.n_points, 20);
            fit_result_clear(&f);
            fit_points_clear(&p);
        }
}

static void the_line_of_figure_1_and_the_plane_of_section_2_5(void)
{
    struct fit_points p = points_of("0,0,0.96\n5,0,0.775\n10,0,0.59\n");
    struct fit_result f = result_of("linear", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_send"), 0.037, 1e-12);
    CHECK_CLOSE(f.constant, 0.96, 1e-12);
    fit_result_clear(&f);
    fit_points_clear(&p);

    p = points_of("0,0,0.9542\n10,0,0.6892\n0,10,0.5272\n5,2,0.7363\n"); /* .9542 - .0427 TR(A) - .0265 TR(B) */
    f = result_of("planar", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_recv"), 0.0427, 1e-12);
    CHECK_CLOSE(coefficient(&f, "ir_send"), 0.0265, 1e-12);
    CHECK_CLOSE(f.constant, 0.9542, 1e-12);
    CHECK_TEXT(f.coefficients[0].unit, "per MB/s");
    fit_result_clear(&f);
    fit_points_clear(&p);
}

static void residuals_are_as_computed_by_hand(void)
{
    /* Means 1.5 and 0.85; Sxy = -0.225 - 0.025 + 0.025 - 0.375 = -0.6, Sxx = 5: slope -0.12, constant 1.03.
       Residuals -0.03, -0.01, 0.11, -0.07; sum of squares 0.018, 4 - 2 = 2 to divide by; mean of their sizes
       0.22 / 4. */
    struct fit_points p = points_of("0,0,1.0\n1,0,0.9\n2,0,0.9\n3,0,0.6\n");
    struct fit_result f = result_of("linear", &p, FIT_RATE_ANY);
    CHECK_CLOSE(f.constant, 1.03, 1e-12);
    CHECK_CLOSE(coefficient(&f, "ir_send"), 0.12, 1e-12);
    CHECK_CLOSE(f.standard_deviation, sqrt(0.009), 1e-12);
    CHECK_CLOSE(f.max_abs_error, 0.11, 1e-12);
    CHECK_CLOSE(f.mean_abs_error, 0.055, 1e-12);
    CHECK_CLOSE(f.r2, 1 - 0.018 / 0.09, 1e-12); /* Syy = 0.0225 + 0.0025 + 0.0025 + 0.0625 */
    CHECK_CLOSE(f.coefficients[0].standard_error, sqrt(0.009 / 5), 1e-12);
    fit_result_clear(&f);
    /* On 0..3 the orthogonal parabola is x^2 - 3x + 1 = (1, -1, -1, 1): its coefficient is (1 - 0.9 - 0.9 +
       0.6) / 4 = -0.05. What is left is the cubic (-1, 3, -3, 1) times (-1 + 2.7 - 2.7 + 0.6) / 20 = -0.02;
       sum of squares 0.0004 * 20 = 0.008, 4 - 3 = 1 to divide by. */
    f = result_of("quadratic", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_send_quadratic"), 0.05, 1e-12);
    CHECK_CLOSE(f.standard_deviation, sqrt(0.008), 1e-11);
    CHECK_CLOSE(f.max_abs_error, 0.06, 1e-11);
    CHECK_CLOSE(f.mean_abs_error, 0.04, 1e-11);
    CHECK_CLOSE(f.r2, 1 - 0.008 / 0.09, 1e-11);
    CHECK_CLOSE(f.coefficients[1].standard_error, sqrt(0.008 / 4), 1e-11); /* the parabola's squares: 4 */
    fit_result_clear(&f);
    fit_points_clear(&p);
}

static void no_deviation_is_claimed_where_nothing_is_left_over(void)
{
    struct fit_points p = points_of("0,0,1\n10,0,0.7\n");
    struct fit_result f = result_of("linear", &p, FIT_RATE_ANY);
    CHECK(isnan(f.standard_deviation) && isnan(f.coefficients[0].standard_error));
    CHECK(f.max_abs_error < 1e-15 && f.r2 > 1 - 1e-12);
    fit_result_clear(&f);
    fit_points_clear(&p);
}

static void the_rate_that_varies_is_taken_unless_one_is_named(void)
{
    struct fit_points p = points_of("3,0,1\n3,10,0.7\n3,5,0.85\n"); /* a constant send rate is no matter */
    struct fit_result f = result_of("linear", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_recv"), 0.03, 1e-12);
    fit_result_clear(&f);
    fit_points_clear(&p);

    p = points_of("0,9,1\n4,8,0.8\n8,1,0.6\n");
    f = result_of("linear", &p, FIT_RATE_SEND);
    CHECK_CLOSE(coefficient(&f, "ir_send"), 0.05, 1e-12);
    fit_result_clear(&f);
    f = result_of("linear", &p, FIT_RATE_RECV); /* Sxy = 3 * 0.2 + 2 * 0 + 5 * 0.2, Sxx = 9 + 4 + 25 */
    CHECK_CLOSE(coefficient(&f, "ir_recv"), -1.6 / 38, 1e-12);
    fit_result_clear(&f);
    fit_points_clear(&p);
}

/* ---- three points ---- */

static void three_points_are_met_exactly(void)
{
    struct random_stream r;
    random_init(&r, 2, 2);
    for (int trial = 0; trial < 1000; trial++) {
        double C = random_between(&r, 0.5, 30), Cr = C * random_between(&r, 0.3, 1), MR = random_between(&r, 1, 12);
        double SR = random_between(&r, 1, 12), RR = random_between(&r, 0, MR), Csr = C * random_between(&r, 0.2, 1);
        struct fit_point rows[] = {{SR, RR, Csr, 2, NAN, NAN}, {0, 0, C, 3, NAN, NAN}, {0, MR, Cr, 4, NAN, NAN}};
        struct fit_points p = {.source = "test", .points = rows, .n = 3};
        struct fit_result f = result_of("three_point", &p, FIT_RATE_ANY);
        double ir_recv = coefficient(&f, "ir_recv"), ir_send = coefficient(&f, "ir_send");
        CHECK_CLOSE(ir_recv, ((C - Cr) / C) / MR, 1e-12);
        CHECK_CLOSE(1 + ir_send, 1 + (1 - RR * (C - Cr) / (MR * C) - Csr / C) / SR, 1e-12);
        CHECK_CLOSE(1 - ir_recv * MR, Cr / C, 1e-12);
        CHECK_CLOSE(1 - ir_recv * RR - ir_send * SR, Csr / C, 1e-12);
        CHECK(f.constant == 1 && f.max_abs_error < 1e-14 && isnan(f.standard_deviation));
        fit_result_clear(&f);
    }
}

static void every_child_gets_its_own_rate(void)
{
    /* The plane of 3.1 with the constant that it must have: 1 - 0.0438 TR(A) - 0.0235 TR(B); and another
     * child. */
    struct fit_points p = points_of("0,0,1\n0,10,0.562\n8,5,0.593\n4,0,0.8\n");
    struct fit_result f = result_of("three_point", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_recv"), 0.0438, 1e-12);
    CHECK_CLOSE(coefficient(&f, "ir_send.1"), 0.0235, 1e-12);
    CHECK_CLOSE(coefficient(&f, "ir_send.2"), 0.05, 1e-12);
    CHECK(f.max_abs_error < 1e-15);
    fit_result_clear(&f);
    fit_points_clear(&p);
}

static void the_rates_of_table_4_follow_from_its_compute_rates(void)
{
    /* Lab3 alone 23.86, receiving 12.45 at 10.8 MB/s: row 9 has 0.0443. */
    struct fit_points p = points_of("0,0,23.86\n0,10.8,12.45\n1,1,20\n");
    struct fit_result f = result_of("three_point", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_recv"), 0.0443, 1e-3);
    fit_result_clear(&f);
    fit_points_clear(&p);
    /* The root, 9.057 alone: 5.8 sending to Lab3 at 10.8 (row 8: 0.0333), 7.02 to Lab4 at 10.81 (0.0208), 7.1
       to Lab5 at 9.62 (0.0226; 0.0225); it receives nothing, so its receive point is of no matter. */
    p = points_of("0,0,9.057\n0,1,9\n10.8,0,5.8\n10.81,0,7.02\n9.62,0,7.1\n");
    f = result_of("three_point", &p, FIT_RATE_ANY);
    CHECK_CLOSE(coefficient(&f, "ir_send.1"), 0.0333, 2e-3);
    CHECK_CLOSE(coefficient(&f, "ir_send.2"), 0.0208, 2e-3);
    CHECK_CLOSE(coefficient(&f, "ir_send.3"), 0.0226, 1e-2);
    fit_result_clear(&f);
    fit_points_clear(&p);
}

/* ---- files ---- */

static void columns_may_be_anywhere_among_others(void)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "compute_ratio,policy, send_rate_MB_per_s ,\"recv_rate_MB_per_s\"\r\n"
                               "0.5,\"ia_multi[chunk=0.5,prune=on]\",1e1, 2 \r\n"
                               "\r\n"
                               "\"1\",\"say \"\"fcfs\"\"\",0,0";
    struct fit_points p;
    struct err e = {0};
    CHECK_OK(fit_points_parse(text, sizeof text - 1, "test", &p, &e), e);
    CHECK_INT(p.n, 2);
    CHECK(p.points[0].compute_ratio == 0.5 && p.points[0].send_MB_per_s == 10 && p.points[0].recv_MB_per_s == 2);
    CHECK(p.points[1].compute_ratio == 1 && p.points[1].send_MB_per_s == 0 && p.points[1].recv_MB_per_s == 0);
    CHECK_INT(p.points[0].line, 2);
    CHECK_INT(p.points[1].line, 4);
    fit_points_clear(&p);
}

static void a_missing_file_and_an_unknown_fit_are_errors(void)
{
    struct fit_points p;
    struct err e = {0};
    CHECK(fit_points_read("/nowhere/points.csv", &p, &e) == ERR_IO);
    CHECK_CONTAINS(e.text, "cannot open");
    fit_points_clear(&p);
    const struct fit *fit;
    e = (struct err){0};
    CHECK(fit_find("cubic", &fit, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, "unknown fit 'cubic'; known: linear, quadratic, planar, three_point");
}

/* NAME.csv must be refused with what NAME.error says (without the folder); FIT.NAME.csv is read, and then FIT
   refuses it. IASIM_REWRITE=1 in the environment writes the messages anew, for a person to read. */
static void try_file(const char *folder, const char *name, struct err *e)
{
    char *path = mem_format("%s/%s", folder, name);
    char *fit_name = mem_strdup(name);
    struct fit_points p = {0};
    struct fit_result r = {0};
    const struct fit *fit;
    *strchr(fit_name, '.') = '\0';
    bool has_fit = fit_find(fit_name, &fit, NULL) == ERR_NONE;
    enum err_code code = fit_points_read(path, &p, e);
    CHECK(!has_fit || code == ERR_NONE);
    if (has_fit && code == ERR_NONE)
        code = fit->compute(&p, FIT_RATE_ANY, &r, e);
    CHECK(code != ERR_NONE);
    fit_points_clear(&p);
    fit_result_clear(&r);
    free(fit_name);
    free(path);
}

static void check_message(const char *folder, const char *name, const struct err *e)
{
    char *path = mem_format("%s/%.*s.error", folder, (int)(strlen(name) - strlen(".csv")), name);
    char got[2048];
    err_describe(e, got, sizeof got - 1);
    memmove(got, got + strlen(folder) + 1, strlen(got + strlen(folder) + 1) + 1);
    strcat(got, "\n");
    struct text want = {0};
    struct err missing = {0};
    if (getenv("IASIM_REWRITE") != NULL)
        CHECK_OK(text_write_file(path, got, strlen(got), &missing), missing);
    CHECK_OK(text_read_file(&want, path, 4096, &missing), missing);
    CHECK_TEXT(got, text_str(&want));
    text_clear(&want);
    free(path);
}

static void bad_files_are_refused_with_their_reason(void)
{
    static const char folder[] = PROJECT_DIR "/test/gallery/points";
    DIR *d = opendir(folder);
    int n_files = 0;
    CHECK(d != NULL);
    for (struct dirent *f; d != NULL && (f = readdir(d)) != NULL;) {
        size_t n = strlen(f->d_name);
        if (n <= 4 || strcmp(f->d_name + n - 4, ".csv") != 0)
            continue;
        struct err e = {0};
        try_file(folder, f->d_name, &e);
        check_message(folder, f->d_name, &e);
        n_files++;
    }
    if (d != NULL)
        closedir(d);
    CHECK(n_files > 30);
}

static const struct test tests[] = {
    {"exact data give back their coefficients", exact_data_give_back_their_coefficients},
    {"the line of figure 1 and the plane of section 2.5", the_line_of_figure_1_and_the_plane_of_section_2_5},
    {"residuals are as computed by hand", residuals_are_as_computed_by_hand},
    {"no deviation is claimed where nothing is left over", no_deviation_is_claimed_where_nothing_is_left_over},
    {"the rate that varies is taken unless one is named", the_rate_that_varies_is_taken_unless_one_is_named},
    {"three points are met exactly", three_points_are_met_exactly},
    {"every child gets its own rate", every_child_gets_its_own_rate},
    {"the rates of Table 4 follow from its compute rates", the_rates_of_table_4_follow_from_its_compute_rates},
    {"columns may be anywhere among others", columns_may_be_anywhere_among_others},
    {"a missing file and an unknown fit are errors", a_missing_file_and_an_unknown_fit_are_errors},
    {"bad files are refused with their reason", bad_files_are_refused_with_their_reason},
};
TEST_MAIN(tests)
