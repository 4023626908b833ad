/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a farm's record says: a small farm by hand, and random ones, in which the parts must add up to what the run and
   its losses say, and the charges must follow from the rates. */
#include "farm_case.h"

#include "explain/farm_losses.h"

/* ---- random farms: the claims are checked where the record is, in the child ---- */

static bool is_about(double got, double want, double scale)
{
    return fabs(got - want) <= 1e-9 * scale;
}

#define CLAIM(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return err_set(e, ERR_INTERNAL, __VA_ARGS__);                                                              \
    } while (0)

/* Its stretches tile 0 to the makespan and, by kind, are what `farm --explain` shows. */
static enum err_code check_doings(const struct farm_record *r, node_id n, const struct farm_losses_node *losses,
                                  long n_computed, struct err *e)
{
    double until_s = 0, sum_s[3] = {0}, stolen_s = 0;
    long n_tasks = 0;
    for (size_t i = r->doings.first[n]; i < r->doings.first[n + 1]; i++) {
        const struct farm_stretch *x = &r->doings.list[i];
        CLAIM(x->node == n && x->span.start_s == until_s && x->span.finish_s > until_s,
              "node %d: from %.17g to %.17g follows what ends at %.17g", n, x->span.start_s, x->span.finish_s, until_s);
        CLAIM((x->kind == FARM_COMPUTES) == (x->task > 0), "node %d: kind %d, task %ld", n, x->kind, x->task);
        CLAIM(x->kind == FARM_COMPUTES || x->value == 0, "node %d: %.17g s stolen of idle time", n, x->value);
        sum_s[x->kind] += x->span.finish_s - x->span.start_s;
        stolen_s += x->value;
        n_tasks += x->kind == FARM_COMPUTES;
        until_s = x->span.finish_s;
    }
    CLAIM(until_s == r->makespan_s, "node %d ends at %.17g of %.17g s", n, until_s, r->makespan_s);
    CLAIM(n_tasks == n_computed, "node %d: %ld tasks of %ld", n, n_tasks, n_computed);
    CLAIM(is_about(stolen_s, losses->stolen_s, until_s), "node %d: stolen %.17g, not %.17g", n, stolen_s,
          losses->stolen_s);
    CLAIM(is_about(sum_s[FARM_COMPUTES] - stolen_s, losses->computing_s, until_s), "node %d: computing", n);
    CLAIM(is_about(sum_s[FARM_STARVES], losses->starved_s, until_s), "node %d: starved", n);
    CLAIM(is_about(sum_s[FARM_IS_DONE], losses->done_s, until_s), "node %d: done", n);
    return ERR_NONE;
}

static double rate_at(const struct farm_record *r, node_id n, enum farm_flow flow, double date_s)
{
    for (size_t i = r->rates.first[n]; i < r->rates.first[n + 1]; i++) {
        const struct farm_stretch *x = &r->rates.list[i];
        if (x->kind == (int)flow && x->span.start_s <= date_s && date_s < x->span.finish_s)
            return x->value;
    }
    return 0;
}

/* What is carried to a node is what it received; its tasks come one after the other. */
static enum err_code check_transfers(const struct farm_record *r, node_id n, double received_bytes, long n_received,
                                     struct err *e)
{
    double bytes = 0, until_s = 0;
    long n_tasks = 0;
    for (size_t i = r->rates.first[n]; i < r->rates.first[n + 1]; i++)
        if (r->rates.list[i].kind == FARM_FLOW_TASK)
            bytes += r->rates.list[i].value * (r->rates.list[i].span.finish_s - r->rates.list[i].span.start_s);
    CLAIM(is_about(bytes, received_bytes, received_bytes), "node %d: %.17g bytes, not %.17g", n, bytes, received_bytes);
    for (size_t i = r->transfers.first[n]; i < r->transfers.first[n + 1]; i++) {
        const struct farm_stretch *x = &r->transfers.list[i];
        CLAIM(x->span.start_s >= until_s, "node %d receives two tasks at %.17g", n, x->span.start_s);
        CLAIM(rate_at(r, n, FARM_FLOW_TASK, nextafter(x->span.finish_s, 0)) > 0, "node %d: a transfer without a rate",
              n);
        n_tasks += x->value == 0;
        until_s = x->span.finish_s;
    }
    CLAIM(n_tasks == n_received, "node %d: %ld transfers, not %ld", n, n_tasks, n_received);
    return ERR_NONE;
}

