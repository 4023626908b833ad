/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A plugin that does everything a plugin should not: a scheduler whose parameter selects the fault, and policies. */
#include <iasim/plugin.h>

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAULTS                                                                                                         \
    "none|crash|recurse|abort|chatter|loop|exit|vanish|silent|kill|twice|child|daemon|scribble|refuse|mute|code|"      \
    "nowhere|far|nan|infinite|overlap|early|quick|"                                                                    \
    "no_spans|lost_edge|deaf|state|float"

static const struct param params[] = {
    {"fault", PARAM_CHOICE, "", "none", 0, 0, FAULTS, "what to do wrong"},
    {0},
};

/* ---- ends of the process ---- */

static volatile int forever = 1;

static int endless(volatile int *depth)
{
    volatile char room[4096];
    room[0] = (char)++*depth;
    return *depth < 0 ? 0 : endless(depth) + room[0];
}

static void crash(void)
{
    volatile int *volatile nothing = (volatile int *)8; /* NOLINT */
    *nothing = 1;
}

static void end_process(const char *fault)
{
    volatile int depth = 0;
    if (strcmp(fault, "crash") == 0)
        crash();
    if (strcmp(fault, "recurse") == 0)
        endless(&depth);
    if (strcmp(fault, "abort") == 0)
        abort();
    if (strcmp(fault, "chatter") == 0) {
        fprintf(stderr, "first words\nsecond words");
        raise(SIGFPE);
    }
    while (strcmp(fault, "loop") == 0 && forever)
        continue;
    if (strcmp(fault, "exit") == 0)
        exit(0);
    if (strcmp(fault, "vanish") == 0)
        _exit(0);
}

/* ---- other processes, other files ---- */

static void sleep_long(void)
{
    sleep(1000);
    _exit(0);
}

static void leave_processes(const char *fault)
{
    if (strcmp(fault, "twice") == 0)
        (void)fork(); /* both go on */
    if (strcmp(fault, "child") == 0 && fork() == 0)
        sleep_long();
    if (strcmp(fault, "daemon") == 0) {
        pid_t between = fork();
        if (between == 0) {
            setsid();
            if (fork() == 0)
                sleep_long();
            _exit(0);
        }
        waitpid(between, NULL, 0);
    }
}

static void use_files(const char *fault)
{
    if (strcmp(fault, "silent") == 0) {
        close(1);
        close(2);
        crash();
    }
    if (strcmp(fault, "kill") == 0)
        raise(SIGKILL);
    for (int fd = 3; strcmp(fault, "scribble") == 0 && fd < 1000; fd++)
        if (write(fd, "scribble", 8) > 0)
            abort();
}

/* ---- a schedule, then one thing wrong with it ---- */

static void place_all(const struct problem *p, struct schedule *out)
{
    struct draft *d = draft_create(out, TECHNIQUE_END);
    host_id n_hosts = (host_id)p->machine->n_hosts;
    for (int k = 0; k < p->dag->n_tasks; k++)
        draft_place(d, p->dag->order[k], (host_id)k % n_hosts);
    draft_free(d);
}

static void move_task(struct schedule *s, task_id t, double by_s)
{
    s->tasks[t].span.start_s += by_s;
    s->tasks[t].span.finish_s += by_s;
}

static edge_id first_edge(const struct schedule *s, bool is_remote)
{
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++)
        if (s->edges[e].is_remote == is_remote)
            return e;
    return 0;
}

static void spoil_times(struct schedule *s, const char *fault)
{
    const struct dag *g = s->problem.dag;
    task_id last = g->order[g->n_tasks - 1];
    if (strcmp(fault, "nan") == 0)
        s->tasks[last].span.finish_s = NAN;
    if (strcmp(fault, "infinite") == 0)
        s->edges[first_edge(s, true)].send.start_s = INFINITY;
    if (strcmp(fault, "early") == 0)
        move_task(s, last, -s->tasks[last].span.start_s);
    if (strcmp(fault, "quick") == 0)
        s->tasks[last].span.finish_s = s->tasks[last].span.start_s;
    for (task_id t = 0; strcmp(fault, "overlap") == 0 && t < g->n_tasks; t++)
        move_task(s, t, -s->tasks[t].span.start_s);
}

static void spoil_places(struct schedule *s, const char *fault)
{
    if (strcmp(fault, "nowhere") == 0)
        s->tasks[1].host = -1;
    if (strcmp(fault, "far") == 0)
        s->tasks[1].host = 1000;
    if (strcmp(fault, "no_spans") == 0)
        s->edges[first_edge(s, true)].first_link = 1000000;
    if (strcmp(fault, "lost_edge") == 0)
        s->edges[first_edge(s, true)].is_remote = false;
}

static enum err_code plan(const struct problem *p, const struct param_set *ps, const struct scheduler_inputs *in,
                          struct schedule *out, struct err *e)
{
    static int n_calls;
    const char *fault = param_text(ps, "fault");
    if (in->allocation != NULL && strcmp(fault, "deaf") != 0)
        return err_set(e, ERR_INPUT, "no allocation, please");
    end_process(fault);
    leave_processes(fault);
    use_files(fault);
    if (strcmp(fault, "refuse") == 0)
        return err_set(e, ERR_INPUT, "graphs with %d tasks are not for me", p->dag->n_tasks);
    if (strcmp(fault, "mute") == 0)
        return ERR_INPUT;
    if (strcmp(fault, "code") == 0)
        return (enum err_code)99;
    place_all(p, out);
    spoil_times(out, fault);
    spoil_places(out, fault);
    if (strcmp(fault, "state") == 0 && n_calls++ > 0)
        return err_set(e, ERR_INPUT, "this is call number %d in one process", n_calls);
    if (strcmp(fault, "float") == 0) { /* for whoever comes next in this process */
        fesetround(FE_UPWARD);
        setlocale(LC_ALL, "");
    }
    return ERR_NONE;
}

