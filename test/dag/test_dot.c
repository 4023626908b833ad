/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* DOT: what the language says (graphviz.org/doc/info/lang.html), and what SimGrid's attributes mean. */
#include "base/mem.h"
#include "dag_text.h"
#include "reading.h"

#include <stdlib.h>
#include <time.h>

static void nodes_are_tasks_and_edges_are_edges(void)
{
    CHECK_GRAPH("dot", "digraph G { b [size=\"2\"]; a [size=\"1e3\"]; b -> a [size=\"5.5\"]; }",
                "b:2 a:1000 | b>a:5.5");
    CHECK_GRAPH("dot", "DiGraph{a[size=.5]b[size=2.]a->b}", "a:0.5 b:2 | a>b:0");
    CHECK_GRAPH("dot", "strict digraph \"a name\" { a [color=red, size=1; shape=box] [size=3, label=\"x\"] }", "a:3 |");
}

static void order_is_that_of_first_mention(void)
{
    CHECK_GRAPH("dot", "digraph { c -> b; a [size=1]; b [size=2]; c [size=3]; }", "c:3 b:2 a:1 | c>b:0");
}

static void a_later_attribute_wins(void)
{
    CHECK_GRAPH("dot", "digraph { a [size=1]; a [size=2]; a [color=blue] }", "a:2 |");
}

static void root_and_end_need_no_size(void)
{
    CHECK_GRAPH("dot", "digraph { a [size=1]; root -> a -> end }", "a:1 root:0 end:0 | root>a:0 a>end:0");
    CHECK_GRAPH("dot", "digraph { root [size=4] root -> end [size=7] }", "root:4 end:0 | root>end:7");
}

static void minus_one_is_no_data(void)
{
    CHECK_GRAPH("dot", "digraph { node [size=1] a -> b [size=\"-1\"]; b -> c [size=-1.0]; c -> d [size=\"-1e0\"] }",
                "a:1 b:1 c:1 d:1 | a>b:0 b>c:0 c>d:0");
    CHECK_GRAPH("dot", "digraph { node [size=1] edge [size=-1] a -> b }", "a:1 b:1 | a>b:0");
}

/* As in the databases of optimal schedules; graphviz' own `weight` is about drawing. */
static void weight_is_a_size(void)
{
    CHECK_GRAPH("dot",
                "digraph \"Fork_Nodes_3\" {\n 0 [Weight=8];\n 1 [Weight=2];\n 2 [Weight=9];\n"
                "0 -> 1 [Weight=17, weight=3];\n 0 -> 2 [Weight=4.5];\n}",
                "0:8 1:2 2:9 | 0>1:17 0>2:4.5");
    CHECK_GRAPH("dot", "digraph { node [Weight=2] edge [Weight=3] a -> b; b -> c [weight=7] }",
                "a:2 b:2 c:2 | a>b:3 b>c:3");
}

static void zero_is_a_size(void)
{
    CHECK_GRAPH("dot", "digraph { a [size=0]; b [size=\"0.0\"]; a -> b [size=0] }", "a:0 b:0 | a>b:0");
}

static void defaults_hold_for_what_comes_later(void)
{
    CHECK_GRAPH("dot",
                "digraph { a [size=9]; node [size=1] edge [size=4] a -> b; node [size=2] c; edge [size=5] b "
                "-> c; b }",
                "a:9 b:1 c:2 | a>b:4 b>c:5");
    CHECK_GRAPH("dot", "digraph { graph [size=\"7,5\"] size=\"8,8\"; a [size=1] }", "a:1 |");
}

static void defaults_of_a_subgraph_stay_in_it(void)
{
    CHECK_GRAPH("dot",
                "digraph { node [size=1] edge [size=10]"
                " subgraph s { node [size=2] edge [size=20] a -> b; { c -> a; node [size=3] d } e }"
                " f -> e }",
                "a:2 b:2 c:2 d:3 e:2 f:1 | a>b:20 c>a:20 f>e:10");
}

static void a_subgraph_named_again_goes_on(void)
{
    CHECK_GRAPH("dot", "digraph { node [size=1] subgraph s { node [size=2] a } b subgraph s { c } subgraph s {} -> d }",
                "a:2 b:1 c:2 d:1 | a>d:0 c>d:0");
    CHECK_GRAPH("dot", "digraph { node [size=1] subgraph s { a } subgraph t { subgraph s { b } } subgraph s {} -> c }",
                "a:1 b:1 c:1 | a>c:0"); /* the s in t is another one */
}

