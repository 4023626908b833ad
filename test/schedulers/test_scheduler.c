/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every registered scheduler with default parameters: complete and valid plans, never below the bounds, reproducible,
   on small graphs and machines under every model; and how requests are refused. */
#include "both.h"
#include "models/cost/cost.h"
#include "plan/bounds.h"

static const char *const graphs[] = {
    "a:0",
    "a:3",
    "a:3 b:0 c:2",
    "a:1 b:2 c:3 | a>b:4 b>c:0",
    "c:3 b:2 a:1 | a>b:4 b>c:5",
    "a:1 b:4 c:4 d:3 | a>b:2 a>c:2 a>d:2",
    "a:1 b:4 c:4 d:3 | a>d:2 b>d:2 c>d:0",
    "a:0 b:0 c:0 d:0 | a>b:0 a>c:0 b>d:0 c>d:0",
    "A:3 B:4 C:4 D:3 E:4 F:4 | A>B:2 A>C:2 B>D:3 B>F:2 C>E:1 D>F:3 E>F:3",
    "a:0.1 b:0.7 c:1e-9 d:1e9 e:3 | a>b:0.3 a>c:1e9 b>d:1e-9 c>d:0.2 a>e:7 e>d:1e3",
};

static struct machine machine_number(int i)
{
    switch (i) {
    case 0:
        return machine_from_text("p:2,overhead_send=1,involvement_send=1 | |");
    case 1:
        return machine_from_text(
            "p:1,overhead_send=0.5,involvement_send=1,involvement_recv=0.5 q:3 | l:2,0.25 | p-q:l");
    case 2:
        return machine_star(3, 1, 1, 0, LINK_SHARED);
    case 3:
        return machine_star(4, 2, 4, 0.125, LINK_SPLITDUPLEX);
    case 4:
        return machine_bus(3, 1, 0.3, 0.7);
    case 5:
        return machine_clique(4, 1, 2, 0, LINK_FATPIPE);
    default:
        return machine_from_text("a:1 b:2 c:0.5,involvement_recv=1 | l:1,0.1 m:5 n:0.2,split,involvement_send=0.3 | "
                                 "a-b:l,m,n_UP a-c:m c-b:n_UP,l");
    }
}
enum { N_MACHINES = 7 };

static char *plan_text(const struct setting *s, enum naive_model model, const char *scheduler)
{
    struct naive_wish w = {.model = model};
    struct schedule x;
    struct err e = {0};
    struct text json = {0};
    enum err_code code = really_plan(s, &w, scheduler, &x, &e);
    CHECK_OK(code, e);
    if (code != ERR_NONE)
        return mem_strdup("");
    double longest_s = schedule_length_s(&x) * (1 + 1e-12);
    for (int t = 0; t < s->dag.n_tasks; t++)
        CHECK(x.tasks[t].host >= 0 && x.tasks[t].host < (int)s->machine.n_hosts);
    CHECK(problem_critical_path_s(&x.problem) <= longest_s);
    CHECK(problem_work_bound_s(&x.problem) <= longest_s);
    CHECK(problem_communication_bound_s(&x.problem) <= longest_s);
    CHECK_TEXT(x.scheduler, scheduler);
    check_valid(&x);
    schedule_write_json(&x, &json);
    schedule_clear(&x);
    char *text = mem_strdup(text_str(&json));
    text_clear(&json);
    return text;
}

static void check_scheduler(const char *name)
{
    for (size_t g = 0; g < sizeof graphs / sizeof graphs[0]; g++)
        for (int m = 0; m < N_MACHINES; m++) {
            struct setting s;
            setting_init(&s, dag_from_text(graphs[g]), machine_number(m));
            for (int model = 0; model < N_NAIVE_MODELS; model++) {
                char *first = plan_text(&s, (enum naive_model)model, name);
                char *second = plan_text(&s, (enum naive_model)model, name);
                CHECK_TEXT(second, first);
                free(first);
                free(second);
            }
            setting_clear(&s);
        }
}

