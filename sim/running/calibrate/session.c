/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A measurement is a conversation: the measured host says what is to be transferred, computes through the interval, and
   only then reads what was answered meanwhile. So no message disturbs the computing, and one thread does both.

   Every wait has an end: an answer 10 s, a peer's turn 30 s of silence, the whole run its seconds and 15 more. */
#include "calibrate/session.h"

#include "base/clock.h"
#include "calibrate/calibrate_plan.h"
#include "calibrate/flow.h"
#include "calibrate/kernel.h"
#include "calibrate/small.h"

#include <math.h>

/* A probe in which nothing passed is repeated this often. */
enum { MAX_PROBES = 5 };
static const double margin_s = 15, answer_s = 10;
/* A side that is being measured speaks at least once in an interval. An interval is short, but it may wait for answers
   in it. */
static const double silence_s = 30;
static const double min_interval_s = 0.02, small_ratio = 0.02;
/* TCP needs some round trips to reach its rate, but no interval is more than doubled by them. */
static const double settle_ratio = 0.25, max_settle_ratio = 1, settle_trips = 4;

struct session {
    const struct session_options *options;
    struct channel *control;
    struct flow *flow;
    struct kernel kernel;
    double start_s, seconds, deadline_s;
    double own_start_s, own_until_s; /* when this host is measured */
    double round_trip_s;
};

/* An answer takes a moment; a peer that is gone without a word must not hold this side until the end of the run. */
static double soon(const struct session *s)
{
    return fmin(s->deadline_s, clock_now_s() + answer_s);
}

/* At most 1: a slow connection may need more than the seconds (session.h). */
static void show_progress(const struct session *s)
{
    if (s->options->progress != NULL)
        s->options->progress(s->options->progress_self,
                             lrint(fmin(1, (clock_now_s() - s->start_s) / s->seconds) * 1000), 1000);
}

/* ---- the side that is measured ---- */

/* A message alone; `ask` also waits for its answer. */
static enum err_code say(struct session *s, const struct message *m, struct err *e)
{
    return channel_send(s->control, m, soon(s), e);
}

static enum err_code ask(struct session *s, const struct message *m, enum message_kind expected, struct message *answer,
                         struct err *e)
{
    enum err_code code = say(s, m, e);
    return code == ERR_NONE ? channel_expect(s->control, expected, answer, soon(s), e) : code;
}

/* The other side begins first: once it has answered, it sends, and the interval has both directions from its
   beginning. */
static enum err_code begin_transfers(struct session *s, const struct plan_interval *rates, struct err *e)
{
    struct message answer;
    const struct message go = {.kind = MESSAGE_GO, .numbers = {rates->recv_bytes_per_s}};
    enum err_code code = ask(s, &go, MESSAGE_GOING, &answer, e);
    flow_set_rate(s->flow, rates->send_bytes_per_s);
    return code;
}

/* Bytes still under way would count in the next interval. Both sides say how many they have sent in all, so each
   knows when it has everything. */
static enum err_code drain(struct session *s, uint64_t n_received, struct err *e)
{
    if (flow_await(s->flow, n_received, soon(s)))
        return ERR_NONE;
    return err_set(e, ERR_IO,
                   flow_is_broken(s->flow) ? "the other side has closed the data connection" : "no data arrives");
}

/* First this side stops, then the other: when its answer comes, our bytes have arrived there, and it says
   how many to wait for here. */
static enum err_code end_transfers(struct session *s, struct err *e)
{
    struct message answer;
    if (!flow_pause(s->flow, soon(s)))
        return err_set(e, ERR_IO, "the other side no longer accepts data");
    const struct message stop = {.kind = MESSAGE_STOP, .count = flow_sent_bytes(s->flow)};
    enum err_code code = ask(s, &stop, MESSAGE_STOPPED, &answer, e);
    return code == ERR_NONE ? drain(s, answer.count, e) : code;
}

/* The interval's rates in bytes/s and flop/s; `out` is one point's numbers as the protocol has them. */
static void count(struct session *s, bool sends, double from_s, double until_s, double out[PROTOCOL_NUMBERS])
{
    /* Computes through the settling time as well: an idle processor may change its frequency. */
    kernel_run(&s->kernel, from_s);
    /* The counters are read at the same moment as the clock, at both ends of the interval. */
    double start_s = clock_now_s();
    double delivered = (double)flow_delivered_bytes(s->flow), received = (double)flow_received_bytes(s->flow);
    struct kernel_run r = kernel_run(&s->kernel, until_s);
    out[0] = start_s - s->own_start_s;
    delivered = sends ? (double)flow_delivered_bytes(s->flow) - delivered : 0; /* else: a late acknowledgement */
    out[1] = fmax(0, delivered) / r.elapsed_s;
    out[2] = ((double)flow_received_bytes(s->flow) - received) / r.elapsed_s;
    out[3] = r.n_flop / r.elapsed_s;
    out[4] = fmin(1, r.cpu_s / r.elapsed_s); /* clocks of different resolution */
}

