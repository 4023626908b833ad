/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/kreaseck_report.h"

#include "base/mem.h"
#include "base/text.h"
#include "farm/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The policies that the paper compares. Other policies in the results appear in the tables only. */
enum algorithm { ROOT, IA_MULTI, IA_SINGLE, BWC, COMP_RATE, FCFS, OPT_SINGLE, N_ALGORITHMS };
static const char *const policy_names[N_ALGORITHMS] = {"root_computes", "ia_multi", "ia_single", "bwc",
                                                       "comp_rate",     "fcfs",     "opt_single"};
enum { MULTI, SINGLE, N_PORTS };
static const char *const port_names[N_PORTS] = {"multi", "single"};

static const double same_ratio = 1e-3; /* makespans this close are level: they differ by one task in a thousand */

struct figures {
    size_t n_sends, n_computes, n_policies;
    double *makespan_s;          /* [send][compute][policy] */
    double *bound_tasks_per_s;   /* [send][compute][ports], in the order of the bounds' axes */
    size_t policy[N_ALGORITHMS]; /* places on the axis */
    size_t ports[N_PORTS], n_ports;
    double n_tasks;
    const struct kreaseck_inputs *in;
};

/* ---- reading ---- */

struct filling {
    double *cells;
    size_t n_second, n_third;
};

static void fill(void *self, const size_t *values, double mean)
{
    struct filling *f = self;
    f->cells[(values[0] * f->n_second + values[1]) * f->n_third + values[2]] = mean;
}

static enum err_code read_cells(struct store *st, const char *metric, const char *third, size_t n, struct filling f,
                                struct err *e)
{
    const char *params[] = {"send_size", "compute_size", third};
    for (size_t i = 0; i < n; i++)
        f.cells[i] = NAN;
    enum err_code code = store_each_mean(st, metric, params, 3, fill, &f, e);
    for (size_t i = 0; i < n && code == ERR_NONE; i++)
        if (isnan(f.cells[i]))
            code = err_set(e, ERR_INPUT, "the results have no %s for some sizes: points are missing or failed", metric);
    return code;
}

static enum err_code find_value(const struct scenario *s, const char *param, const char *value, size_t *out,
                                struct err *e)
{
    const struct scenario_axis *a = scenario_axis(s, param);
    long place = a != NULL ? scenario_axis_place(a, value) : -1;
    *out = place >= 0 ? (size_t)place : 0;
    return place >= 0 ? ERR_NONE : err_set_at(e, ERR_INPUT, s->path, 0, "the report needs %s=%s", param, value);
}

static enum err_code check_same_sizes(const struct kreaseck_inputs *in, const char *param, struct err *e)
{
    const struct scenario_axis *a = scenario_axis(in->farms, param), *b = scenario_axis(in->bounds, param);
    bool same = a != NULL && b != NULL && a->n_values == b->n_values;
    for (size_t i = 0; same && i < a->n_values; i++)
        same = strcmp(a->values[i].text, b->values[i].text) == 0;
    return same ? ERR_NONE : err_set(e, ERR_INPUT, "%s and %s differ in %s", in->farms->path, in->bounds->path, param);
}

static enum err_code find_places(struct figures *f, struct err *e)
{
    enum err_code code = check_same_sizes(f->in, "send_size", e);
    if (code == ERR_NONE)
        code = check_same_sizes(f->in, "compute_size", e);
    for (int i = 0; i < N_ALGORITHMS && code == ERR_NONE; i++)
        code = find_value(f->in->farms, "policy", policy_names[i], &f->policy[i], e);
    for (int i = 0; i < N_PORTS && code == ERR_NONE; i++)
        code = find_value(f->in->bounds, "ports", port_names[i], &f->ports[i], e);
    return code;
}

static enum err_code read_figures(struct figures *f, struct err *e)
{
    enum err_code code = find_places(f, e);
    if (code != ERR_NONE)
        return code;
    const struct scenario *s = f->in->farms;
    f->n_sends = scenario_axis(s, "send_size")->n_values;
    f->n_computes = scenario_axis(s, "compute_size")->n_values;
    f->n_policies = scenario_axis(s, "policy")->n_values;
    f->n_ports = scenario_axis(f->in->bounds, "ports")->n_values;
    f->n_tasks = strtod(scenario_axis(s, "tasks")->values[0].text, NULL);
    size_t n_cells = f->n_sends * f->n_computes;
    f->makespan_s = mem_zalloc(n_cells * f->n_policies, sizeof(double));
    f->bound_tasks_per_s = mem_zalloc(n_cells * f->n_ports, sizeof(double));
    code = read_cells(f->in->farm_results, "makespan_s", "policy", n_cells * f->n_policies,
                      (struct filling){f->makespan_s, f->n_computes, f->n_policies}, e);
    if (code == ERR_NONE)
        code = read_cells(f->in->bound_results, "throughput_tasks_per_s", "ports", n_cells * f->n_ports,
                          (struct filling){f->bound_tasks_per_s, f->n_computes, f->n_ports}, e);
    return code;
}

