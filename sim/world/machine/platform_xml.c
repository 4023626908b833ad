/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads a platform file and runs the checks, in an order in which later ones may rely on earlier ones: elements are
   where they may be, numbers are numbers, names are unique, and then routes and profiles refer to them.

   The document is kept after the checks, because SimGrid's messages and ours want lines: SimGrid forgets where a
   property was written. */
#include "machine/platform_xml.h"

#include "base/mem.h"
#include "base/text.h"
#include "machine/platform_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid compares the version times 100, rounded. */
enum { OLDEST_VERSION_PERCENT = 400, NEWEST_VERSION_PERCENT = 410 };

enum err_code platform_xml_check_root(const xmlNode *root, const char *path, struct err *e)
{
    if (!xml_is(root, "platform"))
        return err_set_at(e, ERR_PARSE, path, xml_line(root),
                          "the outermost element is <%s>; SimGrid's files begin with <platform version=\"4.1\">",
                          xml_name(root));
    const char *version = xml_attribute(root, "version");
    double number;
    if (version == NULL)
        return err_set_at(e, ERR_PARSE, path, xml_line(root), "<platform> has no version; known: 4, 4.1");
    /* The number is limited before it is multiplied and rounded: lround of a huge number is undefined. */
    if (!text_to_double(version, &number) || number < 0 || number > NEWEST_VERSION_PERCENT ||
        lround(100 * number) < OLDEST_VERSION_PERCENT || lround(100 * number) > NEWEST_VERSION_PERCENT)
        return err_set_at(e, ERR_PARSE, path, xml_line(root), "unknown version '%s' of SimGrid's format; known: 4, 4.1",
                          version);
    return ERR_NONE;
}

static enum err_code run_checks(struct platform_check *c)
{
    enum err_code code = platform_xml_check_root(c->root, c->path, c->e);
    if (code == ERR_NONE)
        code = check_elements(c);
    if (code == ERR_NONE)
        code = check_config(c);
    if (code == ERR_NONE)
        code = check_quantities(c);
    if (code == ERR_NONE)
        code = check_names(c);
    if (code == ERR_NONE)
        code = check_routes(c);
    if (code == ERR_NONE)
        code = check_profiles(c);
    return code;
}

/* SimGrid itself would only complain about a bad character in the prolog. Only files are asked for the line: texts
   in memory come from tests, which leave it out. */
static enum err_code check_doctype(const struct platform_xml *p, struct err *e)
{
    if (p->doc->intSubset != NULL)
        return ERR_NONE;
    return err_set_at(
        e, ERR_PARSE, p->path, xml_line(xmlDocGetRootElement(p->doc)),
        "SimGrid requires the line <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"> before <platform>");
}

static enum err_code check(struct platform_xml *p, struct err *e)
{
    /* The indices borrow names from the document, which lives longer than they do; names made by the checks are in
       `owned`. */
    struct platform_check c = {
        .xml = p,
        .path = p->path,
        .root = xmlDocGetRootElement(p->doc),
        .nodes = name_index_create(),
        .zones = name_index_create(),
        .links = name_index_create(),
        .split_links = name_index_create(),
        .e = e,
    };
    enum err_code code = run_checks(&c);
    name_index_free(c.nodes);
    name_index_free(c.zones);
    name_index_free(c.links);
    name_index_free(c.split_links);
    for (size_t i = 0; i < c.n_owned; i++)
        free(c.owned[i]);
    free(c.owned);
    return code;
}

static enum err_code check_document(xmlDocPtr doc, const char *path, struct platform_xml **out, struct err *e)
{
    struct platform_xml *p = mem_zalloc(1, sizeof *p);
    p->path = mem_strdup(path);
    p->doc = doc;
    enum err_code code = check(p, e);
    if (code == ERR_NONE)
        *out = p;
    else
        platform_xml_free(p);
    return code;
}

enum err_code platform_xml_read(const char *path, struct platform_xml **out, struct err *e)
{
    xmlDocPtr doc;
    *out = NULL;
    enum err_code code = xml_read_file(path, &doc, e);
    if (code == ERR_NONE)
        code = check_document(doc, path, out, e);
    if (code == ERR_NONE)
        code = check_doctype(*out, e);
    if (code != ERR_NONE && *out != NULL) {
        platform_xml_free(*out);
        *out = NULL;
    }
    return code;
}

enum err_code platform_xml_parse(const char *bytes, size_t n, const char *path, struct platform_xml **out,
                                 struct err *e)
{
    xmlDocPtr doc;
    *out = NULL;
    enum err_code code = xml_read(bytes, n, path, &doc, e);
    return code == ERR_NONE ? check_document(doc, path, out, e) : code;
}

void platform_xml_free(struct platform_xml *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_files; i++)
        free(p->files[i]);
    free(p->files);
    free(p->path);
    xmlFreeDoc(p->doc);
    free(p);
}

