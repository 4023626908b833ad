/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A farm given as text, run by the engine in a child; and random ones, for naive_farm.h and for the engine alike. With
   FARM_CASE_BY_ACTORS defined it is run by SimGrid's actors instead: test/actors compiles the same tests once more. */
#ifndef IASIM_TEST_ENGINE_FARM_CASE_H
#define IASIM_TEST_ENGINE_FARM_CASE_H

#include "fork_engine.h"

#include "actors/actors.h"
#include "actors/farm_actors.h"
#include "base/gamma.h"
#include "base/random.h"
#include "engine/farm_run.h"
#include "farm/bound.h"
#include "fluid_properties.h"
#include "naive_farm.h"

#ifdef FARM_CASE_BY_ACTORS
enum { BY_ACTORS = true };
#else
enum { BY_ACTORS = false };
#endif

/* ---- a farm as text ---- */

struct farm_case {
    struct text platform, deployment;
    char policy[64];
    const char *world;
    struct farm_app app;
    bool wants_bounds;
    bool is_by_actors;
    const struct noise *noise; /* NULL: none */
    /* Called in the child after the run, which the events engine has recorded; what it leaves in `found` comes back.
       NULL: nothing. */
    enum err_code (*after)(const struct tree *t, const struct machine *m, const struct farm_run_options *options,
                           const struct farm_run_result *result, void *found, struct err *e);
};

enum { MAX_SENDS = 64, FOUND_SIZE = 4096 };

struct farm_outcome {
    enum ending ending;
    enum err_code code;
    struct err e;
    struct farm_run_result result; /* with nodes and completions of its own; clear it */
    node_id sends[MAX_SENDS];      /* the first: to whom */
    double send_dates_s[MAX_SENDS];
    int n_sends;
    double bounds_tasks_per_s[2][N_BOUND_METHODS]; /* by ports and method, if the case asks for them */
    double planned_tasks_per_s[NAIVE_NODES];       /* by node, of a policy that plans */
    double ir_recv_s_per_byte[NAIVE_NODES], ir_floor_ratio[NAIVE_NODES]; /* beliefs */
    _Alignas(double) char found[FOUND_SIZE];                             /* by its `after` */
};

static inline void note_send(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    struct farm_outcome *o = self;
    (void)node;
    (void)task;
    if ((event != FARM_SEND_START && event != FARM_SEND_RESUME) || o->n_sends == MAX_SENDS)
        return;
    o->send_dates_s[o->n_sends] = now_s;
    o->sends[o->n_sends++] = other;
}

static inline enum err_code compute_bounds(const struct farm_case *c, const struct tree *t, struct farm_outcome *o)
{
    enum err_code code = ERR_NONE;
    for (enum bound_ports ports = BOUND_MULTI; ports <= BOUND_SINGLE; ports++)
        for (enum bound_method m = BOUND_GREEDY; code == ERR_NONE && m < N_BOUND_METHODS; m++) {
            struct bound b = {0};
            code = bound_compute_of(t, &c->app, ports, m, &b, &o->e);
            o->bounds_tasks_per_s[ports][m] = b.throughput_tasks_per_s;
            bound_clear(&b);
        }
    return code;
}

static inline enum err_code note_plan(const struct farm_case *c, const struct tree *t,
                                      const struct policy_choice *policy, struct farm_outcome *o)
{
    struct bound b = {0};
    for (int n = 0; n < t->n_nodes && n < NAIVE_NODES; n++) {
        o->ir_recv_s_per_byte[n] = t->nodes[n].ir_recv_s_per_byte;
        o->ir_floor_ratio[n] = t->nodes[n].ir_floor_ratio;
    }
    if (!policy->policy->plans)
        return ERR_NONE;
    bool is_exact = strstr(c->policy, "shares=exact") != NULL;
    enum bound_ports ports = is_exact || strstr(c->policy, "ports=multi") != NULL ? BOUND_MULTI : BOUND_SINGLE;
    enum err_code code = is_exact ? bound_compute_of(t, &c->app, BOUND_MULTI, BOUND_GREEDY, &b, &o->e)
                                  : bound_plan(t, &c->app, ports, &b, &o->e);
    for (int n = 0; code == ERR_NONE && n < t->n_nodes && n < NAIVE_NODES; n++)
        o->planned_tasks_per_s[n] = b.nodes[n].total_tasks_per_s;
    bound_clear(&b);
    return code;
}

