/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Active waiting (doc/model.md, Replay): by hand, and over random graphs, platforms, beliefs, worlds and links beside
   naive_replay.h. Hosts do 1000 flop/s, links carry 1 MB/s unless said otherwise. */
#include "compare_replays.h"
#include "naive_replay.h"
#include "replay_case.h"
#include "replay_trial.h"
#include "schedulers/scheduler.h"

/* ---- by hand ---- */

#define BYTES "1000000"
#define PAIR(a, b, link) CM02 HOST("a", a) HOST("b", b) link ROUTE("a", "b", "l") END_OF_PLATFORM
#define PLAIN PAIR("", "", MBPS("l", "1"))
#define OF_SENDER(o, i) PROP("overhead_send", o) PROP("involvement_send", i)
#define OF_RECEIVER(o, i) PROP("overhead_recv", o) PROP("involvement_recv", i)
#define FROM_A_TO_B "task A a 0 1\n task B b 2 3\n"

static void a_send_holds_its_processor_until_the_data_are_there(void)
{
    /* D on a can begin only then */
    CHECK_ACTIVE_BOTH(PLAIN, "A:1000 B:1000 D:1000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic", "none",
                      "send A B 1 2\n move A B 1 2\n recv A B 0 2\n task B 2 3\n task D 2 3\n makespan 3\n"
                      "host a 2 1\n host b 1 2\n");
    CHECK_ACTIVE_BOTH(PLAIN, "A:1000 B:1000 D:1000 | A>B:0", FROM_A_TO_B "task D a 1 2\n", "classic", "none",
                      "send A B 1 1\n recv A B 0 1\n task B 1 2\n task D 1 2\n host a 2 0\n host b 1 1\n");
}

#define INVOLVED PAIR(OF_SENDER("0.1", "0.5"), OF_RECEIVER("0.2", "0.25"), MBPS("l", "1"))

static void the_last_byte_lets_both_processors_go(void)
{
    /* A = 2.1: the send until then, the receive 0.2 longer */
    CHECK_ACTIVE_BOTH(INVOLVED, "A:1000 B:1000 D:1000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic",
                      "involvement",
                      "send A B 1 2.1\n move A B 1.1 2.1\n recv A B 0 2.3\n task B 2.3 3.3\n task D 2.1 3.1\n"
                      "host a 2 1.1\n host b 1 2.3\n");
    /* reached late, at R = 5: i_r = 0.25, then o_r */
    CHECK_ACTIVE_BOTH(INVOLVED, "A:1000 B:1000 E:5000 | A>B:" BYTES, FROM_A_TO_B "task E b 0 1\n", "classic",
                      "involvement", "send A B 1 2.1\n move A B 1.1 2.1\n recv A B 5 5.45\n task B 5.45 6.45\n");
    /* reached at R = 2: i_r = 0.25 lasts longer than the data */
    CHECK_ACTIVE_BOTH(INVOLVED, "A:1000 B:1000 E:2000 | A>B:" BYTES, FROM_A_TO_B "task E b 0 1\n", "classic",
                      "involvement", "recv A B 2 2.45\n task B 2.45 3.45\n");
}

static void involvement_may_outlast_the_data(void)
{
    /* by the schedule's bandwidth data take 1 s on the link, but from 0.5 on it is ten times faster */
    static const char platform[] = CM02 HOST("a", OF_SENDER("0.5", "1")) HOST("b", "")
        LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\"") ROUTE("a", "b", "l")
            END_OF_PLATFORM;
    char *profile = file_with("bandwidth", "0.5 1e7\n");
    CHECK_ACTIVE_BOTH(platform, "A:1000 B:1000 D:1000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic",
                      "involvement", "send A B 1 2.5\n move A B 1.5 1.6\n recv A B 0 1.6\n task D 2.5 3.5\n");
    free(profile);
}

static void sends_of_one_task_follow_one_another(void)
{
    /* side by side they would take 2 s and 3 s */
    CHECK_ACTIVE_BOTH(PLAIN, "A:1000 B:1000 C:1000 | A>B:2000000 A>C:" BYTES,
                      "task A a 0 1\n task B b 2 3\n task C b 5 6\n", "classic", "none",
                      "send A B 1 3\n send A C 3 4\n recv A B 0 3\n task B 3 4\n recv A C 4 4\n task C 4 5\n");
    CHECK_REPLAY(PLAIN, "A:1000 B:1000 C:1000 | A>B:2000000 A>C:" BYTES, "task A a 0 1\n task B b 2 3\n task C b 5 6\n",
                 "classic", "none", REPLAY_FLUID, "move A C 1 3\n move A B 1 4\n");
}

