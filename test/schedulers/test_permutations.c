/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hosts in another order. Where hosts are alike, the number of a host means nothing, nor do names and the numbers of
   links: no scheduler may make another schedule, not even one that draws. Where all hosts differ and no two values tie,
   schedulers that break ties by the order of the platform and do nothing else with it must not, either. */
#include "both.h"
#include "small.h"

enum { MOST_HOSTS = 5, MOST_TASKS = 9 };

struct kind { /* of hosts, each with a link to the switch; and column of the table of times */
    double speed_flop_per_s, overhead_s, involvement_ratio, bytes_per_s, latency_s;
    enum link_sharing sharing;
};

struct star {
    struct kind kinds[MOST_HOSTS];
    int kind[MOST_HOSTS]; /* [host] */
    int n_hosts, n_kinds;
};

static struct star random_star(struct random_stream *r, enum small_kind numbers, bool all_differ)
{
    struct star s = {.n_hosts = small_int(r, 2, MOST_HOSTS)};
    enum link_sharing sharing = small_sharing(r);
    s.n_kinds = all_differ ? s.n_hosts : small_int(r, 1, 2);
    for (int k = 0; k < s.n_kinds; k++)
        s.kinds[k] = (struct kind){small_power(r, numbers), small_part(r, numbers), small_part(r, numbers),
                                   small_power(r, numbers), small_part(r, numbers), sharing};
    for (int h = 0; h < s.n_hosts; h++)
        s.kind[h] = h < s.n_kinds ? h : small_int(r, 0, s.n_kinds - 1); /* each is used */
    return s;
}

static void shuffle(struct random_stream *r, int *list, int n)
{
    for (int i = 0; i < n; i++) {
        int other = small_int(r, 0, i);
        list[i] = list[other];
        list[other] = i;
    }
}

/* order[i]: the i-th host. Links are made in an order of their own. */
static struct machine make_star(const struct star *s, const int *order, const int *link_order)
{
    struct machine m = machine_text_empty();
    link_id up[MOST_HOSTS];
    for (int i = 0; i < s->n_hosts; i++) {
        const struct kind *k = &s->kinds[s->kind[order[i]]];
        char *name = mem_format("p%d", order[i]);
        host_id h = machine_text_add_host(&m, name, k->speed_flop_per_s);
        for (int dir = 0; dir < N_DIRECTIONS; dir++) {
            machine_text_set_number(&m.hosts[h].overhead_s[dir], k->overhead_s);
            machine_text_set_number(&m.hosts[h].involvement_ratio[dir], k->involvement_ratio);
        }
        free(name);
    }
    machine_text_seal(&m);
    for (int i = 0; i < s->n_hosts; i++) {
        int h = link_order[i];
        const struct kind *k = &s->kinds[s->kind[order[h]]];
        char *name = mem_format("l%d", order[h]);
        up[h] = machine_text_add_link(&m, name, k->bytes_per_s, k->latency_s, k->sharing);
        free(name);
    }
    for (int a = 0; a < s->n_hosts; a++)
        for (int b = 0; b < s->n_hosts; b++)
            machine_text_set_route(&m, a, b, (link_id[]){up[a], machine_text_back(&m, up[b])}, a == b ? 0 : 2);
    return m;
}

/* Times by kind, for hosts in this order. */
static void make_costs(struct task_costs *out, const struct star *s, const int *order, const struct task_costs *by_kind,
                       int n_tasks)
{
    out->source = mem_strdup("costs.csv");
    out->compute_s = mem_alloc((size_t)(n_tasks * s->n_hosts) * sizeof *out->compute_s);
    for (int t = 0; t < n_tasks; t++)
        for (int i = 0; i < s->n_hosts; i++)
            out->compute_s[t * s->n_hosts + i] = by_kind->compute_s[t * s->n_kinds + s->kind[order[i]]];
}

/* What takes no time ties on all hosts. */
static void give_times(struct dag *g, double *costs_s, size_t n_costs)
{
    for (int t = 0; t < g->n_tasks; t++)
        g->tasks[t].work_flop += g->tasks[t].work_flop == 0 ? 0.1 + t / 7.0 : 0;
    for (int e = 0; e < g->n_edges; e++)
        g->edges[e].size_bytes += g->edges[e].size_bytes == 0 ? 0.1 + e / 11.0 : 0;
    for (size_t i = 0; i < n_costs; i++)
        costs_s[i] += costs_s[i] == 0 ? 0.1 + (double)i / 13 : 0;
}

