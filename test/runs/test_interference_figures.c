/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measurements of [K] 2 on the platform of Tables 1 and 2, whose interference rates are known exactly.

   How closely a fit can meet them: the computing that an interval counts begins and ends up to one task
   earlier than its transfers, d = 1 / (9.0645 * 0.45) = 0.25 s at the slowest, which is d/T = 2.5 % of an
   interval of T = 10 s. The n = 300 points have errors of that part of the range of the compute ratio at
   most, of either sign; the standard deviation of the rates is about a quarter of their range. So the slope
   is good to 4 * 2.5 % / sqrt(300) = 0.6 %. */
#include "runs/interference_figures.h"

#include "point_outcome.h"

static const double tolerance = 0.006;
static const char platform[] = PROJECT_DIR "/platforms/kreaseck-lab.xml";

/* A point with the peers and mode given, and "name=value" pairs until NULL. */
static struct outcome_of_point run_point(const char *peers, const char *mode, const char *const (*more)[2])
{
    const char *values[32][2] = {{"platform", platform}, {"host", "Lab0"},   {"peers", peers}, {"mode", mode},
                                 {"duration", "3000"},   {"interval", "10"}, {"alone", "100"}};
    for (size_t n = 7; more != NULL && (*more)[0] != NULL; more++, n++)
        memcpy(values[n], *more, sizeof values[n]);
    return point_outcome("interference", values);
}

/* Of Table 2: node, IR_r, IR_s. Near and far, Linux and Solaris, fast and slow. */
static const struct node {
    const char *name;
    double ir_recv, ir_send;
} nodes[] = {{"Lab1", 0.0458, 0.0314}, {"Lab4", 0.0452, 0.0199}, {"Campus0", 0.0474, 0.0388},
             {"SB3", 0.0511, 0.0310},  {"Tenn", 0.0743, 0.0638}, {"France", 0.0848, 0.0372}};
enum { N_NODES = sizeof nodes / sizeof nodes[0] };

static void rates_of_table_2_are_recovered(void)
{
    for (size_t i = 0; i < N_NODES; i++) {
        struct outcome_of_point recv = run_point(nodes[i].name, "receive", NULL),
                                send = run_point(nodes[i].name, "send", NULL);
        CHECK_OK(recv.code, recv.e);
        CHECK_OK(send.code, send.e);
        CHECK_CLOSE(recv.metrics[OF_RECV + IR], nodes[i].ir_recv, tolerance);
        CHECK_CLOSE(send.metrics[OF_SEND + IR], nodes[i].ir_send, tolerance);
        CHECK_CLOSE(recv.metrics[OF_RECV + CONSTANT], 1, tolerance);
        CHECK_CLOSE(send.metrics[OF_SEND + CONSTANT], 1, tolerance);
        CHECK_INT(send.metrics[N_POINTS], 310);
        CHECK(isnan(send.metrics[OF_RECV + IR]));
        CHECK(isnan(send.metrics[PLANAR_IR_SEND]));
        CHECK(isnan(send.metrics[PREDICTED_MEAN_ERROR]));
    }
}

/* In the world without interference there is nothing to find. */
static void no_interference_is_seen_as_none(void)
{
    static const char *const none[][2] = {{"world", "none"}, {NULL, NULL}};
    struct outcome_of_point o = run_point("Lab1", "send", none);
    CHECK_OK(o.code, o.e);
    CHECK(fabs(o.metrics[OF_SEND + IR]) < 1e-9);
}

/* [K] 2.3, 2.4: the rates of several peers add up. A line over the total rate cannot know whose bytes they
 * are. */
static void rates_of_four_dissimilar_nodes_add_up(void)
{
    struct outcome_of_point recv = run_point("Lab1 Campus4 SB1 Tenn", "receive", NULL),
                            send = run_point("Lab1 Campus4 SB1 Tenn", "send", NULL);
    CHECK_OK(recv.code, recv.e);
    CHECK_OK(send.code, send.e);
    /* of a compute ratio that falls to 0.46: half of the tolerance for slopes, and the points' own errors */
    CHECK(recv.metrics[PREDICTED_MEAN_ERROR] < tolerance / 2);
    CHECK(send.metrics[PREDICTED_MEAN_ERROR] < tolerance / 2);
    CHECK(recv.metrics[PREDICTED_MEAN_ERROR] > 0);
    CHECK(recv.metrics[PREDICTED_MAX_ERROR] >= recv.metrics[PREDICTED_STDEV]);
    CHECK(recv.metrics[PREDICTED_STDEV] >= recv.metrics[PREDICTED_MEAN_ERROR]);
    CHECK(recv.metrics[PREDICTED_MEAN_ERROR] < recv.metrics[OF_RECV + MEAN_ERROR] / 2);
    CHECK_INT(recv.metrics[N_POINTS], 10 + 5 * 300);
}

