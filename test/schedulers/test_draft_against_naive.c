/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* draft_try and draft_place are [S] Algorithm 23: a scheduler made of nothing else, tasks in the order of the file,
   each where it finishes first, plans what the naive list scheduler plans for that order; under every model, with both
   techniques, with gaps and without. Numbers are whole: sums are exact, ties are many. With the order of the list
   scheduler it plans what that one plans, to the last bit; and so it does after any marks, rollbacks and resets. */
#include "base/choose.h"
#include "both.h"
#include "plan/draft.h"
#include "schedulers/priority.h"
#include "small.h"

enum { N_CASES = 1500, MOST_TASKS = 16 };
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
    FOR_RANDOM_CASES (seed, N_CASES) {
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

/* ---- to the last bit ---- */

static bool spans_are_same(struct span a, struct span b)
{
    return a.start_s == b.start_s && a.finish_s == b.finish_s;
}

static bool edges_are_same(const struct schedule *a, const struct schedule *b, edge_id e)
{
    const struct planned_edge *x = &a->edges[e], *y = &b->edges[e];
    size_t n;
    if (x->is_remote != y->is_remote)
        return false;
    bool same = true;
    if (x->is_remote && cost_has_ends(a->problem.model))
        same = spans_are_same(x->send, y->send) && spans_are_same(x->recv, y->recv);
    if (!x->is_remote || !a->problem.model->books_links)
        return same;
    schedule_route(a, e, &n);
    for (size_t k = 0; k < n; k++)
        same = same && spans_are_same(schedule_link_spans(a, e)[k], schedule_link_spans(b, e)[k]);
    return same;
}

static bool schedules_are_same(const struct schedule *a, const struct schedule *b)
{
    bool same = true;
    for (task_id t = 0; t < a->problem.dag->n_tasks; t++)
        same = same && a->tasks[t].host == b->tasks[t].host && spans_are_same(a->tasks[t].span, b->tasks[t].span);
    for (edge_id e = 0; e < a->problem.dag->n_edges && same; e++)
        same = edges_are_same(a, b, e);
    return same;
}

struct case_of_draft { /* a setting, and the list scheduler's schedule of it, with its gaps */
    struct random_stream r;
    struct setting s;
    struct problem p;
    enum technique technique;
    enum draft_least least;
    task_id *list;
    struct schedule want;
};

static void case_init(struct case_of_draft *c, uint64_t seed)
{
    struct err e = {0};
    random_init(&c->r, 24, seed);
    enum small_kind kind = random_below(&c->r, 2) ? SMALL_REAL : SMALL_WHOLE;
    int n_hosts = small_int(&c->r, 1, 5);
    setting_init(&c->s, small_dag(&c->r, small_int(&c->r, 1, MOST_TASKS), false, kind),
                 small_machine(&c->r, n_hosts, kind));
    struct naive_wish w = {.model = (enum naive_model)(seed % N_NAIVE_MODELS),
                           .inserts = random_below(&c->r, 2),
                           .minimizes_finish = random_below(&c->r, 2)};
    c->p = setting_problem(&c->s, w.model);
    c->technique = w.inserts ? TECHNIQUE_INSERTION : TECHNIQUE_END;
    c->least = w.minimizes_finish ? DRAFT_LEAST_FINISH : DRAFT_LEAST_START;
    c->list = priority_list(&c->p, "bottom_level");
    CHECK_OK(really_plan(&c->s, &w, NULL, &c->want, &e), e);
}

static void case_clear(struct case_of_draft *c)
{
    schedule_clear(&c->want);
    free(c->list);
    setting_clear(&c->s);
}

static struct draft *case_draft(const struct case_of_draft *c, struct schedule *out)
{
    schedule_init(out, &c->p);
    return draft_create_by(out, &(struct draft_options){.technique = c->technique, .list = c->list});
}

/* draft_choose_host, as described in its comment. */
static host_id least_of_tries(const struct case_of_draft *c, struct draft *d, task_id t)
{
    host_id best = 0;
    double best_s = INFINITY;
    for (host_id h = 0; h < (host_id)c->p.machine->n_hosts; h++) {
        struct span x = draft_try(d, t, h);
        double date_s = choose_rounded(c->least == DRAFT_LEAST_START ? x.start_s : x.finish_s);
        best = date_s < best_s ? h : best;
        best_s = fmin(best_s, date_s);
    }
    return best;
}

static void place_from(const struct case_of_draft *c, struct draft *d, int first)
{
    for (int k = first; k < c->p.dag->n_tasks; k++) {
        host_id h = least_of_tries(c, d, c->list[k]);
        CHECK(draft_choose_host(d, c->list[k], c->least) == h);
        draft_place(d, c->list[k], h);
    }
}

static void place_anywhere(struct case_of_draft *c, struct draft *d, int first, int end)
{
    for (int k = first; k < end; k++) {
        draft_try(d, c->list[k], 0);
        draft_place(d, c->list[k], small_int(&c->r, 0, (int)c->p.machine->n_hosts - 1));
    }
}

static void a_loop_over_tries_is_the_list_scheduler(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct case_of_draft c;
        struct schedule got;
        case_init(&c, seed);
        struct draft *d = case_draft(&c, &got);
        place_from(&c, d, 0);
        CHECK(schedules_are_same(&got, &c.want));
        draft_free(d);
        schedule_clear(&got);
        case_clear(&c);
    }
}

