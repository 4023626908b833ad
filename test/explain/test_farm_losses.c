/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the time of a farm's nodes goes, and what it loses against its bound: small farms by hand, and the sums of
   random ones, run by both engines. */
#include "farm_case.h"

#include "explain/farm_losses.h"

struct found {
    struct farm_losses all; /* its pointers are those of a child that is gone */
    struct farm_losses_node nodes[16];
};

static enum err_code find(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                          const struct farm_run_result *result, void *found, struct err *e)
{
    _Static_assert(sizeof(struct found) <= FOUND_SIZE, "what is found must fit");
    struct found *x = found;
    enum err_code code = farm_losses_find(t, m, options, result, &x->all, e);
    if (code == ERR_NONE)
        memcpy(x->nodes, x->all.nodes, (size_t)x->all.n_nodes * sizeof *x->nodes);
    farm_losses_clear(&(struct farm_losses){.nodes = x->all.nodes, .warning = x->all.warning});
    return code;
}

static struct found run_and_find(struct farm_case *c)
{
    struct found x = {0};
    c->after = find;
    struct farm_outcome o = run_farm(c);
    CHECK(farm_has_ended_well(&o, __LINE__));
    if (o.ending == ENDED_WELL && o.code == ERR_NONE)
        memcpy(&x, o.found, sizeof x);
    farm_run_result_clear(&o.result);
    return x;
}

static struct found by_hand(const char *world, const char *policy, long n_tasks, double task_flop, const char *platform,
                            const char *deployment)
{
    struct farm_case c = {.world = world, .app = {n_tasks, 1e6, task_flop, 2, 0, NULL}};
    snprintf(c.policy, sizeof c.policy, "%s", policy);
    text_addf(&c.platform, "%s", platform);
    text_addf(&c.deployment, "%s", deployment);
    struct found x = run_and_find(&c);
    clear_case(&c);
    return x;
}

static bool near(double got, double want)
{
    if (fabs(got - want) <= 1e-12)
        return true;
    fprintf(stderr, "got %.17g, want %.17g\n", got, want);
    return false;
}

static void check_times(const struct farm_losses_node *x, double computing_s, double stolen_send_s,
                        double stolen_recv_s, double starved_s, double done_s)
{
    CU_ASSERT(near(x->computing_s, computing_s));
    CU_ASSERT(near(x->stolen_s, stolen_send_s + stolen_recv_s));
    CU_ASSERT(near(x->stolen_send_s, stolen_send_s));
    CU_ASSERT(near(x->stolen_recv_s, stolen_recv_s));
    CU_ASSERT(near(x->starved_s, starved_s));
    CU_ASSERT(near(x->done_s, done_s));
}

/* Tasks that are lost in all of the makespan. */
static void check_losses(const struct found *x, node_id n, double start_up, double starved, double stolen,
                         double slower, double wind_down, double shifted)
{
    const double want[N_FARM_LOSSES] = {
        [FARM_LOSS_START_UP] = start_up, [FARM_LOSS_STARVED] = starved,     [FARM_LOSS_STOLEN] = stolen,
        [FARM_LOSS_SLOWER] = slower,     [FARM_LOSS_WIND_DOWN] = wind_down, [FARM_LOSS_SHIFTED] = shifted};
    for (int i = 0; i < N_FARM_LOSSES; i++)
        CU_ASSERT(near(x->nodes[n].lost_tasks_per_s[i] * x->all.makespan_s, want[i]));
}

/* ---- by hand: hosts compute 1 task/s, a task takes 1 s on a link ---- */

#define NODE(id, beliefs) "<actor host=\"" id "\" function=\"farm_node\">" beliefs "</actor>"
#define CHILD(id, parent) NODE(id, "<argument value=\"" parent "\"/>")
#define FORK_PLATFORM                                                                                                  \
    CM02 HOST("r", PROP("ir_send", "0.5")) HOST("a", "") MBPS("l", "1") ROUTE("r", "a", "l") END_OF_PLATFORM
#define FORK PLATFORM_HEAD NODE("r", "") CHILD("a", "r") "</platform>"

/* The bound: a computes 1 task/s, and sending to it leaves 1/2 of r. Of 3 tasks r sends two, until 2, and until then
   computes one; a computes from 1 to 3. */