/* ---- cells: one send size and one compute size ---- */

struct cell {
    size_t send, compute;
};

static size_t n_cells(const struct figures *f)
{
    return f->n_sends * f->n_computes;
}

static struct cell cell_at(const struct figures *f, size_t i)
{
    return (struct cell){i / f->n_computes, i % f->n_computes};
}

static const char *size_text(const struct figures *f, const char *param, size_t i)
{
    return scenario_axis(f->in->farms, param)->values[i].text;
}

static double makespan_s(const struct figures *f, struct cell c, size_t policy)
{
    return f->makespan_s[(c.send * f->n_computes + c.compute) * f->n_policies + policy];
}

/* The makespan divided by that of the root computing alone. */
static double ratio(const struct figures *f, struct cell c, enum algorithm a)
{
    return makespan_s(f, c, f->policy[a]) / makespan_s(f, c, f->policy[ROOT]);
}

static double bound_tasks_per_s(const struct figures *f, struct cell c, int ports)
{
    return f->bound_tasks_per_s[(c.send * f->n_computes + c.compute) * f->n_ports + f->ports[ports]];
}

static double best_ratio(const struct figures *f, struct cell c, const enum algorithm *list, size_t n)
{
    double best = INFINITY;
    for (size_t i = 0; i < n; i++)
        best = fmin(best, ratio(f, c, list[i]));
    return best;
}

/* Appends to a list "10 MB/1, 5 MB/3". */
static void add_cell(const struct figures *f, struct cell c, struct text *list)
{
    text_addf(list, "%s%s MB/%s", list->size ? ", " : "", size_text(f, "send_size", c.send),
              size_text(f, "compute_size", c.compute));
}

static void tell_exceptions(struct document *d, struct text *list)
{
    if (list->size > 0)
        document_detailf(d, "It does not hold at (task size/work units) %s.", text_str(list));
    text_clear(list);
}

/* The one application for which the paper finds RootComputes best: the largest tasks with the least work. */
static bool is_exception(const struct figures *f, struct cell c)
{
    return strcmp(size_text(f, "send_size", c.send), "10") == 0 &&
           strcmp(size_text(f, "compute_size", c.compute), "1") == 0;
}

/* ---- tables ---- */

static void add_ratio(struct table *t, double ratio)
{
    table_valuef(t, ratio, "%.3f", ratio);
}

static void tell_ratios(const struct figures *f, size_t send, struct document *d)
{
    const struct scenario_axis *policy = scenario_axis(f->in->farms, "policy");
    struct table *t = table_create();
    table_column(t, TABLE_RIGHT, "work units");
    for (size_t p = 0; p < f->n_policies; p++)
        table_column(t, TABLE_RIGHT, policy->values[p].text);
    table_column(t, TABLE_RIGHT, "bound, single");
    table_column(t, TABLE_RIGHT, "bound, multi");
    for (size_t i = 0; i < f->n_computes; i++) {
        struct cell c = {send, i};
        double root_s = makespan_s(f, c, f->policy[ROOT]);
        const char *work = size_text(f, "compute_size", i);
        table_valuef(t, strtod(work, NULL), "%s", work);
        for (size_t p = 0; p < f->n_policies; p++)
            add_ratio(t, makespan_s(f, c, p) / root_s);
        add_ratio(t, f->n_tasks / bound_tasks_per_s(f, c, SINGLE) / root_s);
        add_ratio(t, f->n_tasks / bound_tasks_per_s(f, c, MULTI) / root_s);
    }
    char *title = mem_format("Tasks of %s MB: makespan / makespan of root_computes", size_text(f, "send_size", send));
    document_table(d, title, t);
    free(title);
}

/* ---- claims ---- */

