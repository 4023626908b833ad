/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements of a platform file: those on which SimGrid crashes, those that it silently ignores because they are in the
   wrong zone, and the lists of numbers in clusters. */
#include "machine/platform_check.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Millions of hosts that nobody meant are one wrong digit in a radical. */
enum { MAX_CLUSTER_HOSTS = 10000000 }; /* SimGrid would need about 30 GB for them */

static const char *const routings[] = {"Full", "Floyd",   "Dijkstra", "DijkstraCache",
                                       "None", "Cluster", "Vivaldi",  "Wifi"};
enum { N_ROUTINGS = sizeof routings / sizeof routings[0] };

/* An element that is not a zone has no routing, so callers may ask about any parent. */
bool routing_is(const xmlNode *zone, const char *routing)
{
    const char *own = is_zone(zone) ? xml_attribute(zone, "routing") : NULL;
    return own != NULL && strcasecmp(own, routing) == 0;
}

bool is_zone(const xmlNode *element)
{
    return element->type == XML_ELEMENT_NODE && (xml_is(element, "zone") || xml_is(element, "AS"));
}

const char *id_of(const xmlNode *element)
{
    const char *id = xml_attribute(element, "id");
    return id != NULL ? id : "";
}

/* FULLDUPLEX is the name in old files. Such a link is two links for SimGrid, l_UP and l_DOWN. */
bool is_split_duplex(const xmlNode *link)
{
    const char *policy = xml_attribute(link, "sharing_policy");
    return policy != NULL && (strcmp(policy, "SPLITDUPLEX") == 0 || strcmp(policy, "FULLDUPLEX") == 0);
}

static bool is_one_of(const xmlNode *element, const char *const *names)
{
    for (; *names != NULL; names++)
        if (xml_is(element, *names))
            return true;
    return false;
}

static enum err_code check_routing(const struct platform_check *c, const xmlNode *zone)
{
    struct text known = {0};
    const char *routing = xml_attribute(zone, "routing");
    for (size_t i = 0; i < N_ROUTINGS; i++)
        /* Without a routing the element is left to SimGrid. */
        if (routing == NULL || strcasecmp(routing, routings[i]) == 0)
            return ERR_NONE;
    text_add_names(&known, routings, N_ROUTINGS);
    xml_refuse(c->e, c->path, zone, "zone '%s' has the unknown routing '%s'%s", id_of(zone), routing,
               hint_among(routing, text_str(&known), NULL).text);
    text_clear(&known);
    return ERR_INPUT;
}

static enum err_code check_place(const struct platform_check *c, const xmlNode *element)
{
    static const char *const removed[] = {"include", "storage", "storage_type", "mount", NULL};
    static const char *const actors[] = {"actor", "process", NULL};
    /* Elements that mean something only in zones of one kind. SimGrid accepts them anywhere and does nothing with
       them, so the platform would be another one than was written. */
    static const char *const of_clusters[] = {"host_link", "cabinet", "backbone", NULL};
    static const char *const routes[] = {"route",           "zoneRoute",     "ASroute", "bypassRoute",
                                         "bypassZoneRoute", "bypassASroute", NULL};
    if (is_one_of(element, removed))
        return xml_refuse(c->e, c->path, element, "<%s> has been removed from SimGrid", xml_name(element));
    if (is_one_of(element, actors))
        return xml_refuse(c->e, c->path, element, "<%s> belongs in a deployment, not in a platform", xml_name(element));
    if (is_one_of(element, of_clusters) && !routing_is(element->parent, "Cluster"))
        return xml_refuse(c->e, c->path, element, "<%s> '%s' has no effect outside a zone with routing Cluster",
                          xml_name(element), id_of(element));
    if (xml_is(element, "peer") && !routing_is(element->parent, "Vivaldi"))
        return xml_refuse(c->e, c->path, element, "<peer> '%s' has no effect outside a zone with routing Vivaldi",
                          id_of(element));
    if (is_one_of(element, routes) && routing_is(element->parent, "None"))
        return xml_refuse(c->e, c->path, element, "<%s> in zone '%s': routing None has no routes", xml_name(element),
                          id_of(element->parent));
    return ERR_NONE;
}

/* The second child of `zone` called `name`; NULL: there is at most one. */
static const xmlNode *second_child(const xmlNode *zone, const char *name)
{
    int n = 0;
    for (const xmlNode *child = xml_first(zone); child != NULL; child = xml_next(child))
        /* Counting stops at the second: its line is what the message needs. */
        if (xml_is(child, name) && ++n == 2)
            return child;
    return NULL;
}

