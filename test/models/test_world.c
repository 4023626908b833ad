/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* World models: the factor of doc/model.md, World, its bounds, and involvement of [S] 8.2. */
#include "base/foreign.h"
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
    return (struct host){.n_cores = 1};
}

#define FLOW(direction, rate, ir)                                                                                      \
    {                                                                                                                  \
        direction, rate, {ir, ir}, {1, 1}, 0,                                                                          \
        {                                                                                                              \
            0, 0                                                                                                       \
        }                                                                                                              \
    }
static const struct world_flow send = FLOW(DIR_SEND, 1e7, 0.03e-6), receive = FLOW(DIR_RECV, 5e6, 0.04e-6);

static void worlds_are_listed_and_found_by_name(void)
{
    size_t n = 0;
    for (; world_models[n] != NULL; n++) {
        const struct world_model *w = world_models[n];
        CHECK(strcmp(world(w->name)->name, w->name) == 0 && world(w->name) == world(w->name));
        CHECK((world(w->name) == w) == (world_params(w) == NULL)); /* else a copy, with the defaults */
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
    CHECK_CONTAINS(e.text, "unknown world model 'Interference'; known: none, interference, involvement, ");
    CHECK_CONTAINS(e.text, "; did you mean 'interference'?");
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
    const struct world_flow flows[] = {send, receive, FLOW(DIR_SEND, 1e6, 0.01e-6), FLOW(DIR_RECV, 0, 9),
                                       FLOW(DIR_SEND, 5, 0)};
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, flows, 5), 1 - 0.3 - 0.2 - 0.01, 1e-15);
}

static void the_factor_stays_between_its_floor_and_1(void)
{
    struct host h = plain_host();
    struct world_flow much = FLOW(DIR_SEND, 1e9, 1e-6);
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &much, 1), 0, 0);
    h.ir_floor_ratio = 0.25;
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &much, 1), 0.25, 0);
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &send, 1), 0.7, 1e-15);
    h.ir_floor_ratio = 1;
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &send, 1), 1, 0);
}

static double factor_of(const struct world_flow *flows, size_t n)
{
    struct host h = plain_host();
    return world_factor_ratio(world("interference"), &h, flows, n);
}

static void both_directions_weigh_otherwise_at_once(void)
{
    struct world_flow out = send, in = receive, stands = receive;
    out.ir_s_per_byte[REGIME_DUPLEX] = 0.01e-6;
    in.ir_s_per_byte[REGIME_DUPLEX] = 0.02e-6;
    stands.rate_bytes_per_s = 0;
    CHECK_CLOSE(factor_of((struct world_flow[]){out, in}, 2), 1 - 0.1 - 0.1, 1e-15);
    CHECK_CLOSE(factor_of((struct world_flow[]){out, stands}, 2), 0.7, 1e-15);
    CHECK_CLOSE(factor_of((struct world_flow[]){out, out}, 2), 0.4, 1e-15);
    CHECK_CLOSE(factor_of((struct world_flow[]){in, in}, 2), 0.6, 1e-15);
    out.rate_bytes_per_s = 0;
    CHECK_CLOSE(factor_of((struct world_flow[]){out, in}, 2), 0.8, 1e-15);
    out = send;
    out.ir_s_per_byte[REGIME_DUPLEX] = in.ir_s_per_byte[REGIME_DUPLEX] = 0;
    CHECK_CLOSE(factor_of((struct world_flow[]){out, in}, 2), 1, 0);
}

