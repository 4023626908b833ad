/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/turn.h"

#include "check.h"
#include "scenario/fake.h"

#include <sys/stat.h>

static void points_are_in_document_order(void)
{
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, "fake",
                           "<sweep name='n'><value>1</value><value>2</value></sweep>"
                           "<sweep name='machine'><value>good1</value><value>good2</value></sweep>"
                           "<sweep name='x'><value>5</value><value>6</value></sweep>",
                           &e),
             e);
    static const char *const want[] = {"1 good1 5", "1 good1 6", "1 good2 5", "1 good2 6",
                                       "2 good1 5", "2 good1 6", "2 good2 5", "2 good2 6"};
    for (uint64_t p = 0; p < 8; p++) {
        char got[64];
        snprintf(got, sizeof got, "%s %s %s", turn_value(&s, p, 1)->text, turn_value(&s, p, 4)->text,
                 turn_value(&s, p, 0)->text);
        CHECK_TEXT(got, want[p]);
    }
    scenario_clear(&s);
}

static void turns_visit_each_run_once_and_keep_what_is_shared_together(void)
{
    static const char *const sets[] = {"replications=3"};
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario_set(&s, "fake",
                               "<sweep name='n'><range from='1' to='3' step='1'/></sweep>"
                               "<sweep name='machine'><value>good1</value><value>good2</value></sweep>"
                               "<sweep name='x'><range from='1' to='4' step='1'/></sweep>",
                               sets, 1, &e),
             e);
    int seen[24][3] = {0}, n_changes = 0;
    CHECK_INT(turn_count(&s), 72);
    for (uint64_t i = 0; i < turn_count(&s); i++) {
        struct turn t = turn_at(&s, i);
        seen[t.point][t.replication - 1]++;
        if (i > 0)
            n_changes += turn_shared(&s, t.point) != turn_shared(&s, turn_at(&s, i - 1).point);
    }
    for (int i = 0; i < 72; i++)
        CHECK_INT(seen[i / 3][i % 3], 1);
    CHECK_INT(n_changes, 1);
    scenario_clear(&s);
}

/* Two axes that are not neighbours, one of them the fastest. */
static void what_several_parameters_share_is_kept_together_too(void)
{
    struct run_param rows[8];
    struct scenario s;
    struct err e = {0};
    CHECK_OK(fake_scenario(&s, "fake",
                           "<sweep name='machine'><value>good1</value><value>good2</value></sweep>"
                           "<sweep name='n'><range from='1' to='5' step='1'/></sweep>"
                           "<sweep name='x'><range from='1' to='3' step='1'/></sweep>",
                           &e),
             e);
    struct run_kind both = fake_that_says(s.experiment, rows, "x", RUN_SHARED);
    s.experiment = &both;
    int seen[30] = {0};
    CHECK_INT(turn_shared_count(&s), 6);
    for (uint64_t i = 0; i < turn_count(&s); i++) {
        uint64_t point = turn_at(&s, i).point;
        seen[point]++;
        CHECK_INT(turn_shared(&s, point), i / 5);
        CHECK_INT(turn_shared(&s, point), point / 15 * 3 + point % 3);
    }
    for (int i = 0; i < 30; i++)
        CHECK_INT(seen[i], 1);
    for (uint64_t shared = 0; shared < 6; shared++)
        CHECK_INT(turn_shared_first(&s, shared), 5 * shared);
    scenario_clear(&s);
}

static char *key_of(const char *experiment, const char *content, const char *set)
{
    struct scenario s;
    struct err e = {0};
    char key[DIGEST_HEX_SIZE] = "";
    CHECK_OK(fake_scenario_set(&s, experiment, content, &set, set != NULL, &e), e);
    if (e.code == ERR_NONE)
        turn_key(&s, 0, key);
    scenario_clear(&s);
    return mem_strdup(key);
}

static void check_key(const char *content, const char *set, bool same)
{
    char *plain = key_of("fake", "", NULL), *other = key_of("fake", content, set);
    CHECK((strcmp(plain, other) == 0) == same);
    free(plain);
    free(other);
}

static void keys_change_with_what_determines_the_result(void)
{
    check_key("<param name='x' value='2'/>", NULL, false);
    check_key("<param name='n' value='1'/>", NULL, false);
    check_key("<param name='machine' value='good2'/>", NULL, false);
    check_key("", "seed=8", false);
    char *plain = key_of("fake", "", NULL), *other = key_of("fake_forked", "", NULL);
    CHECK(strcmp(plain, other) != 0);
    free(plain);
    free(other);
}

static void keys_stay_with_what_does_not(void)
{
    check_key("<description>words</description>", NULL, true);
    check_key("<sweep name='x'><value>1.0</value><value>2</value></sweep>", NULL, true);
    check_key("", "x=1", true);
    check_key("", "replications=9", true);
}

static void an_experiment_without_randomness_has_no_seed(void)
{
    fake_write(fake_path("d"), "1");
    char *set = mem_format("data=%s", fake_path("d")),
         *content = mem_format("<param name='platform' value='%s'/>", fake_path("d"));
    char *more = mem_format("<param name='data' value='%s'/>%s", fake_path("d"), content);
    char *plain = key_of("fake_file", content, set), *seeded = key_of("fake_file", more, "seed=9");
    CHECK_TEXT(seeded, plain);
    free(set);
    free(content);
    free(more);
    free(plain);
    free(seeded);
    unlink(fake_path("d"));
}