static void claim_root_best_once(const struct figures *f, struct document *d)
{
    static const enum algorithm senders[] = {IA_MULTI, IA_SINGLE, BWC, COMP_RATE, FCFS};
    double least = INFINITY, most = 0, opt = NAN;
    for (size_t i = 0; i < n_cells(f); i++) {
        struct cell c = cell_at(f, i);
        for (size_t j = 0; is_exception(f, c) && j < 5; j++) {
            least = fmin(least, ratio(f, c, senders[j]));
            most = fmax(most, ratio(f, c, senders[j]));
            opt = ratio(f, c, OPT_SINGLE);
        }
    }
    document_claimf(d, least >= 1, "RootComputes is best at 10 MB and 1 unit.");
    document_detailf(d,
                     "The others take %.2f to %.2f times as long. opt_single, which sends nothing where IR_s Z C >= 1, "
                     "takes %.3f: the children should get nothing, as [K] 3.2 says.",
                     least, most, opt);
}

static void claim_root_best_only_there(const struct figures *f, struct document *d)
{
    static const enum algorithm senders[] = {IA_MULTI, IA_SINGLE, BWC, COMP_RATE, FCFS};
    size_t n_beaten = 0, n_others = 0, n_multi_loses = 0;
    double weakest = 0;
    for (size_t i = 0; i < n_cells(f); i++) {
        struct cell c = cell_at(f, i);
        if (is_exception(f, c))
            continue;
        double best = best_ratio(f, c, senders, 5);
        n_others++;
        n_beaten += best < 1;
        n_multi_loses += ratio(f, c, IA_MULTI) >= 1;
        weakest = fmax(weakest, best);
    }
    document_claimf(d, n_beaten == n_others, "RootComputes is best only there.");
    document_detailf(
        d,
        "Another policy is faster in %zu of %zu applications; in the closest one it takes %.3f of the time of "
        "RootComputes. IA:Multi is not faster in %zu of them.",
        n_beaten, n_others, weakest, n_multi_loses);
}

static const struct tree_node *first_child(const struct figures *f, enum algorithm a, node_id *order);

static void explain_multi(const struct figures *f, struct document *d)
{
    node_id *order = mem_zalloc((size_t)f->in->tree->n_nodes, sizeof *order);
    const struct tree_node *first = first_child(f, IA_MULTI, order);
    double limit = f->in->tree->nodes[f->in->tree->root].send_limit_bytes_per_s;
    if (first != NULL && first->max_transfer_bytes_per_s >= limit)
        document_detailf(
            d,
            "Why: one stream already fills the root's link. %s, the first in order, can take %.4g MB/s, and "
            "the root sends %.4g MB/s in all. A second stream starts only beside a slower child (Lab5, SB0, "
            "Tenn). It then takes an even share of the link instead of the rest: the better child gets "
            "less, and a child that costs the root more gets as much. The paper notes that the portions "
            "cannot be controlled. Where tasks are short, this costs more than it gains.",
            first->host_name, first->max_transfer_bytes_per_s / 1e6, limit / 1e6);
    free(order);
}

static void claim_multi_best(const struct figures *f, struct document *d)
{
    static const enum algorithm others[] = {IA_SINGLE, BWC, COMP_RATE, FCFS};
    size_t n_best = 0, n_ties = 0, n = 0;
    double sum = 0, worst = 0, best = INFINITY;
    struct text exceptions = {0};
    for (size_t i = 0; i < n_cells(f); i++) {
        struct cell c = cell_at(f, i);
        if (is_exception(f, c))
            continue;
        double margin = ratio(f, c, IA_MULTI) / best_ratio(f, c, others, 4);
        n++;
        n_best += margin < 1 - same_ratio;
        n_ties += fabs(margin - 1) <= same_ratio;
        if (margin > 1 + same_ratio)
            add_cell(f, c, &exceptions);
        sum += margin;
        worst = fmax(worst, margin);
        best = fmin(best, margin);
    }
    bool supported = n_best + n_ties == n;
    document_claimf(d, supported, "IA:Multi is best everywhere else.");
    document_detailf(
        d,
        "It is first in %zu and level in %zu of %zu applications. Its time divided by the best of the other "
        "four is %.3f on average, %.3f to %.3f.",
        n_best, n_ties, n, sum / (double)n, best, worst);
    tell_exceptions(d, &exceptions);
    if (!supported || n_ties > 0)
        explain_multi(f, d);
}

