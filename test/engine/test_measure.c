/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measurement on machines of pencil and paper. Host A computes tasks of 1 flop; A and B are 10 MB/s
 * apart. */
#include "engine/measure.h"

#include "fork_engine.h"

#define SHARED_PLATFORM(props_of_a, speed_of_a, latency)                                                               \
    CM02 "<host id=\"A\" speed=\"" speed_of_a "\">" props_of_a "</host>\n" HOST("B", "") HOST("C", "") HOST("D", "")   \
        LINK("a", "bandwidth=\"10MBps\" latency=\"" latency "\" sharing_policy=\"SPLITDUPLEX\"")                       \
            LINK("b", "bandwidth=\"10MBps\" latency=\"" latency "\" sharing_policy=\"SPLITDUPLEX\"")                   \
                LINK("c", "bandwidth=\"10MBps\" latency=\"" latency "\" sharing_policy=\"SPLITDUPLEX\"")               \
                    UP_DOWN("A", "B", "a", "b") UP_DOWN("A", "C", "a", "c") UP_DOWN("C", "B", "c", "b")                \
                        END_OF_PLATFORM
#define UP_DOWN(src, dst, up, down)                                                                                    \
    "<route src=\"" src "\" dst=\"" dst "\"><link_ctn id=\"" up "\" direction=\"UP\"/><link_ctn id=\"" down            \
    "\" direction=\"DOWN\"/></route>\n"

static const char plain[] = SHARED_PLATFORM(PROP("ir_send", "0.05") PROP("ir_recv", "0.03"), "10f", "0s");
static const char slow[] = SHARED_PLATFORM(PROP("ir_send", "0.05"), "2.5f", "0s");
static const char far_apart[] = SHARED_PLATFORM(PROP("ir_send", "0.05"), "10f", "10ms");
/* What C does would be seen at once, what B does never. */
static const char only_others_interfere[] =
    SHARED_PLATFORM(PROP("ir_send", "0.05") PROP("ir_recv", "0.05") PROP("ir_send.B", "0"), "10f", "0s");
static const char two_hosts[] = CM02 HOST("A", "") HOST("B", "") MBPS("l", "10") ROUTE("A", "B", "l") END_OF_PLATFORM;

enum { MAX_POINTS = 400, MAX_PEERS = 2 };

struct measured { /* what the child tells */
    enum err_code code;
    struct err e;
    size_t n_points;
    double max_tasks_per_s;
    struct measure_point points[MAX_POINTS];
    double peer_bytes_per_s[MAX_POINTS][MAX_PEERS];
};

struct order { /* what the child is to do */
    const char *platform, *send_to, *receive_from;
    struct measure_phase phases[4];
    size_t n_phases;
    double interval_s, task_flop;
    int max_load;
    uint64_t seed;
};

static enum err_code measure(const struct order *o, const char *path, struct measured *out)
{
    struct engine *engine;
    struct measure_peer *peers = NULL;
    struct measure_result r = {0};
    struct measure_options how = {.phases = o->phases,
                                  .n_phases = o->n_phases,
                                  .message_bytes = 1e6,
                                  .task_flop = o->task_flop > 0 ? o->task_flop : 1,
                                  .interval_s = o->interval_s > 0 ? o->interval_s : 1,
                                  .max_load = o->max_load};
    random_init(&how.random, o->seed, 0);
    enum err_code code = world_find("interference", &how.world, &out->e);
    if (code == ERR_NONE)
        code = engine_open(path, &engine, &out->e);
    if (code == ERR_NONE && o->receive_from != NULL)
        code = measure_add_peers(engine_machine(engine), o->receive_from, DIR_RECV, &peers, &how.n_peers, &out->e);
    if (code == ERR_NONE && o->send_to != NULL)
        code = measure_add_peers(engine_machine(engine), o->send_to, DIR_SEND, &peers, &how.n_peers, &out->e);
    how.peers = peers;
    if (code == ERR_NONE)
        code = measure_run(engine, &how, &r, &out->e);
    out->n_points = r.n_points;
    out->max_tasks_per_s = r.max_tasks_per_s;
    for (size_t k = 0; k < r.n_points; k++) {
        out->points[k] = r.points[k];
        memcpy(out->peer_bytes_per_s[k], r.points[k].peer_bytes_per_s, how.n_peers * sizeof(double));
        out->points[k].peer_bytes_per_s = NULL; /* of the child's memory */
    }
    measure_result_clear(&r);
    free(peers);
    return code;
}

struct job {
    const struct order *order;
    char *path;
};

static void tell_measured(void *self, int fd)
{
    const struct job *j = self;
    struct measured *m = mem_zalloc(1, sizeof *m);
    m->code = measure(j->order, j->path, m);
    tell(fd, m, sizeof *m);
    free(m);
}

/* In a child; the caller frees. */
static struct measured *measured(const struct order *o)
{
    struct job j = {o, file_with("platform.xml", o->platform)};
    struct text said = {0};
    CHECK_INT(in_child(tell_measured, &j, 60, &said), ENDED_WELL);
    struct measured *m = mem_zalloc(1, sizeof *m); /* not before: the child would leak it */
    CHECK_INT(said.size, sizeof *m);
    if (said.size == sizeof *m)
        memcpy(m, said.data, sizeof *m);
    text_clear(&said);
    free(j.path);
    return m;
}

