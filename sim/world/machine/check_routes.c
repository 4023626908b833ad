/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Routes and host_links. SimGrid aborts on a route given twice, crashes on one that ends at a zone, and in a
   Dijkstra zone it searches forever (or crashes) for a route that does not exist. Dijkstra zones must therefore be
   connected. */
#include "machine/platform_check.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool is_zone_route(const xmlNode *element)
{
    return xml_is(element, "zoneRoute") || xml_is(element, "ASroute");
}

static bool is_route(const xmlNode *element)
{
    return xml_is(element, "route") || is_zone_route(element);
}

static const char *end_of(const xmlNode *route, const char *which)
{
    const char *name = xml_attribute(route, which);
    return name != NULL ? name : "";
}

/* Absent means yes. */
static bool is_symmetrical(const xmlNode *route)
{
    const char *text = xml_attribute(route, "symmetrical");
    return text == NULL || strcmp(text, "YES") == 0 || strcmp(text, "yes") == 0;
}

static enum err_code check_end(const struct platform_check *c, const xmlNode *route, const char *which)
{
    const char *name = end_of(route, which);
    if (is_zone_route(route) && strcmp(name, id_of(route->parent)) == 0)
        return xml_refuse(c->e, c->path, route, "<%s> %s='%s' names the zone that the route is in", xml_name(route),
                          which, name);
    /* Only if the name is not also that of a host: zones and hosts have separate spaces of names. A name that is
       neither is left to SimGrid. */
    if (xml_is(route, "route") && name_index_find(c->nodes, name) < 0 && name_index_find(c->zones, name) >= 0)
        return xml_refuse(c->e, c->path, route, "<route> %s='%s' names a zone; it must be a host or a router", which,
                          name);
    return ERR_NONE;
}

/* One name for both ends, with a line feed between them, which an XML attribute cannot hold unescaped: "a" to "b c"
   differs from "a b" to "c". */
struct pairs { /* the ends of routes, in their direction */
    struct name_index *index;
    char **names;
    size_t n, capacity;
};

static enum err_code add_pair(const struct platform_check *c, struct pairs *p, const xmlNode *route, const char *src,
                              const char *dst)
{
    char *name = mem_format("%s\n%s", src, dst);
    MEM_GROW(p->names, p->n, p->capacity);
    p->names[p->n++] = name;
    /* Before adding: an existing name would keep its first line. */
    int first = name_index_find(p->index, name);
    name_index_add(p->index, name, xml_line(route));
    if (first < 0)
        return ERR_NONE;
    return xml_refuse(c->e, c->path, route,
                      "duplicate route from '%s' to '%s'; the first is on line %d (a route also applies in the other "
                      "direction unless it has symmetrical=\"NO\")",
                      src, dst, first);
}

static enum err_code check_route(const struct platform_check *c, struct pairs *p, const xmlNode *route)
{
    const char *src = end_of(route, "src"), *dst = end_of(route, "dst");
    bool to_itself = strcmp(src, dst) == 0, is_full = routing_is(route->parent, "Full");
    enum err_code code = check_end(c, route, "src");
    if (code == ERR_NONE)
        code = check_end(c, route, "dst");
    if (code != ERR_NONE)
        return code;
    /* A symmetrical route adds its reverse, which is the same here: SimGrid would find it given twice. Zones with
       routing Full accept it. */
    if (to_itself && is_symmetrical(route) && !is_full && xml_is(route, "route"))
        return xml_refuse(c->e, c->path, route, "the route from '%s' to itself needs symmetrical=\"NO\" in this zone",
                          src);
    code = add_pair(c, p, route, src, dst);
    if (code == ERR_NONE && is_symmetrical(route) && !to_itself)
        code = add_pair(c, p, route, dst, src);
    return code;
}

static void clear_pairs(struct pairs *p)
{
    name_index_free(p->index);
    for (size_t i = 0; i < p->n; i++)
        free(p->names[i]);
    free(p->names);
}