static void claim_single_first(const struct figures *f, struct document *d)
{
    static const enum algorithm others[] = {BWC, COMP_RATE, FCFS};
    size_t n_first = 0;
    double sum = 0, most = 0, worst = 0;
    struct text exceptions = {0};
    for (size_t i = 0; i < n_cells(f); i++) {
        struct cell c = cell_at(f, i);
        double single = ratio(f, c, IA_SINGLE), margin = single / best_ratio(f, c, others, 3);
        double bwc = ratio(f, c, BWC) / single;
        n_first += margin <= 1 + same_ratio;
        if (margin > 1 + same_ratio)
            add_cell(f, c, &exceptions);
        worst = fmax(worst, margin);
        sum += bwc;
        most = fabs(bwc - 1) > fabs(most) ? bwc - 1 : most;
    }
    document_claimf(d, n_first == n_cells(f),
                    "IA:Single is the first of the single-ported policies, BWC close behind.");
    document_detailf(
        d,
        "It is first or level in %zu of %zu applications, elsewhere at most %.1f %% behind. BWC takes %.3f of "
        "its time on average and differs by at most %.1f %%: only Lab5's place is different.",
        n_first, n_cells(f), 100 * (worst - 1), sum / (double)n_cells(f), 100 * fabs(most));
    tell_exceptions(d, &exceptions);
}

static void claim_ahead_of_fcfs(const struct figures *f, struct document *d)
{
    size_t n_ahead = 0;
    double least = INFINITY, most = 0;
    struct text exceptions = {0};
    for (size_t i = 0; i < n_cells(f); i++) {
        struct cell c = cell_at(f, i);
        double margin = ratio(f, c, FCFS) / fmax(ratio(f, c, IA_SINGLE), ratio(f, c, BWC));
        n_ahead += margin > 1;
        if (margin <= 1)
            add_cell(f, c, &exceptions);
        least = fmin(least, margin);
        most = fmax(most, margin);
    }
    document_claimf(d, n_ahead == n_cells(f), "IA:Single and BWC are both ahead of FCFS.");
    document_detailf(
        d, "This holds in %zu of %zu applications. FCFS takes %.2f to %.2f times as long as the slower of the two.",
        n_ahead, n_cells(f), least, most);
    if (exceptions.size > 0)
        document_detailf(
            d, "FCFS serves Tenn in its turn, and while that slow stream holds the single port, little else is sent. "
               "Where sending does not pay (IR_s Z C >= 1), this is the better schedule.");
    tell_exceptions(d, &exceptions);
}

static void claim_bwc_behind_comp_rate(const struct figures *f, struct document *d)
{
    struct text where = {0};
    for (size_t i = 0; i < n_cells(f); i++) {
        struct cell c = cell_at(f, i);
        if (ratio(f, c, BWC) > ratio(f, c, COMP_RATE) * (1 + same_ratio))
            add_cell(f, c, &where);
    }
    bool as_paper = strcmp(text_str(&where), "2 MB/9, 2 MB/11") == 0;
    document_claimf(d, as_paper, "BWC is behind CompRate at 2 MB with 9 and 11 units, and only there.");
    document_detailf(
        d,
        "Simulated: %s. The paper attributes this to send times to Lab3 that varied from 200 ms to 2000 ms "
        "between runs; here they do not vary. The scenario kreaseck-fork-noisy shows what becomes of it when they do.",
        where.size ? text_str(&where) : "nowhere");
    text_clear(&where);
}

/* ---- priorities ---- */

struct ranked {
    double priority;
    node_id node;
};

