/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Databases made by hand as data of a page: figures to the last digit, instances and copies, hostile names, sizes. */
#include "html/results_html.h"

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "compare/frame.h"
#include "html/html.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

static const char path[] = "test-results-html.db", page_path[] = "test-results-html.html";

/* `columns`: "name TYPE NOT NULL" are parameters, "name REAL" are metrics. `rows`: a SELECT of all columns after the
   key and the replication, the error last. */
static void make_database(const char *experiment, const char *columns, const char *rows)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    unlink(path);
    char *sql = mem_format("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT);"
                           "INSERT INTO meta VALUES('format', 'iasim-results/1'), ('experiment', '%s'), ('scenario', "
                           "'by hand'), ('runs', '9');"
                           "CREATE TABLE results(key TEXT NOT NULL, replication INTEGER NOT NULL, %s, error TEXT, "
                           "PRIMARY KEY(key, replication));"
                           "INSERT INTO results SELECT printf('%%032x', 7 * row_number() OVER ()), 1, r.* FROM (%s) r;",
                           experiment, columns, rows);
    bool is_made = sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK;
    if (!is_made)
        fprintf(stderr, "%s\n", why);
    CHECK(is_made);
    sqlite3_free(why);
    sqlite3_close(db);
    free(sql);
}

static json_t *read_data(void)
{
    struct err e = {0};
    json_t *data = NULL;
    CHECK_OK(results_html(&(struct results_source){.database = path}, &data, &e), e);
    return data;
}

static const char *text_of(const json_t *data, const char *list, size_t i, const char *key)
{
    return json_string_value(json_object_get(json_array_get(json_object_get(data, list), i), key));
}

static const char numbers[] =
    "SELECT 'a' AS p, 3 AS x, 1.0 / 3 AS f, NULL AS e UNION ALL SELECT 'a', 20, 1.0 / 3 / 1048576, NULL "
    "UNION ALL SELECT 'b', 3, 123456789.125, NULL UNION ALL SELECT 'b', 20, NULL, 'it broke' "
    "UNION ALL SELECT 'a', 100, -2.5, NULL";

static void figures_match_the_database_and_runs_are_sorted_by_parameter(void)
{
    make_database("hand", "p TEXT NOT NULL, x REAL NOT NULL, f REAL", numbers);
    json_t *data = read_data();
    const double want[] = {1.0 / 3, 1.0 / 3 / 1048576, -2.5, 123456789.125, NAN};
    const char *at = text_of(data, "metrics", 0, "rows");
    for (size_t i = 0; i < 5; i++) {
        char *end;
        double got = *at == ',' || *at == '\0' ? NAN : strtod(at, &end);
        CHECK(isnan(want[i]) ? isnan(got) : got == want[i]);
        at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : "";
    }
    CHECK_TEXT(text_of(data, "params", 0, "rows"), "0,0,0,1,1");
    CHECK_TEXT(text_of(data, "params", 1, "rows"), "0,1,2,0,1"); /* 3 before 20 before 100: numbers, not texts */
    json_t *error = json_array_get(json_object_get(data, "errors"), 0);
    CHECK_TEXT(json_string_value(json_object_get(error, "text")), "it broke");
    CHECK_INT(json_integer_value(json_array_get(json_object_get(error, "rows"), 0)), 4);
    CHECK_INT(json_integer_value(json_object_get(data, "runs")), 9);
    json_decref(data);
}

/* Instances 1 and 2 have the same figures under each scheduler, 3 has others; graphs are instances of `replay`. */
static void duplicate_instances_are_marked(void)
{
    make_database(
        "replay", "generator TEXT NOT NULL, instance INTEGER NOT NULL, scheduler TEXT NOT NULL, makespan_s REAL",
        "SELECT 'g', 3, 'heft', 5.5, NULL UNION ALL SELECT 'g', 2, 'list', 8, NULL UNION ALL SELECT 'g', 1, 'heft', "
        "5, NULL UNION ALL SELECT 'g', 1, 'list', 8, NULL UNION ALL SELECT 'g', 2, 'heft', 5, NULL UNION ALL SELECT "
        "'g', 3, 'list', 8, NULL");
    json_t *data = read_data();
    CHECK_TEXT(json_string_value(json_object_get(data, "instances")), "0,0,-1,-1,2,2");
    CHECK_TEXT(text_of(data, "metrics", 0, "unit"), "s");
    CHECK_TEXT(text_of(data, "metrics", 0, "better"), "lower");
    json_decref(data);
    /* one figure differs: no copy */
    make_database(
        "replay", "generator TEXT NOT NULL, instance INTEGER NOT NULL, scheduler TEXT NOT NULL, makespan_s REAL",
        "SELECT 'g', 1, 'heft', 5, NULL UNION ALL SELECT 'g', 1, 'list', 8, NULL UNION ALL SELECT 'g', 2, 'heft', 8, "
        "NULL UNION ALL SELECT 'g', 2, 'list', 5, NULL");
    data = read_data();
    CHECK_TEXT(json_string_value(json_object_get(data, "instances")), "0,0,1,1");
    json_decref(data);
}

