/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The LogP family once more, for tests: what [S] 8.1.3 says of a message, with parameters of each host, in one function
   that shares nothing with models/cost. */
#ifndef IASIM_TEST_NAIVE_LOGP_H
#define IASIM_TEST_NAIVE_LOGP_H

#include "base/random.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum naive_logp { NAIVE_LOGP, NAIVE_LOGGP, NAIVE_GLOGP, N_NAIVE_LOGP };
static const char *const naive_logp_names[] = {"logp", "loggp", "glogp"};

struct naive_logp_host {
    double L, o, g, G, M;                      /* numbers; M 0: any size is one message */
    double L_per_byte, o_per_byte, g_per_byte; /* generalised LogP */
};

struct naive_message { /* what it occupies, and when the receive may begin, from the start of the send */
    double send_s, send_port_s, until_recv_s, recv_s, recv_port_s;
    double recv_port_before_s; /* its port is taken from so long before the receive on */
};

static inline double naive_max(double a, double b)
{
    return a > b ? a : b;
}

static inline struct naive_message naive_logp_message(enum naive_logp model, const struct naive_logp_host *src,
                                                      const struct naive_logp_host *dst, double bytes)
{
    if (model == NAIVE_GLOGP) {
        double o = src->o + src->o_per_byte * bytes;
        return (struct naive_message){o,
                                      src->g + src->g_per_byte * bytes,
                                      o + src->L + src->L_per_byte * bytes,
                                      dst->o + dst->o_per_byte * bytes,
                                      dst->g + dst->g_per_byte * bytes,
                                      0};
    }
    if (model == NAIVE_LOGGP) {
        double more = bytes > 1 ? bytes - 1 : 0;
        double port_from_first_byte = naive_max(dst->o, dst->g) + more * naive_max(src->G, dst->G);
        return (struct naive_message){
            src->o, naive_max(src->o, src->g) + more * src->G, src->o + src->L + more * src->G,
            dst->o, port_from_first_byte - more * src->G,      more * src->G};
    }
    /* LogP: message after message. A message comes to the destination as often as it is sent, or can be received. */
    struct naive_message x = {src->o, naive_max(src->o, src->g), src->o + src->L, dst->o, naive_max(dst->o, dst->g), 0};
    double sending = naive_max(src->o, src->g), receiving = naive_max(sending, naive_max(dst->o, dst->g));
    for (double sent = src->M; src->M > 0 && sent < bytes; sent += src->M) {
        x.send_s += sending;
        x.send_port_s += sending;
        x.recv_s += receiving;
        x.recv_port_s += receiving;
    }
    return x;
}

/* ---- random hosts ---- */

static inline double naive_logp_number(struct random_stream *r, bool is_whole) /* 0 now and then */
{
    int quarters = (int)random_below(r, 9);
    return quarters == 0 || is_whole ? quarters / 4.0 : random_between(r, 0.1, 2);
}

/* For every host, or one for all. In generalised LogP, data may arrive before they are all sent, but not before the
 * first. */
static inline void naive_logp_draw(struct naive_logp_host *hosts, size_t n, enum naive_logp model, bool is_whole,
                                   struct random_stream *r)
{
    bool are_equal = random_below(r, 3) == 0;
    for (size_t h = 0; h < n; h++) {
        struct naive_logp_host *x = &hosts[h];
        double *const numbers[] = {&x->L, &x->o, &x->g, &x->G};
        *x = (struct naive_logp_host){0};
        for (int i = 0; i < 4; i++)
            *numbers[i] = naive_logp_number(r, is_whole);
        x->M = is_whole ? 1 : random_between(r, 0.5, 3);
        x->M = random_below(r, 4) == 0 ? 0 : x->M;
        if (model == NAIVE_GLOGP) {
            x->o_per_byte = 0.25 + naive_logp_number(r, is_whole);
            x->g_per_byte = naive_logp_number(r, is_whole);
            x->o += 1;
            if (random_below(r, 2)) {
                x->L = -1;
                x->L_per_byte = -0.25;
            } else {
                x->L_per_byte = naive_logp_number(r, is_whole);
            }
        }
        if (are_equal)
            *x = hosts[0];
    }
}

/* The properties of a host, each given to `set`. */
static inline void naive_logp_properties(const struct naive_logp_host *x, enum naive_logp model,
                                         void (*set)(void *self, const char *id, const char *value), void *self)
{
    const struct {
        const char *id;
        double value, per_byte;
    } list[] = {{"logp_L", x->L, x->L_per_byte},
                {"logp_o", x->o, x->o_per_byte},
                {"logp_g", x->g, x->g_per_byte},
                {"logp_G", x->G, 0},
                {"logp_M", x->M, 0}};
    char text[100];
    for (int i = 0; i < 5; i++) {
        if (model == NAIVE_GLOGP && i < 3)
            snprintf(text, sizeof text, "0:%.17g:%.17g", list[i].value, list[i].per_byte);
        else
            snprintf(text, sizeof text, "%.17g", list[i].value);
        if (i != 4 || x->M > 0)
            set(self, list[i].id, text);
    }
}

#endif
