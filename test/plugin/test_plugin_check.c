/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything for which a plugin is refused, with its message. The plugin is in memory, as it would be after loading. */
#include "base/mem.h"
#include "check.h"
#include "plugin/plugin_check.h"

#include <stdlib.h>

static struct policy_send choose(const struct policy_view *view, const struct policy_state *state)
{
    (void)view;
    (void)state;
    return (struct policy_send){.child = -1};
}

static double priority(const struct policy_view *view, node_id child)
{
    (void)view;
    return child;
}

static void note(const struct policy_view *view, node_id node, struct policy_note *out)
{
    (void)view;
    (void)node;
    (void)out;
}

static enum err_code variant(const struct param_set *of, const struct policy **out, struct err *e)
{
    (void)out;
    return of == NULL ? err_set(e, ERR_INPUT, "no parameters") : ERR_NONE;
}

static enum err_code plan(const struct problem *p, const struct param_set *params, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    (void)p, (void)params, (void)in, (void)out;
    return err_set(e, ERR_INPUT, "not called here");
}

static void run(const struct farm_self *me)
{
    (void)me;
}

static struct param params[4], numbers[2];
static struct farm_actor actor;
static struct policy policy, other_policy;
static struct scheduler scheduler, other_scheduler;
static struct cost_model model;
static struct world_model world, other_world;
static struct iasim_plugin plugin;

static double half(const struct world_model *self, const struct host *h, const struct world_flow *flows, size_t n_flows)
{
    (void)self, (void)h, (void)flows, (void)n_flows;
    return 0.5;
}

static struct cost_end end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                           enum direction dir, link_id link, double bytes)
{
    (void)self, (void)m, (void)src, (void)dst, (void)dir, (void)link, (void)bytes;
    return (struct cost_end){0};
}

static double transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst, double bytes)
{
    (void)self, (void)m, (void)src, (void)dst;
    return bytes;
}

/* One of each, with nothing wrong. */
static void begin(void)
{
    memset(params, 0, sizeof params);
    params[0] = (struct param){"depth", PARAM_INTEGER, "tasks", "3", 0, 9, NULL, "how far it looks"};
    params[1] = (struct param){"order", PARAM_CHOICE, "", "up", 0, 0, "up|down", "which way"};
    policy = (struct policy){.name = "mine", .summary = "one line", .sends = true, .priority = priority};
    scheduler = (struct scheduler){.name = "mine", .summary = "one line", .params = params, .plan = plan};
    actor = (struct farm_actor){.name = "mine", .summary = "one line", .run = run};
    numbers[0] = (struct param){"each", PARAM_NUMBER, "s", "3", 0, 9, NULL, "of a message"};
    model = (struct cost_model){
        .name = "mine", .summary = "one line", .params = numbers, .books_processors = true, .end = end};
    world = (struct world_model){.name = "mine", .summary = "one line", .params = numbers, .speed_factor_ratio = half};
    other_world = (struct world_model){.name = "other", .summary = "one line", .charges = &model};
    other_policy = policy;
    other_policy.name = "other";
    other_scheduler = scheduler;
    other_scheduler.name = "other";
    plugin = (struct iasim_plugin){IASIM_PLUGIN_ABI,
                                   (unsigned)sizeof plugin,
                                   {IASIM_PLUGIN_STRUCTS(IASIM_PLUGIN_SIZE)},
                                   {.schedulers = {&scheduler, &other_scheduler},
                                    .policies = {&policy, &other_policy},
                                    .actors = {&actor},
                                    .models = {&model},
                                    .worlds = {&world, &other_world}}};
}

