/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that need both ends (doc/model.md, Replay, rendezvous): naive_rendezvous.h and the engine beside figures
   made by hand, and beside each other over random graphs, platforms, beliefs and worlds. Hosts do 1000 flop/s, links
   carry 1 MB/s unless said otherwise. */
#include "compare_replays.h"
#include "naive_rendezvous.h"

#define REPLAY_RUN run_chosen
#define REPLAY_PREPARE(e) ERR_NONE
#define REPLAY_MAY_REFUSE(text) false
static enum err_code run_chosen(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                                struct replay_result *out, struct err *e);
#include "replay_case.h"
#include "replay_trial.h"

/* ---- by hand ---- */

static struct naive_choice chosen; /* for the child that comes next */
static bool is_by_engine;

static struct replay_options options_of(struct naive_choice choice, const struct world_model *world)
{
    static const enum replay_progress progress[] = {
        [NAIVE_HARDWARE] = REPLAY_HARDWARE, [NAIVE_CALLS] = REPLAY_CALLS, [NAIVE_POLLS] = REPLAY_POLLS};
    return (struct replay_options){.world = world,
                                   .links = REPLAY_FLUID,
                                   .waiting = REPLAY_RENDEZVOUS,
                                   .progress = progress[choice.progress],
                                   .eager_bytes = choice.eager_bytes};
}

static enum err_code run_naive(const struct schedule *s, const struct world_model *world, struct replay_result *out,
                               struct err *e)
{
    struct rendezvous r;
    rendezvous_prepare(&r, s, world, chosen);
    if (!rendezvous_run(&r)) {
        rendezvous_clear(&r);
        return err_set(e, ERR_INPUT, "it waits for itself");
    }
    *out = r.v.out;
    r.v.out = (struct replay_result){0};
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++)
        out->makespan_s = fmax(out->makespan_s, out->tasks[t].finish_s);
    rendezvous_clear(&r);
    return ERR_NONE;
}

static enum err_code run_chosen(struct engine *engine, const struct schedule *s, const struct replay_options *options,
                                struct replay_result *out, struct err *e)
{
    struct replay_options own = options_of(chosen, options->world);
    return is_by_engine ? replay_run(engine, s, &own, out, e) : run_naive(s, options->world, out, e);
}

static void check_meeting(int line, enum naive_progress progress, double eager_bytes, struct replay_case c,
                          const char *platform)
{
    chosen = (struct naive_choice){progress, eager_bytes};
    is_by_engine = false;
    check_replay(__FILE__, line, platform, c);
    is_by_engine = true;
    check_replay(__FILE__, line, platform, c);
}

#define CHECK_MEETING(progress, eager_bytes, platform, graph, plan, world, want)                                       \
    check_meeting(__LINE__, progress, eager_bytes,                                                                     \
                  (struct replay_case){NULL, graph, plan, "classic", world, REPLAY_FLUID, want, REPLAY_PASSIVE},       \
                  platform)

#define MB "1000000"
#define PAIR(a, b, link) CM02 HOST("a", a) HOST("b", b) link ROUTE("a", "b", "l") END_OF_PLATFORM
#define PLAIN PAIR("", "", MBPS("l", "1"))
/* three hosts, a link between each two of them that is shared by both directions */
#define CLIQUE(a, b, c)                                                                                                \
    CM02 HOST("a", a) HOST("b", b) HOST("c", c) MBPS("ab", "1") MBPS("ac", "1") MBPS("bc", "1") ROUTE("a", "b", "ab")  \
        ROUTE("a", "c", "ac") ROUTE("b", "c", "bc") END_OF_PLATFORM
#define ONE_WAY(a, b, l) "<route src=\"" a "\" dst=\"" b "\" symmetrical=\"NO\"><link_ctn id=\"" l "\"/></route>\n"
/* two hosts, a link of its own for each direction */
#define DUPLEX(a, b)                                                                                                   \
    CM02 HOST("a", a) HOST("b", b) MBPS("l", "1") MBPS("k", "1") ONE_WAY("a", "b", "l") ONE_WAY("b", "a", "k")         \
        END_OF_PLATFORM
