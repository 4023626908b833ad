/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The farm as SimGrid actors against the state machine on the engine: the same random farms, every completion and every
   figure of every node; and where requests take time, both against naive_farm.h. test_farm_actors N FIRST runs N farms
   of each kind, from seed FIRST. */
#include "farm_case.h"

static struct farm_outcome run_with_actors(const struct farm_case *c)
{
    struct farm_case changed = *c;
    changed.is_by_actors = true;
    return run_farm(&changed);
}

/* ---- comparing ---- */

static bool same(double got, double want, uint64_t seed, const char *what)
{
    char text[128];
    snprintf(text, sizeof text, "seed %d: %s", (int)seed, what);
    return check_close(got, want, 1e-9, __FILE__, __LINE__, text);
}

static bool same_node(const struct farm_run_node *got, const struct farm_run_node *want, uint64_t seed)
{
    bool ok = same((double)got->farm.tasks_computed, (double)want->farm.tasks_computed, seed, "tasks computed");
    ok = same((double)got->farm.tasks_forwarded, (double)want->farm.tasks_forwarded, seed, "tasks forwarded") && ok;
    ok = same(got->farm.received_bytes, want->farm.received_bytes, seed, "bytes received") && ok;
    ok = same(got->farm.sent_bytes, want->farm.sent_bytes, seed, "bytes sent") && ok;
    ok = same(got->farm.compute_busy_s, want->farm.compute_busy_s, seed, "busy") && ok;
    ok = isnan(got->farm.first_start_s) == isnan(want->farm.first_start_s) && ok;
    if (!isnan(want->farm.first_start_s))
        ok = same(got->farm.first_start_s, want->farm.first_start_s, seed, "first start") && ok;
    double least = 1e-9 * (want->farm.compute_busy_s + 1);
    return ok && fabs(got->use.stolen_s - want->use.stolen_s) <= least &&
           fabs(got->use.busy_s - want->use.busy_s) <= least;
}

static bool same_outcome(const struct farm_outcome *got, const struct farm_outcome *want, uint64_t seed)
{
    const struct farm_run_result *a = &got->result, *b = &want->result;
    bool ok = got->ending == want->ending && got->code == want->code && strcmp(got->e.text, want->e.text) == 0 &&
              a->n_completions == b->n_completions && a->n_nodes == b->n_nodes;
    if (!ok)
        fprintf(stderr, "seed %d: %d %d '%s', not %d %d '%s'\n", (int)seed, got->ending, got->code, got->e.text,
                want->ending, want->code, want->e.text);
    for (long i = 0; ok && i < b->n_completions; i++)
        ok = same(a->completions_s[i], b->completions_s[i], seed, "completion");
    for (int n = 0; ok && n < b->n_nodes; n++)
        ok = same_node(&a->nodes[n], &b->nodes[n], seed);
    ok = ok && (a->ends_s != NULL) == (b->ends_s != NULL);
    for (long i = 0; ok && b->ends_s != NULL && i < b->n_completions; i++)
        ok = same(a->ends_s[i], b->ends_s[i], seed, "end of a task");
    return ok &&
           (b->n_completions == 0 ||
            (same(a->makespan_s, b->makespan_s, seed, "makespan") &&
             isnan(a->steady_tasks_per_s) == isnan(b->steady_tasks_per_s) &&
             (isnan(a->steady_tasks_per_s) || same(a->steady_tasks_per_s, b->steady_tasks_per_s, seed, "steady")) &&
             same(a->phases.startup_end_s, b->phases.startup_end_s, seed, "start-up") &&
             same(a->phases.wind_down_start_s, b->phases.wind_down_start_s, seed, "wind-down")));
}

/* ---- a campaign ---- */

/* Of farms: in ASKS, requests take time; in ARRIVE, tasks come one by one. */
enum kind { PLAIN, ASKS, ARRIVE };

