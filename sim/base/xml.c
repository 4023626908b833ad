/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The one place that knows libxml2's parser. Documents of SimGrid and scenarios are small trees; DAX files of
   workflows can be hundreds of megabytes and are visited child by child. */
#include "base/xml.h"
#include "base/nearest.h"

#include "base/text.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* Below INT_MAX, so that the message of open_parser is for callers with their own buffers only. */
enum { MAX_FILE_BYTES = 1000000000 };

/* libxml2's message ends with a line feed and may hold the offending text on further lines. */
static enum err_code not_well_formed(const xmlError *found, const char *path, struct err *e)
{
    if (found == NULL || found->message == NULL)
        return err_set_at(e, ERR_PARSE, path, 1, "not well-formed XML");
    int n = (int)strcspn(found->message, "\n");
    return err_set_at(e, ERR_PARSE, path, found->line, "not well-formed XML: %.*s", n, found->message);
}

/* Without a document type, libxml2 keeps a reference to an entity as a node without text. It would read as an empty
   value, and &speed; as a host without speed. */
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

static enum err_code check_entities(const xmlNode *root, const char *path, struct err *e)
{
    for (const xmlNode *element = root; element != NULL; element = xml_following(root, element)) {
        const xmlNode *entity = entity_in(element);
        if (entity != NULL)
            return err_set_at(e, ERR_PARSE, path, xml_line(element),
                              "unknown entity '&%s;'; known: &amp; &lt; &gt; &quot; &apos;", xml_name(entity));
    }
    return ERR_NONE;
}

/* ---- reading ----
   libxml2's own handlers build the tree. Ours record the line of each element (libxml2 has only 16 bits for it) and,
   when a document is read child by child, hand over each child at its end and free it.

   libxml2 parses the content of an entity in a separate context with the same handlers and the same _private. That
   content never becomes part of the document: check_entities refuses the reference. */

struct visit {
    xmlParserCtxtPtr parser;
    const char *path;
    enum err_code (*take)(void *self, const xmlNode *element, struct err *e);
    void *self;
    struct err entity, refusal; /* the first of each */
};

static void visit(struct visit *v, const xmlNode *element)
{
    /* After a refusal the rest is still parsed, because a mistake in the XML is the better message, but no longer
       handed over. */
    if (v->refusal.code == ERR_NONE)
        v->take(v->self, element, &v->refusal);
}

static void free_children(xmlNodePtr node)
{
    while (node->children != NULL) {
        xmlNodePtr child = node->children;
        xmlUnlinkNode(child);
        xmlFreeNode(child);
    }
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
                          const xmlChar **attributes)
{
    xmlParserCtxtPtr parser = context;
    struct visit *v = parser->_private;
    xmlSAX2StartElementNs(context, name, prefix, uri, n_namespaces, namespaces, n_attributes, n_defaulted, attributes);
    /* No node: libxml2 was out of memory, or has stopped at a mistake. */
    if (parser->node == NULL)
        return;
    /* Kept in the node's field for applications: elements have no other room for it. */
    parser->node->_private = (void *)(intptr_t)parser->input->line;
    /* Of the document's own parser alone: in the content of an entity the same function is called with another one. */
    if (v != NULL && v->parser == parser && parser->node == xmlDocGetRootElement(parser->myDoc))
        visit(v, parser->node);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    xmlParserCtxtPtr parser = context;
    struct visit *v = parser->_private;
    /* Taken before libxml2's own handler, which moves parser->node to the parent. */
    xmlNodePtr ended = parser->node, root = xmlDocGetRootElement(parser->myDoc);
    xmlSAX2EndElementNs(context, name, prefix, uri);
    /* Deeper elements stay: they belong to a child of the root that is not complete yet. */
    if (v == NULL || v->parser != parser || ended == NULL || (ended != root && ended->parent != root))
        return;
    check_entities(root, v->path, &v->entity);
    if (ended != root)
        visit(v, ended);
    /* Also the text and comments between the children, which would else pile up. */
    free_children(root);
}

/* No XML_PARSE_HUGE, which would lift the limits; no XML_PARSE_NOENT, which would expand entities without bounds;
   messages go to our errors, not to standard error. */
static const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_COMPACT;