static void add_flow(const struct machine *m, const struct farm_record *r, const struct tree *t, node_id at,
                     node_id child, enum farm_flow flow, double date_s, struct world_flow *flows, size_t *n_flows)
{
    enum direction dir = (flow == FARM_FLOW_TASK) == (at == child) ? DIR_RECV : DIR_SEND;
    node_id peer = at == child ? t->nodes[child].parent : child;
    flows[*n_flows] = world_flow_of(m, t->nodes[at].host, dir, t->nodes[peer].host);
    flows[*n_flows].rate_bytes_per_s = rate_at(r, child, flow, date_s);
    *n_flows += flows[*n_flows].rate_bytes_per_s > 0;
}

static double charge_by_rates(const struct machine *m, const struct farm_record *r, const struct tree *t,
                              const struct world_model *world, node_id at, double date_s)
{
    struct world_flow flows[64];
    size_t n = 0;
    for (node_id child = 0; child < t->n_nodes; child++)
        for (enum farm_flow flow = FARM_FLOW_TASK; flow <= FARM_FLOW_REQUEST; flow++)
            if (t->nodes[child].parent >= 0 && (child == at || t->nodes[child].parent == at))
                add_flow(m, r, t, at, child, flow, date_s, flows, &n);
    return 1 - world_factor_ratio(world, &m->hosts[t->nodes[at].host], flows, n);
}

/* Requests of one node that are under way together are recorded as one rate, which says nothing of curved costs. */
static bool has_curved_requests(const struct tree *t, const struct farm_run_options *options)
{
    bool is_curved = false;
    for (node_id n = 0; n < t->n_nodes; n++)
        is_curved = is_curved || t->nodes[n].ir_of_requests_is_curved;
    return is_curved && options->app.request_bytes > 0;
}

static enum err_code check_charges(const struct machine *m, const struct farm_record *r, const struct tree *t,
                                   const struct world_model *world, node_id n, struct err *e)
{
    double until_s = 0;
    for (size_t i = r->charges.first[n]; i < r->charges.first[n + 1]; i++) {
        const struct farm_stretch *x = &r->charges.list[i];
        double date_s = (x->span.start_s + x->span.finish_s) / 2;
        double before_s = (until_s + x->span.start_s) / 2;
        CLAIM(is_about(charge_by_rates(m, r, t, world, n, date_s), x->value, 1), "node %d: charged %.17g at %.17g", n,
              x->value, date_s);
        CLAIM(x->span.start_s == until_s || is_about(charge_by_rates(m, r, t, world, n, before_s), 0, 1),
              "node %d: not charged at %.17g", n, before_s);
        until_s = x->span.finish_s;
    }
    return ERR_NONE;
}

static enum err_code check(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                           const struct farm_run_result *result, void *found, struct err *e)
{
    (void)found;
    struct farm_losses losses;
    const struct farm_record *r = options->record;
    enum err_code code = farm_losses_find(t, m, options, result, &losses, e);
    if (code != ERR_NONE)
        return code;
    CLAIM(r->makespan_s == result->makespan_s && r->n_nodes == t->n_nodes, "makespan or nodes");
    for (node_id n = 0; n < t->n_nodes && code == ERR_NONE; n++) {
        const struct farm_node_result *node = &result->nodes[n].farm;
        long n_received = n == t->root ? 0 : node->tasks_computed + node->tasks_forwarded;
        code = check_doings(r, n, &losses.nodes[n], node->tasks_computed, e);
        if (code == ERR_NONE)
            code = check_transfers(r, n, node->received_bytes, n_received, e);
        if (code == ERR_NONE && !has_curved_requests(t, options))
            code = check_charges(m, r, t, options->world, n, e);
    }
    farm_losses_clear(&losses);
    return code;
}

static void check_farm(struct farms *r, uint64_t seed)
{
    r->c.after = check;
    struct farm_outcome o = run_farm(&r->c);
    bool is_well = farm_has_ended_well(&o, __LINE__);
    CHECK(is_well);
    if (!is_well)
        fprintf(stderr, "seed %d\n", (int)seed);
    farm_run_result_clear(&o.result);
}