static void begin_case(struct farms *r, uint64_t seed, enum kind kind)
{
    begin_how(r, seed, policies[(seed / 3) % count_policies()]->name, kind == ASKS);
    r->c.world = seed % 10 == 9 ? "none" : "interference";
    if (kind == ARRIVE)
        let_tasks_arrive(r, seed);
}

/* A second opinion on what both engines say. */
static bool same_as_naive(struct farms *r, const struct farm_outcome *o, uint64_t seed)
{
    struct naive_farm *f = &r->naive;
    if (strcmp(r->c.world, "interference") != 0 || !naive_knows(f->policy))
        return true;
    run_naive(f, o);
    bool ok = same((double)o->result.n_completions, (double)f->n_completed, seed, "completions, naive");
    for (long i = 0; ok && i < f->n_completed; i++)
        ok = same(o->result.completions_s[i], f->completions_s[i], seed, "completion, naive");
    for (int n = 0; ok && n < f->n_nodes; n++)
        ok = same((double)o->result.nodes[n].farm.tasks_computed, (double)f->nodes[n].n_computed, seed,
                  "tasks computed, naive");
    return ok;
}

static bool all_agree(uint64_t seed, enum kind kind)
{
    struct farms r;
    begin_case(&r, seed, kind);
    struct farm_outcome events = run_farm(&r.c), by_actors = run_with_actors(&r.c);
    bool ok = same_outcome(&by_actors, &events, seed);
    ok = (kind == PLAIN || same_as_naive(&r, &events, seed)) && ok;
    farm_run_result_clear(&events.result);
    farm_run_result_clear(&by_actors.result);
    end(&r);
    return ok;
}

/* A farm whose decisions depend on rates can amplify the last digits of its input: then the state machine does not even
   agree with itself when they are changed, and no two programs can agree. */
static bool is_chaotic(uint64_t seed, enum kind kind)
{
    struct farms r;
    begin_case(&r, seed, kind);
    struct farm_outcome before = run_farm(&r.c);
    for (int l = 0; l < r.naive.fluid.n_links; l++)
        r.naive.fluid.link_bytes_per_s[l] *= 1 + 1e-14 * (l + 1);
    text_clear(&r.c.platform);
    write_platform(&r);
    struct farm_outcome after = run_farm(&r.c);
    long n = before.result.n_completions, n_apart = 0;
    for (long i = 0; i < n && i < after.result.n_completions; i++) {
        double a = before.result.completions_s[i], b = after.result.completions_s[i];
        n_apart += fabs(a - b) > 1e-9 * a;
    }
    farm_run_result_clear(&before.result);
    farm_run_result_clear(&after.result);
    end(&r);
    return n_apart > 0;
}

static void check_farms(uint64_t n, enum kind kind)
{
    int n_chaotic = 0;
    FOR_RANDOM_CASES (seed, n) {
        bool agree = all_agree(seed, kind), chaotic = !agree && is_chaotic(seed, kind);
        n_chaotic += chaotic;
        CU_ASSERT(agree || chaotic);
    }
    printf("(%d amplify the last digits of their input) ", n_chaotic);
    CU_ASSERT(n_chaotic <= random_cases(n) / 200);
}

static void random_farms_agree(void)
{
    check_farms(40, PLAIN);
    /* tasks arrive while a node computes, and two ends of one instant differ in the last bit */
    CU_ASSERT(all_agree(5548, PLAIN));
}

static void random_farms_whose_requests_take_time_agree(void)
{
    check_farms(60, ASKS);
}

static void random_farms_in_which_tasks_arrive_agree(void)
{
    check_farms(40, ARRIVE);
}

static const struct test tests[] = {
    {"random_farms_agree", random_farms_agree},
    {"random_farms_in_which_tasks_arrive_agree", random_farms_in_which_tasks_arrive_agree},
    {"random_farms_whose_requests_take_time_agree", random_farms_whose_requests_take_time_agree},
};

TEST_MAIN(tests)