static void an_edge_between_subgraphs_joins_all_their_nodes(void)
{
    CHECK_GRAPH("dot", "digraph { node [size=1] {a b} -> {c d} [size=3] }",
                "a:1 b:1 c:1 d:1 | a>c:3 a>d:3 b>c:3 b>d:3");
    CHECK_GRAPH("dot", "digraph { node [size=1] a -> {b; {c} c} -> subgraph x { d } -> e }",
                "a:1 b:1 c:1 d:1 e:1 | a>b:0 a>c:0 b>d:0 c>d:0 d>e:0");
    CHECK_GRAPH("dot", "digraph { node [size=1] a; {c b a} -> d }", "a:1 c:1 b:1 d:1 | a>d:0 c>d:0 b>d:0");
    CHECK_GRAPH("dot", "digraph { node [size=1] a, b -> c, d }", "a:1 b:1 c:1 d:1 | a>c:0 a>d:0 b>c:0 b>d:0");
    CHECK_GRAPH("dot", "digraph { node [size=1] a -> {} -> b }", "a:1 b:1 |");
    CHECK_GRAPH("dot", "digraph { node [size=1] {a -> b} -> {c -> d [size=2]} [size=3] }",
                "a:1 b:1 c:1 d:1 | a>b:0 c>d:2 a>c:3 a>d:3 b>c:3 b>d:3");
}

static void a_chain_is_an_edge_for_each_arrow(void)
{
    CHECK_GRAPH("dot", "digraph { node [size=1]\n a -> b\n -> c:n -> d:port:sw [size=2] }",
                "a:1 b:1 c:1 d:1 | a>b:2 b>c:2 c>d:2");
}

static void a_strict_graph_has_no_second_edge(void)
{
    CHECK_GRAPH("dot", "strict digraph { node [size=1] a -> b [size=2]; b -> c; a -> b [size=3]; a -> b }",
                "a:1 b:1 c:1 | a>b:3 b>c:0");
}

static void names_are_read_as_graphviz_reads_them(void)
{
    CHECK_GRAPH("dot",
                "digraph { node [size=1] \"a b\"; \"q\\\"q\"; \"n\\l\\\\\"; -1.5; 007; x_1; <h <b>i</b>>; "
                "\"\\\nl\" }",
                "a b:1 q\"q:1 n\\l\\\\:1 -1.5:1 007:1 x_1:1 h <b>i</b>:1 l:1 |");
    CHECK_GRAPH("dot", "digraph { node [size=1] \"a\" + \"b\" /* and */ + \"c\"; \xC3\xA4; \xE4 }",
                "abc:1 \xC3\xA4:1 \xE4:1 |");
    CHECK_GRAPH("dot", "digraph { node [size=1] \"node\" -> \"end\" -> \"->\" }",
                "node:1 end:1 ->:1 | node>end:0 end>->:0");
    CHECK_GRAPH("dot", "digraph { 1 [size=1] 1 -> 1.0 1.0 [size=2] }", "1:1 1.0:2 | 1>1.0:0");
}

static void comments_and_blanks_are_passed_over(void)
{
    CHECK_GRAPH("dot", "\xEF\xBB\xBF# 1 \"x.dot\"\r\n// one\r\ndigraph { /* a\n*\n/ -> b */ a [size=1];;\r\n# b\n}\n\n",
                "a:1 |");
}

static void lines_are_those_of_the_text(void)
{
    struct dag g = read_text("dot", "digraph {\n\n a [size=1] /*\n*/ b\n [size=2]\n a -> {\n b }\n \"c\\\n\" "
                                    "[size=3]\n \"\n\" [size=1]; d [size=1]\n}");
    CHECK_INT(g.tasks[0].line, 3);
    CHECK_INT(g.tasks[1].line, 4);
    CHECK_INT(g.edges[0].line, 7);
    CHECK_INT(g.tasks[2].line, 8);
    CHECK_INT(g.tasks[4].line, 11);
    dag_clear(&g);
}

static void deep_nesting_is_no_danger(void)
{
    enum { DEPTH = 200000 };
    struct text t = {0};
    text_addf(&t, "digraph { node [size=1] ");
    for (int i = 0; i < DEPTH; i++)
        text_add(&t, "{", 1);
    text_addf(&t, "a -> b");
    for (int i = 0; i < DEPTH; i++)
        text_add(&t, "}", 1);
    text_addf(&t, "}");
    CHECK_GRAPH("dot", text_str(&t), "a:1 b:1 | a>b:0");
    text_clear(&t);
}

/* Refused quickly: time quadratic in the nesting depth would be minutes. */
static void edges_from_every_level_of_a_deep_nesting_are_refused(void)
{
    enum { DEPTH = 100000 };
    struct text t = {0};
    struct dag g;
    struct err e = {0};
    text_addf(&t, "digraph { node [size=1] ");
    for (int i = 0; i < DEPTH; i++)
        text_add(&t, "{", 1);
    text_addf(&t, "a");
    for (int i = 0; i < DEPTH; i++)
        text_addf(&t, "}->{}");
    text_addf(&t, "}");
    clock_t begin = clock();
    CHECK(dag_parse(text_str(&t), t.size, "deep.dot", NULL, NULL, &g, &e) == ERR_INPUT);
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 10);
    CHECK_CONTAINS(e.text, "more than 10000000 edges between subgraphs");
    text_clear(&t);
}

