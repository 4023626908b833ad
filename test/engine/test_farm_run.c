/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Farms on the engine against naive_farm.h: random trees, platforms, beliefs and applications; every completion, and what
   each node has done. Then who is served first, conservation, bounds, and what is an error. */
#include "fork_engine.h"

#include "base/random.h"
#include "engine/farm_run.h"
#include "farm/bound.h"
#include "naive_farm.h"

enum { N_TREES = 140 };

/* ---- a farm as text ---- */

struct farm_case {
    struct text platform, deployment;
    char policy[64];
    const char *world;
    struct farm_app app;
};

enum { MAX_SENDS = 64 };

struct farm_outcome {
    enum ending ending;
    enum err_code code;
    struct err e;
    struct farm_run_result result; /* with nodes and completions of its own; clear it */
    node_id sends[MAX_SENDS];      /* the first: to whom */
    double send_dates_s[MAX_SENDS];
    int n_sends;
};

static void note_send(void *self, double now_s, node_id node, enum farm_event event, long task, node_id other)
{
    struct farm_outcome *o = self;
    (void)node;
    (void)task;
    if ((event != FARM_SEND_START && event != FARM_SEND_RESUME) || o->n_sends == MAX_SENDS)
        return;
    o->send_dates_s[o->n_sends] = now_s;
    o->sends[o->n_sends++] = other;
}

static enum err_code run_farm_case(const struct farm_case *c, const char *path, struct farm_outcome *o)
{
    struct engine *engine;
    struct tree tree;
    struct policy_choice policy;
    struct farm_run_options options = {.app = c->app, .policy = &policy, .trace = note_send, .trace_self = o};
    enum err_code code = engine_open(path, &engine, &o->e);
    if (code == ERR_NONE)
        code = deployment_parse(text_str(&c->deployment), c->deployment.size, "deployment", &tree, &o->e);
    if (code == ERR_NONE)
        code = tree_bind(&tree, engine_machine(engine), &o->e);
    if (code == ERR_NONE)
        code = policy_choose(c->policy, &policy, &o->e);
    if (code == ERR_NONE)
        code = world_find(c->world, &options.world, &o->e);
    if (code == ERR_NONE)
        code = farm_run(engine, &tree, &options, &o->result, &o->e);
    return code;
}

struct farm_child {
    const struct farm_case *c;
    const char *path;
};

static void tell_farm(void *self, int fd)
{
    const struct farm_child *child = self;
    static struct farm_outcome o;
    o.code = run_farm_case(child->c, child->path, &o);
    tell(fd, &o, sizeof o);
    if (o.code == ERR_NONE) {
        tell(fd, o.result.nodes, (size_t)o.result.n_nodes * sizeof *o.result.nodes);
        tell(fd, o.result.completions_s, (size_t)o.result.n_completions * sizeof(double));
    }
}

static struct farm_outcome run_farm(const struct farm_case *c)
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
        o.result.nodes = mem_alloc(n_bytes);
        memcpy(o.result.nodes, said.data + sizeof o, n_bytes);
        o.result.completions_s = mem_alloc((size_t)o.result.n_completions * sizeof(double));
        memcpy(o.result.completions_s, said.data + sizeof o + n_bytes, (size_t)o.result.n_completions * sizeof(double));
    } else {
        o.result = (struct farm_run_result){0};
    }
    free(path);
    text_clear(&said);
    return o;
}

static bool farm_has_ended_well(const struct farm_outcome *o, int line)
{
    if (o->ending != ENDED_WELL || o->code != ERR_NONE)
        fprintf(stderr, "%s:%d: ending %d: %s\n", __FILE__, line, o->ending, o->e.text);
    return o->ending == ENDED_WELL && o->code == ERR_NONE;
}

static void clear_case(struct farm_case *c)
{
    text_clear(&c->platform);
    text_clear(&c->deployment);
}

/* ---- random farms ---- */

struct farms {
    struct random_stream random;
    struct naive_farm naive;
    struct farm_case c;
    bool has_up_link, has_latency;
    double believed_MB[NAIVE_NODES][4]; /* max_transfer, ir_send, compute, send_limit; NAN: not given */
};

