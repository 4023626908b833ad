/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The best steady state by linear programming (CLP), one program for the whole tree, under the constraints of
   [K] 3.2 and nothing else; the rule that prunes children is not told to it. With a = IR_r Z C and b(i) =
   IR_s(i) Z C:

       maximise T(root)
       S(n) + sum T(i) - T(n) = 0
       S(n) + a T(n) + sum b(i) T(i) <= C
       sum T(i) <= B_s  (multi-port)    sum T(i) / B_r(i) <= 1  (single-port)
       0 <= S(n), 0 <= T(n) <= B_r(n)

   Scaling: every variable is divided by the most it could be and every row by its right-hand side (the first
   kind by the most T(n) could be), so that all coefficients, bounds and values lie in 0..1 whatever the units
   and however unequal the hosts.

   stopped_by is read off the solution: a node whose processor is not used up, or that has a child which could
   take more and could pass it on, lacks tasks: constraint 2. Otherwise, while some child could take more,
   what holds with equality (to 1e-7): constraint 1, else 3.

   At most 7 coefficients for a node's variables; 10,000 nodes take less than a second. */
#include "farm/bound_terms.h"

#include "base/mem.h"

#include <coin/Clp_C_Interface.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double tight_ratio = 1e-7;
static const double tolerance = 1e-11; /* of CLP: what lies deep in a tree weighs little at the root */

/* Row N_ROWS * n + ROW_x is of node n, and column N_COLUMNS * n + COLUMN_x. */
enum { ROW_BALANCE, ROW_COMPUTE, ROW_PORT, N_ROWS };
enum { COLUMN_S, COLUMN_T, N_COLUMNS };
enum { MAX_COEFFICIENTS = 7 }; /* of S(n) and T(n) together: 2 and 5 */

struct program {
    const struct bound_problem *problem;
    double *most_s, *most_t; /* of each node: the units of its variables; 0 when it can do nothing */
    CoinBigIndex *starts;
    int *rows;
    double *values;
    CoinBigIndex n_values;
    double *column_upper, *objective, *row_lower, *row_upper;
};

static void program_init(struct program *lp, const struct bound_problem *p)
{
    size_t n = (size_t)p->tree->n_nodes;
    *lp = (struct program){.problem = p,
                           .most_s = mem_zalloc(n, sizeof(double)),
                           .most_t = mem_zalloc(n, sizeof(double)),
                           .starts = mem_zalloc(N_COLUMNS * n + 1, sizeof(CoinBigIndex)),
                           .rows = mem_zalloc(MAX_COEFFICIENTS * n, sizeof(int)),
                           .values = mem_zalloc(MAX_COEFFICIENTS * n, sizeof(double)),
                           .column_upper = mem_zalloc(N_COLUMNS * n, sizeof(double)),
                           .objective = mem_zalloc(N_COLUMNS * n, sizeof(double)),
                           .row_lower = mem_zalloc(N_ROWS * n, sizeof(double)),
                           .row_upper = mem_zalloc(N_ROWS * n, sizeof(double))};
}

static void program_clear(struct program *lp)
{
    free(lp->most_s);
    free(lp->most_t);
    free(lp->starts);
    free(lp->rows);
    free(lp->values);
    free(lp->column_upper);
    free(lp->objective);
    free(lp->row_lower);
    free(lp->row_upper);
}

/* What n's link, the processors at both its ends and its parent's port allow it at most. */
static double most_received(const struct bound_problem *p, node_id n)
{
    const struct bound_terms *b = &p->terms[n];
    double most = b->recv_limit;
    if (b->recv_loss > 0)
        most = fmin(most, b->compute / b->recv_loss);
    if (n == p->tree->root)
        return most;
    const struct bound_terms *parent = &p->terms[p->tree->nodes[n].parent];
    if (b->send_loss > 0)
        most = fmin(most, parent->compute / b->send_loss);
    return fmin(most, parent->send_limit);
}