/* [K] 2.5, 3.1: the plane of both directions at once has its own rates, those of each alone stay. But for the latencies
   of messages, in which only one direction moves: 410 us of about 100 ms. The three-point model takes what receiving
   alone costs, so of sending it sees 0.0265 - (0.0458 - 0.0427) RR / SR. */
static void both_directions_at_once_cost_less(void)
{
    struct outcome_of_point o = run_point("Lab1", "both", NULL);
    const double *m = o.metrics;
    /* of Lab0-both's 15.9 MB/s, in inverse proportion to latencies of 150 and 260 us */
    double sent = 15.9 * 260 / 410, received = 15.9 * 150 / 410;
    CHECK_OK(o.code, o.e);
    CHECK_CLOSE(m[OF_SEND + IR], 0.0314, tolerance);
    CHECK_CLOSE(m[OF_RECV + IR], 0.0458, tolerance);
    CHECK_CLOSE(m[THREE_POINT_IR_RECV], 0.0458, 1e-4);
    CHECK_CLOSE(m[THREE_POINT_IR_SEND], 0.0265 - (0.0458 - 0.0427) * received / sent, 5e-3);
    CHECK_CLOSE(m[AT_ONCE_SEND_RATIO], sent / 10.7, 2e-3);
    CHECK_CLOSE(m[AT_ONCE_RECV_RATIO], received / 11, 3e-3);
    CHECK_CLOSE(m[PLANAR_IR_RECV], 0.0427, 3 * tolerance); /* the two rates disturb each other */
    CHECK_CLOSE(m[PLANAR_IR_SEND], 0.0265, 3 * tolerance);
    CHECK_CLOSE(m[PLANAR_CONSTANT], 1, tolerance);
    CHECK(m[PLANAR_MEAN_ERROR] < m[SUM_MEAN_ERROR] / 5);
    CHECK(m[PLANAR_MAX_ERROR] < m[SUM_MAX_ERROR]);
    CHECK(m[N_HULL_POINTS] > 50);
    CHECK(m[N_HULL_POINTS] < 300);
    CHECK(m[HULL_THREE_POINT_MEAN_ERROR] <= m[THREE_POINT_MAX_ERROR]);
}