static int compare_priorities(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* The root's children in the order in which they are served. The paper's priorities do not depend on the sizes of tasks. */
static size_t rank_children(const struct figures *f, enum algorithm a, node_id *order)
{
    const struct tree *tree = f->in->tree;
    const struct tree_node *root = &tree->nodes[tree->root];
    struct policy_view view = {tree, 1e6, 1};
    struct policy_choice choice = {0};
    struct ranked *list = mem_zalloc((size_t)root->n_children, sizeof *list);
    if (policy_choose(policy_names[a], &choice, NULL) == ERR_NONE) {
        for (int i = 0; i < root->n_children; i++)
            list[i] = (struct ranked){choice.policy->priority(&view, root->children[i]), root->children[i]};
        qsort(list, (size_t)root->n_children, sizeof *list, compare_priorities);
    }
    for (int i = 0; i < root->n_children; i++)
        order[i] = list[i].node;
    policy_choice_clear(&choice);
    free(list);
    return (size_t)root->n_children;
}

static const struct tree_node *first_child(const struct figures *f, enum algorithm a, node_id *order)
{
    return rank_children(f, a, order) > 0 ? &f->in->tree->nodes[order[0]] : NULL;
}

static void claim_priorities(const struct figures *f, struct document *d)
{
    static const struct {
        enum algorithm algorithm;
        const char *name, *order; /* of the paper's Figures 2, 3 and 4 */
    } paper[] = {{IA_SINGLE, "IA:Multi, IA:Single", "Lab4 Lab5 Lab3 Lab6 SB0 Tenn"},
                 {COMP_RATE, "CompRate", "Lab3 SB0 Tenn Lab6 Lab4 Lab5"},
                 {BWC, "BWC", "Lab4 Lab3 Lab5 Lab6 SB0 Tenn"}};
    node_id *order = mem_zalloc((size_t)f->in->tree->n_nodes, sizeof *order);
    for (size_t k = 0; k < sizeof paper / sizeof paper[0]; k++) {
        struct text found = {0};
        size_t n = rank_children(f, paper[k].algorithm, order);
        for (size_t i = 0; i < n; i++)
            text_addf(&found, "%s%s", i ? " " : "", f->in->tree->nodes[order[i]].host_name);
        bool same = strcmp(text_str(&found), paper[k].order) == 0;
        document_claimf(d, same, "Order of %s: %s.", paper[k].name, paper[k].order);
        if (!same)
            document_detailf(d, "Here: %s.", text_str(&found));
        text_clear(&found);
    }
    free(order);
}

/* ---- throughput ---- */

static void add_percents(struct table *t, double ratio)
{
    table_valuef(t, 100 * ratio, "%.1f", 100 * ratio);
}

static void tell_fractions(const struct figures *f, struct document *d)
{
    static const enum algorithm order[] = {IA_MULTI, OPT_SINGLE, IA_SINGLE, BWC, COMP_RATE, FCFS};
    struct table *t = table_create();
    static const char *const columns[] = {"mean %", "least %", "most %"};
    table_column(t, TABLE_LEFT, "policy");
    table_column(t, TABLE_LEFT, "bound");
    for (int i = 0; i < 3; i++)
        table_column(t, TABLE_RIGHT, columns[i]);
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        int ports = order[k] == IA_MULTI ? MULTI : SINGLE;
        double sum = 0, least = INFINITY, most = 0;
        for (size_t i = 0; i < n_cells(f); i++) {
            struct cell c = cell_at(f, i);
            double rate = f->n_tasks / makespan_s(f, c, f->policy[order[k]]);
            double fraction = rate / bound_tasks_per_s(f, c, ports);
            sum += fraction;
            least = fmin(least, fraction);
            most = fmax(most, fraction);
        }
        table_cell(t, policy_names[order[k]]);
        table_cell(t, port_names[ports]);
        add_percents(t, sum / (double)n_cells(f));
        add_percents(t, least);
        add_percents(t, most);
    }
    document_table(d, "Throughput (tasks / makespan, with start-up and wind-down) in percent of the steady-state bound",
                   t);
}

enum err_code kreaseck_report_tell(const struct kreaseck_inputs *in, struct document *d, struct err *e)
{
    struct figures f = {.in = in};
    enum err_code code = read_figures(&f, e);
    if (code == ERR_NONE) {
        for (size_t i = 0; i < f.n_sends; i++)
            tell_ratios(&f, i, d);
        tell_fractions(&f, d);
        document_paragraphf(d, "What the paper says, and the simulated results:");
        document_claims(d, CLAIMS_LOUD);
        claim_root_best_once(&f, d);
        claim_root_best_only_there(&f, d);
        claim_multi_best(&f, d);
        claim_single_first(&f, d);
        claim_ahead_of_fcfs(&f, d);
        claim_bwc_behind_comp_rate(&f, d);
        claim_priorities(&f, d);
    }
    free(f.makespan_s);
    free(f.bound_tasks_per_s);
    return code;
}

/* The farm of the scenario's first point. */
static enum err_code tell_report(const struct report_inputs *in, struct document *d, struct err *e)
{
    struct tree tree = {0};
    const char *deployment = scenario_axis(in->scenario, "deployment")->values[0].path;
    if (deployment == NULL)
        return err_set(e, ERR_INPUT, "scenario %s has no deployment; this report needs its tree", in->scenario->name);
    const struct kreaseck_inputs all = {in->scenario, in->results, in->bounds, in->bound_results, &tree};
    enum err_code code = deployment_read(deployment, &tree, e);
    if (code == ERR_NONE)
        code = kreaseck_report_tell(&all, d, e);
    tree_clear(&tree);
    return code;
}

extern const struct report report_kreaseck;
const struct report report_kreaseck = {
    .name = "kreaseck",
    .summary = "policies on a farm and the steady-state bound, and the paper's claims about them",
    .source = "[K] 4.3",
    .experiment = "farm",
    .needs_bounds = true,
    .tell = tell_report,
};