bool platform_xml_may_have_profiles(const struct platform_xml *p)
{
    return p->n_files > 0 || p->connects_traces;
}

size_t platform_xml_n_files(const struct platform_xml *p)
{
    return p->n_files;
}

const char *platform_xml_file(const struct platform_xml *p, size_t i)
{
    return p->files[i];
}

/* A radical may have millions of numbers, so ranges are compared and never written out. */
struct member {
    long number;
    bool found;
};

static bool look_for_member(void *self, long first, long last)
{
    struct member *m = self;
    m->found = m->found || (first <= m->number && m->number <= last);
    return true;
}

/* Whether the host `name` is PREFIX, a number of the radical, SUFFIX: SimGrid makes these hosts, and the document
   does not have them. */
static bool is_member(const xmlNode *cluster, const char *name)
{
    const char *prefix = xml_attribute(cluster, "prefix"), *suffix = xml_attribute(cluster, "suffix");
    const char *radical = xml_attribute(cluster, "radical");
    if (prefix == NULL || suffix == NULL || radical == NULL)
        return false;
    size_t length = strlen(name), n_prefix = strlen(prefix), n_suffix = strlen(suffix);
    char digits[24] = "";
    /* There must be a digit left between both, and few enough of them to be a number. */
    if (length <= n_prefix + n_suffix || length - n_prefix - n_suffix >= sizeof digits)
        return false;
    memcpy(digits, name + n_prefix, length - n_prefix - n_suffix);
    struct member m = {0};
    return strncmp(name, prefix, n_prefix) == 0 && strcmp(name + length - n_suffix, suffix) == 0 &&
           text_to_long(digits, &m.number) && radical_parse(radical, look_for_member, &m) && m.found;
}

static bool is_owner(const xmlNode *element, const char *kind, const char *name)
{
    if (strcmp(kind, "host") == 0 && xml_is(element, "cluster"))
        return is_member(element, name);
    /* <peer> also makes a host. */
    return (xml_is(element, kind) || (strcmp(kind, "host") == 0 && xml_is(element, "peer"))) &&
           strcmp(id_of(element), name) == 0;
}

int platform_xml_property_line(const struct platform_xml *p, const char *element, const char *name, const char *id)
{
    const xmlNode *root = xmlDocGetRootElement(p->doc);
    /* The first owner that has the property: names are unique, so there is no other. */
    for (const xmlNode *owner = root; owner != NULL; owner = xml_following(root, owner)) {
        if (!is_owner(owner, element, name))
            continue;
        for (const xmlNode *prop = xml_first(owner); prop != NULL; prop = xml_next(prop))
            if (xml_is(prop, "prop") && strcmp(id_of(prop), id) == 0)
                return xml_line(prop);
    }
    return 0;
}

static const xmlNode *find_config(const struct platform_xml *p, const char *key)
{
    const xmlNode *root = xmlDocGetRootElement(p->doc);
    for (const xmlNode *config = xml_first(root); config != NULL; config = xml_next(config))
        for (const xmlNode *prop = xml_is(config, "config") ? xml_first(config) : NULL; prop != NULL;
             prop = xml_next(prop))
            if (xml_is(prop, "prop") && strcmp(id_of(prop), key) == 0)
                return prop;
    return NULL;
}

int platform_xml_config_line(const struct platform_xml *p, const char *key)
{
    const xmlNode *prop = find_config(p, key);
    return prop != NULL ? xml_line(prop) : 0;
}

const char *platform_xml_config(const struct platform_xml *p, const char *key)
{
    const xmlNode *prop = find_config(p, key);
    return prop != NULL ? xml_attribute(prop, "value") : NULL;
}
