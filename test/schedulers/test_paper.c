/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the text of [S] chapter 8 says about its figures and exercises. The figures are lost: where their weights are
   not in the text, the weights here are others with which everything that the text says comes true. Every plan is made
   twice, by the list scheduler and by the naive one. */
#include "both.h"
#include "by_hand.h"
#include "dag/levels.h"
#include "small.h"

enum { A, B, C, D, E, F };
static struct naive naive; /* too large for the stack of a test */

/* The same overhead and involvement at both ends. */
static void set_costs(struct machine *m, const char *overhead, const char *involvement)
{
    machine_text_set_all(m, "overhead_send", overhead);
    machine_text_set_all(m, "overhead_recv", overhead);
    machine_text_set_all(m, "involvement_send", involvement);
    machine_text_set_all(m, "involvement_recv", involvement);
}

static struct machine two_processors(const char *overhead, const char *involvement)
{
    struct machine m = machine_from_text("P1:1 P2:1 | L:1 | P1-P2:L");
    set_costs(&m, overhead, involvement);
    return m;
}

static int edge(const struct setting *s, int src, int dst)
{
    return by_hand_edge(&s->dag, src, dst);
}

static const struct naive_edge *planned(const struct setting *s, int src, int dst)
{
    return &naive.plan.edge[edge(s, src, dst)];
}

static void check_span(struct naive_span got, double start_s, double finish_s)
{
    CHECK_CLOSE(got.start_s, start_s, 1e-12);
    CHECK_CLOSE(got.finish_s, finish_s, 1e-12);
}

static void check_hosts(const int *hosts)
{
    for (int t = 0; t < naive.dag->n_tasks; t++)
        CHECK_INT(naive.plan.host[t], hosts[t]);
}

/* ---- Figure 8.16 ---- */

/* The weights were searched for. With whole numbers F starts at the same time on both processors, and the first one has
   it; with a longer EF the first one is better. */
static const char *const figure_8_16[] = {
    "A:3 B:4 C:4 D:3 E:4 F:4 | A>B:2 A>C:2 B>D:3 B>F:2 C>E:1 D>F:3 E>F:3",
    "A:3 B:3 C:3 D:2 E:3 F:8 | A>B:2 A>C:1 B>D:3 B>F:1 C>E:1 D>F:2 E>F:2.5",
};
static const int hosts_8_16[] = {0, 1, 0, 1, 0, 0};

static void check_8_16_order(void)
{
    static const int order[] = {A, B, C, E, D, F};
    for (int i = 0; i < 6; i++)
        CHECK_INT(naive.list[i], order[i]);
    for (int i = 0; i < 5; i++)
        CHECK(naive.level_s[order[i]] > naive.level_s[order[i + 1]]); /* bottom levels, without ties */
}

/* (a) to (c) are only the naive one's: a schedule is complete or none. */
static void check_8_16_a_to_c(const struct setting *s)
{
    double b_s = s->dag.tasks[B].work_flop, ac_s = s->dag.edges[edge(s, A, C)].size_bytes;
    naive_begin(&naive, &s->dag, &s->machine, (struct naive_wish){.model = NAIVE_INVOLVEMENT});
    naive_place_next(&naive, 0);
    CHECK_INT(naive.plan.host[A], 0);
    check_span(planned(s, A, B)->send, naive.plan.task[A].finish_s,
               5); /* the leaving edges, in the order of the list */
    check_span(planned(s, A, C)->send, 5, 5 + ac_s);
    naive_place_next(&naive, 1);
    CHECK_INT(naive.plan.host[B], 1); /* earliest on P2 */
    naive_place_next(&naive, 2);
    CHECK_INT(naive.plan.host[C], 0);
    CHECK_CLOSE(naive.plan.task[C].start_s, 5, 0);
    naive_place_next(&naive, 3);
    CHECK_INT(naive.plan.host[E], 0);
    naive_place_next(&naive, 4);
    CHECK_INT(naive.plan.host[D], 1); /* D starts earliest on P2 */
    CHECK_CLOSE(planned(s, B, F)->send.start_s - naive.plan.task[B].finish_s, 3, 1e-12);
    CHECK(naive.plan.task[D].start_s >= planned(s, B, F)->send.finish_s && b_s > 0);
    naive_clear(&naive);
}