static bool maybe(struct farms *r, double probability)
{
    return random_unit(&r->random) < probability;
}

static int below(struct farms *r, int n)
{
    return (int)random_below(&r->random, (uint64_t)n);
}

static double between(struct farms *r, double low, double high)
{
    return random_between(&r->random, low, high);
}

/* Nodes come in any order in the deployment; `shape` 0: a fork, 1: two levels, 2: any tree. */
static void make_tree(struct farms *r, int shape)
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

static void make_physics(struct farms *r)
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
    for (int h = 0; h < p->n_hosts; h++) {
        struct fluid_host *host = &p->hosts[h];
        *host = (struct fluid_host){.flop_per_s = between(r, 1, 10), .n_cores = 1, .ir_send_duplex = NAN};
        host->floor = maybe(r, 0.2) ? between(r, 0, 0.4) : 0;
        host->ir_send_duplex = maybe(r, 0.3) ? between(r, 0, 0.05e-6) : NAN;
        for (int peer = 0; peer < p->n_hosts; peer++) {
            host->ir_send[peer] = between(r, 0, 0.08e-6);
            host->ir_recv[peer] = between(r, 0, 0.08e-6);
        }
    }
}

static void make_paths(struct farms *r)
{
    struct naive_farm *f = &r->naive;
    for (int n = 0; n < f->n_nodes; n++) {
        struct naive_node *node = &f->nodes[n];
        node->n_path = 0;
        if (node->parent >= 0 && r->has_up_link && f->nodes[node->parent].parent < 0)
            node->path[node->n_path++] = f->n_nodes;
        node->path[node->n_path++] = n;
    }
}

static void make_beliefs(struct farms *r)
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
        node->ir_send = f->fluid.hosts[node->parent].ir_send[n];
        if (maybe(r, 0.3))
            node->max_transfer = (MB[0] = between(r, 1, 20)) * 1e6;
        if (maybe(r, 0.3))
            node->ir_send = (MB[1] = between(r, 0, 0.08)) / 1e6;
    }
}

static void make_application(struct farms *r, const char *policy)
{
    struct naive_farm *f = &r->naive;
    f->policy = policy;
    f->n_tasks = 1 + below(r, 150);
    f->n_buffers = 1 + below(r, 4);
    f->task_bytes = floor(between(r, 1e5, 1.2e7));
    f->task_flop = between(r, 0.5, 20);
    f->request_bytes = maybe(r, 0.3) ? floor(between(r, 1, 2e5)) : 0;
    f->chunk_bytes = maybe(r, 0.4) ? floor(between(r, 1e5, 5e6)) : INFINITY;
    f->prunes = strcmp(policy, "opt_single") == 0;
    struct text spec = {0};
    text_addf(&spec, "%s", policy);
    if (strcmp(policy, "root_computes") != 0) {
        char number[TEXT_NUMBER_SIZE];
        bool says_prune = maybe(r, 0.5);
        if (says_prune)
            f->prunes = maybe(r, 0.5);
        text_addf(&spec, "[chunk=%s%s]", isinf(f->chunk_bytes) ? "0" : text_number(f->chunk_bytes / 1e6, number),
                  !says_prune ? ""
                  : f->prunes ? ",prune=on"
                              : ",prune=off");
    }
    snprintf(r->c.policy, sizeof r->c.policy, "%s", text_str(&spec));
    text_clear(&spec);
    r->c.app = (struct farm_app){f->n_tasks, f->task_bytes, f->task_flop, f->n_buffers, f->request_bytes};
}

static const char *number(double value)
{
    static char out[8][TEXT_NUMBER_SIZE];
    static int next;
    next = (next + 1) % 8;
    return text_number(value, out[next]);
}

