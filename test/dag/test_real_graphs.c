/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real task graphs from a folder beside the checkout, whose README has a table of their shapes. Without the folder
   these tests are skipped with a message. */
#include "check.h"

#include "base/mem.h"
#include "dag/format.h"
#include "dag/levels.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static const char folder[] = PROJECT_DIR "/../shared/data";

static bool is_absent(void)
{
    if (access(PROJECT_DIR "/../shared/data/README.md", R_OK) == 0)
        return false;
    fprintf(stderr, "skipped: there is no %s\n", folder);
    return true;
}

static int n_files_in(const char *name)
{
    char *path = mem_format("%s/%s", folder, name);
    DIR *dir = opendir(path);
    int n = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        n += entry->d_name[0] != '.';
    if (dir != NULL)
        closedir(dir);
    free(path);
    return n;
}

static bool is_same(const struct dag *a, const struct dag *b)
{
    bool same = a->n_tasks == b->n_tasks && a->n_edges == b->n_edges;
    for (int t = 0; same && t < a->n_tasks; t++)
        same = strcmp(a->tasks[t].name, b->tasks[t].name) == 0 && a->tasks[t].work_flop == b->tasks[t].work_flop;
    for (int i = 0; same && i < a->n_edges; i++)
        same = a->edges[i].src == b->edges[i].src && a->edges[i].dst == b->edges[i].dst &&
               a->edges[i].size_bytes == b->edges[i].size_bytes;
    return same;
}

static void check_round_trip(const struct dag *g, const char *format_name)
{
    const struct dag_format *format;
    const struct dag_read_options options = {.reference_flop_per_s = DAG_REFERENCE_FLOP_PER_S};
    struct dag back;
    struct err e = {0};
    struct text text = {0};
    CHECK_OK(dag_format_find(format_name, &format, &e), e);
    CHECK_OK(format->write(g, &options, &text, &e), e);
    CHECK_OK(dag_parse(text_str(&text), text.size, "again", format, NULL, &back, &e), e);
    CHECK(is_same(g, &back));
    dag_clear(&back);
    text_clear(&text);
}

/* Runs on every row `| file | bytes | tasks | edges | depth | width |...` whose file exists; returns how
 * many. */
static int for_each_graph(void (*run)(const struct dag *g, const char *path, const int *counts))
{
    struct text table = {0};
    struct err e = {0};
    int n = 0;
    CHECK_OK(text_read_file(&table, PROJECT_DIR "/../shared/data/README.md", 1000000, &e), e);
    char *rest = table.data;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char name[256];
        int bytes, counts[4];
        struct dag g;
        if (sscanf(line, "| %255[^ |] | %d | %d | %d | %d | %d |", name, &bytes, &counts[0], &counts[1], &counts[2],
                   &counts[3]) != 6)
            continue;
        char *path = mem_format("%s/%s", folder, name);
        enum err_code code = dag_read(path, NULL, NULL, &g, &e);
        CHECK_OK(code, e);
        if (code == ERR_NONE)
            run(&g, path, counts);
        dag_clear(&g);
        free(path);
        n++;
    }
    text_clear(&table);
    return n;
}

static void check_shape(const struct dag *g, const char *path, const int *counts)
{
    struct dag_shape shape = dag_shape(g);
    bool ok =
        g->n_tasks == counts[0] && g->n_edges == counts[1] && shape.depth == counts[2] && shape.width == counts[3];
    if (!ok)
        fprintf(stderr, "%s: %d tasks, %d edges, depth %d, width %d\n", path, g->n_tasks, g->n_edges, shape.depth,
                shape.width);
    CHECK(ok);
}

static void every_file_has_the_shape_of_the_table(void)
{
    if (is_absent())
        return;
    int n = for_each_graph(check_shape);
    CHECK(n > 0);
    CHECK_INT(n, n_files_in("dot") + n_files_in("dax") + n_files_in("wfcommons"));
}

static void check_dot(const struct dag *g, const char *path, const int *counts)
{
    (void)path;
    (void)counts;
    check_round_trip(g, "dot");
}

static void every_file_comes_back_from_dot(void)
{
    if (!is_absent())
        for_each_graph(check_dot);
}

/* Only work may differ, when no run time gives it; here all work was a run time times 1e9. */
static void check_wfcommons(const struct dag *g, const char *path, const int *counts)
{
    (void)counts;
    if (strstr(path, ".json") != NULL)
        check_round_trip(g, "wfcommons");
}