static inline enum err_code run_farm_case(const struct farm_case *c, const char *path, struct farm_outcome *o)
{
    struct engine *engine;
    struct tree tree;
    struct policy_choice policy;
    struct farm_run_options options = {.app = c->app,
                                       .policy = &policy,
                                       .noise = c->noise,
                                       .trace = note_send,
                                       .trace_self = o,
                                       .splits_stolen = c->after != NULL};
    enum farm_engine kind = c->is_by_actors || BY_ACTORS ? FARM_ACTORS : FARM_EVENTS;
    struct farm_record record = {0};
    options.record = c->after != NULL && kind == FARM_EVENTS ? &record : NULL;
    enum err_code code = kind == FARM_ACTORS ? actors_prepare(&o->e) : ERR_NONE;
    if (code == ERR_NONE)
        code = engine_open(path, &engine, &o->e);
    if (code == ERR_NONE)
        code = deployment_parse(text_str(&c->deployment), c->deployment.size, "deployment", &tree, &o->e);
    if (code == ERR_NONE)
        code = tree_bind(&tree, engine_machine(engine), &o->e);
    if (code == ERR_NONE && c->wants_bounds)
        code = compute_bounds(c, &tree, o);
    if (code == ERR_NONE)
        code = policy_choose(c->policy, &policy, &o->e);
    if (code == ERR_NONE)
        code = note_plan(c, &tree, &policy, o);
    if (code == ERR_NONE)
        code = world_find(c->world, &options.world, &o->e);
    if (code != ERR_NONE)
        return code;
    const struct farm_deployment deployment = {.text = text_str(&c->deployment), .size = c->deployment.size};
    code = kind == FARM_EVENTS
               ? farm_run(engine, &tree, &options, &o->result, &o->e)
               : farm_actors_run(engine, &tree, &deployment, farm_actor_find("farm_node"), &options, &o->result, &o->e);
    if (code == ERR_NONE && c->after != NULL)
        code = c->after(&tree, engine_machine(engine), &options, &o->result, o->found, &o->e);
    farm_record_clear(&record);
    return code;
}

struct farm_child {
    const struct farm_case *c;
    const char *path;
};

static inline void tell_farm(void *self, int fd)
{
    const struct farm_child *child = self;
    static struct farm_outcome o;
    o.code = run_farm_case(child->c, child->path, &o);
    tell(fd, &o, sizeof o);
    if (o.code == ERR_NONE) {
        tell(fd, o.result.nodes, (size_t)o.result.n_nodes * sizeof *o.result.nodes);
        tell(fd, o.result.completions_s, (size_t)o.result.n_completions * sizeof(double));
        if (o.result.ends_s != NULL)
            tell(fd, o.result.ends_s, (size_t)o.result.n_completions * sizeof(double));
    }
}

static inline struct farm_outcome run_farm(const struct farm_case *c)
{
    struct text said = {0};
    struct farm_outcome o = {0};
    char *path = file_with("platform.xml", text_str(&c->platform));
    struct farm_child child = {c, path};
    enum ending ending = in_child(tell_farm, &child, 60, &said);
    if (said.size >= sizeof o)
        memcpy(&o, said.data, sizeof o);
    o.ending = ending;
    if (ending == ENDED_WELL && o.code == ERR_NONE) {
        size_t n_bytes = (size_t)o.result.n_nodes * sizeof *o.result.nodes;
        size_t n_dates = (size_t)o.result.n_completions * sizeof(double);
        const char *dates = said.data + sizeof o + n_bytes;
        o.result.nodes = mem_alloc(n_bytes);
        memcpy(o.result.nodes, said.data + sizeof o, n_bytes);
        o.result.completions_s = mem_alloc(n_dates);
        memcpy(o.result.completions_s, dates, n_dates);
        if (o.result.ends_s != NULL)
            o.result.ends_s = memcpy(mem_alloc(n_dates), dates + n_dates, n_dates);
    } else {
        o.result = (struct farm_run_result){0};
    }
    free(path);
    text_clear(&said);
    return o;
}

