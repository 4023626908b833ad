/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loss of a farm of N tasks and makespan M against the bound B is B - N/M: the sum over the nodes of S - k/M, where
   S is the node's share of the bound and k what it computed. With C, its believed compute rate in tasks/s, the bound
   computes S/C of the time; meanwhile its transfers are charged r (bound_node.charged_ratio), so that in the bound the
   node is busy for a = S/C + r of the time, and has nothing to do for the rest. While it is busy it computes the part f
   = S/(C a) of the time (1 if a = 0).

   In the run it waits for w before its first task, is idle for d after the last one, for g in between, and busy for
   q = M - w - d - g: u computing at full speed, the rest stolen. Then, since S = C f a,

       S M - k = C f (a M - q)  +  C (f q - u)  +  (C u - k)

   and, because M - q = w + d + g,

       C f (a M - q) = S w  +  S d  +  C f (g - (1 - a) (M - w - d))

       start-up      S w                              nothing is computed, the bound has its share
       wind-down     S d                              likewise
       starved       C f (g - (1 - a) (M - w - d))    idle in between for longer than in the bound
       stolen        C (f q - u)                      (q - u) - (1 - f) q: stolen beyond what the bound charges
       slower        C u - k                          the tasks took more time at full speed than 1/C each

   Each is divided by M. A node that computes nothing is starved: w = d = 0. The optimum of the bound need not be
   unique, and a farm may spread its tasks otherwise: what a node computes beyond its share (k > S M) has no such
   causes; it is `shifted`, a loss below 0, and others lose more instead. */
#include "explain/farm_losses.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define X(id, name, sentence) [id] = name,
const char *const farm_loss_names[N_FARM_LOSSES] = {FARM_LOSS_LIST(X)};
#undef X
#define X(id, name, sentence) [id] = sentence,
const char *const farm_loss_sentences[N_FARM_LOSSES] = {FARM_LOSS_LIST(X)};
#undef X

static void take_times(struct farm_losses_node *x, const struct farm_run_node *run, double makespan_s)
{
    /* A node that has computed nothing has neither start-up nor wind-down: it is starved all the time. */
    bool has_computed = !isnan(run->farm.first_start_s);
    double busy_s = run->farm.compute_busy_s;
    x->stolen_s = run->use.stolen_s;
    x->stolen_recv_s = run->use.stolen_recv_s;
    x->stolen_send_s = x->stolen_s - x->stolen_recv_s;
    x->computing_s = busy_s - x->stolen_s;
    x->start_up_s = has_computed ? run->farm.first_start_s : 0;
    x->done_s = has_computed ? makespan_s - run->farm.last_end_s : 0;
    /* A difference of sums: rounding must not make it shorter than the start-up that it contains. */
    x->starved_s = fmax(x->start_up_s, makespan_s - busy_s - x->done_s);
}

static void take_losses(struct farm_losses_node *x, const struct bound_node *bound, double believed_tasks_per_s,
                        long n_computed, double makespan_s)
{
    double share = x->bound_tasks_per_s, full = believed_tasks_per_s;
    double computes_ratio = full > 0 ? share / full : 0, busy_ratio = computes_ratio + bound->charged_ratio;
    double efficiency_ratio = busy_ratio > 0 ? computes_ratio / busy_ratio : 1;
    double between_s = makespan_s - x->start_up_s - x->done_s, busy_s = x->computing_s + x->stolen_s;
    double *lost = x->lost_tasks_per_s;
    /* k > S M: none of the causes applies. */
    if (x->tasks_per_s > share) {
        lost[FARM_LOSS_SHIFTED] = share - x->tasks_per_s;
        return;
    }
    lost[FARM_LOSS_START_UP] = share * x->start_up_s;
    lost[FARM_LOSS_WIND_DOWN] = share * x->done_s;
    lost[FARM_LOSS_STARVED] = full * efficiency_ratio * (x->starved_s - x->start_up_s - (1 - busy_ratio) * between_s);
    lost[FARM_LOSS_STOLEN] = full * (efficiency_ratio * busy_s - x->computing_s);
    lost[FARM_LOSS_SLOWER] = full * x->computing_s - (double)n_computed;
    for (int i = 0; i < N_FARM_LOSSES; i++)
        lost[i] /= makespan_s;
}