#define OVERHEAD(s, r) PROP("overhead_send", s) PROP("overhead_recv", r)
#define INVOLVEMENT(s, r) PROP("involvement_send", s) PROP("involvement_recv", r)

/* A: 0 to 1, then its send; X computes for 3 s after that; the receive is reached at 0. */
#define LATER_GRAPH "A:1000 X:3000 B:1000 | A>B:" MB
#define LATER_PLAN "task A a 0 1\n task X a 1 4\n task B b 5 6\n"

static void a_source_that_computes_moves_nothing_but_in_hardware(void)
{
    CHECK_MEETING(NAIVE_HARDWARE, 0, PLAIN, LATER_GRAPH, LATER_PLAN, "none",
                  "send A B 1 1\n move A B 1 2\n recv A B 0 2\n task B 2 3\n task X 1 4\n makespan 4\n");
    /* the end of a's list is a call: from 4 on */
    CHECK_MEETING(NAIVE_CALLS, 0, PLAIN, LATER_GRAPH, LATER_PLAN, "none",
                  "send A B 1 1\n move A B 4 5\n recv A B 0 5\n task B 5 6\n task X 1 4\n makespan 6\n");
    CHECK_MEETING(NAIVE_POLLS, 0, PLAIN, LATER_GRAPH, LATER_PLAN, "none",
                  "send A B 1 1\n move A B 4 5\n recv A B 0 5\n task B 5 6\n task X 1 4\n makespan 6\n");
}

static void a_message_of_at_most_eager_bytes_leaves_at_once(void)
{
    for (int progress = NAIVE_HARDWARE; progress <= NAIVE_POLLS; progress++) {
        CHECK_MEETING((enum naive_progress)progress, 1e6, PLAIN, LATER_GRAPH, LATER_PLAN, "none",
                      "send A B 1 1\n move A B 1 2\n recv A B 0 2\n task B 2 3\n makespan 4\n");
        /* the receive is reached at 3 */
        CHECK_MEETING((enum naive_progress)progress, 1e6, PLAIN, "A:1000 E:3000 B:1000 | A>B:" MB,
                      "task A a 0 1\n task E b 0 3\n task B b 5 6\n", "none",
                      "move A B 1 2\n recv A B 3 3\n task B 3 4\n");
        CHECK_MEETING((enum naive_progress)progress, 0, PLAIN, "A:1000 X:3000 B:1000 | A>B:0", LATER_PLAN, "none",
                      "move A B 1 1\n recv A B 0 1\n task B 1 2\n");
    }
    CHECK_MEETING(NAIVE_CALLS, 999999, PLAIN, LATER_GRAPH, LATER_PLAN, "none", "move A B 4 5\n recv A B 0 5\n");
}

static void a_transfer_waits_for_its_receive(void)
{
    for (int progress = NAIVE_HARDWARE; progress <= NAIVE_POLLS; progress++)
        CHECK_MEETING((enum naive_progress)progress, 0, PLAIN, "A:1000 E:3000 B:1000 | A>B:" MB,
                      "task A a 0 1\n task E b 0 3\n task B b 5 6\n", "none",
                      "send A B 1 1\n move A B 3 4\n recv A B 3 4\n task B 4 5\n makespan 5\n");
}

/* b and c wait from 0 on; X of 1 s comes after the sends */
#define TWO_GRAPH "A:1000 X:1000 B:1000 C:1000 | A>B:2000000 A>C:" MB
#define TWO_PLAN "task A a 0 1\n task X a 1 2\n task B b 5 6\n task C c 6 7\n"