static enum err_code check_wifi(const struct platform_check *c, const xmlNode *zone)
{
    const xmlNode *second = second_child(zone, "link");
    if (second != NULL)
        return xml_refuse(c->e, c->path, second,
                          "link '%s' is the second link in the Wifi zone '%s'; there must be only one", id_of(second),
                          id_of(zone));
    for (const xmlNode *child = xml_first(zone); child != NULL; child = xml_next(child)) {
        if (xml_is(child, "link") && is_split_duplex(child))
            return xml_refuse(c->e, c->path, child,
                              "link '%s' is split-duplex, that is two links, but the Wifi zone '%s' can have only one",
                              id_of(child), id_of(zone));
        const char *latency = xml_is(child, "link") ? xml_attribute(child, "latency") : NULL;
        double latency_s = 0;
        /* A latency that is no quantity at all is left to check_quantities, which runs later. */
        if (latency != NULL && quantity_parse(latency, UNIT_S, &latency_s) <= QUANTITY_NO_UNIT && latency_s > 0)
            return xml_refuse(c->e, c->path, child, "link '%s': latency '%s' must be 0 in the Wifi zone '%s'",
                              id_of(child), latency, id_of(zone));
    }
    return ERR_NONE;
}

static enum err_code check_zone(const struct platform_check *c, const xmlNode *zone)
{
    enum err_code code = check_routing(c, zone);
    const xmlNode *second = second_child(zone, "backbone");
    if (code == ERR_NONE && second != NULL)
        return xml_refuse(c->e, c->path, second,
                          "a second <backbone> '%s' in zone '%s'; SimGrid would ignore one of them", id_of(second),
                          id_of(zone));
    if (code == ERR_NONE && routing_is(zone, "Wifi"))
        code = check_wifi(c, zone);
    return code;
}

/* Reads a whole number that is not negative, perhaps with blanks around it, and moves `at` past it. */
static bool take_number(const char **at, long *out)
{
    const char *from = *at + strspn(*at, " \t\r\n");
    char *end;
    /* strtol would also accept a sign: "-1" is a range without a beginning. */
    if (!isdigit((unsigned char)*from))
        return false;
    *out = strtol(from, &end, 10);
    *at = end + strspn(end, " \t\r\n");
    /* LONG_MAX after an overflow is also above INT_MAX. SimGrid keeps these numbers in an int. */
    return *out <= INT_MAX;
}

bool radical_parse(const char *text, bool (*range)(void *self, long first, long last), void *self)
{
    for (const char *at = text;; at++) {
        long first, last;
        if (!take_number(&at, &first))
            return false;
        last = first;
        /* A list such as 0-3,7: after a number comes a dash, a comma or the end. */
        if (*at == '-' && (at++, !take_number(&at, &last)))
            return false;
        if (last < first || !range(self, first, last))
            return false;
        if (*at == '\0')
            return true;
        if (*at != ',')
            return false;
    }
}

static bool count_range(void *self, long first, long last)
{
    long *n = self;
    *n += last - first + 1;
    /* Stops the parse before the sum can overflow. */
    return *n <= MAX_CLUSTER_HOSTS;
}

static enum err_code check_radical(const struct platform_check *c, const xmlNode *element, long *n_hosts)
{
    const char *radical = xml_attribute(element, "radical");
    *n_hosts = 0;
    if (radical == NULL || radical_parse(radical, count_range, n_hosts))
        return ERR_NONE;
    /* The count says whether the list stopped at the limit or at a mistake. */
    if (*n_hosts > MAX_CLUSTER_HOSTS)
        return xml_refuse(c->e, c->path, element, "%s '%s': radical '%s' makes more than %d hosts", xml_name(element),
                          id_of(element), radical, MAX_CLUSTER_HOSTS);
    return xml_refuse(c->e, c->path, element,
                      "%s '%s': radical '%s' is not a list of numbers and rising ranges such as 0-3,7",
                      xml_name(element), id_of(element), radical);
}

/* The product of the numbers at the beginning of each piece of `text`; -1: a piece does not begin with a number. */
static long product_of(const char *text, const char *separators, size_t n_pieces)
{
    long product = 1;
    for (size_t i = 0; i < n_pieces; i++) {
        char *end;
        long factor = strtol(text, &end, 10);
        /* Both factors are limited before they are multiplied, so the product stays far below LONG_MAX. */
        if (end == text || factor < 1 || factor > MAX_CLUSTER_HOSTS || product > MAX_CLUSTER_HOSTS)
            return -1;
        product *= factor;
        text += strcspn(text, separators);
        text += *text != '\0';
    }
    return product;
}

