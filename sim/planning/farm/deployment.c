/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the tree and the scheduler's beliefs from a SimGrid deployment (doc/model.md, Farms):

       <platform version="4.1">
         <actor host="Lab0" function="farm_node"><prop id="send_limit" value="10.7"/></actor>
         <actor host="Lab3" function="farm_node"><argument value="Lab0"/></actor>
       </platform>

   Time: linear in the number of nodes. Nothing recurses, so chains of 10,000 nodes are no problem. */
#include "farm/tree.h"

#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"
#include "base/xml.h"
#include "machine/platform_xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beliefs about transfers are given in MB/s and per MB/s. 1 MB = 10^6 bytes. */
static const double MB_BYTES = 1e6;

enum { MAX_CYCLE_NAMES = 12, MAX_TEXT_SHOWN = 40 };

enum quantity { WORK_PER_S, MB_PER_S, PER_MB_PER_S, RATIO };

struct belief {
    const char *id;
    enum quantity quantity;
    bool may_be_zero;
    double most;   /* in the file's unit */
    size_t offset; /* of the double in struct tree_node */
};

/* In the order in which messages list them. */
static const struct belief beliefs[] = {
    {"compute_rate", WORK_PER_S, true, INFINITY, offsetof(struct tree_node, compute_rate_flop_per_s)},
    {"max_transfer_rate", MB_PER_S, false, INFINITY, offsetof(struct tree_node, max_transfer_bytes_per_s)},
    {"ir_send", PER_MB_PER_S, true, MACHINE_MOST_IR_PER_MB_PER_S, offsetof(struct tree_node, ir_send_s_per_byte)},
    {"ir_recv", PER_MB_PER_S, true, MACHINE_MOST_IR_PER_MB_PER_S, offsetof(struct tree_node, ir_recv_s_per_byte)},
    {"send_limit", MB_PER_S, true, INFINITY, offsetof(struct tree_node, send_limit_bytes_per_s)},
    {"receive_drop", RATIO, true, INFINITY, offsetof(struct tree_node, receive_drop_ratio)},
};
static const size_t n_beliefs = sizeof beliefs / sizeof beliefs[0];

struct reading {
    const char *path;
    struct tree *tree;
    struct name_index *nodes; /* by host name */
    struct err *e;
};

static double in_si_units(double value, enum quantity quantity)
{
    switch (quantity) {
    case WORK_PER_S:
    case RATIO:
        return value;
    case MB_PER_S:
        return value * MB_BYTES;
    case PER_MB_PER_S:
        return value / MB_BYTES;
    }
    return value;
}

static const struct belief *find_belief(const char *id)
{
    for (size_t i = 0; i < n_beliefs; i++)
        if (strcmp(beliefs[i].id, id) == 0)
            return &beliefs[i];
    return NULL;
}

static enum err_code refuse_belief(const struct reading *r, const xmlNode *prop, const char *id)
{
    struct text known = {0};
    for (size_t i = 0; i < n_beliefs; i++)
        text_add_name(&known, beliefs[i].id);
    xml_refuse(r->e, r->path, prop, "unknown property '%s' of an actor%s", id,
               hint_among(id, text_str(&known), NULL).text);
    text_clear(&known);
    return ERR_INPUT;
}

static enum err_code read_belief(const struct reading *r, const xmlNode *prop, struct tree_node *node)
{
    static const char *const attributes[] = {"id", "value", NULL};
    enum err_code code = xml_check_attributes(prop, r->path, attributes, attributes, r->e);
    if (code != ERR_NONE)
        return code;
    const char *id = xml_attribute(prop, "id"), *value = xml_attribute(prop, "value");
    const struct belief *belief = find_belief(id);
    if (belief == NULL)
        return refuse_belief(r, prop, id);
    double x, *field = (double *)((char *)node + belief->offset);
    /* the only belief that may be a word: "what the platform says" (tree_bind) */
    if (field == &node->send_limit_bytes_per_s && strcmp(value, "platform") == 0 && isnan(*field)) {
        *field = TREE_LIMIT_OF_PLATFORM;
        return ERR_NONE;
    }
    if (!text_to_double(value, &x))
        return xml_refuse(r->e, r->path, prop, "property %s is '%s', which is not a finite number", id, value);
    if (x < 0 || (x <= 0 && !belief->may_be_zero))
        return xml_refuse(r->e, r->path, prop, "property %s is %s; it must %s", id, value,
                          belief->may_be_zero ? "not be negative" : "be above 0");
    if (x > belief->most)
        return xml_refuse(r->e, r->path, prop, "property %s is %s; it must be at most %g", id, value, belief->most);
    if (!isnan(*field))
        return xml_refuse(r->e, r->path, prop, "property %s is given twice", id);
    *field = in_si_units(x, belief->quantity);
    return ERR_NONE;
}

