/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats of task graphs in general, DAX, WfCommons and STG (test_dot.c has DOT), and the gallery of bad
 * graphs. */
#include "base/mem.h"
#include "dag_text.h"
#include "gallery.h"
#include "reading.h"

#include <stdlib.h>

/* ---- which format ---- */

static void a_format_is_found_by_its_name(void)
{
    const struct dag_format *format = NULL;
    struct err e = {0};
    CHECK(format_named("wfcommons") == dag_formats[2]);
    CHECK(dag_format_find("doot", &format, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, "unknown task graph format 'doot'; known: dot, dax, wfcommons, stg; did you mean 'dot'?");
}

static const char *format_of(const char *path, const char *text)
{
    static struct err e; /* outlives the call, as its text does */
    const struct dag_format *format = NULL;
    e = (struct err){0};
    return dag_format_of(path, text, text ? strlen(text) : 0, &format, &e) == ERR_NONE ? format->name : e.text;
}

static void a_format_is_known_by_the_ending(void)
{
    CHECK_TEXT(format_of("a.dot", NULL), "dot");
    CHECK_TEXT(format_of("x.json/a.b.GV", "{}"), "dot");
    CHECK_TEXT(format_of("a.dax", NULL), "dax");
    CHECK_TEXT(format_of("a.xml", NULL), "dax");
    CHECK_TEXT(format_of("a.Json", NULL), "wfcommons");
    CHECK_TEXT(format_of("a.stg", NULL), "stg");
}

static void else_it_is_known_by_the_content(void)
{
    CHECK_TEXT(format_of("a", "/* c */ strict\ndigraph {}"), "dot");
    CHECK_TEXT(format_of("a.txt", "\n<?xml version='1.0'?>\n<!-- --><adag/>"), "dax");
    CHECK_TEXT(format_of("a.dot.d/b", " {\"workflow\":1}"), "wfcommons");
    CHECK_TEXT(format_of("-", "# STG\n\n 50 \n0 0 0"), "stg");
    CHECK_CONTAINS(format_of("a.txt", "hello"), "cannot recognise the task graph format");
    CHECK_CONTAINS(format_of("a.txt", ""),
                   "known formats (and extensions): dot (dot gv), dax (dax xml), wfcommons (json), stg");
    CHECK_CONTAINS(format_of("a.txt", NULL), "cannot recognise the task graph format");
}

static void a_missing_file_is_named(void)
{
    struct dag g;
    struct err e = {0};
    CHECK(dag_read("/nowhere/g.dot", NULL, NULL, &g, &e) == ERR_IO);
    CHECK_TEXT(e.source, "/nowhere/g.dot");
    dag_clear(&g);
}

static void a_reference_speed_is_positive(void)
{
    static const double bad[] = {0, -1, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        struct dag_read_options options = {.reference_flop_per_s = bad[i]};
        struct dag g;
        struct err e = {0};
        CHECK(dag_parse("1\n0 1 0\n", 8, "a.stg", NULL, &options, &g, &e) == ERR_INPUT);
        CHECK_CONTAINS(e.text, "is not a positive number");
    }
}

static void every_format_tells_what_it_is(void)
{
    for (int i = 0; dag_formats[i] != NULL; i++) {
        CHECK(dag_formats[i]->summary[0] != '\0' && dag_formats[i]->source[0] != '\0');
        CHECK(dag_formats[i]->extensions[0] != '\0' && dag_formats[i]->looks_like != NULL);
    }
}

/* ---- DAX ---- */

#define ADAG "<adag version='2.1'>"
#define JOB(id, uses) "<job id='" id "' runtime='2'>" uses "</job>"
#define OUT(file, size) "<uses file='" file "' link='output' size='" size "'/>"
#define IN(file, size) "<uses file='" file "' link='input' size='" size "'/>"
#define CHILD(child, parent) "<child ref='" child "'><parent ref='" parent "'/></child>"

static void an_edge_of_a_dax_is_the_sum_of_the_files_shared(void)
{
    CHECK_GRAPH("dax",
                ADAG JOB("A", OUT("f", "10") OUT("g", "5") OUT("h", "100")) JOB("B", IN("f", "10") IN("g", "5"))
                    JOB("C", IN("g", "5") IN("x", "7")) CHILD("B", "A") CHILD("C", "A") "</adag>",
                "A:2e+09 B:2e+09 C:2e+09 | A>B:15 A>C:5");
}

static void a_declared_link_without_files_is_an_edge_of_size_zero(void)
{
    CHECK_GRAPH("dax",
                ADAG JOB("A", "") JOB("B", OUT("f", "3"))
                    JOB("C", IN("g", "3")) "<child ref='C'><parent ref='B'/><parent ref='A'/></child></adag>",
                "A:2e+09 B:2e+09 C:2e+09 | B>C:0 A>C:0");
}

static void a_file_shared_makes_an_edge_though_none_is_declared(void)
{
    CHECK_GRAPH("dax",
                ADAG JOB("C", IN("g", "4")) JOB("A", OUT("f", "3")) JOB("B", IN("f", "3") OUT("g", "4"))
                    CHILD("C", "A") "</adag>",
                "C:2e+09 A:2e+09 B:2e+09 | A>C:0 B>C:4 A>B:3");
}

static void a_file_of_two_writers_makes_no_edge_of_its_own(void)
{
    CHECK_GRAPH("dax",
                ADAG JOB("A", OUT("f", "3")) JOB("B", OUT("f", "3")) JOB("C", IN("f", "3")) CHILD("C", "B") "</adag>",
                "A:2e+09 B:2e+09 C:2e+09 | B>C:3");
    CHECK_GRAPH("dax",
                ADAG "<job id='A' runtime='1'><uses file='f' link='inout' size='6'/></job>"
                     "<job id='B' runtime='1'><uses file='f' link='inout' size='7'/></job>" CHILD("B", "A") "</adag>",
                "A:1e+09 B:1e+09 | A>B:6");
}

static void a_job_does_not_wait_for_itself(void)
{
    CHECK_GRAPH("dax", ADAG JOB("A", "<uses file='f' link='inout' size='6'/>") JOB("B", IN("f", "6")) "</adag>",
                "A:2e+09 B:2e+09 | A>B:6");
}

static void a_file_said_twice_counts_once(void)
{
    CHECK_GRAPH("dax", ADAG JOB("A", OUT("f", "3") OUT("f", "9")) JOB("B", IN("f", "4") IN("f", "5")) "</adag>",
                "A:2e+09 B:2e+09 | A>B:3");
}

static void the_writer_of_a_file_knows_its_size_best(void)
{
    CHECK_GRAPH("dax", ADAG JOB("A", OUT("f", "3")) JOB("B", IN("f", "4")) "</adag>", "A:2e+09 B:2e+09 | A>B:3");
    CHECK_GRAPH("dax",
                ADAG JOB("A", "<uses file='f' link='output'/>")
                    JOB("B", IN("f", "4")) "<file name='f' size='5'/></adag>",
                "A:2e+09 B:2e+09 | A>B:4");
    CHECK_GRAPH("dax",
                ADAG "<file name='f' size='5'/>" JOB("A", "<uses file='f' link='output'/>")
                    JOB("B", "<uses file='f' link='input'/>") "</adag>",
                "A:2e+09 B:2e+09 | A>B:5");
}

static void dax_3_is_read(void)
{
    CHECK_GRAPH("dax",
                "<?xml version='1.0' encoding='UTF-8'?>\n"
                "<adag xmlns='http://pegasus.isi.edu/schema/DAX' version='3.6' name='w'>\n"
                "<metadata key='who'>me</metadata><file name='in'><metadata key='size'>9</metadata>"
                "<pfn url='file:///in' site='local'/></file>\n"
                "<executable name='x'><pfn url='file:///x' site='s'/></executable><transformation name='t'/>\n"
                "<job id='ID1' name='x' node-label='n'><argument>-i <file name='in'/></argument>\n"
                "<profile namespace='pegasus' key='runtime'>1.5</profile>\n"
                "<uses name='in' link='input'/><uses name='mid' link='output' transfer='false'>"
                "<metadata key='size'>1e3</metadata></uses></job>\n"
                "<job id='ID2' runtime='3'><stdout name='o' link='output'/><uses name='mid' link='input'/></job>\n"
                "<child ref='ID2'><parent ref='ID1' edge-label='e'/></child><invoke "
                "when='at_end'>mail</invoke></adag>",
                "ID1:1.5e+09 ID2:3e+09 | ID1>ID2:1000");
}

static void work_is_run_time_times_the_reference_speed(void)
{
    static const char text[] = "<adag><job id='A' runtime='1.5'/></adag>";
    const struct dag_read_options options = {.reference_flop_per_s = 4e9};
    struct dag g;
    struct err e = {0};
    CHECK_OK(dag_parse(text, strlen(text), "a.dax", NULL, &options, &g, &e), e);
    CHECK(g.tasks[0].work_flop == 6e9);
    dag_clear(&g);
}

static void a_dax_tells_the_lines_of_jobs_and_parents(void)
{
    struct dag g = read_text(
        "dax", ADAG "\n" JOB("A", "\n") "\n" JOB("B", "") "\n<child ref='B'>\n<parent\nref='A'/></child></adag>");
    CHECK_INT(g.tasks[0].line, 2);
    CHECK_INT(g.tasks[1].line, 4);
    CHECK(g.edges[0].line == 6 || g.edges[0].line == 7); /* libxml2 counts to where a tag ends, or begins */
    dag_clear(&g);
}

/* ---- WfCommons ---- */

#define WF(tasks, files, runs)                                                                                         \
    "{\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":[" tasks "],\"files\":[" files              \
    "]},\"execution\":{\"tasks\":[" runs "]}}}"
#define TASK(id, parents, children, in, out)                                                                           \
    "{\"name\":\"n\",\"id\":\"" id "\",\"parents\":[" parents "],\"children\":[" children "],\"inputFiles\":[" in      \
    "],\"outputFiles\":[" out "]}"
#define FILE_OF(id, size) "{\"id\":\"" id "\",\"sizeInBytes\":" size "}"
#define RUN(id, seconds) "{\"id\":\"" id "\",\"runtimeInSeconds\":" seconds "}"

static void an_edge_of_wfcommons_is_the_sum_of_the_files_shared(void)
{
    CHECK_GRAPH("wfcommons",
                WF(TASK("A", "", "\"C\",\"B\"", "\"i\"", "\"f\",\"g\"") "," TASK(
                       "B", "\"A\"", "\"C\"", "\"f\",\"g\"", "\"h\"") "," TASK("C", "\"B\",\"A\"", "", "\"g\"", ""),
                   FILE_OF("f", "10") "," FILE_OF("g", "0.5") "," FILE_OF("h", "7") "," FILE_OF("i", "1"),
                   RUN("C", "0") "," RUN("A", "1.5") "," RUN("B", "2")),
                "A:1.5e+09 B:2e+09 C:0 | A>B:10.5 B>C:0 A>C:0.5");
}

static void files_are_not_needed(void)
{
    CHECK_GRAPH("wfcommons",
                "{\"workflow\":{\"specification\":{\"tasks\":[{\"id\":\"\xC3\xA4\",\"parents\":[],\"children\":[]}]},"
                "\"execution\":{\"tasks\":[{\"id\":\"\\u00e4\",\"runtimeInSeconds\":1}]}}}",
                "\xC3\xA4:1e+09 |");
}

/* Files do not make edges here: the lists of parents and children are complete. */
static void only_parents_and_children_make_edges_in_wfcommons(void)
{
    CHECK_GRAPH("wfcommons",
                WF(TASK("A", "", "", "", "\"f\"") "," TASK("B", "", "", "\"f\"", ""), FILE_OF("f", "10"),
                   RUN("A", "1") "," RUN("B", "1")),
                "A:1e+09 B:1e+09 |");
}

/* ---- WfCommons 1.6 ---- */

#define N_METRICS 7

/* a > b, a > c, b > d, c > d, e: 10 + 20 bytes in two files, 7.5 s. */
static char *with_metrics(const double *m)
{
    return mem_format("{\"schemaVersion\":\"1.6\",\"workflow\":{\"specification\":{\"tasks\":[%s,%s,%s,%s,%s],"
                      "\"files\":[%s,%s],\"metrics\":{\"numberOfTasks\":%g,\"numberOfFiles\":%g,"
                      "\"sumOfFileSizesInBytes\":%g,\"numberOfLevels\":%g,\"minimumWidth\":%g,\"maximumWidth\":%g}},"
                      "\"execution\":{\"tasks\":[%s,%s,%s,%s,%s],\"metrics\":{\"sumTaskRuntimesInSeconds\":%g,"
                      "\"totalNumBytesRead\":99}}}}",
                      TASK("a", "", "\"b\",\"c\"", "", "\"f\""), TASK("b", "\"a\"", "\"d\"", "\"f\"", "\"g\""),
                      TASK("c", "\"a\"", "\"d\"", "\"f\"", ""), TASK("d", "\"b\",\"c\"", "", "\"g\"", ""),
                      TASK("e", "", "", "", ""), FILE_OF("f", "10"), FILE_OF("g", "20"), m[0], m[1], m[2], m[3], m[4],
                      m[5], RUN("a", "0.5"), RUN("b", "1"), RUN("c", "2"), RUN("d", "3"), RUN("e", "1"), m[6]);
}

static void wfcommons_1_6_is_read_and_its_metrics_are_compared(void)
{
    static const char *const keys[N_METRICS] = {"numberOfTasks",           "numberOfFiles", "sumOfFileSizesInBytes",
                                                "numberOfLevels",          "minimumWidth",  "maximumWidth",
                                                "sumTaskRuntimesInSeconds"};
    static const double right[N_METRICS] = {5, 2, 30, 3, 1, 2, 7.5};
    char *text = with_metrics(right);
    CHECK_GRAPH("wfcommons", text, "a:5e+08 b:1e+09 c:2e+09 d:3e+09 e:1e+09 | a>b:10 a>c:10 b>d:20 c>d:0");
    free(text);
    for (int i = 0; i < N_METRICS; i++) {
        double m[N_METRICS];
        struct dag g;
        struct err e = {0};
        memcpy(m, right, sizeof m);
        m[i]++;
        text = with_metrics(m);
        CHECK(dag_parse(text, strlen(text), "w.json", NULL, NULL, &g, &e) == ERR_INPUT);
        char *expected = mem_format("the metrics say %s is %g, but the tasks and files of this workflow give %g",
                                    keys[i], m[i], right[i]);
        CHECK_TEXT(e.text, expected);
        CHECK_INT(e.line, 1);
        free(expected);
        free(text);
    }
}

/* ---- WfCommons 1.3 and 1.4 ---- */

#define FLAT(version, tasks) "{\"schemaVersion\":\"" version "\",\"workflow\":{\"tasks\":[" tasks "]}}"
#define NAMED(name, more) "{\"name\":\"" name "\"" more "}"
#define PARENTS(names) ",\"parents\":[" names "]"
#define CHILDREN(names) ",\"children\":[" names "]"
#define FILES(files) ",\"files\":[" files "]"
#define FILE_14(link, name, size) "{\"link\":\"" link "\",\"name\":\"" name "\",\"sizeInBytes\":" size "}"

static void wfcommons_1_3_is_read(void)
{
    CHECK_GRAPH(
        "wfcommons",
        FLAT("1.3", NAMED("A", ",\"type\":\"compute\",\"runtime\":1.5" PARENTS("") FILES(
                                   "{\"link\":\"output\",\"name\":\"f\","
                                   "\"size\":10}")) "," NAMED("B",
                                                              ",\"runtime\":2" PARENTS("\"A\"") FILES(
                                                                  "{\"link\":\"input\",\"name\":\"f\",\"size\":10}"))),
        "A:1.5e+09 B:2e+09 | A>B:10");
}

#define RUNS(seconds) ",\"runtimeInSeconds\":" seconds

static void wfcommons_1_4_is_read(void)
{
    CHECK_GRAPH(
        "wfcommons",
        FLAT("1.4",
             NAMED("A", RUNS("1") CHILDREN("\"C\",\"B\"") FILES(FILE_14("output", "f", "3") "," FILE_14(
                            "output", "g",
                            "4"))) "," NAMED("B",
                                             RUNS("2") PARENTS("\"A\"") FILES(FILE_14(
                                                 "input", "f",
                                                 "3"))) "," NAMED("C", RUNS("3") PARENTS("\"B\",\"A\"")
                                                                           FILES(FILE_14("input", "f", "3") "," FILE_14(
                                                                               "input", "g", "4")))),
        "A:1e+09 B:2e+09 C:3e+09 | A>B:3 B>C:0 A>C:7");
}

static void without_a_version_the_layout_tells_it(void)
{
    CHECK_GRAPH("wfcommons", "{\"workflow\":{\"tasks\":[" NAMED("A", RUNS("1")) "]}}", "A:1e+09 |");
}

/* One end is enough in 1.3 and 1.4. */
static void an_edge_may_be_named_at_one_end(void)
{
    CHECK_GRAPH("wfcommons",
                FLAT("1.4", NAMED("A", RUNS("1") CHILDREN("\"B\"")) "," NAMED("B", RUNS("1")) "," NAMED(
                                "C", RUNS("1") PARENTS("\"A\""))),
                "A:1e+09 B:1e+09 C:1e+09 | A>C:0 A>B:0");
}

static void a_task_without_parents_waits_for_the_writers_of_its_files(void)
{
    CHECK_GRAPH(
        "wfcommons",
        FLAT("1.4", NAMED("A", RUNS("1") FILES(FILE_14("output", "f", "3") "," FILE_14("output", "g", "4"))) "," NAMED(
                        "B", RUNS("1") FILES(FILE_14("input", "f", "3") "," FILE_14(
                                 "input", "g", "4"))) "," NAMED("C", RUNS("1") PARENTS("\"B\"")
                                                                         FILES(FILE_14("input", "f", "3")))),
        "A:1e+09 B:1e+09 C:1e+09 | B>C:0 A>B:7");
}

static void names_that_repeat_are_told_apart_by_the_id(void)
{
#define ID(id) ",\"id\":\"" id "\""
    CHECK_GRAPH(
        "wfcommons",
        FLAT("1.4", NAMED("m", ID("ID1") RUNS("1")) "," NAMED("m", ID("ID2") RUNS("2") PARENTS("\"ID1\"")) "," NAMED(
                        "m_ID3", ID("ID3") RUNS("3") PARENTS("\"ID2\""))),
        "m_ID1:1e+09 m_ID2:2e+09 m_ID3:3e+09 | m_ID1>m_ID2:0 m_ID2>m_ID3:0");
}

static void files_of_one_name_in_two_folders_are_two(void)
{
#define FILE_IN(link, path) "{\"link\":\"" link "\",\"name\":\"f\",\"path\":\"" path "\",\"sizeInBytes\":5}"
    CHECK_GRAPH("wfcommons",
                FLAT("1.4", NAMED("A", RUNS("1") FILES(FILE_IN("output", "a/"))) "," NAMED(
                                "B", RUNS("1") FILES(FILE_IN(
                                         "output", "b/"))) "," NAMED("C", RUNS("1") FILES(FILE_IN("input", "b/")))),
                "A:1e+09 B:1e+09 C:1e+09 | B>C:5");
}

/* Lines are looked up when something is wrong, also by what comes after reading. */
static void a_cycle_in_wfcommons_has_its_line(void)
{
    const char *text = "{\"schemaVersion\":\"1.4\",\"workflow\":{\"tasks\":[\n" NAMED(
        "A", RUNS("1") PARENTS("\"B\"")) ",\n" NAMED("B", RUNS("1") PARENTS("\"A\"")) "]}}";
    struct dag g;
    struct err e = {0};
    CHECK_INT(dag_parse(text, strlen(text), "g.json", NULL, NULL, &g, &e), ERR_INPUT);
    CHECK_INT(e.line, 2);
    CHECK_TEXT(e.text, "the tasks wait for each other in a cycle: A -> B -> A");
}

static struct dag write_and_read(const struct dag *g, const char *format, double reference_flop_per_s)
{
    const struct dag_read_options options = {.reference_flop_per_s = reference_flop_per_s};
    struct text t = {0};
    struct dag back;
    struct err e = {0};
    CHECK_OK(format_named(format)->write(g, &options, &t, &e), e);
    CHECK_OK(dag_parse(text_str(&t), t.size, "again", format_named(format), &options, &back, &e), e);
    text_clear(&t);
    return back;
}

/* Edges in the order of their destinations, sizes of any kind; work that is a run time times the speed. */
static void wfcommons_keeps_tasks_edges_and_sizes(void)
{
    struct dag g =
        dag_from_text("z:3e9 a:0 \"q\\:1.5e9 b:2e9 | z>a:0.1 z>\"q\\:5e-324 a>b:1e300 z>b:0 \"q\\>b:9007199254740993");
    struct dag back = write_and_read(&g, "wfcommons", 1e9);
    CHECK(is_same_graph(&g, &back));
    dag_clear(&back);
    dag_clear(&g);
}

static void wfcommons_gives_the_nearest_work_there_is(void)
{
    struct dag g;
    struct err e = {0};
    int n_exact = 0;
    enum { N = 1000 };
    dag_init(&g, "numbers");
    for (int i = 0; i < N; i++) {
        char *name = mem_format("t%d", i);
        CHECK_OK(dag_add_task(&g, name, 1e6 * sqrt(i), 0, NULL, &e), e);
        free(name);
    }
    CHECK_OK(dag_seal(&g, &e), e);
    struct dag back = write_and_read(&g, "wfcommons", 3.7e9);
    for (int i = 0; i < N; i++) {
        n_exact += back.tasks[i].work_flop == g.tasks[i].work_flop;
        CHECK_CLOSE(back.tasks[i].work_flop, g.tasks[i].work_flop, 2.3e-16);
    }
    CHECK(n_exact > N / 2);
    dag_clear(&back);
    dag_clear(&g);
    g = dag_from_text("a:123456789.125 | ");
    back = write_and_read(&g, "wfcommons", 0x1p30); /* a power of two divides exactly */
    CHECK(is_same_graph(&g, &back));
    dag_clear(&back);
    dag_clear(&g);
}

static void what_wfcommons_cannot_hold_is_refused(void)
{
    const struct dag_read_options usual = {.reference_flop_per_s = DAG_REFERENCE_FLOP_PER_S},
                                  slow = {.reference_flop_per_s = 1e-300};
    struct text t = {0};
    struct err e = {0}, e2 = {0};
    struct dag g = dag_from_text("a\xFF:1 | "), big = dag_from_text("a:1e30 | ");
    CHECK(format_named("wfcommons")->write(&g, &usual, &t, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "not UTF-8");
    CHECK(format_named("wfcommons")->write(&big, &slow, &t, &e2) == ERR_INPUT);
    CHECK_CONTAINS(e2.text, "flop/s are not finite");
    CHECK_INT(t.size, 0);
    dag_clear(&g);
    dag_clear(&big);
}

/* ---- STG ---- */

static void the_standard_form_of_stg_has_two_dummies_more(void)
{
    CHECK_GRAPH("stg", "  2\n 0 0 0\n 1 20 1 0\n 2 3 1 0\n 3 0 2 1 2\n# Standard Task Graph Set\n#   Tasks : 2\n",
                "0:0 1:20 2:3 3:0 | 0>1:0 0>2:0 1>3:0 2>3:0");
}

static void stg_with_costs_has_a_line_for_each_predecessor(void)
{
    CHECK_GRAPH("stg", "# from elsewhere\n\t3\t2\n0 3 0\n1 5 1\n   0 2.5\n2 1 2 # two\n   0 7\n\n   1 4",
                "0:3 1:5 2:1 | 0>1:2.5 0>2:7 1>2:4");
    CHECK_GRAPH("stg", "2\r\n0 3 0\r\n1 5 1 0 9\r\n", "0:3 1:5 | 0>1:9");
    CHECK_GRAPH("stg", "3\n0 1 0\n1 2 0\n2 5 2 1 9 0 8\n", "0:1 1:2 2:5 | 1>2:9 0>2:8");
}

static void an_stg_may_count_all_its_tasks(void)
{
    CHECK_GRAPH("stg", "1\n0 1e3 0\n", "0:1000 |");
    CHECK_GRAPH("stg", "3\n0 0 0\n1 5 1 0\n2 0 1 1\n", "0:0 1:5 2:0 | 0>1:0 1>2:0");
}

static void the_prototypes_of_stg_count_from_one(void)
{
    CHECK_GRAPH("stg", "2 3\n1 14 0\n2 20 1 1\n3 0 1 2\n", "1:14 2:20 3:0 | 1>2:0 2>3:0");
}

static void a_predecessor_in_stg_may_come_later(void)
{
    CHECK_GRAPH("stg", "2\n0 1 1 1\n1 2 0\n", "0:1 1:2 | 1>0:0");
}

/* ---- bad graphs ---- */

static enum err_code read_only(const char *path, struct err *e)
{
    struct dag g;
    enum err_code code = dag_read(path, NULL, NULL, &g, e);
    CHECK(code == ERR_NONE || (g.tasks == NULL && g.source == NULL)); /* nothing to clear */
    return code;
}

static void every_graph_of_the_gallery_is_refused_in_its_words(void)
{
    gallery_walk_ending(PROJECT_DIR "/test/gallery/graphs/dot", ".dot", 60, read_only);
    gallery_walk_ending(PROJECT_DIR "/test/gallery/graphs/dax", ".dax", 46, read_only);
    gallery_walk_ending(PROJECT_DIR "/test/gallery/graphs/wfcommons", ".json", 59, read_only);
    gallery_walk_ending(PROJECT_DIR "/test/gallery/graphs/stg", ".stg", 41, read_only);
}

static const struct test tests[] = {
    {"a_format_is_found_by_its_name", a_format_is_found_by_its_name},
    {"a_format_is_known_by_the_ending", a_format_is_known_by_the_ending},
    {"else_it_is_known_by_the_content", else_it_is_known_by_the_content},
    {"a_missing_file_is_named", a_missing_file_is_named},
    {"a_reference_speed_is_positive", a_reference_speed_is_positive},
    {"every_format_tells_what_it_is", every_format_tells_what_it_is},
    {"an_edge_of_a_dax_is_the_sum_of_the_files_shared", an_edge_of_a_dax_is_the_sum_of_the_files_shared},
    {"a_declared_link_without_files_is_an_edge_of_size_zero", a_declared_link_without_files_is_an_edge_of_size_zero},
    {"a_file_shared_makes_an_edge_though_none_is_declared", a_file_shared_makes_an_edge_though_none_is_declared},
    {"a_file_of_two_writers_makes_no_edge_of_its_own", a_file_of_two_writers_makes_no_edge_of_its_own},
    {"a_job_does_not_wait_for_itself", a_job_does_not_wait_for_itself},
    {"a_file_said_twice_counts_once", a_file_said_twice_counts_once},
    {"the_writer_of_a_file_knows_its_size_best", the_writer_of_a_file_knows_its_size_best},
    {"dax_3_is_read", dax_3_is_read},
    {"work_is_run_time_times_the_reference_speed", work_is_run_time_times_the_reference_speed},
    {"a_dax_tells_the_lines_of_jobs_and_parents", a_dax_tells_the_lines_of_jobs_and_parents},
    {"an_edge_of_wfcommons_is_the_sum_of_the_files_shared", an_edge_of_wfcommons_is_the_sum_of_the_files_shared},
    {"files_are_not_needed", files_are_not_needed},
    {"only_parents_and_children_make_edges_in_wfcommons", only_parents_and_children_make_edges_in_wfcommons},
    {"wfcommons_keeps_tasks_edges_and_sizes", wfcommons_keeps_tasks_edges_and_sizes},
    {"wfcommons_gives_the_nearest_work_there_is", wfcommons_gives_the_nearest_work_there_is},
    {"what_wfcommons_cannot_hold_is_refused", what_wfcommons_cannot_hold_is_refused},
    {"wfcommons_1_6_is_read_and_its_metrics_are_compared", wfcommons_1_6_is_read_and_its_metrics_are_compared},
    {"wfcommons_1_3_is_read", wfcommons_1_3_is_read},
    {"wfcommons_1_4_is_read", wfcommons_1_4_is_read},
    {"without_a_version_the_layout_tells_it", without_a_version_the_layout_tells_it},
    {"an_edge_may_be_named_at_one_end", an_edge_may_be_named_at_one_end},
    {"a_task_without_parents_waits_for_the_writers_of_its_files",
     a_task_without_parents_waits_for_the_writers_of_its_files},
    {"names_that_repeat_are_told_apart_by_the_id", names_that_repeat_are_told_apart_by_the_id},
    {"files_of_one_name_in_two_folders_are_two", files_of_one_name_in_two_folders_are_two},
    {"a_cycle_in_wfcommons_has_its_line", a_cycle_in_wfcommons_has_its_line},
    {"the_standard_form_of_stg_has_two_dummies_more", the_standard_form_of_stg_has_two_dummies_more},
    {"stg_with_costs_has_a_line_for_each_predecessor", stg_with_costs_has_a_line_for_each_predecessor},
    {"an_stg_may_count_all_its_tasks", an_stg_may_count_all_its_tasks},
    {"the_prototypes_of_stg_count_from_one", the_prototypes_of_stg_count_from_one},
    {"a_predecessor_in_stg_may_come_later", a_predecessor_in_stg_may_come_later},
    {"every_graph_of_the_gallery_is_refused_in_its_words", every_graph_of_the_gallery_is_refused_in_its_words},
};

TEST_MAIN(tests)