static void check_8_16_d(const struct setting *s)
{
    double b_s = s->dag.tasks[B].work_flop, bf_s = s->dag.edges[edge(s, B, F)].size_bytes;
    plan_both(s, (struct naive_wish){.model = NAIVE_INVOLVEMENT}, &naive);
    check_8_16_order();
    check_hosts(hosts_8_16);
    const struct naive_edge *ab = planned(s, A, B), *df = planned(s, D, F);
    check_span(ab->links[0], ab->send.start_s, 5); /* 100 % involved, no overhead: all three at once */
    check_span(ab->recv, ab->send.start_s, 5);
    CHECK_CLOSE(naive.plan.task[B].start_s, 5, 0);
    CHECK_CLOSE(naive.plan.task[C].start_s, 5, 0);                           /* benefits from the freed space */
    CHECK_CLOSE(naive.plan.task[E].start_s, naive.plan.task[C].finish_s, 0); /* straightforward */
    CHECK_CLOSE(planned(s, B, F)->send.start_s, 5 + b_s + 3, 1e-12);         /* a gap of 3, where BD was */
    CHECK_CLOSE(naive.plan.task[D].start_s, 5 + b_s + 3 + bf_s, 1e-12);      /* though nothing else keeps D */
    CHECK_CLOSE(df->send.start_s, naive.plan.task[D].finish_s, 0);
    CHECK_CLOSE(naive.plan.task[F].start_s, df->recv.finish_s, 0);
    CHECK_CLOSE(naive.plan.length_s, 24, 1e-12);
    CHECK_CLOSE(dag_work_flop(&s->dag), 22, 0); /* the sequential time, on processors of speed 1 */
    naive_clear(&naive);
}

static void check_8_16_without_gaps(const struct setting *s)
{
    plan_both(s, (struct naive_wish){.model = NAIVE_INVOLVEMENT, .compacts = true}, &naive);
    check_hosts(hosts_8_16);
    CHECK_CLOSE(naive.plan.length_s, 22, 1e-12);
    CHECK_CLOSE(planned(s, B, F)->send.start_s, naive.plan.task[B].finish_s, 1e-12); /* the gap between B and BF */
    naive_clear(&naive);
}

static void check_8_16_with_insertion(const struct setting *s)
{
    struct naive_wish wish = {.model = NAIVE_INVOLVEMENT, .inserts = true};
    plan_both(s, wish, &naive);
    CHECK_INT(naive.plan.host[D], 1);
    CHECK_CLOSE(naive.plan.task[D].start_s, naive.plan.task[B].finish_s, 1e-12); /* in the gap */
    CHECK_CLOSE(naive.plan.task[B].finish_s, 5 + s->dag.tasks[B].work_flop, 1e-12);
    naive_clear(&naive);
    naive_begin(&naive, &s->dag, &s->machine, wish);
    for (int i = 0; i < 5; i++)
        naive_place_next(&naive, i);
    CHECK(planned(s, B, F)->send.start_s >= naive.plan.task[D].finish_s);     /* which separates D */
    CHECK(planned(s, D, F)->send.start_s >= planned(s, B, F)->send.finish_s); /* and its leaving edge */
    naive_clear(&naive);
}

static void figure_8_16_takes_24_and_22_without_its_gap(void)
{
    for (size_t i = 0; i < 2; i++) {
        struct setting s;
        setting_init(&s, dag_from_text(figure_8_16[i]), two_processors("0", "1"));
        check_8_16_a_to_c(&s);
        check_8_16_d(&s);
        check_8_16_without_gaps(&s);
        check_8_16_with_insertion(&s);
        setting_clear(&s);
    }
}

/* ---- Figures 8.8 and 8.10: two orders of the same things ---- */

