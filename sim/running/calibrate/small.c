/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LogP's overhead and latency [Culler 1993], for a message of a line of the protocol. They are measured on the control
   connection, before any data flow. */
#include "calibrate/small.h"

#include "base/clock.h"
#include "calibrate/kernel.h"
#include "stats/stats.h"

#include <math.h>

enum { MAX_TRIPS = 500 };
static const double answer_s = 10;

struct trips {
    double send_s[MAX_TRIPS], recv_s[MAX_TRIPS], round_s[MAX_TRIPS];
    size_t n;
};

/* The processor's time of sending is what passes until the system has taken the message; all the rest of the trip's is
   that of receiving, with the wait, which takes none. Time of the processor, not of the clock: waiting is latency. */
static enum err_code trip(struct channel *c, double deadline_s, struct trips *t, struct err *e)
{
    struct message answer;
    const struct message ping = {.kind = MESSAGE_PING};
    double start_s = clock_now_s(), cpu_0_s = kernel_cpu_s();
    enum err_code code = channel_send(c, &ping, deadline_s, e);
    double cpu_1_s = kernel_cpu_s();
    if (code == ERR_NONE)
        code = channel_expect(c, MESSAGE_PONG, &answer, fmin(deadline_s, start_s + answer_s), e);
    t->recv_s[t->n] = kernel_cpu_s() - cpu_1_s;
    t->send_s[t->n] = cpu_1_s - cpu_0_s;
    t->round_s[t->n++] = clock_now_s() - start_s;
    return code;
}

static double median(double *values, size_t n)
{
    quantile_sort(values, n);
    return quantile_median(values, n);
}

/* Medians: one trip in many is interrupted for longer than all others take together. */
enum err_code small_measure(struct channel *c, double until_s, double deadline_s, struct measured *out, struct err *e)
{
    struct trips t = {.n = 0};
    do {
        enum err_code code = trip(c, deadline_s, &t, e);
        if (code != ERR_NONE)
            return code;
    } while (t.n < MAX_TRIPS && clock_now_s() < until_s);
    out->overhead_send_s = median(t.send_s, t.n);
    out->overhead_recv_s = median(t.recv_s, t.n);
    /* At least 0: the two processor times may exceed half a short round trip. */
    out->latency_s = fmax(0, median(t.round_s, t.n) / 2 - out->overhead_send_s - out->overhead_recv_s);
    return ERR_NONE;
}