static void a_send_waits_for_the_transfer_that_its_call_lets_go(void)
{
    CHECK_MEETING(NAIVE_HARDWARE, 0, CLIQUE("", "", ""), TWO_GRAPH, TWO_PLAN, "none",
                  "move A B 1 3\n move A C 1 2\n task X 1 2\n task B 3 4\n task C 2 3\n makespan 4\n");
    /* in the call of its second send a moves the first message: from 1 to 3; the second one goes at the end, from 4 */
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE("", "", ""), TWO_GRAPH, TWO_PLAN, "none",
                  "send A B 1 1\n move A B 1 3\n send A C 1 3\n task X 3 4\n move A C 4 5\n recv A B 0 3\n"
                  "recv A C 0 5\n task B 3 4\n task C 5 6\n makespan 6\n");
    /* sends of no length move nothing; at the end, from 2, both move */
    CHECK_MEETING(NAIVE_POLLS, 0, CLIQUE("", "", ""), TWO_GRAPH, TWO_PLAN, "none",
                  "send A B 1 1\n send A C 1 1\n task X 1 2\n recv A B 0 4\n recv A C 0 3\n move A C 2 3\n"
                  "task B 4 5\n task C 3 4\n makespan 5\n");
}

static void transfers_side_by_side_share_the_link(void)
{
    /* C on b, too: its receive comes after B's, so that the second message goes alone, from 3 on */
    CHECK_MEETING(NAIVE_HARDWARE, 0, PLAIN, "A:1000 X:1000 B:1000 C:1000 | A>B:2000000 A>C:" MB,
                  "task A a 0 1\n task X a 1 2\n task B b 5 6\n task C b 6 7\n", "none",
                  "move A B 1 3\n recv A B 0 3\n task B 3 4\n recv A C 4 5\n move A C 4 5\n task C 5 6\n");
    /* one link for b and c: 1 MB each by 3, and what is left of B's by 4 */
    CHECK_MEETING(NAIVE_HARDWARE, 0,
                  CM02 HOST("a", "") HOST("b", "") HOST("c", "") MBPS("l", "1") ROUTE("a", "b", "l")
                      ROUTE("a", "c", "l") ROUTE("b", "c", "l") END_OF_PLATFORM,
                  TWO_GRAPH, TWO_PLAN, "none", "move A C 1 3\n move A B 1 4\n task X 1 2\n task B 4 5\n");
}

/* a has o_s = 0.5. A 0 to 1, A's send to b, X of 1 s, Y's send to c and Z of 1 s: Y has no length */
#define STAND_GRAPH "A:1000 X:1000 Z:1000 B:1000 C:1000 | A>B:2000000 X>C:" MB
#define STAND_PLAN "task A a 0 1\n task X a 2 3\n task Z a 4 5\n task B b 9 10\n task C c 9 10\n"

static void a_transfer_that_is_polled_stands_still_and_goes_on(void)
{
    /* 0.5 MB from 2.5 to 3, in the second send; the rest from 4 on, at the end of the list */
    CHECK_MEETING(NAIVE_POLLS, 0, CLIQUE(OVERHEAD("0.5", "0"), "", ""), STAND_GRAPH, STAND_PLAN, "involvement",
                  "send A B 1 1.5\n task X 1.5 2.5\n send X C 2.5 3\n task Z 3 4\n move A B 2.5 5.5\n recv A B 0 5.5\n"
                  "move X C 4 5\n recv X C 0 5\n makespan 6.5\n");
    /* all of it from 2.5 to 4.5, then o_s */
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE(OVERHEAD("0.5", "0"), "", ""), STAND_GRAPH, STAND_PLAN, "involvement",
                  "send A B 1 1.5\n task X 1.5 2.5\n send X C 2.5 5\n task Z 5 6\n move A B 2.5 4.5\n recv A B 0 4.5\n"
                  "move X C 6 7\n recv X C 0 7\n makespan 8\n");
    CHECK_MEETING(NAIVE_HARDWARE, 0, CLIQUE(OVERHEAD("0.5", "0"), "", ""), STAND_GRAPH, STAND_PLAN, "involvement",
                  "send A B 1 1.5\n task X 1.5 2.5\n send X C 2.5 3\n task Z 3 4\n move A B 1.5 3.5\n move X C 3 4\n"
                  "makespan 5\n");
}