/* Two machines that differ in the order of hosts and links. */
struct pair {
    struct setting first, second;
};

static void make_pair(struct pair *x, struct random_stream *r, enum small_kind numbers, bool all_differ)
{
    static const int as_is[MOST_HOSTS] = {0, 1, 2, 3, 4};
    struct star s = random_star(r, numbers, all_differ);
    int order[MOST_HOSTS], links[MOST_HOSTS], n_tasks = small_int(r, 1, MOST_TASKS);
    struct random_stream again = *r;
    struct dag g = small_dag(r, n_tasks, true, numbers), same = small_dag(&again, n_tasks, true, numbers);
    shuffle(r, order, s.n_hosts);
    shuffle(r, links, s.n_hosts);
    for (int i = 0; i < s.n_hosts && !all_differ; i++) /* only hosts of one kind change places */
        for (int k = i; k < s.n_hosts; k++)
            if (s.kind[order[k]] == s.kind[i]) {
                int other = order[i];
                order[i] = order[k];
                order[k] = other;
                break;
            }
    if (all_differ) {
        give_times(&g, NULL, 0);
        give_times(&same, NULL, 0);
    }
    setting_init(&x->first, g, make_star(&s, as_is, as_is));
    setting_init(&x->second, same, make_star(&s, order, links));
    if (random_below(r, 2) == 0)
        return;
    struct task_costs by_kind;
    small_costs(&by_kind, r, n_tasks, s.n_kinds, numbers);
    if (all_differ)
        give_times(&x->first.dag, by_kind.compute_s, (size_t)(n_tasks * s.n_kinds));
    make_costs(&x->first.costs, &s, as_is, &by_kind, n_tasks);
    make_costs(&x->second.costs, &s, order, &by_kind, n_tasks);
    task_costs_clear(&by_kind);
}

/* NAN: it cannot be planned. */
static double length_s(const struct setting *s, enum naive_model model, const char *scheduler)
{
    const struct naive_wish w = {.model = model};
    struct schedule plan;
    struct err e = {0};
    if (really_plan(s, &w, scheduler, &plan, &e) != ERR_NONE)
        return NAN;
    double found_s = schedule_length_s(&plan);
    schedule_clear(&plan);
    return found_s;
}

static bool is_in(const char *name, const char *const *list)
{
    while (*list != NULL && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* Without those that are in `except`. */
static void check_all(uint64_t sequence, uint64_t n_cases, bool all_differ, double tolerance, const char *const *except)
{
    for (int i = 0; schedulers[i] != NULL; i++) {
        int n_other = 0, n_planned = 0;
        FOR_RANDOM_CASES (c, n_cases) {
            struct random_stream r;
            struct pair x;
            random_init(&r, sequence, c);
            make_pair(&x, &r, all_differ || c % 2 ? SMALL_REAL : SMALL_WHOLE, all_differ);
            enum naive_model model = (enum naive_model)(c / 2 % N_NAIVE_MODELS);
            double a_s = length_s(&x.first, model, schedulers[i]->name);
            double b_s = length_s(&x.second, model, schedulers[i]->name);
            CHECK(isnan(a_s) == isnan(b_s));
            n_planned += !isnan(a_s);
            n_other += fabs(a_s - b_s) > tolerance * a_s;
            setting_clear(&x.first);
            setting_clear(&x.second);
        }
        if (n_other > 0)
            fprintf(stderr, "%s: another length in %d of %d\n", schedulers[i]->name, n_other, n_planned);
        CHECK(n_planned > random_cases(n_cases) / 2);
        CHECK(n_other == 0 || is_in(schedulers[i]->name, except));
    }
}

static void hosts_that_are_alike_may_change_places(void)
{
    check_all(21, 30, false, 0, (const char *const[]){NULL});
}

/* All but those to which the first of several free hosts is as good as any other, or which use the number of a host. */
static void hosts_that_all_differ_may_change_places(void)
{
    static const char *const except[] = {
        "list",   "hlfet",       "mcp",  "etf", "olb", "bsa", "portfolio", /* least start: hosts that are free tie */
        "random", "round_robin", "gics",                                   /* host numbers are drawn, or counted */
        NULL,
    };
    check_all(22, 30, true, 1e-12, except);
}

static const struct test tests[] = {
    {"hosts that are alike may change places", hosts_that_are_alike_may_change_places},
    {"hosts that all differ may change places", hosts_that_all_differ_may_change_places},
};
TEST_MAIN(tests)
