/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Baselines: reading gives back what was written; runs are paired by their parameters and judged better, worse or
   different. */
#include "baseline/baseline_diff.h"

#include "check.h"
#include "gallery.h"
#include "scenario/fake.h"

#define KEY "00000000000000000000000000000000"
#define OTHER "11111111111111111111111111111111"

/* y: lower is better; z: higher; shared: neither. */
static const char head[] = "iasim-baseline/1\n"
                           "scenario t\n"
                           "experiment fake\n"
                           "metric y better=lower relative=0.01 absolute=0.5\n"
                           "metric z better=higher relative=0.01 absolute=0\n"
                           "metric shared better=neither relative=0 absolute=0\n";

static enum err_code parse(const char *text, struct baseline *b, struct err *e)
{
    return baseline_parse(text, strlen(text), "b.txt", fakes, b, e);
}

static struct baseline of_runs(const char *runs)
{
    struct baseline b;
    struct err e = {0};
    char *text = mem_format("%s%send\n", head, runs);
    CHECK_OK(parse(text, &b, &e), e);
    free(text);
    return b;
}

static char *printed(const struct baseline *b)
{
    char *text = NULL;
    size_t n;
    struct err e = {0};
    FILE *out = open_memstream(&text, &n);
    CHECK_OK(baseline_print(b, out, &e), e);
    fclose(out);
    return text;
}

static enum err_code make(struct baseline *b, struct scenario *s, const char *experiment, const char *content,
                          struct err *e)
{
    const struct baseline_options how = {.pool = {.n_jobs = 2}};
    *b = (struct baseline){0};
    enum err_code code = fake_scenario(s, experiment, content, e);
    if (code == ERR_NONE)
        baseline_init(b, s);
    return code == ERR_NONE ? baseline_make(b, s, &how, e) : code;
}

/* --- files --- */

static void lines_are_sorted_by_values_and_name_what_varies(void)
{
    static const char want[] = "scenario t\n"
                               "experiment fake\n"
                               "param n=0\n"
                               "param sleep_ms=0\n"
                               "param machine=\"two \\\"words\\\"\"\n"
                               "metric y better=lower relative=0.01 absolute=0.5\n"
                               "metric z better=higher relative=0.01 absolute=0\n"
                               "metric shared better=neither relative=0 absolute=0\n"
                               "x=2 mode=ok key=" OTHER " y=0.10000000000000001 z=- shared=inf\n"
                               "x=10 mode=fail key=" KEY " error=\"no, sadly\"\n"
                               "x=10 mode=ok key=" KEY " y=1 z=-inf shared=-2.5e-300\n"
                               "end\n";
    struct baseline b = of_runs("x=10 machine=\"two \\\"words\\\"\" mode=ok key=" KEY " shared=-2.5e-300 y=1 z=-inf\n"
                                "\n  # a comment\n"
                                "error=\"no, sadly\"\t machine=\"two \\\"words\\\"\" key=" KEY " x=10 mode=fail\n"
                                "machine=\"two \\\"words\\\"\" mode=ok key=" OTHER " y=.1 z=- shared=inf x=2\n");
    char *text = printed(&b);
    CHECK(strncmp(text, "iasim-baseline/1\n#", 18) == 0);
    CHECK_TEXT(strstr(text, "scenario t"), want);
    free(text);
    baseline_clear(&b);
}

