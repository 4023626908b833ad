/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* draft_try and draft_place are [S] Algorithm 23: a scheduler made of nothing else, tasks in the order of the file, each
   where it finishes first, plans what the naive list scheduler plans for that order; under every model, with both
   techniques, with gaps and without. Numbers are whole: sums are exact, ties are many. */
#include "both.h"
#include "plan/draft.h"
#include "small.h"

enum { N_CASES = 3000, MOST_TASKS = 16 };
static struct naive naive; /* too large for the stack of a test */

static host_id first_to_finish(const struct problem *p, struct draft *d, task_id t)
{
    host_id best = 0;
    double best_s = INFINITY;
    for (host_id h = 0; h < (host_id)p->machine->n_hosts; h++) {
        double finish_s = draft_try(d, t, h).finish_s;
        CHECK(draft_try(d, t, h).finish_s == finish_s); /* nothing remains booked */
        best = finish_s < best_s ? h : best;
        best_s = fmin(best_s, finish_s);
    }
    CHECK(draft_is_ready(d, t));
    CHECK(draft_place(d, t, best) == best_s);
    CHECK(!draft_is_ready(d, t));
    return best;
}

static void plan_in_file_order(const struct problem *p, const struct naive_wish *w, struct schedule *out)
{
    struct err e = {0};
    schedule_init(out, p);
    struct draft *d = draft_create(out, w->inserts ? TECHNIQUE_INSERTION : TECHNIQUE_END);
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        CHECK(out->tasks[t].host < 0 && first_to_finish(p, d, t) == out->tasks[t].host);
    draft_free(d);
    if (w->compacts)
        CHECK_OK(schedule_compact(out, &e), e);
}

/* Sorted graphs: edges enter by increasing origin and leave by increasing destination, as the list has them. */
static void tries_and_places_are_algorithm_23(void)
{
    int order[MOST_TASKS];
    for (int t = 0; t < MOST_TASKS; t++)
        order[t] = t;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct random_stream r;
        struct setting s;
        struct schedule plan;
        struct comparison difference;
        random_init(&r, 23, seed);
        int n_hosts = small_int(&r, 1, 5);
        setting_init(&s, small_dag(&r, small_int(&r, 1, MOST_TASKS), true, SMALL_WHOLE),
                     small_machine(&r, n_hosts, SMALL_WHOLE));
        struct naive_wish w = {.model = (enum naive_model)random_below(&r, N_NAIVE_MODELS),
                               .approach = NAIVE_DIRECT,
                               .inserts = random_below(&r, 2),
                               .minimizes_finish = true,
                               .compacts = random_below(&r, 2),
                               .order = order};
        struct problem p = setting_problem(&s, w.model);
        plan_in_file_order(&p, &w, &plan);
        naive_list(&naive, &s.dag, &s.machine, w);
        if (!are_same(&naive, &plan, 1e-12, &difference)) {
            fprintf(stderr, "seed %d\n", (int)seed);
            CHECK_TEXT(difference.what, "the same");
        }
        check_valid(&plan);
        naive_clear(&naive);
        schedule_clear(&plan);
        setting_clear(&s);
    }
}

/* a and b enter c: it is ready when both are placed, in whatever order. */
static void a_task_is_ready_when_all_before_it_are_placed(void)
{
    struct setting s;
    struct schedule plan;
    setting_init(&s, dag_from_text("c:1 a:1 b:1 | a>c:1 b>c:1"), machine_star(2, 1, 1, 0, LINK_SHARED));
    struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
    schedule_init(&plan, &p);
    struct draft *d = draft_create(&plan, TECHNIQUE_END);
    CHECK(!draft_is_ready(d, 0) && draft_is_ready(d, 1) && draft_is_ready(d, 2));
    draft_place(d, 2, 0);
    CHECK(!draft_is_ready(d, 0) && draft_is_ready(d, 1) && !draft_is_ready(d, 2));
    draft_place(d, 1, 1);
    CHECK(draft_is_ready(d, 0));
    draft_free(d);
    schedule_clear(&plan);
    setting_clear(&s);
}

static const struct test tests[] = {
    {"tries and places are Algorithm 23", tries_and_places_are_algorithm_23},
    {"a task is ready when all before it are placed", a_task_is_ready_when_all_before_it_are_placed},
};
TEST_MAIN(tests)