/* A folder with a scenario, its data, and a platform with a profile; what is in them is up to the caller. */
static char *key_in_folder(const char *name, const char *data, const char *profile)
{
    static const struct scenario_options o = {.experiments = fakes};
    struct scenario s;
    struct err e = {0};
    char key[DIGEST_HEX_SIZE] = "";
    char *folder = mem_strdup(fake_path(name));
    mkdir(folder, 0777);
    const char *files[][2] = {
        {"s.xml", "<scenario name='t' experiment='fake_file'><param name='data' value='data.txt'/>"
                  "<param name='platform' value='p.xml'/></scenario>"},
        {"p.xml", "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
                  "<platform version=\"4.1\"><zone id='z' routing='Full'><host id='h' speed='1f' "
                  "availability_file='profile.txt'/></zone></platform>"},
        {"data.txt", data},
        {"profile.txt", profile},
    };
    for (int i = 0; i < 4; i++) {
        char *path = mem_format("%s/%s", folder, files[i][0]);
        fake_write(path, files[i][1]);
        free(path);
    }
    char *path = mem_format("%s/s.xml", folder);
    CHECK_OK(scenario_read(path, &o, &s, &e), e);
    if (e.code == ERR_NONE)
        turn_key(&s, 0, key);
    scenario_clear(&s);
    free(path);
    free(folder);
    return mem_strdup(key);
}

static void files_count_by_what_they_hold(void)
{
    char *here = key_in_folder("here", "data", "0 1.0\n");
    char *there = key_in_folder("there", "data", "0 1.0\n");
    char *data = key_in_folder("data", "other", "0 1.0\n");
    char *profile = key_in_folder("profile", "data", "0 0.5\n");
    CHECK_TEXT(there, here);
    CHECK(strcmp(data, here) != 0);
    CHECK(strcmp(profile, here) != 0);
    free(here);
    free(there);
    free(data);
    free(profile);
}

/* Of the first point of `fake`, in which `mode` varies nothing that is drawn. */
static uint64_t stream_of(const char *content, bool has_variant, long replication)
{
    struct run_param rows[8];
    struct scenario s;
    struct err e = {0};
    uint64_t stream = 0;
    CHECK_OK(fake_scenario(&s, "fake", content, &e), e);
    if (e.code == ERR_NONE) {
        struct run_kind x = fake_that_says(s.experiment, rows, "mode", has_variant ? RUN_VARIANT : 0);
        s.experiment = &x;
        stream = turn_stream(&s, &(struct turn){0, replication});
        s.experiment = &fake;
    }
    scenario_clear(&s);
    return stream;
}

static void streams_differ_by_point_and_replication(void)
{
    const char *other = "<param name='x' value='2'/>";
    CHECK(stream_of("", false, 1) != stream_of("", false, 2));
    CHECK(stream_of("", false, 1) != stream_of(other, false, 1));
    CHECK(stream_of(other, false, 1) == stream_of(other, false, 1));
    fake_folder_remove();
}

static void variants_share_a_stream(void)
{
    const char *talk = "<param name='mode' value='talk'/>", *other = "<param name='x' value='2'/>";
    CHECK(stream_of(talk, false, 1) != stream_of("", false, 1));
    CHECK(stream_of(talk, true, 1) == stream_of("", true, 1));
    CHECK(stream_of(talk, true, 1) == stream_of("", false, 1)); /* that of the default */
    CHECK(stream_of(talk, true, 1) != stream_of(talk, true, 2));
    CHECK(stream_of(other, true, 1) != stream_of("", true, 1));
    fake_folder_remove();
}

/* `mode` makes it random; `x` names the instance. */
static void where_a_parameter_makes_it_random_the_instance_is_what_draws(void)
{
    struct run_param random[8], rows[8];
    static const char *const contents[] = {"", "<param name='mode' value='talk'/>", "<param name='n' value='3'/>",
                                           "<param name='x' value='2'/>"};
    uint64_t streams[4] = {0};
    for (int i = 0; i < 4; i++) {
        struct scenario s;
        struct err e = {0};
        CHECK_OK(fake_scenario(&s, "fake", contents[i], &e), e);
        struct run_kind x = *s.experiment;
        x.is_random = false;
        s.experiment = &x;
        CHECK(!scenario_is_random(&s));
        x = fake_that_says(&x, random, "mode", RUN_RANDOM);
        x = fake_that_says(&x, rows, "x", RUN_INSTANCE);
        CHECK(scenario_is_random(&s));
        streams[i] = turn_stream(&s, &(struct turn){0, 1});
        CHECK(streams[i] != turn_stream(&s, &(struct turn){0, 2}));
        s.experiment = &fake;
        scenario_clear(&s);
    }
    CHECK(streams[1] == streams[0] && streams[2] == streams[0] && streams[3] != streams[0]);
    fake_folder_remove();
}

static const struct test tests[] = {
    {"points are in document order", points_are_in_document_order},
    {"turns visit each run once and keep what is shared together",
     turns_visit_each_run_once_and_keep_what_is_shared_together},
    {"what several parameters share is kept together as well", what_several_parameters_share_is_kept_together_too},
    {"keys change with what determines the result", keys_change_with_what_determines_the_result},
    {"keys stay with what does not", keys_stay_with_what_does_not},
    {"an experiment without randomness has no seed", an_experiment_without_randomness_has_no_seed},
    {"files count by what they hold", files_count_by_what_they_hold},
    {"streams differ by point and replication", streams_differ_by_point_and_replication},
    {"variants share a stream", variants_share_a_stream},
    {"where a parameter makes it random the instance is what draws",
     where_a_parameter_makes_it_random_the_instance_is_what_draws},
};
TEST_MAIN(tests)