static void every_scheduler_makes_valid_plans(void)
{
    int n = 0;
    for (; schedulers[n] != NULL; n++)
        check_scheduler(schedulers[n]->name);
    CHECK(n >= 2);
}

/* Plans under all models with their defaults, also under those that no other test knows. */
static void every_model_can_be_planned_under(void)
{
    for (size_t i = 0; cost_models[i] != NULL; i++)
        for (int m = 0; m < N_MACHINES; m++) {
            struct setting s;
            struct schedule x;
            setting_init(&s, dag_from_text(graphs[8]), machine_number(m));
            for (int k = 0; schedulers[k] != NULL; k++) {
                setting_plan(&s, cost_models[i], schedulers[k]->name, NULL, &x);
                check_valid(&x);
                schedule_clear(&x);
            }
            setting_clear(&s);
        }
}

static void every_scheduler_describes_itself(void)
{
    struct err e = {0};
    for (int i = 0; schedulers[i] != NULL; i++) {
        struct scheduler_choice c;
        CHECK(schedulers[i]->summary != NULL && schedulers[i]->summary[0] != '\0');
        CHECK(schedulers[i]->source != NULL && schedulers[i]->plan != NULL);
        for (int k = 0; k < i; k++)
            CHECK(strcmp(schedulers[i]->name, schedulers[k]->name) != 0);
        CHECK_OK(scheduler_choose(schedulers[i]->name, &c, &e), e);
        CHECK(c.scheduler == schedulers[i]);
        scheduler_choice_clear(&c);
    }
}

/* Every choice of every parameter, one at a time: valid plans, or a clear refusal. */
static void check_choice(const struct scheduler *x, const struct param *p, const char *value)
{
    char *text = mem_format("%s[%s=%s]", x->name, p->name, value);
    for (int model = 0; model < N_NAIVE_MODELS; model++) {
        struct setting s;
        struct schedule plan;
        struct err e = {0};
        struct naive_wish w = {.model = (enum naive_model)model};
        setting_init(&s, dag_from_text(graphs[8]), machine_number(1));
        enum err_code code = really_plan(&s, &w, text, &plan, &e);
        if (code == ERR_NONE) {
            check_valid(&plan);
            schedule_clear(&plan);
        } else {
            CHECK_INT(code, ERR_INPUT);
            CHECK_CONTAINS(e.text, "needs");
        }
        setting_clear(&s);
    }
    free(text);
}

static void every_choice_of_every_parameter_is_honoured_or_refused(void)
{
    for (int i = 0; schedulers[i] != NULL; i++)
        for (const struct param *p = schedulers[i]->params; p != NULL && p->name != NULL; p++) {
            char *choices = p->type == PARAM_CHOICE ? mem_strdup(p->choices) : NULL, *rest;
            for (char *c = choices ? strtok_r(choices, "|", &rest) : NULL; c != NULL; c = strtok_r(NULL, "|", &rest))
                check_choice(schedulers[i], p, c);
            free(choices);
        }
}

static void check_refused(const char *text, const char *const *words)
{
    struct scheduler_choice c;
    struct err e = {0};
    CHECK(scheduler_choose(text, &c, &e) == ERR_INPUT);
    for (; *words != NULL; words++)
        CHECK_CONTAINS(e.text, *words);
}

static void unknown_names_are_refused_with_the_known_ones(void)
{
    check_refused("lisst", (const char *const[]){"unknown scheduler 'lisst'", "did you mean 'list'?", NULL});
    check_refused("", (const char *const[]){"name is missing", NULL});
    check_refused("list[tecnique=end]",
                  (const char *const[]){"tecnique", "technique", "approach", "minimize", "compact", NULL});
    check_refused("list[technique=middle]", (const char *const[]){"technique", "middle", "end", "insertion", NULL});
    check_refused("list[minimize=]", (const char *const[]){"minimize", NULL});
    check_refused("list[compact=on,compact=off]", (const char *const[]){"compact", NULL});
    check_refused("list[technique=end", (const char *const[]){"list[technique=end", NULL});
    check_refused("sequential[technique=end]", (const char *const[]){"sequential", "technique", NULL});
}