/* SimGrid's reader stops at any text, and says only which platform it was for. */
static enum err_code check_no_text(const struct reading *r, const xmlNode *element)
{
    static const char blank[] = " \t\r\n";
    for (const xmlNode *child = element->children; child != NULL; child = child->next) {
        bool is_text = child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE;
        const char *text = is_text && child->content != NULL ? (const char *)child->content : "";
        const char *start = text + strspn(text, blank);
        int n = (int)strcspn(start, blank);
        if (n == 0)
            continue;
        /* lines are known of elements: of the next one if it is in the text's line */
        const xmlNode *next = child->next != NULL && strchr(start, '\n') == NULL ? xml_next(child) : NULL;
        return xml_refuse(r->e, r->path, next != NULL ? next : element, "unexpected text '%.*s' in <%s>",
                          n < MAX_TEXT_SHOWN ? n : MAX_TEXT_SHOWN, start, xml_name(element));
    }
    return ERR_NONE;
}

static enum err_code read_parent(const struct reading *r, const xmlNode *argument, struct tree_node *node)
{
    static const char *const attributes[] = {"value", NULL};
    enum err_code code = xml_check_attributes(argument, r->path, attributes, attributes, r->e);
    if (code != ERR_NONE)
        return code;
    if (node->parent_name != NULL)
        return xml_refuse(
            r->e, r->path, argument,
            "unexpected second argument '%s'; an actor has one argument (its parent's host), the root has none",
            xml_attribute(argument, "value"));
    node->parent_name = mem_strdup(xml_attribute(argument, "value"));
    return ERR_NONE;
}

static enum err_code read_children(const struct reading *r, const xmlNode *actor, struct tree_node *node)
{
    enum err_code code = check_no_text(r, actor);
    for (const xmlNode *child = xml_first(actor); code == ERR_NONE && child != NULL; child = xml_next(child)) {
        if (xml_is(child, "argument"))
            code = read_parent(r, child, node);
        else if (xml_is(child, "prop"))
            code = read_belief(r, child, node);
        else
            code = xml_refuse(r->e, r->path, child, "unknown element <%s> in an actor; known: argument, prop",
                              xml_name(child));
        if (code == ERR_NONE)
            code = check_no_text(r, child);
    }
    return code;
}

static enum err_code check_actor(const struct reading *r, const xmlNode *actor)
{
    static const char *const attributes[] = {"host", "function", NULL};
    if (!xml_is(actor, "actor") && !xml_is(actor, "process"))
        return xml_refuse(r->e, r->path, actor, "unknown element <%s> in a deployment; known: actor", xml_name(actor));
    enum err_code code = xml_check_attributes(actor, r->path, attributes, attributes, r->e);
    if (code != ERR_NONE)
        return code;
    const char *function = xml_attribute(actor, "function");
    if (strcmp(function, "farm_node") != 0)
        return xml_refuse(r->e, r->path, actor, "unknown function '%s'; known: farm_node", function);
    return ERR_NONE;
}

static enum err_code read_actor(const struct reading *r, const xmlNode *actor, struct tree_node *node)
{
    enum err_code code = check_actor(r, actor);
    if (code != ERR_NONE)
        return code;
    node_id id = (node_id)(node - r->tree->nodes);
    *node = (struct tree_node){
        .host_name = mem_strdup(xml_attribute(actor, "host")),
        .host = -1,
        .parent = -1,
        .line = xml_line(actor),
        .compute_rate_flop_per_s = NAN,
        .max_transfer_bytes_per_s = NAN,
        .ir_send_s_per_byte = NAN,
        .ir_recv_s_per_byte = NAN,
        .send_limit_bytes_per_s = NAN,
        .receive_drop_ratio = NAN,
    };
    r->tree->n_nodes++;
    /* the index gives the number under which the name is known already */
    node_id first = name_index_add(r->nodes, node->host_name, id);
    if (first != id)
        return xml_refuse(r->e, r->path, actor, "duplicate actor on host '%s'; the first is on line %d",
                          node->host_name, r->tree->nodes[first].line);
    return read_children(r, actor, node);
}

/* Counted first, so that nodes do not move while they are read. */
static enum err_code read_actors(const struct reading *r, const xmlNode *root)
{
    size_t n = 0;
    for (const xmlNode *child = xml_first(root); child != NULL; child = xml_next(child))
        n++;
    if (n == 0)
        return xml_refuse(r->e, r->path, root, "the deployment has no actor");
    r->tree->nodes = mem_zalloc(n, sizeof r->tree->nodes[0]);
    enum err_code code = ERR_NONE;
    for (const xmlNode *child = xml_first(root); code == ERR_NONE && child != NULL; child = xml_next(child))
        code = read_actor(r, child, &r->tree->nodes[r->tree->n_nodes]);
    return code;
}

