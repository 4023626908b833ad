/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "farm/tree.h"

#include <stdlib.h>

/* r, a, b; the route from host i to host k has the bandwidth of link k; none leads to b from a. */
static enum err_code find_route(void *context, host_id src, host_id dst, struct route *out, struct err *e)
{
    (void)context;
    if (src == 1 && dst == 2)
        return err_set(e, ERR_INPUT, "there is no route from host 'a' to host 'b'");
    out->links = mem_zalloc(2, sizeof out->links[0]);
    out->n_links = 2;
    out->links[0] = dst;
    return ERR_NONE;
}

static struct machine make_machine(void)
{
    static const char *const names[] = {"r", "a", "b"};
    struct machine m = {.n_hosts = 3, .n_links = 3, .find_route = find_route};
    m.hosts = mem_zalloc(3, sizeof m.hosts[0]);
    m.links = mem_zalloc(3, sizeof m.links[0]);
    for (int i = 0; i < 3; i++) {
        m.hosts[i].name = mem_strdup(names[i]);
        m.hosts[i].speed_flop_per_s = 100 * (i + 1);
        m.links[i].bandwidth_bytes_per_s = i == 0 ? 50e6 : 1e6 * i;
    }
    machine_seal(&m);
    struct err e = {0};
    CHECK_OK(machine_set_host_property(&m, 0, "ir_send", "0.01", &e), e);
    CHECK_OK(machine_set_host_property(&m, 0, "ir_send.b", "0.02", &e), e);
    CHECK_OK(machine_set_host_property(&m, 1, "ir_recv", "0.03", &e), e);
    CHECK_OK(machine_set_host_property(&m, 0, "ir_recv", "0.09", &e), e);
    return m;
}

static struct tree make_tree(const char *actors)
{
    struct tree t;
    struct err e = {0};
    char *xml = mem_format("<platform version='4.1'>%s</platform>", actors);
    CHECK_OK(deployment_parse(xml, strlen(xml), "d.xml", &t, &e), e);
    free(xml);
    return t;
}

#define ACTOR(host, inside) "<actor host='" host "' function='farm_node'>" inside "</actor>\n"
#define FROM(parent) "<argument value='" parent "'/>"

static void absent_beliefs_are_read_off_the_machine(void)
{
    struct machine m = make_machine();
    struct tree t = make_tree(ACTOR("b", FROM("r")) ACTOR("r", "") ACTOR("a", FROM("r")));
    struct err e = {0};
    t.nodes[1].ir_recv_s_per_byte = NAN; /* as of a tree that was not read from a file */
    CHECK_OK(tree_bind(&t, &m, &e), e);
    const struct tree_node *b = &t.nodes[0], *r = &t.nodes[1], *a = &t.nodes[2];
    CHECK_INT(r->host, 0);
    CHECK_CLOSE(r->compute_rate_flop_per_s, 100, 0);
    CHECK_CLOSE(r->ir_recv_s_per_byte, 0, 0); /* the root receives nothing, whatever the platform says */
    CHECK(isnan(r->max_transfer_bytes_per_s) && isnan(r->ir_send_s_per_byte));
    CHECK(isinf(r->send_limit_bytes_per_s));
    CHECK_CLOSE(a->max_transfer_bytes_per_s, 1e6, 0);
    CHECK_CLOSE(b->max_transfer_bytes_per_s, 2e6, 0);
    CHECK_CLOSE(a->ir_send_s_per_byte, 0.01 / 1e6, 0); /* the parent's, general */
    CHECK_CLOSE(b->ir_send_s_per_byte, 0.02 / 1e6, 0); /* the parent's, for this child */
    CHECK_CLOSE(a->ir_recv_s_per_byte, 0.03 / 1e6, 0);
    CHECK_CLOSE(b->ir_recv_s_per_byte, 0, 0);
    CHECK_CLOSE(a->compute_rate_flop_per_s, 200, 0);
    tree_clear(&t);
    machine_clear(&m);
}

static void beliefs_that_are_there_stay(void)
{
    struct machine m = make_machine();
    struct tree t = make_tree(ACTOR("r", "<prop id='send_limit' value='4'/><prop id='compute_rate' value='7'/>") ACTOR(
        "a", FROM("r") "<prop id='max_transfer_rate' value='9'/>"
                       "<prop id='ir_send' value='0.5'/><prop id='ir_recv' value='0'/>"));
    struct err e = {0};
    CHECK_OK(tree_bind(&t, &m, &e), e);
    CHECK_CLOSE(t.nodes[0].send_limit_bytes_per_s, 4e6, 0);
    CHECK_CLOSE(t.nodes[0].compute_rate_flop_per_s, 7, 0);
    CHECK_CLOSE(t.nodes[1].max_transfer_bytes_per_s, 9e6, 0);
    CHECK_CLOSE(t.nodes[1].ir_send_s_per_byte, 0.5 / 1e6, 0);
    CHECK_CLOSE(t.nodes[1].ir_recv_s_per_byte, 0, 0);
    tree_clear(&t);
    machine_clear(&m);
}

