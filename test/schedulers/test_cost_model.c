/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A cost model is defined in one place. This one does not come with iasim, and has parameters, ports and its own
   transfer time. Schedules under it are planned, compacted, written, read and checked like any other. (The models that
   come with iasim: test_logp.c.) */
#include "both.h"
#include "small.h"
#include "toy_logp.h"

#include <math.h>

static const struct cost_model *model(const char *text)
{
    static bool is_registered;
    if (!is_registered)
        cost_model_register(&toy, NULL);
    is_registered = true;
    return model_of(text);
}

/* "unknown model 'tpy'; known: " and the names of all models, of which toy is the last. */
static char *all_known(void)
{
    struct text text = {0};
    for (size_t i = 0; cost_models[i] != NULL; i++)
        text_addf(&text, "%s%s", i > 0 ? ", " : "unknown model 'tpy'; known: ", cost_models[i]->name);
    text_addf(&text, "; did you mean 'toy'?");
    return text.data;
}

/* ---- parameters ---- */

static void parameters_are_part_of_the_name(void)
{
    struct err e = {0};
    const struct cost_model *x = model("toy[L=6,o=2]"), *none;
    CHECK_TEXT(x->name, "toy");
    CHECK_TEXT(cost_model_text(x), "toy[L=6,o=2]");
    CHECK_CLOSE(x->values[TOY_L], 6, 0);
    CHECK_CLOSE(x->values[TOY_G], 0, 0); /* the default */
    CHECK(model("toy[L=6,o=2]") == x);
    CHECK(cost_model_is(x, model("toy[o=2.0,L=6,g=0]")));
    CHECK(!cost_model_is(x, model("toy[o=3,L=6]")));
    CHECK_TEXT(cost_model_text(model("toy")), "toy");
    CHECK_INT(cost_model_find("toy[q=1]", &none, &e), ERR_INPUT);
    CHECK_TEXT(e.text, "model toy has no parameter 'q'; known: L, o, g, M");
    e = (struct err){0};
    CHECK_INT(cost_model_find("contention[L=1]", &none, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "model contention has no parameter 'L'");
    e = (struct err){0};
    CHECK_INT(cost_model_find("tpy", &none, &e), ERR_INPUT);
    char *wanted = all_known();
    CHECK_TEXT(e.text, wanted);
    free(wanted);
}

/* ---- plans ---- */

static char *written(const struct schedule *x)
{
    struct text json = {0};
    schedule_write_json(x, &json);
    return json.data;
}

static void check_round_trip(const struct setting *s, struct schedule *x)
{
    struct problem p = {.dag = &s->dag, .machine = &s->machine, .routes = &s->routes};
    struct schedule back;
    struct err e = {0};
    char *json = written(x);
    CHECK_OK(schedule_parse_json(json, strlen(json), "s.json", &p, &back, &e), e);
    CHECK(p.model == x->problem.model);
    char *again = written(&back);
    CHECK_TEXT(again, json);
    CHECK_OK(schedule_compact(x, &e), e);
    char *compacted = written(x);
    CHECK_TEXT(compacted, json); /* it was compact */
    free(compacted);
    free(again);
    free(json);
    schedule_clear(&back);
}

static void random_plans_are_valid_compact_and_come_back(void)
{
    static const char *const models[] = {"toy[L=6,o=2,g=4]", "toy[L=9,o=1.5,g=0.25,M=3]", "toy[L=1,g=3]", "toy[o=2]"};
    for (unsigned i = 0; i < 300; i++) {
        struct random_stream r;
        random_init(&r, 20, i);
        enum small_kind kind = i % 2 ? SMALL_WHOLE : SMALL_REAL;
        struct setting s;
        struct schedule x;
        setting_init(&s, small_dag(&r, 2 + (int)random_below(&r, 9), false, kind),
                     small_machine(&r, 2 + (int)random_below(&r, 3), kind));
        char *text =
            mem_format("list[technique=%s,approach=%s]", i % 3 ? "insertion" : "end", i % 5 ? "direct" : "entering");
        setting_plan(&s, model(models[i % 4]), text, NULL, &x);
        check_valid(&x);
        check_round_trip(&s, &x);
        free(text);
        schedule_clear(&x);
        setting_clear(&s);
    }
}

/* ---- the validator ---- */

static void damage(const struct setting *s, const char *json, const char *from, const char *to, const char *condition)
{
    struct check_result found;
    struct err e = {0};
    const char *at = strstr(json, from);
    CHECK(at != NULL);
    char *damaged = at ? mem_format("%.*s%s%s", (int)(at - json), json, to, at + strlen(from)) : mem_strdup("");
    CHECK_OK(check_schedule_text(damaged, strlen(damaged), "s.json", &s->dag, &s->machine, NULL, &found, &e), e);
    CHECK_TEXT(found.n > 0 ? found.list[0].condition : "", condition);
    check_result_clear(&found);
    free(damaged);
}

/* a's data to b: send 1 to 3, receive 9 to 11; to c: send 5 to 7, as the port is taken until 5, receive 13 to 15. */
static void the_validator_reads_the_facts(void)
{
    static const host_id hosts[] = {0, 1, 1};
    struct setting s;
    struct schedule x;
    setting_init(&s, dag_from_text("a:1 b:1 c:1 | a>b:1 a>c:1"), machine_clique(2, 1, 1, 0, LINK_SHARED));
    setting_plan(&s, model("toy[L=6,o=2,g=4]"), "list", hosts, &x);
    char *json = written(&x);
    damage(&s, json, "\"start_s\":5,\"finish_s\":7", "\"start_s\":4,\"finish_s\":6", "port");
    damage(&s, json, "\"start_s\":5,\"finish_s\":7", "\"start_s\":2,\"finish_s\":4", "processor");
    damage(&s, json, "\"start_s\":13,\"finish_s\":15", "\"start_s\":12,\"finish_s\":14", "recv_start");
    damage(&s, json, "\"start_s\":9,\"finish_s\":11", "\"start_s\":8.5,\"finish_s\":10.5", "recv_start");
    damage(&s, json, "\"start_s\":9,\"finish_s\":11", "\"start_s\":9,\"finish_s\":10", "duration");
    damage(&s, json, "toy[L=6,o=2,g=4]", "toy[L=6,o=2,g=5]", "port");
    damage(&s, json, "toy[L=6,o=2,g=4]", "toy[L=6,o=2,x=5]", "model");
    damage(&s, json, "\"local\":false,\"send\"", "\"local\":false,\"links\":[],\"send\"", "parts");
    free(json);
    schedule_clear(&x);
    setting_clear(&s);
}

static const struct test tests[] = {
    {"parameters are part of the name", parameters_are_part_of_the_name},
    {"random plans are valid, compact and come back", random_plans_are_valid_compact_and_come_back},
    {"the validator reads the facts", the_validator_reads_the_facts},
};
TEST_MAIN(tests)
