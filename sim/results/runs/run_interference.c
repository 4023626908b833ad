/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measurements of [K] 2 as a point of a sweep: one host computes, alone at first, then while it also sends to or
   receives from its peers under changing load. Lines and planes are fitted to the measured points. By mode:

       send, receive   one peer: the fits over its rate. Several peers: each alone for a while, then all together; is
                       the compute rate what the peers' own interference rates predict (2.3, 2.4)?
       both            sends to the first peer and receives from the last: the plane over both rates, the sum of the
                       fits of each alone, the three-point model (2.5, 3.1)

   Errors are differences of compute ratios: 0.01 is one percent of the highest compute rate. */
#include "base/mem.h"
#include "engine/measure.h"
#include "models/world.h"
#include "runs/interference_figures.h"
#include "runs/rows.h"
#include "runs/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct run_param rows[] = {
    {.is = {"platform", PARAM_TEXT, "file", NULL, 0, 0, NULL, "SimGrid platform"},
     .facts = RUN_SHARED | RUN_INSTANCE | RUN_FILE | RUN_FILE_OF_FILES,
     .folder = "platforms",
     .letter = 'p',
     .arg = "FILE",
     .values = "platforms/ *.xml"},
    {.is = {"host", PARAM_TEXT, "", NULL, 0, 0, NULL, "the host that is measured"},
     .facts = RUN_INSTANCE,
     .letter = 'H',
     .arg = "HOST"},
    {.is = {"peers", PARAM_TEXT, "", NULL, 0, 0, NULL, "hosts it communicates with, between blanks"}},
    {.is = {"mode", PARAM_CHOICE, "", NULL, 0, 0, "send|receive|both",
            "what it does with them; both: each part also without load, as long as alone"}},
    {.is = {"alone", PARAM_NUMBER, "s", "20", 0, 1e6, NULL, "computing alone, at the beginning"}, .arg = "S"},
    {.is = {"duration", PARAM_NUMBER, "s", "170", 1e-6, 1e6, NULL, "of each part with load"}},
    {.is = {"interval", PARAM_NUMBER, "s", "2", 1e-6, 1e6, NULL, "rates are averaged over this; each gives a point"},
     .letter = 'i',
     .arg = "S"},
    {.is = {"loads", PARAM_INTEGER, "streams", "8", 0, MEASURE_MAX_LOAD, NULL,
            "other traffic on the way of each peer: up to so many streams, their number changing at random; 0: none"},
     .letter = 'l',
     .arg = "K"},
    {.is = {"message_size", PARAM_NUMBER, "MB", "1", 1e-6, 9e9, NULL, "size of a message, taken to the whole byte"}},
    {.is = {"compute_size", PARAM_NUMBER, "work units", "1", 1e-9, 1e18, NULL, "work of a task"}},
    /* Worlds and rates are variants: they are compared under the same load. */
    WORLD_OF_NETWORKS_ROW("interference", RUN_VARIANT),
    IR_ROWS("platform_", RUN_VARIANT),
    OCCUPATION_ROWS(RUN_VARIANT),
    {.is = {0}},
};

#define ONE_RATE_METRICS(first, prefix, word)                                                                          \
    [(first) +                                                                                                         \
        IR] = {"ir_" prefix, "per MB/s", "negative slope of the line over the " word " rate", BETTER_NONE},            \
        [(first) + CONSTANT] = {prefix "_constant", "", "of that line, where the rate is 0", BETTER_NONE},             \
        [(first) + STDEV] = {prefix "_stdev", "", "standard deviation of the points from that line", BETTER_NONE},     \
        [(first) + MAX_ERROR] = {prefix "_max_error", "", "largest distance of a point from that line", BETTER_NONE},  \
        [(first) +                                                                                                     \
            MEAN_ERROR] = {prefix "_mean_error", "", "mean distance of the points from that line", BETTER_NONE},       \
        [(first) + QUADRATIC_STDEV] = {prefix "_quadratic_stdev", "", "as stdev, from a parabola", BETTER_NONE},       \
        [(first) +                                                                                                     \
            QUADRATIC_MAX_ERROR] = {prefix "_quadratic_max_error", "", "as max_error, from a parabola", BETTER_NONE},  \
        [(first) + MAX_RATE] = {prefix "_max_rate_MB_per_s", "MB/s", "highest " word " rate of a point", BETTER_NONE}

