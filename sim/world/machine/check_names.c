/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names in a platform file: no name may be given twice. If two properties of an element have one name, SimGrid keeps
   the first; that matters for our properties only. */
#include "machine/platform_check.h"

#include "base/mem.h"
#include "machine/machine.h"

#include <string.h>

/* Names that the document does not hold (l_UP) live in `owned` until all checks are done, because the indices borrow
   them. */
static const char *own(struct platform_check *c, char *name)
{
    MEM_GROW(c->owned, c->n_owned, c->owned_capacity);
    return c->owned[c->n_owned++] = name;
}

static enum err_code add(struct platform_check *c, struct name_index *names, const xmlNode *element, const char *name,
                         const char *kind)
{
    if (name_index_find(names, name) >= 0)
        return xml_refuse(c->e, c->path, element, "duplicate %s '%s'; the first is on line %d", kind, name,
                          name_index_find(names, name));
    name_index_add(names, name, xml_line(element));
    return ERR_NONE;
}

static enum err_code add_link(struct platform_check *c, const xmlNode *link)
{
    const char *id = id_of(link);
    if (!xml_is(link, "link") || !is_split_duplex(link))
        return add(c, c->links, link, id, "link");
    /* Two links with one name of the user's, and two for SimGrid: "l_UP" may also clash with a link that somebody
       called so. */
    enum err_code code = add(c, c->split_links, link, id, "split-duplex link");
    if (code == ERR_NONE)
        code = add(c, c->links, link, own(c, mem_format("%s_UP", id)), "link");
    if (code == ERR_NONE)
        code = add(c, c->links, link, own(c, mem_format("%s_DOWN", id)), "link");
    return code;
}

/* Other properties belong to the user. One of ours that is given twice is a mistake that changes results. */
static enum err_code check_properties(struct platform_check *c, const xmlNode *owner)
{
    struct name_index *seen = name_index_create();
    enum err_code code = ERR_NONE;
    for (const xmlNode *prop = xml_first(owner); code == ERR_NONE && prop != NULL; prop = xml_next(prop)) {
        if (!xml_is(prop, "prop") || !machine_property_is_ours(id_of(prop)))
            continue;
        int first = name_index_find(seen, id_of(prop));
        /* After the look-up: adding an existing name would return the first line. */
        name_index_add(seen, id_of(prop), xml_line(prop));
        if (first >= 0)
            code = xml_refuse(c->e, c->path, prop, "%s '%s': property %s is given twice; the first is on line %d",
                              xml_name(owner), id_of(owner), id_of(prop), first);
    }
    name_index_free(seen);
    return code;
}

/* Hosts, peers and routers share one space of names, zones and clusters another, links a third. */
static enum err_code check_element(struct platform_check *c, const xmlNode *element)
{
    enum err_code code = ERR_NONE;
    bool is_host = xml_is(element, "host") || xml_is(element, "peer");
    if (is_host || xml_is(element, "router"))
        code = add(c, c->nodes, element, id_of(element), xml_name(element));
    else if (is_zone(element) || xml_is(element, "cluster"))
        code = add(c, c->zones, element, id_of(element), "zone");
    else if (xml_is(element, "link") || xml_is(element, "backbone"))
        code = add_link(c, element);
    if (code == ERR_NONE && (is_host || xml_is(element, "cluster") || xml_is(element, "link")))
        code = check_properties(c, element);
    return code;
}

enum err_code check_names(struct platform_check *c)
{
    enum err_code code = ERR_NONE;
    for (const xmlNode *n = c->root; code == ERR_NONE && n != NULL; n = xml_following(c->root, n))
        code = check_element(c, n);
    return code;
}