/* From the leaves what each subtree can do at most, then from the root what can come to it at most. */
static void find_units(struct program *lp)
{
    const struct bound_problem *p = lp->problem;
    int n_nodes = p->tree->n_nodes;
    double *below = mem_zalloc((size_t)n_nodes, sizeof *below); /* the children's sum */
    for (int k = n_nodes - 1; k >= 0; k--) {
        node_id n = p->order[k];
        lp->most_t[n] = fmin(most_received(p, n), p->terms[n].compute + fmin(below[n], p->terms[n].send_limit));
        if (n != p->tree->root)
            below[p->tree->nodes[n].parent] += lp->most_t[n];
    }
    for (int k = 0; k < n_nodes; k++) {
        node_id n = p->order[k];
        if (n != p->tree->root)
            lp->most_t[n] = fmin(lp->most_t[n], lp->most_t[p->tree->nodes[n].parent]);
        lp->most_s[n] = fmin(p->terms[n].compute, lp->most_t[n]);
    }
    free(below);
}

static void put(struct program *lp, node_id n, int row, double value)
{
    if (value == 0)
        return;
    lp->rows[lp->n_values] = N_ROWS * n + row;
    lp->values[lp->n_values++] = value;
}

static void put_s(struct program *lp, node_id n)
{
    if (lp->most_s[n] == 0)
        return;
    put(lp, n, ROW_BALANCE, lp->most_s[n] / lp->most_t[n]);
    put(lp, n, ROW_COMPUTE, lp->most_s[n] / lp->problem->terms[n].compute);
}

/* A host with C = 0 computes nothing and so has nothing to lose: no row. */
static void put_t(struct program *lp, node_id n)
{
    const struct bound_problem *p = lp->problem;
    const struct bound_terms *b = &p->terms[n];
    node_id parent = p->tree->nodes[n].parent;
    double unit = lp->most_t[n];
    if (unit == 0)
        return;
    put(lp, n, ROW_BALANCE, -1);
    if (b->compute > 0)
        put(lp, n, ROW_COMPUTE, unit * b->recv_loss / b->compute);
    if (n == p->tree->root)
        return;
    put(lp, parent, ROW_BALANCE, unit / lp->most_t[parent]);
    if (p->terms[parent].compute > 0)
        put(lp, parent, ROW_COMPUTE, unit * b->send_loss / p->terms[parent].compute);
    put(lp, parent, ROW_PORT, unit / (p->ports == BOUND_SINGLE ? b->recv_limit : p->terms[parent].send_limit));
}

static void build(struct program *lp)
{
    for (node_id n = 0; n < lp->problem->tree->n_nodes; n++) {
        lp->starts[N_COLUMNS * n + COLUMN_S] = lp->n_values;
        put_s(lp, n);
        lp->starts[N_COLUMNS * n + COLUMN_T] = lp->n_values;
        put_t(lp, n);
        lp->column_upper[N_COLUMNS * n + COLUMN_S] = lp->most_s[n] > 0;
        lp->column_upper[N_COLUMNS * n + COLUMN_T] = lp->most_t[n] > 0;
        lp->row_lower[N_ROWS * n + ROW_COMPUTE] = lp->row_lower[N_ROWS * n + ROW_PORT] = -DBL_MAX;
        lp->row_upper[N_ROWS * n + ROW_COMPUTE] = lp->row_upper[N_ROWS * n + ROW_PORT] = 1;
    }
    lp->starts[N_COLUMNS * lp->problem->tree->n_nodes] = lp->n_values;
    lp->objective[N_COLUMNS * lp->problem->tree->root + COLUMN_T] = 1;
}

/* T(n) is added up from S, so that a rounding error of the solver is not a task that appears from nowhere. */
static void take_solution(const struct program *lp, const double *x, struct bound *out)
{
    const struct tree *t = lp->problem->tree;
    for (node_id n = 0; n < t->n_nodes; n++) {
        out->nodes[n].computed_tasks_per_s = fmax(0, x[N_COLUMNS * n + COLUMN_S]) * lp->most_s[n];
        out->nodes[n].total_tasks_per_s = out->nodes[n].computed_tasks_per_s;
    }
    for (int k = t->n_nodes - 1; k > 0; k--) {
        node_id n = lp->problem->order[k];
        out->nodes[t->nodes[n].parent].total_tasks_per_s += out->nodes[n].total_tasks_per_s;
    }
}

