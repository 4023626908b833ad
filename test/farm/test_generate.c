/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/digest.h"
#include "base/mem.h"
#include "check.h"
#include "farm/farm_generate.h"
#include "farm/tree.h"
#include "machine/platform_xml.h"

#include <math.h>
#include <stdlib.h>

struct farm {
    struct text platform, deployment;
};

static struct farm make(enum generate_shape shape, long n_hosts, uint64_t seed, long max_children)
{
    struct generate_options o = generate_defaults();
    o.shape = shape;
    o.n_hosts = n_hosts;
    o.seed = seed;
    o.max_children = max_children;
    struct farm f = {0};
    struct err e = {0};
    CHECK_OK(generate_farm(&o, &f.platform, &f.deployment, &e), e);
    return f;
}

static struct farm make_with(const char *generator, uint64_t seed)
{
    struct generate_options o;
    struct farm f = {0};
    struct err e = {0};
    CHECK_OK(generate_choose(generator, seed, &o, &e), e);
    CHECK_OK(generate_farm(&o, &f.platform, &f.deployment, &e), e);
    return f;
}

static void clear(struct farm *f)
{
    text_clear(&f->platform);
    text_clear(&f->deployment);
}

static struct tree tree_of(const struct farm *f)
{
    struct tree t;
    struct err e = {0};
    CHECK_OK(deployment_parse(text_str(&f->deployment), f->deployment.size, "d.xml", &t, &e), e);
    return t;
}

static void what_is_generated_can_be_read(void)
{
    for (int shape = GENERATE_STAR; shape <= GENERATE_TREE; shape++)
        for (long n = 1; n <= 10000; n *= 10) {
            struct farm f = make((enum generate_shape)shape, n, 7, 3);
            struct tree t = tree_of(&f);
            struct platform_xml *p;
            struct err e = {0};
            CHECK_OK(platform_xml_parse(text_str(&f.platform), f.platform.size, "p.xml", &p, &e), e);
            CHECK_INT(t.n_nodes, n);
            CHECK_INT(t.root, 0);
            platform_xml_free(p);
            tree_clear(&t);
            clear(&f);
        }
}

/* The digest changes only when the generator does: say so in the commit. */
static void check_bytes(struct farm f, const char *digest)
{
    struct digest d;
    char hex[DIGEST_HEX_SIZE];
    digest_init(&d);
    digest_add(&d, text_str(&f.platform), f.platform.size);
    digest_add(&d, text_str(&f.deployment), f.deployment.size);
    digest_finish(&d, hex);
    CHECK_TEXT(hex, digest);
    clear(&f);
}

static void the_same_seed_gives_the_same_bytes_on_any_machine(void)
{
    check_bytes(make(GENERATE_TREE, 1000, 42, 4), "211aa0ffbf9fcfc3372b8aa50c8d7758");
    check_bytes(make_with("tree[hosts=1000,draw=log,speed=1:1000,bandwidth=0.1:100,ir-send=0.0001:0.1]", 42),
                "45e1cb67609bbd406f8ff777c8711816");
}

static void another_seed_gives_another_farm(void)
{
    struct farm a = make(GENERATE_TREE, 50, 1, 4), b = make(GENERATE_TREE, 50, 2, 4);
    CHECK(strcmp(text_str(&a.platform), text_str(&b.platform)) != 0);
    const char *trees[] = {strstr(text_str(&a.deployment), "-->"), strstr(text_str(&b.deployment), "-->")};
    CHECK(strcmp(trees[0], trees[1]) != 0);
    clear(&a);
    clear(&b);
}

