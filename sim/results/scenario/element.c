/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Authors indent and wrap values as they like; blanks around a value never belong to it. */
#include "scenario/element.h"

#include "base/mem.h"
#include "base/xml.h"

#include <string.h>

char *element_trimmed(const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n > 0 && strchr(blanks, text[n - 1]) != NULL)
        n--;
    return mem_format("%.*s", (int)n, text);
}

char *element_content(const xmlNode *element)
{
    xmlChar *content = xmlNodeGetContent(element);
    char *text = element_trimmed(content != NULL ? (const char *)content : "");
    xmlFree(content);
    return text;
}

char *element_attribute(const xmlNode *element, const char *name)
{
    const char *value = xml_attribute(element, name);
    return value != NULL ? element_trimmed(value) : NULL;
}
