/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/xml.h"

#include "base/text.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

enum { MAX_FILE_BYTES = 1000000000 };

/* libxml2's message ends with a line feed and may hold the offending text on further lines. */
static enum err_code not_well_formed(const xmlError *found, const char *path, struct err *e)
{
    if (found == NULL || found->message == NULL)
        return err_set_at(e, ERR_PARSE, path, 1, "not well-formed XML");
    int n = (int)strcspn(found->message, "\n");
    return err_set_at(e, ERR_PARSE, path, found->line, "not well-formed XML: %.*s", n, found->message);
}

/* Without a document type to look into, libxml2 keeps a reference to an entity as a node that has no text. */
static const xmlNode *entity_in(const xmlNode *element)
{
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        for (const xmlNode *piece = a->children; piece != NULL; piece = piece->next)
            if (piece->type == XML_ENTITY_REF_NODE)
                return piece;
    for (const xmlNode *piece = element->children; piece != NULL; piece = piece->next)
        if (piece->type == XML_ENTITY_REF_NODE)
            return piece;
    return NULL;
}

static enum err_code check_document(const xmlDoc *doc, const char *path, struct err *e)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    for (const xmlNode *element = root; element != NULL; element = xml_following(root, element)) {
        const xmlNode *entity = entity_in(element);
        if (entity != NULL)
            return err_set_at(e, ERR_PARSE, path, xml_line(element),
                              "the entity '&%s;' is not known; known: &amp; &lt; &gt; &quot; &apos;", xml_name(entity));
    }
    return ERR_NONE;
}

enum err_code xml_read(const char *bytes, size_t n, const char *path, xmlDocPtr *out, struct err *e)
{
    *out = NULL;
    if (n > INT_MAX)
        return err_set_at(e, ERR_PARSE, path, 0, "%zu bytes of XML are more than can be read", n);
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    if (parser == NULL)
        return err_set_at(e, ERR_INTERNAL, path, 0, "libxml2 cannot make a parser");
    xmlDocPtr doc = xmlCtxtReadMemory(parser, n ? bytes : "", (int)n, NULL, NULL,
                                      XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_COMPACT |
                                          XML_PARSE_BIG_LINES);
    enum err_code code =
        doc == NULL ? not_well_formed(xmlCtxtGetLastError(parser), path, e) : check_document(doc, path, e);
    xmlFreeParserCtxt(parser);
    if (code == ERR_NONE)
        *out = doc;
    else
        xmlFreeDoc(doc);
    return code;
}

enum err_code xml_read_file(const char *path, xmlDocPtr *out, struct err *e)
{
    struct text t = {0};
    *out = NULL;
    enum err_code code = text_read_file(&t, path, MAX_FILE_BYTES, e);
    if (code == ERR_NONE)
        code = xml_read(text_str(&t), t.size, path, out, e);
    text_clear(&t);
    return code;
}

const char *xml_attribute(const xmlNode *element, const char *name)
{
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        if (strcmp((const char *)a->name, name) == 0)
            return a->children && a->children->content ? (const char *)a->children->content : "";
    return NULL;
}

bool xml_is(const xmlNode *element, const char *name)
{
    return strcmp((const char *)element->name, name) == 0;
}

const char *xml_name(const xmlNode *element)
{
    return (const char *)element->name;
}

/* The node that ends or begins before `node` in the file; NULL: none. */
static const xmlNode *just_before(const xmlNode *node)
{
    const xmlNode *before = node->prev;
    if (before == NULL)
        return node->parent != NULL && node->parent->type == XML_ELEMENT_NODE ? node->parent : NULL;
    while (before->type == XML_ELEMENT_NODE && before->last != NULL)
        before = before->last;
    return before;
}

/* A node has 16 bits for its line. Beyond, libxml2 keeps in each text the line where it ends, so the last text before
   an element tells where the element begins. Where many elements lie between, libxml2 guesses. */
int xml_line(const xmlNode *node)
{
    enum { MOST_STEPS = 16 };
    const xmlNode *at = node;
    for (int i = 0; i < MOST_STEPS && node->line == USHRT_MAX && (at = just_before(at)) != NULL; i++)
        if (at->type == XML_TEXT_NODE && at->psvi != NULL && at->line == USHRT_MAX)
            return (int)(intptr_t)at->psvi;
    return (int)xmlGetLineNo(node);
}

static xmlNode *element_from(xmlNode *node)
{
    while (node != NULL && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

xmlNode *xml_first(const xmlNode *parent)
{
    return element_from(parent->children);
}

xmlNode *xml_next(const xmlNode *element)
{
    return element_from(element->next);
}

xmlNode *xml_following(const xmlNode *root, const xmlNode *element)
{
    xmlNode *next = xml_first(element);
    while (next == NULL && element != root) {
        next = xml_next(element);
        element = element->parent;
    }
    return next;
}

enum err_code xml_refuse(struct err *e, const char *path, const xmlNode *element, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum err_code code = err_vset_at(e, ERR_INPUT, path, xml_line(element), format, args);
    va_end(args);
    return code;
}

static bool is_among(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static enum err_code refuse_attribute(const xmlNode *element, const char *path, const char *name,
                                      const char *const *known, struct err *e)
{
    struct text list = {0};
    size_t n = 0;
    while (known[n] != NULL)
        n++;
    text_add_names(&list, known, n);
    xml_refuse(e, path, element, "<%s> has no attribute '%s'; known: %s", xml_name(element), name,
               n ? text_str(&list) : "none");
    text_clear(&list);
    return ERR_INPUT;
}

enum err_code xml_check_attributes(const xmlNode *element, const char *path, const char *const *known,
                                   const char *const *required, struct err *e)
{
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        if (!is_among((const char *)a->name, known))
            return refuse_attribute(element, path, (const char *)a->name, known, e);
    for (; required != NULL && *required != NULL; required++)
        if (xml_attribute(element, *required) == NULL)
            return xml_refuse(e, path, element, "<%s> lacks its attribute '%s'", xml_name(element), *required);
    return ERR_NONE;
}
