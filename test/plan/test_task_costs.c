/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times on unrelated hosts: reading them, drawing them, and what bounds and means make of forbidden hosts. (Messages
   about bad files: test/cli/schedule.sh.) */
#include "plan/task_costs.h"

#include "base/random.h"
#include "check.h"
#include "dag_text.h"
#include "machine_text.h"
#include "plan/problem.h"

struct fixture {
    struct dag dag;
    struct machine machine;
    struct task_costs costs;
};

static void init(struct fixture *f)
{
    f->dag = dag_from_text("a:12 b:6 c:0 | a>b:1 a>c:1");
    f->machine = machine_from_text("p:1 q:2 r:4 | l:1 | p-q:l q-r:l p-r:l");
    f->costs = (struct task_costs){0};
}

static void clear(struct fixture *f)
{
    task_costs_clear(&f->costs);
    machine_text_clear(&f->machine);
    dag_clear(&f->dag);
}

static void parse(struct fixture *f, const char *text)
{
    struct err e = {0};
    CHECK_OK(task_costs_parse(text, strlen(text), "c.csv", &f->dag, &f->machine, &f->costs, &e), e);
    CHECK_TEXT(f->costs.source, "c.csv");
}

static void columns_and_lines_may_be_in_any_order(void)
{
    static const double want_s[] = {1, INFINITY, 3, 4, 5, 6.5, INFINITY, 0, INFINITY};
    struct fixture f;
    init(&f);
    parse(&f, "task, r ,p,q\r\n\"c\",,,0\r\n\r\na,3,1,\r\nb,6.5,4,5");
    for (int i = 0; i < 9; i++)
        CHECK(f.costs.compute_s[i] == want_s[i]);
    clear(&f);
}

/* Means are over the hosts where a task may run; bounds take its shortest time. */
static void forbidden_hosts_do_not_count(void)
{
    double task_s[3], edge_s[2];
    struct fixture f;
    struct route_table routes;
    struct err e = {0};
    struct problem p = {0};
    host_id host;
    init(&f);
    parse(&f, "task,p,q,r\na,2,,4\nb,,6,\nc,1,2,9\n");
    CHECK_OK(route_table_init(&routes, &f.machine, &e), e);
    p = (struct problem){.dag = &f.dag, .machine = &f.machine, .routes = &routes, .costs = &f.costs};
    CHECK_OK(cost_model_find("classic", &p.model, &e), e);
    problem_mean_costs(&p, task_s, edge_s);
    CHECK_CLOSE(task_s[0], 3, 0);
    CHECK_CLOSE(task_s[1], 6, 0);
    CHECK_CLOSE(task_s[2], 4, 0);
    CHECK_CLOSE(problem_critical_path_s(&p), 2 + 6, 0);
    CHECK_CLOSE(problem_work_bound_s(&p), (2 + 6 + 1) / 3.0, 0);
    CHECK(isinf(problem_sequential_s(&p, &host)));
    CHECK_INT(host, -1);
    CHECK_CLOSE(problem_ccr(&p), 2 / 13.0, 1e-15); /* cbar is 1 s for each of two edges */
    CHECK(problem_may_run(&p, 0, 0) && !problem_may_run(&p, 0, 1));
    f.costs.compute_s[0] = INFINITY; /* a only on r */
    f.costs.compute_s[5] = 7;        /* b on r */
    CHECK_CLOSE(problem_sequential_s(&p, &host), 4 + 7 + 9, 0);
    CHECK_INT(host, 2);
    CHECK_CLOSE(problem_compute_flop(&p, 1, 2), 7 * 4, 0);
    route_table_clear(&routes);
    clear(&f);
}

/* The mean of a is (12 + 6 + 3) / 3 = 7, that of b is 3.5. */
static void drawn_times_are_uniform_around_the_mean(void)
{
    enum { N = 4000 };
    double sum = 0, least = INFINITY, most = 0;
    struct fixture f;
    struct random_stream r;
    init(&f);
    random_init(&r, 1, 2);
    for (int i = 0; i < N; i++) {
        task_costs_draw(&f.dag, &f.machine, 0.5, &r, &f.costs);
        for (int h = 0; h < 3; h++) {
            double a_s = f.costs.compute_s[h], b_s = f.costs.compute_s[3 + h];
            CHECK(a_s >= 7 * 0.75 && a_s <= 7 * 1.25 && b_s >= 3.5 * 0.75 && b_s <= 3.5 * 1.25);
            CHECK(f.costs.compute_s[6 + h] == 0);
            sum += a_s;
            least = fmin(least, a_s);
            most = fmax(most, a_s);
        }
        task_costs_clear(&f.costs);
    }
    CHECK_CLOSE(sum / (3 * N), 7, 0.01); /* the standard error is 0.0013 */
    CHECK(least < 7 * 0.752 && most > 7 * 1.248);
    clear(&f);
}

static void without_spread_every_host_takes_the_mean(void)
{
    struct fixture f;
    struct random_stream r;
    init(&f);
    random_init(&r, 1, 2);
    task_costs_draw(&f.dag, &f.machine, 0, &r, &f.costs);
    for (int h = 0; h < 3; h++) {
        CHECK_CLOSE(f.costs.compute_s[h], 7, 1e-15);
        CHECK_CLOSE(f.costs.compute_s[3 + h], 3.5, 1e-15);
    }
    clear(&f);
}

static void the_same_stream_draws_the_same_times(void)
{
    struct fixture f;
    struct random_stream r;
    struct task_costs again, other;
    init(&f);
    random_init(&r, 1, 2);
    task_costs_draw(&f.dag, &f.machine, 1, &r, &f.costs);
    task_costs_draw(&f.dag, &f.machine, 1, &r, &other);
    random_init(&r, 1, 2);
    task_costs_draw(&f.dag, &f.machine, 1, &r, &again);
    CHECK(memcmp(f.costs.compute_s, again.compute_s, 9 * sizeof(double)) == 0);
    CHECK(memcmp(f.costs.compute_s, other.compute_s, 9 * sizeof(double)) != 0);
    task_costs_clear(&again);
    task_costs_clear(&other);
    clear(&f);
}

static const struct test tests[] = {
    {"columns and lines may be in any order", columns_and_lines_may_be_in_any_order},
    {"forbidden hosts do not count", forbidden_hosts_do_not_count},
    {"drawn times are uniform around the mean", drawn_times_are_uniform_around_the_mean},
    {"without spread every host takes the mean", without_spread_every_host_takes_the_mean},
    {"the same stream draws the same times", the_same_stream_draws_the_same_times},
};
TEST_MAIN(tests)