static void refused(const char *words)
{
    struct err e = {0};
    CHECK(plugin_check(&plugin, "./mine.so", &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, words);
    CHECK_TEXT(e.source, "./mine.so");
    begin();
}

static void a_plugin_without_faults_is_accepted(void)
{
    struct err e = {0};
    begin();
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
    policy.sends = false; /* then it has nothing to decide */
    policy.priority = NULL;
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
    scheduler.params = NULL;
    scheduler.source = "Müller 2020, §3";
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
}

static void own_parameters_of_a_policy_come_with_those_of_all(void)
{
    static struct param all[] = {POLICY_PARAMS, {"depth", PARAM_INTEGER, "", "3", 0, 9, NULL, "how far it looks"}, {0}};
    struct err e = {0};
    begin();
    policy.params = all;
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
    policy.params = params;
    refused("policy mine has no parameter 'chunk': its list must have those of POLICY_PARAMS");
    policy.params = all;
    all[3].default_text = "10";
    refused("the default is wrong");
    all[3].name = "ports";
    policy.params = all;
    refused("policy mine has the parameter 'ports' twice");
    policy.variant = variant;
    refused("policy mine has variants, which only built-in policies have");
    policy.note = note;
    refused("policy mine has bounds or notes, which only built-in policies have");
}

static void other_versions_are_refused(void)
{
    begin();
    plugin.abi = IASIM_PLUGIN_ABI + 1;
    char *words = mem_format("version %u of iasim's plugin interface, but this iasim has version %u",
                             IASIM_PLUGIN_ABI + 1, IASIM_PLUGIN_ABI);
    refused(words);
    free(words);
    plugin.size -= 8;
    refused("struct iasim_plugin of ");
    plugin.sizes[IASIM_PLUGIN_SIZE_OF_schedule] -= 8;
    refused("a struct schedule of ");
}

static void what_is_in_it_must_be_new(void)
{
    begin();
    memset(&plugin.lists, 0, sizeof plugin.lists);
    refused("names no schedulers, policies, actors, models or worlds");
    policy.name = "fcfs";
    refused("there is already a policy 'fcfs', which comes with iasim");
    actor.name = "farm_node";
    refused("there is already an actor 'farm_node', which comes with iasim");
    scheduler.name = "list";
    refused("there is already a scheduler 'list', which comes with iasim");
    other_policy.name = "mine";
    refused("the plugin has the policy 'mine' twice");
    other_scheduler.name = "mine";
    refused("the plugin has the scheduler 'mine' twice");
}

static void names_are_well_formed(void)
{
    static const char *const bad[] = {"", "Mine", "1st", "a-b", "a b", "list[x", "caf\303\251", "_x"};
    begin();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        scheduler.name = bad[i];
        refused("the name of scheduler 1 of the plugin is ");
        other_policy.name = bad[i];
        refused("the name of policy 2 of the plugin is ");
    }
    scheduler.name = NULL;
    refused("the name of scheduler 1 of the plugin is missing");
    scheduler.name = "a_name_that_is_longer_than_any_column_of_any_table_that_anybody_reads";
    refused("the name of scheduler 1 of the plugin is missing or unreadable");
}

static void functions_and_words_are_there(void)
{
    begin();
    policy.choose = choose;
    refused("policy mine has both priority and choose; give it one of them");
    policy.choose = NULL;
    policy.priority = NULL;
    refused("policy mine sends, but its functions priority and choose are NULL");
    scheduler.plan = NULL;
    refused("scheduler mine: its function plan is NULL");
    actor.run = NULL;
    refused("actor mine: its function run is NULL");
    policy.summary = NULL;
    refused("policy mine has no summary");
    scheduler.summary = "";
    refused("scheduler mine has no summary");
    scheduler.summary = "two\nlines";
    refused("the summary of scheduler mine is not one line of UTF-8");
    scheduler.source = "\377\376";
    refused("the source of scheduler mine is not one line of UTF-8");
}

static void parameters_agree_with_themselves(void)
{
    begin();
    params[1].name = "Order";
    refused("the name of scheduler mine's parameter 2 of the plugin is 'Order'");
    params[1].name = "depth";
    refused("scheduler mine has the parameter 'depth' twice");
    params[0].type = (enum param_type)77;
    refused("parameter 'depth' of scheduler mine has no type");
    params[0].unit = NULL;
    refused("parameter 'depth' of scheduler mine has no unit");
    params[0].meaning = NULL;
    refused("parameter 'depth' of scheduler mine has no one-line meaning");
    params[0].min = 10;
    refused("parameter 'depth' of scheduler mine has no bounds min <= max");
    params[0].max = NAN;
    refused("parameter 'depth' of scheduler mine has no bounds min <= max");
    params[0].default_text = "10";
    refused("the default is wrong: scheduler mine: parameter depth is 10; it must be between 0 and 9");
    params[1].default_text = "sideways";
    refused("unknown order 'sideways'; known: up|down");
}

