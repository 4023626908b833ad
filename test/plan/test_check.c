/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedules worked out by hand from [S] 8.2, with idle time around every item, and then damaged: the validator names
   exactly the violated conditions. */
#include "check_case.h"

#define AT(start, finish) "\"start_s\":" #start ",\"finish_s\":" #finish

static void schedules_made_by_hand_are_valid(void)
{
    expect(involvement, "", "nothing");
    expect(contention, "", "nothing");
    expect(classic, "", "nothing");
}

/* ---- items are moved ---- */

static void what_is_moved_too_far_under_involvement_is_named(void)
{
    static const struct damage list[] = {
        {AT(0.5, 2.5), AT(0, 2), ""},
        {AT(0.5, 2.5), AT(1, 3), ""},
        {AT(0.5, 2.5), AT(6.75, 8.75), "send_start"}, /* 3 is before 8.75; C starts at 9 */
        {AT(0.5, 2.5), AT(1.25, 3.25), "send_start,processor"},
        {AT(0.5, 2.5), AT(16, 18), "precedence,send_start"}, /* the send, and C on the same host */
        {AT(9, 11), AT(6, 8), "processor"},                  /* the send of A -> B stays until 6.5 */
        {AT(9, 11), AT(11, 13), "send_start,processor"},
        {AT(9, 11), AT(15, 17), "send_start"},
        {AT(13, 16), AT(12, 15), ""},
        {AT(13, 16), AT(11.5, 14.5), "precedence,processor"},
        {AT(13, 16), AT(6, 9), "precedence"},
        {AT(22, 24), AT(21.25, 23.25), ""},
        {AT(22, 24), AT(16.125, 18.125), "precedence"}, /* C -> D comes at 19.5, B is over at 16 */
        {AT(22, 24), AT(0, 2), "precedence,precedence"},
        {AT(28, 29), AT(27, 28), "length"},
        {AT(28, 29), AT(24, 25), "length,precedence"},
        {AT(28, 29), AT(30, 31), "length"},
        {AT(3, 6.5), AT(2.5, 6), ""},
        {AT(3, 6.5), AT(3.5, 7), ""}, /* l0 from 4 = 3.5 + o_s */
        {AT(3, 6.5), AT(3.75, 7.25), "first_link"},
        {AT(3, 6.5), AT(2, 5.5), "send_start,processor"},
        {AT(12, 14), AT(15, 17), "first_link"},
        {AT(4, 8), AT(3.5, 7.5), ""},
        {AT(4, 8), AT(5, 9), ""}, /* l1 from 8 to 10, latency 1 */
        {AT(4, 8), AT(3.25, 7.25), "first_link"},
        {AT(4, 8), AT(5.5, 9.5), "next_link"}, /* its end comes at 10.5, after 10 */
        {AT(4, 8), AT(7.5, 11.5), "next_link,next_link"},
        {AT(15.5, 16.5), AT(15, 16), ""},
        {AT(15.5, 16.5), AT(14.5, 15.5), "next_link"},           /* the end: 15 + 1 */
        {AT(15.5, 16.5), AT(13.5, 14.5), "next_link,next_link"}, /* the start, too: 13 + 1 */
        {AT(15.5, 16.5), AT(18.25, 19.25), "recv_start"},        /* 18.25 >= 20.25 - 0.75 is not so */
        {AT(23, 25), AT(22, 24), ""},
        {AT(23, 25), AT(21.75, 23.75), "next_link"}, /* the start: 21 + 1; the end may be at 23 */
        {AT(10, 12), AT(9.5, 11.5), ""},             /* last byte at 11, i_r 1.5 */
        {AT(10, 12), AT(9.25, 11.25), "recv_start"},
        {AT(10, 12), AT(10.75, 12.75), ""},
        {AT(10, 12), AT(18, 20), "precedence,processor"}, /* with the receive from C */
        {AT(18.25, 19.5), AT(16.5, 17.75), "recv_start"}, /* last byte at 17.5, i_r 0.75 */
        {AT(18.25, 19.5), AT(16.75, 18), ""},
        {AT(18.25, 19.5), AT(19, 20.25), "processor"},
        {AT(18.25, 19.5), AT(24, 25.25), "precedence"},
        {AT(25, 27), AT(24.5, 26.5), ""},
        {AT(25, 27), AT(24.25, 26.25), "recv_start"},
        {AT(25, 27), AT(27, 29), "precedence,processor"},
        {AT(25, 27), AT(30, 32), "precedence"},
    };
    DAMAGE(involvement, list);
}