static void check_written(const struct dag *g)
{
    struct text t = {0};
    struct dag back;
    struct err e = {0};
    CHECK_OK(format_named("dot")->write(g, NULL, &t, &e), e);
    CHECK_OK(dag_parse(text_str(&t), t.size, "again", format_named("dot"), NULL, &back, &e), e);
    CHECK(is_same_graph(g, &back));
    dag_clear(&back);
    text_clear(&t);
}

static void what_is_written_comes_back_to_the_last_bit(void)
{
    struct dag g = dag_from_text(
        "b:0.1 a:1e-320 c:0 d:1.7e308 e:3 | d>a:0.30000000000000004 b>a:5e-324 c>d:9007199254740993 a>e:0");
    check_written(&g);
    dag_clear(&g);
}

static void any_name_that_dot_can_write_comes_back(void)
{
    static const char *const names[] = {
        "a b",    "\"",     "\"quoted\"", "back\\slash", "two\\\\", "ends\\",   "a\\\"b", "line\nline",
        "l\\\nl", "<b>",    "a>b<",       "node",        "->",      "\xC3\xA4", "\xFF",   "// c",
        "/*",     "#",      "{a}",        "+",           "\t",      "1e9",      "-1",     "0x1",
        "\\",     "\\\\\\", "a\\\r\nb",   "\\<>",        "<\\\\",   "end",      "root",   "digraph"};
    enum { N = sizeof names / sizeof names[0] };
    struct dag g;
    struct err e = {0};
    dag_init(&g, "names");
    for (int i = 0; i < N; i++)
        CHECK_OK(dag_add_task(&g, names[i], i, 0, NULL, &e), e);
    for (int i = 1; i < N; i++)
        CHECK_OK(dag_add_edge(&g, i - 1, i, i, 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    check_written(&g);
    dag_clear(&g);
}

static void a_name_that_dot_cannot_write_is_refused(void)
{
    struct dag g;
    struct err e = {0};
    struct text t = {0};
    dag_init(&g, "names");
    CHECK_OK(dag_add_task(&g, "<\\", 1, 3, NULL, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    CHECK(format_named("dot")->write(&g, NULL, &t, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "task '<\\': this name cannot be written in DOT");
    CHECK_INT(e.line, 3);
    text_clear(&t);
    dag_clear(&g);
}

static const struct test tests[] = {
    {"nodes_are_tasks_and_edges_are_edges", nodes_are_tasks_and_edges_are_edges},
    {"order_is_that_of_first_mention", order_is_that_of_first_mention},
    {"a_later_attribute_wins", a_later_attribute_wins},
    {"root_and_end_need_no_size", root_and_end_need_no_size},
    {"minus_one_is_no_data", minus_one_is_no_data},
    {"weight_is_a_size", weight_is_a_size},
    {"zero_is_a_size", zero_is_a_size},
    {"defaults_hold_for_what_comes_later", defaults_hold_for_what_comes_later},
    {"defaults_of_a_subgraph_stay_in_it", defaults_of_a_subgraph_stay_in_it},
    {"a_subgraph_named_again_goes_on", a_subgraph_named_again_goes_on},
    {"an_edge_between_subgraphs_joins_all_their_nodes", an_edge_between_subgraphs_joins_all_their_nodes},
    {"a_chain_is_an_edge_for_each_arrow", a_chain_is_an_edge_for_each_arrow},
    {"a_strict_graph_has_no_second_edge", a_strict_graph_has_no_second_edge},
    {"names_are_read_as_graphviz_reads_them", names_are_read_as_graphviz_reads_them},
    {"comments_and_blanks_are_passed_over", comments_and_blanks_are_passed_over},
    {"lines_are_those_of_the_text", lines_are_those_of_the_text},
    {"deep_nesting_is_no_danger", deep_nesting_is_no_danger},
    {"edges_from_every_level_of_a_deep_nesting_are_refused", edges_from_every_level_of_a_deep_nesting_are_refused},
    {"what_is_written_comes_back_to_the_last_bit", what_is_written_comes_back_to_the_last_bit},
    {"any_name_that_dot_can_write_comes_back", any_name_that_dot_can_write_comes_back},
    {"a_name_that_dot_cannot_write_is_refused", a_name_that_dot_cannot_write_is_refused},
};

TEST_MAIN(tests)
