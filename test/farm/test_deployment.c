/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "farm/tree.h"
#include "gallery.h"

#define HEAD "<?xml version='1.0'?>\n<platform version='4.1'>\n"
#define ROOT "<actor host='r' function='farm_node'/>\n"

static enum err_code read_only(const char *path, struct err *e)
{
    struct tree t;
    enum err_code code = deployment_read(path, &t, e);
    CHECK((t.nodes != NULL) == (code == ERR_NONE));
    tree_clear(&t);
    return code;
}

static struct tree parse(const char *xml)
{
    struct tree t;
    struct err e = {0};
    CHECK_OK(deployment_parse(xml, strlen(xml), "d.xml", &t, &e), e);
    return t;
}

static void every_deployment_of_the_gallery_is_refused_in_its_words(void)
{
    gallery_walk(PROJECT_DIR "/test/gallery/deployments", 31, read_only);
}

static void the_project_s_deployments_are_trees(void)
{
    struct tree t;
    struct err e = {0};
    CHECK_OK(deployment_read(PROJECT_DIR "/deployments/kreaseck-fork.xml", &t, &e), e);
    CHECK_INT(t.n_nodes, 7);
    CHECK_INT(t.nodes[t.root].n_children, 6);
    CHECK_TEXT(t.nodes[t.root].host_name, "Lab0");
    CHECK_CLOSE(t.nodes[t.root].send_limit_bytes_per_s, 10.7e6, 1e-15);
    tree_clear(&t);
    CHECK_OK(deployment_read(PROJECT_DIR "/deployments/kreaseck-sites.xml", &t, &e), e);
    CHECK_INT(t.n_nodes, 26);
    int deepest = 0;
    for (node_id i = 0; i < t.n_nodes; i++) {
        int depth = 0;
        for (node_id j = i; j != t.root; j = t.nodes[j].parent)
            depth++;
        deepest = depth > deepest ? depth : deepest;
    }
    CHECK_INT(deepest, 4);
    tree_clear(&t);
}

static void children_are_in_deployment_order_wherever_the_parent_stands(void)
{
    struct tree t = parse(HEAD "<actor host='c' function='farm_node'><argument value='r'/></actor>\n" ROOT
                               "<actor host='a' function='farm_node'><argument value='r'/></actor>\n"
                               "<process host='b' function='farm_node'><argument value='c'/></process>\n</platform>");
    CHECK_INT(t.n_nodes, 4);
    CHECK_INT(t.root, 1);
    CHECK_INT(t.nodes[1].n_children, 2);
    CHECK_INT(t.nodes[1].children[0], 0);
    CHECK_INT(t.nodes[1].children[1], 2);
    CHECK_INT(t.nodes[0].children[0], 3);
    CHECK_INT(t.nodes[3].parent, 0);
    CHECK_INT(t.nodes[2].n_children, 0);
    CHECK_INT(t.nodes[2].line, 5);
    CHECK_TEXT(t.source, "d.xml");
    tree_clear(&t);
}

static void beliefs_are_kept_in_si_units(void)
{
    struct tree t = parse(HEAD ROOT "<actor host='a' function='farm_node'><argument value='r'/>"
                                    "<prop id='compute_rate' value='23.86'/><prop id='max_transfer_rate' value='11.1'/>"
                                    "<prop id='ir_send' value='0.03'/><prop id='ir_recv' value='0.05'/>"
                                    "<prop id='send_limit' value='7'/></actor></platform>");
    const struct tree_node *a = &t.nodes[1];
    CHECK_CLOSE(a->compute_rate_flop_per_s, 23.86, 0);
    CHECK_CLOSE(a->max_transfer_bytes_per_s, 11.1e6, 1e-15);
    CHECK_CLOSE(a->ir_send_s_per_byte, 0.03 / 1e6, 0); /* to the bit as from a platform */
    CHECK_CLOSE(a->ir_recv_s_per_byte, 0.05 / 1e6, 0);
    CHECK_CLOSE(a->send_limit_bytes_per_s, 7e6, 0);
    tree_clear(&t);
}

static void absent_beliefs_are_unknown(void)
{
    struct tree t = parse(HEAD ROOT "<actor host='a' function='farm_node'><argument value='r'/></actor></platform>");
    const struct tree_node *a = &t.nodes[1];
    CHECK(isnan(a->compute_rate_flop_per_s) && isnan(a->max_transfer_bytes_per_s) && isnan(a->ir_send_s_per_byte) &&
          isnan(a->ir_recv_s_per_byte) && isnan(a->send_limit_bytes_per_s));
    tree_clear(&t);
}

static void nobody_sends_to_the_root(void)
{
    struct tree t =
        parse(HEAD "<actor host='r' function='farm_node'><prop id='ir_recv' value='0.5'/>"
                   "<prop id='ir_send' value='0.5'/><prop id='max_transfer_rate' value='5'/></actor></platform>");
    CHECK_CLOSE(t.nodes[0].ir_recv_s_per_byte, 0, 0);
    CHECK(isnan(t.nodes[0].ir_send_s_per_byte) && isnan(t.nodes[0].max_transfer_bytes_per_s));
    tree_clear(&t);
}

/* The leaf first, so that finding the way up is as long as it can be. */
static void a_chain_of_100000_is_read_and_its_cycle_found(void)
{
    enum { N = 100000 };
    struct text xml = {0};
    struct tree t;
    struct err e = {0};
    text_addf(&xml, HEAD);
    for (int i = N - 1; i > 0; i--)
        text_addf(&xml, "<actor host='h%d' function='farm_node'><argument value='h%d'/></actor>\n", i, i - 1);
    size_t without_root = xml.size;
    text_addf(&xml, "<actor host='h0' function='farm_node'/></platform>");
    CHECK_OK(deployment_parse(text_str(&xml), xml.size, "d.xml", &t, &e), e);
    CHECK_INT(t.n_nodes, N);
    CHECK_INT(t.root, N - 1);
    tree_clear(&t);
    xml.size = without_root;
    text_addf(&xml, "<actor host='h0' function='farm_node'><argument value='h%d'/></actor></platform>", N - 1);
    CHECK_INT(deployment_parse(text_str(&xml), xml.size, "d.xml", &t, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "(99988 more) -> h99999");
    text_clear(&xml);
}

static const struct test tests[] = {
    {"every deployment of the gallery is refused in its words",
     every_deployment_of_the_gallery_is_refused_in_its_words},
    {"the project's deployments are trees", the_project_s_deployments_are_trees},
    {"children are in deployment order wherever the parent stands",
     children_are_in_deployment_order_wherever_the_parent_stands},
    {"beliefs are kept in SI units", beliefs_are_kept_in_si_units},
    {"absent beliefs are unknown", absent_beliefs_are_unknown},
    {"nobody sends to the root", nobody_sends_to_the_root},
    {"a chain of 100,000 is read and its cycle found", a_chain_of_100000_is_read_and_its_cycle_found},
};

TEST_MAIN(tests)