static void write_host(struct farms *r, int h)
{
    const struct fluid_host *host = &r->naive.fluid.hosts[h];
    struct text *out = &r->c.platform;
    text_addf(out, "<host id=\"h%d\" speed=\"%sf\"><prop id=\"ir_floor\" value=\"%s\"/>", h, number(host->flop_per_s),
              number(host->floor));
    if (!isnan(host->ir_send_duplex))
        text_addf(out, "<prop id=\"ir_send_duplex\" value=\"%s\"/>", number(host->ir_send_duplex * 1e6));
    for (int peer = 0; peer < r->naive.n_nodes; peer++)
        text_addf(out, "<prop id=\"ir_send.h%d\" value=\"%s\"/><prop id=\"ir_recv.h%d\" value=\"%s\"/>", peer,
                  number(host->ir_send[peer] * 1e6), peer, number(host->ir_recv[peer] * 1e6));
    text_addf(out, "</host>\n");
}

static void write_platform(struct farms *r)
{
    struct text *out = &r->c.platform;
    const struct naive_farm *f = &r->naive;
    text_addf(out, "%s", CM02);
    for (int h = 0; h < f->n_nodes; h++)
        write_host(r, h);
    for (int l = 0; l < f->fluid.n_links; l++)
        text_addf(out, "<link id=\"l%d\" bandwidth=\"%sBps\" latency=\"%ss\"/>\n", l,
                  number(f->fluid.link_bytes_per_s[l]), number(f->fluid.link_latency_s[l]));
    for (int n = 0; n < f->n_nodes; n++) {
        const struct naive_node *node = &f->nodes[n];
        if (node->parent < 0)
            continue;
        text_addf(out, "<route src=\"h%d\" dst=\"h%d\">", node->parent, n);
        for (int i = 0; i < node->n_path; i++)
            text_addf(out, "<link_ctn id=\"l%d\"/>", node->path[i]);
        text_addf(out, "</route>\n");
    }
    text_addf(out, "%s", END_OF_PLATFORM);
}

static void write_deployment(struct farms *r)
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

static void begin(struct farms *r, uint64_t seed, const char *policy)
{
    *r = (struct farms){.c.world = "interference"};
    random_init(&r->random, 30, seed);
    make_tree(r, (int)(seed % 3));
    make_physics(r);
    make_paths(r);
    make_beliefs(r);
    make_application(r, policy);
    write_platform(r);
    write_deployment(r);
}

static void end(struct farms *r)
{
    naive_clear(&r->naive);
    clear_case(&r->c);
}

/* ---- comparing ---- */

static bool same(double got, double want, uint64_t seed, const char *what)
{
    char text[128];
    snprintf(text, sizeof text, "seed %d: %s", (int)seed, what);
    return check_close(got, want, 1e-9, __FILE__, __LINE__, text);
}

static void compare_nodes(const struct naive_farm *f, const struct farm_run_result *got, uint64_t seed)
{
    for (int n = 0; n < f->n_nodes; n++) {
        const struct naive_node *want = &f->nodes[n];
        const struct farm_node_result *node = &got->nodes[n].farm;
        CU_ASSERT(same((double)node->tasks_computed, (double)want->n_computed, seed, "tasks computed"));
        CU_ASSERT(same((double)node->tasks_forwarded, (double)want->n_forwarded, seed, "tasks forwarded"));
        CU_ASSERT(same(node->received_bytes, want->received_bytes, seed, "bytes received"));
        CU_ASSERT(same(node->sent_bytes, want->sent_bytes, seed, "bytes sent"));
        CU_ASSERT(same(node->compute_busy_s, want->busy_s, seed, "busy"));
        CU_ASSERT(same(got->nodes[n].use.busy_s, want->busy_s, seed, "busy, says the engine"));
        CU_ASSERT(fabs(got->nodes[n].use.stolen_s - want->stolen_s) <= 1e-9 * (want->busy_s + 1));
    }
}

static void compare(struct farms *r, uint64_t seed)
{
    struct naive_farm *f = &r->naive;
    naive_run(f);
    struct farm_outcome o = run_farm(&r->c);
    CHECK(farm_has_ended_well(&o, __LINE__));
    CU_ASSERT(same((double)o.result.n_completions, (double)f->n_completed, seed, r->c.policy));
    for (long i = 0; i < f->n_completed && i < o.result.n_completions; i++)
        if (!same(o.result.completions_s[i], f->completions_s[i], seed, r->c.policy)) {
            CU_FAIL("completions");
            break;
        }
    if (o.result.n_nodes == f->n_nodes)
        compare_nodes(f, &o.result, seed);
    farm_run_result_clear(&o.result);
}