static void what_is_moved_too_far_under_contention_is_named(void)
{
    static const struct damage list[] = {
        {AT(0.5, 2.5), AT(2, 4), ""},
        {AT(0.5, 2.5), AT(2.25, 4.25), "first_link"},
        {AT(13, 16), AT(11, 14), ""},
        {AT(13, 16), AT(10.75, 13.75), "precedence"},
        {AT(22, 24), AT(17.5, 19.5), ""},
        {AT(22, 24), AT(17, 19), "precedence"},
        {AT(28, 29), AT(26, 27), "length"},
        {AT(28, 29), AT(25.5, 26.5), "length,precedence"},
        {AT(4, 8), AT(2.5, 6.5), ""},
        {AT(4, 8), AT(2.25, 6.25), "first_link"},
        {AT(4, 8), AT(5.5, 9.5), "next_link"},
        {AT(13, 15), AT(11, 13), ""},
        {AT(13, 15), AT(8, 10), "first_link"},
        {AT(13, 15), AT(7, 9), "first_link,link"},  /* with A -> B */
        {AT(8, 10), AT(15, 17), "precedence,link"}, /* A -> B with C -> D on l1 down */
        {AT(23, 25), AT(21.5, 23.5), "next_link"},
    };
    DAMAGE(contention, list);
}

static void what_is_moved_too_far_under_classic_is_named(void)
{
    static const struct damage list[] = {
        {AT(13, 16), AT(8.5, 11.5), ""},
        {AT(13, 16), AT(8.25, 11.25), "precedence"},
        {AT(22, 24), AT(16, 18), ""}, /* 15 from C, 16 from B on the same host */
        {AT(22, 24), AT(15.5, 17.5), "precedence,processor"},
        {AT(28, 29), AT(20, 21), "length"},
        {AT(28, 29), AT(19.5, 20.5), "length,precedence"},
        {AT(9, 11), AT(0, 2), "precedence,processor"},
    };
    DAMAGE(classic, list);
}

/* Of the larger date or of the item's own length; that the schedule is 29 s long does not matter. */
static void dates_may_be_off_by_a_billionth(void)
{
    static const struct damage list[] = {
        {AT(0.5, 2.5), AT(0.5, 2.5000000024), ""},
        {AT(0.5, 2.5), AT(0.5, 2.5000000026), "duration"},
        {AT(4, 8), AT(3.499999997, 7.499999997), ""}, /* 4 s long */
        {AT(4, 8), AT(3.499999995, 7.499999995), "first_link"},
        {AT(9, 11), AT(6.499999994, 8.499999994), ""},
        {AT(9, 11), AT(6.499999993, 8.499999993), "processor"},
        {AT(22, 24), AT(21.249999979, 23.249999979), ""},
        {AT(22, 24), AT(21.249999978, 23.249999978), "processor"},
        {"\"length_s\":29", "\"length_s\":29.000000028", ""},
        {"\"length_s\":29", "\"length_s\":28.999999970", "length"},
    };
    DAMAGE(involvement, list);
}