/* At every place of the list, three marks deep: what is placed since goes to any host. Then on as if nothing had
   been. */
static void rolling_back_leaves_no_trace(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct case_of_draft c;
        struct schedule got;
        case_init(&c, seed);
        struct draft *d = case_draft(&c, &got);
        int n = c.p.dag->n_tasks;
        for (int k = 0; k < n; k++) {
            struct draft_mark marks[3];
            int at[] = {k, small_int(&c.r, k, n), n};
            for (int i = 0; i < 3; i++) {
                marks[i] = draft_mark(d);
                if (i < 2)
                    place_anywhere(&c, d, at[i], at[i + 1]);
            }
            draft_rollback(d, marks[1]); /* past a discarded mark, and twice to the same mark */
            place_anywhere(&c, d, at[1], n);
            draft_rollback(d, marks[1]);
            CHECK(at[1] == n || draft_is_ready(d, c.list[at[1]]));
            draft_rollback(d, marks[0]);
            draft_place(d, c.list[k], draft_choose_host(d, c.list[k], c.least));
        }
        CHECK(schedules_are_same(&got, &c.want));
        draft_free(d);
        schedule_clear(&got);
        case_clear(&c);
    }
}

static void a_reset_draft_is_a_fresh_one(void)
{
    FOR_RANDOM_CASES (seed, N_CASES) {
        struct case_of_draft c;
        struct schedule got;
        case_init(&c, seed);
        struct draft *d = case_draft(&c, &got);
        for (int round = 0; round < 3; round++) {
            place_anywhere(&c, d, 0, small_int(&c.r, 0, c.p.dag->n_tasks));
            if (random_below(&c.r, 2))
                draft_mark(d);
            draft_reset(d);
        }
        place_from(&c, d, 0);
        CHECK(schedules_are_same(&got, &c.want));
        draft_free(d);
        schedule_clear(&got);
        case_clear(&c);
    }
}

/* ---- choosing ---- */

