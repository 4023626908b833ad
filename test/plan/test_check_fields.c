/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every number, entry and field of a valid schedule is damaged in turn: the validator names exactly the violated
   conditions. */
#include "check_case.h"

#include <jansson.h>

/* ---- every number, a little ---- */

/* What is to be done with each number of a schedule: the objects that have times, in order. */
static void each_timed(json_t *value, void (*take)(json_t *root, json_t *item), json_t *root)
{
    const char *key;
    json_t *inner;
    size_t i;
    if (json_object_get(value, "start_s") != NULL)
        take(root, value);
    if (json_is_object(value))
        json_object_foreach(value, key, inner) each_timed(inner, take, root);
    else if (json_is_array(value))
        json_array_foreach(value, i, inner) each_timed(inner, take, root);
}

static void expect_json(json_t *root, const char *want, const char *what)
{
    char *json = json_dumps(root, JSON_INDENT(1));
    expect(json, want, what);
    free(json);
}

static void add_to(json_t *item, const char *key, double s)
{
    json_object_set_new(item, key, json_real(json_number_value(json_object_get(item, key)) + s));
}

static bool is_last_task(json_t *item)
{
    const char *name = json_string_value(json_object_get(item, "name"));
    return name != NULL && strcmp(name, "E") == 0;
}

/* All idle times are half a second or more, except l0 after l1 on the way to E. */
static void stretch(json_t *root, json_t *item)
{
    for (double s = -0.25; s <= 0.25; s += 0.5) {
        char *what = json_dumps(item, 0);
        add_to(item, "start_s", s);
        expect_json(root, "duration", what);
        add_to(item, "start_s", -s);
        add_to(item, "finish_s", s);
        expect_json(root, is_last_task(item) ? "length,duration" : "duration", what);
        add_to(item, "start_s", s);
        expect_json(root, is_last_task(item) ? "length" : "", what);
        add_to(item, "start_s", -s);
        add_to(item, "finish_s", -s);
        free(what);
    }
}

static void a_wrong_duration_is_named_and_a_shift_within_idle_time_is_not(void)
{
    const char *const all[] = {involvement, contention, classic};
    for (int i = 0; i < 3; i++) {
        json_t *root = json_loads(all[i], 0, NULL);
        each_timed(root, stretch, root);
        json_decref(root);
    }
}

/* ---- entries are lost, doubled, renamed ---- */

static void a_lost_or_doubled_entry_is_named(void)
{
    const char *const all[] = {involvement, contention, classic}, *const lists[] = {"tasks", "edges"};
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 2; l++)
            for (size_t k = 0; k < 5; k++) {
                json_t *root = json_loads(all[i], 0, NULL), *list = json_object_get(root, lists[l]);
                json_t *entry = json_deep_copy(json_array_get(list, k));
                json_array_remove(list, k);
                expect_json(root, l ? "edge" : "task", "a loss");
                json_array_append(list, entry);
                expect_json(root, "", "another order");
                json_array_append_new(list, entry);
                expect_json(root, l ? "edge" : "task", "a double");
                json_array_append_new(list, json_integer(1));
                expect_json(root, l ? "entry,edge" : "entry,task", "not an object");
                json_decref(root);
            }
}

/* Each field of each object: lost, of a wrong type, of a wrong value. */
static char *field_condition(const char *key, const char *damage)
{
    bool is_time = strstr(key, "_s") != NULL, is_absent = strcmp(damage, "lost") == 0;
    bool is_name = strcmp(key, "name") == 0, is_end = strcmp(key, "src") == 0 || strcmp(key, "dst") == 0;
    bool is_part = strcmp(key, "send") == 0 || strcmp(key, "recv") == 0 || strcmp(key, "links") == 0;
    if (is_part)
        return mem_strdup(is_absent ? "parts" : "entry");
    if (is_name || is_end) /* then its task or edge is missing in the list, whose place is before */
        return mem_format("%s,%s", is_name ? "task" : "edge",
                          is_absent || strcmp(damage, "null") == 0 ? "entry"
                          : is_name                                ? "task"
                                                                   : "edge");
    if (strcmp(damage, "wrong") == 0 && !is_time && strcmp(key, "local") != 0)
        return mem_strdup(strcmp(key, "host") == 0                                    ? "host"
                          : strcmp(key, "link") == 0 || strcmp(key, "direction") == 0 ? "route"
                          : strcmp(key, "model") == 0                                 ? "model"
                                                                                      : "");
    return mem_strdup(is_absent || !is_time ? "entry" : "time");
}

static void damage_field(json_t *root, json_t *object, const char *key)
{
    static const char *const damages[] = {"lost", "null", "wrong"};
    json_t *before = json_deep_copy(json_object_get(object, key));
    for (int d = 0; d < 3; d++) {
        char *want = field_condition(key, damages[d]), *what = mem_format("%s %s", key, damages[d]);
        if (d == 0)
            json_object_del(object, key);
        else
            json_object_set_new(object, key, d == 1 ? json_null() : json_string("?"));
        expect_json(root, want, what);
        free(what);
        free(want);
    }
    if (json_is_real(before) || json_is_integer(before)) {
        json_object_set_new(object, key, json_real(-1));
        expect_json(root, "time", "a negative number");
    }
    json_object_set_new(object, key, before);
}

static void damage_fields(json_t *root, json_t *value)
{
    const char *key;
    json_t *inner, *keys = json_array();
    size_t i;
    json_object_foreach(value, key, inner)
    {
        bool is_list_or_format = strcmp(key, "format") == 0 || strcmp(key, "tasks") == 0 || strcmp(key, "edges") == 0;
        if (!is_list_or_format)
            json_array_append_new(keys, json_string(key));
        damage_fields(root, inner);
    }
    if (json_is_array(value))
        json_array_foreach(value, i, inner) damage_fields(root, inner);
    json_array_foreach(keys, i, inner) damage_field(root, value, json_string_value(inner));
    json_decref(keys);
}

static void a_field_that_is_lost_or_wrong_is_named(void)
{
    const char *const all[] = {involvement, contention, classic};
    for (int i = 0; i < 3; i++) {
        json_t *root = json_loads(all[i], 0, NULL);
        damage_fields(root, root);
        json_decref(root);
    }
}

static void links_in_another_order_are_no_route(void)
{
    for (size_t e = 0; e < 5; e += e == 0 ? 3 : 1) {
        json_t *root = json_loads(involvement, 0, NULL);
        json_t *links = json_object_get(json_array_get(json_object_get(root, "edges"), e), "links");
        json_array_append(links, json_array_get(links, 0));
        json_array_remove(links, 0);
        expect_json(root, "route", "a swap of links");
        json_decref(root);
    }
}

static const struct test tests[] = {
    {"a wrong duration is named, a shift within idle time is not",
     a_wrong_duration_is_named_and_a_shift_within_idle_time_is_not},
    {"a lost or doubled entry is named", a_lost_or_doubled_entry_is_named},
    {"a field that is lost or wrong is named", a_field_that_is_lost_or_wrong_is_named},
    {"links in another order are no route", links_in_another_order_are_no_route},
};
TEST_MAIN(tests)