/* The routes of a Dijkstra zone as a graph. A host without any route is not in it, because SimGrid reports it at
   once. */
struct graph {
    struct name_index *index;
    const xmlNode **ends; /* of each node: its host or zone; NULL: a router, where no route has to end */
    int n_nodes;
    int (*edges)[2];
    size_t n_edges;
};

/* The number of the name, or a new one: name_index_add returns the number exactly if it is new. */
static int node_of(struct graph *g, const char *name)
{
    int id = name_index_add(g->index, name, g->n_nodes);
    g->n_nodes += id == g->n_nodes;
    return id;
}

static void add_edge(struct graph *g, int from, int to)
{
    g->edges[g->n_edges][0] = from;
    g->edges[g->n_edges++][1] = to;
}

static void build_graph(struct graph *g, const xmlNode *zone)
{
    /* At most two ends and two directions for each child. */
    size_t n = 0;
    for (const xmlNode *child = xml_first(zone); child != NULL; child = xml_next(child))
        n++;
    *g = (struct graph){.index = name_index_create()};
    g->ends = mem_zalloc(2 * n, sizeof g->ends[0]);
    g->edges = mem_zalloc(2 * n, sizeof g->edges[0]);
    for (const xmlNode *child = xml_first(zone); child != NULL; child = xml_next(child)) {
        if (!is_route(child))
            continue;
        int src = node_of(g, end_of(child, "src")), dst = node_of(g, end_of(child, "dst"));
        add_edge(g, src, dst);
        if (is_symmetrical(child))
            add_edge(g, dst, src);
    }
    /* In a second pass, because a route may stand before the hosts that it connects. */
    for (const xmlNode *child = xml_first(zone); child != NULL; child = xml_next(child)) {
        int id = name_index_find(g->index, id_of(child));
        if (id >= 0 && (xml_is(child, "host") || is_zone(child) || xml_is(child, "cluster")))
            g->ends[id] = child;
    }
}

static void clear_graph(struct graph *g)
{
    name_index_free(g->index);
    free(g->ends);
    free(g->edges);
}

/* Marks the nodes that can be reached from node `start` by following edges from end `tail` to the other end: with
   tail 0 forwards, with tail 1 backwards. Linear time: edges are first sorted into lists by their tail. A stack
   instead of recursion, for chains of thousands of routers. */
static bool *reach(const struct graph *g, int start, int tail)
{
    size_t n = (size_t)g->n_nodes;
    int *first = mem_alloc((n + 1) * sizeof first[0]), *next = mem_alloc((g->n_edges + 1) * sizeof next[0]);
    int *stack = mem_alloc((n + 1) * sizeof stack[0]);
    bool *reached = mem_zalloc(n, sizeof reached[0]);
    for (size_t i = 0; i < n; i++)
        first[i] = -1;
    for (size_t k = 0; k < g->n_edges; k++) {
        next[k] = first[g->edges[k][tail]];
        first[g->edges[k][tail]] = (int)k;
    }
    size_t depth = 0;
    stack[depth++] = start;
    reached[start] = true;
    while (depth > 0) {
        for (int k = first[stack[--depth]]; k >= 0; k = next[k]) {
            int to = g->edges[k][1 - tail];
            if (!reached[to])
                stack[depth++] = to;
            reached[to] = true;
        }
    }
    free(first);
    free(next);
    free(stack);
    return reached;
}

/* Routers may be unreachable: no data begin or end there. */
static enum err_code check_reached(const struct platform_check *c, const xmlNode *zone, const struct graph *g,
                                   int start, const bool *reached, bool is_way_back)
{
    for (int i = 0; i < g->n_nodes; i++) {
        if (reached[i] || g->ends[i] == NULL)
            continue;
        /* The line of the host that cannot be reached, not that of the zone, which may have hundreds. */
        const char *first = id_of(g->ends[start]), *other = id_of(g->ends[i]);
        return xml_refuse(c->e, c->path, g->ends[i],
                          "zone '%s' has no route from '%s' to '%s'; SimGrid's %s would search for it forever",
                          id_of(zone), is_way_back ? other : first, is_way_back ? first : other,
                          xml_attribute(zone, "routing"));
    }
    return ERR_NONE;
}

