/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The scheduler's simple model ([K] 3.1): a plane through the points that matter to a node of a tree, instead of many
   measurements. It needs one point of each of these kinds, but one of the last kind for each child, in the order of the
   file:

       send rate 0,  receive rate 0    C        computing alone
       send rate 0,  receive rate MR   C_r      receiving
       send rate SR, receive rate RR   C_sr(i)  sending to child i, mostly while receiving (RR may be 0)

       IR_r    = ((C - C_r) / C) / MR
       IR_s(i) = (1 - RR (C - C_r) / (MR C) - C_sr(i) / C) / SR = (1 - IR_r RR - C_sr(i) / C) / SR

   Differs from the paper: the printed formula of IR_s lacks the parentheses of its first fraction. Only with them does
   the plane pass through the measured points, as the paper says it does. The constant is 1, and compute ratios are
   divided by C, so unnormalised compute rates give the same result. */
#include "models/fits/fit.h"

#include "base/mem.h"

#include <stdlib.h>

enum kind { ALONE, RECEIVING, SENDING };

static enum kind kind_of(const struct fit_point *p)
{
    if (p->send_MB_per_s > 0)
        return SENDING;
    return p->recv_MB_per_s > 0 ? RECEIVING : ALONE;
}

static const char *const missing[] = {
    "no point with both rates 0 (the compute rate without communication)",
    "no point with send rate 0 and a receive rate above 0 (the compute rate while receiving)",
    "no point with a send rate above 0 (the compute rate while sending to a child)",
};

/* The first point of each kind; only the last may have more. */
static enum err_code find_points(const struct fit_points *p, const struct fit_point *first[3], struct err *e)
{
    for (size_t k = 0; k < p->n; k++) {
        enum kind kind = kind_of(&p->points[k]);
        if (first[kind] == NULL)
            first[kind] = &p->points[k];
        else if (kind != SENDING)
            return err_set_at(e, ERR_INPUT, p->source, p->points[k].line,
                              "a second point %s (the first is on line %d); three_point takes one",
                              kind == ALONE ? "with both rates 0" : "with send rate 0 and a receive rate above 0",
                              first[kind]->line);
    }
    for (enum kind kind = ALONE; kind <= SENDING; kind++)
        if (first[kind] == NULL)
            return err_set_at(e, ERR_INPUT, p->source, 0, "%s", missing[kind]);
    if (first[ALONE]->compute_ratio <= 0)
        return err_set_at(e, ERR_INPUT, p->source, first[ALONE]->line,
                          "the compute rate without communication is 0; it must be above 0");
    return ERR_NONE;
}

static enum err_code compute(const struct fit_points *p, enum fit_rate rate, struct fit_result *out, struct err *e)
{
    (void)rate;
    const struct fit_point *first[3] = {NULL};
    enum err_code code = find_points(p, first, e);
    if (code != ERR_NONE)
        return code;
    double C = first[ALONE]->compute_ratio, Cr = first[RECEIVING]->compute_ratio;
    double ir_recv = (C - Cr) / C / first[RECEIVING]->recv_MB_per_s;
    bool several = p->n > 3;
    int n_children = 0;
    double *residuals = mem_zalloc(p->n, sizeof *residuals);
    out->constant = 1;
    fit_result_add(out, "per MB/s", ir_recv, "ir_recv");
    for (size_t k = 0; k < p->n; k++) {
        const struct fit_point *q = &p->points[k];
        double expected = 1 - ir_recv * q->recv_MB_per_s;
        if (kind_of(q) == SENDING) {
            double ir_send = (expected - q->compute_ratio / C) / q->send_MB_per_s;
            fit_result_add(out, "per MB/s", ir_send, several ? "ir_send.%d" : "ir_send", ++n_children);
            expected -= ir_send * q->send_MB_per_s;
        }
        residuals[k] = q->compute_ratio / C - expected;
    }
    /* as many numbers as points: nothing is left to estimate a scatter from, so the deviation is NAN */
    fit_result_set_errors(out, residuals, p->n, p->n);
    free(residuals);
    return ERR_NONE;
}

extern const struct fit fit_three_point;
const struct fit fit_three_point = {
    .name = "three_point",
    .summary = "through three points: alone, receiving, sending to each child while receiving",
    .source = "[K] 3.1",
    .formula = "1 - ir_recv * receive rate - ir_send * send rate",
    .compute = compute,
};