static enum err_code open_parser(size_t n, const char *path, struct visit *v, xmlParserCtxtPtr *out, struct err *e)
{
    *out = NULL;
    /* libxml2 counts bytes in an int. */
    if (n > INT_MAX)
        return err_set_at(e, ERR_PARSE, path, 0, "%zu bytes of XML are too many to read", n);
    *out = xmlNewParserCtxt();
    if (*out == NULL)
        return err_set_at(e, ERR_INTERNAL, path, 0, "libxml2 cannot create a parser");
    (*out)->sax->startElementNs = start_element;
    (*out)->sax->endElementNs = v != NULL ? end_element : xmlSAX2EndElementNs;
    (*out)->_private = v;
    return ERR_NONE;
}

enum err_code xml_read(const char *bytes, size_t n, const char *path, xmlDocPtr *out, struct err *e)
{
    xmlParserCtxtPtr parser;
    *out = NULL;
    enum err_code code = open_parser(n, path, NULL, &parser, e);
    if (code != ERR_NONE)
        return code;
    xmlDocPtr doc = xmlCtxtReadMemory(parser, n ? bytes : "", (int)n, NULL, NULL, options);
    /* A document with mistakes is NULL, because XML_PARSE_RECOVER is not given. */
    code = doc == NULL ? not_well_formed(xmlCtxtGetLastError(parser), path, e)
                       : check_entities(xmlDocGetRootElement(doc), path, e);
    xmlFreeParserCtxt(parser);
    if (code == ERR_NONE)
        *out = doc;
    else
        xmlFreeDoc(doc);
    return code;
}

struct bytes_left {
    const char *at;
    size_t n;
};

/* Fed in pieces: libxml2 would copy a text that it gets as a whole. */
static int read_some(void *context, char *out, int size)
{
    struct bytes_left *left = context;
    size_t n = left->n < (size_t)size ? left->n : (size_t)size;
    if (n > 0)
        memcpy(out, left->at, n);
    left->at += n;
    left->n -= n;
    return (int)n;
}

enum err_code xml_visit(const char *bytes, size_t n, const char *path,
                        enum err_code (*take)(void *self, const xmlNode *element, struct err *e), void *self,
                        struct err *e)
{
    struct visit v = {.path = path, .take = take, .self = self};
    struct bytes_left left = {bytes, n};
    enum err_code code = open_parser(n, path, &v, &v.parser, e);
    if (code != ERR_NONE)
        return code;
    xmlDocPtr doc = xmlCtxtReadIO(v.parser, read_some, NULL, &left, NULL, NULL, options);
    /* Entities first: an element with an unknown entity looks as if it had an empty value, and would be refused for
       that. */
    const struct err *found = v.entity.code != ERR_NONE ? &v.entity : &v.refusal;
    if (doc == NULL)
        code = not_well_formed(xmlCtxtGetLastError(v.parser), path, e);
    else if (found->code != ERR_NONE)
        code = err_set_at(e, found->code, found->source, found->line, "%s", found->text);
    xmlFreeParserCtxt(v.parser);
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
        /* An empty value has no child node, but it is there. */
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

/* 0 for an element that these handlers have not seen, which means "unknown" in errors. */
int xml_line(const xmlNode *element)
{
    return (int)(intptr_t)element->_private;
}

bool xml_is_root(const xmlNode *element)
{
    /* Not by its name: <platform> within <platform> is not the root. */
    return element->parent != NULL && element->parent->type == XML_DOCUMENT_NODE;
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

/* Up until an ancestor has a next element. Recursion would need a stack as deep as the document. */
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
    xml_refuse(e, path, element, "<%s> has no attribute '%s'%s", xml_name(element), name,
               hint_among(name, text_str(&list), NULL).text);
    text_clear(&list);
    return ERR_INPUT;
}

enum err_code xml_check_attributes(const xmlNode *element, const char *path, const char *const *known,
                                   const char *const *required, struct err *e)
{
    for (const xmlAttr *a = element->properties; a != NULL; a = a->next)
        if (!is_among((const char *)a->name, known))
            return refuse_attribute(element, path, (const char *)a->name, known, e);
    /* Unknown attributes first: a misspelt one is usually the one that is missing. */
    for (; required != NULL && *required != NULL; required++)
        if (xml_attribute(element, *required) == NULL)
            return xml_refuse(e, path, element, "<%s> lacks the attribute '%s'", xml_name(element), *required);
    return ERR_NONE;
}