/* Finds the parents and the first root. */
static enum err_code link_parents(const struct reading *r)
{
    struct tree *t = r->tree;
    t->root = -1;
    for (node_id i = 0; i < t->n_nodes; i++) {
        struct tree_node *node = &t->nodes[i];
        if (node->parent_name == NULL && t->root >= 0)
            return err_set_at(
                r->e, ERR_INPUT, r->path, node->line,
                "a second root '%s'; only one actor may have no parent, and '%s' on line %d already has none",
                node->host_name, t->nodes[t->root].host_name, t->nodes[t->root].line);
        if (node->parent_name == NULL) {
            t->root = i;
            continue;
        }
        node->parent = name_index_find(r->nodes, node->parent_name);
        if (node->parent < 0) {
            return err_set_at(r->e, ERR_INPUT, r->path, node->line,
                              "the parent '%s' of '%s' is not one of the %d actors of the deployment%s",
                              node->parent_name, node->host_name, t->n_nodes,
                              name_index_hint(r->nodes, node->parent_name).text);
        }
    }
    return ERR_NONE;
}

static enum err_code refuse_cycle(const struct reading *r, node_id first)
{
    const struct tree *t = r->tree;
    struct text names = {0};
    node_id i = first;
    int n = 0;
    do {
        /* a cycle of thousands would fill the message */
        if (n++ < MAX_CYCLE_NAMES)
            text_addf(&names, "%s -> ", t->nodes[i].host_name);
        i = t->nodes[i].parent;
    } while (i != first);
    if (n > MAX_CYCLE_NAMES)
        text_addf(&names, "(%d more) -> ", n - MAX_CYCLE_NAMES);
    err_set_at(r->e, ERR_INPUT, r->path, t->nodes[first].line, "%sthe parents form a cycle: %s%s",
               t->root < 0 ? "there is no root because each actor has a parent; " : "", text_str(&names),
               t->nodes[first].host_name);
    text_clear(&names);
    return ERR_INPUT;
}

/* Walks up the parents from each node, as long as nodes have not been seen before. Meeting a node of the same walk
   means a cycle. */
static enum err_code check_cycles(const struct reading *r)
{
    const struct tree *t = r->tree;
    int *walk = mem_zalloc((size_t)t->n_nodes, sizeof walk[0]); /* the walk that has seen this node; 0: not seen */
    enum err_code code = ERR_NONE;
    for (node_id start = 0; code == ERR_NONE && start < t->n_nodes; start++) {
        node_id i = start;
        while (i >= 0 && walk[i] == 0) {
            /* each node is walked over once, so this is linear */
            walk[i] = start + 1;
            i = t->nodes[i].parent;
        }
        if (i >= 0 && walk[i] == start + 1)
            code = refuse_cycle(r, i);
    }
    free(walk);
    return code;
}

/* Twice over all nodes, to count and to fill, so children are in deployment order: ties of policies are broken by
   it. */
static void link_children(struct tree *t)
{
    for (node_id i = 0; i < t->n_nodes; i++)
        if (i != t->root)
            t->nodes[t->nodes[i].parent].n_children++;
    for (node_id i = 0; i < t->n_nodes; i++) {
        struct tree_node *node = &t->nodes[i];
        node->children = mem_zalloc((size_t)node->n_children, sizeof node->children[0]);
        node->n_children = 0;
    }
    for (node_id i = 0; i < t->n_nodes; i++)
        if (i != t->root) {
            struct tree_node *parent = &t->nodes[t->nodes[i].parent];
            parent->children[parent->n_children++] = i;
        }
}

/* No node sends to the root, so its properties about receiving do not count. */
static void settle_root(struct tree_node *root)
{
    root->max_transfer_bytes_per_s = NAN;
    root->ir_send_s_per_byte = NAN;
    root->ir_recv_s_per_byte = 0;
    root->receive_drop_ratio = 0;
}

static enum err_code read_tree(const struct reading *r, const xmlNode *root)
{
    enum err_code code = platform_xml_check_root(root, r->path, r->e);
    if (code == ERR_NONE)
        code = check_no_text(r, root);
    if (code == ERR_NONE)
        code = read_actors(r, root);
    if (code == ERR_NONE)
        code = link_parents(r);
    if (code == ERR_NONE)
        code = check_cycles(r);
    if (code != ERR_NONE)
        return code;
    link_children(r->tree);
    settle_root(&r->tree->nodes[r->tree->root]);
    return ERR_NONE;
}

static enum err_code read_document(const xmlDoc *doc, const char *path, struct tree *out, struct err *e)
{
    struct reading r = {.path = path, .tree = out, .nodes = name_index_create(), .e = e};
    out->source = mem_strdup(path);
    enum err_code code = read_tree(&r, xmlDocGetRootElement(doc));
    name_index_free(r.nodes);
    if (code != ERR_NONE)
        tree_clear(out);
    return code;
}

enum err_code deployment_parse(const char *bytes, size_t n, const char *path, struct tree *out, struct err *e)
{
    xmlDocPtr doc;
    *out = (struct tree){0};
    enum err_code code = xml_read(bytes, n, path, &doc, e);
    if (code == ERR_NONE)
        code = read_document(doc, path, out, e);
    xmlFreeDoc(doc);
    return code;
}

enum err_code deployment_read(const char *path, struct tree *out, struct err *e)
{
    xmlDocPtr doc;
    *out = (struct tree){0};
    enum err_code code = xml_read_file(path, &doc, e);
    if (code == ERR_NONE)
        code = read_document(doc, path, out, e);
    xmlFreeDoc(doc);
    return code;
}