#define BOTH_COSTS                                                                                                     \
    PAIR(OVERHEAD("0.25", "0") INVOLVEMENT("1", "0"), OVERHEAD("0", "0.125") INVOLVEMENT("0", "1"), MBPS("l", "1"))

static void involvement_is_of_eager_messages_only(void)
{
    CHECK_MEETING(NAIVE_HARDWARE, 0, BOTH_COSTS, LATER_GRAPH, LATER_PLAN, "involvement",
                  "send A B 1 1.25\n move A B 1.25 2.25\n recv A B 0 2.375\n task X 1.25 4.25\n task B 2.375 3.375\n");
    CHECK_MEETING(NAIVE_CALLS, 0, BOTH_COSTS, LATER_GRAPH, LATER_PLAN, "involvement",
                  "send A B 1 1.25\n task X 1.25 4.25\n move A B 4.25 5.25\n recv A B 0 5.375\n");
    for (int progress = NAIVE_HARDWARE; progress <= NAIVE_POLLS; progress++) {
        CHECK_MEETING((enum naive_progress)progress, 1e6, BOTH_COSTS, LATER_GRAPH, LATER_PLAN, "involvement",
                      "send A B 1 2.25\n move A B 1.25 2.25\n recv A B 0 2.375\n task X 2.25 5.25\n");
        /* reached at R = 3, after the last byte: i_r, then o_r; a longer message has its data then only, and no i_r */
        CHECK_MEETING((enum naive_progress)progress, 1e6, BOTH_COSTS, "A:1000 E:3000 B:1000 | A>B:" MB,
                      "task A a 0 1\n task E b 0 3\n task B b 5 6\n", "involvement", "recv A B 3 4.125\n");
        CHECK_MEETING((enum naive_progress)progress, 0, BOTH_COSTS, "A:1000 E:3000 B:1000 | A>B:" MB,
                      "task A a 0 1\n task E b 0 3\n task B b 5 6\n", "involvement",
                      "move A B 3 4\n recv A B 3 4.125\n task B 4.125 5.125\n");
    }
}

/* A on a sends 1 MB to D on b; B on b, until 2, sends 2 MB to C on a */
#define CROSS_GRAPH "A:1000 B:2000 C:1000 D:1000 | A>D:" MB " B>C:2000000"
#define CROSS_PLAN "task A a 0 1\n task B b 0 2\n task C a 9 10\n task D b 9 10\n"

static void cross_sends_meet_in_the_receives(void)
{
    CHECK_MEETING(NAIVE_HARDWARE, 0, DUPLEX("", ""), CROSS_GRAPH, CROSS_PLAN, "none",
                  "send A D 1 1\n send B C 2 2\n move A D 2 3\n move B C 2 4\n recv A D 2 3\n recv B C 1 4\n"
                  "task D 3 4\n task C 4 5\n");
    /* b does not leave its receive before its own transfer has ended */
    CHECK_MEETING(NAIVE_CALLS, 0, DUPLEX("", ""), CROSS_GRAPH, CROSS_PLAN, "none",
                  "move A D 2 3\n move B C 2 4\n recv A D 2 4\n recv B C 1 4\n task D 4 5\n task C 4 5\n");
    CHECK_MEETING(NAIVE_CALLS, 0, DUPLEX("", OVERHEAD("0", "0.5")), CROSS_GRAPH, CROSS_PLAN, "involvement",
                  "move A D 2 3\n move B C 2 4\n recv A D 2 4.5\n recv B C 1 4\n task D 4.5 5.5\n task C 4 5\n");
    /* half of b's message stands still while D computes */
    CHECK_MEETING(NAIVE_POLLS, 0, DUPLEX("", ""), CROSS_GRAPH, CROSS_PLAN, "none",
                  "move A D 2 3\n move B C 2 5\n recv A D 2 3\n recv B C 1 5\n task D 3 4\n task C 5 6\n");
    /* on one link both take 2 s for 1 MB, and the rest goes alone */
    CHECK_MEETING(NAIVE_HARDWARE, 0, PLAIN, CROSS_GRAPH, CROSS_PLAN, "none",
                  "move A D 2 4\n move B C 2 5\n task D 4 5\n task C 5 6\n");
}

