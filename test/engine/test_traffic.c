/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random platforms with random executions and transfers: every start and finish against naive_fluid.h, and the identity
   of doc/model.md, World (without clamping, every byte moved takes IR * speed flop). */
#include "fork_engine.h"

#include "fluid_properties.h"

enum { N_PLATFORMS = 80, MAX_ITEMS = 80 };

enum latencies { NO_LATENCY, SAME_LATENCY, ANY_LATENCY };

/* A star: host i has link 2i for what it sends and 2i + 1 for what it receives, the same one if they are shared; the
   last link is the backbone between all. */
struct traffic {
    struct random_stream random;
    struct fluid fluid;
    bool is_split, has_backbone;
    struct text platform, script;
    int n;
    double start_s[MAX_ITEMS];
    struct fluid_item items[MAX_ITEMS];
    double want_s[MAX_ITEMS];
    double stolen_s[2][FLUID_HOSTS]; /* while the host goes one way; while it does both */
};

static int up(int h)
{
    return 2 * h;
}

static int down(const struct traffic *t, int h)
{
    return t->is_split ? 2 * h + 1 : 2 * h;
}

static int backbone(const struct traffic *t)
{
    return 2 * t->fluid.n_hosts;
}

static bool maybe(struct traffic *t, double probability)
{
    return random_unit(&t->random) < probability;
}

static double log_between(struct traffic *t, double low, double high)
{
    return low * pow(high / low, random_unit(&t->random));
}

/* ---- platforms ---- */

static void make_hosts(struct traffic *t, double ir_max, bool has_limits)
{
    struct fluid *f = &t->fluid;
    for (int h = 0; h < f->n_hosts; h++) {
        struct fluid_host *host = &f->hosts[h];
        *host = fluid_host_of(log_between(t, 1, 1e9), 1);
        fluid_draw_forms(&host->ir_send, &t->random, f->n_hosts, 0.6, 0, ir_max * 1e-6);
        fluid_draw_forms(&host->ir_recv, &t->random, f->n_hosts, 0.6, 0, ir_max * 1e-6);
        if (has_limits) {
            host->n_cores = 1 + (int)random_below(&t->random, 3);
            host->floor = maybe(t, 0.3) ? random_between(&t->random, 0, 0.5) : 0;
            fluid_draw_starts(host, &t->random, f->n_hosts);
            fluid_draw_curves(host, &t->random, f->n_hosts);
        }
    }
}

static void make_links(struct traffic *t, enum latencies latencies)
{
    struct fluid *f = &t->fluid;
    f->n_links = 2 * f->n_hosts + 1;
    for (int l = 0; l < f->n_links; l++) {
        f->link_bytes_per_s[l] = log_between(t, 5e5, 2e7) * (l == backbone(t) ? 3 : 1);
        f->link_latency_s[l] = latencies == NO_LATENCY ? 0 : latencies == SAME_LATENCY ? 0.01 : log_between(t, 1e-4, 1);
    }
    for (int h = 0; h < f->n_hosts && t->is_split; h++) { /* both directions of a link are alike */
        f->link_bytes_per_s[down(t, h)] = f->link_bytes_per_s[up(h)];
        f->link_latency_s[down(t, h)] = f->link_latency_s[up(h)];
    }
}

static void write_host(struct traffic *t, int h)
{
    const struct fluid_host *host = &t->fluid.hosts[h];
    char number[TEXT_NUMBER_SIZE];
    text_addf(&t->platform, "<host id=\"h%d\" speed=\"%sf\" core=\"%d\">", h, text_number(host->flop_per_s, number),
              host->n_cores);
    text_addf(&t->platform, "<prop id=\"ir_floor\" value=\"%s\"/>", text_number(host->floor, number));
    fluid_write_interference(&t->platform, host, t->fluid.n_hosts);
    text_addf(&t->platform, "</host>\n");
}

static void write_link(struct traffic *t, int l, bool is_split)
{
    char bandwidth[TEXT_NUMBER_SIZE], latency[TEXT_NUMBER_SIZE];
    text_addf(&t->platform, "<link id=\"l%d\" bandwidth=\"%sBps\" latency=\"%ss\" sharing_policy=\"%s\"/>\n", l,
              text_number(t->fluid.link_bytes_per_s[l], bandwidth), text_number(t->fluid.link_latency_s[l], latency),
              is_split ? "SPLITDUPLEX" : "SHARED");
}

