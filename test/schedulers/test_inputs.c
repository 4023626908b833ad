/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of --order and --allocation: what is accepted, and that every mistake gives a message with a line and the code
   ERR_INPUT (ERR_PARSE if it is not such a file). */
#include "check.h"
#include "machine_text.h"
#include "schedulers/scheduler.h"

#include <stdlib.h>

struct setting {
    struct dag dag;
    struct machine machine;
};

/* A is before B and C, both are before D; the fifth has blanks in its name. */
static struct setting setting(void)
{
    static const char *const names[] = {"A", "B", "C", "D", "last of all"};
    static const task_id edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    struct setting s = {.machine = machine_from_text("p0:1 p1:1 | |")};
    struct err e = {0};
    dag_init(&s.dag, "test graph");
    for (int t = 0; t < 5; t++)
        CHECK_OK(dag_add_task(&s.dag, names[t], 1, 0, NULL, &e), e);
    for (int k = 0; k < 4; k++)
        CHECK_OK(dag_add_edge(&s.dag, edges[k][0], edges[k][1], 1, 0, &e), e);
    CHECK_OK(dag_seal(&s.dag, &e), e);
    return s;
}

static void clear(struct setting *s)
{
    dag_clear(&s->dag);
    machine_text_clear(&s->machine);
}

/* "" if the file is in order, else "line: message". */
static const char *refusal(enum err_code code, const struct err *e)
{
    static char text[1400];
    snprintf(text, sizeof text, "%d: %s", e->line, e->text);
    return code == ERR_NONE ? "" : text;
}

static const char *order_refusal(const char *file)
{
    struct setting s = setting();
    struct err e = {0};
    task_id *order;
    enum err_code code = scheduler_parse_order(file, strlen(file), "order.txt", &s.dag, &order, &e);
    CHECK((code == ERR_NONE) == (order != NULL));
    CHECK(code == e.code && (code == ERR_NONE || strcmp(e.source, "order.txt") == 0));
    free(order);
    clear(&s);
    return refusal(code, &e);
}

static const char *allocation_refusal(const char *file)
{
    struct setting s = setting();
    struct err e = {0};
    host_id *hosts;
    enum err_code code = scheduler_parse_allocation(file, strlen(file), "hosts.txt", &s.dag, &s.machine, &hosts, &e);
    CHECK((code == ERR_NONE) == (hosts != NULL));
    CHECK(code == e.code && (code == ERR_NONE || strcmp(e.source, "hosts.txt") == 0));
    free(hosts);
    clear(&s);
    return refusal(code, &e);
}

static void an_order_is_read_whatever_the_blanks_comments_and_line_ends(void)
{
    struct setting s = setting();
    struct err e = {0};
    task_id *order = NULL;
    const char *file = "# the order\r\n  A\r\n\n\tC  \n# B before D\nlast of all\n B\nD"; /* no line end at the end */
    const task_id expected[] = {0, 2, 4, 1, 3};
    CHECK_OK(scheduler_parse_order(file, strlen(file), "order.txt", &s.dag, &order, &e), e);
    for (int i = 0; i < 5 && order != NULL; i++)
        CHECK_INT(order[i], expected[i]);
    free(order);
    clear(&s);
}

static void an_allocation_is_read_and_its_last_word_is_the_host(void)
{
    struct setting s = setting();
    struct err e = {0};
    host_id *hosts = NULL;
    const char *file = "D p1\n# comment\nA\tp0\n  last of all   p1 \r\nB p1\n\nC p0\n";
    const host_id expected[] = {0, 1, 0, 1, 1};
    CHECK_OK(scheduler_parse_allocation(file, strlen(file), "hosts.txt", &s.dag, &s.machine, &hosts, &e), e);
    for (int t = 0; t < 5 && hosts != NULL; t++)
        CHECK_INT(hosts[t], expected[t]);
    free(hosts);
    clear(&s);
}

