/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/scenario.h"

#include "check.h"
#include "gallery.h"
#include "scenario/fake.h"

static const struct scenario_value *value(const struct scenario *s, const char *param, size_t i)
{
    const struct scenario_axis *a = scenario_axis(s, param);
    return a != NULL && i < a->n_values ? &a->values[i] : NULL;
}

static size_t n_values(const struct scenario *s, const char *param)
{
    return scenario_axis(s, param)->n_values;
}

static void what_the_file_says_is_read(void)
{
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, "fake",
                           "<description> Two\n lines </description><param name='n' value=' 3 '/>"
                           "<sweep name='x'><value>1</value><value> 2.50 </value></sweep>"
                           "<table title='T' rows='n mode' columns='x' metric='y' relative_to='2.5'/>",
                           &e),
             e);
    CHECK_TEXT(s.name, "t");
    CHECK_TEXT(s.description, "Two\n lines");
    CHECK_INT(s.seed, 7);
    CHECK_INT(s.n_replications, 1);
    CHECK_INT(s.n_points, 2);
    CHECK_TEXT(value(&s, "n", 0)->text, "3");
    CHECK_TEXT(value(&s, "x", 1)->text, "2.5");
    CHECK_TEXT(value(&s, "mode", 0)->text, "ok");
    CHECK_INT(s.n_tables, 1);
    CHECK_TEXT(s.tables[0].rows.names[1], "mode");
    CHECK_TEXT(s.tables[0].relative_to, "2.5");
    scenario_clear(&s);
}

static void numbers_have_one_form(void)
{
    static const char *const same[] = {"10", "10.0", "1e1", "+10", "010"};
    for (size_t i = 0; i < 5; i++) {
        struct scenario s;
        struct err e = {0};
        const char *whole = strchr(same[i], '.') == NULL ? same[i] : "10";
        char *content = mem_format("<param name='x' value='%s'/><param name='n' value='%s'/>", same[i], whole);
        CHECK_OK(fake_scenario(&s, "fake", content, &e), e);
        CHECK_TEXT(value(&s, "x", 0)->text, "10");
        CHECK_TEXT(value(&s, "n", 0)->text, "10");
        scenario_clear(&s);
        free(content);
    }
}

static void ranges_end_where_they_say(void)
{
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, "fake",
                           "<sweep name='x'><range from='0' to='0.3' step='0.1'/><value>7</value></sweep>"
                           "<sweep name='n'><range from='1' to='1000' factor='10'/></sweep>",
                           &e),
             e);
    CHECK_INT(n_values(&s, "x"), 5);
    CHECK_TEXT(value(&s, "x", 3)->text, "0.3");
    CHECK_TEXT(value(&s, "x", 4)->text, "7");
    CHECK_INT(n_values(&s, "n"), 4);
    CHECK_TEXT(value(&s, "n", 3)->text, "1000");
    CHECK_INT(s.n_points, 20);
    scenario_clear(&s);
}

static void sets_replace_values(void)
{
    static const char *const sets[] = {"x=3", "machine=good[a=1,b=2],good", "seed=11", "replications=4", "n=5"};
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario_set(&s, "fake", "<sweep name='x'><value>1</value><value>2</value></sweep>", sets, 5, &e), e);
    CHECK_INT(n_values(&s, "x"), 1);
    CHECK_TEXT(value(&s, "x", 0)->text, "3");
    CHECK_INT(n_values(&s, "machine"), 2);
    CHECK_TEXT(value(&s, "machine", 0)->text, "good[a=1,b=2]");
    CHECK_INT(s.seed, 11);
    CHECK_INT(s.n_replications, 4);
    CHECK_INT(s.n_points, 2);
    scenario_clear(&s);
}

static void sets_take_ranges(void)
{
    static const char *const sets[] = {"n=1:3,10:1000:x10", "x=0:1:0.25", "machine=a:b"};
    static const char *const large[] = {"x=2,0.5:1", "n=999999998:1000000000"};
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario_set(&s, "fake", "", sets, 3, &e), e);
    CHECK_INT(n_values(&s, "n"), 6);
    CHECK_TEXT(value(&s, "n", 2)->text, "3");
    CHECK_TEXT(value(&s, "n", 5)->text, "1000");
    CHECK_INT(n_values(&s, "x"), 5);
    CHECK_TEXT(value(&s, "x", 1)->text, "0.25");
    CHECK_TEXT(value(&s, "machine", 0)->text, "a:b"); /* not a number */
    scenario_clear(&s);
    CHECK_OK(fake_scenario_set(&s, "fake", "", large, 2, &e), e);
    CHECK_INT(n_values(&s, "x"), 2); /* 2 and 0.5: the step is 1 */
    CHECK_TEXT(value(&s, "n", 1)->text, "999999999");
    scenario_clear(&s);
}