/* By hand, and by the real compaction of the same order. */
static void plan_by_hand(const struct setting *s, const int *hosts, const char *order)
{
    struct schedule real;
    struct comparison c;
    struct err e = {0};
    by_hand(&naive, s, NAIVE_INVOLVEMENT, hosts, order);
    by_hand_loosely(&naive, s, order, 7, &real);
    CHECK_OK(schedule_compact(&real, &e), e);
    bool same = are_same(&naive, &real, 1e-12, &c);
    CHECK_TEXT(same ? "the same" : c.what, "the same");
    schedule_clear(&real);
}

static void figure_8_8_a_delayed_communication_shortens_the_schedule(void)
{
    static const int hosts[] = {1, 2, 1, 0};
    struct setting s;
    struct machine star = machine_star(3, 1, 1, 0, LINK_SHARED);
    set_costs(&star, "0.5", "0.75");
    setting_init(&s, dag_from_text("A:2 B:1 C:3 D:4 | A>B:2 C>D:2"), star);
    plan_by_hand(&s, hosts, "A C C>D A>B B D");
    double delayed_s = naive.plan.length_s, cd_s = planned(&s, C, D)->send.start_s, d_s = naive.plan.task[D].start_s;
    CHECK(planned(&s, A, B)->send.start_s >= naive.plan.task[C].finish_s);
    naive_clear(&naive);
    plan_by_hand(&s, hosts, "A A>B C C>D B D");
    CHECK_CLOSE(planned(&s, A, B)->send.finish_s, naive.plan.task[C].start_s, 0);
    CHECK_CLOSE(planned(&s, C, D)->send.start_s - cd_s, 2, 1e-12); /* 0.5 + 0.75 * 2 */
    CHECK_CLOSE(naive.plan.task[D].start_s - d_s, 2, 1e-12);
    CHECK(naive.plan.length_s > delayed_s);
    naive_clear(&naive);
    setting_clear(&s);
}

/* The least length over all hosts and all orders of the items in `words` that respect the dependences. */
static double least_of_orders(const struct setting *s, const int *hosts, const char *const *words, int n_words,
                              unsigned used, const char *before)
{
    char order[128];
    double least_s = INFINITY;
    if (used == (1U << n_words) - 1) {
        by_hand(&naive, s, NAIVE_INVOLVEMENT, hosts, before);
        naive_clear(&naive);
        return naive.plan.length_s;
    }
    for (int i = 0; i < n_words; i++) {
        bool is_b = strcmp(words[i], "B") == 0, is_c = strcmp(words[i], "C") == 0;
        if (used >> i & 1 || (is_b && !(used & 1)) || (is_c && !(used & 2)))
            continue; /* words 0 and 1 are the edges to B and C */
        snprintf(order, sizeof order, "%s %s", before, words[i]);
        least_s = fmin(least_s, least_of_orders(s, hosts, words, n_words, used | 1U << i, order));
    }
    return least_s;
}

static double optimal_fork_of_two_s(const struct setting *s)
{
    static const char *const words[] = {"A>B", "A>C", "B", "C"};
    double least_s = INFINITY;
    for (int b = 0; b < 2; b++)
        for (int c = 0; c < 2; c++)
            least_s = fmin(least_s, least_of_orders(s, (int[]){0, b, c}, words, 4, 0, "A"));
    return least_s;
}

static void figure_8_10_edges_with_their_destinations_come_late(void)
{
    static const int hosts[] = {0, 1, 0}, order[] = {A, C, B};
    struct setting s;
    setting_init(&s, dag_from_text("A:1 B:4 C:5 | A>B:2 A>C:2"), two_processors("0.5", "0.75"));
    plan_by_hand(&s, hosts, "A C A>B B"); /* (a) */
    double late_s = naive.plan.length_s;
    CHECK_CLOSE(planned(&s, A, B)->send.start_s, naive.plan.task[C].finish_s, 0);
    naive_clear(&naive);
    plan_both(&s, (struct naive_wish){.model = NAIVE_INVOLVEMENT, .approach = NAIVE_ALLOC1, .allocation = hosts},
              &naive);
    for (int i = 0; i < 3; i++)
        CHECK_INT(naive.list[i], order[i]);                                       /* their bottom-level order */
    CHECK_CLOSE(planned(&s, A, B)->send.start_s, naive.plan.task[A].finish_s, 0); /* (b) */
    CHECK(naive.plan.length_s < late_s);
    double b_length_s = naive.plan.length_s;
    naive_clear(&naive);
    CHECK_CLOSE(optimal_fork_of_two_s(&s), b_length_s, 1e-12);
    plan_both(&s, (struct naive_wish){.model = NAIVE_INVOLVEMENT, .approach = NAIVE_ENTERING}, &naive);
    check_hosts((int[]){0, 0, 0}); /* "would schedule all nodes in Figure 8.10 on P1" */
    CHECK_CLOSE(naive.plan.length_s, dag_work_flop(&s.dag), 1e-12);
    naive_clear(&naive);
    setting_clear(&s);
}

