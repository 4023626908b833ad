/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pool alone: time limits, workers that die, values that cannot be prepared. */
#include "sweep/pool.h"

#include "check.h"
#include "scenario/fake.h"
#include "scenario/turn.h"

#include <sys/wait.h>

struct sweep {
    struct scenario s;
    uint64_t next;
    size_t n_told;
    char **errors; /* by turn; NULL: it worked */
    bool *is_told;
    unsigned n_kills_left; /* of workers, one now and then: who is killed again and again is given up */
    size_t n_told_before;
    int n_in_workers; /* points of fake_simulates that ran in the process that prepared */
};

static enum err_code next(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e)
{
    struct sweep *w = self;
    (void)e;
    *turn = w->next++;
    *supply = *turn < turn_count(&w->s) ? POOL_TURN : POOL_END;
    return ERR_NONE;
}

static enum err_code done(void *self, const struct pool_result *r, struct err *e)
{
    struct sweep *w = self;
    (void)e;
    CHECK(!w->is_told[r->turn]);
    w->is_told[r->turn] = true;
    w->n_told++;
    w->n_in_workers += r->metrics[2] == 1;
    w->errors[r->turn] = r->error != NULL ? mem_strdup(r->error) : NULL;
    return ERR_NONE;
}

/* Passes over every fifth. */
static enum err_code next_of_some(void *self, uint64_t *turn, enum pool_supply *supply, struct err *e)
{
    enum err_code code = next(self, turn, supply, e);
    if (*supply == POOL_TURN && *turn % 5 == 3)
        *supply = POOL_LATER;
    return code;
}

static pid_t some_worker(void)
{
    char path[64];
    long pid = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)getpid(), (long)getpid());
    FILE *f = fopen(path, "r");
    if (f == NULL || fscanf(f, "%ld", &pid) != 1)
        pid = 0;
    if (f != NULL)
        fclose(f);
    return (pid_t)pid;
}

static enum err_code at_pause(void *self, struct err *e)
{
    struct sweep *w = self;
    (void)e;
    pid_t worker = w->n_kills_left > 0 && w->n_told >= w->n_told_before + 10 ? some_worker() : 0;
    if (worker > 0 && kill(worker, SIGKILL) == 0) {
        w->n_kills_left--;
        w->n_told_before = w->n_told;
    }
    return ERR_NONE;
}

static void sweep_init(struct sweep *w, const char *experiment, const char *content)
{
    struct err e = {0};
    *w = (struct sweep){0};
    CHECK_OK(fake_scenario(&w->s, experiment, content, &e), e);
    w->errors = mem_zalloc(turn_count(&w->s), sizeof *w->errors);
    w->is_told = mem_zalloc(turn_count(&w->s), sizeof *w->is_told);
}

static void sweep_clear(struct sweep *w)
{
    for (uint64_t i = 0; i < turn_count(&w->s); i++)
        free(w->errors[i]);
    free(w->errors);
    free(w->is_told);
    scenario_clear(&w->s);
}

static enum err_code sweep_run(struct sweep *w, int n_jobs, double time_limit_s, struct err *e)
{
    return pool_run(&w->s, &(struct pool_options){.n_jobs = n_jobs, .time_limit_s = time_limit_s},
                    &(struct pool_client){w, next, done, at_pause}, e);
}

static size_t count_errors(const struct sweep *w, const char *text)
{
    size_t n = 0;
    for (uint64_t i = 0; i < turn_count(&w->s); i++)
        n += w->errors[i] != NULL && strstr(w->errors[i], text) != NULL;
    return n;
}

/* --- time --- */

static void only_the_point_that_loops_fails(void)
{
    const char content[] =
        "<sweep name='x'><range from='1' to='10' step='1'/></sweep><sweep name='mode'><value>ok</value>"
        "<value>loop</value><value>fail</value></sweep>";
    for (int forked = 0; forked < 2; forked++) {
        struct sweep w;
        struct err e = {0};
        sweep_init(&w, forked ? "fake_forked" : "fake", content);
        CHECK_OK(sweep_run(&w, 5, 0.5, &e), e);
        CHECK_INT(w.n_told, 30);
        CHECK_INT(count_errors(&w, "not done within the time limit of 0.5 s"), 10);
        CHECK_INT(count_errors(&w, "some.xml:7"), 10);
        CHECK_INT(count_errors(&w, ""), 20);
        sweep_clear(&w);
    }
}