/* With task Z at 2e10 s, a tolerance relative to the file's length would accept errors of 20 s in all tasks. */
static void expect_before_a_late_task(const char *a, const char *b, const char *want)
{
    char *json = mem_format("{\"format\":\"iasim-schedule/1\",\"graph\":\"g\",\"platform\":\"p\",\"model\":\"classic\","
                            "\"scheduler\":\"hand\",\"length_s\":20000000010,\"tasks\":[\n"
                            "{\"name\":\"A\",\"host\":\"p\",%s},\n{\"name\":\"B\",\"host\":\"p\",%s},\n"
                            "{\"name\":\"Z\",\"host\":\"p\"," AT(2e10, 20000000010) "}],\"edges\":[]}",
                            a, b);
    char *got = conditions_of("p:1 | |", "A:10 B:1e-3 Z:10", json, NULL, NULL);
    CHECK_TEXT(got, want);
    free(got);
    free(json);
}

static void a_late_task_forgives_nothing(void)
{
    expect_before_a_late_task(AT(0, 10), AT(10, 10.001), "");
    expect_before_a_late_task(AT(0, 10), AT(0, 0.001), "processor");
    expect_before_a_late_task(AT(0, 10), AT(9.9999, 10.0009), "processor");
    expect_before_a_late_task(AT(0, 11), AT(11, 11.001), "duration");
}

/* Both from 0 on: the 10 s that they share are measured by the short one, whichever comes first in the file. */
static void a_long_task_forgives_no_short_one(void)
{
    static const char *const both[] = {"{\"name\":\"A\",\"host\":\"p\"," AT(0, 10) "}",
                                       "{\"name\":\"L\",\"host\":\"p\"," AT(0, 20000000000) "}"};
    for (int first = 0; first < 2; first++) {
        char *json =
            mem_format("{\"format\":\"iasim-schedule/1\",\"graph\":\"g\",\"platform\":\"p\",\"model\":\"classic\","
                       "\"scheduler\":\"hand\",\"length_s\":20000000000,\"tasks\":[\n%s,\n%s],\"edges\":[]}",
                       both[first], both[!first]);
        char *got = conditions_of("p:1 | |", "A:10 L:2e10", json, NULL, NULL);
        CHECK_TEXT(got, "processor");
        free(got);
        free(json);
    }
}

static void what_rounding_puts_below_0_is_0(void)
{
    expect_before_a_late_task(AT(-1e-17, 10), AT(10, 10.001), "");
    expect_before_a_late_task(AT(-9e-9, 10), AT(10, 10.001), ""); /* a billionth of 10 s */
    expect_before_a_late_task(AT(-2e-8, 10), AT(10, 10.001), "time");
    expect_before_a_late_task(AT(0.001, 10.001), AT(-1e-13, 0.001), "");
    expect_before_a_late_task(AT(0.001, 10.001), AT(-1e-11, 0.001), "time");
}

/* ---- hosts, flags, models, routes ---- */

static void a_wrong_model_host_flag_or_route_is_named(void)
{
    static const struct damage list[] = {
        {"\"involvement\"", "\"contention\"", "parts,parts,parts,parts,parts,parts"},
        {"\"involvement\"", "\"classic\"", "parts,parts,parts,parts,parts,parts,parts,parts,parts"},
        {"\"involvement\"", "\"postal\"", "model"},
        {"\"dst\":\"C\",\"local\":true", "\"dst\":\"C\",\"local\":false", "local"},
        {"\"dst\":\"B\",\"local\":false", "\"dst\":\"B\",\"local\":true", "local"},
        {"\"send\":{\"host\":\"p1\"", "\"send\":{\"host\":\"p2\"", "endpoint"},
        {"\"recv\":{\"host\":\"p0\"", "\"recv\":{\"host\":\"p2\"", "endpoint"},
        {"\"send\":{\"host\":\"p1\"", "\"send\":{\"host\":\"p?\"", "host"},
        {"\"local\":true},\n{\"src\":\"B\"", "\"local\":true,\"links\":[]},\n{\"src\":\"B\"", "parts"},
        {"{\"link\":\"l1\",\"direction\":\"up\",\"start_s\":21,\"finish_s\":22},\n", "", "route"},
        {",\n{\"link\":\"l0\",\"direction\":\"down\",\"start_s\":23,\"finish_s\":25}", "", "route"},
        {"{\"link\":\"l1\",\"direction\":\"up\"", "{\"link\":\"l1\",\"direction\":\"down\"", "route"},
        {"{\"link\":\"l1\",\"direction\":\"up\"", "{\"link\":\"l1\",\"direction\":\"none\"", "route"},
        {"{\"link\":\"l1\",\"direction\":\"up\"", "{\"link\":\"l1_UP\",\"direction\":\"none\"", "route"},
        {"{\"link\":\"l1\",\"direction\":\"up\"", "{\"link\":\"l2\",\"direction\":\"up\"", "duration,route"},
    };
    static const struct damage classic_list[] = {
        {"\"classic\"", "\"contention\"", "parts,parts,parts"},
        {"\"classic\"", "\"involvement\"", "parts,parts,parts,parts,parts,parts,parts,parts,parts"},
    };
    static const struct damage contention_list[] = {
        {"\"contention\"", "\"involvement\"", "parts,parts,parts,parts,parts,parts"}};
    DAMAGE(involvement, list);
    DAMAGE(classic, classic_list);
    DAMAGE(contention, contention_list);
}