static enum err_code measure_interval(struct session *s, const struct plan_interval *rates, double length_s,
                                      double out[PROTOCOL_NUMBERS], struct err *e)
{
    enum err_code code = begin_transfers(s, rates, e);
    /* A share of the interval, or round trips where these take longer: 4 of them, but at most
       the interval's own length. */
    double settle_s = fmax(settle_ratio * length_s, fmin(max_settle_ratio * length_s, settle_trips * s->round_trip_s));
    double from_s = clock_now_s() + settle_s;
    if (code == ERR_NONE)
        count(s, rates->send_bytes_per_s > 0, from_s, from_s + (1 - settle_ratio) * length_s, out);
    show_progress(s);
    return code == ERR_NONE ? end_transfers(s, e) : code;
}

static enum err_code add_point(struct measured *m, const double p[PROTOCOL_NUMBERS], struct err *e)
{
    return points_add(m, p[0], p[1], p[2], p[3], p[4], e);
}

/* The highest rate of one direction: out[place] bytes/s. Gives no point, because it is not one of the plan's random
   rates. On a busy machine nothing may pass for a while. */
static enum err_code probe(struct session *s, const struct plan_interval *rates, double length_s, size_t place,
                           double *max_bytes_per_s, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (int k = 0; k < MAX_PROBES && code == ERR_NONE && *max_bytes_per_s == 0; k++) {
        double point[PROTOCOL_NUMBERS] = {0};
        code = measure_interval(s, rates, length_s, point, e);
        *max_bytes_per_s = point[place];
    }
    if (code == ERR_NONE && *max_bytes_per_s == 0)
        code = err_set(e, ERR_IO, "no data were transferred within %.3g s; give more --seconds", length_s);
    return code;
}

static enum err_code measure_round(struct session *s, size_t round, const struct plan_interval *max, double length_s,
                                   struct measured *out, struct err *e)
{
    struct plan_interval intervals[PLAN_INTERVALS];
    enum err_code code = ERR_NONE;
    /* The plan asks for rates up to 1.1 times these. */
    plan_round(round, max->send_bytes_per_s, max->recv_bytes_per_s, intervals);
    for (size_t i = 0; i < PLAN_INTERVALS && code == ERR_NONE; i++) {
        double point[PROTOCOL_NUMBERS];
        code = measure_interval(s, &intervals[i], length_s, point, e);
        if (code == ERR_NONE)
            code = add_point(out, point, e);
    }
    return code;
}

/* As many rounds as there is time for, and at least one: stopping intervals takes its time, too. */
static enum err_code measure_rounds(struct session *s, const struct plan_interval *max, double length_s,
                                    struct measured *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    double last_s = 0;
    /* 0.9: a last round may exceed its time a little rather than leave most of a round's time unused. */
    for (size_t round = 0; code == ERR_NONE && (round == 0 || clock_now_s() + 0.9 * last_s < s->own_until_s); round++) {
        double start_s = clock_now_s();
        code = measure_round(s, round, max, length_s, out, e);
        last_s = clock_now_s() - start_s;
    }
    return code;
}

/* Both sides print the same and either may write the platform, so both need all points. They are sent after the
   measurement: lines between intervals would be traffic that nobody counts. */
static enum err_code tell_points(struct session *s, const struct measured *own, struct err *e)
{
    const struct message small = {.kind = MESSAGE_SMALL,
                                  .numbers = {own->overhead_send_s, own->overhead_recv_s, own->latency_s}};
    const struct message busy = {.kind = MESSAGE_BUSY, .numbers = {own->busy.steal_ratio, own->busy.others_processors}};
    enum err_code code = say(s, &small, e);
    if (code == ERR_NONE && !isnan(own->busy.steal_ratio)) /* NAN is no number of the protocol */
        code = say(s, &busy, e);
    for (size_t k = 0; k < own->points.n && code == ERR_NONE; k++) {
        const struct fit_point *p = &own->points.points[k];
        const struct message m = {.kind = MESSAGE_POINT,
                                  .numbers = {own->start_s[k], p->send_MB_per_s * 1e6, p->recv_MB_per_s * 1e6,
                                              p->compute_flop_per_s, p->cpu_ratio}};
        code = say(s, &m, e);
    }
    return code;
}

/* In this order: the latency decides how long an interval settles, and the highest rates which rates are planned. What
   of the time is left is divided by all intervals, of which two are probes. */