static void a_fork_waits_and_winds_down(void)
{
    struct found x = by_hand("interference", "bwc", 3, 1000, FORK_PLATFORM, FORK);
    CU_ASSERT(near(x.all.makespan_s, 3));
    CU_ASSERT(near(x.all.bound_tasks_per_s, 1.5));
    CU_ASSERT(near(x.all.tasks_per_s, 1));
    check_times(&x.nodes[0], 1, 1, 0, 0, 1);
    check_losses(&x, 0, 0, 0, 0, 0, 0.5, 0);
    check_times(&x.nodes[1], 2, 0, 0, 1, 0);
    check_losses(&x, 1, 1, 0, 0, 0, 0, 0);
    CU_ASSERT(near(x.nodes[1].start_up_s, 1));
    CHECK_INT(x.nodes[0].held_by, BOUND_STOP_NONE);
    CU_ASSERT(near(x.all.lost_tasks_per_s[FARM_LOSS_START_UP], 1.0 / 3));
    CU_ASSERT(near(x.all.lost_tasks_per_s[FARM_LOSS_WIND_DOWN], 0.5 / 3));
    CHECK(!x.all.is_free && !x.all.may_exceed);
}

/* Nothing is charged, and the bound is 2: r computes two tasks until 2, and a one from 1 to 2. */
static void where_transfers_are_free_the_bound_charges_nothing(void)
{
    struct found x = by_hand("none", "bwc", 3, 1000, FORK_PLATFORM, FORK);
    CHECK(x.all.is_free);
    CU_ASSERT(near(x.all.bound_tasks_per_s, 2));
    check_times(&x.nodes[0], 2, 0, 0, 0, 0);
    check_losses(&x, 0, 0, 0, 0, 0, 0, 0);
    check_losses(&x, 1, 1, 0, 0, 0, 0, 0);
}

/* A node without a task starves; the root computes more than its share. */
static void a_node_without_a_task_starves(void)
{
    struct found x = by_hand("interference", "root_computes", 3, 1000, FORK_PLATFORM, FORK);
    check_times(&x.nodes[0], 3, 0, 0, 0, 0);
    check_losses(&x, 0, 0, 0, 0, 0, 0, -1.5);
    check_times(&x.nodes[1], 0, 0, 0, 3, 0);
    check_losses(&x, 1, 0, 3, 0, 0, 0, 0);
}

/* A host that is half as fast as believed loses half. */
static void slow_hosts_are_slower(void)
{
    static const char believed[] = PLATFORM_HEAD NODE("r", PROP("compute_rate", "2000")) "</platform>";
    struct found x = by_hand("interference", "root_computes", 5, 1000, CM02 HOST("r", "") END_OF_PLATFORM, believed);
    CU_ASSERT(near(x.all.bound_tasks_per_s, 2));
    check_times(&x.nodes[0], 5, 0, 0, 0, 0);
    check_losses(&x, 0, 0, 0, 0, 5, 0, 0);
}

/* A task is 10 s long. m receives until 3 (0.2 of its processor) and sends from 2 to 4 (0.3). It computes from 1 to 12,
   a from 3 to 23, r until 10. In the bound r and a compute all the time, so 0.1 task/s leaves m, and it computes S,
   with S = [1 - 0.2 (0.1 + S) - 0.3 0.1] / 10. */
static void what_sends_and_receives_steal_is_told_apart(void)
{
    static const char platform[] = CM02 HOST("r", "") HOST("m", PROP("ir_recv", "0.2") PROP("ir_send", "0.3"))
        HOST("a", "") MBPS("l", "1") MBPS("k", "1") ROUTE("r", "m", "l") ROUTE("m", "a", "k") END_OF_PLATFORM;
    static const char chain[] = PLATFORM_HEAD NODE("r", "") CHILD("m", "r") CHILD("a", "m") "</platform>";
    const double share = 0.095 / 1.02;
    struct found x = by_hand("interference", "fcfs", 4, 10000, platform, chain);
    CU_ASSERT(near(x.all.makespan_s, 23));
    CU_ASSERT(near(x.all.bound_tasks_per_s, 0.2 + share));
    check_times(&x.nodes[0], 10, 0, 0, 0, 13);
    check_times(&x.nodes[1], 10, 0.6, 0.4, 1, 11);
    check_losses(&x, 1, share, 0, 11 * share - 1, 0, 11 * share, 0);
    check_times(&x.nodes[2], 20, 0, 0, 3, 0);
}