static void the_line_begins_at_the_lowest_constant_of_the_moving(void)
{
    struct world_flow out = send, in = receive, free_at_first = send, stands = send;
    out.constant_ratio[REGIME_ONE_WAY] = 0.97;
    in.constant_ratio[REGIME_ONE_WAY] = 0.95;
    out.constant_ratio[REGIME_DUPLEX] = 0.9542;
    free_at_first.constant_ratio[REGIME_ONE_WAY] = 1.0296;
    stands.rate_bytes_per_s = 0;
    stands.constant_ratio[REGIME_ONE_WAY] = 0.5;
    CHECK_CLOSE(factor_of(&out, 1), 0.97 - 0.3, 1e-15);
    CHECK_CLOSE(factor_of((struct world_flow[]){in, in, in}, 3), 0.95 - 0.6, 1e-15); /* not once for each */
    CHECK_CLOSE(factor_of((struct world_flow[]){send, out, stands}, 3), 0.97 - 0.6, 1e-15);
    CHECK_CLOSE(factor_of((struct world_flow[]){out, in}, 2), 0.9542 - 0.3 - 0.2, 1e-15);
    CHECK_CLOSE(factor_of(&stands, 1), 1, 0);
    CHECK_CLOSE(factor_of(&free_at_first, 1), 1.0296 - 0.3, 1e-15);
    free_at_first.rate_bytes_per_s = 9e5; /* takes 0.027, less than the 0.0296 above 1 */
    CHECK_CLOSE(factor_of(&free_at_first, 1), 1, 0);
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
    m.properties = PROPERTIES_INTERFERENCE | PROPERTIES_OVERHEAD | PROPERTIES_LOGP;
    for (size_t i = 0; world_models[i] != NULL; i++)
        CHECK(world_warning(world_models[i], &m) == NULL);
}

static struct world_flow curved(struct world_flow flow, double gamma, double at_bytes_per_s)
{
    flow.curve = (struct ir_curve){gamma, at_bytes_per_s};
    return flow;
}
#define ONE(...) factor_of((struct world_flow[]){__VA_ARGS__}, 1)
#define TWO(...) factor_of((struct world_flow[]){__VA_ARGS__}, 2)

/* `send` takes 0.03 per MB/s at 10 MB/s, `receive` 0.04 at 5. */
static void a_curve_meets_the_line_at_its_rate(void)
{
    static const double gammas[] = {0.1, 0.5, 0.9, 1, 1.5, 2, 7};
    for (size_t i = 0; i < sizeof gammas / sizeof gammas[0]; i++) {
        CHECK_CLOSE(ONE(curved(send, gammas[i], 1e7)), 0.7, 1e-15);
        CHECK_CLOSE(ONE(curved(receive, gammas[i], 5e6)), 0.8, 1e-15);
    }
    CHECK_CLOSE(ONE(curved(send, 2, 2e7)), 1 - 0.6 / 4, 1e-15);    /* below it: cheaper than the line, 0.7 */
    CHECK_CLOSE(ONE(curved(send, 0.5, 4e7)), 1 - 1.2 / 2, 1e-15);  /* dearer */
    CHECK_CLOSE(ONE(curved(send, 0.5, 2.5e6)), 1 - 0.15, 1e-15);   /* above it: 0.03 * 2.5 * 2 */
    CHECK_CLOSE(ONE(curved(send, 2, 5e6)), 1 - 0.6, 1e-15);        /* 0.03 * 5 * 4 */
    CHECK_CLOSE(ONE(curved(receive, 3, 1e7)), 1 - 0.4 / 8, 1e-15); /* 0.04 * 10 / 8 */
}

static void costs_of_curved_flows_add_up(void)
{
    struct world_flow steep = curved(send, 2, 2e7), flat = curved(receive, 0.5, 2e7); /* 0.15; 0.04 * 20 / 2 */
    CHECK_CLOSE(TWO(steep, steep), 1 - 0.3, 1e-15);                                   /* not (2 r)^2 */
    CHECK_CLOSE(TWO(steep, send), 1 - 0.15 - 0.3, 1e-15);
    CHECK_CLOSE(TWO(steep, flat), 1 - 0.15 - 0.4, 1e-15);
    CHECK_CLOSE(TWO(flat, flat), 1 - 0.8, 1e-15);
}

static void a_curve_is_of_both_regimes_begins_at_the_constant_and_is_clamped(void)
{
    struct world_flow out = curved(send, 2, 2e7), in = receive, much = curved(send, 2, 1e6),
                      stands = curved(send, 0.5, 1e7);
    out.ir_s_per_byte[REGIME_DUPLEX] = 0.02e-6; /* 0.1 at 10 MB/s, 0.15 one way */
    CHECK_CLOSE(TWO(out, in), 1 - 0.1 - 0.2, 1e-15);
    out.constant_ratio[REGIME_ONE_WAY] = 0.95;
    CHECK_CLOSE(ONE(out), 0.95 - 0.15, 1e-15);
    CHECK_CLOSE(ONE(much), 0, 0); /* 0.03 * 100 */
    struct host h = {.n_cores = 1, .ir_floor_ratio = 0.25};
    CHECK_CLOSE(world_factor_ratio(world("interference"), &h, &much, 1), 0.25, 0);
    stands.rate_bytes_per_s = 0;
    CHECK_CLOSE(TWO(stands, send), 0.7, 1e-15);
    struct world_flow extreme = curved(send, 100, 1e-6), free = curved(send, 100, 1e-6);
    free.ir_s_per_byte[REGIME_ONE_WAY] = 0; /* 0 times infinity is 0 here */
    CHECK_CLOSE(ONE(extreme), 0, 0);
    CHECK_CLOSE(ONE(free), 1, 0);
}