static enum err_code measure(struct session *s, struct measured *own, struct err *e)
{
    struct plan_interval max = {0, 0};
    const struct message turn = {.kind = MESSAGE_TURN};
    struct busy_meter meter;
    busy_start(&meter);
    s->own_start_s = clock_now_s();
    double length_s = s->own_until_s - s->own_start_s;
    enum err_code code = small_measure(s->control, s->own_start_s + small_ratio * length_s, s->deadline_s, own, e);
    s->round_trip_s = 2 * own->latency_s;
    length_s = fmax(min_interval_s,
                    (s->own_until_s - clock_now_s()) / (double)(2 + plan_rounds(s->seconds / 2) * PLAN_INTERVALS));
    if (code == ERR_NONE)
        code = probe(s, &(struct plan_interval){FLOW_UNLIMITED, 0}, length_s, 1, &max.send_bytes_per_s, e);
    if (code == ERR_NONE)
        code = probe(s, &(struct plan_interval){0, FLOW_UNLIMITED}, length_s, 2, &max.recv_bytes_per_s, e);
    if (code == ERR_NONE)
        code = measure_rounds(s, &max, length_s, own, e);
    own->busy = busy_since(&meter);
    if (code == ERR_NONE)
        code = tell_points(s, own, e);
    return code == ERR_NONE ? say(s, &turn, e) : code;
}

/* ---- the other side ---- */

/* When the peer reads the answer, all its bytes have arrived here, and the count in it says how many
   of ours it has to wait for. */
static enum err_code obey_stop(struct session *s, const struct message *stop, struct err *e)
{
    if (!flow_pause(s->flow, soon(s)))
        return err_set(e, ERR_IO, "the other side no longer accepts data");
    enum err_code code = drain(s, stop->count, e);
    const struct message stopped = {.kind = MESSAGE_STOPPED, .count = flow_sent_bytes(s->flow)};
    return code == ERR_NONE ? say(s, &stopped, e) : code;
}

static enum err_code obey_one(struct session *s, const struct message *m, struct measured *peer, struct err *e)
{
    switch (m->kind) {
    case MESSAGE_PING:
        return say(s, &(struct message){.kind = MESSAGE_PONG}, e);
    case MESSAGE_GO:
        flow_set_rate(s->flow, m->numbers[0]); /* a rate that cannot be reached is only not reached */
        return say(s, &(struct message){.kind = MESSAGE_GOING}, e);
    case MESSAGE_STOP:
        show_progress(s);
        return obey_stop(s, m, e);
    case MESSAGE_SMALL:
        peer->overhead_send_s = m->numbers[0];
        peer->overhead_recv_s = m->numbers[1];
        peer->latency_s = m->numbers[2];
        return ERR_NONE;
    case MESSAGE_BUSY:
        peer->busy = (struct busy){m->numbers[0], m->numbers[1]};
        return ERR_NONE;
    case MESSAGE_POINT:
        return add_point(peer, m->numbers, e);
    case MESSAGE_TURN:
        return ERR_NONE;
    /* HELLO, READY and the like are over; an answer that nobody asked for is a mistake of the peer's. */
    default:
        return err_set(e, ERR_INPUT, "the other side sent an unexpected message");
    }
}

static enum err_code obey(struct session *s, struct measured *peer, struct err *e)
{
    /* Any kind but the one that ends the loop. */
    struct message m = {.kind = MESSAGE_PING};
    enum err_code code = ERR_NONE;
    while (code == ERR_NONE && m.kind != MESSAGE_TURN) {
        code = channel_read(s->control, &m, fmin(s->deadline_s, clock_now_s() + silence_s), e);
        /* A peer that keeps talking does not extend the run. */
        if (code == ERR_NONE && clock_now_s() > s->deadline_s)
            code = err_set(e, ERR_IO, "the other side has not finished in time");
        if (code == ERR_NONE)
            code = obey_one(s, &m, peer, e);
    }
    return code;
}

/* The caller is measured first. If it takes longer, it takes from the listener's time: the run ends when it should,
   because both count from the same moment, the end of the meeting. */
static enum err_code take_turns(struct session *s, struct measured *own, struct measured *peer, struct err *e)
{
    bool is_caller = s->options->is_caller;
    s->own_until_s = s->start_s + (is_caller ? s->seconds / 2 : s->seconds);
    enum err_code code = is_caller ? measure(s, own, e) : obey(s, peer, e);
    if (code == ERR_NONE)
        code = is_caller ? obey(s, peer, e) : measure(s, own, e);
    if (code == ERR_NONE)
        code = points_finish(own, e);
    return code == ERR_NONE ? points_finish(peer, e) : code;
}

enum err_code session_run(struct meeting *m, const struct session_options *options, struct measured *own,
                          struct measured *peer, struct err *e)
{
    struct session s = {.options = options, .control = &m->control, .seconds = m->seconds};
    s.start_s = clock_now_s();
    s.deadline_s = s.start_s + m->seconds + margin_s;
    enum err_code code = flow_create(m->data_fd, &s.flow, e);
    m->data_fd = -1; /* flow_create takes the descriptor in any case */
    if (code == ERR_NONE) {
        kernel_init(&s.kernel, options->matrix);
        code = take_turns(&s, own, peer, e);
        kernel_clear(&s.kernel);
    }
    flow_free(s.flow);
    listener_leave(m);
    return code;
}