/* ---- Figure 8.11 ---- */

static void figure_8_11_local_edges_are_removed(void)
{
    struct setting s;
    setting_init(&s, dag_from_text("A:1 B:4 C:4 D:3 | A>B:2 A>C:2 A>D:2"), two_processors("0.5", "0.75"));
    naive_begin(&naive, &s.dag, &s.machine, (struct naive_wish){.model = NAIVE_INVOLVEMENT});
    naive_place_next(&naive, 0); /* (a): A and its three leaving edges */
    check_span(planned(&s, A, B)->send, 1, 3);
    check_span(planned(&s, A, C)->send, 3, 5);
    check_span(planned(&s, A, D)->send, 5, 7);
    naive_clear(&naive);
    plan_both(&s, (struct naive_wish){.model = NAIVE_INVOLVEMENT}, &naive);
    check_hosts((int[]){0, 1, 0, 1});
    check_span(planned(&s, A, B)->send, 1, 3);
    check_span(planned(&s, A, B)->links[0], 1.5, 3.5);
    check_span(planned(&s, A, B)->recv, 2, 4);
    check_span(naive.plan.task[B], 4, 8);
    check_span(naive.plan.task[C], 7, 11); /* (b): behind AD; where AC was is a gap */
    check_span(planned(&s, A, D)->send, 5, 7);
    check_span(planned(&s, A, D)->links[0], 5.5, 7.5);
    check_span(planned(&s, A, D)->recv, 8, 10); /* (c): after B, not aligned with the link */
    check_span(naive.plan.task[D], 10, 13);
    naive_clear(&naive);
    plan_both(&s, (struct naive_wish){.model = NAIVE_INVOLVEMENT, .compacts = true}, &naive);
    check_span(planned(&s, A, D)->send, 3, 5);
    check_span(naive.plan.task[C], 5, 9);
    naive_clear(&naive);
    setting_clear(&s);
}

/* ---- Figures 8.12 to 8.14: the three alternatives with a given allocation ---- */

static const char figure_8_12[] = "A:2 B:3 C:3 D:2 | A>D:2 B>C:2";
static const int hosts_8_12[] = {0, 1, 0, 1}, order_8_12[] = {A, B, C, D};

static void plan_alternative(const struct setting *s, enum naive_approach approach, bool inserts)
{
    plan_both(s,
              (struct naive_wish){.model = NAIVE_INVOLVEMENT,
                                  .approach = approach,
                                  .inserts = inserts,
                                  .order = order_8_12,
                                  .allocation = hosts_8_12},
              &naive);
}

static void figure_8_12_links_follow_the_destinations(void)
{
    struct setting s;
    setting_init(&s, dag_from_text(figure_8_12), two_processors("0.5", "0.75"));
    plan_alternative(&s, NAIVE_ALLOC1, false);
    CHECK(planned(&s, B, C)->links[0].finish_s <= planned(&s, A, D)->links[0].start_s);
    check_span(planned(&s, A, D)->send, 2, 4); /* (a): with A, on its processor only */
    check_span(planned(&s, B, C)->send, 3, 5);
    check_span(planned(&s, B, C)->links[0], 3.5, 5.5); /* (b) */
    check_span(planned(&s, B, C)->recv, 4, 6);
    check_span(naive.plan.task[C], 6, 9);
    check_span(planned(&s, A, D)->links[0], 5.5, 7.5);
    check_span(planned(&s, A, D)->recv, 6, 8);
    check_span(naive.plan.task[D], 8, 10);
    naive_clear(&naive);
    setting_clear(&s);
}