static void alternatives_need_an_allocation(void)
{
    struct setting s;
    struct naive_wish w = {.model = NAIVE_INVOLVEMENT};
    setting_init(&s, dag_from_text(graphs[5]), machine_number(2));
    for (int a = NAIVE_ALLOC1; a <= NAIVE_ALLOC3; a++) {
        struct schedule x;
        struct err e = {0};
        char *text = mem_format("list[approach=%s]", naive_approach_names[a]);
        CHECK_INT(really_plan(&s, &w, text, &x, &e), ERR_INPUT);
        CHECK_CONTAINS(e.text, naive_approach_names[a]);
        CHECK_CONTAINS(e.text, "--allocation");
        free(text);
    }
    setting_clear(&s);
}

/* Dates at infinity, and their differences, are no numbers: neither bookings nor JSON can have them. */
static void what_would_end_at_infinity_is_refused(void)
{
    static const struct {
        const char *graph, *machine, *words;
    } cases[] = {
        {"a:1e308", "p:0.01 | |", "host 'p' is too slow"},
        {"a:1e308 b:1 | a>b:1", "p:1 q:1 | l:1 | p-q:l", "host 'p' is too slow"}, /* a mean sums over hosts */
        {"a:1 b:1 c:1 | a>b:1e300 a>c:1", "p:1 q:1 | l:1e-9 | p-q:l", "the links are too slow"},
        {"a:1 b:1 | a>b:0", "p:1 q:1 | l:1,1e308 | p-q:l", "latencies and overheads are too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; schedulers[k] != NULL; k++) {
            struct setting s;
            struct schedule x;
            struct err e = {0};
            setting_init(&s, dag_from_text(cases[i].graph), machine_from_text(cases[i].machine));
            CHECK_INT(really_plan(&s, &(struct naive_wish){.model = NAIVE_INVOLVEMENT}, schedulers[k]->name, &x, &e),
                      ERR_INPUT);
            CHECK_CONTAINS(e.text, cases[i].words);
            setting_clear(&s);
        }
}

/* Almost: the largest dates that are numbers. */
static void dates_may_be_as_large_as_numbers_are(void)
{
    for (int k = 0; schedulers[k] != NULL; k++)
        for (int model = 0; model < N_NAIVE_MODELS; model++) {
            struct setting s;
            struct schedule x;
            struct err e = {0};
            setting_init(&s, dag_from_text("a:1e306 b:1e306 c:1 | a>c:1e305 b>c:1e305"),
                         machine_star(2, 1, 1, 0.5, LINK_SHARED));
            CHECK_OK(
                really_plan(&s, &(struct naive_wish){.model = (enum naive_model)model}, schedulers[k]->name, &x, &e),
                e);
            check_valid(&x);
            schedule_clear(&x);
            setting_clear(&s);
        }
}

static void an_order_and_a_priority_contradict_each_other(void)
{
    struct setting s;
    struct schedule x;
    struct err e = {0};
    setting_init(&s, dag_from_text(graphs[3]), machine_number(2));
    struct naive_wish w = {.model = NAIVE_CLASSIC, .order = s.dag.order};
    CHECK_INT(really_plan(&s, &w, "list[priority=bottom_level]", &x, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "list[priority=bottom_level] contradicts the given order");
    setting_clear(&s);
}

static const struct test tests[] = {
    {"every scheduler makes valid plans", every_scheduler_makes_valid_plans},
    {"every model can be planned under", every_model_can_be_planned_under},
    {"every scheduler describes itself", every_scheduler_describes_itself},
    {"every choice of every parameter is honoured or refused", every_choice_of_every_parameter_is_honoured_or_refused},
    {"unknown names are refused with the known ones", unknown_names_are_refused_with_the_known_ones},
    {"alternatives need an allocation", alternatives_need_an_allocation},
    {"what would end at infinity is refused", what_would_end_at_infinity_is_refused},
    {"dates may be as large as numbers are", dates_may_be_as_large_as_numbers_are},
    {"an order and a priority contradict each other", an_order_and_a_priority_contradict_each_other},
};
TEST_MAIN(tests)