static void bind_fails(const char *actors, const char *message)
{
    struct machine m = make_machine();
    struct tree t = make_tree(actors);
    struct err e = {0};
    char described[2048];
    CHECK_INT(tree_bind(&t, &m, &e), ERR_INPUT);
    CHECK_TEXT(err_describe(&e, described, sizeof described), message);
    tree_clear(&t);
    machine_clear(&m);
}

/* a sends to r, r to b. What holds for both directions at once is never believed. Who may gain by it says the bound. */
static void a_node_that_sends_and_receives_may_pay_less(void)
{
    static const struct {
        host_id host;
        const char *id, *value;
    } more[] = {
        {0, "ir_send_duplex", "0.015"},        {0, "ir_recv_duplex", "0.05"}, {0, "ir_constant_send_duplex", "1.04"},
        {0, "ir_constant_recv", "0.9"},        {1, "ir_send", "0.03"},        {1, "ir_send_duplex", "0"},
        {1, "ir_constant_send_duplex", "1.5"}, {2, "ir_recv", "0.04"},        {2, "ir_recv_duplex.r", "0.001"},
        {2, "ir_constant_recv_duplex", "1.2"}};
    struct machine m = make_machine();
    struct tree t = make_tree(ACTOR("a", "") ACTOR("r", FROM("a")) ACTOR("b", FROM("r")));
    struct err e = {0};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        CHECK_OK(machine_set_host_property(&m, more[i].host, more[i].id, more[i].value, &e), e);
    CHECK_OK(tree_bind(&t, &m, &e), e);
    const struct tree_node *a = &t.nodes[0], *r = &t.nodes[1], *b = &t.nodes[2];
    CHECK_CLOSE(r->ir_send_s_per_byte, 0.03 / 1e6, 0);
    CHECK_CLOSE(r->ir_recv_s_per_byte, 0.09 / 1e6, 0);
    CHECK_CLOSE(b->ir_send_s_per_byte, 0.02 / 1e6, 0);
    CHECK_CLOSE(b->ir_recv_s_per_byte, 0.04 / 1e6, 0);
    CHECK_CLOSE(r->ir_send_relief_s_per_byte, 0.03 / 1e6, 1e-12);
    CHECK_CLOSE(r->ir_recv_relief_s_per_byte, 0.04 / 1e6, 1e-12);
    CHECK_CLOSE(b->ir_send_relief_s_per_byte, 0.005 / 1e6, 1e-12);
    CHECK_CLOSE(b->ir_recv_relief_s_per_byte, 0.039 / 1e6, 1e-12);
    CHECK_CLOSE(a->ir_free_ratio + r->ir_free_ratio + b->ir_free_ratio, 0, 0);
    CHECK_CLOSE(a->ir_free_duplex_ratio, 0.5, 1e-12);
    CHECK_CLOSE(r->ir_free_duplex_ratio, 0.04, 1e-12);
    CHECK_CLOSE(b->ir_free_duplex_ratio, 0.2, 1e-12);
    tree_clear(&t);
    machine_clear(&m);
}

static void an_unknown_host_is_an_error_with_its_line(void)
{
    bind_fails(ACTOR("r", "") ACTOR("Lab3", FROM("r")),
               "d.xml:2: there is no host 'Lab3' among the 3 hosts of the platform");
}

static void a_parent_needs_a_route_to_its_child(void)
{
    bind_fails(ACTOR("r", "") ACTOR("a", FROM("r")) ACTOR("b", FROM("a")),
               "d.xml:3: there is no route from host 'a' to host 'b'");
}

/* IR Z C >= 1: 0.02 per MB/s, 5 MB, 100/10 tasks/s. */
/* Speeds are 100, 200 and 300 flop/s, the routes to a and b carry 1 and 2 MB/s. */
static void check_far(const char *of_root, const char *of_a, const char *message)
{
    struct machine m = make_machine();
    char *actors = mem_format("<actor host='r' function='farm_node'>%s</actor>"
                              "<actor host='a' function='farm_node'><argument value='r'/>%s</actor>"
                              "<actor host='b' function='farm_node'><argument value='r'/></actor>",
                              of_root, of_a);
    struct tree t = make_tree(actors);
    struct err e = {0};
    CHECK_OK(tree_bind(&t, &m, &e), e);
    char *got = tree_far_beliefs(&t, &m);
    CHECK_TEXT(got != NULL ? got : "", message);
    free(got);
    free(actors);
    tree_clear(&t);
    machine_clear(&m);
}