static void check_point(const struct measured *m, size_t k, double send_MB_per_s, double compute_ratio)
{
    CHECK_CLOSE(m->points[k].rate_bytes_per_s[DIR_SEND], send_MB_per_s * 1e6, 1e-9);
    CHECK_CLOSE(m->points[k].compute_ratio, compute_ratio, 1e-9);
}

static void steady_rates_are_measured_exactly(void)
{
    struct measured *m =
        measured(&(struct order){plain, .send_to = "B", .phases = {{3, 0, 0, false}, {4, 0, 1, false}}, .n_phases = 2});
    CHECK_OK(m->code, m->e);
    CHECK_INT(m->n_points, 7);
    CHECK_CLOSE(m->max_tasks_per_s, 10, 1e-9);
    for (size_t k = 0; k < 7 && m->n_points == 7; k++) {
        CHECK_CLOSE(m->points[k].start_s, (double)k, 0);
        CHECK_INT(m->points[k].phase, k >= 3);
    }
    check_point(m, 0, 0, 1);
    check_point(m, 2, 0, 1);
    check_point(m, 4, 10, 0.5);
    check_point(m, 6, 10, 0.5);
    free(m);
}

/* Alone a task takes 0.4 s, sending 0.8 s. From 1 s on: one is half done at 0.8 + 0.2 and ends at 1.4, the
   next at 2.2, 3.0, 3.8. */
static void a_compute_rate_is_that_of_the_tasks_that_end_in_the_interval(void)
{
    struct measured *m =
        measured(&(struct order){slow, .send_to = "B", .phases = {{1, 0, 0, false}, {3, 0, 1, false}}, .n_phases = 2});
    CHECK_OK(m->code, m->e);
    CHECK_INT(m->n_points, 4);
    check_point(m, 0, 0, 1);
    check_point(m, 1, 10, (1 / 0.6) / 2.5);
    check_point(m, 2, 10, 0.5);
    free(m);
}

/* Tasks end at 1.6, 3.2, ...: none in [0, 1], [2, 3], [5, 6]. */
static void an_interval_in_which_no_task_ends_gives_no_point(void)
{
    struct measured *m =
        measured(&(struct order){slow, .send_to = "B", .phases = {{6, 0, 0, false}}, .n_phases = 1, .task_flop = 4});
    CHECK_OK(m->code, m->e);
    CHECK_INT(m->n_points, 3);
    CHECK_CLOSE(m->points[0].start_s, 1, 0);
    CHECK_CLOSE(m->points[1].start_s, 3, 0);
    CHECK_CLOSE(m->points[2].start_s, 4, 0);
    free(m);
    m = measured(&(struct order){slow, .send_to = "B", .phases = {{6, 0, 0, false}}, .n_phases = 1, .task_flop = 40});
    CHECK_INT(m->code, ERR_INPUT);
    CHECK_CONTAINS(m->e.text, "no task ends");
    free(m);
}

/* 1 MB takes 0.02 s of latency and 0.1 s: in 12 s exactly 100 messages. */
static void bytes_are_exact_in_the_middle_of_a_message(void)
{
    struct measured *m =
        measured(&(struct order){far_apart, .send_to = "B", .phases = {{12, 0, 1, false}}, .n_phases = 1});
    double bytes = 0;
    CHECK_OK(m->code, m->e);
    for (size_t k = 0; k < m->n_points; k++)
        bytes += m->points[k].rate_bytes_per_s[DIR_SEND];
    CHECK_CLOSE(bytes, 100e6, 1e-9);
    /* the 9th message of the first second has 0.02 s behind its latency */
    CHECK_CLOSE(m->points[0].rate_bytes_per_s[DIR_SEND], 8.2e6, 1e-9);
    free(m);
}

static void a_phase_has_its_own_peers(void)
{
    struct measured *m =
        measured(&(struct order){plain, .send_to = "B", .receive_from = "C", .n_phases = 4,
                                 .phases = {{2, 0, 0, false}, {2, 0, 1, false}, {2, 1, 1, false}, {2, 0, 2, false}}});
    static const double want[4][2] = {{0, 0}, {10e6, 0}, {0, 10e6}, {10e6, 10e6}};
    CHECK_OK(m->code, m->e);
    CHECK_INT(m->n_points, 8);
    for (size_t phase = 0; phase < 4 && m->n_points == 8; phase++) {
        const struct measure_point *p = &m->points[2 * phase + 1];
        const double *peers = m->peer_bytes_per_s[2 * phase + 1];
        CHECK_INT(p->phase, phase);
        CHECK_CLOSE(p->rate_bytes_per_s[DIR_RECV], want[phase][0], 1e-9);
        CHECK_CLOSE(p->rate_bytes_per_s[DIR_SEND], want[phase][1], 1e-9);
        CHECK_CLOSE(peers[0], want[phase][0], 1e-9);
        CHECK_CLOSE(peers[1], want[phase][1], 1e-9);
        CHECK_CLOSE(p->compute_ratio, 1 - 0.03e-6 * want[phase][0] - 0.05e-6 * want[phase][1], 1e-9);
    }
    free(m);
}