/* Every host reaches every other one if one host reaches all and is reached from all: two searches instead of one
   for each host. */
static enum err_code check_connected(const struct platform_check *c, const xmlNode *zone)
{
    struct graph g;
    build_graph(&g, zone);
    enum err_code code = ERR_NONE;
    int start = 0;
    /* A start must be a host or a zone. If only routers have routes, nothing has to be connected. */
    while (start < g.n_nodes && g.ends[start] == NULL)
        start++;
    for (int tail = 0; code == ERR_NONE && start < g.n_nodes && tail < 2; tail++) {
        bool *reached = reach(&g, start, tail);
        code = check_reached(c, zone, &g, start, reached, tail == 1);
        free(reached);
    }
    clear_graph(&g);
    return code;
}

/* Names of the same route are looked for within one zone: SimGrid keeps routes by zone. */
static enum err_code check_zone(const struct platform_check *c, const xmlNode *zone)
{
    struct pairs p = {.index = name_index_create()};
    enum err_code code = ERR_NONE;
    for (const xmlNode *child = xml_first(zone); code == ERR_NONE && child != NULL; child = xml_next(child))
        if (is_route(child))
            code = check_route(c, &p, child);
    clear_pairs(&p);
    if (code == ERR_NONE && (routing_is(zone, "Dijkstra") || routing_is(zone, "DijkstraCache")))
        code = check_connected(c, zone);
    return code;
}

static enum err_code check_host_link(const struct platform_check *c, const xmlNode *host_link, const char *which)
{
    const char *name = end_of(host_link, which);
    /* "__loopback__" is SimGrid's own link. */
    if (name_index_find(c->links, name) >= 0 || strcmp(name, "__loopback__") == 0)
        return ERR_NONE;
    if (name_index_find(c->split_links, name) >= 0)
        return xml_refuse(c->e, c->path, host_link,
                          "host_link '%s': %s='%s' is a split-duplex link; use %s_UP or %s_DOWN", id_of(host_link),
                          which, name, name, name);
    return xml_refuse(c->e, c->path, host_link, "host_link '%s': %s='%s' is not a link of the platform",
                      id_of(host_link), which, name);
}

static enum err_code check_access_point(const struct platform_check *c, const xmlNode *zone)
{
    for (const xmlNode *prop = xml_first(zone); prop != NULL; prop = xml_next(prop)) {
        const char *name = xml_attribute(prop, "value");
        if (xml_is(prop, "prop") && strcmp(id_of(prop), "access_point") == 0 && name != NULL &&
            name_index_find(c->nodes, name) < 0)
            return xml_refuse(c->e, c->path, prop,
                              "access_point '%s' of the Wifi zone '%s' is neither a host nor a router", name,
                              id_of(zone));
    }
    return ERR_NONE;
}

enum err_code check_routes(struct platform_check *c)
{
    enum err_code code = ERR_NONE;
    for (const xmlNode *n = c->root; code == ERR_NONE && n != NULL; n = xml_following(c->root, n)) {
        /* Zones of these kinds make their routes themselves. */
        if (is_zone(n) && !routing_is(n, "Cluster") && !routing_is(n, "Vivaldi"))
            code = check_zone(c, n);
        if (code == ERR_NONE && routing_is(n, "Wifi"))
            code = check_access_point(c, n);
        if (code == ERR_NONE && xml_is(n, "host_link"))
            code = check_host_link(c, n, "up");
        if (code == ERR_NONE && xml_is(n, "host_link"))
            code = check_host_link(c, n, "down");
    }
    return code;
}