/* On p2, which has no overhead and no involvement, nothing of A -> B and B -> E is right except their other ends.
   On p0, with A and E, three flags are wrong. */
static void a_task_on_another_host_is_noticed_by_all_its_edges(void)
{
    static const struct damage list[] = {{"\"name\":\"B\",\"host\":\"p1\"", "\"name\":\"B\",\"host\":\"p2\"",
                                          "route,endpoint,duration,local,endpoint,duration,route"}};
    static const struct damage classic_list[] = {
        {"\"name\":\"B\",\"host\":\"p1\"", "\"name\":\"B\",\"host\":\"p0\"", "local,local,local"}};
    DAMAGE(involvement, list);
    DAMAGE(classic, classic_list);
}

/* ---- resources ---- */

#define PAIR(x, y) "\"links\":[{\"link\":\"" x "\",\"direction\":\"" y "\","
static const char *const two_edges =
    "{\"format\":\"iasim-schedule/1\",\"graph\":\"g\",\"platform\":\"p\",\"model\":\"contention\",\"scheduler\":\"\","
    "\"length_s\":7,\n\"tasks\":[{\"name\":\"a\",\"host\":\"A\",\"start_s\":0,\"finish_s\":1},\n"
    "{\"name\":\"b\",\"host\":\"B\",\"start_s\":6,\"finish_s\":7},\n"
    "{\"name\":\"c\",\"host\":\"B\",\"start_s\":0,\"finish_s\":1},\n"
    "{\"name\":\"d\",\"host\":\"A\",\"start_s\":6,\"finish_s\":7}],\n\"edges\":[\n"
    "{\"src\":\"a\",\"dst\":\"b\",\"local\":false," PAIR("l", "none")
        AT(1, 3) "}]},\n"
                 "{\"src\":\"c\",\"dst\":\"d\",\"local\":false," PAIR("l", "none") AT(3, 5) "}]}]}\n";

static void expect_pair(const char *link, const char *from, const char *to, const char *want)
{
    bool is_split = strstr(link, "split") != NULL;
    char *machine = mem_format("A:1 B:1 | l:1,0,%s | A-B:%s", link, is_split ? "l_UP" : "l");
    char *json = replace(two_edges, from, to), *up = NULL, *both = NULL;
    if (is_split) {
        up = replace(json, "\"b\",\"local\":false," PAIR("l", "none"), "\"b\",\"local\":false," PAIR("l", "up"));
        both = replace(up, "\"d\",\"local\":false," PAIR("l", "none"), "\"d\",\"local\":false," PAIR("l", "down"));
    }
    int line;
    char *got = conditions_of(machine, "a:1 b:1 c:1 d:1 | a>b:2 c>d:2", is_split ? both : json, &line, NULL);
    CHECK_TEXT(got, want);
    if (want[0] != '\0')
        CHECK_INT(line, 8); /* the second edge */
    free(got);
    free(both);
    free(up);
    free(json);
    free(machine);
}