/* Points wait their turn in a worker's queue, and that does not count. The quick ones before make it long. */
static void waiting_for_the_points_before_is_no_time_of_ones_own(void)
{
    struct sweep w;
    struct err e = {0};
    sweep_init(&w, "fake",
               "<sweep name='sleep_ms'><value>0</value><value>100</value></sweep>"
               "<sweep name='x'><range from='1' to='15' step='1'/></sweep>");
    CHECK_OK(sweep_run(&w, 1, 0.7, &e), e);
    CHECK_INT(w.n_told, 30);
    CHECK_INT(count_errors(&w, ""), 0);
    sweep_clear(&w);
}

/* --- deaths --- */

/* Two of them in each sweep, because a third one over the same point costs that point (MAX_KILLS), and on a slow
   machine chance might choose it. */
static void killed_workers_cost_no_point(void)
{
    for (int round = 0; round < 10; round++) {
        struct sweep w;
        struct err e = {0};
        sweep_init(&w, round % 2 == 1 ? "fake_forked" : "fake",
                   "<sweep name='x'><range from='1' to='40' step='1'/></sweep><param name='sleep_ms' value='2'/>");
        w.n_kills_left = 2;
        CHECK_OK(sweep_run(&w, 2, 0, &e), e);
        CHECK_INT(w.n_kills_left, 0);
        CHECK_INT(w.n_told, 40);
        CHECK_INT(count_errors(&w, ""), 0);
        sweep_clear(&w);
    }
}

static void a_point_that_kills_its_worker_is_given_up_after_some_tries(void)
{
    struct sweep w;
    struct err e = {0};
    sweep_init(&w, "fake_forked", "<sweep name='mode'><value>ok</value><value>kill_parent</value></sweep>");
    CHECK_OK(sweep_run(&w, 1, 0, &e), e);
    CHECK(w.errors[0] == NULL);
    CHECK_TEXT(w.errors[1], "crashed with SIGKILL (Killed)");
    sweep_clear(&w);
}

/* --- the last point of a worker --- */

static void the_last_point_of_a_worker_runs_there(void)
{
    for (int n_jobs = 1; n_jobs <= 3; n_jobs++) {
        struct sweep w;
        struct err e = {0};
        sweep_init(&w, "fake_simulates",
                   "<sweep name='machine'><value>good1</value><value>good2</value><value>good3</value></sweep>"
                   "<sweep name='n'><range from='1' to='4' step='1'/></sweep>");
        CHECK_OK(sweep_run(&w, n_jobs, 0, &e), e);
        CHECK_INT(w.n_told, 12);
        CHECK_INT(count_errors(&w, ""), 0);
        CHECK_INT(w.n_in_workers, 3);
        sweep_clear(&w);
    }
}

/* The point that takes its worker along is run again in a process of its own, and fails as others do. */
static void a_last_point_that_crashes_fails_alone(void)
{
    static const char *const modes[] = {"segv", "exit", "abort", "fail"};
    static const char *const errors[] = {"crashed with SIGSEGV", "ended with status 5", "the reason is", "not work"};
    for (int i = 0; i < 4; i++) {
        struct sweep w;
        struct err e = {0};
        char *content = mem_format("<sweep name='machine'><value>good1</value><value>good2</value></sweep>"
                                   "<sweep name='n'><range from='1' to='2' step='1'/></sweep>"
                                   "<sweep name='mode'><value>ok</value><value>%s</value></sweep>",
                                   modes[i]);
        sweep_init(&w, "fake_simulates", content);
        CHECK_OK(sweep_run(&w, 1 + i % 2, 0, &e), e);
        CHECK_INT(w.n_told, 8);
        CHECK_INT(count_errors(&w, errors[i]), 4);
        CHECK_INT(count_errors(&w, ""), 4);
        free(content);
        sweep_clear(&w);
    }
}

/* --- what cannot be prepared --- */