static void a_transfer_may_begin_during_a_calls_own_work(void)
{
    /* o_s = 1. b reaches its receive at 2.5, in the middle of the second send; c at 4, when X computes */
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE(OVERHEAD("1", "0"), "", ""),
                  "A:1000 X:1000 E:2500 F:4000 B:1000 C:1000 | A>B:" MB " A>C:" MB,
                  "task A a 0 1\n task X a 3 4\n task E b 0 2.5\n task F c 0 4\n task B b 9 10\n task C c 10 11\n",
                  "involvement",
                  "send A B 1 2\n send A C 2 3.5\n move A B 2.5 3.5\n recv A B 2.5 3.5\n task X 3.5 4.5\n"
                  "move A C 4.5 5.5\n recv A C 4 5.5\n");
}

static void transfers_begin_before_a_calls_own_work(void)
{
    /* o_s = 1. Each send of a but the first finds a message that is offered and wanted */
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE(OVERHEAD("1", "0"), "", ""),
                  "A:1000 X:2000 E:5500 B:1000 C:1000 | A>B:" MB " A>E:" MB " X>C:" MB,
                  "task A a 0 1\n task X a 3 5\n task B b 4 4\n task E b 5 6\n task C c 9 10\n", "involvement",
                  "send A B 1 2\n move A B 2 3\n send A E 2 4\n task X 4 6\n send X C 6 8\n recv A B 0 3\n task B 3 4\n"
                  "recv A E 4 7\n move A E 6 7\n task E 7 12.5\n move X C 8 9\n");
}

/* What ends at a date ends before what begins then; then transfers come before the own work of calls. */
static void at_one_date_transfers_come_first(void)
{
    /* A's data move from 1.4 to 2.4 and keep a in its second send. Then a reaches its receive, for which b has the data
       offered: b, still in its receive, sends them before o_r = 0.5 */
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE(OVERHEAD("0.25", "0"), OVERHEAD("0", "0.5"), ""),
                  "A:1000 Z:1400 B:1000 C:1000 Y:1000 | A>B:" MB " A>C:" MB " Z>Y:" MB,
                  "task A a 0 1\n task Z b 0 1.4\n task B b 5 6\n task C c 6 7\n task Y a 7 8\n", "involvement",
                  "move A B 1.4 2.4\n send A C 1.25 2.4\n move Z Y 2.4 3.4\n recv A B 1.4 3.9\n move A C 2.4 3.4\n"
                  "recv Z Y 2.4 3.4\n");
    /* Two messages are offered when a reaches its third send, at 6. At 7 b has the first, and its next receive begins:
       the second goes before a leaves the send */
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE("", "", ""),
                  "A:1000 D:1000 X:4000 W:1000 E:5000 B:1000 C:1000 | A>B:" MB " D>B:" MB " X>C:" MB,
                  "task A a 0 1\n task D a 1 2\n task X a 2 6\n task W a 6 7\n task E b 0 5\n task B b 8 9\n"
                  "task C c 8 9\n",
                  "none",
                  "move A B 6 7\n recv A B 5 7\n move D B 7 8\n recv D B 7 8\n send X C 6 8\n task W 8 9\n"
                  "move X C 9 10\n");
}

/* On a: A, its send, then a receive from c that is reached at 1; D on c until 1.5. T of 1 s follows on a. */
#define HELD_GRAPH "A:1000 D:1500 B:1000 T:1000 | A>B:2000000 D>T:" MB
#define HELD_PLAN "task A a 0 1\n task D c 0 1.5\n task B b 9 10\n task T a 9 10\n"

