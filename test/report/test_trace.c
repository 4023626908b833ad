/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/trace.h"

#include "base/text.h"
#include "check.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

static char odd_name[] = "a,\"b\"", plain_name[] = "root";
static struct tree_node nodes[] = {{.host_name = plain_name}, {.host_name = odd_name}};
static const struct tree tree = {.nodes = nodes, .n_nodes = 2};

static void write_some(struct trace *t)
{
    trace_event(t, 0, 0, FARM_COMPUTE_START, 1, -1);
    trace_event(t, 0, 0, FARM_SEND_START, 2, 1);
    trace_event(t, 0.5, 1, FARM_REQUEST, -1, 0);
    trace_event(t, 1.0 / 3, 0, FARM_SEND_END, 2, 1);
    trace_event(t, 2, 0, FARM_COMPUTE_END, 1, -1);
}

static char *traced(const char *name, bool keep)
{
    static char path[100];
    char folder[] = "/tmp/iasim-trace-XXXXXX";
    struct text text = {0};
    struct trace *t = NULL;
    struct err e = {0};
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(trace_open(path, &tree, NULL, &t, &e), e);
    write_some(t);
    CHECK_OK(trace_close(t, keep, &e), e);
    CHECK(keep == (access(path, F_OK) == 0));
    text_read_file(&text, path, 100000, NULL);
    unlink(path);
    CHECK(rmdir(folder) == 0);
    return text.data;
}

static void csv_has_a_line_for_each_event(void)
{
    char *text = traced("t.csv", true);
    CHECK_TEXT(text, "time_s,host,event,task,peer\n"
                     "0,root,compute_start,1,\n"
                     "0,root,send_start,2,\"a,\"\"b\"\"\"\n"
                     "0.5,\"a,\"\"b\"\"\",request,,root\n"
                     "0.33333333333333331,root,send_end,2,\"a,\"\"b\"\"\"\n"
                     "2,root,compute_end,1,\n");
    free(text);
}

/* Chrome's format: names of processes and threads, slices that are opened and closed on one thread, and the start of a
   flow. */
static void json_is_a_chrome_trace(void)
{
    char *text = traced("t.json", true);
    json_t *root = json_loads(text, 0, NULL);
    json_t *events = json_object_get(root, "traceEvents");
    static const char phases[] = "MMMMBMBsiEE";
    CHECK_INT(json_array_size(events), strlen(phases));
    for (size_t i = 0; i < json_array_size(events); i++)
        CHECK(json_string_value(json_object_get(json_array_get(events, i), "ph"))[0] == phases[i]);
    CHECK_TEXT(json_string_value(json_object_get(json_object_get(json_array_get(events, 2), "args"), "name")),
               odd_name);
    json_t *begin = json_array_get(events, 6), *end = json_array_get(events, 9);
    CHECK_TEXT(json_string_value(json_object_get(begin, "name")), "task 2");
    CHECK(json_equal(json_object_get(begin, "tid"), json_object_get(end, "tid")));
    CHECK(!json_equal(json_object_get(begin, "tid"), json_object_get(json_array_get(events, 4), "tid")));
    CHECK_CLOSE(json_number_value(json_object_get(end, "ts")), 1e6 / 3, 1e-15);
    json_decref(root);
    free(text);
}

/* Paje has no way to write a quotation mark within a string. */
static void paje_has_states_and_links(void)
{
    char *text = traced("t.paje", true);
    CHECK_CONTAINS(text, "%EventDef PajeDefineContainerType 0\n");
    CHECK_CONTAINS(text, "\n5 n8 N \"arrive\" "); /* the value of TRACE_ARRIVAL */
    CHECK_CONTAINS(text, "\n6 0 h0 H r \"root\"\n6 0 h1 H r \"a,'b'\"\n"
                         "9 0 P h0 p0 \"task 1\"\n"
                         "11 0 T r h0 t1 1 \"task 2\"\n"
                         "13 0.5 N h1 n5 \"-\"\n"
                         "12 0.33333333333333331 T r h1 t1 1\n"
                         "10 2 P h0\n"
                         "7 2 H h0\n7 2 H h1\n7 2 R r\n");
    free(text);
}

static void wfcommons_has_no_farms(void)
{
    struct trace *t = NULL;
    struct err e = {0};
    CHECK(trace_open("/tmp/never.wfcommons.json", &tree, NULL, &t, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, "WfCommons describes runs of task graphs, not of farms");
    CHECK(t == NULL);
}

static void a_trace_that_is_not_kept_never_appears(void)
{
    CHECK(traced("t.csv", false) == NULL);
    CHECK(traced("t.json", false) == NULL);
    CHECK(traced("t.paje", false) == NULL);
}

static const struct test tests[] = {
    {"csv_has_a_line_for_each_event", csv_has_a_line_for_each_event},
    {"json_is_a_chrome_trace", json_is_a_chrome_trace},
    {"paje_has_states_and_links", paje_has_states_and_links},
    {"wfcommons_has_no_farms", wfcommons_has_no_farms},
    {"a_trace_that_is_not_kept_never_appears", a_trace_that_is_not_kept_never_appears},
};
TEST_MAIN(tests)
