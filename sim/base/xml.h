/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* XML input (libxml2) for platforms, deployments and scenarios. It prints nothing, never uses the network, and keeps
   libxml2's own limits on depth, text size and entity expansion. Mistakes become a struct err with file and line. */
#ifndef IASIM_BASE_XML_H
#define IASIM_BASE_XML_H

#include "base/err.h"

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

/* Errors: ERR_PARSE with `path` and the line where the text stops being well-formed XML, or where it refers
   to an entity of its own (nothing here needs them, and xml_attribute could not give their text). The caller
   frees *out with xmlFreeDoc. */
enum err_code xml_read(const char *bytes, size_t n, const char *path, xmlDocPtr *out, struct err *e);
/* Errors: those of text_read_file (files above 1 GB are refused) and xml_read. */
enum err_code xml_read_file(const char *path, xmlDocPtr *out, struct err *e);

/* Like xml_read, with one child of the root in memory at a time: `take` gets the root, which is still empty, then each
   of its children when it is complete. An element and everything borrowed from it are freed after the call. If the
   document is not well-formed, that error wins over an error of `take`: after the latter the rest is still parsed. */
enum err_code xml_visit(const char *bytes, size_t n, const char *path,
                        enum err_code (*take)(void *self, const xmlNode *element, struct err *e), void *self,
                        struct err *e);

/* The value, borrowed from the document; NULL when the element has no such attribute. */
const char *xml_attribute(const xmlNode *element, const char *name);

bool xml_is(const xmlNode *element, const char *name);
const char *xml_name(const xmlNode *element);
int xml_line(const xmlNode *element); /* where its start tag ends */
bool xml_is_root(const xmlNode *element);

/* Child elements in document order; comments and text are skipped. NULL: no more. */
xmlNode *xml_first(const xmlNode *parent);
xmlNode *xml_next(const xmlNode *element);
/* The next element of the whole subtree of `root` in document order, without recursion. Start with element = root. */
xmlNode *xml_following(const xmlNode *root, const xmlNode *element);

/* ERR_INPUT with the message and the element's line. */
enum err_code xml_refuse(struct err *e, const char *path, const xmlNode *element, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Errors: ERR_INPUT when an attribute is not one of `known` (ends with NULL), or one of `required` (may be
   NULL) is missing; the message lists the known ones. */
enum err_code xml_check_attributes(const xmlNode *element, const char *path, const char *const *known,
                                   const char *const *required, struct err *e);

#endif
