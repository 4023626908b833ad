/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks a platform file with libxml2 before SimGrid reads it, and finds mistakes that SimGrid would answer with a
   crash or not at all. Also finds the line of a property, for messages. */
#ifndef IASIM_MACHINE_PLATFORM_XML_H
#define IASIM_MACHINE_PLATFORM_XML_H

#include "base/err.h"

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

struct platform_xml; /* a parsed platform file */

/* Platforms and deployments alike begin with <platform version="4.1">. Errors: ERR_PARSE. */
enum err_code platform_xml_check_root(const xmlNode *root, const char *path, struct err *e);

/* Errors: ERR_IO, ERR_PARSE (not well-formed, not a SimGrid platform of version 4.x), ERR_INPUT (a `routing`
   that SimGrid does not know, a speed, bandwidth or latency that is negative or not finite, two hosts or links with
   one name, a configuration that SimGrid cannot run), each with its line. */
enum err_code platform_xml_read(const char *path, struct platform_xml **out, struct err *e);
/* The same from memory; `path` is for messages, and for finding the files that the platform refers to. */
enum err_code platform_xml_parse(const char *bytes, size_t n, const char *path, struct platform_xml **out,
                                 struct err *e);
void platform_xml_free(struct platform_xml *p);

/* Line of the property `id` of the host or link called `name` (element "host" or "link"; the members of a
   cluster have their properties at the cluster). 0: not found. */
int platform_xml_property_line(const struct platform_xml *p, const char *element, const char *name, const char *id);

/* Line of the configuration `key`. 0: not found. */
int platform_xml_config_line(const struct platform_xml *p, const char *key);
/* Its value. Borrowed; NULL: not found. */
const char *platform_xml_config(const struct platform_xml *p, const char *key);

/* Paths of the other files the platform refers to (profiles, includes), in document order. Borrowed. */
size_t platform_xml_n_files(const struct platform_xml *p);
const char *platform_xml_file(const struct platform_xml *p, size_t i);
/* Whether speeds, bandwidths or states may change while time passes. */
bool platform_xml_may_have_profiles(const struct platform_xml *p);

#endif