static size_t count_pieces(const char *text, char separator)
{
    size_t n = 1;
    for (; *text != '\0'; text++)
        n += *text == separator;
    return n;
}

/* The number of hosts that topo_parameters need; -1: unknown, SimGrid itself will complain.
   Torus "3,2,2"; fat tree "levels;down,down;up,up;n,n"; dragonfly "groups,n;chassis,n;routers,n;nodes". */
static long topology_hosts(const char *topology, const char *parameters)
{
    if (strcmp(topology, "TORUS") == 0)
        return product_of(parameters, ",", count_pieces(parameters, ','));
    if (strcmp(topology, "DRAGONFLY") == 0)
        return count_pieces(parameters, ';') == 4 ? product_of(parameters, ";", 4) : -1;
    if (strcmp(topology, "FAT_TREE") == 0) {
        const char *down = parameters + strcspn(parameters, ";");
        long levels = strtol(parameters, NULL, 10);
        /* Levels are limited because each takes a factor from the text. */
        if (*down == '\0' || levels < 1 || levels > 64)
            return -1;
        return product_of(down + 1, ",", (size_t)levels);
    }
    return -1;
}

static bool is_dragonfly_form(const char *parameters)
{
    size_t pieces = 0;
    /* Three pairs and a single number, separated by semicolons. */
    for (const char *at = parameters; pieces < 4; pieces++) {
        size_t length = strcspn(at, ";"), commas = 0;
        for (size_t i = 0; i < length; i++)
            commas += at[i] == ',';
        if (length == 0 || commas != (pieces < 3 ? 1u : 0u) || (at[length] == '\0') != (pieces == 3))
            return false;
        at += length + 1;
    }
    return true;
}

static enum err_code check_topology(const struct platform_check *c, const xmlNode *cluster, long n_hosts)
{
    const char *topology = xml_attribute(cluster, "topology");
    const char *parameters = xml_attribute(cluster, "topo_parameters");
    if (topology == NULL)
        return ERR_NONE;
    if (parameters == NULL)
        parameters = "";
    if (strcmp(topology, "DRAGONFLY") == 0 && !is_dragonfly_form(parameters))
        return xml_refuse(c->e, c->path, cluster,
                          "cluster '%s': topo_parameters '%s' are not of the form 3,4;3,2;3,1;2", id_of(cluster),
                          parameters);
    long wanted = topology_hosts(topology, parameters);
    /* Only too few hosts are refused here. */
    if (wanted > n_hosts)
        return xml_refuse(c->e, c->path, cluster,
                          "cluster '%s': topo_parameters '%s' need %ld hosts, but the radical has %ld", id_of(cluster),
                          parameters, wanted, n_hosts);
    if (SIMGRID_MAJOR >= 4 && cluster->parent == c->root && strcmp(topology, "FLAT") != 0)
        return xml_refuse(c->e, c->path, cluster,
                          "cluster '%s' of topology %s: SimGrid 4 crashes on it outside a zone; put it into a <zone> "
                          "with routing Full",
                          id_of(cluster), topology);
    return ERR_NONE;
}

static enum err_code check_element(const struct platform_check *c, const xmlNode *element)
{
    long n_hosts;
    enum err_code code = check_place(c, element);
    if (code == ERR_NONE && is_zone(element))
        code = check_zone(c, element);
    if (code == ERR_NONE && (xml_is(element, "cluster") || xml_is(element, "cabinet"))) {
        code = check_radical(c, element, &n_hosts);
        if (code == ERR_NONE && xml_is(element, "cluster"))
            code = check_topology(c, element, n_hosts);
    }
    return code;
}

enum err_code check_elements(struct platform_check *c)
{
    enum err_code code = ERR_NONE;
    bool has_zone = false;
    /* At the top only: a cluster or a zone must be there to hold everything else. */
    for (const xmlNode *n = xml_first(c->root); n != NULL; n = xml_next(n))
        has_zone = has_zone || is_zone(n) || xml_is(n, "cluster");
    for (const xmlNode *n = c->root; code == ERR_NONE && n != NULL; n = xml_following(c->root, n))
        code = check_element(c, n);
    if (code == ERR_NONE && !has_zone)
        code = xml_refuse(c->e, c->path, c->root, "the platform has neither a <zone> nor a <cluster>");
    return code;
}