static const struct metric metrics[] = {
    [N_POINTS] = {"n_points", "", "intervals measured", BETTER_NONE},
    ONE_RATE_METRICS(OF_SEND, "send", "send"),
    ONE_RATE_METRICS(OF_RECV, "recv", "receive"),
    [PREDICTED_MEAN_ERROR] = {"predicted_mean_error", "", "several peers: of 1 - sum of each one's own rate times MB/s",
                              BETTER_NONE},
    [PREDICTED_MAX_ERROR] = {"predicted_max_error", "", "the largest such error", BETTER_NONE},
    [PREDICTED_STDEV] = {"predicted_stdev", "", "root of the mean square of these errors", BETTER_NONE},
    [PLANAR_CONSTANT] = {"planar_constant", "", "both: of the plane over both rates", BETTER_NONE},
    [PLANAR_IR_RECV] = {"planar_ir_recv", "per MB/s", "of the plane", BETTER_NONE},
    [PLANAR_IR_SEND] = {"planar_ir_send", "per MB/s", "of the plane", BETTER_NONE},
    [PLANAR_STDEV] = {"planar_stdev", "", "standard deviation of the points from the plane", BETTER_NONE},
    [PLANAR_MEAN_ERROR] = {"planar_mean_error", "", "of the plane", BETTER_NONE},
    [PLANAR_MAX_ERROR] = {"planar_max_error", "", "of the plane", BETTER_NONE},
    [SUM_MEAN_ERROR] = {"sum_mean_error", "", "of 1 - what sending alone and receiving alone would take", BETTER_NONE},
    [SUM_MAX_ERROR] = {"sum_max_error", "", "the largest such error", BETTER_NONE},
    [THREE_POINT_IR_RECV] = {"three_point_ir_recv", "per MB/s", "of the three-point model", BETTER_NONE},
    [THREE_POINT_IR_SEND] = {"three_point_ir_send", "per MB/s", "of the three-point model", BETTER_NONE},
    [THREE_POINT_MEAN_ERROR] = {"three_point_mean_error", "", "of the three-point model over all points", BETTER_NONE},
    [THREE_POINT_MAX_ERROR] = {"three_point_max_error", "", "the largest such error", BETTER_NONE},
    [N_HULL_POINTS] = {"n_hull_points", "", "points in the triangle of the model's three", BETTER_NONE},
    [HULL_PLANAR_MEAN_ERROR] = {"hull_planar_mean_error", "", "of the plane, over these", BETTER_NONE},
    [HULL_PLANAR_MAX_ERROR] = {"hull_planar_max_error", "", "of the plane, over these", BETTER_NONE},
    [HULL_THREE_POINT_MEAN_ERROR] = {"hull_three_point_mean_error", "", "of the three-point model, over these",
                                     BETTER_NONE},
    [HULL_THREE_POINT_MAX_ERROR] = {"hull_three_point_max_error", "", "of the three-point model, over these",
                                    BETTER_NONE},
    [AT_ONCE_SEND_RATIO] = {"at_once_send_ratio", "",
                            "both, without load: the send rate over the highest when only sending", BETTER_NONE},
    [AT_ONCE_RECV_RATIO] = {"at_once_recv_ratio", "", "both, without load: likewise of receiving", BETTER_NONE},
    {0},
};

/* ---- the measurement ---- */

/* What is done in which order: the parts are phases of one simulation, so that all figures are of one host under one
   load. */
struct plan {
    struct measure_options options;
    struct measure_peer *peers;
    struct measure_phase *phases;
    long n_alone, n_loaded; /* intervals of a part */
};

static void add_phase(struct plan *p, long n_intervals, size_t first_peer, size_t n_peers, bool is_loaded)
{
    struct measure_options *o = &p->options;
    p->phases = mem_resize(p->phases, o->n_phases + 1, sizeof *p->phases);
    p->phases[o->n_phases++] = (struct measure_phase){n_intervals, first_peer, n_peers, is_loaded};
}

static void plan_one_way(struct plan *p)
{
    size_t n = p->options.n_peers;
    /* Alone first: the highest compute rate, over which all others are taken, is that of an undisturbed host. */
    add_phase(p, p->n_alone, 0, 0, false);
    /* One peer alone would repeat the last part. */
    for (size_t i = 0; i < n && n > 1; i++)
        add_phase(p, p->n_loaded, i, 1, true);
    add_phase(p, p->n_loaded, 0, n, true);
}