/* A link of 1/2 task/s: in the bound a is idle half of the time, so starving as long as that is not a loss. */
static void the_bound_lets_nodes_starve_too(void)
{
    static const char platform[] =
        CM02 HOST("r", "") HOST("a", "") MBPS("l", "0.5") ROUTE("r", "a", "l") END_OF_PLATFORM;
    struct found x = by_hand("interference", "bwc", 7, 1000, platform, FORK);
    /* r computes from 0 to 5, and sends from 0 to 4; a computes at 2 and at 4 */
    CU_ASSERT(near(x.all.bound_tasks_per_s, 1.5));
    CU_ASSERT(near(x.all.makespan_s, 5));
    check_times(&x.nodes[1], 2, 0, 0, 3, 0);
    check_losses(&x, 1, 1, 1 - 1.5, 0, 0, 0, 0);
    CHECK_INT(x.nodes[1].held_by, BOUND_STOP_RECEIVE_LIMIT);
}

/* ---- random farms ---- */

static bool is_about(double got, double want, double scale, uint64_t seed, const char *what)
{
    if (fabs(got - want) <= 1e-9 * scale)
        return true;
    fprintf(stderr, "seed %d: %s: got %.17g, want %.17g\n", (int)seed, what, got, want);
    return false;
}

static void check_node(const struct farm_losses *all, const struct farm_losses_node *x, bool knows_directions,
                       uint64_t seed)
{
    double makespan_s = all->makespan_s, lost = 0;
    CU_ASSERT(is_about(x->computing_s + x->stolen_s + x->starved_s + x->done_s, makespan_s, makespan_s, seed, "time"));
    CU_ASSERT(x->computing_s >= -1e-9 && x->stolen_s >= 0 && x->starved_s >= x->start_up_s && x->done_s >= 0);
    CHECK(isnan(x->stolen_send_s) != knows_directions);
    if (knows_directions) {
        CU_ASSERT(is_about(x->stolen_send_s + x->stolen_recv_s, x->stolen_s, makespan_s, seed, "stolen"));
        CU_ASSERT(x->stolen_recv_s >= 0 && x->stolen_send_s >= -1e-9 * makespan_s);
    }
    for (int i = 0; i < N_FARM_LOSSES; i++)
        lost += x->lost_tasks_per_s[i];
    CU_ASSERT(is_about(lost, x->bound_tasks_per_s - x->tasks_per_s, all->bound_tasks_per_s, seed, "losses of a node"));
}

static void check_farm(struct farms *r, uint64_t seed)
{
    struct found x = run_and_find(&r->c);
    double lost = 0;
    for (node_id n = 0; n < x.all.n_nodes; n++)
        check_node(&x.all, &x.nodes[n], !r->c.is_by_actors, seed);
    for (int i = 0; i < N_FARM_LOSSES; i++)
        lost += x.all.lost_tasks_per_s[i];
    CHECK(x.all.n_nodes == r->naive.n_nodes);
    CU_ASSERT(is_about(lost, x.all.bound_tasks_per_s - x.all.tasks_per_s, x.all.bound_tasks_per_s, seed, "losses"));
    CHECK_CLOSE(x.all.tasks_per_s * x.all.makespan_s, (double)r->c.app.n_tasks, 1e-9);
}

static void times_and_losses_of_random_farms_add_up(void)
{
    FOR_RANDOM_CASES (seed, 120) {
        struct farms r;
        begin(&r, seed, policies[(seed / 3) % count_policies()]->name);
        r.c.is_by_actors = seed % 4 == 3;
        if (seed % 5 == 4)
            r.c.world = "none";
        check_farm(&r, seed);
        end(&r);
    }
}

static void noise_does_not_disturb_the_sums(void)
{
    check_noisy_farms(30, check_farm);
}

static const struct test tests[] = {
    {"a fork waits and winds down", a_fork_waits_and_winds_down},
    {"where transfers are free the bound charges nothing", where_transfers_are_free_the_bound_charges_nothing},
    {"a node without a task starves", a_node_without_a_task_starves},
    {"slow hosts are slower", slow_hosts_are_slower},
    {"what sends and receives steal is told apart", what_sends_and_receives_steal_is_told_apart},
    {"the bound lets nodes starve too", the_bound_lets_nodes_starve_too},
    {"times and losses of random farms add up", times_and_losses_of_random_farms_add_up},
    {"noise does not disturb the sums", noise_does_not_disturb_the_sums},
};

TEST_MAIN(tests)