static void a_receive_is_a_call(void)
{
    CHECK_MEETING(NAIVE_HARDWARE, 0, CLIQUE("", "", ""), HELD_GRAPH, HELD_PLAN, "none",
                  "move A B 1 3\n move D T 1.5 2.5\n recv D T 1 2.5\n task T 2.5 3.5\n task B 3 4\n");
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE("", "", ""), HELD_GRAPH, HELD_PLAN, "none",
                  "move A B 1 3\n move D T 1.5 2.5\n recv D T 1 3\n task T 3 4\n task B 3 4\n");
    CHECK_MEETING(NAIVE_CALLS, 0, CLIQUE(OVERHEAD("0", "0.25"), "", ""), HELD_GRAPH, HELD_PLAN, "involvement",
                  "move A B 1 3\n move D T 1.5 2.5\n recv D T 1 3.25\n task T 3.25 4.25\n");
    CHECK_MEETING(NAIVE_POLLS, 0, CLIQUE("", "", ""), HELD_GRAPH, HELD_PLAN, "none",
                  "move A B 1 4\n move D T 1.5 2.5\n recv D T 1 2.5\n task T 2.5 3.5\n task B 4 5\n");
    CHECK_MEETING(NAIVE_POLLS, 0, CLIQUE(OVERHEAD("0", "0.25"), "", ""), HELD_GRAPH, HELD_PLAN, "involvement",
                  "move A B 1 4\n recv D T 1 2.75\n task T 2.75 3.75\n");
}

static void an_eager_send_waits_in_its_call_too(void)
{
    /* 2 MB for b, 0.5 MB for c; o_s = 0.5, C_s = 1: i_s = 0.5 */
    static const char graph[] = "A:1000 X:1000 B:1000 C:1000 | A>B:2000000 A>C:500000";
    CHECK_MEETING(NAIVE_CALLS, 1e6, CLIQUE(OVERHEAD("0.5", "0") INVOLVEMENT("1", "0"), "", ""), graph, TWO_PLAN,
                  "involvement",
                  "send A B 1 1.5\n move A B 1.5 3.5\n send A C 1.5 4.5\n move A C 4 4.5\n task X 4.5 5.5\n");
    CHECK_MEETING(NAIVE_HARDWARE, 1e6, CLIQUE(OVERHEAD("0.5", "0") INVOLVEMENT("1", "0"), "", ""), graph, TWO_PLAN,
                  "involvement",
                  "send A B 1 1.5\n move A B 1.5 3.5\n send A C 1.5 2.5\n move A C 2 2.5\n task X 2.5 3.5\n");
    /* 1 MB while the second send holds a, from 1.5 to 2.5; the rest from 3.5 on */
    CHECK_MEETING(NAIVE_POLLS, 1e6, CLIQUE(OVERHEAD("0.5", "0") INVOLVEMENT("1", "0"), "", ""), graph, TWO_PLAN,
                  "involvement", "send A C 1.5 2.5\n move A C 2 2.5\n task X 2.5 3.5\n move A B 1.5 4.5\n");
}

static void rates_slow_down_whoever_computes(void)
{
    /* X runs at 0.5 while the data leave, from 1 to 2 */
    CHECK_MEETING(NAIVE_HARDWARE, 0, PAIR(PROP("ir_send", "0.5"), "", MBPS("l", "1")), "A:1000 X:1000 B:1000 | A>B:" MB,
                  LATER_PLAN, "interference", "move A B 1 2\n task X 1 2.5\n task B 2 3\n");
    CHECK_MEETING(NAIVE_CALLS, 0, PAIR(PROP("ir_send", "0.5"), "", MBPS("l", "1")), "A:1000 X:1000 B:1000 | A>B:" MB,
                  LATER_PLAN, "interference", "task X 1 2\n move A B 2 3\n task B 3 4\n");
    /* with eager messages E, of 3 s, runs at 0.8 while they come */
    CHECK_MEETING(NAIVE_CALLS, 1e6, PAIR("", PROP("ir_recv", "0.2"), MBPS("l", "1")), "A:1000 E:3000 B:1000 | A>B:" MB,
                  "task A a 0 1\n task E b 0 3\n task B b 5 6\n", "interference",
                  "move A B 1 2\n task E 0 3.2\n recv A B 3.2 3.2\n");
}

/* ---- beside the engine, over random cases ---- */

