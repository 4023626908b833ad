/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program of one node, which has few constraints and up to thousands of children:

       maximise S + sum T(i)
       COMPUTE            S + (1 - floor) C y + a e + sum b(i) m(i) <= c C
       OWN                S <= C  (needed only where c > 1)
       RECEIVE_STANDING   S + sum T(i) <= y B + e
       RECEIVE            S + (1 + beta) sum T(i) <= B
       PORT               sum w(i) T(i) <= 1
       PORT_STANDING      sum w(i) p(i) <= y
       of each child      T(i) = m(i) + p(i) <= most(i); multi-port: p(i) <= y B(i)

   m(i) is sent while the processor runs, p(i) while it stands; e is received while it runs. w(i) is the part of the
   port that one task/s takes: 1 / B_s (multi-port) or 1 / B(i) (single-port). A node that cannot stand, and any node of
   BOUND_LP, has y = p = 0 and e = S + sum T(i).

   A *choice* is a y in 0..1, and m and p that satisfy the rows of the children. Only its four sums count: of T(i), b(i)
   m(i), w(i) T(i) and w(i) p(i). The node mixes choices by time shares, which add up to at most 1 (row CHOICE). Given
   prices of the rows, the best choice is found exactly, because each child can be looked at by itself: it is worth
   sending to while running, while standing, or not. What y is worth is concave and has a corner at each most(i) / B(i),
   so the corners are walked through in order. So the tiny program gives prices, the prices a choice, the choice is a
   new column, until no choice gains anything: what the best choice would gain is an upper bound of what is missing
   ([Dantzig 1960]).

   Time: O(k log k) to order k children, O(k) for each choice. A node of a random tree takes one to three choices, a
   star of 100,000 leaves at most some dozens. */
#include "farm/node_best.h"

#include "base/mem.h"
#include "farm/tiny_lp.h"

#include <math.h>
#include <stdlib.h>

enum row { ROW_COMPUTE, ROW_OWN, ROW_RECEIVE_STANDING, ROW_RECEIVE, ROW_PORT, ROW_PORT_STANDING, ROW_CHOICE, N_ROWS };
_Static_assert((int)N_ROWS == (int)TINY_ROWS, "a program has the rows of a node");

enum { COLUMN_S, COLUMN_E, N_COLUMNS }; /* then come the choices */

/* The search ends when no more than gap_ratio of the total can be missing; or, because of rounding, when no more than
   close_ratio can and some more choices have added nothing. Farther away, many choices in a row may add nothing. */
static const double gap_ratio = 1e-14, close_ratio = 1e-11;
enum { N_IDLE_CHOICES = 10, MAX_IDLE_CHOICES = 1000 };

struct child {
    node_id id;
    double most;    /* tasks/s that it can take */
    double loss;    /* b */
    double port;    /* w */
    double fastest; /* B */
};

struct choice {
    double prices[N_ROWS]; /* for which it is the best */
    double y;
    double sent, lost, port, port_standing; /* its sums */
    double unit;                            /* how much of it is one unit of its column */
};

struct node_solver {
    const struct bound_problem *problem;
    const struct bound_terms *terms; /* of the node */
    struct child *children;
    int n_children;
    struct tiny_lp lp;
    struct choice *choices;
    int n_choices, capacity;
    double upper; /* tasks/s: T(n) is not above this */
};

struct node_solver *node_solver_create(const struct bound_problem *p)
{
    struct node_solver *s = mem_zalloc(1, sizeof *s);
    s->problem = p;
    s->children = mem_zalloc((size_t)p->tree->n_nodes, sizeof *s->children);
    return s;
}

void node_solver_free(struct node_solver *s)
{
    tiny_lp_clear(&s->lp);
    free(s->children);
    free(s->choices);
    free(s);
}

/* ---- the program ---- */