static struct order loaded(const char *platform, uint64_t seed)
{
    return (struct order){platform,      .send_to = "B", .n_phases = 2,
                          .max_load = 4, .seed = seed,   .phases = {{5, 0, 0, false}, {300, 0, 1, true}}};
}

/* Between all of the link and one of 1 + 4 shares, and all over this range. */
static void load_varies_the_rate_over_its_range(void)
{
    struct order o = loaded(plain, 1);
    struct measured *m = measured(&o);
    double least = INFINITY, most = 0;
    int in_fifth[5] = {0};
    CHECK_OK(m->code, m->e);
    CHECK_INT(m->n_points, 305);
    for (size_t k = 5; k < m->n_points; k++) {
        double rate = m->points[k].rate_bytes_per_s[DIR_SEND];
        least = fmin(least, rate);
        most = fmax(most, rate);
        in_fifth[(int)fmin(4, (rate - 2e6) / 1.6e6)]++;
    }
    CHECK(least >= 2e6 * (1 - 1e-9));
    CHECK(most <= 10e6 * (1 + 1e-9));
    for (int i = 0; i < 5; i++)
        CHECK(in_fifth[i] >= 300 / 5 / 4);
    free(m);
}

static void load_takes_nothing_from_the_measured_processor(void)
{
    struct order o = loaded(only_others_interfere, 1);
    struct measured *m = measured(&o);
    double least = INFINITY;
    CHECK_OK(m->code, m->e);
    for (size_t k = 5; k < m->n_points; k++) {
        least = fmin(least, m->points[k].rate_bytes_per_s[DIR_SEND]);
        CHECK_CLOSE(m->points[k].compute_ratio, 1, 1e-9);
    }
    CHECK(least < 5e6); /* there was load */
    free(m);
}

static void the_same_seed_gives_the_same_bytes(void)
{
    struct order first = loaded(plain, 7), other = loaded(plain, 8);
    struct measured *a = measured(&first), *b = measured(&first), *c = measured(&other);
    CHECK_INT(a->n_points, 305);
    CHECK(memcmp(a, b, sizeof *a) == 0);
    CHECK(memcmp(a->points, c->points, sizeof a->points) != 0);
    free(a);
    free(b);
    free(c);
}

static void check_refused(const struct order *o, const char *why)
{
    struct measured *m = measured(o);
    CHECK_INT(m->code, ERR_INPUT);
    CHECK_CONTAINS(m->e.text, why);
    free(m);
}

static void what_cannot_be_measured_is_an_error(void)
{
    static const struct measure_phase phase = {3, 0, 1, true};
    check_refused(&(struct order){plain, .send_to = "A", .phases = {phase}, .n_phases = 1},
                  "host 'A' cannot measure its communication with itself");
    check_refused(&(struct order){plain, .send_to = "Z", .phases = {phase}, .n_phases = 1}, "host 'Z' is not on");
    check_refused(&(struct order){plain, .send_to = "D", .phases = {phase}, .n_phases = 1}, "no route");
    check_refused(&(struct order){two_hosts, .send_to = "B", .phases = {phase}, .n_phases = 1, .max_load = 1},
                  "no third host can load the way between 'A' and 'B'");
}

/* The link to B is down from 2.5 s on. */
static void a_failing_link_is_an_error(void)
{
    free(file_with("down.profile", "2.5 0\n"));
    static const char platform[] =
        CM02 HOST("A", "") HOST("B", "") LINK("l", "bandwidth=\"10MBps\" latency=\"0s\" state_file=\"down.profile\"")
            ROUTE("A", "B", "l") END_OF_PLATFORM;
    check_refused(&(struct order){platform, .send_to = "B", .phases = {{9, 0, 1, false}}, .n_phases = 1},
                  "at 2.5 s a transfer from host 'A' to host 'B' failed");
}

static const struct test tests[] = {
    {"steady rates are measured exactly", steady_rates_are_measured_exactly},
    {"a compute rate is that of the tasks that end in the interval",
     a_compute_rate_is_that_of_the_tasks_that_end_in_the_interval},
    {"an interval in which no task ends gives no point", an_interval_in_which_no_task_ends_gives_no_point},
    {"bytes are exact in the middle of a message", bytes_are_exact_in_the_middle_of_a_message},
    {"a phase has its own peers", a_phase_has_its_own_peers},
    {"load varies the rate over its range", load_varies_the_rate_over_its_range},
    {"load takes nothing from the measured processor", load_takes_nothing_from_the_measured_processor},
    {"the same seed gives the same bytes", the_same_seed_gives_the_same_bytes},
    {"what cannot be measured is an error", what_cannot_be_measured_is_an_error},
    {"a failing link is an error", a_failing_link_is_an_error},
};

TEST_MAIN(tests)
