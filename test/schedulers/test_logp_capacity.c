/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* LogP's capacity ([S] 8.1.3, [Culler 1993]): at most ceil(L / g) messages may be under way from or to a processor
   (doc/model.md, Beliefs). Of a source it always holds. Of a destination it does not; but messages would be
   received at the same dates if their senders stalled. All numbers are whole, so that dates are exact. */
#include "both.h"
#include "small.h"

enum { N_CASES = 400, MOST_SENDERS = 7 };

struct numbers {
    double L, o, g;
};

static struct numbers draw(struct random_stream *r)
{
    return (struct numbers){small_int(r, 1, 12), small_int(r, 0, 4), small_int(r, 1, 5)};
}

static const struct cost_model *logp(const struct numbers *x)
{
    char *text = mem_format("logp[L=%g,o=%g,g=%g]", x->L, x->o, x->g);
    const struct cost_model *model = model_of(text);
    free(text);
    return model;
}

/* How many messages of this host are under way, at one date, at most: from the end of the send for L. */
static int most_under_way(const struct schedule *x, host_id h, enum direction dir, const struct numbers *n)
{
    const struct dag *g = x->problem.dag;
    int most = 0;
    for (edge_id at = 0; at < g->n_edges; at++) { /* some message has just left when most are under way */
        int now = 0;
        double date_s = x->edges[at].send.finish_s;
        for (edge_id e = 0; e < g->n_edges && x->edges[at].is_remote; e++) {
            host_id here = x->tasks[dir == DIR_SEND ? g->edges[e].src : g->edges[e].dst].host;
            double left_s = x->edges[e].send.finish_s;
            now += x->edges[e].is_remote && here == h && left_s <= date_s && date_s < left_s + n->L;
        }
        most = now > most ? now : most;
    }
    return most;
}

static void a_source_never_exceeds_it(void)
{
    int n_full = 0;
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        struct schedule x;
        random_init(&r, 140, i);
        struct numbers n = draw(&r);
        setting_init(&s, small_dag(&r, 12, false, SMALL_WHOLE), machine_clique(3, 1, 1, 0, LINK_SHARED));
        setting_plan(&s, logp(&n), i % 2 ? "heft" : "round_robin", NULL, &x);
        for (host_id h = 0; h < 3; h++) {
            int most = most_under_way(&x, h, DIR_SEND, &n);
            CHECK(most <= ceil(n.L / n.g));
            n_full += most > 1 && most == ceil(n.L / n.g);
        }
        schedule_clear(&x);
        setting_clear(&s);
    }
    CHECK(n_full > 0);
}

/* Hosts 1, 2, ... send one message each to host 0, after tasks of random lengths. */
static struct dag join_graph(struct random_stream *r, int n_senders)
{
    struct dag g = {0};
    struct err e = {0};
    dag_init(&g, "join");
    CHECK_OK(dag_add_task(&g, "join", 1, 0, NULL, &e), e);
    for (int k = 1; k <= n_senders; k++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", k);
        CHECK_OK(dag_add_task(&g, name, small_int(r, 0, 9), 0, NULL, &e), e);
        CHECK_OK(dag_add_edge(&g, k, 0, 1, 0, &e), e);
    }
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

static int by_date(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* When messages that are ready for the network at these dates, in rising order, are received, if one enters only when
   fewer than the capacity are on their way to the destination; returns the sum of the stalls. */
static double receive_with_stalls(const struct numbers *n, const double *ready_s, int n_messages, double *received_s)
{
    double arrived_s[MOST_SENDERS], stalls_s = 0;
    int capacity = (int)ceil(n->L / n->g);
    for (int k = 0; k < n_messages; k++) {
        double enters_s = k < capacity ? ready_s[k] : fmax(ready_s[k], arrived_s[k - capacity]);
        stalls_s += enters_s - ready_s[k];
        arrived_s[k] = enters_s + n->L;
        received_s[k] = k == 0 ? arrived_s[k] : fmax(arrived_s[k], received_s[k - 1] + fmax(n->o, n->g));
    }
    return stalls_s;
}

static void stalls_of_senders_change_no_receive(void)
{
    int n_exceeded = 0;
    FOR_RANDOM_CASES (i, N_CASES) {
        struct random_stream r;
        struct setting s;
        struct schedule x;
        host_id hosts[MOST_SENDERS + 1];
        double ready_s[MOST_SENDERS], want_s[MOST_SENDERS], got_s[MOST_SENDERS];
        random_init(&r, 141, i);
        struct numbers n = draw(&r);
        int n_senders = small_int(&r, 2, MOST_SENDERS);
        setting_init(&s, join_graph(&r, n_senders), machine_clique(n_senders + 1, 1, 1, 0, LINK_SHARED));
        for (int t = 0; t <= n_senders; t++)
            hosts[t] = t;
        setting_plan(&s, logp(&n), "list[edge_order=finish]", hosts, &x);
        for (int k = 0; k < n_senders; k++) {
            ready_s[k] = x.edges[k].send.finish_s;
            got_s[k] = x.edges[k].recv.start_s;
        }
        qsort(ready_s, (size_t)n_senders, sizeof *ready_s, by_date);
        qsort(got_s, (size_t)n_senders, sizeof *got_s, by_date);
        double stalls_s = receive_with_stalls(&n, ready_s, n_senders, want_s);
        n_exceeded += stalls_s > 0;
        CHECK((stalls_s > 0) == (most_under_way(&x, 0, DIR_RECV, &n) > ceil(n.L / n.g)));
        for (int k = 0; k < n_senders; k++)
            CHECK_CLOSE(got_s[k], want_s[k], 0);
        schedule_clear(&x);
        setting_clear(&s);
    }
    CHECK(n_exceeded > random_cases(20));
}

static const struct test tests[] = {
    {"a source never exceeds it", a_source_never_exceeds_it},
    {"stalls of senders change no receive", stalls_of_senders_change_no_receive},
};
TEST_MAIN(tests)