static void reading_gives_back_what_was_written(void)
{
    struct scenario s;
    struct baseline made, read;
    struct err e = {0};
    CHECK_OK(make(&made, &s, "fake_forked",
                  "<sweep name='x'><range from='-1' to='11' step='3'/></sweep>"
                  "<sweep name='n'><value>0</value><value>3</value></sweep>"
                  "<sweep name='mode'><value>ok</value><value>fail</value></sweep>"
                  "<sweep name='machine'><value>good</value><value>good \t \"\\\xc3\xa4=#</value></sweep>",
                  &e),
             e);
    baseline_add_set(&made, "x=1, 2=\n", 0);
    CHECK_INT(made.n_runs, 40);
    char *first = printed(&made);
    CHECK_OK(baseline_parse(first, strlen(first), "b.txt", fakes, &read, &e), e);
    char *second = printed(&read);
    CHECK_TEXT(second, first);
    CHECK_TEXT(read.sets[0].words, "x=1, 2=\n");
    struct baseline_comparison c;
    baseline_compare(&made, &read, &c);
    CHECK_INT(c.n[BASELINE_SAME], 40);
    CHECK_INT(c.n_changes, 0);
    CHECK_INT(c.tallies[0].largest, 0);
    baseline_comparison_clear(&c);
    baseline_clear(&made);
    baseline_clear(&read);
    scenario_clear(&s);
    free(first);
    free(second);
}

static void replications_are_named_if_there_are_several(void)
{
    struct baseline b = of_runs("key=" KEY " y=1 z=2 shared=3\n"
                                "replication=12 key=" KEY " y=2 z=2 shared=3\n");
    char *text = printed(&b);
    CHECK_CONTAINS(text, "\nreplication=1 key=" KEY " y=1 ");
    CHECK_CONTAINS(text, "\nreplication=12 key=" KEY " y=2 ");
    free(text);
    baseline_clear(&b);
}

static enum err_code read_bad(const char *path, struct err *e)
{
    struct baseline b;
    enum err_code code = baseline_read(path, fakes, &b, e);
    baseline_clear(&b);
    return code;
}

static void bad_files_are_refused_with_their_line(void)
{
    gallery_walk_ending(PROJECT_DIR "/test/gallery/baselines", ".txt", 60, read_bad);
}