static char *write_page(json_t *data)
{
    struct err e = {0};
    struct text file = {0};
    struct html_page *page = html_page_create("<b>&</b>");
    html_page_add(page, "results", "", data);
    CHECK_OK(html_page_write(page, page_path, &e), e);
    html_page_free(page);
    CHECK_OK(text_read_file(&file, page_path, 50000000, &e), e);
    return text_take(&file);
}

static bool has_no_pages(void) /* built without d3 */
{
    struct err e = {0};
    return html_check("x.html", &e) != ERR_NONE;
}

static void hostile_names_and_values_cannot_become_markup(void)
{
    if (has_no_pages())
        return;
    make_database(
        "</script><script>alert(1)</script>",
        "\"<img src=x onerror=alert(1)>\" TEXT NOT NULL, \"__proto__\" TEXT NOT NULL, \"f\"\"</style>\" REAL",
        "SELECT '</script><script>alert(2)</script>', 'constructor', 1, NULL UNION ALL SELECT CAST(x'ff3c62' AS TEXT), "
        "'__proto__', 2, '<svg onload=alert(3)>'");
    char *page = write_page(read_data());
    static const char *const hostile[] = {"alert(1)<", "<img", "<svg", "</script><script>alert", "</style>\"", "<b>&"};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++)
        CHECK(strstr(page, hostile[i]) == NULL);
    CHECK_CONTAINS(page, "\\u003csvg onload=alert(3)\\u003e");
    CHECK_CONTAINS(page, "?\\u003cb"); /* not UTF-8 */
    free(page);
}

static const char thousand[] =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i, i %% 7, abs(random()) / "
    "1e18, "
    "abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, "
    "abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, "
    "abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, abs(random()) / 1e18, "
    "NULL FROM n";

static void make_random(int n_runs)
{
    char *rows = mem_format(thousand, n_runs);
    make_database(
        "hand",
        "i INTEGER NOT NULL, p INTEGER NOT NULL, a REAL, b REAL, c REAL, d REAL, e REAL, f REAL, g REAL, h REAL, "
        "j REAL, k REAL, l REAL, m REAL, n REAL, o REAL, q REAL, r REAL",
        rows);
    free(rows);
}

/* 16 metrics of random digits, which nothing can compress. */
static void a_thousand_runs_fit_in_2_MB_and_give_the_same_bytes_twice(void)
{
    make_random(1000);
    if (has_no_pages())
        return;
    char *first = write_page(read_data()), *second = write_page(read_data());
    CHECK(strlen(first) < 2000000);
    CHECK(strcmp(first, second) == 0);
    free(first);
    free(second);
}

static void large_databases_are_rounded_and_say_so(void)
{
    make_random(RESULTS_EXACT_RUNS + 1);
    json_t *data = read_data();
    CHECK_INT(json_integer_value(json_object_get(data, "digits")), 7);
    CHECK(strcspn(text_of(data, "metrics", 0, "rows"), ",") <= 9); /* 7 digits, a point, perhaps e */
    json_decref(data);
    make_random(12);
    data = read_data();
    CHECK_INT(json_integer_value(json_object_get(data, "digits")), 17);
    json_decref(data);
}

static void too_large_a_database_is_refused_and_an_empty_one_accepted(void)
{
    struct frame f;
    struct err e = {0};
    make_random(12);
    CHECK_INT(frame_read(path, NULL, 11, &f, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "has more than 11 runs, too many for a page");
    frame_clear(&f);
    make_database("hand", "p TEXT NOT NULL, f REAL", "SELECT 'a', 1, NULL WHERE 0");
    json_t *data = read_data();
    CHECK_INT(json_integer_value(json_object_get(data, "n")), 0);
    CHECK_TEXT(text_of(data, "metrics", 0, "rows"), "");
    json_decref(data);
}

static const struct test tests[] = {
    {"figures match the database, and runs are sorted by parameter",
     figures_match_the_database_and_runs_are_sorted_by_parameter},
    {"duplicate instances are marked", duplicate_instances_are_marked},
    {"hostile names and values cannot become markup", hostile_names_and_values_cannot_become_markup},
    {"a thousand runs fit in 2 MB and give the same bytes twice",
     a_thousand_runs_fit_in_2_MB_and_give_the_same_bytes_twice},
    {"large databases are rounded, and say so", large_databases_are_rounded_and_say_so},
    {"too large a database is refused and an empty one accepted",
     too_large_a_database_is_refused_and_an_empty_one_accepted},
};
TEST_MAIN(tests)