static struct naive_choice draw_choice(const struct trial *t, const struct dag *g)
{
    struct naive_choice c = {(enum naive_progress)(t->number % 3), 0};
    if (t->number % 4 == 1 && g->n_edges > 0) /* the size of one of them: it is eager */
        c.eager_bytes = g->edges[t->number % (uint64_t)g->n_edges].size_bytes;
    if (t->number % 8 == 3)
        c.eager_bytes = 1e12;
    return c;
}

/* Whether all messages come to their ends: none is lost or there twice, and each kind is what it is said to be. */
static void check_messages(struct verdict *v, const struct rendezvous *r)
{
    for (edge_id e = 0; e < r->v.g->n_edges; e++) {
        const struct replayed_edge *x = &r->v.out.edges[e];
        if (!r->v.plan->edges[e].is_remote)
            continue;
        bool is_early = !rendezvous_is_eager(r, e) && !(x->transfer.start_s >= x->recv.start_s);
        if (is_early || !(x->send.start_s <= x->transfer.start_s) || !(x->transfer.finish_s <= x->recv.finish_s)) {
            v->worst = INFINITY;
            snprintf(v->what, sizeof v->what, "message %d: send at %g, data from %g to %g, receive from %g to %g", e,
                     x->send.start_s, x->transfer.start_s, x->transfer.finish_s, x->recv.start_s, x->recv.finish_s);
        }
    }
}

/* The tasks of an engine's passive replay. */
static void compare_tasks(struct verdict *v, const struct schedule *s, const struct replay_result *got,
                          const struct naive *want)
{
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++) {
        compare_dates(v, got->tasks[t].start_s, want->out.tasks[t].start_s, got->makespan_s, "start of task", t);
        compare_dates(v, got->tasks[t].finish_s, want->out.tasks[t].finish_s, got->makespan_s, "end of task", t);
    }
}

/* Where messages have no place of their own in the schedule and cost the processor no time, eager ones are those of
   passive waiting: a processor that waits in a receive would wait for the same data before its task. This is not so of
   a task without work, which has no place in passive waiting, but whose receives have one here. */
static bool is_like_passive(const struct trial *t, const struct schedule *s)
{
    for (task_id i = 0; i < s->problem.dag->n_tasks; i++)
        if (s->problem.dag->tasks[i].work_flop <= 0)
            return false;
    return !cost_has_ends(s->problem.model) && strcmp(t->world, "involvement") != 0;
}

/* The works and sizes of the graph, and the speeds, as they are with noise; the order in lists stays as believed. */
static void disturb(const struct noise *n, struct planned *x, struct rendezvous *r, const struct world_model *world)
{
    const struct machine *m = x->problem.machine;
    struct dag *g = &x->graph;
    for (size_t h = 0; h < m->n_hosts; h++)
        r->v.fluid.hosts[h].flop_per_s *= noise_rate_ratio(n, m->hosts[h].name);
    for (task_id t = 0; t < g->n_tasks; t++) {
        const char *host = m->hosts[x->schedule.tasks[t].host].name;
        struct noise_source work = noise_source_of(n, NOISE_WORK, host, g->tasks[t].name, NULL);
        g->tasks[t].work_flop *= noise_draw(&work, 0);
    }
    for (edge_id e = 0; e < g->n_edges; e++) {
        struct edge *edge = &g->edges[e];
        const char *host = m->hosts[x->schedule.tasks[edge->dst].host].name;
        struct noise_source size =
            noise_source_of(n, NOISE_SIZE, host, g->tasks[edge->src].name, g->tasks[edge->dst].name);
        edge->size_bytes *= noise_draw(&size, 0);
    }
    naive_make_edges(&r->v, world);
}