static void check_set(const char *set, const char *want)
{
    struct scenario s;
    struct err e = {0};
    CHECK(fake_scenario_set(&s, "fake_file", "<param name='x' value='1'/>", &set, 1, &e) != ERR_NONE);
    CHECK_TEXT(e.text, want);
    scenario_clear(&s);
}

static void a_bad_set_is_told(void)
{
    check_set("x", "--set 'x' is not of the form name=value");
    check_set("y=1", "--set y=1: experiment fake_file has no parameter 'y'; known: x, data, platform");
    check_set("x=1,,2", "--set x=1,,2: a value of x is empty");
    check_set("x=one", "--set x=one: experiment fake_file: parameter x is 'one', which is not a finite number");
    check_set("replications=2",
              "--set replications=2: experiment fake_file has no randomness: 2 replications would all be the same");
    check_set("x=1:", "--set x=1:: '1:' is not a range: FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR, all numbers");
    check_set("x=1:2:3:4",
              "--set x=1:2:3:4: '1:2:3:4' is not a range: FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR, all numbers");
    check_set("x=2:1", "--set x=2:1: a range goes upwards: from must not be above to");
    check_set("x=1:2:0", "--set x=1:2:0: the step of a range is above 0");
    check_set("x=1:2:x1", "--set x=1:2:x1: the factor of a range is above 1, and its first value above 0");
    check_set("x=1:1e7", "--set x=1:1e7: a range has at most 1000000 values");
    check_set("data=/nowhere", "parameter platform (a platform) is not given");
}

/* Where files are found: beside the scenario, or from here when the command line names them. */
static void files_are_found_from_the_scenario(void)
{
    static const struct scenario_options o = {.experiments = fakes};
    struct scenario s;
    struct err e = {0};
    fake_write(fake_path("a.xml"), "<scenario name='t' experiment='fake_file'><param name='data' value='d.txt'/>"
                                   "<param name='platform' value='./d.txt'/></scenario>");
    fake_write(fake_path("d.txt"), "data");
    CHECK_OK(scenario_read(fake_path("a.xml"), &o, &s, &e), e);
    CHECK_TEXT(value(&s, "data", 0)->text, "d.txt");
    CHECK_TEXT(value(&s, "data", 0)->path, fake_path("d.txt"));
    scenario_clear(&s);
    unlink(fake_path("d.txt"));
    CHECK(scenario_read(fake_path("a.xml"), &o, &s, &e) == ERR_IO);
    CHECK_INT(e.line, 1);
    CHECK_CONTAINS(e.text, "parameter data: ");
    CHECK_CONTAINS(e.text, "/d.txt: cannot open: No such file or directory");
    scenario_clear(&s);
    unlink(fake_path("a.xml"));
}

static void check_platform(const char *given, const char *found)
{
    static const struct scenario_options o = {.experiments = fakes};
    struct scenario s;
    struct err e = {0};
    char *text = mem_format("<scenario name='t' experiment='fake_file'><param name='data' value='d.txt'/>"
                            "<param name='platform' value='%s'/></scenario>",
                            given);
    fake_write(fake_path("a.xml"), text);
    CHECK_OK(scenario_read(fake_path("a.xml"), &o, &s, &e), e);
    CHECK_TEXT(value(&s, "platform", 0)->text, given);
    CHECK_TEXT(value(&s, "platform", 0)->path, found);
    scenario_clear(&s);
    free(text);
}

/* In the folder of the scenario first, then among those that come with the program. */
static void shipped_files_are_found(void)
{
    setenv("IASIM_DATA", PROJECT_DIR, 1);
    fake_write(fake_path("d.txt"), "data");
    check_platform("platforms/star-8.xml", PROJECT_DIR "/platforms/star-8.xml");
    check_platform("star-8.xml", PROJECT_DIR "/platforms/star-8.xml");
    check_platform("star-8", PROJECT_DIR "/platforms/star-8.xml");
    fake_write(fake_path("star-8"), "mine");
    check_platform("star-8", fake_path("star-8"));
    unlink(fake_path("star-8"));
    unlink(fake_path("d.txt"));
    unlink(fake_path("a.xml"));
    unsetenv("IASIM_DATA");
}

static char *digest_of(const char *experiment, const char *content)
{
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, experiment, content, &e), e);
    char *digest = mem_strdup(s.digest);
    scenario_clear(&s);
    return digest;
}

static void the_digest_is_of_what_is_computed(void)
{
    static const char *const different[] = {
        "<param name='x' value='2'/>",
        "<param name='n' value='2'/>",
        "<sweep name='x'><value>1</value><value>2</value></sweep>",
    };
    static const char *const same[] = {
        "<description>words</description>",
        "<param name='x' value='1.0'/>",
        "<sweep name='x'><value>1</value></sweep>\n<table rows='x' columns='n' metric='y'/>",
    };
    char *plain = digest_of("fake", ""), *other = digest_of("fake_forked", "");
    CHECK(strcmp(plain, other) != 0);
    for (int i = 0; i < 3; i++) {
        char *d = digest_of("fake", different[i]), *s = digest_of("fake", same[i]);
        CHECK(strcmp(plain, d) != 0);
        CHECK_TEXT(s, plain);
        free(d);
        free(s);
    }
    free(plain);
    free(other);
    fake_folder_remove();
}