static void a_shared_link_has_one_direction_at_a_time_a_split_one_two_a_fatpipe_any_number(void)
{
    expect_pair("shared", AT(3, 5), AT(3, 5), "");
    expect_pair("shared", AT(3, 5), AT(2, 4), "link");
    expect_pair("shared", AT(3, 5), AT(1, 3), "link");
    expect_pair("split", AT(3, 5), AT(2, 4), "");
    expect_pair("fatpipe", AT(3, 5), AT(1, 3), "");
}

/* Three tasks overlap, the first is the longest: two are reported, each once. An item of length 0 overlaps nothing. */
static void each_overlap_is_named_once_and_zero_length_occupies_nothing(void)
{
    static const char *const json =
        "{\"format\":\"iasim-schedule/1\",\"graph\":\"g\",\"platform\":\"p\",\"model\":\"classic\",\"scheduler\":\"\","
        "\"length_s\":10,\"tasks\":[\n"
        "{\"name\":\"long\",\"host\":\"A\",\"start_s\":0,\"finish_s\":10},\n"
        "{\"name\":\"x\",\"host\":\"A\",\"start_s\":1,\"finish_s\":2},\n"
        "{\"name\":\"y\",\"host\":\"A\",\"start_s\":3,\"finish_s\":4},\n"
        "{\"name\":\"z\",\"host\":\"A\",\"start_s\":5,\"finish_s\":5}],\n\"edges\":[]}\n";
    char *got = conditions_of("A:1", "long:10 x:1 y:1 z:0", json, NULL, NULL);
    CHECK_TEXT(got, "processor,processor");
    free(got);
}

/* ---- lines and words ---- */