/* The line of a link: what is drawn for one host. */
static void a_host_is_the_same_in_a_farm_of_any_size(void)
{
    struct farm a = make(GENERATE_STAR, 10, 3, 4), b = make(GENERATE_TREE, 500, 3, 2);
    const char *line = strstr(text_str(&a.platform), "<link id=\"l7\"");
    char *own = mem_format("%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
    CHECK(strlen(own) > 20);
    CHECK_CONTAINS(text_str(&b.platform), own);
    free(own);
    clear(&a);
    clear(&b);
}

static void a_star_has_one_inner_node(void)
{
    struct farm f = make(GENERATE_STAR, 100, 1, 4);
    struct tree t = tree_of(&f);
    CHECK_INT(t.nodes[0].n_children, 99);
    tree_clear(&t);
    clear(&f);
}

static void a_tree_keeps_to_its_most_children_and_fills_them(void)
{
    struct farm f = make(GENERATE_TREE, 2000, 1, 3);
    struct tree t = tree_of(&f);
    int most = 0, n_inner = 0;
    for (node_id i = 0; i < t.n_nodes; i++) {
        most = t.nodes[i].n_children > most ? t.nodes[i].n_children : most;
        n_inner += t.nodes[i].n_children > 0;
        CHECK(i == 0 || t.nodes[i].parent < i);
    }
    CHECK_INT(most, 3);
    CHECK(n_inner > 500 && n_inner < 1900);
    tree_clear(&t);
    clear(&f);
}

static void one_child_each_is_a_chain(void)
{
    struct farm f = make(GENERATE_TREE, 10000, 1, 1);
    struct tree t = tree_of(&f);
    for (node_id i = 1; i < t.n_nodes; i++)
        if (t.nodes[i].parent != i - 1)
            CHECK_INT(t.nodes[i].parent, i - 1);
    tree_clear(&t);
    clear(&f);
}

static void whoever_sends_states_a_limit(void)
{
    struct farm f = make(GENERATE_TREE, 200, 5, 4);
    struct tree t = tree_of(&f);
    for (node_id i = 0; i < t.n_nodes; i++) {
        double limit = t.nodes[i].send_limit_bytes_per_s;
        CHECK(t.nodes[i].n_children > 0 ? limit >= 1e6 && limit <= 11e6 : isnan(limit));
    }
    tree_clear(&t);
    clear(&f);
}

static void equal_bounds_leave_no_choice(void)
{
    struct generate_options o = generate_defaults();
    struct text p = {0}, d = {0};
    struct err e = {0};
    o.speed_flop_per_s = (struct generate_range){12.5, 12.5};
    o.latency_s = (struct generate_range){0, 0};
    CHECK_OK(generate_farm(&o, &p, &d, &e), e);
    CHECK_CONTAINS(text_str(&p), "<host id=\"h15\" speed=\"12.5f\">");
    CHECK_CONTAINS(text_str(&p), "latency=\"0s\"");
    text_clear(&p);
    text_clear(&d);
}

static int count(const struct text *t, const char *word)
{
    int n = 0;
    for (const char *at = text_str(t); (at = strstr(at, word)) != NULL; at++)
        n++;
    return n;
}

static void the_number_of_hosts_is_drawn_from_a_range(void)
{
    enum { N = 200 };
    bool has_been[N] = {0};
    int n_sizes = 0;
    for (uint64_t seed = 1; seed <= N; seed++) {
        struct generate_options o;
        struct err e = {0};
        CHECK_OK(generate_choose("tree[hosts=8:17]", seed, &o, &e), e);
        CHECK(o.n_hosts >= 8 && o.n_hosts <= 17);
        if (o.n_hosts >= 0 && o.n_hosts < N)
            has_been[o.n_hosts] = true;
    }
    for (int n = 0; n < N; n++)
        n_sizes += has_been[n];
    CHECK_INT(n_sizes, 10);
}

/* 0.3 of 2000 hosts, of which half have an access that is no wider than that of the parent: about 300 are expected,
   with a standard deviation of 16; inner nodes are fewer. */
static void a_shared_access_is_one_link_and_a_receive_drop(void)
{
    struct farm f = make_with("tree[hosts=2000,shared=0.3]", 1);
    struct tree t = tree_of(&f);
    int n_shared = count(&f.platform, "sharing_policy=\"SHARED\""), n_drops = 0;
    CHECK(n_shared > 230 && n_shared < 370);
    for (node_id n = 0; n < t.n_nodes; n++) {
        char *access = mem_format("<host_link id=\"h%d\" up=\"l%d\" down=\"l%d\"/>", n, n, n);
        bool is_shared = strstr(text_str(&f.platform), access) != NULL;
        bool drops = t.nodes[n].receive_drop_ratio == 1;
        CHECK(n == 0 || drops == (is_shared && t.nodes[n].n_children > 0));
        n_drops += drops;
        free(access);
    }
    CHECK(n_drops > 60);
    tree_clear(&t);
    clear(&f);
}

static void whoever_has_links_of_its_own_states_no_limit(void)
{
    struct farm f = make_with("tree[hosts=500,own-links=0.4,shared=1]", 1);
    struct tree t = tree_of(&f);
    int n_with = 0;
    for (node_id n = 1; n < t.n_nodes; n++) {
        const struct tree_node *p = &t.nodes[t.nodes[n].parent];
        bool is_own = isnan(p->send_limit_bytes_per_s);
        char *route = mem_format("<bypassRoute src=\"h%d\" dst=\"h%d\"><link_ctn id=\"o%d\" direction=\"DOWN\"/>",
                                 t.nodes[n].parent, n, n);
        CHECK(is_own == (strstr(text_str(&f.platform), route) != NULL));
        /* what a node receives by such a link does not meet what it sends by its access */
        CHECK(!is_own || t.nodes[n].receive_drop_ratio != 1);
        n_with += is_own;
        free(route);
    }
    CHECK(n_with > 120 && n_with < 280);
    CHECK_INT(count(&f.platform, "<bypassRoute"), 2 * n_with);
    tree_clear(&t);
    clear(&f);
}

/* Half of the logarithms are below the middle: 500 of 1000, with a standard deviation of 16. Of the values, where
   these are drawn uniformly, one in 33. */
static void logarithms_can_be_drawn(void)
{
    int n_below[2] = {0};
    for (int is_log = 0; is_log < 2; is_log++) {
        struct farm f =
            make_with(is_log ? "star[hosts=1000,speed=1:1000,draw=log]" : "star[hosts=1000,speed=1:1000]", 1);
        for (const char *at = text_str(&f.platform); (at = strstr(at, "speed=\"")) != NULL;) {
            double speed = strtod(at += strlen("speed=\""), NULL);
            CHECK(speed >= 1 && speed <= 1000);
            n_below[is_log] += speed < sqrt(1000);
        }
        clear(&f);
    }
    CHECK(n_below[0] > 10 && n_below[0] < 55);
    CHECK(n_below[1] > 430 && n_below[1] < 570);
}

static void the_speed_of_the_root_changes_no_other_host(void)
{
    struct farm slow = make_with("tree[hosts=50,root-speed=0.5]", 1), usual = make_with("tree[hosts=50]", 1);
    const char *rest[] = {strstr(text_str(&slow.platform), "<host id=\"h1\""),
                          strstr(text_str(&usual.platform), "<host id=\"h1\"")};
    CHECK_CONTAINS(text_str(&slow.platform), "<host id=\"h0\" speed=\"0.5f\">");
    CHECK(rest[0] != NULL && rest[1] != NULL && strcmp(rest[0], rest[1]) == 0);
    clear(&slow);
    clear(&usual);
}

static void refused_text(const char *generator, const char *message)
{
    struct generate_options o;
    struct err e = {0};
    CHECK_INT(generate_choose(generator, 1, &o, &e), ERR_INPUT);
    CHECK_TEXT(e.text, message);
}

static void what_a_text_cannot_mean_is_refused(void)
{
    refused_text("tree[hosts=few]", "hosts 'few' is neither MIN:MAX nor a whole number");
    refused_text("tree[hosts=8:2]", "range 8:2 of hosts: it must be MIN:MAX with MIN <= MAX");
    refused_text("tree[hosts=0:2]", "0 hosts; there must be between 1 and 10000000");
    refused_text("tree[hosts=2:10000001]", "10000001 hosts; there must be between 1 and 10000000");
    refused_text("tree[hosts=2,draw=log,latency=0:1]",
                 "range 0:1 of latency: with draw=log it must be 0, or MIN must be > 0");
    refused_text("tree[hosts=2,root-speed=0]",
                 "range 0:0 of root-speed: it must be MIN:MAX with MIN <= MAX and MIN > 0");
}

static void refused(struct generate_options o, const char *message)
{
    struct text p = {0}, d = {0};
    struct err e = {0};
    CHECK_INT(generate_farm(&o, &p, &d, &e), ERR_INPUT);
    CHECK_TEXT(e.text, message);
    CHECK(p.size == 0 && d.size == 0);
}

static void what_cannot_be_is_refused(void)
{
    struct generate_options o = generate_defaults();
    o.n_hosts = 0;
    refused(o, "0 hosts; there must be between 1 and 10000000");
    o = generate_defaults();
    o.max_children = 0;
    refused(o, "max-children is 0; it must be at least 1");
    o = generate_defaults();
    o.speed_flop_per_s.min = 0;
    refused(o, "range 0:25 of speed: it must be MIN:MAX with MIN <= MAX and MIN > 0");
    o = generate_defaults();
    o.latency_s = (struct generate_range){2, 1};
    refused(o, "range 2:1 of latency: it must be MIN:MAX with MIN <= MAX and MIN >= 0");
    o = generate_defaults();
    o.ir_send_per_mb_per_s.max = NAN;
    refused(o, "range 0.02:nan of ir-send: it must be MIN:MAX with MIN <= MAX and MIN >= 0");
}

static const struct test tests[] = {
    {"what is generated can be read", what_is_generated_can_be_read},
    {"the same seed gives the same bytes on any machine", the_same_seed_gives_the_same_bytes_on_any_machine},
    {"another seed gives another farm", another_seed_gives_another_farm},
    {"a host is the same in a farm of any size", a_host_is_the_same_in_a_farm_of_any_size},
    {"a star has one inner node", a_star_has_one_inner_node},
    {"a tree keeps to its most children and fills them", a_tree_keeps_to_its_most_children_and_fills_them},
    {"one child each is a chain", one_child_each_is_a_chain},
    {"whoever sends states a limit", whoever_sends_states_a_limit},
    {"equal bounds leave no choice", equal_bounds_leave_no_choice},
    {"what cannot be is refused", what_cannot_be_is_refused},
    {"the number of hosts is drawn from a range", the_number_of_hosts_is_drawn_from_a_range},
    {"a shared access is one link and a receive drop", a_shared_access_is_one_link_and_a_receive_drop},
    {"whoever has links of its own states no limit", whoever_has_links_of_its_own_states_no_limit},
    {"logarithms can be drawn", logarithms_can_be_drawn},
    {"the speed of the root changes no other host", the_speed_of_the_root_changes_no_other_host},
    {"what a text cannot mean is refused", what_a_text_cannot_mean_is_refused},
};

TEST_MAIN(tests)
