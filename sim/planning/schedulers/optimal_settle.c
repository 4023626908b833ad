/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What follows from decisions in the disjunctive graph: longer paths, pairs that fit one way only, and uses of a
   resource that must come first or last. All of it can be undone. */
#include "schedulers/optimal_orders.h"

#include "base/mem.h"

/* ---- changes that can be undone ---- */

/* Only what was is kept: undoing goes backwards, so the first value of an item comes last and wins. */
static void change(struct orders *o, enum change_kind kind, int item, double was_s)
{
    MEM_GROW(o->changes, o->n_changes, o->changes_capacity);
    o->changes[o->n_changes].kind = kind;
    o->changes[o->n_changes].item = item;
    o->changes[o->n_changes++].was_s = was_s;
}

void orders_add_arc(struct orders *o, int from, int to, double lag_s)
{
    MEM_GROW(o->arcs, o->n_arcs, o->arcs_capacity);
    o->arcs[o->n_arcs] = (struct arc){from, to, o->first_out[from], o->first_in[to], lag_s};
    o->first_out[from] = o->first_in[to] = (int)o->n_arcs++;
}

void orders_undo(struct orders *o, size_t n_changes)
{
    while (o->n_changes > n_changes) {
        const struct change *c = &o->changes[--o->n_changes];
        const struct arc *arc = &o->arcs[o->n_arcs - 1];
        switch (c->kind) {
        case OF_HEAD:
            o->head_s[c->item] = c->was_s;
            break;
        case OF_TAIL:
            o->tail_s[c->item] = c->was_s;
            break;
        case OF_PAIR:
            o->pairs[c->item].is_decided = false;
            break;
        case OF_ARC:
            o->first_out[arc->from] = arc->next_out;
            o->first_in[arc->to] = arc->next_in;
            o->n_arcs--;
            break;
        }
    }
}

/* ---- longest paths ---- */

/* Each item waits once. The number that waits is small, and a queue with a mark for each item would have to be
   cleared. */
static int add_waiting(struct orders *o, int n, int item) /* returns how many items wait */
{
    int k = 0;
    while (k < n && o->waiting[k] != item)
        k++;
    o->waiting[k] = item;
    return k == n ? n + 1 : n;
}

/* Raises the head of an item and what follows from it (OF_HEAD), or its tail and what precedes it (OF_TAIL). If a
   longer path comes back to `closing`, the arc that was added last closes a cycle: there was none before. -1: no arc
   was added. */
static bool raise_date(struct orders *o, enum change_kind kind, int item, double date_s, int closing)
{
    bool is_head = kind == OF_HEAD;
    double *date = is_head ? o->head_s : o->tail_s, deadline_s = o->hunt->deadline_s;
    const int *first = is_head ? o->first_out : o->first_in;
    int n = 0;
    if (date_s <= date[item])
        return true;
    change(o, kind, item, date[item]);
    date[item] = date_s;
    for (o->waiting[n++] = item; n > 0;) {
        int now = o->waiting[--n];
        if (now == closing || o->head_s[now] + o->tail_s[now] > deadline_s)
            return false;
        for (int i = first[now]; i >= 0; i = is_head ? o->arcs[i].next_out : o->arcs[i].next_in) {
            int next = is_head ? o->arcs[i].to : o->arcs[i].from;
            double raised_s = date[now] + o->arcs[i].lag_s;
            if (raised_s <= date[next])
                continue;
            change(o, kind, next, date[next]);
            date[next] = raised_s;
            n = add_waiting(o, n, next);
        }
    }
    return true;
}

/* ---- what cannot be otherwise ---- */

bool orders_decide(struct orders *o, int number, bool a_is_first)
{
    struct pair *x = &o->pairs[number];
    int from = a_is_first ? x->a : x->b, to = a_is_first ? x->b : x->a;
    double lag_s = a_is_first ? x->a_s : x->b_s;
    x->is_decided = true;
    change(o, OF_PAIR, number, 0);
    orders_add_arc(o, from, to, lag_s);
    change(o, OF_ARC, 0, 0);
    return raise_date(o, OF_HEAD, to, o->head_s[from] + lag_s, from) &&
           raise_date(o, OF_TAIL, from, o->tail_s[to] + lag_s, to);
}