static void random_farms_go_as_the_protocol_says(void)
{
    for (uint64_t seed = 0; seed < N_TREES; seed++) {
        size_t n_policies = 0;
        while (policies[n_policies] != NULL)
            n_policies++;
        struct farms r;
        begin(&r, seed, policies[(seed / 3) % n_policies]->name);
        compare(&r, seed);
        end(&r);
    }
}

/* ---- who is served first: hand-made forks ---- */

/* Root r and children a, b, c, each on a link of its own of 1 MB/s: a task takes 1 s. The first of them never ends. */
#define FORK_PLATFORM                                                                                                  \
    CM02 HOST("r", PROP("ir_send.a", "0.03") PROP("ir_send.b", "0.01") PROP("ir_send.c", "0.02")) HOST("a", "")        \
        HOST("b", "") HOST("c", "") MBPS("la", "1") MBPS("lb", "1") MBPS("lc", "1") ROUTE("r", "a", "la")              \
            ROUTE("r", "b", "lb") ROUTE("r", "c", "lc") END_OF_PLATFORM
#define CHILD(id, beliefs) "<actor host=\"" id "\" function=\"farm_node\"><argument value=\"r\"/>" beliefs "</actor>"
#define FORK_DEPLOYMENT(root_beliefs)                                                                                  \
    PLATFORM_HEAD CHILD(                                                                                               \
        "a", PROP("compute_rate", "2")                                                                                 \
                 PROP("max_transfer_rate",                                                                             \
                      "1")) "<actor host=\"r\" function=\"farm_node\">" root_beliefs                                   \
                            "</actor>" CHILD("b", PROP("compute_rate", "3") PROP("max_transfer_rate", "0.5"))          \
                                CHILD("c", PROP("compute_rate", "4") PROP("max_transfer_rate", "0.7")) "</platform>"

/* In the order of the deployment: a, r, b, c. */
static const char node_names[] = "arbc";

static struct farm_outcome run_fork(const char *root_beliefs, const char *policy, struct farm_app app)
{
    struct farm_case c = {.world = "interference", .app = app};
    snprintf(c.policy, sizeof c.policy, "%s", policy);
    text_addf(&c.platform, "%s", FORK_PLATFORM);
    text_addf(&c.deployment, FORK_DEPLOYMENT("%s"), root_beliefs);
    struct farm_outcome o = run_farm(&c);
    clear_case(&c);
    return o;
}

/* The first sends of the root, while everybody computes on and on: "aab" is two to a, then one to b. */
static void check_sends(const char *root_beliefs, const char *policy, int n_buffers, const char *want)
{
    char got[MAX_SENDS + 1] = "";
    struct farm_app app = {(long)strlen(want) + 1, 1e6, 1e6, n_buffers, 0};
    struct farm_outcome o = run_fork(root_beliefs, policy, app);
    CHECK(farm_has_ended_well(&o, __LINE__));
    for (int i = 0; i < o.n_sends && i < MAX_SENDS; i++)
        got[i] = node_names[o.sends[i]];
    CU_ASSERT(check_text(got, want, true, __FILE__, __LINE__, policy));
    farm_run_result_clear(&o.result);
}

static void one_port_serves_by_priority(void)
{
    /* with one slot a child takes two tasks, one to compute and one to hold; with two it takes three */
    check_sends("", "comp_rate", 1, "ccbbaa");
    check_sends("", "comp_rate", 2, "cccbbbaaa");
    check_sends("", "bwc", 1, "aaccbb");
    check_sends("", "ia_single", 1, "bbccaa");
    /* max_transfer * (1 - IR Z C): a 1 - 0.03, b 0.5 - 0.005, c 0.7 - 0.014; C = 1000 / 1e6 tasks/s */
    check_sends("", "opt_single", 1, "aaccbb");
    /* no more than the send limit counts: a 0.4 (1 - 3e-5), b 0.4 (1 - 1e-5), c 0.4 (1 - 2e-5) */
    check_sends(PROP("send_limit", "0.4"), "opt_single", 1, "bbccaa");
}

