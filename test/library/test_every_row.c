/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A parameter of a run is described by one row: from it come an option of the command with its completion, an entry of
   `iasim list`, a parameter of scenarios, and one of iasim_run. Every row of every kind, and a kind of the test's
   own. */
#include "base/mem.h"
#include "check.h"
#include "cli/command.h"
#include "cli/complete.h"
#include "cli/registered.h"
#include "cli/run_options.h"
#include "library/iasim.h"
#include "scenario/turn.h"

#include <stdlib.h>
#include <string.h>

/* ---- a kind with a parameter that only its engine reads ---- */

static enum err_code double_it(const struct point *p, double *metrics, struct err *e)
{
    (void)e;
    metrics[0] = 2 * (param_has(p->params, "only_of_engine") ? param_number(p->params, "only_of_engine") : 1);
    return ERR_NONE;
}

static const struct run_param rows[] = {
    {.is = {"only_of_engine", PARAM_NUMBER, "s", NULL, 0, 9, NULL, "how long it takes"}, .facts = RUN_OPTIONAL},
    {.is = {0}},
};
static const struct metric metrics[] = {{"twice", "s", "twice as long", BETTER_NONE}, {0}};

static int n_prepared, n_released;

static enum err_code prepare(const struct param_set *params, void **shared, struct err *e)
{
    *shared = &n_prepared;
    n_prepared++;
    return param_has(params, "only_of_engine") ? ERR_NONE : err_set(e, ERR_INPUT, "half prepared");
}

static void release(void *shared)
{
    CHECK(shared == &n_prepared);
    n_released++;
}

static const struct run_kind toy = {
    .name = "toy", .rows = rows, .metrics = metrics, .prepare = prepare, .release = release, .run = double_it};
static const struct run_kind *const toys[] = {&toy, NULL};

static double twice;

static enum err_code run_toy(void *self, struct err *e)
{
    struct run_given *given = self;
    const enum err_code code = run_given_begin(given, e);
    return code == ERR_NONE ? toy.run(&given->point, &twice, e) : code;
}

static const struct command_option own[] = {{0}};
static const struct command command_toy = {
    .size = sizeof(struct run_given), .options = own, .kind = &toy, .about = "", .examples = "", .run = run_toy};

static void a_row_is_an_option(void)
{
    char *argv[] = {"iasim toy", "--only-of-engine=4", NULL};
    struct err e = {0};
    const struct command_option *x = option_find(run_options_of(&command_toy), "only-of-engine", 14);
    CHECK(x != NULL && strcmp(x->help, "how long it takes") == 0);
    CHECK_OK(command_call(&command_toy, 2, argv, &e), e);
    CHECK_CLOSE(twice, 8, 0);
}

/* Also where preparing has failed half way. */
static void what_is_prepared_is_released(void)
{
    char *argv[] = {"iasim toy", NULL};
    struct err e = {0};
    n_prepared = n_released = 0;
    CHECK_INT(command_call(&command_toy, 1, argv, &e), ERR_INPUT);
    CHECK_INT(n_prepared, 1);
    CHECK_INT(n_released, 1);
}

static enum err_code read_toy(const char *content, struct scenario *s, struct err *e)
{
    const struct scenario_options o = {.experiments = toys};
    char *xml = mem_format("<scenario name='t' experiment='toy'>%s</scenario>", content);
    enum err_code code = scenario_parse(xml, strlen(xml), "t.xml", &o, s, e);
    free(xml);
    return code;
}

/* It is optional: points without it keep their keys. */
static void a_row_is_a_parameter_of_scenarios(void)
{
    struct scenario without, with;
    struct err e = {0};
    char before[DIGEST_HEX_SIZE], after[DIGEST_HEX_SIZE];
    CHECK_OK(read_toy("", &without, &e), e);
    CHECK_OK(read_toy("<sweep name='only_of_engine'><value>1</value><value>2</value></sweep>", &with, &e), e);
    CHECK_INT(without.n_axes, 0);
    CHECK_INT(turn_count(&with), 2);
    turn_key(&without, 0, before);
    turn_key(&with, 1, after);
    CHECK(strcmp(before, after) != 0);
    scenario_clear(&without);
    scenario_clear(&with);
}

/* ---- the kinds of iasim ---- */

static const struct command *command_of(const struct run_kind *k)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (commands[i]->kind == k)
            return commands[i];
    return NULL;
}

static bool is_without(const struct command *c, const char *name)
{
    const char *at = c->without != NULL ? strstr(c->without, name) : NULL;
    return at != NULL; /* no name of a parameter is part of another's that a command leaves out */
}

