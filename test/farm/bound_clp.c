/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One linear program for the whole tree, with doc/model.md's variables. With a = IR_r Z C and b(i) = IR_s(i) Z C:

       maximise T(root)
       S(n) + sum T(i) - T(n) = 0
       S(n) + (1 - floor) C y(n) + a (T(n) - r(n)) + sum b(i) (T(i) - p(i)) <= c C,  S(n) <= C
       T(n) + beta sum T(i) <= B(n)
       sum T(i) <= B_s,  sum p(i) <= y(n) B_s  (multi-port)
       sum T(i) / B(i) <= 1,  sum p(i) / B(i) <= y(n)  (single-port)
       0 <= y(n) <= 1, r(n) <= T(n), p(i) <= T(i), r(n) <= y(n) B(n), p(i) <= y(n) B(i)

   Nodes that cannot stand have no y, r and p. Scaling: every variable is divided by its largest possible value and
   every row by its right-hand side (the first kind of row by the largest possible T(n)), so coefficients and values lie
   in 0..1 for any units and however unequal the hosts are. */
#include "bound_clp.h"

#include "base/mem.h"

#include <coin/Clp_C_Interface.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double tolerance = 1e-11; /* of CLP; tight, because nodes deep in a tree have little weight at the root */

/* Every node has the rows N_ROWS * n + ROW_x and the columns N_COLUMNS * n + COLUMN_x, and further ones if
   necessary. */
enum { ROW_BALANCE, ROW_COMPUTE, ROW_PORT, N_ROWS };
enum { COLUMN_S, COLUMN_T, N_COLUMNS };
enum { MAX_COLUMNS = N_COLUMNS + 3, MAX_ROWS = N_ROWS + 6 };
enum { MAX_COEFFICIENTS = 22 }; /* of a node: S 2, T 9, y 3 and one as a child of the next y, r 3, p 4 */

struct further {                /* of a node; -1: absent */
    int y, r, p;                /* columns */
    int receive;                /* row of constraint 2 with a receive drop; without one it is a bound of T(n) */
    int r_within_t, r_within_y; /* rows */
    int p_within_t, p_within_y; /* p: of what is sent to this node; y: of its parent */
    int port_within_y;          /* of all that this node sends while it stands */
};

struct program {
    const struct bound_problem *problem;
    double *most_s, *most_t; /* of each node: the units of its variables; 0 if it can do nothing */
    struct further *further;
    int n_rows, n_columns;
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
                           .further = mem_zalloc(n, sizeof(struct further)),
                           .starts = mem_zalloc(MAX_COLUMNS * n + 1, sizeof(CoinBigIndex)),
                           .rows = mem_zalloc(MAX_COEFFICIENTS * n, sizeof(int)),
                           .values = mem_zalloc(MAX_COEFFICIENTS * n, sizeof(double)),
                           .column_upper = mem_zalloc(MAX_COLUMNS * n, sizeof(double)),
                           .objective = mem_zalloc(MAX_COLUMNS * n, sizeof(double)),
                           .row_lower = mem_zalloc(MAX_ROWS * n, sizeof(double)),
                           .row_upper = mem_zalloc(MAX_ROWS * n, sizeof(double))};
}

static void program_clear(struct program *lp)
{
    free(lp->most_s);
    free(lp->most_t);
    free(lp->further);
    free(lp->starts);
    free(lp->rows);
    free(lp->values);
    free(lp->column_upper);
    free(lp->objective);
    free(lp->row_lower);
    free(lp->row_upper);
}

/* The most that n's link, the processors at both ends and the parent's port allow. */
static double most_received(const struct bound_problem *p, node_id n)
{
    const struct bound_terms *b = &p->terms[n];
    double most = b->recv_limit;
    if (b->recv_loss > 0 && !b->can_stand)
        most = fmin(most, b->constant * b->compute / b->recv_loss);
    if (n == p->tree->root)
        return most;
    const struct bound_terms *parent = &p->terms[p->tree->nodes[n].parent];
    if (b->send_loss > 0 && !parent->can_stand)
        most = fmin(most, parent->constant * parent->compute / b->send_loss);
    if (parent->recv_drop > 0)
        most = fmin(most, parent->recv_limit / parent->recv_drop);
    return fmin(most, parent->send_limit);
}