static void text_that_no_line_can_hold_is_not_written(void)
{
    struct err e = {0};
    struct baseline b = of_runs("key=" KEY " y=1 z=2 shared=3\n");
    baseline_add_set(&b, "x=\x01", 0);
    const char *path = fake_path("never.txt");
    CHECK_INT(baseline_write(&b, path, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "control character");
    CHECK(access(path, F_OK) != 0);
    baseline_clear(&b);
}

/* --- tolerances and metrics --- */

static void usual_tolerances_follow_the_largest_figure(void)
{
    struct scenario s;
    struct baseline b;
    struct err e = {0};
    CHECK_OK(make(&b, &s, "fake", "<sweep name='x'><value>0</value><value>-70</value></sweep>", &e), e);
    CHECK_CLOSE(b.metrics[0].relative, 1e-9, 0);
    CHECK_CLOSE(b.metrics[0].absolute, 1e-9, 0);  /* of 4900 and a little */
    CHECK_CLOSE(b.metrics[1].absolute, 1e-12, 0); /* no figures at all */
    baseline_clear(&b);
    scenario_clear(&s);
}

static void metrics_and_tolerances_are_chosen_by_name(void)
{
    struct scenario s;
    struct baseline b;
    struct err e = {0}, e2 = {0}, e3 = {0}, e4 = {0};
    CHECK_OK(fake_scenario(&s, "fake", "", &e), e);
    baseline_init(&b, &s);
    CHECK_OK(baseline_choose(&b, "shared,y", &e), e);
    CHECK_INT(b.n_metrics, 2);
    CHECK_TEXT(b.metrics[0].metric->name, "y");
    CHECK_OK(baseline_tolerate(&b, "shared=0.5,2", &e), e);
    CHECK_CLOSE(b.metrics[1].relative, 0.5, 0);
    CHECK_CLOSE(b.metrics[1].absolute, 2, 0);
    CHECK_INT(baseline_tolerate(&b, "z=1", &e), ERR_INPUT);
    CHECK_TEXT(e.text, "unknown metric 'z'; known: y, shared");
    CHECK_INT(baseline_tolerate(&b, "y=-1", &e2), ERR_INPUT);
    CHECK_CONTAINS(e2.text, "at least 0");
    CHECK_INT(baseline_tolerate(&b, "y", &e3), ERR_INPUT);
    CHECK_CONTAINS(e3.text, "not of the form");
    CHECK_INT(baseline_choose(&b, "y,y", &e4), ERR_INPUT);
    CHECK_TEXT(e4.text, "metric y is given twice");
    baseline_clear(&b);
    scenario_clear(&s);
}

/* --- comparing --- */

struct pair {
    struct baseline expected, found;
    struct baseline_comparison c;
};

static void pair_init(struct pair *p, const char *expected, const char *found)
{
    p->expected = of_runs(expected);
    p->found = of_runs(found);
    baseline_compare(&p->expected, &p->found, &p->c);
}

static void pair_clear(struct pair *p)
{
    baseline_comparison_clear(&p->c);
    baseline_clear(&p->expected);
    baseline_clear(&p->found);
}

static enum baseline_verdict verdict_of(const char *expected, const char *found)
{
    struct pair p;
    char *x = mem_format("key=" KEY " %s\n", expected), *y = mem_format("key=" KEY " %s\n", found);
    pair_init(&p, x, y);
    enum baseline_verdict v = p.c.n_changes > 0 ? p.c.changes[0].verdict : BASELINE_SAME;
    CHECK(baseline_holds(&p.c) == !baseline_is_bad(v));
    pair_clear(&p);
    free(x);
    free(y);
    return v;
}

static void a_figure_may_be_off_by_the_larger_tolerance(void)
{
    CHECK_INT(verdict_of("y=1000 z=1 shared=1", "y=1009.9 z=1 shared=1"), BASELINE_SAME); /* 1 % */
    CHECK_INT(verdict_of("y=1000 z=1 shared=1", "y=1010.1 z=1 shared=1"), BASELINE_WORSE);
    CHECK_INT(verdict_of("y=0 z=1 shared=1", "y=0.5 z=1 shared=1"), BASELINE_SAME); /* 0.5 */
    CHECK_INT(verdict_of("y=0 z=1 shared=1", "y=0.51 z=1 shared=1"), BASELINE_WORSE);
    CHECK_INT(verdict_of("y=1 z=1 shared=1", "y=1 z=1 shared=1.0000000000000002"), BASELINE_DIFFERENT);
    CHECK_INT(verdict_of("y=-1e308 z=1 shared=1", "y=1e308 z=1 shared=1"), BASELINE_WORSE); /* overflows */
}

static void better_and_worse_follow_the_metrics_direction(void)
{
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=90 z=1 shared=1"), BASELINE_BETTER);
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=100 z=1.1 shared=1"), BASELINE_BETTER);
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=100 z=0.9 shared=1"), BASELINE_WORSE);
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=100 z=1 shared=0.9"), BASELINE_DIFFERENT);
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=90 z=0.9 shared=1"), BASELINE_WORSE); /* one of two is enough */
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=90 z=1 shared=0.9"), BASELINE_DIFFERENT);
    CHECK_INT(verdict_of("y=100 z=1 shared=1", "y=inf z=1 shared=1"), BASELINE_WORSE);
    CHECK_INT(verdict_of("y=inf z=1 shared=1", "y=inf z=1 shared=1"), BASELINE_SAME);
}

static void no_figure_is_a_figure_of_its_own(void)
{
    CHECK_INT(verdict_of("y=- z=1 shared=1", "y=- z=1 shared=1"), BASELINE_SAME);
    CHECK_INT(verdict_of("y=- z=1 shared=1", "y=0 z=1 shared=1"), BASELINE_DIFFERENT);
    CHECK_INT(verdict_of("y=1 z=1 shared=1", "y=- z=1 shared=1"), BASELINE_DIFFERENT);
}

static void failures_count_when_they_are_new(void)
{
    CHECK_INT(verdict_of("y=1 z=1 shared=1", "error=broken"), BASELINE_FAILS);
    CHECK_INT(verdict_of("error=broken", "y=1 z=1 shared=1"), BASELINE_WORKS);
    CHECK_INT(verdict_of("error=broken", "error=\"in another way\""), BASELINE_SAME);
}

static void runs_are_paired_by_values_and_not_by_keys(void)
{
    struct pair p;
    pair_init(&p,
              "x=1 key=" KEY " y=1 z=1 shared=1\nx=10 key=" KEY " y=2 z=1 shared=1\n"
              "x=1 replication=2 key=" KEY " y=3 z=1 shared=1\n",
              "x=1e1 key=" OTHER " y=2 z=1 shared=1\nx=1.0 key=" OTHER " y=1 z=1 shared=1\n"
              "x=1 replication=2 key=" KEY " y=3 z=1 shared=1\n");
    CHECK_INT(p.c.n[BASELINE_SAME], 3);
    CHECK_INT(p.c.n_keys_changed, 2);
    CHECK(baseline_holds(&p.c));
    pair_clear(&p);
}

/* A parameter that one side does not name has its default there. */
static void a_parameter_that_is_not_named_has_its_default(void)
{
    struct pair p;
    pair_init(&p, "n=5 key=" KEY " y=1 z=1 shared=1\n",
              "n=5 mode=ok key=" KEY " y=1 z=1 shared=1\nn=5 mode=talk key=" KEY " y=1 z=1 shared=1\n");
    CHECK_INT(p.c.n[BASELINE_SAME], 1);
    CHECK_INT(p.c.n[BASELINE_NEW], 1);
    CHECK(baseline_holds(&p.c));
    pair_clear(&p);
}

static void the_mean_counts_instead_of_each_figure_where_asked_for(void)
{
    struct pair p;
    pair_init(&p,
              "x=1 key=" KEY " y=100 z=1 shared=1\nx=2 key=" KEY " y=100 z=1 shared=1\n"
              "x=3 key=" KEY " y=100 z=1 shared=1\n",
              "x=1 key=" KEY " y=50 z=1 shared=1\nx=2 key=" KEY " y=250 z=0.9 shared=7\n"
              "x=3 key=" KEY " y=100 z=1 shared=1\n"); /* y: the third root of 1.25; z: that of 0.9 */
    CHECK(!baseline_holds(&p.c));
    CHECK_CLOSE(p.c.tallies[0].mean, cbrt(1.25), 1e-11);
    CHECK_CLOSE(p.c.tallies[1].mean, cbrt(0.9), 1e-11);
    CHECK_CLOSE(p.c.tallies[0].largest, 1.5, 0);
    p.c.limit = 0.08;
    CHECK(baseline_holds(&p.c));
    p.c.limit = 0.07; /* y is worse by 7.7 % */
    CHECK(!baseline_holds(&p.c));
    CHECK(baseline_mean_is_worse(&p.c, 0) && !baseline_mean_is_worse(&p.c, 1));
    p.c.limit = 0.03; /* z, of which more is better, by 3.5 % */
    CHECK(baseline_mean_is_worse(&p.c, 1));
    p.c.limit = 10;
    CHECK(baseline_holds(&p.c)); /* other directions count for nothing; what fails still does */
    p.c.n[BASELINE_FAILS] = 1;
    CHECK(!baseline_holds(&p.c));
    pair_clear(&p);
}

static void the_gravest_and_largest_come_first(void)
{
    struct pair p;
    pair_init(&p,
              "x=1 key=" KEY " y=100 z=1 shared=1\nx=2 key=" KEY " y=100 z=1 shared=1\n"
              "x=3 key=" KEY " y=100 z=1 shared=1\nx=4 key=" KEY " y=100 z=1 shared=1\n"
              "x=5 key=" KEY " y=100 z=1 shared=1\nx=7 key=" KEY " y=100 z=1 shared=1\n",
              "x=1 key=" KEY " y=110 z=1 shared=1\nx=2 key=" KEY " y=150 z=0.375 shared=7\n"
              "x=3 key=" KEY " y=1 z=1 shared=1\nx=4 key=" KEY " error=broken\n"
              "x=6 key=" KEY " y=100 z=1 shared=1\nx=7 key=" KEY " y=110 z=1 shared=1\n");
    static const double want[] = {4, 5, 2, 1, 7, 3, 6}; /* fails, missing, worse (three), better, new */
    CHECK_INT(p.c.n_changes, 7);
    for (size_t i = 0; i < p.c.n_changes && i < 7; i++) {
        const struct baseline_change *change = &p.c.changes[i];
        CHECK_INT(strtod((change->expected ? change->expected : change->found)->values[0], NULL), want[i]);
    }
    CHECK_TEXT(p.expected.metrics[p.c.changes[2].metric].metric->name, "z"); /* by 5/8; y by a half */
    CHECK_INT(p.c.changes[2].n_metrics, 3);
    CHECK_CLOSE(p.c.changes[2].size, 0.625, 0);
    CHECK_INT(p.c.n[BASELINE_MISSING], 1);
    CHECK(!baseline_holds(&p.c));
    CHECK_INT(p.c.tallies[0].n[BASELINE_WORSE], 3);
    CHECK_INT(p.c.tallies[2].n[BASELINE_DIFFERENT], 1);
    pair_clear(&p);
}

/* --- from a scenario --- */

static void failed_runs_are_kept_with_their_words(void)
{
    struct scenario s;
    struct baseline b;
    struct err e = {0};
    CHECK_OK(make(&b, &s, "fake_forked", "<sweep name='mode'><value>ok</value><value>garbage</value></sweep>", &e), e);
    CHECK(b.runs[1].error == NULL);
    CHECK_TEXT(b.runs[0].error, "cut ? here");
    baseline_clear(&b);
    scenario_clear(&s);
}

static void too_many_runs_are_refused(void)
{
    struct scenario s;
    struct baseline b;
    struct err e = {0};
    CHECK_INT(make(&b, &s, "fake", "<sweep name='n'><range from='1' to='100001' step='1'/></sweep>", &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "100001 runs are too many for a baseline, which has at most 100000");
    baseline_clear(&b);
    scenario_clear(&s);
}

static void remove_folder(void)
{
    fake_folder_remove();
}

static const struct test tests[] = {
    {"lines are sorted by values and name what varies", lines_are_sorted_by_values_and_name_what_varies},
    {"reading gives back what was written", reading_gives_back_what_was_written},
    {"replications are named if there are several", replications_are_named_if_there_are_several},
    {"bad files are refused with their line", bad_files_are_refused_with_their_line},
    {"text that no line can hold is not written", text_that_no_line_can_hold_is_not_written},
    {"usual tolerances follow the largest figure", usual_tolerances_follow_the_largest_figure},
    {"metrics and tolerances are chosen by name", metrics_and_tolerances_are_chosen_by_name},
    {"a figure may be off by the larger tolerance", a_figure_may_be_off_by_the_larger_tolerance},
    {"better and worse follow the metric's direction", better_and_worse_follow_the_metrics_direction},
    {"no figure is a figure of its own", no_figure_is_a_figure_of_its_own},
    {"failures count when they are new", failures_count_when_they_are_new},
    {"runs are paired by values and not by keys", runs_are_paired_by_values_and_not_by_keys},
    {"a parameter that is not named has its default", a_parameter_that_is_not_named_has_its_default},
    {"the mean counts instead of each figure where asked for", the_mean_counts_instead_of_each_figure_where_asked_for},
    {"the gravest and largest come first", the_gravest_and_largest_come_first},
    {"failed runs are kept with their words", failed_runs_are_kept_with_their_words},
    {"too many runs are refused", too_many_runs_are_refused},
    {"the folder goes", remove_folder},
};
TEST_MAIN(tests)