static void the_oldest_request_is_served_first(void)
{
    /* all ask at 0; the first of each before the second of any; then as slots become free: at 1, 2, 3 s */
    check_sends("", "fcfs", 1, "abcabc");
    check_sends("", "fcfs", 2, "abcabcabc");
    check_sends("", "fcfs", 3, "abcabcabcabc");
}

static void many_ports_serve_all_by_priority(void)
{
    check_sends("", "ia_multi", 1, "bcabca");
    check_sends("", "ia_multi", 2, "bcabcabca");
    check_sends(PROP("send_limit", "1.5"), "ia_multi", 1, "bcbcaa"); /* b, then c at 1 MB/s: full */
    check_sends(PROP("send_limit", "1"), "ia_multi", 1, "bbccaa");
    check_sends(PROP("send_limit", "0.1"), "ia_multi", 1, "bbccaa"); /* one is started while none is under way */
}

static void nothing_is_sent_within_a_send_limit_of_0(void)
{
    struct farm_outcome o = run_fork(PROP("send_limit", "0"), "ia_multi", (struct farm_app){5, 1e6, 1, 2, 0});
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK_INT(o.n_sends, 0);
    CHECK_INT(o.result.nodes[1].farm.tasks_computed, 5);
    farm_run_result_clear(&o.result);
}

static void the_root_computes_alone_when_told_so(void)
{
    struct farm_outcome o = run_fork("", "root_computes", (struct farm_app){7, 1e6, 500, 2, 0});
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK_INT(o.n_sends, 0);
    CHECK_CLOSE(o.result.makespan_s, 3.5, 1e-12);
    farm_run_result_clear(&o.result);
}

static void a_suspended_transfer_keeps_its_bytes(void)
{
    /* b interferes least and computes 1.51 s a task, with one slot. Chunks of 0.4, 0.4 and 0.2 MB: two tasks for b until
       2 s; two chunks for c, and at 2.51 s b asks again: a task for b from 2.8 s; what is missing of c's from 3.8 s; a
       chunk of c's next; a task for b, which has asked at 4.02 s */
    struct farm_outcome o = run_fork("", "ia_single[chunk=0.4]", (struct farm_app){40, 1e6, 1510, 1, 0});
    static const char want[] = "bbbbbbccbbbccbbb";
    char got[sizeof want] = "";
    CHECK(farm_has_ended_well(&o, __LINE__));
    for (size_t i = 0; i + 1 < sizeof want; i++)
        got[i] = node_names[o.sends[i]];
    CHECK_TEXT(got, want);
    CHECK_CLOSE(o.send_dates_s[8], 2.8, 1e-9);
    CHECK_CLOSE(o.send_dates_s[11], 3.8, 1e-9);
    CHECK_CLOSE(o.send_dates_s[12], 4, 1e-9);
    CHECK_CLOSE(o.send_dates_s[13], 4.4, 1e-9);
    farm_run_result_clear(&o.result);
}

static long n_computed_by_a(const char *policy)
{
    /* C = 1000 / 25 = 40 tasks/s at the root: IR Z C is 1.2 for a, 0.4 for b, 0.8 for c */
    struct farm_outcome o = run_fork("", policy, (struct farm_app){2000, 1e6, 25, 2, 0});
    CHECK(farm_has_ended_well(&o, __LINE__));
    CHECK(o.result.nodes[2].farm.tasks_computed + o.result.nodes[3].farm.tasks_computed > 0);
    long n = o.result.nodes[0].farm.tasks_computed;
    farm_run_result_clear(&o.result);
    return n;
}