/* Peers become two: who is received from, who is sent to. The parts are those of enum part. */
static void plan_both(struct plan *p)
{
    enum { FROM, TO };
    /* The same host may be both first and last: `peers` then names one. */
    host_id first = p->peers[0].host, last = p->peers[p->options.n_peers - 1].host;
    p->peers = mem_resize(p->peers, 2, sizeof *p->peers);
    p->peers[FROM] = (struct measure_peer){last, DIR_RECV};
    p->peers[TO] = (struct measure_peer){first, DIR_SEND};
    /* Two entries whatever was given: peers in between are not used in this mode. */
    p->options.n_peers = 2;
    add_phase(p, p->n_alone, 0, 0, false);
    add_phase(p, p->n_alone, FROM, 1, false);
    add_phase(p, p->n_alone, FROM, 2, false);
    add_phase(p, p->n_loaded, FROM, 2, true);
    add_phase(p, p->n_loaded, FROM, 1, true);
    add_phase(p, p->n_loaded, TO, 1, true);
}

static enum err_code count_intervals(const struct param_set *ps, const char *param, long least, long *out,
                                     struct err *e)
{
    static const double max_intervals = 1e6;
    /* A little more than 1, so that 20 s of 0.1 s intervals are 200 and not 199. */
    double n = floor(param_number(ps, param) / param_number(ps, "interval") * (1 + 1e-12));
    /* Two intervals of each part at least: the first one of a part is not settled. */
    if (n < (double)least || n > max_intervals)
        return err_set(e, ERR_INPUT, "%s %g s is %g intervals of %g s; expected %ld to %g of them", param,
                       param_number(ps, param), n, param_number(ps, "interval"), least, max_intervals);
    *out = (long)n;
    return ERR_NONE;
}

static enum err_code make_plan(const struct point *point, struct plan *p, struct err *e)
{
    const struct param_set *ps = point->params;
    const struct machine *m = engine_machine(point->shared);
    const char *mode = param_text(ps, "mode");
    struct measure_options *o = &p->options;
    *p = (struct plan){.options = {.message_bytes = rint(param_number(ps, "message_size") * 1e6),
                                   .task_flop = param_number(ps, "compute_size"),
                                   .interval_s = param_number(ps, "interval"),
                                   .max_load = (int)param_integer(ps, "loads")}};
    /* The load is drawn from the point's stream, so that a replication has a load of its own. */
    random_init(&o->random, point->seed, point->stream);
    enum err_code code = world_find_of_networks(param_text(ps, "world"), &o->world, e);
    if (code == ERR_NONE)
        code = measure_find_host(m, param_text(ps, "host"), &o->host, e);
    if (code == ERR_NONE)
        code = measure_add_peers(m, param_text(ps, "peers"), strcmp(mode, "receive") == 0 ? DIR_RECV : DIR_SEND,
                                 &p->peers, &o->n_peers, e);
    if (code == ERR_NONE && o->n_peers == 0)
        code = err_set(e, ERR_INPUT, "no peers are given");
    if (code == ERR_NONE)
        code = count_intervals(ps, "alone", 2, &p->n_alone, e);
    if (code == ERR_NONE)
        code = count_intervals(ps, "duration", 2, &p->n_loaded, e);
    if (code == ERR_NONE)
        (strcmp(mode, "both") == 0 ? plan_both : plan_one_way)(p);
    /* Set at the end: the lists move while they grow. */
    o->peers = p->peers;
    o->phases = p->phases;
    return code;
}

static enum err_code analyse(const char *mode, const struct measure_result *r, const struct measure_options *o,
                             double *out, struct err *e)
{
    if (strcmp(mode, "both") == 0)
        return figures_both(r, out, e);
    return figures_one_way(r, o, strcmp(mode, "send") == 0 ? DIR_SEND : DIR_RECV, out, e);
}

static enum err_code run(const struct point *point, double *out, struct err *e)
{
    struct plan plan;
    struct measure_result result = {0};
    enum err_code code = make_plan(point, &plan, e);
    if (code == ERR_NONE)
        code = measure_run(point->shared, &plan.options, &result, e);
    if (code == ERR_NONE)
        code = analyse(param_text(point->params, "mode"), &result, &plan.options, out, e);
    measure_result_clear(&result);
    free(plan.peers);
    free(plan.phases);
    return code;
}

static enum err_code prepare(const struct param_set *ps, void **shared, struct err *e)
{
    struct engine *engine = NULL;
    enum err_code code = rows_open_machine(ps, &engine, e);
    *shared = engine;
    return code;
}

const struct run_kind run_interference = {
    .name = "interference",
    .summary = "a host's interference rates, measured and fitted",
    .source = "[K] 2, 3.1",
    .results_version = 2,
    .rows = rows,
    .metrics = metrics,
    .is_random = true,
    .prepare = prepare,
    .simulates = true,
    .run = run,
};