static void check_option(const struct command *c, const struct run_param *r)
{
    struct text out = {0};
    char *option = mem_format("--%s", r->option != NULL ? r->option : r->is.name);
    for (char *at = option; *at != '\0'; at++)
        *at = *at == '_' ? '-' : *at;
    const char *const words[] = {c->name, option};
    complete(&out, words, 2);
    bool is_own = option_find(c->options, option + 2, strlen(option + 2)) != NULL;
    CHECK((strstr(text_str(&out), option) != NULL) == (is_own || !is_without(c, r->is.name)));
    text_clear(&out);
    free(option);
}

static bool is_listed(const struct run_kind *k, const struct run_param *r)
{
    struct registered x;
    for (size_t i = 0; registered_find("experiments", i, &x); i++)
        if (strcmp(x.name, k->name) == 0)
            return param_find(x.params, r->is.name) != NULL;
    return false;
}

static void check_scenario(const struct run_kind *k, const struct run_param *r)
{
    struct scenario s;
    struct err e = {0};
    char *xml =
        mem_format("<scenario name='t' experiment='%s'><param name='%s' value='?'/></scenario>", k->name, r->is.name);
    scenario_parse(xml, strlen(xml), "t.xml", NULL, &s, &e); /* whatever it says of this value */
    CHECK(strstr(e.text, "has no parameter") == NULL);
    scenario_clear(&s);
    free(xml);
}

static void check_library(const struct run_kind *k, const struct run_param *r)
{
    struct err e;
    char *setting = mem_format("%s=?", r->is.name);
    const char *const settings[] = {setting, "no such one=1", NULL};
    CHECK(iasim_run(k->name, settings, NULL, NULL, &e) == ERR_INPUT);
    bool is_value = strstr(e.text, r->is.name) != NULL && strstr(e.text, "has no parameter") == NULL;
    CHECK(is_value || strstr(e.text, "'no such one'") != NULL);
    free(setting);
}

static void every_row_is_known_everywhere(void)
{
    int n_commands = 0;
    for (size_t i = 0; run_kinds[i] != NULL; i++) {
        const struct run_kind *k = run_kinds[i];
        const struct command *c = command_of(k);
        n_commands += c != NULL;
        for (const struct run_param *r = k->rows; r->is.name != NULL; r++) {
            if (c != NULL)
                check_option(c, r);
            CHECK(is_listed(k, r));
            check_scenario(k, r);
            check_library(k, r);
        }
    }
    CHECK_INT(n_commands, 7); /* farm, bound, interference, plan, replay, codegen, online */
}

/* ---- the library ---- */

static void note(void *self, const char *name, const char *unit, double value)
{
    if (strcmp(name, "throughput_tasks_per_s") == 0 && strcmp(unit, "tasks/s") == 0)
        *(double *)self = value;
}

/* [K] 3.2 on the paper's fork; the child of each call loads a platform of its own. */
static void the_library_runs_every_kind(void)
{
    struct err e;
    const char *const farm[] = {"platform=platforms/kreaseck-fork.xml",
                                "deployment=deployments/kreaseck-fork.xml",
                                "policy=ia_multi",
                                "send_size=2",
                                "compute_size=5",
                                "tasks=200",
                                "noise=size=0.1",
                                "seed=3",
                                NULL};
    const char *const bound[] = {"generator=star[hosts=4]", "send_size=2", "compute_size=5", NULL};
    setenv("IASIM_DATA", PROJECT_DIR, 1);
    double farm_tasks_per_s = 0, again_tasks_per_s = 0, bound_tasks_per_s = 0;
    CHECK_OK(iasim_run("farm", farm, note, &farm_tasks_per_s, &e), e);
    CHECK_OK(iasim_run("farm", farm, note, &again_tasks_per_s, &e), e);
    CHECK_OK(iasim_run("bound", bound, note, &bound_tasks_per_s, &e), e);
    CHECK(farm_tasks_per_s > 0 && farm_tasks_per_s == again_tasks_per_s && bound_tasks_per_s > 0);
    CHECK(iasim_run("frm", NULL, NULL, NULL, &e) == ERR_INPUT);
    CHECK(iasim_run("farm", NULL, NULL, NULL, &e) == ERR_INPUT && strstr(e.text, "is not given") != NULL);
    CHECK(iasim_run("farm", (const char *const[]){"tasks", NULL}, NULL, NULL, &e) == ERR_INPUT);
    CHECK(iasim_run("farm", (const char *const[]){"tasks=0", NULL}, NULL, NULL, &e) == ERR_INPUT);
    CHECK(iasim_run("farm", (const char *const[]){"seed=-1", NULL}, NULL, NULL, &e) == ERR_INPUT);
}

static const struct test tests[] = {
    {"a row is an option", a_row_is_an_option},
    {"what is prepared is released", what_is_prepared_is_released},
    {"a row is a parameter of scenarios", a_row_is_a_parameter_of_scenarios},
    {"every row is known everywhere", every_row_is_known_everywhere},
    {"the library runs every kind", the_library_runs_every_kind},
};
TEST_MAIN(tests)