static void who_costs_more_than_it_computes_is_pruned(void)
{
    CHECK_INT(n_computed_by_a("opt_single"), 0);
    CHECK_INT(n_computed_by_a("fcfs[prune=on]"), 0);
    CHECK_INT(n_computed_by_a("ia_multi[prune=on]"), 0);
    CHECK(n_computed_by_a("fcfs") > 0);
    CHECK(n_computed_by_a("ia_multi") > 0);
}

static int n_sends_of_a_root_believed_fast(const char *policy)
{
    struct farm_outcome o = run_fork(PROP("compute_rate", "1e9"), policy, (struct farm_app){10, 1e6, 1000, 2, 0});
    CHECK(farm_has_ended_well(&o, __LINE__));
    farm_run_result_clear(&o.result);
    return o.n_sends;
}

static void opt_single_prunes_unless_told_otherwise(void)
{
    CHECK_INT(n_sends_of_a_root_believed_fast("opt_single"), 0);
    CHECK(n_sends_of_a_root_believed_fast("opt_single[prune=off]") > 0);
    CHECK(n_sends_of_a_root_believed_fast("ia_single") > 0);
    CHECK_INT(n_sends_of_a_root_believed_fast("ia_single[prune=on]"), 0);
}

/* ---- conservation and bounds ---- */

static void check_conservation(const struct naive_farm *f, const struct farm_run_result *r)
{
    long n_computed = 0;
    for (int n = 0; n < f->n_nodes; n++) {
        bool is_root = f->nodes[n].parent < 0;
        double came_in = is_root ? (double)f->n_tasks : r->nodes[n].farm.received_bytes / f->task_bytes;
        CHECK_INT(came_in, r->nodes[n].farm.tasks_computed + r->nodes[n].farm.tasks_forwarded);
        CHECK_CLOSE(r->nodes[n].farm.sent_bytes, (double)r->nodes[n].farm.tasks_forwarded * f->task_bytes, 1e-12);
        n_computed += r->nodes[n].farm.tasks_computed;
    }
    CHECK_INT(n_computed, f->n_tasks);
}

/* Beliefs that are the truth, rates of interference that never stop a processor. */
static void make_honest(struct farms *r, uint64_t seed, int shape, const char *policy)
{
    *r = (struct farms){.c.world = "interference"};
    random_init(&r->random, 31, seed);
    make_tree(r, shape);
    make_physics(r);
    r->has_up_link = false;
    for (int h = 0; h < r->naive.n_nodes; h++) {
        r->naive.fluid.hosts[h].ir_send_duplex = NAN;
        for (int peer = 0; peer < r->naive.n_nodes; peer++) { /* at most 10 links of 20 MB/s */
            r->naive.fluid.hosts[h].ir_send[peer] = between(r, 0, 0.004e-6);
            r->naive.fluid.hosts[h].ir_recv[peer] = between(r, 0, 0.004e-6);
        }
    }
    make_paths(r);
    make_beliefs(r);
    for (int n = 0; n < r->naive.n_nodes; n++)
        for (int i = 0; i < 4; i++)
            r->believed_MB[n][i] = NAN;
    make_application(r, policy);
    snprintf(r->c.policy, sizeof r->c.policy, "%s", policy);
    r->naive.n_tasks = r->c.app.n_tasks = 500;
    r->c.app.request_bytes = 0;
    write_platform(r);
    write_deployment(r);
}

/* The bound of [K] 3.2 for this farm, by linear programming unless `greedy`. */
static double bound_of(struct farms *r, enum bound_ports ports, enum bound_method method)
{
    struct tree t;
    struct bound b;
    struct err e = {0};
    CHECK_OK(deployment_parse(text_str(&r->c.deployment), r->c.deployment.size, "deployment", &t, &e), e);
    for (int n = 0; n < t.n_nodes; n++) { /* what the engine's machine would tell */
        struct tree_node *node = &t.nodes[n];
        const struct naive_farm *f = &r->naive;
        node->compute_rate_flop_per_s = f->fluid.hosts[n].flop_per_s;
        node->send_limit_bytes_per_s = INFINITY;
        node->ir_recv_s_per_byte = 0;
        if (f->nodes[n].parent < 0)
            continue;
        node->max_transfer_bytes_per_s = f->fluid.link_bytes_per_s[n];
        node->ir_send_s_per_byte = f->fluid.hosts[f->nodes[n].parent].ir_send[n];
        node->ir_recv_s_per_byte = f->fluid.hosts[n].ir_recv[f->nodes[n].parent];
    }
    CHECK_OK(bound_compute(&t, r->c.app.task_bytes, r->c.app.task_flop, ports, method, &b, &e), e);
    double throughput = b.throughput_tasks_per_s;
    bound_clear(&b);
    tree_clear(&t);
    return throughput;
}