static int compare_corners(const void *left, const void *right)
{
    const struct child *a = left, *b = right;
    double x = a->most / a->fastest, y = b->most / b->fastest;
    if (x != y)
        return x > y ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static void take_children(struct node_solver *s, node_id n, const double *most_tasks_per_s)
{
    const struct bound_problem *p = s->problem;
    const struct tree_node *node = &p->tree->nodes[n];
    for (int c = 0; c < node->n_children; c++) {
        node_id i = node->children[c];
        const struct bound_terms *b = &p->terms[i];
        double port = 1 / (p->ports == BOUND_SINGLE ? b->recv_limit : s->terms->send_limit);
        double most = fmin(fmin(most_tasks_per_s[i], 1 / port), s->terms->recv_limit / (1 + s->terms->recv_drop));
        if (most > 0)
            s->children[s->n_children++] = (struct child){i, most, b->send_loss, port, b->recv_limit};
    }
    if (p->ports == BOUND_MULTI && s->terms->can_stand)
        qsort(s->children, (size_t)s->n_children, sizeof *s->children, compare_corners);
}

/* The part of the processor that these tasks/s take. A host with C = 0 computes nothing, so they cost it nothing. */
static double share_of_processor(const struct bound_terms *b, double tasks_per_s)
{
    return b->compute > 0 ? tasks_per_s / b->compute : 0;
}

static bool can_receive_standing(const struct bound_terms *b)
{
    return b->can_stand && b->recv_loss > 0;
}

/* What these tasks/s take of the rows of computing and of receiving, wherever they go. */
static void put_total(struct tiny_column *column, const struct bound_terms *b, double tasks_per_s)
{
    if (!b->can_stand)
        column->of_row[ROW_COMPUTE] += share_of_processor(b, b->recv_loss * tasks_per_s);
    if (can_receive_standing(b))
        column->of_row[ROW_RECEIVE_STANDING] += tasks_per_s / b->recv_limit;
    column->of_row[ROW_RECEIVE] += tasks_per_s / b->recv_limit;
    column->value += tasks_per_s;
}

/* Adds a column in a unit in which no coefficient is above 1. The unit. */
static double add_column(struct node_solver *s, struct tiny_column *column)
{
    double largest = 0;
    for (int r = 0; r < N_ROWS; r++)
        largest = fmax(largest, fabs(column->of_row[r]));
    for (int r = 0; r < N_ROWS && largest > 0; r++)
        column->of_row[r] /= largest;
    column->value = largest > 0 ? column->value / largest : 0;
    tiny_lp_add(&s->lp, column);
    return largest > 0 ? 1 / largest : 0;
}

static void begin(struct node_solver *s, double units[N_COLUMNS])
{
    const struct bound_terms *b = s->terms;
    const double limits[N_ROWS] = {b->constant, 1, 0, 1, 1, 0, 1};
    tiny_lp_begin(&s->lp, limits);
    s->n_choices = 0;

    struct tiny_column computing = {0}, running = {0}; /* S of C tasks/s; e of B tasks/s */
    if (b->compute > 0) {
        put_total(&computing, b, b->compute);
        computing.of_row[ROW_COMPUTE] += 1;
        computing.of_row[ROW_OWN] = b->constant > 1;
    }
    if (can_receive_standing(b)) {
        running.of_row[ROW_COMPUTE] = share_of_processor(b, b->recv_loss * b->recv_limit);
        running.of_row[ROW_RECEIVE_STANDING] = -1;
    }
    units[COLUMN_S] = b->compute * add_column(s, &computing);
    units[COLUMN_E] = b->recv_limit * add_column(s, &running);
}

static struct tiny_column column_of(const struct node_solver *s, const struct choice *c)
{
    const struct bound_terms *b = s->terms;
    struct tiny_column column = {.of_row = {[ROW_PORT] = c->port, [ROW_CHOICE] = 1}};
    put_total(&column, b, c->sent);
    column.of_row[ROW_COMPUTE] += share_of_processor(b, c->lost + (1 - b->floor) * b->compute * c->y);
    if (can_receive_standing(b))
        column.of_row[ROW_RECEIVE_STANDING] -= c->y;
    column.of_row[ROW_RECEIVE] += b->recv_drop * c->sent / b->recv_limit;
    column.of_row[ROW_PORT_STANDING] = c->port_standing - c->y;
    return column;
}

/* ---- the best choice at given prices ---- */

struct worth {
    double sent; /* of a task/s sent, before what follows */
    double loss, port, port_standing;
    double standing; /* of y */
};

static struct worth worth_of(const struct bound_terms *b, const double prices[N_ROWS])
{
    struct tiny_column sent = {0};
    put_total(&sent, b, 1);
    sent.of_row[ROW_RECEIVE] += b->recv_drop / b->recv_limit;
    struct worth w = {.sent = sent.value,
                      .loss = share_of_processor(b, prices[ROW_COMPUTE]),
                      .port = prices[ROW_PORT],
                      .port_standing = prices[ROW_PORT_STANDING],
                      .standing = prices[ROW_PORT_STANDING] + prices[ROW_RECEIVE_STANDING]};
    for (int r = 0; r < N_ROWS; r++)
        w.sent -= prices[r] * sent.of_row[r];
    if (b->compute > 0)
        w.standing -= prices[ROW_COMPUTE] * (1 - b->floor);
    return w;
}

static double worth_running(const struct worth *w, const struct child *c)
{
    return w->sent - w->port * c->port - w->loss * c->loss;
}

/* Above what the task/s is worth otherwise. */
static double worth_standing(const struct worth *w, const struct child *c)
{
    return w->sent - (w->port + w->port_standing) * c->port - fmax(0, worth_running(w, c));
}

/* More standing is worth less and less: child after child cannot take more. */
static double best_y(const struct node_solver *s, const struct worth *w)
{
    if (!s->terms->can_stand)
        return 0;
    if (w->standing > 0)
        return 1;
    double gain = w->standing;
    for (int k = 0; k < s->n_children && s->problem->ports == BOUND_MULTI; k++) {
        const struct child *c = &s->children[k];
        double worth = worth_standing(w, c);
        if (worth > 0)
            gain += worth * c->fastest;
        if (gain > 0)
            return c->most / c->fastest;
    }
    return 0;
}

/* Adds `amount` times the choice to what is sent to the children, unless that is NULL. */
static void choose(const struct node_solver *s, struct choice *x, double amount, double *sent_tasks_per_s)
{
    struct worth w = worth_of(s->terms, x->prices);
    x->y = best_y(s, &w);
    x->sent = x->lost = x->port = x->port_standing = 0;
    for (int k = 0; k < s->n_children; k++) {
        const struct child *c = &s->children[k];
        double standing = 0, running = 0;
        if (s->terms->can_stand && worth_standing(&w, c) > 0)
            standing = s->problem->ports == BOUND_MULTI ? fmin(c->most, x->y * c->fastest) : c->most;
        if (worth_running(&w, c) > 0)
            running = c->most - standing;
        x->sent += running + standing;
        x->lost += running * c->loss;
        x->port += (running + standing) * c->port;
        x->port_standing += standing * c->port;
        if (sent_tasks_per_s != NULL)
            sent_tasks_per_s[c->id] += amount * (running + standing);
    }
}

/* False: no choice is better than those there are. */
static bool add_choice(struct node_solver *s)
{
    struct choice x = {.y = 0};
    for (int r = 0; r < N_ROWS; r++)
        x.prices[r] = fmax(0, s->lp.prices[r]);
    choose(s, &x, 0, NULL);
    struct tiny_column column = column_of(s, &x);
    double gain = tiny_lp_gain(&s->lp, &column);
    s->upper = fmin(s->upper, s->lp.value + gain);
    if (s->upper <= s->lp.value * (1 + gap_ratio))
        return false;
    x.unit = add_column(s, &column);
    MEM_GROW(s->choices, s->n_choices, s->capacity);
    s->choices[s->n_choices++] = x;
    return true;
}

static void solve(struct node_solver *s)
{
    bool has_choice = s->n_children > 0 || s->terms->can_stand, is_solved = tiny_lp_solve(&s->lp);
    double highest = s->lp.value;
    s->upper = has_choice ? INFINITY : s->lp.value;
    for (int n_idle = 0; has_choice && is_solved && add_choice(s);) {
        is_solved = tiny_lp_solve(&s->lp);
        n_idle = s->lp.value > highest * (1 + gap_ratio) ? 0 : n_idle + 1;
        highest = fmax(highest, s->lp.value);
        bool is_close = s->upper <= highest * (1 + close_ratio);
        if (n_idle >= (is_close ? N_IDLE_CHOICES : MAX_IDLE_CHOICES))
            break;
    }
    if (!is_solved)
        s->upper = INFINITY;
}

/* ---- the solution ---- */

/* T(n) is a sum of what is computed, so a rounding error cannot create tasks. */
static struct node_best take(const struct node_solver *s, const double units[N_COLUMNS], double *sent_tasks_per_s)
{
    const struct bound_terms *b = s->terms;
    double amounts[N_COLUMNS] = {0}, lost = 0;
    struct node_best best = {0};
    for (int i = 0; i < N_ROWS; i++) {
        int column = s->lp.basis[i];
        if (column >= N_COLUMNS && s->lp.amounts[i] > 0) {
            struct choice *x = &s->choices[column - N_COLUMNS];
            double amount = s->lp.amounts[i] * x->unit;
            choose(s, x, amount, sent_tasks_per_s);
            best.standing_ratio += amount * x->y;
            lost += amount * x->lost;
        } else if (column >= 0 && column < N_COLUMNS)
            amounts[column] = s->lp.amounts[i] * units[column];
    }
    best.computed_tasks_per_s = fmin(b->compute, amounts[COLUMN_S]);
    best.total_tasks_per_s = best.computed_tasks_per_s;
    for (int k = 0; k < s->n_children; k++) {
        const struct child *c = &s->children[k];
        sent_tasks_per_s[c->id] = fmin(c->most, sent_tasks_per_s[c->id]);
        best.total_tasks_per_s += sent_tasks_per_s[c->id];
    }
    best.missing_ratio = s->upper > s->lp.value ? (s->upper - s->lp.value) / s->lp.value : 0;
    lost += b->recv_loss * (b->can_stand ? amounts[COLUMN_E] : best.total_tasks_per_s);
    best.used_ratio = share_of_processor(b, best.computed_tasks_per_s + lost) + (1 - b->floor) * best.standing_ratio;
    return best;
}

struct node_best node_solver_find(struct node_solver *s, node_id n, const double *most_tasks_per_s,
                                  double *sent_tasks_per_s)
{
    const struct tree_node *node = &s->problem->tree->nodes[n];
    for (int c = 0; c < node->n_children && sent_tasks_per_s != NULL; c++)
        sent_tasks_per_s[node->children[c]] = 0;
    s->terms = &s->problem->terms[n];
    s->n_children = 0;
    if (s->terms->recv_limit <= 0)
        return (struct node_best){0};
    if (most_tasks_per_s != NULL)
        take_children(s, n, most_tasks_per_s);
    double units[N_COLUMNS];
    begin(s, units);
    solve(s);
    return take(s, units, sent_tasks_per_s);
}

struct node_best node_solver_find_alone(struct node_solver *s, node_id n)
{
    return node_solver_find(s, n, NULL, NULL);
}