/* 0.1 + 0.2 is not 0.3 to a double. Hosts whose dates differ so are equal: the first one is taken. */
static void the_last_bits_choose_nothing(void)
{
    struct setting s;
    struct schedule plan;
    CHECK(choose_rounded(0.1 + 0.2) == choose_rounded(0.3) && 0.1 + 0.2 > 0.3);
    CHECK(choose_rounded(-0.1 - 0.2) == choose_rounded(-0.3));
    CHECK(choose_rounded(1 + ldexp(1, -39)) == 1 + ldexp(1, -39));
    CHECK(choose_rounded(1 + ldexp(1, -41)) == 1 && choose_rounded(2 - ldexp(1, -41)) == 2);
    CHECK(choose_rounded(0) == 0 && isinf(choose_rounded(INFINITY)) && choose_rounded(-INFINITY) < 0);
    setting_init(&s, dag_from_text("a:0.1 b:0.2 c:0.3 d:1"), machine_star(2, 1, 1, 0, LINK_SHARED));
    struct problem p = setting_problem(&s, NAIVE_INVOLVEMENT);
    schedule_init(&plan, &p);
    struct draft *d = draft_create(&plan, TECHNIQUE_END);
    draft_place(d, 0, 0);
    draft_place(d, 1, 0);
    draft_place(d, 2, 1);
    CHECK(draft_try(d, 3, 0).start_s > draft_try(d, 3, 1).start_s);
    CHECK(draft_choose_host(d, 3, DRAFT_LEAST_START) == 0);
    CHECK(draft_choose_host(d, 3, DRAFT_LEAST_FINISH) == 0);
    draft_free(d);
    schedule_clear(&plan);
    setting_clear(&s);
}

/* What lasts too little for its date to show it waits for nothing: t goes where its data are first, though that
   processor is busy until later than t could start on the other one. With work of 1 it goes to the other one. */
static void what_is_lost_does_not_wait_for_a_busy_processor(void)
{
    const char *const graphs[] = {"o:4 x:6 t:1e-20 | o>t:1", "o:4 x:6 t:1 | o>t:1"};
    for (int is_shown = 0; is_shown < 2; is_shown++) {
        struct setting s;
        struct schedule plan;
        setting_init(&s, dag_from_text(graphs[is_shown]), machine_star(2, 1, 1, 0, LINK_SHARED));
        struct problem p = setting_problem(&s, NAIVE_CONTENTION);
        schedule_init(&plan, &p);
        struct draft *d = draft_create(&plan, TECHNIQUE_END);
        draft_place(d, 0, 1);
        draft_place(d, 1, 1);
        CHECK(draft_try(d, 2, 0).start_s == 5 && draft_try(d, 2, 1).start_s == (is_shown ? 10 : 4));
        CHECK(draft_choose_host(d, 2, DRAFT_LEAST_START) == (is_shown ? 0 : 1));
        CHECK(draft_choose_host(d, 2, DRAFT_LEAST_FINISH) == (is_shown ? 0 : 1));
        draft_free(d);
        schedule_clear(&plan);
        setting_clear(&s);
    }
}

/* x -> y takes 0.1 + 0.2, z takes 0.3: the same, so the first in the file is first in the list. */
static void the_last_bits_order_no_list(void)
{
    struct setting s;
    setting_init(&s, dag_from_text("z:0.3 x:0.1 y:0.2 | x>y:0"), machine_star(1, 1, 1, 0, LINK_SHARED));
    struct problem p = setting_problem(&s, NAIVE_CLASSIC);
    task_id *list = priority_list(&p, "bottom_level");
    CHECK(list[0] == 0 && list[1] == 1 && list[2] == 2);
    free(list);
    setting_clear(&s);
}

static const struct test tests[] = {
    {"a loop over tries is the list scheduler", a_loop_over_tries_is_the_list_scheduler},
    {"rolling back leaves no trace", rolling_back_leaves_no_trace},
    {"a reset draft is a fresh one", a_reset_draft_is_a_fresh_one},
    {"the last bits choose nothing", the_last_bits_choose_nothing},
    {"what is lost does not wait for a busy processor", what_is_lost_does_not_wait_for_a_busy_processor},
    {"the last bits order no list", the_last_bits_order_no_list},
    {"tries and places are Algorithm 23", tries_and_places_are_algorithm_23},
    {"a task is ready when all before it are placed", a_task_is_ready_when_all_before_it_are_placed},
};
TEST_MAIN(tests)