static void the_same_point_gives_the_same_bytes(void)
{
    struct outcome_of_point a = run_point("Lab1", "both", NULL), b = run_point("Lab1", "both", NULL);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

/* ---- figures of points made by hand ---- */

struct hand_made {
    struct measure_point points[32];
    size_t n;
};

static void add(struct hand_made *h, enum part part, double send_MB_per_s, double recv_MB_per_s, double ratio)
{
    h->points[h->n++] = (struct measure_point){
        .phase = part, .rate_bytes_per_s = {send_MB_per_s * 1e6, recv_MB_per_s * 1e6}, .compute_ratio = ratio};
}

/* Parts with their first point astray, as at a boundary; separately 0.05 and 0.03, together 0.04 and 0.02. */
static struct hand_made synergy(void)
{
    struct hand_made h = {.n = 0};
    add(&h, ALONE, 0, 0, 1);
    add(&h, ALONE, 0, 0, 1);
    for (int k = 0; k < 3; k++)
        add(&h, RECV_FREELY, 0, k ? 10 : 5, k ? 0.5 : 0.9);
    for (int k = 0; k < 3; k++)
        add(&h, BOTH_FREELY, k ? 8 : 2, k ? 6 : 2, k ? 1 - 0.05 * 6 - 0.02 * 8 : 0.9);
    add(&h, RECV, 0, 4, 0.8);
    add(&h, RECV, 0, 8, 0.6);
    add(&h, RECV, 2, 8, 0.1); /* a send from the part before: counts for neither */
    add(&h, SEND, 4, 0, 0.88);
    add(&h, SEND, 8, 0, 0.76);
    return h;
}

static void the_three_point_model_is_exact_on_its_points(void)
{
    struct hand_made h = synergy();
    struct err e = {0};
    double m[MAX_METRICS];
    add(&h, BOTH, 8, 6, 0.54);
    add(&h, BOTH, 0, 10, 0.5);
    struct measure_result r = {.points = h.points, .n_points = h.n};
    CHECK_OK(figures_both(&r, m, &e), e);
    CHECK_CLOSE(m[OF_RECV + IR], 0.05, 1e-12);
    CHECK_CLOSE(m[OF_SEND + IR], 0.03, 1e-12);
    CHECK_CLOSE(m[THREE_POINT_IR_RECV], 0.05, 1e-12);
    CHECK_CLOSE(m[THREE_POINT_IR_SEND], 0.02, 1e-12);
    CHECK(m[THREE_POINT_MAX_ERROR] < 1e-12);
    CHECK_CLOSE(m[SUM_MAX_ERROR], 0.08, 1e-12); /* (0.03 - 0.02) * 8 */
    CHECK_CLOSE(m[SUM_MEAN_ERROR], 0.08 / 4, 1e-12);
    CHECK_INT(m[N_HULL_POINTS], 4); /* the corners: those two, and twice alone */
    CHECK(m[HULL_THREE_POINT_MAX_ERROR] < 1e-12);
    CHECK_CLOSE(m[AT_ONCE_SEND_RATIO], 1, 1e-12); /* 8 of at most 8 MB/s */
    CHECK_CLOSE(m[AT_ONCE_RECV_RATIO], 0.75, 1e-12);
}

/* The triangle (0, 0), (0, 10), (8, 6): at a send rate of 4 it reaches from 3 to 8. */
static void only_points_in_the_triangle_count_for_the_hull(void)
{
    static const double recv[] = {2.9, 3.1, 7.9, 8.1};
    struct hand_made h = synergy();
    struct err e = {0};
    double m[MAX_METRICS];
    for (int i = 0; i < 4; i++)
        add(&h, BOTH, 4, recv[i], 1 - 0.05 * recv[i] - 0.02 * 4 + (i == 0 || i == 3 ? 0.2 : 0.01));
    add(&h, BOTH, 8.5, 6, 0.9);
    struct measure_result r = {.points = h.points, .n_points = h.n};
    CHECK_OK(figures_both(&r, m, &e), e);
    CHECK_INT(m[N_HULL_POINTS], 4);
    CHECK_CLOSE(m[HULL_THREE_POINT_MAX_ERROR], 0.01, 1e-9);
    CHECK_CLOSE(m[HULL_THREE_POINT_MEAN_ERROR], 0.01 / 2, 1e-9);
    CHECK(m[THREE_POINT_MAX_ERROR] > 0.19);
}

/* Two peers, of 0.05 and 0.03; together they take 0.01 less than both by themselves. */
static void a_prediction_is_judged_where_all_communicate(void)
{
    static const double rates[][2] = {{0, 0},   {0, 0},   {4e6, 0},   {8e6, 0},  {8e6, 5e6},
                                      {0, 4e6}, {0, 8e6}, {4e6, 4e6}, {2e6, 6e6}};
    static const size_t phases[] = {0, 0, 1, 1, 1, 2, 2, 3, 3};
    struct measure_point points[9] = {{0}};
    struct measure_options o = {.n_peers = 2, .n_phases = 4};
    struct measure_result r = {.points = points, .n_points = 9};
    struct err e = {0};
    double m[MAX_METRICS];
    for (size_t k = 0; k < 9; k++)
        points[k] = (struct measure_point){.phase = phases[k],
                                           .rate_bytes_per_s = {0, rates[k][0] + rates[k][1]},
                                           .peer_bytes_per_s = rates[k],
                                           .compute_ratio = 1 - 0.05e-6 * rates[k][0] - 0.03e-6 * rates[k][1] +
                                                            (phases[k] == 3 ? 0.01 : 0)};
    points[4].compute_ratio = 0.1; /* a message from elsewhere: counts for neither */
    CHECK_OK(figures_one_way(&r, &o, DIR_RECV, m, &e), e);
    CHECK_CLOSE(m[PREDICTED_MEAN_ERROR], 0.01, 1e-9);
    CHECK_CLOSE(m[PREDICTED_MAX_ERROR], 0.01, 1e-9);
    CHECK_CLOSE(m[PREDICTED_STDEV], 0.01, 1e-9);
}

static void what_cannot_be_measured_is_an_error(void)
{
    static const char *const short_of_points[][2] = {{"interval", "2000"}, {NULL, NULL}};
    struct outcome_of_point o = run_point("Lab1", "send", short_of_points);
    CHECK_INT(o.code, ERR_INPUT);
    CHECK_CONTAINS(o.e.text, "alone 100 s is 0 intervals of 2000 s");
    o = run_point("Lab1 Nowhere", "send", NULL);
    CHECK_INT(o.code, ERR_INPUT);
    CHECK_CONTAINS(o.e.text, "host 'Nowhere' is not on the platform");
    o = run_point(" ", "send", NULL);
    CHECK_INT(o.code, ERR_INPUT);
    CHECK_CONTAINS(o.e.text, "no peers");
}

static const struct test tests[] = {
    {"rates of Table 2 are recovered", rates_of_table_2_are_recovered},
    {"no interference is seen as none", no_interference_is_seen_as_none},
    {"rates of four dissimilar nodes add up", rates_of_four_dissimilar_nodes_add_up},
    {"both_directions_at_once_cost_less", both_directions_at_once_cost_less},
    {"the same point gives the same bytes", the_same_point_gives_the_same_bytes},
    {"the three-point model is exact on its points", the_three_point_model_is_exact_on_its_points},
    {"only points in the triangle count for the hull", only_points_in_the_triangle_count_for_the_hull},
    {"a prediction is judged where all communicate", a_prediction_is_judged_where_all_communicate},
    {"what cannot be measured is an error", what_cannot_be_measured_is_an_error},
};

TEST_MAIN(tests)
