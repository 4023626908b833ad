/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One point alone: found by its key, and the same figures as in the sweep. */
#include "sweep/only.h"

#include "check.h"
#include "scenario/fake.h"

static const char mixed[] = "<sweep name='x'><range from='0' to='9' step='1'/></sweep>"
                            "<sweep name='n'><value>0</value><value>3</value></sweep>"
                            "<sweep name='machine'><value>good</value><value>good2</value></sweep>";

static void read_into(struct scenario *s, const char *experiment, const char *content, const char *replications)
{
    struct err e = {0};
    CHECK_OK(fake_scenario_set(s, experiment, content, &replications, 1, &e), e);
}

static void a_point_is_found_by_its_key_and_replication(void)
{
    struct scenario s;
    struct err e = {0};
    read_into(&s, "fake", mixed, "replications=3");
    for (uint64_t turn = 0; turn < turn_count(&s); turn++) {
        struct turn t = turn_at(&s, turn);
        char key[DIGEST_HEX_SIZE], which[64];
        uint64_t whole = 0, prefix = 0;
        turn_key(&s, t.point, key);
        snprintf(which, sizeof which, "%s/%ld", key, t.replication);
        CHECK_OK(only_find(&s, which, &whole, &e), e);
        CHECK_INT(whole, turn);
        for (char *c = key; *c != '\0'; c++)
            *c = (char)(*c >= 'a' ? *c - 'a' + 'A' : *c);
        snprintf(which, sizeof which, "%.12s/%ld", key, t.replication);
        CHECK_OK(only_find(&s, which, &prefix, &e), e);
        CHECK_INT(prefix, turn);
    }
    scenario_clear(&s);
}

static void check_refused(const struct scenario *s, const char *which, const char *want)
{
    struct err e = {0};
    uint64_t turn;
    CHECK(only_find(s, which, &turn, &e) == ERR_INPUT);
    CHECK_CONTAINS(e.text, want);
}

static void what_is_no_key_is_refused(void)
{
    struct scenario s;
    char key[DIGEST_HEX_SIZE], text[64];
    read_into(&s, "fake", mixed, "replications=3");
    turn_key(&s, 5, key);
    check_refused(&s, "", "'' is not a key: a key has 32 digits");
    check_refused(&s, "/1", "'' is not a key");
    check_refused(&s, "abcde", "'abcde' is not a key");
    check_refused(&s, "0123456g", "'0123456g' is not a key");
    check_refused(&s, "00000000000000000000000000000000f", "is not a key");
    check_refused(&s, "00000000000000000000000000000000", "scenario t has no point with the key 0000");
    const char *const numbers[] = {"", "0", "4", "x", "1/1", "-1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        snprintf(text, sizeof text, "%s/%s", key, numbers[i]);
        check_refused(&s, text, "scenario t has 1 to 3");
    }
    check_refused(&s, key, "has 3 replications; name one");
    scenario_clear(&s);
}

/* Of ten thousand keys some agree in their first 6 digits: 3 pairs are to be expected. */
static void a_prefix_of_two_keys_is_refused(void)
{
    struct scenario s;
    read_into(&s, "fake", "<sweep name='x'><range from='1' to='10000' step='1'/></sweep>", "replications=1");
    unsigned char *seen = mem_zalloc(1 << 24, 1);
    char key[DIGEST_HEX_SIZE] = "";
    bool found = false;
    for (uint64_t point = 0; point < s.n_points && !found; point++) {
        turn_key(&s, point, key);
        key[ONLY_MIN_DIGITS] = '\0';
        found = seen[strtoul(key, NULL, 16)]++ > 0;
    }
    CHECK(found);
    check_refused(&s, key, "more than one point begins with");
    check_refused(&s, key, key);
    free(seen);
    scenario_clear(&s);
}

struct sweep {
    const struct scenario *s;
    uint64_t next;
    double (*metrics)[RUN_MAX_METRICS];
};

static enum err_code next(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e)
{
    struct sweep *w = self;
    (void)e;
    *turn = w->next++;
    *supply = *turn < turn_count(w->s) ? POOL_TURN : POOL_END;
    return ERR_NONE;
}

static enum err_code done(void *self, const struct pool_result *r, struct err *e)
{
    struct sweep *w = self;
    (void)e;
    memcpy(w->metrics[r->turn], r->metrics, 2 * sizeof(double));
    return ERR_NONE;
}

static enum err_code at_pause(void *self, struct err *e)
{
    (void)self;
    (void)e;
    return ERR_NONE;
}

static void its_figures_are_those_of_the_sweep(void)
{
    struct scenario s;
    struct err e = {0};
    const struct run_options options = {.pool = {.n_jobs = 1}, .shard = 1, .n_shards = 1};
    read_into(&s, "fake_forked", mixed, "replications=2");
    struct sweep w = {.s = &s, .metrics = mem_zalloc(turn_count(&s), sizeof *w.metrics)};
    CHECK_OK(pool_run(&s, &(struct pool_options){.n_jobs = 2}, &(struct pool_client){&w, next, done, at_pause}, &e), e);
    CHECK(w.metrics[0][0] != w.metrics[1][0]); /* two replications */
    for (uint64_t turn = 0; turn < turn_count(&s); turn += 7) {
        struct only_result r;
        CHECK_OK(only_run(&s, turn, &options, &r, &e), e);
        CHECK(memcmp(r.metrics, w.metrics[turn], 2 * sizeof(double)) == 0);
        CHECK(r.error == NULL);
        CHECK_INT(r.turn.replication, turn_at(&s, turn).replication);
        only_result_clear(&r);
    }
    free(w.metrics);
    scenario_clear(&s);
}

static void its_failure_is_told(void)
{
    struct scenario s;
    struct err e = {0};
    struct only_result r;
    const struct run_options options = {.pool = {.n_jobs = 1, .time_limit_s = 0.2}, .shard = 1, .n_shards = 1};
    read_into(&s, "fake",
              "<sweep name='mode'><value>fail</value><value>garbage</value><value>segv</value>"
              "<value>loop</value></sweep>",
              "replications=1");
    static const char *const want[] = {"some.xml:7: it does, \"sadly\", not work", "cut ? here",
                                       "crashed with SIGSEGV (Segmentation fault)",
                                       "not done within the time limit of 0.2 s"};
    for (uint64_t turn = 0; turn < 4; turn++) {
        CHECK_OK(only_run(&s, turn, &options, &r, &e), e);
        CHECK_TEXT(r.error, want[turn]);
        CHECK(isnan(r.metrics[0]));
        only_result_clear(&r);
    }
    scenario_clear(&s);
}

static const struct test tests[] = {
    {"a point is found by its key and replication", a_point_is_found_by_its_key_and_replication},
    {"a text that is not a key is refused", what_is_no_key_is_refused},
    {"a prefix of two keys is refused", a_prefix_of_two_keys_is_refused},
    {"its figures are those of the sweep", its_figures_are_those_of_the_sweep},
    {"its failure is reported", its_failure_is_told},
};
TEST_MAIN(tests)