static void check_nothing_told(const char *machines, enum err_code code, const char *text)
{
    struct sweep w;
    struct err e = {0};
    char *content = mem_format(
        "<sweep name='x'><range from='1' to='9' step='1'/></sweep><sweep name='machine'>%s</sweep>", machines);
    sweep_init(&w, "fake_forked", content);
    CHECK(sweep_run(&w, 2, 0, &e) == code);
    CHECK_CONTAINS(e.text, text);
    CHECK_INT(w.n_told, 0);
    sweep_clear(&w);
    free(content);
}

static void when_nothing_can_be_prepared_that_is_the_error(void)
{
    check_nothing_told("<value>refuse</value>", ERR_PARSE, "machine.xml:3: cannot be loaded");
    check_nothing_told("<value>crash</value>", ERR_INPUT, "crashed with SIGABRT (Aborted):   what():  bad machine");
    check_nothing_told("<value>refuse</value><value>crash</value>", ERR_PARSE, "machine.xml:3: cannot be loaded");
}

static void what_can_be_prepared_is_run_wherever_it_stands(void)
{
    static const char *const orders[] = {"<value>refuse</value><value>crash</value><value>good</value>",
                                         "<value>good</value><value>crash</value><value>refuse</value>"};
    for (int i = 0; i < 2; i++) {
        struct sweep w;
        struct err e = {0};
        char *content = mem_format(
            "<sweep name='machine'>%s</sweep><sweep name='n'><range from='1' to='5' step='1'/></sweep>", orders[i]);
        sweep_init(&w, "fake", content);
        CHECK_OK(sweep_run(&w, 2, 0, &e), e);
        CHECK_INT(w.n_told, 15);
        CHECK_INT(count_errors(&w, "cannot be loaded"), 5);
        CHECK_INT(count_errors(&w, "bad machine"), 5);
        CHECK_INT(count_errors(&w, ""), 10);
        sweep_clear(&w);
        free(content);
    }
}

/* However many cannot be prepared before the first one that can. */
static void many_that_cannot_be_prepared_cost_their_points_only(void)
{
    static const char *const faults[] = {"refuse", "crash"};
    enum { N_BAD = 130 };
    for (int i = 0; i < 2; i++) {
        struct sweep w;
        struct err e = {0};
        struct text content = {0};
        text_addf(&content, "<sweep name='machine'>");
        for (int bad = 0; bad < N_BAD; bad++)
            text_addf(&content, "<value>%s%d</value>", faults[i], bad);
        text_addf(&content, "<value>good</value></sweep><sweep name='n'><value>1</value><value>2</value></sweep>");
        sweep_init(&w, "fake", text_str(&content));
        CHECK_OK(sweep_run(&w, 2, 0, &e), e);
        CHECK_INT(w.n_told, 2 * N_BAD + 2);
        CHECK_INT(count_errors(&w, ""), 2 * N_BAD);
        sweep_clear(&w);
        text_clear(&content);
    }
}

static void a_client_may_take_its_time(void)
{
    struct sweep w;
    struct err e = {0};
    sweep_init(&w, "fake", "<sweep name='x'><range from='1' to='100' step='1'/></sweep>");
    CHECK_OK(pool_run(&w.s, &(struct pool_options){.n_jobs = 2},
                      &(struct pool_client){&w, next_of_some, done, at_pause}, &e),
             e);
    CHECK_INT(w.n_told, 80);
    sweep_clear(&w);
}

static const struct test tests[] = {
    {"only the point that loops fails", only_the_point_that_loops_fails},
    {"waiting for the points before is no time of one's own", waiting_for_the_points_before_is_no_time_of_ones_own},
    {"killed workers cost no point", killed_workers_cost_no_point},
    {"a point that kills its worker is given up after some tries",
     a_point_that_kills_its_worker_is_given_up_after_some_tries},
    {"the last point of a worker runs there", the_last_point_of_a_worker_runs_there},
    {"a last point that crashes fails alone", a_last_point_that_crashes_fails_alone},
    {"when nothing can be prepared that is the error", when_nothing_can_be_prepared_that_is_the_error},
    {"what can be prepared is run wherever it stands", what_can_be_prepared_is_run_wherever_it_stands},
    {"many that cannot be prepared cost their points only", many_that_cannot_be_prepared_cost_their_points_only},
    {"a client may take its time", a_client_may_take_its_time},
};
TEST_MAIN(tests)