static void violations_have_line_who_and_how_much(void)
{
    static const struct {
        const char *from, *to, *words;
    } list[] = {
        {AT(9, 11), AT(6, 8),
         "10: processor: task 'C' starts on host p0 at 6, while send of 'A' -> 'B' occupies it from 3 to 6.5: they "
         "overlap "
         "for "
         "0.5 s\n"},
        {AT(13, 16), AT(6, 9), "4: precedence: task 'B' starts at 6, 6 s before the data of 'A' are there at 12\n"},
        {AT(15.5, 16.5), AT(14.5, 15.5),
         "19: next_link: edge 'C' -> 'D' finishes on link l1 down at 15.5, 0.5 s before its end can come from link l0 "
         "up "
         "at 16\n"},
        {AT(10, 12), AT(9.25, 11.25),
         "13: recv_start: recv of 'A' -> 'B' starts at 9.25, 0.25 s too early: its last byte comes at 11, i_r is 1.5 "
         "s\n"},
        {AT(4, 8), AT(4, 7), "11: duration: edge 'A' -> 'B' on link l0 up takes 3 s instead of 4 s, 1 s too little\n"},
        {"\"name\":\"C\",\"host\":\"p0\"", "\"x\":[{}, {\"y\":[\"{\"]}],\"name\":\"C\",\"host\":\"p\"",
         "5: host: task 'C': host 'p' is not on the platform test machine\n"},
        {"\"length_s\":29,\n", "\"x\":[{}, [\"\\\"{\"]],\"length_s\":30,\n\n",
         "1: length: length_s is 30, but the last task finishes at 29, 1 s earlier\n"},
        {AT(22, 24) "},\n", AT(22, 24) ",\"x\":[[]\n]},\n[{}],\n", "2: entry: entry 5 of 'tasks' is not an object\n"},
        {"\"length_s\":29", "\"length_s\":30",
         "1: length: length_s is 30, but the last task finishes at 29, 1 s earlier\n"},
        {"{\"link\":\"l1\",\"direction\":\"up\"", "{\"link\":\"l1\",\"direction\":\"down\"",
         "23: route: edge 'B' -> 'E' passes l1 down, l0 down; the route from p1 to p0 is l1 up, l0 down\n"},
        {"\"name\":\"D\"", "\"name\":\"D\\u0007\\uef9b\"",
         "2: task: task 'D' is missing\n6: task: task 'D\\x07\\x9b' is not in the graph test graph\n"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct text words = {0};
        char *damaged = replace(involvement, list[i].from, list[i].to);
        free(conditions_of(hosts, graph, damaged, NULL, &words));
        CHECK_TEXT(text_str(&words), list[i].words);
        text_clear(&words);
        free(damaged);
    }
}

static void what_is_no_schedule_at_all_is_an_error(void)
{
    static const struct {
        const char *json, *error;
    } list[] = {
        {"", "error: this is not JSON: *"},
        {"[]", "error: this is not a schedule: it has no 'format'"},
        {"{}", "error: this is not a schedule: it has no 'format'"},
        {"{\"format\":\"iasim-schedule/2\"}", "error: unknown format 'iasim-schedule/2'; known: iasim-schedule/1"},
        {"{\"format\":\"iasim-schedule/1\",\"tasks\":[]}", "error: this is not a schedule: it has no list of 'edges'"},
        {"{\"format\":\"iasim-schedule/1\",\"tasks\":{},\"edges\":[]}",
         "error: this is not a schedule: it has no list of 'tasks'"},
        {"{\"a\":1,\"a\":2}", "error: this is not JSON: duplicate object key*"},
        {"{\"length_s\":1e999}", "error: this is not JSON: real number overflow*"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char *got = conditions_of("A:1", "a:1", list[i].json, NULL, NULL);
        size_t n = strlen(list[i].error);
        bool begins = list[i].error[n - 1] == '*';
        got[begins && strlen(got) > n ? n - 1 : strlen(got)] = '\0';
        CHECK(strncmp(got, list[i].error, begins ? n - 1 : n + 1) == 0);
        free(got);
    }
}

static void every_condition_is_explained_and_none_twice(void)
{
    size_t n = 0;
    for (; check_conditions[n].name != NULL; n++) {
        CHECK(check_conditions[n].meaning[0] != '\0' && check_conditions[n].source[0] != '\0');
        for (size_t k = 0; k < n; k++)
            CHECK(strcmp(check_conditions[k].name, check_conditions[n].name) != 0);
    }
    CHECK_INT(n, 21);
}

static const struct test tests[] = {
    {"schedules made by hand are valid", schedules_made_by_hand_are_valid},
    {"what is moved too far under involvement is named", what_is_moved_too_far_under_involvement_is_named},
    {"what is moved too far under contention is named", what_is_moved_too_far_under_contention_is_named},
    {"what is moved too far under classic is named", what_is_moved_too_far_under_classic_is_named},
    {"dates may be off by a billionth", dates_may_be_off_by_a_billionth},
    {"a late task forgives nothing", a_late_task_forgives_nothing},
    {"a long task forgives no short one", a_long_task_forgives_no_short_one},
    {"what rounding puts below 0 is 0", what_rounding_puts_below_0_is_0},
    {"a wrong model, host, flag or route is named", a_wrong_model_host_flag_or_route_is_named},
    {"a task on another host is noticed by all its edges", a_task_on_another_host_is_noticed_by_all_its_edges},
    {"a shared link has one direction at a time, a split one two, a fatpipe any number",
     a_shared_link_has_one_direction_at_a_time_a_split_one_two_a_fatpipe_any_number},
    {"each overlap is named once, and zero length occupies nothing",
     each_overlap_is_named_once_and_zero_length_occupies_nothing},
    {"violations have line, who and how much", violations_have_line_who_and_how_much},
    {"what is no schedule at all is an error", what_is_no_schedule_at_all_is_an_error},
    {"every condition is explained, and none twice", every_condition_is_explained_and_none_twice},
};
TEST_MAIN(tests)