static void beliefs_within_a_factor_of_two_are_not_far(void)
{
    check_far("", "", "");
    check_far("<prop id='compute_rate' value='50'/>", "<prop id='compute_rate' value='400'/>", "");
    check_far("", "<prop id='max_transfer_rate' value='0.5'/>", "");
    check_far("", "<prop id='max_transfer_rate' value='2'/>", "");
    check_far("<prop id='send_limit' value='1'/>", "<prop id='send_limit' value='0.001'/>", ""); /* a sends nothing */
    check_far("<prop id='send_limit' value='6'/>", "", "");
}

#define FAR "from the platform by more than a factor of 2: "

static void beliefs_that_are_far_are_named(void)
{
    check_far("<prop id='compute_rate' value='49'/>", "",
              "d.xml: a belief differs " FAR "compute_rate of host r is 49 flop/s (its speed: 100)");
    check_far("", "<prop id='max_transfer_rate' value='2.1'/>",
              "d.xml: a belief differs " FAR "max_transfer_rate of host a is 2.1 MB/s (route from its parent: 1)");
    check_far("<prop id='send_limit' value='0.9'/>", "",
              "d.xml: a belief differs " FAR "send_limit of host r is 0.9 MB/s (fastest route to a child: 2)");
    check_far(
        "<prop id='send_limit' value='6.1'/><prop id='compute_rate' value='1e9'/>",
        "<prop id='compute_rate' value='401'/><prop id='max_transfer_rate' value='0.4'/>",
        "d.xml: beliefs differ " FAR "compute_rate of host r is 1e+09 flop/s (its speed: 100), send_limit of host r "
        "is 6.1 MB/s (routes to all children: 3), compute_rate of host a is 401 flop/s (its speed: 200) and 1 more");
}

static void a_child_is_pruned_when_sending_costs_what_computing_does(void)
{
    struct machine m = make_machine();
    struct tree t = make_tree(ACTOR("r", "") ACTOR("a", FROM("r")) ACTOR("b", FROM("r")));
    struct err e = {0};
    CHECK_OK(tree_bind(&t, &m, &e), e);
    CHECK(tree_is_pruned(&t, 2, 5e6, 9.99) && !tree_is_pruned(&t, 2, 5e6, 10.01));
    CHECK(!tree_is_pruned(&t, 1, 5e6, 9.99));  /* half the rate */
    CHECK(!tree_is_pruned(&t, 0, 1e12, 1e-6)); /* the root is sent nothing */
    t.nodes[0].compute_rate_flop_per_s = 4;    /* 2^-22 s/byte, 2^20 bytes, 4 tasks/s: exactly 1 */
    t.nodes[2].ir_send_s_per_byte = 0x1p-22;
    CHECK(tree_is_pruned(&t, 2, 0x1p20, 1));
    t.nodes[2].ir_send_s_per_byte = nextafter(0x1p-22, 0);
    CHECK(!tree_is_pruned(&t, 2, 0x1p20, 1));
    tree_clear(&t);
    machine_clear(&m);
}

static double limit_of_root(const struct machine *m, const char *children)
{
    char *actors = mem_format("%s%s", ACTOR("r", "<prop id='send_limit' value='platform'/>"), children);
    struct tree t = make_tree(actors);
    struct err e = {0};
    CHECK_OK(tree_bind(&t, m, &e), e);
    double limit = t.nodes[t.root].send_limit_bytes_per_s;
    tree_clear(&t);
    free(actors);
    return limit;
}

/* All routes have link 0 of 50 MB/s; the one to a has link 1 of 1 MB/s as well. */
static void the_send_limit_of_the_platform_is_that_of_shared_links(void)
{
    struct machine m = make_machine();
    CHECK_CLOSE(limit_of_root(&m, ACTOR("a", FROM("r")) ACTOR("b", FROM("r"))), 50e6, 0);
    CHECK_CLOSE(limit_of_root(&m, ACTOR("a", FROM("r"))), 1e6, 0);
    CHECK(isinf(limit_of_root(&m, "")));
    m.links[0].sharing = LINK_FATPIPE; /* which limits each transfer, not all together */
    CHECK(isinf(limit_of_root(&m, ACTOR("a", FROM("r")) ACTOR("b", FROM("r")))));
    machine_clear(&m);
}

static const struct test tests[] = {
    {"absent beliefs are read off the machine", absent_beliefs_are_read_off_the_machine},
    {"beliefs that are there stay", beliefs_that_are_there_stay},
    {"the send limit of the platform is that of shared links", the_send_limit_of_the_platform_is_that_of_shared_links},
    {"a node that sends and receives may pay less", a_node_that_sends_and_receives_may_pay_less},
    {"an unknown host is an error with its line", an_unknown_host_is_an_error_with_its_line},
    {"a parent needs a route to its child", a_parent_needs_a_route_to_its_child},
    {"beliefs within a factor of two are not far", beliefs_within_a_factor_of_two_are_not_far},
    {"beliefs that are far are named", beliefs_that_are_far_are_named},
    {"a child is pruned when sending costs what computing does",
     a_child_is_pruned_when_sending_costs_what_computing_does},
};

TEST_MAIN(tests)