/* First, from the leaves, the most that each subtree can do; then, from the root, the most that can reach it. */
static void find_units(struct program *lp)
{
    const struct bound_problem *p = lp->problem;
    int n_nodes = p->tree->n_nodes;
    double *below = mem_zalloc((size_t)n_nodes, sizeof *below); /* sum over the children */
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

/* Rows are limited from above by 1, or by 0 where a variable must not exceed another. */
static int add_row(struct program *lp, double upper)
{
    lp->row_lower[lp->n_rows] = -DBL_MAX;
    lp->row_upper[lp->n_rows] = upper;
    return lp->n_rows++;
}

static int add_column(struct program *lp)
{
    lp->column_upper[lp->n_columns] = 1;
    return lp->n_columns++;
}

static void add_receiving(struct program *lp, node_id n)
{
    const struct bound_terms *b = &lp->problem->terms[n];
    struct further *f = &lp->further[n];
    if (b->recv_drop > 0)
        f->receive = add_row(lp, 1);
    if (!b->can_stand || b->recv_loss <= 0 || lp->most_t[n] <= 0)
        return;
    f->r = add_column(lp);
    f->r_within_t = add_row(lp, 0);
    f->r_within_y = add_row(lp, 0);
}

/* With one port, the row of all sends already limits each child. */
static void add_sending_to(struct program *lp, node_id n)
{
    const struct bound_problem *p = lp->problem;
    node_id parent = p->tree->nodes[n].parent;
    if (n == p->tree->root || !p->terms[parent].can_stand || p->terms[n].send_loss <= 0 || lp->most_t[n] <= 0)
        return;
    struct further *f = &lp->further[n];
    f->p = add_column(lp);
    f->p_within_t = add_row(lp, 0);
    if (p->ports == BOUND_MULTI)
        f->p_within_y = add_row(lp, 0);
    if (lp->further[parent].port_within_y < 0)
        lp->further[parent].port_within_y = add_row(lp, 0);
}

static void add_rows_and_columns(struct program *lp)
{
    int n_nodes = lp->problem->tree->n_nodes;
    lp->n_rows = N_ROWS * n_nodes;
    lp->n_columns = N_COLUMNS * n_nodes;
    for (node_id n = 0; n < n_nodes; n++) {
        lp->further[n] = (struct further){-1, -1, -1, -1, -1, -1, -1, -1, -1};
        lp->column_upper[N_COLUMNS * n + COLUMN_S] = lp->most_s[n] > 0;
        lp->column_upper[N_COLUMNS * n + COLUMN_T] = lp->most_t[n] > 0;
        lp->row_lower[N_ROWS * n + ROW_COMPUTE] = lp->row_lower[N_ROWS * n + ROW_PORT] = -DBL_MAX;
        lp->row_upper[N_ROWS * n + ROW_COMPUTE] = lp->problem->terms[n].constant;
        lp->row_upper[N_ROWS * n + ROW_PORT] = 1;
        if (lp->problem->terms[n].can_stand)
            lp->further[n].y = add_column(lp);
    }
    for (node_id n = 0; n < n_nodes; n++) {
        add_receiving(lp, n);
        add_sending_to(lp, n);
    }
    lp->objective[N_COLUMNS * lp->problem->tree->root + COLUMN_T] = 1;
}

static void begin_column(struct program *lp, int column)
{
    lp->starts[column] = lp->n_values;
}

static void put(struct program *lp, int row, double value)
{
    if (row < 0 || value == 0)
        return;
    lp->rows[lp->n_values] = row;
    lp->values[lp->n_values++] = value;
}

static void put_s(struct program *lp, node_id n)
{
    begin_column(lp, N_COLUMNS * n + COLUMN_S);
    if (lp->most_s[n] == 0)
        return;
    put(lp, N_ROWS * n + ROW_BALANCE, lp->most_s[n] / lp->most_t[n]);
    put(lp, N_ROWS * n + ROW_COMPUTE, lp->most_s[n] / lp->problem->terms[n].compute);
}

/* A host with C = 0 computes nothing, so transfers cost it nothing. */
static double share_of_processor(const struct bound_problem *p, node_id n, double tasks_per_s)
{
    return p->terms[n].compute > 0 ? tasks_per_s / p->terms[n].compute : 0;
}

/* The part of the parent's port that one unit sent to child n takes. */
static double share_of_port(const struct program *lp, node_id n)
{
    const struct bound_problem *p = lp->problem;
    node_id parent = p->tree->nodes[n].parent;
    return lp->most_t[n] / (p->ports == BOUND_SINGLE ? p->terms[n].recv_limit : p->terms[parent].send_limit);
}

static void put_t(struct program *lp, node_id n)
{
    const struct bound_problem *p = lp->problem;
    const struct bound_terms *b = &p->terms[n];
    const struct further *f = &lp->further[n];
    node_id parent = p->tree->nodes[n].parent;
    double unit = lp->most_t[n];
    begin_column(lp, N_COLUMNS * n + COLUMN_T);
    if (unit == 0)
        return;
    put(lp, N_ROWS * n + ROW_BALANCE, -1);
    put(lp, N_ROWS * n + ROW_COMPUTE, share_of_processor(p, n, unit * b->recv_loss));
    put(lp, f->receive, unit / b->recv_limit);
    put(lp, f->r_within_t, -1);
    put(lp, f->p_within_t, -1);
    if (n == p->tree->root)
        return;
    const struct bound_terms *above = &p->terms[parent];
    put(lp, N_ROWS * parent + ROW_BALANCE, unit / lp->most_t[parent]);
    put(lp, N_ROWS * parent + ROW_COMPUTE, share_of_processor(p, parent, unit * b->send_loss));
    put(lp, N_ROWS * parent + ROW_PORT, share_of_port(lp, n));
    put(lp, lp->further[parent].receive, unit * above->recv_drop / above->recv_limit);
}

static void put_y(struct program *lp, node_id n)
{
    const struct tree_node *node = &lp->problem->tree->nodes[n];
    const struct further *f = &lp->further[n];
    begin_column(lp, f->y);
    put(lp, N_ROWS * n + ROW_COMPUTE, 1 - lp->problem->terms[n].floor);
    put(lp, f->r_within_y, -1);
    put(lp, f->port_within_y, -1);
    for (int c = 0; c < node->n_children; c++)
        put(lp, lp->further[node->children[c]].p_within_y, -1);
}

static void put_r(struct program *lp, node_id n)
{
    const struct bound_terms *b = &lp->problem->terms[n];
    const struct further *f = &lp->further[n];
    begin_column(lp, f->r);
    put(lp, N_ROWS * n + ROW_COMPUTE, -share_of_processor(lp->problem, n, lp->most_t[n] * b->recv_loss));
    put(lp, f->r_within_t, 1);
    put(lp, f->r_within_y, lp->most_t[n] / b->recv_limit);
}

static void put_p(struct program *lp, node_id n)
{
    const struct bound_terms *b = &lp->problem->terms[n];
    const struct further *f = &lp->further[n];
    node_id parent = lp->problem->tree->nodes[n].parent;
    begin_column(lp, f->p);
    put(lp, N_ROWS * parent + ROW_COMPUTE, -share_of_processor(lp->problem, parent, lp->most_t[n] * b->send_loss));
    put(lp, f->p_within_t, 1);
    put(lp, f->p_within_y, lp->most_t[n] / b->recv_limit);
    put(lp, lp->further[parent].port_within_y, share_of_port(lp, n));
}

/* Columns in the order in which add_rows_and_columns numbered them. */
static void build(struct program *lp)
{
    int n_nodes = lp->problem->tree->n_nodes;
    add_rows_and_columns(lp);
    for (node_id n = 0; n < n_nodes; n++) {
        put_s(lp, n);
        put_t(lp, n);
    }
    for (node_id n = 0; n < n_nodes; n++)
        if (lp->further[n].y >= 0)
            put_y(lp, n);
    for (node_id n = 0; n < n_nodes; n++) {
        if (lp->further[n].r >= 0)
            put_r(lp, n);
        if (lp->further[n].p >= 0)
            put_p(lp, n);
    }
    begin_column(lp, lp->n_columns);
}

/* T(n) is recomputed as a sum of S, so a rounding error of the solver cannot create tasks. */
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
    Clp_Simplex *clp = Clp_newModel();
    Clp_setLogLevel(clp, 0);
    Clp_scaling(clp, 0);
    Clp_setPrimalTolerance(clp, tolerance);
    Clp_setDualTolerance(clp, tolerance);
    Clp_loadProblem(clp, lp->n_columns, lp->n_rows, lp->starts, lp->rows, lp->values, NULL, lp->column_upper,
                    lp->objective, lp->row_lower, lp->row_upper);
    Clp_setOptimizationDirection(clp, -1); /* maximise */
    Clp_setPerturbation(clp, 100);         /* off: it would leave traces in the values */
    Clp_dual(clp, 0);                      /* presolve would be faster for large trees, but leaves errors of 1e-10 */
    enum err_code code = ERR_NONE;
    if (Clp_status(clp) != 0)
        code = err_set(e, ERR_INTERNAL, "CLP found no optimum of the linear program: status %d, expected 0",
                       Clp_status(clp));
    else
        take_solution(lp, Clp_primalColumnSolution(clp), out);
    Clp_deleteModel(clp);
    return code;
}

enum err_code bound_clp(const struct bound_problem *p, struct bound *out, struct err *e)
{
    struct program lp;
    program_init(&lp, p);
    find_units(&lp);
    build(&lp);
    enum err_code code = solve(&lp, out, e);
    program_clear(&lp);
    return code;
}
