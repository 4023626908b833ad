/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farms where many things end at one date, and the last bits of the clock must not decide what happens there: first the
   ends, then other nodes start work, then the root takes a task, then sends start (doc/model.md, Farms). By hand, and
   against a farm that reckons in fractions. */
#include "farm_case.h"

/* ---- fractions ---- */

__extension__ typedef __int128 wide;

struct fraction {
    long long n, d; /* d > 0, without common factors */
};

static bool overflowed; /* some fraction did not fit */

static wide common_factor(wide a, wide b)
{
    while (b != 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static struct fraction reduced(wide n, wide d)
{
    const wide most = 0x7fffffffffffffff;
    wide factor = common_factor(n, d);
    n /= factor;
    d /= factor;
    if (n > most || n < -most || d > most) {
        overflowed = true;
        return (struct fraction){0, 1};
    }
    return (struct fraction){(long long)n, (long long)d};
}

static struct fraction plus(struct fraction a, struct fraction b)
{
    return reduced((wide)a.n * b.d + (wide)b.n * a.d, (wide)a.d * b.d);
}

static struct fraction times(struct fraction a, struct fraction b)
{
    return reduced((wide)a.n * b.n, (wide)a.d * b.d);
}

static struct fraction minus(struct fraction a, struct fraction b)
{
    return plus(a, (struct fraction){-b.n, b.d});
}

static struct fraction over(struct fraction a, struct fraction b) /* b > 0 */
{
    return times(a, (struct fraction){b.d, b.n});
}

static bool is_less(struct fraction a, struct fraction b)
{
    return (wide)a.n * b.d < (wide)b.n * a.d;
}

static double value_of(struct fraction a)
{
    return (double)a.n / (double)a.d;
}

/* ---- a farm that reckons in fractions: whole tasks, no latency, each node on a link of its own ---- */

enum { EXACT_NODES = 6, EXACT_BUFFERS = 4, EXACT_TASKS = 120 };

struct exact_request {
    struct fraction date_s;
    int number;
};

struct exact_node {
    int parent;                                             /* -1: node 0, the root */
    struct fraction flop_per_s, MB_per_s, ir_send, ir_recv; /* the last three of its link from the parent */
    bool computes, receives;
    struct fraction flop_left, MB_left;
    int n_held, n_requests, n_requests_made;
    struct exact_request requests[EXACT_BUFFERS];
    long n_computed;
};

struct exact_farm {
    struct exact_node nodes[EXACT_NODES];
    int n_nodes, n_buffers;
    const char *policy;
    struct fraction task_MB, task_flop, now_s;
    long n_tasks, n_left, n_completed;
    struct fraction completions_s[EXACT_TASKS];
    int n_coincidences; /* things that ended together with others */
};

static void exact_ask(struct exact_farm *f, int n)
{
    struct exact_node *x = &f->nodes[n];
    if (x->parent >= 0)
        x->requests[x->n_requests++] = (struct exact_request){f->now_s, ++x->n_requests_made};
}

static long *exact_tasks(struct exact_farm *f, int n, long *held)
{
    *held = f->nodes[n].n_held;
    return n == 0 ? &f->n_left : held;
}

static bool exact_take(struct exact_farm *f, int n)
{
    long held, *tasks = exact_tasks(f, n, &held);
    if (*tasks == 0)
        return false;
    if (n == 0)
        f->n_left--;
    else
        f->nodes[n].n_held--;
    return true;
}

static void exact_compute(struct exact_farm *f, int n)
{
    struct exact_node *x = &f->nodes[n];
    if (x->computes || !exact_take(f, n))
        return;
    x->computes = true;
    x->flop_left = f->task_flop;
    exact_ask(f, n);
}

static bool exact_goes_first(const struct exact_farm *f, int a, int b)
{
    const struct exact_node *x = &f->nodes[a], *y = &f->nodes[b];
    if (strcmp(f->policy, "fcfs") != 0)
        return is_less(x->ir_send, y->ir_send);
    const struct exact_request *p = &x->requests[0], *q = &y->requests[0];
    if (is_less(p->date_s, q->date_s) || is_less(q->date_s, p->date_s))
        return is_less(p->date_s, q->date_s);
    return p->number < q->number;
}

static bool exact_send(struct exact_farm *f, int n)
{
    int best = -1, n_sends = 0;
    for (int c = 1; c < f->n_nodes; c++) {
        const struct exact_node *x = &f->nodes[c];
        n_sends += x->parent == n && x->receives;
        if (x->parent == n && !x->receives && x->n_requests > 0 && (best < 0 || exact_goes_first(f, c, best)))
            best = c;
    }
    bool port = strcmp(f->policy, "ia_multi") == 0 || n_sends == 0;
    if (best < 0 || !port || !exact_take(f, n))
        return false;
    struct exact_node *x = &f->nodes[best];
    x->receives = true;
    x->MB_left = f->task_MB;
    x->n_requests--;
    memmove(x->requests, x->requests + 1, (size_t)x->n_requests * sizeof x->requests[0]);
    return true;
}

static void exact_decide(struct exact_farm *f)
{
    for (int n = 1; n < f->n_nodes; n++)
        exact_compute(f, n);
    exact_compute(f, 0);
    for (int n = 0; n < f->n_nodes; n++)
        while (exact_send(f, n))
            ;
}

static struct fraction exact_speed(const struct exact_farm *f, int n)
{
    struct fraction factor = {1, 1};
    const struct exact_node *x = &f->nodes[n];
    if (x->receives)
        factor = minus(factor, times(x->ir_recv, x->MB_per_s));
    for (int c = 1; c < f->n_nodes; c++)
        if (f->nodes[c].parent == n && f->nodes[c].receives)
            factor = minus(factor, times(f->nodes[c].ir_send, f->nodes[c].MB_per_s));
    return factor.n > 0 ? times(factor, x->flop_per_s) : (struct fraction){0, 1};
}

static void exact_earlier(struct fraction *next_s, struct fraction left, struct fraction rate)
{
    if (rate.n == 0)
        return;
    struct fraction s = over(left, rate);
    if (next_s->d == 0 || is_less(s, *next_s))
        *next_s = s;
}

/* To the next date at which something ends; false: nothing ever does. */
static bool exact_advance(struct exact_farm *f)
{
    struct fraction speeds[EXACT_NODES], next_s = {0, 0};
    int n_ended = 0;
    for (int n = 0; n < f->n_nodes; n++) {
        speeds[n] = exact_speed(f, n);
        if (f->nodes[n].computes)
            exact_earlier(&next_s, f->nodes[n].flop_left, speeds[n]);
        if (f->nodes[n].receives)
            exact_earlier(&next_s, f->nodes[n].MB_left, f->nodes[n].MB_per_s);
    }
    if (next_s.d == 0)
        return false;
    f->now_s = plus(f->now_s, next_s);
    for (int n = 0; n < f->n_nodes; n++) {
        struct exact_node *x = &f->nodes[n];
        if (x->computes)
            x->flop_left = minus(x->flop_left, times(speeds[n], next_s));
        if (x->receives)
            x->MB_left = minus(x->MB_left, times(x->MB_per_s, next_s));
        n_ended += (x->computes && x->flop_left.n == 0) + (x->receives && x->MB_left.n == 0);
    }
    f->n_coincidences += n_ended > 1 ? n_ended : 0;
    return true;
}

static void exact_take_ends(struct exact_farm *f)
{
    for (int n = 0; n < f->n_nodes; n++) {
        struct exact_node *x = &f->nodes[n];
        if (x->computes && x->flop_left.n == 0) {
            x->computes = false;
            x->n_computed++;
            f->completions_s[f->n_completed++] = f->now_s;
        }
        if (x->receives && x->MB_left.n == 0) {
            x->receives = false;
            x->n_held++;
            exact_ask(f, x->parent);
        }
    }
}

/* False: the fractions have grown too large. */
static bool exact_run(struct exact_farm *f)
{
    overflowed = false;
    f->now_s = (struct fraction){0, 1};
    f->n_left = f->n_tasks;
    for (int i = 0; i < f->n_buffers; i++)
        for (int n = 1; n < f->n_nodes; n++)
            exact_ask(f, n);
    do {
        exact_decide(f);
        if (!exact_advance(f) || overflowed)
            return false;
        exact_take_ends(f);
    } while (f->n_completed < f->n_tasks);
    return true;
}

/* ---- the same for the engine ---- */

static void write_case(const struct exact_farm *f, struct farm_case *c)
{
    char a[TEXT_NUMBER_SIZE], b[TEXT_NUMBER_SIZE];
    *c = (struct farm_case){.world = "interference"};
    snprintf(c->policy, sizeof c->policy, "%s", f->policy);
    c->app = (struct farm_app){f->n_tasks, value_of(f->task_MB) * 1e6, value_of(f->task_flop), f->n_buffers, 0, NULL};
    text_addf(&c->platform, "%s", CM02);
    text_addf(&c->deployment, "%s", PLATFORM_HEAD);
    for (int n = 0; n < f->n_nodes; n++) {
        const struct exact_node *x = &f->nodes[n];
        text_addf(&c->platform, "<host id=\"h%d\" speed=\"%sf\">", n, text_number(value_of(x->flop_per_s), a));
        if (n > 0)
            text_addf(&c->platform, "<prop id=\"ir_recv\" value=\"%s\"/>", text_number(value_of(x->ir_recv), a));
        for (int k = 1; k < f->n_nodes; k++)
            if (f->nodes[k].parent == n)
                text_addf(&c->platform, "<prop id=\"ir_send.h%d\" value=\"%s\"/>", k,
                          text_number(value_of(f->nodes[k].ir_send), b));
        text_addf(&c->platform, "</host>\n");
        text_addf(&c->deployment, "<actor host=\"h%d\" function=\"farm_node\">", n);
        if (n > 0)
            text_addf(&c->deployment, "<argument value=\"h%d\"/>", x->parent);
        text_addf(&c->deployment, "</actor>\n");
    }
    for (int n = 1; n < f->n_nodes; n++)
        text_addf(&c->platform, "<link id=\"l%d\" bandwidth=\"%sMBps\" latency=\"0s\"/>\n", n,
                  text_number(value_of(f->nodes[n].MB_per_s), a));
    for (int n = 1; n < f->n_nodes; n++)
        text_addf(&c->platform, "<route src=\"h%d\" dst=\"h%d\"><link_ctn id=\"l%d\"/></route>\n", f->nodes[n].parent,
                  n, n);
    text_addf(&c->platform, "%s", END_OF_PLATFORM);
    text_addf(&c->deployment, "</platform>\n");
}

static void compare_with_fractions(const struct exact_farm *f, int seed)
{
    struct farm_case c;
    write_case(f, &c);
    struct farm_outcome o = run_farm(&c);
    long n_wrong = 0;
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK_INT(o.result.n_completions, f->n_completed);
    for (long i = 0; i < o.result.n_completions && i < f->n_completed; i++)
        n_wrong += !(fabs(o.result.completions_s[i] / value_of(f->completions_s[i]) - 1) <= 1e-9);
    for (int n = 0; n < o.result.n_nodes; n++)
        n_wrong += o.result.nodes[n].farm.tasks_computed != f->nodes[n].n_computed;
    if (n_wrong > 0)
        fprintf(stderr, "seed %d: %s: makespan %.17g, expected %.17g\n", seed, f->policy, o.result.makespan_s,
                value_of(f->completions_s[f->n_completed - 1]));
    CHECK_INT(n_wrong, 0);
    farm_run_result_clear(&o.result);
    clear_case(&c);
}

/* ---- by hand ---- */

static void what_ends_together_with_a_transfer_ends_before_the_next(void)
{
    /* The root sends all the time, at 1 MB/s and 1/8 of its processor: tasks of 4 / (4 * 7/8) = 8/7 s, transfers of 2
       s, tasks of 2 s at the leaf. At 72 s the 63rd task and the 36th transfer end, and the root takes the 100th
       task. The leaf computes its last until 74 s. If the send came first, the leaf would have it at 74 s and end at
       76 s. */
    struct exact_farm f = {.n_nodes = 2, .n_buffers = 1, .policy = "ia_single", .n_tasks = 100};
    f.task_MB = (struct fraction){2, 1};
    f.task_flop = (struct fraction){4, 1};
    f.nodes[0] = (struct exact_node){.parent = -1, .flop_per_s = {4, 1}};
    f.nodes[1] = (struct exact_node){
        .parent = 0, .flop_per_s = {2, 1}, .MB_per_s = {1, 1}, .ir_send = {1, 8}, .ir_recv = {0, 1}};
    CHECK(exact_run(&f));
    CHECK(f.now_s.n == 74 && f.now_s.d == 1);
    compare_with_fractions(&f, -1);
}

/* ---- random ---- */

static struct fraction one_of(struct random_stream *r, const struct fraction *list, int n)
{
    return list[random_below(r, (uint64_t)n)];
}

static struct exact_farm random_exact_farm(struct random_stream *r)
{
    static const struct fraction rates[] = {{1, 2}, {1, 1}, {2, 1}, {4, 1}};
    static const struct fraction irs[] = {{0, 1}, {1, 16}, {1, 8}, {1, 4}, {1, 10}, {1, 20}};
    static const char *const names[] = {"ia_single", "fcfs", "ia_multi"};
    struct exact_farm f = {.n_nodes = 2 + (int)random_below(r, EXACT_NODES - 1)};
    f.policy = names[random_below(r, 3)];
    f.n_buffers = 1 + (int)random_below(r, EXACT_BUFFERS - 1);
    f.n_tasks = 20 + (long)random_below(r, EXACT_TASKS - 20);
    f.task_MB = (struct fraction){1 << random_below(r, 3), 1};
    f.task_flop = (struct fraction){1 + (long long)random_below(r, 6), 1};
    for (int n = 0; n < f.n_nodes; n++)
        f.nodes[n] = (struct exact_node){.parent = n == 0 ? -1 : (int)random_below(r, (uint64_t)n),
                                         .flop_per_s = {1 + (long long)random_below(r, 6), 1},
                                         .MB_per_s = one_of(r, rates, 4),
                                         .ir_send = one_of(r, irs, 6),
                                         .ir_recv = one_of(r, irs, 6)};
    return f;
}

static void farms_go_as_fractions_say(void)
{
    struct random_stream r;
    int n_compared = 0, n_coincidences = 0;
    random_init(&r, 40, 1 + random_first());
    FOR_RANDOM_CASES (seed, 100) {
        struct exact_farm f = random_exact_farm(&r);
        if (!exact_run(&f))
            continue;
        compare_with_fractions(&f, (int)seed);
        n_compared++;
        n_coincidences += f.n_coincidences;
    }
    printf("(%d farms, %d coincidences) ", n_compared, n_coincidences);
    CHECK(n_compared >= random_cases(20) && n_coincidences >= random_cases(300));
}

static const struct test tests[] = {
    {"what_ends_together_with_a_transfer_ends_before_the_next",
     what_ends_together_with_a_transfer_ends_before_the_next},
    {"farms_go_as_fractions_say", farms_go_as_fractions_say},
};
TEST_MAIN(tests)
