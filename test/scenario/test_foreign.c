/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a scheduler of a plugin changes in a scenario that names it, and what it does not change in others. */
#include "check.h"
#include "scenario/axis.h"
#include "scenario/turn.h"
#include "schedulers/scheduler.h"

static enum err_code plan(const struct problem *p, const struct param_set *params, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    (void)p, (void)params, (void)in, (void)out;
    return err_set(e, ERR_INPUT, "not called here");
}

static const struct scheduler guest = {.name = "guest", .summary = "not ours", .plan = plan};
static char digest[] = "0123456789abcdef0123456789abcdef";
static const struct origin from = {"./guest.so", digest};

static void register_once(void)
{
    if (scheduler_find("guest") == NULL)
        scheduler_register(&guest, &from);
}

static void read_scenario(const char *names, struct scenario *s)
{
    static const char text[] = "<scenario name=\"x\" experiment=\"plan\">"
                               "<param name=\"platform\" value=\"" PROJECT_DIR "/platforms/sinnen-bus.xml\"/>"
                               "<param name=\"generator\" value=\"chain[tasks=3]\"/>"
                               "<param name=\"model\" value=\"classic\"/></scenario>";
    char set[100];
    const char *const sets[] = {set};
    const struct scenario_options options = {.sets = sets, .n_sets = 1};
    struct err e = {0};
    snprintf(set, sizeof set, "scheduler=%s", names);
    CHECK_OK(scenario_parse(text, sizeof text - 1, "x.xml", &options, s, &e), e);
}

static void what_is_registered_is_found_last(void)
{
    size_t n = 0;
    register_once();
    while (schedulers[n] != NULL)
        n++;
    CHECK(n > 2 && schedulers[n - 1] == &guest && scheduler_find("guest") == &guest);
    CHECK(scheduler_origin(&guest) == &from);
    CHECK(scheduler_origin(scheduler_find("list")) == NULL && scheduler_find("nobody") == NULL);
}

/* Its points may crash or never end: the pool must know. */
static void a_scenario_knows_whether_it_uses_plugins(void)
{
    struct scenario s;
    register_once();
    read_scenario("list,sequential", &s);
    CHECK(!s.uses_plugins);
    scenario_clear(&s);
    read_scenario("list,guest", &s);
    CHECK(s.uses_plugins);
    scenario_clear(&s);
}

static void keys_hold_the_bytes_of_a_plugin_and_nothing_else_new(void)
{
    struct scenario alone, beside;
    char key[DIGEST_HEX_SIZE], other[DIGEST_HEX_SIZE], changed[DIGEST_HEX_SIZE];
    register_once();
    read_scenario("list", &alone);
    read_scenario("list,guest", &beside);
    const struct scenario_value *values = scenario_axis(&beside, "scheduler")->values;
    CHECK_TEXT(axis_key_text(&values[0]), "list"); /* as it was before there were plugins */
    CHECK_CONTAINS(axis_key_text(&values[1]), digest);
    CHECK_TEXT(values[1].text, "guest"); /* what results show */
    turn_key(&alone, 0, key);
    turn_key(&beside, 0, other);
    CHECK_TEXT(other, key);
    turn_key(&beside, 1, other);
    scenario_clear(&beside);
    digest[0] = 'f'; /* the plugin was built again */
    read_scenario("list,guest", &beside);
    digest[0] = '0';
    turn_key(&beside, 0, changed);
    CHECK_TEXT(changed, key);
    turn_key(&beside, 1, changed);
    CHECK(strcmp(changed, other) != 0);
    scenario_clear(&beside);
    scenario_clear(&alone);
}

static const struct test tests[] = {
    {"what is registered is found last", what_is_registered_is_found_last},
    {"a scenario knows whether it uses plugins", a_scenario_knows_whether_it_uses_plugins},
    {"keys hold the bytes of a plugin and nothing else new", keys_hold_the_bytes_of_a_plugin_and_nothing_else_new},
};
TEST_MAIN(tests)
