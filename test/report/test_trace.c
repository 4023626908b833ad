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
    CHECK_OK(trace_open(path, &tree, &t, &e), e);
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

/* Chrome's format: names of processes, and slices that are opened and closed with the same identity. */
static void json_is_a_chrome_trace(void)
{
    char *text = traced("t.json", true);
    json_t *root = json_loads(text, 0, NULL);
    json_t *events = json_object_get(root, "traceEvents");
    CHECK_INT(json_array_size(events), 7);
    static const char phases[] = "MMBbieE";
    for (size_t i = 0; i < json_array_size(events); i++)
        CHECK(json_string_value(json_object_get(json_array_get(events, i), "ph"))[0] == phases[i]);
    CHECK_TEXT(json_string_value(json_object_get(json_object_get(json_array_get(events, 1), "args"), "name")),
               odd_name);
    json_t *begin = json_array_get(events, 3), *end = json_array_get(events, 5);
    CHECK(json_equal(json_object_get(begin, "id"), json_object_get(end, "id")));
    CHECK_CLOSE(json_number_value(json_object_get(end, "ts")), 1e6 / 3, 1e-15);
    json_decref(root);
    free(text);
}

static void a_trace_that_is_not_kept_never_appears(void)
{
    CHECK(traced("t.csv", false) == NULL);
    CHECK(traced("t.json", false) == NULL);
}

static const struct test tests[] = {
    {"csv_has_a_line_for_each_event", csv_has_a_line_for_each_event},
    {"json_is_a_chrome_trace", json_is_a_chrome_trace},
    {"a_trace_that_is_not_kept_never_appears", a_trace_that_is_not_kept_never_appears},
};
TEST_MAIN(tests)