static void every_wfcommons_file_comes_back_from_wfcommons(void)
{
    if (!is_absent())
        for_each_graph(check_wfcommons);
}

/* As the tools of WfFormat 1.6 would migrate the file, with the figures of the table. */
static void check_metrics(const struct dag *g, const char *path, const int *counts)
{
    static const char version[] = "\"schemaVersion\": \"1.5\"", start[] = "\"specification\": {";
    struct text file = {0};
    struct err e = {0};
    if (strstr(path, ".json") == NULL)
        return;
    CHECK_OK(text_read_file(&file, path, 100000000, &e), e);
    char *at_version = strstr(file.data, version), *at_start = strstr(file.data, start);
    CHECK(at_version != NULL && at_start != NULL);
    for (int wrong = 0; wrong < 2 && at_version != NULL && at_start != NULL; wrong++) {
        struct dag back;
        at_version[sizeof version - 3] = '6';
        char *text = mem_format("%.*s%s\"metrics\": {\"numberOfTasks\": %d, \"numberOfLevels\": %d, "
                                "\"maximumWidth\": %d},%s",
                                (int)(at_start - file.data), file.data, start, counts[0], counts[2] + wrong, counts[3],
                                at_start + strlen(start));
        CHECK(dag_parse(text, strlen(text), path, NULL, NULL, &back, &e) == (wrong ? ERR_INPUT : ERR_NONE));
        CHECK(wrong || is_same(g, &back));
        dag_clear(&back);
        free(text);
    }
    text_clear(&file);
}

static void every_wfcommons_file_agrees_with_metrics_of_1_6(void)
{
    if (!is_absent())
        for_each_graph(check_metrics);
}

static struct dag read_file(const char *name)
{
    struct dag g;
    struct err e = {0};
    char *path = mem_format("%s/%s", folder, name);
    CHECK_OK(dag_read(path, NULL, NULL, &g, &e), e);
    free(path);
    return g;
}

/* Of the edge between two tasks; -1: none. */
static double size_between(const struct dag *g, const char *src, const char *dst)
{
    for (int i = 0; i < g->n_edges; i++)
        if (strcmp(g->tasks[g->edges[i].src].name, src) == 0 && strcmp(g->tasks[g->edges[i].dst].name, dst) == 0)
            return g->edges[i].size_bytes;
    return -1;
}

static void simgrids_example_is_read_as_it_is_written(void)
{
    if (is_absent())
        return;
    struct dag g = read_file("dot/simgrid-example.dot");
    CHECK_TEXT(g.tasks[0].name, "end"); /* the first in the file */
    CHECK_TEXT(g.tasks[11].name, "root");
    CHECK(g.tasks[11].work_flop == 0);
    CHECK(g.tasks[dag_task_id(&g, "4")].work_flop == 10000000004.0);
    CHECK(size_between(&g, "3", "4") == 0 && size_between(&g, "5", "6") == 0 && size_between(&g, "8", "9") == 0);
    CHECK(size_between(&g, "root", "5") == 10014000);
    CHECK_INT(g.edges[3].line, 16);
    dag_clear(&g);
}

/* The numbers stand in the file: chr21.0.0.sfq and chr21.0.1.sfq, the run time of the first job. */
static void an_edge_of_a_dax_carries_what_its_jobs_share(void)
{
    if (is_absent())
        return;
    struct dag g = read_file("dax/GENOME.d.351024866.5.dax");
    CHECK(size_between(&g, "ID00000", "ID00001") == 30755085);
    CHECK(size_between(&g, "ID00000", "ID00002") == 31101555);
    CHECK(g.tasks[0].work_flop == 35.79 * 1e9);
    dag_clear(&g);
}

static const struct test tests[] = {
    {"every_file_has_the_shape_of_the_table", every_file_has_the_shape_of_the_table},
    {"every_file_comes_back_from_dot", every_file_comes_back_from_dot},
    {"every_wfcommons_file_comes_back_from_wfcommons", every_wfcommons_file_comes_back_from_wfcommons},
    {"every_wfcommons_file_agrees_with_metrics_of_1_6", every_wfcommons_file_agrees_with_metrics_of_1_6},
    {"simgrids_example_is_read_as_it_is_written", simgrids_example_is_read_as_it_is_written},
    {"an_edge_of_a_dax_carries_what_its_jobs_share", an_edge_of_a_dax_carries_what_its_jobs_share},
};

TEST_MAIN(tests)