/* What its policy is shown: the same beliefs. The plan comes from the outcome. */
static inline void give_tree(struct naive_farm *f, const struct farm_outcome *o, struct tree *t)
{
    *t = (struct tree){.nodes = calloc((size_t)f->n_nodes, sizeof *t->nodes), .n_nodes = f->n_nodes};
    for (int n = 0; n < f->n_nodes; n++) {
        const struct naive_node *node = &f->nodes[n];
        struct tree_node *out = &t->nodes[n];
        *out = (struct tree_node){.parent = node->parent,
                                  .children = calloc((size_t)f->n_nodes, sizeof(node_id)),
                                  .compute_rate_flop_per_s = node->compute_rate,
                                  .max_transfer_bytes_per_s = node->parent < 0 ? NAN : node->max_transfer,
                                  .ir_send_s_per_byte = node->parent < 0 ? NAN : node->ir_send,
                                  .ir_recv_s_per_byte = o->ir_recv_s_per_byte[n],
                                  .ir_floor_ratio = o->ir_floor_ratio[n],
                                  .send_limit_bytes_per_s = node->send_limit};
        for (int c = 0; c < f->n_nodes; c++)
            if (f->nodes[c].parent == n)
                out->children[out->n_children++] = c;
        if (node->parent < 0)
            t->root = n;
    }
    f->view = (struct policy_view){.tree = t,
                                   .task_bytes = f->task_bytes,
                                   .task_flop = f->task_flop,
                                   .planned_tasks_per_s = o->planned_tasks_per_s,
                                   .is_multi_port = f->is_multi};
}

/* Runs it in the naive farm, too. */
static inline void run_naive(struct naive_farm *f, const struct farm_outcome *o)
{
    struct policy_choice choice;
    struct tree t;
    CHECK_INT(policy_choose(f->has_exact_shares ? "ia_multi[shares=exact]" : f->policy, &choice, NULL), ERR_NONE);
    f->chooser = choice.policy->choose != NULL ? choice.policy : NULL;
    give_tree(f, o, &t);
    naive_run(f);
    tree_clear(&t);
    policy_choice_clear(&choice);
}

static inline bool farm_has_ended_well(const struct farm_outcome *o, int line)
{
    if (o->ending != ENDED_WELL || o->code != ERR_NONE)
        fprintf(stderr, "%s:%d: ending %d: %s\n", __FILE__, line, o->ending, o->e.text);
    return o->ending == ENDED_WELL && o->code == ERR_NONE;
}

static inline void clear_case(struct farm_case *c)
{
    text_clear(&c->platform);
    text_clear(&c->deployment);
}

/* ---- a policy of the tests: shares of all sizes ---- */

static inline struct policy_send choose_share(const struct policy_view *view, const struct policy_state *state)
{
    static const double shares[] = {0.2, 0.55, 0.9, INFINITY};
    const struct policy_child *first = NULL;
    for (int i = 0; i < state->n_children; i++) {
        const struct policy_child *c = &state->children[i];
        if (c->can_be_served && (first == NULL || c->given_tasks < first->given_tasks))
            first = c;
    }
    double share = shares[((long)first->given_tasks + first->node) % 4];
    double piece_bytes = first->node % 2 == 0 ? rint(0.3 * view->task_bytes) : 0;
    return (struct policy_send){first->node, share * view->tree->nodes[first->node].max_transfer_bytes_per_s,
                                piece_bytes};
}

__attribute__((constructor)) static void register_sharing(void)
{
    static const struct policy sharing = {
        .name = "sharing", .summary = "of the tests", .sends = true, .multi_port = true, .choose = choose_share};
    policy_register(&sharing, NULL);
}

static inline uint64_t count_policies(void)
{
    uint64_t n = 0;
    while (policies[n] != NULL)
        n++;
    return n;
}

/* ---- random farms ---- */

struct farms {
    struct random_stream random;
    struct naive_farm naive;
    struct farm_case c;
    bool has_up_link, has_latency;
    bool asks;                          /* requests always take time, and some links carry each direction by itself */
    bool is_split[NAIVE_NODES + 1];     /* by link */
    double *arrivals_s;                 /* NULL: all tasks are there at 0 */
    double believed_MB[NAIVE_NODES][4]; /* max_transfer, ir_send, compute, send_limit; NAN: not given */
};