/* As naive, or as passive waiting where that is the same: a process simulates once. */
static enum err_code compare_rendezvous(const struct trial *t, struct planned *x, struct verdict *v)
{
    const struct world_model *world;
    struct replay_result got = {0};
    struct rendezvous want;
    struct noise noise = {0};
    enum err_code code = open_and_plan(t, x, &v->e);
    if (code == ERR_NONE)
        code = world_find(t->world, &world, &v->e);
    if (code == ERR_NONE && t->has_noise)
        code = noise_parse("work=0.5,size=0.5,rate=0.3", t->number, &noise, &v->e);
    if (code != ERR_NONE)
        return code;
    bool by_passive = is_like_passive(t, &x->schedule) && t->number % 2 == 0;
    struct naive_choice choice = by_passive ? (struct naive_choice){NAIVE_CALLS, INFINITY} : draw_choice(t, &x->graph);
    struct replay_options options = by_passive ? (struct replay_options){.world = world} : options_of(choice, world);
    options.noise = t->has_noise ? &noise : NULL;
    code = replay_run(x->engine, &x->schedule, &options, &got, &v->e);
    v->is_refused = t->is_full && t->has_latency && options.progress == REPLAY_POLLS && !by_passive;
    if (v->is_refused) {
        noise_clear(&noise);
        return code == ERR_INPUT && strstr(v->e.text, "network/optim 'Full'") != NULL ? ERR_NONE : ERR_INTERNAL;
    }
    rendezvous_prepare(&want, &x->schedule, world, choice);
    if (t->has_noise)
        disturb(&noise, x, &want, world);
    want.v.fluid.change_s = t->change_s;
    want.v.fluid.ratio = t->ratio;
    if (!rendezvous_run(&want) && code == ERR_NONE)
        code = err_set(&v->e, ERR_INTERNAL, "the other one waits for itself");
    if (code == ERR_NONE && by_passive)
        compare_tasks(v, &x->schedule, &got, &want.v);
    else if (code == ERR_NONE)
        compare_both(v, &x->schedule, &got, &want.v);
    if (code == ERR_NONE)
        check_messages(v, &want);
    replay_result_clear(&got);
    rendezvous_clear(&want);
    noise_clear(&noise);
    return code;
}

static void both_agree_on_random_replays(void)
{
    static const char *const models[] = {"classic", "contention", "involvement"};
    static const char *const worlds[] = {"none", "interference", "involvement", "involvement"};
    FOR_RANDOM_CASES (i, 80) {
        struct random_stream r;
        random_init(&r, i, 9);
        struct trial t = {.number = i, .is_small = i % 10 > 0, .has_interference = true};
        int world = (int)random_below(&r, 4);
        t.model = models[random_below(&r, 3)];
        t.world = worlds[world];
        t.has_no_involvement = world == 3;
        t.shape = (enum shape)random_below(&r, N_SHAPES);
        t.scheduler = ways[random_below(&r, N_WAYS)];
        t.has_latency = random_below(&r, 2);
        t.has_overhead = world == 3 || random_below(&r, 2);
        t.has_noise = i % 5 == 1;
        t.is_full = i % 7 < 2;
        if (i % 4 == 3) {
            t.change_s = between(&r, 0.5, 8);
            t.ratio = pow(10, between(&r, -1, 0)); /* SimGrid lets no transfer go faster than when it began */
        }
        char *path = write_platform(&t);
        t.platform_path = path;
        check_verdict(&t, compare_rendezvous);
        free(path);
    }
}

#define TEST(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct test tests[] = {
    TEST(a_source_that_computes_moves_nothing_but_in_hardware),
    TEST(a_message_of_at_most_eager_bytes_leaves_at_once),
    TEST(a_transfer_waits_for_its_receive),
    TEST(a_send_waits_for_the_transfer_that_its_call_lets_go),
    TEST(transfers_side_by_side_share_the_link),
    TEST(a_transfer_that_is_polled_stands_still_and_goes_on),
    TEST(involvement_is_of_eager_messages_only),
    TEST(cross_sends_meet_in_the_receives),
    TEST(a_transfer_may_begin_during_a_calls_own_work),
    TEST(transfers_begin_before_a_calls_own_work),
    TEST(at_one_date_transfers_come_first),
    TEST(a_receive_is_a_call),
    TEST(an_eager_send_waits_in_its_call_too),
    TEST(rates_slow_down_whoever_computes),
    TEST(both_agree_on_random_replays),
};
TEST_MAIN(tests)
