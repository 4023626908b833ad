/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* XML by hand: two hosts, two links. Names need no escapes, because the protocol and the options allow only letters,
   digits, '.', '_' and '-'.

   Numbers have the digits that the measurement supports. More would look like knowledge, and two calibrations of one
   machine would differ everywhere. */
#include "calibrate/emit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const direction_words[N_RATE_DIRECTIONS] = {"sending", "receiving", "both"};

/* What is unknown is left out, so that defaults apply: 0 would be a claim. */
static void add_property(struct text *t, const char *id, double value)
{
    char number[TEXT_NUMBER_SIZE];
    if (!isnan(value))
        text_addf(t, "      <prop id=\"%s\" value=\"%s\"/>\n", id, text_number_short(value, number));
}

/* To the decimal place in which half of the interval begins: later digits would be those of this one measurement. A
   value without an interval, or with one that is all rounding, is kept. */
static double rounded(double value, double half)
{
    char text[64];
    if (!(half > 1e-12 * fabs(value)) || isinf(half))
        return value;
    double place = floor(log10(half)), unit = pow(10, place);
    if (place >= 0)
        return round(value / unit) * unit;
    snprintf(text, sizeof text, "%.*f", (int)fmin(30, -place), value); /* pow(10, -7) is not exact; decimal text is */
    return strtod(text, NULL);
}

/* At least 0: emit_notes says where that changed something. */
static double emitted(const struct rate *r)
{
    return r->is_known ? rounded(fmax(0, r->ir), (r->high - r->low) / 2) : NAN;
}

/* Overheads, latency and bandwidth have no interval. Repeated measurements do not agree on more digits than these; what
   the user gave is kept. */
static double few_digits(const struct measured *m, double value)
{
    enum { DIGITS = 4 };
    char text[64];
    if (m->start_s == NULL || !isfinite(value)) /* points that the user gave, not measured here */
        return value;
    snprintf(text, sizeof text, "%.*g", DIGITS, value);
    return strtod(text, NULL);
}

static void add_host(struct text *t, const struct emit_host *h)
{
    char number[TEXT_NUMBER_SIZE];
    text_addf(t, "    <host id=\"%s\" speed=\"%sf\">\n", h->measured->name,
              text_number_short(rounded(h->measured->alone_flop_per_s, h->measured->alone_half_flop_per_s), number));
    add_property(t, "ir_send", emitted(&h->rates->of[RATE_SEND]));
    add_property(t, "ir_recv", emitted(&h->rates->of[RATE_RECV]));
    add_property(t, "ir_send_duplex", rounded(h->rates->send_duplex, h->rates->send_duplex_half));
    add_property(t, "overhead_send", few_digits(h->measured, h->measured->overhead_send_s));
    add_property(t, "overhead_recv", few_digits(h->measured, h->measured->overhead_recv_s));
    text_addf(t, "    </host>\n");
}

/* A link for each direction: a split-duplex link would need equal bandwidths. */
static void add_link(struct text *t, const char *from, const char *to, double bandwidth_MB_per_s, double latency_s)
{
    char bandwidth[TEXT_NUMBER_SIZE], latency[TEXT_NUMBER_SIZE];
    text_addf(t, "    <link id=\"%s_to_%s\" bandwidth=\"%sMBps\" latency=\"%ss\"/>\n", from, to,
              text_number_short(bandwidth_MB_per_s, bandwidth), text_number_short(latency_s, latency));
}

static void add_route(struct text *t, const char *from, const char *to)
{
    text_addf(t, "    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn id=\"%s_to_%s\"/></route>\n", from, to,
              from, to);
}

/* What passed from `a` to `b` at best while `a` computed, or `b`, whichever is less: in a farm both compute, and
   neither's rate is known beyond what it has reached. 0: not measured. */
static double bandwidth(const struct measured *a, const struct measured *b)
{
    double sent = points_max_MB_per_s(a, FIT_RATE_SEND), received = points_max_MB_per_s(b, FIT_RATE_RECV);
    /* Measured by one side only: that side's. */
    return sent > 0 && received > 0 ? fmin(sent, received) : fmax(sent, received);
}

/* Both hosts have measured the same way there and back. */
static double mean_latency(const struct measured *a, const struct measured *b)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < 2; i++) {
        double latency_s = i == 0 ? a->latency_s : b->latency_s;
        sum += isnan(latency_s) ? 0 : latency_s;
        n += !isnan(latency_s);
    }
    return n > 0 ? sum / n : 0;
}

enum err_code emit_check(const struct measured *m, struct err *e)
{
    if (m->alone_flop_per_s > 0)
        return ERR_NONE;
    return err_set(
        e, ERR_INPUT,
        "the speed of host %s is unknown: its points need a column compute_flop_per_s, also where both rates "
        "are 0; or give --speed",
        m->name);
}

void emit_platform(const struct emit_host hosts[2], struct text *out)
{
    const struct measured *a = hosts[0].measured, *b = hosts[1].measured;
    double there = few_digits(a, bandwidth(a, b)), back = few_digits(a, bandwidth(b, a));
    double latency_s = few_digits(a, mean_latency(a, b));
    /* CM02 with crosstraffic and TCP-gamma off: SimGrid then gives a flow the bandwidth that is written here. */
    text_addf(out, "<?xml version=\"1.0\"?>\n"
                   "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                   "<!-- Made by `iasim calibrate` from measurements. 1 work unit is 1 flop of its kernel. -->\n"
                   "<platform version=\"4.1\">\n"
                   "  <config>\n"
                   "    <!-- Bandwidths are what programs measured: nothing is to be taken off for headers. -->\n"
                   "    <prop id=\"network/model\" value=\"CM02\"/>\n"
                   "    <prop id=\"network/crosstraffic\" value=\"0\"/>\n"
                   "    <prop id=\"network/TCP-gamma\" value=\"0\"/>\n"
                   "  </config>\n"
                   "  <zone id=\"calibrated\" routing=\"Full\">\n");
    add_host(out, &hosts[0]);
    add_host(out, &hosts[1]);
    /* A direction that was not measured is as wide as the other. */
    add_link(out, a->name, b->name, there > 0 ? there : back, latency_s);
    add_link(out, b->name, a->name, back > 0 ? back : there, latency_s);
    add_route(out, a->name, b->name);
    add_route(out, b->name, a->name);
    text_addf(out, "  </zone>\n</platform>\n");
}

void emit_deployment(const struct emit_host hosts[2], struct text *out)
{
    const char *root = hosts[0].measured->name, *child = hosts[1].measured->name;
    text_addf(out,
              "<?xml version=\"1.0\"?>\n"
              "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<!-- Made by `iasim calibrate`: a farm whose root is the host it ran on. -->\n"
              "<platform version=\"4.1\">\n"
              "  <actor host=\"%s\" function=\"farm_node\"/>\n"
              "  <actor host=\"%s\" function=\"farm_node\"><argument value=\"%s\"/></actor>\n"
              "</platform>\n",
              root, child, root);
}

void emit_notes(const struct emit_host hosts[2], struct text *out)
{
    for (int i = 0; i < 2; i++)
        for (enum rate_direction d = RATE_SEND; d <= RATE_RECV; d++) {
            const struct rate *r = &hosts[i].rates->of[d];
            if (r->is_known && r->ir < 0)
                text_addf(
                    out,
                    "%s: the rate of %s was fitted as %.3g per MB/s; a rate is never negative, so the platform has 0\n",
                    hosts[i].measured->name, direction_words[d], r->ir);
        }
}