static void choices_can_be_written_in_brackets(void)
{
    static const char *const bad[] = {"", "|", "up|", "|up", "up||down", "a,b", "a=b", "a]b", "a b"};
    begin();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        params[1].choices = bad[i];
        refused("parameter 'order' of scheduler mine has no choices of the form");
    }
    params[1].choices = NULL;
    refused("parameter 'order' of scheduler mine has no choices of the form");
}

/* Forgotten: the one that ends the list. */
static void a_list_without_end_is_refused(void)
{
    static struct param many[200];
    static char names[200][8];
    begin();
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        many[i] = (struct param){names[i], PARAM_TEXT, "", NULL, 0, 0, NULL, "one of too many"};
    }
    scheduler.params = many;
    refused("scheduler mine has more than 100 parameters; the list must end with an entry whose name is NULL");
}

static void parts_must_be_named_by_a_text_parameter(void)
{
    struct err e = {0};
    begin();
    scheduler.parts = "order"; /* a choice */
    refused("scheduler mine: its parts are named by 'order', which is not a text parameter");
    scheduler.parts = "of";
    refused("scheduler mine: its parts are named by 'of', which is not a text parameter");
    scheduler.parts = "of";
    scheduler.params = NULL;
    refused("scheduler mine: its parts are named by 'of', which is not a text parameter");
    scheduler.parts = "depth";
    params[0] = (struct param){"depth", PARAM_TEXT, "", "list+heft", 0, 0, NULL, "schedulers"};
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
}

static void worlds_and_models_are_whole(void)
{
    struct err e = {0};
    begin();
    world.name = "involvement";
    refused("there is already a world 'involvement', which comes with iasim");
    other_world.name = "mine";
    refused("the plugin has the world 'mine' twice");
    world.name = "Mine";
    refused("the name of world 1 of the plugin is 'Mine'");
    world.summary = NULL;
    refused("world mine has no summary");
    world.speed_factor_ratio = NULL;
    refused("world mine does nothing: its function speed_factor_ratio is NULL, and it charges no cost model");
    world.reads = 1u << 20;
    refused("world mine reads 0x100000, which are not groups of enum property_group");
    plugin.lists.models[0] = NULL;
    refused("world other charges a cost model that is not among the plugin's .models");
    other_world.params = numbers;
    refused("world other has parameters, and the cost model that it charges has others");
    model.params = NULL;
    other_world.params = numbers;
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
    begin();
    model.name = "classic";
    refused("there is already a model 'classic', which comes with iasim");
    model.books_processors = false;
    refused("model mine has the function end, but books neither processors nor ports");
    model.transit_s = transit_s;
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
    model.books_links = true;
    refused("model mine has the function transit_s, but books links");
    model.params = params;
    refused("parameter 'order' of model mine is not a number");
    numbers[0].default_text = "-1";
    refused("the default is wrong: model mine: parameter each is -1; it must be between 0 and 9");
    memset(&plugin.lists, 0, sizeof plugin.lists);
    plugin.lists.worlds[0] = &world; /* alone */
    CHECK_OK(plugin_check(&plugin, "./mine.so", &e), e);
}

static const struct test tests[] = {
    {"worlds and models are whole", worlds_and_models_are_whole},
    {"a plugin without faults is accepted", a_plugin_without_faults_is_accepted},
    {"own parameters of a policy come with those of all", own_parameters_of_a_policy_come_with_those_of_all},
    {"other versions are refused", other_versions_are_refused},
    {"parts must be named by a text parameter", parts_must_be_named_by_a_text_parameter},
    {"what is in it must be new", what_is_in_it_must_be_new},
    {"names are well-formed", names_are_well_formed},
    {"functions and words are there", functions_and_words_are_there},
    {"parameters agree with themselves", parameters_agree_with_themselves},
    {"choices can be written in brackets", choices_can_be_written_in_brackets},
    {"a list without end is refused", a_list_without_end_is_refused},
};
TEST_MAIN(tests)
