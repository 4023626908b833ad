/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedule files: the writer produces the format of doc/model.md, Files, which is read back unchanged; wrong files are
   refused with line and message (test/gallery/schedules). */
#include "check_case.h"
#include "gallery.h"
#include "plan/schedule_json.h"

#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>

struct setting {
    struct machine machine;
    struct dag dag;
    struct route_table routes;
};

static void set_up(struct setting *s, const char *machine_words, const char *graph_words)
{
    struct err e = {0};
    s->machine = machine_from_text(machine_words);
    s->dag = dag_from_text(graph_words);
    CHECK_OK(route_table_init(&s->routes, &s->machine, &e), e);
}

static void tear_down(struct setting *s)
{
    route_table_clear(&s->routes);
    dag_clear(&s->dag);
    machine_text_clear(&s->machine);
}

static enum err_code read_text(struct setting *s, const char *json, struct schedule *out, struct err *e)
{
    struct problem p = {.dag = &s->dag, .machine = &s->machine, .routes = &s->routes};
    return schedule_parse_json(json, strlen(json), "s.json", &p, out, e);
}

/* `json` after reading and writing; the caller frees it. */
static char *there_and_back(struct setting *s, const char *json)
{
    struct schedule schedule;
    struct err e = {0};
    struct text out = {0};
    CHECK_OK(read_text(s, json, &schedule, &e), e);
    if (e.code == ERR_NONE)
        schedule_write_json(&schedule, &out);
    schedule_clear(&schedule);
    return out.data != NULL ? out.data : mem_strdup("");
}

/* ---- the format ---- */

static void a_file_has_the_keys_of_the_format_in_their_order(void)
{
    struct setting s;
    set_up(&s, "p0:1,overhead_send=2 p1:1 | l:1,0,split b:1 | p0>p1:l_UP,b p1>p0:b,l_DOWN",
           "A:3 B:1 C:0 | A>C:1 A>B:2");
    char *got = there_and_back(
        &s,
        "{\"format\":\"iasim-schedule/1\",\"length_s\":24,\"graph\":\"\",\"platform\":\"\",\"model\":\"involvement\",\n"
        "\"scheduler\":\"list[technique=end]\",\"tasks\":["
        "{\"name\":\"A\",\"host\":\"p0\",\"start_s\":0,\"finish_s\":3},"
        "{\"name\":\"C\",\"host\":\"p0\",\"start_s\":3,\"finish_s\":3},"
        "{\"name\":\"B\",\"host\":\"p1\",\"start_s\":7.1,\"finish_s\":24}],\n"
        "\"edges\":[{\"src\":\"A\",\"dst\":\"B\",\"local\":false,\"send\":{\"host\":\"p0\",\"start_s\":3,\"finish_s\":"
        "5},"
        "\"links\":[{\"link\":\"l\",\"direction\":\"up\",\"start_s\":5,\"finish_s\":7},"
        "{\"link\":\"b\",\"direction\":\"none\",\"start_s\":5,\"finish_s\":7}],"
        "\"recv\":{\"host\":\"p1\",\"start_s\":7,\"finish_s\":7}},"
        "{\"src\":\"A\",\"dst\":\"C\",\"local\":true}]}");
    CHECK_TEXT(got,
               "{\"format\":\"iasim-schedule/1\",\"graph\":\"test graph\",\"platform\":\"test machine\","
               "\"model\":\"involvement\",\"scheduler\":\"list[technique=end]\",\"length_s\":24,\n \"tasks\":[\n"
               "  {\"name\":\"A\",\"host\":\"p0\",\"start_s\":0,\"finish_s\":3},\n"
               "  {\"name\":\"B\",\"host\":\"p1\",\"start_s\":7.0999999999999996,\"finish_s\":24},\n"
               "  {\"name\":\"C\",\"host\":\"p0\",\"start_s\":3,\"finish_s\":3}],\n \"edges\":[\n"
               "  {\"src\":\"A\",\"dst\":\"C\",\"local\":true},\n"
               "  {\"src\":\"A\",\"dst\":\"B\",\"local\":false,\"send\":{\"host\":\"p0\",\"start_s\":3,\"finish_s\":5},"
               "\"links\":[{\"link\":\"l\",\"direction\":\"up\",\"start_s\":5,\"finish_s\":7},"
               "{\"link\":\"b\",\"direction\":\"none\",\"start_s\":5,\"finish_s\":7}],"
               "\"recv\":{\"host\":\"p1\",\"start_s\":7,\"finish_s\":7}}]}\n");
    free(got);
    tear_down(&s);
}

