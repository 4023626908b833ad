/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interference of the hosts of naive_fluid.h, drawn at random and written as properties of a platform. */
#ifndef IASIM_TEST_ENGINE_FLUID_PROPERTIES_H
#define IASIM_TEST_ENGINE_FLUID_PROPERTIES_H

#include "base/random.h"
#include "base/text.h"
#include "naive_fluid.h"

#include <stdio.h>

/* Each form is given with this probability. */
static inline void fluid_draw_forms(struct fluid_forms *f, struct random_stream *r, int n_hosts, double probability,
                                    double low, double high)
{
    double *const general[] = {&f->all, &f->duplex}, *const peers[] = {f->of, f->duplex_of};
    *f = fluid_not_given();
    for (int i = 0; i < 2; i++) {
        bool has_peers = random_unit(r) < probability;
        if (random_unit(r) < probability)
            *general[i] = random_between(r, low, high);
        for (int peer = 0; peer < n_hosts && has_peers; peer++)
            if (random_unit(r) < 0.5)
                peers[i][peer] = random_between(r, low, high);
    }
}

/* Constants, in some hosts: lower ones, and ones above 1. */
static inline void fluid_draw_starts(struct fluid_host *host, struct random_stream *r, int n_hosts)
{
    double probability = random_unit(r) < 0.5 ? 0 : 0.4;
    fluid_draw_forms(&host->start_send, r, n_hosts, probability, 0.85, 1.1);
    fluid_draw_forms(&host->start_recv, r, n_hosts, probability, 0.85, 1.1);
}

/* Curves, in some hosts. A copy of the stream is used up, so that later draws are as they were without curves. */
static inline void fluid_draw_curves(struct fluid_host *host, const struct random_stream *r, int n_hosts)
{
    struct random_stream own = *r;
    double probability = random_unit(&own) < 0.5 ? 0 : 0.5;
    struct fluid_curve *const curves[] = {&host->curve_send, &host->curve_recv};
    for (int i = 0; i < 2; i++) {
        struct fluid_curve *c = curves[i];
        fluid_draw_forms(&c->gamma, &own, n_hosts, probability, 0.4, 2.5);
        c->at_bytes_per_s = c->gamma;
        c->at_bytes_per_s.all = random_between(&own, 5e5, 2e7);
        for (int peer = 0; peer < n_hosts; peer++)
            c->at_bytes_per_s.of[peer] = isnan(c->gamma.of[peer]) ? NAN : random_between(&own, 5e5, 2e7);
    }
}

static inline void fluid_write_curve(struct text *out, const char *id, int peer, double gamma, double at_bytes_per_s)
{
    char exponent[TEXT_NUMBER_SIZE], rate[TEXT_NUMBER_SIZE], name[16] = "";
    if (isnan(gamma))
        return;
    if (peer >= 0)
        snprintf(name, sizeof name, ".h%d", peer);
    text_addf(out, "<prop id=\"%s%s\" value=\"%s@%sBps\"/>", id, name, text_number(gamma, exponent),
              text_number(at_bytes_per_s, rate));
}

static inline void fluid_write_curves(struct text *out, const char *id, const struct fluid_curve *c, int n_hosts)
{
    fluid_write_curve(out, id, -1, c->gamma.all, c->at_bytes_per_s.all);
    for (int peer = 0; peer < n_hosts; peer++)
        fluid_write_curve(out, id, peer, c->gamma.of[peer], c->at_bytes_per_s.of[peer]);
}

static inline void fluid_write_property(struct text *out, const char *id, const char *suffix, int peer, double value)
{
    char number[TEXT_NUMBER_SIZE];
    if (isnan(value))
        return;
    text_number(value, number);
    if (peer < 0)
        text_addf(out, "<prop id=\"%s%s\" value=\"%s\"/>", id, suffix, number);
    else
        text_addf(out, "<prop id=\"%s%s.h%d\" value=\"%s\"/>", id, suffix, peer, number);
}

static inline void fluid_write_forms(struct text *out, const char *id, const struct fluid_forms *f, int n_hosts,
                                     double unit)
{
    fluid_write_property(out, id, "", -1, f->all * unit);
    fluid_write_property(out, id, "_duplex", -1, f->duplex * unit);
    for (int peer = 0; peer < n_hosts; peer++) {
        fluid_write_property(out, id, "", peer, f->of[peer] * unit);
        fluid_write_property(out, id, "_duplex", peer, f->duplex_of[peer] * unit);
    }
}

/* Of host h0, h1, ...; rates per MB/s. */
static inline void fluid_write_interference(struct text *out, const struct fluid_host *host, int n_hosts)
{
    fluid_write_forms(out, "ir_send", &host->ir_send, n_hosts, 1e6);
    fluid_write_forms(out, "ir_recv", &host->ir_recv, n_hosts, 1e6);
    fluid_write_forms(out, "ir_constant_send", &host->start_send, n_hosts, 1);
    fluid_write_forms(out, "ir_constant_recv", &host->start_recv, n_hosts, 1);
    fluid_write_curves(out, "ir_send_curve", &host->curve_send, n_hosts);
    fluid_write_curves(out, "ir_recv_curve", &host->curve_recv, n_hosts);
}

#endif