static enum err_code solve(const struct program *lp, struct bound *out, struct err *e)
{
    int n_nodes = lp->problem->tree->n_nodes;
    Clp_Simplex *clp = Clp_newModel();
    Clp_setLogLevel(clp, 0);
    Clp_scaling(clp, 0);
    Clp_setPrimalTolerance(clp, tolerance);
    Clp_setDualTolerance(clp, tolerance);
    Clp_loadProblem(clp, N_COLUMNS * n_nodes, N_ROWS * n_nodes, lp->starts, lp->rows, lp->values, NULL,
                    lp->column_upper, lp->objective, lp->row_lower, lp->row_upper);
    Clp_setOptimizationDirection(clp, -1); /* maximise */
    Clp_setPerturbation(clp, 100);         /* off: it would leave traces of itself in the values */
    Clp_dual(clp, 0);
    enum err_code code = ERR_NONE;
    if (Clp_status(clp) != 0)
        code = err_set(e, ERR_INTERNAL, "CLP found no optimum of the bound's linear program: status %d, expected 0",
                       Clp_status(clp));
    else
        take_solution(lp, Clp_primalColumnSolution(clp), out);
    Clp_deleteModel(clp);
    return code;
}

static bool is_tight(double value, double limit)
{
    return value >= limit * (1 - tight_ratio);
}

/* The constraint that stops node n, and in `can_take_more` whether a larger T(n) would be possible there.
   Children come before their parents. */
static enum bound_stop find_stop(const struct bound_problem *p, const struct bound_node *nodes, node_id n,
                                 bool *can_take_more)
{
    const struct tree_node *node = &p->tree->nodes[n];
    const struct bound_terms *b = &p->terms[n];
    const struct bound_node *here = &nodes[n];
    double used = here->computed_tasks_per_s + b->recv_loss * here->total_tasks_per_s, port = 0;
    bool child_can = false;
    for (int c = 0; c < node->n_children; c++) {
        node_id i = node->children[c];
        double total = nodes[i].total_tasks_per_s;
        used += p->terms[i].send_loss * total;
        if (total > 0)
            port += total / (p->ports == BOUND_SINGLE ? p->terms[i].recv_limit : b->send_limit);
        child_can = child_can || (can_take_more[i] && !p->terms[i].pruned);
    }
    bool port_full = is_tight(port, 1);
    bool never_computes = b->compute > 0 && here->computed_tasks_per_s <= tight_ratio * b->compute;
    bool has_spare = !is_tight(used, b->compute) || (child_can && !port_full && !never_computes);
    can_take_more[n] = has_spare && !is_tight(here->total_tasks_per_s, b->recv_limit);
    if (has_spare && n != p->tree->root)
        return BOUND_STOP_RECEIVE_LIMIT;
    if (child_can && port_full)
        return BOUND_STOP_SEND_LIMIT;
    return child_can && never_computes ? BOUND_STOP_COMPUTE : BOUND_STOP_NONE;
}

static void find_stops(const struct bound_problem *p, struct bound *out)
{
    bool *can_take_more = mem_zalloc((size_t)out->n_nodes, sizeof *can_take_more);
    for (int k = out->n_nodes - 1; k >= 0; k--) {
        node_id n = p->order[k];
        out->nodes[n].stopped_by = find_stop(p, out->nodes, n, can_take_more);
    }
    free(can_take_more);
}

enum err_code bound_lp(const struct bound_problem *p, struct bound *out, struct err *e)
{
    struct program lp;
    program_init(&lp, p);
    find_units(&lp);
    build(&lp);
    enum err_code code = solve(&lp, out, e);
    if (code == ERR_NONE)
        find_stops(p, out);
    program_clear(&lp);
    return code;
}