static void figure_8_13_links_follow_the_origins(void)
{
    struct setting s;
    setting_init(&s, dag_from_text(figure_8_12), two_processors("0.5", "0.75"));
    plan_alternative(&s, NAIVE_ALLOC2, false);
    CHECK(planned(&s, A, D)->links[0].start_s < planned(&s, B, C)->links[0].start_s);
    check_span(planned(&s, A, D)->links[0], 2.5, 4.5);
    check_span(planned(&s, B, C)->links[0], 4.5, 6.5);
    check_span(planned(&s, B, C)->recv, 5, 7);
    check_span(naive.plan.task[C], 7, 10);
    check_span(planned(&s, A, D)->recv, 5, 7); /* behind BC on P2, though its data are there at 4.5 */
    check_span(naive.plan.task[D], 7, 9);
    naive_clear(&naive);
    setting_clear(&s);
}

static void figure_8_14_only_insertion_saves_the_third_alternative(void)
{
    struct setting s;
    setting_init(&s, dag_from_text(figure_8_12), two_processors("0.5", "0.75"));
    plan_alternative(&s, NAIVE_ALLOC3, false);
    check_span(planned(&s, A, D)->recv, 3, 5);
    check_span(naive.plan.task[B], 5, 8); /* "B can only start after AD on P2" */
    double without_s = naive.plan.length_s;
    naive_clear(&naive);
    plan_alternative(&s, NAIVE_ALLOC3, true);
    check_span(naive.plan.task[B], 0, 3); /* "unless the insertion technique is employed" */
    check_span(planned(&s, A, D)->recv, 3, 5);
    CHECK(naive.plan.length_s < without_s);
    naive_clear(&naive);
    setting_clear(&s);
}

/* ---- exercises: their graphs are lost, but their costs imply properties of any graph ---- */