static double nowhere(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                      size_t n_flows)
{
    (void)self, (void)flows, (void)n_flows;
    return h->ir_floor_ratio > 0 ? NAN : self->values[0];
}

/* Its parameters reach its function, its faults the caller. */
static void a_plugins_world_is_asked_and_judged(void)
{
    static const struct param params[] = {{"part", PARAM_NUMBER, "", "0.5", -9, 9, NULL, "that is left"}, {0}};
    static const struct world_model theirs = {
        .name = "theirs", .summary = "of a test", .params = params, .speed_factor_ratio = nowhere};
    static const struct origin from = {"./theirs.so", ""};
    struct host h = plain_host();
    struct err e = {0};
    h.name = (char[]){"h1"};
    world_register(&theirs, &from);
    CHECK_CLOSE(world_factor_ratio(world("theirs"), &h, &send, 1), 0.5, 0);
    CHECK_CLOSE(world_factor_ratio(world("theirs[part=0.25]"), &h, &send, 1), 0.25, 0);
    CHECK_CLOSE(world_factor_ratio(world("theirs[part=-2]"), &h, &send, 1), 0, 0);
    CHECK_CLOSE(world_factor_ratio(world("theirs[part=2]"), &h, &send, 1), 1, 0);
    CHECK_CLOSE(world_factor_ratio(world("theirs[part=0.25]"), &h, NULL, 0), 1, 0);
    CHECK_OK(foreign_judge(ERR_NONE, &e), e);
    h.ir_floor_ratio = 0.1;
    CHECK_CLOSE(world_factor_ratio(world("theirs[part=0.25]"), &h, &send, 1), 1, 0);
    CHECK_INT(foreign_judge(ERR_NO, &e), ERR_INPUT);
    CHECK_TEXT(e.text, "world theirs[part=0.25] of plugin ./theirs.so gives host 'h1' the speed factor nan; it must be "
                       "a finite number");
    CHECK_INT(foreign_judge(ERR_NO, &e), ERR_NO); /* it is forgotten */
}

static const struct test tests[] = {
    {"worlds_are_listed_and_found_by_name", worlds_are_listed_and_found_by_name},
    {"an_unknown_world_is_answered_with_the_known", an_unknown_world_is_answered_with_the_known},
    {"every_world_leaves_an_idle_host_alone", every_world_leaves_an_idle_host_alone},
    {"only_interference_slows_by_rates", only_interference_slows_by_rates},
    {"interference_adds_up", interference_adds_up},
    {"the_factor_stays_between_its_floor_and_1", the_factor_stays_between_its_floor_and_1},
    {"both_directions_weigh_otherwise_at_once", both_directions_weigh_otherwise_at_once},
    {"the_line_begins_at_the_lowest_constant_of_the_moving", the_line_begins_at_the_lowest_constant_of_the_moving},
    {"a_curve_meets_the_line_at_its_rate", a_curve_meets_the_line_at_its_rate},
    {"costs_of_curved_flows_add_up", costs_of_curved_flows_add_up},
    {"a_curve_is_of_both_regimes_begins_at_the_constant_and_is_clamped",
     a_curve_is_of_both_regimes_begins_at_the_constant_and_is_clamped},
    {"a_world_without_its_properties_warns", a_world_without_its_properties_warns},
    {"a_world_without_parameters_takes_none", a_world_without_parameters_takes_none},
    /* the last, because it adds a world: */
    {"a_plugins_world_is_asked_and_judged", a_plugins_world_is_asked_and_judged},
};

TEST_MAIN(tests)