/* Equal except for the paths, which do not belong to the schedule. */
static void a_schedule_comes_back_as_it_was_under_every_model(void)
{
    const char *const all[] = {involvement, contention, classic};
    struct setting s;
    set_up(&s, hosts, graph);
    for (int i = 0; i < 3; i++) {
        char *once = there_and_back(&s, all[i]), *twice = there_and_back(&s, once);
        json_t *before = json_loads(all[i], JSON_DECODE_INT_AS_REAL, NULL);
        json_t *after = json_loads(once, JSON_DECODE_INT_AS_REAL, NULL);
        json_object_set(before, "graph", json_object_get(after, "graph"));
        json_object_set(before, "platform", json_object_get(after, "platform"));
        CHECK(json_equal(before, after));
        CHECK_TEXT(twice, once);
        json_decref(after);
        json_decref(before);
        free(twice);
        free(once);
    }
    tear_down(&s);
}

static void a_graph_without_edges_and_a_machine_of_one_host_do(void)
{
    struct setting s;
    set_up(&s, "h:1", "a:1");
    char *got = there_and_back(
        &s,
        "{\"format\":\"iasim-schedule/1\",\"graph\":\"\",\"platform\":\"\",\"model\":\"classic\",\"scheduler\":\"\","
        "\"length_s\":0,\"tasks\":[{\"name\":\"a\",\"host\":\"h\",\"start_s\":0,\"finish_s\":1}],\"edges\":[]}");
    CHECK_CONTAINS(got, "\"edges\":[]}\n");
    free(got);
    tear_down(&s);
}

/* ---- names ---- */