static void rates_charge_only_a_processor_that_is_not_held(void)
{
    /* D on b runs at 0.8 while the data come, and C on c sends nothing: a is held for 1 s, not for 1.5 */
    CHECK_ACTIVE_BOTH(PAIR(PROP("ir_send", "0.5"), PROP("ir_recv", "0.2"), MBPS("l", "1")),
                      "A:1000 B:1000 D:1800 | A>B:" BYTES, FROM_A_TO_B "task D b 0 1\n", "classic", "interference",
                      "send A B 1 2\n task D 0 2\n recv A B 2 2\n task B 2 3\n host a 1 1\n host b 2.8 0.2\n");
}

/* e: C -> D over l; f: A -> B over l. On l, f comes first; on a, A comes after e's send. */
static void a_send_that_waits_for_a_later_one_is_a_circle(void)
{
    static const char graph[] = "C:1000 D:1000 A:1000 B:1000 | C>D:" BYTES " A>B:" BYTES;
    static const char plan[] = "task C a 0 1\n task D b 5 6\n task A a 2 3\n task B b 4 5\n link A B 0 3 4\n"
                               "link C D 0 4 5\n";
    CHECK_REPLAY_BOTH(PLAIN, graph, plan, "contention", "none", "task A 1 2\n");
    CHECK_ACTIVE(PLAIN, graph, plan, "contention", "none", REPLAY_FLUID, "send C D 1 2\n task A 2 3\n send A B 3 4\n");
    CHECK_ACTIVE(PLAIN, graph, plan, "contention", "none", REPLAY_EXCLUSIVE,
                 "error its order has a cycle: link 'l' waits to carry A -> B before it carries C -> D; host 'a' waits "
                 "until the data of C -> D have arrived before it computes A");
}

/* ---- beside another implementation ---- */

/* An error that names a circle is what is wanted where the other one is stuck. */
static enum err_code judge(const struct schedule *s, enum err_code code, const struct replay_result *got,
                           const struct naive *want, bool is_stuck, struct verdict *v)
{
    if (code == ERR_NONE && is_stuck)
        return err_set(&v->e, ERR_INTERNAL, "carried out what waits for itself");
    if (code == ERR_NONE)
        compare_both(v, s, got, want);
    v->is_refused = code == ERR_INPUT && is_stuck && strstr(v->e.text, "has a cycle: ") != NULL;
    return v->is_refused ? ERR_NONE : code;
}

static enum err_code compare_with_naive(const struct trial *t, struct planned *x, struct verdict *v)
{
    struct replay_options options = {.links = t->links, .waiting = t->waiting};
    struct replay_result got = {0};
    struct naive want;
    enum err_code code = open_and_plan(t, x, &v->e);
    if (code == ERR_NONE)
        code = world_find(t->world, &options.world, &v->e);
    if (code != ERR_NONE)
        return code;
    bool is_stuck = !naive_replay(&want, &x->schedule, options.world, t->links, t->waiting);
    code = replay_run(x->engine, &x->schedule, &options, &got, &v->e);
    code = judge(&x->schedule, code, &got, &want, is_stuck, v);
    replay_result_clear(&got);
    naive_clear(&want);
    return code;
}

static int n_refused;

enum { N_TRIALS = 90 };

static void check_trials(enum replay_waiting waiting)
{
    static const char *const models[] = {"classic", "contention", "involvement"};
    static const char *const worlds[] = {"none", "interference", "involvement"};
    n_refused = 0;
    FOR_RANDOM_CASES (number, N_TRIALS) {
        uint64_t i = 7 * number; /* few cases have all kinds, too */
        struct trial t = {.number = i, .model = models[i % 3], .world = worlds[i / 3 % 3]};
        t.waiting = waiting;
        t.links = i / 9 % 2 ? REPLAY_EXCLUSIVE : REPLAY_FLUID;
        t.shape = (enum shape)(i / 18 % N_SHAPES);
        t.scheduler = ways[i / 7 % N_WAYS];
        t.has_latency = i / 5 % 2;
        t.has_overhead = i / 11 % 2;
        t.has_interference = true;
        char *path = write_platform(&t);
        t.platform_path = path;
        n_refused += check_verdict(&t, compare_with_naive).is_refused;
        free(path);
    }
}

static void both_implementations_agree(void)
{
    int n_trials = random_cases(N_TRIALS);
    check_trials(REPLAY_ACTIVE);
    CU_ASSERT(n_refused >= n_trials / 60 && n_refused <= n_trials / 2);
}

static void both_agree_where_waiting_is_passive(void)
{
    check_trials(REPLAY_PASSIVE);
    CU_ASSERT(n_refused == 0);
}

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct test tests[] = {
    TEST(a_send_holds_its_processor_until_the_data_are_there),
    TEST(the_last_byte_lets_both_processors_go),
    TEST(involvement_may_outlast_the_data),
    TEST(sends_of_one_task_follow_one_another),
    TEST(rates_charge_only_a_processor_that_is_not_held),
    TEST(a_send_that_waits_for_a_later_one_is_a_circle),
    TEST(both_implementations_agree),
    TEST(both_agree_where_waiting_is_passive),
};
TEST_MAIN(tests)