enum { N_GRAPHS = 40 };
static const int hosts_8_3[] = {0, 2, 1, 3, 0, 3, 0, 3}, alphabetic[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void init_exercise_8_3(struct setting *s, int i, double o_s, double o_r, double i_s, double i_r)
{
    struct random_stream random;
    random_init(&random, 83, (uint64_t)i);
    setting_init(s, small_dag(&random, 8, true, SMALL_WHOLE), machine_star(4, 1, 1, 0, LINK_SHARED));
    for (size_t h = 0; h < s->machine.n_hosts; h++) {
        struct host *host = &s->machine.hosts[h];
        machine_text_set_number(&host->overhead_s[DIR_SEND], o_s);
        machine_text_set_number(&host->overhead_s[DIR_RECV], o_r);
        machine_text_set_number(&host->involvement_ratio[DIR_SEND], i_s);
        machine_text_set_number(&host->involvement_ratio[DIR_RECV], i_r);
    }
}

static void check_exercise_8_3(double o_s, double o_r, double i_s, double i_r, enum naive_approach approach)
{
    for (int i = 0; i < N_GRAPHS; i++) {
        struct setting s;
        init_exercise_8_3(&s, i, o_s, o_r, i_s, i_r);
        plan_both(&s,
                  (struct naive_wish){.model = NAIVE_INVOLVEMENT,
                                      .approach = approach,
                                      .inserts = approach == NAIVE_ALLOC3,
                                      .order = alphabetic,
                                      .allocation = hosts_8_3},
                  &naive);
        for (int e = 0; e < s.dag.n_edges; e++) {
            double zeta_s = s.dag.edges[e].size_bytes; /* links of one byte per second */
            if (!naive_is_remote(&naive, e))
                continue;
            CHECK_CLOSE(naive.plan.edge[e].send.finish_s, naive.plan.edge[e].send.start_s + o_s + i_s * zeta_s, 1e-12);
            CHECK_CLOSE(naive.plan.edge[e].recv.finish_s, naive.plan.edge[e].recv.start_s + o_r + i_r * zeta_s, 1e-12);
            CHECK(naive.plan.edge[e].links[0].start_s >= naive.plan.edge[e].send.start_s + o_s);           /* 8.4 */
            CHECK(naive.plan.edge[e].recv.start_s >= naive.plan.edge[e].links[1].finish_s - i_r * zeta_s); /* 8.5 */
        }
        naive_clear(&naive);
        setting_clear(&s);
    }
}

static void exercise_8_3_two_sided(void)
{
    check_exercise_8_3(0.5, 0.5, 0.5, 0.5, NAIVE_ALLOC1);
}

static void exercise_8_4_one_sided(void)
{
    check_exercise_8_3(0.5, 0, 0.75, 0, NAIVE_ALLOC1);
    check_exercise_8_3(0, 0.5, 0, 0.75, NAIVE_ALLOC1);
}

static void exercise_8_5_third_alternative(void)
{
    check_exercise_8_3(0.5, 0.5, 0.5, 0.5, NAIVE_ALLOC3);
}

static struct machine three_processors(double i_s, double i_r)
{
    struct machine m = machine_star(3, 1, 1, 0, LINK_SHARED);
    for (size_t h = 0; h < m.n_hosts; h++) {
        machine_text_set_number(&m.hosts[h].involvement_ratio[DIR_SEND], i_s);
        machine_text_set_number(&m.hosts[h].involvement_ratio[DIR_RECV], i_r);
    }
    return m;
}

static void check_same_plans(const struct setting *s, const struct naive_wish *one, const struct naive_wish *other)
{
    struct schedule real;
    struct comparison c;
    struct err e = {0};
    plan_both(s, *one, &naive);
    enum err_code code = really_plan(s, other, NULL, &real, &e);
    CHECK_OK(code, e);
    if (code == ERR_NONE) {
        bool same = are_same(&naive, &real, 0, &c);
        CHECK_TEXT(same ? "the same" : c.what, "the same");
        schedule_clear(&real);
    }
    naive_clear(&naive);
}

/* 8.6 and 8.7 (a), (b): random graphs, real and naive agree. 8.7 (c): receiving alone leaves nothing to reserve on the
   source processor, so it does not matter when edges are scheduled there. */
static void exercise_8_7_receiving_alone_needs_no_provisional_edges(void)
{
    static const double ratios[][2] = {{1, 1}, {0.5, 0}, {0, 0.5}};
    for (int i = 0; i < N_GRAPHS; i++)
        for (int k = 0; k < 3; k++) {
            struct random_stream random;
            struct setting s;
            struct naive_wish direct = {.model = NAIVE_INVOLVEMENT}, entering = direct;
            entering.approach = NAIVE_ENTERING;
            random_init(&random, 86, (uint64_t)i);
            setting_init(&s, small_dag(&random, 9, true, SMALL_WHOLE), three_processors(ratios[k][0], ratios[k][1]));
            check_same_plans(&s, &direct, k == 2 ? &entering : &direct);
            setting_clear(&s);
        }
}

/* With a remote edge costing 4 more, many short steps weigh more than one long one. */
static void exercise_8_8_overhead_changes_the_order(void)
{
    static const char *const overheads[] = {"0", "2"};
    static const double levels_s[][6] = {{10, 8, 5, 3, 1, 1}, {19, 8, 13, 7, 1, 1}};
    for (int i = 0; i < 2; i++) {
        struct setting s;
        struct machine star = machine_star(3, 1, 1, 0, LINK_SHARED);
        double task_s[6], edge_s[5], got_s[6];
        set_costs(&star, overheads[i], "1");
        setting_init(&s, dag_from_text("A:1 B:8 C:1 D:1 E:1 F:1 | A>B:1 C>D:1 D>E:1 A>C:1 D>F:1"), star);
        struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
        problem_mean_costs(&p, task_s, edge_s);
        dag_bottom_levels(&s.dag, task_s, edge_s, got_s);
        plan_both(&s, (struct naive_wish){.model = NAIVE_INVOLVEMENT}, &naive);
        for (int t = 0; t < 6; t++) {
            CHECK_CLOSE(got_s[t], levels_s[i][t], 1e-12);
            CHECK_CLOSE(naive.level_s[t], got_s[t], 1e-12);
        }
        CHECK_INT(naive.list[1], i == 0 ? B : C);
        naive_clear(&naive);
        setting_clear(&s);
    }
}

/* 8.20 and 8.21: involved all the time, overhead a set-up time. */
static void experiment_s_machines_are_involved_all_the_time(void)
{
    struct setting s;
    setting_init(&s, dag_from_text("A:3 B:5 C:4 | A>B:2 A>C:2"), two_processors("0.5", "1"));
    plan_both(&s, (struct naive_wish){.model = NAIVE_INVOLVEMENT}, &naive);
    check_hosts((int[]){0, 1, 0});
    check_span(planned(&s, A, B)->send, 3, 5.5);
    check_span(planned(&s, A, B)->links[0], 3.5, 5.5);
    check_span(planned(&s, A, B)->recv, 3.5, 6);
    check_span(naive.plan.task[B], 6, 11);
    naive_clear(&naive);
    setting_clear(&s);
}

/* ---- the fork theorem ([S] 8.3.1; doc/model.md, Where iasim differs from its sources) ---- */

static struct dag random_fork(struct random_stream *random)
{
    struct dag g = {0};
    struct err e = {0};
    int n = 2 + (int)random_below(random, 10);
    dag_init(&g, "fork");
    for (int t = 0; t < n; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, small_number(random, SMALL_WHOLE), 0, NULL, &e), e);
    }
    for (int t = 1; t < n; t++)
        CHECK_OK(dag_add_edge(&g, 0, t, 0.25 + small_number(random, SMALL_WHOLE), 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

static void every_fork_is_sequential_when_edges_come_with_their_destinations(void)
{
    for (int i = 0; i < 300; i++) {
        struct random_stream random;
        struct setting s;
        random_init(&random, 8, (uint64_t)i);
        bool has_overhead = random_below(&random, 2), is_involved = !has_overhead || random_below(&random, 2);
        struct machine m = i % 2 ? machine_star(4, 1, 1, i % 3 ? 0.5 : 0, LINK_SHARED) : machine_bus(3, 2, 1, 0);
        set_costs(&m, has_overhead ? "0.125" : "0", is_involved ? "0.5" : "0");
        setting_init(&s, random_fork(&random), m);
        plan_both(&s,
                  (struct naive_wish){.model = NAIVE_INVOLVEMENT, .approach = NAIVE_ENTERING, .inserts = i % 5 == 0},
                  &naive);
        for (int t = 0; t < s.dag.n_tasks; t++)
            CHECK_INT(naive.plan.host[t], 0);
        CHECK_CLOSE(naive.plan.length_s, dag_work_flop(&s.dag) / s.machine.hosts[0].speed_flop_per_s, 1e-12);
        naive_clear(&naive);
        setting_clear(&s);
    }
}

static const struct test tests[] = {
    {"Figure 8.16: 24, and 22 without its gap", figure_8_16_takes_24_and_22_without_its_gap},
    {"Figure 8.8: a delayed communication shortens the schedule",
     figure_8_8_a_delayed_communication_shortens_the_schedule},
    {"Figure 8.10: edges with their destinations come late", figure_8_10_edges_with_their_destinations_come_late},
    {"Figure 8.11: local edges are removed", figure_8_11_local_edges_are_removed},
    {"Figure 8.12: links follow the destinations", figure_8_12_links_follow_the_destinations},
    {"Figure 8.13: links follow the origins", figure_8_13_links_follow_the_origins},
    {"Figure 8.14: only insertion saves the third alternative", figure_8_14_only_insertion_saves_the_third_alternative},
    {"exercise 8.3: two-sided", exercise_8_3_two_sided},
    {"exercise 8.4: one-sided", exercise_8_4_one_sided},
    {"exercise 8.5: the third alternative", exercise_8_5_third_alternative},
    {"exercises 8.6 and 8.7: receiving alone needs no provisional edges",
     exercise_8_7_receiving_alone_needs_no_provisional_edges},
    {"exercise 8.8: overhead changes the order", exercise_8_8_overhead_changes_the_order},
    {"8.20 and 8.21: involved all the time", experiment_s_machines_are_involved_all_the_time},
    {"every fork is sequential when edges come with their destinations",
     every_fork_is_sequential_when_edges_come_with_their_destinations},
};
TEST_MAIN(tests)