static void write_route(struct traffic *t, int src, int dst)
{
    const char *direction[] = {t->is_split ? " direction=\"UP\"" : "", t->is_split ? " direction=\"DOWN\"" : ""};
    text_addf(&t->platform, "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\"><link_ctn id=\"l%d\"%s/>", src, dst,
              up(src), direction[0]);
    if (t->has_backbone)
        text_addf(&t->platform, "<link_ctn id=\"l%d\"/>", backbone(t));
    text_addf(&t->platform, "<link_ctn id=\"l%d\"%s/></route>\n", up(dst), direction[1]);
}

static void write_platform(struct traffic *t)
{
    text_addf(&t->platform, "%s", CM02);
    for (int h = 0; h < t->fluid.n_hosts; h++)
        write_host(t, h);
    for (int h = 0; h < t->fluid.n_hosts; h++)
        write_link(t, up(h), t->is_split);
    write_link(t, backbone(t), false);
    for (int src = 0; src < t->fluid.n_hosts; src++)
        for (int dst = 0; dst < t->fluid.n_hosts; dst++)
            if (src != dst)
                write_route(t, src, dst);
    text_addf(&t->platform, "%s", END_OF_PLATFORM);
}

/* ---- scripts ---- */

static void make_exec(struct traffic *t, int host, double start_s, double flop)
{
    char start[TEXT_NUMBER_SIZE], work[TEXT_NUMBER_SIZE];
    t->start_s[t->n] = start_s;
    t->items[t->n] = (struct fluid_item){.kind = FLUID_EXEC, .host = host, .dst = -1, .remaining = flop, .tag = t->n};
    text_addf(&t->script, "exec %s h%d %s\n", text_number(start_s, start), host, text_number(flop, work));
    t->n++;
}

static void make_comm(struct traffic *t, double start_s)
{
    struct fluid *f = &t->fluid;
    char start[TEXT_NUMBER_SIZE];
    int src = (int)random_below(&t->random, (uint64_t)f->n_hosts), dst = src;
    while (dst == src)
        dst = (int)random_below(&t->random, (uint64_t)f->n_hosts);
    double bytes = maybe(t, 0.05) ? 0 : floor(log_between(t, 1e3, 1e7));
    struct fluid_item *x = &t->items[t->n];
    *x = (struct fluid_item){.kind = FLUID_FLOW, .host = src, .dst = dst, .remaining = bytes, .tag = t->n};
    x->path[x->n_path++] = up(src);
    if (t->has_backbone)
        x->path[x->n_path++] = backbone(t);
    x->path[x->n_path++] = down(t, dst);
    t->start_s[t->n] = start_s;
    text_addf(&t->script, "comm %s h%d h%d %.0f\n", text_number(start_s, start), src, dst, bytes);
    t->n++;
}

static double some_start_s(struct traffic *t)
{
    return maybe(t, 0.2) ? 0 : maybe(t, 0.2) ? 1 : random_between(&t->random, 0, 5);
}

static void make_script(struct traffic *t, int n)
{
    for (int i = 0; i < n; i++) {
        if (maybe(t, 0.6)) {
            make_comm(t, some_start_s(t));
            continue;
        }
        int h = (int)random_below(&t->random, (uint64_t)t->fluid.n_hosts);
        make_exec(t, h, some_start_s(t), maybe(t, 0.05) ? 0 : log_between(t, 0.01, 5) * t->fluid.hosts[h].flop_per_s);
    }
}

/* ---- the second opinion ---- */

static double next_start_s(const struct traffic *t, const bool *has_started)
{
    double next_s = INFINITY;
    for (int i = 0; i < t->n; i++)
        if (!has_started[i])
            next_s = fmin(next_s, t->start_s[i]);
    return next_s;
}