static bool decide_all_forced(struct orders *o, bool *has_changed)
{
    double deadline_s = o->hunt->deadline_s;
    for (size_t i = 0; i < o->n_pairs; i++) {
        const struct pair *x = &o->pairs[i];
        if (x->is_decided)
            continue;
        bool a_fits = pair_a_first_s(o, x) <= deadline_s, b_fits = pair_b_first_s(o, x) <= deadline_s;
        if (a_fits && b_fits)
            continue;
        *has_changed = true;
        if ((!a_fits && !b_fits) || !orders_decide(o, (int)i, a_fits))
            return false;
    }
    return true;
}

/* Edge finding on one resource ([Baptiste 2001]): for a set of uses, and one that is not among them: if all together
   cannot be between the earliest head and the latest end of the set, this one comes last, after all of the set. It is
   enough to look at the sets of all uses that must end by one date and start after another. Seen backwards, the same
   finds what comes first. Uses are by rising head. Time: O(n^2). False: some set does not fit. */
static bool find_edges(struct seen *x, int n, double deadline_s)
{
    for (int k = 0; k < n; k++) {
        double sum_s = 0, done_s = -INFINITY, before_s = -INFINITY, end_s = x[k].end_s;
        for (int i = n; i-- > 0;) {
            if (x[i].end_s <= end_s) {
                sum_s += x[i].busy_s;
                done_s = later_s(done_s, x[i].head_s + sum_s);
            }
            x[i].done_s = done_s;
        }
        if (done_s > end_s + deadline_s * ORDERS_TOLERANCE)
            return false;
        /* what misses by a rounding fits: nothing may be refuted by the last bits */
        double allowed_s = end_s + deadline_s * ORDERS_TOLERANCE;
        for (int i = 0; i < n; i++) {
            if (x[i].end_s <= end_s) {
                before_s = later_s(before_s, x[i].head_s + sum_s);
                sum_s -= x[i].busy_s;
                continue;
            }
            if (x[i].head_s + sum_s + x[i].busy_s > allowed_s)
                x[i].raised_s = later_s(x[i].raised_s, x[i].done_s);
            if (before_s + x[i].busy_s > allowed_s)
                x[i].raised_s = later_s(x[i].raised_s, done_s);
        }
    }
    return true;
}

static void sort_by_head(struct seen *x, int n)
{
    for (int i = 1; i < n; i++) {
        struct seen now = x[i];
        int k = i;
        for (; k > 0 && x[k - 1].head_s > now.head_s; k--)
            x[k] = x[k - 1];
        x[k] = now;
    }
}

/* Backwards, time begins at the deadline. */
static bool settle_resource(struct orders *o, const struct use *on, int n, bool backwards, bool *has_changed)
{
    double deadline_s = o->hunt->deadline_s;
    struct seen *x = o->seen;
    for (int i = 0; i < n; i++) {
        double head_s = o->head_s[on[i].item] - on[i].before_s, rest_s = o->tail_s[on[i].item] - on[i].busy_s;
        x[i] = (struct seen){on[i].item,
                             backwards ? rest_s : head_s,
                             on[i].before_s + on[i].busy_s,
                             deadline_s - (backwards ? head_s : rest_s),
                             0,
                             0,
                             backwards ? on[i].busy_s : on[i].before_s};
    }
    sort_by_head(x, n);
    if (!find_edges(x, n, deadline_s))
        return false;
    for (int i = 0; i < n; i++) {
        double raised_s = x[i].raised_s;
        if (raised_s <= x[i].head_s + deadline_s * ORDERS_TOLERANCE)
            continue;
        *has_changed = true;
        if (!raise_date(o, backwards ? OF_TAIL : OF_HEAD, x[i].item, raised_s + x[i].to_start_s, -1))
            return false;
    }
    return true;
}

bool orders_settle(struct orders *o)
{
    bool has_changed = true;
    while (has_changed) {
        while (has_changed) {
            has_changed = false;
            if (!decide_all_forced(o, &has_changed))
                return false;
        }
        for (size_t r = 0; r < o->n_resources; r++) {
            int n = (int)(o->start[r + 1] - o->start[r]);
            const struct use *on = o->on + o->start[r];
            if (n > 2 &&
                (!settle_resource(o, on, n, false, &has_changed) || !settle_resource(o, on, n, true, &has_changed)))
                return false;
        }
    }
    return true;
}