static void unknown_names_are_told_with_their_line_and_what_may_be_meant(void)
{
    CHECK_TEXT(order_refusal("A\nZ"), "2: unknown task 'Z': not in test graph"); /* no line end */
    CHECK_TEXT(order_refusal("A\n\nZ\n"), "3: unknown task 'Z': not in test graph");
    CHECK_TEXT(order_refusal("A\nlast if all\n"),
               "2: unknown task 'last if all': not in test graph; did you mean 'last of all'?");
    CHECK_TEXT(allocation_refusal("A p0\nB q\n"), "2: unknown host 'q': not in test machine");
    CHECK_TEXT(allocation_refusal("A p0\nlast of al p1\n"),
               "2: unknown task 'last of al': not in test graph; did you mean 'last of all'?");
    CHECK_TEXT(order_refusal("a\n"), "1: unknown task 'a': not in test graph"); /* case matters */
}

static void a_repeated_task_is_told_with_both_lines(void)
{
    CHECK_TEXT(order_refusal("A\nB\n#\nA\n"), "4: task 'A' appears twice; the first is on line 1");
    CHECK_TEXT(allocation_refusal("A p0\n\nA p0\n"), "3: task 'A' appears twice; the first is on line 1");
}

static void missing_tasks_are_counted_and_one_is_named(void)
{
    CHECK_TEXT(order_refusal("A\nB\nC\nlast of all\n"), "0: task 'D' is missing");
    CHECK_TEXT(order_refusal("A\nC\n"), "0: 3 of 5 tasks are missing, 'B' and others");
    CHECK_TEXT(order_refusal(""), "0: 5 of 5 tasks are missing, 'A' and others");
    CHECK_TEXT(allocation_refusal("# nothing\n"), "0: 5 of 5 tasks are missing, 'A' and others");
    CHECK_TEXT(allocation_refusal("A p0\nB p0\nC p1\nD p1"), "0: task 'last of all' is missing");
}

static void an_order_against_an_edge_is_told_with_both_lines(void)
{
    CHECK_TEXT(order_refusal("A\nlast of all\nC\nD\nB\n"),
               "4: task 'D' comes before 'B' (line 5), which must precede it: test graph has an edge from there");
    CHECK_TEXT(order_refusal("A\nC\nB\nlast of all\nD\n"), "");
}

static void an_allocation_needs_two_words(void)
{
    CHECK_TEXT(allocation_refusal("A p0\nB\n"), "2: 'B' is one word, expected two: TASK HOST");
}

static void what_is_no_text_is_refused(void)
{
    struct setting s = setting();
    struct err e = {0}, e2 = {0};
    task_id *order;
    host_id *hosts;
    CHECK(scheduler_parse_order("A\0B", 3, "order.txt", &s.dag, &order, &e) == ERR_PARSE && order == NULL);
    CHECK_CONTAINS(e.text, "NUL");
    CHECK(scheduler_parse_allocation("A p0\0", 5, "hosts.txt", &s.dag, &s.machine, &hosts, &e2) == ERR_PARSE);
    CHECK(hosts == NULL);
    clear(&s);
}

static void a_file_that_is_not_there_is_told(void)
{
    struct setting s = setting();
    struct err e = {0}, e2 = {0};
    task_id *order;
    host_id *hosts;
    CHECK(scheduler_read_order("no such file", &s.dag, &order, &e) == ERR_IO && order == NULL);
    CHECK_TEXT(e.source, "no such file");
    CHECK(scheduler_read_allocation("no such file", &s.dag, &s.machine, &hosts, &e2) == ERR_IO && hosts == NULL);
    clear(&s);
}

static const struct test tests[] = {
    {"an order is read whatever the blanks, comments and line ends",
     an_order_is_read_whatever_the_blanks_comments_and_line_ends},
    {"an allocation is read, and its last word is the host", an_allocation_is_read_and_its_last_word_is_the_host},
    {"unknown names are told with their line and what may be meant",
     unknown_names_are_told_with_their_line_and_what_may_be_meant},
    {"a repeated task is told with both lines", a_repeated_task_is_told_with_both_lines},
    {"missing tasks are counted and one is named", missing_tasks_are_counted_and_one_is_named},
    {"an order against an edge is told with both lines", an_order_against_an_edge_is_told_with_both_lines},
    {"an allocation needs two words", an_allocation_needs_two_words},
    {"what is no text is refused", what_is_no_text_is_refused},
    {"a file that is not there is told", a_file_that_is_not_there_is_told},
};

TEST_MAIN(tests)