/* Without clamping, the bytes that move while a host goes one way, and while it does both, each cost their own rate. */
static void take_shares(struct traffic *t, double passed_s)
{
    for (int i = 0; i < t->fluid.n_items; i++) {
        const struct fluid_item *x = &t->fluid.items[i];
        if (!fluid_is_flowing(x))
            continue;
        const struct fluid_host *src = &t->fluid.hosts[x->host], *dst = &t->fluid.hosts[x->dst];
        double moved = x->rate * passed_s;
        bool is_duplex[] = {fluid_is_duplex(&t->fluid, x->host), fluid_is_duplex(&t->fluid, x->dst)};
        t->stolen_s[is_duplex[0]][x->host] += moved * fluid_value(&src->ir_send, x->dst, is_duplex[0], 0);
        t->stolen_s[is_duplex[1]][x->dst] += moved * fluid_value(&dst->ir_recv, x->host, is_duplex[1], 0);
    }
}

static void foretell(struct traffic *t)
{
    bool has_started[MAX_ITEMS] = {false};
    struct fluid *f = &t->fluid;
    for (int i = 0; i < t->n; i++)
        t->want_s[i] = NAN;
    for (;;) {
        for (int i = 0; i < t->n; i++)
            if (!has_started[i] && t->start_s[i] <= f->now_s) {
                has_started[i] = true;
                fluid_add(f, t->items[i]);
            }
        for (int tag; (tag = fluid_take_ended(f)) >= 0;)
            t->want_s[tag] = f->now_s;
        fluid_solve(f);
        double start_s = next_start_s(t, has_started), next_s = fluid_next_s(f);
        if (isinf(start_s) && isinf(next_s))
            return;
        bool starts = start_s <= f->now_s + next_s;
        double passed_s = starts ? start_s - f->now_s : next_s;
        take_shares(t, passed_s);
        fluid_advance(f, passed_s);
        if (starts)
            f->now_s = start_s;
    }
}

/* ---- comparing ---- */

static void begin(struct traffic *t, uint64_t seed)
{
    *t = (struct traffic){.n = 0};
    random_init(&t->random, 20, seed);
    t->fluid.n_hosts = 2 + (int)random_below(&t->random, 10);
    t->is_split = maybe(t, 0.5);
    t->has_backbone = maybe(t, 0.6);
}

static void clear(struct traffic *t)
{
    free(t->fluid.items);
    text_clear(&t->platform);
    text_clear(&t->script);
}

static void compare(struct traffic *t, uint64_t seed, const char *world)
{
    foretell(t);
    struct outcome o = play(text_str(&t->platform), world, text_str(&t->script));
    CHECK(has_ended_well(&o, __FILE__, __LINE__));
    CHECK_INT(o.n, t->n);
    for (size_t i = 0; i < o.n; i++) {
        char what[80];
        snprintf(what, sizeof what, "seed %d: finish of line %zu", (int)seed, i + 1);
        CHECK(o.list[i].state == ACTIVITY_DONE);
        CU_ASSERT(check_close(o.list[i].start_s, t->start_s[i], 0, __FILE__, __LINE__, "start"));
        CU_ASSERT(check_close(o.list[i].finish_s, t->want_s[i], 1e-9, __FILE__, __LINE__, what));
    }
    free(o.list);
}

static void random_traffic_ends_when_the_solver_says(void)
{
    for (uint64_t seed = 0; seed < N_PLATFORMS; seed++) {
        struct traffic t;
        begin(&t, seed);
        make_hosts(&t, 0.3, true);
        make_links(&t, (enum latencies)(seed % 3));
        make_script(&t, 10 + (int)random_below(&t.random, MAX_ITEMS - 20));
        write_platform(&t);
        compare(&t, seed, "interference");
        clear(&t);
    }
}

static void in_world_none_only_cores_and_links_are_shared(void)
{
    for (uint64_t seed = 0; seed < N_PLATFORMS / 4; seed++) {
        struct traffic t;
        begin(&t, 1000 + seed);
        make_hosts(&t, 0.3, true);
        make_links(&t, (enum latencies)(seed % 3));
        make_script(&t, 50);
        write_platform(&t);
        for (int h = 0; h < t.fluid.n_hosts; h++) /* the solver has no interference, the platform has */
            t.fluid.hosts[h].floor = 1;
        compare(&t, seed, "none");
        clear(&t);
    }
}

/* ---- the identity ---- */

