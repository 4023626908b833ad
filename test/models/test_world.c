/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* World models: the factor of doc/model.md, World, its bounds, and involvement of [S] 8.2. */
#include "check.h"
#include "models/world.h"

#include <stdlib.h>

static const struct world_model *world(const char *name)
{
    const struct world_model *w = NULL;
    struct err e = {0};
    CHECK_OK(world_find(name, &w, &e), e);
    return w;
}

static struct host plain_host(void)
{
    return (struct host){.ir_send_duplex_s_per_byte = NAN};
}

static const struct world_flow send = {DIR_SEND, 1e7, 0.03e-6}, receive = {DIR_RECV, 5e6, 0.04e-6};

static void worlds_are_listed_and_found_by_name(void)
{
    size_t n = 0;
    for (; world_models[n] != NULL; n++) {
        const struct world_model *w = world_models[n];
        CHECK(world(w->name) == w);
        CHECK(w->summary[0] != '\0' && w->source[0] != '\0');
        for (size_t i = 0; i < n; i++)
            CHECK(strcmp(world_models[i]->name, w->name) != 0);
    }
    CHECK(n >= 3);
    CHECK_TEXT(world_models[0]->name, "none");
    CHECK_TEXT(world_models[1]->name, "interference");
    CHECK_TEXT(world_models[2]->name, "involvement");
}

static void a_world_without_parameters_takes_none(void)
{
    const struct world_model *w;
    struct err e = {0};
    CHECK_INT(world_find("interference[ir=1]", &w, &e), ERR_INPUT);
    CHECK_TEXT(e.text, "world interference has no parameter 'ir': it takes none");
    CHECK_INT(world_find("involvement[o=1]", &w, &e), ERR_INPUT);
}

static void an_unknown_world_is_answered_with_the_known(void)
{
    const struct world_model *w;
    struct err e = {0};
    CHECK(world_find("Interference", &w, &e) == ERR_INPUT);
    CHECK_TEXT(
        e.text,
        "unknown world model 'Interference'; known: none, interference, involvement; did you mean 'interference'?");
    CHECK(world_find("", &w, NULL) == ERR_INPUT);
}

static void every_world_leaves_an_idle_host_alone(void)
{
    struct host h = plain_host();
    for (size_t i = 0; world_models[i] != NULL; i++)
        CHECK_CLOSE(world_factor_ratio(world_models[i], &h, NULL, 0), 1, 0);
}

static void only_interference_slows_by_rates(void)
{
    struct host h = plain_host();
    CHECK_CLOSE(world_factor_ratio(world("none"), &h, &send, 1), 1, 0);
    CHECK_CLOSE(world_factor_ratio(world("involvement"), &h, &send, 1), 1, 0);
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &send, 1), 0.7, 1e-15); /* 0.03 per MB/s at 10 MB/s */
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &receive, 1), 0.8, 1e-15);
}

static void interference_adds_up(void)
{
    struct host h = plain_host();
    const struct world_flow flows[] = {send, receive, {DIR_SEND, 1e6, 0.01e-6}, {DIR_RECV, 0, 9}, {DIR_SEND, 5, 0}};
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, flows, 5), 1 - 0.3 - 0.2 - 0.01, 1e-15);
}

static void the_factor_stays_between_its_floor_and_1(void)
{
    struct host h = plain_host();
    struct world_flow much = {DIR_SEND, 1e9, 1e-6};
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &much, 1), 0, 0);
    h.ir_floor_ratio = 0.25;
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &much, 1), 0.25, 0);
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &send, 1), 0.7, 1e-15);
    h.ir_floor_ratio = 1;
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &send, 1), 1, 0);
}

static void sends_weigh_otherwise_while_data_enter(void)
{
    struct host h = plain_host();
    h.ir_send_duplex_s_per_byte = 0.01e-6;
    const struct world_flow both[] = {send, receive}, waiting[] = {send, {DIR_RECV, 0, 0.04e-6}},
                            sends[] = {send, send};
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, both, 2), 1 - 0.1 - 0.2, 1e-15);
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, waiting, 2), 0.7, 1e-15);
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, sends, 2), 0.4, 1e-15);
    h.ir_send_duplex_s_per_byte = 0;
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, both, 2), 0.8, 1e-15);
}

static void a_world_without_its_properties_warns(void)
{
    struct machine m = {.source = "p.xml"};
    const char *const words[] = {NULL, "world interference reads (ir_send, ir_recv)",
                                 "world involvement reads (overhead_send, overhead_recv, involvement_send"};
    for (size_t i = 0; i < 3; i++) {
        char *warning = world_warning(world_models[i], &m);
        CHECK((warning != NULL) == (words[i] != NULL));
        if (warning != NULL)
            CHECK_CONTAINS(warning, words[i]);
        free(warning);
    }
    m.properties = PROPERTIES_INTERFERENCE | PROPERTIES_OVERHEAD;
    for (size_t i = 0; world_models[i] != NULL; i++)
        CHECK(world_warning(world_models[i], &m) == NULL);
}

static const struct test tests[] = {
    {"worlds_are_listed_and_found_by_name", worlds_are_listed_and_found_by_name},
    {"an_unknown_world_is_answered_with_the_known", an_unknown_world_is_answered_with_the_known},
    {"every_world_leaves_an_idle_host_alone", every_world_leaves_an_idle_host_alone},
    {"only_interference_slows_by_rates", only_interference_slows_by_rates},
    {"interference_adds_up", interference_adds_up},
    {"the_factor_stays_between_its_floor_and_1", the_factor_stays_between_its_floor_and_1},
    {"sends_weigh_otherwise_while_data_enter", sends_weigh_otherwise_while_data_enter},
    {"a_world_without_its_properties_warns", a_world_without_its_properties_warns},
    {"a_world_without_parameters_takes_none", a_world_without_parameters_takes_none},
};

TEST_MAIN(tests)