static const struct scheduler misbehaving = {
    .name = "misbehaving",
    .summary = "does something wrong",
    .params = params,
    .plan = plan,
};

/* ---- policies ---- */

static double nan_priority(const struct policy_view *view, node_id child)
{
    return child == view->tree->nodes[view->tree->root].children[0] ? NAN : 1;
}

static double infinite_priority(const struct policy_view *view, node_id child)
{
    (void)view;
    return child % 2 != 0 ? INFINITY : 1;
}

static double crashing_priority(const struct policy_view *view, node_id child)
{
    (void)view;
    crash();
    return child;
}

static double looping_priority(const struct policy_view *view, node_id child)
{
    (void)view;
    while (forever)
        continue;
    return child;
}

static double fine_priority(const struct policy_view *view, node_id child)
{
    return -view->tree->nodes[child].ir_send_s_per_byte; /* that of ia_single */
}

/* A node that is not its child, or a child that has not asked. */
static struct policy_send stray(const struct policy_view *view, const struct policy_state *state)
{
    bool is_late = state->node == view->tree->root && state->now_s > 0;
    return (struct policy_send){is_late ? view->tree->root : state->children[0].node, INFINITY, 0};
}

static struct policy_send crashing_choice(const struct policy_view *view, const struct policy_state *state)
{
    (void)view;
    crash();
    return (struct policy_send){state->node, INFINITY, 0};
}

/* That of bwc. */
static struct policy_send fine_choice(const struct policy_view *view, const struct policy_state *state)
{
    node_id first = -1;
    for (int i = 0; i < state->n_children; i++) {
        node_id c = state->children[i].node;
        double rate = view->tree->nodes[c].max_transfer_bytes_per_s;
        if (state->children[i].can_be_served && (first < 0 || rate > view->tree->nodes[first].max_transfer_bytes_per_s))
            first = c;
    }
    return (struct policy_send){first, INFINITY, 0};
}

/* The same, but its fields are left out, so the limit is 0. */
static struct policy_send limitless_choice(const struct policy_view *view, const struct policy_state *state)
{
    return (struct policy_send){.child = fine_choice(view, state).child};
}

/* The same, but with a limit or a piece that must not be. */
#define ODD_CHOICE(word, limit, piece)                                                                                 \
    static struct policy_send word##_choice(const struct policy_view *view, const struct policy_state *state)          \
    {                                                                                                                  \
        return (struct policy_send){fine_choice(view, state).child, limit, piece};                                     \
    }
ODD_CHOICE(nan_limit, NAN, 0)
ODD_CHOICE(negative_limit, -1, 0)
ODD_CHOICE(half_piece, INFINITY, 0.5)
ODD_CHOICE(fraction_piece, INFINITY, 1000.5)
ODD_CHOICE(negative_piece, INFINITY, -1)
ODD_CHOICE(nan_piece, INFINITY, NAN)
ODD_CHOICE(infinite_piece, INFINITY, INFINITY)
ODD_CHOICE(whole_piece, INFINITY, 300000)

/* No child, and not the one number that means none. */
static struct policy_send nobody_choice(const struct policy_view *view, const struct policy_state *state)
{
    (void)view;
    (void)state;
    return (struct policy_send){-2, INFINITY, 0};
}

#define CHOOSER(word, function)                                                                                        \
    {                                                                                                                  \
        .name = #word "_chooser", .summary = "wrong", .sends = true, .choose = function                                \
    }

#define POLICY(word)                                                                                                   \
    {                                                                                                                  \
        .name = #word "_policy", .summary = "wrong", .sends = true, .priority = word##_priority                        \
    }
static const struct policy policies_of_mine[] = {
    POLICY(nan),
    POLICY(infinite),
    POLICY(crashing),
    POLICY(looping),
    POLICY(fine),
    CHOOSER(stray, stray),
    CHOOSER(crashing, crashing_choice),
    CHOOSER(fine, fine_choice),
    CHOOSER(limitless, limitless_choice),
    CHOOSER(nan_limit, nan_limit_choice),
    CHOOSER(negative_limit, negative_limit_choice),
    CHOOSER(half_piece, half_piece_choice),
    CHOOSER(fraction_piece, fraction_piece_choice),
    CHOOSER(negative_piece, negative_piece_choice),
    CHOOSER(nan_piece, nan_piece_choice),
    CHOOSER(infinite_piece, infinite_piece_choice),
    CHOOSER(whole_piece, whole_piece_choice),
    CHOOSER(nobody, nobody_choice),
};

IASIM_PLUGIN(.schedulers = {&misbehaving},
             .policies = {&policies_of_mine[0], &policies_of_mine[1], &policies_of_mine[2], &policies_of_mine[3],
                          &policies_of_mine[4], &policies_of_mine[5], &policies_of_mine[6], &policies_of_mine[7],
                          &policies_of_mine[8], &policies_of_mine[9], &policies_of_mine[10], &policies_of_mine[11],
                          &policies_of_mine[12], &policies_of_mine[13], &policies_of_mine[14], &policies_of_mine[15],
                          &policies_of_mine[16], &policies_of_mine[17]})
