/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of XML elements, without the blanks around them. Internal to this folder. */
#ifndef IASIM_SCENARIO_ELEMENT_H
#define IASIM_SCENARIO_ELEMENT_H

#include <libxml/tree.h>

/* The results are the caller's. */
char *element_trimmed(const char *text);
char *element_content(const xmlNode *element);
char *element_attribute(const xmlNode *element, const char *name); /* NULL: the element does not have it */

#endif