static void no_farm_is_above_its_bound_and_no_task_is_lost(void)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        const struct policy *policy = policies[seed % 7];
        struct farms r;
        make_honest(&r, seed, (int)(seed / 7 % 3), policy->name);
        double bound = bound_of(&r, policy->multi_port ? BOUND_MULTI : BOUND_SINGLE, BOUND_LP);
        struct farm_outcome o = run_farm(&r.c);
        CHECK(farm_has_ended_well(&o, __LINE__));
        CHECK(o.result.throughput_tasks_per_s > 0 && o.result.throughput_tasks_per_s <= bound * (1 + 1e-9));
        if (o.result.n_nodes > 0)
            check_conservation(&r.naive, &o.result);
        farm_run_result_clear(&o.result);
        end(&r);
    }
}

static double wind_down_s(const struct farms *r) /* at most: the slowest computes what it holds */
{
    double slowest = INFINITY;
    for (int n = 0; n < r->naive.n_nodes; n++)
        slowest = fmin(slowest, r->naive.fluid.hosts[n].flop_per_s);
    return (r->c.app.n_buffers + 1) * r->c.app.task_flop / slowest;
}

static void ten_thousand_tasks_come_within_one_percent_of_the_single_port_bound(void)
{
    int n_compared = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct farms r;
        make_honest(&r, 100 + seed, 0, "opt_single");
        r.c.app.n_tasks = 10000;
        double bound = bound_of(&r, BOUND_SINGLE, BOUND_LP);
        bool greedy_is_best = fabs(bound / bound_of(&r, BOUND_SINGLE, BOUND_GREEDY) - 1) < 1e-9;
        if (greedy_is_best && !r.has_latency && r.c.app.n_buffers > 1 && wind_down_s(&r) < 0.005 * 10000 / bound) {
            struct farm_outcome o = run_farm(&r.c);
            CHECK(farm_has_ended_well(&o, __LINE__));
            CU_ASSERT(check_close(o.result.throughput_tasks_per_s, bound, 0.01, __FILE__, __LINE__, "throughput"));
            CHECK(o.result.throughput_tasks_per_s <= bound * (1 + 1e-9));
            farm_run_result_clear(&o.result);
            n_compared++;
        }
        end(&r);
    }
    CHECK(n_compared >= 8);
}

static void a_farm_gives_the_same_bits_twice(void)
{
    for (uint64_t seed = 0; seed < 7; seed++) {
        struct farms r;
        begin(&r, 500 + 3 * seed, policies[seed]->name);
        struct farm_outcome a = run_farm(&r.c), b = run_farm(&r.c);
        CHECK(farm_has_ended_well(&a, __LINE__) && farm_has_ended_well(&b, __LINE__));
        CHECK_INT(a.result.n_completions, b.result.n_completions);
        for (long i = 0; i < a.result.n_completions && i < b.result.n_completions; i++)
            CHECK(a.result.completions_s[i] == b.result.completions_s[i]);
        farm_run_result_clear(&a.result);
        farm_run_result_clear(&b.result);
        end(&r);
    }
}

/* ---- what is an error ---- */

static void check_farm_error(const char *platform, const char *policy, struct farm_app app, const char *text)
{
    struct farm_case c = {.world = "interference", .app = app};
    snprintf(c.policy, sizeof c.policy, "%s", policy);
    text_addf(&c.platform, "%s", platform);
    text_addf(&c.deployment, "%s", FORK_DEPLOYMENT(""));
    struct farm_outcome o = run_farm(&c);
    CHECK(o.ending == ENDED_WELL);
    CHECK(o.code == ERR_INPUT);
    CHECK_CONTAINS(o.e.text, text);
    farm_run_result_clear(&o.result);
    clear_case(&c);
}