static enum err_code read_bad(const char *path, struct err *e)
{
    struct scenario s;
    enum err_code code = scenario_read(path, NULL, &s, e);
    scenario_clear(&s);
    return code;
}

static void bad_files_are_refused_with_their_reason(void)
{
    gallery_walk(PROJECT_DIR "/test/gallery/scenarios", 50, read_bad);
}

static enum err_code read_good(const char *name, struct err *e)
{
    struct scenario s;
    char *path = mem_format(PROJECT_DIR "/scenarios/%s/scenario.xml", name);
    enum err_code code = scenario_read(path, NULL, &s, e);
    CHECK(code != ERR_NONE || strcmp(s.name, name) == 0);
    scenario_clear(&s);
    free(path);
    return code;
}

static void what_is_shipped_can_be_read(void)
{
    DIR *d = opendir(PROJECT_DIR "/scenarios");
    int n = 0;
    CHECK(d != NULL);
    for (struct dirent *f; d != NULL && (f = readdir(d)) != NULL;) {
        struct err e = {0};
        if (f->d_name[0] == '.' || strchr(f->d_name, '.') != NULL)
            continue;
        CHECK_OK(read_good(f->d_name, &e), e);
        n++;
    }
    if (d != NULL)
        closedir(d);
    CHECK(n >= 3);
}

static bool is_column(const struct run_kind *x, const char *name)
{
    static const char *const ours[] = {"key", "replication", "error"};
    for (int i = 0; i < 3; i++)
        if (strcmp(ours[i], name) == 0)
            return true;
    return param_find(run_params(x), name) != NULL;
}

static void check_row(const struct run_kind *x, const struct run_param *r)
{
    bool is_optional = (r->facts & RUN_OPTIONAL) != 0;
    CHECK(run_row(x, r->is.name) == r); /* a name is there once */
    CHECK(!is_optional || r->is.default_text == NULL);
    if ((r->facts & RUN_VARIANT) != 0)
        CHECK(x->is_random && (r->is.default_text != NULL || is_optional));
    if ((r->facts & RUN_RANDOM) != 0)
        CHECK(is_optional && !x->is_random && run_row_that_is(x, RUN_VARIANT) == NULL &&
              run_row_that_is(x, RUN_INSTANCE) != NULL);
    CHECK((r->facts & RUN_FILE) != 0 || (r->folder == NULL && (r->facts & RUN_FILE_OF_FILES) == 0));
}

static void check_experiment(const struct run_kind *x)
{
    size_t n = run_n_metrics(x);
    CHECK(n > 0 && n <= RUN_MAX_METRICS);
    CHECK(x->summary[0] != '\0' && x->source[0] != '\0' && x->results_version > 0 && x->run != NULL);
    CHECK((run_row_that_is(x, RUN_SHARED) == NULL) == (x->prepare == NULL));
    CHECK((run_row_that_is(x, RUN_SEED) == NULL) == (run_row_that_is(x, RUN_SEEDED) == NULL));
    for (const struct run_param *r = x->rows; r->is.name != NULL; r++)
        check_row(x, r);
    for (size_t i = 0; i < n; i++) {
        CHECK(!is_column(x, x->metrics[i].name));
        CHECK(run_metric(x, x->metrics[i].name) == &x->metrics[i]);
    }
    CHECK(param_find(run_params(x), "seed") == NULL && param_find(run_params(x), "replications") == NULL);
}

/* SQLite ignores the case of column names, but names are lower case by custom. */
static void every_experiment_is_well_formed(void)
{
    for (size_t i = 0; run_kinds[i] != NULL; i++)
        check_experiment(run_kinds[i]);
}

static const struct test tests[] = {
    {"what the file says is read", what_the_file_says_is_read},
    {"numbers have one form", numbers_have_one_form},
    {"ranges end where they say", ranges_end_where_they_say},
    {"sets replace values", sets_replace_values},
    {"sets take ranges", sets_take_ranges},
    {"a bad set is reported", a_bad_set_is_told},
    {"files are found from the scenario", files_are_found_from_the_scenario},
    {"shipped files are found", shipped_files_are_found},
    {"the digest is of what is computed", the_digest_is_of_what_is_computed},
    {"bad files are refused with their reason", bad_files_are_refused_with_their_reason},
    {"what is shipped can be read", what_is_shipped_can_be_read},
    {"every experiment is well formed", every_experiment_is_well_formed},
};
TEST_MAIN(tests)