static struct dag dag_of_names(const char *const *names, size_t n)
{
    struct dag g;
    struct err e = {0};
    dag_init(&g, "names");
    for (size_t i = 0; i < n; i++)
        CHECK_OK(dag_add_task(&g, names[i], 1, 0, NULL, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

/* UTF-8 and Latin-1, what JSON escapes, what is almost UTF-8 (overlong, a surrogate, above U+10FFFF, cut off), and what
   stands for a byte itself. */
static const char *const strange[] = {"a b",
                                      "\"\\/",
                                      "\b\t\n\v\f\r\x01\x1f\x7f",
                                      "\xc3\xa9",
                                      "\xe9",
                                      "\xe9t\xe9",
                                      "\xc0\xaf",
                                      "\xe0\x80\xaf",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf0\x9f\x98\x80",
                                      "\xf0\x9f\x98",
                                      "\x80",
                                      "\xff",
                                      "\xee\xbe\x80",
                                      "\xee\xbf\xbf",
                                      "\xee\xbd\xbf",
                                      "\xee\xbe",
                                      "\xee",
                                      "\xef\x80\x80",
                                      "\xc2\x80",
                                      "%s%n",
                                      "\xee\xbe\x80\xee\xbe\x80",
                                      "\x80\x80"};
enum { N_STRANGE = sizeof strange / sizeof strange[0] };

static void any_bytes_are_names(void)
{
    struct machine m = machine_from_text("h:1");
    struct dag g = dag_of_names(strange, N_STRANGE);
    struct route_table routes;
    struct err e = {0};
    CHECK_OK(route_table_init(&routes, &m, &e), e);
    struct problem p = {.dag = &g, .machine = &m, .routes = &routes};
    CHECK_OK(cost_model_find("classic", &p.model, &e), e);
    struct schedule out, in;
    schedule_init(&out, &p);
    for (task_id t = 0; t < N_STRANGE; t++)
        out.tasks[t] = (struct planned_task){0, {t, t + 1}};
    struct text json = {0};
    schedule_write_json(&out, &json);
    json_t *root = json_loadb(json.data, json.size, 0, NULL);
    CHECK(root != NULL);
    json_decref(root);
    CHECK_OK(schedule_parse_json(json.data, json.size, "s.json", &p, &in, &e), e);
    for (task_id t = 0; t < N_STRANGE && e.code == ERR_NONE; t++)
        CHECK_INT(in.tasks[t].span.start_s, t);
    struct check_result checked;
    CHECK_OK(check_schedule_text(json.data, json.size, "s.json", &g, &m, NULL, &checked, &e), e);
    CHECK_INT(checked.n, 0);
    check_result_clear(&checked);
    CHECK_CONTAINS(text_str(&json), "\"name\":\"\\\"\\\\/\"");
    CHECK_CONTAINS(text_str(&json), "\"\\b\\t\\n\\u000b\\f\\r\\u0001\\u001f\x7f\"");
    CHECK_CONTAINS(text_str(&json), "\"\xc3\xa9\"");
    CHECK_CONTAINS(text_str(&json), "\"\\uefe9t\\uefe9\"");
    CHECK_CONTAINS(text_str(&json), "\"\\uefee\\uefbe\\uef80\"");
    text_clear(&json);
    schedule_clear(&in);
    schedule_clear(&out);
    route_table_clear(&routes);
    dag_clear(&g);
    machine_text_clear(&m);
}

/* ---- refusals ---- */

static int is_json(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0;
}

static void expect_message(struct setting *s, const char *folder, const char *name)
{
    char *path = mem_format("%s/%s", folder, name),
         *error = mem_format("%s/%.*s.error", folder, (int)strlen(name) - 5, name);
    struct text json = {0}, want = {0};
    struct err e = {0}, why = {0};
    char message[2048];
    struct schedule out;
    struct problem p = {.dag = &s->dag, .machine = &s->machine, .routes = &s->routes};
    CHECK_OK(text_read_file(&json, path, 100000, &e), e);
    CHECK_OK(text_read_file(&want, error, 10000, &e), e);
    enum err_code code = schedule_parse_json(text_str(&json), json.size, name, &p, &out, &why);
    CHECK(code != ERR_NONE && code == why.code && out.tasks == NULL);
    err_describe(&why, message, sizeof message - 2);
    strcat(message, "\n");
    const char *wanted = text_str(&want);
    CU_ASSERT(check_text(gallery_matches(message, wanted) ? wanted : message, wanted, true, name, 0, "message"));
    text_clear(&want);
    text_clear(&json);
    free(error);
    free(path);
}

/* The same tolerance as the validator's: dates.h. */
static void what_rounding_puts_below_0_is_read_as_0(void)
{
    struct setting s;
    struct schedule out;
    struct err e = {0};
    set_up(&s, "p:1 | |", "A:10 B:0");
    struct problem p = {.dag = &s.dag, .machine = &s.machine, .routes = &s.routes};
    static const char json[] =
        "{\"format\":\"iasim-schedule/1\",\"graph\":\"g\",\"platform\":\"p\",\"model\":\"classic\","
        "\"scheduler\":\"hand\",\"length_s\":10,\"tasks\":[{\"name\":\"A\",\"host\":\"p\","
        "\"start_s\":-1e-17,\"finish_s\":10},{\"name\":\"B\",\"host\":\"p\","
        "\"start_s\":10.000000001,\"finish_s\":10}],\"edges\":[]}";
    CHECK_OK(schedule_parse_json(json, sizeof json - 1, "s.json", &p, &out, &e), e);
    CHECK_CLOSE(out.tasks[0].span.start_s, 0, 0);
    CHECK(!signbit(out.tasks[0].span.start_s));
    CHECK_CLOSE(out.tasks[1].span.finish_s, 10.000000001, 0);
    schedule_clear(&out);
    tear_down(&s);
}

static void the_gallery_is_refused_with_its_messages(void)
{
    const char *folder = PROJECT_DIR "/test/gallery/schedules";
    struct dirent **entries;
    struct setting s;
    int n = scandir(folder, &entries, is_json, alphasort);
    CHECK(n >= 40);
    set_up(&s, hosts, graph);
    for (int i = 0; i < n; i++) {
        expect_message(&s, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    tear_down(&s);
}

/* Any part is lost, repeated or cut off. */
static void a_file_that_is_cut_off_anywhere_is_refused(void)
{
    struct setting s;
    size_t n = strlen(involvement) - 1; /* without the last newline */
    set_up(&s, hosts, graph);
    for (size_t k = 0; k < n; k++) {
        char *part = mem_format("%.*s", (int)k, involvement);
        struct schedule out;
        struct err e = {0};
        CHECK(read_text(&s, part, &out, &e) == ERR_PARSE && e.code == ERR_PARSE);
        free(part);
    }
    tear_down(&s);
}

static void a_model_that_is_asked_for_must_be_the_files(void)
{
    struct setting s;
    struct err e = {0};
    struct schedule out;
    set_up(&s, hosts, graph);
    struct problem p = {.dag = &s.dag, .machine = &s.machine, .routes = &s.routes};
    CHECK_OK(cost_model_find("classic", &p.model, &e), e);
    CHECK(schedule_parse_json(contention, strlen(contention), "s.json", &p, &out, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, "a schedule under model contention, not classic");
    CHECK_INT(e.line, 1);
    tear_down(&s);
}

static void a_file_that_is_not_there_is_said_so(void)
{
    struct setting s;
    struct err e = {0};
    struct schedule out;
    char message[2048];
    set_up(&s, hosts, graph);
    struct problem p = {.dag = &s.dag, .machine = &s.machine, .routes = &s.routes};
    CHECK(schedule_read_json("no/such.json", &p, &out, &e) == ERR_IO);
    CHECK_TEXT(err_describe(&e, message, sizeof message), "no/such.json: cannot open: No such file or directory");
    tear_down(&s);
}

static const struct test tests[] = {
    {"a file has the keys of the format in their order", a_file_has_the_keys_of_the_format_in_their_order},
    {"a schedule comes back as it was, under every model", a_schedule_comes_back_as_it_was_under_every_model},
    {"a graph without edges and a machine of one host do", a_graph_without_edges_and_a_machine_of_one_host_do},
    {"any bytes are names", any_bytes_are_names},
    {"the gallery is refused with its messages", the_gallery_is_refused_with_its_messages},
    {"a file that is cut off anywhere is refused", a_file_that_is_cut_off_anywhere_is_refused},
    {"a model that is asked for must be the file's", a_model_that_is_asked_for_must_be_the_files},
    {"a file that is not there is said so", a_file_that_is_not_there_is_said_so},
    {"what rounding puts below 0 is read as 0", what_rounding_puts_below_0_is_read_as_0},
};
TEST_MAIN(tests)