static void every_byte_takes_its_share_of_flop(void)
{
    double sums[2] = {0, 0};
    for (uint64_t seed = 0; seed < N_PLATFORMS / 2; seed++) {
        struct traffic t;
        begin(&t, 2000 + seed);
        make_hosts(&t, 0.0005, false); /* at most 11 hosts send 20 MB/s each to one: no clamp */
        make_links(&t, (enum latencies)(seed % 3));
        for (int h = 0; h < t.fluid.n_hosts; h++)
            make_exec(&t, h, 0, 1000 * t.fluid.hosts[h].flop_per_s);
        for (int i = 0; i < 50; i++)
            make_comm(&t, random_between(&t.random, 0, 10));
        write_platform(&t);
        foretell(&t);
        struct outcome o = play(text_str(&t.platform), "interference", text_str(&t.script));
        CHECK(has_ended_well(&o, __FILE__, __LINE__));
        for (int h = 0; h < t.fluid.n_hosts && o.n > 0; h++) {
            double stolen_s = t.stolen_s[false][h] + t.stolen_s[true][h];
            CHECK_CLOSE(o.use[h].stolen_s, stolen_s, 1e-9);
            CHECK_CLOSE(o.use[h].stolen_flop, stolen_s * t.fluid.hosts[h].flop_per_s, 1e-9);
            CHECK_CLOSE(o.list[h].finish_s, 1000 + stolen_s, 1e-12);
            for (int both = 0; both < 2; both++)
                sums[both] += t.stolen_s[both][h];
        }
        free(o.list);
        clear(&t);
    }
    CHECK(sums[false] > 0.2 * sums[true] && sums[true] > 0.2 * sums[false]); /* both are tried */
}

static void the_same_script_gives_the_same_bits(void)
{
    struct traffic t;
    begin(&t, 3000);
    make_hosts(&t, 0.3, true);
    make_links(&t, ANY_LATENCY);
    make_script(&t, 60);
    write_platform(&t);
    struct outcome a = play(text_str(&t.platform), "interference", text_str(&t.script));
    struct outcome b = play(text_str(&t.platform), "interference", text_str(&t.script));
    CHECK(has_ended_well(&a, __FILE__, __LINE__) && has_ended_well(&b, __FILE__, __LINE__));
    for (size_t i = 0; i < a.n && i < b.n; i++)
        CHECK(a.list[i].start_s == b.list[i].start_s && a.list[i].finish_s == b.list[i].finish_s);
    free(a.list);
    free(b.list);
    clear(&t);
}

#define ONE_LINK(model)                                                                                                \
    PLATFORM_HEAD CONFIG_OF(model) "<zone id=\"world\" routing=\"Full\">\n" HOST("a", "") HOST("b", "") MBPS("l", "1") \
        ROUTE("a", "b", "l") END_OF_PLATFORM

/* The model of InfiniBand slows transfers down that share a host: one that is alone takes as long as in SMPI's model.
   (In SimGrid 4 it slows down that one, too, in programs without iasim as well.) */
static void one_transfer_is_alone_in_the_infiniband_model(void)
{
    struct outcome ib = play(ONE_LINK("IB"), "none", "comm 0 a b 1000000\n");
    struct outcome smpi = play(ONE_LINK("SMPI"), "none", "comm 0 a b 1000000\n");
    CHECK(has_ended_well(&ib, __FILE__, __LINE__) && has_ended_well(&smpi, __FILE__, __LINE__));
    if (SIMGRID_MAJOR < 4 && ib.n == 1 && smpi.n == 1)
        CHECK_CLOSE(ib.list[0].finish_s, smpi.list[0].finish_s, 1e-9);
    free(ib.list);
    free(smpi.list);
}

static const struct test tests[] = {
    {"one_transfer_is_alone_in_the_infiniband_model", one_transfer_is_alone_in_the_infiniband_model},
    {"random_traffic_ends_when_the_solver_says", random_traffic_ends_when_the_solver_says},
    {"in_world_none_only_cores_and_links_are_shared", in_world_none_only_cores_and_links_are_shared},
    {"every_byte_takes_its_share_of_flop", every_byte_takes_its_share_of_flop},
    {"the_same_script_gives_the_same_bits", the_same_script_gives_the_same_bits},
};

TEST_MAIN(tests)