#define BROKEN_FORK(b_files, l_files)                                                                                  \
    CM02 HOST("r", "") HOST("a", "") "<host id=\"b\" speed=\"1000f\" " b_files "/>" HOST("c", "")                      \
        LINK("l", "bandwidth=\"1MBps\" latency=\"0s\" " l_files) ROUTE("r", "a", "l") ROUTE("r", "b", "l")             \
            ROUTE("r", "c", "l") END_OF_PLATFORM

static void a_failure_ends_the_farm_with_its_reason(void)
{
    char *state = file_with("state", "2.75 0\n"), *speed = file_with("zero", "2.75 0\n");
    struct farm_app app = {50, 1e6, 3000, 2, 0};
    check_farm_error(BROKEN_FORK("state_file=\"state\"", ""), "fcfs", app, "host 'b'");
    check_farm_error(BROKEN_FORK("", "state_file=\"state\""), "fcfs", app, "at 2.75 s");
    check_farm_error(BROKEN_FORK("availability_file=\"zero\"", ""), "fcfs", app, "deadlock");
    check_farm_error(BROKEN_FORK("", "bandwidth_file=\"zero\""), "fcfs", app, "deadlock");
    free(state);
    free(speed);
}

static void an_application_out_of_range_is_refused(void)
{
    static const struct farm_app bad[] = {{0, 1e6, 1, 2, 0},         {10, 0, 1, 2, 0},        {10, 1.5, 1, 2, 0},
                                          {10, 1e6, 0, 2, 0},        {10, 1e6, 1, 0, 0},      {10, 1e6, 1, 2, -1},
                                          {10, 1e6, 1, 2, 0.5},      {10, NAN, 1, 2, 0},      {10, 1e6, NAN, 2, 0},
                                          {10, 1e6, INFINITY, 2, 0}, {10, INFINITY, 1, 2, 0}, {-1, 1e6, 1, 2, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_farm_error(FORK_PLATFORM, "fcfs", bad[i], "");
    check_farm_error(
        FORK_PLATFORM, "nobody", (struct farm_app){10, 1e6, 1, 2, 0},
        "unknown policy 'nobody'; known: root_computes, ia_multi, ia_single, opt_single, bwc, comp_rate, fcfs");
}

static const struct test tests[] = {
    {"random_farms_go_as_the_protocol_says", random_farms_go_as_the_protocol_says},
    {"one_port_serves_by_priority", one_port_serves_by_priority},
    {"the_oldest_request_is_served_first", the_oldest_request_is_served_first},
    {"many_ports_serve_all_by_priority", many_ports_serve_all_by_priority},
    {"nothing_is_sent_within_a_send_limit_of_0", nothing_is_sent_within_a_send_limit_of_0},
    {"the_root_computes_alone_when_told_so", the_root_computes_alone_when_told_so},
    {"a_suspended_transfer_keeps_its_bytes", a_suspended_transfer_keeps_its_bytes},
    {"who_costs_more_than_it_computes_is_pruned", who_costs_more_than_it_computes_is_pruned},
    {"opt_single_prunes_unless_told_otherwise", opt_single_prunes_unless_told_otherwise},
    {"no_farm_is_above_its_bound_and_no_task_is_lost", no_farm_is_above_its_bound_and_no_task_is_lost},
    {"ten_thousand_tasks_come_within_one_percent_of_the_single_port_bound",
     ten_thousand_tasks_come_within_one_percent_of_the_single_port_bound},
    {"a_farm_gives_the_same_bits_twice", a_farm_gives_the_same_bits_twice},
    {"a_failure_ends_the_farm_with_its_reason", a_failure_ends_the_farm_with_its_reason},
    {"an_application_out_of_range_is_refused", an_application_out_of_range_is_refused},
};

TEST_MAIN(tests)
