/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runs/bound_memory.h"

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static const struct param params[] = {
    {"deployment", PARAM_TEXT, "file", "tree.xml", 0, 0, NULL, ""},
    {"send_size", PARAM_NUMBER, "MB", "1", 0, 1e9, NULL, ""},
    {"compute_size", PARAM_NUMBER, "work units", "1", 0, 1e9, NULL, ""},
    {"request_size", PARAM_NUMBER, "MB", "0", 0, 1e9, NULL, ""},
    {"policy", PARAM_TEXT, "", "bwc", 0, 0, NULL, ""},
    {0},
};

static void key_with(const char *name, const char *value, char out[DIGEST_HEX_SIZE])
{
    struct err e = {0};
    struct param_set *ps = param_set_create(params);
    CHECK_OK(param_set_value(ps, "", name, value, &e), e);
    bound_memory_key(ps, out);
    param_set_free(ps);
}

static void keys_differ_in_what_bounds_depend_on_alone(void)
{
    char key[DIGEST_HEX_SIZE], other[DIGEST_HEX_SIZE];
    key_with("policy", "bwc", key);
    key_with("policy", "fcfs", other);
    CHECK_TEXT(other, key);
    static const char *const changes[][2] = {
        {"deployment", "bush.xml"}, {"send_size", "2"}, {"compute_size", "2"}, {"request_size", "1"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        key_with(changes[i][0], changes[i][1], other);
        CHECK(strcmp(other, key) != 0);
    }
}

static void one_process_remembers_for_the_others(void)
{
    struct bound_memory *m = bound_memory_create();
    char key[DIGEST_HEX_SIZE];
    double bounds[2] = {0};
    key_with("policy", "bwc", key);
    CHECK(!bound_memory_get(m, key, bounds));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bound_memory_put(m, key, (const double[]){1.5, 0.25});
        _exit(0);
    }
    waitpid(child, NULL, 0);
    CHECK(bound_memory_get(m, key, bounds));
    CHECK_CLOSE(bounds[0], 1.5, 0);
    CHECK_CLOSE(bounds[1], 0.25, 0);
}

/* Far more than it has room for: what it gives back is right, or nothing. */
static void what_was_overwritten_is_not_mistaken(void)
{
    struct bound_memory *m = bound_memory_create();
    char key[DIGEST_HEX_SIZE], number[16];
    double bounds[2];
    int n_known = 0;
    for (int i = 0; i < 5000; i++) {
        snprintf(number, sizeof number, "%d", i);
        key_with("compute_size", number, key);
        bound_memory_put(m, key, (const double[]){i, -i});
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(number, sizeof number, "%d", i);
        key_with("compute_size", number, key);
        if (!bound_memory_get(m, key, bounds))
            continue;
        CHECK_CLOSE(bounds[0], i, 0);
        CHECK_CLOSE(bounds[1], -i, 0);
        n_known++;
    }
    CHECK(n_known > 900 && n_known <= 1024);
}

static void without_memory_nothing_is_known(void)
{
    char key[DIGEST_HEX_SIZE];
    double bounds[2] = {0};
    key_with("policy", "bwc", key);
    bound_memory_put(NULL, key, bounds);
    CHECK(!bound_memory_get(NULL, key, bounds));
}

static const struct test tests[] = {
    {"keys differ in what bounds depend on alone", keys_differ_in_what_bounds_depend_on_alone},
    {"one process remembers for the others", one_process_remembers_for_the_others},
    {"what was overwritten is not mistaken", what_was_overwritten_is_not_mistaken},
    {"without memory nothing is known", without_memory_nothing_is_known},
};
TEST_MAIN(tests)