static inline bool maybe(struct farms *r, double probability)
{
    return random_unit(&r->random) < probability;
}

static inline int below(struct farms *r, int n)
{
    return (int)random_below(&r->random, (uint64_t)n);
}

static inline double between(struct farms *r, double low, double high)
{
    return random_between(&r->random, low, high);
}

/* Nodes come in any order in the deployment; `shape` 0: a fork, 1: two levels, 2: any tree. */
static inline void make_tree(struct farms *r, int shape)
{
    struct naive_farm *f = &r->naive;
    int order[NAIVE_NODES];
    f->n_nodes = 2 + below(r, 9);
    for (int i = 0; i < f->n_nodes; i++) {
        int j = below(r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    int n_inner = shape == 0 ? 1 : shape == 1 ? 1 + below(r, 3) : f->n_nodes;
    for (int i = 0; i < f->n_nodes; i++) {
        int last = i < n_inner ? i : n_inner;
        int parent = shape == 1 && i < n_inner ? 0 : below(r, last > 0 ? last : 1);
        f->nodes[order[i]].parent = i == 0 ? -1 : order[parent];
    }
}

/* Every peer has rates of its own; what holds for both directions at once is given with the probability. */
static inline void make_rates(struct farms *r, struct fluid_host *host, double most, double duplex_probability)
{
    struct fluid_forms *const rates[] = {&host->ir_send, &host->ir_recv};
    for (int i = 0; i < 2; i++) {
        fluid_draw_forms(rates[i], &r->random, r->naive.n_nodes, duplex_probability, 0, most);
        for (int peer = 0; peer < r->naive.n_nodes; peer++)
            rates[i]->of[peer] = between(r, 0, most);
    }
}

/* The other direction of link l is link n + l of the fluid; some latencies become 0. */
static inline void split_links(struct farms *r)
{
    struct fluid *p = &r->naive.fluid;
    int n = p->n_links;
    for (int l = 0; l < n; l++) {
        r->is_split[l] = maybe(r, 0.5);
        if (maybe(r, 0.3))
            p->link_latency_s[l] = 0;
        p->link_bytes_per_s[n + l] = p->link_bytes_per_s[l];
        p->link_latency_s[n + l] = p->link_latency_s[l];
    }
    p->n_links = 2 * n;
}

static inline void make_physics(struct farms *r)
{
    struct naive_farm *f = &r->naive;
    struct fluid *p = &f->fluid;
    p->n_hosts = f->n_nodes;
    p->n_links = f->n_nodes + 1; /* link i: from i's parent to i; the last: the root's up-link */
    r->has_up_link = maybe(r, 0.5);
    r->has_latency = maybe(r, 0.4);
    for (int l = 0; l < p->n_links; l++) {
        p->link_bytes_per_s[l] = between(r, 2e6, 2e7);
        p->link_latency_s[l] = r->has_latency ? between(r, 1e-3, 0.1) : 0;
    }
    if (r->asks)
        split_links(r);
    for (int h = 0; h < p->n_hosts; h++) {
        struct fluid_host *host = &p->hosts[h];
        *host = fluid_host_of(between(r, 1, 10), 1);
        host->floor = maybe(r, 0.2) ? between(r, 0, 0.4) : 0;
        make_rates(r, host, 0.08e-6, 0.3);
        fluid_draw_starts(host, &r->random, p->n_hosts);
        fluid_draw_curves(host, &r->random, p->n_hosts);
    }
}

static inline void make_paths(struct farms *r)
{
    struct naive_farm *f = &r->naive;
    for (int n = 0; n < f->n_nodes; n++) {
        struct naive_node *node = &f->nodes[n];
        node->n_path = 0;
        if (node->parent >= 0 && r->has_up_link && f->nodes[node->parent].parent < 0)
            node->path[node->n_path++] = f->n_nodes;
        node->path[node->n_path++] = n;
        for (int i = 0; i < node->n_path; i++)
            node->up_path[i] = node->path[i] + (r->is_split[node->path[i]] ? f->n_nodes + 1 : 0);
    }
}

static inline void make_beliefs(struct farms *r)
{
    struct naive_farm *f = &r->naive;
    for (int n = 0; n < f->n_nodes; n++) {
        struct naive_node *node = &f->nodes[n];
        double *MB = r->believed_MB[n];
        for (int i = 0; i < 4; i++)
            MB[i] = NAN;
        node->compute_rate = f->fluid.hosts[n].flop_per_s;
        node->send_limit = INFINITY;
        if (maybe(r, 0.3))
            node->compute_rate = MB[2] = between(r, 1, 10);
        if (maybe(r, 0.5))
            node->send_limit = (MB[3] = between(r, 0.5, 30)) * 1e6;
        if (node->parent < 0)
            continue;
        node->max_transfer = INFINITY;
        for (int i = 0; i < node->n_path; i++)
            node->max_transfer = fmin(node->max_transfer, f->fluid.link_bytes_per_s[node->path[i]]);
        node->ir_send = f->fluid.hosts[node->parent].ir_send.of[n];
        if (maybe(r, 0.3))
            node->max_transfer = (MB[0] = between(r, 1, 20)) * 1e6;
        if (maybe(r, 0.3))
            node->ir_send = (MB[1] = between(r, 0, 0.08)) / 1e6;
    }
}

static inline void make_application(struct farms *r, const char *policy)
{
    struct naive_farm *f = &r->naive;
    f->policy = policy;
    f->n_tasks = 1 + below(r, 150);
    f->n_buffers = 1 + below(r, 4);
    f->task_bytes = floor(between(r, 1e5, 1.2e7));
    f->task_flop = between(r, 0.5, 20);
    f->request_bytes = maybe(r, 0.3) ? floor(between(r, 1, 2e5)) : 0;
    if (r->asks)
        f->request_bytes = floor(between(r, 1, maybe(r, 0.5) ? 1e5 : 5e6));
    f->chunk_bytes = maybe(r, 0.4) ? floor(between(r, 1e5, 5e6)) : INFINITY;
    f->prunes = strcmp(policy, "opt_single") == 0;
    struct text spec = {0};
    text_addf(&spec, "%s", policy);
    if (strcmp(policy, "root_computes") != 0) {
        char number[TEXT_NUMBER_SIZE];
        bool says_prune = maybe(r, 0.5);
        if (says_prune)
            f->prunes = maybe(r, 0.5);
        bool has_ports = policy_find(policy)->choose != NULL;
        f->is_multi = has_ports ? maybe(r, 0.5) : strcmp(policy, "ia_multi") == 0;
        f->has_exact_shares = strcmp(policy, "ia_multi") == 0 && maybe(r, 0.5);
        text_addf(&spec, "[%schunk=%s%s]",
                  f->has_exact_shares ? "shares=exact,"
                  : !has_ports        ? ""
                  : f->is_multi       ? "ports=multi,"
                                      : "ports=single,",
                  isinf(f->chunk_bytes) ? "0" : text_number(f->chunk_bytes / 1e6, number),
                  !says_prune ? ""
                  : f->prunes ? ",prune=on"
                              : ",prune=off");
    }
    snprintf(r->c.policy, sizeof r->c.policy, "%s", text_str(&spec));
    text_clear(&spec);
    r->c.app = (struct farm_app){f->n_tasks, f->task_bytes, f->task_flop, f->n_buffers, f->request_bytes, NULL};
}

static const char *number(double value)
{
    static char out[8][TEXT_NUMBER_SIZE];
    static int next;
    next = (next + 1) % 8;
    return text_number(value, out[next]);
}

static inline void write_host(struct farms *r, int h)
{
    const struct fluid_host *host = &r->naive.fluid.hosts[h];
    struct text *out = &r->c.platform;
    text_addf(out, "<host id=\"h%d\" speed=\"%sf\"><prop id=\"ir_floor\" value=\"%s\"/>", h, number(host->flop_per_s),
              number(host->floor));
    fluid_write_interference(out, host, r->naive.n_nodes);
    text_addf(out, "</host>\n");
}

static inline void write_platform(struct farms *r)
{
    struct text *out = &r->c.platform;
    const struct naive_farm *f = &r->naive;
    text_addf(out, "%s", CM02);
    for (int h = 0; h < f->n_nodes; h++)
        write_host(r, h);
    for (int l = 0; l <= f->n_nodes; l++)
        text_addf(out, "<link id=\"l%d\" bandwidth=\"%sBps\" latency=\"%ss\"%s/>\n", l,
                  number(f->fluid.link_bytes_per_s[l]), number(f->fluid.link_latency_s[l]),
                  r->is_split[l] ? " sharing_policy=\"SPLITDUPLEX\"" : "");
    for (int n = 0; n < f->n_nodes; n++) {
        const struct naive_node *node = &f->nodes[n];
        if (node->parent < 0)
            continue;
        for (int is_up = 0; is_up < 2; is_up++) {
            text_addf(out, "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\">", is_up ? n : node->parent,
                      is_up ? node->parent : n);
            for (int i = 0; i < node->n_path; i++)
                text_addf(out, "<link_ctn id=\"l%d\"%s/>", node->path[i],
                          !r->is_split[node->path[i]] ? ""
                          : is_up                     ? " direction=\"UP\""
                                                      : " direction=\"DOWN\"");
            text_addf(out, "</route>\n");
        }
    }
    text_addf(out, "%s", END_OF_PLATFORM);
}

static inline void write_deployment(struct farms *r)
{
    static const char *const ids[] = {"max_transfer_rate", "ir_send", "compute_rate", "send_limit"};
    struct text *out = &r->c.deployment;
    text_addf(out, "%s", PLATFORM_HEAD);
    for (int n = 0; n < r->naive.n_nodes; n++) {
        text_addf(out, "<actor host=\"h%d\" function=\"farm_node\">", n);
        if (r->naive.nodes[n].parent >= 0)
            text_addf(out, "<argument value=\"h%d\"/>", r->naive.nodes[n].parent);
        for (int i = 0; i < 4; i++)
            if (!isnan(r->believed_MB[n][i]))
                text_addf(out, "<prop id=\"%s\" value=\"%s\"/>", ids[i], number(r->believed_MB[n][i]));
        text_addf(out, "</actor>\n");
    }
    text_addf(out, "</platform>\n");
}

static inline void begin_how(struct farms *r, uint64_t seed, const char *policy, bool asks)
{
    *r = (struct farms){.c.world = "interference", .asks = asks};
    random_init(&r->random, 30, seed);
    make_tree(r, (int)(seed % 3));
    make_physics(r);
    make_paths(r);
    make_beliefs(r);
    make_application(r, policy);
    write_platform(r);
    write_deployment(r);
}

static inline void begin(struct farms *r, uint64_t seed, const char *policy)
{
    begin_how(r, seed, policy, false);
}

/* Tasks arrive, at a rate below or above what the farm can do: its links let about 10 MB/s through. Draws of their own:
   the farm is that of its number. */
static inline void let_tasks_arrive(struct farms *r, uint64_t seed)
{
    struct random_stream own;
    struct naive_farm *f = &r->naive;
    random_init(&own, 33, seed);
    double gap_s = random_between(&own, 0.1, 1) * fmin(f->task_flop / 5, f->task_bytes / 1e7), now_s = 0;
    bool in_groups = random_unit(&own) < 0.3;
    double *dates_s = mem_zalloc((size_t)f->n_tasks, sizeof *dates_s);
    for (long i = 0; i < f->n_tasks; i++) {
        bool has_gap = !in_groups || random_unit(&own) < 0.3;
        now_s += has_gap ? gap_s * random_gamma(&own, 1) : 0;
        dates_s[i] = now_s;
    }
    r->arrivals_s = dates_s;
    r->c.app.arrivals_s = f->arrivals_s = dates_s;
}

static inline void end(struct farms *r)
{
    free(r->arrivals_s);
    naive_clear(&r->naive);
    clear_case(&r->c);
}

/* Work, sizes and rates are not as believed. */
static inline void check_noisy_farms(uint64_t n, void (*check)(struct farms *, uint64_t seed))
{
    FOR_RANDOM_CASES (i, n) {
        uint64_t seed = 300 + i;
        struct farms r;
        struct noise noise;
        begin(&r, seed, policies[(seed / 3) % count_policies()]->name);
        CHECK_OK(noise_parse("work=0.2,size=1,rate=0.2", seed, &noise, NULL), (struct err){0});
        r.c.noise = &noise;
        check(&r, seed);
        end(&r);
        noise_clear(&noise);
    }
}

#endif