static void records_of_random_farms_add_up(void)
{
    FOR_RANDOM_CASES (seed, 80) {
        struct farms r;
        begin(&r, seed, policies[(seed / 3) % count_policies()]->name);
        if (seed % 5 == 4)
            r.c.world = "none";
        check_farm(&r, seed);
        end(&r);
    }
}

static void noise_does_not_disturb_the_sums(void)
{
    check_noisy_farms(20, check_farm);
}

/* ---- by hand ---- */

struct found {
    struct farm_stretch list[24];
    size_t n;
};

static void take(struct found *x, const struct farm_stretches *from)
{
    memcpy(&x->list[x->n], from->list, from->n * sizeof *from->list);
    x->n += from->n;
}

static enum err_code take_all(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                              const struct farm_run_result *result, void *found, struct err *e)
{
    const struct farm_record *r = options->record;
    (void)t, (void)m, (void)result, (void)e;
    take(found, &r->doings);
    take(found, &r->transfers);
    take(found, &r->rates);
    take(found, &r->charges);
    return ERR_NONE;
}

/* r computes 1 task/s; while it sends, at 1 MB/s and 1 s for each task, it has half of that. It sends tasks 2 and 3 to
   a until 2, and has then computed task 1. a computes from 1 to 2 and from 2 to 3. */
static void a_fork_is_recorded(void)
{
    struct farm_case c = {
        .world = "interference", .app = {3, 1e6, 1000, 2, 0, NULL}, .policy = "bwc", .after = take_all};
    text_addf(&c.platform, "%s",
              CM02 HOST("r", "<prop id=\"ir_send\" value=\"0.5\"/>") HOST("a", "") MBPS("l", "1") ROUTE("r", "a", "l")
                  END_OF_PLATFORM);
    text_addf(&c.deployment, "%s",
              PLATFORM_HEAD "<actor host=\"r\" function=\"farm_node\"/><actor host=\"a\" function=\"farm_node\">"
                            "<argument value=\"r\"/></actor></platform>");
    static const struct farm_stretch want[] = {
        {0, FARM_COMPUTES, 1, {0, 2}, 1},
        {0, FARM_IS_DONE, -1, {2, 3}, 0},
        {1, FARM_STARVES, -1, {0, 1}, 0},
        {1, FARM_COMPUTES, 2, {1, 2}, 0},
        {1, FARM_COMPUTES, 3, {2, 3}, 0},
        {1, 0, 2, {0, 1}, 0},
        {1, 0, 3, {1, 2}, 0},
        {1, FARM_FLOW_TASK, -1, {0, 2}, 1e6},
        {0, 0, -1, {0, 2}, 0.5},
    };
    struct farm_outcome o = run_farm(&c);
    const struct found *got = (const struct found *)o.found;
    CHECK(farm_has_ended_well(&o, __LINE__));
    /* the rate falls to 0 between two transfers, but takes no time */
    size_t n_want = sizeof want / sizeof *want, k = 0;
    for (size_t i = 0; i < got->n; i++) {
        struct farm_stretch x = got->list[i];
        while (i + 1 < got->n && x.task < 0 && got->list[i + 1].node == x.node && got->list[i + 1].kind == x.kind &&
               got->list[i + 1].value == x.value && got->list[i + 1].span.start_s == x.span.finish_s)
            x.span.finish_s = got->list[++i].span.finish_s;
        CHECK(k < n_want);
        if (k == n_want)
            break;
        CHECK(x.node == want[k].node && x.kind == want[k].kind && x.task == want[k].task);
        CHECK_CLOSE(x.span.start_s, want[k].span.start_s, 1e-12);
        CHECK_CLOSE(x.span.finish_s, want[k].span.finish_s, 1e-12);
        CHECK_CLOSE(x.value, want[k].value, 1e-12);
        k++;
    }
    CHECK(k == n_want);
    farm_run_result_clear(&o.result);
    clear_case(&c);
}

static const struct test tests[] = {
    {"a fork is recorded", a_fork_is_recorded},
    {"records of random farms add up", records_of_random_farms_add_up},
    {"noise does not disturb the sums", noise_does_not_disturb_the_sums},
};

TEST_MAIN(tests)