/* The bound and the run have the same nodes: those of the tree. */
static void take_nodes(const struct tree *t, const struct bound *b, double task_flop,
                       const struct farm_run_result *result, struct farm_losses *out)
{
    out->n_nodes = t->n_nodes;
    out->nodes = mem_zalloc((size_t)t->n_nodes, sizeof *out->nodes);
    for (node_id n = 0; n < t->n_nodes; n++) {
        struct farm_losses_node *x = &out->nodes[n];
        long n_computed = result->nodes[n].farm.tasks_computed;
        x->held_by = b->nodes[n].stopped_by;
        x->bound_tasks_per_s = b->nodes[n].computed_tasks_per_s;
        x->tasks_per_s = (double)n_computed / result->makespan_s;
        take_times(x, &result->nodes[n], result->makespan_s);
        take_losses(x, &b->nodes[n], t->nodes[n].compute_rate_flop_per_s / task_flop, n_computed, result->makespan_s);
        for (int i = 0; i < N_FARM_LOSSES; i++)
            out->lost_tasks_per_s[i] += x->lost_tasks_per_s[i];
    }
}

/* The same nodes, for which transfers cost nothing: only the array is a copy. */
static struct tree tree_of_free_transfers(const struct tree *t)
{
    struct tree copy = *t;
    copy.nodes = mem_alloc((size_t)t->n_nodes * sizeof *copy.nodes);
    memcpy(copy.nodes, t->nodes, (size_t)t->n_nodes * sizeof *copy.nodes);
    for (node_id n = 0; n < t->n_nodes; n++) {
        copy.nodes[n].ir_send_s_per_byte = copy.nodes[n].ir_recv_s_per_byte = 0;
        copy.nodes[n].ir_is_curved = copy.nodes[n].ir_of_requests_is_curved = false;
    }
    return copy;
}

/* The physical bound, since the paper's own two may be exceeded and losses would then be negative (bound.h). */
static enum err_code find_bound(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                                bool is_free, struct bound *out, struct err *e)
{
    const struct farm_app *app = &options->app;
    struct tree believed = is_free ? tree_of_free_transfers(t) : *t;
    enum err_code code = bound_compute_of(
        &believed, app, policy_is_multi_port(options->policy) ? BOUND_MULTI : BOUND_SINGLE, BOUND_PHYSICAL, out, e);
    if (code == ERR_NONE)
        code = bound_check_links(out, &believed, m, app->task_bytes, e);
    if (is_free)
        free(believed.nodes);
    return code;
}

enum err_code farm_losses_find(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                               const struct farm_run_result *result, struct farm_losses *out, struct err *e)
{
    const struct world_model *w = options->world;
    struct bound bound = {0};
    *out = (struct farm_losses){.makespan_s = result->makespan_s,
                                .tasks_per_s = result->throughput_tasks_per_s,
                                /* It neither slows hosts nor occupies processors. */
                                .is_free = w->speed_factor_ratio == NULL && w->charges == NULL};
    out->may_exceed = !out->is_free && strcmp(w->name, "interference") != 0;
    enum err_code code = find_bound(t, m, options, out->is_free, &bound, e);
    if (code == ERR_NONE) {
        out->bound_tasks_per_s = bound.throughput_tasks_per_s;
        out->is_curved = bound.ignores_curves;
        out->warning = bound.warning != NULL ? mem_strdup(bound.warning) : NULL;
        take_nodes(t, &bound, options->app.task_flop, result, out);
    }
    bound_clear(&bound);
    return code;
}

void farm_losses_clear(struct farm_losses *x)
{
    free(x->nodes);
    free(x->warning);
    *x = (struct farm_losses){0};
}
